"""The page of a board in play, as far as it may be shown, and the list of tables that have one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tourney.bridge import SEATS, Call, Card, Hand, Seat, Vulnerability
from tourney.site.public import PublicBoard, PublicTable
from tourney.site.views.board import AUCTION_ORDER
from tourney.site.views.frame import VULNERABLE, Frame, Page


@dataclass(frozen=True, slots=True)
class ShownHands:
    """The hands of a board that may be shown, in the form in which diagrams take a board."""

    number: int
    dealer: Seat
    vulnerability: Vulnerability
    deal: Mapping[Seat, Hand]


def play_page(frame: Frame, address: str, table: PublicTable, board: PublicBoard) -> Page:
    """Makes the page of the board in play at a table."""
    context = {
        "table": table,
        "board": ShownHands(board.number, board.dealer, board.vulnerability, board.hands),
        "vulnerable": VULNERABLE[board.vulnerability],
        "contract": board.contract,
        "auction": _rows(board.dealer, board.calls),
        "tricks": _tricks(board.cards),
        "declarer_tricks": board.tricks_declarer,
        "defence_tricks": board.tricks_defence,
    }
    return frame.page(address, "play.html", context)


def tables_page(frame: Frame, address: str, tables: Sequence[PublicTable]) -> Page:
    """Makes the list of the tables whose board in play may be shown; their pages are below its address."""
    return frame.page(address, "tables.html", {"tables": tables, "above": address})


def phrase_page(frame: Frame, address: str) -> Page:
    """Makes the page that asks for the pass phrase of the vugraph."""
    return frame.page(address, "phrase.html", {})


def _rows(dealer: Seat, calls: Sequence[Call]) -> list[list[Call | None]]:
    """Returns the calls in rows of four, in `AUCTION_ORDER`."""
    cells = [*[None] * AUCTION_ORDER.index(dealer), *calls]
    cells += [None] * (-len(cells) % len(SEATS))
    return [cells[first : first + len(SEATS)] for first in range(0, len(cells), len(SEATS))]


def _tricks(cards: Sequence[tuple[Seat, Card]]) -> list[Sequence[tuple[Seat, Card]]]:
    return [cards[first : first + len(SEATS)] for first in range(0, len(cards), len(SEATS))]
