"""The pages of one match: its scorecard, and every board of it that may be shown.

In pairs events a match is a table in one round.
"""

from dataclasses import replace
from functools import cached_property, partial

from tourney.bridge import SEATS, Seat, Side
from tourney.bridge.minibridge import count_hcp
from tourney.contest.draw import MatchInfo
from tourney.movement.seating import Room
from tourney.output.content import (
    BoardLink,
    Content,
    EntrantLink,
    Heading,
    Linked,
    MatchLink,
    RoundLink,
    Title,
    TravellerLink,
)
from tourney.output.rows import NOTHING, Cell
from tourney.output.tables import Parts, TextTable, make_table
from tourney.plurals import count
from tourney.results.played import PlayedMatch
from tourney.results.scorecard import ScorecardBoard
from tourney.results.travellers import PlayedLine
from tourney.site import urls
from tourney.site.pages.board import board_rulings, chart_tricks, first_difference, view_room
from tourney.site.pages.frame import Context, Frame, shares_boards
from tourney.site.pages.play_on import play_on
from tourney.site.pages.share import share_board, share_match
from tourney.site.pages.tables import Turner, turn, view_page
from tourney.views.analysis import describe_worth
from tourney.views.boards import board_table
from tourney.views.match import MatchReport
from tourney.views.rulings import describe_ruling
from tourney.views.schedule import describe_round
from tourney.views.travellers import format_score


class MatchPages:
    """The pages of a match.

    Args:
        frame: what they share with the other pages of the event.
        match: the match.
        played: the match without the boards that nobody may see yet, if it is at hand; only pages of boards need it.
    """

    def __init__(self, frame: Frame, match: MatchInfo, played: PlayedMatch | None = None) -> None:
        self._frame = frame
        self._match = match
        self._at_hand = played

    @cached_property
    def _played(self) -> PlayedMatch:
        return self._at_hand or self._frame.view.played(self._match.number)

    @cached_property
    def _report(self) -> MatchReport:
        return self._frame.view.match_report(self._match.number)

    @cached_property
    def boards(self) -> list[int]:
        """The numbers of the boards that may be shown."""
        return [board.board.number for board in self._played.boards]

    def match(self) -> Context:
        """Views the scorecard of a match, or the results of a table of pairs in a round."""
        match = self._match
        if match.compared_scale is None:
            return self._table()
        card = self._report.card
        title = f"{self._noun} {match.number}"
        third = ", for third place" if match.is_third_place else ""
        return {
            **view_page(
                (part for part in self._report.text() if not isinstance(part, Title)),
                title,
                trail=[self._round],
                here_words=title + third,
                turner=self._turner,
            ),
            "match": match,
            "teams": [Linked(team, EntrantLink(team)) for team in match.teams],
            "totals": self._totals,
            "has_files": self._has_begun,
            "tables": self._frame.in_play.get(match.number, ()),
            "share": share_match(self._above, card, self._totals),
            "card_page": urls.match_page(match.number),
        }

    @property
    def _above(self) -> str:
        """What stands above the figures of a match where it is shared."""
        return f"{self._frame.event.name}, {describe_round(self._frame.event, self._match.round)}"

    @property
    def _totals(self) -> tuple[int, int] | None:
        """The score so far; None before there is any."""
        match = self._match
        return (
            self._report.card.totals_hundredths if self._has_begun or match.carry_home or match.carry_away else None
        )

    @property
    def _has_begun(self) -> bool:
        """Whether there is a result to show."""
        return bool(self._report.card.boards_finished) or self._report.card.score is not None

    @property
    def _noun(self) -> str:
        """What it is called: a match, or in pairs events a table."""
        return self._match.format.match_word.title()

    @property
    def _round(self) -> Linked:
        """The round that the match is in."""
        number = self._match.round
        return Linked(describe_round(self._frame.event, number), RoundLink(number))

    def _table(self) -> Context:
        """View the results of a table of pairs in a round."""
        match, pairs = self._match, self._frame.pairs
        found = pairs.stages.get(match.stage)
        number = found.tables.get(match.number) if found is not None else None
        here = f"Table {number}" if number is not None else "Table"
        parts = self._table_parts()
        page = view_page(parts, _versus(match), turner=self._turner, trail=[self._round], here_words=here)
        return {**page, "template": "report.html"}

    def _table_parts(self) -> Parts:
        card, match, pairs = self._report.card, self._match, self._frame.pairs
        lines = pairs.lines_at(match)

        def figure(cell: Cell, board: ScorecardBoard) -> Content:
            return cell.shown(lines[board.number]) if board.number in lines else NOTHING

        columns = [
            Cell(
                "Board",
                lambda board: str(board.number),
                worth=2,
                to=lambda board: TravellerLink(match.stage, board.number) if board.number in lines else None,
            ),
            Cell(
                "Contract",
                self._made,
                worth=2,
                to=lambda board: BoardLink(match.number, board.number) if board.imps is not None else None,
            ),
            Cell(">Score", lambda board: _score(board, lines.get(board.number)), worth=2),
        ]
        if match.stage in pairs.stages:
            of_sides = pairs.unit(match.stage).columns_of_sides(lambda line: line.scored)
            columns += [replace(cell, content=partial(figure, cell)) for cell in of_sides]
        shown = f"{card.boards_finished} of {count(len(card.boards), 'board')} can be shown"
        yield f"{match.home} North-South, {match.away} East-West; {shown}."
        yield make_table(
            columns,
            card.boards,
            caption="Scores are North-South's; a board counts when the last table that is to play it has finished "
            "its round",
        )
        if card.live_rulings:
            yield Heading("Rulings")
        yield from map(partial(describe_ruling, with_match=False), card.live_rulings)

    def _made(self, board: ScorecardBoard) -> Content:
        """Return what a table of pairs made of a board, or why that is not shown."""
        card = self._report.card
        if board.imps is None:
            if board.number in card.replayed:
                return "played again: the first result does not count"
            return "not shown while another table has it to play" if board.number in card.hidden else "not finished"
        if board.is_cancelled:
            return "cancelled"
        return next((found.result for found in board.results.values()), "no result")

    @property
    def _turner(self) -> Turner:
        """Leads to the matches before and after it, which are tables in pairs events."""
        noun = self._noun
        numbers = [each.number for each in self._frame.event.matches]
        return turn(f"{noun}s", numbers, self._match.number, f"{noun} {{}}".format, MatchLink)

    def board(self, number: int) -> Context | None:
        """Views a board; None if there is no such board, or it may not be shown.

        Raises:
            RuleError: the record of a forfeited board has an illegal auction.
        """
        if number not in self.boards:
            return None
        played, match = self._played, self._match
        board = played.boards[self.boards.index(number)]
        worth = board.analysis
        segments, score = len(match.segments), self._describe_board(board.line)
        views = tuple(view_room(played, board, room) for room in board.line.tables)
        table = f"{self._noun}{f' {match.number}' if match.compared_scale is not None else ''}: {_versus(match)}"
        return {
            **view_page(
                describe_worth(worth.worth, self._report.pars.get(number)) if worth else (),
                f"Board {number}",
                trail=[self._round, Linked(table, MatchLink(match.number))],
                here_words=f"Board {number}"
                + (f", segment {board.line.tables[Room.OPEN].segment}" if segments > 1 else ""),
                turner=turn("Boards", self.boards, number, "Board {}".format, partial(BoardLink, match.number)),
            ),
            "match": match,
            "traveller_page": self._all_tables_page(number),
            "field": self._field_board(number),
            "score": score,
            "share": share_board(f"{self._above}, board {number}", board.board, score, views),
            "card_page": urls.board_page(match.number, number),
            "board": board.board,
            "views": views,
            "charts": chart_tricks(views),
            "parting": first_difference(views),
            "hcp": {seat: count_hcp(board.board.deal[seat]) for seat in SEATS},
            "rulings": board_rulings(played, board, None),
        }

    def play_on(self, number: int, room_name: str, seat_letter: str, cards: str) -> Context | None:
        """Views a finished board as the reader plays it on; None if it may not be shown, or has no such position.

        Raises:
            RuleError: the record of a forfeited board has an illegal auction.
        """
        if number not in self.boards:
            return None
        board, room = self._played.boards[self.boards.index(number)], Room(room_name)
        if room not in board.records:
            return None
        view, seat = view_room(self._played, board, room), Seat.from_letter(seat_letter)
        position = play_on(board.records[room], seat, cards, view.picture.room.players)
        if position is None:
            return None
        trail = [self._round, Linked(f"Board {number}", BoardLink(self._match.number, number))]
        title = f"Board {number}, played on by you as {seat.title}"
        page = view_page((), title, trail=trail, here_words="Played on")
        return {**page, "view": view, "match_number": self._match.number, "position": position}

    def _describe_board(self, board: ScorecardBoard) -> str:
        """Say how a board counts."""
        match, pairs = self._match, self._frame.pairs
        if board.is_cancelled:
            return "Cancelled: the board counts for nobody"
        if (scale := match.compared_scale) is not None:
            assert board.imps is not None
            assert board.imps_away is not None
            won = scale.describe_board(match.teams, (board.imps, board.imps_away))
            return f"{won} (adjusted)" if board.rulings else won
        line = pairs.lines_at(match).get(board.number)
        if line is None:
            return "It counts when the last table that is to play it has finished its round"
        unit = pairs.unit(match.stage)
        won = "; ".join(f"{line.pair(side)} {unit.describe_board(line.scored, side)}" for side in Side)
        return f"{won} (adjusted)" if line.rulings else won

    def _all_tables_page(self, number: int) -> str | None:
        """Return the address of a board at all tables; None if only this match has it."""
        match, event = self._match, self._frame.event
        if shares_boards(event.rounds[match.round - 1]):
            return urls.ROUND_BOARD.format(round=match.round, board=number)
        pairs = self._frame.pairs
        found = pairs.stages.get(match.stage)
        return pairs.page_of(match.stage, number) if found is not None and number in found.by_board else None

    def _field_board(self, number: int) -> TextTable | None:
        """View a board as all tables of the round have played it; None if only this match has."""
        compared = self._frame.compared(self._match.round)
        boards = compared.boards if compared is not None else ()
        tables = (board_table(each, self._match.number) for each in boards if each.board.number == number)
        return next((replace(each, caption="All tables, the best for North-South first") for each in tables), None)


def _versus(match: MatchInfo) -> str:
    return f"{match.home} \N{EN DASH} {match.away}"


def _score(board: ScorecardBoard, line: PlayedLine | None) -> str:
    """Return the score that counts at a table of pairs, North-South's."""
    if board.imps is None or board.is_cancelled:
        return ""
    if line is not None:
        return format_score(line)
    return next((str(result.result.score) for result in board.results.values()), NOTHING)
