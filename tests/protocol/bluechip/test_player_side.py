"""Our own player, line by line, in the words of version 18."""

import re
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random

import pytest

from tests.support.protocol_players import Script, players_for, script_from_seed
from tests.support.servers import BridgeMoniteur, ForeignServer
from tests.support.wire_players import (
    CARDS,
    DUMMY,
    declarer,
    hear,
    in_auction,
    only,
    says,
)
from tests.support.wire_tables import NORTH, WEST
from tourney.bots import Strategy
from tourney.bots.strategy import answer
from tourney.bridge import SEATS, Bid, BoardInPlay, Card, PlayerView, Seat, Strain, board_from_seed, parse_card
from tourney.errors import ProtocolError, RuleError
from tourney.protocol.bluechip.player import PlayerCore
from tourney.protocol.bluechip.server_lines import is_whole_line
from tourney.protocol.lines import LineBuffer, Overlong
from tourney.protocol.player import AskCard, Leave, PlayerEffect, SendLine

WHOLE = f"""
Start of Board
Dummy to lead
South to lead
South ("Alpha") seated
Teams : N/S : "Alpha" E/W : "Beta"
Board number 1. Dealer North. Neither vulnerable
{CARDS.removesuffix(".")}
North bids 1C
North passes
North plays QD
End of session
"""

MAY_GO_ON = """
Start of
South to le
Teams : N/S : "Alpha" E/W : "Bet
Board number 1. Dealer North. Neither
South's cards : S 7 6 5. H 4 3 2. D A K Q J. C T 9
North bids 1
North bids 1C Alert. at least
North plays Q
Error: the
NS:1NT
"""


def test_a_line_without_its_end_is_whole_when_nothing_can_be_missing() -> None:
    assert [line for line in WHOLE.strip().splitlines() if not is_whole_line(line)] == []
    assert [line for line in MAY_GO_ON.splitlines() if is_whole_line(line)] == []


@pytest.mark.clause("BC-41")
def test_the_owner_judges_the_claim_of_an_opponent_with_the_cards_that_are_shown() -> None:
    judged = []

    def judge(view: PlayerView, claimant: Seat, cards: Sequence[Card]) -> bool:
        judged.append((view, claimant, cards))
        return True

    player = declarer(judge)
    asked = only(AskCard, hear(player, "West plays 4S", DUMMY))
    assert hear(player, "West claims") == []
    assert hear(player, "West's cards : S -. H A K. D -. C 4.") == says("South accepts West's claim")
    assert judged == [(asked.view, WEST, tuple(map(parse_card, ("AH", "KH", "4C"))))]
    again = only(AskCard, hear(player, "West's claim is rejected"))
    assert again.view is asked.view


def test_what_cannot_be_read_ends_the_player_with_the_reason() -> None:
    player = in_auction()
    assert player.receive_line(Overlong(8192)) == [Leave("the table sent a line of more than 8192 bytes")]
    left = only(Leave, hear(player, "Start of board", f"Board number {'9' * 5000}. Dealer North. Both vulnerable."))
    assert re.match(r"the table sent 'Board number 9{184}\.\.\.' where it owed the deal", left.reason or "")


def test_a_player_of_any_seat_has_none_until_the_table_says_which() -> None:
    with pytest.raises(ProtocolError, match="the table has not said which seat"):
        _ = PlayerCore(None, "Alpha").seat


def test_the_owner_may_not_make_an_illegal_call_or_card() -> None:
    player = in_auction()
    hear(player, "North bids 1C", "East passes")
    with pytest.raises(RuleError, match="1C is not higher than 1C"):
        player.make_call(Bid(1, Strain.CLUBS))
    player = declarer()
    hear(player, "West plays 4S", DUMMY)
    with pytest.raises(RuleError, match="North may not play TH"):
        player.make_card(NORTH, parse_card("TH"))


# At the tables of others: whole boards, to the end


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
        for effect in answer(self.strategy, self.core, effects):
            if isinstance(effect, SendLine):
                self.said.append(effect.line.encode() + b"\r\n")
            else:
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
