"""Rankings of pairs, one or two lists, and what breaks ties."""

from collections.abc import Sequence

import pytest

from tourney.bridge import Side
from tourney.movement.pairs.ranking import PairsTieBreak, rank_pairs
from tourney.movement.tie_breaks import Ranking
from tourney.scoring.pairs.field import PairsRules, PairsScoring, ScoredField, score_field
from tourney.scoring.pairs.traveller import Traveller, TravellerLine

FOUR_PAIRS = [
    [("D", "A", 0), ("B", "C", -50)],
    [("D", "B", 50), ("C", "A", -50)],
    [("D", "C", 100), ("A", "B", 100)],
]
"""A Howell for four: A and C are equal, and A won from C when they met."""


def field_of(boards: list[list[tuple[str, str, int]]], sessions: int = 1) -> ScoredField:
    """Score boards, dealt out to sessions one after the other."""
    travellers = [
        Traveller(str(number), tuple(TravellerLine.of_score(*line) for line in lines), number % sessions + 1)
        for number, lines in enumerate(boards)
    ]
    return score_field(travellers, PairsRules(scoring=PairsScoring.MATCHPOINTS))


def ranked_in(
    field: ScoredField,
    side: Side | None = None,
    criteria: Sequence[PairsTieBreak] = (),
    lot_seed: str | None = None,
) -> Ranking:
    """The ranking of all pairs, or of those that have sat in one direction."""
    pairs = [pair for pair, total in field.totals.items() if side is None or side in total.sides]
    return rank_pairs(field, pairs, criteria, lot_seed)


def places(ranked: Ranking) -> list[str]:
    return ["".join(place) for place in ranked.places]


def test_equal_pairs_share_their_place_and_the_next_counts_on() -> None:
    ranked = ranked_in(field_of(FOUR_PAIRS))
    assert places(ranked) == ["D", "AC", "B"]


@pytest.mark.parametrize(
    ("criterion", "order"),
    [
        (PairsTieBreak.OWN_MEETING, "AC"),
        (PairsTieBreak.COMMON_BOARDS, "CA"),
        (PairsTieBreak.LOT, "CA"),
    ],
)
def test_a_criterion_separates_two_equal_pairs(criterion: PairsTieBreak, order: str) -> None:
    ranked = ranked_in(field_of(FOUR_PAIRS), criteria=[criterion], lot_seed="1")
    assert places(ranked) == ["D", *order, "B"]


def test_criteria_apply_in_their_order_and_the_first_that_separates_decides() -> None:
    field = field_of(FOUR_PAIRS)
    criteria = [PairsTieBreak.BOARDS_WON, PairsTieBreak.DEVIATION, PairsTieBreak.OWN_MEETING, PairsTieBreak.LOT]
    (tie,) = ranked_in(field, criteria=criteria, lot_seed="1").ties
    (step,) = tie.steps
    assert step.broken_by is not None
    assert step.broken_by.criterion is criteria[2]
    assert [result.criterion for result in step.results] == criteria[:3]


def test_lots_wait_for_their_seed() -> None:
    assert places(ranked_in(field_of(FOUR_PAIRS), criteria=[PairsTieBreak.LOT])) == ["D", "AC", "B"]


# Five tables; A and B have the same percentage over three boards, each against other opponents.
SPREAD = [
    [("A", "V", 40), ("B", "W", 30), ("C", "X", 10), ("D", "Y", 20), ("E", "Z", 50)],
    [("A", "W", 40), ("B", "V", 10), ("C", "X", 50), ("D", "Y", 20), ("E", "Z", 30)],
    [("A", "X", 10), ("B", "Y", 50), ("C", "V", 40), ("D", "W", 20), ("E", "Z", 30)],
]


@pytest.mark.parametrize(
    ("criterion", "order"),
    [
        (PairsTieBreak.BOARDS_WON, "AB"),
        (PairsTieBreak.DEVIATION, "AB"),
        (PairsTieBreak.BEST_SESSION, "BA"),
        (PairsTieBreak.OPPONENTS, "AB"),
        (PairsTieBreak.OWN_MEETING, "tied"),
    ],
)
def test_criteria_for_pairs_that_have_not_met(criterion: PairsTieBreak, order: str) -> None:
    field = field_of(SPREAD, sessions=3)
    assert field.totals["A"].level == field.totals["B"].level == 50
    ranked = ranked_in(field, Side.NS, criteria=[criterion])
    of_tie = ["".join(place) for place in ranked.places if {"A", "B"} & set(place)]
    assert of_tie == (["AB"] if order == "tied" else list(order))


def test_an_unswitched_mitchell_has_two_lists() -> None:
    field = field_of([[("1", "3", 100), ("2", "4", 50)], [("1", "4", 100), ("2", "3", 50)]])
    assert places(ranked_in(field, Side.NS)) == ["1", "2"]
    assert places(ranked_in(field, Side.EW)) == ["34"]
