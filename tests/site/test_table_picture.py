"""The picture of a table: what it is made of, and that it has nothing of what may not be seen."""

from tests.support.table_pages import DEAL, FIVE_HEARTS, NINE_CARDS, hands_of, moments, picture
from tourney.bridge import SEATS, Seat, parse_card
from tourney.site.pages.table_picture import (
    SeatControls,
    TablePicture,
    TablePlace,
    card_words,
    place_of,
)
from tourney.site.rendering import environment


def page_of(shown: TablePicture, controls: SeatControls | None = None) -> str:
    html = environment().get_template("table-picture.html").make_module()
    return str(html.table_picture(shown, controls))  # type: ignore[attr-defined]


def test_a_card_that_may_not_be_seen_is_not_in_the_page() -> None:
    of_the_deal = {name: found for name, found in moments().items() if name not in ("long-suits", "one-suit")}
    for name, (shown, controls) in of_the_deal.items():
        page = page_of(shown, controls)
        seen = {card for hand in shown.hands for card in hand.cards or ()} | {each.card for each in shown.trick}
        hidden = {card for hand in hands_of().values() for card in hand.cards} - seen
        assert [card for card in hidden if card.pbn in page or card_words(card) in page] == [], name
        assert page.count('class="left-over"') == sum(hand.cards is None for hand in shown.hands)


def test_deals_that_differ_in_what_is_hidden_have_the_same_page() -> None:
    north, east, south, west = DEAL.removeprefix("N:").split()
    other = f"N:{west} {north} {south} {east}"
    for calls in ("", "1H Pass 2NT"):
        pages = {page_of(picture([Seat.SOUTH], deal=deal, calls=calls)) for deal in (DEAL, other)}
        assert len(pages) == 1


def test_a_complete_trick_stays_until_the_next_and_names_its_winner() -> None:
    shown = picture(SEATS, contract=FIVE_HEARTS, cards=NINE_CARDS[:8])
    assert [(each.place, each.card.pbn, each.has_won) for each in shown.trick] == [
        (TablePlace.BOTTOM, "HA", True),
        (TablePlace.LEFT, "H2", False),
        (TablePlace.TOP, "H7", False),
        (TablePlace.RIGHT, "H3", False),
    ]
    assert not any(each.has_won for each in picture(SEATS, contract=FIVE_HEARTS, cards=NINE_CARDS[:7]).trick)


def test_who_looks_sits_at_the_bottom_and_the_next_at_the_left() -> None:
    assert [hand.place for hand in picture(()).hands] == list(TablePlace)
    for bottom in SEATS:
        places = [place_of(bottom.plus(steps), bottom) for steps in range(4)]
        assert places == [TablePlace.BOTTOM, TablePlace.LEFT, TablePlace.TOP, TablePlace.RIGHT]


def test_the_latest_call_of_each_seat_lies_before_it_until_cards_are_played() -> None:
    calls = {each.place: str(each.call) for each in picture((), calls="1H Pass 2NT X Pass").calls}
    places = (TablePlace.BOTTOM, TablePlace.LEFT, TablePlace.TOP, TablePlace.RIGHT)
    assert calls == dict(zip(places, ("Pass", "Pass", "2NT", "X"), strict=True))
    assert picture((), contract=FIVE_HEARTS, calls="1H Pass 5H Pass Pass Pass", cards=NINE_CARDS[:1]).calls == ()


def test_a_hand_is_read_without_the_cards_that_it_has_played() -> None:
    north = picture(SEATS, contract=FIVE_HEARTS, cards=NINE_CARDS).hands[0]
    assert north.in_words == "spades ace, queen; hearts king; diamonds ace, king, 10, 9, 8; clubs queen, jack, 9"
    assert north.cards_left == 11
    gone = picture([Seat.NORTH], contract=FIVE_HEARTS, cards=NINE_CARDS, keeps_played=False).hands[0]
    assert gone.cards is not None
    assert parse_card("5S") not in gone.cards
