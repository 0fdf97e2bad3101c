"""Quick players on one event loop that keep every line: what they send becomes the script of a benchmark."""

import asyncio
from collections.abc import Iterable
from typing import NamedTuple, cast

from tourney.bots.strategy import Decision
from tourney.bridge import PASS, Bid, Card, PlayerView, Seat, Strain
from tourney.errors import LaunchError, ProtocolError
from tourney.protocol.bluechip.player import PlayerCore
from tourney.protocol.lines import LineBuffer
from tourney.protocol.player import AskCall, AskCard, Leave, PlayerEffect, SendLine


class LoadSeat(NamedTuple):
    """A seat for a load player to take."""

    host: str
    port: int
    seat: Seat
    team: str


class QuickStrategy:
    """Opens 1NT as dealer and passes otherwise; plays the first legal card. Cheap, and all 52 cards are played."""

    def choose_call(self, view: PlayerView) -> Decision:
        opens = not view.auction.calls
        return Decision(Bid(1, Strain.NOTRUMP) if opens else PASS)

    def choose_card(self, view: PlayerView, hand: Seat) -> Card:
        return view.legal_from(hand)[0]


class Said(NamedTuple):
    """A line as its player saw it."""

    by_player: bool
    """Whether the player sent it; otherwise the table did."""
    line: bytes
    """The line without its end."""


async def play_all(seats: Iterable[LoadSeat]) -> list[list[Said]]:
    """Take every seat and play until all sessions have ended; return the lines of each seat, in both directions.

    Raises:
        ProtocolError: a player was refused, or its connection was lost.
        LaunchError: a table cannot be reached.
    """
    loop = asyncio.get_running_loop()
    players = []
    for place in seats:
        player = _LoadPlayer(PlayerCore(place.seat, place.team))
        players.append(player)
        try:
            await loop.create_connection(lambda player=player: player, place.host, place.port)  # type: ignore[misc]
        except OSError as error:
            raise LaunchError(f"table {place.host} port {place.port} cannot be reached: {error}") from None
    await asyncio.gather(*(player.left for player in players))
    return [player.said for player in players]


class _LoadPlayer(asyncio.Protocol):
    def __init__(self, core: PlayerCore) -> None:
        self.said: list[Said] = []
        self.left: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._core = core
        self._strategy = QuickStrategy()
        self._buffer = LineBuffer()
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)  # what a stream connection hands over
        self._carry_out(self._core.start())

    def data_received(self, data: bytes) -> None:
        for line in self._buffer.feed(data):
            self.said.append(Said(by_player=False, line=line if isinstance(line, bytes) else b""))
            self._carry_out(self._core.receive_line(line))

    def connection_lost(self, exc: Exception | None) -> None:
        if not self.left.done():
            self.left.set_exception(ProtocolError(f"{self._core.seat.title}'s connection broke: {exc}"))

    def _carry_out(self, effects: list[PlayerEffect]) -> None:
        for effect in effects:
            match effect:
                case SendLine():
                    assert self._transport is not None
                    line = effect.line.encode("ascii")
                    self.said.append(Said(by_player=True, line=line))
                    self._transport.write(line + b"\r\n")
                case AskCall():
                    decision = self._strategy.choose_call(effect.view)
                    self._carry_out(self._core.make_call(decision.call, asked=effect))
                case AskCard():
                    card = self._strategy.choose_card(effect.view, effect.hand)
                    self._carry_out(self._core.make_card(effect.hand, card, asked=effect))
                case Leave():
                    self._leave(effect.reason)

    def _leave(self, reason: str | None) -> None:
        if self.left.done():
            return
        if reason is None:
            self.left.set_result(None)
        else:
            self.left.set_exception(ProtocolError(reason))
