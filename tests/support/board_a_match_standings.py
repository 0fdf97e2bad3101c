"""Standings at board-a-match recomputed from the database by plain SQL and arithmetic; no scoring code of tourney.

Only scores at the tables are known here: no rulings, every board of a match played at both of its tables.
"""

import sqlite3
from collections import defaultdict
from contextlib import closing
from fractions import Fraction
from pathlib import Path

_QUERY = """
select m.number, r.board, ns.name, ew.name, r.score_ns
from results r
join tables t on t.id = r.table_id
join matches m on m.id = t.match_id
join rounds ro on ro.id = m.round_id
join stages s on s.id = ro.stage_id
join teams ns on ns.id = t.ns_team_id
join teams ew on ew.id = t.ew_team_id
where s.number = ?
"""


def recompute_points(database: Path | None, stage: int = 1) -> dict[str, Fraction]:
    """Return the points of each team: 1 for a board on which its two results add up to more than nothing."""
    assert database is not None
    with closing(sqlite3.connect(database)) as connection:
        rows = connection.execute(_QUERY, (stage,)).fetchall()
    totals: defaultdict[tuple[int, int], dict[str, int]] = defaultdict(dict)
    for match, board, ns, ew, score in rows:
        of_board = totals[match, board]
        of_board[ns] = of_board.get(ns, 0) + score
        of_board[ew] = of_board.get(ew, 0) - score
    points: defaultdict[str, Fraction] = defaultdict(Fraction)
    for of_board in totals.values():
        for team, total in of_board.items():
            points[team] += Fraction(1 + (total > 0) - (total < 0), 2)
    return dict(points)
