"""A table host with instruments: `python -m bench.host EVENT_ID HOST_NAME FILE SYNC_DELAY_MS`.

Like `python -m tourney.host`, except that its connections note when received lines were relayed. On each SIGUSR1 it
notes the processor time and memory used so far; at the end it writes everything to FILE. Its disk takes SYNC_DELAY_MS
longer than it does for what is to be synced.
"""

import asyncio
import json
import resource
import signal
import sys
import time
from array import array
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, cast

from sqlalchemy import Connection

from tourney.config import PortRange
from tourney.host import ports
from tourney.host.connection import TcpConnection
from tourney.host.host_process import main as serve_tables
from tourney.host.manager import TableManager
from tourney.host.ports import OpenPort, PortAdmission
from tourney.store.db.database import Database

_STATUS: Final = Path("/proc/self/status")

_KB_IN: Final = 1024 if sys.platform == "darwin" else 1
"""Bytes or kilobytes: the unit in which the system counts memory."""


@dataclass(slots=True)
class Mark:
    """The resources that the process had used at one moment."""

    cpu_s: float
    peak_kb: int
    """Peak memory, less what these notes take."""


@dataclass(slots=True)
class HostFigures:
    """What an instrumented host has noted."""

    marks: list[Mark] = field(default_factory=list)
    relayed: dict[str, "array[int]"] = field(default_factory=dict)
    """Three numbers, by `connection_key`, for each time the table wrote something in answer to a line: how many lines
    had been received by then, the moment by the monotonic clock, in nanoseconds, and whether it was a request for
    what was on record already."""

    def mark(self) -> None:
        """Notes what the process has used so far."""
        notes_kb = sum(notes.buffer_info()[1] * notes.itemsize for notes in self.relayed.values()) // 1024
        self.marks.append(Mark(time.process_time(), _peak_kb() - notes_kb))

    def write(self, file: Path) -> None:
        """Writes all notes as JSON."""
        marks = [[mark.cpu_s, mark.peak_kb] for mark in self.marks]
        relayed = {peer: notes.tolist() for peer, notes in self.relayed.items()}
        file.write_text(json.dumps({"marks": marks, "relayed": relayed}), encoding="ascii")


def _peak_kb() -> int:
    """Returns the peak memory of this process."""
    if _STATUS.exists():
        # Linux lets a process begin its `ru_maxrss` with what the one that started it holds.
        return next(int(line.split()[1]) for line in _STATUS.read_text().splitlines() if line.startswith("VmHWM:"))
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // _KB_IN


def connection_key(player_port: int, table_port: int) -> str:
    """Names a connection on this machine: one port of a player may be in use at two tables."""
    return f"{player_port} {table_port}"


def read_figures(file: Path) -> HostFigures:
    """Reads what `HostFigures.write` has written."""
    found = json.loads(file.read_text(encoding="ascii"))
    marks = [Mark(cpu_s, peak_kb) for cpu_s, peak_kb in found["marks"]]
    return HostFigures(marks, {peer: array("q", notes) for peer, notes in found["relayed"].items()})


class _Written:
    """Counts the lines that a table has written, and knows whose line waits for the record."""

    __slots__ = ("at_ns", "count", "waiting")

    def __init__(self) -> None:
        self.count = 0
        self.at_ns = 0
        """When it wrote the last one."""
        self.waiting: list[_WatchedLink] = []
        """Connections whose last line is being recorded: what is written next answers it."""


class _WatchedTransport:
    """The part of a transport that a connection uses, with its writes counted."""

    __slots__ = (
        *("_write", "_written", "abort", "get_extra_info", "get_write_buffer_size"),
        *("is_closing", "pause_reading", "resume_reading", "write_eof"),
    )

    def __init__(self, transport: asyncio.Transport, written: _Written) -> None:
        self._write = transport.write
        self._written = written
        self.abort = transport.abort
        self.get_extra_info = transport.get_extra_info
        self.get_write_buffer_size = transport.get_write_buffer_size
        self.is_closing = transport.is_closing
        self.pause_reading = transport.pause_reading
        self.resume_reading = transport.resume_reading
        self.write_eof = transport.write_eof

    def write(self, data: bytes) -> None:
        self._write(data)
        written = self._written
        written.count += 1
        written.at_ns = time.monotonic_ns()
        for link in written.waiting:
            link.log_remark(written.at_ns)
        written.waiting.clear()


class _WatchedLink(asyncio.Protocol):
    """Passes everything to a table's connection, and checks after the loop iteration whether it wrote something."""

    def __init__(self, link: TcpConnection, table: TableManager, written: _Written, figures: HostFigures) -> None:
        self._link = link
        self._table = table
        self._written = written
        self._figures = figures
        self._lines = 0
        self._is_request = False
        self._relayed = array("q")
        self.connection_lost = link.connection_lost  # type: ignore[method-assign] # nothing stands between

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        player, table = (transport.get_extra_info(end)[1] for end in ("peername", "sockname"))
        self._figures.relayed[connection_key(player, table)] = self._relayed
        # The watched transport has all that a connection uses of the one a stream server passes.
        watched = _WatchedTransport(cast(asyncio.Transport, transport), self._written)
        self._link.connection_made(cast(asyncio.Transport, watched))

    def data_received(self, data: bytes) -> None:
        lines = data.count(b"\n")
        self._lines += lines
        self._is_request = data.count(b" ready ") == lines and not self._table.queued
        written = self._written
        before = written.count
        self._link.data_received(data)
        if written.count > before:
            self.log_remark(written.at_ns)
        elif self._table.queued:
            written.waiting.append(self)

    def log_remark(self, at_ns: int) -> None:
        """Note that the table has answered the last line."""
        self._relayed.extend((self._lines, at_ns, self._is_request))


def slow_down_syncs(delay_ms: float) -> None:
    """Has every transaction that waits for the disk wait longer, as this thread does while the kernel syncs."""
    write = Database.write

    @contextmanager
    def write_slowly(database: Database, *, synced: bool = True) -> Iterator[Connection]:
        with write(database, synced=synced) as connection:
            yield connection
        if synced:
            time.sleep(delay_ms / 1000)

    setattr(Database, "write", write_slowly)  # noqa: B010 # in this process only; no type is that of a method


def main() -> None:
    """Runs the host until it ends."""
    figures = HostFigures()
    if delay_ms := float(sys.argv[4]):
        slow_down_syncs(delay_ms)
    is_watched = False

    async def listen(
        host: str, port_range: PortRange, wished: int, acceptors: Sequence[PortAdmission]
    ) -> list[OpenPort]:
        nonlocal is_watched
        if not is_watched:
            is_watched = True
            asyncio.get_running_loop().add_signal_handler(signal.SIGUSR1, figures.mark)
        written = _Written()

        def watch(accept: PortAdmission) -> Callable[[], asyncio.Protocol]:
            def make() -> asyncio.Protocol:
                link = accept()
                if isinstance(link._owner, TableManager):  # noqa: SLF001
                    return _WatchedLink(link, link._owner, written, figures)  # noqa: SLF001
                return link  # at a public port: no table answers it at once

            return make

        opened, loop = [], asyncio.get_running_loop()
        for accept, listener in zip(
            acceptors, ports.open_ports(host, port_range, wished, len(acceptors)), strict=True
        ):
            server = await loop.create_server(watch(accept), sock=listener)
            opened.append(OpenPort(listener.getsockname()[1], server.close))
        return opened

    try:
        serve_tables(listen)
    finally:
        figures.write(Path(sys.argv[3]))


if __name__ == "__main__":
    main()
