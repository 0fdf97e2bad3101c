"""The programs at the table and the way to them: who sits where, and the effects collected for the shell.

Knows seats and connections; knows nothing of boards.
"""

from dataclasses import dataclass, field

from tourney.bridge import SEATS, Seat
from tourney.protocol.access import Address, parse_peer
from tourney.protocol.bluechip.profile import DEFAULT, WireProfile
from tourney.protocol.bluechip.wire import server_format
from tourney.protocol.session.effects import Close, Effect, Note, Record, Send, StartTimer
from tourney.protocol.session.records import TableRecord


@dataclass(slots=True)
class Guest:
    """One connection. `seat` is None until its program has logged on."""

    connection: int
    peer: str
    port_seat: Seat | None
    """The seat of the port it came in on, where each seat has a port of its own (BC-02)."""
    seat: Seat | None = None
    team: str = ""
    profile: WireProfile = DEFAULT
    wants_infos: bool = False
    """Texts that came without an alert are relayed to it: by its profile, else when it logged on with version 19."""
    asked_teams: bool = False
    told_teams: bool = False
    joined: bool = False
    """It has said "ready to start" and is part of the boards that begin from now."""
    since_ms: int = 0
    """When it was last told something that it must answer before it has joined."""
    bad_lines: int = 0
    closing: str = ""
    """Why it was refused or dismissed: nothing it says counts any more."""

    @property
    def address(self) -> Address | None:
        """Where its program is; None where `peer` names no address."""
        return parse_peer(self.peer)


@dataclass(slots=True)
class Desk:
    """Collects effects, and knows which connection a seat has."""

    guests: dict[int, Guest] = field(default_factory=dict)
    seated: dict[Seat, Guest] = field(default_factory=dict)
    effects: list[Effect] = field(default_factory=list)

    def take_effects(self) -> list[Effect]:
        """What has been asked for since the last call, in order."""
        effects, self.effects = self.effects, []
        return effects

    def send(self, seat: Seat, line: str, clock: int | None = None) -> None:
        """Send to whoever sits there; nothing follows a `Close`."""
        guest = self.seated.get(seat)
        if guest is not None and not guest.closing:
            self.effects.append(Send(guest.connection, line, clock))

    def send_all(self, line: str) -> None:
        for seat in SEATS:
            self.send(seat, line)

    def record(self, record: TableRecord) -> None:
        self.effects.append(Record(record))

    def start_timer(self, name: str, at_ms: int) -> None:
        self.effects.append(StartTimer(name, at_ms))

    def note(self, guest: Guest | None, text: str) -> None:
        self.effects.append(Note(guest.connection if guest is not None else None, text))

    def note_seat(self, seat: Seat, text: str) -> None:
        self.note(self.seated.get(seat), text)

    def say_error(self, guest: Guest, text: str) -> None:
        self.effects.append(Send(guest.connection, server_format.format_error(text)))

    def close(self, guest: Guest, reason: str) -> None:
        if not guest.closing:
            guest.closing = reason
            self.effects.append(Close(guest.connection, reason))
