"""Finished matches for tests of rankings, from their figures alone."""

import re
from typing import Any

from tourney.movement.ranking import BoardTotals, FinishedMatch
from tourney.scoring.match import MatchScore
from tourney.scoring.victory_points import VpHundredths

BOARDS = 16


def finish(
    home: str,
    away: str,
    imps_home: int,
    imps_away: int,
    vp_home: VpHundredths,
    vp_away: VpHundredths,
    *,
    lost_home: int = 0,
    lost_away: int = 0,
    **more: Any,  # fields of `FinishedMatch`
) -> FinishedMatch:
    """Return a finished match of 16 boards."""
    score = MatchScore(BOARDS, imps_home, imps_away, vp_home, vp_away, lost_home, lost_away)
    return FinishedMatch(home, away, score, **more)


def read_match(line: str) -> FinishedMatch:
    """Read `Ants 12 - 8 Bees, 5 - 0 IMPs`: victory points, IMPs; `400 - 100 points`, `9 - 7 halves` of boards won.

    `forfeited` is it by the team that is named last.
    """
    teams, *figures = line.split(", ")
    found = re.fullmatch(r"(\w+) ([\d.]+) - ([\d.]+) (\w+)", teams)
    assert found is not None, line
    known: dict[str, list[int]] = {}
    for figure in figures:
        *numbers, unit = re.split(r" - | (?=\w+$)", figure)
        known[unit] = [*map(int, numbers)] if unit != "forfeited" else []
    home, away = (VpHundredths(round(100 * float(vp))) for vp in found.group(2, 3))
    totals = BoardTotals(*known.get("points", (0, 0)), *known.get("halves", (0, 0)))
    forfeits = frozenset({found[4]} if "forfeited" in known else ())
    imps_home, imps_away = known.get("IMPs", (0, 0))
    return finish(found[1], found[4], imps_home, imps_away, home, away, totals=totals, forfeits=forfeits)
