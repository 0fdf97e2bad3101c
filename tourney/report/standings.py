"""The standings: teams by victory points, then by tie-breaks, and how ties were broken."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, NotRequired

from typing_extensions import TypedDict

from tourney.errors import UsageError
from tourney.event.drawn import DrawnEvent
from tourney.movement.ranking import NO_FIGURES, StandingRow
from tourney.movement.tie_breaks import Tie, TieBreakResult
from tourney.output.rows import NOTHING, Document
from tourney.output.tables import CsvTable, TextTable
from tourney.output.times import format_utc
from tourney.output.units import GroupLetter, Time, Vp
from tourney.plurals import count
from tourney.report.figures import TOTAL_POINTS, TotalPointsDocument, imps_of, total_points
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
from tourney.report.report import Report
from tourney.report.rounds import MatchLine, MatchLineDocument, load_match_lines, match_line_document, match_table
from tourney.report.rulings import CountedRulingDocument, counted_rulings, explain_stars
from tourney.report.ties import describe_steps
from tourney.results.standings import Standings, load_standings
from tourney.results.travellers import StageTravellers, load_travellers
from tourney.scoring.board_scale import IMPS, BoardScale
from tourney.scoring.pairs.matchpoints import MatchpointScale
from tourney.scoring.victory_points import format_vp
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


def format_team(team: str, rulings: Sequence[RulingInfo], *, is_withdrawn: bool) -> str:
    """Format the name of a team with its marks: `Beta (withdrawn) *`."""
    return f"{team}{' (withdrawn)' if is_withdrawn else ''}{' *' if rulings else ''}"


COLUMNS: Final = (
    *("rank", "team", "played", "won", "drawn", "lost", "imps_for", "imps_against", "vp"),
    *("withdrawn", "stage", "group"),
)
_OF_PAIRS: Final = ("pair", "direction", "boards", "total", "available", "percentage", "imps")
"""What the CSV table has for pairs."""
_CARRIED: Final = ("carry_over", "result")
"""What it has besides where pairs carry over from the stage before."""


def format_pair_rank(row: StandingRow, standings: Standings) -> str:
    """Format the rank of a pair, `2=` where pairs share it; a dash as long as no board of it counts."""
    if not standings.is_ranked or (row.pairs is not None and row.pairs.level is None):
        return NOTHING
    return format_shared_rank(row.rank, (other.rank for other in standings.rows))


def _name(team: str, standings: Standings) -> str:
    """Return the name of a team of the ranking with its marks: `Beta (withdrawn) *`."""
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
    columns = COLUMNS + (TOTAL_POINTS if by_points else ()) + (_OF_PAIRS if is_of_pairs else ())
    columns += _CARRIED if any(map(_carries_over, rankings)) else ()
    return CsvTable(columns, (row for ranking in rankings for row in _csv_rows(ranking, standings, columns)))


def _csv_rows(ranking: Standings, of_event: Standings, columns: Sequence[str]) -> Iterator[Document]:
    stage = ranking.stage.name if ranking is not of_event and ranking.stage is not None else None
    for row, document in zip(ranking.rows, _rows(ranking), strict=True):
        values: Document = {**document, "stage": stage, "group": ranking.group}
        if ranking.is_of_pairs and row.pairs is None:
            values = {**values, **ranking_document(row.team, ranking.direction_of(row.team), NO_FIGURES)}
        yield {column: values.get(column) for column in columns}


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
    return records_table(
        standings.rows,
        standings.board_scale,
        standings.entrant,
        has_vp=has_vp,
        of_ranking={row.team: (standings.format_rank(row), _name(row.team, standings)) for row in standings.rows},
    )


def records_table(
    rows: Iterable[StandingRow],
    scale: BoardScale | None,
    entrant: str,
    *,
    has_vp: bool,
    of_ranking: Mapping[str, tuple[str, str]] | None = None,
) -> TextTable:
    """Return the records of teams.

    Args:
        rows: the records.
        scale: how boards were scored; None where in several ways, so that they have no sum.
        entrant: what takes part, `team` or `pair`.
        has_vp: whether victory points count.
        of_ranking: the rank and the marked name of each team, if they are ranked, who then have matches played too.
    """
    unit = scale.unit[0].upper() + scale.unit[1:] if scale is not None else ""
    name = entrant.title()
    last: tuple[str, ...] = ()
    if has_vp:
        by = scale or IMPS
        last = (by.ranking_heading if of_ranking is not None else by.match_heading,)
    table = TextTable(
        *((">Rank", name, ">Played") if of_ranking is not None else (name,)),
        *(">Won", ">Drawn", ">Lost"),
        *((f">{unit} for", f">{unit} against") if scale is not None else ()),
        *(f">{heading}" for heading in last),
        worth={"Rank": 2, name: 2} | dict.fromkeys(last, 1),
    )
    for row in rows:
        cells = [row.team]
        if of_ranking is not None:
            cells = [*of_ranking[row.team], str(row.played)]
        cells += map(str, (row.won, row.drawn, row.lost))
        cells += map(scale.format, (row.imps_for, row.imps_against)) if scale is not None else ()
        table.add_row(*cells, *([(scale or IMPS).format_vp(row.vp)] if last else []))
    return table


def _pairs_table(standings: Standings, scale: MatchpointScale) -> TextTable:
    """Return the columns of `tourney score --pairs`; over several stages, places alone."""
    rows = standings.rows
    if standings.stage is None:
        table = TextTable(">Rank", "Pair")
        for row in rows:
            table.add_row(format_pair_rank(row, standings), _name(row.team, standings))
        return table
    is_matchpoints = all((row.pairs or NO_FIGURES).is_matchpoints for row in rows)
    carries_over = _carries_over(standings)
    table = TextTable(
        *(">Rank", "Pair", ">Boards", *((">MP", ">of", ">%") if is_matchpoints else (">IMPs", ">per board"))),
        *((">Carried over", ">Result") if carries_over else ()),
        worth={"Rank": 2, "Pair": 2, "%": 2, "per board": 2, "MP": 1, "IMPs": 1},
    )
    for row in rows:
        figures = row.pairs or NO_FIGURES
        points, available = figures.points, figures.available
        cells = [format_figure(points), format_figure(figures.level)]
        if is_matchpoints:
            cells = [format_matchpoints(points, available, scale), format_top(available, scale)]
            cells.append(format_percentage(figures.level))
        if carries_over:
            cells += [format_figure(figures.carried), format_figure(figures.result)]
        table.add_row(format_pair_rank(row, standings), _name(row.team, standings), str(figures.boards), *cells)
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
