"""Tables where seats speak the stateful-server protocol, beside others in the words of Blue Chip."""

from collections.abc import Callable, Sequence
from random import Random
from typing import Protocol

from tests.support.protocol_players import Script, ScriptedPlayer
from tests.support.seed_client import SeedClient
from tests.support.table_rig import Peer, TableRig
from tourney.bots.strategy import Strategy, answer
from tourney.bridge import SEATS, Card, Seat
from tourney.protocol.bluechip.player import PlayerCore
from tourney.protocol.player import PlayerEffect, PlayerSide, SendLine
from tourney.protocol.stateful.messages import parse_server_message
from tourney.protocol.stateful.player import ForgetfulPlayer
from tourney.protocol.stateful.server import StatefulWire
from tourney.protocol.stateful.values import BID, CARD, GameId

PLACE = GameId("g1", "Spring")


class TablePlayer(Protocol):
    """A player that says lines to the lines of a table."""

    def start(self) -> list[str]: ...

    def receive(self, line: str) -> list[str]: ...


class StrategyPlayer:
    """Our player's side of a language with a strategy."""

    def __init__(self, core: PlayerSide, strategy: Strategy) -> None:
        self.has_left = False
        self.why_left: str | None = None
        self.core = core
        self._strategy = strategy

    def start(self) -> list[str]:
        return self._react(self.core.start())

    def receive(self, line: str) -> list[str]:
        return self._react(self.core.receive_line(line.encode()))

    def _react(self, effects: list[PlayerEffect]) -> list[str]:
        said: list[str] = []
        for effect in answer(self._strategy, self.core, effects):
            if isinstance(effect, SendLine):
                said.append(effect.line)
            else:
                self.has_left, self.why_left = True, effect.reason
        return said


def blue_chip_player(rig: TableRig, seat: Seat, strategy: Strategy) -> StrategyPlayer:
    return StrategyPlayer(PlayerCore(seat, rig.core.state.settings.team(seat.side)), strategy)


def forgetful_player(rig: TableRig, seat: Seat, strategy: Strategy) -> StrategyPlayer:
    return StrategyPlayer(ForgetfulPlayer(rig.core.state.settings.team(seat.side)), strategy)


def scripted_seed_client(name: str, scripts: Sequence[Script]) -> SeedClient:
    """A client from the source document that follows scripts; they are found by the cards dealt."""

    by_hand = {
        (seat.letter, frozenset(map(CARD.format, script.board.deal[seat].cards))): script
        for script in scripts
        for seat in SEATS
    }
    playing: list[Script] = []

    def find(client: SeedClient) -> None:
        held = client.position, frozenset(client.hand)
        playing[:] = [
            script for (position, dealt), script in by_hand.items() if position == held[0] and dealt >= held[1]
        ]

    def choose_bid(client: SeedClient) -> str:
        find(client)
        return BID.format(playing[0].calls[len(client.bids)])

    def choose_card(client: SeedClient, allowed: Sequence[str]) -> str:
        if not playing:
            find(client)  # the client is new to the board
        card = CARD.format(playing[0].cards[4 * len(client.tricks_won) + len(client.trick)][1])
        assert card in allowed
        return card

    return SeedClient(name, choose_bid, choose_card)


def connect_stateful(rig: TableRig, seat: Seat | None = None) -> Peer:
    """Open a connection that speaks the stateful-server protocol; `seat` is that of its port, if it has one."""
    return rig.connect(seat, wire=StatefulWire(PLACE))


def seat_stateful(rig: TableRig, extensions: str = "", seats: Sequence[Seat] = SEATS) -> None:
    """Seat four players that speak the stateful-server protocol; the board begins with the last."""
    for seat in seats:
        rig.seats[seat] = peer = connect_stateful(rig)
        if extensions:
            rig.send_line(peer, f"X-HELLO {extensions}")
        rig.send_line(peer, f"HELLO {rig.core.state.settings.team(seat.side)}")
        rig.send_line(peer, f"JOIN-M g1 {seat.letter}")


def play_to_end(
    rig: TableRig,
    players: dict[Seat, TablePlayer],
    order: Random,
    *,
    is_over: Callable[[], bool] | None = None,
    before_line: Callable[[Seat], None] = lambda _: None,
    reconnect: Callable[[Seat], None] | None = None,
) -> None:
    """Let players that are connected as `rig.seats` play until the session is over; who is heard next is random.

    Args:
        rig: the table.
        players: what each says to a line.
        order: chooses who is heard next.
        is_over: whether to stop; by default the table's session ends.
        before_line: called before each line.
        reconnect: connects a player again whose connection the table has closed.
    """
    done = is_over if is_over is not None else lambda: bool(rig.ended)
    to_say = {seat: player.start() for seat, player in players.items()}

    def hear(seat: Seat, lines: Sequence[str]) -> None:
        peer = rig.seats[seat]
        for line in lines:
            said = players[seat].receive(line)
            if rig.seats[seat] is not peer:  # it has lost its connection, and what it was about to say
                to_say[seat] = said
                return
            to_say[seat] += said

    while True:
        for seat in players:
            hear(seat, rig.take(seat))
        if done():
            return
        for seat in players:
            if reconnect is not None and rig.seats[seat].closed:
                to_say[seat].clear()
                reconnect(seat)
        ready = [seat for seat in players if to_say[seat]]
        if ready:
            seat = order.choice(ready)
            before_line(seat)
            rig.now_ms += 1
            hear(seat, rig.send_line(seat, to_say[seat].pop(0)))
        else:
            assert rig.timers, "the players wait for ever"
            rig.wait(min(rig.timers.values()) - rig.now_ms)


def cards_in(line: str) -> list[Card]:
    """The cards of a `HAND` or `DUMMY`."""
    message = parse_server_message(line.encode())
    return list(getattr(message, "cards", ()))


def scripted(scripts: Sequence[Script]) -> ScriptedPlayer:
    return ScriptedPlayer({script.board.number: script for script in scripts})
