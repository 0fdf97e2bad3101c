"""The pages of boards in play, as far as they may be shown, and the list of tables that have one."""

from collections.abc import Sequence
from dataclasses import dataclass

from tourney.bridge import SEATS, Card, Seat
from tourney.bridge.auction import describe_call
from tourney.config.values import LiveBoards
from tourney.plurals import count
from tourney.site import urls
from tourney.site.public import PublicBoard, PublicTable
from tourney.site.views.event_pages import EventPages
from tourney.site.views.frame import Context, Frame
from tourney.site.views.table_picture import (
    PictureRoom,
    TablePicture,
    card_words,
    picture_play,
    tricks_of,
    winner_of,
)


@dataclass(frozen=True, slots=True)
class ShownTrick:
    """A trick of a board in play, the last one as far as it has come."""

    number: int
    cards: Sequence[tuple[Seat, Card]]
    winner: Seat | None
    """None until it has four cards."""


@dataclass(frozen=True, slots=True)
class ShownTable:
    """A table with its board in play as far as it may be shown."""

    table: PublicTable
    board: PublicBoard
    picture: TablePicture
    sentences: tuple[str, ...]
    """What has happened, call by call and card by card."""
    tricks: tuple[ShownTrick, ...]


def is_for_everybody(frame: Frame) -> bool:
    """Whether everybody may see boards in play, as far as they are shown."""
    return frame.view.rules.live is not LiveBoards.FINISHED and not frame.view.is_vugraph


def is_vugraph(frame: Frame) -> bool:
    """Whether the event is shown to those with the passphrase of the vugraph."""
    return frame.view.is_vugraph


def table(pages: EventPages, place: str) -> Context | None:
    """View the board in play at a table; None if it may not be shown."""
    found = next((each for each in pages.view.tables_shown if each.place == place), None)
    shown = _show(pages, found) if found is not None else None
    return {"shown": shown, "above": _list_address(pages)} if shown is not None else None


def match(pages: EventPages, number: int) -> Context | None:
    """View the boards in play at all tables of a match; None unless several may be shown."""
    found = [shown for each in _tables_of(pages, number) if (shown := _show(pages, each)) is not None]
    if len(found) < 2:
        return None
    return {"match": found[0].table.match, "tables": found, "above": _list_address(pages)}


def tables(pages: EventPages) -> Context:
    """View the list of the tables whose board in play may be shown."""
    view = pages.view
    playing, shown = sum(table.board is not None for table in view.tables), view.tables_shown
    hidden = count(playing, "table") if playing > len(shown) else ""
    matches = {each.match.number: each.match for each in shown} if view.is_vugraph else {}
    return {
        "tables": shown,
        "matches": [each for number, each in matches.items() if len(_tables_of(pages, number)) > 1],
        "match_address": urls.vugraph_match,
        "above": _list_address(pages),
        "hidden_at": hidden,
    }


def login(_: EventPages) -> Context:
    """View the form that asks for the passphrase of the vugraph."""
    return {}


def _tables_of(pages: EventPages, match_number: int) -> list[PublicTable]:
    """Return the tables of a match whose board in play may be shown."""
    return [each for each in pages.view.tables_shown if each.match.number == match_number]


def _show(pages: EventPages, at: PublicTable) -> ShownTable | None:
    """Return a table with its board in play as far as it may be shown; None if it has none any more."""
    board = pages.view.board_in_play(at)
    if board is None:
        return None
    players = {seat: at.team(seat) for seat in SEATS}
    picture = picture_play(
        board.number,
        board.dealer,
        board.vulnerability,
        board.hands,
        PictureRoom(name=at.room.value, players=players, contract=board.contract),
        board.calls,
        board.cards,
    )
    return ShownTable(at, board, picture, tuple(_sentences(board)), tuple(_tricks(board)))


def _list_address(pages: EventPages) -> str:
    """Return the address of the list; the pages of tables are below it."""
    return urls.VUGRAPH if pages.view.is_vugraph else urls.PLAY


def _sentences(board: PublicBoard) -> list[str]:
    """Return what has happened, call by call and card by card, for screen readers."""
    calls = [describe_call(board.dealer.plus(index), call) for index, call in enumerate(board.calls)]
    return [*calls, *(f"{seat.title} plays the {card_words(card)}" for seat, card in board.cards)]


def _tricks(board: PublicBoard) -> list[ShownTrick]:
    shown = []
    for number, trick in enumerate(tricks_of(board.cards), 1):
        cards = [(trick.leader.plus(index), card) for index, card in enumerate(trick.cards)]
        shown.append(ShownTrick(number, cards, winner_of(trick, board.contract)))
    return shown
