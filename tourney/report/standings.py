"""The standings: teams by victory points, then by tie-breaks, and how ties were broken."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NotRequired

from typing_extensions import TypedDict

from tourney.errors import UsageError
from tourney.event.drawn import DrawnEvent
from tourney.movement.ranking import NO_FIGURES, PairsFigures, StandingRow
from tourney.movement.tie_breaks import Tie, TieBreakResult
from tourney.output.rows import NOTHING
from tourney.output.tables import CsvTable, TextTable
from tourney.output.times import format_utc
from tourney.output.units import GroupLetter, Time, Vp
from tourney.plurals import count
from tourney.report.figures import TotalPointsDocument, imps_of, points_of, total_points
from tourney.report.pair_figures import (
    PairInRankingDocument,
    format_figure,
    format_matchpoints,
    format_percentage,
    format_shared_rank,
    format_top,
    ranking_document,
)
from tourney.report.pairs_explained import PairsExplanation, PairsExplanationDocument
from tourney.report.report import Column, Report, csv_table, text_table
from tourney.report.rounds import MatchLine, MatchLineDocument, load_match_lines, match_line_document, match_table
from tourney.report.rulings import CountedRulingDocument, counted_rulings, explain_stars
from tourney.report.ties import describe_steps
from tourney.results.standings import Standings, load_standings
from tourney.results.travellers import StageTravellers, load_travellers
from tourney.scoring.board_scale import IMPS, BoardScale
from tourney.scoring.pairs.matchpoints import MatchpointScale
from tourney.scoring.victory_points import format_hundredths, format_vp
from tourney.store.draw.objects import EventInfo
from tourney.store.results.event_results import MatchFilter
from tourney.store.rulings import RulingInfo


class RecordDocument(TotalPointsDocument):
    """The record of a team over a number of matches."""

    team: str
    """The name of the team."""
    played: int
    """How many matches count."""
    won: int | None
    """How many of them the team won; null at pairs, where results are compared with those of all tables."""
    drawn: int | None
    """How many of them were drawn; null at pairs."""
    lost: int | None
    """How many of them the team lost; null at pairs."""
    imps_for: int | None
    """IMPs that the team won; null in matches scored in points, over stages that are scored differently, and at
    pairs."""
    imps_against: int | None
    """IMPs that its opponents won from it. `imps_for` less this is the team's own margin: IMPs that it lost to
    nobody, such as fines, are deducted from `imps_for`."""
    vp: Vp | None
    """Victory points of the team as a decimal string; null at pairs, who have `percentage` or `imps`."""


class RankDocument(RecordDocument):
    """The figures of a team in a ranking."""

    rank: int
    """The rank from 1; equal teams share it."""


class StandingDocument(RankDocument, PairInRankingDocument):
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
    pairs_explained: NotRequired[PairsExplanationDocument]
    """At pairs, what else the ranking is made of; only when ties are to be explained."""


class StandingsDocument(TypedDict):
    """The standings of an event."""

    event: str
    """The name of the event."""
    final: Time | None
    """When the results were made final; null while they are provisional."""
    standings: list[StandingDocument]
    """The ranking, best team first; with several stages or groups, teams that progressed further come first. Pairs
    that are ranked in lists which were never compared come list by list, each from rank 1."""
    tie_breaks: NotRequired[list[str]]
    """The tie-breaks in the order in which they are applied; only when ties are to be explained."""
    explained: NotRequired[list[TieDocument]]
    """How each tie was broken; only when ties are to be explained."""
    pairs_explained: NotRequired[PairsExplanationDocument]
    """At pairs, what else the ranking is made of; only when ties are to be explained."""
    fields: NotRequired[list[FieldDocument]]
    """A ranking for each stage and group, in an event of several."""
    games: NotRequired[list[MatchLineDocument]]
    """The games of a lobby, by number; only there."""


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

    def of_matches(self, figure: int) -> int | None:
        """Return how many matches were won, drawn or lost; None at pairs."""
        return figure if not self.standings.is_of_pairs else None

    def imps(self, figure: int) -> int | None:
        """Return a figure in IMPs; None if it is none."""
        if self.standings.is_of_pairs:
            return None
        return imps_of(self.standings.board_scale, figure)

    @property
    def vp(self) -> str | None:
        """Victory points; None at pairs."""
        return format_vp(self.row.vp) if not self.standings.is_of_pairs else None

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
_VP: Final = _Team("vp", ">VP", lambda team: team.vp, worth=1)
_POINTS: Final = _Team("", ">Points", lambda team: format_hundredths(team.row.vp), worth=1)
_IMPS_FOR: Final = _Team("imps_for", ">IMPs for", lambda team: team.imps(team.row.imps_for))
_IMPS_AGAINST: Final = _Team("imps_against", ">IMPs against", lambda team: team.imps(team.row.imps_against))
_POINTS_FOR: Final = _Team("points_for", ">Points for", lambda team: team.points(team.row.imps_for))
_POINTS_AGAINST: Final = _Team("points_against", ">Points against", lambda team: team.points(team.row.imps_against))
COLUMNS: Final = (
    _Team("rank", ">Rank", lambda team: team.row.rank, lambda team: team.standings.format_rank(team.row), worth=2),
    _Team("team", "Team", lambda team: team.row.team, lambda team: team.name, worth=2),
    _Team("played", ">Played", lambda team: team.row.played),
    _Team("won", ">Won", lambda team: team.of_matches(team.row.won)),
    _Team("drawn", ">Drawn", lambda team: team.of_matches(team.row.drawn)),
    _Team("lost", ">Lost", lambda team: team.of_matches(team.row.lost)),
    _IMPS_FOR,
    _IMPS_AGAINST,
    _VP,
    _Team("withdrawn", "", lambda team: team.standings.is_withdrawn(team.row.team)),
    _Team("stage", "", lambda team: team.stage),
    _Team("group", "", lambda team: team.standings.group),
)


_OF_PAIRS: Final = (
    _Team("pair", "", lambda pair: _ranked(pair).get("pair")),
    _Team("direction", "", lambda pair: _ranked(pair).get("direction")),
    _Team("boards", ">Boards", lambda pair: _ranked(pair).get("boards")),
    _Team("total", "", lambda pair: _ranked(pair).get("total")),
    _Team("available", "", lambda pair: _ranked(pair).get("available")),
    _Team("percentage", "", lambda pair: _ranked(pair).get("percentage")),
    _Team("imps", "", lambda pair: _ranked(pair).get("imps")),
)
"""What the CSV table has for pairs."""
_CARRIED: Final = (
    _Team("carry_over", "", lambda pair: _ranked(pair).get("carry_over")),
    _Team("result", "", lambda pair: _ranked(pair).get("result")),
)
"""What it has besides where pairs carry over from the stage before."""


def _of_pair(team: RankedTeam) -> PairsFigures:
    return team.row.pairs or NO_FIGURES


def _ranked(pair: RankedTeam) -> PairInRankingDocument:
    if pair.row.pairs is None and not pair.standings.is_of_pairs:
        return {}  # a team in a stage of teams
    return ranking_document(pair.row.team, pair.standings.direction_of(pair.row.team), _of_pair(pair))


def format_pair_rank(pair: RankedTeam) -> str:
    """Format the rank of a pair, `2=` where pairs share it; a dash as long as no board of it counts."""
    if not pair.standings.is_ranked or (pair.row.pairs is not None and pair.row.pairs.level is None):
        return NOTHING
    return format_shared_rank(pair.row.rank, (row.rank for row in pair.standings.rows))


class StandingsReport(Report):
    """The standings of an event as they are shown."""

    standings: Standings
    event_path: Path
    is_partial: bool
    """Whether only the first rounds count."""
    is_explained: bool
    """Whether ties are explained."""
    matchpoints: MatchpointScale = MatchpointScale.TWO
    """How the text shows matchpoints."""
    of_pairs: tuple[StageTravellers, ...] = ()
    """The stages of pairs, if the standings are to be explained."""
    lobby: EventInfo | None = None
    """The event if it is a lobby."""
    games: tuple[MatchLine, ...] = ()
    """The games of a lobby."""

    def document(self) -> StandingsDocument:
        """Return the ranking of the event and, if it has several, of its stages and groups."""
        document = standings_document(self.standings, is_explained=self.is_explained)
        for field, of_field in zip(self.standings.fields, document.get("fields", ()), strict=True):
            explanation = self._explanation(field)
            if explanation is not None:
                of_field["pairs_explained"] = explanation.document()
        explanation = self._explanation(self.standings)
        if explanation is not None:
            document["pairs_explained"] = explanation.document()
        if self.lobby is not None:
            document["games"] = [match_line_document(line) for line in self.games]
        return document

    def _explanation(self, field: Standings) -> PairsExplanation | None:
        """Return what a list of pairs is made of, if that is to be explained."""
        of_stage = next((found for found in self.of_pairs if found.stage is field.stage), None)
        return PairsExplanation(of_stage, field) if of_stage is not None else None

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
            if not self.lobby or field.rows:
                yield _table(field, self.matchpoints, has_vp=not field.is_knockout)
            if self.lobby is not None and field.stage is not None:
                yield from self._games_text(self.lobby, field.stage.number)
            explanation = self._explanation(field)
            if explanation is not None:
                yield ""
                yield from explanation.text(self.matchpoints)
            elif self.is_explained and not field.is_knockout:
                yield ""
                scale = field.board_scale or IMPS
                for tie in field.ties:
                    yield describe_tie(tie, scale)
                if not field.ties:
                    heading = scale.ranking_heading
                    what = heading[0].lower() + heading[1:] if scale.ranks_by_points else "victory points"
                    yield f"No two {field.entrant}s have the same {what}"
        if standings.fields and not standings.is_of_lists and self.lobby is None:
            yield ""
            yield "The event"
            yield _table(standings, self.matchpoints, has_vp=False)
        yield from explain_stars(standings.rulings, self.event_path)

    def _games_text(self, lobby: EventInfo, stage: int) -> Iterator[str | TextTable]:
        """Yield the newest games of a kind with their scores."""
        games = [line for line in self.games if line.match.stage == stage]
        if len(games) > GAMES_LISTED:
            yield ""
            yield f"The last {GAMES_LISTED} of {len(games)} games; `tourney rounds {self.event_path}` lists all"
        if games:
            if len(games) <= GAMES_LISTED:
                yield ""
            yield match_table(lobby, games[-GAMES_LISTED:])


GAMES_LISTED: Final = 20
"""How many games of each kind in a lobby are listed: a screen of them."""


def load(drawn: DrawnEvent, *, rounds: int | None = None, explain: bool = False) -> StandingsReport:
    """Load the standings, or the standings after the first rounds only.

    Raises:
        ConfigError: something is wrong with the event file, which says how teams are ranked.
        StoreError: the database cannot be used.
        UsageError: the event has fewer rounds.
    """
    drawn.check_round(rounds)
    event, is_lobby = drawn.event, drawn.event.is_lobby
    standings = load_standings(drawn.database, event, drawn.ranking_rules, rounds)
    return StandingsReport(
        standings,
        drawn.path,
        is_partial=rounds is not None,
        is_explained=explain,
        matchpoints=drawn.file.config.reports.matchpoints,
        of_pairs=_load_of_pairs(drawn, rounds) if explain else (),
        lobby=event if is_lobby else None,
        games=tuple(load_match_lines(drawn.database, event, drawn.scales, MatchFilter(event.id))) if is_lobby else (),
    )


def _load_of_pairs(drawn: DrawnEvent, rounds: int | None) -> tuple[StageTravellers, ...]:
    if not any(stage.format.is_of_pairs for stage in drawn.event.stages):
        return ()
    return load_travellers(drawn.database, drawn.event, drawn.ranking_rules, drawn.movements, rounds)


def standings_csv(standings: Standings) -> CsvTable:
    """Return the rows of the event and, if it has several, of each stage and group."""
    rankings = (standings, *standings.fields)
    by_points = any((ranking.board_scale or IMPS).is_in_points for ranking in rankings)
    is_of_pairs = any(row.pairs is not None for ranking in rankings for row in ranking.rows)
    more = ((_POINTS_FOR, _POINTS_AGAINST) if by_points else ()) + (_OF_PAIRS if is_of_pairs else ())
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
    """Return whether it ranks pairs that have carried over something from the stage before."""
    return any(row.pairs is not None and row.pairs.carried is not None for row in standings.rows)


def describe_progress(over: int, matches: int) -> str:
    """Describe progress: `3 of 6 matches scored`."""
    return f"{over} of {count(matches, 'match', 'matches')} scored"


def _describe_finality(standings: Standings) -> str:
    """Return `, provisional` or `, final since ...` once every match has its score, else nothing."""
    if standings.final_since_ms is not None:
        return f", final since {format_utc(standings.final_since_ms)}"
    return ", provisional" if standings.is_over else ""


def _table(standings: Standings, matchpoints: MatchpointScale, *, has_vp: bool) -> TextTable:
    if standings.is_of_pairs:
        return _pairs_table(standings, matchpoints)
    scale = standings.board_scale
    in_points = {_IMPS_FOR: _POINTS_FOR, _IMPS_AGAINST: _POINTS_AGAINST} if scale and scale.is_in_points else {}
    if scale is not None and scale.ranks_by_points:
        in_points[_VP] = _POINTS
    without = set() if has_vp else {_VP}
    without |= {_IMPS_FOR, _IMPS_AGAINST} if scale is None else set()
    columns = [in_points.get(column, column) for column in COLUMNS if column not in without]
    table = text_table(columns, (RankedTeam(row, standings, is_field=False) for row in standings.rows))
    words = {"Team": standings.entrant.title()}
    if scale is not None and scale.ranks_by_points:
        words[_POINTS.heading] = f">{scale.ranking_heading}"
    table.headings = tuple(words.get(heading, heading) for heading in table.headings)
    return table


def _pairs_table(standings: Standings, scale: MatchpointScale) -> TextTable:
    """Return the columns of `tourney score --pairs`; over several stages, places alone."""
    ranked = [RankedTeam(row, standings, is_field=False) for row in standings.rows]
    if standings.stage is None:
        table = TextTable(">Rank", "Pair")
        for pair in ranked:
            table.add_row(format_pair_rank(pair), pair.name)
        return table
    is_matchpoints = all(_of_pair(pair).is_matchpoints for pair in ranked)
    carries_over = _carries_over(standings)
    table = TextTable(
        *(">Rank", "Pair", ">Boards", *((">MP", ">of", ">%") if is_matchpoints else (">IMPs", ">per board"))),
        *((">Carried over", ">Result") if carries_over else ()),
        worth={"Rank": 2, "Pair": 2, "%": 2, "per board": 2, "MP": 1, "IMPs": 1},
    )
    for pair in ranked:
        figures = _of_pair(pair)
        points, available = figures.points, figures.available
        cells = [format_figure(points), format_figure(figures.level)]
        if is_matchpoints:
            cells = [format_matchpoints(points, available, scale), format_top(available, scale)]
            cells.append(format_percentage(figures.level))
        if carries_over:
            cells += [format_figure(figures.carried), format_figure(figures.result)]
        table.add_row(format_pair_rank(pair), pair.name, str(figures.boards), *cells)
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
            **(rank_document(row, standings.board_scale) if not standings.is_of_pairs else _rank_of_pair(row)),
            **_in_ranking(row, standings),
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


def _rank_of_pair(row: StandingRow) -> RankDocument:
    """Return what a pair has in common with a team: its figures are others."""
    return {
        "rank": row.rank,
        "team": row.team,
        "played": row.played,
        "won": None,
        "drawn": None,
        "lost": None,
        "imps_for": None,
        "imps_against": None,
        "vp": None,
    }


def _in_ranking(row: StandingRow, standings: Standings) -> PairInRankingDocument:
    """Return the figures of a pair; nothing for a team."""
    return ranking_document(row.team, standings.direction_of(row.team), row.pairs) if row.pairs is not None else {}


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
    return f"{scale.format_vp(tie.vp)} {unit}: {describe_steps(tie)}"


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
