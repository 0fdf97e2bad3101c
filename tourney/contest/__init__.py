"""The kinds of contest, found by the name of a stage's format.

A kind of contest is a subclass of `Contest` (`kind.py`). The match of two teams in two rooms is the first
(`teams.py`); round robins, Swiss, knockouts, gauntlets and single matches are formats that it is played in. To add
one, supply:

1. **A format** (`tourney.movement.formats.StageFormat`): its name in the event file, which settings are meant for it,
   how many rounds and matches so many entrants have, who meets whom in those that depend on no result, and how many
   tables a match takes (`tables_per_match`). A format that exists may be used again.
2. **Entrants**: `qualify` says who goes on into the next stage, `enter` makes the entries of a stage. In the first
   stage every team of the event file enters; entrants are known by their names, and by their numbers in the draw.
3. **Sittings**: `rooms` and `seat` say who sits where, with which boards, at which table of a match; `board_set` and
   `board_sets` which boards there are, where a round or a match does not simply have its own; `draw_next` draws a
   round that depends on results; `extra_segment` gives more boards to a match that is not decided. A table that
   stands alone is a match with one room (see `plan.py`): home is who it belongs to, or who sits North-South.
4. **How results compare**: `compare` makes of the results of a board at the tables of one match what each side of it
   has made, `score` what the match is worth when it is over, `add_up` the running total. The figures go into the
   columns `imps_*` and `vp_*_hundredths` of `match_results` in the contest's own units: points or IMPs in the former,
   hundredths of what entrants are ranked by in the latter. A contest that compares results
   across the field (matchpoints, cross-IMPs) does so in `rank`: it sets `ranks_by_boards`, and finds them there.
5. **How entrants rank**: `rank` orders the entrants of a field (a stage, or a group of one) from its finished
   matches, those who have left, and the rules of the event file; `tie_breaks` says what has broken ties.

`register` makes it known; an event file may then say its name. The draw, the store, the match runner, the results and
the exports ask the contest and know no kind. The schema keeps the names of the first six formats in `stages.format`;
of any other the name is read from the plan of the draw, which the event keeps.

Nothing here does input or output: a contest sees the record through the shapes of `record.py`, and answers with
plain objects.
"""

from typing import TYPE_CHECKING, Final

from tourney.movement.formats import KnockoutFormat, StageFormat, add_format, remove_format

if TYPE_CHECKING:
    from tourney.contest.kind import Contest

_contests: Final[dict[str, "Contest"]] = {}
"""The contests that are registered, and those of the formats that come with tourney once they have been asked for."""


def register(contest: "Contest") -> None:
    """Makes a contest known, so that event files may name its format."""
    add_format(contest.format)
    _contests[contest.format.name] = contest


def unregister(contest: "Contest") -> None:
    """Undoes `register`."""
    remove_format(contest.format.name)
    del _contests[contest.format.name]


def contest_of(stage_format: StageFormat) -> "Contest":
    """Returns the contest that is played in a stage of this format."""
    contest = _contests.get(stage_format.name)
    if contest is None:
        contest = _contests[stage_format.name] = _team_contest(stage_format)
    return contest


def _team_contest(stage_format: StageFormat) -> "Contest":
    """Returns the match of two teams, played in a format."""
    # Most commands need the plan of a contest only, not the kinds with all their rules of ranking.
    if isinstance(stage_format, KnockoutFormat):
        from tourney.contest.knockout import KnockoutContest  # noqa: PLC0415

        return KnockoutContest(stage_format)
    from tourney.contest.teams import SwissContest, TeamContest  # noqa: PLC0415

    return SwissContest(stage_format) if stage_format.is_drawn_by_round else TeamContest(stage_format)
