"""Simulate events: `python -m tests.sim SEEDS [--first N]` runs many, `--seed N` one, with its transcript.

The first seed is drawn anew each time, and printed, unless it is given. One that fails belongs into
`tests/sim/failed_seeds.txt`, whose seeds `make campaigns` plays.

`--lobby` runs lobbies in place of events.

Exit status 0 when every seed held, 1 when one did not; the command that replays a seed that failed is printed.
"""

import argparse
import multiprocessing
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from tests.sim.lobby import LobbyOutcome, outline_lobby, simulate_lobby
from tests.sim.seeds import draw_first
from tests.sim.simulation import Outcome, outline, simulate

_PROGRESS_EVERY = 50

PROCESSES = 2
"""How many run side by side."""


def main() -> None:
    """Run the seeds that the command line asks for."""
    parser = argparse.ArgumentParser(prog="python -m tests.sim", description="Simulated events, one for each seed.")
    parser.add_argument("seeds", type=int, nargs="?", default=1000, help="how many")
    parser.add_argument("--first", type=int, metavar="N", help="the first of them; drawn anew by default")
    parser.add_argument("--seed", type=int, metavar="N", help="one only, with all that was written and read")
    parser.add_argument("--lobby", action="store_true", help="lobbies in place of events")
    asked = parser.parse_args()
    if asked.seed is not None:
        sys.exit(_replay(asked.seed, simulate_lobby if asked.lobby else simulate))
    first = asked.first if asked.first is not None else draw_first()
    _say(f"the first seed is {first}: --first {first} runs the same again")
    try:
        sys.exit(_run(range(first, first + asked.seeds), is_lobby=asked.lobby))
    except KeyboardInterrupt:
        sys.exit(130)


def _replay(seed: int, play: Callable[[int], Outcome | LobbyOutcome]) -> int:
    outcome = play(seed)
    _say(*outcome.transcript, str(outcome.plan), _sentence(outcome))
    return 1 if outcome.faults else 0


def _run(seeds: Sequence[int], *, is_lobby: bool = False) -> int:
    began = time.monotonic()
    failed: list[int] = []
    happened: Counter[str] = Counter()
    virtual_s = 0.0
    # Every process of a terminal gets its Ctrl-C: that of the parent alone ends the campaign.
    ignoring = (signal.SIGINT, signal.SIG_IGN)
    with multiprocessing.get_context("spawn").Pool(PROCESSES, signal.signal, ignoring) as pool:
        outcomes: Iterable[Outcome | LobbyOutcome]
        outcomes = pool.imap(outline_lobby, seeds) if is_lobby else pool.imap(outline, seeds)
        for done, outcome in enumerate(outcomes, 1):
            happened.update(outcome.happened)
            virtual_s += outcome.virtual_s
            if outcome.faults:
                failed.append(outcome.plan.seed)
                again = f"{' --lobby' if is_lobby else ''} --seed {outcome.plan.seed}"
                _say(_sentence(outcome), f"    python -m tests.sim{again}")
            if done % _PROGRESS_EVERY == 0 or done == len(seeds):
                rate = done / (time.monotonic() - began)
                _say(f"{done} of {len(seeds)} seeds, {len(failed)} failed, {rate:.1f} a second")
    _say(f"{virtual_s:.0f} s of play; " + ", ".join(f"{times} x {what}" for what, times in happened.most_common()))
    return 1 if failed else 0


def _say(*lines: str) -> None:
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    sys.stdout.flush()


def _sentence(outcome: Outcome | LobbyOutcome) -> str:
    if outcome.faults:
        return f"seed {outcome.plan.seed} after {outcome.virtual_s:.3f} s: {outcome.faults[0]}"
    return f"seed {outcome.plan.seed} holds: {outcome.lines} lines in {outcome.virtual_s:.3f} s"


if __name__ == "__main__":
    main()
