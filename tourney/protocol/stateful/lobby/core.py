"""The port of a lobby: its clients, the games and tournaments that they make, and who sits where (SS-39 to SS-46).

A state machine without sockets. A game forms here until it has four players; then its table is opened (`StartGame`),
which offers its seats, and each player speaks to the table as long as it sits there. Seats belong to names: a player
whose connection is lost has its seat for a while, and gets it back with `HELLO` and `JOIN-M`.
"""

import itertools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple, TypeAlias

from tourney.bridge import SEATS, Seat
from tourney.errors import FormatError
from tourney.protocol.access import FailedLogOns, address_key, parse_peer
from tourney.protocol.lines import Overlong
from tourney.protocol.pass_phrases import PhraseHash
from tourney.protocol.session.logon import ANY_SEAT_ORDER
from tourney.protocol.stateful.gateway import (
    AdmitClient,
    CloseClient,
    GatewayEffect,
    Host,
    LeaveTable,
    SeatKey,
    SeatOffer,
    SendToClient,
    SendToTable,
    TakeSeat,
)
from tourney.protocol.stateful.lobby.names import (
    NameRegistry,
    bot_name,
    is_bot,
    name_key,
    pair_name,
    parse_player,
    split_pair,
)
from tourney.protocol.stateful.lobby.tournaments import Roster
from tourney.protocol.stateful.messages import (
    EndMessage,
    Extension,
    ExtensionsMessage,
    GamesMessage,
    HelloMessage,
    JoinedMessage,
    JoinGameMessage,
    JoinTournamentMessage,
    LeaveMessage,
    LeftMessage,
    NakMessage,
    PingMessage,
    PongMessage,
    StartMessage,
    StatefulMessage,
    TournamentsMessage,
    format_message,
    parse_player_message,
)
from tourney.protocol.stateful.server import game_id

BAD_LINES_MAX: Final = 20
"""Lines of a client without a seat at a table that are refused; the last closes the connection (SS-12)."""

LISTED_MAX: Final = 250
"""Games or tournaments in a list at most: as many as a line of 2,048 bytes holds, with ids of seven characters."""

_LOBBY_WORDS: Final = frozenset({b"HELLO", b"JOIN-M", b"JOIN-T", b"X-LEAVE", b"X-START"})
"""What a client that sits at a table says to the lobby, not to the table."""

_OWN_WORDS: Final = ("TOURNAMENTS ", "GAMES ", "X-HELLO ")
"""What a table answers to the log-on that the lobby makes for a client, which has been told it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LobbyLimits:
    """What clients may use of a lobby."""

    games: int = 250
    """Games that are open at once, forming or in play."""
    clients: int = 4096
    """Connections at once."""
    clients_per_address: int = 64
    tournaments: int = 10
    """Tournaments at once, those that have not begun included."""
    names: int = 10_000
    """Names that are kept with a pass phrase."""
    bots: int = 0
    """Our own players in a game at most."""
    away_ms: int = 120_000
    """How long a seat is kept for a player whose connection is lost while others sit at its table."""
    idle_ms: int = 300_000
    """How long a player may owe a call or card before its seat is free for others."""
    idle_game_ms: int = 1_800_000
    """How long nobody may say anything in a game before it is broken off; likewise for a client without a seat."""
    failed_log_ons: int = 10
    """Wrong pass phrases of an address within a minute."""


# Effects, besides those of the gateway


class KeepName(NamedTuple):
    """Put on record that a name is kept with a pass phrase, by its `name_key`."""

    key: str
    phrase: PhraseHash


class StartGame(NamedTuple):
    """Put a game on record and open its table."""

    number: int
    kind: str
    players: dict[Seat, str]


class StartTournament(NamedTuple):
    """Put a tournament on record, as an event of these pairs, and play it; `finish_tournament` follows."""

    number: int
    pairs: tuple[str, ...]


class LookAtGame(NamedTuple):
    """The table of a game has closed: find out whether the game is over (`finish_game`), or goes on."""

    number: int


class BreakOff(NamedTuple):
    """End a game as it stands; `finish_game` follows."""

    number: int
    reason: str


LobbyEffect: TypeAlias = GatewayEffect | KeepName | StartGame | StartTournament | LookAtGame | BreakOff


@dataclass(slots=True, eq=False)
class _Player:
    """A person or program by its name, or one of our own players. It sits while `game` is not None."""

    name: str
    client: int = 0
    """The number of its connection; 0 while it has none, negative for our own players."""
    game: "_Game | None" = None
    seat: Seat = Seat.NORTH
    tournament: "_Tournament | None" = None
    joins: bool = False
    """Whether it has asked for its seat on this connection."""
    key: SeatKey | None = None
    """Its seat at a table, while it speaks to that."""
    is_seated: bool = False
    """Whether the table has answered that it has the seat."""
    away_since_ms: int = 0

    @property
    def is_person(self) -> bool:
        return self.client >= 0

    @property
    def is_placed(self) -> bool:
        """Whether it has a place in a game or a tournament."""
        return self.game is not None or self.tournament is not None

    @property
    def is_here(self) -> bool:
        """Whether it is a person whose connection is open and who has asked for its seat."""
        return self.client > 0 and self.joins


@dataclass(slots=True, eq=False)
class _Client:
    """One connection; `player` is None before `HELLO`."""

    number: int
    peer: str
    heard_at_ms: int
    player: _Player | None = None
    extensions: frozenset[Extension] = frozenset()
    bad_lines: int = 0


@dataclass(slots=True, eq=False)
class _Game:
    """A game. It forms until `is_played`, and nobody is seated any more once `is_ending`."""

    number: int
    kind: str
    heard_at_ms: int
    seats: dict[Seat, _Player] = field(default_factory=dict)
    offers: dict[Seat, SeatKey] = field(default_factory=dict)
    """The empty seats of its table."""
    is_played: bool = False
    is_ending: bool = False

    @property
    def id(self) -> str:
        return game_id(self.number)

    @property
    def persons(self) -> list[_Player]:
        return [player for player in self.seats.values() if player.is_person]

    @property
    def is_attended(self) -> bool:
        """Whether a person is there."""
        return any(player.is_here for player in self.persons)


@dataclass(slots=True, eq=False)
class _Tournament:
    """A tournament. Players come until it begins, and it has pairs from then on."""

    number: int
    roster: Roster = field(default_factory=Roster)
    players: list[_Player] = field(default_factory=list)
    """In the order in which they came: the first is its maker."""
    pairs: dict[str, str] = field(default_factory=dict)
    """The name of the pair of each player, by `name_key`; empty before it begins."""
    offers: dict[SeatKey, SeatOffer] = field(default_factory=dict)
    """The empty seats of its tables."""

    @property
    def id(self) -> str:
        return tournament_id(self.number)


def tournament_id(number: int) -> str:
    """Return the id of a tournament: `t3`."""
    return f"t{number}"


class LobbyCore:
    """Seats the clients of one lobby."""

    def __init__(
        self, name: str, kinds: Iterable[str], limits: LobbyLimits, *, kept: Mapping[str, PhraseHash] | None = None
    ) -> None:
        """Prepare.

        Args:
            name: that of the lobby.
            kinds: the kinds of games, the usual one first.
            limits: what clients may use.
            kept: the names that are kept, by `name_key`.
        """
        self._kinds = tuple(kinds)
        self._limits = limits
        self._names = NameRegistry(name, limits.names, kept or {})
        self._failed = FailedLogOns(limits.failed_log_ons)
        self._clients: dict[int, _Client] = {}
        self._players: dict[str, _Player] = {}
        """Persons by `name_key`: those who are connected, and those who have a seat."""
        self._bots: dict[int, _Player] = {}
        """Our own players by the number that stands for their connection."""
        self._bot_numbers = itertools.count(-1, -1)
        self._games: dict[int, _Game] = {}
        self._tournaments: dict[int, _Tournament] = {}
        self._begun: set[int] = set()
        """The numbers of all tournaments that have begun, those that are over as well."""
        self._used: set[int] = set()
        """The numbers of all games, those that are over as well."""
        self._lowest = 1
        self._open: tuple[str, ...] = ()
        """The tournaments in progress, as clients were last told."""
        self._listed: tuple[str, ...] = ()
        """The games that may be joined, likewise."""
        self._owed_tournaments: set[int] = set()
        """Clients that are to be sent the list of tournaments, whether it has changed or not."""
        self._owed_games: set[int] = set()
        """The same of the games."""
        self._effects: list[LobbyEffect] = []

    # The record

    def use_number(self, number: int) -> None:
        """Note a game of the record that is over."""
        self._used.add(number)

    def restore_game(self, number: int, kind: str, players: Mapping[Seat, str], now_ms: int) -> None:
        """Take up a game of the record that is not over; its persons may come back to their seats."""
        self._used.add(number)
        game = self._games[number] = _Game(number, kind, now_ms, is_played=True)
        for seat, name in players.items():
            if not is_bot(name) and name_key(name) not in self._players:
                player = _Player(name, game=game, seat=seat, away_since_ms=now_ms)
                self._players[name_key(name)] = game.seats[seat] = player

    def use_tournament(self, number: int) -> None:
        """Note a tournament of the record."""
        self._begun.add(number)

    def restore_tournament(self, number: int, pairs: Iterable[str], now_ms: int) -> None:
        """Take up a tournament of the record that is not over; its players may come back to it."""
        self._begun.add(number)
        tournament = self._tournaments[number] = _Tournament(number)
        for pair in pairs:
            for name in split_pair(pair):
                tournament.pairs[name_key(name)] = pair
                if name_key(name) not in self._players:
                    player = _Player(name, tournament=tournament, away_since_ms=now_ms)
                    self._players[name_key(name)] = player
                    tournament.players.append(player)

    # Clients

    def open_client(self, number: int, peer: str, now_ms: int) -> list[LobbyEffect]:
        """Handle a new connection."""
        client = self._clients[number] = _Client(number, peer, now_ms)
        limits, key = self._limits, self._address_key(peer)
        if len(self._clients) > limits.clients:
            self._dismiss(client, f"this lobby takes {limits.clients} connections at once")
        elif key and sum(self._address_key(each.peer) == key for each in self._clients.values()) > (
            limits.clients_per_address
        ):
            self._dismiss(client, f"this lobby takes {limits.clients_per_address} connections at once from {key}")
        return self._take_effects()

    def receive_line(self, number: int, line: bytes | Overlong, now_ms: int) -> list[LobbyEffect]:
        """Handle a line of a client, without its end. Never raises, whatever the bytes are."""
        client = self._clients.get(number)
        if client is None:
            return []
        client.heard_at_ms = now_ms
        player = client.player
        if player is not None and player.game is not None:
            player.game.heard_at_ms = now_ms
        if isinstance(line, Overlong):
            self._refuse(client, f"a line has at most {line.limit} bytes, this one is longer")
            return self._take_effects()
        if player is not None and player.key is not None and _word_of(line) not in _LOBBY_WORDS:
            self._pass_on(client, player.key, line)
            return self._take_effects()
        try:
            self._receive(client, parse_player_message(line), now_ms)
        except FormatError as error:
            self._refuse(client, str(error))
        return self._take_effects()

    def dismiss(self, number: int, reason: str, now_ms: int) -> list[LobbyEffect]:
        """Close a connection that exceeds one of the shell's limits, and tell its program why."""
        client = self._clients.get(number)
        if client is not None:
            self._dismiss(client, reason, now_ms)
        return self._take_effects()

    def close_client(self, number: int, reason: str, now_ms: int) -> list[LobbyEffect]:
        """Handle the end of a client's connection."""
        client = self._clients.pop(number, None)
        if client is not None:
            self._lose(client, reason, now_ms)
        return self._take_effects()

    def end(self, reason: str) -> list[LobbyEffect]:
        """Tell every client that the lobby closes, and close its connection."""
        for client in list(self._clients.values()):
            if Extension.END in client.extensions:
                self._send(client, EndMessage(reason))
            self._effects.append(CloseClient(client.number, reason))
        return self._take_effects()

    # Time

    def look(self, now_ms: int) -> list[LobbyEffect]:
        """Free seats whose players do not come back, and end games and connections in which nothing happens."""
        limits = self._limits
        for player in list(self._players.values()):
            game, tournament = player.game, player.tournament
            is_late = not player.is_here and now_ms - player.away_since_ms >= limits.away_ms
            if tournament is not None and is_late and not tournament.pairs:
                self._withdraw(player, tournament)
            if game is not None and is_late and (not game.is_played or game.is_attended):
                self._leave(player, "its player did not come back")
        for game in list(self._games.values()):
            if not game.is_ending and now_ms - game.heard_at_ms >= limits.idle_game_ms:
                self._close_game(game, f"nobody has said anything for {limits.idle_game_ms // 1000} s")
        for client in list(self._clients.values()):
            is_outside = client.player is None or not client.player.is_placed
            if is_outside and now_ms - client.heard_at_ms >= limits.idle_game_ms:
                self._dismiss(
                    client, f"a client without a seat says something within {limits.idle_game_ms // 1000} s"
                )
        return self._take_effects()

    def note_owing(self, number: int, seat: Seat, waited_ms: int) -> list[LobbyEffect]:
        """Note how long the player of a seat has owed a call or card; one that is alone may take its time."""
        game = self._games.get(number)
        player = game.seats.get(seat) if game is not None else None
        if game is None or player is None or waited_ms < self._limits.idle_ms or not player.is_here:
            return []
        if any(other.is_here for other in game.persons if other is not player):
            client = self._clients[player.client]
            why = f"you have owed a call or card for {waited_ms // 1000} s: your seat in {game.id} is free"
            self._send(client, NakMessage(why))
            self._leave(player, "its player did nothing")
        return self._take_effects()

    # Tables

    def offer_seat(self, key: SeatKey, offer: SeatOffer) -> list[LobbyEffect]:
        """Note an empty seat of a table, and give it to whoever sits there.

        The host of the tables of a tournament has its number, that of the games is 0.
        """
        tournament = self._tournaments.get(key.host)
        if tournament is not None:
            tournament.offers[key] = offer
            self._link_tournament(tournament)
            return self._take_effects()
        game = next((each for each in self._games.values() if each.id == offer.game), None)
        if game is not None:
            game.offers[key.seat] = key
            self._link(game)
        return self._take_effects()

    def withdraw_seat(self, key: SeatKey) -> list[LobbyEffect]:
        """Note that a seat of a table is not empty any more, or that the table has closed."""
        tournament = self._tournaments.get(key.host)
        if tournament is not None:
            tournament.offers.pop(key, None)
        for game in self._games.values():
            if game.offers.get(key.seat) == key:
                del game.offers[key.seat]
        return []

    def receive_table_line(self, host: Host, number: int, line: str) -> list[LobbyEffect]:
        """Pass a line of a table to its client."""
        client = self._clients.get(number)
        player = client.player if client is not None else None
        if player is None or player.key is None or player.key.host != host or line.startswith("X-END "):
            return []  # the connection is not closed when a table's session ends
        if not player.is_seated:
            if line.startswith("JOINED "):
                player.is_seated = True
            elif line.startswith(_OWN_WORDS):
                return []
        return [SendToClient(number, line)]

    def leave_table(self, host: Host, number: int, reason: str, now_ms: int, *, is_over: bool) -> list[LobbyEffect]:
        """Handle that a table has closed its end of a connection; `is_over` if its session is over."""
        client = self._clients.get(number)
        player = self._bots.get(number) if number < 0 else client.player if client is not None else None
        if player is None or player.key is None or player.key.host != host:
            return []
        was_seated = player.is_seated
        player.key, player.is_seated = None, False
        game = player.game
        if is_over or not was_seated:
            if is_over and game is not None and not any(each.key for each in game.seats.values()):
                self._effects.append(LookAtGame(game.number))
            elif game is not None:
                self._link(game)
            if player.tournament is not None:
                self._link_tournament(player.tournament)
        elif client is not None:
            self._end_connection(client, reason, now_ms)
        elif game is not None:
            self._remove_bot(player)
            self._settle(game)
        return self._take_effects()

    def finish_game(self, number: int) -> list[LobbyEffect]:
        """Note that a game is over: its players are free for another."""
        game = self._games.pop(number, None)
        if game is None:
            return []
        for player in list(game.seats.values()):
            if not player.is_person:
                self._remove_bot(player)
                continue
            self._unlink(player, "the game is over")
            self._stand_up(player)
            client = self._clients.get(player.client)
            if client is not None:
                self._send_left(client, LeftMessage(game.id, player.seat))
                self._owed_games.add(client.number)
        return self._take_effects()

    def finish_tournament(self, number: int) -> list[LobbyEffect]:
        """Note that a tournament is over: its players are free."""
        tournament = self._tournaments.pop(number, None)
        if tournament is None:
            return []
        for player in tournament.players:
            self._unlink(player, "the tournament is over")
            player.tournament, player.joins = None, False
            if player.client:
                self._owed_games.add(player.client)
            else:
                self._players.pop(name_key(player.name), None)
        return self._take_effects()

    # What clients say

    def _receive(self, client: _Client, message: StatefulMessage, now_ms: int) -> None:
        player = client.player
        if isinstance(message, HelloMessage):
            self._log_on(client, message.name, now_ms)
        elif isinstance(message, ExtensionsMessage):
            client.extensions = message.extensions
            if player is not None:
                self._send(client, ExtensionsMessage(frozenset(Extension)))
        elif player is None:
            raise FormatError("HELLO and a name come first")
        else:
            self._receive_known(client, player, message, now_ms)

    def _receive_known(self, client: _Client, player: _Player, message: StatefulMessage, now_ms: int) -> None:
        match message:
            case JoinGameMessage():
                self._join_game(client, player, message, now_ms)
            case JoinTournamentMessage():
                self._join_tournament(client, player, message)
            case StartMessage():
                self._start_tournament(player)
            case LeaveMessage():
                if not player.is_placed:
                    raise FormatError("you have no seat: JOIN-M takes one")
                self._leave_place(player)
            case PingMessage():
                self._send(client, PongMessage(message.token))
            case PongMessage():
                pass
            case _ if player.tournament is not None and player.joins:
                if not player.tournament.pairs:
                    raise FormatError(f"{player.tournament.id} has not begun: its maker begins it with X-START")
                raise FormatError(
                    f"your next table in {player.tournament.id} is not open yet: JOINED says when it is"
                )
            case _ if player.game is None or not player.joins:
                raise FormatError(
                    f"you have no seat yet: JOIN-M makes a game of {self._kinds[0]}, and JOIN-M g1 joins one"
                )
            case _:
                missing = 4 - len(player.game.seats)
                waits = f"it waits for {missing} more" if missing else "its table is being opened"
                raise FormatError(f"{player.game.id} has not begun: {waits}")

    def _log_on(self, client: _Client, said: str, now_ms: int) -> None:
        key = self._address_key(client.peer)
        wait_ms = self._failed.wait_ms(key, now_ms) if key else 0
        if wait_ms:
            self._dismiss(
                client,
                f"too many log-ons from {key} have failed, the next is heard in {-(-wait_ms // 1000)} s",
                now_ms,
            )
            return
        name, phrase = parse_player(said)
        before = client.player
        if before is not None and name_key(before.name) != name_key(name):
            raise FormatError(f"this connection is {before.name}'s already")
        known = self._players.get(name_key(name))
        in_use = known is not None and known.client not in (0, client.number)
        if in_use and not (phrase is not None and self._names.is_kept(name)):
            raise FormatError(f"{name} is here already, on another connection: take another name")
        try:
            kept = self._names.check(name, phrase)
        except FormatError:
            if key:
                self._failed.note_failure(key, now_ms)
            raise
        if kept is not None:
            self._effects.append(KeepName(name_key(name), kept))
        if key:
            self._failed.note_success(key)
        if known is not None and in_use:
            self._dismiss(self._clients[known.client], f"{name} has connected again, with the pass phrase", now_ms)
            known = self._players.get(name_key(name))
        if known is None:
            known = self._players[name_key(name)] = _Player(name)
        if before is None:
            known.client, client.player = client.number, known
            known.joins = False
            self._effects.append(AdmitClient(client.number))
            if client.extensions:
                self._send(client, ExtensionsMessage(frozenset(Extension)))
        self._owed_tournaments.add(client.number)
        self._owed_games.add(client.number)

    # Games

    def _join_game(self, client: _Client, player: _Player, message: JoinGameMessage, now_ms: int) -> None:
        word, position = message.game, message.position
        is_kind = word is not None and word.lower() in self._kinds
        if player.game is not None and (word is None or word.lower() == player.game.id):
            if position not in (None, player.seat):
                raise FormatError(f"your seat in {player.game.id} is {player.seat.letter}")
            self._come_back(client, player, player.game)
        elif word is None or is_kind:
            self._check_free(player)
            game = self._make_game(word.lower() if word is not None else self._kinds[0], now_ms)
            self._leave_place(player)
            self._sit(player, game, position if position is not None else ANY_SEAT_ORDER[0])
        else:
            joined = next((each for each in self._games.values() if each.id == word.lower()), None)
            if joined is None or joined.is_ending:
                is_over = word[:1] in "gG" and word[1:].isdecimal() and int(word[1:]) in self._used
                kinds = ", ".join(f"JOIN-M {kind}" for kind in self._kinds)
                what = f"the game {word} is over" if is_over else f"there is no game {word}"
                raise FormatError(f"{what}: JOIN-M alone or {kinds} makes one")
            self._check_free(player)
            seat = self._find_seat(joined, position)
            self._leave_place(player)
            taken = joined.seats.get(seat)
            if taken is not None and not taken.is_person:
                self._remove_bot(taken)
            elif taken is not None:
                self._unlink(taken, "its seat was given to another")
                self._stand_up(taken)
            self._sit(player, joined, seat)

    @staticmethod
    def _check_free(player: _Player) -> None:
        """Check that a player may take a place elsewhere.

        Raises:
            FormatError: it plays in a tournament.
        """
        if player.tournament is not None and player.tournament.pairs:
            raise FormatError(
                f"you play in {player.tournament.id} until it is over: JOIN-T leads you back to your table"
            )

    def _leave_place(self, player: _Player) -> None:
        """Give up the place of a player, if it has one.

        Raises:
            FormatError: it plays in a tournament.
        """
        self._check_free(player)
        if player.game is not None:
            self._leave(player, "it has left")
        elif player.tournament is not None:
            self._withdraw(player, player.tournament)

    def _make_game(self, kind: str, now_ms: int) -> _Game:
        if len(self._games) >= self._limits.games:
            raise FormatError(f"this lobby has {self._limits.games} games at once: join one of those, or wait")
        number = next(number for number in itertools.count(self._lowest) if number not in self._used)
        self._lowest = number + 1
        self._used.add(number)
        game = self._games[number] = _Game(number, kind, now_ms)
        return game

    def _find_seat(self, game: _Game, position: Seat | None) -> Seat:
        """Return the seat for a player that joins: an empty one, else one of our own players'.

        Raises:
            FormatError: it has none, or the wished one is somebody's.
        """
        wished = ANY_SEAT_ORDER if position is None else (position,)
        free = [seat for seat in wished if seat not in game.seats]
        free += [seat for seat in wished if seat in game.seats and not game.seats[seat].is_person]
        if free:
            return free[0]
        if position is not None:
            raise FormatError(f"seat {position.letter} of {game.id} is {game.seats[position].name}'s")
        raise FormatError(f"{game.id} has four players")

    def _sit(self, player: _Player, game: _Game, seat: Seat) -> None:
        game.seats[seat] = player
        player.game, player.seat, player.joins = game, seat, True
        if not game.is_played:  # else the table tells
            client = self._clients[player.client]
            self._send_seats(client, player, game)
            for other in game.seats.values():
                if other is not player and other.client in self._clients:
                    self._send(self._clients[other.client], JoinedMessage(game.id, seat, player.name))
        self._settle(game)

    def _come_back(self, client: _Client, player: _Player, game: _Game) -> None:
        """Give a player its seat back, or tell it the state once more."""
        if player.key is not None:
            join = format_message(JoinGameMessage(game.id))
            self._effects.append(SendToTable(player.key.host, client.number, join.encode()))
            return
        player.joins = True
        self._send_seats(client, player, game)
        self._settle(game)

    def _send_seats(self, client: _Client, player: _Player, game: _Game) -> None:
        self._send(client, JoinedMessage(game.id, player.seat))
        for seat in SEATS:
            other = game.seats.get(seat)
            if other is not None and other is not player:
                self._send(client, JoinedMessage(game.id, seat, other.name))

    def _settle(self, game: _Game) -> None:
        """Fill a game with our own players if it may have as many, begin it once it is full, and seat its players."""
        if game.is_ending:
            return
        empty = [seat for seat in SEATS if seat not in game.seats]
        if game.is_attended and 4 - len(game.persons) <= self._limits.bots:
            for seat in empty:
                self._add_bot(game, seat)
        if len(game.seats) == 4 and not game.is_played:
            game.is_played = True
            players = {seat: game.seats[seat].name for seat in SEATS}
            self._effects.append(StartGame(game.number, game.kind, players))
        self._link(game)

    def _link(self, game: _Game) -> None:
        """Connect the players of a game with the seats that its table offers."""
        if game.is_ending:
            return
        for seat, player in game.seats.items():
            if seat not in game.offers or player.key is not None or not player.joins or not player.client:
                continue
            player.key = game.offers.pop(seat)
            self._take_seat(player, player.key, JoinGameMessage(game.id, seat))

    def _take_seat(self, player: _Player, key: SeatKey, join: StatefulMessage) -> None:
        client = self._clients.get(player.client)
        extensions = client.extensions if client is not None else frozenset((Extension.TURN,))
        asked = (ExtensionsMessage(extensions),) if extensions else ()
        said = (*asked, HelloMessage(player.name), join)
        peer = client.peer if client is not None else ""
        self._effects.append(TakeSeat(player.client, key, peer, tuple(map(format_message, said))))

    def _leave(self, player: _Player, reason: str) -> None:
        """Free the seat of a player, and tell those who sit with it."""
        game = player.game
        assert game is not None
        self._unlink(player, reason)
        self._stand_up(player)
        client = self._clients.get(player.client)
        if client is not None:
            self._send_left(client, LeftMessage(game.id, player.seat))
            self._owed_games.add(client.number)
        for other in game.persons:
            if other.client in self._clients:
                self._send_left(self._clients[other.client], LeftMessage(game.id, player.seat, player.name))
        if not game.persons:
            self._close_game(game, f"{player.name} has left, and nobody is left")
        else:
            self._settle(game)

    def _close_game(self, game: _Game, reason: str) -> None:
        """End a game: one in play is broken off, one that has not begun never was."""
        if game.is_played:
            if not game.is_ending:
                game.is_ending = True
                self._effects.append(BreakOff(game.number, reason))
            return
        self._used.discard(game.number)
        self._lowest = min(self._lowest, game.number)
        for player in list(game.seats.values()):
            client = self._clients.get(player.client)
            self._stand_up(player)
            if client is not None:
                self._send(client, NakMessage(f"{game.id} is closed: {reason}"))
                self._send_left(client, LeftMessage(game.id, player.seat))
        del self._games[game.number]

    def _stand_up(self, player: _Player) -> None:
        game = player.game
        if game is not None:
            del game.seats[player.seat]
        player.game, player.joins = None, False
        if not player.client:
            self._players.pop(name_key(player.name), None)

    def _unlink(self, player: _Player, reason: str) -> None:
        if player.key is not None:
            self._effects.append(LeaveTable(player.key.host, player.client, reason))
            player.key, player.is_seated = None, False

    # Tournaments

    def _join_tournament(self, client: _Client, player: _Player, message: JoinTournamentMessage) -> None:
        own, word = player.tournament, message.tournament
        if own is not None and own.pairs and (word is None or word.lower() == own.id):
            player.joins = True
            if player.key is not None:
                join = format_message(JoinTournamentMessage())
                self._effects.append(SendToTable(player.key.host, client.number, join.encode()))
            self._link_tournament(own)
            return
        self._check_free(player)
        if word is None and own is None:
            tournament = self._make_tournament()
        elif word is None:
            assert own is not None
            tournament = own
        else:
            found = next((each for each in self._tournaments.values() if each.id == word.lower()), None)
            if found is None:
                raise FormatError(f"there is no tournament {word}: JOIN-T alone makes one")
            if found.pairs:
                raise FormatError(f"{found.id} has begun, and takes nobody any more: JOIN-T alone makes another")
            tournament = found
        try:
            unmet = tournament.roster.add(player.name, message.partner)
        except FormatError:
            if not tournament.players:
                del self._tournaments[tournament.number]
            raise
        if own is not tournament:
            self._leave_place(player)
            player.tournament = tournament
            tournament.players.append(player)
        player.joins = True
        self._owed_tournaments.add(client.number)
        self._tell_unmet(unmet)

    def _make_tournament(self) -> _Tournament:
        if len(self._tournaments) >= self._limits.tournaments:
            raise FormatError(f"this lobby has {self._limits.tournaments} tournaments at once: join one, or wait")
        number = next(
            each for each in itertools.count(1) if each not in self._begun and each not in self._tournaments
        )
        tournament = self._tournaments[number] = _Tournament(number)
        return tournament

    def _start_tournament(self, player: _Player) -> None:
        tournament = player.tournament
        if tournament is None:
            raise FormatError("you are in no tournament: JOIN-T makes one")
        if tournament.pairs:
            raise FormatError(f"{tournament.id} has begun already")
        if tournament.players[0] is not player:
            raise FormatError(f"{tournament.players[0].name} has made {tournament.id}, and begins it")
        pairs, unmet = tournament.roster.make_pairs()
        self._tell_unmet(unmet)
        for one, other in pairs:
            tournament.pairs |= dict.fromkeys((name_key(one), name_key(other)), pair_name(one, other))
        self._begun.add(tournament.number)
        self._effects.append(StartTournament(tournament.number, tuple(pair_name(*pair) for pair in pairs)))

    def _tell_unmet(self, unmet: Iterable[tuple[str, str]]) -> None:
        for name, why in unmet:
            client = self._clients.get(self._players[name_key(name)].client)
            if client is not None:
                self._send(client, NakMessage(f"your wish for a partner cannot be met: {why}"))

    def _withdraw(self, player: _Player, tournament: _Tournament) -> None:
        """Take a player out of a tournament that has not begun."""
        tournament.roster.remove(player.name)
        tournament.players.remove(player)
        player.tournament, player.joins = None, False
        if not tournament.players:
            del self._tournaments[tournament.number]
        if player.client:
            self._owed_games.add(player.client)
        else:
            self._players.pop(name_key(player.name), None)

    def _link_tournament(self, tournament: _Tournament) -> None:
        """Connect the players of a tournament with the seats that their pairs have at its tables."""
        for key, offer in sorted(tournament.offers.items()):
            for player in tournament.players:
                client = self._clients.get(player.client)
                pair = tournament.pairs.get(name_key(player.name))
                if client is not None and player.joins and player.key is None and pair == offer.team:
                    player.key, player.seat = key, key.seat
                    del tournament.offers[key]
                    self._take_seat(player, key, JoinTournamentMessage())
                    break

    # Our own players

    def _add_bot(self, game: _Game, seat: Seat) -> None:
        number = next(self._bot_numbers)
        bot = self._bots[number] = _Player(bot_name(seat.letter), number, game, seat, joins=True)
        game.seats[seat] = bot
        if not game.is_played:
            for other in game.persons:
                if other.client in self._clients:
                    self._send(self._clients[other.client], JoinedMessage(game.id, seat, bot.name))

    def _remove_bot(self, bot: _Player) -> None:
        del self._bots[bot.client]
        self._unlink(bot, "its seat is needed")
        if bot.game is not None:
            del bot.game.seats[bot.seat]

    # Basics

    def _pass_on(self, client: _Client, key: SeatKey, line: bytes) -> None:
        if _word_of(line) == b"X-HELLO":
            try:
                message = parse_player_message(line)
            except FormatError:
                pass  # its table says why
            else:
                if isinstance(message, ExtensionsMessage):
                    client.extensions = message.extensions
        self._effects.append(SendToTable(key.host, client.number, line))

    def _lose(self, client: _Client, reason: str, now_ms: int) -> None:
        """Handle that a connection is gone: its player's seat is kept for a while."""
        player, client.player = client.player, None
        if player is None or player.client != client.number:
            return
        self._unlink(player, reason)
        player.client, player.joins, player.away_since_ms = 0, False, now_ms
        if not player.is_placed:
            self._players.pop(name_key(player.name), None)

    @staticmethod
    def _address_key(peer: str) -> str:
        address = parse_peer(peer)
        return address_key(address) if address is not None else ""

    def _refuse(self, client: _Client, why: str) -> None:
        self._send(client, NakMessage(why))
        client.bad_lines += 1
        if client.bad_lines >= BAD_LINES_MAX:
            why = f"{client.bad_lines} lines were refused, the limit is {BAD_LINES_MAX}"
            self._dismiss(client, why, client.heard_at_ms)

    def _dismiss(self, client: _Client, reason: str, now_ms: int = 0) -> None:
        self._send(client, NakMessage(reason))
        self._end_connection(client, reason, now_ms)

    def _end_connection(self, client: _Client, reason: str, now_ms: int) -> None:
        if Extension.END in client.extensions:
            self._send(client, EndMessage(reason))
        self._effects.append(CloseClient(client.number, reason))
        self._clients.pop(client.number, None)
        self._lose(client, reason, now_ms)

    def _send(self, client: _Client, message: StatefulMessage) -> None:
        self._effects.append(SendToClient(client.number, format_message(message)))

    def _send_left(self, client: _Client, message: LeftMessage) -> None:
        if Extension.LEFT in client.extensions:
            self._send(client, message)

    def _joinable(self) -> tuple[str, ...]:
        """Return the games that have fewer than four players, our own not counted."""
        games = (game.id for game in self._games.values() if len(game.persons) < 4 and not game.is_ending)
        return tuple(itertools.islice(games, LISTED_MAX))

    def _tell_list(self, message: StatefulMessage, owed: set[int], *, has_changed: bool) -> None:
        """Send a list to those that are owed it and, if it has changed, to all clients without a place."""
        for number in [*self._clients] if has_changed else sorted(owed):
            client = self._clients.get(number)
            is_outside = client is not None and client.player is not None and not client.player.is_placed
            if client is not None and (number in owed or is_outside):
                self._send(client, message)
        owed.clear()

    def _take_effects(self) -> list[LobbyEffect]:
        tournaments = tuple(each.id for each in self._tournaments.values())
        self._tell_list(
            TournamentsMessage(tournaments), self._owed_tournaments, has_changed=tournaments != self._open
        )
        games = self._joinable()
        self._tell_list(GamesMessage(games), self._owed_games, has_changed=games != self._listed)
        self._open, self._listed = tournaments, games
        effects, self._effects = self._effects, []
        return effects


def _word_of(line: bytes) -> bytes:
    return line.lstrip()[:8].partition(b" ")[0].rstrip().upper()
