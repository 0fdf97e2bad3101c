"""The page of a board in play, as far as it may be shown, and the list of tables that have one."""

from collections.abc import Sequence
from dataclasses import dataclass

from tourney.bridge import SEATS, Card, Contract, Seat
from tourney.bridge.auction import describe_call
from tourney.bridge.play import Trick
from tourney.config.values import LiveBoards
from tourney.plurals import count
from tourney.site import urls
from tourney.site.public import PublicBoard
from tourney.site.views.event_pages import EventPages
from tourney.site.views.frame import Context, Frame
from tourney.site.views.table_picture import PictureRoom, card_words, picture_play


@dataclass(frozen=True, slots=True)
class ShownTrick:
    """A trick of a board in play, the last one as far as it has come."""

    number: int
    cards: Sequence[tuple[Seat, Card]]
    winner: Seat | None
    """None until it has four cards."""


def is_for_everybody(frame: Frame) -> bool:
    """Whether everybody may see boards in play, as far as they are shown."""
    rules = frame.view.rules
    return rules.live is not LiveBoards.FINISHED and not rules.is_vugraph


def is_vugraph(frame: Frame) -> bool:
    """Whether the event is shown to those with the passphrase of the vugraph."""
    return frame.view.rules.is_vugraph


def table(pages: EventPages, place: str) -> Context | None:
    """View the board in play at a table; None if it may not be shown."""
    view = pages.view
    found = next((each for each in view.tables_shown if each.place == place), None)
    board = view.board_in_play(found) if found is not None else None
    if found is None or board is None:
        return None
    players = {seat: found.team(seat) for seat in SEATS}
    return {
        "table": found,
        "above": _list_address(pages),
        "board": board,
        "picture": picture_play(
            board.number,
            board.dealer,
            board.vulnerability,
            board.hands,
            PictureRoom(name="", players=players, contract=board.contract),
            board.calls,
            board.cards,
        ),
        "said": _sentences(board),
        "contract": board.contract,
        "tricks": _tricks(board.cards, board.contract),
        "declarer_tricks": board.tricks_declarer,
        "defence_tricks": board.tricks_defence,
    }


def tables(pages: EventPages) -> Context:
    """View the list of the tables whose board in play may be shown."""
    view = pages.view
    playing, shown = sum(table.board is not None for table in view.tables), view.tables_shown
    hidden = count(playing, "table") if playing > len(shown) else ""
    return {"tables": shown, "above": _list_address(pages), "hidden_at": hidden}


def login(_: EventPages) -> Context:
    """View the form that asks for the passphrase of the vugraph."""
    return {}


def _list_address(pages: EventPages) -> str:
    """Return the address of the list; the pages of tables are below it."""
    return urls.VUGRAPH if pages.view.rules.is_vugraph else urls.PLAY


def _sentences(board: PublicBoard) -> list[str]:
    """Return what has happened, call by call and card by card, for screen readers."""
    calls = [describe_call(board.dealer.plus(index), call) for index, call in enumerate(board.calls)]
    return [*calls, *(f"{seat.title} plays the {card_words(card)}" for seat, card in board.cards)]


def _tricks(cards: Sequence[tuple[Seat, Card]], contract: Contract | None) -> list[ShownTrick]:
    trumps = contract.strain.trumps if contract is not None else None
    shown: list[ShownTrick] = []
    for first in range(0, len(cards), len(SEATS)):
        played = cards[first : first + len(SEATS)]
        trick = Trick(played[0][0], tuple(card for _, card in played))
        shown.append(ShownTrick(len(shown) + 1, played, trick.winner(trumps) if trick.is_complete else None))
    return shown
