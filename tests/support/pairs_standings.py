"""Standings of pairs recomputed from the database by plain SQL and arithmetic; no scoring code of tourney is used.

Only scores at the tables are known here: no rulings, every board played at every table that was to play it.
"""

import sqlite3
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Sequence
from contextlib import closing
from fractions import Fraction
from pathlib import Path

_QUERY = """
select b.number, ns.name, ew.name, r.score_ns
from results r
join tables t on t.id = r.table_id
join matches m on m.id = t.match_id
join boards b on b.board_set_id = m.board_set_id and b.number = r.board
join teams ns on ns.id = t.ns_team_id
join teams ew on ew.id = t.ew_team_id
order by b.number, t.id
"""

# Law 78B of the Laws of Duplicate Bridge 2017: the least difference of 1 IMP, 2 IMPs, ...
_STEPS = [
    *(20, 50, 90, 130, 170, 220, 270, 320, 370, 430, 500, 600),
    *(750, 900, 1100, 1300, 1500, 1750, 2000, 2250, 2500, 3000, 3500, 4000),
]


def _imps(difference: int) -> int:
    made = bisect_right(_STEPS, abs(difference))
    return made if difference > 0 else -made


def _matchpoints(score: int, others: Sequence[int], expected: int) -> Fraction:
    """2 for each lower score and 1 for each equal one, brought to the expected number of results."""
    won = sum(2 * (score > other) + (score == other) for other in others)
    results = len(others) + 1
    if results == expected:
        return Fraction(won)
    if results == 1:
        return Fraction(6, 10) * 2 * (expected - 1)  # nothing to compare with: average plus
    if results <= 3 and 3 * results <= expected:
        percent = 60 + 5 * (won - (results - 1))
        return Fraction(percent * 2 * (expected - 1), 100)
    return Fraction((won + 1) * expected, results) - 1


def _datum(scores: Sequence[int]) -> int:
    """The mean, rounded to 10, an exact half to the higher absolute value."""
    mean = Fraction(sum(scores), len(scores))
    tens = (2 * abs(mean) + 10) // 20
    return int(10 * tens if mean >= 0 else -10 * tens)


Points = dict[tuple[int, str, str], tuple[int, Fraction, Fraction]]
"""North-South's score and the points of North-South and East-West, by board and pairs."""


def recompute_travellers(database: Path | None, scoring: str) -> Points:
    """Return what every result is worth; one that has nothing to compare with in IMPs is left out."""
    assert database is not None
    with closing(sqlite3.connect(database)) as connection:
        rows = connection.execute(_QUERY).fetchall()
    by_board: dict[int, list[tuple[str, str, int]]] = defaultdict(list)
    for number, ns, ew, score in rows:
        by_board[number].append((ns, ew, score))
    expected = max(map(len, by_board.values()))
    points: Points = {}
    for board, lines in by_board.items():
        for place, (ns, ew, score) in enumerate(lines):
            others = [line[2] for number, line in enumerate(lines) if number != place]
            if scoring == "matchpoints":
                both = (
                    _matchpoints(score, others, expected),
                    _matchpoints(-score, [-other for other in others], expected),
                )
            elif scoring == "cross-imps":
                if not others:
                    continue
                mean = Fraction(sum(_imps(score - other) for other in others), len(others))
                both = (mean, -mean)
            else:
                made = Fraction(_imps(score - _datum([line[2] for line in lines])))
                both = (made, -made)
            points[board, ns, ew] = (score, *both)
    return points


def recompute_standings(
    database: Path | None, scoring: str, lists: Sequence[Sequence[str]]
) -> list[dict[str, tuple[int, Fraction]]]:
    """Return rank and percentage, or IMPs per board, of the pairs of each list."""
    travellers = recompute_travellers(database, scoring)
    points: dict[str, Fraction] = defaultdict(Fraction)
    boards: dict[str, int] = defaultdict(int)
    results: dict[int, int] = defaultdict(int)
    for (board, *seated), (_, *both) in travellers.items():
        results[board] += 1
        for pair, won in zip(seated, both, strict=True):
            points[pair] += won
            boards[pair] += 1
    scale = Fraction(100, 2 * (max(results.values()) - 1)) if scoring == "matchpoints" else Fraction(1)
    levels = {pair: points[pair] * scale / boards[pair] for pair in boards}
    return [
        {pair: (1 + sum(levels[other] > levels[pair] for other in ranked), levels[pair]) for pair in ranked}
        for ranked in lists
    ]
