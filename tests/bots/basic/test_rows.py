"""The language of the tables in which the bidding system is written."""

import pytest

from tests.support.bots_table import view_after
from tourney.bots.basic.bidder import read_auction
from tourney.bots.basic.evaluation import Evaluation
from tourney.bots.basic.meaning import ANY_POINTS, CallKind, Force, Meaning, Range
from tourney.bots.basic.rows import System

HAND = "AQ84.KJ73.K82.95"


def meanings(table: str, calls: str = "") -> list[Meaning]:
    return System(table).meanings(read_auction(view_after(HAND, calls)))


def test_a_row_promises_points_and_lengths_and_tests_the_rest_of_the_hand() -> None:
    [row] = meanings("== opening\n1S  12..15  S:4..5  H:..4  hcp>=13 stops.D  forcing  opening")
    assert str(row.call) == "1S"
    assert row.points == Range(12, 15)
    assert row.lengths == (Range(0, 13), Range(0, 13), Range(0, 4), Range(4, 5))
    assert (row.kind, row.force, row.alerted) == (CallKind.OPENING, Force.ROUND, False)
    assert row.fits(Evaluation.of(view_after(HAND).hand))
    assert not row.fits(Evaluation.of(view_after("AQ84.KJ73.82.K95").hand))


def test_a_row_without_words_says_nothing_and_a_pass_is_a_pass() -> None:
    one, passed = meanings("== opening\n1C\nPass")
    assert (one.points, one.kind, passed.kind) == (ANY_POINTS, CallKind.NATURAL, CallKind.PASS)


def test_a_phrase_makes_an_alert_and_a_row_goes_on_in_a_line_that_is_indented_further() -> None:
    [row] = meanings('== opening\n2C  8..\n          forcing "Asking for a major"  # a comment')
    assert (row.phrase, row.alerted, row.force) == ("Asking for a major", True, Force.ROUND)


def test_rows_below_each_hold_for_every_suit_that_meets_the_conditions() -> None:
    table = "== response partner_kind=opening\neach x SHDC x!=P level<=2\n    lowest.x 6/10.. x:4..\n    jump.x\nPass"
    listed = [(str(row.call), row.points.low) for row in meanings(table, "1H Pass")]
    assert listed == [("1S", 6), ("2S", 0), ("2D", 10), ("2C", 10), ("Pass", 0)]


def test_the_first_section_whose_conditions_hold_is_the_system() -> None:
    table = "== opening position=2\nPass\n== opening\n== defence\n1NT\n== opening\n2NT"
    assert [str(row.call) for row in meanings(table)] == ["1NT"]
    assert [str(row.call) for row in meanings(table, "Pass")] == ["Pass"]
    assert [str(row.call) for row in meanings(table, "1C")] == ["1NT"]
    assert meanings(table, "1C Pass") == []


@pytest.mark.parametrize("word", ["hpc>=12", "raize", "forcing_unless.passed", "stops.q"])
def test_an_unknown_word_is_named(word: str) -> None:
    with pytest.raises(ValueError, match="is no word of the bidding system"):
        System(f"== opening\n1C {word}")
