"""A table without a socket: a `TableCore` whose effects are carried out in memory, with a clock that a test moves."""

from collections.abc import Callable, Sequence
from random import Random
from typing import Final, TypeVar

from tourney.bots.strategy import Strategy, answer
from tourney.bridge import SEATS, Seat
from tourney.protocol.bluechip.player import PlayerCore
from tourney.protocol.bluechip.server import BlueChipWire
from tourney.protocol.lines import Charset, Overlong
from tourney.protocol.player import PlayerEffect, SendLine
from tourney.protocol.session.effects import LogRemark
from tourney.protocol.session.memory_table import MemoryLink, MemoryTable
from tourney.protocol.session.table import TableSettings
from tourney.protocol.session.wire import Wire

LINES_MAX: Final = 200_000
"""How many lines `play_out` passes on before it gives up."""

RecordType = TypeVar("RecordType")


class Peer(MemoryLink):
    """One connection as a test sees it: the lines sent to it, and whether the table has closed it."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.lines: list[str] = []

    def take(self) -> list[str]:
        """Return the lines that have arrived since the last call."""
        lines, self.lines = self.lines, []
        return lines

    def send(self, line: str, clock: int | None, now_ms: int) -> bool:  # noqa: ARG002 # see Link
        self.lines.append(line)
        return True

    def admit(self, gap_ms: int, charset: Charset) -> None:
        """Nothing is between the table and a player here, so there are no gaps and no letters to respect."""


class TableRig(MemoryTable[Peer]):
    """Drives one table core with lines."""

    def __init__(self, settings: TableSettings, standstills: Sequence[tuple[int, int]] = ()) -> None:
        super().__init__(settings, BlueChipWire, standstills)
        self.peers: dict[int, Peer] = {}
        self.seats: dict[Seat, Peer] = {}
        self.notes: list[str] = []
        """What the table has noted about the players."""

    # Connections and lines

    def new_peer(self, number: int) -> Peer:
        """Return the test's end of a connection."""
        return Peer(number)

    def connect(
        self,
        port_seat: Seat | None = None,
        *,
        address: str = "test",
        is_ours: bool = False,
        wire: Wire | None = None,
    ) -> Peer:
        """Open a connection; `address` is like `10.0.0.7:40000`, if it matters. It speaks Blue Chip, or `wire`."""
        peer = self.new_peer(len(self.peers) + 1)
        self.peers[peer.number] = peer
        peer.peer, peer.port_seat, peer.is_ours, peer.wire = address, port_seat, is_ours, wire
        self.carry_out(self.driver.open(peer))
        return peer

    def send_line(self, who: Peer | Seat, line: str | bytes | Overlong) -> list[str]:
        """Send a line to the table; return what the sender has been told since it last looked.

        With `line_own_ms` of a peer its lines say how long its program took.
        """
        peer = self.seats[who] if isinstance(who, Seat) else who
        peer.line_began_ms = self.now_ms
        data = line.encode() if isinstance(line, str) else line
        began_ms, own_ms = peer.line_began_ms, peer.line_own_ms
        self.carry_out(self.core.receive_line(peer.number, data, self.now_ms, began_ms, own_ms))
        return peer.take()

    def take(self, seat: Seat) -> list[str]:
        """Return what a seat has been told since it last looked."""
        return self.seats[seat].take()

    # Common beginnings

    def seat_all(self, version: dict[Seat, int] | None = None) -> None:
        """Log on four players, in the order North, East, South, West."""
        for seat in SEATS:
            self.seats[seat] = self.connect()
            team = self.core.state.settings.team(seat.side)
            number = (version or {}).get(seat, 18)
            self.send_line(seat, f'Connecting "{team}" as {seat.title} using protocol version {number}')

    def start_board(self) -> None:
        """Take four seated players to the point where the dealer may call."""
        for what in ("for teams", "to start", "for deal", "for cards"):
            for seat in SEATS:
                self.send_line(seat, f"{seat.title} ready {what}")
        for seat in SEATS:
            self.take(seat)

    def of_kind(self, kind: type[RecordType]) -> list[RecordType]:
        """Return the records of one type, in order."""
        return [record for record in self.records if isinstance(record, kind)]

    # What the driver asks for

    def log_remark(self, remark: LogRemark) -> None:
        self.notes.append(remark.text)


RigType = TypeVar("RigType", bound=TableRig)


def play_out(
    rig: RigType,
    strategies: dict[Seat, Strategy],
    order: Random,
    *,
    before_line: Callable[[RigType, Seat], None] | None = None,
) -> dict[Seat, PlayerCore]:
    """Seat four player cores and let them play every board of the rig, without a socket.

    Lines between a player and the table keep their order; who is heard next is drawn from `order`, so that any
    interleaving can occur. `before_line` is called before each line reaches the table.
    """
    players = {seat: PlayerCore(seat, rig.core.state.settings.team(seat.side)) for seat in SEATS}
    inbox: dict[Seat, list[str]] = {seat: [] for seat in SEATS}
    outbox: dict[Seat, list[str]] = {seat: [] for seat in SEATS}
    gone: set[Seat] = set()

    def react(seat: Seat, effects: list[PlayerEffect]) -> None:
        for effect in answer(strategies[seat], players[seat], effects):
            if isinstance(effect, SendLine):
                outbox[seat].append(effect.line)
            else:
                assert effect.reason is None, effect.reason
                gone.add(seat)

    for seat in SEATS:
        rig.seats[seat] = rig.connect()
        react(seat, players[seat].start())
    for _ in range(LINES_MAX):
        for seat in SEATS:
            inbox[seat] += rig.take(seat)
        ready = [seat for seat in SEATS if (inbox[seat] or outbox[seat]) and seat not in gone]
        if not ready:
            if len(gone) == 4 or not rig.timers:
                break
            rig.wait(min(rig.timers.values()) - rig.now_ms)
            continue
        seat = order.choice(ready)
        if outbox[seat] and (not inbox[seat] or order.random() < 0.5):
            if before_line is not None:
                before_line(rig, seat)
            rig.now_ms += order.randrange(3)
            line = outbox[seat].pop(0)
            inbox[seat] += rig.send_line(seat, line)
        else:
            react(seat, players[seat].receive_line(inbox[seat].pop(0).encode()))
    assert len(gone) == 4, f"the players still at the table wait for ever: {set(SEATS) - gone}"
    return players
