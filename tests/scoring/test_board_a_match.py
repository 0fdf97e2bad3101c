"""Board-a-match against published boards."""

from fractions import Fraction

import pytest

from tests.support.golden_figures import golden_pairs_example
from tourney.scoring.assigned import WeightedScore
from tourney.scoring.board_a_match import BoardPoints, average_board, board_a_match, weighted_board_a_match
from tourney.scoring.pairs.traveller import Average

BAM = golden_pairs_example("bam")


@pytest.mark.parametrize("board", BAM["single_boards_team_vs"], ids=str)
def test_every_published_board(board: dict[str, float]) -> None:
    points = board_a_match(int(board["ns"]), -int(board["ew_team_mates"]))
    assert points == Fraction(board["points"])


def test_the_match_of_four_boards_of_the_rules() -> None:
    example = BAM["seed_match_as_bam"]
    points = [board_a_match(total, 0) for total in example["sums"]]
    assert points == example["points"]
    assert [sum(points), len(points) - sum(points)] == example["total"]


def test_an_average_session_is_half_of_the_boards() -> None:
    assert 26 * average_board(Average.AVERAGE) == BAM["average_26_boards"]


def test_weighted_scores_are_compared_part_by_part() -> None:
    at_home = (WeightedScore(60, 420), WeightedScore(40, -50))
    assert weighted_board_a_match(at_home, (WeightedScore(1, 170),)) == Fraction(6, 10)
    assert weighted_board_a_match(at_home, (WeightedScore(1, 420),)) == Fraction(3, 10)


def test_artificial_scores() -> None:
    kinds = (Average.PLUS, Average.AVERAGE, Average.MINUS)
    assert [average_board(kind) for kind in kinds] == [Fraction(3, 5), Fraction(1, 2), Fraction(2, 5)]
    assert [average_board(kind, BoardPoints.TWO) for kind in kinds] == [Fraction(6, 5), 1, Fraction(4, 5)]
