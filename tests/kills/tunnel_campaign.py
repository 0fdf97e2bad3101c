"""Kill everything between programs elsewhere and their tables, from a seed: `python -m tests.kills.tunnel_campaign`.

A small event is played by programs that come through `tourney connect`. The clients, the server's end of the tunnels,
the run, table hosts and `tourney serve` are killed at steps of the play that the seed draws, and started again as a
user or systemd would. What is on record at the end is held against the same event without tunnels and kills.
"""

import argparse
import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from sqlalchemy.exc import SQLAlchemyError

from tests.sim.seeds import draw_first
from tests.support.events import bot, environment, port_range, tourney, write_event
from tourney.coordinator.team_ports import find_servers
from tourney.errors import StoreError
from tourney.store.db.database import Database, file_url

BOARDS = 3
KILLS_MAX = 10
CALM = 16
"""So many calls and cards after a kill nothing is felt of it any more."""

LIMIT_S = 120
"""An event that takes longer has come to a standstill."""

PROGRAMS = {"Alpha": bot(1, think_ms=15), "Beta": bot(2, think_ms=15)}

KINDS = (
    "client killed",
    "client killed",
    "client TERM",
    "server's end killed",
    "server's end TERM",
    "run killed",
    "host killed",
    "serve killed",
    "client and server's end killed",
    "run and server's end killed",
    "everything killed",
)

_HARMLESS = ("run killed", "serve killed")
"""Kills of which no program notices anything."""

_PLAYED = "SELECT (SELECT count(*) FROM calls) + (SELECT count(*) FROM cards)"

_RULES = """[rules]
rejoins = 100
[sandbox]
kind = "none"
"""


class Seating(NamedTuple):
    """A connection by which a program sits at a table."""

    team: str
    table_id: int
    table_attempt: int
    connection: int


@dataclass
class Outcome:
    """What became of one event."""

    seed: int
    kills: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    seconds: float = 0.0
    unbroken: int = 0
    """Connections of programs that a kill did not concern, and that were looked at after it."""


def play_undisturbed(folder: Path) -> list[tuple[Any, ...]]:
    """Play the event at home; return what is on record of it."""
    event = write_event(folder, list(PROGRAMS.items()), boards=BOARDS, extra=_RULES)
    done = tourney("run", event)
    assert done.status == 0, done.out + done.err
    return read_record(Database(file_url(folder / "results" / "event.db")))


def read_record(database: Database) -> list[tuple[Any, ...]]:
    """Read every call and card that counts, with all that does not depend on the clock."""
    found = []
    with database.read() as connection:
        for action in ("call", "card"):
            rows = connection.exec_driver_sql(
                f"SELECT '{action}', t.room, a.board, a.seq, a.seat, a.{action} FROM {action}s a"
                " JOIN tables t ON t.id = a.table_id JOIN board_attempts b ON b.table_id = a.table_id"
                " AND b.board = a.board AND b.attempt = a.attempt WHERE b.final"
            )
            found += [tuple(row) for row in rows]
    database.close()
    return sorted(found)


class Kept:
    """A process that is started again whenever it has ended, as systemd would."""

    def __init__(self, words: list[str], log: Path) -> None:
        self._words = words
        self._log = log
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def pids(self) -> list[int]:
        return [self._process.pid] if self._process is not None and self._process.poll() is None else []

    def keep(self) -> None:
        """Start it unless it runs."""
        if not self.pids:
            with self._log.open("ab") as log:
                self._process = subprocess.Popen(
                    self._words,
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=log,
                    env=environment(),
                    start_new_session=True,
                )

    def wait(self) -> int:
        """Wait for its end; return its status."""
        assert self._process is not None
        return self._process.wait(60)

    def end(self, number: signal.Signals, *, with_children: bool = False) -> None:
        """Send it a signal; with `with_children`, also what it has started."""
        if self._process is not None and (self.pids or with_children):
            with contextlib.suppress(ProcessLookupError):
                (os.killpg if with_children else os.kill)(self._process.pid, number)
        if self._process is not None and number is signal.SIGKILL:
            self._process.wait()


class TunnelCampaign:
    """One event, and everybody who works for it."""

    def __init__(self, folder: Path, seed: int, expected: list[tuple[Any, ...]]) -> None:
        self._chance = Random(seed)
        self._folder = folder
        self._expected = expected
        self.outcome = Outcome(seed)
        self._spared: set[Seating] = set()
        """Those whom the last kill did not concern; empty where an earlier one may still be felt."""
        self._calm_from = 0
        """From how many calls and cards on nothing is felt any more of an earlier kill."""
        self._remote = ["Alpha", "Beta"] if self._chance.random() < 0.7 else ["Alpha"]
        self._is_run_by_client = self._chance.random() < 0.5
        door, web, *local = range((first := int(port_range(4).partition("-")[0])), first + 4)
        teams = [(team, None if team in self._remote else program) for team, program in PROGRAMS.items()]
        lines = f"connect_port = {door}\nlease_s = 2\norphan_s = 40\noutage_s = 60\n"
        self.event = write_event(folder, teams, boards=BOARDS, extra=_RULES, tables=lines)
        self._database = Database(file_url(folder / "results" / "event.db"))
        scheduled = tourney("schedule", self.event)
        assert scheduled.status == 0, scheduled.err
        command = [sys.executable, "-m", "tourney"]
        self._run = Kept([*command, "run", str(self.event), "--hosts", "2"], folder / "run.log")
        self._serve = Kept([*command, "serve", str(self.event), "--port", str(web)], folder / "serve.log")
        self._clients: dict[str, Kept] = {}
        self._programs: list[Kept] = []
        for team, port in zip(self._remote, local, strict=False):
            key_file = folder / f"{team}.key"
            key_file.write_text(tourney("team-key", self.event, team).out)
            key_file.chmod(0o600)
            words = ["connect", f"http://127.0.0.1:{door}/", "--team", team, "--key-file", str(key_file)]
            program = PROGRAMS[team].replace("{team}", team)
            if self._is_run_by_client:
                words += ["--run", program.replace("{host}", "127.0.0.1")]
            else:
                self._programs += [
                    Kept(
                        program.format(host="127.0.0.1", port=port, seat=seat).split(), folder / f"{team}-{seat}.log"
                    )
                    for seat in "NESW"
                ]
            self._clients[team] = Kept([*command, *words, "--port", str(port)], folder / f"{team}-client.log")

    # Processes

    @property
    def _services(self) -> list[Kept]:
        return [self._run, self._serve, *self._clients.values()]

    def _keep_all(self) -> None:
        for each in (*self._services, *self._programs):
            if each is not self._run or not self._is_over():
                each.keep()

    def _server(self) -> list[int]:
        return [process.pid for process in find_servers(self._folder / "results").values()]

    def _hosts(self) -> list[int]:
        return [pid for (pid,) in self._rows("SELECT pid FROM hosts WHERE ended_at_ms IS NULL AND pid > 0")]

    def _rows(self, sql: str) -> list[tuple[Any, ...]]:
        with contextlib.suppress(StoreError, SQLAlchemyError), self._database.read() as connection:
            return [tuple(row) for row in connection.exec_driver_sql(sql)]
        return []

    def _is_over(self) -> bool:
        return self._rows("SELECT count(*) FROM tables WHERE state <> 'finished'") == [(0,)]

    def _played(self) -> int:
        ((count,),) = self._rows(_PLAYED) or [(0,)]
        return int(count)

    def _seated(self) -> set[Seating]:
        """The connections by which programs sit at tables that are played at now."""
        return {
            Seating(*row)
            for row in self._rows(
                "SELECT c.team, c.table_id, c.table_attempt, c.connection FROM connections c"
                " JOIN tables t ON t.id = c.table_id AND t.attempt = c.table_attempt"
                " WHERE c.left_at_ms IS NULL AND t.state = 'playing'"
            )
        }

    def _check_spared(self) -> None:
        """See whether the programs that the last kill did not concern have kept their connections."""
        finished = {table for (table,) in self._rows("SELECT id FROM tables WHERE state = 'finished'")}
        kept = self._seated()
        for each in sorted(self._spared):
            if each.table_id not in finished:
                self.outcome.unbroken += 1
                if each not in kept:
                    self.outcome.faults.append(f"{each} was cut by: {self.outcome.kills[-1]}")
        self._spared = set()

    # Kills

    def _kill(self, kind: str) -> list[str]:
        """Kill something; return the teams whose programs are to notice nothing."""
        number = signal.SIGTERM if kind.endswith("TERM") else signal.SIGKILL
        spared = list(PROGRAMS) if kind in _HARMLESS else []
        if kind.startswith("client"):
            team = self._chance.choice(self._remote)
            self._clients[team].end(number)
            spared = [each for each in PROGRAMS if each != team]
        if "run" in kind:
            self._run.end(number)
        if "serve killed" in kind:
            self._serve.end(number)
        if "server's end" in kind:
            _signal(self._server(), number)
            spared = [each for each in PROGRAMS if each not in self._remote]
        if "host" in kind:
            hosts = sorted(self._hosts())
            _signal(hosts and [self._chance.choice(hosts)], number)
        if kind == "everything killed":
            _signal([*self._server(), *self._hosts()], number)
            for each in (*self._services, *self._programs):
                each.end(number)
        return spared

    def play(self) -> Outcome:
        """Play the event with its kills to its end, and look at what is left."""
        began_s = time.monotonic()
        plan = [(self._chance.randrange(1, 60), self._chance.choice(KINDS)) for _ in range(KILLS_MAX)]
        try:
            for further, kind in plan:
                count = self._played() + further
                self._go_on(lambda count=count: self._played() >= count, began_s)  # type: ignore[misc]
                self._check_spared()
                if self._is_over() or self.outcome.faults:
                    break
                self.outcome.kills.append(f"{kind} at {self._played()}")
                seated = self._seated()
                is_calm = len(seated) == 8 and self._played() >= self._calm_from
                spared = self._kill(kind)
                if is_calm:
                    self._spared = {each for each in seated if each.team in spared}
                if kind not in _HARMLESS:
                    self._calm_from = self._played() + CALM
                time.sleep(self._chance.choice((0, 0, 0.3, 2.0)))
            self._go_on(self._is_over, began_s)
            self._finish()
        except (AssertionError, OSError, subprocess.TimeoutExpired) as error:
            self.outcome.faults.append(repr(error))
        finally:
            _signal([*self._server(), *self._hosts()], signal.SIGKILL)
            for each in (*self._services, *self._programs):
                each.end(signal.SIGKILL, with_children=True)
            self._database.close()
        self.outcome.seconds = time.monotonic() - began_s
        return self.outcome

    def _go_on(self, is_so: Callable[[], bool], began_s: float) -> None:
        """Keep everything running until something is so or the event is over."""
        while not is_so() and not self._is_over():
            if time.monotonic() - began_s > LIMIT_S:
                self.outcome.faults.append(f"not finished after {LIMIT_S} s: {self._played()} calls and cards")
                return
            self._keep_all()
            time.sleep(0.05)

    def _finish(self) -> None:
        """Have the run come to its own end, and compare."""
        faults = self.outcome.faults
        if faults:
            return
        if self._chance.random() < 0.2:
            self._run.end(signal.SIGKILL)
        status = self._run.wait()
        if status > 0:
            faults.append(f"tourney run has ended with status {status}")
        done = tourney("run", self.event)
        if done.status:
            faults.append(f"tourney run: {done.out} {done.err}")
        verified = tourney("verify", self.event)
        if verified.status:
            faults.append(f"tourney verify: {verified.out} {verified.err}")
        faults += [f"a ruling: {row}" for row in self._rows("SELECT kind, reason FROM rulings")]
        found = read_record(self._database)
        if found != self._expected:
            missing, more = set(self._expected) - set(found), set(found) - set(self._expected)
            faults.append(f"another record: {len(missing)} missing {min(missing, default='')}, {len(more)} more")


def _signal(pids: list[int], number: signal.Signals) -> None:
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, number)


def main() -> None:
    """Play events, one for each seed."""
    parser = argparse.ArgumentParser(prog="python -m tests.kills.tunnel_campaign")
    parser.add_argument("events", type=int, nargs="?", default=10, help="how many events")
    parser.add_argument("--first", type=int, metavar="SEED", help="the first seed; drawn anew by default")
    asked = parser.parse_args()
    first = draw_first() if asked.first is None else asked.first
    _say(f"the first seed is {first}: --first {first} runs the same again")
    kinds: Counter[str] = Counter()
    failed = []
    folder = Path(tempfile.mkdtemp(prefix="tourney-tunnel-kills-"))
    expected = play_undisturbed(folder / "undisturbed")
    for seed in range(first, first + asked.events):
        outcome = TunnelCampaign(folder / f"{seed}", seed, expected).play()
        kinds.update(kill.rpartition(" at ")[0] for kill in outcome.kills)
        _say(
            f"seed {seed}: {len(outcome.kills)} kills, {outcome.seconds:.0f} s, {outcome.unbroken} kept",
            *outcome.faults,
        )
        if outcome.faults:
            failed.append(seed)
            _say(f"    {'; '.join(outcome.kills)}; its files are in {folder / str(seed)}")
    _say(f"{kinds.total()} kills in {asked.events} events: {dict(kinds)}; seeds with a fault: {failed or 'none'}")
    sys.exit(1 if failed else 0)


def _say(*lines: str) -> None:
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    sys.stdout.flush()


if __name__ == "__main__":
    main()
