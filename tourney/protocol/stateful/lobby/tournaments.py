"""Tournaments of the players' own making: who comes, who plays with whom, and who sits where once they have begun."""

import itertools
from collections.abc import Iterable

from tourney.errors import FormatError
from tourney.plurals import count
from tourney.protocol.stateful.front_door import StartTournament
from tourney.protocol.stateful.lobby.state import (
    JOINER,
    PAIRS_MIN,
    LobbyPlayer,
    LobbyState,
    LobbyTournament,
    check_share,
    name_key,
    pair_name,
)
from tourney.protocol.stateful.messages import JoinGameMessage, JoinTournamentMessage, NakMessage


class LobbyTournaments:
    """The tournaments that are forming or in progress."""

    def __init__(self, lobby: LobbyState) -> None:
        self.by_number: dict[int, LobbyTournament] = {}
        self._lobby = lobby
        self._begun: set[int] = set()
        """The numbers of all that have begun, those that are over as well."""

    # The record

    def use_number(self, number: int) -> None:
        """Note a tournament of the record."""
        self._begun.add(number)

    def restore(self, number: int, pairs: Iterable[str], now_ms: int) -> None:
        """Take up a tournament of the record that is not over; its players may come back to it."""
        self._begun.add(number)
        tournament = self.by_number[number] = LobbyTournament(number)
        for pair in pairs:
            for name in pair.split(JOINER):
                tournament.pairs[name_key(name)] = pair
                if name_key(name) not in self._lobby.players:
                    player = LobbyPlayer(name, tournament=tournament, away_since_ms=now_ms)
                    self._lobby.players[name_key(name)] = player
                    tournament.players.append(player)

    def listed(self) -> tuple[str, ...]:
        """Return the ids of those that are in progress, or have not begun."""
        return tuple(each.id for each in self.by_number.values())

    # Coming and going

    def join(self, player: LobbyPlayer, message: JoinTournamentMessage, now_ms: int) -> None:
        """Give a player a place in the tournament that it asks for, a new one or its own.

        Raises:
            FormatError: there is none, it takes nobody, or the wish for a partner cannot be met.
        """
        own, word = player.tournament, message.tournament.lower() if message.tournament is not None else None
        if own is not None and own.pairs and word in (None, own.id):
            self.reconnect(player, own, JoinTournamentMessage())
            return
        if own is not None and word in (None, own.id):
            tournament, is_new = own, False
        elif word is None:
            tournament, is_new = self._make(player.address), True
        else:
            tournament, is_new = self._find(message.tournament or word), False
        player.check_free()
        unmet = tournament.add(player, message.partner)
        if is_new:
            self.by_number[tournament.number] = tournament
        if own is not tournament:
            self._lobby.leave_place(player)
            player.tournament = tournament
            tournament.joined_at_ms = now_ms
        player.joins = True
        self._lobby.owed_tournaments.add(player.client)
        self._send_unmet(unmet)
        text = f"you are in {tournament.id}, {self.when_it_begins(tournament)}"
        self._lobby.send_note(self._lobby.clients[player.client], text)

    def when_it_begins(self, tournament: LobbyTournament) -> str:
        """Describe what a tournament waits for that has not begun."""
        players, maker = count(len(tournament.players), "player"), tournament.players[0].name
        start_s = self._lobby.limits.start_ms // 1000
        return (
            f"with {players} so far: it begins {start_s} s after the last has come, once there "
            f"are {2 * PAIRS_MIN} or more and an even number, or when {maker} says X-START"
        )

    def reconnect(
        self, player: LobbyPlayer, tournament: LobbyTournament, message: JoinTournamentMessage | JoinGameMessage
    ) -> None:
        """Lead a player back to its table, or have it told the state once more, by what it has said."""
        player.joins = True
        self._lobby.send_to_table(player, message)
        self.link(tournament)

    def _make(self, address: str) -> LobbyTournament:
        own = sum(each.address == address for each in self.by_number.values())
        check_share(own, self._lobby.limits.tournaments, address, "tournaments")
        if len(self.by_number) >= self._lobby.limits.tournaments:
            raise FormatError(
                f"this lobby has {self._lobby.limits.tournaments} tournaments at once: join one, or wait"
            )
        numbers = itertools.count(1)
        return LobbyTournament(
            next(each for each in numbers if each not in self._begun | self.by_number.keys()), address
        )

    def _find(self, word: str) -> LobbyTournament:
        found = next((each for each in self.by_number.values() if each.id == word.lower()), None)
        if found is None:
            raise FormatError(f"there is no tournament {word}: JOIN-T alone makes one")
        if found.pairs:
            raise FormatError(f"{found.id} has begun, and takes nobody any more: JOIN-T alone makes another")
        return found

    def withdraw_player(self, player: LobbyPlayer, tournament: LobbyTournament) -> None:
        """Take a player out of a tournament that has not begun."""
        tournament.remove(player)
        if not tournament.players:
            del self.by_number[tournament.number]
        self._lobby.set_free(player, "it has left")
        self._lobby.owe_lists(player.client)

    def poll(self, now_ms: int) -> None:
        """Take players out of tournaments to come that have been away for too long, and begin those that are due."""
        for tournament in [each for each in self.by_number.values() if not each.pairs]:
            for player in list(tournament.players):
                if not player.is_here and now_ms - player.away_since_ms >= self._lobby.limits.away_ms:
                    self.withdraw_player(player, tournament)
            is_due = now_ms - tournament.joined_at_ms >= self._lobby.limits.start_ms
            if is_due and tournament.can_begin and all(player.is_here for player in tournament.players):
                self._begin(tournament)

    # Playing

    def start(self, player: LobbyPlayer) -> None:
        """Begin the tournament that a player has made.

        Raises:
            FormatError: it has made none, or there are too few.
        """
        tournament = player.tournament
        if tournament is None:
            raise FormatError("you are in no tournament: JOIN-T makes one")
        if tournament.pairs:
            raise FormatError(f"{tournament.id} has begun already")
        if tournament.players[0] is not player:
            raise FormatError(f"{tournament.players[0].name} has made {tournament.id}, and begins it")
        self._begin(tournament)

    def _begin(self, tournament: LobbyTournament) -> None:
        """Pair the players of a tournament, and begin it.

        Raises:
            FormatError: they make no pairs, or too few.
        """
        pairs, unmet = tournament.make_pairs()
        self._send_unmet(unmet)
        for one, other in pairs:
            tournament.pairs |= dict.fromkeys((name_key(one), name_key(other)), pair_name(one, other))
        self._begun.add(tournament.number)
        names = tuple(pair_name(*pair) for pair in pairs)
        self._lobby.effects.append(StartTournament(tournament.number, names))

    def _send_unmet(self, unmet: Iterable[tuple[LobbyPlayer, str]]) -> None:
        for player, why in unmet:
            self._lobby.send_to([player], NakMessage(f"your wish for a partner cannot be met: {why}"))

    def link(self, tournament: LobbyTournament) -> None:
        """Connect the players of a tournament with the seats that their pairs have at its tables."""
        for key, offer in sorted(tournament.offers.items()):
            for player in tournament.players:
                is_free = player.client > 0 and player.joins and player.key is None
                if is_free and tournament.pairs.get(name_key(player.name)) == offer.team:
                    player.seat = key.seat
                    del tournament.offers[key]
                    self._lobby.link(player, key, JoinTournamentMessage())
                    break

    def finish(self, number: int) -> None:
        """Note that a tournament is over: its players are free."""
        tournament = self.by_number.pop(number, None)
        for player in tournament.players if tournament is not None else ():
            self._lobby.owe_lists(player.client)
            self._lobby.set_free(player, "the tournament is over")
