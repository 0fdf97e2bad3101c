"""Teams that leave: what their matches count for (English Bridge Union, White Book 2025, section 2.4.2)."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from tests.support.finished_matches import finish
from tourney.movement.ranking import FinishedMatch, RankingRules
from tourney.movement.withdrawals import settle_withdrawals
from tourney.scoring.victory_points import VpHundredths, vp_scale


def match(home: str, away: str, vp_home: int, vp_away: int | None = None) -> FinishedMatch:
    vp = VpHundredths(vp_home), VpHundredths(2000 - vp_home if vp_away is None else vp_away)
    return finish(home, away, 0, 0, *vp)


def walkover(home: str, away: str, gone: str) -> FinishedMatch:
    """A match that `gone` has forfeited by leaving: 60 percent to the other."""
    vp = (0, 1200) if home == gone else (1200, 0)
    made = match(home, away, *vp)
    return replace(made, forfeits=frozenset({gone}), is_walkover=True)


def test_after_half_scores_stand_and_who_is_left_gets_the_best_of_three() -> None:
    """D has 3.00 and 5.00 of two of four matches: 4.00 on average, so 16.00 is its complement.

    B has 11.00 and 12.50 of its own: 11.75. So 16.00 is the best for B. E has 18.00: its own average is.
    """
    matches = [
        *(match("A", "D", 1700), match("D", "C", 500)),
        *(match("B", "A", 1100), match("C", "B", 750), match("E", "A", 1800)),
        *(walkover("B", "D", "D"), walkover("D", "E", "D")),
    ]
    settled = settle_withdrawals(matches, {"D"}, dict.fromkeys("ABCDE", 4), RankingRules())
    assert settled[:5] == matches[:5]
    assert (settled[5].score.vp_home, settled[5].score.vp_away) == (1600, 0)
    assert (settled[6].score.vp_home, settled[6].score.vp_away) == (0, 1800)


def test_nobody_gets_less_than_three_fifths() -> None:
    matches = [match("D", "C", 1900), match("D", "A", 1900), match("B", "A", 300), walkover("B", "D", "D")]
    settled = settle_withdrawals(matches, {"D"}, dict.fromkeys("ABCD", 3), RankingRules())
    assert settled[3].score.vp_home == 1200


def test_fractions_of_a_hundredth_go_up() -> None:
    """6.66 and 6.67 are 6.665 on average: the complement is 13.335, so 13.34. B's own 13.33 on average of 13.325."""
    matches = [match("D", "A", 666), match("D", "C", 667), match("B", "A", 500), walkover("B", "D", "D")]
    settled = settle_withdrawals(matches, {"D"}, dict.fromkeys("ABCD", 3), RankingRules())
    assert settled[3].score.vp_home == 1334


def test_two_teams_that_have_left_get_nothing_from_each_other() -> None:
    both = finish("C", "D", 0, 0, VpHundredths(0), VpHundredths(0), forfeits=frozenset("CD"), is_walkover=True)
    matches = [match("A", "D", 1700), match("A", "C", 1700), match("B", "C", 1700), match("B", "D", 1700), both]
    assert settle_withdrawals(matches, {"C", "D"}, dict.fromkeys("ABCD", 3), RankingRules()) == matches


def test_fines_of_the_team_that_left_give_its_opponents_nothing() -> None:
    """D has 8.00 and 8.00, and a fine of 5.00 and one of 9 IMPs: the complement stays at 12.00."""
    scale = vp_scale("wbf-continuous", 16, {})
    drawn = scale.split(0)[0]
    in_vp = replace(match("D", "A", drawn - 500, 2000 - drawn), vp_fines=(500, 0))
    in_imps = finish("D", "C", 0, 0, scale.split(-9)[0], drawn, lost_home=9, fines=(9, 0))
    in_imps = replace(in_imps, score=replace(in_imps.score, imps_home=-9))
    matches = [in_vp, in_imps, match("B", "A", 300), walkover("B", "D", "D")]
    settled = settle_withdrawals(matches, {"D"}, dict.fromkeys("ABCD", 3), RankingRules(vp_scale=scale))
    assert drawn == 1000
    assert settled[3].score.vp_home == 1200, "at least 60 percent; the complement of 10.00 is 10.00"


def test_an_opponent_is_fined_once_also_where_its_own_average_counts() -> None:
    """B has 18.00 at the table, less 4.00: its own average stays at 18.00 for the match that it does not play."""
    fined = replace(match("B", "A", 1400, 200), vp_fines=(400, 0))
    matches = [match("D", "A", 1000), match("D", "C", 1000), fined, walkover("B", "D", "D")]
    settled = settle_withdrawals(matches, {"D"}, dict.fromkeys("ABCD", 3), RankingRules())
    assert settled[3].score.vp_home == 1800
    assert settled[2] == fined


vps = st.integers(0, 2000)


@given(st.lists(st.tuples(st.sampled_from("ABC"), st.sampled_from("DEF"), vps, st.booleans()), max_size=20))
def test_who_stays_never_loses_by_the_leaving_of_others_once_half_was_played(
    rows: list[tuple[str, str, int, bool]],
) -> None:
    matches = [walkover(home, away, away) if over else match(home, away, vp) for home, away, vp, over in rows]
    settled = settle_withdrawals(matches, {"D", "E"}, dict.fromkeys("ABCDEF", 0), RankingRules())
    assert len(settled) == len(matches)
    for before, after in zip(matches, settled, strict=True):
        assert after.score.vp_home >= before.score.vp_home
        assert after.score.vp_away == before.score.vp_away
