"""Conditions on a hand that ranges of points and lengths cannot say: factories of predicates for `Meaning.needs`."""

from collections.abc import Callable
from typing import TypeAlias

from tourney.bots.evaluation import Evaluation
from tourney.bridge import Suit

Need: TypeAlias = Callable[[Evaluation], bool]


def is_shapely(hand: Evaluation) -> bool:
    """A singleton or a void."""
    return min(hand.lengths) <= 1


def longest_is(suit: Suit) -> Need:
    return lambda hand: hand.longest is suit


def longer_than(suit: Suit, other: Suit) -> Need:
    return lambda hand: hand.lengths[suit] > hand.lengths[other]


def at_least_as_long(suit: Suit, other: Suit) -> Need:
    return lambda hand: hand.lengths[suit] >= hand.lengths[other]


def longest_or(suit: Suit, length: int) -> Need:
    """The longest suit, or one of at least so many cards."""
    return lambda hand: hand.longest is suit or hand.lengths[suit] >= length


def good_suit(suit: Suit) -> Need:
    """See `Evaluation.is_good_suit`."""
    return lambda hand: hand.is_good_suit(suit)


def good_or_long(suit: Suit, length: int) -> Need:
    return lambda hand: hand.is_good_suit(suit) or hand.lengths[suit] >= length


def good_with_jack(suit: Suit, honours: int) -> Need:
    """A good suit with so many of its four top honours."""
    return lambda hand: hand.is_good_suit(suit) and hand.top_honours(suit, 11) >= honours


def both(first: Need, second: Need) -> Need:
    return lambda hand: first(hand) and second(hand)


def holds_aces(count: int) -> Need:
    return lambda hand: hand.aces == count


def best_of(suit: Suit, theirs: list[Suit]) -> Need:
    """The longest suit of those that are not theirs, the higher of equals; a major of four before a longer minor."""
    others = [other for other in Suit if other not in theirs and other is not suit]

    def holds(hand: Evaluation) -> bool:
        own = hand.lengths[suit]
        if all((own, suit) > (hand.lengths[other], other) for other in others):
            return True
        if suit < Suit.HEARTS or own < 4:
            return False
        return all((own, suit) > (hand.lengths[other], other) for other in others if other >= Suit.HEARTS) and all(
            hand.lengths[other] <= own for other in others
        )

    return holds
