"""The sentences of a knockout."""

from types import SimpleNamespace
from typing import Any

import pytest

from tests.support.finished_matches import finish
from tourney.contest import FORMATS
from tourney.contest.knockout import KnockoutContest, undecided_places
from tourney.scoring.victory_points import VpHundredths

EVEN = VpHundredths(1000)


@pytest.mark.parametrize(
    ("stage", "matches", "said"),
    [
        ("Cup", 4, "Round 3, Cup: quarter-finals"),
        ("Semi-finals", 2, "Round 3, Semi-finals"),
        ("Cup", 8, "Round 3, Cup"),
    ],
)
def test_a_round_is_named_after_how_many_go_on_unless_its_stage_is(stage: str, matches: int, said: str) -> None:
    round_: Any = SimpleNamespace(number=3, byes=(), matches=[SimpleNamespace(is_third_place=False)] * matches)
    assert FORMATS["knockout"].describe_round(stage, round_, is_only_stage=False) == said


def test_the_lead_of_a_match_that_does_not_balance_is_worked_out_with_fines_and_carry_over() -> None:
    knockout = FORMATS["knockout"]
    assert isinstance(knockout, KnockoutContest)
    unbalanced = finish("Ants", "Bees", 20, 7, EVEN, EVEN, lost_home=2, fines=(0, 3), carried=250)
    assert knockout.describe_unbalanced(unbalanced) == (
        "Ants wins by 18 IMPs: margins Ants +13, Bees -12, half their difference 12.5 (Law 12C4), fines 0 - 3, "
        "carried over 2.5"
    )


@pytest.mark.parametrize(
    ("forfeits", "places"),
    [((), {"Cats": (3, 3), "Dogs": (4, 4)}), (("Cats", "Dogs"), {"Cats": (3, 4), "Dogs": (3, 4)})],
)
def test_while_the_final_is_played_the_match_for_third_place_decides_places_if_it_has_a_winner(
    forfeits: tuple[str, ...], places: dict[str, tuple[int, int]]
) -> None:
    final, third = (
        SimpleNamespace(number=number, home=home, away=away, teams=(home, away), is_third_place=number == 2)
        for number, home, away in ((1, "Ants", "Bees"), (2, "Cats", "Dogs"))
    )
    round_: Any = SimpleNamespace(matches=(final, third), byes=(), is_drawn=True)
    over = finish("Cats", "Dogs", 9, 2, EVEN, EVEN, is_knockout=True, forfeits=frozenset(forfeits))
    left = undecided_places([round_], {2: over}, [["Ants", "Bees", "Cats", "Dogs"]])
    assert left == {"Ants": (1, 4), "Bees": (1, 4)} | places


@pytest.mark.parametrize(
    ("forfeits", "said"),
    [
        (("Bees",), "Ants wins by forfeit"),
        (("Ants", "Bees"), "neither team goes on, for both have forfeited the match"),
    ],
)
def test_a_forfeited_match_says_who_goes_on(forfeits: tuple[str, ...], said: str) -> None:
    knockout = FORMATS["knockout"]
    assert isinstance(knockout, KnockoutContest)
    match = finish("Ants", "Bees", 0, 0, EVEN, EVEN, is_knockout=True, forfeits=frozenset(forfeits))
    assert knockout.describe_winner(match) == said


def test_whoever_is_not_beaten_goes_on_with_the_rank_it_came_with() -> None:
    matches = [
        SimpleNamespace(number=number, home=home, away=away, is_third_place=False)
        for number, home, away in ((1, "Ants", "Dogs"), (2, "Bees", "Cats"))
    ]
    seeds = {"Ants": 1, "Bees": 2, "Cats": 3, "Dogs": 4}
    entries = [SimpleNamespace(team=team, rank=rank, group=1) for team, rank in seeds.items()]
    rounds = [SimpleNamespace(number=1, matches=matches, byes=(), is_drawn=True)]
    stage: Any = SimpleNamespace(entries=entries, teams=list(seeds), seeds=seeds, rounds=rounds, groups=1)
    over = {1: finish("Ants", "Dogs", 0, 1, EVEN, EVEN, is_knockout=True)}
    over[2] = finish("Bees", "Cats", 1, 0, EVEN, EVEN, is_knockout=True)
    record: Any = SimpleNamespace(stage=stage, finished=over, withdrawn=())
    knockout = FORMATS["knockout"]
    assert [(each.team, each.rank) for each in knockout.qualify(record, 2)] == [("Bees", 2), ("Dogs", 4)]


def test_a_score_of_teams_has_their_victory_points() -> None:
    match: Any = finish("Ants", "Bees", 8, 3, VpHundredths(1200), VpHundredths(800))
    assert FORMATS["round-robin"].describe_score(match, match.score) == "8 - 3 IMPs, 12.00 - 8.00 VPs"
