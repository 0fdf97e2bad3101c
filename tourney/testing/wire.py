"""A simulated wire: four scripted programs and a table core, joined by streams of bytes under a fake clock.

What travels is what a socket would carry: a line of the table is one segment, written when the pacing of the
player's profile lets it; a program reads what has arrived, as one, when it is done with what it read before. So two
lines that come too close together reach it in one read.
"""

import heapq
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from tests.support.dialects.base import DialectError, DialectPlayer, Segment
from tourney.bots.strategy import Strategy
from tourney.bridge import SEATS, Seat, Side
from tourney.protocol.lines import LineBuffer
from tourney.protocol.pacing import Pacer
from tourney.protocol.session.effects import Effect, Record, Send
from tourney.protocol.session.records import SeatTaken
from tourney.protocol.session.table import TableSettings
from tourney.testing.table_rig import Peer, TableRig

LATENCY_MS: Final = 1
"""From one end of the wire to the other."""


@dataclass
class _Wire:
    """One program and its connection, both directions."""

    peer: Peer
    player: DialectPlayer
    pacer: Pacer[Send] = field(default_factory=lambda: Pacer(0))
    to_table: LineBuffer = field(default_factory=LineBuffer)
    arrived: deque[bytes] = field(default_factory=deque)
    """Segments that the program has not read."""
    busy_until_ms: int = 0
    cut: bool = False
    """One of the two ends is closed."""


class SimulatedTable(TableRig):
    """A table and its four programs.

    `died` says how a program ended that did not end as it should; `reads` keeps, for each seat, what every read of
    its program brought.
    """

    def __init__(self, settings: TableSettings, players: Sequence[DialectPlayer]) -> None:
        super().__init__(settings)
        self.players = players
        self.died: dict[Seat, str] = {}
        self.reads: dict[int, list[bytes]] = {}
        self._wires: dict[int, _Wire] = {}
        self._events: list[tuple[int, int, Callable[[], None]]] = []
        self._event_count = 0

    @property
    def waiting(self) -> set[Seat | None]:
        """The wished seats of those whose program has not come to its end: after `play`, they wait for ever."""
        return {wire.player.wished_seat for wire in self._wires.values() if not wire.player.left}

    def play(self, for_ms: int = 100_000_000) -> None:
        """Connect all, and let them play until nothing is on its way any more, or the time is over."""
        end_ms = self.now_ms + for_ms
        for player in self.players:
            wire = _Wire(self.connect(), player)
            self._wires[wire.peer.connection] = wire
            self.reads[wire.peer.connection] = []
            self._write_segments(wire, player.connect(self.now_ms))
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

    def _carry_out(self, effects: list[Effect]) -> None:
        for effect in effects:
            if isinstance(effect, Record) and isinstance(effect.record, SeatTaken):
                taken = effect.record
                self._wires[taken.connection].pacer.set_gap(self.core.line_gap_ms(taken.connection))
                self.seats[taken.seat] = self.peers[taken.connection]
        super()._carry_out(effects)

    def _send(self, send: Send) -> None:
        wire = self._wires[send.connection]
        wire.pacer.put(send)
        self._pump(wire)

    def _all_written(self, peer: Peer) -> bool:
        return self._wires[peer.connection].pacer.is_empty

    def _drop(self, peer: Peer) -> None:
        wire = self._wires[peer.connection]
        wire.cut = True
        self._at(self.now_ms + LATENCY_MS, lambda: self._lose(wire))
        super()._drop(peer)

    def _pump(self, wire: _Wire) -> None:
        while (send := wire.pacer.take(self.now_ms)) is not None:
            if send.clock is not None:
                self.core.note_sent(send.clock, self.now_ms)
            segment = send.line.encode("ascii") + b"\r\n"
            self._at(self.now_ms + LATENCY_MS, lambda segment=segment: self._arrive(wire, segment))  # type: ignore[misc]
        if wire.pacer.due_at_ms is not None:
            self._at(wire.pacer.due_at_ms, lambda: self._pump(wire))
        elif wire.peer.closed:
            self._carry_out([])

    def _arrive(self, wire: _Wire, segment: bytes) -> None:
        wire.arrived.append(segment)
        self._at(max(self.now_ms, wire.busy_until_ms), lambda: self._read(wire))

    def _read(self, wire: _Wire) -> None:
        if not wire.arrived or self.now_ms < wire.busy_until_ms or wire.player.left:
            return
        data = b"".join(wire.arrived)
        wire.arrived.clear()
        self.reads[wire.peer.connection].append(data)
        try:
            segments = wire.player.receive(data, self.now_ms)
        except DialectError as error:
            self._die(wire, str(error))
            return
        self._write_segments(wire, segments)

    def _lose(self, wire: _Wire) -> None:
        """The table's end is closed; the program notices when it has read all that came before."""
        if wire.arrived:
            self._at(max(self.now_ms, wire.busy_until_ms), lambda: self._lose(wire))
            return
        try:
            wire.player.lose_connection()
        except DialectError as error:
            self._die(wire, str(error))

    def _die(self, wire: _Wire, why: str) -> None:
        seat = self.core.seat_of(wire.peer.connection) or wire.player.wished_seat
        assert seat is not None, why
        self.died.setdefault(seat, why)
        wire.player.left = True
        self._hang_up(wire)

    # From a program to the table

    def _write_segments(self, wire: _Wire, segments: list[Segment]) -> None:
        at_ms = self.now_ms
        for segment in segments:
            at_ms += segment.after_ms
            self._at(at_ms + LATENCY_MS, lambda data=segment.data: self._reach_table(wire, data))  # type: ignore[misc]
        wire.busy_until_ms = at_ms + wire.player.read_ms
        if wire.player.left:
            self._at(wire.busy_until_ms, lambda: self._hang_up(wire))
        elif wire.arrived:
            self._at(wire.busy_until_ms, lambda: self._read(wire))

    def _reach_table(self, wire: _Wire, data: bytes) -> None:
        wire.pacer.note_received()
        for line in wire.to_table.feed(data):
            self._carry_out(self.core.receive_line(wire.peer.connection, line, self.now_ms))
        self._pump(wire)

    def _hang_up(self, wire: _Wire) -> None:
        if not wire.cut:
            wire.cut = True
            self.hang_up(wire.peer)


def seat_four(
    kinds: Mapping[Side, type[DialectPlayer]], settings: TableSettings, strategies: Mapping[Seat, Strategy]
) -> SimulatedTable:
    """A table with two programs of a kind on each side."""
    players = [kinds[seat.side](seat, settings.team(seat.side), strategies[seat]) for seat in SEATS]
    return SimulatedTable(settings, players)
