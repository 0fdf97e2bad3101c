"""Players that follow a script without knowing bridge: each line is sent once as many lines have been received."""

import asyncio
import time
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple, cast

from bench.script import Script, Step
from tourney.bridge import Seat
from tourney.errors import LaunchError

STILL_S: Final = 60.0
"""A table that sends no line for this long has stalled."""

_STRIDE: Final = 89
"""Step of the thinking times through their range; a prime, so that all values are used."""


class Chair(NamedTuple):
    """A seat for a player to take."""

    host: str
    port: int
    seat: Seat
    log_on: tuple[bytes, ...]
    """The lines sent in place of the script's log-on, as bytes."""


class Played(NamedTuple):
    """What a player did."""

    port: int
    """Port of its end of the connection."""
    sent_ns: list[int]
    """When it wrote each line, by the machine's monotonic clock."""


async def play_script(
    script: Script, chairs: Sequence[Chair], thinking_ms: int = 0, gap_s: float = 0
) -> list[Played]:
    """Takes all seats and plays the script at each table; returns what each player did, in the order of `chairs`.

    Args:
        script: a session at one table.
        chairs: four per table, table by table.
        thinking_ms: longest thinking time; times are spread evenly from 0.
        gap_s: pause between the log-ons at two tables.

    Raises:
        LaunchError: a table cannot be reached, closed a connection, or stalled.
    """
    loop = asyncio.get_running_loop()
    players: list[_Player] = []
    try:
        for number, chair in enumerate(chairs):
            player = _Player(script, chair, thinking_times(number, thinking_ms) if thinking_ms else None)
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


def thinking_times(player: int, most_ms: int) -> Iterator[float]:
    """Yields seconds without end: whole milliseconds from 0 to `most_ms`, evenly spread, the same in every run."""
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
        """The timer of a player that is thinking; None otherwise."""
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
