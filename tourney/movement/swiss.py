"""The draw of a Swiss: in each round teams that are close in the standings meet, with as few repeats as possible.

The draw of a round is a matching of minimum cost. What matters, the most important first:

1. Nobody sits out again while another team has sat out less often.
2. As few meetings as possible are repeats; those that are involve the pairs that have met least often, longest ago.
3. The team that sits out is the lowest of those that may.
4. No team is at home three times more often than away, or the other way round.
5. Opponents are close in rank: the sum of the squares of the gaps is as small as possible, and a team that has met
   opponents further below it than its place called for is not drawn far down again (nor up). Of draws with the same
   sum, the one in which the higher teams have the nearer opponents.

All of this is combined into one whole number: nothing is rounded, and the same history always gives the same draw.
"""

import itertools
from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Generic, TypeVar

from tourney.movement.round_robin import Pairing

_Team = TypeVar("_Team", bound=Hashable)
"""A team, by its name or its number."""

_FEW: Final = 48
"""Up to this many teams, all pairs are considered at once; that takes a fraction of a second."""
_NEAR: Final = 6
"""With more teams, how many opponents above and below each are considered first.

In simulated events of 80 to 256 teams and up to 16 rounds this found the same draws as 8, and as all pairs.
"""
_BALANCE_MAX: Final = 2
"""How many more matches at home than away, or the other way round, a team should have at most."""


@dataclass(frozen=True, slots=True)
class SwissRound(Generic[_Team]):
    """A round as drawn."""

    order: tuple[_Team, ...]
    """The teams that took part, best first as they were ranked when the round was drawn."""
    pairings: tuple[tuple[_Team, _Team], ...]
    """Home team and away team, by table: the match with the best ranked team first."""
    byes: tuple[_Team, ...]
    """The team that sits out, with an odd number of teams."""


def pair_swiss(order: Sequence[_Team], history: Sequence[SwissRound[_Team]]) -> SwissRound[_Team]:
    """Draw the next round.

    In the first round the upper half of the order meets the lower half, 1 against n/2 + 1 and so on, and with an odd
    number of teams the last one sits out. The home team is the one with the smaller balance of home and away matches;
    then the one that was away last time; then, at odd tables, the one ranked higher, at even tables the other.

    Args:
        order: the two or more teams that take part, best first. Teams may be new, and earlier ones may be missing.
        history: the rounds drawn so far, in their order.
    """
    past = _Past.of(history)
    if history:
        pairs = _Draw(order, past).pairs()
    else:
        half = len(order) // 2
        pairs = [(place, place + half) for place in range(half)]
    pairings = tuple(
        past.seated(order[upper], order[lower], table) for table, (upper, lower) in enumerate(sorted(pairs))
    )
    return SwissRound(tuple(order), pairings, tuple(set(order).difference(*pairings)))


@dataclass(slots=True)
class _Past(Generic[_Team]):
    """The history of each team over the rounds so far."""

    meetings: Counter[frozenset[_Team]] = field(default_factory=Counter)
    last_met: dict[frozenset[_Team], int] = field(default_factory=dict)
    """The number of the round in which two teams last met."""
    byes: Counter[_Team] = field(default_factory=Counter)
    balance: Counter[_Team] = field(default_factory=Counter)
    """Matches at home minus matches away."""
    was_home: dict[_Team, bool] = field(default_factory=dict)
    """Whether a team was at home in its last match."""
    drift: Counter[_Team] = field(default_factory=Counter)
    """Places by which opponents were ranked below a team, minus those by which they were above it.

    The first place in either direction does not count, since pairing by rank requires it; neither does the first
    round, which pairs by halves.
    """

    @classmethod
    def of(cls, history: Sequence[SwissRound[_Team]]) -> "_Past[_Team]":
        past = cls()
        for number, drawn in enumerate(history, start=1):
            places = {team: place for place, team in enumerate(drawn.order)}
            past.byes.update(drawn.byes)
            for home, away in drawn.pairings:
                pair = frozenset((home, away))
                past.meetings[pair] += 1
                past.last_met[pair] = number
                past.balance[home] += 1
                past.balance[away] -= 1
                past.was_home[home], past.was_home[away] = True, False
                if number > 1:
                    upper, lower = sorted((home, away), key=places.__getitem__)
                    further = places[lower] - places[upper] - 1
                    past.drift[upper] += further
                    past.drift[lower] -= further
        return past

    def seated(self, upper: _Team, lower: _Team, table: int) -> tuple[_Team, _Team]:
        """Return the home team and the away team; `table` counts from 0."""
        keys = [(self.balance[team], self.was_home.get(team, True)) for team in (upper, lower)]
        upper_is_home = keys[0] < keys[1] if keys[0] != keys[1] else table % 2 == 0
        return (upper, lower) if upper_is_home else (lower, upper)

    def home_excess(self, one: _Team, other: _Team) -> int:
        """Return by how much a match between the two would exceed the permitted imbalance of home and away."""
        fewer, more = sorted((self.balance[one], self.balance[other]))
        return sum(max(0, abs(balance) - _BALANCE_MAX) for balance in (fewer + 1, more - 1))


class _Draw(Generic[_Team]):
    """The draw of one round. Teams are places in the order, 0 the best; `len(order)` denotes a bye."""

    def __init__(self, order: Sequence[_Team], past: _Past[_Team]) -> None:
        self._order = order
        self._past = past
        fewest = min(past.byes[team] for team in order)
        self._may_sit_out = [place for place, team in enumerate(order) if past.byes[team] == fewest]

    def pairs(self) -> list[Pairing]:
        """Return the places that meet, the better one first; the place that sits out is omitted."""
        size = len(self._order)
        if size > _FEW:
            # All pairs of 256 teams take a quarter of a minute, the near ones less than a second. Where everybody but
            # the lowest team that may sit out can be paired with a near opponent, without repeats and in balance,
            # points 1 to 4 are met in full; what can be missed is a smaller sum of gaps by way of one greater gap.
            # All pairs are considered only where that is impossible.
            for reach in (_NEAR, 4 * _NEAR):
                found = _match(size, {pair: self._cost(*pair) for pair in self._near(reach)})
                if len(found) == size // 2:
                    return found
        found = _match(size + size % 2, {pair: self._cost(*pair) for pair in self._all()})
        return [pair for pair in found if pair[1] < size]

    def _all(self) -> Iterator[Pairing]:
        size = len(self._order)
        yield from itertools.combinations(range(size), 2)
        if size % 2:
            yield from ((place, size) for place in self._may_sit_out)

    def _near(self, reach: int) -> Iterator[Pairing]:
        """Yield the acceptable pairs of places: each team with the `reach` nearest ones above and below it."""
        places = list(range(len(self._order)))
        if len(places) % 2:
            places.remove(self._may_sit_out[-1])
        for index, place in enumerate(places):
            below = ((place, other) for other in places[index + 1 :])
            above = ((other, place) for other in reversed(places[:index]))
            yield from itertools.islice(filter(self._is_free, below), reach)
            yield from itertools.islice(filter(self._is_free, above), reach)

    def _is_free(self, pair: Pairing) -> bool:
        one, other = (self._order[place] for place in pair)
        return frozenset((one, other)) not in self._past.meetings and not self._past.home_excess(one, other)

    def _cost(self, upper: int, lower: int) -> tuple[int, ...]:
        """Return the cost of a pair or a bye, the most important part first."""
        if lower == len(self._order):
            return (0, 0, 0, lower - upper, 0, 0, 0)
        past, one, other = self._past, self._order[upper], self._order[lower]
        pair = frozenset((one, other))
        met = past.meetings[pair]
        gap = lower - upper
        # A gap costs more for a team that has already had gaps in the same direction.
        again = (gap - 1) * (max(0, past.drift[one]) + max(0, -past.drift[other]))
        return (
            min(met, 1),
            max(met - 1, 0),
            past.last_met.get(pair, 0),
            0,
            past.home_excess(one, other),
            gap * gap + again,
            (len(self._order) - upper) * gap,
        )


def _match(size: int, costs: Mapping[Pairing, tuple[int, ...]]) -> list[Pairing]:
    """Return a maximum matching of the places below `size` at minimum cost, in rising order.

    One unit of a part of the cost outweighs any possible total of the parts after it.
    """
    # Imported here because it is slow to load, and only drawing a Swiss needs it.
    import networkx as nx  # noqa: PLC0415

    weights = [1 + size * max(part) for part in zip(*costs.values(), strict=True)]
    graph = nx.Graph()
    # Places are in rising order and pairs in a fixed one, so that of several draws with the same cost the same one is
    # always found.
    graph.add_nodes_from(range(size))
    for pair, parts in costs.items():
        cost = 0
        for part, weight in zip(parts, weights, strict=True):
            cost = cost * weight + part
        graph.add_edge(*pair, weight=-cost)
    found = nx.max_weight_matching(graph, maxcardinality=True)
    return sorted((min(pair), max(pair)) for pair in found)
