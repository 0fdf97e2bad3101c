"""The port of a lobby: connections of clients, our own players, and the way of both to the tables of this process."""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import Final, Protocol, TypeAlias

from tourney.bridge import SEATS, Seat
from tourney.config import PortRange
from tourney.protocol.access import ConnectionLimits
from tourney.protocol.lines import Charset, Overlong
from tourney.protocol.pass_phrases import PhraseHash
from tourney.protocol.stateful.gateway import (
    AdmitClient,
    CloseClient,
    LeaveTable,
    SeatKey,
    SeatOffer,
    SendToClient,
    SendToTable,
    TakeSeat,
)
from tourney.protocol.stateful.lobby.core import GAMES_HOST, LobbyCore
from tourney.protocol.stateful.lobby.names import is_bot, pair_name
from tourney.protocol.stateful.lobby.state import (
    BreakOff,
    KeepName,
    LobbyEffect,
    LobbyLimits,
    LookAtGame,
    ProbeClient,
    RelieveSeat,
    StartGame,
    StartTournament,
)
from tourney.table.clock import HostClock
from tourney.table.connection import CLOSE_S, TcpConnection
from tourney.table.doors import UNNAMED_MAX, Door, HostDoors, Strangers
from tourney.table.ports import Accept, Listen, OpenPort, PortServer, listen
from tourney.table.seat_links import HostSeats, Message

__all__ = ["GAMES_HOST", "GameKeeper", "LobbyCore", "LobbyLimits", "LobbyPort", "is_bot", "listen_nowhere"]

Bot: TypeAlias = Callable[[str], list[str]]
"""One of our own players: what it says to a line of its table."""

LISTS_S: Final = 0.1
"""How long a change of the lists may wait: in a busy lobby many come at once, and each goes to every client."""

LOOK_S: Final = 1.0
"""How often seats, games and connections are looked at in which nothing happens."""


class GameKeeper(Protocol):
    """Keeps the games of a lobby on record."""

    def keep_name(self, key: str, phrase: PhraseHash) -> None:
        """Put on record that a name is kept with a pass phrase."""

    def start_game(self, number: int, kind: str, home: str, away: str) -> None:
        """Put a game on record and open its table; `home` is the pair that sits North-South."""

    def start_tournament(self, number: int, pairs: tuple[str, ...]) -> None:
        """Put a tournament on record and play it; its tables offer their seats to `LobbyPort.open_seats(number)`."""

    def look_at_game(self, number: int) -> None:
        """Find out whether a game is over, whose table has closed."""

    def break_off(self, number: int, reason: str) -> None:
        """End a game as it stands."""

    def owed_ms(self, now_ms: int) -> dict[int, dict[Seat, int]]:
        """Return how long players owe calls and cards, by number of the game and seat."""


class LobbyPort:
    """The port of a lobby, its clients, and the core that seats them."""

    def __init__(
        self,
        core: LobbyCore,
        keeper: GameKeeper,
        clock: HostClock,
        limits: ConnectionLimits,
        make_bot: Callable[[], Bot],
    ) -> None:
        """Prepare.

        Args:
            core: decides everything.
            keeper: keeps the games on record.
            clock: the clock of the tables.
            limits: those of one connection.
            make_bot: makes one of our own players.
        """
        self._seats: dict[int, HostSeats] = {}
        """The empty seats of the tables of games under `GAMES_HOST`, and of each tournament under its number."""
        self._core = core
        self._keeper = keeper
        self._clock = clock
        self._limits = limits
        self._make_bot = make_bot
        self._clients: dict[int, TcpConnection] = {}
        self._all_closed = asyncio.Event()
        self._count = 0
        doors = HostDoors(clock)
        doors.note_tables(0, 1, has_clients=True)
        self._strangers = Strangers(doors, self._make_room, "the lobby", places=UNNAMED_MAX, keeps_clients=True)
        self._bots: dict[int, Bot] = {}
        self._server: PortServer | None = None
        self._looking: asyncio.TimerHandle | None = None
        self._telling: asyncio.TimerHandle | None = None

    async def open(self, host: str, port: int, listen: Listen = listen) -> int:
        """Open the port, and return its number.

        Raises:
            LaunchError: another program has it, or the address is not this machine's.
        """
        (opened,) = await listen(host, PortRange(port, port), port, [Door(self._accept, self._strangers)])
        self._server = opened.server
        self._look_later()
        return opened.number

    def open_seats(self, host: int) -> HostSeats:
        """Return where the tables of games, or of a tournament, offer their empty seats."""
        seats = self._seats[host] = HostSeats()
        seats.open_channel(partial(self._receive_later, host))
        return seats

    def interrupt(self, reason: str) -> None:
        """Tell every client that the lobby closes until later, and take no more of them."""
        if self._server is not None:
            self._server.close()
        self._strangers.close()
        for timer in (self._looking, self._telling):
            if timer is not None:
                timer.cancel()
        self._carry_out(self._core.interrupt(reason))

    async def wait_closed(self) -> None:
        """Wait until the last lines have been sent to every client."""
        if self._clients:
            with suppress(TimeoutError):
                async with asyncio.timeout(CLOSE_S):
                    await self._all_closed.wait()

    def finish_game(self, number: int) -> None:
        """Note that a game is over."""
        self._carry_out(self._core.finish_game(number))

    def finish_tournament(self, number: int) -> None:
        """Note that a tournament is over."""
        self._carry_out(self._core.finish_tournament(number))
        self._seats.pop(number, None)

    # Clients

    def _accept(self) -> TcpConnection:
        self._count += 1
        return TcpConnection(self, self._clock, self._count, None, self._limits)

    def _make_room(self) -> None:
        self._carry_out(self._core.make_room(self._clock.now_ms()))

    def connection_opened(self, connection: TcpConnection) -> None:
        self._clients[connection.number] = connection
        self._all_closed.clear()
        self._carry_out(self._core.open_client(connection.number, connection.peer, self._clock.now_ms()))

    def line_received(self, connection: TcpConnection, line: bytes | Overlong, now_ms: int) -> None:
        self._carry_out(self._core.receive_line(connection.number, line, now_ms))

    def line_sent(self, connection: TcpConnection, line: str, clock: int | None, now_ms: int) -> None:
        """The tables log what their players are sent."""

    def limit_passed(self, connection: TcpConnection, reason: str) -> None:
        self._carry_out(self._core.dismiss(connection.number, reason, self._clock.now_ms()))

    def connection_closed(self, connection: TcpConnection, reason: str) -> None:
        self._clients.pop(connection.number, None)
        self._strangers.remove(connection)
        if not self._clients:
            self._all_closed.set()
        self._carry_out(self._core.close_client(connection.number, reason, self._clock.now_ms()))

    # Time

    def _look_later(self) -> None:
        self._looking = asyncio.get_running_loop().call_later(LOOK_S, self._look)

    def _look(self) -> None:
        now_ms = self._clock.now_ms()
        for number, owed in self._keeper.owed_ms(now_ms).items():
            for seat, waited_ms in owed.items():
                self._carry_out(self._core.note_owing(number, seat, waited_ms))
        self._carry_out(self._core.look(now_ms))
        self._look_later()

    def _tell_lists(self) -> None:
        self._telling = None
        self._carry_out(self._core.tell_lists())

    # Tables

    def _receive_later(self, host: int, message: Message) -> None:
        """Handle a message of a table in a turn of its own: not amid the table's work."""
        asyncio.get_running_loop().call_soon(self._receive, host, message)

    def _receive(self, host: int, message: Message) -> None:
        core, now_ms = self._core, self._clock.now_ms()
        match message:
            case ["offer", int(table), int(seat), str(team), str(game)]:
                self._carry_out(core.offer_seat(SeatKey(host, table, SEATS[seat]), SeatOffer(team, game)))
            case ["withdraw", int(table), int(seat)]:
                self._carry_out(core.withdraw_seat(SeatKey(host, table, SEATS[seat])))
            case ["line", int(client), str(line)] if client < 0:
                self._ask_bot(host, client, line)
            case ["line", int(client), str(line)]:
                self._carry_out(core.receive_table_line(host, client, line))
            case ["left", int(client), str(reason), bool(is_over)]:
                self._bots.pop(client, None)
                self._carry_out(core.leave_table(host, client, reason, now_ms, is_over=is_over))
            case ["board", str(game), int(number)] if host == GAMES_HOST:
                self._carry_out(core.note_board(game, number))
            case _:
                pass  # of a later version

    def _tell(self, host: int, message: Message) -> None:
        seats = self._seats.get(host)
        if seats is not None:
            asyncio.get_running_loop().call_soon(seats.receive, message)

    def _ask_bot(self, host: int, number: int, line: str) -> None:
        bot = self._bots.get(number)
        if bot is not None:
            for said in bot(line):
                self._tell(host, ["said", number, said])

    # Effects of the core

    def _carry_out(self, effects: list[LobbyEffect]) -> None:  # noqa: PLR0912 # a case for each effect
        for effect in effects:
            match effect:
                case SendToClient(client=client, line=line):
                    if (connection := self._clients.get(client)) is not None:
                        connection.send(line, None, self._clock.now_ms())
                case SendToTable(host=host, client=client, line=data):
                    self._tell(host, ["said", client, data.decode("latin-1")])
                case TakeSeat(client=client, key=key, peer=peer, lines=lines):
                    if client < 0:
                        self._bots[client] = self._make_bot()
                    self._tell(key.host, ["seat", client, key.table, int(key.seat), peer, list(lines)])
                case ProbeClient(client=client):
                    if (connection := self._clients.get(client)) is not None:
                        connection.probe()
                case RelieveSeat(host=host, client=client, reason=reason):
                    self._tell(host, ["relieve", client, reason])
                case LeaveTable(host=host, client=client, reason=reason):
                    self._bots.pop(client, None)
                    self._tell(host, ["gone", client, reason])
                case AdmitClient(client=client):
                    if (connection := self._clients.get(client)) is not None:
                        connection.admit(0, Charset.UTF_8)
                case CloseClient(client=client):
                    if (connection := self._clients.get(client)) is not None:
                        connection.close()
                case KeepName(key=name, phrase=phrase):
                    self._keeper.keep_name(name, phrase)
                case StartGame(number=number, kind=kind, players=players):
                    pairs = [pair_name(players[seat], players[seat.partner]) for seat in (Seat.NORTH, Seat.EAST)]
                    self._keeper.start_game(number, kind, *pairs)
                case StartTournament(number=number, pairs=names):
                    self._keeper.start_tournament(number, names)
                case LookAtGame(number=number):
                    self._keeper.look_at_game(number)
                case BreakOff(number=number, reason=reason):
                    self._keeper.break_off(number, reason)
        if self._telling is None and effects and self._core.has_news:
            self._telling = asyncio.get_running_loop().call_later(LISTS_S, self._tell_lists)


class _NoServer:
    """Stands for the port of a table that needs none."""

    def close(self) -> None:
        """Nothing is open."""


async def listen_nowhere(_host: str, _ports: PortRange, wished: int, accepts: Sequence[Accept]) -> list[OpenPort]:
    """Open no port: the players of a lobby come through that of the lobby."""
    return [OpenPort(wished, _NoServer()) for _ in accepts]
