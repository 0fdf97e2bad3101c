"""The cross-table: the result of each team's matches against every other team."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import chain
from operator import attrgetter
from typing import Annotated, Final, NamedTuple

from tourney.contest import ROUND_ROBIN
from tourney.contest.draw import MatchInfo
from tourney.contest.record import Ruling
from tourney.event.drawn import DrawnEvent
from tourney.movement.tie_breaks import Figures
from tourney.output.content import Content, Heading, Lines, Linked, MatchLink, Title, Toned
from tourney.output.rows import ABSENT, INLINE, NOTHING, Cell, Row
from tourney.output.tables import CsvTable, Parts, TextTable, csv_row, make_table
from tourney.output.units import GroupLetter, Margin, Points, Vp
from tourney.results.standings import Standings, load_standings
from tourney.results.travellers import load_travellers
from tourney.scoring.board_scale import BoardScale
from tourney.scoring.victory_points import VpHundredths
from tourney.store.draw.objects import EventInfo
from tourney.store.draw.tables import TeamInfo
from tourney.views.figures import TeamFigures, keyed_ranking, team_figures
from tourney.views.ranking import describe_extent, entrant_content
from tourney.views.recap import Recap, RecapRowDocument
from tourney.views.report import Report
from tourney.views.rulings import CountedRulings, explain_stars


class CrosstableCell(Row, kw_only=True):
    """A match from the side of one team; nulls until it has finished, and if a withdrawal cancelled it."""

    match: int
    """The number of the match."""
    round: int
    """The number of the round, counted through the event."""
    opponent: str
    """The name of the other team."""
    home: bool
    """Whether the team is the home team."""
    figures: Annotated[TeamFigures, INLINE]
    margin: Margin | None
    """The team's own margin, `imps_for` less `imps_against`; the other team's is the opposite, unless a
    ruling has changed a score."""


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


class CrosstableDocument(Row):
    """The cross-tables of the team stages, and the recapitulation of those of pairs, as far as an event has such."""

    event: str
    """The name of the event."""
    teams: list[CrosstableRow] = ABSENT
    """A row for each team in each team stage that it plays in, but for knockouts."""
    pairs: list[RecapRowDocument] = ABSENT
    """A row for each pair of each pairs stage, in the order of the draw."""


_COLUMNS: Final = ("number", "team", "opponent", "match", "round", "home", "imps_for", "imps_against", "vp", "margin")
"""The columns of a team and one of its matches, in CSV."""
_COLUMNS_OF_POINTS: Final = ("points_for", "points_against", "ranking_score")
"""More of them, where a match has such figures."""

_TONES: Final = ((0.75, "big"), (0.6, "some"), (0.5, "few"))
"""How strong the colour is of who has won more than such a part of what there was to win."""


class _Meeting(NamedTuple):
    """A match from the side of one of its teams."""

    match: MatchInfo
    is_home: bool
    own: Figures | None
    """What the team has scored in it, as it counts; None until it has finished, and if a withdrawal cancelled it."""
    other: Figures | None
    """The same of the other team."""
    is_starred: bool
    """Whether rulings against this team are included in its figures."""

    @property
    def opponent(self) -> str:
        return self.match.away if self.is_home else self.match.home

    def document(self) -> CrosstableCell:
        """Return the match as documents have it."""
        scale, own = self.match.board_scale, self.own
        imps_for, imps_against = (own.imps_for, own.imps_against) if own is not None else (None, None)
        return CrosstableCell(
            match=self.match.number,
            round=self.match.round,
            opponent=self.opponent,
            home=self.is_home,
            figures=team_figures(scale, imps_for, imps_against, VpHundredths(own.vp) if own is not None else None),
            margin=scale.document(own.imp_difference) if own is not None else None,
        )


@dataclass(frozen=True, slots=True)
class CrosstableField:
    """The teams of a stage or group, which play each other."""

    standings: Standings
    teams: tuple[TeamInfo, ...]
    """In the order of the draw, which stays the same through the event."""
    meetings: Mapping[str, Sequence[_Meeting]]
    """The matches of each team, in the order of the rounds."""

    @property
    def scale(self) -> BoardScale:
        """How its boards are scored."""
        return self.standings.ranked_stage.board_scale

    @property
    def rows(self) -> list[CrosstableRow]:
        """A row of each team for documents."""
        table, rows = self.standings, []
        for team in self.teams:
            ranked = table.row_of(team.name)
            rows.append(
                CrosstableRow(
                    number=team.number,
                    team=team.name,
                    stage=table.ranked_stage.name,
                    group=table.group,
                    rank=table.rank_of(ranked),
                    **keyed_ranking(self.scale, vp=ranked.vp),
                    vp_awarded=self.awarded(team),
                    matches=tuple(meeting.document() for meeting in self.meetings[team.name]),
                    rulings=table.rulings_on(team.name),
                    withdrawn=table.is_withdrawn(team.name),
                )
            )
        return rows

    def awarded(self, team: TeamInfo) -> VpHundredths | None:
        """Return what a team has without a match; None where it is ranked by its average."""
        if self.standings.ranks_by_average:
            return None
        won = sum(meeting.own.vp for meeting in self.meetings[team.name] if meeting.own is not None)
        return VpHundredths(self.standings.row_of(team.name).vp - won)


class CrosstableReport(Report):
    """The cross-table as it is shown."""

    note = "Each row has the results against all others, coloured by the part of the points won."

    drawn: DrawnEvent
    standings: Standings
    """The standings of all stages."""
    recap: Recap | None
    """What each pair has won in each round; None without a stage of pairs."""

    @cached_property
    def fields(self) -> tuple[CrosstableField, ...]:
        """Each group of each stage of matches that is not a knockout, in the order of play."""
        return tuple(
            _field(self.drawn.event, field)
            for field in self.standings.lists
            if not field.ranked_stage.format.no_crosstable
        )

    @property
    def rows(self) -> list[CrosstableRow]:
        """The rows of all fields."""
        return [row for field in self.fields for row in field.rows]

    def content(self) -> CrosstableDocument:
        """Return a row for each team of each team stage, and for each pair of each pairs stage."""
        pairs = list(self.recap.rows()) if self.recap is not None else ABSENT
        return CrosstableDocument(self.drawn.event.name, self.rows if self.standings.of_matches else ABSENT, pairs)

    def csv(self) -> CsvTable:
        """Return a row per team and match, so that each match has two rows; then one for each pair and round."""
        tables = []
        if self.standings.of_matches:
            cells = [(row, cell) for row in self.rows for cell in row.matches]
            of_points = [
                name
                for name in _COLUMNS_OF_POINTS
                if any(getattr(cell.figures, name) is not ABSENT for _, cell in cells)
            ]
            rows = ({"number": row.number, "team": row.team, **csv_row(cell)} for row, cell in cells)
            tables.append(CsvTable([*_COLUMNS, *of_points], rows))
        if self.recap is not None:
            tables.append(self.recap.csv())
        columns = dict.fromkeys(chain.from_iterable(table.columns for table in tables))
        return CsvTable(tuple(columns), chain.from_iterable(table.rows for table in tables))

    def text(self) -> Parts:
        """Yield the cross-tables, then the recapitulation of the pairs stages."""
        if self.standings.of_matches:
            yield from self._crosstables()
        if self.recap is not None:
            yield from self.recap.parts()

    def _crosstables(self) -> Parts:
        """Yield a square table for each stage or group."""
        event = self.drawn.event
        over, matches = (
            sum(map(attrgetter(name), self.standings.of_matches)) for name in ("matches_over", "matches")
        )
        yield Title(event.name, ROUND_ROBIN.describe_progress(over, matches))
        if not self.fields:
            yield _why_none(event)
        rulings: list[Ruling] = []
        for field in self.fields:
            progress = ""
            if len(self.fields) > 1 or len(event.stages) > 1:
                yield Heading(field.standings.title)
                progress = describe_extent(field.standings)
            has_awards = any(map(field.awarded, field.teams))
            yield self._table(field, progress, has_awards=has_awards)
            if has_awards:
                yield "Awarded: without a match, for byes and rounds missed by entering late, or carried over"
            rulings += (ruling for team in field.teams for ruling in field.standings.rulings_on(team.name))
        yield from explain_stars(rulings, self.drawn.path)

    def _table(self, field: CrosstableField, caption: str, *, has_awards: bool) -> TextTable:
        scale, standings = field.scale, field.standings

        def name(team: TeamInfo) -> Content:
            on_event = [ruling for ruling in standings.rulings_on(team.name) if ruling.match is None]
            return entrant_content(standings, team.name, on_event)

        columns = [
            Cell(">No", "number"),
            Cell(standings.entrant.title(), name),
            *(
                Cell(f">{other.number}", partial(_show_meetings, field, other), words=other.name)
                for other in field.teams
            ),
            *[Cell(">Awarded", lambda team: scale.format_vp(field.awarded(team) or 0), tone="first")][:has_awards],
            Cell(
                f">{scale.ranking_heading}",
                lambda team: scale.format_vp(standings.row_of(team.name).vp),
                tone="first kept",
            ),
            Cell(">Rank", lambda team: standings.format_rank(standings.row_of(team.name))),
        ]
        return make_table(columns, field.teams, keys=2, caption=caption)


def _show_meetings(field: CrosstableField, other: TeamInfo, team: TeamInfo) -> Content:
    """Show the matches of a team against another, in the colour of what it has won."""
    if other is team:
        return Toned("", "self")
    meetings = [meeting for meeting in field.meetings[team.name] if meeting.opponent == other.name]
    shown = Lines(tuple(_show_meeting(meeting, field.scale) for meeting in meetings))
    tone = _tone(meetings)
    return Toned(shown, tone) if tone else shown


def _show_meeting(meeting: _Meeting, scale: BoardScale) -> Content:
    """Show a result: `13.34 (20-5)`; a star marks a score that a ruling has reduced."""
    own, to = meeting.own, MatchLink(meeting.match.number)
    if own is None:
        return Linked(NOTHING, to)
    star = "*" if meeting.is_starred else ""
    score = f"{scale.format(own.imps_for)}-{scale.format(own.imps_against)}"
    if scale.is_said_by_score(own.vp, own.imps_for, own.imp_difference):
        return Linked(f"{score}{star}", to)
    return Linked((f"{scale.format_vp(own.vp)}{star}", Toned(f"({score})", "imps")), to)


def _tone(meetings: Sequence[_Meeting]) -> str:
    """Return the colour of the part that a team has won of what its matches against another gave both."""
    own = sum(meeting.own.vp for meeting in meetings if meeting.own is not None)
    total = own + sum(meeting.other.vp for meeting in meetings if meeting.other is not None)
    if total <= 0 or 2 * own == total:
        return ""
    side, share = ("home", own / total) if 2 * own > total else ("away", 1 - own / total)
    return f"{side}-{next(tone for least, tone in _TONES if share >= least)}"


def load(drawn: DrawnEvent) -> CrosstableReport:
    """Load the cross-tables of an event, and the recapitulation of its pairs stages.

    Raises:
        ConfigError: something is wrong with the event file, which says how teams are ranked.
        StoreError: the database cannot be used.
    """
    standings = load_standings(drawn.database, drawn.event, drawn.ranking_rules)
    recap = Recap(drawn, load_travellers(drawn)) if drawn.event.pairs_stages else None
    return CrosstableReport(drawn, standings, recap)


def _why_none(event: EventInfo) -> str:
    """Return why an event has no cross-table yet, or never will."""
    reasons = [stage.format.no_crosstable for stage in event.stages]
    if not all(reasons):
        return "There is a cross-table as soon as it is known who meets whom"
    return f"There is no cross-table, for {reasons[0]}: `tourney rounds` shows every match"


def _field(event: EventInfo, table: Standings) -> CrosstableField:
    counted = {match.number: match.figures() for match in table.counted}
    ranked = {row.team for row in table.rows}
    meetings: defaultdict[str, list[_Meeting]] = defaultdict(list)
    for match in table.ranked_stage.matches:
        if match.home in ranked:
            home, away = counted.get(match.number, (None, None))
            for team, own, other in ((match.home, home, away), (match.away, away, home)):
                is_starred = any(ruling.match == match.number for ruling in table.rulings_on(team))
                meetings[team].append(_Meeting(match, team == match.home, own, other, is_starred))
    return CrosstableField(table, tuple(team for team in event.teams if team.name in ranked), meetings)
