"""Logging on: which connections are admitted, who gets which seat, who is sent the teams (BC-05 to BC-10, BC-52)."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from tourney.bridge import Seat, Side
from tourney.protocol.access import UNAUTHENTICATED_MAX, PhraseChecker, split_login
from tourney.protocol.session.connection import PlayerConnection
from tourney.protocol.session.effects import Probe
from tourney.protocol.session.intents import LogOnIntent
from tourney.protocol.session.notices import Newcomer, SeatGiven, TeamsNamed
from tourney.protocol.session.state import SessionState

ANY_SEAT_ORDER: Final = (Seat.SOUTH, Seat.WEST, Seat.NORTH, Seat.EAST)
"""The order in which programs that ask for any seat are seated (BC-52)."""

_QUOTE_MAX: Final = 64
"""Characters of a log-on quoted in a refusal; no team name is longer (BC-10)."""


class Logon:
    """Seats the programs of the two teams of one table."""

    def __init__(self, table: SessionState, phrases: PhraseChecker | None = None) -> None:
        settings = table.settings
        self._table = table
        self._teams = {side: settings.team(side) for side in Side}
        self._access = settings.access
        self._phrases = phrases or PhraseChecker()

    def admit(self, connection: PlayerConnection) -> None:
        """Let a new connection stay, unless no program could sit over it; others may give way to it."""
        why_not = self._why_not_admitted(connection)
        if why_not is not None:
            connection.disconnect(why_not)
            return
        unauthenticated = self._unauthenticated(are_ours=connection.is_ours)
        left = len(unauthenticated)
        key, most = connection.address_key, self._access.limits.connections_per_address
        if key and not connection.is_ours:
            same = [each for each in self._table.connections.values() if each.address_key == key and not each.closing]
            waiting = [each for each in unauthenticated if each.address_key == key]
            if len(same) > most and waiting[0] is not connection:
                self._evict(waiting[0], f"this table takes {most} connections at once from {key}")
                left -= 1
        if left > UNAUTHENTICATED_MAX:
            others = [each for each in unauthenticated if each is not connection]
            self._evict_one(others, f"this table takes {UNAUTHENTICATED_MAX} connections that have not logged on")

    def make_room(self, *, are_ours: bool) -> None:
        """Have the connection give way that has waited longest without logging on; none if all have."""
        self._evict_one(self._unauthenticated(are_ours=are_ours), "many connections have not logged on")

    def _evict_one(self, unauthenticated: Sequence[PlayerConnection], reason: str) -> None:
        """Have the oldest connection of the address that has most give way, as in a `ConnectionBudget`."""
        counts = Counter(each.address_key for each in unauthenticated)
        oldest = max(unauthenticated, key=lambda each: counts[each.address_key], default=None)
        if oldest is not None:
            self._evict(oldest, reason)

    def _evict(self, connection: PlayerConnection, reason: str) -> None:
        self._table.evictions += 1
        connection.disconnect(f"{reason}, and the oldest gives way")

    def _why_not_admitted(self, connection: PlayerConnection) -> str | None:
        """Return why a new connection cannot stay, whatever its program would send; None if it can.

        The seats that are empty have their places: nobody is kept out by connections that have not logged on.
        """
        address = connection.address
        if self._table.is_over:
            return "the session is over"
        if address is None or connection.is_ours:
            return None
        if not any(self._access.of_seat(seat).admits(address) for seat in Seat):
            return f"no team of this table plays from {address}"
        key, most = connection.address_key, self._access.limits.connections_per_address
        seated = sum(
            other.seat is not None and other.address_key == key for other in self._table.connections.values()
        )
        return f"this table takes {most} connections at once from {key}" if seated >= most else None

    def _unauthenticated(self, *, are_ours: bool) -> list[PlayerConnection]:
        """Return the connections that have not logged on, the oldest first."""
        return [
            each
            for each in self._table.connections.values()
            if each.seat is None and not each.closing and each.is_ours is are_ours
        ]

    def log_on(self, connection: PlayerConnection, intent: LogOnIntent) -> str | None:
        """Give a program the seat it asks for; return why not if it gets none.

        Raises:
            PhrasePending: its passphrase has to be hashed first.
        """
        if self._table.settings.seats_players:
            login = _Login(intent.team, None)
        else:
            login = _Login(*split_login(intent.team, self._teams.values()))
        seat = self._seat_for(connection, intent, login)
        if seat is None:
            return self._why_unknown(intent, login)
        if isinstance(seat, str):
            return seat
        connection.team = login.name
        connection.version, connection.system = intent.version, intent.system
        self._table.take_seat(connection, seat)
        profile, connection.since_ms = self._table.settings.profiles.get(seat.side), self._table.now_ms
        connection.notify(SeatGiven(seat, login.name, profile, intent.version))
        if self._table.settings.seats_players:
            for other in self._table.seats:
                if other.connection is not None and other.seat is not seat:
                    other.connection.notify(Newcomer(seat, login.name))
        return None

    def may_reconnect(self, connection: PlayerConnection, seat: Seat) -> bool:
        """Return whether a connection may retake a seat without logging on: not if a passphrase is required."""
        return self._has_access(connection, None, seat) and connection.port_seat in (None, seat)

    def send_teams(self) -> None:
        """Send the teams to each program that has asked, once all four sit and have asked or been told (BC-07).

        During a board others may be gone, so every program that has asked is told.

        A side gets its own name as it sent it: some programs disconnect if the casing differs.
        """
        table = self._table
        connections = [seat.connection for seat in table.seats if seat.connection is not None]
        asking = [connection for connection in connections if connection.wants_teams]
        if len(asking) < len(table.seats) and not table.is_playing:
            return
        for connection in asking:
            assert connection.seat is not None
            if not connection.teams_shown:
                connection.teams_shown, connection.since_ms = True, self._table.now_ms
                names = self._teams | {connection.seat.side: connection.team}
                connection.notify(TeamsNamed(names))

    def _seat_for(self, connection: PlayerConnection, intent: LogOnIntent, login: "_Login") -> Seat | str | None:
        """Return the seat for a log-on, or why it gets none (BC-08, BC-52); None if it is not of a team here."""
        if intent.why_not:
            return intent.why_not
        if self._table.queue.is_minibridge and not connection.wire.plays_minibridge:
            return "Minibridge is played here, for which this protocol has no words: use the stateful-server protocol"
        seat = intent.seat
        if seat is None and intent.any_seat:
            return self._any_seat(connection, login)
        if seat is None:
            named = repr(intent.seat_word[:_QUOTE_MAX]) if intent.seat_word else "none"
            return f"a seat is North, East, South or West, got {named}"
        if connection.port_seat is not None and seat is not connection.port_seat:
            return f"this port is {connection.port_seat.title}'s, not {seat.title}'s"
        team, other = self._teams[seat.side], self._teams[seat.side.other]
        if connection.team_number is not None and connection.team_number != self._access.numbers.get(seat):
            return f"{seat.title} is a seat of {team!r}, and this connection is for another team"
        if (
            not self._table.settings.seats_players
            and not same_name(login.name, team)
            and same_name(login.name, other)
        ):
            return f"{other!r} sits {seat.side.other.value} here, {seat.title} is a seat of {team!r}"
        if not self._is_known(connection, login, seat):
            return None
        taken = self._table.seats[seat].connection
        if taken is None:
            return seat
        self._probe([seat])
        return f"{seat.title} is taken by {taken.team!r}"

    def _any_seat(self, connection: PlayerConnection, login: "_Login") -> Seat | str | None:
        seats = [seat for seat in ANY_SEAT_ORDER if self._is_known(connection, login, seat)]
        for seat in seats:
            if self._table.seats[seat].connection is None and connection.port_seat in (None, seat):
                return seat
        self._probe(seats)
        return f"no seat of {login.name!r} is free" if seats else None

    def _probe(self, seats: Iterable[Seat]) -> None:
        """Have the connections of seats probed: the program that asks for one may have lost it."""
        for seat in seats:
            connection = self._table.seats[seat].connection
            if connection is not None:
                self._table.outbox.effects.append(Probe(connection.number))

    def _is_known(self, connection: PlayerConnection, login: "_Login", seat: Seat) -> bool:
        """Return whether a log-on has the name and passphrase of a seat, and comes from an allowed address."""
        if self._table.settings.seats_players:
            return connection.port_seat is not None
        return same_name(login.name, self._teams[seat.side]) and self._has_access(connection, login.phrase, seat)

    def _has_access(self, connection: PlayerConnection, phrase: str | None, seat: Seat) -> bool:
        """Return whether a connection may have a seat, by what it has shown and where it comes from."""
        return self._access.of_seat(seat).is_met(
            phrase,
            connection.address,
            self._phrases,
            number=self._access.numbers.get(seat),
            shown_number=connection.team_number,
        )

    def _why_unknown(self, intent: LogOnIntent, login: "_Login") -> str:
        """Return the refusal of a wrong name, phrase or address: it reveals only whose seat it is."""
        who = repr(login.name[:_QUOTE_MAX])
        if login.phrase is not None:
            who += " with that pass phrase"
        elif any(access.phrase is not None for access in self._access.by_seat.values()):
            who += " without a pass phrase"
        if any(access.allow for access in self._access.by_seat.values()):
            who += " from that address"
        if intent.seat is None:
            return f"no seat of {who} is free"
        return f"{who} does not play here, {intent.seat.title} is a seat of {self._teams[intent.seat.side]!r}"


class _Login(NamedTuple):
    """The quoted part of a log-on: team name and passphrase."""

    name: str
    phrase: str | None


def same_name(one: str, other: str) -> bool:
    """Return whether two team names are the same, ignoring blanks and case (BC-10)."""
    return " ".join(one.split()).casefold() == " ".join(other.split()).casefold()
