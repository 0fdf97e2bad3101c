"""Manual alerting: the table waits for an operator's word on a call, and never for ever."""

from collections.abc import Sequence
from itertools import combinations

import pytest

from tests.support.table_rig import TableRig
from tests.support.wire_tables import EAST, NORTH, board, in_auction
from tourney.bridge import PASS, Auction, Call, Seat, Side, parse_call
from tourney.protocol.session.board.alerting import pauses_after
from tourney.protocol.session.orders import RelayAnswer
from tourney.protocol.session.records import NO_ANSWER_AUTHOR, AlertAnswered, AlertAsked
from tourney.protocol.session.rules import AlertMode, PairMethods, TableRules

WAIT_MS = TableRules().alert_wait_ms


def auction(mode: AlertMode) -> TableRig:
    return in_auction([board(1)], rules=TableRules(alerting=mode))


BID = """
    N: {}
    E S W: ready for North's bid
"""
"""North calls and the three others ask for it."""


def answer(rig: TableRig, seq: int, text: str) -> str | None:
    outcome = rig.order(RelayAnswer(1, seq, text, "Olga"))
    return None if outcome == (f"alerted: {text}" if text else "not alertable") else outcome


@pytest.mark.clause("BC-25", "BC-26")
def test_a_call_outside_the_no_pause_list_waits_for_the_operator() -> None:
    rig = auction(AlertMode.CALLS)
    rig.converse(f"""
        clear
        {BID.format("bids 2D")}
        any hears -> nothing
    """)
    assert [(asked.seq, asked.seat) for asked in rig.of_kind(AlertAsked)] == [(0, NORTH)]


@pytest.mark.clause("BC-26")
@pytest.mark.parametrize("line", ["passes", "bids 1H", "bids 1NT", "bids 2D Alert. 5 cards in diamonds."])
def test_calls_of_the_list_and_calls_that_explain_themselves_do_not_wait(line: str) -> None:
    rig = auction(AlertMode.CALLS)
    rig.converse(f"""
        N: {line}
        E: ready for North's bid -> North {line.partition(" Alert")[0]}...
    """)
    assert rig.of_kind(AlertAsked) == []


@pytest.mark.clause("BC-27")
def test_not_alertable_lets_the_call_go_as_it_is() -> None:
    rig = auction(AlertMode.CALLS)
    rig.converse(f"clear\n{BID.format('bids 2D')}")
    answer(rig, 0, "")
    rig.converse("E hears -> North bids 2D")


@pytest.mark.clause("BC-27")
def test_an_absent_operator_stops_nothing() -> None:
    rig = auction(AlertMode.CALLS)
    rig.converse(f"""
        clear
        {BID.format("bids 2D")}
        wait {WAIT_MS - 1}
        E hears -> nothing
        wait 1
        E hears -> North bids 2D
    """)
    assert [(a.text, a.author) for a in rig.of_kind(AlertAnswered)] == [("", "time limit")]


@pytest.mark.clause("BC-25")
def test_a_leader_whose_own_pass_ended_the_auction_waits_for_the_operator_like_all_others() -> None:
    rig = auction(AlertMode.AUCTION)
    rig.converse("""
        all hear N: bids 2D
        all hear E: passes
        all hear S: bids 3D
        all hear W N E: passes
    """)
    assert "East to lead" not in rig.sent(EAST)
    for asked in rig.of_kind(AlertAsked):
        answer(rig, asked.seq, "")
    rig.converse("""
        E has heard -> ... -> East to lead -> ...
        E: plays TS
        W: ready for East's card to trick 1 -> East passes -> East plays TS
    """)


@pytest.mark.clause("BC-27")
def test_an_answer_nobody_waits_for_is_refused_with_a_reason() -> None:
    rig = auction(AlertMode.CALLS)
    rig.converse(BID.format("bids 1H"))
    assert answer(rig, 0, "") == "no answer is awaited on call 1 of board 1"
    written = len(rig.log)
    assert rig.order(RelayAnswer(9, 0, "", "Olga")) == "board 9 is not in play"
    assert rig.log[written:] == []


@pytest.mark.clause("BC-25", "BC-45")
def test_the_wait_for_the_operator_is_charged_to_nobody() -> None:
    rig = auction(AlertMode.CALLS)
    rig.converse(f"{BID.format('bids 2D')}\nwait 30_000")
    answer(rig, 0, "")
    rig.converse("""
        wait 1_000
        E: passes
        thought -> 0 -> 1000
    """)
    assert rig.board_state.clock.spent_ms == {Side.NS: 0, Side.EW: 1_000}


@pytest.mark.clause("BC-27")
def test_the_operator_has_as_long_as_without_a_pause_however_long_that_lasts() -> None:
    rig = in_auction(rules=TableRules(alerting=AlertMode.CALLS, alert_wait_ms=10_000))
    rig.converse("""
        N: bids 2C
        wait 4000
        pause
        wait 60_000
    """)
    assert rig.of_kind(AlertAnswered) == []
    rig.converse("""
        resume
        wait 5999
    """)
    assert rig.of_kind(AlertAnswered) == []
    rig.wait(1)
    assert [answer.author for answer in rig.of_kind(AlertAnswered)] == [NO_ANSWER_AUTHOR]


# After which calls the table waits for the operator: the list of version 18, line by line (BC-25, BC-26)


PLAIN = PairMethods(inverted_minors=False, negative_doubles=False)
INVERTED = PairMethods(inverted_minors=True, negative_doubles=False)
NEGATIVE = PairMethods(inverted_minors=False, negative_doubles=True)
BOTH = PairMethods(inverted_minors=True, negative_doubles=True)
ALL_METHODS = (PLAIN, INVERTED, NEGATIVE, BOTH)

SUITS = "CDHS"
PAIRS = list(combinations(SUITS, 2))
"""Every choice of X and a higher-ranking Y."""


def calls_of(text: str) -> list[Call]:
    """`1C P 1NT` as calls; the opponents' may stand in parentheses. Raises unless all are legal."""
    auction = Auction(Seat.NORTH)
    for word in text.replace("(", "").replace(")", "").split():
        auction.add(PASS if word == "P" else parse_call(word))
    return auction.calls


def filled(line: str) -> list[str]:
    """A line with every choice of its suits for X and Y."""
    lines = {line.replace("X1", low).replace("Y1", high) for low, high in PAIRS}
    return sorted(lines)


def auctions_of(lines: Sequence[str]) -> list[str]:
    """The lines with all choices of suits, the dealer's pair opening and the other: none to three passes first."""
    return [f"{'P ' * passes}{text}" for line in lines for text in filled(line) for passes in range(4)]


# X1 and Y1 stand for the letters of the suits, so that the X of a double is left alone.

NEVER_PAUSED = {
    "1X": ["1X1", "1Y1"],
    "1N": ["1NT"],
    "1X - (NB) - 1Y": ["1X1 (P) 1Y1"],
    "1Y - (NB) - 2X": ["1Y1 (P) 2X1"],
    "(1Y) - 2X": ["(1Y1) 2X1"],
    "(1X) - Dbl": ["(1X1) X", "(1Y1) X"],
    "1X - (1Y) - 1N": ["1X1 (1Y1) 1NT"],
    "1X - (Dbl) - 1Y": ["1X1 (X) 1Y1"],
    "1X - (Dbl) - 1N": ["1X1 (X) 1NT", "1Y1 (X) 1NT"],
}


@pytest.mark.clause("BC-26")
@pytest.mark.parametrize("methods", ALL_METHODS, ids=str)
@pytest.mark.parametrize("lines", NEVER_PAUSED.values(), ids=NEVER_PAUSED.keys())
def test_a_line_of_the_list_has_no_pause_in_any_suit_position_or_method(
    lines: list[str], methods: PairMethods
) -> None:
    waited = [text for text in auctions_of(lines) if pauses_after(calls_of(text), methods)]
    assert waited == []


@pytest.mark.clause("BC-26")
@pytest.mark.parametrize(
    "text", [f"1{x} (1{y}) 1{b}" for (x, y) in PAIRS for b in SUITS if SUITS.index(b) > SUITS.index(y)]
)
def test_any_suit_at_the_one_level_over_an_overcall_has_no_pause(text: str) -> None:
    for start in ("", "P ", "P P ", "P P P "):
        assert not pauses_after(calls_of(start + text), BOTH)


RAISES = {
    "1X - (NB) - 2X": ["1X1 (P) 2X1", "1Y1 (P) 2Y1"],
    "1X - (1Y) - 2X": ["1X1 (1Y1) 2X1"],
    "1X - (1N) - 2X": ["1X1 (1NT) 2X1", "1Y1 (1NT) 2Y1"],
    "(1X) - 1Y - (NB) - 2Y": ["(1X1) 1Y1 (P) 2Y1"],
}


@pytest.mark.clause("BC-26")
@pytest.mark.parametrize("lines", RAISES.values(), ids=RAISES.keys())
def test_a_raise_of_the_list_has_a_pause_exactly_when_the_pair_plays_inverted_minors(lines: list[str]) -> None:
    for text in auctions_of(lines):
        for methods in ALL_METHODS:
            assert pauses_after(calls_of(text), methods) is methods.inverted_minors, (text, methods)


@pytest.mark.clause("BC-26")
def test_a_double_of_an_overcall_has_a_pause_exactly_when_the_pair_plays_negative_doubles() -> None:
    for text in auctions_of(["1X1 (1Y1) X"]):
        for methods in ALL_METHODS:
            assert pauses_after(calls_of(text), methods) is methods.negative_doubles, (text, methods)


@pytest.mark.clause("BC-26")
def test_a_pair_plays_negative_doubles_and_no_inverted_minors_unless_told_otherwise() -> None:
    assert PairMethods() == NEGATIVE


@pytest.mark.clause("BC-26")
@pytest.mark.parametrize("methods", ALL_METHODS, ids=str)
def test_a_suit_at_two_after_an_overcall_of_1nt_has_a_pause(methods: PairMethods) -> None:
    for text in auctions_of(["(1X1) 1NT (P) 2Y1"]):
        assert pauses_after(calls_of(text), methods), text


NEAR_MISSES = [
    "2C",  # an opening at two
    "2NT",
    "3H",
    "1C (P) 1NT",  # a response that the list leaves out
    "1S (P) 1NT",
    "1C (P) 2D",  # a suit at two that ranks higher: a jump
    "1H (P) 2S",
    "1C (P) 3C",  # a raise to three
    "1NT (P) 2C",
    "1NT (P) 2H",
    "(1C) 1H",  # an overcall at one
    "(1C) 1NT",
    "(1C) 2C",  # in the suit opened
    "(1C) 2D",  # a jump overcall
    "(1H) 2S",
    "(1NT) 2C",
    "(1NT) X",  # only a suit bid's double is listed
    "(2H) X",
    "1C (X) XX",
    "1S (X) 2H",
    "1C (X) 2C",  # the list has raises after a pass, a suit and 1NT only
    "1C (1H) 2D",
    "1C (1H) 2H",
    "1C (1H) 2NT",
    "1C (2H) X",  # an overcall at two
    "1C (1NT) X",
    "1C (1NT) 2D",
    "1S (1NT) 2C",
    "1C (2C) 2H",
    "(1C) P (1H) X",  # fourth hand's double
    "1C (P) P (1H) X",  # opener's double
    "(1C) P (1H) 1S",
    "(1C) 1H (P) 2S",  # another suit than the overcall
    "(1C) 1H (P) 2D",
    "(1C) 1H (P) 3H",
    "(1C) 1H (1S) 2H",  # an opponent has called
    "(1C) P (P) 1H",
    "(1S) P (P) 2D",
    "1C (P) 1H (P) 1S",  # rebids
    "1C (P) 1H (P) 2H",
    "1H (P) 2H (P) 4H",
    "1H (1S) P (P) X",
]


@pytest.mark.clause("BC-25", "BC-26")
@pytest.mark.parametrize("text", NEAR_MISSES)
def test_a_call_that_no_line_describes_has_a_pause(text: str) -> None:
    for start in ("", "P ", "P P ", "P P P "):
        for methods in ALL_METHODS:
            assert pauses_after(calls_of(start + text), methods), (start, methods)


PASSES_PAUSED = [
    # >> Z - (Z) - pass
    "1C (1S) P",
    "1C (X) P",
    "1NT (2C) P",
    "(1C) X (XX) P",
    "(1C) 1H (2C) P",
    "1C (1S) X (2S) P",
    "1C (P) 1H (P) 1NT (P) 2C (X) P",
    "1NT (X) XX (2C) P",
    # >> Z - (?) - ? - (Z) - pass
    "1C (P) P (1S) P",
    "1C (P) P (X) P",
    "1C (1S) P (2S) P",
    "1H (X) P (2C) P",
    "(1C) X (P) P (XX) P",
    "1NT (P) P (X) P",
    "1C (1H) X (P) 2C (P) P (2H) P",
]
PASSES_NOT_PAUSED = [
    "P",
    "P P P P",
    "1C P",
    "1C (P) P",
    "1C (P) P (P)",
    "(1C) P (1H) P",  # neither of the pair has called
    "(1C) P (P) P",
    "(1C) P (1H) P (2C) P",
    "(1C) X (P) P",
    "1C (1S) P (P) P",
    "1C (P) 1H (P) P",
    "1C (P) 1H (P) 2H (P) P (P)",
    "(1C) 1H (P) P",
    "1C (1S) P (P) X (2S) P (P) P",
]


@pytest.mark.clause("BC-26")
@pytest.mark.parametrize("text", PASSES_PAUSED)
def test_a_pass_over_an_intervention_when_the_pair_has_called_before_has_a_pause(text: str) -> None:
    for start in ("", "P ", "P P ", "P P P "):
        assert pauses_after(calls_of(start + text), PLAIN)


@pytest.mark.clause("BC-26")
@pytest.mark.parametrize("text", PASSES_NOT_PAUSED)
def test_any_other_pass_has_no_pause(text: str) -> None:
    assert not pauses_after(calls_of(text), BOTH)
