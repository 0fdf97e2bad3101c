"""The cross-table: the result of each team's matches against every other team."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from tourney.event.drawn import DrawnEvent
from tourney.movement.ranking import FinishedMatch
from tourney.movement.tie_breaks import Figures
from tourney.output.rows import ABSENT, INLINE, NOTHING, TEXT_ONLY, InCsv, Row
from tourney.output.tables import CsvTable, Part, TextTable, csv_table
from tourney.output.units import GroupLetter, Margin, Points, Vp
from tourney.report.figures import imps_of, margin_of, points_of, ranking_score_of, vp_of
from tourney.report.ranking import describe_progress
from tourney.report.report import Report
from tourney.report.rulings import CountedRulings, explain_stars
from tourney.report.standings import format_team
from tourney.results.standings import Standings, load_standings
from tourney.scoring.board_scale import BoardScale
from tourney.scoring.victory_points import VpHundredths
from tourney.store.draw.objects import EventInfo, MatchInfo


class CrosstableCell(Row, kw_only=True):
    """A match from the side of one team; nulls until it has finished, and if a withdrawal cancelled it."""

    match: Annotated[int, InCsv(after="opponent")]
    """The number of the match."""
    round: Annotated[int, InCsv(after="match")]
    """The number of the round, counted through the event."""
    opponent: str
    """The name of the other team."""
    home: bool
    """Whether the team is the home team."""
    imps_for: int | None
    """IMPs of the team; null in matches scored in points, like the next one."""
    imps_against: int | None
    """IMPs that the other team won from it."""
    points_for: Annotated[Points | None, InCsv(after="margin")] = ABSENT
    """In matches scored in points: those that the team won, as a decimal string, in place of IMPs, like the next."""
    points_against: Annotated[Points | None, InCsv(after="points_for")] = ABSENT
    """In matches scored in points: those that the team did not win."""
    vp: Vp | None
    """Victory points of the team as a decimal string; null where something else ranks."""
    ranking_score: Annotated[Points | None, InCsv(after="points_against")] = ABSENT
    """What ranks the team where victory points do not, such as net points or net IMPs, as a decimal string."""
    margin: Margin | None
    """The team's own margin, `imps_for` less `imps_against`; the other team's is the opposite, unless a
    ruling has changed a score."""
    figures: Annotated[Figures | None, TEXT_ONLY]
    """What the team has scored in it, as it counts."""
    is_starred: Annotated[bool, TEXT_ONLY]
    """Whether rulings against this team are included in these figures."""


class CrosstableRow(Row, kw_only=True):
    """A team in a stage that it plays in."""

    number: int
    """The number of the team in the draw, from 1."""
    team: str
    """The name of the team."""
    stage: str
    """The name of the stage."""
    group: GroupLetter | None
    """The letter of the group; null where there are no groups."""
    rank: int | None
    """The rank in the stage or group, from 1; equal teams share it. Null before anything tells the teams apart."""
    vp: Vp | None
    """Victory points in the stage as a decimal string; null where something else ranks."""
    ranking_score: Points | None = ABSENT
    """What ranks the team in the stage where victory points do not, as a decimal string."""
    vp_awarded: Vp | None
    """Those of them that it has without a match: carried over, for byes, and for rounds missed by entering late. Null
    where it is ranked by its average."""
    withdrawn: bool
    """Whether the team has left the event."""
    rulings: CountedRulings
    """The rulings that count against the team."""
    matches: tuple[CrosstableCell, ...]
    """The matches of the team in the stage, in the order of the rounds."""
    total: Annotated[VpHundredths, TEXT_ONLY]
    """What ranks the team: victory points or, where they rank, points."""
    imps: Annotated[int, TEXT_ONLY]
    """IMPs won less IMPs lost in those matches, as in the standings."""

    def cells_against(self, team: str) -> tuple[CrosstableCell, ...]:
        """Return the matches against another team."""
        return tuple(cell for cell in self.matches if cell.opponent == team)


class CrosstableDocument(Row):
    """The cross-table: a team has a row for each stage but knockouts that it plays in."""

    event: str
    """The name of the event."""
    teams: list[CrosstableRow]
    """The rows, stage by stage."""


class CrosstableMatch(Row):
    """A team and one of its matches, in CSV."""

    number: int
    """The number of the team in the draw."""
    team: str
    """The name of the team."""
    match: Annotated[CrosstableCell, INLINE]


@dataclass(frozen=True, slots=True)
class CrosstableField:
    """The teams of a stage or group, which play each other."""

    title: str
    board_scale: BoardScale
    """How its boards are scored."""
    entrant: str
    """What meets in it: a `team` or a `pair`."""
    rows: tuple[CrosstableRow, ...]
    """In the order of the draw, which stays the same through the event."""
    matches: int
    matches_over: int


class CrosstableReport(Report):
    """The cross-table as it is shown."""

    event: str
    fields: tuple[CrosstableField, ...]
    """Every stage that is not a knockout, each of its groups separately, in the order of the stages."""
    matches: int
    matches_over: int
    event_path: Path
    has_only_imps: bool
    """Whether the text shows IMPs only."""
    has_titles: bool
    """Whether tables have titles: there are several, or there will be."""
    why_none: str
    """Why there is none, if no stage has one."""

    @property
    def rows(self) -> list[CrosstableRow]:
        """The rows of all fields."""
        return [row for field in self.fields for row in field.rows]

    def content(self) -> CrosstableDocument:
        """Return a row per team."""
        return CrosstableDocument(self.event, self.rows)

    def csv(self) -> CsvTable:
        """Return a row per team and match, so that each match has two rows."""
        scales = [field.board_scale for field in self.fields]
        without = [] if any(scale.is_in_points for scale in scales) else ["points_for", "points_against"]
        if not any(scale.ranks_by_points for scale in scales):
            without.append("ranking_score")
        rows = (CrosstableMatch(row.number, row.team, cell) for row in self.rows for cell in row.matches)
        return csv_table(CrosstableMatch, rows, without=without)

    def text(self) -> Iterator[Part]:
        """Yield a square table for each stage or group."""
        yield f"{self.event}: {describe_progress(self.matches_over, self.matches)}"
        if not self.fields:
            yield f"There is no cross-table, {self.why_none}: `tourney rounds` shows every match"
        for field in self.fields:
            if self.has_titles:
                yield ""
                yield field.title
            yield self._table(field)
            if any(row.vp_awarded for row in field.rows) and not self.has_only_imps:
                yield "Awarded: without a match, for byes and rounds missed by entering late, or carried over"
        yield from explain_stars([ruling for row in self.rows for ruling in row.rulings], self.event_path)

    def _table(self, field: CrosstableField) -> TextTable:
        scale = field.board_scale
        unit = scale.heading if self.has_only_imps and not scale.ranks_by_points else scale.ranking_heading
        awarded = [] if self.has_only_imps or not any(row.vp_awarded for row in field.rows) else [">Awarded"]
        table = TextTable(
            ">No",
            field.entrant.title(),
            *(f">{row.number}" for row in field.rows),
            *awarded,
            f">{unit}",
            ">Rank",
            keys=2,
        )
        for row in field.rows:
            against: defaultdict[str, list[str]] = defaultdict(list)
            for cell in row.matches:
                against[cell.opponent].append(self._format_cell(cell, scale))
            cells = ("\n".join(against[other.team]) for other in field.rows)
            on_event = [ruling for ruling in row.rulings if ruling.match is None]
            name = format_team(row.team, on_event, is_withdrawn=row.withdrawn)
            total = scale.format_signed(row.imps) if self.has_only_imps else scale.format_vp(row.total)
            extra = [scale.format_vp(row.vp_awarded or VpHundredths(0)) for _ in awarded]
            rank = str(row.rank) if row.rank is not None else NOTHING
            table.add_row(str(row.number), name, *cells, *extra, total, rank)
        return table

    def _format_cell(self, cell: CrosstableCell, scale: BoardScale) -> str:
        """Format a result: `13.34 (20-5)`, or IMPs only; a star marks a score that a ruling has reduced."""
        figures = cell.figures
        if figures is None:
            return NOTHING
        star = "*" if cell.is_starred else ""
        imps = f"{scale.format(figures.imps_for)}-{scale.format(figures.imps_against)}"
        if self.has_only_imps or scale.is_said_by_score(figures.vp, figures.imps_for, figures.imp_difference):
            return f"{imps}{star}"
        return f"{scale.format_vp(figures.vp)}{star} ({imps})"


def load(drawn: DrawnEvent, *, only_imps: bool = False) -> CrosstableReport:
    """Load the cross-table of an event.

    Raises:
        ConfigError: something is wrong with the event file, which says how teams are ranked.
        StoreError: the database cannot be used.
    """
    event = drawn.event
    standings = load_standings(drawn.database, event, drawn.ranking_rules)
    of_matches = [field for field in standings.fields or (standings,) if not field.ranks_by_boards]
    fields = crosstable_fields(event, standings)
    return CrosstableReport(
        event=event.name,
        fields=fields,
        matches=sum(field.matches for field in of_matches),
        matches_over=sum(field.matches_over for field in of_matches),
        event_path=drawn.path,
        has_only_imps=only_imps,
        has_titles=len(fields) > 1 or len(event.stages) > 1,
        why_none=(
            "for partners change from match to match"
            if any(stage.format.changes_partners for stage in event.stages)
            else "for the losers of a knockout do not meet the others"
        ),
    )


def crosstable_fields(event: EventInfo, standings: Standings) -> tuple[CrosstableField, ...]:
    """Return each group of each stage of matches that is not a knockout, in the order of play."""
    return tuple(
        _field(event, field)
        for field in standings.fields or (standings,)
        if field.stage is not None and field.stage.format.has_crosstable
    )


def _field(event: EventInfo, table: Standings) -> CrosstableField:
    assert table.stage is not None
    counted = {match.number: match for match in table.counted}
    ranked = {row.team: row for row in table.rows}
    cells: dict[str, list[CrosstableCell]] = {team: [] for team in ranked}
    for match in table.stage.matches:
        if match.home not in cells:
            continue
        for team in (match.home, match.away):
            is_starred = any(ruling.match == match.number for ruling in table.rulings_on(team))
            cells[team].append(_cell(match, team, counted.get(match.number), is_starred=is_starred))
    rows = tuple(
        CrosstableRow(
            number=team.number,
            team=team.name,
            stage=table.stage.name,
            group=table.group,
            rank=ranked[team.name].rank if table.is_ranked else None,
            vp=vp_of(table.stage.board_scale, ranked[team.name].vp),
            ranking_score=ranking_score_of(table.stage.board_scale, ranked[team.name].vp),
            total=ranked[team.name].vp,
            vp_awarded=VpHundredths(ranked[team.name].vp - _won(cells[team.name]))
            if not table.stage.format.by_average
            else None,
            imps=ranked[team.name].imps_for - ranked[team.name].imps_against,
            matches=tuple(cells[team.name]),
            rulings=table.rulings_on(team.name),
            withdrawn=table.is_withdrawn(team.name),
        )
        for team in event.teams
        if team.name in ranked
    )
    return CrosstableField(
        table.title, table.stage.board_scale, table.entrant, rows, table.matches, table.matches_over
    )


def _won(cells: Iterable[CrosstableCell]) -> int:
    return sum(cell.figures.vp for cell in cells if cell.figures is not None)


def _cell(match: MatchInfo, team: str, counted: FinishedMatch | None, *, is_starred: bool) -> CrosstableCell:
    """Return the match from the side of one of its teams."""
    scale, is_home = match.board_scale, team == match.home
    figures = counted.figures()[0 if is_home else 1] if counted is not None else None
    imps_for, imps_against = (figures.imps_for, figures.imps_against) if figures is not None else (None, None)
    vp = VpHundredths(figures.vp) if figures is not None else None
    return CrosstableCell(
        match=match.number,
        round=match.round,
        opponent=match.away if is_home else match.home,
        home=is_home,
        imps_for=imps_of(scale, imps_for),
        imps_against=imps_of(scale, imps_against),
        points_for=points_of(scale, imps_for),
        points_against=points_of(scale, imps_against),
        vp=vp_of(scale, vp),
        ranking_score=ranking_score_of(scale, vp),
        margin=margin_of(scale, figures.imp_difference) if figures is not None else None,
        figures=figures,
        is_starred=is_starred,
    )
