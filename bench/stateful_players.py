"""Quick clients of the stateful-server protocol on one event loop, all at the one port of an event."""

import asyncio
import sys
import time
from collections.abc import Iterator, Sequence
from itertools import repeat
from typing import Final, NamedTuple, cast

from bench.players import STILL_S, thinking_times
from bench.quiet_tables import THINK_S
from tourney.errors import LaunchError

POSITIONS: Final = "NESW"
REACH_S: Final = 60.0
"""How long the port of an event may take to open: a host opens it beside its tables."""


class PlayedBoards(NamedTuple):
    """What all clients together have done."""

    said: int
    """Calls and cards."""
    lines: int
    """Lines in both directions."""
    turnround_ns: list[int]
    """How long each took: from writing it until the client was told that it counts."""


async def play_stateful(
    host: str, port: int, teams: Sequence[str], boards: int, thinking_ms: int, gap_s: float
) -> PlayedBoards:
    """Connect the clients, four of a table one after the other, and let them play until all have seen all boards.

    Args:
        host: where the event's port is.
        port: the event's port.
        teams: the team of each client, four clients for each table.
        boards: how many boards each table plays.
        thinking_ms: longest thinking time; times are spread evenly from 0.
        gap_s: pause between the log-ons at two tables.

    Raises:
        LaunchError: the port cannot be reached, a client was refused, or a table stalled.
    """
    loop = asyncio.get_running_loop()
    players: list[_Client] = []
    try:
        for number, team in enumerate(teams):
            player = _Client(team, boards, thinking_times(number, thinking_ms))
            players.append(player)
            await _connect(loop, player, host, port)
            if number % 4 == 3:
                await asyncio.sleep(gap_s)
        await _until_over(players)
    finally:
        for player in players:
            player.close()
    times = [taken for player in players for taken in player.turnround_ns]
    said = sum(player.said for player in players)
    lines = sum(player.received for player in players) + said + 2 * len(players)  # two for each log-on
    return PlayedBoards(said, lines, times)


async def _connect(loop: asyncio.AbstractEventLoop, player: "_Client", host: str, port: int) -> None:
    until_s = loop.time() + REACH_S
    while True:
        try:
            await loop.create_connection(lambda: player, host, port)
        except OSError as error:
            if loop.time() >= until_s:
                raise LaunchError(f"the event's port {host} port {port} cannot be reached: {error}") from None
            await asyncio.sleep(0.05)
        else:
            return


async def _until_over(players: Sequence["_Client"]) -> None:
    waiting = {player.over for player in players}
    heard = -1
    while waiting:
        if (now := sum(player.received for player in players)) == heard:
            still = next(player for player in players if player.over in waiting)
            raise LaunchError(
                f"no line has come for {STILL_S:.0f} s, and {len(waiting)} clients wait for one; the first of them, "
                f"{still.who}, was last told {still.last_line!r}"
            )
        heard = now
        done, waiting = await asyncio.wait(waiting, timeout=STILL_S, return_when=asyncio.FIRST_EXCEPTION)
        for future in done:
            future.result()


class _Client(asyncio.Protocol):
    """Opens 1NT as dealer and passes otherwise; plays the first card that it may. It keeps what it was last told."""

    def __init__(self, team: str, boards: int, thinking: Iterator[float]) -> None:
        self.received = self.said = 0
        self.turnround_ns: list[int] = []
        self.over: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.last_line = ""
        self._team = team
        self._position = ""
        self._boards_left = boards
        self._thinking = thinking
        self._thought: asyncio.TimerHandle | None = None
        self._transport: asyncio.Transport | None = None
        self._rest = b""
        self._said_ns = 0
        """When it said what it has not been told about yet; 0 if there is no such thing."""
        self._hand: list[str] = []
        self._dummy: list[str] = []
        self._side = ""
        """The side that has the contract."""

    @property
    def who(self) -> str:
        return f"a client of {self._team} at {self._position or 'no seat'}"

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)  # what a stream connection hands over
        self._transport.write(f'HELLO "{self._team}"\r\nJOIN-T\r\n'.encode())

    def data_received(self, data: bytes) -> None:
        *lines, self._rest = (self._rest + data).split(b"\r\n")
        self.received += len(lines)
        for line in lines:
            self.last_line = line.decode("ascii")
            name, _, rest = self.last_line.partition(" ")
            self._receive(name, rest)

    def _receive(self, name: str, rest: str) -> None:
        match name:
            case "JOINED" if rest.count(" ") == 1:
                self._position = rest[-1]
            case "HAND":
                self._hand = rest.split(",")
            case "DUMMY":
                self._dummy = rest.split(",")
            case "AUCOPEN":
                self._see_auction(*rest.split(" "))
            case "AUCCLOSE":
                self._side = rest.rpartition(" ")[2]
            case "TRICK":
                self._see_trick(*rest.split(" "))
            case "TRICKSWON" if rest.count(",") == 12:
                self._boards_left -= 1
                if not self._boards_left:
                    self.close()  # or it would be given a seat of its team that another client is still to come for
            case "NAK" if self._position:  # before it has a seat, it is told that it waits for one
                self._fail(f"was refused: {rest}")
            case _:
                pass

    def _see_auction(self, turn: str, calls: str) -> None:
        self._note_told()
        if calls == "-":
            self._dummy = []
        if turn == self._position:
            self._think("BID 1NT" if calls == "-" else "BID PASS")

    def _see_trick(self, turn: str, cards: str) -> None:
        self._note_told()
        if turn != "0" and self._plays(turn):
            held = self._hand if turn == self._position else self._dummy
            led = cards.partition(",")[0][-1]  # a dash when none is led
            self._think(f"PLAY {next((card for card in held if card[-1] == led), held[0])}")

    def _plays(self, turn: str) -> bool:
        """Return whether it plays from a hand: its own unless it is dummy, and dummy's as declarer."""
        own, is_dummy = self._position, bool(self._dummy) and sorted(self._dummy) == sorted(self._hand)
        if turn == own:
            return not is_dummy
        partner = POSITIONS[(POSITIONS.index(own) + 2) % 4]
        return turn == partner and own in self._side and bool(self._dummy) and not is_dummy

    def _think(self, line: str) -> None:
        self._thought = asyncio.get_running_loop().call_later(next(self._thinking), self._say, line)

    def _say(self, line: str) -> None:
        assert self._transport is not None
        self.said += 1
        self._said_ns = time.monotonic_ns()
        self._transport.write(line.encode() + b"\r\n")

    def _note_told(self) -> None:
        if self._said_ns:
            self.turnround_ns.append(time.monotonic_ns() - self._said_ns)
            self._said_ns = 0

    def _fail(self, why: str) -> None:
        if not self.over.done():
            self.over.set_exception(LaunchError(f"{self.who} {why}"))

    def connection_lost(self, exc: Exception | None) -> None:
        if self._thought is not None:
            self._thought.cancel()
        self._fail(f"lost its connection: {exc or 'it was closed'}")

    def close(self) -> None:
        if self._thought is not None:
            self._thought.cancel()
        if self._transport is not None:
            self._transport.close()
        if not self.over.done():
            self.over.set_result(None)


class QuietStateful(_Client):
    """A client beside an attack: it thinks for a while about each call and card, for as many boards as there are."""

    def __init__(self, team: str, times_ns: list[int]) -> None:
        super().__init__(team, sys.maxsize, repeat(THINK_S))
        self.turnround_ns = times_ns
        self.longest_thought_ns = 0
        """The longest that it has thought, since this was last set to 0."""
        self._asked_ns = 0

    def _think(self, line: str) -> None:
        self._asked_ns = time.perf_counter_ns()
        super()._think(line)

    def _say(self, line: str) -> None:
        self.longest_thought_ns = max(self.longest_thought_ns, time.perf_counter_ns() - self._asked_ns)
        super()._say(line)
