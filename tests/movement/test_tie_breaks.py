"""Ties of three teams, each criterion worked out by hand.

Ants, Bees and Cats are the tied ones; Dogs are who they have other victory points and IMPs from.
"""

from collections.abc import Sequence
from hashlib import sha256

from tests.support.finished_matches import finish
from tourney.movement.ranking import NO_BOARDS, BoardTotals, FinishedMatch, rank_teams
from tourney.movement.tie_breaks import Tie, TieBreak, TieBreakResult, TieStep
from tourney.scoring.victory_points import VpHundredths

TEAMS = ("Ants", "Bees", "Cats", "Dogs")
VP, IMPS = TieBreak.HEAD_TO_HEAD_VP, TieBreak.HEAD_TO_HEAD_IMPS
DIFFERENCE, QUOTIENT = TieBreak.IMP_DIFFERENCE, TieBreak.IMP_QUOTIENT
POINTS, BOARDS, WINS, LOT = TieBreak.TOTAL_POINTS_QUOTIENT, TieBreak.BOARDS_WON, TieBreak.WINS, TieBreak.LOT


def match(
    home: str, away: str, vp: tuple[int, int], imps: tuple[int, int] = (0, 0), totals: BoardTotals = NO_BOARDS
) -> FinishedMatch:
    return finish(home, away, *imps, VpHundredths(vp[0]), VpHundredths(vp[1]), totals=totals)


def beat_dogs(*imps: tuple[int, int], totals: Sequence[BoardTotals] = (NO_BOARDS,) * 3) -> list[FinishedMatch]:
    """Ants, Bees and Cats, one after the other, beat Dogs by 17 to 3."""
    return [
        match(team, "Dogs", (1700, 300), imps_of_match, total)
        for team, imps_of_match, total in zip(TEAMS[:3], imps, totals, strict=True)
    ]


def tie_of(
    matches: Sequence[FinishedMatch], *criteria: TieBreak, teams: Sequence[str] = TEAMS, seed: str | None = None
) -> Tie:
    """The tie that Ants are in."""
    (tie,) = (tie for tie in rank_teams(teams, matches, criteria, seed).ties if "Ants" in tie.teams)
    return tie


def ranks(
    matches: Sequence[FinishedMatch], *criteria: TieBreak, teams: Sequence[str] = TEAMS, seed: str | None = None
) -> list[tuple[int, str]]:
    return [(row.rank, row.team) for row in rank_teams(teams, matches, criteria, seed).rows]


def figures(matches: Sequence[FinishedMatch], criterion: TieBreak) -> list[tuple[str, str]]:
    """What the criterion said of each of the tied teams, best first."""
    (result,) = tie_of(matches, criterion).steps[0].results
    return list(result.figures.items())


# Each criterion


def test_head_to_head_vp_are_of_the_matches_among_the_tied_teams_alone() -> None:
    matches = [
        match("Ants", "Bees", (1200, 800)),
        match("Bees", "Cats", (1300, 700)),
        match("Cats", "Ants", (900, 1100)),
        match("Ants", "Dogs", (400, 1600)),
        match("Bees", "Dogs", (600, 1400)),
        match("Cats", "Dogs", (1100, 900)),
    ]
    # Ants 12 + 11 = 23, Bees 8 + 13 = 21, Cats 7 + 9 = 16; with the 4, 6 and 11 that Dogs left them all have 27.
    result = TieBreakResult(VP, {"Ants": "23.00", "Bees": "21.00", "Cats": "16.00"}, "")
    step = TieStep((("Ants",), ("Bees",), ("Cats",)), (result,))
    assert tie_of(matches, VP) == Tie(2, 2700, ("Ants", "Bees", "Cats"), (step,))
    assert ranks(matches, VP) == [(1, "Dogs"), (2, "Ants"), (3, "Bees"), (4, "Cats")]


def test_head_to_head_imps_are_of_the_matches_among_the_tied_teams_alone() -> None:
    matches = [
        match("Ants", "Bees", (1000, 1000), (15, 10)),
        match("Bees", "Cats", (1000, 1000), (20, 8)),
        match("Cats", "Ants", (1000, 1000), (9, 0)),
        *beat_dogs((90, 0), (0, 0), (0, 0)),
    ]
    # Bees -5 + 12 = 7, Cats -12 + 9 = -3, Ants 5 - 9 = -4: the 90 against Dogs are of no use.
    assert figures(matches, IMPS) == [("Bees", "+7"), ("Cats", "-3"), ("Ants", "-4")]
    assert ranks(matches, IMPS)[:3] == [(1, "Bees"), (2, "Cats"), (3, "Ants")]


def test_the_imp_difference_is_of_all_matches() -> None:
    matches = [match("Ants", "Bees", (1000, 1000), (3, 5)), match("Bees", "Ants", (1000, 1000), (7, 4))]
    matches += [match("Cats", "Dogs", (1000, 1000), (9, 9)), match("Cats", "Dogs", (1000, 1000), (0, 6))]
    matches += beat_dogs((20, 3), (15, 8), (18, 0))
    # Ants -2 - 3 + 17 = 12, Bees 2 + 3 + 7 = 12, Cats 0 - 6 + 18 = 12; one IMP more for Bees.
    assert figures(matches, DIFFERENCE) == [("Ants", "+12"), ("Bees", "+12"), ("Cats", "+12")]
    matches[-2] = match("Bees", "Dogs", (1700, 300), (16, 8))
    assert figures(matches, DIFFERENCE) == [("Bees", "+13"), ("Ants", "+12"), ("Cats", "+12")]
    assert ranks(matches, DIFFERENCE) == [(1, "Bees"), (2, "Ants"), (2, "Cats"), (4, "Dogs")]


def test_the_imp_quotient_is_imps_won_by_imps_lost_not_their_difference() -> None:
    # 60/40 = 1.5 by 20, 30/18 = 1.666... by 12, 8/5 = 1.6 by 3; decimals are cut off, not rounded.
    matches = beat_dogs((60, 40), (30, 18), (8, 5))
    assert figures(matches, QUOTIENT) == [
        ("Bees", "1.6666 (30/18)"),
        ("Cats", "1.6000 (8/5)"),
        ("Ants", "1.5000 (60/40)"),
    ]


def test_a_quotient_with_nothing_lost_is_above_all_others_and_nothing_won_or_lost_counts_as_one() -> None:
    assert figures(beat_dogs((9, 8), (1, 0), (0, 0)), QUOTIENT) == [
        ("Bees", "infinite (1/0)"),
        ("Ants", "1.1250 (9/8)"),
        ("Cats", "1.0000 (0/0)"),
    ]
    assert figures(beat_dogs((5, 5), (0, 0), (0, 1)), QUOTIENT)[:2] == [
        ("Ants", "1.0000 (5/5)"),
        ("Bees", "1.0000 (0/0)"),
    ]


def test_quotients_below_zero_come_from_fines_and_the_one_with_nothing_lost_is_the_last() -> None:
    assert figures(beat_dogs((-3, 0), (-3, 9), (0, 9)), QUOTIENT) == [
        ("Cats", "0.0000 (0/9)"),
        ("Bees", "-0.3333 (-3/9)"),
        ("Ants", "-infinite (-3/0)"),
    ]


def test_quotients_are_exact() -> None:
    # They differ by less than 10 to the -17, which a binary float cannot show beside 1.
    big = 400_000_000
    matches = beat_dogs((big + 2, big + 1), (big + 1, big), (1, 1))
    assert [team for team, _ in figures(matches, QUOTIENT)] == ["Bees", "Ants", "Cats"]


def test_the_total_points_quotient_is_points_at_the_teams_tables_by_those_of_its_opponents_there() -> None:
    # Ants 1000/800 and 400/100 = 1400/900 = 1.555..., Bees 100/400 and 1700/1000 = 1800/1400 = 1.2857...,
    # Cats 1650/1000 = 1.65.
    matches = [
        match("Ants", "Bees", (1000, 1000), totals=BoardTotals(400, 100, 0, 0)),
        match("Cats", "Dogs", (1000, 1000)),
        *beat_dogs(
            *[(0, 0)] * 3,
            totals=(BoardTotals(1000, 800, 0, 0), BoardTotals(1700, 1000, 0, 0), BoardTotals(1650, 1000, 0, 0)),
        ),
    ]
    assert figures(matches, POINTS) == [
        ("Cats", "1.6500 (1650/1000)"),
        ("Ants", "1.5555 (1400/900)"),
        ("Bees", "1.2857 (1800/1400)"),
    ]


def test_boards_won_count_level_ones_as_halves() -> None:
    # In halves: Ants 9 + 4 = 13, Bees 7 + 6 = 13 and Cats 14.
    matches = [
        match("Ants", "Bees", (1000, 1000), totals=BoardTotals(0, 0, 9, 7)),
        match("Cats", "Dogs", (1000, 1000)),
        *beat_dogs(
            *[(0, 0)] * 3,
            totals=(BoardTotals(0, 0, 4, 12), BoardTotals(0, 0, 6, 10), BoardTotals(0, 0, 14, 2)),
        ),
    ]
    assert figures(matches, BOARDS) == [("Cats", "7"), ("Ants", "6.5"), ("Bees", "6.5")]


def test_wins_are_matches_won_a_match_that_the_opponents_forfeited_among_them() -> None:
    # Ants one by IMPs, Bees one by IMPs and one forfeited, Cats none.
    forfeited = finish("Bees", "Dogs", 0, 0, VpHundredths(1200), VpHundredths(0), forfeits=frozenset({"Dogs"}))
    matches = [
        forfeited,
        match("Bees", "Dogs", (1100, 900), (2, 1)),
        match("Ants", "Dogs", (1500, 500), (20, 0)),
        match("Ants", "Dogs", (800, 1200), (0, 5)),
        match("Cats", "Dogs", (1150, 850)),
        match("Cats", "Dogs", (1150, 850)),
    ]
    assert figures(matches, WINS) == [("Bees", "2"), ("Ants", "1"), ("Cats", "0")]


def test_lots_are_in_the_order_of_the_sha_256_of_seed_and_team() -> None:
    assert [sha256(f"7/{team}".encode()).hexdigest()[:4] for team in TEAMS[:3]] == ["284e", "c13e", "0cb7"]
    matches = beat_dogs(*[(0, 0)] * 3)
    assert ranks(matches, LOT, seed="7")[:3] == [(1, "Cats"), (2, "Ants"), (3, "Bees")]
    assert ranks(matches, LOT, seed="7", teams=TEAMS[::-1])[:3] == ranks(matches, LOT, seed="7")[:3]


def test_without_a_seed_lots_are_not_drawn_and_the_rank_is_shared() -> None:
    matches = beat_dogs(*[(0, 0)] * 3)
    assert ranks(matches, LOT) == [(1, "Ants"), (1, "Bees"), (1, "Cats"), (4, "Dogs")]
    assert tie_of(matches, LOT).steps[0].results == (
        TieBreakResult(LOT, {}, "lots are drawn when all matches are over"),
    )


# The order of criteria


def test_teams_left_level_are_looked_at_again_from_the_top_for_themselves() -> None:
    matches = [
        match("Ants", "Bees", (1200, 800), (5, 0)),
        match("Cats", "Ants", (900, 1100), (0, 30)),
        match("Bees", "Cats", (1050, 950), (1, 0)),
        match("Bees", "Dogs", (450, 1550)),
        match("Cats", "Dogs", (450, 1550), (70, 0)),
    ]
    # Of the three: Ants 23, Bees 8 + 10.5 = 18.5, Cats 9 + 9.5 = 18.5; of the two Bees 10.5 to 9.5, though Cats have
    # by far the better IMPs.
    first = TieStep(
        (("Ants",), ("Bees", "Cats")), (TieBreakResult(VP, {"Ants": "23.00", "Bees": "18.50", "Cats": "18.50"}, ""),)
    )
    second = TieStep((("Bees",), ("Cats",)), (TieBreakResult(VP, {"Bees": "10.50", "Cats": "9.50"}, ""),))
    assert tie_of(matches, VP, DIFFERENCE).steps == (first, second)
    assert tie_of(matches, VP, DIFFERENCE).teams == ("Ants", "Bees", "Cats")


# Head-to-head that does not say


def test_head_to_head_of_three_does_not_say_when_two_of_them_have_not_met() -> None:
    matches = [
        match("Ants", "Bees", (1500, 500)),
        match("Cats", "Ants", (1500, 500)),
        match("Bees", "Dogs", (1500, 500)),
        match("Cats", "Dogs", (500, 1500), (0, 40)),
    ]
    tie = tie_of(matches, VP, DIFFERENCE)
    assert tie.steps[0].results[0] == TieBreakResult(VP, {}, "they have not all met")
    # Of all four, Dogs too: Cats are 40 behind, Dogs 40 ahead. Ants and Bees, who are left, have met.
    assert tie.teams == ("Dogs", "Ants", "Bees", "Cats")
    assert tie.steps[1] == TieStep(
        (("Ants",), ("Bees",)), (TieBreakResult(VP, {"Ants": "15.00", "Bees": "5.00"}, ""),)
    )


def test_head_to_head_does_not_say_when_they_have_met_more_often_than_others() -> None:
    matches = [
        match("Ants", "Bees", (1500, 500)),
        match("Bees", "Ants", (1500, 500)),
        match("Cats", "Ants", (1000, 1000)),
        match("Bees", "Cats", (1000, 1000)),
        match("Cats", "Dogs", (1000, 1000)),
    ]
    assert tie_of(matches, VP).steps[0].results == (TieBreakResult(VP, {}, "they have not all met equally often"),)
    assert tie_of(matches, IMPS).steps[0].results == (
        TieBreakResult(IMPS, {}, "they have not all met equally often"),
    )


def test_head_to_head_of_two_that_have_not_met_says_so() -> None:
    matches = [match("Ants", "Cats", (1000, 1000)), match("Bees", "Cats", (1000, 1000))]
    tie = tie_of(matches, VP, teams=TEAMS[:3])
    assert tie.teams == ("Ants", "Bees")
    assert tie.steps[0].results == (TieBreakResult(VP, {}, "they have not met"),)


def test_head_to_head_of_a_double_round_robin_adds_both_matches_up() -> None:
    matches = [match("Ants", "Bees", (1300, 700)), match("Bees", "Ants", (1400, 600))]
    matches += [match("Ants", "Cats", (1200, 800)), match("Bees", "Cats", (1000, 1000))]
    # Ants 13 + 6 = 19, Bees 7 + 14 = 21; with 12 and 10 both have 31.
    (step,) = tie_of(matches, VP, teams=TEAMS[:3]).steps
    assert step == TieStep((("Bees",), ("Ants",)), (TieBreakResult(VP, {"Bees": "21.00", "Ants": "19.00"}, ""),))
