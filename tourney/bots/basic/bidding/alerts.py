"""The text that explains an artificial call to the opponents, in the protocol's grammar (BC-22, BC-23, BC-24)."""

from collections.abc import Sequence
from typing import Final

from tourney.bots.basic.bidding.meaning import ANY_LENGTH, ANY_POINTS, Force, Meaning, Range
from tourney.bridge import SUITS_DOWN

_POINTS_MAX: Final = 40
"""What a call that says nothing of strength is given: the whole scale, as in the protocol's own examples."""


def alert_text(meanings: Sequence[Meaning]) -> str:
    """The alert of a call whose meanings these are: one statement each, the later ones as alternatives.

    Empty when none of them is alerted.
    """
    if not any(each.alerted for each in meanings):
        return ""
    statements: list[str] = []
    for each in meanings:
        statement = _statement(each)
        if statement not in statements:
            statements.append(statement)
    return " Alternatively, ".join(f"{statement}." for statement in statements)


def aces_text(first: int, second: int) -> str:
    """The alert of an answer that shows one of two numbers of aces: `0 or 4 total aces.`"""
    return f"{first} or {second} total aces."


def _statement(each: Meaning) -> str:
    elements = [_counted(each.points, ANY_POINTS.high, "total points")]
    elements += [
        _counted(each.lengths[suit], ANY_LENGTH.high, f"cards in {suit.name.lower()}") for suit in SUITS_DOWN
    ]
    elements.append(each.phrase)
    if each.force is Force.ROUND:
        elements.append("Forcing for one round")
    elif each.force is Force.GAME:
        elements.append("Forcing until game")
    return ", ".join(element for element in elements if element) or f"0 to {_POINTS_MAX} total points"


def _counted(span: Range, highest: int, noun: str) -> str:
    """`at least 5 cards in hearts`; empty when the range says nothing."""
    low, high = span.low, span.high
    if low == high:
        return f"{low} {noun}"
    if high >= highest:
        return f"at least {low} {noun}" if low > 0 else ""
    return f"up to {high} {noun}" if low == 0 else f"{low} to {high} {noun}"
