"""A whole field: totals, artificial and split scores, sessions, sections, unknown pairs."""

from fractions import Fraction

import pytest

from tests.support.golden_figures import golden_pairs_example
from tourney.bridge import Side
from tourney.scoring.assigned import WeightedScore
from tourney.scoring.pairs.field import (
    PairsRules,
    PairsScoring,
    ScoredField,
    ScoredLine,
    ScoredTraveller,
    score_field,
)
from tourney.scoring.pairs.traveller import Average, SideResult, Traveller, TravellerLine

MATCHPOINTS = PairsRules(scoring=PairsScoring.MATCHPOINTS)


def traveller(board: str, *lines: tuple[str, str, int], session: int = 1) -> Traveller:
    return Traveller(board, tuple(TravellerLine.of_score(*line) for line in lines), session)


def line(ns: str, ew: str, ns_result: SideResult, ew_result: SideResult | None = None) -> TravellerLine:
    return TravellerLine(ns=ns, ew=ew, ns_result=ns_result, ew_result=ns_result if ew_result is None else ew_result)


def played(score: int) -> tuple[WeightedScore, ...]:
    return (WeightedScore(1, score),)


def points_of(scored: ScoredTraveller) -> list[tuple[object, object]]:
    return [(own.ns, own.ew) for own in scored.lines]


def percentages_of(own: ScoredLine) -> tuple[object, object]:
    return own.percentage(Side.NS), own.percentage(Side.EW)


def levels(field: ScoredField) -> dict[str, Fraction | None]:
    return {pair: total.level for pair, total in field.totals.items()}


@pytest.mark.parametrize("row", golden_pairs_example("average_plus")["rows_own_percent_kind_award"], ids=str)
def test_an_average_plus_or_minus_is_the_own_percentage_where_that_is_further_from_average(row: list[str]) -> None:
    own, notation, award = row
    kind = {"A+": Average.PLUS, "A": Average.AVERAGE, "A-": Average.MINUS}[notation]
    # Pair 1 wins `own` percent of board 1: a weighted score of best and worst against 9 equal results.
    share = int(Fraction(own) * 100)
    weighted = (WeightedScore(share, 1000), WeightedScore(10_000 - share, -1000))
    first = Traveller("1", (line("1", "2", weighted), *(line("x", "y", played(0)) for _ in range(9))))
    second = Traveller("2", (line("1", "3", kind, Average.AVERAGE), *(line("x", "y", played(0)) for _ in range(9))))
    field = score_field([first, second], MATCHPOINTS)
    line_1, line_2 = (scored.lines[0] for scored in field.travellers)
    assert f"{float(line_1.percentage(Side.NS) or 0):.2f}" == own
    assert f"{float(line_2.percentage(Side.NS) or 0):.2f}" == award
    assert line_2.percentage(Side.EW) == 50


def test_a_fouled_board_is_two_groups_each_brought_to_the_whole_top() -> None:
    def fouled(ns: str, score: int, group: int) -> TravellerLine:
        return TravellerLine(ns=ns, ew=f"{ns}'", ns_result=played(score), ew_result=played(score), group=group)

    lines = [fouled(str(number), 10 * number, 0) for number in range(7)]
    others = [fouled(str(number), 10 * number, 1) for number in range(7, 10)]
    (scored,) = score_field([Traveller("1", (*lines, *others))], MATCHPOINTS).travellers
    assert [f"{float(own.ns or 0):.2f}" for own in scored.lines] == [
        *("0.43", "3.29", "6.14", "9.00", "11.86", "14.71", "17.57"),
        *("9.00", "10.80", "12.60"),
    ]


def test_percentages_rank_pairs_that_sat_out() -> None:
    """230 of 352 is more than 210 of 384, though 225 of 384 would be fewer percent than 207 of 352."""
    example = golden_pairs_example("percentages_with_sit_outs")
    for points, available, percentage in example["rows_mp_possible_percent"]:
        assert f"{100 * points / available:.2f}" == percentage
    field = score_field(
        [
            traveller("1", ("1", "2", 500), ("3", "4", 0)),
            traveller("2", ("1", "2", 0), ("3", "5", 0)),
        ],
        MATCHPOINTS,
    )
    assert levels(field) == {"1": 75, "2": 25, "3": 25, "4": 100, "5": 50}
    assert [scoring.level for scoring in PairsScoring] == ["percentage", *["IMPs per board"] * 2]
    assert (field.totals["5"].boards, field.totals["3"].boards) == (1, 2)


def test_an_unknown_pair_counts_for_its_board_only() -> None:
    field = score_field([traveller("1", ("1", "2", 500), ("", "", 0), ("3", "", 100))], MATCHPOINTS)
    assert levels(field) == {"1": 100, "2": 0, "3": 50}


def test_one_result_of_a_whole_event_has_no_points() -> None:
    field = score_field([traveller("1", ("1", "2", 500))], MATCHPOINTS)
    assert field.travellers[0].lines[0].ns is None
    assert field.totals["1"].boards == 0
    assert field.totals["1"].level is None


@pytest.mark.parametrize("others", [[("3", "4", 0)], [("3", "4", 0), ("5", "6", 0)]])
def test_a_result_alone_on_its_board_is_average_plus_at_matchpoints(others: list[tuple[str, str, int]]) -> None:
    lonely = traveller("2", ("1", "2", 500))
    field = score_field([traveller("1", ("1", "2", 0), *others), lonely], MATCHPOINTS)
    own = field.travellers[1].lines[0]
    assert percentages_of(own) == (60, 60)


def test_sessions_have_one_top_and_matchpoints_are_added() -> None:
    first = traveller("1", ("1", "2", 500), ("3", "4", 100), ("5", "6", 0), session=1)
    second = traveller("1", ("2", "1", 500), ("3", "4", 100), session=2)
    one_top = score_field([first, second], MATCHPOINTS)
    assert one_top.totals["1"].points == 4 + Fraction(1, 2)
    assert one_top.travellers[1].lines[0].top == 4


def test_averages_in_imps_are_three_or_the_own_mean() -> None:
    rules = PairsRules(scoring=PairsScoring.CROSS_IMPS)
    boards = [
        traveller("1", ("1", "2", 620), ("3", "4", 0)),
        Traveller("2", (line("1", "2", Average.PLUS, Average.PLUS), line("3", "4", Average.MINUS, Average.AVERAGE))),
    ]
    assert points_of(score_field(boards, rules).travellers[1]) == [(12, 3), (-12, 0)]


def test_butler_scores_against_the_datum_and_east_west_have_the_opposite() -> None:
    field = score_field(
        [traveller("1", ("1", "2", 620), ("3", "4", 600), ("5", "6", -100))], PairsRules(scoring=PairsScoring.BUTLER)
    )
    assert points_of(field.travellers[0]) == [(6, -6), (6, -6), (-10, 10)]
    assert field.totals["1"].level == 6
