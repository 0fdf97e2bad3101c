"""The standings: teams by victory points, then by tie-breaks, and how ties were broken."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Final, NotRequired

from typing_extensions import TypedDict

from tourney.errors import UsageError
from tourney.event.drawn import DrawnEvent
from tourney.movement.ranking import NO_FIGURES, PairsFigures, StandingRow
from tourney.movement.tie_breaks import Tie, TieBreakResult, TieStep
from tourney.plurals import count
from tourney.report.figures import TotalPointsDocument, imps_of, points_of, total_points
from tourney.report.report import Column, CsvTable, Report, TextTable, csv_table, text_table
from tourney.report.rulings import CountedRulingDocument, counted_rulings, explain_stars
from tourney.report.times import format_utc
from tourney.report.values import GroupLetter, Time, Vp
from tourney.results.standings import Standings, load_standings
from tourney.scoring.assigned import round_half_away
from tourney.scoring.board_scale import IMPS, BoardScale
from tourney.scoring.victory_points import format_hundredths, format_vp
from tourney.store.rulings import RulingInfo


class RecordDocument(TotalPointsDocument):
    """The record of a team over a number of matches."""

    team: str
    """The name of the team."""
    played: int
    """How many matches count."""
    won: int
    """How many of them the team won."""
    drawn: int
    """How many of them were drawn."""
    lost: int
    """How many of them the team lost."""
    imps_for: int | None
    """IMPs that the team won; null in matches scored in points, and over stages that are scored differently."""
    imps_against: int | None
    """IMPs that its opponents won from it. `imps_for` less this is the team's own margin: IMPs that it lost to
    nobody, such as fines, are deducted from `imps_for`."""
    vp: Vp
    """Victory points of the team as a decimal string."""


class RankDocument(RecordDocument):
    """The figures of a team in a ranking."""

    rank: int
    """The rank from 1; equal teams share it."""


class PairFiguresDocument(TypedDict):
    """The figures of a pair in a ranking; a team has none of them."""

    boards: NotRequired[int]
    """How many boards of a pair count."""
    points: NotRequired[str]
    """Matchpoints or IMPs of a pair as a decimal string, penalties deducted."""
    available: NotRequired[int | None]
    """The most matchpoints that a pair could have won; null in IMPs."""
    percentage: NotRequired[str | None]
    """Matchpoints of a pair in percent of these, as a decimal string; null in IMPs and before a board counts."""
    imps_per_board: NotRequired[str | None]
    """IMPs per board of a pair as a decimal string; null at matchpoints and before a board counts."""
    carry_over: NotRequired[str | None]
    """What a pair has carried over from the stage before, in percent or IMPs per board, as a decimal string; only in
    a stage with a carry-over."""
    result: NotRequired[str | None]
    """The percentage or the IMPs per board with the carry-over, by which pairs then rank; null before a board
    counts."""


class StandingDocument(RankDocument, PairFiguresDocument):
    """A team in a ranking."""

    withdrawn: bool
    """Whether the team has withdrawn from the event."""
    rulings: list[CountedRulingDocument]
    """The rulings that count against the team."""


class CriterionDocument(TypedDict):
    """A tie-break that was tried."""

    criterion: str
    """The name of the tie-break, as in the event file."""
    figures: dict[str, str] | None
    """The figure of each team, formatted for people; null where the tie-break could not be applied."""
    reason: str | None
    """Why it could not be applied; null if it was."""


class StepDocument(TypedDict):
    """A step by which a tie was broken."""

    order: list[list[str]]
    """Groups of teams in the order that the step gave them; teams in one group are still tied."""
    asked: list[CriterionDocument]
    """The tie-breaks that were tried, in turn; the last one broke the tie, unless `order` is a single group."""


class TieDocument(TypedDict):
    """Teams equal in victory points."""

    rank: int
    """The best rank among the teams."""
    vp: Vp
    """The victory points that they share, as a decimal string."""
    teams: list[str]
    """The teams in the order of the standings."""
    steps: list[StepDocument]
    """The steps by which the tie was broken."""


class FieldHeadDocument(TypedDict):
    """The ranking of a stage, or of one of its groups."""

    stage: str
    """The name of the stage."""
    format: str
    """The format of the stage, such as round-robin."""
    group: GroupLetter | None
    """The letter of the group; null where there are no groups."""
    standings: list[StandingDocument]
    """The ranking, best team first."""


class FieldDocument(FieldHeadDocument):
    """The ranking of a stage, or of one of its groups, with its ties when they are to be explained."""

    tie_breaks: NotRequired[list[str]]
    """The tie-breaks in the order in which they are applied; only when ties are to be explained."""
    explained: NotRequired[list[TieDocument]]
    """How each tie was broken; only when ties are to be explained."""


class StandingsDocument(TypedDict):
    """The standings of an event."""

    event: str
    """The name of the event."""
    final: Time | None
    """When the results were made final; null while they are provisional."""
    standings: list[StandingDocument]
    """The ranking, best team first; with several stages or groups, teams that progressed further come first."""
    tie_breaks: NotRequired[list[str]]
    """The tie-breaks in the order in which they are applied; only when ties are to be explained."""
    explained: NotRequired[list[TieDocument]]
    """How each tie was broken; only when ties are to be explained."""
    fields: NotRequired[list[FieldDocument]]
    """A ranking for each stage and group, in an event of several."""


@dataclass(frozen=True, slots=True)
class RankedTeam:
    """A row of a ranking."""

    row: StandingRow
    standings: Standings
    is_field: bool
    """Whether the ranking is that of a stage or group, in an event that has several."""

    @property
    def name(self) -> str:
        """The name with its marks: `Beta (withdrawn) *`."""
        team = self.row.team
        return format_team(team, self.standings.rulings_on(team), is_withdrawn=self.standings.is_withdrawn(team))

    def imps(self, figure: int) -> int | None:
        """Return a figure in IMPs; None if it is none."""
        return imps_of(self.standings.board_scale, figure)

    def points(self, figure: int) -> str | None:
        """Return a figure in points; None if it is none."""
        scale = self.standings.board_scale
        return points_of(scale, figure) if scale is not None and scale.is_in_points else None

    @property
    def stage(self) -> str | None:
        """The name of the stage; None unless the event has several."""
        return self.standings.stage.name if self.is_field and self.standings.stage is not None else None


def format_team(team: str, rulings: Sequence[RulingInfo], *, is_withdrawn: bool) -> str:
    """Format the name of a team with its marks: `Beta (withdrawn) *`."""
    return f"{team}{' (withdrawn)' if is_withdrawn else ''}{' *' if rulings else ''}"


_Team = Column[RankedTeam]
_VP: Final = _Team("vp", ">VP", lambda team: format_vp(team.row.vp), worth=1)
_POINTS: Final = _Team("", ">Points", lambda team: format_hundredths(team.row.vp), worth=1)
_IMPS_FOR: Final = _Team("imps_for", ">IMPs for", lambda team: team.imps(team.row.imps_for))
_IMPS_AGAINST: Final = _Team("imps_against", ">IMPs against", lambda team: team.imps(team.row.imps_against))
_POINTS_FOR: Final = _Team("points_for", ">Points for", lambda team: team.points(team.row.imps_for))
_POINTS_AGAINST: Final = _Team("points_against", ">Points against", lambda team: team.points(team.row.imps_against))
COLUMNS: Final = (
    _Team("rank", ">Rank", lambda team: team.row.rank, lambda team: team.standings.format_rank(team.row), worth=2),
    _Team("team", "Team", lambda team: team.row.team, lambda team: team.name, worth=2),
    _Team("played", ">Played", lambda team: team.row.played),
    _Team("won", ">Won", lambda team: team.row.won),
    _Team("drawn", ">Drawn", lambda team: team.row.drawn),
    _Team("lost", ">Lost", lambda team: team.row.lost),
    _IMPS_FOR,
    _IMPS_AGAINST,
    _VP,
    _Team("withdrawn", "", lambda team: team.standings.is_withdrawn(team.row.team)),
    _Team("stage", "", lambda team: team.stage),
    _Team("group", "", lambda team: team.standings.group),
)


_OF_PAIRS: Final = (COLUMNS[0], _Team("team", "Pair", lambda team: team.row.team, lambda team: team.name, worth=2))
_PAIRS_ONLY: Final = (
    _Team("boards", ">Boards", lambda team: _of_pair(team).boards),
    _Team("points", ">Points", lambda team: _format_figure(_of_pair(team).points), worth=1),
    _Team("available", "", lambda team: _of_pair(team).available or None),
    _Team("percentage", ">%", lambda team: _format_percentage(_of_pair(team)), worth=1),
    _Team("imps_per_board", ">IMPs a board", lambda team: _format_mean(_of_pair(team)), worth=1),
)
"""What standings of pairs have in place of matches won and victory points."""
_CARRIED: Final = (
    _Team("carry_over", ">Carried over", lambda team: _format_carried(_of_pair(team))),
    _Team("result", ">Result", lambda team: _format_result(_of_pair(team)), worth=1),
)
"""What they have besides where pairs carry over from the stage before."""


def _of_pair(team: RankedTeam) -> PairsFigures:
    return team.row.pairs or NO_FIGURES


def _format_figure(value: Fraction) -> str:
    """Format a figure with two decimals, an exact half away from zero."""
    hundredths = round_half_away(100 * value)
    return f"{'-' if hundredths < 0 else ''}{abs(hundredths) // 100}.{abs(hundredths) % 100:02}"


def _format_percentage(figures: PairsFigures) -> str | None:
    return _format_figure(figures.level) if figures.is_matchpoints and figures.level is not None else None


def _format_carried(figures: PairsFigures) -> str | None:
    return _format_figure(figures.carried) if figures.carried is not None else None


def _format_result(figures: PairsFigures) -> str | None:
    return _format_figure(figures.result) if figures.result is not None else None


def _format_mean(figures: PairsFigures) -> str | None:
    return None if figures.is_matchpoints or figures.level is None else _format_figure(figures.level)


@dataclass(frozen=True, slots=True)
class StandingsReport(Report):
    """The standings of an event as they are shown."""

    standings: Standings
    event_path: Path
    is_partial: bool
    """Whether only the first rounds count."""
    is_explained: bool
    """Whether ties are explained."""

    def document(self) -> StandingsDocument:
        """Return the ranking of the event and, if it has several, of its stages and groups."""
        return standings_document(self.standings, is_explained=self.is_explained)

    def csv(self) -> CsvTable:
        """Return the ranking of the event and, if it has several, of each stage and group."""
        if self.is_explained:
            raise UsageError("--explain: a CSV table has no ties; leave out --csv, or use --json")
        return standings_csv(self.standings)

    def text(self) -> Iterator[str | TextTable]:
        """Yield a table for each ranking, with its ties below."""
        standings = self.standings
        after = f", after round {standings.rounds}" if self.is_partial else ""
        scored = describe_progress(standings.matches_over, standings.matches)
        to_draw = f", {count(standings.undrawn, 'round')} to be drawn" if standings.undrawn else ""
        yield f"{standings.event}{after}: {scored}{to_draw}{'' if self.is_partial else _describe_finality(standings)}"
        for field in standings.fields or (standings,):
            if standings.fields:
                yield ""
                yield field.title
            yield _table(field, has_vp=not field.is_knockout)
            if self.is_explained and any(row.pairs is not None for row in field.rows):
                yield ""
                yield "Of pairs only the order is known, not which of `ties` made it"
            elif self.is_explained and not field.is_knockout:
                yield ""
                scale = field.board_scale or IMPS
                for tie in field.ties:
                    yield describe_tie(tie, scale)
                if not field.ties:
                    what = scale.ranking_heading.lower() if scale.ranks_by_points else "victory points"
                    yield f"No two teams have the same {what}"
        if standings.fields and not _is_one_stage_of_pairs(standings):
            yield ""
            yield "The event"
            yield _table(standings, has_vp=False)
        yield from explain_stars(standings.rulings, self.event_path)


def load(drawn: DrawnEvent, *, rounds: int | None = None, explain: bool = False) -> StandingsReport:
    """Load the standings, or the standings after the first rounds only.

    Raises:
        ConfigError: something is wrong with the event file, which says how teams are ranked.
        StoreError: the database cannot be used.
        UsageError: the event has fewer rounds.
    """
    drawn.check_round(rounds)
    standings = load_standings(drawn.database, drawn.event, drawn.ranking_rules, rounds)
    return StandingsReport(standings, drawn.path, is_partial=rounds is not None, is_explained=explain)


def standings_csv(standings: Standings) -> CsvTable:
    """Return the rows of the event and, if it has several, of each stage and group."""
    rankings = (standings, *standings.fields)
    by_points = any((ranking.board_scale or IMPS).is_in_points for ranking in rankings)
    is_of_pairs = any(row.pairs is not None for ranking in rankings for row in ranking.rows)
    more = ((_POINTS_FOR, _POINTS_AGAINST) if by_points else ()) + (_PAIRS_ONLY if is_of_pairs else ())
    more += _CARRIED if any(map(_carries_over, rankings)) else ()
    return csv_table(
        (*COLUMNS, *more),
        (
            RankedTeam(row, ranking, is_field=ranking is not standings)
            for ranking in (standings, *standings.fields)
            for row in ranking.rows
        ),
    )


def _carries_over(standings: Standings) -> bool:
    return any(row.pairs is not None and row.pairs.carried is not None for row in standings.rows)


def describe_progress(over: int, matches: int) -> str:
    """Describe progress: `3 of 6 matches scored`."""
    return f"{over} of {count(matches, 'match', 'matches')} scored"


def _describe_finality(standings: Standings) -> str:
    """Return `, provisional` or `, final since ...` once every match has its score, else nothing."""
    if standings.final_since_ms is not None:
        return f", final since {format_utc(standings.final_since_ms)}"
    return ", provisional" if standings.is_over else ""


def _is_one_stage_of_pairs(standings: Standings) -> bool:
    """Return whether all rankings are of one stage of pairs: two directions that have never been compared."""
    stages = {field.stage.number: field.stage for field in standings.fields if field.stage is not None}
    return len(stages) == 1 and all(stage.format.is_of_pairs for stage in stages.values())


def _table(standings: Standings, *, has_vp: bool) -> TextTable:
    figures = next((row.pairs for row in standings.rows if row.pairs is not None), None)
    if figures is not None:
        other = "imps_per_board" if figures.is_matchpoints else "percentage"
        columns = [*_OF_PAIRS, *(column for column in _PAIRS_ONLY if column.name != other)]
        columns += _CARRIED if _carries_over(standings) else ()
        return text_table(columns, (RankedTeam(row, standings, is_field=False) for row in standings.rows))
    scale = standings.board_scale
    in_points = {_IMPS_FOR: _POINTS_FOR, _IMPS_AGAINST: _POINTS_AGAINST} if scale and scale.is_in_points else {}
    if scale is not None and scale.ranks_by_points:
        in_points[_VP] = _POINTS
    without = set() if has_vp else {_VP}
    without |= {_IMPS_FOR, _IMPS_AGAINST} if scale is None else set()
    columns = [in_points.get(column, column) for column in COLUMNS if column not in without]
    table = text_table(columns, (RankedTeam(row, standings, is_field=False) for row in standings.rows))
    if scale is not None and scale.ranks_by_points:
        table.headings = tuple(
            f">{scale.ranking_heading}" if heading == _POINTS.heading else heading for heading in table.headings
        )
    return table


# Documents


def standings_document(standings: Standings, *, is_explained: bool = False) -> StandingsDocument:
    """Return the standings as a document, with their ties if these are to be explained."""
    document: StandingsDocument = {
        "event": standings.event,
        "final": format_utc(standings.final_since_ms) if standings.final_since_ms is not None else None,
        "standings": _rows(standings),
    }
    if is_explained:
        document["tie_breaks"], document["explained"] = _tie_breaks(standings), _explain(standings)
    if standings.fields:
        document["fields"] = [_field(field, is_explained=is_explained) for field in standings.fields]
    return document


def _rows(standings: Standings) -> list[StandingDocument]:
    return [
        {
            **rank_document(row, standings.board_scale),
            **_pairs_document(row),
            "withdrawn": standings.is_withdrawn(row.team),
            "rulings": counted_rulings(standings.rulings_on(row.team)),
        }
        for row in standings.rows
    ]


def _field(field: Standings, *, is_explained: bool) -> FieldDocument:
    assert field.stage is not None
    document: FieldDocument = {
        "stage": field.stage.name,
        "format": field.stage.format.name,
        "group": field.group,
        "standings": _rows(field),
    }
    if is_explained:
        document["tie_breaks"], document["explained"] = _tie_breaks(field), _explain(field)
    return document


def rank_document(row: StandingRow, scale: BoardScale | None = IMPS) -> RankDocument:
    """Return the figures of a team in a ranking."""
    record = record_document(row, scale)
    return {"rank": row.rank, **record}


def _pairs_document(row: StandingRow) -> PairFiguresDocument:
    """Return the figures of a pair; nothing for a team."""
    figures = row.pairs
    if figures is None:
        return {}
    document: PairFiguresDocument = {
        "boards": figures.boards,
        "points": _format_figure(figures.points),
        "available": figures.available or None,
        "percentage": _format_percentage(figures),
        "imps_per_board": _format_mean(figures),
    }
    if figures.carried is not None:
        document |= {"carry_over": _format_carried(figures), "result": _format_result(figures)}
    return document


def record_document(row: StandingRow, scale: BoardScale | None = IMPS) -> RecordDocument:
    """Return the figures of a team without its rank; `scale` is None for matches that were scored differently."""
    return {
        "team": row.team,
        "played": row.played,
        "won": row.won,
        "drawn": row.drawn,
        "lost": row.lost,
        "imps_for": imps_of(scale, row.imps_for),
        "imps_against": imps_of(scale, row.imps_against),
        **total_points(scale, row.imps_for, row.imps_against),
        "vp": format_vp(row.vp),
    }


# Ties


def describe_tie(tie: Tie, scale: BoardScale = IMPS) -> str:
    """Return `25.50 VP: Alpha before Beta, Gamma: wins 2, 1, 1; Beta, Gamma share their rank: wins level at 1`."""
    unit = scale.ranking_heading.lower() if scale.ranks_by_points else "VP"
    return f"{scale.format_vp(tie.vp)} {unit}: {'; '.join(map(_describe_step, tie.steps))}"


def _describe_step(step: TieStep) -> str:
    order = " before ".join(", ".join(group) for group in step.groups)
    if step.broken_by is None:
        order += " share their rank"
    results = [_describe_result(result, decided=result is step.broken_by) for result in step.results]
    return ": ".join(filter(None, (order, ", ".join(results))))


def _describe_result(result: TieBreakResult, *, decided: bool) -> str:
    """Describe it: `head-to-head-vp 24.31, 15.69` in the order of the teams, `imp-difference level at +3`."""
    if result.reason:
        return f"{result.criterion} does not say ({result.reason})"
    # Equal quotients may come from different figures, so each team's figure is shown.
    figures = result.figures.values() if decided else dict.fromkeys(result.figures.values())
    return f"{result.criterion}{'' if decided else ' level at'} {', '.join(figures)}"


def _tie_breaks(standings: Standings) -> list[str]:
    return [tie_break.value for tie_break in standings.tie_breaks]


def _explain(standings: Standings) -> list[TieDocument]:
    return [
        {
            "rank": tie.rank,
            "vp": format_vp(tie.vp),
            "teams": list(tie.teams),
            "steps": [
                {
                    "order": [list(group) for group in step.groups],
                    "asked": [_criterion_document(result) for result in step.results],
                }
                for step in tie.steps
            ],
        }
        for tie in standings.ties
    ]


def _criterion_document(result: TieBreakResult) -> CriterionDocument:
    return {
        "criterion": result.criterion.value,
        "figures": dict(result.figures) or None,
        "reason": result.reason or None,
    }
