"""The boards to play in a PBN or LIN text: board number, dealer, vulnerability and deal, and nothing else.

They are written in the PBN 2.1 export format with the mandatory tags alone. What is not known is `?`, never an empty
value: an empty contract is that of a passed-out board (PBN 2.1 section 3.4.14), and common readers take it for one.
"""

from collections.abc import Callable, Iterable
from typing import Final, TypeVar

from tourney.bridge import (
    Board,
    Deal,
    DoubleDummyTable,
    Seat,
    Strain,
    board_dealer,
    board_vulnerability,
    parse_deal,
)
from tourney.bridge.cards import STRAINS_BY_TEXT
from tourney.bridge.double_dummy import TABLE_PLACES
from tourney.errors import FormatError, RuleError
from tourney.formats import lenient
from tourney.formats.file_kinds import iter_records
from tourney.formats.pbn.writer import PbnRecord, format_records
from tourney.formats.unchecked import SourceText, UncheckedGame

BOARD_NUMBER_MAX: Final = 999_999
"""The highest board number read: above any real set, and short enough for every column and every line."""

BOARDS_MAX: Final = 200_000
"""Boards in one file: more than the longest match has."""

_Value = TypeVar("_Value")

_DEAL_LENGTH_MAX: Final = 255
"""Characters in a Deal value: no line of PBN is longer (PBN 2.1 section 2.3); a whole deal takes about 70."""


def parse_boards(
    text: str,
    name: str,
    *,
    boards_max: int = BOARDS_MAX,
    only_first: int | None = None,
    reads_tables: bool = False,
) -> list[Board]:
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
        reads_tables: whether boards get the double-dummy tables of the file, which have to be right then.

    Raises:
        FormatError: one sentence with the file, the line and the board, on the first thing that is wrong.
    """
    read: dict[tuple[int, Deal], tuple[int, Board]] = {}  # with the line of the game
    deals: set[Deal] = set()
    dealless: list[SourceText] = []  # the board numbers of games without a deal
    number = 0
    for game in iter_records(text, name, []):
        deal_tag, number_tag = game.tags.get("deal"), game.tags.get("board")
        if deal_tag is None:
            if number_tag is not None and board_number(number_tag.text) is not None:
                dealless.append(number_tag)
            continue
        own = _parse_number(number_tag, name) if number_tag is not None else number + 1
        deal = _parse_deal(deal_tag, f"{name} line {deal_tag.line}, board {own}")
        if (number_tag is None or "counter" in game.tags) and deal in deals:
            continue
        number = own
        deals.add(deal)
        makes = _parse_makes(game, f"{name} line {game.line}, board {number}") if reads_tables else None
        _add_board(game, name, number, deal, makes, read)
        if len(read) > boards_max:
            raise FormatError(
                f"{name} line {game.line}: a file has more than {boards_max} boards, the most that are read"
            )
        if len(read) == only_first:
            break
    if not read:
        raise FormatError(f"{name} has no deal, so there is no board to play in it")
    # The record of one room may rely on the other's for the deal.
    numbers = {number for number, _ in read}
    for tag in dealless if only_first is None else ():
        if int(tag.text) not in numbers:
            raise FormatError(f"{name} line {tag.line}, board {tag.text}: there is no deal")
    return [board for _, board in read.values()]


def _add_board(
    game: UncheckedGame,
    name: str,
    number: int,
    deal: Deal,
    makes: DoubleDummyTable | None,
    read: dict[tuple[int, Deal], tuple[int, Board]],
) -> None:
    """Adds the board of a game to those that were read, or holds it against the same one there.

    Raises:
        FormatError: its dealer or vulnerability is none, or another than that of the same board.
    """
    dealer = _value(game, name, number, "dealer", lenient.parse_seat, "a dealer is N, E, S or W")
    vulnerability = _value(
        *(game, name, number, "vulnerable", lenient.parse_vulnerability), "a vulnerability is None, NS, EW or All"
    )
    made = Board(
        number,
        board_dealer(number) if dealer is None else dealer,
        board_vulnerability(number) if vulnerability is None else vulnerability,
        deal,
        makes,
    )
    line, board = read.setdefault((number, deal), (game.line, made))
    if dealer not in (None, board.dealer):
        differs = f"dealer {made.dealer.letter} differs from {board.dealer.letter}"
    elif vulnerability not in (None, board.vulnerability):
        differs = f"vulnerability {vulnerability} differs from {board.vulnerability}"
    else:
        return
    raise FormatError(f"{name} line {game.line}, board {number}: {differs} of the same deal on line {line}")


def _parse_number(tag: SourceText, name: str) -> int:
    number = board_number(tag.text)
    if number is None:
        raise FormatError(f"{name} line {tag.line}: a board number is 1 to {BOARD_NUMBER_MAX}, got {tag.text[:20]!r}")
    return number


def _parse_deal(tag: SourceText, where: str) -> Deal:
    if len(tag.text) > _DEAL_LENGTH_MAX:
        raise FormatError(f"{where}: a deal has at most {_DEAL_LENGTH_MAX} characters, got one of {len(tag.text)}")
    try:
        return parse_deal(tag.text, completes=True)
    except FormatError as error:
        raise FormatError(f"{where}: {error}") from error


def _parse_makes(game: UncheckedGame, where: str) -> DoubleDummyTable | None:
    """Return the double-dummy table of a game (PBN 2.1 section 5.7); None if it has none.

    Raises:
        FormatError: a declarer, a denomination or a number of tricks is none, or one is missing.
    """
    table = game.tables.get("optimumresulttable")
    if table is None:
        digits = game.text("doubledummytricks")
        try:
            return DoubleDummyTable.parse(digits) if digits else None
        except RuleError as error:
            raise FormatError(f"{where}: {error}") from error
    tricks: dict[tuple[Seat, Strain], int] = {}
    for line, words in table.rows:
        cells = dict(zip(table.columns, words, strict=False))
        seat, strain = (
            lenient.parse_seat(cells.get("declarer", "")),
            STRAINS_BY_TEXT.get(cells.get("denomination", "")),
        )
        text = cells.get("result", "")
        if seat is None or strain is None or not (text.isascii() and text.isdigit() and int(text) <= 13):
            raise FormatError(f"{where}, line {line}: a row is a declarer, a denomination and 0 to 13 tricks")
        tricks[seat, strain] = int(text)
    if len(tricks) < len(TABLE_PLACES):
        raise FormatError(f"{where}: a double-dummy table has 20 rows, got {len(tricks)}")
    return DoubleDummyTable(tricks)


def _value(
    game: UncheckedGame, name: str, number: int, key: str, parse: Callable[[str], _Value | None], form: str
) -> _Value | None:
    tag = game.tags.get(key)
    value = parse(tag.text) if tag is not None else None
    if tag is not None and value is None:
        raise FormatError(f"{name} line {tag.line}, board {number}: {form}, got {tag.text[:20]!r}")
    return value


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
    games = (
        PbnRecord(board=board, names=("", "", "", ""), is_of_programs=False, scoring="", makeable=board.makes)
        for board in boards
    )
    return format_records(games, creator)
