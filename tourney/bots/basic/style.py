"""The basic player: natural bidding and simple card play, deterministic in its seed and what it sees.

Its choice of contract at Minibridge is here too, with its own hand and dummy in sight.
"""

from typing import Final

from tourney.bots.basic.bidder import decide_call
from tourney.bots.basic.declarer import declarer_lead
from tourney.bots.basic.defence import defender_lead, opening_lead
from tourney.bots.basic.evaluation import Evaluation
from tourney.bots.basic.follow import follow
from tourney.bots.basic.position import PlayPosition
from tourney.bots.basic.prospects import trick_shares
from tourney.bots.strategy import Decision, Variation
from tourney.bridge import Bid, Card, PlayerView, Seat, Strain, Suit
from tourney.bridge.minibridge import MinibridgeContract
from tourney.scoring.ledger import GameState, PlayedDeal
from tourney.scoring.minibridge import Minibridge

_TRICKS_PER_POINT: Final = 0.36
_TRICKS_AT_20: Final = 6.5
"""Tricks to expect at notrump with half of the points."""

_TRICKS_OF_EIGHT_TRUMPS: Final = 0.9
"""Tricks that a fit of eight trumps is worth, beside notrump."""

_TRICKS_PER_TRUMP: Final = 0.5
"""Tricks that each further trump adds."""

_TRICKS_PER_MISSING_TRUMP: Final = 1.0
"""Tricks that each trump short of eight costs."""

_UNSTOPPED: Final = 1.5
"""Tricks that a suit without a stopper costs at notrump."""

_SPREAD: Final = 1.35
"""The standard deviation of tricks about what is expected."""

_VARIATION_TRICKS: Final = 0.1
"""How far players with different seeds differ in what they expect."""


def choose_minibridge_contract(view: PlayerView, variation: Variation) -> MinibridgeContract:
    """Return declarer's contract, that with the best expected score; `view` is declarer's, and shows dummy's hand."""
    assert view.dummy_hand is not None
    own, dummy = Evaluation.of(view.hand), Evaluation.of(view.dummy_hand)
    contracts = [MinibridgeContract(strain, is_game, view.seat) for strain in Strain for is_game in (False, True)]
    return max(contracts, key=lambda contract: _expected_score(contract, own, dummy, variation))


def _expected_score(contract: MinibridgeContract, own: Evaluation, dummy: Evaluation, variation: Variation) -> float:
    mean = _expected_tricks(contract.strain, own, dummy)
    mean += _VARIATION_TRICKS * variation.of(f"minibridge {contract.strain.letters}")
    return sum(share * _score(contract, tricks) for tricks, share in enumerate(trick_shares(mean, _SPREAD)))


def _score(contract: MinibridgeContract, tricks: int) -> int:
    points = Minibridge().play(GameState(), PlayedDeal(contract=contract, tricks=tricks)).after.totals
    side = contract.declarer.side
    return points[side] - points[side.other]


def _expected_tricks(strain: Strain, own: Evaluation, dummy: Evaluation) -> float:
    # The figures were fitted to what this player takes with its own card play on both sides of the table.
    tricks = _TRICKS_AT_20 + _TRICKS_PER_POINT * (own.hcp + dummy.hcp - 20)
    if strain is Strain.NOTRUMP:
        unstopped = sum(not own.stops(suit) and not dummy.stops(suit) for suit in Suit)
        longest = max(own.lengths[suit] + dummy.lengths[suit] for suit in Suit)
        return tricks - _UNSTOPPED * unstopped + 0.3 * (longest - 8)
    trumps = Suit(strain.value)
    held = own.lengths[trumps] + dummy.lengths[trumps]
    shortness = max(
        own.support_points(trumps) - own.hcp if dummy.lengths[trumps] >= own.lengths[trumps] else 0,
        dummy.support_points(trumps) - dummy.hcp if own.lengths[trumps] >= dummy.lengths[trumps] else 0,
    )
    tricks += _TRICKS_OF_EIGHT_TRUMPS + 0.2 * shortness
    return tricks + (_TRICKS_PER_TRUMP if held >= 8 else _TRICKS_PER_MISSING_TRUMP) * (held - 8)


class BasicStrategy:
    """Bids a natural system and plays without looking far ahead.

    The seed varies its judgement a little, so that teams with different seeds differ; players with the same seed
    play alike.
    """

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def choose_call(self, view: PlayerView) -> Decision:
        """Make the call of the system, or else the one that judgement prefers; at Minibridge choose a contract."""
        if view.chooses_contract:
            contract = choose_minibridge_contract(view, Variation(self.seed, view.number))
            return Decision(Bid(contract.level, contract.strain))
        return decide_call(view, Variation(self.seed, view.number))

    def choose_card(self, view: PlayerView, hand: Seat) -> Card:
        """Play a card from the player's own hand, or from dummy's if the player is declarer."""
        legal = view.legal_cards(hand)
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
