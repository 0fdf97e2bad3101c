"""What every draw of a Swiss keeps to, against all pairings that there are."""

from collections import Counter
from collections.abc import Iterator, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.examples import examples
from tourney.movement import swiss
from tourney.movement.swiss import SwissRound, pair_swiss

Pairs = list[tuple[int, int]]


@st.composite
def histories(draw: st.DrawFn) -> list[SwissRound[int]]:
    """Rounds as they might have been, also such as no draw of ours would bring; teams 1..8 come and go."""
    rounds = []
    for _ in range(draw(st.integers(1, 7))):
        order = tuple(draw(st.permutations(range(1, 9)))[: draw(st.integers(2, 8))])
        there = draw(st.permutations(order))
        rest = len(there) % 2
        pairings = tuple(zip(there[rest::2], there[rest + 1 :: 2], strict=True))
        rounds.append(SwissRound(order, pairings, tuple(there[:rest])))
    return rounds


orders = st.permutations(range(1, 9)).flatmap(lambda teams: st.integers(2, 8).map(lambda size: tuple(teams[:size])))


def all_pairings(teams: Sequence[int]) -> Iterator[tuple[Pairs, int | None]]:
    """Each way to pair the teams, with who sits out; the first of a pair is the better one."""
    if len(teams) % 2:
        for index, team in enumerate(teams):
            for pairs, _ in all_pairings([*teams[:index], *teams[index + 1 :]]):
                yield pairs, team
    elif not teams:
        yield [], None
    else:
        for index in range(1, len(teams)):
            for pairs, _ in all_pairings([*teams[1:index], *teams[index + 1 :]]):
                yield [(teams[0], teams[index]), *pairs], None


def cost(order: Sequence[int], history: Sequence[SwissRound[int]], pairs: Pairs, bye: int | None) -> tuple[int, ...]:
    """What speaks against a draw, the most important first, as the head of `tourney.movement.swiss` has it."""
    met = {pair: [number for number, past in enumerate(history, 1) if is_in(past, pair)] for pair in pairs}
    again = [numbers for numbers in met.values() if numbers]
    byes = Counter(bye for past in history for bye in past.byes)
    balance = balances(history)
    beyond = 0
    for pair in pairs:
        low, high = sorted(balance[team] for team in pair)
        beyond += sum(max(0, abs(after) - 2) for after in (low + 1, high - 1))
    apart, top = 0, 0
    for upper, lower in pairs:
        gap = order.index(lower) - order.index(upper)
        down, up = max(0, drift(upper, history)), max(0, -drift(lower, history))
        apart += gap**2 + (gap - 1) * (down + up)
        top += gap * (len(order) - order.index(upper))
    return (
        0 if bye is None else byes[bye] - min(byes[team] for team in order),
        len(again),
        sum(len(numbers) - 1 for numbers in again),
        sum(numbers[-1] for numbers in again),
        0 if bye is None else len(order) - order.index(bye),
        beyond,
        apart,
        top,
    )


def is_in(past: SwissRound[int], pair: tuple[int, int]) -> bool:
    return pair in past.pairings or pair[::-1] in past.pairings


def balances(history: Sequence[SwissRound[int]]) -> Counter[int]:
    balance: Counter[int] = Counter()
    for past in history:
        balance.update(home for home, _ in past.pairings)
        balance.subtract(away for _, away in past.pairings)
    return balance


def drift(team: int, history: Sequence[SwissRound[int]]) -> int:
    total = 0
    for past in history[1:]:
        for pair in past.pairings:
            if team in pair:
                gap = past.order.index(sum(pair) - team) - past.order.index(team)
                total += gap - 1 if gap > 0 else gap + 1
    return total


def cost_of(found: SwissRound[int], history: Sequence[SwissRound[int]]) -> tuple[int, ...]:
    pairs = [(min(pair, key=found.order.index), max(pair, key=found.order.index)) for pair in found.pairings]
    return cost(found.order, history, pairs, next(iter(found.byes), None))


def least_cost(order: Sequence[int], history: Sequence[SwissRound[int]]) -> tuple[int, ...]:
    return min(cost(order, history, pairs, bye) for pairs, bye in all_pairings(order))


@given(orders, histories())
def test_no_other_draw_is_better(order: tuple[int, ...], history: list[SwissRound[int]]) -> None:
    assert cost_of(pair_swiss(order, history), history) == least_cost(order, history)


@given(orders, histories())
def test_to_look_at_near_pairs_first_costs_no_bye_no_repeat_and_no_balance(
    order: tuple[int, ...], history: list[SwissRound[int]]
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(swiss, "_FEW", 0)
        patch.setattr(swiss, "_NEAR", 1)
        found = pair_swiss(order, history)
    assert cost_of(found, history)[:-2] == least_cost(order, history)[:-2]


@given(orders, histories(), st.permutations(range(1, 9)))
def test_a_draw_depends_on_ranks_and_not_on_numbers(
    order: tuple[int, ...], history: list[SwissRound[int]], others: list[int]
) -> None:
    other = dict(zip(range(1, 9), others, strict=True))

    def renamed(past: SwissRound[int]) -> SwissRound[int]:
        pairings = tuple((other[home], other[away]) for home, away in past.pairings)
        return SwissRound(tuple(other[team] for team in past.order), pairings, tuple(other[bye] for bye in past.byes))

    anew = pair_swiss([other[team] for team in order], [renamed(past) for past in history])
    assert anew == renamed(pair_swiss(order, history))


@given(st.data())
@examples(15)
def test_in_a_whole_event_everybody_plays_or_sits_out_and_byes_are_shared_evenly(data: st.DataObject) -> None:
    teams = range(1, data.draw(st.integers(2, 16)) + 1)
    history: list[SwissRound[int]] = []
    byes: Counter[int] = Counter()
    for _ in range(data.draw(st.integers(1, len(teams) - 1))):
        order = data.draw(st.permutations(teams)) if history else list(teams)
        found = pair_swiss(order, history)
        assert found.order == tuple(order)
        busy = [*found.byes, *(team for pair in found.pairings for team in pair)]
        assert sorted(busy) == list(teams)
        tops = [min(map(order.index, pair)) for pair in found.pairings]
        assert tops == sorted(tops)
        history.append(found)
        byes.update(found.byes)
        assert max(byes[team] for team in teams) - min(byes[team] for team in teams) <= 1
        before = balances(history[:-1])
        assert all(before[home] <= before[away] for home, away in found.pairings)


@given(st.data())
@examples(15)
def test_in_the_first_quarter_of_the_rounds_nobody_meets_twice_and_homes_are_within_two_of_aways(
    data: st.DataObject,
) -> None:
    # After r rounds a team may not meet r others, nor those (a quarter at most) that are at the same bound of home
    # and away. While r is a quarter of the teams at most, half of them are left, and by Dirac's theorem all can be
    # paired. Later on it may be impossible.
    teams = range(1, 2 * data.draw(st.integers(2, 14)) + 1)
    history: list[SwissRound[int]] = []
    met: Counter[frozenset[int]] = Counter()
    for _ in range(len(teams) // 4 + 1):
        order = data.draw(st.permutations(teams)) if history else list(teams)
        history.append(pair_swiss(order, history))
        met.update(map(frozenset, history[-1].pairings))
        assert max(met.values()) == 1
        assert max(map(abs, balances(history).values())) <= 2
