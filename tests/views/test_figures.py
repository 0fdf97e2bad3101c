"""What reports say of a match that does not balance, or is void."""

from dataclasses import replace

import pytest

from tests.support.finished_matches import finish
from tourney.contest import FORMATS
from tourney.movement.ranking import FinishedMatch
from tourney.scoring.victory_points import VpHundredths
from tourney.views.figures import describe_margins

VP = VpHundredths(1000)


def level(imps_home: int, imps_away: int, **more: object) -> FinishedMatch:
    return finish("Ants", "Bees", imps_home, imps_away, VP, VP, **more)  # type: ignore[arg-type] # figures by name


@pytest.mark.parametrize(
    ("made", "words"),
    [
        (level(5, 3), ""),
        (level(5, 3, lost_home=2, fines=(2, 0)), ""),
        (
            level(-5, 4, lost_home=8, lost_away=-4),
            "Bees wins by 3 IMPs: margins Ants -5, Bees +1, half their difference -3 (Law 12C4)",
        ),
        (
            level(-5, 4, lost_home=8, lost_away=-4, carried=350),
            "Ants wins by 0.5 IMPs: margins Ants -5, Bees +1, half their difference -3 (Law 12C4), carried over 3.5",
        ),
        (
            level(-6, 4, lost_home=9, lost_away=-4, fines=(1, 0)),
            "Bees wins by 4 IMPs: margins Ants -5, Bees +1, half their difference -3 (Law 12C4), fines 1 - 0",
        ),
        (level(0, 0, lost_home=3, lost_away=-3, forfeits=frozenset({"Ants"})), "Bees wins by forfeit"),
        (
            level(0, 0, forfeits=frozenset({"Ants", "Bees"})),
            "neither team goes on, for both have forfeited the match",
        ),
        (level(5, 5), "Ants wins as the better seed, for the match is level"),
        (
            level(5, 3, advanced=frozenset({"Bees"})),
            "Bees wins, for the next round was drawn before a ruling turned the match",
        ),
        (
            level(5, 3, advanced=frozenset()),
            "neither team goes on, for the next round was drawn before a ruling turned the match",
        ),
    ],
)
def test_a_knockout_says_how_its_lead_comes_about_and_who_wins_where_that_does_not_show_it(
    made: FinishedMatch, words: str
) -> None:
    assert describe_margins(FORMATS["knockout"], replace(made, is_knockout=True)) == words


def test_elsewhere_both_margins_are_said_where_they_differ() -> None:
    swiss = FORMATS["swiss"]
    words = describe_margins(swiss, level(1, -1, lost_home=3, lost_away=3))
    assert words == "Ants -1, Bees -5 IMPs: each team's victory points are those of its own margin"
    assert describe_margins(swiss, level(5, 3)) == ""
