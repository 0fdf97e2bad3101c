"""Two teams against each other: all their matches, and what they come to."""

from dataclasses import dataclass

from tourney.contest.record import finished_match
from tourney.movement.ranking import StandingRow, rank_teams
from tourney.report.rounds import MatchLine, MatchState, load_match_lines
from tourney.results.scorecard import Scales
from tourney.store.db.database import Database
from tourney.store.draw.objects import EventInfo
from tourney.store.results.bulk_results import Scope
from tourney.store.results.matches import load_match_scores
from tourney.store.rulings.rulings import load_rulings


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


def load_head_to_head(database: Database, event: EventInfo, scales: Scales, first: str, second: str) -> HeadToHead:
    """The matches of two teams of the event, by their names.

    Raises:
        StoreError: the database cannot be used.
    """
    meetings = [match for match in event.matches if {match.home, match.away} == {first, second}]
    lines = load_match_lines(database, event, scales, Scope(event.id, matches=[m.number for m in meetings]))
    scores = load_match_scores(database, event.id)
    rulings = [ruling for ruling in load_rulings(database, event.id) if ruling.changes_score]
    over = [
        finished_match(m, scores[m.number], [ruling for ruling in rulings if ruling.match == m.number])
        for m in meetings
        if m.number in scores
    ]
    rows = {row.team: row for row in rank_teams((first, second), over, ()).rows}
    return HeadToHead(event.name, tuple(lines), (rows[first], rows[second]))
