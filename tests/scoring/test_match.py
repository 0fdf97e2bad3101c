"""Boards compared between two rooms, and the score of a match."""

import pytest

from tests.support.golden_figures import golden_example
from tourney.bridge import Contract, Seat, Side, Strain, board_vulnerability, score_ns
from tourney.errors import RuleError
from tourney.scoring.adjusted import adjust_board, score_forfeited_match, walkover_vp
from tourney.scoring.match import BoardComparison, Fines, MatchScore, compare_board, score_match, total_imps
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


def test_imps_are_those_of_the_home_team_whichever_way_it_sat() -> None:
    assert compare_board(7, 420, -50, home_open=Side.NS, home_closed=Side.EW) == BoardComparison(7, 10, -10)
    assert compare_board(7, 420, -50, home_open=Side.EW, home_closed=Side.NS) == BoardComparison(7, -10, 10)


@pytest.mark.parametrize("side", Side)
def test_a_board_on_which_one_team_sat_the_same_way_twice_cannot_be_compared(side: Side) -> None:
    with pytest.raises(RuleError) as refused:
        compare_board(7, 420, -50, home_open=side, home_closed=side)
    assert str(refused.value) == f"board 7 cannot be compared: one team sat {side} in both rooms"


def test_each_side_is_credited_with_the_boards_it_gained_on() -> None:
    score = score_match(compared(5, -3, 0, 10, -7), SCALE)
    assert score == MatchScore(5, 15, 10, *SCALE.split(5))


def test_the_away_team_gets_the_winner_s_figure_when_it_won() -> None:
    assert figures(score_match(compared(-15), SCALE)) == (0, 15, 666, 1334)


def test_a_match_without_a_board_yet_is_a_draw() -> None:
    assert score_match([], SCALE) == MatchScore(0, 0, 0, *SCALE.split(0))


# Boards that were forfeited (Laws 2017, Law 12C2: average minus and average plus, -3 and +3 IMPs)


def test_a_forfeited_board_costs_three_imps_and_gives_the_opponents_three() -> None:
    assert adjust_board(7, home_at_fault=True, away_at_fault=False) == BoardComparison(7, -3, 3)
    assert adjust_board(7, home_at_fault=False, away_at_fault=True) == BoardComparison(7, 3, -3)


def test_a_board_that_both_have_forfeited_costs_each_three_imps() -> None:
    assert adjust_board(7, home_at_fault=True, away_at_fault=True) == BoardComparison(7, -3, -3)


def test_three_imps_of_a_forfeited_board_are_won_like_any_others() -> None:
    # Home wins 5 and 3, away 7: a margin of 1 IMP.
    score = score_match([*compared(5, -7), BoardComparison(3, 3, -3)], SCALE)
    assert score == MatchScore(3, 8, 7, VpHundredths(1025), VpHundredths(975))


def test_where_both_forfeit_each_has_a_margin_of_its_own_and_the_match_is_worth_less() -> None:
    # Home wins 20, away 2, and each loses 3: home has a margin of 18 - 3 = 15, away one of -18 - 3 = -21.
    score = score_match([*compared(20, -2), BoardComparison(3, -3, -3)], SCALE)
    # Over 24 boards the winner by 15 gets 13.34, the loser by 21 gets 5.57 (WBF continuous scale of 2013).
    assert figures(score) == (20, 2, 1334, 557)
    assert score.totals.margins == (15, -21)
    assert score.vp_home + score.vp_away < 2000


def test_a_match_of_nothing_but_a_board_both_forfeited_is_lost_by_both() -> None:
    score = score_match([BoardComparison(1, -3, -3)], SCALE)
    assert figures(score) == (0, 0, 925, 925)
    assert score.totals.margins == (-3, -3)


def test_a_ruling_on_one_team_alone_leaves_what_the_other_has_won_and_lost() -> None:
    # The home team wins 12 and loses 5; the away team then gets another score on the board on which it won 2.
    before, on_board = compared(12, -3), (-2, 2)
    won_and_lost = set()
    for away in (on_board[1], 3, 0, -3):
        totals = total_imps([*before, BoardComparison(3, on_board[0], away)])
        won_and_lost.add((totals.home, totals.home - totals.margin_home))
    assert won_and_lost == {(12, 5)}


# Fines


def test_a_penalty_in_imps_is_taken_off_its_team_alone() -> None:
    # Home wins 20 to 5 and is fined 4: its margin is 11. Away's stays at -15.
    score = score_match(compared(20, -5), SCALE, home=Fines(imps=4))
    assert figures(score) == (16, 5, 1254, 666)


def test_a_penalty_in_victory_points_is_taken_off_after_the_conversion() -> None:
    # 15 IMPs over 24 boards are 13.34 to 6.66; a fine of 0.50 leaves 6.16 to who lost, and the winner as it was.
    assert figures(score_match(compared(15), SCALE, away=Fines(vp=50))) == (15, 0, 1334, 616)


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


def test_a_match_forfeited_before_half_of_its_boards_is_12_to_0_whatever_they_were() -> None:
    score = score_forfeited_match(compared(*[10] * 11), SCALE, home_forfeits=False, away_forfeits=True)
    assert score == MatchScore(0, 0, 0, VpHundredths(1200), VpHundredths(0))


def test_a_match_forfeited_after_half_of_its_boards_keeps_a_margin_that_is_better_for_the_innocent() -> None:
    # 12 of 24 boards, 5 IMPs each: a margin of 60 is worth 19.06, and who forfeited gets nothing.
    score = score_forfeited_match(compared(*[5] * 12), SCALE, home_forfeits=False, away_forfeits=True)
    assert score == MatchScore(12, 60, 0, VpHundredths(1906), VpHundredths(0))


@pytest.mark.parametrize("gain", [0, -5])
def test_a_margin_that_is_worse_than_a_walkover_does_not_count(gain: int) -> None:
    score = score_forfeited_match(compared(*[gain] * 20), SCALE, home_forfeits=False, away_forfeits=True)
    assert score == MatchScore(0, 0, 0, VpHundredths(1200), VpHundredths(0))


def test_the_home_team_forfeits_to_the_away_team() -> None:
    score = score_forfeited_match(compared(*[-5] * 12), SCALE, home_forfeits=True, away_forfeits=False)
    assert figures(score) == (0, 60, 0, 1906)


def test_a_match_that_both_forfeit_gives_nobody_anything() -> None:
    score = score_forfeited_match(compared(*[5] * 24), SCALE, home_forfeits=True, away_forfeits=True)
    assert score == MatchScore(0, 0, 0, VpHundredths(0), VpHundredths(0))


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
