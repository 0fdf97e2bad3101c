"""The bracket of a knockout, round by round, and the places of who has gone out."""

from collections.abc import Collection, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tourney.errors import ConfigError
from tourney.movement.knockout import (
    KnockoutRound,
    bracket_size,
    knockout_round,
    knockout_rounds,
    rank_knockout,
)

EIGHT = range(1, 9)


def play(
    present: Sequence[int], size: int, winners: Sequence[Collection[int]], *, third_place: bool = False
) -> list[tuple[KnockoutRound, Collection[int]]]:
    """The rounds of which the winners are given."""
    return [(knockout_round(present, size, winners[:number], third_place), won) for number, won in enumerate(winners)]


@pytest.mark.parametrize(
    ("teams", "size", "rounds"),
    [(2, 2, 1), (3, 4, 2), (4, 4, 2), (5, 8, 3), (8, 8, 3), (9, 16, 4), (32, 32, 5), (33, 64, 6)],
)
def test_the_bracket_has_the_next_power_of_two(teams: int, size: int, rounds: int) -> None:
    assert bracket_size(teams) == size
    assert knockout_rounds(teams) == rounds


@pytest.mark.parametrize("teams", [-1, 0, 1])
def test_fewer_than_two_teams_are_refused(teams: int) -> None:
    for refuse in (bracket_size, knockout_rounds):
        with pytest.raises(ConfigError, match=rf"a knockout has at least 2 teams, got {teams}$"):
            refuse(teams)


def test_the_first_round_is_the_standard_bracket() -> None:
    assert knockout_round(EIGHT, 8, []) == KnockoutRound(((1, 8), (4, 5), (2, 7), (3, 6)), ())
    assert knockout_round((2, 1), 2, []) == KnockoutRound(((1, 2),), ())
    sixteen = ((1, 16), (8, 9), (4, 13), (5, 12), (2, 15), (7, 10), (3, 14), (6, 11))
    assert knockout_round(range(1, 17), 16, []).pairings == sixteen


def test_without_two_beaten_semi_finalists_there_is_no_match_for_third_place() -> None:
    assert knockout_round((1, 2, 3), 4, [{2}], third_place=True) == KnockoutRound(((1, 2),), ())
    assert knockout_round((1, 2), 2, [], third_place=True) == KnockoutRound(((1, 2),), ())


@pytest.mark.parametrize(
    ("present", "size", "winners", "sentence"),
    [
        (EIGHT, 8, [{1, 4, 2, 3}, {1, 2}, {1}], "a knockout of 8 has 3 rounds, got a draw of round 4"),
        (EIGHT, 8, [{1, 4, 5, 2, 3}], "one of 4 and 5 has won their match in round 1, got both"),
        (range(1, 6), 8, [{4, 1}], "the winners of round 1 have had a match in it, got 1"),
        (EIGHT, 8, [{1, 4, 2, 3}, {1, 7}], "the winners of round 2 have had a match in it, got 7"),
        ((1, 2, 9), 8, [], "the seeds of a bracket of 8 are 1..8, got 9"),
        ((0, 1, 2), 8, [], "the seeds of a bracket of 8 are 1..8, got 0"),
        ((1, 2, 2), 8, [], "each seed of a knockout is there once, got one twice"),
        ((1,), 8, [], "a knockout has at least 2 teams, got 1"),
        ((1, 2), 6, [], "a bracket has 2, 4, 8, 16, ... places, got 6"),
        ((1, 2), 1, [], "a bracket has 2, 4, 8, 16, ... places, got 1"),
    ],
)
def test_a_draw_that_cannot_be_is_refused_in_one_sentence(
    present: Sequence[int], size: int, winners: list[set[int]], sentence: str
) -> None:
    with pytest.raises(ConfigError) as refused:
        knockout_round(present, size, winners)
    assert str(refused.value) == sentence


@pytest.mark.parametrize(
    ("rounds", "sentence"),
    [
        ([(KnockoutRound(((1, 4), (2, 3)), ()), {2, 3})], "one of 2 and 3 has won their match in round 1, got both"),
        (
            [(KnockoutRound(((1, 4), (2, 3)), ()), {1, 2}), (KnockoutRound(((1, 3),), ()), {1})],
            "the teams of round 2 are still in, got 1 against 3, not both of them",
        ),
        (
            [
                (KnockoutRound(((1, 4), (2, 3)), ()), {1, 2}),
                (KnockoutRound(((1, 2), (2, 3)), (), has_third_place=True), {1, 3}),
            ],
            "the beaten semi-finalists meet for third place, got a match of 2 against 3",
        ),
    ],
)
def test_rounds_that_do_not_fit_are_refused_in_one_sentence(
    rounds: list[tuple[KnockoutRound, set[int]]], sentence: str
) -> None:
    with pytest.raises(ConfigError) as refused:
        rank_knockout((1, 2, 3, 4), 4, rounds)
    assert str(refused.value) == sentence


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
    places = rank_knockout(present, size, rounds)
    assert sorted(team for place in places for team in place) == sorted(present)
    assert set(places[0]) == left
    assert len(left) <= 1


@pytest.mark.parametrize("size", [4, 8, 16, 64])
def test_without_upsets_the_best_two_meet_in_the_final_and_each_round_halves_the_seeds(size: int) -> None:
    winners: list[range] = []
    for number in range(1, knockout_rounds(size) + 1):
        left = size >> (number - 1)
        drawn = knockout_round(range(1, size + 1), size, winners)
        assert sorted(drawn.pairings) == [(seed, left + 1 - seed) for seed in range(1, left // 2 + 1)]
        winners.append(range(1, left // 2 + 1))
