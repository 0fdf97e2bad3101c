"""The results round by round: every match with its IMPs and victory points, and matches still being played.

An unfinished match shows the IMPs of the boards that both rooms have finished, as on its scorecard.
"""

import enum
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import tzinfo
from pathlib import Path
from typing import Annotated, Final

from tourney.contest.draw import MatchInfo, RoundInfo
from tourney.contest.record import Ruling
from tourney.errors import UsageError
from tourney.event.drawn import DrawnEvent
from tourney.movement.ranking import FinishedMatch
from tourney.movement.seating import TableState
from tourney.output.content import Heading, Instant, MatchLink, RoundLink, Title
from tourney.output.rows import ABSENT, INLINE, NOTHING, Cell, Document, Row
from tourney.output.tables import CsvTable, Parts, csv_values, make_table, parse_columns
from tourney.output.units import EventName, MatchNumber
from tourney.plurals import count, plural
from tourney.results.scorecard import Scorecard, iter_scorecards
from tourney.results.standings import load_cancelled
from tourney.scoring.match import ImpTotals
from tourney.scoring.victory_points import VpHundredths, format_hundredths
from tourney.store.draw.objects import EventInfo
from tourney.store.results.event_results import MatchFilter
from tourney.views.figures import columns_left_out, describe_margins
from tourney.views.match import ScoreDocument, score_row
from tourney.views.report import Report
from tourney.views.rulings import CountedRulings, explain_stars
from tourney.views.schedule import (
    NOTES,
    CarryDocument,
    RoundHeadDocument,
    describe_byes,
    describe_round,
    describe_seats,
    round_head,
    round_heading,
    side_cell,
)

_COLUMNS: Final = parse_columns("""
round match home away state boards boards_over imps_home imps_away vp_home vp_away carry_home carry_away
margin_home margin_away lead winner won_by void points_home points_away ranking_score_home ranking_score_away
""")
"""The columns of the CSV table."""


class MatchState(enum.StrEnum):
    """How far a match has progressed."""

    TO_COME = "to-come"
    PLAYING = "playing"
    """Players sit at one of its tables, or the table is waiting for them."""
    STOPPED = "stopped"
    """Boards are on record, but nobody is playing now."""
    OVER = "over"


class MatchOfRoundDocument(Row, kw_only=True):
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
    score: Annotated[ScoreDocument, INLINE]
    carry: Annotated[CarryDocument, INLINE]
    rulings: CountedRulings
    """The rulings that these figures include."""


@dataclass(frozen=True)
class MatchSummary:
    """A match with how far it has progressed, and its figures."""

    match: MatchInfo
    card: Scorecard
    """Its scorecard; an empty one as long as nothing of it is on record that may be shown."""
    is_left: bool
    """Whether it does not count, because a team has left before half of its matches were played."""

    @property
    def is_over(self) -> bool:
        """Whether its score may be shown."""
        return self.card.score is not None

    @property
    def is_cancelled(self) -> bool:
        """Whether it has finished and does not count."""
        return self.is_left and self.is_over

    @property
    def state(self) -> MatchState:
        """How far it has progressed."""
        states = {table.state for table in self.match.tables}
        if self.is_over or self.card.is_withheld or states == {TableState.FINISHED}:
            return MatchState.OVER
        if states & {TableState.OPEN, TableState.PLAYING, TableState.ASSIGNED}:
            return MatchState.PLAYING
        return MatchState.STOPPED if self.card.boards or states != {TableState.WAITING} else MatchState.TO_COME

    @property
    def boards(self) -> int | None:
        """The number of boards in the match; None where their results decide it, until it has finished."""
        if self.card.score is None:
            return self.match.boards_known
        return self.card.score.boards if self.match.ends_by_results else self.match.boards

    @property
    def boards_finished(self) -> int:
        """How many of them both rooms have finished, of those that may be shown."""
        return self.card.score.boards if self.card.score is not None else self.card.boards_finished

    @property
    def figures(self) -> ImpTotals | None:
        """The figures of both teams with their margins.

        None until both rooms have finished a board, and in pairs events, where nothing is compared within a match.
        """
        has_begun = self.is_over or self.boards_finished > 0
        return self.card.totals if has_begun and self.match.compared_scale is not None else None

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
        return self.card.totals_hundredths

    @property
    def vp(self) -> tuple[VpHundredths, VpHundredths] | None:
        """The victory points of both teams; None until the match has finished, and where they do not count."""
        return self.card.vp if not self.is_left else None

    @property
    def rulings(self) -> tuple[Ruling, ...]:
        """The rulings that the figures include."""
        return tuple(ruling for ruling in self.card.live_rulings if ruling.changes_score)

    @property
    def finished(self) -> FinishedMatch | None:
        """The match with all its figures; None until it has finished."""
        return self.card.finished

    @property
    def margins(self) -> str:
        """What is to be said of a finished match that does not balance, or is void; nothing for any other."""
        if self.finished is None or not self.has_begun:
            return ""
        return describe_margins(self.match.format, self.finished)

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

    def row(self) -> MatchOfRoundDocument:
        """Return the match as a row."""
        return MatchOfRoundDocument.from_attributes(
            self,
            self.match,
            match=self.match,
            boards_over=self.boards_finished,
            score=score_row(self.card, is_cancelled=self.is_cancelled),
            carry=CarryDocument.from_attributes(self.match),
        )


class RoundDocument(Row, kw_only=True):
    """A round with its matches."""

    head: Annotated[RoundHeadDocument, INLINE]
    matches: Sequence[MatchOfRoundDocument]
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
            head=replace(round_head(self.round), byes=self.byes),
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
    is_of_round: bool
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

    def text(self) -> Parts:
        """Yield a table per round; of a team, one per stage."""
        over = sum(line.state is MatchState.OVER for line in self.matches)
        progress = f"{over} of {count(len(self.matches), 'match', 'matches')} over"
        if self.team is not None:
            yield Title(f"{self.event.name}, {self.team}", progress)
            for stage in self.event.stages:
                rounds = [round_ for round_ in self.rounds if round_.round.stage == stage.number]
                if rounds and len(self.event.stages) > 1:
                    yield Heading(stage.name)
                yield from team_parts(rounds, self.team)
        elif self.is_of_round:
            for round_ in self.rounds:
                name, at_ms = describe_round(self.event, round_.round.number), round_.round.starts_at_ms
                starts = (f"{progress}, starts", Instant(at_ms, self.zone)) if at_ms is not None else progress
                yield Title(f"{self.event.name}, {name}", starts)
                yield from self._round_text(round_)
        else:
            yield Title(self.event.name, progress)
            for round_ in self.rounds:
                if not (round_.matches or round_.byes or round_.halves):
                    continue  # a kind of game that nobody in a lobby has asked for
                yield round_heading(self.event, round_.round, self.zone)
                yield from self._round_text(round_)
        margins = [f"Match {line.match.number}: {line.margins}" for line in self.matches if line.margins]
        yield from ["", *margins] if margins else []
        yield from explain_stars([ruling for line in self.matches for ruling in line.rulings], self.event_path)

    def _round_text(self, round_: RoundSummary) -> Parts:
        if round_.byes:
            yield describe_byes(round_.byes)
        if round_.matches:
            grouped = [stage for stage in self.event.stages if stage.groups > 1]
            groups = {
                (stage.number, each.team): stage.group_name(each.group) for stage in grouped for each in stage.entries
            }
            columns = [
                _NUMBER,
                Cell("Group", lambda line: groups.get((line.match.stage, line.match.home), ""), if_any=True),
                side_cell("Home", lambda line: line.match.home),
                side_cell("Away", lambda line: line.match.away),
                *result_columns(round_.matches),
            ]
            yield make_table(columns, round_.matches, caption="Results")
        if round_.halves:
            numbers = ", ".join(map(str, sorted(round_.halves)))
            yield f"First halves of {plural(len(round_.halves), 'match', 'matches')} {numbers}"


def summarise_rounds(
    event: EventInfo, lines: Mapping[int, MatchSummary], round_number: int | None = None, wanted: Collection[str] = ()
) -> list[RoundSummary]:
    """Return the rounds that are drawn, without stages that have no results of matches.

    Args:
        event: the event.
        lines: the matches by number.
        round_number: the number of the only round; None for all.
        wanted: the only teams whose rounds are wanted, which meet if they are two; without any, all.
    """
    teams = frozenset(wanted)
    rounds = [
        RoundSummary(
            round_,
            tuple(each for each in round_.byes if teams <= {each}),
            [lines[match.number] for match in round_.matches if _is_of(match, teams)],
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


def summarise_matches(
    event: EventInfo, cards: Mapping[int, Scorecard], left: Collection[int]
) -> dict[int, MatchSummary]:
    """Return the matches of an event by number.

    Args:
        event: the event.
        cards: the scorecards of those that have begun.
        left: the numbers of those that do not count because a team has left.
    """
    return {
        match.number: MatchSummary(match, cards.get(match.number) or Scorecard(match), match.number in left)
        for match in event.matches
    }


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
    left, scope = load_cancelled(drawn), MatchFilter(event.id, round_number)
    cards = {card.match.number: card for card in iter_scorecards(drawn.database, event, drawn.scales, scope)}
    rounds = summarise_rounds(event, summarise_matches(event, cards, left), round_number, wanted)
    return RoundsReport(
        event,
        rounds,
        drawn.path,
        drawn.zone,
        is_of_round=round_number is not None,
        team=wanted[0] if wanted else None,
    )


# Tables


def team_parts(rounds: Sequence[RoundSummary], team: str) -> Parts:
    """Yield in which rounds of a stage a team sits out, and its matches there from its side."""
    byes = [str(round_.round.number) for round_ in rounds if round_.byes]
    if byes:
        yield f"Sits out in {plural(len(byes), 'round')} {', '.join(byes)}"
    lines = [line for round_ in rounds for line in round_.matches]
    if lines:
        columns = [
            Cell(">Round", "match.round", to=(RoundLink, "match.round")),
            _NUMBER,
            side_cell("Opponents", lambda line: line.match.opponents_of(team)),
            Cell(lines[0].match.format.seats_heading, lambda line: describe_seats(line.match, team)),
            *result_columns(lines, team),
        ]
        yield make_table(columns, lines, caption="Matches")


_NUMBER: Final = Cell(">Match", "match.number", worth=2, to=(MatchLink, "match.number"))


def result_columns(lines: Collection[MatchSummary], team: str | None = None) -> Iterator[Cell]:
    """Yield the columns of results: scores, victory points, and how far matches have progressed.

    There is no column of victory points where they do not count, as in knockouts, or are the points themselves. The
    figures of a team come first if one is given, else those of the home teams.
    """

    def both(line: MatchSummary, figures: Sequence[int] | None, form: Callable[[int], str]) -> str:
        turned = figures and team is not None and line.match.team_of(team) == line.match.away
        return NOTHING if figures is None else "-".join(map(form, figures[::-1] if turned else figures))

    def score(line: MatchSummary) -> str:
        star = "*" if line.rulings and line.has_begun else ""
        return f"{both(line, line.totals if line.has_begun else None, format_hundredths)}{star}"

    compared = [line for line in lines if line.match.compared_scale is not None]
    scales = {line.match.board_scale for line in compared}
    if scales:
        yield Cell(f">{_common({scale.heading for scale in scales}, 'Score')}", score, worth=1)
    if not all(map(_says_what_counts, compared)):
        heading = _common({scale.match_heading for scale in scales}, "VP")
        yield Cell(f">{heading}", lambda line: both(line, line.vp, line.match.board_scale.format_vp), worth=1)
    yield Cell("State", MatchSummary.describe_state)
    yield NOTES


def _common(headings: Collection[str], otherwise: str) -> str:
    """Return a heading that all have; if there is none, another."""
    return next(iter(headings)) if len(headings) == 1 else otherwise


def _says_what_counts(line: MatchSummary) -> bool:
    """Return whether the score of a match says all that it gives."""
    scale, figures = line.match.board_scale, line.figures
    if line.vp is None or figures is None:
        return not line.match.format.match_unit(scale)
    shown = zip(line.vp, figures[:2], figures.margins, strict=True)
    return all(scale.is_said_by_score(vp, score, margin) for vp, score, margin in shown)
