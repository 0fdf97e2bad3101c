"""The games of a lobby: made, joined and left, filled with our own players, and begun once they have four."""

import itertools
from collections.abc import Iterable, Mapping
from typing import Final

from tourney.bridge import SEATS, Seat
from tourney.errors import FormatError
from tourney.protocol.admission import SlidingWindow
from tourney.protocol.session.logon import ANY_SEAT_ORDER
from tourney.protocol.stateful.front_door import BreakOff, SeatKey, StartGame
from tourney.protocol.stateful.lobby.state import (
    LobbyGame,
    LobbyPlayer,
    LobbyState,
    bot_name,
    check_share,
    is_bot,
    name_key,
)
from tourney.protocol.stateful.messages import GameMessage, JoinedMessage, JoinGameMessage, LeftMessage, NakMessage
from tourney.protocol.stateful.values import game_number

LISTED_MAX: Final = 250
"""Games in a list at most: as many as a line of 2,048 bytes holds, with ids of seven characters."""


class LobbyGames:
    """The games that are forming or in play."""

    def __init__(self, lobby: LobbyState, kinds: tuple[str, ...]) -> None:
        """Prepare; `kinds` are the kinds of games, the usual one first."""
        self.by_number: dict[int, LobbyGame] = {}
        self.has_new_players = False
        """Whether somebody sits down or leaves since this was last set back."""
        self._lobby = lobby
        self._kinds = kinds
        self._bot_numbers = itertools.count(-1, -1)
        self._used: set[int] = set()
        """The numbers of all games, those that are over as well."""
        self._starts = SlidingWindow(lobby.limits.starts_per_name)
        self._starts_of_addresses = SlidingWindow(lobby.limits.starts_per_address)

    # The record

    def use_number(self, number: int) -> None:
        """Note a game of the record that is over."""
        self._used.add(number)

    def restore(
        self,
        number: int,
        kind: str,
        players: Mapping[Seat, str],
        now_ms: int,
        *,
        board: int = 0,
        holders: Iterable[tuple[Seat, str, str]] = (),
    ) -> None:
        """Take up a game of the record that is not over; its persons may come back to their seats.

        Args:
            number: that of the game.
            kind: that of the game.
            players: who has sat in each seat last.
            now_ms: the time.
            board: the number of the board in play; 0 between boards.
            holders: who has held which seat on that board, with the address.
        """
        self._used.add(number)
        game = self.by_number[number] = LobbyGame(number, kind, now_ms, is_played=True, board=board)
        for seat, name, address in holders:
            if not is_bot(name):
                game.note_holder(seat, name, address)
        for seat, name in players.items():
            if not is_bot(name) and name_key(name) not in self._lobby.players:
                player = LobbyPlayer(name, game=game, seat=seat, away_since_ms=now_ms)
                self._lobby.players[name_key(name)] = game.seats[seat] = player

    def listed(self) -> tuple[str, ...]:
        """Return the ids of the games that may be joined."""
        return tuple(game.id for game in self._listed())

    def described(self) -> list[GameMessage]:
        """Return what is played in each of the games that may be joined, and who sits there."""
        found = []
        for game in self._listed():
            names = [game.seats[seat].name if seat in game.seats else None for seat in SEATS]
            found.append(GameMessage(game.id, game.kind, *names))
        return found

    def _listed(self) -> Iterable[LobbyGame]:
        return itertools.islice((game for game in self.by_number.values() if game.is_listed), LISTED_MAX)

    # Joining

    def join(self, player: LobbyPlayer, message: JoinGameMessage, now_ms: int) -> None:
        """Seat a player in the game that it asks for, a new one or its own.

        Raises:
            FormatError: there is none, or no seat in it.
        """
        word, position = message.game.lower() if message.game is not None else None, message.position
        if player.game is not None and word in (None, player.game.id):
            if position not in (None, player.seat):
                raise FormatError(f"your seat in {player.game.id} is {player.seat.letter}")
            self._reconnect(player, player.game)
        elif word is None or word in self._kinds:
            player.check_free()
            self._check_rate(player, now_ms)
            self._check_share(player)
            if sum(not each.is_ending for each in self.by_number.values()) >= self._lobby.limits.games:
                raise FormatError(f"this lobby has {self._lobby.limits.games} games at once: join one, or wait")
            self._lobby.leave_place(player)
            game = self._make(word if word is not None else self._kinds[0], player.address, now_ms)
            self._sit(player, game, position if position is not None else ANY_SEAT_ORDER[0])
        else:
            game = self._find(message.game or word)
            seat = self._find_seat(game, player, position)
            player.check_free()
            self._lobby.leave_place(player)
            if (bot := game.seats.get(seat)) is not None:
                self.remove_bot(bot)
            self._sit(player, game, seat)

    def _check_rate(self, player: LobbyPlayer, now_ms: int) -> None:
        """Count a game that a player makes.

        Raises:
            FormatError: it, or its address, has made too many of late.
        """
        key = name_key(player.name)
        for rate, each, whose in (
            (self._starts, key, f"{player.name} makes"),
            (self._starts_of_addresses, player.address, f"all at {player.address} make"),
        ):
            wait_ms = rate.wait_ms(each, now_ms)
            if wait_ms:
                wait_s = -(-wait_ms // 1000)
                raise FormatError(f"{whose} at most {rate.most} games within a minute: the next in {wait_s} s")
        self._starts.note(key, now_ms)
        self._starts_of_addresses.note(player.address, now_ms)

    def _check_share(self, player: LobbyPlayer) -> None:
        """Check that a player may make a game beside those that its address has made.

        Raises:
            FormatError: it may not.
        """
        own = [each for each in self.by_number.values() if each.address == player.address and not each.is_ending]
        left = player.game is not None and player.game in own and player.game.persons == [player]
        check_share(len(own) - left, self._lobby.limits.games, player.address, "games")

    def _find(self, word: str) -> LobbyGame:
        number = game_number(word.lower())
        game = self.by_number.get(number)
        if game is None or game.is_ending:
            kinds = ", ".join(f"JOIN-M {kind}" for kind in self._kinds)
            what = f"the game {word} is over" if number in self._used else f"there is no game {word}"
            raise FormatError(f"{what}: JOIN-M alone or {kinds} makes one")
        return game

    @staticmethod
    def _find_seat(game: LobbyGame, player: LobbyPlayer, position: Seat | None) -> Seat:
        """Return the seat for a player that joins: an empty one, else one of our own players'.

        Raises:
            FormatError: it has none, the wished one is somebody's, or the player would see a second hand of a board.
        """
        wished = ANY_SEAT_ORDER if position is None else (position,)
        free = [seat for seat in wished if seat not in game.seats]
        free += [seat for seat in wished if seat in game.seats and not game.seats[seat].is_person]
        for seat in free:
            if not game.why_not(player, seat):
                return seat
        if free:
            raise FormatError(game.why_not(player, free[0]))
        if position is not None:
            raise FormatError(f"seat {position.letter} of {game.id} is {game.seats[position].name}'s")
        raise FormatError(f"{game.id} has four players")

    def _make(self, kind: str, address: str, now_ms: int) -> LobbyGame:
        number = next(number for number in itertools.count(1) if number not in self._used)
        self._used.add(number)
        game = self.by_number[number] = LobbyGame(number, kind, now_ms, address)
        return game

    def _sit(self, player: LobbyPlayer, game: LobbyGame, seat: Seat) -> None:
        game.seats[seat] = player
        self.has_new_players = True
        player.game, player.seat, player.joins = game, seat, True
        if game.board:
            game.note_holder(seat, player.name, player.address)
        if not game.is_played:  # else the table tells
            self._send_seats(player, game)
            others = [other for other in game.seats.values() if other is not player]
            self._lobby.send_to(others, JoinedMessage(game.id, seat, player.name))
        self._settle(game)

    def _reconnect(self, player: LobbyPlayer, game: LobbyGame) -> None:
        """Give a player its seat back, or have it told the state once more."""
        if player.key is not None:
            self._lobby.send_to_table(player, JoinGameMessage(game.id))
            return
        player.joins = True
        self._send_seats(player, game)
        self._settle(game)

    def _send_seats(self, player: LobbyPlayer, game: LobbyGame) -> None:
        self._lobby.send_to([player], JoinedMessage(game.id, player.seat))
        for seat in SEATS:
            other = game.seats.get(seat)
            if other is not None and other is not player:
                self._lobby.send_to([player], JoinedMessage(game.id, seat, other.name))

    # Seats

    def note_board(self, game_id: str, board: int) -> None:
        """Note that a board begins at the table of a game, 0 once it is over: a void one begins again as it was."""
        game = self.by_number.get(game_number(game_id))
        if game is None:
            return
        if board != game.board:
            game.holders.clear()
        game.board = board
        if board:
            for seat, player in game.seats.items():
                if player.is_person:
                    game.note_holder(seat, player.name, player.address)

    def offer(self, game_id: str, key: SeatKey) -> None:
        """Note an empty seat of a game's table, and give it to whoever sits there."""
        game = self.by_number.get(game_number(game_id))
        if game is not None:
            game.offers[key.seat] = key
            self._link(game)

    def withdraw(self, key: SeatKey) -> None:
        """Note that a seat of a table is not empty any more, or that the table has closed."""
        for game in self.by_number.values():
            if game.offers.get(key.seat) == key:
                del game.offers[key.seat]

    def note_unlinked(self, player: LobbyPlayer, game: LobbyGame) -> None:
        """Note that a table has ended the link of a player, whose session is not over; one of our own is replaced."""
        if not player.is_person:
            self.remove_bot(player)
        self._settle(game)

    def _settle(self, game: LobbyGame) -> None:
        """Fill a game with our own players if it may have as many, begin it once it is full, and seat its players."""
        if game.is_ending:
            return
        if game.is_attended and len(SEATS) - len(game.persons) <= self._lobby.limits.bots:
            for seat in SEATS:
                if seat not in game.seats:
                    self._add_bot(game, seat)
        if len(game.seats) == len(SEATS) and not game.is_played:
            game.is_played = True
            players = {seat: game.seats[seat].name for seat in SEATS}
            self._lobby.effects.append(StartGame(game.number, game.kind, players))
        self._link(game)

    def _link(self, game: LobbyGame) -> None:
        """Connect the players of a game with the seats that its table offers."""
        if game.is_ending:
            return
        for seat, player in game.seats.items():
            if seat in game.offers and player.key is None and player.joins and player.client:
                self._lobby.link(player, game.offers.pop(seat), JoinGameMessage(game.id, seat))

    def _add_bot(self, game: LobbyGame, seat: Seat) -> None:
        number = next(self._bot_numbers)
        bot = LobbyPlayer(bot_name(seat.letter), number, joins=True, game=game, seat=seat)
        self._lobby.own_players[number] = game.seats[seat] = bot
        self.has_new_players = True
        if not game.is_played:
            self._lobby.send_to(game.persons, JoinedMessage(game.id, seat, bot.name))

    def remove_bot(self, bot: LobbyPlayer) -> None:
        """Take one of our own players out of its seat."""
        del self._lobby.own_players[bot.client]
        self._lobby.unlink(bot, "its seat is needed")
        if bot.game is not None:
            del bot.game.seats[bot.seat]

    # Leaving

    def leave(self, player: LobbyPlayer, game: LobbyGame, reason: str) -> None:
        """Free the seat of a player, and tell those who sit with it."""
        del game.seats[player.seat]
        self._release(player, game, reason)
        self._lobby.send_to(game.persons, LeftMessage(game.id, player.seat, player.name))
        if game.persons:
            self._settle(game)
        else:
            self._close(game, f"{player.name} has left, and nobody is left")

    def _release(self, player: LobbyPlayer, game: LobbyGame, reason: str) -> None:
        self.has_new_players = True
        self._lobby.set_free(player, reason)
        self._lobby.send_to([player], LeftMessage(game.id, player.seat))
        self._lobby.owed_games.add(player.client)

    def poll(self, now_ms: int) -> None:
        """Free the seats of players that have not come back, and end games in which nothing happens."""
        limits = self._lobby.limits
        for game in list(self.by_number.values()):
            for player in game.persons:
                is_late = not player.is_here and now_ms - player.away_since_ms >= limits.away_ms
                if is_late and (not game.is_played or game.is_attended):
                    self.leave(player, game, "its player did not come back")
            if not game.is_ending and now_ms - game.heard_at_ms >= limits.idle_game_ms:
                self._close(game, f"nobody has said anything for {limits.idle_game_ms // 1000} s")

    def note_owing(self, number: int, seat: Seat, waited_ms: int) -> None:
        """Note how long the player of a seat has owed a call or card; one that is alone may take its time."""
        game = self.by_number.get(number)
        player = game.seats.get(seat) if game is not None else None
        if game is None or player is None or waited_ms < self._lobby.limits.idle_ms or not player.is_here:
            return
        if any(other.is_here for other in game.persons if other is not player):
            why = f"you have owed a call or card for {waited_ms // 1000} s: your seat in {game.id} is free"
            self._lobby.send_to([player], NakMessage(why))
            self.leave(player, game, "its player did nothing")

    def _close(self, game: LobbyGame, reason: str) -> None:
        """End a game: one in play is broken off, one that has not begun never was."""
        if game.is_played:
            if not game.is_ending:
                game.is_ending = True
                self._lobby.effects.append(BreakOff(game.number, reason))
            return
        self.by_number.pop(game.number, None)
        self._used.discard(game.number)
        self._lobby.send_to(game.persons, NakMessage(f"{game.id} is closed: {reason}"))
        self._clear(game)

    def finish(self, number: int) -> None:
        """Note that a game is over: its players are free for another."""
        game = self.by_number.pop(number, None)
        if game is not None:
            self._clear(game)

    def _clear(self, game: LobbyGame) -> None:
        for player in list(game.seats.values()):
            if player.is_person:
                self._release(player, game, "the game is over")
            else:
                self.remove_bot(player)
        game.seats.clear()
