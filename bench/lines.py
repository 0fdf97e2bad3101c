"""`bench line`: how long a table takes from the bytes of a call or card to the last line that it relays.

One table of one host without sockets, as in `bench calls`, with a record that does not wait for the disk. The table
is alone, so that each call and card has a transaction of its own. SQLite's time is what the driver takes.
"""

import asyncio
import sqlite3
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from sqlite3 import dbapi2
from statistics import median
from types import TracebackType
from typing import Any, Final

from bench.calls import play_table
from bench.events import bench_database, draw_tables
from bench.figures import Machine, this_machine
from tourney.config import Durability
from tourney.store.record.writer import Recorder

_MS: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class LineFigures:
    """Times of the lines of one table. Those of calls and cards are medians, in milliseconds."""

    boards: int
    lines_per_board: float
    """Lines of the players."""
    line_ms: float
    """From the bytes of a call or card to the last line that it lets the table relay."""
    transaction_ms: float
    """The part of it that puts the call or card on record."""
    sqlite_ms: float
    """The part of that in which SQLite works."""
    python_ms: float
    """What is left of the transaction."""
    board_ms: float
    """Everything that a board costs the table, its requests included."""
    cpu_ms_per_board: float
    """Processor time of the same."""
    machine: Machine


class _DriverClock:
    """How long the driver of SQLite has worked."""

    def __init__(self) -> None:
        self.ns = 0


class _TimedConnection(sqlite3.Connection):
    """A connection of the driver whose work is timed."""

    clock = _DriverClock()

    def execute(self, *arguments: Any) -> sqlite3.Cursor:  # of any statement
        began = time.perf_counter_ns()
        try:
            return super().execute(*arguments)
        finally:
            self.clock.ns += time.perf_counter_ns() - began

    def executemany(self, *arguments: Any) -> sqlite3.Cursor:  # as above
        began = time.perf_counter_ns()
        try:
            return super().executemany(*arguments)
        finally:
            self.clock.ns += time.perf_counter_ns() - began

    def commit(self) -> None:
        began = time.perf_counter_ns()
        try:
            super().commit()
        finally:
            self.clock.ns += time.perf_counter_ns() - began


class _LineMeter:
    """Notes how long each line took; the longest way is that of a line that is put on record."""

    def __init__(self) -> None:
        self.transaction_ns = 0
        self.sqlite_ns = 0
        """SQLite's part of the transaction of the line in work."""
        self.begin()

    def begin(self) -> None:
        self.recorded: list[tuple[int, int, int]] = []
        """Nanoseconds of each line with a transaction: in all, in the transaction, in SQLite."""
        self.all_ns = 0
        self.cpu_ns = 0

    def __enter__(self) -> None:
        self.transaction_ns = self.sqlite_ns = 0
        self._cpu_began_ns = time.thread_time_ns()
        self._began_ns = time.perf_counter_ns()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        taken_ns = time.perf_counter_ns() - self._began_ns
        self.cpu_ns += time.thread_time_ns() - self._cpu_began_ns
        self.all_ns += taken_ns
        if self.transaction_ns:
            self.recorded.append((taken_ns, self.transaction_ns, self.sqlite_ns))


@contextmanager
def _timed(meter: _LineMeter) -> Iterator[None]:
    """Have transactions of the record timed, and the driver's part of them."""
    connect, write, clock = dbapi2.connect, Recorder.write, _TimedConnection.clock

    def write_timed(recorder: Recorder, batch: Any) -> None:  # as it is
        began, driver_began = time.perf_counter_ns(), clock.ns
        try:
            write(recorder, batch)
        finally:
            meter.transaction_ns += time.perf_counter_ns() - began
            meter.sqlite_ns += clock.ns - driver_began

    setattr(dbapi2, "connect", partial(connect, factory=_TimedConnection))  # noqa: B010 # for this bench only
    setattr(Recorder, "write", write_timed)  # noqa: B010 # as above
    try:
        yield
    finally:
        setattr(dbapi2, "connect", connect)  # noqa: B010
        setattr(Recorder, "write", write)  # noqa: B010


def measure_lines(boards: int) -> LineFigures:
    """Play the boards of a match in both rooms, and time the second: what is said at every table is known then.

    Raises:
        TourneyError: the folder for temporary files cannot be used.
    """
    meter, lines = _LineMeter(), 0
    with (
        tempfile.TemporaryDirectory(prefix="tourney-bench-") as name,
        _timed(meter),
        bench_database(None) as database,
    ):
        drawn = draw_tables(Path(name), database, "Lines", 2, boards, wire_log=True, durability=Durability.PROCESS)
        for table in drawn.tables:
            lines = asyncio.run(play_table(database, drawn.event.id, table, meter))
    line_ns, transaction_ns, sqlite_ns = (median(column) for column in zip(*meter.recorded, strict=True))
    return LineFigures(
        boards=boards,
        lines_per_board=round(lines / boards, 1),
        line_ms=round(line_ns / _MS, 3),
        transaction_ms=round(transaction_ns / _MS, 3),
        sqlite_ms=round(sqlite_ns / _MS, 3),
        python_ms=round(median(each[1] - each[2] for each in meter.recorded) / _MS, 3),
        board_ms=round(meter.all_ns / boards / _MS, 2),
        cpu_ms_per_board=round(meter.cpu_ns / boards / _MS, 2),
        machine=this_machine(),
    )
