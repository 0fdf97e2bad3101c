"""The pages of boards in play, as far as they may be shown, and the list of tables that have one."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from tourney.bridge import SEATS, OpenBoard
from tourney.bridge.auction import describe_call
from tourney.config.values import LiveBoards
from tourney.output.content import Linked, MatchLink, PageLink
from tourney.plurals import count
from tourney.protocol.session.records import CallMade, CardPlayed
from tourney.site import urls
from tourney.site.pages.board import AuctionAndPlay, view_auction_and_play
from tourney.site.pages.event_pages import EventPages
from tourney.site.pages.frame import Context, Frame
from tourney.site.pages.table_picture import PictureRoom, TablePicture, card_words, picture_play
from tourney.site.pages.tables import view_page
from tourney.site.public import PublicTable


@dataclass(frozen=True, slots=True)
class ShownTable:
    """A table with its board in play as far as it may be shown."""

    table: PublicTable
    board: OpenBoard
    picture: TablePicture
    sentences: Sequence[str]
    """What has happened, call by call and card by card, for screen readers."""
    made: AuctionAndPlay


def is_for_everybody(frame: Frame) -> bool:
    """Whether everybody may see boards in play, as far as they are shown."""
    return frame.view.rules.live is not LiveBoards.FINISHED and not frame.view.is_vugraph


def is_vugraph(frame: Frame) -> bool:
    """Whether the event is shown to those with the passphrase of the vugraph."""
    return frame.view.is_vugraph


def table(pages: EventPages, place: str) -> Context | None:
    """View the board in play at a table; None if it may not be shown."""
    shown = _shown(pages, lambda each: each.place == place)
    if not shown:
        return None
    board, match = shown[0].board, shown[0].table.match
    above = Linked(f"Match {match.number}: {match.home} \N{EN DASH} {match.away}", MatchLink(match.number))
    where = f"{shown[0].table.room.value.title()} room, board {board.number}"
    return _page(pages, f"Board {board.number} in play, {place}", shown, where, above)


def match(pages: EventPages, number: int) -> Context | None:
    """View the boards in play at all tables of a match; None unless several may be shown."""
    shown = _shown(pages, lambda each: each.match.number == number)
    return _page(pages, f"Match {number} in play", shown, f"Match {number}") if len(shown) > 1 else None


def _page(pages: EventPages, title: str, shown: Sequence[ShownTable], here: str, *above: Linked) -> Context:
    address = _list_address(pages)
    trail = [Linked("Boards in play", PageLink(address)), *above]
    return {**view_page((), title, trail=trail, here_words=here), "tables": shown, "above": address}


def tables(pages: EventPages) -> Context:
    """View the list of the tables whose board in play may be shown."""
    view = pages.view
    playing, shown = sum(table.board is not None for table in view.tables), view.tables_shown
    hidden = count(playing, "table") if playing > len(shown) else ""
    matches = {each.match.number: each.match for each in shown} if view.is_vugraph else {}
    return {
        "tables": shown,
        "matches": [
            each for number, each in matches.items() if sum(table.match.number == number for table in shown) > 1
        ],
        "above": _list_address(pages),
        "hidden_at": hidden,
    }


def _shown(pages: EventPages, is_asked: Callable[[PublicTable], bool]) -> list[ShownTable]:
    """Return the tables that are asked for with their boards in play, as far as they may be shown."""
    found = []
    for at in filter(is_asked, pages.view.tables_shown):
        shown = pages.view.board_in_play(at)
        if shown is None:
            continue
        board, dealer, play = shown.open, shown.open.dealer, shown.open.play
        called, played = board.auction.calls, play.cards if play is not None else []
        picture = picture_play(
            board,
            shown.hands,
            PictureRoom(name=at.room.value, players={seat: at.team(seat) for seat in SEATS}, contract=board.contract),
            called,
            played,
            turn=board.turn,
            tricks=(play.tricks_won, play.tricks_lost) if play is not None else None,
        )
        untimed: Any = {"board": board.number, "thinking_ms": 0, "at_ms": 0}
        calls = [
            CallMade(seq=seq, seat=dealer.plus(seq), call=call, alert="", alerted=False, **untimed)
            for seq, call in enumerate(called)
        ]
        cards = [CardPlayed(seq=seq, seat=seat, card=card, **untimed) for seq, (seat, card) in enumerate(played)]
        sentences = [describe_call(call.seat, call.call) for call in calls]
        sentences += (f"{seat.title} plays the {card_words(card)}" for seat, card in played)
        made = view_auction_and_play(calls, cards, board.contract)
        found.append(ShownTable(at, board, picture, sentences, made))
    return found


def _list_address(pages: EventPages) -> str:
    """Return the address of the list; the pages of tables are below it."""
    return urls.VUGRAPH if pages.view.is_vugraph else urls.PLAY
