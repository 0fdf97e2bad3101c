"""The pages of one match: its scorecard, and every board of it that may be shown.

In pairs events a match is a table in one round.
"""

from collections.abc import Collection, Mapping, Sequence
from functools import cached_property, partial

from tourney.bridge import SEATS
from tourney.bridge.minibridge import count_hcp
from tourney.movement.seating import Room
from tourney.output.content import BoardLink
from tourney.report.analysis import BoardPar, compare_with_par
from tourney.report.boards import board_table
from tourney.report.rounds import MatchSummary
from tourney.report.score_sheet import draw_sheets
from tourney.results.played import PlayedBoard, PlayedMatch
from tourney.results.score_sheet import ScoreSheet, score_sheet_of
from tourney.results.scorecard import Scorecard
from tourney.site import urls
from tourney.site.views.board import board_rulings, picture_board, view_rooms
from tourney.site.views.frame import Context, Frame, shares_boards
from tourney.site.views.match import (
    describe_result,
    view_margin,
    view_segments,
    view_times,
)
from tourney.site.views.tables import SectionView, TableView, view_sections, view_table
from tourney.store.draw.objects import MatchInfo


class MatchPages:
    """The pages of a match.

    Args:
        frame: what they share with the other pages of the event.
        played: the match, without the boards that nobody may see yet.
    """

    def __init__(self, frame: Frame, played: PlayedMatch) -> None:
        self._frame = frame
        self._played = played
        self._stage = frame.event.stage_of(played.card.match)
        self._places = {board.board.number: place for place, board in enumerate(played.boards)}

    @property
    def boards(self) -> Collection[int]:
        """The numbers of the boards that may be shown."""
        return self._places.keys()

    @cached_property
    def _summary(self) -> MatchSummary:
        is_cancelled = self._played.match.number in self._frame.view.cancelled
        return MatchSummary(self._played.match, self._played.card, is_cancelled)

    @cached_property
    def _pars(self) -> Mapping[int, BoardPar]:
        boards = self._played.boards
        solved = {board.board.number: board.analysis.worth for board in boards if board.analysis is not None}
        return compare_with_par(self._played.card, solved)

    def match(self) -> Context:
        """Views the scorecard of a match, or the results of a table of pairs in a round."""
        return self._table() if self._stage.format.ranks_by_boards else self._scorecard()

    def _scorecard(self) -> Context:
        """View the scorecard of a match of two teams."""
        card, match = self._played.card, self._played.match
        is_knockout, sheet = self._stage.format.is_knockout, _sheet_of(self._played)
        return {
            "card": card,
            "match": match,
            "line": self._summary,
            "result": describe_result(card, is_knockout=is_knockout, is_cancelled=self._summary.is_cancelled),
            "rooms": tuple(match.segments[0].tables),
            "scale": match.board_scale,
            "sheet": sheet,
            "sheet_parts": _view_sheets(sheet, match) if sheet is not None and sheet.has_line else (),
            "has_vp": _has_vp(card, is_knockout=is_knockout) and not self._summary.is_cancelled,
            "segments": view_segments(card, self._stage),
            "times": view_times(card),
            "margin": view_margin(card),
            "running": card.running_totals,
            "vp_now": self._vp_now(),
            "longest_ms": _longest_ms(card),
            "tables": self._frame.tables_in_play(match.number),
            "pars": self._pars,
            "notes": {ruling.id: index for index, ruling in enumerate(card.live_rulings, 1)},
            **self._turner(),
        }

    def _vp_now(self) -> tuple[int, int] | None:
        """Return the victory points of both teams if the match ended now; None if it has, or has none."""
        card, scale = self._played.card, self._frame.scales.get(self._stage.number)
        begun = card.score is None and card.boards_finished > 0
        if not begun or scale is None or self._stage.format.is_knockout or card.match.game is not None:
            return None
        totals, board_scale = card.totals, card.match.board_scale
        home, away = totals.margins
        return board_scale.vp(totals.home, home, scale), board_scale.vp(totals.away, away, scale)

    def _table(self) -> Context:
        """View the results of a table of pairs in a round."""
        match, pairs = self._played.match, self._frame.pairs
        rows = pairs.view_table(match)
        has_site = self._frame.has_site
        return {
            "template": "table.html",
            "match": match,
            "card": self._played.card,
            "line": self._summary,
            "number": pairs.table_number(match),
            "rows": rows,
            "scores": pairs.scores(match.stage) if has_site else None,
            "pages": {board: pairs.page_of(match.stage, board) for board in rows} if has_site else {},
            **self._turner(),
        }

    def _turner(self) -> dict[str, str | None]:
        """Return the matches before and after it."""
        number, last = self._played.match.number, len(self._frame.event.matches)
        has_site = self._frame.has_site
        return {
            "before": urls.match_page(number - 1) if has_site and number > 1 else None,
            "after": urls.match_page(number + 1) if has_site and number < last else None,
        }

    def board(self, number: int) -> Context | None:
        """Views a board; None if there is no such board, or it may not be shown.

        Raises:
            RuleError: the record of a forfeited board has an illegal auction.
        """
        if number not in self._places:
            return None
        played, index, pairs = self._played, self._places[number], self._frame.pairs
        board, match = played.boards[index], played.match
        before = played.boards[index - 1] if index > 0 else None
        after = played.boards[index + 1] if index + 1 < len(played.boards) else None
        has_site = self._frame.has_site
        views = tuple(view_rooms(played, board).values())
        return {
            "match": match,
            "names_tables": match.format.ranks_by_boards,
            "traveller_page": self._all_tables_page(number) if has_site else None,
            "field": self._field_board(number),
            "traveller_row": pairs.view_table(match).get(number) if has_site else None,
            "scores": pairs.scores(match.stage),
            "segment": board.tables[Room.OPEN].segment if len(match.segments) > 1 else None,
            "board": board.board,
            "picture": picture_board(board.board, views),
            "views": views,
            "hcp": {seat: count_hcp(board.board.deal[seat]) for seat in SEATS},
            "worth": board.analysis.worth if board.analysis is not None else None,
            "par": self._pars.get(number),
            "scale": match.board_scale,
            "imps": board.imps,
            "imps_away": board.imps_away,
            "line": next(line for line in played.card.boards if line.number == number),
            "rulings": board_rulings(played, board, None),
            **self._board_link("before", before),
            **self._board_link("after", after),
        }

    def _all_tables_page(self, number: int) -> str | None:
        """Return the address of a board at all tables; None if only this match has it."""
        match, event = self._played.match, self._frame.event
        if match.format.ranks_by_boards:
            return self._frame.pairs.page_if_shown(match.stage, number)
        return urls.round_board_page(match.round, number) if shares_boards(event.rounds[match.round - 1]) else None

    def _field_board(self, number: int) -> TableView | None:
        """View a board as all tables of the round have played it; None if only this match has."""
        compared = self._frame.compared(self._played.match.round)
        boards = compared.boards if compared is not None else ()
        tables = (board_table(each, self._played.match.number) for each in boards if each.board.number == number)
        return next((view_table(table, "All tables, the best for North-South first") for table in tables), None)

    def _board_link(self, name: str, board: PlayedBoard | None) -> dict[str, str | None]:
        if board is None:
            return {name: None, f"{name}_text": None}
        number = board.board.number
        return {name: urls.board_page(self._played.match.number, number), f"{name}_text": f"Board {number}"}


def _view_sheets(sheet: ScoreSheet, match: MatchInfo) -> Sequence[SectionView]:
    title = sheet.settings.kind.value.capitalize()
    return view_sections(draw_sheets(sheet.sheets, title, match.home, match.away, partial(BoardLink, match.number)))


def _longest_ms(card: Scorecard) -> int:
    """Returns the longest time that a side has taken for a board."""
    times = (ms for board in card.boards for sides in board.times_ms.values() for ms in sides.values())
    return max(times, default=0)


def _has_vp(card: Scorecard, *, is_knockout: bool) -> bool:
    """Returns whether victory points are shown beside the score: if they count, and the score does not say them."""
    if card.score is None or is_knockout:
        return False
    scale, totals = card.match.board_scale, card.totals
    home, away = totals.margins
    return not (
        scale.is_said_by_score(card.score.vp_home, totals.home, home)
        and scale.is_said_by_score(card.score.vp_away, totals.away, away)
    )


def _sheet_of(played: PlayedMatch) -> ScoreSheet | None:
    """Returns the score sheet of a match of rubber bridge or Chicago, up to the first board that is not shown."""
    deals = {board.board.number: board.board for board in played.boards}
    boards = []
    for line in played.card.boards:
        if line.number not in deals:
            break
        boards.append(deals[line.number])
    return score_sheet_of(played.card, boards)
