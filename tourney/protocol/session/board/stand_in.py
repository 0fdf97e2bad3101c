"""What the table calls and plays in the place of a player that cannot or may not (BC-46).

It passes. It plays the lowest legal card: of the suit led, else of the longest suit still held.
"""

from tourney.bridge import SUITS_DOWN, Card, Play


def stand_in_card(play: Play) -> Card:
    """The card for the hand in turn; the play is not over."""
    legal = play.legal_cards()
    led = play.current.suit_led
    if led is not None and legal[0].suit is led:
        return min(legal)
    # Of suits of one length the lowest-ranking: it costs the least.
    held = {suit: [card for card in legal if card.suit is suit] for suit in reversed(SUITS_DOWN)}
    longest = max(held, key=lambda suit: len(held[suit]))
    return min(held[longest])
