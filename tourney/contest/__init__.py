"""The kinds of contest, found by the name of a stage's format.

A kind of contest is a subclass of `Contest` (`kind.py`). The match of two teams in two rooms is the first
(`teams.py`), rubber bridge and Chicago at one table are others (`games.py`); round robins, Swiss, knockouts,
gauntlets and single matches are formats that they are played in. A movement of pairs is one too (`pairs.py`), and so
is an individual (`individual.py`). To add one, supply:

1. **A format** (`tourney.movement.formats.StageFormat`): its name in the event file, which settings are meant for it,
   how many rounds and matches a given number of entrants have, the pairings that depend on no result, and how many
   tables a match takes (`tables_per_match`). An existing format may be reused.
2. **Entrants**: `qualify` says who advances to the next stage, `enter` makes the entries of a stage. In the first
   stage every team of the event file enters; entrants are identified by name and by their number in the draw.
3. **Sittings**: `rooms` and `seat` say who sits where, with which boards, at which table of a match; `board_set` and
   `board_sets` name the sets of boards, if a round or a match does not simply have its own; `draw_next` draws a
   round that depends on results; `extra_segment` gives more boards to an undecided match. A single table is
   a match with one room (see `plan.py`): its home side is its owner, or whoever sits North-South.
4. **How results compare**: `compare` scores a board for each side from the results at the tables of one match
   (`compare_boards` all boards of a match, for a contest in which a board's score depends on those before it),
   `score` gives the score of a finished match, `add_up` the running total. The figures go into the columns `imps_*`
   and `vp_*_hundredths` of `match_results` in the contest's own units: points or IMPs in the former, hundredths of
   the unit that entrants are ranked by in the latter. A contest that compares results across the field (matchpoints,
   cross-IMPs) does so in `rank`: it sets `ranks_by_boards`, and the results of the boards are passed to it there.
5. **How entrants rank**: `rank` orders the entrants of a field (a stage, or a group of one) from its finished
   matches, the withdrawals, and the rules of the event file; `tie_breaks` lists the criteria that break ties.
6. **What its views show**: the attributes of `Contest` from `entrant` on are its words, the scores that it has and
   the pages that make sense of it. Nobody outside asks which kind a contest is.

Where partners change (`individual.py`), the entrants are players, and the sides of a match are the partnerships that
they form (`StageFormat.partnerships`): these are numbered after the players in the draw, `sides` names them, and
`DrawnMatch.entrants_of` says whom a side is made of.

A kind has two parts, because the event file and the plan are read without any rules of ranking. The format has what
is known before there is a result: the keys, the pairings, and the `ContestKind` by which the model of its keys
(`tourney.config.stage_formats`) and the class here are found. The contest has what results mean.

The format stands in `tourney.movement.formats.FORMATS`, the contest in `contest_of`; an event file may then name it.
The draw, the store, the match runner, the results and the exports ask the contest and know no particular kind.

Nothing here does input or output: a contest sees the record through the shapes of `record.py`, and answers with
plain objects.
"""

from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING

from tourney.movement.formats import ContestKind, StageFormat

if TYPE_CHECKING:
    from tourney.contest.kind import Contest


def common_entrant(contests: Iterable["Contest"]) -> str:
    """Return what takes part in several contests: a `pair` if it is one in all of them; otherwise a `team`."""
    entrants = {contest.entrant for contest in contests}
    return entrants.pop() if len(entrants) == 1 else "team"


@cache
def contest_of(stage_format: StageFormat) -> "Contest":
    """Return the contest played in stages of a format."""
    # Most commands need the plan of a contest only, not the kinds with all their rules of ranking.
    if stage_format.kind is ContestKind.INDIVIDUAL:
        from tourney.contest.individual import IndividualContest  # noqa: PLC0415

        return IndividualContest(stage_format)
    if stage_format.kind is ContestKind.PAIRS:
        from tourney.contest.pairs import PairsContest  # noqa: PLC0415

        return PairsContest(stage_format)
    if stage_format.kind is ContestKind.GAME:
        from tourney.contest.games import game_contest  # noqa: PLC0415

        return game_contest(stage_format)
    if stage_format.is_knockout:
        from tourney.contest.knockout import KnockoutContest  # noqa: PLC0415

        return KnockoutContest(stage_format)
    from tourney.contest.teams import DuelContest, SeveralTeamsContest, TeamContest  # noqa: PLC0415

    of_teams = {ContestKind.DUEL: DuelContest, ContestKind.SEVERAL_TEAMS: SeveralTeamsContest}
    return of_teams.get(stage_format.kind, TeamContest)(stage_format)
