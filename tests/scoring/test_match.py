"""Boards compared between two rooms, and the score of a match."""

import pytest

from tests.support.golden_figures import golden_example
from tourney.bridge import Contract, Seat, Side, Strain, board_vulnerability, score_ns
from tourney.errors import RuleError
from tourney.scoring.adjusted import score_forfeited_match, walkover_vp
from tourney.scoring.match import BoardComparison, Fines, MatchScore, compare_board, score_match
from tourney.scoring.victory_points import UserTable, VpHundredths, VpStep, vp_scale

STRAINS = {strain.letters: strain for strain in Strain}
SCALE = vp_scale("wbf-continuous", 24)


def contract_of(played: dict[str, str]) -> Contract:
    text = played["contract"]
    bid = text.rstrip("X")
    return Contract(int(bid[0]), STRAINS[bid[1:]], len(text) - len(bid), Seat.from_letter(played["by"]))


def compared(*gains: int) -> list[BoardComparison]:
    return [BoardComparison(number, gain, -gain) for number, gain in enumerate(gains, start=1)]


def figures(score: MatchScore) -> tuple[int, int, int, int]:
    return score.imps_home, score.imps_away, score.vp_home, score.vp_away


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
    assert [comparison.imps_home for comparison in comparisons] == example["imps"] == [-1, -3, 13, 6]
    score = score_match(comparisons, vp_scale("seed-24", 24))
    assert score.imps_home - score.imps_away == example["total_imps"] == 15
    assert [score.vp_home, score.vp_away] == [100 * vp for vp in example["vp_seed_24_board_table"]]


@pytest.mark.parametrize("side", Side)
def test_a_board_on_which_one_team_sat_the_same_way_twice_cannot_be_compared(side: Side) -> None:
    with pytest.raises(RuleError) as refused:
        compare_board(7, 420, -50, home_open=side, home_closed=side)
    assert str(refused.value) == f"board 7 cannot be compared: one team sat {side} in both rooms"


# Boards that were forfeited (Laws 2017, Law 12C2: average minus and average plus, -3 and +3 IMPs)


# Fines


def test_victory_points_fall_below_zero_when_the_fine_is_greater() -> None:
    score = score_match(compared(24, 24, 24, 24), vp_scale("wbf-continuous", 4), away=Fines(vp=150))
    assert (score.vp_home, score.vp_away) == (2000, -150)


# Matches that were forfeited (White Book 2025, 2.4.2: 60 percent; 3.3: half of the boards)


@pytest.mark.parametrize(("most", "worth"), [(2000, 1200), (2500, 1500), (1999, 1200), (1001, 601)])
def test_a_walkover_is_worth_three_fifths_of_the_scale_fractions_up(most: int, worth: int) -> None:
    table = UserTable(
        (VpStep(0, VpHundredths(500), VpHundredths(500)), VpStep(1, VpHundredths(most), VpHundredths(0)))
    )
    assert walkover_vp(vp_scale("own", 24, {"own": table})) == worth


@pytest.mark.parametrize("gain", [0, -5])
def test_a_margin_that_is_worse_than_a_walkover_does_not_count(gain: int) -> None:
    score = score_forfeited_match(compared(*[gain] * 20), SCALE, home_forfeits=False, away_forfeits=True)
    assert score == MatchScore(0, 0, 0, VpHundredths(1200), VpHundredths(0))


def test_fines_are_taken_off_a_walkover_too() -> None:
    score = score_forfeited_match(
        [], SCALE, home_forfeits=False, away_forfeits=True, home=Fines(imps=3, vp=100), away=Fines(vp=50)
    )
    assert figures(score) == (0, 0, 1100, -50)


def test_fines_in_victory_points_are_taken_off_a_margin_so_far_once() -> None:
    score = score_forfeited_match(
        compared(*[5] * 12), SCALE, home_forfeits=False, away_forfeits=True, home=Fines(vp=100)
    )
    assert figures(score) == (60, 0, 1906 - 100, 0)


def test_the_innocent_side_s_own_penalty_in_imps_is_in_its_margin() -> None:
    score = score_forfeited_match(
        compared(*[5] * 12), SCALE, home_forfeits=False, away_forfeits=True, home=Fines(imps=10)
    )
    assert score == MatchScore(12, 50, 0, VpHundredths(1819), VpHundredths(0), lost_home=10)
