"""The scorecard of a match: the result of each board in both rooms, and the score."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Annotated, Any

from tourney.bridge import Card, Side
from tourney.contest.record import Ruling
from tourney.event.drawn import DrawnEvent
from tourney.movement.ranking import WonBy
from tourney.movement.seating import Room, TableInfo, TableState
from tourney.output.content import BoardLink, Heading, Title
from tourney.output.rows import ABSENT, INLINE, NOT_IN_CSV, Row
from tourney.output.tables import CsvTable, Parts, csv_table
from tourney.output.units import RoomName, SeatUnit, VulnerabilityName
from tourney.plurals import plural
from tourney.results.score_sheet import ScoreSheet, load_sheet
from tourney.results.scorecard import Scorecard, load_scorecard
from tourney.results.standings import load_cancelled
from tourney.scoring.victory_points import VpHundredths, VpScale, format_hundredths
from tourney.store.draw.objects import EventInfo
from tourney.store.results.matches import load_board_worths
from tourney.times import format_duration
from tourney.views.analysis import BoardPar, compare_with_par
from tourney.views.figures import (
    BoardFigures,
    MarginDocument,
    MatchFigures,
    board_figures,
    describe_margins,
    margin_row,
    match_figures,
)
from tourney.views.outcome import ResultDocument, result_row
from tourney.views.report import Report
from tourney.views.rulings import RulingDocument, describe_cause, describe_ruling, ruling_row
from tourney.views.schedule import CarryDocument, describe_round, format_ranges
from tourney.views.score_sheet import LineFigures, SheetDocument, draw_sheets, sheet_row
from tourney.views.scorecard import listed_boards, scorecard_table, segment_name, times_table


class ForfeitDocument(Row):
    """A board that a team has lost in a room by ruling."""

    room: RoomName
    """The room in which the board was forfeited."""
    team: str
    """The name of the team that forfeited it."""
    reason: str
    """Why, as the ruling says."""


class ScorecardBoardDocument(Row, kw_only=True):
    """A board of a scorecard; nulls until both rooms have finished it."""

    board: int
    """The number of the board."""
    dealer: SeatUnit
    """The dealer."""
    vulnerable: VulnerabilityName
    """Which sides are vulnerable."""
    open: ResultDocument | None
    """The result in the open room."""
    closed: ResultDocument | None
    """The result in the closed room."""
    figures: Annotated[BoardFigures, INLINE]
    adjusted: bool
    """Whether a ruling has changed its score."""
    cancelled: bool
    """Whether the board counts for nobody; its IMPs are 0 then."""
    forfeits: Annotated[list[ForfeitDocument], NOT_IN_CSV]
    """The teams that forfeited the board, by room."""
    par: Annotated[BoardPar, INLINE] = ABSENT
    lines: Annotated[LineFigures, INLINE] = ABSENT


class ScoreDocument(Row, kw_only=True):
    """The score of a match."""

    figures: Annotated[MatchFigures, INLINE]
    margins: Annotated[MarginDocument, INLINE]
    cancelled: Annotated[bool, NOT_IN_CSV] = ABSENT
    """Only there, and true, where the match does not count because a team left before half of its matches were
    played; it then has no victory points."""


class ScorecardDocument(Row, kw_only=True):
    """The scorecard of a match."""

    match: int
    """The number of the match."""
    home: str
    """The name of the home team."""
    away: str
    """The name of the away team."""
    boards: list[ScorecardBoardDocument]
    """All boards of the match, in the order of play."""
    score: Annotated[ScoreDocument, INLINE]
    carry: Annotated[CarryDocument, INLINE]
    rulings: list[RulingDocument]
    """The rulings on the match that have not been withdrawn."""
    sheet: SheetDocument = ABSENT
    """The score sheet of a match of rubber bridge or Chicago. Its boards are in the open room, and their IMPs are the
    points that each side wrote, premiums for what was unfinished at the end included."""


class MatchReport(Report):
    """A scorecard as it is shown."""

    event: EventInfo
    card: Scorecard
    pars: Mapping[int, BoardPar]
    """The boards that are shown and have been solved, by number."""
    has_times: bool
    """Whether the text shows thinking times."""
    sheet: ScoreSheet | None
    """The score sheet of a match of rubber bridge or Chicago."""
    is_cancelled: bool
    """Whether the match does not count because a team has left early."""
    scale: VpScale | None
    """The victory point scale; without it, an unfinished match does not say what it would be worth."""
    leads: Mapping[tuple[Room, int], Card] | None = None
    """The opening leads on the boards that are shown, for pages: a terminal has no room for them."""

    def content(self) -> ScorecardDocument:
        """Return the scorecard, including thinking times."""
        card, match = self.card, self.card.match
        return ScorecardDocument.from_attributes(
            match,
            match=match.number,
            boards=list(self._board_rows()),
            score=score_row(card, is_cancelled=self.is_cancelled),
            carry=CarryDocument.from_attributes(match),
            rulings=list(map(ruling_row, card.live_rulings)),
            sheet=sheet_row(self.sheet) if self.sheet is not None else ABSENT,
        )

    def _board_rows(self) -> Iterator[ScorecardBoardDocument]:
        """Yield a row for each board that is listed."""
        entries = dict(self.sheet.entries) if self.sheet is not None else {}
        for board in listed_boards(self.card):
            results = {room: result_row(result) for room, result in board.results.items()}
            entry = entries.get(board.number)
            yield ScorecardBoardDocument(
                board=board.number,
                dealer=board.dealer,
                vulnerable=board.vulnerability,
                open=results.get(Room.OPEN),
                closed=results.get(Room.CLOSED),
                figures=board_figures(self.card.match.board_scale, board.imps, board.imps_away),
                adjusted=bool(board.rulings),
                cancelled=board.is_cancelled,
                forfeits=forfeit_rows(board.forfeits),
                par=self.pars.get(board.number, ABSENT),
                lines=LineFigures.from_attributes(entry) if entry is not None else ABSENT,
            )

    def csv(self) -> CsvTable:
        """Return a row per board; an unfinished board has only its number, dealer and vulnerability."""
        without = ["points", "points_away"] if self.card.match.board_scale.key != "points" else []
        if not self.pars:
            without += BoardPar.csv_columns()
        if self.sheet is None:
            without += LineFigures.csv_columns()
        return csv_table(
            ScorecardBoardDocument,
            self._board_rows(),
            without=without,
            headings={"imps": "imps_home", "points": "points_home"},
        )

    def text(self) -> Parts:
        """Yield the score, the scorecard, the score sheet of a game, the rulings, who sat where, and the times."""
        card, match = self.card, self.card.match
        place = describe_round(self.event, match.round)
        third = ", for third place" if match.is_third_place else ""
        place = f"{place[0].lower()}{place[1:]}, match {match.number}{third}"
        yield Title(f"{self.event.name}, {place}", f"{match.home} - {match.away}")
        yield from self._describe_score()
        yield ""
        notes = {ruling.id: number for number, ruling in enumerate(card.live_rulings, 1)}
        yield scorecard_table(card, notes, self.pars, self._vp if card.score is not None else None, self.leads)
        if self.pars and self.leads is None:
            yield "Par is North-South's score double dummy, v par the IMPs that they won against it in the room"
        yield from _describe_missing(card)
        if self.sheet is not None and self.sheet.settings.has_line:
            title = self.sheet.settings.kind.value.capitalize()
            yield from draw_sheets(self.sheet.sheets, title, match.home, match.away, partial(BoardLink, match.number))
        if notes:
            yield Heading("Rulings")
        for ruling in card.live_rulings:
            yield f"({notes[ruling.id]}) {describe_ruling(ruling, with_match=False)}"
        yield ""
        yield from map(partial(_describe_seats, card), match.tables)
        if self.has_times and card.boards_finished:
            yield Heading("Thinking times")
            yield times_table(card)

    @property
    def _vp(self) -> tuple[VpHundredths, VpHundredths] | None:
        """What both teams rank by, as if the match ended now; None if nobody does, or if their score says it."""
        card, board_scale, totals = self.card, self.card.match.board_scale, self.card.totals
        if self.is_cancelled or card.match.ranking_scale is None:
            return None
        own = tuple(zip((totals.home, totals.away), totals.margins, strict=True))
        if card.vp is not None:
            home, away = card.vp
        elif self.scale is not None and card.boards_finished:
            home, away = (board_scale.vp(*figures, self.scale) for figures in own)
        else:
            return None
        is_said = all(map(board_scale.is_said_by_score, (home, away), *zip(*own, strict=True)))
        return None if is_said else (home, away)

    def _describe_score(self) -> Iterator[str]:
        """Say who has won or is ahead, with the figures of that team first, and what else decides the match."""
        card, match, scale, finished = self.card, self.card.match, self.card.match.board_scale, self.card.finished
        totals, carry, vp = card.totals_hundredths, (match.carry_home, match.carry_away), self._vp
        if finished is not None:
            ahead = finished.winner
            verb = "beat" if ahead is not None else "against" if finished.forfeits else "drew with"
        else:
            ahead = match.home if totals[0] > totals[1] else match.away if totals[0] < totals[1] else None
            verb = "lead" if ahead is not None else "are level with"
        order = (1, 0) if ahead == match.away else (0, 1)

        def both(figures: Sequence[Any], form: Callable[[Any], str] = format_hundredths) -> str:
            return " - ".join(form(figures[place]) for place in order)

        if finished is None and not card.boards_finished:
            what = "board is finished in both rooms" if len(match.rooms) > 1 else "deal is finished"
            said = "No board can be shown yet" if card.hidden else f"No {what} yet"
            said += f"; {both(carry)} carried over" if any(carry) else ""
        else:
            first, second = (match.teams[place] for place in order)
            forfeit = ", by forfeit" if finished is not None and finished.won_by is WonBy.FORFEIT else ""
            said = f"{first} {verb} {second}{forfeit}: {both(totals)} {scale.unit}"
            said += f", {both(carry)} of them carried over" if any(carry) else ""
            if finished is None:
                known = f" of {len(card.boards)}" if match.boards_known is not None else ""
                said += f" after {card.boards_finished}{known} {plural(len(card.boards), 'board')}"
            elif vp is not None:
                said += f", {both(vp, scale.format_vp)} {scale.match_words}"
        yield f"{said}."
        if finished is None and vp is not None and not card.is_withheld:
            yield f"{scale.ranking_heading} if it ended now: {both(vp, scale.format_vp)}."
        if card.is_withheld:
            yield "It is finished; its score is shown when nobody has the other boards to play any more."
        if self.is_cancelled:
            yield "Cancelled: a team left before half of its matches were played, so this one does not count."
        margins = describe_margins(match.format, finished) if finished is not None else ""
        if margins:
            yield f"{margins}."


def load(drawn: DrawnEvent, *, match_number: int, times: bool = False) -> MatchReport:
    """Load the scorecard of a match.

    Raises:
        StoreError: the database cannot be used.
        UsageError: there is no such match.
    """
    match = drawn.match(match_number)
    card = load_scorecard(drawn.database, drawn.event, match, drawn.scales[match.stage])
    cancelled = load_cancelled(drawn)
    return report_on(drawn, card, has_times=times, is_cancelled=match.number in cancelled)


def report_on(drawn: DrawnEvent, card: Scorecard, *, has_times: bool, is_cancelled: bool) -> MatchReport:
    """Load the report on a match whose scorecard is at hand.

    Raises:
        StoreError: the database cannot be used.
    """
    return MatchReport(
        drawn.event,
        card,
        compare_with_par(card, load_board_worths(drawn.database, card.match.board_set_id)),
        has_times,
        load_sheet(drawn.database, card),
        is_cancelled,
        drawn.scales.get(card.match.stage),
    )


def _describe_seats(card: Scorecard, table: TableInfo) -> str:
    """Describe who sat at a table, and how long each side thought over the boards that are shown."""
    match = card.match
    sides = ", ".join(
        f"{table.team(side)}{f' (pair {table.pair(side)})' if len(match.segments) > 1 else ''} {side.full_name} "
        f"{format_duration(card.thinking_ms(table, side))}"
        for side in Side
    )
    places = (
        segment_name(match, table.segment) if len(match.segments) > 1 else "",
        match.format.name_room(table.room, "{} room"),
        table.state.value,
    )
    where = ", ".join(filter(None, places))
    # Why a table is in another state may tell what it was playing.
    why = f": {table.reason}" if table.reason and table.state is TableState.FAILED else ""
    return f"{where[0].upper()}{where[1:]}{why}; {sides}"


def _describe_missing(card: Scorecard) -> Iterator[str]:
    """Say which boards are not shown, and why, where that is not simply that nobody has finished them."""
    again = [board.number for board in card.boards if board.number in card.replayed]
    others = [board.number for board in card.boards if board.number in card.hidden and board.number not in again]
    for numbers, why in (
        (again, "played again: the first result does not count"),
        (others, "not shown: somebody still has these hands to play, here or in another event"),
    ):
        if numbers:
            are = plural(len(numbers), "is", "are")
            yield f"{plural(len(numbers), 'Board')} {format_ranges(numbers)} {are} {why}"


# Documents


def forfeit_rows(forfeits: Iterable[Ruling]) -> list[ForfeitDocument]:
    """Return the rulings by which a team lost a board in a room."""
    return [
        ForfeitDocument(ruling.room, ruling.team, describe_cause(ruling))
        for ruling in forfeits
        if ruling.room is not None
    ]


def score_row(card: Scorecard, *, is_cancelled: bool) -> ScoreDocument:
    """Return the IMPs or points so far, and the VPs of a finished match that counts.

    There is nothing before a board may be shown, and in pairs events. In a knockout there are no VPs.
    """
    match, scale = card.match, card.match.compared_scale
    if scale is None:
        return ScoreDocument(figures=match_figures(None, None, None, None), margins=margin_row(match.board_scale))
    totals = card.totals if card.score is not None or card.boards_finished else None
    home, away = totals[:2] if totals is not None else (None, None)
    return ScoreDocument(
        figures=match_figures(scale, home, away, card.vp if not is_cancelled else None),
        margins=margin_row(scale, totals, card.finished),
        cancelled=is_cancelled or ABSENT,
    )
