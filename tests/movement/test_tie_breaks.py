"""Ties of two to four teams, each criterion worked out by hand in `tests/golden/tie_breaks.txt`.

Dogs are who the tied teams have other victory points and IMPs from.
"""

import pytest

from tests.support.conversation import Step
from tests.support.finished_matches import read_match
from tests.support.refusals import golden_cases
from tourney.movement.ranking import rank_teams
from tourney.movement.tie_breaks import TieBreak, TieBreakResult, TieStep

TEAMS = ("Ants", "Bees", "Cats", "Dogs")


@pytest.mark.parametrize(
    ("given", "told"), [pytest.param(*case.values[1:], id=case.values[0]) for case in golden_cases("tie_breaks")]
)
def test_a_tie_is_broken_as_worked_out_by_hand_and_says_how(given: str, told: list[str]) -> None:
    criteria, *lines = given.splitlines()
    names, _, seed = criteria.removeprefix("by ").partition(" from ")
    ranked = rank_teams(TEAMS, list(map(read_match, lines)), [*map(TieBreak, names.split())], seed or None)
    (tie,) = (tie for tie in ranked.ties if "Ants" in tie.teams)
    assert [*tie.teams] == [row.team for row in ranked.rows if row.team in tie.teams]
    rows = ", ".join(f"{row.rank} {row.team}" for row in ranked.rows)
    Step(given, told).check([*map(told_of, tie.steps), rows])


def told_of(step: TieStep) -> str:
    order = ", ".join(" ".join(level) for level in step.groups)
    return f"{order}: {'; '.join(map(result_of, step.results))}"


def result_of(result: TieBreakResult) -> str:
    figures = ", ".join(f"{team} {figure}" for team, figure in result.figures.items())
    return f"{result.criterion.value} {figures or f'does not say, {result.reason}'}"


def test_the_order_in_which_teams_are_given_draws_no_other_lots() -> None:
    matches = [read_match(f"{team} 17 - 3 Dogs") for team in TEAMS[:3]]
    one, other = (rank_teams(teams, matches, [TieBreak.LOT], "7").rows for teams in (TEAMS, TEAMS[::-1]))
    assert [row.team for row in one] == [row.team for row in other]
