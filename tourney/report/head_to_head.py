"""Two teams against each other: all their matches, and the record of each team in them."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from typing_extensions import TypedDict

from tourney.contest.record import finished_match
from tourney.errors import UsageError
from tourney.event.drawn import DrawnEvent
from tourney.movement.ranking import StandingRow, rank_teams
from tourney.output.tables import CsvTable, TextTable
from tourney.plurals import count
from tourney.report.figures import one_scale
from tourney.report.report import Report
from tourney.report.rounds import (
    MatchLine,
    MatchLineDocument,
    MatchState,
    explain_lines,
    load_match_lines,
    match_columns,
    match_line_document,
    match_table,
)
from tourney.report.rulings import explain_stars
from tourney.report.standings import RecordDocument, record_document, records_table
from tourney.results.cancelled import load_cancelled
from tourney.results.load import load_results
from tourney.scoring.board_scale import BoardScale
from tourney.store.draw.objects import EventInfo, StageInfo
from tourney.store.results.event_results import MatchFilter
from tourney.store.rulings import load_rulings


class HeadToHeadDocument(TypedDict):
    """Two teams against each other."""

    event: str
    """The name of the event."""
    teams: list[RecordDocument]
    """The record of each team in the matches that count, in the order in which the teams were named."""
    matches: list[MatchLineDocument]
    """The matches between the two teams, by number."""


class HeadToHead(Report):
    """Two teams against each other."""

    event: EventInfo
    event_path: Path
    matches: tuple[MatchLine, ...]
    """All matches between the two teams in the order of the rounds, including those still to be played."""
    records: tuple[StandingRow, StandingRow]
    """The records of the first and the second team named, over the matches with a score, as in the standings."""

    @property
    def board_scale(self) -> BoardScale | None:
        """How the boards of all these matches were scored; None where they differ in that.

        Of teams that never meet it is that of the stages.
        """
        return one_scale(stage.board_scale for stage in self._stages)

    @property
    def _stages(self) -> Sequence[StageInfo]:
        """The stages in which they meet; all of them but those of pairs if they never do."""
        of_matches = [stage for stage in self.event.stages if not stage.format.is_of_pairs]
        return [self.event.stage_of(line.match) for line in self.matches] or of_matches

    def document(self) -> HeadToHeadDocument:
        """Return both teams, then their matches."""
        return {
            "event": self.event.name,
            "teams": [record_document(row, self.board_scale) for row in self.records],
            "matches": [match_line_document(line) for line in self.matches],
        }

    def csv(self) -> CsvTable:
        """Return a row per match."""
        return CsvTable(match_columns(self.event), map(match_line_document, self.matches))

    def text(self) -> Iterator[str | TextTable]:
        """Yield a table of the matches and one of the teams."""
        names = " - ".join(row.team for row in self.records)
        over = sum(line.state is MatchState.OVER for line in self.matches)
        yield f"{self.event.name}, {names}: {over} of {count(len(self.matches), 'match', 'matches')} over"
        if self.matches:
            yield match_table(self.event, self.matches)
        # In a knockout victory points do not count.
        has_vp = not all(stage.format.is_knockout for stage in self._stages)
        table = records_table(self.records, self.board_scale, self.event.entrant, has_vp=has_vp)
        yield ""
        yield table
        yield from explain_lines(self.event, self.matches)
        yield from explain_stars([ruling for line in self.matches for ruling in line.rulings], self.event_path)


def load(drawn: DrawnEvent, *, first: str, second: str) -> HeadToHead:
    """Load the matches of two teams of the event, without tables of pairs; their names may be in upper or lower case.

    Raises:
        StoreError: the database cannot be used.
        UsageError: there is no such team, or both are the same.
    """
    database, event = drawn.database, drawn.event
    one, other = drawn.team_named(first), drawn.team_named(second)
    if one == other:
        raise UsageError(f"two different teams are needed, got {one!r} twice")
    meetings = [
        match for match in event.matches if {match.home, match.away} == {one, other} and not match.format.is_of_pairs
    ]
    cancelled = load_cancelled(database, event, lambda: drawn.ranking_rules)
    scope = MatchFilter(event.id, matches=[match.number for match in meetings])
    lines = load_match_lines(database, event, drawn.scales, scope, cancelled)
    results = load_results(database, event, {})
    rulings = [ruling for ruling in load_rulings(database, event.id) if ruling.changes_score]
    over = [
        finished_match(m, results.scores[m.number], [ruling for ruling in rulings if ruling.match == m.number])
        for m in meetings
        if m.number in results.scores and m.number not in cancelled
    ]
    rows = {row.team: row for row in rank_teams((one, other), over, ()).rows}
    return HeadToHead(event, drawn.path, tuple(lines), (rows[one], rows[other]))
