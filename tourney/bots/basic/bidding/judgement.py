"""Calls where the system is silent: the call whose contract is worth most on what is known of all hands."""

import math
from dataclasses import dataclass
from typing import Final

from tourney.bots.basic.bidding.inference import asks_aces, plain_meaning
from tourney.bots.basic.bidding.meaning import Shown, Tag
from tourney.bots.basic.bidding.prospects import contract_worth, notrump_tricks, suit_tricks
from tourney.bots.basic.bidding.situation import Situation, game_bid, is_game
from tourney.bots.basic.bidding.strong import aces_shown
from tourney.bots.evaluation import Evaluation
from tourney.bridge import BIDS, DOUBLE, PASS, Bid, Call, Strain, Suit

_NT: Final = Strain.NOTRUMP
_SHORTNESS_UNKNOWN: Final = 1.3
"""Mean shortness of a hand of which no shape is known; of a balanced one 0.4."""
_SHORTNESS_BALANCED: Final = 0.4
_POINTS_OF_LENGTH: Final = 0.8
"""What of the points shown by an unbalanced hand is length, which the fit counts already."""
_SLAM_POINTS: Final = 33.0
"""Points expected of both hands for a small slam, and the fewest they may hold if partner is weakest."""
_SLAM_POINTS_LEAST: Final = 30
_NOTRUMP_EDGE: Final = 0.3
"""Tricks declarer gains at notrump by the opening lead, over play with all cards seen."""
_GAME: Final = 25
_SPREAD_OF_INVITATION: Final = 4
"""Points above the least that partner may count on when a bid shows a wide range."""
_NEVER: Final = 41
"""More points than there are."""
_COST_OF_MISSING_CARD: Final = 40.0
_COST_OF_MISSING_POINT: Final = 20.0
"""What it costs to show a card or a point that is not there, in points of the score."""
_COST_OF_DISTURBING_GAME: Final = 60.0
"""Partner chose its game knowing its own hand: another must look better by this."""
_FIVE_LEVEL_TRICKS: Final = 0.5
"""Taken off when bidding five over an opponent's bid: their cards lie badly more often than not."""
_DOUBLE_MARGIN: Final = 120.0
"""How much better a penalty double must look than a pass: the tricks are uncertain, partner may be weak."""


@dataclass(frozen=True, slots=True)
class Outlook:
    """What one hand expects of its partner and of the contracts open to it."""

    situation: Situation
    hand: Evaluation
    partner_points: tuple[tuple[int, float], ...]
    """Points partner may hold, each with its weight; the weights sum to 1."""
    partner_lengths: tuple[float, ...]
    """Cards of each suit to expect of partner, by `Suit`."""
    boldness: float
    """Points this player adds to its hand: style, from its seed."""

    def tricks(self, strain: Strain, partner_points: float) -> float:
        """Tricks to expect of the own side as declarer."""
        points = self.hand.hcp + self.boldness + partner_points
        if not self.situation.shown[self.situation.partner].balanced:
            points -= _POINTS_OF_LENGTH
        suit = strain.trumps
        if suit is None:
            return notrump_tricks(points) + self._notrump_texture()
        trumps = self.hand.lengths[suit] + self.partner_lengths[suit]
        return suit_tricks(points, trumps, self._shortness(suit))

    def _shortness(self, trumps: Suit) -> float:
        partner = self.situation.shown[self.situation.partner]
        theirs = _SHORTNESS_BALANCED if partner.balanced else _SHORTNESS_UNKNOWN
        if self.partner_lengths[trumps] < 2.5:
            theirs = 0.0
        if self.hand.lengths[trumps] < 3:
            return theirs
        return theirs + sum(max(0, 3 - self.hand.lengths[suit]) for suit in Suit if suit is not trumps)

    def _notrump_texture(self) -> float:
        """What bad stoppers cost and a long suit brings, in tricks."""
        partner = self.situation.shown[self.situation.partner]
        change = _NOTRUMP_EDGE
        their_suits = self.situation.their_suits
        if any(made.bid is not None and made.bid.strain is _NT for made in self.situation.partners):
            their_suits = []  # partner has seen to them
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
        """Points to expect of partner."""
        return sum(points * weight for points, weight in self.partner_points)

    def has_slam_points(self, strain: Strain) -> bool:
        """Whether the hands are worth looking for a slam: the model of tricks knows nothing of lost aces."""
        suit = strain.trumps
        value = self.hand.points
        if suit is None:
            value = self.hand.hcp + (self.hand.points > self.hand.hcp)
        elif self.hand.lengths[suit] + self.partner_lengths[suit] >= 8:
            value = max(value, self.hand.support_points(suit))
        least = self.partner_points[0][0]
        return value + self.expected_points >= _SLAM_POINTS and value + least >= _SLAM_POINTS_LEAST

    def worth(self, bid: Bid, low: int = 0, high: int = 40) -> float:
        """What the own side scores in a contract, over partner's hands of `low` to `high` points."""
        vulnerable = self.situation.is_vulnerable
        contested = bool(self.situation.theirs)
        less = _FIVE_LEVEL_TRICKS if bid.level >= 5 and not self.situation.ours else 0.0
        return sum(
            weight
            * contract_worth(
                bid.level,
                bid.strain,
                self.tricks(bid.strain, points) - less,
                vulnerable=vulnerable,
                contested=contested,
            )
            for points, weight in self.partner_points
            if low <= points <= high
        )

    def worth_of_their_contract(self, bid: Bid, *, doubled: bool) -> float:
        """What the own side scores when the opponents play a contract."""
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
            total -= weight * contract_worth(bid.level, bid.strain, tricks, vulnerable=vulnerable, doubled=doubled)
        return total


def outlook(situation: Situation, hand: Evaluation, boldness: float) -> Outlook:
    """What the hand in turn expects, from what everybody has shown."""
    shown = situation.shown[situation.partner]
    enemies = [situation.shown[situation.me.next], situation.shown[situation.me.previous]]
    return Outlook(
        situation, hand, _partner_points(hand, shown, enemies), _partner_lengths(hand, shown, enemies), boldness
    )


def _partner_points(hand: Evaluation, shown: Shown, enemies: list[Shown]) -> tuple[tuple[int, float], ...]:
    """By a bell curve about a fair share of the points that are left."""
    most = 40 - hand.hcp - sum(min(enemy.points.low, 15) for enemy in enemies)
    low = min(shown.points.low, max(most, 0))
    high = max(low, min(shown.points.high, most))
    middle = max(0.0, (40 - hand.hcp - sum(enemy.points.low for enemy in enemies)) / 3)
    middle += sum(enemy.points.low == 0 and enemy.points.high <= 12 for enemy in enemies) * 0.5
    weights = {points: math.exp(-((points - middle) ** 2) / 32) for points in range(low, high + 1)}
    total = sum(weights.values())
    return tuple((points, weight / total) for points, weight in weights.items())


def _partner_lengths(hand: Evaluation, shown: Shown, enemies: list[Shown]) -> tuple[float, ...]:
    """What partner promised, and its share of the cards nobody has promised."""
    free = [
        max(
            0.0, 13 - hand.lengths[suit] - shown.lengths[suit].low - sum(enemy.lengths[suit].low for enemy in enemies)
        )
        for suit in Suit
    ]
    unknown = max(0, 13 - sum(span.low for span in shown.lengths))
    share = unknown / max(1.0, sum(free))
    return tuple(
        min(shown.lengths[suit].high, shown.lengths[suit].low + share * free[suit], 13 - hand.lengths[suit])
        for suit in Suit
    )


def judge(situation: Situation, hand: Evaluation, boldness: float) -> Call:
    """The call that promises most. Never a pass when partner's call asks for an answer."""
    view = outlook(situation, hand, boldness)
    last = situation.partner_last
    asked = bool(situation.own) and situation.own[-1].tag is Tag.ASK_ACES
    if asked and last is not None and last.tag is Tag.ACES and last.bid is not None:
        return _after_aces(view, last.bid)
    if not situation.is_forced and _has_said_all(situation):
        return PASS
    worths = _bids(view)
    if not situation.is_forced:
        worths[PASS] = _worth_of_pass(view)
        _add_double(view, worths)
    if not worths:
        return PASS
    # of equals the first: the pass, then the lower bid
    best = max(worths, key=lambda call: (worths[call], call is PASS))
    if isinstance(best, Bid) and best.level >= 6 and best.strain is not _NT:
        return _ask_or_bid(view, best)
    return best


def _has_said_all(situation: Situation) -> bool:
    """After a preempt or a sign-off of its own a hand is silent; so it is when partner has placed the contract."""
    if situation.own and situation.own[-1].tag in (Tag.PREEMPT, Tag.WEAK_TWO, Tag.SIGN_OFF):
        return True
    last = situation.partner_last
    placed = last is not None and last.tag in (Tag.SIGN_OFF, Tag.PENALTY)
    return placed and not isinstance(situation.right, Bid)


def _worth_of_pass(view: Outlook) -> float:
    situation = view.situation
    last = situation.last_bid
    if last is None:
        return 0.0
    if situation.ours:
        return view.worth(last)
    return view.worth_of_their_contract(last, doubled=situation.auction.doubled > 0)


def _bids(view: Outlook) -> dict[Call, float]:
    situation = view.situation
    worths: dict[Call, float] = {}
    for bid in BIDS:
        if not situation.is_legal(bid) or not _is_plausible(view, bid):
            continue
        worths[bid] = _worth_of_bid(view, bid)
    return worths


def _is_plausible(view: Outlook, bid: Bid) -> bool:
    """A contract to play in: notrump, or a suit of seven cards between the hands. Not a suit of the opponents."""
    situation = view.situation
    suit = bid.strain.trumps
    if bid.level > situation.cheapest(bid.strain).level and not is_game(bid) and not _is_invitation(view, bid):
        return False
    if is_game(bid) and bid.level < 6 and bid != game_bid(bid.strain) and bid != situation.cheapest(bid.strain):
        return False
    if bid.level >= 6 and not (bid.level == 6 and view.has_slam_points(bid.strain)):
        return False
    if suit is None:
        return bid.level not in (4, 5)
    return _is_playable(view, bid.strain)


def _is_playable(view: Outlook, strain: Strain) -> bool:
    """Seven cards between the hands, or six in one, and no suit of the opponents."""
    situation = view.situation
    suit = strain.trumps
    if suit is None:
        return True
    if suit in situation.their_suits and situation.shown[situation.me].lengths[suit].low < 4:
        return False
    own, partner = view.hand.lengths[suit], situation.shown[situation.partner].lengths[suit].low
    return own + partner >= 7 or own >= 6 or (own >= 5 and own + view.partner_lengths[suit] >= 7.5)


def _is_invitation(view: Outlook, bid: Bid) -> bool:
    """A raise below game of a contract the side could have stayed in, the opponents silent."""
    situation = view.situation
    last = situation.last_bid
    if last is None or not situation.ours or is_game(bid) or situation.right is not PASS:
        return False
    invited = situation.partner_last is not None and situation.partner_last.tag is Tag.LIMIT_RAISE
    spread = situation.shown[situation.partner].points
    if invited or spread.high - spread.low < 2:
        return False
    suit = bid.strain.trumps
    if suit is None:
        return bid.level == 2
    known = situation.shown[situation.partner].lengths[suit].low + view.hand.lengths[suit]
    return bid.level == 3 and suit >= Suit.HEARTS and known >= 8


def _worth_of_bid(view: Outlook, bid: Bid) -> float:
    """What the side will score: partner goes on to game when its points and those this bid shows make one."""
    situation = view.situation
    says = plain_meaning(situation, bid)
    fault = sum(max(0, span.low - length) for span, length in zip(says.lengths, view.hand.lengths, strict=True))
    lack = max(0, says.points.low - 1 - view.hand.points)
    blame = _COST_OF_MISSING_CARD * fault + _COST_OF_MISSING_POINT * lack
    if situation.ours and is_game(situation.last_bid) and situation.right is PASS and not situation.is_forced:
        blame += _COST_OF_DISTURBING_GAME
    if is_game(bid):
        return view.worth(bid) - blame
    forced = situation.me.side in situation.forced_to_game
    shown = (says.points.low + min(says.points.high, says.points.low + _SPREAD_OF_INVITATION)) // 2
    accepts = 0 if forced else _GAME - shown
    last = situation.partner_last
    if last is not None and last.tag in (Tag.PREEMPT, Tag.WEAK_TWO, Tag.SIGN_OFF):
        accepts = _NEVER
    games = [view.worth(game_bid(strain), low=accepts) for strain in {bid.strain, _NT}]
    return view.worth(bid, high=accepts - 1) + max(games) - blame


def _add_double(view: Outlook, worths: dict[Call, float]) -> None:
    """A penalty double, when it is clearly right: their contract is to fail by two on the average."""
    situation = view.situation
    last = situation.last_bid
    if last is None or situation.ours or not situation.is_legal(DOUBLE) or last.level < 2:
        return
    if not situation.partners or last.level < 3:
        return
    ours = view.hand.hcp + view.expected_points
    suit = last.strain.trumps
    stack = suit is not None and view.hand.lengths[suit] >= 4 and view.hand.top_honours(suit, 11) >= 2
    if ours < (20 if stack else 23) or view.hand.hcp < 6:
        return
    doubled = view.worth_of_their_contract(last, doubled=True)
    if doubled >= view.worth_of_their_contract(last, doubled=False) + _DOUBLE_MARGIN:
        worths[DOUBLE] = doubled


def _ask_or_bid(view: Outlook, best: Bid) -> Call:
    """Ask for aces before a slam in a suit when the answer cannot carry the side too high."""
    situation = view.situation
    ask = Bid(4, _NT)
    safe = 2 - view.hand.aces <= int(best.strain)
    if situation.is_legal(ask) and asks_aces(situation, ask) and safe:
        return ask
    return best


def _after_aces(view: Outlook, answer: Bid) -> Call:
    """Six with one ace missing, five with two."""
    situation = view.situation
    suits = [strain for strain in Strain if strain is not _NT and _is_playable(view, strain)]
    strain = max(suits, key=lambda each: view.worth(Bid(6, each)), default=_NT)
    partner_low = situation.shown[situation.partner].points.low
    aces = view.hand.aces + aces_shown(answer, view.hand.aces, partner_low)
    if aces <= 2:
        if answer == Bid(5, strain):
            return PASS
        five = Bid(5, strain)
        return five if situation.is_legal(five) else Bid(6, strain)
    seven = Bid(7, strain)
    enough = view.hand.points + view.expected_points >= _SLAM_POINTS + 4
    if aces == 4 and enough and view.worth(seven) > view.worth(Bid(6, strain)):
        return seven
    return Bid(6, strain)
