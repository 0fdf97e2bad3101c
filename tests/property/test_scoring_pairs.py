"""What holds for the scores of any field of pairs."""

from collections.abc import Sequence
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tourney.movement.pairs.howell import plan_howell
from tourney.movement.pairs.mitchell import advise_switched_rounds, plan_mitchell
from tourney.movement.pairs.movement import Movement
from tourney.movement.pairs.ranking import rank_pairs
from tourney.scoring.assigned import WeightedScore
from tourney.scoring.imps import imps
from tourney.scoring.pairs.field import PairsRules, PairsScoring, ScoredField, score_field
from tourney.scoring.pairs.matchpoints import adjust_matchpoints, matchpoints_of_score
from tourney.scoring.pairs.traveller import Traveller, TravellerLine

scores = st.integers(-60, 60).map(lambda tens: 10 * tens)
results = st.lists(st.tuples(st.integers(1, 9), scores), min_size=1, max_size=3).map(
    lambda parts: tuple(WeightedScore(*part) for part in parts)
)
boards = st.lists(results, min_size=2, max_size=12)


def field_of(
    played: Sequence[tuple[WeightedScore, ...]], scoring: PairsScoring, expected: int | None = None
) -> ScoredField:
    lines = tuple(
        TravellerLine(ns=f"N{table}", ew=f"E{table}", ns_result=result, ew_result=result)
        for table, result in enumerate(played)
    )
    return score_field([Traveller("1", lines)], PairsRules(scoring=scoring, expected=expected))


@given(boards, st.integers(0, 8))
def test_a_board_gives_each_direction_half_of_all_matchpoints_also_after_neuberg(
    played: list[tuple[WeightedScore, ...]], missing: int
) -> None:
    number = len(played)
    expected = number + min(missing, 2 * number - 1)
    if number <= 3 and 3 * number <= expected:
        expected = number
    (traveller,) = field_of(played, PairsScoring.MATCHPOINTS, expected).travellers
    for side in (0, 1):
        points = [(line.ns, line.ew)[side] for line in traveller.lines]
        assert sum(point for point in points if point is not None) == number * (expected - 1)
    assert {(line.ns or 0) + (line.ew or 0) for line in traveller.lines} == {2 * (expected - 1)}


@given(boards, st.sampled_from([PairsScoring.CROSS_IMPS, PairsScoring.BUTLER]))
def test_in_imps_east_west_lose_what_north_south_win(
    played: list[tuple[WeightedScore, ...]], scoring: PairsScoring
) -> None:
    (traveller,) = field_of(played, scoring).travellers
    assert all(line.ns == -(line.ew or 0) for line in traveller.lines)
    if scoring is PairsScoring.CROSS_IMPS:
        assert sum(line.ns or 0 for line in traveller.lines) == 0


@given(st.lists(scores, min_size=2, max_size=15))
def test_matchpoints_and_cross_imps_are_what_counting_by_hand_gives(played: list[int]) -> None:
    plain = [(WeightedScore(1, score),) for score in played]
    (matchpoints,) = field_of(plain, PairsScoring.MATCHPOINTS).travellers
    (cross,) = field_of(plain, PairsScoring.CROSS_IMPS).travellers
    for place, score in enumerate(played):
        others = played[:place] + played[place + 1 :]
        by_hand = sum(2 * (other < score) + (other == score) for other in others)
        assert matchpoints.lines[place].ns == by_hand
        assert cross.lines[place].ns == Fraction(sum(imps(score - other) for other in others), len(others))


@given(st.lists(scores, min_size=4, max_size=10), st.integers(0, 6))
def test_neuberg_keeps_the_order_and_an_average_where_it_is(played: list[int], missing: int) -> None:
    frequencies = {score: Fraction(played.count(score)) for score in played}
    number, expected = len(played), len(played) + missing
    adjusted = []
    for score in sorted(frequencies):
        points = adjust_matchpoints(matchpoints_of_score(score, frequencies), number, expected)
        assert points is not None
        assert 0 <= points <= 2 * (expected - 1)
        adjusted.append(points)
    assert adjusted == sorted(adjusted)
    assert adjust_matchpoints(Fraction(number - 1), number, expected) == expected - 1


@pytest.mark.parametrize(
    "movement",
    [
        plan_howell(8),
        plan_howell(7, has_phantom=True),
        plan_mitchell(14, switched=advise_switched_rounds(7, 7)),
        plan_howell(10, is_barometer=True),
    ],
    ids=lambda movement: movement.name,
)
@given(st.data())
def test_in_a_movement_with_one_winner_the_field_averages_fifty_percent(
    movement: Movement, data: st.DataObject
) -> None:
    travellers = [
        Traveller(
            str(number),
            tuple(TravellerLine.of_score(str(row.ns), str(row.ew), data.draw(scores)) for row in rows),
        )
        for number, rows in movement.by_set.items()
    ]
    field = score_field(travellers, PairsRules(scoring=PairsScoring.MATCHPOINTS))
    totals = field.totals.values()
    assert sum((total.level or 0) * total.boards for total in totals) == 50 * sum(total.boards for total in totals)
    ranked = rank_pairs(field, list(field.totals)).places
    assert sorted(pair for place in ranked for pair in place) == sorted(field.totals)
