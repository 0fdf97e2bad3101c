"""A simulated table: four scripted programs and a table core, connected by byte streams under a fake clock.

What travels is what a socket would carry: a line of the table is one segment, written when the pacing of the
player's profile allows; a program reads everything that has arrived once it has dealt with what it read before.
So two lines that follow each other too closely reach it in one read.
"""

import heapq
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from tests.support.dialects.base import DialectError, DialectPlayer, Segment
from tests.support.table_rig import Peer, TableRig
from tourney.bots.strategy import Strategy
from tourney.bridge import SEATS, Seat, Side
from tourney.protocol.lines import Charset, LineBuffer, Pacer
from tourney.protocol.session.records import SeatTaken, TableRecord
from tourney.protocol.session.table import TableSettings

LATENCY_MS: Final = 1
"""The time from one end of a connection to the other."""


@dataclass
class _ProgramEnd:
    """One program and its connection, in both directions."""

    peer: Peer
    player: DialectPlayer
    pacer: Pacer[tuple[str, int | None]] = field(default_factory=lambda: Pacer(0))
    to_table: LineBuffer = field(default_factory=LineBuffer)
    arrived: deque[bytes] = field(default_factory=deque)
    """Segments that the program has not read yet."""
    busy_until_ms: int = 0
    cut: bool = False
    """Whether one of the two ends is closed."""


class SimulatedTable(TableRig):
    """A table and its four programs.

    `died` says, by seat, how a program ended that did not end as it should; `reads` keeps, by connection, the bytes
    that each read of its program returned.
    """

    def __init__(self, settings: TableSettings, players: Sequence[DialectPlayer]) -> None:
        super().__init__(settings)
        self.players = players
        self.died: dict[Seat, str] = {}
        self.reads: dict[int, list[bytes]] = {}
        self._ends: dict[int, _ProgramEnd] = {}
        self._events: list[tuple[int, int, Callable[[], None]]] = []
        self._event_count = 0

    @property
    def waiting(self) -> set[Seat | None]:
        """The seats asked for by programs that have not finished: after `play`, they wait for ever."""
        return {end.player.wished_seat for end in self._ends.values() if not end.player.left}

    def play(self, for_ms: int = 100_000_000) -> None:
        """Connect all programs, and let them play until nothing is left to happen, or the time is up."""
        end_ms = self.now_ms + for_ms
        for player in self.players:
            end = _ProgramEnd(self.connect(), player)
            self._ends[end.peer.number] = end
            self.reads[end.peer.number] = []
            self._write_segments(end, player.connect(self.now_ms))
        while (at_ms := self._next_ms()) is not None and at_ms <= end_ms:
            if self._events and self._events[0][0] == at_ms:
                self.now_ms = at_ms
                heapq.heappop(self._events)[2]()
            else:
                self.wait(at_ms - self.now_ms)

    def _next_ms(self) -> int | None:
        moments = [max(self.now_ms, at_ms) for at_ms in self.timers.values()]
        if self._events:
            moments.append(self._events[0][0])
        return min(moments, default=None)

    def _at(self, at_ms: int, act: Callable[[], None]) -> None:
        self._event_count += 1
        heapq.heappush(self._events, (at_ms, self._event_count, act))

    # From the table to a program

    def admit(self, peer: Peer, gap_ms: int, charset: Charset) -> None:  # see Link
        self._ends[peer.number].pacer.gap_ms = gap_ms

    def note_record(self, record: TableRecord, now_ms: int) -> None:
        super().note_record(record, now_ms)
        if isinstance(record, SeatTaken):
            self.seats[record.seat] = self.peers[record.connection]

    def send(self, peer: Peer, line: str, clock: int | None, now_ms: int) -> bool:  # see Link
        end = self._ends[peer.number]
        end.pacer.put((line, clock))
        self._pump(end)
        return False

    def is_written(self, peer: Peer) -> bool:
        return self._ends[peer.number].pacer.is_empty

    def drop(self, peer: Peer) -> None:
        end = self._ends[peer.number]
        end.cut = True
        self._at(self.now_ms + LATENCY_MS, lambda: self._lose(end))
        super().drop(peer)

    def _pump(self, end: _ProgramEnd) -> None:
        while (waiting := end.pacer.take(self.now_ms)) is not None:
            line, clock = waiting
            self.driver.note_written(end.peer, line, clock, self.now_ms)
            segment = line.encode("ascii") + b"\r\n"
            self._at(self.now_ms + LATENCY_MS, lambda segment=segment: self._arrive(end, segment))  # type: ignore[misc]
        if end.pacer.due_at_ms is not None:
            self._at(end.pacer.due_at_ms, lambda: self._pump(end))
        elif end.peer.closed:
            self.carry_out([])

    def _arrive(self, end: _ProgramEnd, segment: bytes) -> None:
        end.arrived.append(segment)
        self._at(max(self.now_ms, end.busy_until_ms), lambda: self._read(end))

    def _read(self, end: _ProgramEnd) -> None:
        if not end.arrived or self.now_ms < end.busy_until_ms or end.player.left:
            return
        data = b"".join(end.arrived)
        end.arrived.clear()
        self.reads[end.peer.number].append(data)
        try:
            segments = end.player.receive(data, self.now_ms)
        except DialectError as error:
            self._die(end, str(error))
            return
        self._write_segments(end, segments)

    def _lose(self, end: _ProgramEnd) -> None:
        """Close the table's end; the program notices once it has read all that came before."""
        if end.arrived:
            self._at(max(self.now_ms, end.busy_until_ms), lambda: self._lose(end))
            return
        try:
            end.player.lose_connection()
        except DialectError as error:
            self._die(end, str(error))

    def _die(self, end: _ProgramEnd, why: str) -> None:
        seat = self.core.state.seat_of(end.peer.number) or end.player.wished_seat
        assert seat is not None, why
        self.died.setdefault(seat, why)
        end.player.left = True
        self._hang_up(end)

    # From a program to the table

    def _write_segments(self, end: _ProgramEnd, segments: list[Segment]) -> None:
        at_ms = self.now_ms
        for segment in segments:
            at_ms += segment.after_ms
            self._at(at_ms + LATENCY_MS, lambda data=segment.data: self._reach_table(end, data))  # type: ignore[misc]
        end.busy_until_ms = at_ms + end.player.read_ms
        if end.player.left:
            self._at(end.busy_until_ms, lambda: self._hang_up(end))
        elif end.arrived:
            self._at(end.busy_until_ms, lambda: self._read(end))

    def _reach_table(self, end: _ProgramEnd, data: bytes) -> None:
        end.pacer.note_received()
        for line in end.to_table.feed(data):
            end.peer.line_began_ms = self.now_ms
            self.carry_out(self.core.receive_line(end.peer.number, line, self.now_ms, end.peer.line_began_ms))
        self._pump(end)

    def _hang_up(self, end: _ProgramEnd) -> None:
        if not end.cut:
            end.cut = True
            self.hang_up(end.peer)


def seat_four(
    kinds: Mapping[Side, type[DialectPlayer]], settings: TableSettings, strategies: Mapping[Seat, Strategy]
) -> SimulatedTable:
    """Make a table with two programs of one kind on each side."""
    players = [kinds[seat.side](seat, settings.team(seat.side), strategies[seat]) for seat in SEATS]
    return SimulatedTable(settings, players)
