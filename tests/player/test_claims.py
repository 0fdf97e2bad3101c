"""Claims that cannot fail; what a player means by a call, and how long it may think."""

import pytest

from tourney.bots import Decision
from tourney.bots.seated_player import SeatedPlayer, ThinkingTime
from tourney.bridge import PlayerView, Seat, Vulnerability, parse_call, parse_card, parse_hand
from tourney.errors import PlayerError
from tourney.player import Call, Card, Player, View, is_certain_claim
from tourney.protocol.seat_handover import TableTerms

# East is declarer, South has led, North is the defender who judges; dummy is West. Of each suit ranks are left.
HANDS = {
    Seat.NORTH: "QJT9.QJT9.JT9.32",
    Seat.EAST: "AK32.AK32.AK2.54",
    Seat.SOUTH: "8765.8765.876.AK",
    Seat.WEST: "4.4.Q543.QJT9876",
}


def after_tricks(contract: str, tricks: str) -> View:
    """What North knows of a contract of East's after some tricks, South on lead; blanks between the cards."""
    known = PlayerView(Seat.NORTH, 1, Seat.EAST, Vulnerability.NONE, parse_hand(HANDS[Seat.NORTH], Seat.NORTH))
    for call in (contract, "Pass", "Pass", "Pass"):
        known.add_call(parse_call(call))
    known.show_dummy(parse_hand(HANDS[Seat.WEST], Seat.WEST))
    for card in tricks.split():
        known.add_card(parse_card(card))
    return View(known, Seat.NORTH)


# South leads two high clubs; then a diamond, which East wins.
CLUBS = "AC 6C 2C 4C KC 7C 3C 5C 6D 3D 9D AD"


@pytest.mark.parametrize(
    ("contract", "cards", "is_certain"),
    [
        ("1NT", "AS KS AH KH KD", True),
        ("1NT", "AS KS 3S AH KH", False),  # the third round goes to North
        ("1NT", "AS KS 2D", False),
        ("1S", "AS KS AH KH KD", False),  # North can ruff
        ("1NT", "KD", True),
        ("1NT", "", True),
    ],
)
def test_a_claim_is_certain_if_the_claimant_cashes_from_the_top(contract: str, cards: str, is_certain: bool) -> None:
    view = after_tricks(contract, CLUBS)
    assert is_certain_claim(view, Seat.EAST, [parse_card(card) for card in cards.split()]) is is_certain


def test_a_claim_that_needs_a_ruff_is_certain_for_who_knows_all_hands_but_not_for_declarer() -> None:
    spades = parse_hand("AKQJT98765432...", Seat.EAST)
    defender = PlayerView(Seat.NORTH, 1, Seat.EAST, Vulnerability.NONE, parse_hand(".AKQJT98765432..", Seat.NORTH))
    declarer = PlayerView(Seat.EAST, 1, Seat.EAST, Vulnerability.NONE, spades)
    for known in (defender, declarer):
        for call in ("7S", "Pass", "Pass", "Pass"):
            known.add_call(parse_call(call))
        known.add_card(parse_card("2D"))
        known.show_dummy(parse_hand("...AKQJT98765432", Seat.WEST))
    assert is_certain_claim(View(defender, Seat.NORTH), Seat.EAST, spades.cards)
    assert not is_certain_claim(View(declarer, Seat.WEST), Seat.EAST, spades.cards)


def test_a_claim_of_who_is_not_on_lead_is_not_certain() -> None:
    top = [parse_card(card) for card in ("AS", "KS")]
    assert not is_certain_claim(after_tricks("1NT", f"{CLUBS} AS"), Seat.EAST, top[1:])
    assert not is_certain_claim(after_tricks("1NT", "AC 6C 2C 4C"), Seat.EAST, top)


class Explained(Player):
    """Says what its calls mean, and claims what its model is."""

    def call(self, view: View) -> str:
        return "1C" if view.is_vulnerable else "pass"

    def explain(self, view: View, call: Call) -> str:
        return f"{call} by {view.seat.title}."

    def claim(self, view: View) -> bool:
        return self.model  # type: ignore[no-any-return] # that is what is tried

    def play(self, view: View) -> Card:
        return view.legal_cards[0]


def test_a_call_without_an_explanation_gets_that_of_the_player() -> None:
    known = PlayerView(Seat.NORTH, 1, Seat.NORTH, Vulnerability.NS, parse_hand(HANDS[Seat.NORTH], Seat.NORTH))
    assert SeatedPlayer(Explained()).choose_call(known) == Decision(parse_call("1C"), "1C by North.")


def test_a_claim_is_asked_for_once_a_trick_and_is_yes_or_no() -> None:
    known = PlayerView(Seat.SOUTH, 1, Seat.EAST, Vulnerability.NONE, parse_hand(HANDS[Seat.SOUTH], Seat.SOUTH))
    for call in ("1NT", "Pass", "Pass", "Pass"):
        known.add_call(parse_call(call))
    player = SeatedPlayer(Explained(True))
    assert [player.choose_claim(known, Seat.SOUTH) for _ in range(2)] == [True, False]
    with pytest.raises(PlayerError, match=r"^Explained.claim\(\) returns True or False, got 13$"):
        SeatedPlayer(Explained(13)).choose_claim(known, Seat.SOUTH)


def test_the_time_left_is_that_of_the_limit_that_comes_first() -> None:
    now_s = 0.0
    time = ThinkingTime(TableTerms(call_ms=10_000, board_ms=25_000, match_ms=40_000), lambda: now_s)
    left = []
    for board in (1, 1, 1, 2, 2):
        time.begin(board)
        left.append(time.left_ms())
        now_s += 9
        time.end()
        now_s += 100  # others think
    assert left == [10_000, 10_000, 7_000, 10_000, 4_000]
    time.begin(3)
    assert time.left_ms() == 0
    time.set_match_left(9_000)
    now_s += 2
    assert time.left_ms() == 7_000
    assert ThinkingTime(TableTerms()).left_ms() is None
