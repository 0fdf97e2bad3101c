"""The tables of a match: its boards with what both rooms made of them, and how long everybody thought."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from operator import attrgetter
from typing import Any, Final, NamedTuple

from tourney.bridge import Card, Side
from tourney.contest.draw import MatchInfo
from tourney.movement.seating import Room
from tourney.output.content import BoardLink, Content, Linked, Running, Toned
from tourney.output.rows import NOTHING, Cell
from tourney.output.tables import TextTable, make_table
from tourney.results.scorecard import Scorecard, ScorecardBoard
from tourney.scoring.board_scale import BoardScale
from tourney.scoring.match import total_imps
from tourney.scoring.victory_points import VpHundredths, format_hundredths
from tourney.times import format_duration
from tourney.views.analysis import BoardPar
from tourney.views.outcome import format_assigned_outcome

HEADING_CHARS_MAX: Final = 16
"""The longest word of a team's name that may head its column: with two of these, a scorecard fits 80 columns."""


class _Line(NamedTuple):
    """A row of a scorecard: a board, or a sum."""

    name: Content
    home: Content
    away: Content
    board: ScorecardBoard | None = None
    segment: int = 0


def scorecard_table(
    card: Scorecard,
    notes: Mapping[int, int],
    pars: Mapping[int, BoardPar],
    vp: tuple[VpHundredths, VpHundredths] | None,
    leads: Mapping[tuple[Room, int], Card] | None,
) -> TextTable:
    """Return the boards of a match, segment by segment, with the sums below.

    Args:
        card: the scorecard of the match.
        notes: the numbers that stand for the rulings in force, by their ids.
        pars: par on the boards that have been solved, by their numbers.
        vp: what both teams have in that by which they rank, if that is shown.
        leads: the opening lead in each room, by the number of the board; None where there is no room for it.
    """
    match, scale = card.match, card.match.board_scale
    sums = [_sum(scale.heading, format_hundredths, card.totals_hundredths)]
    if match.carry_home or match.carry_away:
        sums.insert(0, _sum("Carried over", format_hundredths, (match.carry_home, match.carry_away)))
    if not card.totals.is_balanced:
        sums.append(_sum("Margin", scale.format_signed, card.totals.margins))
    if vp is not None:
        sums.append(_sum(scale.match_heading, scale.format_vp, vp))
    duplicate = "" if len(match.rooms) > 1 else " as at duplicate"
    return make_table(
        list(_columns(card, notes, pars, leads)),
        list(_lines(card, notes)),
        sums,
        caption=f"Scores are North-South's{duplicate}; {scale.unit} go to the {match.format.entrant} above them",
        keys=1,
        section_of=lambda line: line.segment,
    )


def _sum(name: str, form: Callable[[int], str], figures: tuple[int, int], segment: int = 0) -> _Line:
    home, away = figures
    return _Line(name, form(home), form(away), segment=segment)


def _columns(
    card: Scorecard,
    notes: Mapping[int, int],
    pars: Mapping[int, BoardPar],
    leads: Mapping[tuple[Room, int], Card] | None,
) -> Iterator[Cell]:
    match = card.match
    yield Cell("Board", "name", worth=2)
    yield Cell("Dlr", lambda line: line.board.dealer if line.board else "", words="Dealer", worth=-1)
    yield Cell("Vul", lambda line: line.board.vulnerability.value if line.board else "", words="Vulnerable", worth=-1)
    for room in match.rooms:
        yield from _room_columns(match.format.name_room(room).title() or "Result", room, notes, leads)

    def par(board: ScorecardBoard) -> str:
        return str(pars[board.number].par) if board.number in pars else ""

    if pars and leads is not None:
        yield _of_board(">Par", par, worth=-1)
    for team, place in ((match.home, "home"), (match.away, "away")):
        # The name of a team, unless that would make the column too wide.
        heading = team if max(map(len, team.split())) <= HEADING_CHARS_MAX else place.title()
        yield Cell(f">{heading}", attrgetter(place), worth=2, tone="swing")
    if card.boards_finished > 1:
        running = _running(card)
        heading = (
            ">Run"
            if leads is None
            else f"\N{LEFTWARDS ARROW} {match.home} ahead | {match.away} ahead \N{RIGHTWARDS ARROW}"
        )
        yield _of_board(heading, lambda board: running[board.number], words="Running score", worth=-1, tone="running")
    if pars and leads is None:
        yield _of_board(">Par", par)
        for room in match.rooms:
            yield _of_board(f">{room.value.title()} v par", partial(_against_par, room=room, pars=pars))


def _running(card: Scorecard) -> dict[int, Running]:
    """Return how the match stood after each board that is shown."""
    totals, before = card.running_totals, card.match.carry_home - card.match.carry_away
    most = max(abs(home - away) for home, away in [(before, 0), *totals.values()])
    found = {}
    for number, (home, away) in totals.items():
        found[number] = Running(home, away, before, most)
        before = home - away
    return found


def _of_board(heading: str, content: Callable[[ScorecardBoard], object], **more: Any) -> Cell:
    """Return a column of the boards that are shown."""

    def shown(line: _Line) -> object:
        if line.board is None:
            return ""
        return content(line.board) if line.board.imps is not None else NOTHING

    return Cell(heading, shown, **more)


def _lines(card: Scorecard, notes: Mapping[int, int]) -> Iterator[_Line]:
    """Yield the boards; where there are several segments, with the sums of each below its own."""
    match, scale = card.match, card.match.board_scale
    boards = listed_boards(card)
    for segment in match.segments:
        own = boards[segment.span]
        for board in own:
            name: Content = str(board.number)
            if board.imps is not None:
                name = Linked(name, BoardLink(match.number, board.number))
            yield _Line(name, *_won(match, board, notes), board, segment.number)
        compared = [board.comparison for board in own if board.comparison is not None]
        if len(match.segments) > 1 and compared:
            won = total_imps(compared, board_scale=scale)
            yield _sum(segment_name(match, segment.number), scale.format, (won.home, won.away), segment.number)


def listed_boards(card: Scorecard) -> Sequence[ScorecardBoard]:
    """Return the boards of a match; where results decide how many it has, those that are only kept ready are not."""
    if not card.match.ends_by_results:
        return card.boards
    broken_off = any(board.is_cancelled and not board.results and not board.forfeits for board in card.boards)
    if card.match.boards_known is not None and not broken_off:
        return card.boards
    return [board for board in card.boards if board.imps is not None]


def segment_name(match: MatchInfo, number: int) -> str:
    """Return what a segment of a match is called: `Segment 2`, or `Extra boards`."""
    extra = number - match.rules.segments
    if extra <= 0:
        return f"Segment {number}"
    return "Extra boards" if extra == 1 else f"Extra boards, {extra}"


def _won(match: MatchInfo, board: ScorecardBoard, notes: Mapping[int, int]) -> tuple[Content, Content]:
    """Return what both teams have won on a board, each with the rulings that gave it that."""
    if board.imps is None or board.imps_away is None:
        return NOTHING, NOTHING
    scale = match.board_scale
    figures = ["cancelled", ""] if board.is_cancelled else won_cells(scale, board.imps, board.imps_away)
    for ruling in board.rulings:
        if ruling.room is None:
            place = 1 if ruling.team == match.away and not board.is_cancelled else 0
            figures[place] = f"{figures[place]} ({notes[ruling.id]})".strip()
    home, away = figures
    return _toned(home, "home", board.imps / scale.most), _toned(away, "away", board.imps_away / scale.most)


def won_cells(scale: BoardScale, home: int, away: int) -> list[str]:
    """Return what both teams have won on a board; only the winner's, unless a ruling gives them unequal figures."""
    figures = [scale.format(home), scale.format(away)]
    if scale.is_balanced(home, away):
        figures = [figure if not figure.startswith("-") and figure != "0" else "" for figure in figures]
    return figures


def _toned(figure: str, side: str, share: float) -> Content:
    """Return what a team has won, in its colour, the stronger the more of what could be won it is."""
    if share <= 0:
        return figure
    return Toned(figure, f"{side}-{'big' if share >= 0.4 else 'some' if share >= 0.2 else 'few'}")


def _room_columns(
    heading: str, room: Room, notes: Mapping[int, int], leads: Mapping[tuple[Room, int], Card] | None
) -> Iterator[Cell]:
    """Yield the columns of what a room made of the boards."""

    def outcome(board: ScorecardBoard) -> Content:
        """Return what counts: results that were assigned stand in place of the table's."""
        rulings = [ruling for ruling in board.rulings if ruling.room is room]
        assigned = [
            f"{format_assigned_outcome(ruling.assigned)} for {ruling.team} ({notes[ruling.id]})"
            for ruling in rulings
            if ruling.assigned
        ]
        if assigned:
            return "; ".join(assigned)
        forfeits = [f"forfeited by {ruling.team} ({notes[ruling.id]})" for ruling in rulings]
        if room not in board.results:
            return ", ".join(forfeits) or "no result"
        return (board.results[room].result, *forfeits)

    def score(board: ScorecardBoard) -> str:
        if any(ruling.assigned for ruling in board.rulings if ruling.room is room):
            return "assigned"
        return str(board.results[room].result.score) if room in board.results else ""

    def tricks(board: ScorecardBoard) -> str:
        result = board.results[room].result if room in board.results else None
        return str(result.tricks) if result is not None and result.contract is not None else ""

    yield _of_board(heading, outcome, worth=1)
    if leads is not None:
        yield _of_board("Lead", lambda board: leads.get((room, board.number), ""), worth=-1)
        yield _of_board(">Tricks", tricks, worth=-1)
    yield _of_board(">Score", score)


def _against_par(board: ScorecardBoard, room: Room, pars: Mapping[int, BoardPar]) -> str:
    """Return the IMPs that North-South won against par in a room."""
    par = pars.get(board.number)
    return f"{par.par_imps[room]:+}" if par is not None and room in par.par_imps else ""


class _Times(NamedTuple):
    """A row of thinking times: a board, or all of them."""

    name: Content
    ms: Mapping[tuple[Room, Side | None], int]
    """Milliseconds of both sides in each room, and of the table itself (None)."""


def times_table(card: Scorecard) -> TextTable:
    """Return how long both sides have thought over each board, and the share of the table itself."""
    match, rows, total = card.match, [], Counter[tuple[Room, Side | None]]()
    for board in card.boards:
        if board.imps is not None:
            ms: dict[tuple[Room, Side | None], int] = {
                (room, side): sides[side] for room, sides in board.times_ms.items() for side in Side
            }
            ms |= {(room, None): result.tm_ms for room, result in board.results.items()}
            total.update(ms)
            rows.append(_Times(Linked(str(board.number), BoardLink(match.number, board.number)), ms))
    columns = [Cell("Board", "name", worth=1)]
    for room in match.rooms:
        for whose, words in ((Side.NS, "N-S"), (Side.EW, "E-W"), (None, "Table")):
            heading = f"{match.format.name_room(room, '{} ').title()}{words}"
            columns.append(Cell(f">{heading}", partial(_time, key=(room, whose)), worth=int(whose is not None)))
    caption = "Minutes, seconds and tenths; the table's own share is charged to nobody"
    return make_table(columns, rows, [_Times("All", total)], caption=caption, keys=1)


def _time(line: _Times, key: tuple[Room, Side | None]) -> str:
    return format_duration(line.ms[key]) if key in line.ms else NOTHING
