"""Cards and calls as numbers, as OpenSpiel and pgx count them.

A card is 4 (rank - 2) + suit, clubs 0: 0 is the two of clubs, 51 the ace of spades. Calls are pass, double, redouble,
1C to 7NT from 0 on; among the actions of OpenSpiel's `bridge` they follow the cards, from 52 on.
"""

from typing import Final

from tourney.bridge import CALLS, DECK, Call, Card


def card_number(card: Card) -> int:
    """Return the number of a card, 0 to 51."""
    return 4 * (card.rank - 2) + card.suit


CARDS: Final = tuple(sorted(DECK, key=card_number))
"""The cards by their numbers."""

CALL_NUMBERS: Final[dict[Call, int]] = {call: number for number, call in enumerate(CALLS)}
"""The numbers of calls; `CALLS` has the calls by their numbers."""
