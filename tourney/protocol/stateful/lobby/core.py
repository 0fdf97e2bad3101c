"""The port of a lobby: its clients, who they are, and what they ask of its games and tournaments (SS-39 to SS-46).

A state machine without sockets. A game forms here until it has four players; then its table is opened (`StartGame`),
which offers its seats, and each player speaks to the table as long as it sits there. Seats belong to names: a player
whose connection is lost has its seat for a while, and gets it back with `HELLO` and `JOIN-M`.
"""

from collections.abc import Iterable, Mapping
from typing import Final

from tourney.bridge import Seat
from tourney.errors import FormatError
from tourney.protocol.access import FailedLogOns, peer_key, who_gives_way
from tourney.protocol.lines import Overlong
from tourney.protocol.pass_phrases import PhraseHash
from tourney.protocol.stateful.gateway import (
    ENDINGS,
    AdmitClient,
    CloseClient,
    Host,
    SeatKey,
    SeatOffer,
    SendToClient,
    SendToTable,
)
from tourney.protocol.stateful.lobby.games import LobbyGames
from tourney.protocol.stateful.lobby.names import NameRegistry, name_key, parse_player
from tourney.protocol.stateful.lobby.state import (
    HeldHello,
    KeepName,
    LobbyClient,
    LobbyEffect,
    LobbyLimits,
    LobbyPlayer,
    LobbyState,
    LookAtGame,
    ProbeClient,
)
from tourney.protocol.stateful.lobby.tournaments import LobbyTournaments
from tourney.protocol.stateful.messages import (
    EndMessage,
    Extension,
    ExtensionsMessage,
    GamesMessage,
    HelloMessage,
    JoinGameMessage,
    JoinTournamentMessage,
    LeaveMessage,
    NakMessage,
    PingMessage,
    PongMessage,
    StartMessage,
    StatefulMessage,
    StoppedMessage,
    TournamentsMessage,
    format_message,
    parse_player_message,
)
from tourney.protocol.stateful.server import game_number

BAD_LINES_MAX: Final = 20
"""Lines of a client without a seat at a table that are refused; the last closes the connection (SS-12)."""

PROBE_MS: Final = 4000
"""How long the other end of a connection has to show that it is there, before one that wants its name is refused."""

HELD_LINES_MAX: Final = 20
"""Lines that may follow a `HELLO` that is not answered yet."""

GAMES_HOST: Final = 0
"""The number of the host whose tables are those of games; the tables of a tournament are those of the host of its
number."""

_LOBBY_WORDS: Final = frozenset({b"HELLO", b"JOIN-M", b"JOIN-T", b"X-LEAVE", b"X-START"})
"""What a client that sits at a table says to the lobby, not to the table."""

_OWN_WORDS: Final = ("TOURNAMENTS ", "GAMES ", "X-HELLO ")
"""What a table answers to the log-on that the lobby makes for a client, which has been told it."""


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
        self._state = LobbyState()
        self.games = LobbyGames(self._state, self._kinds, limits, self._leave_place)
        self.tournaments = LobbyTournaments(self._state, limits, self._leave_place)
        self._holding: set[int] = set()
        """The clients whose `HELLO` is held."""
        self._told = TournamentsMessage(), GamesMessage()
        """The lists as clients without a place were last told."""
        self.has_news = False
        """Whether a list has changed since."""

    # Clients

    def open_client(self, number: int, peer: str, now_ms: int) -> list[LobbyEffect]:
        """Handle a new connection."""
        clients, limits, key = self._state.clients, self._limits, peer_key(peer)
        client = clients[number] = LobbyClient(number, peer, key, now_ms)
        same = [each for each in clients.values() if key and each.address == key]
        if len(same) > limits.clients_per_address:
            most = limits.clients_per_address
            self._make_room(same, client, f"this lobby takes {most} connections at once from {key}", now_ms)
        if len(clients) > limits.clients:
            why = f"this lobby takes {limits.clients} connections at once"
            self._make_room(clients.values(), client, why, now_ms)
        return self._take_effects()

    def make_room(self, now_ms: int) -> list[LobbyEffect]:
        """Close the connection that has waited longest without `HELLO`: its place is needed."""
        waiting = (each for each in self._state.clients.values() if each.player is None)
        oldest = who_gives_way((each, each.address) for each in waiting)
        if oldest is not None:
            self._dismiss(oldest, "many connections have not said HELLO, and the oldest gives way", now_ms)
        return self._take_effects()

    def _make_room(self, among: Iterable[LobbyClient], newest: LobbyClient, why: str, now_ms: int) -> None:
        """Close the oldest connection that has not said `HELLO`; the new one if all others have."""
        oldest = who_gives_way((each, each.address) for each in among if each.player is None and each is not newest)
        if oldest is None:
            self._dismiss(newest, why, now_ms)
        else:
            self._dismiss(oldest, f"{why}, and the oldest gives way", now_ms)

    def receive_line(self, number: int, line: bytes | Overlong, now_ms: int) -> list[LobbyEffect]:
        """Handle a line of a client, without its end. Never raises, whatever the bytes are."""
        client = self._state.clients.get(number)
        if client is None:
            return []
        client.heard_at_ms = now_ms
        self._end_holds(number, now_ms, is_gone=False)
        if client.held is not None:
            self._hold_line(client, client.held, line, now_ms)
            return self._take_effects()
        self._receive_line(client, line, now_ms)
        return self._take_effects()

    def _receive_line(self, client: LobbyClient, line: bytes | Overlong, now_ms: int) -> None:
        player = client.player
        if player is not None and player.game is not None:
            player.game.heard_at_ms = now_ms
        if isinstance(line, Overlong):
            self._refuse(client, f"a line has at most {line.limit} bytes, this one is longer")
            return
        if player is not None and player.key is not None:
            word = _word_of(line)
            if word == b"X-HELLO":
                _note_extensions(client, line)
            if word not in _LOBBY_WORDS:
                self._state.effects.append(SendToTable(player.key.host, client.number, line))
                return
        try:
            self._receive(client, parse_player_message(line), now_ms)
        except FormatError as error:
            self._refuse(client, str(error))

    # A name that another connection has

    def _hold(self, client: LobbyClient, said: str, rival: LobbyClient, now_ms: int) -> None:
        """Answer a `HELLO` later: whoever comes back at once may be quicker than the end of its last connection."""
        client.held = HeldHello(said, rival.number, now_ms)
        self._holding.add(client.number)
        self._state.effects.append(ProbeClient(rival.number))
        if Extension.PING in rival.extensions:
            self._state.send(rival, PingMessage(f"H{client.number}"))

    def _hold_line(self, client: LobbyClient, held: HeldHello, line: bytes | Overlong, now_ms: int) -> None:
        if isinstance(line, bytes) and len(held.lines) < HELD_LINES_MAX:
            held.lines.append(line)
        else:
            self._dismiss(client, f"{HELD_LINES_MAX} lines may follow a HELLO that is being answered", now_ms)

    def _end_holds(self, rival: int, now_ms: int, *, is_gone: bool) -> None:
        """Answer those who want the name of a connection, which has shown whether it is there."""
        for number in list(self._holding):
            client = self._state.clients.get(number)
            if client is not None and client.held is not None and client.held.rival == rival:
                self._end_hold(client, client.held, now_ms, is_refused=not is_gone)

    def _end_hold(self, client: LobbyClient, held: HeldHello, now_ms: int, *, is_refused: bool) -> None:
        client.held = None
        self._holding.discard(client.number)
        try:
            self._log_on(client, held.name, now_ms, may_wait=not is_refused)
        except FormatError as error:
            self._refuse(client, str(error))
        for at, line in enumerate(held.lines):
            now = self._state.clients.get(client.number)
            if now is None:
                return
            if now.held is not None:  # another has come before it: what is left waits with it
                now.held.lines += held.lines[at:]
                return
            self._receive_line(client, line, now_ms)

    def dismiss(self, number: int, reason: str, now_ms: int) -> list[LobbyEffect]:
        """Close a connection that exceeds one of the shell's limits, and tell its program why."""
        client = self._state.clients.get(number)
        if client is not None:
            self._dismiss(client, reason, now_ms)
        return self._take_effects()

    def close_client(self, number: int, reason: str, now_ms: int) -> list[LobbyEffect]:
        """Handle the end of a client's connection."""
        client = self._state.clients.pop(number, None)
        if client is not None:
            self._lose(client, reason, now_ms)
            self._end_holds(number, now_ms, is_gone=True)
        return self._take_effects()

    def interrupt(self, reason: str) -> list[LobbyEffect]:
        """Tell every client that the lobby closes until later, and close its connection."""
        for client in list(self._state.clients.values()):
            if Extension.STOPPED in client.extensions:
                self._state.send(client, StoppedMessage(reason))
            self._state.effects.append(CloseClient(client.number, reason))
        return self._take_effects()

    # Time

    def look(self, now_ms: int) -> list[LobbyEffect]:
        """Free seats whose players do not come back, and end games and connections in which nothing happens."""
        self.games.look(now_ms)
        self.tournaments.look(now_ms)
        idle_ms = self._limits.idle_game_ms
        for client in list(self._state.clients.values()):
            if client.held is not None and now_ms - client.held.since_ms >= PROBE_MS:
                self._end_hold(client, client.held, now_ms, is_refused=True)
            is_outside = client.player is None or not client.player.is_placed
            if is_outside and now_ms - client.heard_at_ms >= idle_ms:
                self._dismiss(client, f"a client without a seat says something within {idle_ms // 1000} s", now_ms)
        return self._take_effects()

    def note_owing(self, number: int, seat: Seat, waited_ms: int) -> list[LobbyEffect]:
        """Note how long the player of a seat in a game has owed a call or card."""
        self.games.note_owing(number, seat, waited_ms)
        return self._take_effects()

    # Tables

    def offer_seat(self, key: SeatKey, offer: SeatOffer) -> list[LobbyEffect]:
        """Note an empty seat of a table, and give it to whoever sits there."""
        tournament = self.tournaments.by_number.get(key.host)
        if tournament is not None:
            tournament.offers[key] = offer
            self.tournaments.link(tournament)
        elif key.host == GAMES_HOST:
            self.games.offer(game_number(offer.game), key)
        return self._take_effects()

    def withdraw_seat(self, key: SeatKey) -> list[LobbyEffect]:
        """Note that a seat of a table is not empty any more, or that the table has closed."""
        tournament = self.tournaments.by_number.get(key.host)
        if tournament is not None:
            tournament.offers.pop(key, None)
        elif key.host == GAMES_HOST:
            self.games.withdraw(key)
        return []

    def note_board(self, game: str, number: int) -> list[LobbyEffect]:
        """Note that a board begins at the table of a game; `number` is 0 once it is over."""
        self.games.note_board(game_number(game), number)
        return self._take_effects()

    def receive_table_line(self, host: Host, number: int, line: str) -> list[LobbyEffect]:
        """Pass a line of a table to its client."""
        client = self._state.clients.get(number)
        player = client.player if client is not None else None
        if player is None or player.key is None or player.key.host != host or line.startswith(ENDINGS):
            return []  # the connection is not closed when a table's session ends
        if not player.is_seated:
            if line.startswith("JOINED "):
                player.is_seated = True
            elif line.startswith(_OWN_WORDS):
                return []
        return [SendToClient(number, line)]

    def leave_table(self, host: Host, number: int, reason: str, now_ms: int, *, is_over: bool) -> list[LobbyEffect]:
        """Handle that a table has closed its end of a connection; `is_over` if its session is over."""
        client = self._state.clients.get(number)
        player = self.games.bots.get(number) if number < 0 else client.player if client is not None else None
        if player is None or player.key is None or player.key.host != host:
            return []
        is_sent_away = (player.is_seated or number < 0) and not is_over
        player.key, player.is_seated = None, False
        if client is not None and is_sent_away:
            self._end_connection(client, reason, now_ms)
        elif player.tournament is not None:
            self.tournaments.link(player.tournament)
        elif player.game is not None and is_over:
            if not any(each.key for each in player.game.seats.values()):
                self._state.effects.append(LookAtGame(player.game.number))
        elif player.game is not None:
            self.games.note_unlinked(player, player.game, is_sent_away=is_sent_away)
        return self._take_effects()

    def finish_game(self, number: int) -> list[LobbyEffect]:
        """Note that a game is over: its players are free for another."""
        self.games.finish(number)
        return self._take_effects()

    def finish_tournament(self, number: int) -> list[LobbyEffect]:
        """Note that a tournament is over: its players are free."""
        self.tournaments.finish(number)
        return self._take_effects()

    # What clients say

    def _receive(self, client: LobbyClient, message: StatefulMessage, now_ms: int) -> None:
        player = client.player
        if isinstance(message, HelloMessage):
            self._log_on(client, message.name, now_ms)
        elif isinstance(message, ExtensionsMessage):
            client.extensions = message.extensions
            if player is not None:
                self._state.send(client, ExtensionsMessage(frozenset(Extension)))
        elif player is None:
            raise FormatError("HELLO and a name come first")
        else:
            self._receive_known(client, player, message, now_ms)

    def _receive_known(self, client: LobbyClient, player: LobbyPlayer, message: StatefulMessage, now_ms: int) -> None:
        match message:
            case JoinGameMessage(game=str() as game) if (
                (own := player.tournament) is not None
                and own.pairs
                and not (game_number(game.lower()) or game.lower() in self._kinds)
            ):
                # JOINED has named a game of the tournament: its table says whether it is this one.
                self.tournaments.come_back(client, player, own, message)
            case JoinGameMessage():
                self.games.join(client, player, message, now_ms)
            case JoinTournamentMessage():
                self.tournaments.join(client, player, message, now_ms)
            case StartMessage():
                self.tournaments.start(player)
            case LeaveMessage():
                if not player.is_placed:
                    raise FormatError("you have no seat: JOIN-M takes one")
                player.check_free()
                self._leave_place(player)
            case PingMessage():
                self._state.send(client, PongMessage(message.token))
            case PongMessage():
                pass
            case _:
                raise FormatError(self._why_no_table(player))

    def _why_no_table(self, player: LobbyPlayer) -> str:
        """Return why a player that wants to call or play cannot."""
        game, tournament = player.game, player.tournament
        if tournament is not None and player.joins:
            if tournament.pairs:
                return f"your next table in {tournament.id} is not open yet: JOINED says when it is"
            return f"{tournament.id} has not begun, {self.tournaments.when_it_begins(tournament)}"
        if game is not None and player.joins and game.successors.get(player.seat) is player:
            return f"you sit down in {game.id} at the next board"
        if game is not None and player.joins:
            missing = 4 - len(game.seats)
            waits = f"it waits for {missing} more" if missing else "its table is being opened"
            return f"{game.id} has not begun: {waits}"
        return f"you have no seat yet: JOIN-M makes a game of {self._kinds[0]}, and JOIN-M g1 joins one"

    def _log_on(self, client: LobbyClient, said: str, now_ms: int, *, may_wait: bool = True) -> None:
        key = client.address
        name, phrase = parse_player(said)
        if client.player is not None and name_key(client.player.name) != name_key(name):
            raise FormatError(f"this connection is {client.player.name}'s already")
        known = self._state.players.get(name_key(name))
        is_in_use = known is not None and known.client not in (0, client.number)
        if known is not None and is_in_use and not (phrase is not None and self._names.is_kept(name)):
            rival = self._state.clients.get(known.client)
            if may_wait and rival is not None:
                self._hold(client, said, rival, now_ms)
                return
            raise FormatError(f"{name} is here already, on another connection: take another name")
        try:
            kept = self._names.check(name, phrase)
        except FormatError:
            too_many = self._failed.refuse(key, now_ms) if key else None
            if too_many is None:
                raise
            self._dismiss(client, too_many, now_ms)
            return
        if kept is not None:
            self._state.effects.append(KeepName(name_key(name), kept))
        if key:
            self._failed.note_success(key)
        if known is not None and is_in_use:
            why = f"{name} has connected again, with the pass phrase"
            self._dismiss(self._state.clients[known.client], why, now_ms)
        if client.player is None:
            self._admit(client, name)
        self._state.owed_tournaments.add(client.number)
        self._state.owed_games.add(client.number)

    def _admit(self, client: LobbyClient, name: str) -> None:
        """Note who a client is; its seat, if it has one, it gets with `JOIN-M` or `JOIN-T`."""
        player = client.player = self._state.players.setdefault(name_key(name), LobbyPlayer(name))
        player.client, player.joins, player.address = client.number, False, client.address
        self._state.effects.append(AdmitClient(client.number))
        if client.extensions:
            self._state.send(client, ExtensionsMessage(frozenset(Extension)))

    def _leave_place(self, player: LobbyPlayer) -> None:
        """Give up the place of a player, if it has one."""
        if player.game is not None:
            self.games.leave(player, player.game, "it has left")
        elif player.tournament is not None:
            self.tournaments.withdraw_player(player, player.tournament)

    # Basics

    def _lose(self, client: LobbyClient, reason: str, now_ms: int) -> None:
        """Handle that a connection is gone: its player's seat is kept for a while."""
        player, client.player = client.player, None
        self._holding.discard(client.number)
        if player is None or player.client != client.number:
            return
        self._state.unlink(player, reason)
        player.client, player.joins, player.away_since_ms = 0, False, now_ms
        if not player.is_placed:
            self._state.set_free(player)

    def _refuse(self, client: LobbyClient, why: str) -> None:
        self._state.send(client, NakMessage(why))
        client.bad_lines += 1
        if client.bad_lines >= BAD_LINES_MAX:
            why = f"{client.bad_lines} lines were refused, the limit is {BAD_LINES_MAX}"
            self._dismiss(client, why, client.heard_at_ms)

    def _dismiss(self, client: LobbyClient, reason: str, now_ms: int) -> None:
        self._state.send(client, NakMessage(reason))
        self._end_connection(client, reason, now_ms)

    def _end_connection(self, client: LobbyClient, reason: str, now_ms: int) -> None:
        if Extension.END in client.extensions:
            self._state.send(client, EndMessage(reason))
        self._state.effects.append(CloseClient(client.number, reason))
        self._state.clients.pop(client.number, None)
        self._lose(client, reason, now_ms)

    def tell_lists(self) -> list[LobbyEffect]:
        """Send the lists that have changed to all clients without a place; call it soon when `has_news`."""
        tournaments, games = TournamentsMessage(self.tournaments.listed()), GamesMessage(self.games.listed())
        for client in self._state.clients.values():
            if client.player is not None and not client.player.is_placed:
                if client.told_tournaments != tournaments:
                    self._state.owed_tournaments.add(client.number)
                if client.told_games != games:
                    self._state.owed_games.add(client.number)
        self._told = tournaments, games
        return self._take_effects()

    def _tell_all(self, message: StatefulMessage, clients: Iterable[LobbyClient]) -> None:
        line = format_message(message)
        self._state.effects += [SendToClient(client.number, line) for client in clients]

    def _take_effects(self) -> list[LobbyEffect]:
        """Return the effects, with the lists for clients that are owed them."""
        state = self._state
        tournaments, games = TournamentsMessage(self.tournaments.listed()), GamesMessage(self.games.listed())
        self.has_news = self._told != (tournaments, games)
        if state.owed_tournaments:
            clients = state.take_clients(state.owed_tournaments)
            self._tell_all(tournaments, clients)
            for client in clients:
                client.told_tournaments = tournaments
        if state.owed_games:
            clients = state.take_clients(state.owed_games)
            self._tell_all(games, clients)
            for client in clients:
                client.told_games = games
        effects, state.effects = state.effects, []
        return effects


def _word_of(line: bytes) -> bytes:
    return line.lstrip()[:8].partition(b" ")[0].rstrip().upper()


def _note_extensions(client: LobbyClient, line: bytes) -> None:
    """Note what a client asks for that says it to its table."""
    try:
        message = parse_player_message(line)
    except FormatError:
        return  # its table says why
    if isinstance(message, ExtensionsMessage):
        client.extensions = message.extensions
