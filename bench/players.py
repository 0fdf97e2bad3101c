"""Players that say the lines of a script, each when it has received as many as it had then; they know no bridge."""

import asyncio
import time
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple, cast

from bench.script import Script, Step
from tourney.bridge import Seat
from tourney.errors import LaunchError

STILL_S: Final = 60.0
"""After so long without a line a table has come to a stop."""

_STRIDE: Final = 89
"""Of the thinking times through their range; a prime, so that all of it comes to be used."""


class Chair(NamedTuple):
    """A seat to be taken."""

    host: str
    port: int
    seat: Seat
    log_on: tuple[bytes, ...]
    """The lines that stand for the log-on of the script, each as it is written."""


class Played(NamedTuple):
    """What a player has done."""

    port: int
    """Of its end of the connection."""
    sent_ns: list[int]
    """When it wrote each line, by the monotonic clock of the machine."""


async def play_script(
    script: Script, chairs: Sequence[Chair], thinking_ms: int = 0, gap_s: float = 0
) -> list[Played]:
    """Take all seats and say the script at each table; what each player did, in the order of the chairs.

    Args:
        script: of a session at one table.
        chairs: four a table, one table after the other.
        thinking_ms: the most that is thought about a call or card; times are spread evenly from 0.
        gap_s: between the log-ons at two tables.

    Raises:
        LaunchError: a table cannot be reached, has closed a connection, or stands still.
    """
    loop = asyncio.get_running_loop()
    players: list[_Player] = []
    try:
        for number, chair in enumerate(chairs):
            player = _Player(script, chair, _thinking_times(number, thinking_ms) if thinking_ms else None)
            players.append(player)
            try:
                await loop.create_connection(lambda player=player: player, chair.host, chair.port)  # type: ignore[misc]
            except OSError as error:
                raise LaunchError(f"table {chair.host} port {chair.port} cannot be reached: {error}") from None
            if gap_s and number % 4 == 3:
                await asyncio.sleep(gap_s)
        await _until_over(players)
    finally:
        for player in players:
            player.close()
    return [Played(player.port, player.sent_ns) for player in players]


async def _until_over(players: Sequence["_Player"]) -> None:
    waiting = {player.over for player in players}
    heard = -1
    while waiting:
        if (now := sum(player.received for player in players)) == heard:
            raise LaunchError(f"no line has come for {STILL_S:.0f} s, and {len(waiting)} players wait for one")
        heard = now
        done, waiting = await asyncio.wait(waiting, timeout=STILL_S, return_when=asyncio.FIRST_EXCEPTION)
        for future in done:
            future.result()


def _thinking_times(player: int, most_ms: int) -> Iterator[float]:
    """In seconds, for ever: whole milliseconds from 0 to `most_ms`, evenly spread and the same in every run."""
    at_ms = player * _STRIDE
    while True:
        at_ms = (at_ms + _STRIDE) % (most_ms + 1)
        yield at_ms / 1000


class _Player(asyncio.Protocol):
    def __init__(self, script: Script, chair: Chair, thinking: Iterator[float] | None) -> None:
        self.received = 0
        self.sent_ns: list[int] = []
        self.port = 0
        self.over: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._chair = chair
        self._steps: Sequence[Step] = script.steps[chair.seat]
        self._expected = script.received[chair.seat]
        self._next = 1
        self._thinking = thinking
        self._thought: asyncio.TimerHandle | None = None
        """A player that thinks; None before and after."""
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)  # what a stream connection hands over
        self.port = transport.get_extra_info("sockname")[1]
        for line in self._chair.log_on:
            self._transport.write(line)
        self.sent_ns.append(time.monotonic_ns())
        self._go_on()

    def data_received(self, data: bytes) -> None:
        self.received += data.count(b"\n")
        if self._thought is None:
            self._go_on()

    def _go_on(self, *, has_thought: bool = False) -> None:
        steps, transport = self._steps, self._transport
        assert transport is not None
        while self._next < len(steps) and steps[self._next].after <= self.received:
            step = steps[self._next]
            if step.is_action and self._thinking is not None and not has_thought:
                self._thought = asyncio.get_running_loop().call_later(next(self._thinking), self._act)
                return
            has_thought = False
            self._next += 1
            self.sent_ns.append(time.monotonic_ns())
            transport.write(step.data)
        if self.received >= self._expected and not self.over.done():
            self.over.set_result(None)

    def _act(self) -> None:
        self._thought = None
        self._go_on(has_thought=True)

    def connection_lost(self, exc: Exception | None) -> None:
        if self._thought is not None:
            self._thought.cancel()
        if not self.over.done():
            chair = self._chair
            self.over.set_exception(
                LaunchError(
                    f"{chair.seat.title} at port {chair.port} had received {self.received} of {self._expected} lines "
                    f"when its connection ended: {exc or 'it was closed'}"
                )
            )

    def close(self) -> None:
        if self._transport is not None:
            self._transport.close()
        if not self.over.done():
            self.over.cancel()
