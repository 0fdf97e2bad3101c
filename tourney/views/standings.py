"""The standings: teams by victory points, then by tie-breaks, and how ties were broken."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import tzinfo
from pathlib import Path
from typing import Annotated, Any, Final

from tourney.errors import UsageError
from tourney.event.drawn import DrawnEvent
from tourney.movement.ranking import NO_FIGURES
from tourney.movement.tie_breaks import TieStep
from tourney.output.content import Heading, Title
from tourney.output.rows import ABSENT, INLINE, Cell, Row
from tourney.output.tables import CsvTable, Parts, TextTable, csv_values, make_table, parse_columns
from tourney.output.units import GroupLetter, Moment, Vp
from tourney.results.load import EventResults, load_results
from tourney.results.standings import Standings, rank_event
from tourney.scoring.pairs.matchpoints import MatchpointScale
from tourney.scoring.victory_points import VpHundredths
from tourney.store.draw.tables import TeamInfo
from tourney.times import format_moment
from tourney.views.figures import TeamFigures, team_figures
from tourney.views.pair_figures import PairInRankingDocument, pair_in_ranking
from tourney.views.ranking import describe_extent, entrant_content, folded_ties, ranking_table
from tourney.views.report import Report
from tourney.views.rulings import CountedRulings, explain_stars


class StandingDocument(Row, kw_only=True):
    """A team in a ranking."""

    rank: int | None
    """The rank from 1; equal teams share it; null before the first score, and for a pair of which no board counts."""
    team: str
    """The name of the team."""
    played: int
    """How many matches count."""
    won: int | None
    """How many of them the team won; null in pairs events, where results are compared with those of all tables."""
    drawn: int | None
    """How many of them were drawn; null in pairs events."""
    lost: int | None
    """How many of them the team lost; null in pairs events."""
    figures: Annotated[TeamFigures, INLINE]
    of_pair: Annotated[PairInRankingDocument, INLINE] = ABSENT
    withdrawn: bool
    """Whether the team has left the event."""
    rulings: CountedRulings
    """The rulings that count against the team."""


_CSV_COLUMNS: Final = parse_columns("""
rank team played won drawn lost imps_for imps_against vp withdrawn stage group ranking_score points_for
points_against pair direction boards total available percentage imps_per_board carry_over result
""")
_OF_SOME: Final = (
    ("ranking_score",),
    ("points_for", "points_against"),
    ("pair", "direction", "boards", "total", "available", "percentage", "imps_per_board"),
    ("carry_over", "result"),
)
"""Columns that a table has only if a row has a value in the first of them."""


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


class StandingsReport(Report):
    """The standings of an event as they are shown."""

    standings: Standings
    before: Standings | None
    """The standings a round earlier; None after the first round."""
    event_path: Path
    is_partial: bool
    """Whether only the first rounds count."""
    is_explained: bool = False
    """Whether ties are explained."""
    matchpoints: MatchpointScale = MatchpointScale.TWO
    """How the text shows matchpoints."""
    ranks_event: bool = True
    """Whether the event as a whole has a ranking, rather than lists that have never been compared."""
    zone: tzinfo | None = None
    """The time zone of the event; None for that of this machine."""

    def content(self) -> StandingsDocument:
        """Return the ranking of the event and, if it has several, of its stages and groups."""
        standings = self.standings
        fields = [FieldDocument(head=field_head(field), ties=self._ties(field)) for field in standings.fields]
        return StandingsDocument(
            event=standings.event,
            final=standings.final_since_ms,
            standings=ranking_rows(standings),
            ties=self._ties(standings),
            fields=fields or ABSENT,
        )

    def _ties(self, field: Standings) -> Any:  # a `TiesDocument` or `ABSENT`
        if not self.is_explained:
            return ABSENT
        return TiesDocument(
            tie_breaks=[tie_break.value for tie_break in field.tie_breaks],
            explained=[
                TieDocument(tie.rank, VpHundredths(tie.vp), tie.teams, list(map(_step, tie.steps)))
                for tie in field.ties
            ],
        )

    def csv(self) -> CsvTable:
        """Return the ranking of the event and, if it has several, of each stage and group."""
        if self.is_explained:
            raise UsageError("--explain: a CSV table has no ties; leave out --csv, or use --json")
        return standings_csv(self.standings)

    def text(self) -> Parts:
        """Yield a table for each ranking, with its ties below if they are to be explained."""
        standings = self.standings
        after = f", after round {standings.rounds}" if self.is_partial else ""
        finality = "" if self.is_partial else self._describe_finality()
        yield Title(f"{standings.event}{after}", f"{describe_extent(standings)}{finality}")
        for field in standings.fields or (standings,):
            if standings.fields:
                yield Heading(field.title)
            yield self.table(field)
            scale = field.ranking_scale
            if self.is_explained and scale is not None:
                yield ""
                yield folded_ties(field) or f"No two {field.entrant}s have the same {scale.ranked_in}"
        if standings.fields and self.ranks_event:
            yield Heading("The event")
            yield self.table(standings)
        yield from explain_stars(standings.rulings, self.event_path)

    def table(self, field: Standings) -> TextTable:
        """Return the ranking of a stage or group, or of the event."""
        return ranking_table(field, self.before, self.matchpoints)

    def _describe_finality(self) -> str:
        """Return `, provisional` or `, final since ...` once every match has its score, else nothing."""
        since_ms = self.standings.final_since_ms
        if since_ms is not None:
            return f", final since {format_moment(since_ms, self.zone)}"
        return ", provisional" if self.standings.is_over else ""


def load(drawn: DrawnEvent, *, rounds: int | None = None, explain: bool = False) -> StandingsReport:
    """Load the standings, or the standings after the first rounds only.

    Raises:
        ConfigError: something is wrong with the event file, which says how teams are ranked.
        StoreError: the database cannot be used.
        UsageError: the event has fewer rounds.
    """
    drawn.check_round(rounds)
    found = report_of(drawn, load_results(drawn.database, drawn.event, drawn.ranking_rules), rounds)
    return replace(found, is_explained=explain)


def report_of(drawn: DrawnEvent, results: EventResults, rounds: int | None = None) -> StandingsReport:
    """Return the standings of results that have been loaded.

    Raises:
        ConfigError: something is wrong with the event file.
    """
    standings = rank_event(results, rounds)
    played_in = {match.number: match.round for match in results.event.matches}
    counted = (match for field in standings.lists for match in field.counted)
    newest = max((played_in[match.number] for match in counted), default=0)
    return StandingsReport(
        standings,
        rank_event(results, newest - 1) if newest > 1 else None,
        drawn.path,
        is_partial=rounds is not None,
        matchpoints=drawn.config.reports.matchpoints,
        ranks_event=results.event.has_schedule and not standings.is_of_lists,
        zone=drawn.zone,
    )


def standings_csv(standings: Standings) -> CsvTable:
    """Return the rows of the event and, if it has several, of each stage and group."""
    rows = [csv_values(_CSV_COLUMNS, row, stage=None, group=standings.group) for row in ranking_rows(standings)]
    for field in standings.fields:
        head = field_head(field)
        rows += (csv_values(_CSV_COLUMNS, row, stage=head.stage, group=head.group) for row in head.standings)
    without = {name for names in _OF_SOME if all(row.get(names[0]) is None for row in rows) for name in names}
    return CsvTable([name for name in _CSV_COLUMNS if name not in without], rows)


class EntrantsReport(Report):
    """Who takes part in an event, in the order of the draw."""

    teams: tuple[TeamInfo, ...]
    standings: Standings

    def text(self) -> Parts:
        """Yield a table with the rank of each, among lists that are not compared that in its own."""
        standings = self.standings
        lists = standings.fields if standings.is_of_lists else (standings,)
        ranks = {row.team: each.format_rank(row) for each in lists for row in each.rows}
        columns = [
            Cell(">No", "number"),
            Cell(standings.entrant.title(), lambda team: entrant_content(standings, team.name), worth=2),
            Cell(">Rank", lambda team: ranks[team.name], worth=2),
        ]
        yield make_table(columns, [team for team in self.teams if team.name in ranks])


# Documents


def field_head(field: Standings) -> FieldHeadDocument:
    """Return the ranking of a stage or group as a row."""
    stage = field.ranked_stage
    return FieldHeadDocument(stage.name, stage.format.name, field.group, ranking_rows(field))


def ranking_rows(standings: Standings) -> list[StandingDocument]:
    """Return the rows of a ranking."""
    of_matches = bool(standings.of_matches)
    has_vp = of_matches and (standings.ranking_scale is not None or standings.stage is None)
    scale = standings.board_scale if of_matches else None
    return [
        StandingDocument.from_attributes(
            row,
            **dict.fromkeys(() if of_matches else ("won", "drawn", "lost")),
            rank=standings.rank_of(row),
            figures=team_figures(scale, row.imps_for, row.imps_against, row.vp if has_vp else None),
            of_pair=ABSENT
            if of_matches
            else pair_in_ranking(row.team, standings.direction_of(row.team), row.pairs or NO_FIGURES),
            withdrawn=standings.is_withdrawn(row.team),
            rulings=standings.rulings_on(row.team),
        )
        for row in standings.rows
    ]


def _step(step: TieStep) -> StepDocument:
    asked = [
        CriterionDocument(result.criterion.value, result.figures or None, result.reason or None)
        for result in step.results
    ]
    return StepDocument(step.groups, asked)
