"""A table without a socket: a `TableCore` whose effects are carried out in memory, with a clock that a test moves."""

from collections.abc import Callable
from random import Random
from typing import Final, TypeVar

from tourney.bots.strategy import Strategy, answer
from tourney.bridge import SEATS, Seat
from tourney.protocol.bluechip.player import PlayerCore
from tourney.protocol.bluechip.server import BlueChipWire
from tourney.protocol.lines import Charset, Overlong
from tourney.protocol.player import PlayerEffect, SendLine
from tourney.protocol.session.effects import Effect, LogRemark, Record
from tourney.protocol.session.memory_table import MemoryLink, MemoryTable
from tourney.protocol.session.orders import Order, Stop
from tourney.protocol.session.records import OrderActed
from tourney.protocol.session.table import TableSettings
from tourney.protocol.session.wire import Wire

LINES_MAX: Final = 200_000
"""How many lines `play_out` passes on before it gives up."""

RecordType = TypeVar("RecordType")


class Peer(MemoryLink):
    """One connection as a test sees it: the lines sent to it, and whether the table has closed it."""

    def __init__(self, rig: "TableRig", number: int) -> None:
        super().__init__(number)
        self.lines: list[str] = []
        self._rig = rig

    @property
    def connection(self) -> int:
        """Its number at the table."""
        return self.number

    def take(self) -> list[str]:
        """Return the lines that have arrived since the last call."""
        lines, self.lines = self.lines, []
        return lines

    # What the driver asks of it

    def send(self, line: str, clock: int | None, now_ms: int) -> bool:
        return self._rig.send(self, line, clock, now_ms)

    def admit(self, gap_ms: int, charset: Charset) -> None:
        self._rig.admit(self, gap_ms, charset)

    def probe(self) -> None:
        self._rig.probed.append(self.number)


class TableRig(MemoryTable[Peer]):
    """Drives one table core with lines; `log` has everything it did, in order."""

    def __init__(self, settings: TableSettings, *, hold_clocks: bool = False) -> None:
        self.standstills: list[tuple[int, int]] = []
        """When the table's machine stood still, for a test to add to."""
        super().__init__(settings, BlueChipWire, self.standstills)
        self.peers: dict[int, Peer] = {}
        self.seats: dict[Seat, Peer] = {}
        self.notes: list[str] = []
        self.log: list[Effect] = []
        self.probed: list[int] = []
        """Connections that were to be probed."""
        self.restarted: list[Seat] = []
        """Seats for which the table has asked for another program."""
        self.held_clocks: list[int] | None = [] if hold_clocks else None
        """With `hold_clocks`, the clocks of lines that wait to be written; `write_held` writes them."""
        self._held: list[tuple[Peer, str, int]] = []

    # Connections and lines

    def connect(
        self,
        port_seat: Seat | None = None,
        *,
        address: str = "test",
        is_ours: bool = False,
        wire: Wire | None = None,
    ) -> Peer:
        """Open a connection; `address` is like `10.0.0.7:40000`, if it matters. It speaks Blue Chip, or `wire`."""
        peer = Peer(self, len(self.peers) + 1)
        self.peers[peer.number] = peer
        self.carry_out(self.driver.open(peer, peer=address, port_seat=port_seat, is_ours=is_ours, wire=wire))
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

    def hang_up(self, who: Peer | Seat) -> None:
        peer = self.seats[who] if isinstance(who, Seat) else who
        self.carry_out(self.driver.close(peer, "the connection was closed", self.now_ms))

    def stop(self, reason: str) -> None:
        self.order(Stop(reason))

    def order(self, order: Order) -> str:
        """Give an order to the table; return what has come of it."""
        *effects, outcome = self.core.receive_order(order, self.now_ms, order_id=0)
        assert isinstance(outcome, Record)
        assert isinstance(outcome.record, OrderActed)
        self.carry_out(effects)
        return outcome.record.outcome

    @property
    def seated(self) -> dict[Seat, str]:
        """The seated teams: the name that each program gave, by seat."""
        return {seat.seat: seat.connection.team for seat in self.core.state.seats if seat.connection is not None}

    def take(self, seat: Seat) -> list[str]:
        """Return what a seat has been told since it last looked."""
        return self.seats[seat].take()

    # Time

    def write_held(self) -> None:
        """Write the lines whose clocks were held."""
        assert self.held_clocks is not None
        while self._held:
            peer, line, clock = self._held.pop(0)
            self.held_clocks.remove(clock)
            self.driver.note_written(peer, line, clock, self.now_ms)

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

    def call(self, seat: Seat, line: str, *, relayed: bool = True) -> None:
        """Make a call and, with `relayed`, have the other three ask for it, so that all four are up to date."""
        self.send_line(seat, f"{seat.title} {line}")
        if relayed:
            self.ask_all(seat, f"for {seat.title}'s bid")

    def ask_all(self, actor: Seat, what: str) -> None:
        """Let the three seats other than `actor` say that they are ready."""
        for seat in SEATS:
            if seat is not actor:
                self.send_line(seat, f"{seat.title} ready {what}")

    def of_kind(self, kind: type[RecordType]) -> list[RecordType]:
        """Return the records of one type, in order."""
        return [record for record in self.records if isinstance(record, kind)]

    def carry_out(self, effects: list[Effect]) -> None:
        """Carry out effects, those also that the core has returned to a test itself."""
        self.log += effects
        super().carry_out(effects)

    # What the driver asks for

    def send(self, peer: Peer, line: str, clock: int | None, now_ms: int) -> bool:  # noqa: ARG002 # for tables with wires
        """Write a line, which here reaches its reader at once; return whether it counts as written."""
        peer.lines.append(line)
        if clock is None or self.held_clocks is None:
            return True
        self.held_clocks.append(clock)
        self._held.append((peer, line, clock))
        return False

    def admit(self, peer: Peer, gap_ms: int, charset: Charset) -> None:
        """Nothing is between the table and a player here, so there are no gaps and no letters to respect."""

    def restart_program(self, seat: Seat) -> None:
        self.restarted.append(seat)

    def log_remark(self, remark: LogRemark) -> None:
        self.notes.append(remark.text)


def play_out(
    rig: TableRig,
    strategies: dict[Seat, Strategy],
    order: Random,
    *,
    before_line: Callable[[TableRig, Seat], None] | None = None,
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
