"""What a hand can expect: its partner's points and lengths, the tricks of the side, and the score of a contract.

The tricks a side takes were measured over 2,400 random deals with a double-dummy solver, and fitted by least squares
to points and fit; the spread is what the fit leaves unexplained. The constant for a trump contract is half a trick
below the fitted one: of many contracts that look equal, the one chosen tends to be the one that was overrated.
"""

import itertools
import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from tourney.bots.basic.meaning import Evaluation, Shown
from tourney.bots.basic.situation import SLAM, Situation
from tourney.bots.strategy import Variation
from tourney.bridge import Bid, Contract, PlayerView, Seat, Strain, Suit, declarer_score
from tourney.bridge.minibridge import MinibridgeContract
from tourney.scoring.ledger import GameState, PlayedDeal
from tourney.scoring.minibridge import Minibridge

_SUIT_SPREAD: Final = 1.2
_NOTRUMP_SPREAD: Final = 1.4
"""Standard deviations of the tricks, both measured."""

_STEPS: Final = 8
"""An expectation is rounded to this fraction of a trick, so that scores can be cached."""

_SHORTNESS_UNKNOWN: Final = 1.3
"""Mean shortness of a hand whose shape is unknown."""
_SHORTNESS_BALANCED: Final = 0.4
"""Mean shortness of a balanced hand."""
_POINTS_OF_LENGTH: Final = 0.8
"""How many of the points shown by an unbalanced hand are for length, which the fit already counts."""
_SLAM_POINTS_LEAST: Final = 30
"""The fewest points both hands may hold for a small slam if partner is at its weakest."""
_NOTRUMP_LEAD_ADVANTAGE: Final = 0.3
"""Tricks that declarer gains at notrump from the opening lead, compared with double-dummy play."""
_FIVE_LEVEL_TRICKS: Final = 0.5
"""Subtracted when bidding five over an opponent's bid: their cards lie badly more often than not."""


@dataclass(frozen=True, slots=True)
class Prospects:
    """What one hand expects of its partner, and of the contracts open to its side."""

    situation: Situation
    hand: Evaluation
    partner_points: tuple[tuple[int, float], ...]
    """The points partner may hold, in rising order, each with its weight; the weights add up to 1."""
    partner_lengths: tuple[float, ...]
    """Cards that partner can be expected to hold in each suit, indexed by `Suit`."""
    boldness: float
    """Points that this player adds to its hand; depends on its seed."""

    @classmethod
    def of(cls, situation: Situation, hand: Evaluation, boldness: float) -> "Prospects":
        """Assess the prospects of the hand in turn from what everybody has shown."""
        shown = situation.partners
        opponents = [situation.shown[situation.me.next], situation.shown[situation.me.previous]]
        return cls(
            situation=situation,
            hand=hand,
            partner_points=_partner_points(hand, shown, opponents),
            partner_lengths=_partner_lengths(hand, shown, opponents),
            boldness=boldness,
        )

    def tricks(self, strain: Strain, partner_points: float) -> float:
        """Estimate the tricks that the side takes as declarer."""
        points = self.hand.hcp + self.boldness + partner_points
        if not self.situation.partners.balanced:
            points -= _POINTS_OF_LENGTH
        suit = strain.trumps
        if suit is None:
            return notrump_tricks(points) + self._notrump_texture()
        trumps = self.hand.lengths[suit] + self.partner_lengths[suit]
        return suit_tricks(points, trumps, self._shortness(suit))

    def _shortness(self, trumps: Suit) -> float:
        partner = self.situation.partners
        theirs = _SHORTNESS_BALANCED if partner.balanced else _SHORTNESS_UNKNOWN
        if self.partner_lengths[trumps] < 2.5:
            theirs = 0.0
        if self.hand.lengths[trumps] < 3:
            return theirs
        return theirs + sum(max(0, 3 - self.hand.lengths[suit]) for suit in Suit if suit is not trumps)

    def _notrump_texture(self) -> float:
        """Estimate what poor stoppers cost and a long suit gains at notrump, in tricks."""
        partner = self.situation.partners
        change = _NOTRUMP_LEAD_ADVANTAGE
        their_suits = self.situation.their_suits
        if any(call.bid is not None and call.bid.strain is Strain.NOTRUMP for call in self.situation.partner_calls):
            their_suits = []  # partner's notrump bid has stopped them
        for suit in Suit:
            safe = self.hand.stops(suit) or partner.lengths[suit].low >= 5
            if suit in their_suits:
                if not safe:
                    change -= 0.6 if partner.balanced else 1.8
            elif not safe and not partner.balanced and partner.lengths[suit].low < 4:
                change -= 0.1 if self.hand.half_stops(suit) else 0.4
        longest = self.hand.longest
        if self.hand.lengths[longest] >= 6 and self.hand.top_honours(longest) >= 2:
            change += 0.4 * (self.hand.lengths[longest] - 5)
        return change

    @property
    def expected_points(self) -> float:
        """The mean of the points that partner may hold."""
        return sum(points * weight for points, weight in self.partner_points)

    def has_slam_points(self, strain: Strain) -> bool:
        """Tell whether the points are enough for a slam: the estimate of tricks knows nothing of missing aces."""
        suit = strain.trumps
        value = self.hand.points
        if suit is None:
            value = self.hand.hcp + (self.hand.points > self.hand.hcp)
        elif self.hand.lengths[suit] + self.partner_lengths[suit] >= 8:
            value = max(value, self.hand.support_points(suit))
        least = self.partner_points[0][0]
        return value + self.expected_points >= SLAM and value + least >= _SLAM_POINTS_LEAST

    def score(self, bid: Bid, low: int = 0, high: int = 40) -> float:
        """Sum up the expected score of a contract over partner's hands of `low` to `high` points."""
        vulnerable = self.situation.is_vulnerable
        contested = bool(self.situation.their_calls)
        less = _FIVE_LEVEL_TRICKS if bid.level >= 5 and not self.situation.bid_is_ours else 0.0
        return sum(
            weight
            * _expected_score(
                bid,
                round((self.tricks(bid.strain, points) - less) * _STEPS),
                vulnerable=vulnerable,
                contested=contested,
            )
            for points, weight in self.partner_points
            if low <= points <= high
        )

    def score_of_their_contract(self, bid: Bid, *, doubled: bool) -> float:
        """Estimate what this side scores if the opponents play a contract."""
        vulnerable = self.situation.vulnerability.includes(self.situation.me.side.other)
        suit = bid.strain.trumps
        total = 0.0
        for points, weight in self.partner_points:
            their_points = 40 - self.hand.hcp - points
            if suit is None:
                tricks = notrump_tricks(their_points)
            else:
                trumps = 13 - self.hand.lengths[suit] - self.partner_lengths[suit]
                tricks = suit_tricks(their_points, max(trumps, 6.5), 2 * _SHORTNESS_UNKNOWN)
                if self.hand.lengths[suit] >= 4:
                    tricks -= 0.3 * self.hand.top_honours(suit, 11)
            score = _expected_score(bid, round(tricks * _STEPS), vulnerable=vulnerable, doubled=doubled)
            total -= weight * score
        return total


def _partner_points(hand: Evaluation, shown: Shown, opponents: list[Shown]) -> tuple[tuple[int, float], ...]:
    """Weigh the points partner may hold by a bell curve around a fair share of what is left."""
    most = 40 - hand.hcp - sum(min(opponent.points.low, 15) for opponent in opponents)
    low = min(shown.points.low, max(most, 0))
    high = max(low, min(shown.points.high, most))
    middle = max(0.0, (40 - hand.hcp - sum(opponent.points.low for opponent in opponents)) / 3)
    middle += sum(opponent.points.low == 0 and opponent.points.high <= 12 for opponent in opponents) * 0.5
    weights = {points: math.exp(-((points - middle) ** 2) / 32) for points in range(low, high + 1)}
    total = sum(weights.values())
    return tuple((points, weight / total) for points, weight in weights.items())


def _partner_lengths(hand: Evaluation, shown: Shown, opponents: list[Shown]) -> tuple[float, ...]:
    """Add to what partner has promised its share of the cards that nobody has promised."""
    free = [
        max(
            0.0,
            13
            - hand.lengths[suit]
            - shown.lengths[suit].low
            - sum(opponent.lengths[suit].low for opponent in opponents),
        )
        for suit in Suit
    ]
    unknown = max(0, 13 - sum(span.low for span in shown.lengths))
    share = unknown / max(1.0, sum(free))
    return tuple(
        min(shown.lengths[suit].high, shown.lengths[suit].low + share * free[suit], 13 - hand.lengths[suit])
        for suit in Suit
    )


def suit_tricks(points: float, trumps: float, shortness: float) -> float:
    """Estimate the tricks taken with a trump suit.

    Args:
        points: high-card points of both hands.
        trumps: cards of the suit in both hands.
        shortness: cards short of three in the other suits, both hands together.
    """
    return 6.76 + 0.39 * (points - 20) + 0.97 * (trumps - 8) + 0.24 * shortness


def notrump_tricks(points: float) -> float:
    """Estimate the tricks taken at notrump from the points of both hands."""
    return 6.03 + 0.508 * (points - 20)


def trick_shares(mean: float, spread: float) -> list[float]:
    """Return the shares of 0 to 13 tricks: a normal distribution, rounded, whose tails go to 0 and 13."""
    up_to = [0.5 * (1 + math.erf((tricks + 0.5 - mean) / (spread * math.sqrt(2)))) for tricks in range(13)]
    return [high - low for low, high in itertools.pairwise([0.0, *up_to, 1.0])]


@lru_cache(maxsize=8192)
def _expected_score(
    bid: Bid, steps: int, *, vulnerable: bool, doubled: bool = False, contested: bool = False
) -> float:
    """Estimate the score of a contract from the steps of a trick that are expected.

    The further an undoubled contract fails, the more often it is taken to have been doubled, above all if the
    opponents have bid.
    """
    spread = _NOTRUMP_SPREAD if bid.strain is Strain.NOTRUMP else _SUIT_SPREAD
    score = 0.0
    for tricks, share in enumerate(trick_shares(steps / _STEPS, spread)):
        down = bid.level + 6 - tricks
        risk = 1.0 if doubled else min(0.9, max(0, down) * (0.22 if contested else 0.10))
        plain, hit = (
            declarer_score(Contract(bid.level, bid.strain, times, Seat.NORTH), tricks, vulnerable=vulnerable)
            for times in (0, 1)
        )
        score += share * (risk * hit + (1 - risk) * plain)
    return score


# Minibridge: both hands are in sight

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

_MINIBRIDGE_SPREAD: Final = 1.35
"""The standard deviation of tricks about what is expected."""

_VARIATION_TRICKS: Final = 0.1
"""How far players with different seeds differ in what they expect."""


def choose_minibridge_contract(view: PlayerView, variation: Variation) -> MinibridgeContract:
    """Return declarer's contract, that with the best expected score; `view` is declarer's, and shows dummy's hand."""
    assert view.dummy_hand is not None
    own, dummy = Evaluation.of(view.hand), Evaluation.of(view.dummy_hand)

    def expected_score(contract: MinibridgeContract) -> float:
        mean = _expected_tricks(contract.strain, own, dummy)
        mean += _VARIATION_TRICKS * variation.of(f"minibridge {contract.strain.letters}")
        shares = enumerate(trick_shares(mean, _MINIBRIDGE_SPREAD))
        return sum(share * _minibridge_score(contract, tricks) for tricks, share in shares)

    contracts = [MinibridgeContract(strain, is_game, view.seat) for strain in Strain for is_game in (False, True)]
    return max(contracts, key=expected_score)


def _minibridge_score(contract: MinibridgeContract, tricks: int) -> int:
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
