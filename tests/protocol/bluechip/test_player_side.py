"""Our own player, line by line, in the words of version 18."""

import pytest

from tests.support.wire_players import (
    CARDS,
    DUMMY,
    asks_card,
    declarer,
    hear,
    in_auction,
    says,
)
from tests.support.wire_tables import EAST, NORTH, SOUTH
from tourney.bridge import DOUBLE, PASS, Bid, Strain, Vulnerability, parse_card
from tourney.protocol.bluechip.player import PlayerCore
from tourney.protocol.player import AskCall, AskCard, Leave


@pytest.mark.clause("BC-05")
@pytest.mark.parametrize(("version", "system", "tail"), [(18, "", "18"), (19, "sayc", "19 sayc")])
def test_the_player_logs_on_with_team_seat_and_version(version: int, system: str, tail: str) -> None:
    player = PlayerCore(SOUTH, "Alpha", version=version, system=system)
    assert player.start() == says(f'Connecting "Alpha" as South using protocol version {tail}')


@pytest.mark.clause("BC-06")
@pytest.mark.clause("BC-07")
@pytest.mark.clause("BC-12")
@pytest.mark.clause("BC-14")
def test_the_player_answers_each_step_up_to_its_cards() -> None:
    player = PlayerCore(SOUTH, "Alpha")
    assert hear(player, 'South ("Alpha") seated') == says("South ready for teams")
    assert hear(player, 'Teams : N/S : "Alpha" E/W : "Beta"') == says("South ready to start")
    assert hear(player, "Start of board") == says("South ready for deal")
    assert hear(player, "Board number 7. Dealer South. Both vulnerable.") == says("South ready for cards")
    (effect,) = hear(player, CARDS)
    assert isinstance(effect, AskCall)
    assert (effect.view.number, effect.view.dealer, effect.view.vulnerability) == (7, SOUTH, Vulnerability.ALL)
    assert str(effect.view.hand) == "765.432.AKQJ.T98"


@pytest.mark.clause("BC-16")
@pytest.mark.clause("BC-17")
def test_the_player_asks_for_each_call_and_makes_its_own_with_its_alert() -> None:
    player = in_auction()
    assert hear(player, "North bids 1C Alert. at least 16 total points.") == says("South ready for East's bid")
    (effect,) = hear(player, "East doubles Alert. at least 4 cards in hearts.")
    assert isinstance(effect, AskCall)
    assert effect.view.auction.calls == [Bid(1, Strain.CLUBS), DOUBLE]
    assert effect.view.alerts[1] == "at least 4 cards in hearts."
    assert player.make_call(Bid(1, Strain.DIAMONDS), "up to 8 total points") == says(
        "South bids 1D Alert. up to 8 total points.", "South ready for West's bid"
    )


@pytest.mark.clause("BC-29")
@pytest.mark.clause("BC-31")
@pytest.mark.clause("BC-32")
@pytest.mark.clause("BC-33")
def test_declarer_asks_for_the_lead_and_for_dummy_and_plays_both_hands() -> None:
    player = declarer()
    assert hear(player, "West plays 4S") == says("South ready for dummy")
    assert asks_card(hear(player, DUMMY)) is NORTH
    assert player.make_card(NORTH, parse_card("AS")) == says(
        "North plays AS", "South ready for East's card to trick 1"
    )
    assert asks_card(hear(player, "East plays TS")) is SOUTH
    assert player.make_card(SOUTH, parse_card("5S")) == says("South plays 5S")  # waits for `Dummy to lead`
    assert asks_card(hear(player, "Dummy to lead")) is NORTH


@pytest.mark.clause("BC-29")
@pytest.mark.clause("BC-32")
def test_the_leader_waits_for_its_line_and_asks_for_dummy_after_its_card() -> None:
    player = in_auction(EAST, "East's cards : S T 9 8. H 7 6 5. D 4 3 2. C A K Q J.")
    hear(player, "North bids 1NT")
    player.make_call(PASS)
    hear(player, "South passes")
    assert hear(player, "West passes") == []
    assert asks_card(hear(player, "East to lead")) is EAST
    assert player.make_card(EAST, parse_card("TS")) == says("East plays TS", "East ready for dummy")
    dummy = "Dummy's cards : S 7 6 5. H 4 3 2. D A K Q J. C T 9 8."
    assert hear(player, dummy) == says("East ready for dummy's card to trick 1")


@pytest.mark.clause("BC-31")
def test_dummy_asks_for_every_card_its_own_included_and_plays_none() -> None:
    player = in_auction()
    hear(player, "North bids 1NT", "East passes")
    player.make_call(PASS)
    assert hear(player, "West passes") == says("South ready for East's card to trick 1")
    assert hear(player, "East plays TS") == says("South ready for dummy's card to trick 1")
    assert hear(player, "South plays 7S") == says("South ready for West's card to trick 1")
    assert hear(player, "West plays 4S") == says("South ready for North's card to trick 1")
    assert hear(player, "North plays AS") == says("South ready for North's card to trick 2")


@pytest.mark.clause("BC-19")
@pytest.mark.clause("BC-37")
def test_after_four_passes_the_player_waits_for_the_times_and_the_next_board() -> None:
    player = in_auction()
    hear(player, "North passes", "East passes")
    player.make_call(PASS)
    assert hear(player, "West passes") == []
    assert (
        hear(player, "Timing - N/S : this board  00:01,  total  0:00:01.  E/W : this board  00:01,  total  0:00:01")
        == []
    )
    assert hear(player, "Start of board") == says("South ready for deal")


@pytest.mark.clause("BC-39")
@pytest.mark.parametrize("line", ["End of session", "end of session.", "END OF SESSION", "Disconnect"])
def test_the_player_leaves_at_the_end_of_the_session(line: str) -> None:
    assert hear(in_auction(), line) == [Leave(None)]


@pytest.mark.clause("BC-46")
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


@pytest.mark.clause("BC-46")
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


@pytest.mark.clause("BC-46")
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
