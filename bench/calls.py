"""`bench calls`: Python function calls that one board costs a table, counted exactly, without sockets.

What is counted is what happens to each line of a player, from the bytes of its connection to those of the answers:
reading, the protocol core, the record in an SQLite file, the wire log, writing. Players are not counted. The figure
does not depend on the machine's speed.
"""

import asyncio
import gc
import math
import sys
import tempfile
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import FrameType, TracebackType
from typing import Final, Protocol, cast

from bench.events import bench_database, draw_tables
from tourney.bots.basic import BasicStrategy
from tourney.bridge import SEATS
from tourney.config import PortRange
from tourney.errors import ProtocolError
from tourney.host.connection import TcpConnection
from tourney.host.host import TableHost
from tourney.host.ports import OpenPort, PortAdmission, listen_nowhere
from tourney.movement.seating import TableInfo
from tourney.protocol.bluechip.player import PlayerCore
from tourney.protocol.lines import LineBuffer
from tourney.protocol.player import AskCall, AskCard, Leave, PlayerEffect, SendLine
from tourney.runtime.clock import HostClock
from tourney.store.control.host_settings import load_settings
from tourney.store.control.hosts import add_host
from tourney.store.control.table_state import assign_table
from tourney.store.db.database import Database

BEGINS_AT_MS: Final = 1_790_000_000_000
"""2026-09-21T14:13:20Z: when the first player logs on. Each line comes one millisecond after the one before."""

LOG_ON_LINES: Final = 12
"""Before the first board each of four players logs on, is ready for teams, and ready to start."""


@dataclass(frozen=True, slots=True)
class CallFigures:
    """Python function calls of one table, from the first board to the end of the session."""

    calls_per_board: int
    boards: int
    lines_per_board: float
    """Lines of the players."""


class Meter(Protocol):
    """Measures what is done inside `with` blocks: the table's work on what has come in, or at the end of a turn."""

    def __enter__(self) -> object: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...

    def begin(self) -> None:
        """Forget what has been measured: the first board begins."""


class CallCounter:
    """Counts calls of Python functions inside `with` blocks; functions written in C are not counted."""

    def __init__(self) -> None:
        self.calls = 0

    def __enter__(self) -> None:
        gc.disable()  # what finalizers and others' callbacks do there is no work of the table's
        sys.setprofile(self._count)

    def __exit__(self, *_: object) -> None:
        sys.setprofile(None)
        gc.enable()
        self.calls -= 1  # this method

    def begin(self) -> None:
        self.calls = 0

    def _count(self, _frame: FrameType, event: str, _argument: object) -> None:
        if event == "call":
            self.calls += 1


@dataclass(slots=True)
class _Work:
    """What is measured now."""

    is_reading: bool = False
    """Whether a line is being read: what it leads to at once is part of that."""


class SteppedClock(HostClock):
    """A clock that goes on only when it is told to."""

    def __init__(self) -> None:
        super().__init__()
        self.time_ms = BEGINS_AT_MS

    def now_ms(self) -> int:
        return self.time_ms


class _Transport:
    """A socket's place: its methods are functions in C, as those of uvloop are."""

    def __init__(self) -> None:
        self.written: list[bytes] = []
        self.write = self.written.append
        self.is_closing = bool
        self.get_write_buffer_size = int
        self.is_closed = False

    def get_extra_info(self, _name: str) -> None:
        return None

    def write_eof(self) -> None:
        self.is_closed = True

    def abort(self) -> None:
        self.is_closed = True


class _Player:
    """A player at its connection."""

    def __init__(self, core: PlayerCore, link: TcpConnection) -> None:
        self.has_left = False
        self.to_say: deque[bytes] = deque()
        self.transport = _Transport()
        self.link = link
        self._core = core
        self._strategy = BasicStrategy(1)
        self._lines = LineBuffer()
        link.connection_made(cast(asyncio.BaseTransport, self.transport))
        self._react(core.start())

    def read(self) -> None:
        """Take what the table has written."""
        data = b"".join(self.transport.written)
        self.transport.written.clear()
        for line in self._lines.feed(data):
            self._react(self._core.receive_line(line))

    def _react(self, effects: list[PlayerEffect]) -> None:
        for effect in effects:
            match effect:
                case SendLine():
                    self.to_say.append(effect.line.encode("ascii") + b"\r\n")
                case AskCall():
                    decision = self._strategy.choose_call(effect.view)
                    self._react(self._core.make_call(decision.call, decision.alert))
                case AskCard():
                    card = self._strategy.choose_card(effect.view, effect.hand)
                    self._react(self._core.make_card(effect.hand, card))
                case Leave(reason=None):
                    self.has_left = True
                case Leave():
                    raise ProtocolError(f"a player of the bench was refused: {effect.reason}")


def measure_calls(boards: int) -> CallFigures:
    """Play the boards of a match in both rooms, and count in the second: what is said at every table is known then.

    Raises:
        TourneyError: the folder for temporary files cannot be used.
    """
    with tempfile.TemporaryDirectory(prefix="tourney-bench-") as folder, bench_database(None) as database:
        drawn = draw_tables(Path(folder), database, "Calls", 2, boards, wire_log=True)
        counter, lines = CallCounter(), 0
        for table in drawn.tables:
            lines = asyncio.run(play_table(database, drawn.event.id, table, counter))
    return CallFigures(round(counter.calls / boards), boards, round(lines / boards, 1))


async def play_table(database: Database, event_id: int, table: TableInfo, meter: Meter) -> int:
    """Play a table of a host to the end of its session; how many lines its players have said."""
    name, clock = f"bench-calls-{table.id}", SteppedClock()
    opened: asyncio.Future[PortAdmission] = asyncio.get_running_loop().create_future()

    async def listen(address: str, ports: PortRange, wished: int, accepts: Sequence[PortAdmission]) -> list[OpenPort]:
        opened.set_result(accepts[0])
        return await listen_nowhere(address, ports, wished, accepts)

    settings = partial(load_settings, database, event_id)
    # A disk that is slow for a moment is no slow disk here: batches in a thread take other calls.
    host = TableHost(database, name, settings, clock=clock, listen=listen, slow_sync_ms=math.inf)
    work = _Work()
    poll = host._poll  # noqa: SLF001 # as below

    async def look_once() -> None:
        """Look at the record for the table, and never again: looks come by real time, each with a flush."""
        host._poll = _do_nothing  # type: ignore[method-assign] # noqa: SLF001
        await poll()

    host._poll = look_once  # type: ignore[method-assign] # noqa: SLF001
    journal = host._journal  # noqa: SLF001 # as below
    flush = journal.flush  # it is called by the loop, whose own work is not counted

    def flush_measured(now_ms: int | None = None) -> None:
        if work.is_reading:
            flush(now_ms)  # part of what is measured already
            return
        with meter:
            flush(now_ms)

    journal.flush = flush_measured  # type: ignore[method-assign] # as above
    add_host(database, event_id, name, BEGINS_AT_MS)
    assign_table(database, table.id, name, dict.fromkeys(SEATS, 0), BEGINS_AT_MS)
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(host.run())
        accept = await opened
        for manager in host._managers.values():  # noqa: SLF001 # as above: this comes by real time too
            manager.flush_log = _write_no_log  # type: ignore[method-assign]
        players = [_Player(PlayerCore(seat, table.team(seat.side)), accept()) for seat in SEATS]
        lines = await _play(players, clock, meter, work)
        for player in players:
            player.link.connection_lost(None)
        host.stop()
    return lines


def _write_no_log() -> None:
    """Leave the wire log until there is enough of it for a write, whose number does not depend on the machine."""


async def _do_nothing() -> None:
    """What a host does of itself in this bench, once its table has been found."""


async def _play(players: list[_Player], clock: SteppedClock, meter: Meter, work: _Work) -> int:
    lines = 0
    while not all(player.has_left for player in players):
        if not any(player.to_say or player.transport.written for player in players):
            raise ProtocolError("the table of the bench waits for ever")
        for player in players:
            player.read()
            while player.to_say:
                data = player.to_say.popleft()
                clock.time_ms += 1
                lines += 1
                if lines == LOG_ON_LINES:
                    meter.begin()
                work.is_reading = True
                with meter:
                    player.link.data_received(data)
                work.is_reading = False
                await asyncio.sleep(0)  # the host records and answers
    return lines
