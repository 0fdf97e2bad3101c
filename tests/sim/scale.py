"""Simulate an event of many tables: `make simulate SCALE=1000` shows what its coordinator costs.

The coordinator is the real one, on a real SQLite file; the hosts put boards on record and have no players
(`recording_hosts`). Time is simulated, and CPU is the thread's own, so that it makes no difference how busy the
machine is. More teams enter than an event may have: many tables are to be in play at once.
"""

import argparse
import io
import sys
import tempfile
import time
from collections import defaultdict
from contextlib import closing, redirect_stderr
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

from sqlalchemy import event as sqlalchemy_event

from tests.sim.loop import Process, SimulatedLoop
from tests.sim.machines import START_MS, Machine, SimulatedClock, SimulatedScheduler
from tests.sim.organiser import Run
from tests.sim.recording_hosts import Floor, RecordingLauncher
from tests.support.blank_database import blank_database
from tourney.config import parse_event_file
from tourney.coordinator.draw import ensure_drawn
from tourney.coordinator.event_run import EventRun
from tourney.event.file import EventFile
from tourney.store.db.database import Database

WARM_UP_S = 20
"""Simulated time until everything is open and its statements are compiled."""


class _TimedLoop(SimulatedLoop):
    """Counts what each process costs."""

    def __init__(self) -> None:
        super().__init__()
        self.cpu_s: defaultdict[str, float] = defaultdict(float)

    def _step(self, process: Process | None, handle: Any) -> None:
        began = time.thread_time()
        super()._step(process, handle)
        self.cpu_s[process.name if process is not None else ""] += time.thread_time() - began


class Queries:
    """Counts the statements of one database."""

    def __init__(self, database: Database) -> None:
        self.count = 0
        """Those that go past SQLAlchemy are not in it: one for each look at the tables."""
        sqlalchemy_event.listen(database._pool.engine, "before_cursor_execute", self._note)

    def _note(self, *_: Any) -> None:
        self.count += 1


@dataclass(frozen=True, slots=True)
class Cost:
    """What a coordinator cost."""

    tables: int
    """Tables in play."""
    start_cpu_s: float
    """CPU time until all tables were open."""
    cpu_share: float
    """The share of a core that it took from then on."""
    queries_s: float
    """Statements that it sent in a second."""
    boards: int
    """Boards that ended in that time."""


def simulate(tables: int, seconds: int, *, board_s: float, hosts: int, folder: Path) -> Cost:
    """Play so many tables for so many simulated seconds, on hosts that take `board_s` for a board."""
    teams = tables  # at two tables a match
    text = (
        '[event]\nname = "Scale"\nresults = "."\nbackup_every_s = 0\n'
        + "".join(f'[[team]]\nname = "Team {number}"\n' for number in range(1, teams + 1))
        + '[[stage]]\nformat = "swiss"\nrounds = 1\nboards_per_match = 64\n[deals]\nseed = 1\n'
        + '[tables]\nports = "2000-60000"\nat_once = 1000\nwire_log = false\n'
    )
    with patch("tourney.config.consistency.TEAMS_MAX", teams):
        file = EventFile(folder / "event.toml", parse_event_file(text, "event.toml"))
    config = file.config
    file = replace(
        file, config=config.model_copy(update={"tables": config.tables.model_copy(update={"at_once": tables})})
    )
    path = folder / "event.db"
    path.write_bytes(blank_database())
    with closing(Database(f"sqlite:///{path}")) as ours, closing(Database(f"sqlite:///{path}")) as theirs:
        event = ensure_drawn(file, ours, START_MS)
        loop = _TimedLoop()  # type: ignore[abstract] # what it lacks, nothing here asks for
        floor, process, clock = Floor(theirs, board_s=board_s), Process(loop, "run"), SimulatedClock(loop)
        launcher = RecordingLauncher(Machine("home"), loop, process, floor)
        run = EventRun(
            file,
            ours,
            event,
            Run(process, Machine("home"), lambda _: None, lambda _: None).report,
            hosts,
            clock=clock,
            launcher=launcher,
            scheduler=SimulatedScheduler(loop, clock),
        )
        queries = Queries(ours)
        task = process.start(run.run())
        loop.run_until(task.done, WARM_UP_S * 1_000_000)
        started_s, boards = loop.cpu_s["run"], floor.boards
        loop.cpu_s.clear()
        queries.count = 0
        loop.run_until(task.done, (WARM_UP_S + seconds) * 1_000_000)
        assert not task.done(), task
        process.kill()
        return Cost(tables, started_s, loop.cpu_s["run"] / seconds, queries.count / seconds, floor.boards - boards)


def main() -> None:
    """Simulate as the command line asks, and print what it cost."""
    parser = argparse.ArgumentParser(prog="python -m tests.sim.scale", description="What a coordinator costs.")
    parser.add_argument("tables", type=int, nargs="+", help="how many tables are in play")
    parser.add_argument("--seconds", type=int, default=60, help="simulated seconds to measure")
    asked = parser.parse_args()
    _say("tables  CPU to start  share of a core  per 1,000 tables  statements/s  boards/s")
    for tables in asked.tables:
        with tempfile.TemporaryDirectory() as folder, redirect_stderr(io.StringIO()):
            cost = simulate(tables, asked.seconds, board_s=120.0, hosts=16, folder=Path(folder))
        _say(
            f"{tables:6}  {cost.start_cpu_s:10.2f} s  {100 * cost.cpu_share:13.2f} %  "
            f"{100_000 * cost.cpu_share / tables:14.2f} %  {cost.queries_s:12.1f}  {cost.boards / asked.seconds:8.2f}"
        )


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
