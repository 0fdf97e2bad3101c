"""The scorecard of a match: the result of each board in both rooms, and the score."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Annotated, Final

from tourney.bridge import Side
from tourney.event.drawn import DrawnEvent
from tourney.movement.carry_over import format_imps_hundredths
from tourney.movement.seating import Room
from tourney.output.content import BoardLink
from tourney.output.rows import ABSENT, CSV_ONLY, INLINE, NOT_IN_CSV, NOTHING, InCsv, Row
from tourney.output.tables import CsvTable, Part, TextTable, csv_table
from tourney.output.units import Points, RoomName, SeatUnit, VulnerabilityName
from tourney.plurals import count, plural
from tourney.protocol.session.records import RulingKind
from tourney.report.analysis import BoardPar, load_pars
from tourney.report.figures import MatchFigures, imps_of, match_figures, points_of
from tourney.report.margins import MarginDocument, describe_margins, margin_row
from tourney.report.outcome import ResultDocument, format_assigned_outcome, format_outcome, result_row
from tourney.report.report import Report
from tourney.report.rulings import RulingDocument, describe_cause, describe_ruling, ruling_row
from tourney.report.schedule import CarryDocument, describe_round, format_ranges
from tourney.report.score_sheet import LineFigures, SheetDocument, draw_sheets, line_figures, sheet_row
from tourney.results.cancelled import load_cancelled
from tourney.results.score_sheet import ScoreSheet, load_sheet
from tourney.results.scorecard import Scorecard, ScorecardBoard, load_scorecard, total_hundredths
from tourney.scoring.board_scale import BoardScale
from tourney.scoring.ledger import LedgerEntry
from tourney.store.draw.objects import EventInfo, MatchInfo, TableInfo
from tourney.store.models import TableState
from tourney.store.rulings import RulingInfo
from tourney.times import format_duration

HEADING_CHARS_MAX: Final = 16
"""The longest word of a team's name that may head its column: with two of these, a scorecard fits 80 columns."""


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
    dealer: Annotated[SeatUnit, CSV_ONLY]
    """The dealer."""
    vulnerable: Annotated[VulnerabilityName, CSV_ONLY]
    """Which sides are vulnerable."""
    open: ResultDocument | None
    """The result in the open room."""
    closed: ResultDocument | None
    """The result in the closed room."""
    imps: Annotated[int | None, InCsv(name="imps_home")]
    """IMPs of the home team, negative when it lost them; null in matches scored in points."""
    imps_away: int | None
    """IMPs of the away team: the opposite, unless the score was adjusted."""
    adjusted: Annotated[bool, CSV_ONLY]
    """Whether a ruling has changed its score."""
    cancelled: bool
    """Whether the board counts for nobody; its IMPs are 0 then."""
    forfeits: Annotated[list[ForfeitDocument], NOT_IN_CSV]
    """The teams that forfeited the board, by room."""
    points: Annotated[Points | None, InCsv(name="points_home")] = ABSENT
    """In matches scored in points: those of the home team as a decimal string, in place of IMPs, like the next."""
    points_away: Points | None = ABSENT
    """In matches scored in points: those of the away team."""
    par: Annotated[BoardPar, INLINE] = ABSENT
    lines: Annotated[LineFigures, CSV_ONLY, INLINE] = ABSENT


class ScoreDocument(Row, kw_only=True):
    """The score of a match."""

    figures: Annotated[MatchFigures, INLINE]
    margins: Annotated[MarginDocument, INLINE, InCsv(after="vp_away")]
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
    sheet: ScoreSheet | None = None
    """The score sheet of a match of rubber bridge or Chicago."""
    is_cancelled: bool = False
    """Whether the match does not count because a team has left early."""

    def content(self) -> ScorecardDocument:
        """Return the scorecard, including thinking times."""
        card, match = self.card, self.card.match
        return ScorecardDocument.from_attributes(
            match,
            match=match.number,
            boards=_board_rows(card, self.pars, self.sheet),
            score=score_row(card, is_cancelled=self.is_cancelled),
            carry=CarryDocument(match.carry_home, match.carry_away),
            rulings=list(map(ruling_row, card.live_rulings)),
            sheet=sheet_row(self.sheet) if self.sheet is not None else ABSENT,
        )

    def csv(self) -> CsvTable:
        """Return a row per board; an unfinished board has only its number, dealer and vulnerability."""
        without = []
        if not self.card.match.board_scale.is_in_points:
            without += ["points", "points_away"]
        if not self.pars:
            without.append("par")
        if self.sheet is None:
            without.append("lines")
        return csv_table(ScorecardBoardDocument, _board_rows(self.card, self.pars, self.sheet), without=without)

    def text(self) -> Iterator[Part]:
        """Yield the scorecard, who sat where, and the rulings, numbered as in the scorecard."""
        card, match = self.card, self.card.match
        place = describe_round(self.event, match.round)
        third = ", for third place" if match.is_third_place else ""
        place = f"{place[0].lower()}{place[1:]}, match {match.number}{third}"
        yield f"{card.event}, {place}: {match.home} - {match.away}"
        yield ""
        notes = {ruling.id: index for index, ruling in enumerate(card.live_rulings, 1)}
        if self.sheet is not None:
            yield from self._game_text(self.sheet, notes)
        else:
            yield self._table(notes)
        yield ""
        if self.pars:
            yield "Par is North-South's score double dummy, v par the IMPs that they won against it in the room"
        if self.is_cancelled:
            yield "cancelled: a team left before half of its matches were played, so this one does not count"
        if card.is_withheld:
            shown = f"{card.boards_finished} of {count(len(_listed(card)), 'board')}"
            yield f"over; {shown} shown so far, and the score when nobody has the others to play any more"
        elif card.score is None and self.sheet is not None:
            yield f"{count(card.boards_finished, 'board')} finished, the match is not over"
        elif card.score is None:
            yield f"{card.boards_finished} of {count(len(card.boards), 'board')} finished in both rooms"
        for table in match.tables:
            yield _describe_room(card, table)
        said = describe_margins(card.finished) if card.finished else None
        if said is not None:
            yield said
        if notes:
            yield ""
        for ruling in card.live_rulings:
            yield f"({notes[ruling.id]}) {describe_ruling(ruling, with_match=False)}"
        yield from _describe_missing(card)

    def _game_text(self, sheet: ScoreSheet, notes: Mapping[int, int]) -> Iterator[Part]:
        """Yield the deals of a match of a game, and its score sheet as on paper."""
        card, match = self.card, self.card.match
        names = [_heading(team, other) for team, other in ((match.home, "Home"), (match.away, "Away"))]
        table = TextTable(">Board", "Dlr", "Vul", "Result", *(f">{name}" for name in names), keys=1)
        for board in card.boards:
            if board.imps is None or board.imps_away is None:
                break
            result, _ = _room_cells(board, Room.OPEN, notes)
            marks = [f"({notes[ruling.id]})" for ruling in board.rulings if ruling.room is None]
            words = " ".join(filter(None, ("cancelled" if board.is_cancelled else result, *marks)))
            points = (str(points or "") for points in (board.imps, board.imps_away))
            table.add_row(str(board.number), board.dealer.letter, board.vulnerability.value, words, *points)
        table.add_section()
        table.add_row(
            sheet.unit.capitalize() if sheet.unit == "points" else sheet.unit, "", "", "", *map(str, card.totals[:2])
        )
        yield table
        title = sheet.settings.kind.value.capitalize()
        if len(sheet.sheets) > 1:
            yield ""
            yield f"{title}s won: {match.home} {sheet.won.ns}, {match.away} {sheet.won.ew}"
        if sheet.has_line:
            yield from draw_sheets(sheet.sheets, title, match.home, match.away, partial(BoardLink, match.number))

    def _table(self, notes: Mapping[int, int]) -> TextTable:
        card, match, pars = self.card, self.card.match, self.pars
        names = [_heading(team, other) for team, other in ((match.home, "Home"), (match.away, "Away"))]
        table = TextTable(
            *(">Board", "Dlr", "Vul", "Open", ">Score", "Closed", ">Score"),
            *(f">{name}" for name in names),
            *((">Par", *(f">{room.value.title()} v par" for room in Room)) if pars else ()),
            *(f">{room.value.title()} {who}" for room in Room if self.has_times for who in ("N-S", "E-W", "TM")),
            worth={"Dlr": -1, "Vul": -1},
            keys=1,
        )
        for board in card.boards:
            par_cells = _par_cells(board, pars.get(board.number)) if pars else ()
            time_cells = _time_cells(board) if self.has_times else ()
            table.add_row(*_board_cells(match, board, notes), *par_cells, *time_cells)
        table.add_section()
        if match.carry_home or match.carry_away:
            carried = (format_imps_hundredths(imps) for imps in (match.carry_home, match.carry_away))
            table.add_row("Carried", *[""] * 6, *carried)
        scale = match.board_scale
        table.add_row(
            scale.heading,
            *[""] * 6,
            *map(format_imps_hundredths, total_hundredths(card)),
        )
        if not card.totals.is_balanced:
            table.add_row("Margin", *[""] * 6, *map(scale.format_signed, card.totals.margins))
        if not self.event.stage_of(match).format.is_knockout:
            score = card.score if not self.is_cancelled else None
            ranked = (score.vp_home, score.vp_away) if score is not None else None
            says_more = not scale.ranks_by_points or ranked not in (None, (card.imps_home, card.imps_away))
            if says_more and not self.is_cancelled:
                points = map(scale.format_vp, ranked) if ranked is not None else [NOTHING] * 2
                table.add_row(scale.match_heading, *[""] * 6, *points)
        return table


def _heading(team: str, place: str) -> str:
    """Return the heading of a team's column: its name, unless that would make the column too wide."""
    return team if max(map(len, team.split())) <= HEADING_CHARS_MAX else place


def load(drawn: DrawnEvent, *, match_number: int, times: bool = False) -> MatchReport:
    """Load the scorecard of a match.

    Raises:
        StoreError: the database cannot be used.
        UsageError: there is no such match.
    """
    match = drawn.match(match_number)
    card = load_scorecard(drawn.database, drawn.event, match, drawn.scales[match.stage])
    sheet = load_sheet(drawn.database, card)
    cancelled = load_cancelled(drawn.database, drawn.event, lambda: drawn.ranking_rules)
    pars = load_pars(drawn.database, card)
    return MatchReport(drawn.event, card, pars, times, sheet, is_cancelled=match.number in cancelled)


def _describe_missing(card: Scorecard) -> Iterator[str]:
    """Say which boards are not shown, and why, where that is not simply that nobody has finished them."""
    again = [board.number for board in card.boards if board.number in card.replayed]
    others = [board.number for board in card.boards if board.number in card.hidden and board.number not in again]
    for numbers, why in (
        (again, "played again: the first result does not count"),
        (others, "not shown: somebody still has these hands to play, here or in another event"),
    ):
        if numbers:
            is_or_are = "is" if len(numbers) == 1 else "are"
            yield ""
            yield f"{plural(len(numbers), 'Board').title()} {format_ranges(numbers)} {is_or_are} {why}"


# Documents


def _board_rows(
    card: Scorecard, pars: Mapping[int, BoardPar], sheet: ScoreSheet | None
) -> list[ScorecardBoardDocument]:
    entries = dict(sheet.entries) if sheet is not None else {}
    return [
        _board_row(card.match, board, pars.get(board.number), entries.get(board.number)) for board in _listed(card)
    ]


def _listed(card: Scorecard) -> Sequence[ScorecardBoard]:
    """Return the boards of a match; where results decide how many it has, those that are only kept ready are not."""
    if card.match.game is None:
        return card.boards
    broken_off = any(board.is_cancelled and not board.results and not board.forfeits for board in card.boards)
    if card.match.boards_known is not None and not broken_off:
        return card.boards
    return [board for board in card.boards if board.imps is not None]


def _board_row(
    match: MatchInfo, board: ScorecardBoard, par: BoardPar | None, entry: LedgerEntry | None
) -> ScorecardBoardDocument:
    scale = match.board_scale
    results = {room: result_row(result) for room, result in board.results.items()}
    return ScorecardBoardDocument(
        board=board.number,
        dealer=board.dealer,
        vulnerable=board.vulnerability,
        open=results.get(Room.OPEN),
        closed=results.get(Room.CLOSED),
        imps=imps_of(scale, board.imps),
        imps_away=imps_of(scale, board.imps_away),
        adjusted=bool(board.rulings),
        cancelled=board.is_cancelled,
        forfeits=forfeit_rows(board.forfeits),
        points=points_of(scale, board.imps),
        points_away=points_of(scale, board.imps_away),
        par=par if par is not None else ABSENT,
        lines=line_figures(entry) if entry is not None else ABSENT,
    )


def forfeit_rows(forfeits: Iterable[RulingInfo]) -> list[ForfeitDocument]:
    """Return the rulings by which a team lost a board in a room."""
    return [
        ForfeitDocument(ruling.room, ruling.team, describe_cause(ruling))
        for ruling in forfeits
        if ruling.room is not None
    ]


def score_row(card: Scorecard, *, is_cancelled: bool = False) -> ScoreDocument:
    """Return the IMPs or points so far, and the VPs of a finished match that counts; nothing in pairs events.

    In a knockout there are no VPs.
    """
    scale, match = card.match.compared_scale, card.match
    if scale is None:
        figures = match_figures(None, None, None, None)
        return ScoreDocument(figures=figures, margins=margin_row(match.board_scale))
    score = card.score if not is_cancelled and not match.format.is_knockout else None
    vp = (score.vp_home, score.vp_away) if score is not None else None
    totals = card.totals if card.score is not None or card.boards_finished else None
    home, away = totals[:2] if totals is not None else (None, None)
    return ScoreDocument(
        figures=match_figures(scale, home, away, vp),
        margins=margin_row(scale, totals, card.finished),
        cancelled=is_cancelled or ABSENT,
    )


# Text


def _board_cells(match: MatchInfo, board: ScorecardBoard, notes: Mapping[int, int]) -> list[str]:
    cells = [str(board.number), board.dealer.letter, board.vulnerability.value]
    if board.imps is None or board.imps_away is None:
        return cells + [NOTHING] * 6
    for room in Room:
        cells += _room_cells(board, room, notes)
    scale = match.board_scale
    figures = ["", ""] if board.is_cancelled else won_cells(scale, board.imps, board.imps_away)
    for ruling in board.rulings:
        if ruling.room is None and not board.is_cancelled:
            place = 0 if ruling.team == match.home else 1
            figures[place] = f"{figures[place]} ({notes[ruling.id]})".strip()
        elif ruling.room is None:
            figures = [f"cancelled ({notes[ruling.id]})", ""]
    return cells + figures


def won_cells(scale: BoardScale, home: int, away: int) -> list[str]:
    """Return what both teams have won on a board; only the winner's, unless a ruling gives them unequal figures."""
    figures = [scale.format(home), scale.format(away)]
    if scale.is_balanced(home, away):
        figures = [figure if not figure.startswith("-") and figure != "0" else "" for figure in figures]
    return figures


def _room_cells(board: ScorecardBoard, room: Room, notes: Mapping[int, int]) -> tuple[str, str]:
    """Return what counts in a room and its score: results that were assigned stand in place of the table's."""
    result = board.results.get(room)
    rulings = [ruling for ruling in board.rulings if ruling.room is room]
    assigned = [
        f"{format_assigned_outcome(ruling.assigned)} for {ruling.team} ({notes[ruling.id]})"
        for ruling in rulings
        if ruling.kind is RulingKind.ASSIGNED_SCORE
    ]
    if assigned:
        return "; ".join(assigned), "assigned"
    words = [format_outcome(result)] if result is not None else []
    words += (f"forfeited by {ruling.team} ({notes[ruling.id]})" for ruling in rulings)
    return ", ".join(words), str(result.result.score) if result is not None else ""


def _par_cells(board: ScorecardBoard, par: BoardPar | None) -> list[str]:
    """Return the cells for North-South's par and for the IMPs that they won against it in each room."""
    if par is None:
        return [NOTHING if board.imps is None else ""] * 3
    return [str(par.par), *(f"{par.par_imps[room]:+}" if room in par.par_imps else "" for room in Room)]


def _time_cells(board: ScorecardBoard) -> list[str]:
    """Format the times in both rooms: North-South, East-West, the table's own share."""
    cells: list[str] = []
    for room in Room:
        times_ms, result = board.times_ms.get(room), board.results.get(room)
        cells += [format_duration(times_ms[side]) if times_ms is not None else NOTHING for side in Side]
        cells.append(format_duration(result.tm_ms) if result is not None else NOTHING)
    return cells


def _describe_room(card: Scorecard, table: TableInfo) -> str:
    """Describe who sat in a room, and how long each side thought over the boards that are shown."""
    thought = ", ".join(
        f"{table.team(side)} {where} {format_duration(card.thinking_ms(table, side))}"
        for side, where in ((Side.NS, "N-S"), (Side.EW, "E-W"))
    )
    # Why a table is in another state may tell what it was playing.
    why = f": {table.reason}" if table.reason and table.state is TableState.FAILED else ""
    where = f"{table.room.value} room"
    if not card.match.format.has_rooms:
        where = "at the table"
    elif len(card.match.segments) > 1:
        where = f"segment {table.segment}, {where}"
    return f"{where[0].upper()}{where[1:]}, {table.state.value}{why}; thinking time {thought}"
