"""The page of a seat: the table as its player may see it, what may be done now, and what was said."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from tourney.bridge import SEATS, Call, Hand, Trick
from tourney.bridge.auction import AUCTION_COLUMNS, auction_rows
from tourney.client.game_view import GameView
from tourney.client.wording import clean, describe_cards, describe_game, result_words, score_in_words
from tourney.protocol.stateful.messages import ClaimMessage
from tourney.site.pages.table_picture import PictureRoom, SeatControls, TablePicture, picture_play
from tourney.site.urls import board_page
from tourney.web.doors import SEAT
from tourney.web.seat.seats import BrowserSeat

_GAME: Final = re.compile(r"(?:g|match)([0-9]+)")
"""The number of a match in the id of its game: `g7` in a lobby, `match007open` in an event."""

KINDS: Final = ("rubber", "chicago", "duplicate", "minibridge")
"""What a person may begin in a lobby."""


def seat_page(seat: BrowserSeat, csrf: str, left_s: int | None) -> dict[str, Any]:
    """Return what the template of a seat shows.

    Args:
        seat: the seat.
        csrf: the word that its forms have.
        left_s: how many seconds the player in turn may still think; None if as long as it likes.
    """
    session, view = seat.session, seat.session.view
    asked, calls = session.asked_call, view.calls  # the call of the player's that an opponent asks about
    fields = {"csrf": csrf, "at": seat.position}
    has_table = view.seat is not None and view.known is not None
    picture = _picture(view) if has_table else None
    title = "Your turn" if view.is_my_turn and picture is not None else "Your seat"
    return {
        "title": title,
        "seat": view.seat,
        "player": clean(session.name.partition("#")[0]),
        "game": describe_game(view.game),
        "browser": seat,
        "session": session,
        "view": view,
        "picture": picture,
        "controls": _controls(seat, fields) if picture is not None else None,
        "fields": fields,
        "auction": _auction_rows(view) if picture is not None else [],
        "alerts": [(number, view.caller(number), clean(text)) for number, text in sorted(view.alerts.items())],
        "last_trick": _last_trick(view),
        "result": result_words(view.result) if view.result is not None else "",
        "result_page": _result_page(view),
        "score": score_in_words(view.score) if view.score is not None else "",
        "kinds": KINDS,
        "offer": _offer_words(view),
        "asked_call": calls[asked - 1] if asked is not None and 1 <= asked <= len(calls) else None,
        "is_begun": not view.in_auction or len(view.calls) > len(SEATS),
        "left": divmod(left_s, 60) if left_s is not None and not view.is_over else None,
        "bidders": AUCTION_COLUMNS,
    }


def _result_page(view: GameView) -> str:
    """Return the address of the public page of the board that has ended; an empty text if it is not known.

    It has all hands and what others made of them, and is there once nobody has to play the board any more.
    """
    found = _GAME.match(view.game)
    return f"/{board_page(int(found[1]), view.result_board)}" if found is not None and view.result_board else ""


def _offer_words(view: GameView) -> str:
    """Return what an opponent asks the player to accept; an empty text if it is nothing."""
    offer = view.asked
    if offer is None or offer.position is None:
        return ""
    if isinstance(offer, ClaimMessage):
        cards = describe_cards(offer.cards or (), names_voids=False)
        return f"{offer.position.title} claims the rest of the tricks with {cards}"
    return f"{offer.position.title} asks to take the last call or card back"


def _controls(seat: BrowserSeat, fields: Mapping[str, str]) -> SeatControls:
    session, view = seat.session, seat.session.view
    assert view.seat is not None
    hands = {view.seat}
    if not view.in_auction and view.declarer is view.seat and view.dummy is not None:
        hands.add(view.dummy)
    return SeatControls(
        action=f"{SEAT}/do",
        fields=fields,
        prompt=session.prompt,
        refusal="" if seat.asked_in else session.refusal,
        hands=frozenset(hands - {view.seat} if view.is_dummy else hands),
        cards=frozenset(view.legal_cards() if session.is_connected else ()),
        calls=tuple(view.legal_calls() if session.is_connected else ()),
    )


def _picture(view: GameView) -> TablePicture:
    """Return the picture of a table as one of its players knows it: hands that it may not see are absent."""
    known, seat, contract = view.known, view.seat, view.contract
    assert known is not None
    assert seat is not None
    players = {other: clean(view.names.get(other, other.title)) for other in SEATS} | {seat: "you"}
    hands = {seat: Hand.of(view.held(seat))}
    if view.dummy is not None and known.dummy_hand is not None:
        hands[view.dummy] = Hand.of(view.held(view.dummy))
    won = view.tricks_won(contract.declarer.side) if contract is not None else 0
    return picture_play(
        known,
        hands,
        PictureRoom(name="", players=players, contract=contract),
        view.calls,
        known.cards,
        turn=view.turn if not view.is_over else None,
        tricks=(won, len(view.winners) - won) if contract is not None else None,
        bottom=seat,
    )


def _last_trick(view: GameView) -> Trick | None:
    """Return the last complete trick, if it does not lie on the table."""
    known = view.known
    if known is None or known.current is None:
        return None
    complete = known.tricks if known.current.cards else known.tricks[:-1]
    return complete[-1] if complete else None


@dataclass(frozen=True, slots=True)
class MadeCall:
    """A call in the table of a seat's auction."""

    number: int
    """From 1."""
    call: Call
    is_explained: bool
    """Whether the player has been told what it means, or has said so."""
    may_be_asked: bool
    """Whether the player may ask what it means."""


def _auction_rows(view: GameView) -> Sequence[Sequence[MadeCall | None]]:
    """Return the auction in rows of four, from West on; None before the first call."""
    first = view.caller(1)
    if first is None or not view.calls:
        return ()
    calls = enumerate(view.calls, 1)
    return auction_rows(first, [MadeCall(n, call, n in view.alerts, n in view.may.calls) for n, call in calls])
