"""One port for a whole event: who its clients are, and which seat each of them has or waits for (SS-35, SS-36).

A state machine without sockets. Hosts offer the empty seats of their tables; clients say `HELLO` and `JOIN-T`. A
client that is given a seat speaks to its table from then on, whatever host has it, until that table's session is
over or its host is gone; then it waits for the next seat of its team.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple, TypeAlias

from tourney.bridge import Seat
from tourney.errors import FormatError
from tourney.protocol.access import (
    ConnectionLimits,
    FailedLogOns,
    TeamAccess,
    parse_peer,
    peer_key,
    who_gives_way,
)
from tourney.protocol.lines import Overlong
from tourney.protocol.pass_phrases import RightPhrases, split_login
from tourney.protocol.session.logon import ANY_SEAT_ORDER, same_name
from tourney.protocol.stateful.messages import (
    EndMessage,
    Extension,
    ExtensionsMessage,
    GamesMessage,
    HelloMessage,
    JoinGameMessage,
    JoinTournamentMessage,
    NakMessage,
    PingMessage,
    PongMessage,
    StatefulMessage,
    StoppedMessage,
    TournamentsMessage,
    format_message,
    parse_player_message,
)

CLIENTS_MAX: Final = 4096
"""Connections of an event's port: four programs of 256 teams, and as many again four times over."""

CLIENTS_PER_ADDRESS_MAX: Final = 1100
"""Connections from one address: all programs of an event may run on one machine."""

BAD_LINES_MAX: Final = 20
"""Lines of a client without a seat that are refused; the last closes the connection (SS-12)."""

_OWN_WORDS: Final = ("TOURNAMENTS ", "GAMES ", "X-HELLO ")
"""What a table answers to the log-on that the gateway makes for a client, which has been told it."""

ENDINGS: Final = ("X-END ", "X-STOPPED ")
"""What a table sends when its session ends or stops; the connection of a client stays."""

Host: TypeAlias = int
"""The number of a table host's link to the gateway; 0 is the host that has the port itself."""


class SeatKey(NamedTuple):
    """An empty seat of one table host's."""

    host: Host
    table: int
    seat: Seat


@dataclass(frozen=True, slots=True)
class SeatOffer:
    """An empty seat: whose it is, in which game. Games are given out in the order of their ids."""

    team: str
    game: str


# Effects


class SendToClient(NamedTuple):
    """Write one line to a client."""

    client: int
    line: str


class CloseClient(NamedTuple):
    """Close a client's connection once everything sent to it has been written."""

    client: int
    reason: str


class AdmitClient(NamedTuple):
    """A client is known: it need not hurry any more."""

    client: int


class TakeSeat(NamedTuple):
    """Open a connection to a table for a client, and send it these lines of the client's."""

    client: int
    key: SeatKey
    peer: str
    lines: tuple[str, ...]


class SendToTable(NamedTuple):
    """Pass a client's line to its table."""

    host: Host
    client: int
    line: bytes


class LeaveTable(NamedTuple):
    """Tell a table that its client is gone."""

    host: Host
    client: int
    reason: str


GatewayEffect: TypeAlias = SendToClient | CloseClient | AdmitClient | TakeSeat | SendToTable | LeaveTable


@dataclass(slots=True)
class _Client:
    """One connection. It has a seat while `key` is not None; it waits for one while `joins`."""

    number: int
    peer: str
    address: str
    """What counts as its address; empty if it has none."""
    team: str = ""
    """The name as the event has it; empty before `HELLO`."""
    said: str = ""
    """What it said in `HELLO`, a pass phrase included."""
    extensions: frozenset[Extension] = frozenset()
    joins: bool = False
    key: SeatKey | None = None
    is_seated: bool = False
    """Whether its table has answered that it has the seat."""
    refused: set[SeatKey] = field(default_factory=set)
    """Seats that a table has refused it."""
    bad_lines: int = 0


class GatewayCore:
    """Seats the clients of one event's port."""

    def __init__(
        self, tournament: str, entrants: Callable[[], Mapping[str, TeamAccess]], limits: ConnectionLimits
    ) -> None:
        """Prepare.

        Args:
            tournament: the id of the event.
            entrants: returns the names of the teams, and what each must present; called for each `HELLO`.
            limits: for log-ons that fail.
        """
        self._tournament = tournament
        self._entrants = entrants
        self._failed = FailedLogOns(limits.failed_log_ons)
        self._right = RightPhrases()
        self._clients: dict[int, _Client] = {}
        self._offers: dict[SeatKey, SeatOffer] = {}
        self._effects: list[GatewayEffect] = []

    # Clients

    def open_client(self, number: int, peer: str) -> list[GatewayEffect]:
        """Handle a new connection."""
        key = peer_key(peer)
        client = self._clients[number] = _Client(number, peer, key)
        same = [each for each in self._clients.values() if key and each.address == key]
        if len(same) > CLIENTS_PER_ADDRESS_MAX:
            self._make_room(same, client, f"this port takes {CLIENTS_PER_ADDRESS_MAX} connections at once from {key}")
        if len(self._clients) > CLIENTS_MAX:
            self._make_room(self._clients.values(), client, f"this port takes {CLIENTS_MAX} connections at once")
        return self._take_effects()

    def make_room(self) -> list[GatewayEffect]:
        """Close the connection that has waited longest without `HELLO`: its place is needed."""
        oldest = who_gives_way((each, each.address) for each in self._clients.values() if not each.team)
        if oldest is not None:
            self._dismiss(oldest, "many connections have not said HELLO, and the oldest gives way")
        return self._take_effects()

    def _make_room(self, among: Iterable[_Client], newest: _Client, why: str) -> None:
        """Close the oldest connection that has not said `HELLO`; the new one if all others have."""
        oldest = who_gives_way((each, each.address) for each in among if not each.team and each is not newest)
        if oldest is None:
            self._dismiss(newest, why)
        else:
            self._dismiss(oldest, f"{why}, and the oldest gives way")

    def receive_line(self, number: int, line: bytes | Overlong, now_ms: int) -> list[GatewayEffect]:
        """Handle a line of a client, without its end. Never raises, whatever the bytes are."""
        client = self._clients.get(number)
        if client is None:
            return []
        if client.key is not None:
            self._pass_on(client, line)
            return self._take_effects()
        if isinstance(line, Overlong):
            self._refuse(client, f"a line has at most {line.limit} bytes, this one is longer")
            return self._take_effects()
        try:
            self._receive(client, parse_player_message(line), now_ms)
        except FormatError as error:
            self._refuse(client, str(error))
        return self._take_effects()

    def dismiss(self, number: int, reason: str) -> list[GatewayEffect]:
        """Close a connection that exceeds one of the shell's limits, and tell its program why."""
        client = self._clients.get(number)
        if client is not None:
            self._dismiss(client, reason)
        return self._take_effects()

    def close_client(self, number: int, reason: str) -> list[GatewayEffect]:
        """Handle the end of a client's connection."""
        client = self._clients.pop(number, None)
        if client is not None and client.key is not None:
            self._effects.append(LeaveTable(client.key.host, number, reason))
        return self._take_effects()

    def end(self, reason: str) -> list[GatewayEffect]:
        """Tell every client that nothing more is to come, and close its connection."""
        for client in list(self._clients.values()):
            if Extension.END in client.extensions:
                self._send(client, EndMessage(reason))
            self._effects.append(CloseClient(client.number, reason))
        return self._take_effects()

    def interrupt(self, reason: str) -> list[GatewayEffect]:
        """Tell every client that play stops and goes on later, and close its connection as when a process dies."""
        for client in list(self._clients.values()):
            if Extension.STOPPED in client.extensions:
                self._send(client, StoppedMessage(reason))
            self._effects.append(CloseClient(client.number, reason))
        return self._take_effects()

    # Seats

    def offer_seat(self, key: SeatKey, offer: SeatOffer) -> list[GatewayEffect]:
        """Note an empty seat, and give it to the client that has waited for it longest."""
        self._offers[key] = offer
        for client in self._clients.values():
            if client.joins and client.key is None and self._fits(client, key, offer):
                self._seat(client, key)
                break
        return self._take_effects()

    def withdraw_seat(self, key: SeatKey) -> list[GatewayEffect]:
        """Note that a seat is empty no more, or that its table has ended."""
        self._offers.pop(key, None)
        return []

    def lose_host(self, host: Host) -> list[GatewayEffect]:
        """Note that a table host is gone: its clients wait for seats again."""
        self._offers = {key: offer for key, offer in self._offers.items() if key.host != host}
        for client in list(self._clients.values()):
            if client.key is not None and client.key.host == host:
                self._free(client)
        return self._take_effects()

    def receive_table_line(self, host: Host, number: int, line: str) -> list[GatewayEffect]:
        """Pass a line of a table to its client."""
        client = self._client_of(host, number)
        if client is None or line.startswith(ENDINGS):
            return []  # the connection is not closed when a table's session ends
        if not client.is_seated:
            if line.startswith("JOINED "):
                client.is_seated = True
                client.refused.clear()
            elif line.startswith(_OWN_WORDS):
                return []
        self._effects.append(SendToClient(number, line))
        return self._take_effects()

    def leave_table(self, host: Host, number: int, reason: str, *, is_over: bool) -> list[GatewayEffect]:
        """Handle that a table has closed its end of a client's connection.

        Args:
            host: the host that has the table.
            number: the client.
            reason: why.
            is_over: whether the table's session is over, or its seat was not to be had, so that the client waits for
                another; otherwise the client was sent away.
        """
        client = self._client_of(host, number)
        if client is None or client.key is None:
            return []
        if not client.is_seated:
            client.refused.add(client.key)
            self._free(client)
        elif is_over:
            self._free(client)
        else:
            client.key = None
            self._end_connection(client, reason)
        return self._take_effects()

    # What clients say

    def _receive(self, client: _Client, message: StatefulMessage, now_ms: int) -> None:
        match message:
            case HelloMessage():
                self._log_on(client, message.name, now_ms)
            case ExtensionsMessage():
                client.extensions = message.extensions
                if client.team:
                    self._send(client, ExtensionsMessage(frozenset(Extension)))
            case _ if not client.team:
                raise FormatError("HELLO and a name come first")
            case JoinTournamentMessage():
                self._join_tournament(client, message)
            case JoinGameMessage():
                self._join_game(client, message)
            case PingMessage():
                self._send(client, PongMessage(message.token))
            case PongMessage():
                pass
            case _:
                raise FormatError(f"{client.team} has no seat yet: JOIN-T {self._tournament} asks for one")

    def _log_on(self, client: _Client, said: str, now_ms: int) -> None:
        key = client.address
        entrants = self._entrants()
        name, phrase = split_login(said, entrants)
        team = next((each for each in entrants if same_name(each, name)), None)
        if team is None or not self._may_enter(entrants[team], phrase, client.peer):
            too_many = self._failed.refuse(key, now_ms) if key else None
            with_phrase = " with that pass phrase" if phrase is not None else " without a pass phrase"
            what = with_phrase if any(access.phrase for access in entrants.values()) else ""
            where = " from that address" if any(access.allow for access in entrants.values()) else ""
            self._dismiss(client, too_many or f"{name[:_QUOTE_MAX]!r}{what}{where} does not play here")
            return
        if key:
            self._failed.note_success(key)
        if client.team and client.team != team:
            raise FormatError(f"this connection is {client.team}'s already")
        if not client.team:
            self._effects.append(AdmitClient(client.number))
            if client.extensions:
                self._send(client, ExtensionsMessage(frozenset(Extension)))
        client.team, client.said = team, said
        self._send(client, TournamentsMessage((self._tournament,)))
        self._send(client, GamesMessage())

    def _may_enter(self, access: TeamAccess, phrase: str | None, peer: str) -> bool:
        if not access.admits(parse_peer(peer)):
            return False
        if access.phrase is None or phrase is None:
            return access.phrase is None and phrase is None
        return self._right.fits(access.phrase, phrase)

    def _join_tournament(self, client: _Client, message: JoinTournamentMessage) -> None:
        if message.tournament not in (None, self._tournament):
            raise FormatError(f"there is no tournament {message.tournament} here, only {self._tournament}")
        if message.partner is not None and not same_name(message.partner, client.team):
            raise FormatError(f"your partner is of your own team, {client.team}")
        client.joins = True
        if not self._try_seats(client) and any(
            each.key is not None and each.team == client.team for each in self._clients.values()
        ):
            self._send(client, NakMessage(f"no seat of {client.team} is free now: the next that is free is yours"))

    def _join_game(self, client: _Client, message: JoinGameMessage) -> None:
        if message.game is None:
            raise FormatError(f"no games are made here: JOIN-T {self._tournament} asks for a seat")
        wish = [
            key
            for key, offer in self._offers.items()
            if offer.game == message.game and message.position in (None, key.seat) and self._fits(client, key, offer)
        ]
        if not wish:
            seat = f"seat {message.position.letter} of" if message.position is not None else "seat in"
            raise FormatError(
                f"no {seat} game {message.game} is free for {client.team}: JOIN-T {self._tournament} asks for any"
            )
        client.joins = True
        self._seat(client, min(wish, key=self._order))

    # Seating

    def _try_seats(self, client: _Client) -> bool:
        fitting = [key for key, offer in self._offers.items() if self._fits(client, key, offer)]
        if fitting:
            self._seat(client, min(fitting, key=self._order))
        return bool(fitting)

    @staticmethod
    def _fits(client: _Client, key: SeatKey, offer: SeatOffer) -> bool:
        return offer.team == client.team and key not in client.refused

    def _order(self, key: SeatKey) -> tuple[str, int]:
        return self._offers[key].game, ANY_SEAT_ORDER.index(key.seat)

    def _seat(self, client: _Client, key: SeatKey) -> None:
        del self._offers[key]
        client.key, client.is_seated = key, False
        asked = [ExtensionsMessage(client.extensions)] if client.extensions else []
        said = (*asked, HelloMessage(client.said), JoinTournamentMessage())
        self._effects.append(TakeSeat(client.number, key, client.peer, tuple(map(format_message, said))))

    def _free(self, client: _Client) -> None:
        """Let a client wait for another seat."""
        client.key, client.is_seated = None, False
        self._try_seats(client)

    def _pass_on(self, client: _Client, line: bytes | Overlong) -> None:
        assert client.key is not None
        data = line if isinstance(line, bytes) else b"?" * (line.limit + 1)
        if data[:7].upper() == b"X-HELLO":
            try:
                message = parse_player_message(data)
            except FormatError:
                pass  # its table says why
            else:
                if isinstance(message, ExtensionsMessage):
                    client.extensions = message.extensions
        self._effects.append(SendToTable(client.key.host, client.number, data))

    # Basics

    def _client_of(self, host: Host, number: int) -> _Client | None:
        client = self._clients.get(number)
        return client if client is not None and client.key is not None and client.key.host == host else None

    def _refuse(self, client: _Client, why: str) -> None:
        self._send(client, NakMessage(why))
        client.bad_lines += 1
        if client.bad_lines >= BAD_LINES_MAX:
            self._dismiss(client, f"{client.bad_lines} lines were refused, the limit is {BAD_LINES_MAX}")

    def _dismiss(self, client: _Client, reason: str) -> None:
        self._send(client, NakMessage(reason))
        self._end_connection(client, reason)

    def _end_connection(self, client: _Client, reason: str) -> None:
        if Extension.END in client.extensions:
            self._send(client, EndMessage(reason))
        self._effects.append(CloseClient(client.number, reason))
        self._clients.pop(client.number, None)
        if client.key is not None:
            self._effects.append(LeaveTable(client.key.host, client.number, reason))

    def _send(self, client: _Client, message: StatefulMessage) -> None:
        self._effects.append(SendToClient(client.number, format_message(message)))

    def _take_effects(self) -> list[GatewayEffect]:
        effects, self._effects = self._effects, []
        return effects


_QUOTE_MAX: Final = 64
