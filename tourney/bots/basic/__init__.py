"""The basic player: a natural bidding system, and card play that does not look far ahead.

It is deterministic in its seed and what it sees.
"""

from tourney.bots.basic.bidder import decide_call
from tourney.bots.basic.declarer import declarer_lead
from tourney.bots.basic.defence import defender_lead, opening_lead
from tourney.bots.basic.follow import follow
from tourney.bots.basic.position import PlayPosition
from tourney.bots.basic.prospects import choose_minibridge_contract
from tourney.bots.strategy import Decision, Variation
from tourney.bridge import Bid, Card, PlayerView, Seat


class BasicStrategy:
    """Bids a natural system and plays without looking far ahead.

    The seed varies its judgement a little, so that teams with different seeds differ; players with the same seed
    play alike.
    """

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def choose_call(self, view: PlayerView) -> Decision:
        """Make the call of the system, or else the one that judgement prefers; at Minibridge choose a contract."""
        variation = Variation(self.seed, view.number)
        if view.chooses_contract:
            contract = choose_minibridge_contract(view, variation)
            return Decision(Bid(contract.level, contract.strain))
        return decide_call(view, variation)

    def choose_card(self, view: PlayerView, hand: Seat) -> Card:
        """Play a card from the player's own hand, or from dummy's if the player is declarer."""
        legal = view.legal_from(hand)
        if len(legal) == 1:
            return legal[0]
        card = _preferred_card(view, hand, Variation(self.seed, view.number))
        return card if card in legal else legal[-1]


def _preferred_card(view: PlayerView, hand: Seat, variation: Variation) -> Card:
    if not view.cards:
        return opening_lead(view, variation)
    position = PlayPosition.of(view, hand)
    if position.trick.cards:
        return follow(position)
    return declarer_lead(position) if position.declares else defender_lead(position, variation)
