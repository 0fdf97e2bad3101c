"""Kill real processes of real events: `python -m tests.kills N [--first SEED]`, `--seed SEED` one event.

Events go on, one for each seed, until so many kills have been made, on SQLite and PostgreSQL by turns. The first seed
is drawn anew each time, and printed, unless it is given. The exit status is 0 when every event held.
"""

import argparse
import shutil
import sys
import tempfile
from collections import Counter
from pathlib import Path

from tests.kills.campaign import KILLS_MAX, Campaign, Outcome
from tests.sim.seeds import draw_first
from tests.support.databases import PostgresServer, _running_server


def main() -> None:
    """Make the kills that the command line asks for."""
    parser = argparse.ArgumentParser(prog="python -m tests.kills", description="Kills, an event for each seed.")
    parser.add_argument("kills", type=int, nargs="?", default=500, help="how many kills")
    parser.add_argument("--first", type=int, metavar="SEED", help="the first seed; drawn anew by default")
    parser.add_argument("--seed", type=int, metavar="SEED", help="one event only; its folder is kept")
    asked = parser.parse_args()
    if asked.seed is None and asked.first is None:
        asked.first = draw_first()
        _say(f"the first seed is {asked.first}: --first {asked.first} runs the same again")
    common = Path(tempfile.mkdtemp(prefix="tourney-kills-"))
    with _running_server(common) as url:
        server = PostgresServer(url)
        outcomes = _play(asked, server, common)
        server.close()
    shutil.rmtree(common, ignore_errors=True)
    _say(*summarise(outcomes))
    sys.exit(1 if any(outcome.faults for outcome in outcomes) else 0)


def _play(asked: argparse.Namespace, server: PostgresServer, common: Path) -> list[Outcome]:
    outcomes: list[Outcome] = []
    seeds = [asked.seed] if asked.seed is not None else range(asked.first, asked.first + 100_000)
    for seed in seeds:
        if asked.seed is None and sum(len(outcome.kills) for outcome in outcomes) >= asked.kills:
            break
        folder = common / f"{seed}"
        if seed % 2:
            with server.new_database() as url:
                outcome = Campaign(folder, seed, url.render_as_string(hide_password=False), server).play(KILLS_MAX)
        else:
            outcome = Campaign(folder, seed, None, None).play(KILLS_MAX)
        outcomes.append(outcome)
        what = f"seed {seed}, {outcome.database}: {len(outcome.kills)} kills, {outcome.seconds:.0f} s"
        _say(what + "".join(f"\n    {fault}" for fault in outcome.faults))
        if outcome.faults or asked.seed is not None:
            kept = Path(tempfile.gettempdir()) / f"tourney-kills-seed-{seed}"
            shutil.rmtree(kept, ignore_errors=True)
            shutil.copytree(folder, kept)
            _say(f"    its files are in {kept}; make kills SEED={seed}")
    return outcomes


def summarise(outcomes: list[Outcome]) -> list[str]:
    """The table of what was tried and what came of it."""
    lines = []
    for database in ("sqlite", "postgresql"):
        those = [outcome for outcome in outcomes if outcome.database == database]
        kinds = Counter(kind for outcome in those for kind in outcome.kills)
        lines.append(
            f"{database}: {sum(kinds.values())} kills in {len(those)} events, "
            f"{sum(outcome.boards for outcome in those)} boards; "
            f"{sum(outcome.checked for outcome in those)} calls and cards that players had noted were looked for on "
            f"record, {sum(outcome.on_record for outcome in those)} on record in their notes; "
            f"{sum(bool(outcome.faults) for outcome in those)} events with a fault"
        )
        lines += [f"    {count:4d} x {kind}" for kind, count in kinds.most_common()]
    failed = [str(outcome.seed) for outcome in outcomes if outcome.faults]
    return [*lines, f"seeds with a fault: {', '.join(failed) or 'none'}"]


def _say(*lines: str) -> None:
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    sys.stdout.flush()


if __name__ == "__main__":
    main()
