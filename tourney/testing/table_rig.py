"""A table without a socket: a `TableCore` whose effects are carried out in memory, with a clock that a test moves."""

from collections.abc import Sequence
from typing import TypeVar

from tourney.bridge import SEATS, Seat
from tourney.protocol.bluechip.server import BlueChipWire
from tourney.protocol.lines import Overlong
from tourney.protocol.session.effects import LogRemark
from tourney.protocol.session.memory_table import MemoryLink, MemoryTable
from tourney.protocol.session.table import TableSettings
from tourney.protocol.session.wire import Wire

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
