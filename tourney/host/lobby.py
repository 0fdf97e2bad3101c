"""The port of a lobby: a front door, the lists that it tells its clients, and the games that go on record."""

import asyncio
from collections.abc import Callable
from typing import Final, Protocol

from tourney.bridge import Seat
from tourney.host.front_door import FrontDoorPort, OwnPlayer
from tourney.host.ports import HostAdmission, Listen, listen
from tourney.host.seat_links import HostSeats, Message
from tourney.protocol.access import ConnectionLimits
from tourney.protocol.stateful.front_door import (
    BreakOff,
    FrontDoorEffect,
    GameEffect,
    Host,
    KeepName,
    StartGame,
    StartTournament,
)
from tourney.protocol.stateful.lobby.core import GAMES_HOST, LobbyCore
from tourney.protocol.stateful.lobby.state import LobbyLimits, is_bot, pair_name, tournament_id
from tourney.protocol.stateful.values import game_id
from tourney.runtime.clock import HostClock

__all__ = [
    "GAMES_HOST",
    "BreakOff",
    "GameEffect",
    "GameRecorder",
    "Host",
    "KeepName",
    "LobbyCore",
    "LobbyLimits",
    "LobbyPort",
    "StartGame",
    "StartTournament",
    "game_id",
    "is_bot",
    "pair_name",
    "tournament_id",
]

LISTS_S: Final = 0.1
"""How long a change of the lists may wait: in a busy lobby many come at once, and each goes to every client."""

POLL_S: Final = 1.0
"""How often seats, games and connections are looked at in which nothing happens."""


class GameRecorder(Protocol):
    """Keeps the games of a lobby on record."""

    def record(self, effect: GameEffect) -> None:
        """Put on record that a name is kept, or begin or end a game or a tournament.

        The tables of a tournament offer their seats to `LobbyPort.open_seats(number)`.
        """

    def owed_ms(self, now_ms: int) -> dict[int, dict[Seat, int]]:
        """Return how long players owe calls and cards, by number of the game and seat."""


class LobbyPort(FrontDoorPort):
    """The port of a lobby, its clients, and the core that seats them."""

    core: LobbyCore

    def __init__(
        self,
        core: LobbyCore,
        recorder: GameRecorder,
        clock: HostClock,
        limits: ConnectionLimits,
        make_bot: Callable[[], OwnPlayer],
        relay_key: str | None = None,
    ) -> None:
        """Prepare.

        Args:
            core: decides everything.
            recorder: keeps the games on record.
            clock: the clock of the tables.
            limits: those of one connection.
            make_bot: makes one of our own players.
            relay_key: the hash of the key of the web server at which people sit down in their browsers, if any may.
        """
        budget = HostAdmission(clock)
        budget.note_tables(0, 1, has_clients=True)
        super().__init__(core, limits, budget, make_bot, relay_key)
        self._recorder = recorder
        self._poll_timer: asyncio.TimerHandle | None = None
        self._lists_timer: asyncio.TimerHandle | None = None

    async def open(self, host: str, port: int, listen: Listen = listen) -> int:
        number = await super().open(host, port, listen)
        self._poll_later()
        return number

    def open_seats(self, host: Host) -> HostSeats:
        """Return where the tables of games, or of a tournament, offer their empty seats."""
        seats = HostSeats()
        self.add_seats(host, seats)
        return seats

    def interrupt(self, reason: str) -> None:
        """Tell every client that the lobby closes until later, and take no more of them."""
        self.stop_listening()
        for timer in (self._poll_timer, self._lists_timer):
            if timer is not None:
                timer.cancel()
        self.carry_out(self.core.interrupt(reason))

    def finish_game(self, number: int) -> None:
        """Note that a game is over."""
        self.core.games.finish(number)
        self.carry_out(self.core.take_effects())

    def finish_tournament(self, number: int) -> None:
        """Note that a tournament is over."""
        self.core.tournaments.finish(number)
        self.carry_out(self.core.take_effects())
        self.remove_host(number)

    # Time

    def _poll_later(self) -> None:
        self._poll_timer = asyncio.get_running_loop().call_later(POLL_S, self._poll)

    def _poll(self) -> None:
        now_ms = self.clock.now_ms()
        for number, owed in self._recorder.owed_ms(now_ms).items():
            for seat, waited_ms in owed.items():
                self.core.games.note_owing(number, seat, waited_ms)
        self.carry_out(self.core.poll(now_ms))
        self._poll_later()

    def _send_lists(self) -> None:
        self._lists_timer = None
        self.carry_out(self.core.send_lists())

    # What other ports do not have

    def receive(self, host: Host, message: Message) -> None:
        match message:
            case ["board", str(game), int(number)] if host == GAMES_HOST:
                self.core.games.note_board(game, number)
                self.carry_out(self.core.take_effects())
            case _:
                super().receive(host, message)

    def carry_out(self, effects: list[FrontDoorEffect]) -> None:
        super().carry_out(effects)
        if self._lists_timer is None and effects and self.core.has_news:
            self._lists_timer = asyncio.get_running_loop().call_later(LISTS_S, self._send_lists)

    def _carry_out_one(self, effect: FrontDoorEffect) -> None:
        match effect:
            case KeepName() | StartGame() | StartTournament() | BreakOff():
                self._recorder.record(effect)
            case _:
                super()._carry_out_one(effect)
