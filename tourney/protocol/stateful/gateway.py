"""The seating at the port of an event: which seat each program of a team has or waits for (SS-35, SS-36).

Hosts offer the empty seats of their tables; programs say `HELLO` with their team's name, and `JOIN-T`. One that is
given a seat speaks to its table from then on (`front_door`), whatever host has it, until that table's session is over
or its host is gone; then it waits for the next seat of its team.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from tourney.bridge import Seat
from tourney.errors import FormatError
from tourney.protocol.access import TeamAccess, parse_peer, split_login
from tourney.protocol.session.logon import ANY_SEAT_ORDER, same_name
from tourney.protocol.stateful.front_door import (
    Client,
    FrontDoor,
    FrontDoorEffect,
    Host,
    Participant,
    SeatKey,
    SeatOffer,
)
from tourney.protocol.stateful.messages import (
    GamesMessage,
    JoinGameMessage,
    JoinTournamentMessage,
    StatefulMessage,
    TournamentsMessage,
)

CLIENTS_MAX: Final = 4096
"""Connections of an event's port: four programs of 256 teams, and as many again four times over."""

CLIENTS_PER_ADDRESS_MAX: Final = 1100
"""Connections from one address: all programs of an event may run on one machine."""

_QUOTE_MAX: Final = 64


@dataclass(slots=True, eq=False)
class TeamProgram(Participant):
    """A program of a team, which has shown that it is: its table asks it for no passphrase."""

    team: str = ""
    """The name as the event has it."""
    refused: set[SeatKey] = field(default_factory=set)
    """Seats that a table has refused it."""
    room: str | None = None
    """The room that it has chosen; None for any."""
    position: Seat | None = None
    """The position that it has chosen. Where its team sits the other way, East is for North and West for South."""
    lost: tuple[str, Seat] | None = None
    """The game and seat that it had before the run was started again, while its table has not offered that seat."""


class GatewayCore(FrontDoor[TeamProgram]):
    """Seats the clients of one event's port."""

    def __init__(self, tournament: str, entrants: Mapping[str, TeamAccess]) -> None:
        """Prepare.

        Args:
            tournament: the id of the event.
            entrants: the names of the teams in the order of the draw, and what each must present; later ones are
                added.
        """
        super().__init__("this port", CLIENTS_MAX, CLIENTS_PER_ADDRESS_MAX)
        self._tournament = tournament
        self._entrants = entrants
        self._offers: dict[SeatKey, SeatOffer] = {}
        self._offered: set[tuple[str, str, Seat]] = set()
        """Team, game and seat of all that has been offered since the run began."""

    # Seats

    def offer_seat(self, key: SeatKey, offer: SeatOffer) -> list[FrontDoorEffect]:
        self._offers[key] = offer
        self._offered.add((offer.team, offer.game, key.seat))
        for player in self._players():
            if player.joins and player.key is None and self._fits(player, key, offer):
                self._seat(player, key)
                break
        return self.take_effects()

    def withdraw_seat(self, key: SeatKey) -> None:
        self._offers.pop(key, None)

    def lose_host(self, host: Host) -> list[FrontDoorEffect]:
        """Note that a table host is gone: its clients wait for seats again."""
        self._offers = {key: offer for key, offer in self._offers.items() if key.host != host}
        for player in self._players():
            if player.key is not None and player.key.host == host:
                if player.is_seated:
                    player.refused.clear()
                player.key, player.is_seated = None, False
                self._try_seats(player)
        return self.take_effects()

    def _players(self) -> Iterator[TeamProgram]:
        return (client.player for client in self.clients.values() if client.player is not None)

    # What clients say

    def log_on(self, client: Client[TeamProgram], said: str, now_ms: int) -> None:
        entrants = self._entrants
        name, phrase = split_login(said, entrants)
        team = next((each for each in entrants if same_name(each, name)), None)
        number = list(entrants).index(team) + 1 if team is not None else None  # its place in the draw
        if team is None or not entrants[team].is_met(
            phrase, parse_peer(client.peer), self.phrases, number=number, shown_number=client.team_number
        ):
            if team is not None and client.team_number not in (None, number):
                self.send_away(client, f"this connection is for another team than {team!r}", now_ms)
                return
            with_phrase = " with that pass phrase" if phrase is not None else " without a pass phrase"
            what = with_phrase if any(access.phrase for access in entrants.values()) else ""
            where = " from that address" if any(access.allow for access in entrants.values()) else ""
            why = f"{name[:_QUOTE_MAX]!r}{what}{where} does not play here"
            self.send_away(client, why, now_ms)
            return
        if client.player is None:
            self.admit(client, TeamProgram(name, team=team, team_number=number))
        elif client.player.team != team:
            raise FormatError(f"this connection is {client.player.team}'s already")
        else:
            client.player.name = name
        self.send(client, TournamentsMessage((self._tournament,)))
        self.send(client, GamesMessage())

    def receive_request(
        self, client: Client[TeamProgram], player: TeamProgram, message: StatefulMessage, now_ms: int
    ) -> None:
        match message:
            case JoinTournamentMessage():
                self._join_tournament(client, player, message)
            case JoinGameMessage():
                self._join_game(player, message)
            case _:
                raise FormatError(f"{player.team} has no seat yet: JOIN-T {self._tournament} asks for one")

    def free(self, player: TeamProgram, key: SeatKey, *, was_seated: bool, is_over: bool) -> None:
        if was_seated:
            player.refused.clear()
        else:
            player.refused.add(key)
        self._try_seats(player)

    # Seating

    def _join_tournament(
        self, client: Client[TeamProgram], player: TeamProgram, message: JoinTournamentMessage
    ) -> None:
        if message.tournament not in (None, self._tournament):
            raise FormatError(f"there is no tournament {message.tournament} here, only {self._tournament}")
        if message.partner is not None and not same_name(message.partner, player.team):
            raise FormatError(f"your partner is of your own team, {player.team}")
        player.joins, player.room, player.position = True, message.room, message.position
        has_table = any(each.key is not None and each.team == player.team for each in self._players())
        has_table = has_table or any(offer.team == player.team for offer in self._offers.values())
        if not self._try_seats(player) and has_table:
            what = f"{player.position.title} of {player.team}" if player.position else f"no seat of {player.team}"
            where = f" in the {player.room} room" if player.room is not None else ""
            free = "is not free" if player.position else "is free"
            self.send_note(client, f"{what}{where} {free} now: the next that is free is yours")

    def _join_game(self, player: TeamProgram, message: JoinGameMessage) -> None:
        if message.game is None:
            raise FormatError(f"no games are made here: JOIN-T {self._tournament} asks for a seat")
        wish = [
            key
            for key, offer in self._offers.items()
            if offer.game == message.game and message.position in (None, key.seat) and self._fits(player, key, offer)
        ]
        if not wish:
            if message.position is not None and self._is_to_come(player.team, message.game, message.position):
                player.joins, player.lost = True, (message.game, message.position)
                return
            seat = f"seat {message.position.letter} of" if message.position is not None else "seat in"
            raise FormatError(
                f"no {seat} game {message.game} is free for {player.team}: JOIN-T {self._tournament} asks for any"
            )
        player.joins = True
        self._seat(player, min(wish, key=self._order))

    def _is_to_come(self, team: str, game: str, seat: Seat) -> bool:
        """Return whether a table that the run is starting again may yet offer a seat, which its player comes back to.

        Partners who were given any seat meanwhile would change hands.
        """
        known = {each for each in self._offered if each[0] == team or each[1:] == (game, seat)}
        return all(_match_of(each[1]) == _match_of(game) and each[1:] != (game, seat) for each in known)

    def _try_seats(self, player: TeamProgram) -> bool:
        """Give a player the first seat that there is for it; return whether there is one."""
        fitting = [key for key, offer in self._offers.items() if self._fits(player, key, offer)]
        if fitting:
            self._seat(player, min(fitting, key=self._order))
        return bool(fitting)

    @staticmethod
    def _fits(player: TeamProgram, key: SeatKey, offer: SeatOffer) -> bool:
        is_chosen = player.room is None or offer.game.endswith(player.room)
        if player.position is not None:
            is_chosen = is_chosen and _is_first(player.position) == _is_first(key.seat)
        if player.lost is not None and _match_of(offer.game) == _match_of(player.lost[0]):
            is_chosen = (offer.game, key.seat) == player.lost
        return is_chosen and offer.team == player.team and key not in player.refused

    def _order(self, key: SeatKey) -> tuple[str, int]:
        return self._offers[key].game, ANY_SEAT_ORDER.index(key.seat)

    def _seat(self, player: TeamProgram, key: SeatKey) -> None:
        del self._offers[key]
        player.lost = None
        self.link(player, key, JoinTournamentMessage())


def _match_of(game: str) -> str:
    """Return what the games of both rooms of a match have in common."""
    return game.removesuffix("open").removesuffix("closed")


def _is_first(seat: Seat) -> bool:
    """Return whether a seat is that of the first of two partners."""
    return seat in (Seat.NORTH, Seat.EAST)
