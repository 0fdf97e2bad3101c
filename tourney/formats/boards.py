"""The boards to play in a PBN or LIN text: board number, dealer, vulnerability and deal, and nothing else.

They are written in the PBN 2.1 export format with the mandatory tags alone. What is not known is `?`, never an empty
value: an empty contract is that of a passed-out board (PBN 2.1 section 3.4.14), and common readers take it for one.
"""

from collections.abc import Callable, Iterable
from typing import Final, TypeVar

from tourney.bridge import (
    Board,
    Deal,
    Seat,
    Vulnerability,
    board_dealer,
    board_vulnerability,
    format_deal,
    parse_deal,
)
from tourney.errors import FormatError
from tourney.formats import lenient
from tourney.formats.game_files import iter_records
from tourney.formats.pbn.games import MANDATORY_TAGS
from tourney.formats.pbn.writer import format_records
from tourney.formats.unchecked import SourceText, UncheckedGame

BOARD_NUMBER_MAX: Final = 999_999
"""The highest board number read: above any real set, and short enough for every column and every line."""

BOARDS_MAX: Final = 200_000
"""Boards in one file: twice as many as the longest match has."""

_Value = TypeVar("_Value")

_DEAL_LENGTH_MAX: Final = 255
"""Characters in a Deal value: no line of PBN is longer (PBN 2.1 section 2.3); a whole deal takes about 70."""

_UNKNOWN: Final = "?"
"""The placeholder for a value that is unknown or irrelevant (PBN 2.1 section 3.4)."""

_UNKNOWN_DATE: Final = "????.??.??"


def parse_boards(text: str, name: str, *, boards_max: int = BOARDS_MAX, only_first: int | None = None) -> list[Board]:
    """Reads the boards to play, in the order of the file; at least one.

    Records are read as `tourney score` reads them, and what is needed of them has to be right. A record without a
    board number has the number after that of the record before; a dealer or vulnerability not given follows from the
    board number. Records with the same number and the same deal (the two rooms of a match) are one board.
    The same number with another deal is another board: a file of several sets counts from 1 more than once, and the
    caller decides whether that is acceptable.

    Args:
        text: the whole file, from `read_text`.
        name: what to call it in errors.
        boards_max: the most that are taken; the file is read no further once it has more.
        only_first: reads no further than that many boards.

    Raises:
        FormatError: one sentence with the file, the line and the board, on the first thing that is wrong.
    """
    reader = _BoardReader(name)
    for game in iter_records(text, name, []):
        reader.add(game)
        if reader.count > boards_max:
            raise FormatError(
                f"{name} line {game.line}: a file has more than {boards_max} boards, the most that are read"
            )
        if reader.count == only_first:
            return reader.boards
    return reader.finish()


class _BoardReader:
    """Turns games into boards, one after the other."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._boards: list[Board] = []
        self._number = 0  # of the game before
        self._read: dict[tuple[int, Deal], tuple[int, Board]] = {}  # with the line of the game
        self._numbers: set[int] = set()
        self._deals: set[Deal] = set()
        self._dealless: list[SourceText] = []  # the board numbers of games without a deal

    @property
    def boards(self) -> list[Board]:
        """The boards so far."""
        return self._boards

    @property
    def count(self) -> int:
        return len(self._boards)

    def add(self, game: UncheckedGame) -> None:
        """Adds the board of the next game.

        Raises:
            FormatError: its board cannot be played.
        """
        deal_tag, number_tag = game.tags.get("deal"), game.tags.get("board")
        if deal_tag is None:
            if number_tag is not None and board_number(number_tag.text) is not None:
                self._dealless.append(number_tag)
            return
        number = self._parse_number(number_tag) if number_tag is not None else self._number + 1
        deal = self._parse_deal(deal_tag, number)
        if (number_tag is None or "counter" in game.tags) and deal in self._deals:
            return
        self._number = number
        dealer = self._value(game.tags.get("dealer"), number, lenient.parse_seat, "a dealer is N, E, S or W")
        vulnerability = self._value(
            *(game.tags.get("vulnerable"), number, lenient.parse_vulnerability),
            "a vulnerability is None, NS, EW or All",
        )
        earlier = self._read.get((number, deal))
        if earlier is not None:
            self._check_same(*earlier, game.line, dealer, vulnerability)
            return
        board = Board(
            number,
            board_dealer(number) if dealer is None else dealer,
            board_vulnerability(number) if vulnerability is None else vulnerability,
            deal,
        )
        self._read[number, deal] = (game.line, board)
        self._numbers.add(number)
        self._deals.add(deal)
        self._boards.append(board)

    def finish(self) -> list[Board]:
        """Returns the boards, after the last game.

        Raises:
            FormatError: there are no boards, or a board has no deal anywhere.
        """
        if not self._boards:
            raise FormatError(f"{self._name} has no deal, so there is no board to play in it")
        # The record of one room may rely on the other's for the deal.
        for tag in self._dealless:
            if int(tag.text) not in self._numbers:
                raise FormatError(f"{self._name} line {tag.line}, board {tag.text}: there is no deal")
        return self._boards

    def _parse_number(self, tag: SourceText) -> int:
        number = board_number(tag.text)
        if number is None:
            raise FormatError(
                f"{self._name} line {tag.line}: a board number is 1 to {BOARD_NUMBER_MAX}, got {tag.text[:20]!r}"
            )
        return number

    def _parse_deal(self, tag: SourceText, number: int) -> Deal:
        where = f"{self._name} line {tag.line}, board {number}"
        if len(tag.text) > _DEAL_LENGTH_MAX:
            raise FormatError(
                f"{where}: a deal has at most {_DEAL_LENGTH_MAX} characters, got one of {len(tag.text)}"
            )
        try:
            return parse_deal(tag.text, completes=True)
        except FormatError as error:
            raise FormatError(f"{where}: {error}") from error

    def _value(
        self, tag: SourceText | None, number: int, parse: Callable[[str], _Value | None], form: str
    ) -> _Value | None:
        value = parse(tag.text) if tag is not None else None
        if tag is not None and value is None:
            raise FormatError(f"{self._name} line {tag.line}, board {number}: {form}, got {tag.text[:20]!r}")
        return value

    def _check_same(
        self,
        earlier_line: int,
        board: Board,
        line: int,
        dealer: Seat | None,
        vulnerability: Vulnerability | None,
    ) -> None:
        if dealer is not None and dealer is not board.dealer:
            differs = f"dealer {dealer.letter} differs from {board.dealer.letter}"
        elif vulnerability is not None and vulnerability is not board.vulnerability:
            differs = f"vulnerability {vulnerability} differs from {board.vulnerability}"
        else:
            return
        raise FormatError(
            f"{self._name} line {line}, board {board.number}: {differs} of the same deal on line {earlier_line}"
        )


def board_number(text: str | None) -> int | None:
    """Returns the number that a text is, if a board can have it; otherwise None."""
    if text is None or not (text.isascii() and text.isdigit() and len(text) <= 9):
        return None
    return int(text) if 1 <= int(text) <= BOARD_NUMBER_MAX else None


def format_boards(boards: Iterable[Board], creator: str) -> str:
    """Formats a whole PBN file, in ASCII, CR LF at the end of each line, an empty line at the end of each game.

    Args:
        boards: in the order to write them; each has all four tags that `parse_boards` reads.
        creator: program and version, for the `%Creator` line.
    """
    header = format_records([], creator)
    games = [_board_game(board) for board in boards]
    # Without games, the empty line ends the header.
    return header.removesuffix("\r\n") + "".join(games) if games else header


def _board_game(board: Board) -> str:
    known = {
        "Date": _UNKNOWN_DATE,
        "Board": str(board.number),
        "Dealer": board.dealer.letter,
        "Vulnerable": board.vulnerability.value,
        "Deal": format_deal(board.deal, board.dealer),
    }
    lines = [f'[{name} "{known.get(name, _UNKNOWN)}"]' for name in MANDATORY_TAGS]
    return "".join(f"{line}\r\n" for line in (*lines, ""))
