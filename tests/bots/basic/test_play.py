"""What is called and played in named situations, and the contract at Minibridge. North deals throughout."""

import pytest

from tests.support.bots_table import PLAIN, card_to, hand_of, view_after
from tests.support.golden_figures import golden_rows
from tourney.bots.basic.prospects import choose_minibridge_contract
from tourney.bots.strategy import Variation
from tourney.bridge import PASS, PlayerView, Seat, Vulnerability


@pytest.mark.parametrize("row", golden_rows("bots/leads"), ids=lambda row: f"{row['calls']}: {row['hand']}")
def test_an_opening_lead_follows_the_auction_and_the_hand(row: dict[str, str]) -> None:
    view = view_after(row["hand"], row["calls"])
    assert str(PLAIN.choose_card(view, view.seat)) == row["card"]


@pytest.mark.parametrize("row", golden_rows("bots/cards"), ids=lambda row: row["situation"])
def test_a_card_suits_the_situation(row: dict[str, str]) -> None:
    from_dummy = row["who"] == "dummy"
    seat = Seat.SOUTH if from_dummy else Seat[row["who"].upper()]
    given = (row[name] for name in ("hand", "dummy", "calls", "cards"))
    assert card_to(seat, *given, plays_dummy=from_dummy) == row["card"]


@pytest.mark.parametrize(
    ("own", "dummy", "contract"),
    [
        ("AQ32.KJ4.KQ3.A92", "K54.A65.J842.KQ3", "game NT"),
        ("AKQ32.KJ4.K3.A92", "J654.A65.842.K83", "game S"),
        ("KJ943.KQ4.3.K932", "AT65.65.9842.Q75", "part S"),
        ("AK.32.AKQJ87.A32", "32.65.T943.KQ864", "game D"),
    ],
)
def test_declarer_at_minibridge_chooses_what_the_two_hands_are_worth(own: str, dummy: str, contract: str) -> None:
    view = PlayerView(Seat.NORTH, 1, Seat.NORTH, Vulnerability.NONE, hand_of(own))
    view.show_dummy(hand_of(dummy))
    assert str(choose_minibridge_contract(view, Variation(0, 1))) == contract


# Auctions


@pytest.mark.parametrize("row", golden_rows("bots/calls"), ids=lambda row: f"{row['calls']}: {row['hand']}")
def test_a_hand_in_turn_makes_the_call_that_its_system_has_for_it(row: dict[str, str]) -> None:
    assert str(PLAIN.choose_call(view_after(row["hand"], row["calls"])).call) == row["call"]


def test_a_weak_two_is_sounder_when_vulnerable() -> None:
    view = view_after("QT9843.72.K5.984", vulnerability=Vulnerability.ALL)
    assert PLAIN.choose_call(view).call is PASS


@pytest.mark.parametrize("row", golden_rows("bots/alerts"), ids=lambda row: f"{row['calls']}: {row['hand']}")
def test_artificial_calls_are_alerted_and_natural_ones_are_not(row: dict[str, str]) -> None:
    decision = PLAIN.choose_call(view_after(row["hand"], row["calls"]))
    assert (str(decision.call), decision.alert) == (row["call"], row["alert"])
