"""The standings: teams by victory points, then by tie-breaks, and how ties were broken."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import tzinfo
from itertools import chain
from pathlib import Path
from typing import Annotated, Any, Final

from tourney.errors import UsageError
from tourney.event.drawn import DrawnEvent
from tourney.movement.ranking import NO_FIGURES, PairsFigures, StandingRow
from tourney.movement.tie_breaks import Tie, TieStep
from tourney.output.rows import ABSENT, CSV_ONLY, INLINE, LEFT, TEXT_ONLY, Cell, InCsv, Row
from tourney.output.tables import CsvTable, Part, TextTable, csv_table, text_table
from tourney.output.units import GroupLetter, Moment, Points, Vp
from tourney.plurals import count
from tourney.report.figures import imps_of, points_of, ranking_score_of, vp_of
from tourney.report.pair_figures import (
    PairInRankingDocument,
    pair_in_ranking,
    pairs_unit,
    ranking_table,
)
from tourney.report.pairs_explained import PairsExplanation, PairsExplanationDocument, describe_steps
from tourney.report.report import Report
from tourney.report.rounds import MatchDocument, MatchSummary, load_matches, match_table
from tourney.report.rulings import CountedRulings, explain_stars
from tourney.results.standings import Standings, load_standings
from tourney.results.travellers import StageTravellers, load_travellers
from tourney.scoring.board_scale import IMPS, BoardScale
from tourney.scoring.pairs.matchpoints import MatchpointScale
from tourney.scoring.victory_points import VpHundredths
from tourney.store.draw.objects import EventInfo
from tourney.store.results.event_results import MatchFilter
from tourney.store.rulings import RulingInfo
from tourney.times import format_moment


class RecordDocument(Row, kw_only=True):
    """The record of a team over a number of matches."""

    team: Annotated[str, Cell("Team", lambda row: row.name, worth=2)]
    """The name of the team."""
    played: Annotated[int, Cell(">Played")]
    """How many matches count."""
    won: Annotated[int | None, Cell(">Won")]
    """How many of them the team won; null in pairs events, where results are compared with those of all tables."""
    drawn: Annotated[int | None, Cell(">Drawn")]
    """How many of them were drawn; null in pairs events."""
    lost: Annotated[int | None, Cell(">Lost")]
    """How many of them the team lost; null in pairs events."""
    imps_for: Annotated[int | None, Cell(">IMPs for", lambda row: row.scale.format(row.figures.imps_for))]
    """IMPs that the team won; null in matches scored in points, over stages that are scored differently, and in
    pairs events."""
    imps_against: Annotated[int | None, Cell(">IMPs against", lambda row: row.scale.format(row.figures.imps_against))]
    """IMPs that the team lost. `imps_for` less this is the team's own margin: fines are deducted from `imps_for`."""
    points_for: Points | None = ABSENT
    """In matches scored in points: those that the team won, as a decimal string, in place of IMPs, like the next."""
    points_against: Points | None = ABSENT
    """In matches scored in points: those that the team did not win."""
    vp: Annotated[
        Vp | None,
        InCsv(after="imps_against"),
        Cell(">VP", lambda row: (row.scale or IMPS).format_vp(row.figures.vp), worth=1),
    ]
    """Victory points of the team as a decimal string; null in a knockout, where something else ranks, and in pairs
    events, which have `percentage` or `imps_per_board`."""
    ranking_score: Annotated[Points | None, InCsv(after="vp")] = ABSENT
    """What ranks the team where victory points do not, such as net points or net IMPs, as a decimal string."""
    figures: Annotated[StandingRow, TEXT_ONLY]
    """The figures, whatever they are in."""
    scale: Annotated[BoardScale | None, TEXT_ONLY]
    """How boards were scored; None where in several ways, so that they have no sum."""
    name: Annotated[str, TEXT_ONLY]
    """The name of the team with its marks."""


class StandingDocument(Row, kw_only=True):
    """A team in a ranking."""

    rank: Annotated[int | None, Cell(">Rank", lambda row: row.shown_rank, worth=2)]
    """The rank from 1; equal teams share it; null before the first score, and for a pair of which no board counts."""
    record: Annotated[RecordDocument, INLINE]
    of_pair: Annotated[PairInRankingDocument, INLINE] = ABSENT
    withdrawn: Annotated[bool, InCsv(after="vp")]
    """Whether the team has left the event."""
    rulings: CountedRulings
    """The rulings that count against the team."""
    stage: Annotated[str | None, CSV_ONLY, InCsv(after="withdrawn")]
    """The name of the stage; empty in the ranking of the event."""
    group: Annotated[str | None, CSV_ONLY, InCsv(after="stage")]
    """The letter of the group; empty where there are no groups."""
    shown_rank: Annotated[str, TEXT_ONLY]
    """The rank as people read it."""


class CriterionDocument(Row):
    """A tie-break that was tried."""

    criterion: str
    """The name of the tie-break, as in the event file."""
    figures: Mapping[str, str] | None
    """The figure of each team, formatted for people; null where the tie-break could not be applied."""
    reason: str | None
    """Why it could not be applied; null if it was."""


class StepDocument(Row):
    """A step by which a tie was broken."""

    order: Sequence[Sequence[str]]
    """Groups of teams in the order that the step gave them; teams in one group are still tied."""
    asked: list[CriterionDocument]
    """The tie-breaks that were tried, in turn; the last one broke the tie, unless `order` is a single group."""


class TieDocument(Row):
    """Teams equal in victory points."""

    rank: int
    """The best rank among the teams."""
    vp: Vp
    """The victory points that they share, as a decimal string."""
    teams: Sequence[str]
    """The teams in the order of the standings."""
    steps: list[StepDocument]
    """The steps by which the tie was broken."""


class TiesDocument(Row):
    """The ties of a ranking."""

    tie_breaks: list[str]
    """The tie-breaks in the order in which they are applied; only when ties are to be explained."""
    explained: list[TieDocument]
    """How each tie was broken; only when ties are to be explained."""


class FieldHeadDocument(Row):
    """The ranking of a stage, or of one of its groups."""

    stage: str
    """The name of the stage."""
    format: str
    """The format of the stage, such as round-robin."""
    group: GroupLetter | None
    """The letter of the group; null where there are no groups."""
    standings: list[StandingDocument]
    """The ranking, best team first."""


class FieldDocument(Row, kw_only=True):
    """The ranking of a stage, or of one of its groups, with its ties when they are to be explained."""

    head: Annotated[FieldHeadDocument, INLINE]
    ties: Annotated[TiesDocument, INLINE] = ABSENT
    pairs_explained: PairsExplanationDocument = ABSENT
    """In pairs events, what else the ranking is made of; only when ties are to be explained."""


class StandingsDocument(Row, kw_only=True):
    """The standings of an event."""

    event: str
    """The name of the event."""
    final: Moment | None
    """When the results were made final; null while they are provisional."""
    standings: list[StandingDocument]
    """The ranking, best team first; with several stages or groups, teams that progressed further come first. Pairs
    that are ranked in lists which were never compared come list by list, each from rank 1."""
    ties: Annotated[TiesDocument, INLINE] = ABSENT
    fields: list[FieldDocument] = ABSENT
    """A ranking for each stage and group, in an event of several."""
    pairs_explained: PairsExplanationDocument = ABSENT
    """In pairs events, what else the ranking is made of; only when ties are to be explained."""
    games: Sequence[MatchDocument] = ABSENT
    """The games of a lobby, by number; only there."""


def format_team(team: str, rulings: Sequence[RulingInfo], *, is_withdrawn: bool) -> str:
    """Format the name of a team with its marks: `Beta (left the event) *`."""
    return f"{team}{f' ({LEFT})' if is_withdrawn else ''}{' *' if rulings else ''}"


def _name(team: str, standings: Standings) -> str:
    """Return the name of a team of the ranking with its marks: `Beta (left the event) *`."""
    return format_team(team, standings.rulings_on(team), is_withdrawn=standings.is_withdrawn(team))


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
    """The pairs stages, if the standings are to be explained."""
    lobby: EventInfo | None = None
    """The event if it is a lobby."""
    games: tuple[MatchSummary, ...] = ()
    """The games of a lobby."""
    zone: tzinfo | None = None
    """The time zone of the event; None for that of this machine."""

    def content(self) -> StandingsDocument:
        """Return the ranking of the event and, if it has several, of its stages and groups."""
        found = standings_rows(self.standings, is_explained=self.is_explained)
        if self.of_pairs:
            explained = [self._explain(field) for field in (self.standings, *self.standings.fields)]
            fields = found.fields
            if fields is not ABSENT:
                fields = [
                    replace(field, pairs_explained=of_field)
                    for field, of_field in zip(fields, explained[1:], strict=True)
                ]
            found = replace(found, fields=fields, pairs_explained=explained[0])
        return found if self.lobby is None else replace(found, games=[game.row() for game in self.games])

    def _explain(self, field: Standings) -> Any:  # a `PairsExplanationDocument` or `ABSENT`
        explanation = self._explanation(field)
        return explanation.content() if explanation is not None else ABSENT

    def _explanation(self, field: Standings) -> PairsExplanation | None:
        """Return what a list of pairs is made of, if that is to be explained."""
        of_stage = next((found for found in self.of_pairs if found.stage is field.stage), None)
        return PairsExplanation(of_stage, field) if of_stage is not None else None

    def csv(self) -> CsvTable:
        """Return the ranking of the event and, if it has several, of each stage and group."""
        if self.is_explained:
            raise UsageError("--explain: a CSV table has no ties; leave out --csv, or use --json")
        return standings_csv(self.standings)

    def text(self) -> Iterator[Part]:
        """Yield a table for each ranking, with its ties below."""
        standings = self.standings
        after = f", after round {standings.rounds}" if self.is_partial else ""
        scored = describe_progress(standings.matches_over, standings.matches)
        to_draw = f", {count(standings.undrawn, 'round')} to be drawn" if standings.undrawn else ""
        yield f"{standings.event}{after}: {scored}{to_draw}{'' if self.is_partial else self._describe_finality()}"
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
                    yield describe_tie(tie, scale, by_average=field.ranks_by_average)
                if not field.ties:
                    heading = scale.ranking_heading
                    what = heading[0].lower() + heading[1:] if scale.ranks_by_points else "victory points"
                    yield f"No two {field.entrant}s have the same {what}"
        if standings.fields and not standings.is_of_lists and self.lobby is None:
            yield ""
            yield "The event"
            yield _table(standings, self.matchpoints, has_vp=False)
        yield from explain_stars(standings.rulings, self.event_path)

    def _describe_finality(self) -> str:
        """Return `, provisional` or `, final since ...` once every match has its score, else nothing."""
        since_ms = self.standings.final_since_ms
        if since_ms is not None:
            return f", final since {format_moment(since_ms, self.zone)}"
        return ", provisional" if self.standings.is_over else ""

    def _games_text(self, lobby: EventInfo, stage: int) -> Iterator[Part]:
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
        of_pairs=load_travellers(drawn, rounds) if explain else (),
        lobby=event if is_lobby else None,
        games=tuple(load_matches(drawn.database, event, drawn.scales, MatchFilter(event.id))) if is_lobby else (),
        zone=drawn.zone,
    )


def standings_csv(standings: Standings) -> CsvTable:
    """Return the rows of the event and, if it has several, of each stage and group."""
    rankings = (standings, *standings.fields)
    without = []
    if not any((ranking.board_scale or IMPS).is_in_points for ranking in rankings):
        without += ["points_for", "points_against"]
    if not any((ranking.board_scale or IMPS).ranks_by_points for ranking in rankings):
        without.append("ranking_score")
    if all(row.pairs is None for ranking in rankings for row in ranking.rows):
        without.append("of_pair")
    if not any(ranking.carries_over for ranking in rankings):
        without += ["carry_over", "result"]
    of_event = (replace(row, stage=None) for row in ranking_rows(standings, not_ranked=NO_FIGURES))
    of_fields = (row for field in standings.fields for row in ranking_rows(field, not_ranked=NO_FIGURES))
    return csv_table(StandingDocument, chain(of_event, of_fields), without=without)


def describe_progress(over: int, matches: int) -> str:
    """Describe progress: `3 of 6 matches scored`."""
    return f"{over} of {count(matches, 'match', 'matches')} scored"


def _table(standings: Standings, matchpoints: MatchpointScale, *, has_vp: bool) -> TextTable:
    if standings.ranks_by_boards:
        return _pairs_table(standings, matchpoints)
    headings = record_headings(standings.board_scale, standings.entrant)
    headings["vp"] = f">{(standings.board_scale or IMPS).ranking_heading}" if has_vp else ""
    return text_table(StandingDocument, ranking_rows(standings), headings=headings)


def record_headings(scale: BoardScale | None, entrant: str) -> dict[str, str]:
    """Return headings of records of teams.

    Args:
        scale: how boards were scored; None where in several ways, so that they have no sum.
        entrant: what takes part, `team` or `pair`.
    """
    unit = f">{scale.heading}" if scale is not None else ""
    return {
        "team": entrant.title(),
        "imps_for": unit and f"{unit} for",
        "imps_against": unit and f"{unit} against",
    }


def _pairs_table(standings: Standings, scale: MatchpointScale) -> TextTable:
    """Return the ranking of a list of pairs; over several stages, places alone."""
    rows, name = standings.rows, standings.entrant.title()
    if standings.stage is None:
        table = TextTable(">Rank", name)
        for row in rows:
            table.add_row(standings.format_rank(row), _name(row.team, standings))
        return table
    unit = pairs_unit(standings.pairs_scoring, scale)
    ranked = ((standings.format_rank(row), _name(row.team, standings), row.pairs or NO_FIGURES) for row in rows)
    return ranking_table(name, list(ranked), unit)


# Documents


def standings_rows(standings: Standings, *, is_explained: bool = False) -> StandingsDocument:
    """Return the standings as rows, with their ties if these are to be explained."""
    fields = [
        FieldDocument(head=field_head(field), ties=_ties(field) if is_explained else ABSENT)
        for field in standings.fields
    ]
    return StandingsDocument(
        event=standings.event,
        final=standings.final_since_ms,
        standings=ranking_rows(standings),
        ties=_ties(standings) if is_explained else ABSENT,
        fields=fields or ABSENT,
    )


def field_head(field: Standings) -> FieldHeadDocument:
    """Return the ranking of a stage or group as a row."""
    assert field.stage is not None
    return FieldHeadDocument(field.stage.name, field.stage.format.name, field.group, ranking_rows(field))


def ranking_rows(standings: Standings, *, not_ranked: PairsFigures | None = None) -> list[StandingDocument]:
    """Return the rows of a ranking; `not_ranked` are the figures of pairs without any, if they are to have some."""
    if not standings.ranks_by_boards:
        not_ranked = None
    return [_row(row, standings, row.pairs or not_ranked) for row in standings.rows]


def _row(row: StandingRow, standings: Standings, pair: PairsFigures | None) -> StandingDocument:
    record = record_row(row, standings.board_scale, _name(row.team, standings))
    if standings.ranks_by_boards:  # whose figures are others
        record = replace(record, won=None, drawn=None, lost=None, imps_for=None, imps_against=None, vp=None)
    elif standings.is_knockout:
        record = replace(record, vp=None)
    side = standings.direction_of(row.team) if pair is not None else None
    return StandingDocument(
        rank=standings.rank_of(row),
        record=record,
        of_pair=pair_in_ranking(row.team, side, pair) if pair is not None else ABSENT,
        withdrawn=standings.is_withdrawn(row.team),
        rulings=standings.rulings_on(row.team),
        stage=standings.stage.name if standings.stage is not None else None,
        group=standings.group,
        shown_rank=standings.format_rank(row),
    )


def record_row(row: StandingRow, scale: BoardScale | None, name: str = "") -> RecordDocument:
    """Return the figures of a team without its rank.

    Args:
        row: the figures.
        scale: how boards were scored; None where in several ways.
        name: its name with its marks, if it has any.
    """
    return RecordDocument.from_attributes(
        row,
        imps_for=imps_of(scale, row.imps_for),
        imps_against=imps_of(scale, row.imps_against),
        points_for=points_of(scale, row.imps_for),
        points_against=points_of(scale, row.imps_against),
        vp=vp_of(scale, row.vp),
        ranking_score=ranking_score_of(scale, row.vp),
        figures=row,
        scale=scale,
        name=name or row.team,
    )


# Ties


def describe_tie(tie: Tie, scale: BoardScale = IMPS, *, by_average: bool = False) -> str:
    """Return `25.50 VP: Alpha before Beta, Gamma: wins 2, 1, 1; Beta, Gamma share their rank: wins level at 1`."""
    unit = scale.ranking_heading.lower() if scale.ranks_by_points else "VP"
    return f"{scale.format_vp(tie.vp)} {unit}{' a match' if by_average else ''}: {describe_steps(tie)}"


def _ties(standings: Standings) -> TiesDocument:
    return TiesDocument(
        tie_breaks=[tie_break.value for tie_break in standings.tie_breaks],
        explained=[
            TieDocument(tie.rank, VpHundredths(tie.vp), tie.teams, list(map(_step, tie.steps)))
            for tie in standings.ties
        ],
    )


def _step(step: TieStep) -> StepDocument:
    asked = [
        CriterionDocument(result.criterion.value, result.figures or None, result.reason or None)
        for result in step.results
    ]
    return StepDocument(step.groups, asked)
