"""What becomes of the standings by something that is not on record yet: the teams whose rank or figure changes."""

from dataclasses import dataclass
from typing import NamedTuple

from tourney.event.drawn import DrawnEvent
from tourney.output.rows import NOTHING
from tourney.results.load import NO_CHANGE, ResultsChange, load_results
from tourney.results.standings import Standings, rank_event
from tourney.views.ranking import ranked_figure, ranking_title


class RankedFigure(NamedTuple):
    """The rank of a team, and that by which it ranks, as the standings show them."""

    rank: str
    figure: str
    """Victory points, points, a percentage or IMPs per board; empty where teams rank by places alone."""


_NOT_RANKED = RankedFigure(NOTHING, NOTHING)


@dataclass(frozen=True, slots=True)
class TeamChange:
    """A team whose rank or figure changes."""

    team: str
    before: RankedFigure
    after: RankedFigure


@dataclass(frozen=True, slots=True)
class RankingChange:
    """A ranking in which something changes."""

    title: str
    """The stage and group; empty where the event has one ranking."""
    entrant: str
    """What is ranked: a team or a pair."""
    heading: str
    """The heading of the figures: `VP`; empty if there are none."""
    lines: tuple[TeamChange, ...]
    """The teams in the order that they come to have."""


def load_ranking_changes(drawn: DrawnEvent, change: ResultsChange) -> list[RankingChange]:
    """Load in which rankings of an event something changes; all of its results count, also those not yet shown.

    Raises:
        ConfigError: something is wrong with the event file, which says how teams are ranked.
        StoreError: the database cannot be used.
    """
    event, rules = drawn.event.seen_whole(), drawn.ranking_rules
    before, after = (
        rank_event(load_results(drawn.database, event, rules, change=each)) for each in (NO_CHANGE, change)
    )
    return compare_standings(before, after)


def compare_standings(before: Standings, after: Standings) -> list[RankingChange]:
    """Return the rankings in which something changes: each stage and group, then the event as a whole."""
    then = {ranking_title(field): field for field in _rankings(before)}
    changes = []
    for field in _rankings(after):
        title = ranking_title(field)
        figures = format_ranking(then[title]) if title in then else {}
        lines = tuple(
            TeamChange(team, figures.get(team, _NOT_RANKED), figure)
            for team, figure in format_ranking(field).items()
            if figure != figures.get(team)
        )
        if lines:
            name = title if after.fields else ""
            scale = field.ranking_scale
            heading = scale.ranking_heading if scale is not None else ""
            changes.append(RankingChange(name, field.entrant, heading, lines))
    return changes


def format_ranking(standings: Standings) -> dict[str, RankedFigure]:
    """Format the rank and figure of each team, best first."""
    return {
        row.team: RankedFigure(standings.format_rank(row), ranked_figure(standings, row)) for row in standings.rows
    }


def _rankings(standings: Standings) -> tuple[Standings, ...]:
    return (*standings.fields, standings)
