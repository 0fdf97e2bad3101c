"""The page of a board in play, as far as it may be shown, and the list of tables that have one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tourney.bridge import SEATS, Call, Card, Contract, Hand, Seat, Vulnerability
from tourney.bridge.play import Trick
from tourney.plurals import count
from tourney.site.public import PublicBoard, PublicTable
from tourney.site.views.board import AUCTION_ORDER
from tourney.site.views.frame import VULNERABLE, Frame, Page


@dataclass(frozen=True, slots=True)
class ShownHands:
    """The hands of a board that may be shown, in the form in which diagrams take a board."""

    number: int
    dealer: Seat
    vulnerability: Vulnerability
    deal: Mapping[Seat, Hand | None]
    """None for a hand that may not be shown."""


@dataclass(frozen=True, slots=True)
class ShownTrick:
    """A trick of a board in play, the last one as far as it has come."""

    number: int
    cards: Sequence[tuple[Seat, Card]]
    winner: Seat | None
    """None until it has four cards."""


def play_page(frame: Frame, address: str, table: PublicTable, board: PublicBoard) -> Page:
    """Makes the page of the board in play at a table."""
    context = {
        "table": table,
        "above": address.rpartition("/")[0],
        "board": ShownHands(
            board.number, board.dealer, board.vulnerability, {seat: board.hands.get(seat) for seat in SEATS}
        ),
        "spent": [card for _, card in board.cards],
        "vulnerable": VULNERABLE[board.vulnerability],
        "contract": board.contract,
        "auction": _rows(board.dealer, board.calls),
        "tricks": _tricks(board.cards, board.contract),
        "declarer_tricks": board.tricks_declarer,
        "defence_tricks": board.tricks_defence,
    }
    return frame.page(address, "play.html", context)


def tables_page(frame: Frame, address: str, tables: Sequence[PublicTable], playing: int) -> Page:
    """Makes the list of the tables whose board in play may be shown; their pages are below its address.

    Args:
        frame: what all pages have.
        address: the address of the page.
        tables: those tables.
        playing: how many tables have a board in play, whether it may be shown or not.
    """
    hidden = count(playing, "table") if playing > len(tables) else ""
    return frame.page(address, "tables.html", {"tables": tables, "above": address, "hidden_at": hidden})


def phrase_page(frame: Frame, address: str) -> Page:
    """Makes the page that asks for the pass phrase of the vugraph."""
    return frame.page(address, "phrase.html", {})


def _rows(dealer: Seat, calls: Sequence[Call]) -> list[list[Call | None]]:
    """Returns the calls in rows of four, in `AUCTION_ORDER`."""
    cells = [*[None] * AUCTION_ORDER.index(dealer), *calls]
    cells += [None] * (-len(cells) % len(SEATS))
    return [cells[first : first + len(SEATS)] for first in range(0, len(cells), len(SEATS))]


def _tricks(cards: Sequence[tuple[Seat, Card]], contract: Contract | None) -> list[ShownTrick]:
    trumps = contract.strain.trumps if contract is not None else None
    shown: list[ShownTrick] = []
    for first in range(0, len(cards), len(SEATS)):
        played = cards[first : first + len(SEATS)]
        trick = Trick(played[0][0], tuple(card for _, card in played))
        shown.append(ShownTrick(len(shown) + 1, played, trick.winner(trumps) if trick.is_complete else None))
    return shown
