"""Logging on: who gets which seat, who is told of the teams, who has joined (BC-05 to BC-10, BC-52)."""

from collections.abc import Mapping
from typing import Final

from tourney.bridge import SEATS, Seat, Side
from tourney.protocol.bluechip import texts
from tourney.protocol.bluechip.desk import Desk, Guest
from tourney.protocol.bluechip.messages import Connecting
from tourney.protocol.bluechip.profile import DEFAULT, WireProfile
from tourney.protocol.records import SeatTaken

VERSIONS: Final = (18, 19)
"""19 says only that the player wants texts (BC-08)."""

ANY_SEAT_ORDER: Final = (Seat.SOUTH, Seat.WEST, Seat.NORTH, Seat.EAST)
"""In which order `ANYPL` is seated (BC-52)."""

_QUOTE_MAX: Final = 64
"""Characters of a log-on that a refusal quotes: no team name is longer (BC-10)."""


class Reception:
    """Seats the programs of the two teams of one table."""

    def __init__(self, desk: Desk, teams: Mapping[Side, str], profiles: Mapping[Side, WireProfile]) -> None:
        self._desk = desk
        self._teams = teams
        self._profiles = profiles

    def take(self, guest: Guest, message: Connecting, now_ms: int) -> str | None:
        """Give a program the seat it asks for; why not when it gets none."""
        seat = self._seat_for(guest, message)
        if isinstance(seat, str):
            return seat
        guest.seat, guest.team, guest.since_ms = seat, message.team, now_ms
        guest.profile = self._profiles.get(seat.side, DEFAULT)
        infos = guest.profile.infos
        guest.wants_infos = infos if infos is not None else message.version == 19
        self._desk.seated[seat] = guest
        self._desk.record(
            SeatTaken(guest.connection, seat, message.team, message.version, message.system, guest.peer, now_ms)
        )
        self._desk.send(seat, texts.format_seated(seat, message.team, guest.profile.seated))
        return None

    def tell_teams(self, now_ms: int) -> None:
        """Tell each program that has asked, once, when all four sit and have asked or been told (BC-07).

        A side is told its own name as it was sent: some programs leave when they find it in other casing.
        """
        guests = self._desk.seated
        if len(guests) < len(SEATS) or not all(guest.asked_teams for guest in guests.values()):
            return
        for seat in SEATS:
            guest = guests[seat]
            if not guest.told_teams:
                guest.told_teams, guest.since_ms = True, now_ms
                names = dict(self._teams) | {seat.side: guest.team}
                line = texts.format_teams(names[Side.NS], names[Side.EW], guest.profile.teams_line)
                self._desk.send(seat, line)

    def _seat_for(self, guest: Guest, message: Connecting) -> Seat | str:
        """The seat a log-on gets, or why it gets none (BC-08, BC-52)."""
        if message.version not in VERSIONS:
            return f"protocol version {message.version} is not spoken here, only 18 and 19"
        seat, team_word = message.seat, message.team[:_QUOTE_MAX]
        if seat is None and message.any_seat:
            seat = self._any_seat(message.team, guest.port_seat)
            if seat is None:
                return f"no seat of {team_word!r} is free"
        if seat is None:
            named = repr(message.seat_word[:_QUOTE_MAX]) if message.seat_word else "none"
            return f"a seat is North, East, South or West, got {named}"
        if guest.port_seat is not None and seat is not guest.port_seat:
            return f"this port is {guest.port_seat.title}'s, not {seat.title}'s"
        team, other = self._teams[seat.side], self._teams[seat.side.other]
        if not same_name(message.team, team):
            if same_name(message.team, other):
                return f"{other!r} sits {seat.side.other.value} here, {seat.title} is a seat of {team!r}"
            return f"{team_word!r} does not play here, {seat.title} is a seat of {team!r}"
        taken = self._desk.seated.get(seat)
        return f"{seat.title} is taken by {taken.team!r}" if taken is not None else seat

    def _any_seat(self, team: str, port_seat: Seat | None) -> Seat | None:
        for seat in ANY_SEAT_ORDER:
            right_team = same_name(team, self._teams[seat.side])
            if right_team and seat not in self._desk.seated and port_seat in (None, seat):
                return seat
        return None


def same_name(one: str, other: str) -> bool:
    """Whether two team names are the same: blanks and case aside (BC-10)."""
    return " ".join(one.split()).casefold() == " ".join(other.split()).casefold()
