"""The bracket of a knockout, round by round, and the places of who has gone out."""

from collections.abc import Collection, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.refusals import golden_cases
from tourney.movement.knockout import (
    KnockoutRound,
    knockout_round,
    knockout_rounds,
    rank_knockout,
)


def numbers(text: str) -> list[int]:
    """The numbers of `1 3 5-8`; none of `nobody`."""
    parts = [part.partition("-") for part in text.split() if part != "nobody"]
    return [number for first, _, last in parts for number in range(int(first), int(last or first) + 1)]


def next_round(present: Sequence[int], size: int, winners: Sequence[Collection[int]], third_place: bool) -> str:
    drawn = knockout_round(present, size, winners, third_place)
    matches = [f"{home} - {away}" for home, away in drawn.pairings]
    if drawn.has_third_place:
        matches[-1] += " for third place"
    return ", ".join([*matches, *(f"bye {team}" for team in drawn.byes)]) or "nothing"


@pytest.mark.parametrize(
    ("given", "told"), [pytest.param(*case.values[1:], id=case.values[0]) for case in golden_cases("knockouts")]
)
def test_the_next_round_and_the_places_follow_from_who_has_won(given: str, told: list[str]) -> None:
    of, *lines = given.splitlines()
    present, _, size = of.partition(" of ")
    third_place, entered, winners = "third" in size, numbers(present), [set(numbers(line)) for line in lines]
    places = int(size.split()[0])
    played = [
        (knockout_round(entered, places, winners[:number], third_place), won) for number, won in enumerate(winners)
    ]
    ranked = ", ".join(" ".join(map(str, level)) or "nobody" for level in rank_knockout(entered, played))
    over = len(winners) == knockout_rounds(places)
    coming = "over" if over else next_round(entered, places, winners, third_place)
    for expected, found in zip(told, (coming, ranked), strict=True):
        assert expected in ("...", found)


@given(st.data())
def test_every_knockout_ends_with_at_most_one_winner_and_everybody_has_one_place(data: st.DataObject) -> None:
    size = data.draw(st.sampled_from([2, 4, 8, 16, 32]))
    present = data.draw(st.lists(st.integers(1, size), min_size=2, unique=True))
    third_place = data.draw(st.booleans())
    winners: list[set[int]] = []
    rounds: list[tuple[KnockoutRound, Collection[int]]] = []
    left = set(present)
    for _ in range(knockout_rounds(size)):
        drawn = knockout_round(present, size, winners, third_place)
        main = drawn.pairings[:-1] if drawn.has_third_place else drawn.pairings
        assert sorted([*drawn.byes, *(team for pair in main for team in pair)]) == sorted(left)
        assert all(home < away for home, away in drawn.pairings)
        drawn_winners = [data.draw(st.sampled_from((*pair, None))) for pair in drawn.pairings]
        won = {team for team in drawn_winners if team is not None}
        left -= {team for pair in main for team in pair} - won
        winners.append(won)
        rounds.append((drawn, won))
    places = rank_knockout(present, rounds)
    assert sorted(team for place in places for team in place) == sorted(present)
    assert set(places[0]) == left
    assert len(left) <= 1
