"""Two teams against each other: all their matches, and what they come to."""

from dataclasses import dataclass, replace

from tourney.movement.ranking import RankingRules, StandingRow
from tourney.report.rounds import MatchLine, MatchState, load_match_lines
from tourney.report.standings import rank_event
from tourney.scoring.victory_points import VpScale
from tourney.store.bulk_results import Scope
from tourney.store.database import Database
from tourney.store.objects import EventInfo
from tourney.store.results import load_match_scores


@dataclass(frozen=True, slots=True)
class HeadToHead:
    event: str
    matches: tuple[MatchLine, ...]
    """All between the two, in the order of the rounds, those to come as well."""
    records: tuple[StandingRow, StandingRow]
    """Of the first team asked for, then of the second: over the matches with a score, as in the standings."""

    @property
    def matches_over(self) -> int:
        return sum(line.state is MatchState.OVER for line in self.matches)


def load_head_to_head(
    database: Database, event: EventInfo, scale: VpScale | None, first: str, second: str
) -> HeadToHead:
    """The matches of two teams of the event, by their names.

    Raises:
        StoreError: the database cannot be used.
    """
    rounds = tuple(
        replace(round_, bye=None, matches=tuple(m for m in round_.matches if {m.home, m.away} == {first, second}))
        for round_ in event.rounds
    )
    teams = tuple(team for team in event.teams if team.name in (first, second))
    meetings = replace(event, teams=teams, rounds=rounds)
    numbers = [match.number for match in meetings.matches]
    lines = load_match_lines(database, event, scale, Scope(event.id, matches=numbers))
    rules = RankingRules((), forgets_early_leavers=False)
    table = rank_event(database, meetings, load_match_scores(database, event.id), rules)
    rows = {row.team: row for row in table.rows}
    return HeadToHead(event.name, tuple(lines), (rows[first], rows[second]))
