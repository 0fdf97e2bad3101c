"""The bracket of a knockout, round by round, and the places of who has gone out."""

from collections.abc import Collection, Sequence

from hypothesis import given
from hypothesis import strategies as st

from tourney.movement.knockout import (
    KnockoutRound,
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


def test_the_first_round_is_the_standard_bracket() -> None:
    assert knockout_round(EIGHT, 8, []) == KnockoutRound(((1, 8), (4, 5), (2, 7), (3, 6)), ())
    assert knockout_round((2, 1), 2, []) == KnockoutRound(((1, 2),), ())
    sixteen = ((1, 16), (8, 9), (4, 13), (5, 12), (2, 15), (7, 10), (3, 14), (6, 11))
    assert knockout_round(range(1, 17), 16, []).pairings == sixteen


def test_winners_meet_in_the_bracket_with_the_better_seed_at_home() -> None:
    assert knockout_round(EIGHT, 8, [{8, 5, 2, 3}]) == KnockoutRound(((5, 8), (2, 3)), ())
    assert knockout_round(EIGHT, 8, [{8, 5, 2, 3}, {8, 2}]) == KnockoutRound(((2, 8),), ())


def test_missing_seeds_give_byes_to_their_opponents() -> None:
    assert knockout_round(range(1, 6), 8, []) == KnockoutRound(((4, 5),), (1, 2, 3))
    assert knockout_round(range(1, 6), 8, [{5}]) == KnockoutRound(((1, 5), (2, 3)), ())


def test_where_both_of_a_pair_are_missing_the_next_opponent_has_the_bye() -> None:
    present = (1, 2, 3, 6, 7, 8)
    assert knockout_round(present, 8, []) == KnockoutRound(((1, 8), (2, 7), (3, 6)), ())
    assert knockout_round(present, 8, [{1, 2, 3}]) == KnockoutRound(((2, 3),), (1,))
    assert knockout_round(present, 8, [{1, 2, 3}, {3}]) == KnockoutRound(((1, 3),), ())


def test_where_neither_team_wins_a_match_the_next_opponent_has_the_bye() -> None:
    assert knockout_round(EIGHT, 8, [{1, 2, 3}]) == KnockoutRound(((2, 3),), (1,))
    assert knockout_round(EIGHT, 8, [{2, 3}]) == KnockoutRound(((2, 3),), ())
    assert knockout_round(EIGHT, 8, [{2, 3}, {3}]) == KnockoutRound((), (3,))
    assert knockout_round(EIGHT, 8, [set(), set()]) == KnockoutRound((), ())


def test_nobody_plays_for_third_place_who_has_won_no_semi_final_or_beaten_nobody_there() -> None:
    assert knockout_round(range(1, 5), 4, [{1}], third_place=True) == KnockoutRound((), (1,))
    assert knockout_round(range(1, 5), 4, [set()], third_place=True) == KnockoutRound((), ())
    assert knockout_round((1, 2, 3), 4, [set()], third_place=True) == KnockoutRound((), (1,))


def test_whose_match_nobody_won_comes_behind_the_beaten_of_the_round() -> None:
    assert rank_knockout(range(1, 5), play(range(1, 5), 4, [{2}, set()])) == ((2,), (3,), (1, 4))
    assert rank_knockout(range(1, 5), play(range(1, 5), 4, [{1, 2}, set()])) == ((), (1, 2), (3, 4))
    assert rank_knockout(range(1, 5), play(range(1, 5), 4, [set(), set()])) == ((), (1, 2, 3, 4))
    third = play(range(1, 5), 4, [{1, 2}, {1}], third_place=True)
    assert rank_knockout(range(1, 5), third) == ((1,), (2,), (3, 4))


def test_beaten_semi_finalists_meet_for_third_place_in_the_last_round_alone() -> None:
    first, second = {8, 5, 2, 3}, {8, 3}
    assert not knockout_round(EIGHT, 8, [], third_place=True).has_third_place
    assert not knockout_round(EIGHT, 8, [first], third_place=True).has_third_place
    assert knockout_round(EIGHT, 8, [first, second], third_place=True) == KnockoutRound(((3, 8), (2, 5)), (), True)


def test_without_two_beaten_semi_finalists_there_is_no_match_for_third_place() -> None:
    assert knockout_round((1, 2, 3), 4, [{2}], third_place=True) == KnockoutRound(((1, 2),), ())
    assert knockout_round((1, 2), 2, [], third_place=True) == KnockoutRound(((1, 2),), ())


def test_teams_beaten_in_the_same_round_share_a_place() -> None:
    winners = [{8, 5, 2, 3}, {8, 2}, {8}]
    assert rank_knockout(EIGHT, play(EIGHT, 8, winners)) == ((8,), (2,), (3, 5), (1, 4, 6, 7))


def test_those_still_in_share_the_first_place() -> None:
    assert rank_knockout(EIGHT, []) == ((1, 2, 3, 4, 5, 6, 7, 8),)
    assert rank_knockout(EIGHT, play(EIGHT, 8, [{8, 5, 2, 3}])) == ((2, 3, 5, 8), (1, 4, 6, 7))


def test_the_match_for_third_place_parts_third_and_fourth() -> None:
    winners = [{1, 4, 2, 3}, {4, 2}, {2, 3}]
    places = rank_knockout(EIGHT, play(EIGHT, 8, winners, third_place=True))
    assert places == ((2,), (4,), (3,), (1,), (5, 6, 7, 8))


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
