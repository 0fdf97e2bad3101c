"""The seating of a lobby: who its clients are, and what they ask of its games and tournaments (SS-39 to SS-46).

Clients come through a `front_door`. A game forms here until it has four players; then its table is opened
(`StartGame`), which offers its seats, and each player speaks to the table as long as it sits there. Seats belong to
names: a player whose connection is lost has its seat for a while, and gets it back with `HELLO` and `JOIN-M`.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from tourney.errors import FormatError
from tourney.protocol.access import PhraseHash, PhrasePending
from tourney.protocol.lines import Overlong
from tourney.protocol.stateful.front_door import (
    FrontDoorEffect,
    KeepName,
    ProbeClient,
    SeatKey,
    SeatOffer,
    SendToClient,
)
from tourney.protocol.stateful.lobby.games import LobbyGames
from tourney.protocol.stateful.lobby.state import (
    LobbyClient,
    LobbyLimits,
    LobbyPlayer,
    LobbyState,
    NameRegistry,
    name_key,
    parse_player,
)
from tourney.protocol.stateful.lobby.tournaments import LobbyTournaments
from tourney.protocol.stateful.messages import (
    Extension,
    GameMessage,
    GamesMessage,
    JoinGameMessage,
    JoinTournamentMessage,
    LeaveMessage,
    PingMessage,
    StartMessage,
    StatefulMessage,
    TournamentsMessage,
    format_message,
)
from tourney.protocol.stateful.values import game_number

PROBE_MS: Final = 4000
"""How long the other end of a connection has to show that it is there, before one that wants its name is refused."""

HELD_LINES_MAX: Final = 20
"""Lines that may follow a `HELLO` that is not answered yet."""

GAMES_HOST: Final = 0
"""The number of the host whose tables are those of games; the tables of a tournament are those of the host of its
number."""


@dataclass(slots=True, eq=False)
class HeldHello:
    """A `HELLO` with a name that another connection has, which may be gone: it is answered when that is known."""

    name: str
    rival: int
    """The number of the other connection."""
    since_ms: int
    lines: list[bytes] = field(default_factory=list)
    """What the client has said after it."""


class LobbyCore(LobbyState):
    """Seats the clients of one lobby."""

    own_words = frozenset({b"HELLO", b"JOIN-M", b"JOIN-T", b"X-LEAVE", b"X-START"})

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
        super().__init__(limits)
        self._kinds = tuple(kinds)
        self._names = NameRegistry(name, limits.names, kept or {})
        self.games = LobbyGames(self, self._kinds)
        self.tournaments = LobbyTournaments(self)
        self._held: dict[int, HeldHello] = {}
        """What clients have said in a `HELLO` that is not answered yet."""
        self._sent = TournamentsMessage(), GamesMessage()
        """The lists as clients without a place were last told."""
        self._sent_to: tuple[dict[int, StatefulMessage], ...] = ({}, {})
        """The lists as each client was last sent them."""
        self._described_to: dict[int, frozenset[GameMessage]] = {}
        """The games as each client was last told that has asked for their players."""
        self.has_news = False
        """Whether a list, or who sits in a game of it, has changed since."""

    # What clients say, and what comes of their seats

    def hears(self, client: LobbyClient, line: bytes | Overlong, now_ms: int) -> bool:
        self._end_holds(client.number, now_ms, is_gone=False)
        held = self._held.get(client.number)
        if held is None:
            if client.player is not None and client.player.game is not None:
                client.player.game.heard_at_ms = now_ms
            return True
        if isinstance(line, bytes) and len(held.lines) < HELD_LINES_MAX:
            held.lines.append(line)
        else:
            why = f"{HELD_LINES_MAX} lines may follow a HELLO that is being answered"
            self.send_away(client, why, now_ms)
        return False

    def receive_request(
        self, client: LobbyClient, player: LobbyPlayer, message: StatefulMessage, now_ms: int
    ) -> None:
        match message:
            case JoinGameMessage(game=str() as game) if (
                (own := player.tournament) is not None
                and own.pairs
                and not (game_number(game.lower()) or game.lower() in self._kinds)
            ):
                # JOINED has named a game of the tournament: its table says whether it is this one.
                self.tournaments.reconnect(player, own, message)
            case JoinGameMessage():
                self.games.join(player, message, now_ms)
            case JoinTournamentMessage():
                self.tournaments.join(player, message, now_ms)
            case StartMessage():
                self.tournaments.start(player)
            case LeaveMessage():
                if not player.is_placed:
                    raise FormatError("you have no seat: JOIN-M takes one")
                player.check_free()
                self.leave_place(player)
            case _:
                raise FormatError(self._why_no_table(player))

    def free(self, player: LobbyPlayer, key: SeatKey, *, was_seated: bool, is_over: bool) -> None:
        game = player.game
        if player.tournament is not None:
            self.tournaments.link(player.tournament)
        elif game is not None and not is_over:
            self.games.note_unlinked(player, game)

    def lose(self, client: LobbyClient, now_ms: int, *, is_gone: bool) -> None:
        player, client.player = client.player, None
        self._held.pop(client.number, None)
        for newly_sent in self._sent_to:
            newly_sent.pop(client.number, None)
        self._described_to.pop(client.number, None)
        if player is not None:  # its seat is kept for a while
            player.client, player.joins, player.away_since_ms = 0, False, now_ms
            if not player.is_placed:
                self.set_free(player, "it is gone")
        if is_gone:
            self._end_holds(client.number, now_ms, is_gone=True)

    def complete(self) -> None:
        lists = self._lists()
        self.has_news = self._sent != lists or self.games.has_new_players
        for message, owed, newly_sent in zip(
            lists, (self.owed_tournaments, self.owed_games), self._sent_to, strict=True
        ):
            if owed:
                line = format_message(message)
                for number in sorted(owed & self.clients.keys()):
                    if owed is self.owed_games:
                        self._describe_games(self.clients[number])
                    self.effects.append(SendToClient(number, line))
                    newly_sent[number] = message
                owed.clear()

    def send_lists(self) -> list[FrontDoorEffect]:
        """Send the lists that have changed to all clients without a place; call it soon when `has_news`."""
        self._sent = lists = self._lists()
        has_new_players, self.games.has_new_players = self.games.has_new_players, False
        owed = self.owed_tournaments, self.owed_games
        for number, client in self.clients.items():
            if client.player is not None and not client.player.is_placed:
                for message, owing, newly_sent in zip(lists, owed, self._sent_to, strict=True):
                    if newly_sent.get(number) != message:
                        owing.add(number)
                if has_new_players and Extension.GAMES in client.extensions:
                    self.owed_games.add(number)
        return self.take_effects()

    def _describe_games(self, client: LobbyClient) -> None:
        """Tell a client that has asked for it the games that are new to it, or whose players have changed."""
        if Extension.GAMES not in client.extensions:
            return
        described = self.games.described()
        known = self._described_to.get(client.number, frozenset())
        for message in described:
            if message not in known:
                self.send(client, message)
        self._described_to[client.number] = frozenset(described)

    def _lists(self) -> tuple[TournamentsMessage, GamesMessage]:
        return TournamentsMessage(self.tournaments.listed()), GamesMessage(self.games.listed())

    # Names

    def log_on(self, client: LobbyClient, said: str, now_ms: int, *, may_wait: bool = True) -> None:
        name, phrase = parse_player(said)
        if client.player is not None and name_key(client.player.name) != name_key(name):
            raise FormatError(f"this connection is {client.player.name}'s already")
        known = self.players.get(name_key(name))
        rival = self.clients.get(known.client) if known is not None and known.client != client.number else None
        if rival is not None and not (phrase is not None and self._names.is_kept(name)):
            if not may_wait:
                raise FormatError(f"{name} is here already, on another connection: take another name")
            # Whoever comes back at once may be quicker than the end of its last connection.
            self._held[client.number] = HeldHello(said, rival.number, now_ms)
            self.effects.append(ProbeClient(rival.number))
            if Extension.PING in rival.extensions:
                self.send(rival, PingMessage(f"H{client.number}"))
            return
        kept = self._names.check(name, phrase, self.phrases, client.address, now_ms)
        if kept is not None:
            self.effects.append(KeepName(name_key(name), kept))
        if rival is not None:
            self.send_away(rival, f"{name} has connected again, with the pass phrase", now_ms)
        if client.player is None:  # its seat, if it has one, it gets with `JOIN-M` or `JOIN-T`
            player = self.players.setdefault(name_key(name), LobbyPlayer(name))
            player.address = client.address
            self.admit(client, player)
        self.owe_lists(client.number)

    def _end_holds(self, rival: int, now_ms: int, *, is_gone: bool) -> None:
        """Answer those who want the name of a connection, which has shown whether it is there."""
        for number, held in list(self._held.items()):
            if held.rival == rival:
                self._end_hold(number, now_ms, is_refused=not is_gone)

    def _end_hold(self, number: int, now_ms: int, *, is_refused: bool) -> None:
        held, client = self._held.pop(number, None), self.clients.get(number)
        if held is None or client is None:
            return
        try:
            self.log_on(client, held.name, now_ms, may_wait=not is_refused)
        except FormatError as error:
            self.refuse(client, str(error))
        except PhrasePending:  # nobody waits for it: its line has been read
            self.refuse(client, f"{parse_player(held.name)[0]} is free now: say HELLO again")
        for at, line in enumerate(held.lines):
            if number not in self.clients:
                return
            if (now := self._held.get(number)) is not None:  # another has come before it: what is left waits with it
                now.lines += held.lines[at:]
                return
            self.read_line(client, line, now_ms)

    # Time

    def poll(self, now_ms: int) -> list[FrontDoorEffect]:
        """Free seats whose players do not come back, and end games and connections in which nothing happens."""
        self.games.poll(now_ms)
        self.tournaments.poll(now_ms)
        played = {key for key, player in self.players.items() if player.is_seated}
        self.effects += [KeepName(key, None) for key in self._names.expire(played, now_ms)]
        idle_ms = self.limits.idle_game_ms
        for client in list(self.clients.values()):
            held = self._held.get(client.number)
            if held is not None and now_ms - held.since_ms >= PROBE_MS:
                self._end_hold(client.number, now_ms, is_refused=True)
            is_outside = client.player is None or not client.player.is_placed
            if is_outside and now_ms - client.heard_at_ms >= idle_ms:
                why = f"a client without a seat says something within {idle_ms // 1000} s"
                self.send_away(client, why, now_ms)
        return self.take_effects()

    # Tables

    def offer_seat(self, key: SeatKey, offer: SeatOffer) -> list[FrontDoorEffect]:
        tournament = self.tournaments.by_number.get(key.host)
        if tournament is not None:
            tournament.offers[key] = offer
            self.tournaments.link(tournament)
        elif key.host == GAMES_HOST:
            self.games.offer(offer.game, key)
        return self.take_effects()

    def withdraw_seat(self, key: SeatKey) -> None:
        tournament = self.tournaments.by_number.get(key.host)
        if tournament is not None:
            tournament.offers.pop(key, None)
        elif key.host == GAMES_HOST:
            self.games.withdraw(key)

    def _why_no_table(self, player: LobbyPlayer) -> str:
        """Return why a player that wants to call or play cannot."""
        game, tournament = player.game, player.tournament
        if tournament is not None and player.joins:
            if tournament.pairs:
                return f"your next table in {tournament.id} is not open yet: JOINED says when it is"
            return f"{tournament.id} has not begun, {self.tournaments.when_it_begins(tournament)}"
        if game is not None and player.joins:
            missing = 4 - len(game.seats)
            waits = f"it waits for {missing} more" if missing else "its table is being opened"
            return f"{game.id} has not begun: {waits}"
        return f"you have no seat yet: JOIN-M makes a game of {self._kinds[0]}, and JOIN-M g1 joins one"

    def leave_place(self, player: LobbyPlayer) -> None:
        if player.game is not None:
            self.games.leave(player, player.game, "it has left")
        elif player.tournament is not None:
            self.tournaments.withdraw_player(player, player.tournament)
