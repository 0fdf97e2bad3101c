"""The results round by round: every match with its IMPs and victory points, byes, and matches still being played.

An unfinished match shows the IMPs of the boards that both rooms have finished, as on its scorecard. The boards of a
match with a stored score are not read.
"""

import enum
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import tzinfo
from pathlib import Path
from typing import Annotated

from tourney.contest.record import finished_match
from tourney.errors import UsageError
from tourney.event.drawn import DrawnEvent
from tourney.movement.carry_over import format_imps_hundredths
from tourney.movement.ranking import FinishedMatch
from tourney.output.rows import ABSENT, INLINE, NOT_IN_CSV, NOTHING, TEXT_ONLY, Document, InCsv, Row
from tourney.output.tables import CsvTable, Part, TextTable, csv_columns, csv_row
from tourney.output.units import EventName, MatchNumber, Moment
from tourney.plurals import count, plural
from tourney.report.figures import MatchFigures, columns_left_out, match_figures
from tourney.report.margins import MarginDocument, explain_margins, margin_row
from tourney.report.report import Report
from tourney.report.rulings import CountedRulings, explain_stars
from tourney.report.schedule import CarryDocument, describe_round
from tourney.results.cancelled import load_cancelled
from tourney.results.scorecard import Scales, Scorecard, iter_scorecards, load_withheld, matches_in
from tourney.scoring.match import ImpTotals, MatchScore
from tourney.scoring.victory_points import VpHundredths
from tourney.store.db.database import Database
from tourney.store.draw.objects import EventInfo, MatchInfo
from tourney.store.models import TableState
from tourney.store.results.event_results import MatchFilter
from tourney.store.results.matches import load_match_scores
from tourney.store.results.secrecy import load_hidden_boards, load_shown_rulings
from tourney.store.rulings import RulingInfo, load_rulings
from tourney.times import format_moment


class MatchState(enum.StrEnum):
    """How far a match has progressed."""

    TO_COME = "to-come"
    PLAYING = "playing"
    """Players sit at one of its tables, or the table is waiting for them."""
    STOPPED = "stopped"
    """Boards are on record, but nobody is playing now."""
    OVER = "over"


class MatchLine(Row, kw_only=True):
    """A match; until it has finished, IMPs are those so far, null before both rooms have finished a board.

    While somebody still has boards of a finished match to play, its IMPs are those of the boards that may be shown,
    and it has no victory points.
    """

    match: Annotated[MatchNumber, InCsv(after="round")]
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
    carry: Annotated[CarryDocument, INLINE, InCsv(after="vp_away")]
    margins: Annotated[MarginDocument, INLINE, InCsv(after="carry_away")]
    rulings: CountedRulings
    """The rulings that these figures include."""
    cancelled: Annotated[bool, NOT_IN_CSV] = ABSENT
    """Only there, and true, where the match does not count because a team left before half of its matches were
    played; it then has no victory points."""
    totals: Annotated[ImpTotals | None, TEXT_ONLY]
    """The figures of both teams with their margins; None until both rooms have finished a board."""
    vp: Annotated[tuple[VpHundredths, VpHundredths] | None, TEXT_ONLY]
    """The victory points of both teams, also with extra boards; None until the match has finished."""
    finished: Annotated[FinishedMatch | None, TEXT_ONLY]
    """The match with all its figures; None until it has finished."""


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
    matches: Sequence[MatchLine]
    """The matches of the round, by number."""
    halves: Sequence[int] = ABSENT
    """Numbers of matches of which half is played in the round, and half in a later one; only where there are any."""


class RoundsReport(Report):
    """The results of the rounds of an event, or of one of them."""

    event: EventName
    """The name of the event."""
    rounds: tuple[RoundDocument, ...]
    """The rounds in the order of play."""
    event_path: Annotated[Path, TEXT_ONLY]
    """The event file, as the user gave it."""
    zone: Annotated[tzinfo | None, TEXT_ONLY]
    """The time zone in which people read times; None for that of this machine."""

    def csv(self) -> CsvTable:
        """Return a row per match and per bye; a bye has only its team, as the home team."""
        return CsvTable(csv_columns(MatchLine, columns_left_out(self.event)), self._csv_rows())

    def _csv_rows(self) -> Iterator[Document]:
        for round_ in self.rounds:
            yield from map(csv_row, round_.matches)
            for team in round_.byes:
                yield {"round": round_.round, "home": team, "state": "bye"}

    def text(self) -> Iterator[Part]:
        """Yield a table per round."""
        matches = [line for round_ in self.rounds for line in round_.matches]
        over = sum(line.state is MatchState.OVER for line in matches)
        yield f"{self.event.name}: {over} of {count(len(matches), 'match', 'matches')} over"
        for round_ in self.rounds:
            if self.event.is_lobby and not round_.matches:
                continue  # a kind of game that nobody has asked for
            starts = f", starts {format_moment(round_.starts, self.zone)}" if round_.starts is not None else ""
            bye = f", bye: {', '.join(round_.byes)}" if round_.byes else ""
            yield ""
            yield f"{describe_round(self.event, round_.round)}{starts}{bye}"
            if round_.matches:
                yield match_table(self.event, round_.matches)
            if round_.halves is not ABSENT:
                numbers = ", ".join(map(str, sorted(round_.halves)))
                yield f"First halves of {plural(len(round_.halves), 'match', 'matches')} {numbers}"
        yield from explain_margins(line.finished for line in matches if line.finished is not None)
        yield from explain_stars([ruling for line in matches for ruling in line.rulings], self.event_path)


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
    wanted = {drawn.team_named(name) for name in (team, opponent) if name is not None}
    if opponent is not None and len(wanted) == 1:
        raise UsageError(f"two different teams are needed, got {wanted.pop()!r} twice")
    of_teams = [match.number for match in event.matches if wanted <= {match.home, match.away}] if wanted else None
    cancelled = load_cancelled(drawn.database, event, lambda: drawn.ranking_rules)
    scope = MatchFilter(event.id, round_number, of_teams)
    found = load_match_lines(drawn.database, event, drawn.scales, scope, cancelled)
    lines = {line.match.number: line for line in found}
    rounds = tuple(
        RoundDocument(
            round=round_.number,
            starts=round_.starts_at_ms,
            stage=round_.stage,
            byes=tuple(each for each in round_.byes if wanted <= {each}),
            matches=[lines[match.number] for match in round_.matches if match.number in lines],
            halves=[
                each.match.number
                for each in round_.assignments
                if each.match.round > each.round and (of_teams is None or each.match.number in of_teams)
            ]
            or ABSENT,
        )
        for stage in event.stages
        if not stage.format.ranks_by_boards
        for round_ in stage.rounds
        if round_.is_drawn and round_number in (None, round_.number)
    )
    if wanted:
        rounds = tuple(each for each in rounds if each.matches or each.byes or each.halves is not ABSENT)
    return RoundsReport(event, rounds, drawn.path, drawn.zone)


def match_table(event: EventInfo, lines: Iterable[MatchLine]) -> TextTable:
    """Return matches as a table for people: IMPs or points with those carried over, victory points, and progress.

    There is no column of victory points where they do not count, as in knockouts, or are the points themselves.
    """
    shown = list(lines)
    scales = {line.match.board_scale for line in shown}
    units = {scale.heading for scale in scales} or {"IMPs"}
    unit = units.pop() if len(units) == 1 else "Score"
    headings = {scale.match_heading for scale in scales}
    counts = headings.pop() if len(headings) == 1 else "VP"
    has_vp = any(not event.stage_of(line.match).format.is_knockout and not _says_what_counts(line) for line in shown)
    table = TextTable(
        *(">Match", "Home", "Away", f">{unit}", *([f">{counts}"] if has_vp else []), "State"),
        worth={"Match": 2, "Home": 2, "Away": 2, unit: 1},
    )
    for line in shown:
        scale = line.match.board_scale
        imps = points = NOTHING
        if line.totals is not None:
            home = line.match.carry_home + scale.hundredths(line.totals.home)
            away = line.match.carry_away + scale.hundredths(line.totals.away)
            imps = "-".join(map(format_imps_hundredths, (home, away)))
        star = "*" if line.rulings else ""
        if line.vp is not None:
            points = f"{'-'.join(map(scale.format_vp, line.vp))}{star}"
        if event.stage_of(line.match).format.is_knockout:
            imps, points = f"{imps}{star if points != NOTHING else ''}", ""
        figures = [imps, points] if has_vp else [imps]
        table.add_row(str(line.match.number), line.match.home, line.match.away, *figures, _describe_state(line))
    return table


def _says_what_counts(line: MatchLine) -> bool:
    """Return whether the score of a match says what teams rank by."""
    scale, totals = line.match.board_scale, line.totals
    if line.vp is None or totals is None:
        return scale.ranks_by_points
    figures = zip(line.vp, totals[:2], totals.margins, strict=True)
    return all(scale.is_said_by_score(vp, score, margin) for vp, score, margin in figures)


def _describe_state(line: MatchLine) -> str:
    """Describe the progress of a match: `playing, 3 of 16 boards`."""
    if line.cancelled is not ABSENT:
        return "cancelled: a team has left"
    if line.finished is not None and line.finished.is_void:
        return "void"
    if line.state is MatchState.OVER and line.finished is None:
        return f"over, {line.boards_over} of {count(line.match.boards, 'board')} shown"
    if line.state in (MatchState.OVER, MatchState.TO_COME):
        return line.state.value.replace("-", " ")
    if line.boards is None:
        return f"{line.state.value}, {count(line.boards_over, 'board')}"
    return f"{line.state.value}, {line.boards_over} of {count(line.boards, 'board')}"


def load_match_lines(
    database: Database,
    event: EventInfo,
    scales: Scales,
    scope: MatchFilter,
    cancelled: Collection[int] = (),
) -> list[MatchLine]:
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
    rulings: defaultdict[int | None, list[RulingInfo]] = defaultdict(list)
    changing = [each for each in load_rulings(database, event.id) if each.changes_score]
    for ruling in load_shown_rulings(database, event, changing):
        rulings[ruling.match].append(ruling)
    return [
        _line(
            match,
            scores.get(match.number) if match.number not in withheld else None,
            cards,
            rulings[match.number],
            is_withheld=match.number in withheld,
            is_cancelled=match.number in cancelled,
        )
        for match in matches_in(event, scope)
    ]


def _line(
    match: MatchInfo,
    score: MatchScore | None,
    cards: Mapping[int, Scorecard],
    rulings: Iterable[RulingInfo],
    *,
    is_withheld: bool,
    is_cancelled: bool,
) -> MatchLine:
    card = cards.get(match.number)
    if score is None and card is not None:
        score = card.score
    scale = match.board_scale
    boards = match.boards_known
    if score is not None:
        counted = tuple(rulings)
        state, over = MatchState.OVER, score.boards
        boards = over if match.ends_by_results else match.boards
    else:
        shown = {ruling.id for ruling in card.live_rulings} if card is not None else set()
        counted = tuple(ruling for ruling in rulings if ruling.id in shown)
        state = MatchState.OVER if is_withheld else _state(match, has_begun=card is not None)
        over = card.boards_finished if card is not None else 0
    totals = score.totals if score is not None else card.totals if card is not None and over else None
    finished = finished_match(match, score, counted) if score is not None else None
    vp = (score.vp_home, score.vp_away) if score is not None and not is_cancelled else None
    home, away = totals[:2] if totals is not None else (None, None)
    return MatchLine.from_attributes(
        match,
        match=match,
        state=state,
        boards=boards,
        boards_over=over,
        figures=match_figures(scale, home, away, None if match.format.is_knockout else vp),
        carry=CarryDocument(match.carry_home, match.carry_away),
        margins=margin_row(scale, totals, finished),
        rulings=counted,
        cancelled=(is_cancelled and score is not None) or ABSENT,
        totals=totals,
        vp=vp,
        finished=finished,
    )


def _state(match: MatchInfo, *, has_begun: bool) -> MatchState:
    states = {table.state for table in match.tables}
    if states & {TableState.OPEN, TableState.PLAYING, TableState.ASSIGNED}:
        return MatchState.PLAYING
    return MatchState.STOPPED if has_begun or states != {TableState.WAITING} else MatchState.TO_COME
