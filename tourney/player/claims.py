"""Whether a claim of all remaining tricks cannot fail, as far as a player can tell."""

from collections.abc import Sequence

from tourney.bridge import DECK, Card, Seat, Suit
from tourney.bridge.claims import must_come_true
from tourney.player.view import View


def is_certain_claim(view: View, claimant: Seat, cards: Sequence[Card]) -> bool:
    """Return whether the claimant's side wins every trick that is left, whatever its opponents play.

    Who judges the claim of another sees three hands, and so knows the fourth: then it is searched whether anything
    beats the claim. Where two hands are hidden, as from declarer, it is certain if the claimant is on lead, draws
    trumps and cashes its suits from the top, with its own cards alone: one hand may hold all the others.

    Args:
        view: what the player knows who judges the claim, or makes it.
        claimant: who claims.
        cards: what the claimant still holds, which all have been shown.
    """
    if must_come_true(view._known, claimant, cards):  # noqa: SLF001 # of this package
        return True
    contract, trick = view.contract, view.trick
    if contract is None or trick is None or trick.cards or trick.leader is not claimant:
        return False
    played = {card for trick in view.tricks for card in trick.cards}
    partners = {*view.dummy.cards} if view.dummy is not None and contract.dummy is claimant.partner else set()
    others = [card for card in DECK if card not in played and card not in partners and card not in cards]
    trumps = contract.strain.trumps
    if trumps is not None and sum(card.suit is trumps for card in others) > sum(
        card.suit is trumps for card in cards
    ):
        return False
    return all(_wins_suit(suit, cards, others) for suit in Suit)


def _wins_suit(suit: Suit, cards: Sequence[Card], others: Sequence[Card]) -> bool:
    """Return whether each card of a suit wins when they are led from the top; one hand may hold all the others."""
    against = [card.rank for card in others if card.suit is suit]
    held = sorted((card.rank for card in cards if card.suit is suit), reverse=True)
    return all(len(against) <= place or rank > max(against) for place, rank in enumerate(held))
