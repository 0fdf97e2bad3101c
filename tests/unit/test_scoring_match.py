"""Boards compared between two rooms, and the score of a match."""

import pytest

from tests.golden_figures import golden_example
from tourney.bridge import Contract, Seat, Side, Strain, board_vulnerability, score_ns
from tourney.errors import RuleError
from tourney.scoring.match import BoardComparison, MatchScore, compare_board, score_match
from tourney.scoring.victory_points import vp_scale

STRAINS = {strain.letters: strain for strain in Strain}


def contract_of(played: dict[str, str]) -> Contract:
    text = played["contract"]
    bid = text.rstrip("X")
    return Contract(int(bid[0]), STRAINS[bid[1:]], len(text) - len(bid), Seat.from_letter(played["by"]))


def compared(*gains: int) -> list[BoardComparison]:
    return [BoardComparison(number, 0, 0, gain) for number, gain in enumerate(gains, start=1)]


def test_the_worked_team_match_is_won_by_15_imps_and_13_to_7() -> None:
    example = golden_example("team_match_4_boards")
    comparisons = []
    for ours, theirs in zip(example["north_card_table1"], example["east_card_table2"], strict=True):
        number = ours["board"]
        # Our North-South sit at table 1, our East-West at table 2: a card in East's hand is scored the other way.
        at_table1 = score_ns(contract_of(ours), ours["tricks"], board_vulnerability(number))
        at_table2 = score_ns(contract_of(theirs), theirs["tricks"], board_vulnerability(number))
        assert (at_table1, -at_table2) == (ours["score"], theirs["score"])
        comparisons.append(compare_board(number, at_table1, at_table2, home_open=Side.NS, home_closed=Side.EW))
    assert [comparison.imps for comparison in comparisons] == example["imps"] == [-1, -3, 13, 6]
    score = score_match(comparisons, vp_scale("seed-24", 24))
    assert score.imps_home - score.imps_away == example["total_imps"] == 15
    assert [score.vp_home, score.vp_away] == [100 * vp for vp in example["vp_seed_24_board_table"]]


def test_imps_are_those_of_the_home_team_whichever_way_it_sat() -> None:
    assert compare_board(7, 420, -50, home_open=Side.NS, home_closed=Side.EW) == BoardComparison(7, 420, -50, 10)
    assert compare_board(7, 420, -50, home_open=Side.EW, home_closed=Side.NS) == BoardComparison(7, 420, -50, -10)


@pytest.mark.parametrize("side", Side)
def test_a_board_on_which_one_team_sat_the_same_way_twice_cannot_be_compared(side: Side) -> None:
    with pytest.raises(RuleError) as refused:
        compare_board(7, 420, -50, home_open=side, home_closed=side)
    assert str(refused.value) == f"board 7 cannot be compared: one team sat {side} in both rooms"


def test_each_side_is_credited_with_the_boards_it_gained_on() -> None:
    score = score_match(compared(5, -3, 0, 10, -7), vp_scale("wbf-continuous", 24))
    assert score == MatchScore(15, 10, *vp_scale("wbf-continuous", 24).split(5))


def test_the_away_team_gets_the_winner_s_figure_when_it_won() -> None:
    score = score_match(compared(-15), vp_scale("wbf-continuous", 24))
    assert (score.imps_home, score.imps_away, score.vp_home, score.vp_away) == (0, 15, 666, 1334)


def test_a_match_without_a_board_yet_is_a_draw() -> None:
    assert score_match([], vp_scale("wbf-continuous", 24)) == MatchScore(
        0, 0, *vp_scale("wbf-continuous", 24).split(0)
    )
