"""A player of random legal calls and cards: quick, and good at reaching rare situations."""

import random
from typing import Final

from tourney.bots.strategy import Decision
from tourney.bridge import DOUBLE, PASS, REDOUBLE, SUITS_DOWN, Bid, Call, Card, PlayerView, Seat
from tourney.bridge.minibridge import LOWEST_GAMES

_PASS_WEIGHT: Final = 9.0
"""Compared with 12.5 for all bids together: some boards are passed out, and most auctions take 4 to 16 calls."""
_PASS_WEIGHT_LATE: Final = 3.0
"""Added for every bid already made."""
_DOUBLE_WEIGHT: Final = 4.0
_REDOUBLE_WEIGHT: Final = 6.0
_STEP_WEIGHTS: Final = (4.0, 3.0, 2.0, 1.5, 1.0, 0.5, 0.3, 0.2)
"""Weights of the lowest legal bid, the next one, and so on; higher bids are not made."""
_ALERT_SHARE: Final = 1 / 8


class RandomStrategy:
    """Makes any legal call or plays any legal card, and alerts now and then.

    Each decision has its own generator, seeded from the seed, the board, the seat and the number of calls and cards
    so far: a board that is started again takes the same course.
    """

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def choose_call(self, view: PlayerView) -> Decision:
        """Choose a legal call, of which one in eight is alerted, or at Minibridge a contract."""
        generator = self._generator(view, view.seat)
        if view.chooses_contract:
            return Decision(
                generator.choice([Bid(level, strain) for strain, game in LOWEST_GAMES.items() for level in (1, game)])
            )
        calls = _weighted_calls(view)
        call = generator.choices(list(calls), weights=list(calls.values()))[0]
        alert = _alert_text(generator) if generator.random() < _ALERT_SHARE else ""
        return Decision(call, alert)

    def choose_card(self, view: PlayerView, hand: Seat) -> Card:
        """Choose one of the legal cards, all with the same probability."""
        return self._generator(view, hand).choice(view.legal_from(hand))

    def _generator(self, view: PlayerView, hand: Seat) -> random.Random:
        calls, cards = len(view.auction.calls), len(view.cards)
        return random.Random(f"{self.seed}|{view.number}|{hand.letter}|{calls}|{cards}")


def _weighted_calls(view: PlayerView) -> dict[Call, float]:
    bids_made = sum(isinstance(call, Bid) for call in view.auction.calls)
    weights = {
        PASS: _PASS_WEIGHT + _PASS_WEIGHT_LATE * bids_made,
        DOUBLE: _DOUBLE_WEIGHT,
        REDOUBLE: _REDOUBLE_WEIGHT,
    }
    steps = iter(_STEP_WEIGHTS)
    calls = (
        (call, next(steps, 0.0) if isinstance(call, Bid) else weights[call]) for call in view.auction.legal_calls()
    )
    return {call: weight for call, weight in calls if weight}


def _alert_text(generator: random.Random) -> str:
    """Make up a statement in the grammar of alerts (BC-22, BC-23)."""
    low = generator.randint(0, 12)
    elements = [f"{low} to {low + generator.randint(1, 12)} total points"]
    suit = generator.choice(SUITS_DOWN).name.lower()
    cards = generator.randint(1, 6)
    elements.append(generator.choice((f"at least {cards} cards in {suit}", f"up to {cards} cards in {suit}")))
    if generator.random() < 0.25:
        elements.append("Forcing for one round")
    return ", ".join(elements) + "."
