"""Pages that have nothing but the picture of a table, at moments that tests choose."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Final

from tourney.bridge import (
    SEATS,
    Auction,
    Call,
    Card,
    Contract,
    Hand,
    OpenBoard,
    Seat,
    Strain,
    Suit,
    Vulnerability,
    parse_card,
)
from tourney.bridge.calls import parse_call
from tourney.bridge.deal import parse_deal
from tourney.site import urls
from tourney.site.pages.table_picture import PictureRoom, SeatControls, TablePicture, picture_play
from tourney.site.rendering import asset, environment

HAND_SCRIPT: Final = "static/hand.js"
FILES: Final = ("static/style.css", "static/table.js", "static/suits.js", HAND_SCRIPT)

_PAGE: Final = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Table</title>
<link rel="stylesheet" href="style.css">
{% from "table-picture.html" import table_files with context %}
{% from "table-picture.html" import table_picture %}
{{ table_files() }}
<script src="hand.js" defer="defer"></script>
</head>
<body>
<main id="content">
<h1 class="unseen">Table</h1>
{% include "cards.svg" %}
<div class="diagram">{{ table_picture(picture, controls) }}</div>
</main>
<footer></footer>
</body>
</html>
"""

DEAL: Final = "N:AQ5.K7.AKT98.QJ9 J62.J9543.J2.543 KT93.AQT8.Q7.AT2 874.62.6543.K876"
LONG_SUITS: Final = "N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"
PLAYERS: Final = {Seat.NORTH: "Bot N", Seat.EAST: "Ben", Seat.SOUTH: "Anna", Seat.WEST: "Lia of the long name"}


def hands_of(text: str = DEAL) -> dict[Seat, Hand]:
    deal = parse_deal(text)
    return {seat: deal[seat] for seat in SEATS}


def cards_of(*played: str) -> list[tuple[Seat, Card]]:
    """Cards as `W S4`, the hand that they came from first."""
    return [
        (Seat.from_letter(seat), parse_card(card[1] + card[0])) for seat, card in (each.split() for each in played)
    ]


def picture(
    hands: Iterable[Seat],
    *,
    deal: str = DEAL,
    contract: Contract | None = None,
    calls: str = "",
    cards: Iterable[str] = (),
    keeps_played: bool = True,
) -> TablePicture:
    """Picture a board that South dealt, with these hands open; calls are those before now, with blanks between."""
    room = PictureRoom(name="", players=PLAYERS, contract=contract)
    held = hands_of(deal)
    shown = picture_play(
        OpenBoard(7, Seat.SOUTH, Vulnerability.NS),
        {seat: held[seat] for seat in hands},
        room,
        [parse_call(call) for call in calls.split()],
        cards_of(*cards),
    )
    if keeps_played:
        return shown
    left = (
        replace(
            hand,
            cards=tuple(card for card in hand.cards if card not in hand.played) if hand.cards is not None else None,
            played=frozenset(),
        )
        for hand in shown.hands
    )
    return replace(shown, hands=tuple(left))


def controls(prompt: str, *hands: Seat, cards: Iterable[Card] = (), calls: Iterable[Call] = ()) -> SeatControls:
    """What a seat may do: cards of these hands, or calls."""
    return SeatControls(
        action="do",
        fields={"at": "7.8.0"},
        prompt=prompt,
        hands=frozenset(hands),
        cards=frozenset(cards),
        calls=tuple(calls),
    )


FIVE_HEARTS: Final = Contract(5, Strain.HEARTS, 0, Seat.SOUTH)
FOUR_SPADES: Final = Contract(4, Strain.SPADES, 0, Seat.WEST)
AUCTION: Final = "1H Pass 2NT Pass 3D X 4C Pass"
NINE_CARDS: Final = ("W S4", "N S5", "E SJ", "S SK", "S HA", "W H2", "N H7", "E H3", "S HQ")


def moments() -> dict[str, tuple[TablePicture, SeatControls | None]]:
    """The moments of a board that look different, by name."""
    own = hands_of()[Seat.SOUTH]
    auction = Auction(Seat.SOUTH)
    for call in AUCTION.split():
        auction.add(parse_call(call))
    spades, diamonds = own.suit(Suit.SPADES), own.suit(Suit.DIAMONDS)
    seats = (Seat.NORTH, Seat.SOUTH)
    return {
        "bid": (
            picture([Seat.SOUTH], calls=AUCTION),
            controls("Your call", Seat.SOUTH, calls=auction.legal_calls()),
        ),
        "play": (
            picture(seats, contract=FIVE_HEARTS, cards=NINE_CARDS[:3], keeps_played=False),
            controls("Play a spade", *seats, cards=spades),
        ),
        "side-dummy": (
            picture([Seat.SOUTH, Seat.EAST], contract=FOUR_SPADES, cards=("N DA", "E D2"), keeps_played=False),
            controls("Play a diamond", Seat.SOUTH, cards=diamonds),
        ),
        "one-suit": (
            picture([Seat.SOUTH], deal=LONG_SUITS, calls="Pass Pass Pass"),
            controls("Your call", Seat.SOUTH),
        ),
        "watch-auction": (picture((), calls="1H Pass 2NT X"), None),
        "watch-dummy": (picture([Seat.NORTH], contract=FIVE_HEARTS, cards=NINE_CARDS), None),
        "watch": (picture(SEATS, contract=FIVE_HEARTS, cards=NINE_CARDS), None),
        "finished": (picture(SEATS, contract=FIVE_HEARTS, cards=[*NINE_CARDS[:8]]), None),
        "long-suits": (picture(SEATS, deal=LONG_SUITS, contract=FIVE_HEARTS), None),
    }


def write_tables(folder: Path) -> None:
    """Write a page for each moment, and the files that they need, into a folder that exists."""
    for name, (shown, of_seat) in moments().items():
        write_table(folder, name, shown, of_seat)


def write_table(folder: Path, name: str, shown: TablePicture, of_seat: SeatControls | None = None) -> None:
    """Write a page with a picture, and the files that it needs, into a folder that exists."""
    for address in FILES:
        (folder / urls.file_name(address)).write_bytes(asset(address))
    template = environment().from_string(_PAGE)
    page = template.render(picture=shown, controls=of_seat, urls=urls, link=urls.file_name)
    (folder / f"{name}.html").write_text(page, encoding="utf-8")
