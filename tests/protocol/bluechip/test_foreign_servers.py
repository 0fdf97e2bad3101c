"""Our own players at the tables of others: they play whole boards to the end."""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random

import pytest

from tests.support.protocol_players import Script, players_for, script_from_seed
from tests.support.servers import BridgeMoniteur, ForeignServer
from tourney.bots import Strategy
from tourney.bridge import SEATS, BoardInPlay, Seat, board_from_seed
from tourney.protocol.bluechip.player import PlayerCore
from tourney.protocol.bluechip.server_lines import is_whole_line
from tourney.protocol.lines import LineBuffer
from tourney.protocol.player import AskCall, AskCard, Leave, PlayerEffect, SendLine


@dataclass
class Visitor:
    """A player of ours at a foreign table, with no socket: what it hears and says, and why it left."""

    core: PlayerCore
    strategy: Strategy
    lines: LineBuffer = field(default_factory=LineBuffer)
    said: deque[bytes] = field(default_factory=deque)
    left: list[str | None] = field(default_factory=list)

    def hear(self, data: bytes) -> None:
        for line in self.lines.feed(data):
            self.react(self.core.receive_line(line))

    def fall_silent(self) -> None:
        """Nothing more comes for now."""
        if is_whole_line((self.lines.pending or b"").decode()):
            self.hear(b"\n")

    def react(self, effects: list[PlayerEffect]) -> None:
        for effect in effects:
            match effect:
                case SendLine():
                    self.said.append(effect.line.encode() + b"\r\n")
                case AskCall():
                    decision = self.strategy.choose_call(effect.view)
                    self.react(self.core.make_call(decision.call, decision.alert, asked=effect))
                case AskCard():
                    card = self.strategy.choose_card(effect.view, effect.hand)
                    self.react(self.core.make_card(effect.hand, card, asked=effect))
                case Leave():
                    self.left.append(effect.reason)


def play(server: ForeignServer, visitors: dict[Seat, Visitor]) -> None:
    """Until nobody has anything to say."""
    for visitor in visitors.values():
        visitor.react(visitor.core.start())
    order = Random(1)
    while speakers := [seat for seat, visitor in visitors.items() if visitor.said]:
        seat = order.choice(speakers)
        for sending in server.receive(seat, visitors[seat].said.popleft()):
            visitors[sending.seat].hear(sending.data)
        for listener in visitors.values():
            listener.fall_silent()
    if server.over:
        for visitor in visitors.values():
            if not visitor.left:
                visitor.react(visitor.core.receive_close())


def four_visitors(scripts: Sequence[Script]) -> dict[Seat, Visitor]:
    strategies = players_for(list(scripts))
    names = ("Alpha", "Beta")
    return {seat: Visitor(PlayerCore(seat, names[seat % 2]), strategies[seat]) for seat in SEATS}


def boards_for(seed: int) -> list[Script]:
    """A board that is passed out, and three of any contract."""
    scripts = [script_from_seed(board_from_seed(seed, "foreign", number), seed) for number in range(1, 30)]
    passed_out = next(script for script in scripts if not script.cards)
    return [passed_out, *[script for script in scripts if script.cards][:3]]


def played(server: ForeignServer) -> list[tuple[object, ...]]:
    return [course(in_play) for in_play in server.played]


def course(in_play: BoardInPlay) -> tuple[object, ...]:
    cards = in_play.play.cards if in_play.play is not None else []
    return (in_play.board.number, tuple(in_play.auction.calls), tuple(cards))


@pytest.mark.parametrize("kind", [ForeignServer, BridgeMoniteur])
@pytest.mark.parametrize("seed", range(3))
def test_our_players_play_whole_boards_at_the_tables_of_others(kind: type[ForeignServer], seed: int) -> None:
    scripts = boards_for(seed)
    server = kind([script.board for script in scripts])
    visitors = four_visitors(scripts)
    play(server, visitors)
    assert played(server) == [(script.board.number, script.calls, script.cards) for script in scripts]
    assert [visitor.left for visitor in visitors.values()] == [[None]] * 4
