"""Our own player, line by line, in the words of version 18."""

import pytest

from tests.support.wire_players import (
    DUMMY,
    declarer,
    hear,
    in_auction,
    says,
)
from tests.support.wire_tables import NORTH, SOUTH
from tourney.bridge import PASS, Bid, Strain, parse_card
from tourney.protocol.player import AskCard, Leave

pytestmark = pytest.mark.clause("BC-46")


def test_a_call_of_the_tables_in_our_name_that_crosses_our_own_counts() -> None:
    player = in_auction()
    hear(player, "North passes", "East passes")
    assert player.make_call(Bid(1, Strain.CLUBS)) == says("South bids 1C", "South ready for West's bid")
    assert hear(player, "South passes") == says("South ready for West's bid")
    assert player.view is not None
    assert player.view.auction.calls == [PASS, PASS, PASS]
    assert hear(player, "South passes") == []
    hear(player, "West bids 1D")
    (left,) = hear(player, "South passes")
    assert isinstance(left, Leave)


def test_a_card_that_was_crossed_is_our_lead_if_the_table_has_taken_it_for_one() -> None:
    player = declarer()
    hear(player, "West plays 4D", DUMMY)
    player.make_card(NORTH, parse_card("5D"))
    (asked,) = hear(player, "East plays 8D")
    assert isinstance(asked, AskCard)
    player.make_card(SOUTH, parse_card("JD"), asked=asked)
    assert hear(player, "South plays QD") == []
    (lead,) = hear(player, "South to lead")
    assert isinstance(lead, AskCard)
    (asked,) = hear(player, "West plays 9D")
    assert isinstance(asked, AskCard)
    assert (asked.hand, asked.view.cards[-2:]) == (
        NORTH,
        [(SOUTH, parse_card("JD")), (SOUTH.plus(1), parse_card("9D"))],
    )
    assert player.make_card(SOUTH, parse_card("KD"), asked=lead) == []
    player.make_card(NORTH, parse_card("6D"))
    (left,) = hear(player, "West plays 2D")
    assert isinstance(left, Leave)


def test_a_card_of_the_tables_in_our_name_that_crosses_our_own_counts() -> None:
    player = declarer()
    hear(player, "West plays 2S", DUMMY)
    player.make_card(NORTH, parse_card("JS"))
    assert hear(player, "North plays AS") == says("South ready for East's card to trick 1")
    assert player.view is not None
    assert player.view.cards == [(NORTH.plus(3), parse_card("2S")), (NORTH, parse_card("AS"))]
    assert player.view.dummy_hand is not None
    (left,) = hear(player, "East plays 3S", "North plays KS")
    assert isinstance(left, Leave)
