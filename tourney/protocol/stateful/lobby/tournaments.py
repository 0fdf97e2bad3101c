"""Tournaments of the players' own making: who comes, who plays with whom, and who sits where once they have begun."""

import itertools
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Final

from tourney.errors import FormatError
from tourney.plurals import count
from tourney.protocol.stateful.front_door import SeatKey, SeatOffer, SendToTable, StartTournament
from tourney.protocol.stateful.lobby.names import name_key, pair_name, split_pair
from tourney.protocol.stateful.lobby.state import LobbyClient, LobbyLimits, LobbyPlayer, LobbyState
from tourney.protocol.stateful.messages import JoinGameMessage, JoinTournamentMessage, NakMessage, format_message

PAIRS_MIN: Final = 4
"""Pairs that a tournament has at least (SS-46)."""

PAIRS_MAX: Final = 100
"""Pairs that a tournament has at most."""


class Roster:
    """The players of a tournament before it begins, and their wishes for partners."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}
        """The names of the players by their keys, in the order in which they came."""
        self._wishes: dict[str, str] = {}
        """The key of the wished partner, by that of the player."""
        self._wished: dict[str, str] = {}
        """The names of wished partners as they were given, by their keys."""

    def __contains__(self, name: str) -> bool:
        return name_key(name) in self._names

    def __len__(self) -> int:
        return len(self._names)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self._names.values())

    @property
    def can_begin(self) -> bool:
        """Whether the players make pairs, and enough of them."""
        return len(self._names) >= 2 * PAIRS_MIN and len(self._names) % 2 == 0

    def add(self, name: str, partner: str | None) -> list[tuple[str, str]]:
        """Add a player, or replace its wish; return whose wishes cannot be met any more, each with the reason.

        Raises:
            FormatError: its own wish cannot be met, or there are too many players.
        """
        key, wish = name_key(name), name_key(partner) if partner is not None else None
        if key not in self._names and len(self._names) >= 2 * PAIRS_MAX:
            raise FormatError(f"a tournament has at most {PAIRS_MAX} pairs, and this one has them")
        if wish == key:
            raise FormatError("a partner is somebody else")
        if wish is not None:
            theirs = self._wishes.get(wish)
            if wish in self._names and theirs not in (None, key):
                raise FormatError(f"{self._names[wish]} wants to play with {self._shown(theirs or '')}")
            rival = next((each for each, wished in self._wishes.items() if wished == wish and each != key), None)
            if rival is not None and theirs != key:
                raise FormatError(f"{self._names[rival]} has asked for {partner} before")
        self._names.setdefault(key, name)
        self._wishes.pop(key, None)
        if wish is None:
            return []
        self._wishes[key] = wish
        self._wished[wish] = " ".join((partner or "").split())
        lost = [each for each, wished in self._wishes.items() if wished == key and each != wish]
        for each in lost:
            del self._wishes[each]
        return [(self._names[each], f"{name} plays with {self._shown(wish)}") for each in lost]

    def remove(self, name: str) -> None:
        """Remove a player that has left."""
        self._names.pop(name_key(name), None)
        self._wishes.pop(name_key(name), None)

    def make_pairs(self) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
        """Pair the players: those that wish for each other, then the others in the order in which they came.

        Return the pairs, and whose wishes are not met because the partner has not come, each with the reason.

        Raises:
            FormatError: they make no pairs, or too few.
        """
        if not self.can_begin:
            raise FormatError(
                f"a tournament has at least {PAIRS_MIN} pairs and an even number of players, there are "
                f"{len(self._names)}"
            )
        pairs, paired, unmet = [], set[str](), []
        for key, wish in self._wishes.items():
            if wish not in self._names:
                unmet.append((self._names[key], f"{self._shown(wish)} has not come"))
            elif key not in paired and wish not in paired:
                pairs.append((self._names[key], self._names[wish]))
                paired |= {key, wish}
        left = [name for key, name in self._names.items() if key not in paired]
        pairs += zip(left[::2], left[1::2], strict=True)
        return pairs, unmet

    def _shown(self, key: str) -> str:
        return self._names.get(key) or self._wished.get(key, key)


@dataclass(slots=True, eq=False)
class LobbyTournament:
    """A tournament. Players come until it begins, and it has pairs from then on."""

    number: int
    roster: Roster = field(default_factory=Roster)
    players: list[LobbyPlayer] = field(default_factory=list)
    """In the order in which they came: the first is its maker."""
    pairs: dict[str, str] = field(default_factory=dict)
    """The name of the pair of each player, by `name_key`; empty before it begins."""
    offers: dict[SeatKey, SeatOffer] = field(default_factory=dict)
    """The empty seats of its tables."""
    joined_at_ms: int = 0
    """When the last player came."""

    @property
    def id(self) -> str:
        return tournament_id(self.number)


def tournament_id(number: int) -> str:
    """Return the id of a tournament: `t3`."""
    return f"t{number}"


class LobbyTournaments:
    """The tournaments that are forming or in progress."""

    def __init__(self, state: LobbyState, limits: LobbyLimits, leave_place: Callable[[LobbyPlayer], None]) -> None:
        """Prepare; the arguments are those of `LobbyGames`."""
        self.by_number: dict[int, LobbyTournament] = {}
        self._state = state
        self._limits = limits
        self._leave_place = leave_place
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
            for name in split_pair(pair):
                tournament.pairs[name_key(name)] = pair
                if name_key(name) not in self._state.players:
                    player = LobbyPlayer(name, tournament=tournament, away_since_ms=now_ms)
                    self._state.players[name_key(name)] = player
                    tournament.players.append(player)

    def listed(self) -> tuple[str, ...]:
        """Return the ids of those that are in progress, or have not begun."""
        return tuple(each.id for each in self.by_number.values())

    # Coming and going

    def join(self, client: LobbyClient, player: LobbyPlayer, message: JoinTournamentMessage, now_ms: int) -> None:
        """Give a player a place in the tournament that it asks for, a new one or its own.

        Raises:
            FormatError: there is none, it takes nobody, or the wish for a partner cannot be met.
        """
        own, word = player.tournament, message.tournament.lower() if message.tournament is not None else None
        if own is not None and own.pairs and word in (None, own.id):
            self.reconnect(client, player, own, JoinTournamentMessage())
            return
        if own is not None and word in (None, own.id):
            tournament, is_new = own, False
        elif word is None:
            tournament, is_new = self._make(), True
        else:
            tournament, is_new = self._find(message.tournament or word), False
        player.check_free()
        unmet = tournament.roster.add(player.name, message.partner)
        if is_new:
            self.by_number[tournament.number] = tournament
        if own is not tournament:
            self._leave_place(player)
            player.tournament = tournament
            tournament.players.append(player)
            tournament.joined_at_ms = now_ms
        player.joins = True
        self._state.owed_tournaments.add(client.number)
        self._send_unmet(unmet)
        self._state.log_remark(player, f"you are in {tournament.id}, {self.when_it_begins(tournament)}")

    def when_it_begins(self, tournament: LobbyTournament) -> str:
        """Describe what a tournament waits for that has not begun."""
        players, maker = count(len(tournament.roster), "player"), tournament.players[0].name
        return (
            f"with {players} so far: it begins {self._limits.start_ms // 1000} s after the last has come, once there "
            f"are {2 * PAIRS_MIN} or more and an even number, or when {maker} says X-START"
        )

    def reconnect(
        self,
        client: LobbyClient,
        player: LobbyPlayer,
        tournament: LobbyTournament,
        message: JoinTournamentMessage | JoinGameMessage,
    ) -> None:
        """Lead a player back to its table, or have it told the state once more, by what it has said."""
        player.joins = True
        if player.key is not None:
            self._state.front_door.effects.append(
                SendToTable(player.key.host, client.number, format_message(message).encode())
            )
        self.link(tournament)

    def _make(self) -> LobbyTournament:
        if len(self.by_number) >= self._limits.tournaments:
            raise FormatError(f"this lobby has {self._limits.tournaments} tournaments at once: join one, or wait")
        numbers = itertools.count(1)
        return LobbyTournament(next(each for each in numbers if each not in self._begun | self.by_number.keys()))

    def _find(self, word: str) -> LobbyTournament:
        found = next((each for each in self.by_number.values() if each.id == word.lower()), None)
        if found is None:
            raise FormatError(f"there is no tournament {word}: JOIN-T alone makes one")
        if found.pairs:
            raise FormatError(f"{found.id} has begun, and takes nobody any more: JOIN-T alone makes another")
        return found

    def withdraw_player(self, player: LobbyPlayer, tournament: LobbyTournament) -> None:
        """Take a player out of a tournament that has not begun."""
        tournament.roster.remove(player.name)
        tournament.players.remove(player)
        if not tournament.players:
            del self.by_number[tournament.number]
        self._state.set_free(player)
        self._state.owed_tournaments.add(player.client)
        self._state.owed_games.add(player.client)

    def poll(self, now_ms: int) -> None:
        """Take players out of tournaments to come that have been away for too long, and begin those that are due."""
        for tournament in [each for each in self.by_number.values() if not each.pairs]:
            for player in list(tournament.players):
                if not player.is_here and now_ms - player.away_since_ms >= self._limits.away_ms:
                    self.withdraw_player(player, tournament)
            is_due = now_ms - tournament.joined_at_ms >= self._limits.start_ms
            if is_due and tournament.roster.can_begin and all(player.is_here for player in tournament.players):
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
        pairs, unmet = tournament.roster.make_pairs()
        self._send_unmet(unmet)
        for one, other in pairs:
            tournament.pairs |= dict.fromkeys((name_key(one), name_key(other)), pair_name(one, other))
        self._begun.add(tournament.number)
        names = tuple(pair_name(*pair) for pair in pairs)
        self._state.front_door.effects.append(StartTournament(tournament.number, names))

    def _send_unmet(self, unmet: Iterable[tuple[str, str]]) -> None:
        for name, why in unmet:
            player = self._state.players[name_key(name)]
            self._state.send_to([player], NakMessage(f"your wish for a partner cannot be met: {why}"))

    def link(self, tournament: LobbyTournament) -> None:
        """Connect the players of a tournament with the seats that their pairs have at its tables."""
        for key, offer in sorted(tournament.offers.items()):
            for player in tournament.players:
                is_free = player.client > 0 and player.joins and player.key is None
                if is_free and tournament.pairs.get(name_key(player.name)) == offer.team:
                    player.seat = key.seat
                    del tournament.offers[key]
                    self._state.front_door.link(player, key, JoinTournamentMessage())
                    break

    def finish(self, number: int) -> None:
        """Note that a tournament is over: its players are free."""
        tournament = self.by_number.pop(number, None)
        for player in tournament.players if tournament is not None else ():
            self._state.front_door.unlink(player, "the tournament is over")
            self._state.owed_tournaments.add(player.client)
            self._state.owed_games.add(player.client)
            self._state.set_free(player)
