"""Assigned scores: results as directors write them, converted first and weighted then (Law 12C1)."""

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tourney.bridge import Contract, Seat, Strain, Vulnerability
from tourney.errors import RuleError
from tourney.scoring.assigned import (
    AssignedResult,
    WeightedScore,
    parse_all_assigned,
    parse_assigned,
    round_half_away,
    weighted_imps,
)
from tourney.scoring.imps import imps

results = st.builds(
    AssignedResult,
    st.integers(1, 1000),
    st.builds(Contract, st.integers(1, 7), st.sampled_from(Strain), st.integers(0, 2), st.sampled_from(Seat)),
    st.integers(0, 13),
) | st.builds(AssignedResult, st.integers(1, 1000), st.none(), st.just(0))


@pytest.mark.parametrize(
    ("text", "shown", "weight"),
    [
        ("4S N 10", "4S N 10", 1),
        ("60: 3ntx w 7", "3NTX W 7", 60),
        ("40%7NXX e 13", "7NTXX E 13", 40),
        ("pass", "Pass", 1),
        ("25: Passed out", "Pass", 25),
    ],
)
def test_results_are_read_as_directors_write_them(text: str, shown: str, weight: int) -> None:
    assert (str(parse_assigned(text)), parse_assigned(text).weight) == (shown, weight)


@given(results)
def test_what_is_written_is_read_back(result: AssignedResult) -> None:
    assert parse_assigned(f"{result.weight}: {result}") == result


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("8S N 10", "a contract is at a level of 1..7, got 8 in '8S N 10'"),
        ("4S N 14", "a declarer makes 0..13 tricks, got 14 in '4S N 14'"),
        ("0: 4S N 10", "a weight is 1..1000, got 0 in '0: 4S N 10'"),
        ("4S N", "a result is written as 4S N 10, 3NTX W 7 or Pass, weighted as 60: 4S N 10, got '4S N'"),
        ("4S+1", "a result is written as 4S N 10, 3NTX W 7 or Pass, weighted as 60: 4S N 10, got '4S+1'"),
    ],
)
def test_what_is_no_result_is_refused_with_what_was_given(text: str, sentence: str) -> None:
    with pytest.raises(RuleError) as refused:
        parse_assigned(text)
    assert str(refused.value) == sentence


def test_a_score_is_made_of_five_results_at_most() -> None:
    assert len(parse_all_assigned(["20: Pass"] * 5)) == 5
    with pytest.raises(RuleError, match="made of 1 to 5 results, got 6"):
        parse_all_assigned(["Pass"] * 6)


@pytest.mark.parametrize(
    ("texts", "got"),
    [
        (["60: 4S N 10", "30: 4S N 9"], "60 + 30 = 90"),
        (["60: 4S N 10", "4S N 9"], "60 + 1 = 61"),
        (["4S N 10", "4S N 9"], "1 + 1 = 2"),
        (["60: 4S N 10"], "60"),
    ],
)
def test_weights_are_percent_of_which_none_is_left_over(texts: list[str], got: str) -> None:
    with pytest.raises(RuleError) as refused:
        parse_all_assigned(texts)
    assert str(refused.value) == (
        "the weights of an assigned score are percentages that add up to 100, such as 60: 4S N 10 and 40: 4S N 9, "
        f"got {got}"
    )
    assert [part.weight for part in parse_all_assigned(["33: 4S N 10", "33: 4S N 9", "34: Pass"])] == [33, 33, 34]


@given(st.text(max_size=30))
def test_no_text_makes_the_reading_of_a_result_raise_anything_else(text: str) -> None:
    try:
        parsed = parse_assigned(text)
    except RuleError:
        return
    assert parse_assigned(str(parsed)) == replace(parsed, weight=1)


def test_results_are_turned_into_imps_before_they_are_weighted() -> None:
    """60 of 4S made (620, against 170 it is 450: 10 IMPs), 40 of one off (-100: -270 is -7): 3.2 is 3 IMPs.

    The other way round 0.6 * 620 - 0.4 * 100 = 332 would be worth 162: 4 IMPs.
    """
    four_spades = [parse_assigned("60: 4S N 10"), parse_assigned("40: 4S N 9")]
    weighted = [WeightedScore(part.weight, part.score_ns(Vulnerability.ALL)) for part in four_spades]
    assert [part.score_ns for part in weighted] == [620, -100]
    assert (imps(620 - 170), imps(-100 - 170)) == (10, -7)
    assert weighted_imps(weighted, [WeightedScore(1, 170)], 1) == 3
    assert weighted_imps(weighted, [WeightedScore(1, 170)], -1) == -3


@pytest.mark.parametrize(("value", "rounded"), [("5/2", 3), ("-5/2", -3), ("12/5", 2), ("-12/5", -2), ("0", 0)])
def test_exact_halves_go_away_from_zero(value: str, rounded: int) -> None:
    assert round_half_away(Fraction(value)) == rounded


scores = st.lists(
    st.builds(WeightedScore, st.integers(1, 100), st.integers(-200, 200).map(lambda n: n * 10)), min_size=1
)


@given(scores, scores)
def test_what_one_side_gets_the_other_loses_and_it_lies_between_the_extremes(
    open_room: list[WeightedScore], closed_room: list[WeightedScore]
) -> None:
    mine = weighted_imps(open_room, closed_room, 1)
    assert weighted_imps(open_room, closed_room, -1) == -mine
    each = [imps(one.score_ns - other.score_ns) for one in open_room for other in closed_room]
    assert min(each) <= mine <= max(each)
