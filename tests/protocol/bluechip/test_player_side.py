"""Our own player, line by line, in the words of version 18."""

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
    ONE_NT,
    converse,
    declarer,
    hear,
    in_auction,
    only,
    says,
    seated_player,
)
from tests.support.wire_tables import NORTH, SOUTH, WEST
from tourney.bots import Strategy
from tourney.bridge import PASS, SEATS, BoardInPlay, Card, PlayerView, Seat, board_from_seed, parse_card
from tourney.protocol.bluechip.player import PlayerCore
from tourney.protocol.bluechip.server_lines import is_whole_line
from tourney.protocol.lines import LineBuffer
from tourney.protocol.player import AskCall, AskCard, ClaimJudge, Leave, PlayerEffect, SendLine


@pytest.mark.clause("BC-46")
def test_a_call_of_the_tables_in_our_name_that_crosses_our_own_counts() -> None:
    player = in_auction()
    converse(
        player,
        """
        hears: North passes
        hears: East passes
        calls: 1C -> South bids 1C -> South ready for West's bid
        hears: South passes -> South ready for West's bid
        """,
    )
    assert player.view is not None
    assert player.view.auction.calls == [PASS, PASS, PASS]
    converse(
        player,
        """
        hears: South passes -> nothing
        hears: West bids 1D
        hears: South passes -> leaves: ...
        """,
    )


@pytest.mark.clause("BC-46")
def test_a_card_that_was_crossed_is_our_lead_if_the_table_has_taken_it_for_one() -> None:
    player = declarer()
    hear(player, "West plays 4D", DUMMY)
    player.make_card(NORTH, parse_card("5D"))
    asked = only(AskCard, hear(player, "East plays 8D"))
    player.make_card(SOUTH, parse_card("JD"), asked=asked)
    assert hear(player, "South plays QD") == []
    lead = only(AskCard, hear(player, "South to lead"))
    asked = only(AskCard, hear(player, "West plays 9D"))
    assert (asked.hand, asked.view.cards[-2:]) == (
        NORTH,
        [(SOUTH, parse_card("JD")), (SOUTH.plus(1), parse_card("9D"))],
    )
    assert player.make_card(SOUTH, parse_card("KD"), asked=lead) == []
    player.make_card(NORTH, parse_card("6D"))
    only(Leave, hear(player, "West plays 2D"))


@pytest.mark.clause("BC-46")
def test_a_card_of_the_tables_in_our_name_that_crosses_our_own_counts() -> None:
    player = declarer()
    converse(
        player,
        f"""
        hears: West plays 2S
        hears: {DUMMY}
        plays: N JS
        hears: North plays AS -> South ready for East's card to trick 1
        """,
    )
    assert player.view is not None
    assert player.view.cards == [(NORTH.plus(3), parse_card("2S")), (NORTH, parse_card("AS"))]
    assert player.view.dummy_hand is not None
    converse(player, "hears: East plays 3S\nhears: North plays KS -> leaves: ...")


# Our own player where a line, a board or a session ends otherwise than by version 18


def test_a_call_for_a_board_that_was_begun_again_meanwhile_is_dropped() -> None:
    player = in_auction()
    asked = only(AskCall, hear(player, "North passes", "East passes"))
    hear(player, "Start of board")
    assert player.make_call(ONE_NT, asked=asked) == []
    again = only(AskCall, hear(player, "Board number 1. Dealer South. Neither vulnerable.", CARDS))
    assert player.make_call(ONE_NT, asked=asked) == []
    assert again.view.auction.calls == []
    assert player.make_call(ONE_NT, asked=again) == says("South bids 1NT", "South ready for West's bid")


def test_a_card_for_a_board_that_was_begun_again_meanwhile_is_dropped() -> None:
    player = declarer()
    asked = only(AskCard, hear(player, "West plays 4S", DUMMY))
    hear(player, "Start of board")
    assert player.make_card(NORTH, parse_card("AS"), asked=asked) == []
    assert player.make_card(NORTH, parse_card("AS")) == []
    assert hear(player, "Board number 1. Dealer North. Neither vulnerable.", CARDS) == says(
        "South ready for North's bid"
    )


@pytest.mark.clause("BC-46")
def test_a_call_that_the_table_made_in_the_players_name_stands_and_a_late_one_is_dropped() -> None:
    player = in_auction()
    asked = only(AskCall, hear(player, "North passes", "East passes"))
    assert hear(player, "South passes") == says("South ready for West's bid")
    assert player.make_call(ONE_NT, asked=asked) == []
    assert asked.view.auction.calls == [PASS, PASS, PASS]


@pytest.mark.clause("BC-46")
def test_a_card_that_the_table_played_in_the_players_name_stands_and_a_late_one_is_dropped() -> None:
    player = declarer()
    asked = only(AskCard, hear(player, "West plays 4S", DUMMY))
    assert hear(player, "North plays JS") == says("South ready for East's card to trick 1")
    own = only(AskCard, hear(player, "East plays TS"))
    assert player.make_card(NORTH, parse_card("AS"), asked=asked) == []
    assert player.make_card(SOUTH, parse_card("5S"), asked=own) == says("South plays 5S")


@pytest.mark.clause("BC-41")
def test_the_player_rejects_the_claims_of_its_opponents_and_of_nobody_else() -> None:
    player = declarer()
    (asked,) = hear(player, "West plays 4S", DUMMY)
    assert hear(player, "West claims") == says("South rejects West's claim")
    assert hear(player, "West's cards : S 3. H -. D -. C -.", "West's claim is rejected") == []
    assert hear(player, "North claims") == []
    assert isinstance(asked, AskCard)
    assert player.make_card(NORTH, parse_card("AS"), asked=asked) == says(
        "North plays AS", "South ready for East's card to trick 1"
    )
    assert hear(in_auction(), "West claims") == []


@pytest.mark.parametrize(
    ("line", "owed"),
    [
        ("North bds 1C", "a call, as in 'North bids 1NT'"),
        ("North bids 8C", "a call, as in 'North bids 1NT'"),
        ("North bids 1NT Alrt. 12 to 14", "a call, as in 'North bids 1NT'"),
        ("Welcome", "a call, as in 'North bids 1NT'"),
    ],
)
def test_a_line_in_the_place_of_a_call_that_cannot_be_read_is_told(line: str, owed: str) -> None:
    assert hear(in_auction(), line) == [Leave(f"the table sent {line!r} where it owed {owed}")]


def test_a_line_in_the_place_of_a_card_a_dummy_or_a_prompt_that_cannot_be_read_is_told() -> None:
    short, whole = DUMMY.replace("A K Q J", "A K Q"), "Dummy's cards : S A K 7. H Q J. D -. C T 9 8 7 6 5 4 3."
    converse(
        declarer(),
        f"""
        hears: West plays 11S
            -> leaves: the table sent 'West plays 11S' where it owed a card, as in 'West plays QD'
        hears: West plays 4S
        hears: {short}
            -> leaves: the table sent {short!r} where it owed dummy, as in '{whole}'
        hears: {DUMMY}
        plays: N AS
        hears: East plays TS
        plays: S 5S
        hears: Dummy to led
            -> leaves: the table sent 'Dummy to led' where it owed the line that asks for a lead, as in 'Dummy to...
        """,
    )


def test_a_call_in_the_place_of_the_players_own_cards_is_told() -> None:
    converse(
        seated_player(),
        """
        hears: Start of board
        hears: Board number 1. Dealer North. Neither vulnerable.
        hears: North passes
            -> leaves: the table sent 'North passes' where it owed thirteen cards, as in 'South's...
        """,
    )


def test_bytes_that_are_no_text_are_told_with_the_line() -> None:
    player = in_auction()
    assert player.receive_line(b"North b\x00ds 1C") == [
        Leave("the table sent 'North b\\x00ds 1C', which cannot be: byte 0 at column 8 is a control character")
    ]


@pytest.mark.parametrize("line", ["Timing - N/S : 1", "Feasability 1NT", "North's claim is rejected", ""])
def test_known_lines_that_need_no_answer_are_read_past_even_where_another_is_owed(line: str) -> None:
    assert hear(in_auction(), line) == []


def test_a_score_is_the_last_word_of_a_table_that_then_closes() -> None:
    # Bridge Moniteur's end of a session.
    player = in_auction()
    assert player.receive_close() == [Leave("the table closed the connection before the end of the session")]
    hear(player, "NS:1NT+1 120")
    assert player.receive_close() == [Leave(None)]
    hear(player, "Start of Board")
    assert player.receive_close() == [Leave("the table closed the connection before the end of the session")]


@pytest.mark.parametrize(
    "line",
    [
        "Start of Board",
        "Dummy to lead",
        "South to lead",
        'South ("Alpha") seated',
        'Teams : N/S : "Alpha" E/W : "Beta"',
        "Board number 1. Dealer North. Neither vulnerable",
        CARDS.removesuffix("."),
        "North bids 1C",
        "North passes",
        "North plays QD",
        "End of session",
    ],
)
def test_a_line_without_its_end_is_whole_when_nothing_can_be_missing(line: str) -> None:
    assert is_whole_line(line)


@pytest.mark.parametrize(
    "line",
    [
        "Start of",
        "South to le",
        'Teams : N/S : "Alpha" E/W : "Bet',
        "Board number 1. Dealer North. Neither",
        "South's cards : S 7 6 5. H 4 3 2. D A K Q J. C T 9",
        "North bids 1",
        "North bids 1C Alert. at least",
        "North plays Q",
        "Error: the",
        "NS:1NT",
        "",
    ],
)
def test_a_line_that_may_go_on_is_not_whole(line: str) -> None:
    assert not is_whole_line(line)


# Our own player where it makes and judges claims


def asked_declarer(judge: ClaimJudge = lambda view, claimant, cards: False) -> tuple[PlayerCore, AskCard]:
    """South plays 1NT, and is to play from dummy to West's lead."""
    player = PlayerCore(SOUTH, "Alpha", judge_claim=judge)
    player.start()
    converse(
        player,
        f"""
        hears: South ("Alpha") seated
        hears: Teams : N/S : "Alpha" E/W : "Beta"
        hears: Start of board
        hears: Board number 1. Dealer North. Neither vulnerable.
        hears: {CARDS}
        hears: North passes
        hears: East passes
        calls: 1NT
        hears: West passes
        hears: North passes
        hears: East passes
        """,
    )
    asked = only(AskCard, hear(player, "West plays 4S", DUMMY))
    return player, asked


@pytest.mark.clause("BC-41")
@pytest.mark.parametrize("answer", ["South's claim is rejected", "Error: West's program has no words: play on"])
def test_a_claim_that_is_not_accepted_is_followed_by_the_same_question(answer: str) -> None:
    player, asked = asked_declarer()
    assert player.make_claim(asked) == says("South claims")
    assert player.make_card(asked.hand, parse_card("AS"), asked=asked) == [], "nobody plays meanwhile"
    again = only(AskCard, hear(player, answer))
    assert (again.view, again.hand) == (asked.view, asked.hand)
    assert player.make_card(again.hand, parse_card("AS"), asked=again)
    assert hear(player, "Error: what follows is no claim of ours")[-1:] == [
        Leave("the table said 'Error: what follows is no claim of ours'")
    ]


@pytest.mark.clause("BC-41")
def test_after_a_claim_that_is_accepted_the_next_line_is_the_tables() -> None:
    player, asked = asked_declarer()
    player.make_claim(asked)
    converse(
        player,
        """
        hears: South's claim is accepted
        hears: Timing - N/S : 1 -> nothing
        hears: Start of board -> South ready for deal
        """,
    )
    assert player.make_claim(asked) == []


@pytest.mark.clause("BC-41")
def test_the_owner_judges_the_claim_of_an_opponent_with_the_cards_that_are_shown() -> None:
    judged = []

    def judge(view: PlayerView, claimant: Seat, cards: Sequence[Card]) -> bool:
        judged.append((view, claimant, cards))
        return True

    player, asked = asked_declarer(judge)
    assert hear(player, "West claims") == []
    assert hear(player, "West's cards : S -. H A K. D -. C 4.") == says("South accepts West's claim")
    assert judged == [(asked.view, WEST, tuple(map(parse_card, ("AH", "KH", "4C"))))]
    again = only(AskCard, hear(player, "West's claim is rejected"))
    assert again.view is asked.view


@pytest.mark.clause("BC-40")
def test_a_board_that_begins_again_has_no_claim() -> None:
    player, asked = asked_declarer()
    player.make_claim(asked)
    converse(player, "hears: Start of board\nhears: South's claim is rejected -> nothing")


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
