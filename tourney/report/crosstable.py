"""The cross-table: the result of each team's matches against every other team."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from typing_extensions import TypedDict

from tourney.event.drawn import DrawnEvent
from tourney.movement.ranking import FinishedMatch
from tourney.movement.tie_breaks import Figures
from tourney.output.rows import NOTHING
from tourney.output.tables import CsvTable, TextTable
from tourney.output.units import GroupLetter, Vp
from tourney.report.figures import TOTAL_POINTS, TotalPointsDocument, imps_of, total_points
from tourney.report.report import Report
from tourney.report.rulings import CountedRulingDocument, counted_rulings, explain_stars
from tourney.report.standings import describe_progress, format_team
from tourney.results.load import EventRules
from tourney.results.standings import Standings, load_standings
from tourney.scoring.board_scale import BoardScale
from tourney.scoring.victory_points import VpHundredths, format_vp
from tourney.store.db.database import Database
from tourney.store.draw.objects import EventInfo, MatchInfo
from tourney.store.rulings import RulingInfo

COLUMNS: Final = ("number", "team", "opponent", "match", "round", "home", "imps_for", "imps_against", "vp", "margin")


class CellDocument(TotalPointsDocument):
    """A match from the side of one team; nulls until it has finished, and if a withdrawal cancelled it."""

    match: int
    """The number of the match."""
    round: int
    """The number of the round, counted through the event."""
    opponent: str
    """The name of the other team."""
    home: bool
    """Whether the team is the home team."""
    imps_for: int | None
    """IMPs of the team; null in matches scored in points, like the next one."""
    imps_against: int | None
    """IMPs that the other team won from it."""
    vp: Vp | None
    """Victory points of the team as a decimal string."""
    margin: int | None
    """The team's own margin in IMPs, `imps_for` less `imps_against`; the other team's is the opposite, unless a
    ruling has changed a score."""


class RowDocument(TypedDict):
    """A team in a stage that it plays in."""

    number: int
    """The number of the team in the draw, from 1."""
    team: str
    """The name of the team."""
    stage: str
    """The name of the stage."""
    group: GroupLetter | None
    """The letter of the group; null where there are no groups."""
    rank: int
    """The rank in the stage or group, from 1; equal teams share it."""
    vp: Vp
    """Victory points in the stage as a decimal string."""
    withdrawn: bool
    """Whether the team has withdrawn from the event."""
    rulings: list[CountedRulingDocument]
    """The rulings that count against the team."""
    matches: list[CellDocument]
    """The matches of the team in the stage, in the order of the rounds."""


class CrosstableDocument(TypedDict):
    """The cross-table: a team has a row for each stage but knockouts that it plays in."""

    event: str
    """The name of the event."""
    teams: list[RowDocument]
    """The rows, stage by stage."""


@dataclass(frozen=True, slots=True)
class CrosstableCell:
    """A match from the side of one team, as it counts."""

    match: int
    round: int
    opponent: str
    is_home: bool
    figures: Figures | None
    """What the team has scored in it; None until the match has finished, and if it was cancelled because a team
    withdrew."""
    rulings: tuple[RulingInfo, ...]
    """The rulings against this team that are included in these figures."""

    @property
    def vp(self) -> VpHundredths | None:
        return VpHundredths(self.figures.vp) if self.figures is not None else None


@dataclass(frozen=True, slots=True)
class CrosstableRow:
    """The row of a team."""

    number: int
    """The number of the team in the draw."""
    team: str
    rank: int
    vp: VpHundredths
    """Victory points over all finished matches of the team."""
    imps: int
    """IMPs won less IMPs lost in those matches, as in the standings."""
    cells: tuple[CrosstableCell, ...]
    """The matches of the team in the order of the rounds."""
    rulings: tuple[RulingInfo, ...]
    """All rulings against the team that count."""
    withdrawn: bool
    """Whether the team has withdrawn from the event."""

    def cells_against(self, team: str) -> tuple[CrosstableCell, ...]:
        """Return the matches against another team."""
        return tuple(cell for cell in self.cells if cell.opponent == team)


@dataclass(frozen=True, slots=True)
class CrosstableField:
    """The teams of a stage or group, which play each other."""

    stage: str
    group: str | None
    """The letter of the group; None where there are no groups."""
    title: str
    board_scale: BoardScale
    """How its boards are scored."""
    entrant: str
    """What meets in it: a `team` or a `pair`."""
    rows: tuple[CrosstableRow, ...]
    """In the order of the draw, which stays the same through the event."""
    matches: int
    matches_over: int


@dataclass(frozen=True, slots=True)
class Crosstable:
    event: str
    fields: tuple[CrosstableField, ...]
    """Every stage that is not a knockout, each of its groups separately, in the order of the stages."""
    matches: int
    matches_over: int

    @property
    def rows(self) -> tuple[CrosstableRow, ...]:
        """The rows of all fields."""
        return tuple(row for field in self.fields for row in field.rows)


class CrosstableReport(Report):
    """The cross-table as it is shown."""

    crosstable: Crosstable
    event_path: Path
    has_only_imps: bool
    """Whether the text shows IMPs only."""
    has_titles: bool
    """Whether tables have titles: there are several, or there will be."""

    def document(self) -> CrosstableDocument:
        """Return a row per team."""
        return crosstable_document(self.crosstable)

    def csv(self) -> CsvTable:
        """Return a row per team and match, so that each match has two rows."""
        by_points = any(field.board_scale.is_in_points for field in self.crosstable.fields)
        rows = (
            {"number": row["number"], "team": row["team"], **match}
            for row in self.document()["teams"]
            for match in row["matches"]
        )
        return CsvTable((*COLUMNS, *(TOTAL_POINTS if by_points else ())), rows)

    def text(self) -> Iterator[str | TextTable]:
        """Yield a square table for each stage or group."""
        crosstable = self.crosstable
        yield f"{crosstable.event}: {describe_progress(crosstable.matches_over, crosstable.matches)}"
        for field in crosstable.fields:
            if self.has_titles:
                yield ""
                yield field.title
            yield self._table(field)
        yield from explain_stars([ruling for row in crosstable.rows for ruling in row.rulings], self.event_path)

    def _table(self, field: CrosstableField) -> TextTable:
        scale = field.board_scale
        imps = ">Points" if scale.is_in_points else ">IMPs"
        unit = imps if self.has_only_imps and not scale.ranks_by_points else f">{scale.ranking_heading}"
        table = TextTable(
            ">No", field.entrant.title(), *(f">{row.number}" for row in field.rows), unit, ">Rank", keys=2
        )
        for row in field.rows:
            against: defaultdict[str, list[CrosstableCell]] = defaultdict(list)
            for cell in row.cells:
                against[cell.opponent].append(cell)
            cells = (
                "" if other is row else "\n".join(self._format_cell(cell, scale) for cell in against[other.team])
                for other in field.rows
            )
            on_event = [ruling for ruling in row.rulings if ruling.match is None]
            name = format_team(row.team, on_event, is_withdrawn=row.withdrawn)
            total = scale.format_signed(row.imps) if self.has_only_imps else scale.format_vp(row.vp)
            table.add_row(str(row.number), name, *cells, total, str(row.rank))
        return table

    def _format_cell(self, cell: CrosstableCell, scale: BoardScale) -> str:
        """Format a result: `13.34 (20-5)`, or IMPs only; a star marks a score that a ruling has reduced."""
        figures = cell.figures
        if figures is None:
            return NOTHING
        star = "*" if cell.rulings else ""
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
    crosstable = load_crosstable(drawn.database, drawn.event, drawn.ranking_rules)
    has_titles = len(crosstable.fields) > 1 or len(drawn.event.stages) > 1
    return CrosstableReport(crosstable, drawn.path, only_imps, has_titles)


def crosstable_document(crosstable: Crosstable) -> CrosstableDocument:
    """Return the cross-table as a document."""
    return {
        "event": crosstable.event,
        "teams": [
            {
                "number": row.number,
                "team": row.team,
                "stage": field.stage,
                "group": field.group,
                "rank": row.rank,
                "vp": format_vp(row.vp),
                "withdrawn": row.withdrawn,
                "rulings": counted_rulings(row.rulings),
                "matches": [_cell_document(cell, field.board_scale) for cell in row.cells],
            }
            for field in crosstable.fields
            for row in field.rows
        ],
    }


def _cell_document(cell: CrosstableCell, scale: BoardScale) -> CellDocument:
    figures = cell.figures
    return {
        "match": cell.match,
        "round": cell.round,
        "opponent": cell.opponent,
        "home": cell.is_home,
        "imps_for": imps_of(scale, figures.imps_for) if figures is not None else None,
        "imps_against": imps_of(scale, figures.imps_against) if figures is not None else None,
        **total_points(
            scale,
            figures.imps_for if figures is not None else None,
            figures.imps_against if figures is not None else None,
        ),
        "vp": format_vp(figures.vp) if figures is not None else None,
        "margin": imps_of(scale, figures.imp_difference) if figures is not None else None,
    }


def load_crosstable(database: Database, event: EventInfo, rules: EventRules) -> Crosstable:
    """Compute the cross-table from the stored scores; `rules` as for `load_standings`.

    Raises:
        StoreError: the database cannot be used.
    """
    table = load_standings(database, event, rules)
    of_matches = [field for field in table.fields or (table,) if not field.is_of_pairs]
    matches, over = sum(field.matches for field in of_matches), sum(field.matches_over for field in of_matches)
    return Crosstable(event.name, crosstable_fields(event, table), matches, over)


def crosstable_fields(event: EventInfo, standings: Standings) -> tuple[CrosstableField, ...]:
    """Return each group of each stage of matches that is not a knockout, in the order of play."""
    return tuple(
        _field(event, field)
        for field in standings.fields or (standings,)
        if not field.is_knockout and not field.is_of_pairs
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
            rulings = tuple(r for r in table.rulings_on(team) if r.match == match.number)
            cells[team].append(_cell(match, counted.get(match.number), rulings, is_home=team == match.home))
    rows = tuple(
        CrosstableRow(
            number=team.number,
            team=team.name,
            rank=ranked[team.name].rank,
            vp=ranked[team.name].vp,
            imps=ranked[team.name].imps_for - ranked[team.name].imps_against,
            cells=tuple(cells[team.name]),
            rulings=table.rulings_on(team.name),
            withdrawn=table.is_withdrawn(team.name),
        )
        for team in event.teams
        if team.name in ranked
    )
    return CrosstableField(
        *(table.stage.name, table.group, table.title, table.stage.board_scale, table.entrant, rows),
        *(table.matches, table.matches_over),
    )


def _cell(
    match: MatchInfo, counted: FinishedMatch | None, rulings: tuple[RulingInfo, ...], *, is_home: bool
) -> CrosstableCell:
    """Return the match from the side of its home team or of its away team."""
    opponent = match.away if is_home else match.home
    if counted is None:
        return CrosstableCell(match.number, match.round, opponent, is_home, None, rulings)
    home, away = counted.figures()
    return CrosstableCell(match.number, match.round, opponent, is_home, home if is_home else away, rulings)
