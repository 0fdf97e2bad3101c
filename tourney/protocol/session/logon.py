"""Logging on: who is let in, who gets which seat, who is told of the teams (BC-05 to BC-10, BC-52)."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from tourney.bridge import SEATS, Seat, Side
from tourney.protocol.access import FailedLogOns, TableDoors, address_key
from tourney.protocol.bluechip.profile import DEFAULT, WireProfile
from tourney.protocol.bluechip.wire import server_format
from tourney.protocol.bluechip.wire.player_lines import Connecting
from tourney.protocol.pass_phrases import split_login
from tourney.protocol.session.outbox import Desk, Guest
from tourney.protocol.session.records import SeatTaken

VERSIONS: Final = (18, 19)
"""19 says only that the player wants texts (BC-08)."""

ANY_SEAT_ORDER: Final = (Seat.SOUTH, Seat.WEST, Seat.NORTH, Seat.EAST)
"""In which order `ANYPL` is seated (BC-52)."""

GUESTS_MAX: Final = 16
"""Connections at one table, seated or not: four players, and room for those that came to the wrong table."""

_QUOTE_MAX: Final = 64
"""Characters of a log-on that a refusal quotes: no team name is longer (BC-10)."""


class Reception:
    """Seats the programs of the two teams of one table."""

    def __init__(
        self, desk: Desk, teams: Mapping[Side, str], profiles: Mapping[Side, WireProfile], doors: TableDoors
    ) -> None:
        self._desk = desk
        self._teams = teams
        self._profiles = profiles
        self._doors = doors
        self._failed = FailedLogOns(doors.limits.failed_log_ons)

    def why_not_let_in(self, guest: Guest) -> str | None:
        """Why a connection that has just come in cannot stay, whatever its program would say; None when it can."""
        guests = self._desk.guests.values()
        if len(guests) > GUESTS_MAX:
            return f"this table takes {GUESTS_MAX} connections at once"
        if guest.address is None:
            return None
        if not any(self._doors.entrance(side).admits(guest.address) for side in Side):
            return f"no team of this table plays from {guest.address}"
        key, most = address_key(guest.address), self._doors.limits.connections_per_address
        if sum(other.address is not None and address_key(other.address) == key for other in guests) > most:
            return f"this table takes {most} connections at once from {key}"
        return None

    def take(self, guest: Guest, message: Connecting, now_ms: int) -> str | None:
        """Give a program the seat it asks for; why not when it gets none."""
        key = address_key(guest.address) if guest.address is not None else None
        wait_ms = self._failed.wait_ms(key, now_ms) if key is not None else 0
        if wait_ms:
            return f"too many log-ons from {key} have failed, the next is heard in {-(-wait_ms // 1000)} s"
        login = _Login(*split_login(message.team, self._teams.values()))
        seat = self._seat_for(guest, message, login)
        if seat is None:
            if key is not None:
                self._failed.note_failure(key, now_ms)
            return self._why_unknown(message, login)
        if isinstance(seat, str):
            return seat
        if key is not None:
            self._failed.note_success(key)
        guest.seat, guest.team, guest.since_ms = seat, login.name, now_ms
        guest.profile = self._profiles.get(seat.side, DEFAULT)
        infos = guest.profile.infos
        guest.wants_infos = infos if infos is not None else message.version == 19
        self._desk.seated[seat] = guest
        self._desk.record(
            SeatTaken(guest.connection, seat, login.name, message.version, message.system, guest.peer, now_ms)
        )
        self._desk.send(seat, server_format.format_seated(seat, login.name, guest.profile.seated))
        return None

    def may_come_back(self, guest: Guest, seat: Seat) -> bool:
        """Whether a connection may take a seat that was left without logging on: not where a pass phrase is asked."""
        entrance = self._doors.entrance(seat.side)
        return entrance.phrase is None and entrance.admits(guest.address) and guest.port_seat in (None, seat)

    def tell_teams(self, now_ms: int, *, at_once: bool = False) -> None:
        """Tell each program that has asked, once, when all four sit and have asked or been told (BC-07).

        `at_once`: whoever has asked is told; a board is in hand, and others may be gone.

        A side is told its own name as it was sent: some programs leave when they find it in other casing.
        """
        guests = self._desk.seated
        everybody = len(guests) == len(SEATS) and all(guest.asked_teams for guest in guests.values())
        if not everybody and not at_once:
            return
        for seat in SEATS:
            guest = guests.get(seat)
            if guest is not None and guest.asked_teams and not guest.told_teams:
                guest.told_teams, guest.since_ms = True, now_ms
                names = dict(self._teams) | {seat.side: guest.team}
                line = server_format.format_teams(names[Side.NS], names[Side.EW], guest.profile.teams_line)
                self._desk.send(seat, line)

    def _seat_for(self, guest: Guest, message: Connecting, login: "_Login") -> Seat | str | None:
        """The seat a log-on gets, or why it gets none (BC-08, BC-52); None when it is not that of a team here."""
        if message.version not in VERSIONS:
            return f"protocol version {message.version} is not spoken here, only 18 and 19"
        seat = message.seat
        if seat is None and message.any_seat:
            return self._any_seat(guest, login)
        if seat is None:
            named = repr(message.seat_word[:_QUOTE_MAX]) if message.seat_word else "none"
            return f"a seat is North, East, South or West, got {named}"
        if guest.port_seat is not None and seat is not guest.port_seat:
            return f"this port is {guest.port_seat.title}'s, not {seat.title}'s"
        team, other = self._teams[seat.side], self._teams[seat.side.other]
        if not same_name(login.name, team) and same_name(login.name, other):
            return f"{other!r} sits {seat.side.other.value} here, {seat.title} is a seat of {team!r}"
        if not self._is_known(guest, login, seat.side):
            return None
        taken = self._desk.seated.get(seat)
        return f"{seat.title} is taken by {taken.team!r}" if taken is not None else seat

    def _any_seat(self, guest: Guest, login: "_Login") -> Seat | str | None:
        sides = [side for side in Side if self._is_known(guest, login, side)]
        for seat in ANY_SEAT_ORDER:
            if seat.side in sides and seat not in self._desk.seated and guest.port_seat in (None, seat):
                return seat
        return f"no seat of {login.name!r} is free" if sides else None

    def _is_known(self, guest: Guest, login: "_Login", side: Side) -> bool:
        """Whether a log-on says what opens the seats of a side, and comes from where its programs may come from."""
        entrance = self._doors.entrance(side)
        if not same_name(login.name, self._teams[side]) or not entrance.admits(guest.address):
            return False
        if entrance.phrase is None or login.phrase is None:
            return entrance.phrase is None and login.phrase is None
        return entrance.phrase.fits(login.phrase)

    def _why_unknown(self, message: Connecting, login: "_Login") -> str:
        """The same for a wrong name, phrase and address: it tells only what the log-on said, and who sits there."""
        who = repr(login.name[:_QUOTE_MAX])
        if login.phrase is not None:
            who += " with that pass phrase"
        elif any(entrance.phrase is not None for entrance in self._doors.entrances.values()):
            who += " without a pass phrase"
        if any(entrance.allow for entrance in self._doors.entrances.values()):
            who += " from that address"
        if message.seat is None:
            return f"no seat of {who} is free"
        return f"{who} does not play here, {message.seat.title} is a seat of {self._teams[message.seat.side]!r}"


class _Login(NamedTuple):
    """What a log-on has between its quotes."""

    name: str
    phrase: str | None


def same_name(one: str, other: str) -> bool:
    """Whether two team names are the same: blanks and case aside (BC-10)."""
    return " ".join(one.split()).casefold() == " ".join(other.split()).casefold()
