"""Two teams against each other: all their matches, and the record of each team in them."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

from tourney.contest.record import finished_match
from tourney.errors import UsageError
from tourney.event.drawn import DrawnEvent
from tourney.movement.ranking import rank_teams
from tourney.output.rows import TEXT_ONLY
from tourney.output.tables import CsvTable, TextTable, text_table
from tourney.output.units import EventName
from tourney.plurals import count
from tourney.report.figures import one_scale
from tourney.report.report import Report
from tourney.report.rounds import MatchLine, MatchState, explain_lines, load_match_lines, match_table, matches_csv
from tourney.report.rulings import explain_stars
from tourney.report.standings import RecordDocument, record_headings, record_row
from tourney.results.cancelled import load_cancelled
from tourney.results.load import load_results
from tourney.scoring.board_scale import IMPS, BoardScale
from tourney.store.results.event_results import MatchFilter
from tourney.store.rulings import load_rulings


class HeadToHead(Report):
    """Two teams against each other."""

    event: EventName
    """The name of the event."""
    teams: list[RecordDocument]
    """The record of each team in the matches that count, in the order in which the teams were named."""
    matches: tuple[MatchLine, ...]
    """The matches between the two teams, by number."""
    event_path: Annotated[Path, TEXT_ONLY]
    """The event file, as the user gave it."""
    board_scale: Annotated[BoardScale | None, TEXT_ONLY]
    """How the boards of all these matches were scored; None where they differ in that."""
    has_vp: Annotated[bool, TEXT_ONLY]
    """Whether victory points count, as they do not in a knockout."""

    def csv(self) -> CsvTable:
        """Return a row per match."""
        return matches_csv(self.event, self.matches)

    def text(self) -> Iterator[str | TextTable]:
        """Yield a table of the matches and one of the teams."""
        names = " - ".join(row.team for row in self.teams)
        over = sum(line.state is MatchState.OVER for line in self.matches)
        yield f"{self.event.name}, {names}: {over} of {count(len(self.matches), 'match', 'matches')} over"
        if self.matches:
            yield match_table(self.event, self.matches)
        headings = record_headings(self.board_scale, self.event.entrant) | {"played": ""}
        headings["vp"] = f">{(self.board_scale or IMPS).match_heading}" if self.has_vp else ""
        yield ""
        yield text_table(RecordDocument, self.teams, headings=headings)
        yield from explain_lines(self.matches)
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
        match
        for match in event.matches
        if {match.home, match.away} == {one, other} and not match.contest.ranks_by_boards
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
    # Of teams that never meet, how they were scored is that of the team stages.
    of_teams = [stage for stage in event.stages if not stage.contest.ranks_by_boards]
    stages = [event.stage_of(line.match) for line in lines] or of_teams
    scale = one_scale(stage.board_scale for stage in stages)
    return HeadToHead(
        event=event,
        teams=[record_row(rows[name], scale) for name in (one, other)],
        matches=tuple(lines),
        event_path=drawn.path,
        board_scale=scale,
        has_vp=not all(stage.format.is_knockout for stage in stages),
    )
