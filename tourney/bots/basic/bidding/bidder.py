"""Decides on a call, by the system where it has one and by judgement elsewhere, and explains it in an alert.

Alerts are in the protocol's grammar (BC-22, BC-23, BC-24).
"""

from collections.abc import Sequence
from typing import Final

from tourney.bots.basic.bidding.inference import read_auction, read_call
from tourney.bots.basic.bidding.judgement import judge
from tourney.bots.basic.bidding.meaning import ANY_LENGTH, ANY_POINTS, Force, Meaning, Range
from tourney.bots.basic.bidding.system import system_meanings
from tourney.bots.basic.evaluation import Evaluation
from tourney.bots.strategy import Decision, Variation
from tourney.bridge import PASS, SUITS_DOWN, PlayerView

_BOLDNESS_MAX: Final = 0.8
"""Points by which a player may value its hand higher, or lower, than it is."""

_POINTS_MAX: Final = 40
"""The top of the scale in the alert of a call that says nothing about strength, as in the protocol's examples."""


def decide_call(view: PlayerView, variation: Variation) -> Decision:
    """Choose a legal call for the seat of the view, with an alert if the call is artificial.

    Args:
        view: what the seat knows; it is its turn to call.
        variation: makes the player bold on one board and cautious on another, where it uses its judgement.
    """
    situation = read_auction(view)
    hand = Evaluation.of(view.hand)
    meanings = system_meanings(situation)
    for meaning in meanings:
        if meaning.fits(hand):
            return Decision(meaning.call, format_alert([each for each in meanings if each.call == meaning.call]))
    call = judge(situation, hand, _BOLDNESS_MAX * variation.of("boldness"))
    if not situation.is_legal(call):
        return Decision(PASS)
    return Decision(call, format_alert([read_call(situation, call)]))


def format_alert(meanings: Sequence[Meaning]) -> str:
    """Format the alert of a call with these meanings: one statement each, the later ones as alternatives.

    The text is empty if none of the meanings needs an alert.
    """
    if not any(meaning.alerted for meaning in meanings):
        return ""
    statements = dict.fromkeys(_format_statement(meaning) for meaning in meanings)
    return " Alternatively, ".join(f"{statement}." for statement in statements)


def _format_statement(meaning: Meaning) -> str:
    elements = [_format_range(meaning.points, ANY_POINTS.high, "total points")]
    elements += [
        _format_range(meaning.lengths[suit], ANY_LENGTH.high, f"cards in {suit.name.lower()}") for suit in SUITS_DOWN
    ]
    elements.append(meaning.phrase)
    if meaning.force is Force.ROUND:
        elements.append("Forcing for one round")
    elif meaning.force is Force.GAME:
        elements.append("Forcing until game")
    return ", ".join(element for element in elements if element) or f"0 to {_POINTS_MAX} total points"


def _format_range(span: Range, highest: int, noun: str) -> str:
    """Format a range such as `at least 5 cards in hearts`; the text is empty if the range says nothing."""
    low, high = span.low, span.high
    if low == high:
        return f"{low} {noun}"
    if high >= highest:
        return f"at least {low} {noun}" if low > 0 else ""
    return f"up to {high} {noun}" if low == 0 else f"{low} to {high} {noun}"
