"""A player of random legal calls and cards, for trying out tables: quick, and never twice in the same rut."""

import random
from typing import Final

from tourney.bots.strategy import Decision
from tourney.bridge import DOUBLE, PASS, REDOUBLE, SUITS_DOWN, Bid, Call, Card, PlayerView, Seat

_PASS_WEIGHT: Final = 9.0
"""Against 12.5 for all bids together: some boards are passed out, and most auctions end within 4 to 16 calls."""
_PASS_WEIGHT_LATE: Final = 3.0
"""Added for every bid already made."""
_DOUBLE_WEIGHT: Final = 4.0
_REDOUBLE_WEIGHT: Final = 6.0
_STEP_WEIGHTS: Final = (4.0, 3.0, 2.0, 1.5, 1.0, 0.5, 0.3, 0.2)
"""Of the lowest legal bid, the next one, and so on; higher ones are not made."""
_ALERT_SHARE: Final = 1 / 8


class RandomStrategy:
    """Any legal call or card, and now and then an alert.

    Each decision has a generator of its own, made from the seed, the board, the seat and the number of calls and
    cards so far: a board begun again takes the same course.
    """

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def choose_call(self, view: PlayerView) -> Decision:
        """A legal call, with an alert one time in eight."""
        chance = self._chance(view, view.seat)
        calls = _weighted_calls(view)
        call = chance.choices(list(calls), weights=list(calls.values()))[0]
        alert = _alert_text(chance) if chance.random() < _ALERT_SHARE else ""
        return Decision(call, alert)

    def choose_card(self, view: PlayerView, hand: Seat) -> Card:
        """One of the legal cards, each as likely."""
        return self._chance(view, hand).choice(view.legal_cards(hand))

    def _chance(self, view: PlayerView, hand: Seat) -> random.Random:
        calls, cards = len(view.auction.calls), len(view.cards)
        return random.Random(f"{self.seed}|{view.number}|{hand.letter}|{calls}|{cards}")


def _weighted_calls(view: PlayerView) -> dict[Call, float]:
    bids_made = sum(isinstance(call, Bid) for call in view.auction.calls)
    weights: dict[Call, float] = {}
    steps = iter(_STEP_WEIGHTS)
    for call in view.auction.legal_calls():
        if call is PASS:
            weights[call] = _PASS_WEIGHT + _PASS_WEIGHT_LATE * bids_made
        elif call is DOUBLE:
            weights[call] = _DOUBLE_WEIGHT
        elif call is REDOUBLE:
            weights[call] = _REDOUBLE_WEIGHT
        else:
            weight = next(steps, None)
            if weight is None:
                break
            weights[call] = weight
    return weights


def _alert_text(chance: random.Random) -> str:
    """A statement in the grammar of alerts (BC-22, BC-23)."""
    low = chance.randint(0, 12)
    elements = [f"{low} to {low + chance.randint(1, 12)} total points"]
    suit = chance.choice(SUITS_DOWN).name.lower()
    cards = chance.randint(1, 6)
    elements.append(chance.choice((f"at least {cards} cards in {suit}", f"up to {cards} cards in {suit}")))
    if chance.random() < 0.25:
        elements.append("Forcing for one round")
    return ", ".join(elements) + "."
