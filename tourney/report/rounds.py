"""The results round by round: every match with its IMPs and victory points, and matches still being played.

An unfinished match shows the IMPs of the boards that both rooms have finished, as on its scorecard. The boards of a
match with a stored score are not read.
"""

import enum
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import tzinfo
from functools import cached_property, partial
from pathlib import Path
from typing import Annotated, Any, Final

from tourney.contest.record import finished_match
from tourney.errors import UsageError
from tourney.event.drawn import DrawnEvent
from tourney.movement.carry_over import format_imps_hundredths
from tourney.movement.ranking import FinishedMatch
from tourney.output.content import Content, EntrantLink, Heading, Instant, Linked, MatchLink, RoundLink, Title
from tourney.output.rows import ABSENT, INLINE, NOTHING, Cell, Document, Row
from tourney.output.tables import CsvTable, Part, TextTable, csv_values, make_table
from tourney.output.units import EventName, MatchNumber, Moment
from tourney.plurals import count, plural
from tourney.report.figures import MatchFigures, columns_left_out, match_figures
from tourney.report.margins import MarginDocument, describe_margins, explain_margins, margin_row
from tourney.report.report import Report
from tourney.report.rulings import CountedRulings, explain_stars
from tourney.report.schedule import (
    CarryDocument,
    describe_byes,
    describe_notes,
    describe_round,
    describe_seats,
    round_heading,
)
from tourney.results.cancelled import load_cancelled
from tourney.results.scorecard import (
    Scales,
    Scorecard,
    group_rulings,
    iter_scorecards,
    load_withheld,
    matches_in,
)
from tourney.scoring.match import ImpTotals, MatchScore
from tourney.scoring.victory_points import VpHundredths
from tourney.store.db.database import Database
from tourney.store.draw.objects import EventInfo, MatchInfo, RoundInfo
from tourney.store.models import TableState
from tourney.store.results.event_results import MatchFilter
from tourney.store.results.matches import load_match_scores
from tourney.store.results.secrecy import load_hidden_boards, load_shown_rulings
from tourney.store.rulings import RulingInfo, load_rulings

_COLUMNS: Final = (
    *("round", "match", "home", "away", "state", "boards", "boards_over", "imps_home", "imps_away", "vp_home"),
    *("vp_away", "carry_home", "carry_away", "margin_home", "margin_away", "lead", "winner", "won_by", "void"),
    *("points_home", "points_away", "ranking_score_home", "ranking_score_away"),
)
"""The columns of the CSV table."""


class MatchState(enum.StrEnum):
    """How far a match has progressed."""

    TO_COME = "to-come"
    PLAYING = "playing"
    """Players sit at one of its tables, or the table is waiting for them."""
    STOPPED = "stopped"
    """Boards are on record, but nobody is playing now."""
    OVER = "over"


class MatchDocument(Row, kw_only=True):
    """A match; until it has finished, IMPs are those so far, null before both rooms have finished a board.

    While somebody still has boards of a finished match to play, its IMPs are those of the boards that may be shown,
    and it has no victory points.
    """

    match: MatchNumber
    """The number of the match."""
    round: int
    """The number of the round, counted through the event."""
    home: str
    """The name of the home team."""
    away: str
    """The name of the away team."""
    state: MatchState
    """How far the match has progressed; `stopped` when boards are on record but nobody is playing now."""
    boards: int | None
    """The number of boards in the match; null where their results decide it, until it has finished."""
    boards_over: int
    """How many of them both rooms have finished."""
    figures: Annotated[MatchFigures, INLINE]
    carry: Annotated[CarryDocument, INLINE]
    margins: Annotated[MarginDocument, INLINE]
    rulings: CountedRulings
    """The rulings that these figures include."""
    cancelled: bool = ABSENT
    """Only there, and true, where the match does not count because a team left before half of its matches were
    played; it then has no victory points."""


@dataclass(frozen=True)
class MatchSummary:
    """A match with how far it has progressed, and its figures."""

    match: MatchInfo
    state: MatchState
    boards: int | None
    """The number of boards in the match; None where their results decide it, until it has finished."""
    boards_finished: int
    """How many of them both rooms have finished, of those that may be shown."""
    figures: ImpTotals | None
    """The figures of both teams with their margins; None until both rooms have finished a board, and in pairs events,
    where nothing is compared within a match."""
    score: MatchScore | None
    """Its score; None until it has finished, and while it is withheld."""
    rulings: tuple[RulingInfo, ...]
    """The rulings that these figures include."""
    is_cancelled: bool
    """Whether it has finished and does not count because a team has left early; it then has no victory points."""

    @property
    def is_over(self) -> bool:
        """Whether its score may be shown."""
        return self.score is not None

    @property
    def has_begun(self) -> bool:
        """Whether there are figures to show."""
        return self.figures is not None

    @property
    def has_carry(self) -> bool:
        """Whether a team has carried IMPs over from the previous stage."""
        return bool(self.match.carry_home or self.match.carry_away)

    @property
    def totals(self) -> tuple[int, int]:
        """Both teams' totals so far in hundredths of IMPs or points, carry-over included."""
        scale, (home, away, *_) = self.match.board_scale, self.figures or ImpTotals(0, 0)
        return self.match.carry_home + scale.hundredths(home), self.match.carry_away + scale.hundredths(away)

    @property
    def vp(self) -> tuple[VpHundredths, VpHundredths] | None:
        """The victory points of both teams; None until the match has finished, and where they do not count."""
        if self.score is None or self.is_cancelled or self.match.is_knockout:
            return None
        return self.score.vp_home, self.score.vp_away

    @cached_property
    def finished(self) -> FinishedMatch | None:
        """The match with all its figures; None until it has finished."""
        return finished_match(self.match, self.score, self.rulings) if self.score is not None else None

    @property
    def margins(self) -> str | None:
        """What is to be said of a finished match that does not balance, or is void; None for any other."""
        return describe_margins(self.finished) if self.finished is not None and self.has_begun else None

    @property
    def progress(self) -> str:
        """How many boards are finished: `3 of 16 boards`."""
        finished = "" if self.boards is None else f"{self.boards_finished} of "
        return f"{finished}{count(self.boards_finished if self.boards is None else self.boards, 'board')}"

    def describe_state(self) -> str:
        """Describe how far it has progressed: `playing, 3 of 16 boards`."""
        if self.is_cancelled:
            return "cancelled: a team has left"
        if self.finished is not None and self.finished.is_void:
            return "void"
        if self.state is MatchState.OVER and not self.is_over:
            return f"over, {self.progress} shown"
        words = self.state.value.replace("-", " ")
        return words if self.state in (MatchState.OVER, MatchState.TO_COME) else f"{words}, {self.progress}"

    def row(self) -> MatchDocument:
        """Return the match as a row."""
        home, away = self.figures[:2] if self.figures is not None else (None, None)
        return MatchDocument.from_attributes(
            self,
            self.match,
            match=self.match,
            boards_over=self.boards_finished,
            figures=match_figures(self.match.board_scale, home, away, self.vp),
            carry=CarryDocument(self.match.carry_home, self.match.carry_away),
            margins=margin_row(self.match.board_scale, self.figures, self.finished),
            cancelled=self.is_cancelled or ABSENT,
        )


class RoundDocument(Row, kw_only=True):
    """A round with its matches."""

    round: int
    """The number of the round, counted through the event from 1."""
    starts: Moment | None
    """When the round starts; null for immediately."""
    stage: int
    """The number of its stage."""
    byes: tuple[str, ...]
    """The teams that do not play in the round."""
    matches: Sequence[MatchDocument]
    """The matches of the round, by number."""
    halves: Sequence[int] = ABSENT
    """Numbers of matches of which half is played in the round, and half in a later one; only where there are any."""


class RoundsDocument(Row):
    """The results of rounds."""

    event: EventName
    """The name of the event."""
    rounds: Sequence[RoundDocument]
    """The rounds in the order of play."""


@dataclass(frozen=True)
class RoundSummary:
    """A round with its matches, or those of them that are asked about."""

    round: RoundInfo
    byes: tuple[str, ...]
    matches: Sequence[MatchSummary]
    halves: Sequence[int]
    """Numbers of matches of which half is played in the round, and half in a later one."""

    def row(self) -> RoundDocument:
        """Return the round as a row."""
        return RoundDocument(
            round=self.round.number,
            starts=self.round.starts_at_ms,
            stage=self.round.stage,
            byes=self.byes,
            matches=[line.row() for line in self.matches],
            halves=self.halves or ABSENT,
        )


class RoundsReport(Report):
    """The results of the rounds of an event, or of one of them, or those of a team."""

    event: EventInfo
    rounds: Sequence[RoundSummary]
    """The rounds in the order of play."""
    event_path: Path
    """The event file, as the user gave it."""
    zone: tzinfo | None
    """The time zone in which people read times; None for that of this machine."""
    is_of_round: bool = False
    """Whether one round was asked for."""
    team: str | None = None
    """The only team whose matches are wanted; None for all."""

    def content(self) -> RoundsDocument:
        """Return the rounds as rows."""
        return RoundsDocument(self.event, [round_.row() for round_ in self.rounds])

    def csv(self) -> CsvTable:
        """Return a row per match and per bye; a bye has only its team, as the home team."""
        left_out = columns_left_out(self.event)
        return CsvTable([name for name in _COLUMNS if name not in left_out], self._csv_rows())

    def _csv_rows(self) -> Iterator[Document]:
        for round_ in self.rounds:
            yield from (csv_values(_COLUMNS, line.row()) for line in round_.matches)
            yield from ({"round": round_.round.number, "home": team, "state": "bye"} for team in round_.byes)

    @property
    def matches(self) -> list[MatchSummary]:
        """The matches of all rounds."""
        return [line for round_ in self.rounds for line in round_.matches]

    def text(self) -> Iterator[Part]:
        """Yield a table per round; of a team, one per stage."""
        over = sum(line.state is MatchState.OVER for line in self.matches)
        progress = f"{over} of {count(len(self.matches), 'match', 'matches')} over"
        if self.team is not None:
            yield Title(f"{self.event.name}, {self.team}", progress)
            yield from self._stages_text(self.team)
        elif self.is_of_round:
            for round_ in self.rounds:
                name, at_ms = describe_round(self.event, round_.round.number), round_.round.starts_at_ms
                starts = (f"{progress}, starts", Instant(at_ms, self.zone)) if at_ms is not None else progress
                yield Title(f"{self.event.name}, {name}", starts)
                yield from self._round_text(round_)
        else:
            yield Title(self.event.name, progress)
            for round_ in self.rounds:
                if self.event.is_lobby and not round_.matches:
                    continue  # a kind of game that nobody has asked for
                yield round_heading(self.event, round_.round, self.zone)
                yield from self._round_text(round_)
        yield from explain_margins(line.finished for line in self.matches if line.finished is not None)
        yield from explain_stars([ruling for line in self.matches for ruling in line.rulings], self.event_path)

    def _round_text(self, round_: RoundSummary) -> Iterator[Part]:
        if round_.byes:
            yield describe_byes(round_.byes)
        if round_.matches:
            yield match_table(self.event, round_.matches)
        if round_.halves:
            numbers = ", ".join(map(str, sorted(round_.halves)))
            yield f"First halves of {plural(len(round_.halves), 'match', 'matches')} {numbers}"

    def _stages_text(self, team: str) -> Iterator[Part]:
        for stage in self.event.stages:
            rounds = [round_ for round_ in self.rounds if round_.round.stage == stage.number]
            if rounds and len(self.event.stages) > 1:
                yield Heading(stage.name)
            yield from team_parts(rounds, team)


def summarise_rounds(
    event: EventInfo, lines: Mapping[int, MatchSummary], round_number: int | None = None, wanted: Collection[str] = ()
) -> list[RoundSummary]:
    """Return the rounds that are drawn, without stages that have no results of matches.

    Args:
        event: the event.
        lines: the matches by number; those that are missing are left out.
        round_number: the number of the only round; None for all.
        wanted: the only teams whose rounds are wanted, which meet if they are two; without any, all.
    """
    teams = frozenset(wanted)
    rounds = [
        RoundSummary(
            round_,
            tuple(each for each in round_.byes if teams <= {each}),
            [lines[match.number] for match in round_.matches if match.number in lines and _is_of(match, teams)],
            [
                each.match.number
                for each in round_.assignments
                if each.match.round > each.round and _is_of(each.match, teams)
            ],
        )
        for stage in event.stages
        if "rounds" not in stage.format.instead
        for round_ in stage.rounds
        if round_.is_drawn and round_number in (None, round_.number)
    ]
    return [each for each in rounds if not teams or each.matches or each.byes or each.halves]


def _is_of(match: MatchInfo, teams: Collection[str]) -> bool:
    """Whether teams, or players who change partners, play in a match; two of them against each other."""
    return {*match.entrants}.issuperset(teams) and len({match.team_of(each) for each in teams}) == len(teams)


def load(
    drawn: DrawnEvent, *, team: str | None = None, opponent: str | None = None, round_number: int | None = None
) -> RoundsReport:
    """Load the results of all rounds of matches, or of one; pairs stages have none.

    Args:
        drawn: the event.
        team: the only team whose matches are wanted, in upper or lower case; None for all.
        opponent: the only team against which; None for all.
        round_number: the number of the only round; None for all.

    Raises:
        ConfigError: a team has left, and something is wrong with the event file, which says what that means.
        StoreError: the database cannot be used.
        UsageError: there is no such round or team, or both teams are the same.
    """
    drawn.check_round(round_number)
    event = drawn.event
    wanted = [drawn.team_named(name) for name in (team, opponent) if name is not None]
    if opponent is not None and len({*wanted}) == 1:
        raise UsageError(f"two different teams are needed, got {wanted[0]!r} twice")
    of_teams = [match.number for match in event.matches if _is_of(match, {*wanted})] if wanted else None
    cancelled = load_cancelled(drawn.database, event, lambda: drawn.ranking_rules)
    found = load_matches(
        drawn.database, event, drawn.scales, MatchFilter(event.id, round_number, of_teams), cancelled
    )
    rounds = summarise_rounds(event, {line.match.number: line for line in found}, round_number, wanted)
    return RoundsReport(
        event,
        rounds,
        drawn.path,
        drawn.zone,
        is_of_round=round_number is not None,
        team=wanted[0] if wanted else None,
    )


# Tables


def match_table(event: EventInfo, lines: Sequence[MatchSummary]) -> TextTable:
    """Return matches as a table for people: IMPs or points with those carried over, victory points, and progress."""
    stages = [stage for stage in event.stages if stage.groups > 1]
    groups = {(stage.number, each.team): stage.group_name(each.group) for stage in stages for each in stage.entries}
    of_group = Cell("Group", lambda line: groups.get((line.match.stage, line.match.home), NOTHING))
    columns = [
        Cell(">Match", lambda line: str(line.match.number), worth=2, to=lambda line: MatchLink(line.match.number)),
        *([of_group] if any(line.match.stage == stage.number for stage in stages for line in lines) else []),
        *(Cell(words, partial(_side, place=place), worth=2) for place, words in enumerate(("Home", "Away"))),
        *result_columns(lines),
    ]
    return make_table(columns, lines, caption="Results")


def team_parts(rounds: Sequence[RoundSummary], team: str) -> Iterator[Part]:
    """Yield in which rounds of a stage a team sits out, and its matches there from its side."""
    byes = [round_.round.number for round_ in rounds if round_.byes]
    if byes:
        yield f"Sits out in {plural(len(byes), 'round')} {', '.join(map(str, byes))}"
    lines = [line for round_ in rounds for line in round_.matches]
    if not lines:
        return
    columns = [
        Cell(">Round", lambda line: str(line.match.round), to=lambda line: RoundLink(line.match.round)),
        Cell(">Match", lambda line: str(line.match.number), worth=2, to=lambda line: MatchLink(line.match.number)),
        Cell("Opponents", lambda line: _side(line, 1 - line.match.teams.index(line.match.team_of(team))), worth=2),
        Cell(lines[0].match.format.seats_heading, lambda line: describe_seats(line.match, team)),
        *result_columns(lines, team=team),
    ]
    yield make_table(columns, lines, caption="Matches")


def _side(line: MatchSummary, place: int) -> Content:
    name = line.match.teams[place]
    return Linked(name, EntrantLink(name))


def result_columns(
    lines: Collection[MatchSummary],
    line_of: Callable[[Any], MatchSummary] = lambda row: row,
    team: str | None = None,
) -> Iterator[Cell]:
    """Yield the columns of results: scores, victory points, and how far matches have progressed.

    There is no column of victory points where they do not count, as in knockouts, or are the points themselves.

    Args:
        lines: all matches of the table.
        line_of: returns the match of a row.
        team: the team whose figures come first; None for the home team of each match.
    """

    def paired(row: Any, figures: Sequence[int] | None, form: Callable[[int], str], *, is_starred: bool) -> str:
        if figures is None:
            return NOTHING
        line = line_of(row)
        turned = team is not None and line.match.team_of(team) == line.match.away
        star = "*" if line.rulings and is_starred else ""
        return f"{'-'.join(map(form, figures[::-1] if turned else figures))}{star}"

    compared = [line for line in lines if line.match.compared_scale is not None]
    scales = {line.match.board_scale for line in compared}
    if scales:
        unit = _common({scale.heading for scale in scales}, "Score")
        yield Cell(
            f">{unit}",
            lambda row: paired(
                row,
                line_of(row).totals if line_of(row).has_begun else None,
                format_imps_hundredths,
                is_starred=line_of(row).is_over and line_of(row).match.is_knockout,
            ),
            worth=1,
        )
    if any(not line.match.is_knockout and not _says_what_counts(line) for line in compared):
        yield Cell(
            f">{_common({scale.match_heading for scale in scales}, 'VP')}",
            lambda row: paired(row, line_of(row).vp, line_of(row).match.board_scale.format_vp, is_starred=True),
            worth=1,
        )
    yield Cell("State", lambda row: line_of(row).describe_state())
    if any(describe_notes(line.match) for line in lines):
        yield Cell("Notes", lambda row: describe_notes(line_of(row).match))


def _common(headings: Collection[str], otherwise: str) -> str:
    """Return a heading that all have; if there is none, another."""
    return next(iter(headings)) if len(headings) == 1 else otherwise


def _says_what_counts(line: MatchSummary) -> bool:
    """Return whether the score of a match says what teams rank by."""
    scale, figures = line.match.board_scale, line.figures
    if line.vp is None or figures is None:
        return scale.ranks_by_points
    shown = zip(line.vp, figures[:2], figures.margins, strict=True)
    return all(scale.is_said_by_score(vp, score, margin) for vp, score, margin in shown)


# Matches


def load_matches(
    database: Database,
    event: EventInfo,
    scales: Scales,
    scope: MatchFilter,
    cancelled: Collection[int] = (),
) -> list[MatchSummary]:
    """Load the matches of a scope in the order of their numbers; `cancelled` are those that do not count.

    Raises:
        StoreError: the database cannot be used.
    """
    unscored = MatchFilter(scope.event_id, scope.round, scope.matches, unscored=True)
    hidden = load_hidden_boards(database, event)
    cards = {card.match.number: card for card in iter_scorecards(database, event, scales, unscored, hidden)}
    # Read after the boards, so that a match that got its score in the meantime is shown with it.
    scores = load_match_scores(database, event.id)
    withheld = load_withheld(database, event, scores, hidden)
    changing = [each for each in load_rulings(database, event.id) if each.changes_score]
    rulings = group_rulings(load_shown_rulings(database, event, changing))
    return [
        _summarise(
            match,
            scores.get(match.number) if match.number not in withheld else None,
            cards.get(match.number),
            rulings[match.number],
            MatchState.OVER if match.number in withheld else _state(match, has_begun=match.number in cards),
            is_cancelled=match.number in cancelled,
        )
        for match in matches_in(event, scope)
    ]


def summarise_match(card: Scorecard, *, is_cancelled: bool = False) -> MatchSummary:
    """Summarise a match from its scorecard."""
    rulings = [ruling for ruling in card.live_rulings if ruling.changes_score]
    has_begun = bool(card.rulings) or any(board.results for board in card.boards)
    state = MatchState.OVER if card.is_withheld else _state(card.match, has_begun=has_begun)
    return _summarise(card.match, card.score, card, rulings, state, is_cancelled=is_cancelled)


def _summarise(
    match: MatchInfo,
    score: MatchScore | None,
    card: Scorecard | None,
    rulings: Iterable[RulingInfo],
    state: MatchState,
    *,
    is_cancelled: bool,
) -> MatchSummary:
    """Summarise a match; `state` is how far it has progressed unless it has a score."""
    if score is None and card is not None:
        score = card.score
    boards = match.boards_known
    figures: ImpTotals | None
    if score is not None:
        state, over, figures = MatchState.OVER, score.boards, score.totals
        boards = over if match.ends_by_results else match.boards
    else:
        shown = {ruling.id for ruling in card.live_rulings} if card is not None else set()
        rulings = [ruling for ruling in rulings if ruling.id in shown]
        over = card.boards_finished if card is not None else 0
        figures = card.totals if card is not None and over else None
    if match.compared_scale is None:
        figures = None
    return MatchSummary(
        match, state, boards, over, figures, score, tuple(rulings), is_cancelled=is_cancelled and score is not None
    )


def _state(match: MatchInfo, *, has_begun: bool) -> MatchState:
    states = {table.state for table in match.tables}
    if states & {TableState.OPEN, TableState.PLAYING, TableState.ASSIGNED}:
        return MatchState.PLAYING
    if states == {TableState.FINISHED}:
        return MatchState.OVER
    return MatchState.STOPPED if has_begun or states != {TableState.WAITING} else MatchState.TO_COME
