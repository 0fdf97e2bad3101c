"""Boards to be played, as PBN 2.1 export format: the mandatory tags alone, everything of the play unknown.

What is not known is `?`, never an empty value: an empty contract is that of a passed-out board (PBN 2.1 section
3.4.14), and readers in use take it for one.
"""

from collections.abc import Iterable
from typing import Final

from tourney.bridge import Board, format_deal
from tourney.formats.pbn.reader import MANDATORY_TAGS
from tourney.formats.pbn.writer import format_records

_UNKNOWN: Final = "?"
_UNKNOWN_DATE: Final = "????.??.??"


def format_boards(boards: Iterable[Board], creator: str) -> str:
    """A whole PBN file, in ASCII, CR LF at the end of each line, an empty line at the end of each game.

    Args:
        boards: in the order to write them; each has all four tags that `parse_boards` reads.
        creator: program and version, for the `%Creator` line.
    """
    header = format_records([], creator)
    games = [_game(board) for board in boards]
    # The empty line at the end of a header stands for the games that are not there.
    return header.removesuffix("\r\n") + "".join(games) if games else header


def _game(board: Board) -> str:
    known = {
        "Date": _UNKNOWN_DATE,
        "Board": str(board.number),
        "Dealer": board.dealer.letter,
        "Vulnerable": board.vulnerability.value,
        "Deal": format_deal(board.deal, board.dealer),
    }
    lines = [f'[{name} "{known.get(name, _UNKNOWN)}"]' for name in MANDATORY_TAGS]
    return "".join(f"{line}\r\n" for line in (*lines, ""))
