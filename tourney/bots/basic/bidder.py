"""Reads an auction, decides on a call, and explains it in an alert.

A call shows what the system says, and where that does not cover it, what common sense says. The player makes the call
of the system where it has one, and elsewhere the one whose contract promises most, given what all hands have shown.
Alerts are in the protocol's grammar (BC-22, BC-23, BC-24).
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from tourney.bots.basic.meaning import (
    ANY_LENGTH,
    ANY_POINTS,
    CallKind,
    Evaluation,
    Force,
    Meaning,
    Range,
    lengths_of,
    spanned,
)
from tourney.bots.basic.prospects import Prospects
from tourney.bots.basic.situation import GAME, SLAM, Situation, game_bid, is_game
from tourney.bots.basic.system import system_meanings
from tourney.bots.strategy import Decision, Variation
from tourney.bridge import (
    BIDS,
    DOUBLE,
    PASS,
    SUITS_DOWN,
    Auction,
    Bid,
    Call,
    PlayerView,
    Seat,
    Strain,
    Suit,
    Vulnerability,
)

_NT: Final = Strain.NOTRUMP


# What a call shows


_SITUATIONS_MAX: Final = 128
"""Situations cached: an auction has some ten calls, and without the cache each would be read again at every turn."""

_POINTS_FOR_LEVEL: Final = (0, 18, 20, 23, 25, 28, 32, 36)
"""Points that both hands together are taken to hold if one bids to a level, by level, in a suit with a fit."""
_POINTS_FOR_NOTRUMP: Final = (0, 19, 22, 25, 30, 31, 33, 37)
"""The same for notrump."""


def read_auction(view: PlayerView) -> Situation:
    """Read the auction up to the hand in turn."""
    return _situation(view.dealer, view.vulnerability, tuple(view.auction.calls))


@lru_cache(maxsize=_SITUATIONS_MAX)
def _situation(dealer: Seat, vulnerability: Vulnerability, calls: tuple[Call, ...]) -> Situation:
    if not calls:
        return Situation(Auction(dealer), vulnerability)
    before = _situation(dealer, vulnerability, calls[:-1])
    return before.after(calls[-1], read_call(before, calls[-1]))


def read_call(situation: Situation, call: Call) -> Meaning:
    """Return what a call of the hand in turn shows to everybody."""
    listed = spanned(each for each in system_meanings(situation) if each.call == call)
    return listed or plain_meaning(situation, call)


def plain_meaning(situation: Situation, call: Call) -> Meaning:
    """Return what a call shows if the system does not cover it."""
    if call is PASS:
        return Meaning(call=PASS, points=_points_of_pass(situation), kind=CallKind.PASS)
    if call is DOUBLE:
        return Meaning(call=DOUBLE, kind=CallKind.PENALTY)
    if not isinstance(call, Bid):
        return Meaning(call=call, kind=CallKind.STRENGTH)
    if situation.own_kind is CallKind.ASK_ACES:
        return Meaning(call=call, kind=CallKind.SIGN_OFF)
    if asks_aces(situation, call):
        return Meaning(call=call, kind=CallKind.ASK_ACES, phrase="Asking for aces", alerted=True)
    suit = call.strain.trumps
    points = _points_of_bid(situation, call)
    if suit is None or (suit in situation.their_suits and situation.mine.lengths[suit].low < 4):
        return Meaning(call=call, points=points)
    return Meaning(call=call, points=points, lengths=lengths_of({suit: _length_of_bid(situation, call, suit)}))


def asks_aces(situation: Situation, call: Call) -> bool:
    """Tell whether 4NT asks for aces: not over partner's notrump, and only once the side has bid a suit."""
    last = situation.partner_calls[-1] if situation.partner_calls else None
    if call != Bid(4, _NT) or last is None or situation.last_bid is None:
        return False
    if not situation.bid_is_ours and situation.last_bid.level >= 4:
        return False
    return last.suit is not None


def _points_of_pass(situation: Situation) -> Range:
    """Return the points of a pass: one of partner's bid below game denies the strength for game."""
    if not situation.bid_is_ours or is_game(situation.last_bid) or situation.right_call is not PASS:
        return ANY_POINTS
    own, partner = situation.mine.points, situation.partners.points
    return Range(own.low, max(own.low, GAME - 1 - partner.low))


def _points_of_bid(situation: Situation, bid: Bid) -> Range:
    own, partner = situation.mine.points, situation.partners.points
    middle = (partner.low + min(partner.high, partner.low + 6)) // 2
    table = _POINTS_FOR_NOTRUMP if bid.strain is _NT else _POINTS_FOR_LEVEL
    need = table[bid.level] - middle
    contested = bool(situation.their_calls) and not situation.bid_is_ours
    if contested:
        return Range(max(own.low, min(need - 2, own.low + 2)), own.high)
    if is_game(bid):
        low = max(own.low, min(need, (own.low + min(own.high, own.low + 12)) // 2))
        high = SLAM - 1 - partner.low if bid.level < 6 else own.high
        return Range(low, max(low, high))
    is_jump = bid.level > situation.cheapest(bid.strain).level
    is_raise = situation.last_bid is not None and bid.strain is situation.last_bid.strain
    if is_jump or is_raise or bid == Bid(2, _NT):
        low = max(own.low, GAME - partner.high, need)
        return Range(low, max(low, GAME - partner.low))
    low = max(own.low, need - 2)
    return Range(low, max(low, min(low + 4, GAME - 1 - partner.low)))


def _length_of_bid(situation: Situation, bid: Bid, suit: Suit) -> Range:
    own, partner = situation.mine.lengths[suit], situation.partners.lengths[suit]
    if partner.low >= 3:
        low = max(own.low, 2, min(4, 8 - partner.low))
    elif own.low >= 4:
        low = own.low + 1
    else:
        low = 5 if bid.level >= 3 or situation.their_calls else 4
    return Range(min(low, own.high), ANY_LENGTH.high)


# Judgement, where the system has no call


_SPREAD_OF_INVITATION: Final = 4
"""Points above the minimum that partner may count on if a bid shows a wide range."""
_NEVER: Final = 41
"""More points than there are."""
_COST_OF_MISSING_CARD: Final = 40.0
_COST_OF_MISSING_POINT: Final = 20.0
"""What it costs to show a card or a point that is not there, in points of the score."""
_COST_OF_DISTURBING_GAME: Final = 60.0
"""Partner chose its game knowing its own hand: another contract must look better by this much."""
_DOUBLE_MARGIN: Final = 120.0
"""How much better a penalty double must look than a pass: the tricks are uncertain, and partner may be weak."""


def judge(situation: Situation, hand: Evaluation, boldness: float) -> Call:
    """Choose the call that promises most; never a pass if partner's call asks for an answer."""
    prospects = Prospects.of(situation, hand, boldness)
    if situation.own_kind is CallKind.ASK_ACES and situation.partner_kind is CallKind.ACES:
        return _after_aces(prospects)
    if not situation.is_forced and _has_said_all(situation):
        return PASS
    bids = (bid for bid in BIDS if situation.is_legal(bid) and _is_plausible(prospects, bid))
    scores: dict[Call, float] = {bid: _score_of_bid(prospects, bid) for bid in bids}
    if not situation.is_forced:
        scores[PASS] = _score_of_pass(prospects)
        _add_double(prospects, scores)
    if not scores:
        return PASS
    # Of equals the pass comes first, then the lower bid.
    best = max(scores, key=lambda call: (scores[call], call is PASS))
    if isinstance(best, Bid) and best.level >= 6 and best.strain is not _NT and 2 - hand.aces <= best.strain:
        # Ask for aces first, as the answer cannot take the side too high.
        ask = Bid(4, _NT)
        if situation.is_legal(ask) and asks_aces(situation, ask):
            return ask
    return best


def _has_said_all(situation: Situation) -> bool:
    """Tell whether a hand has nothing to add: it preempted or signed off, or partner has placed the contract."""
    if situation.own_kind in (CallKind.PREEMPT, CallKind.WEAK_TWO, CallKind.SIGN_OFF):
        return True
    return situation.partner_kind in (CallKind.SIGN_OFF, CallKind.PENALTY) and situation.right != "bid"


def _score_of_pass(prospects: Prospects) -> float:
    situation = prospects.situation
    last = situation.last_bid
    if last is None:
        return 0.0
    if situation.bid_is_ours:
        return prospects.score(last)
    return prospects.score_of_their_contract(last, doubled=situation.auction.doubled > 0)


def _is_plausible(prospects: Prospects, bid: Bid) -> bool:
    """Tell whether a bid is worth considering: a jump only to game, as an invitation or to a slam."""
    situation = prospects.situation
    suit = bid.strain.trumps
    if bid.level > situation.cheapest(bid.strain).level and not is_game(bid) and not _is_invitation(prospects, bid):
        return False
    if is_game(bid) and bid.level < 6 and bid != game_bid(bid.strain) and bid != situation.cheapest(bid.strain):
        return False
    if bid.level >= 6 and not (bid.level == 6 and prospects.has_slam_points(bid.strain)):
        return False
    if suit is None:
        return bid.level not in (4, 5)
    return _is_playable(prospects, suit)


def _is_playable(prospects: Prospects, suit: Suit) -> bool:
    """Tell whether a suit is playable: seven trumps in both hands or six in one, and not the opponents' suit."""
    situation = prospects.situation
    if suit in situation.their_suits and situation.mine.lengths[suit].low < 4:
        return False
    own, partner = prospects.hand.lengths[suit], situation.partners.lengths[suit].low
    return own + partner >= 7 or own >= 6 or (own >= 5 and own + prospects.partner_lengths[suit] >= 7.5)


def _is_invitation(prospects: Prospects, bid: Bid) -> bool:
    """Tell whether a bid invites game: partner could have been left to play, and the opponents are silent."""
    situation = prospects.situation
    last = situation.last_bid
    if last is None or not situation.bid_is_ours or is_game(bid) or situation.right_call is not PASS:
        return False
    spread = situation.partners.points
    if situation.partner_kind is CallKind.LIMIT_RAISE or spread.high - spread.low < 2:
        return False
    suit = bid.strain.trumps
    if suit is None:
        return bid.level == 2
    known = situation.partners.lengths[suit].low + prospects.hand.lengths[suit]
    return bid.level == 3 and suit >= Suit.HEARTS and known >= 8


def _score_of_bid(prospects: Prospects, bid: Bid) -> float:
    """Estimate the side's score: partner raises to game if its points and those this bid shows are enough."""
    situation = prospects.situation
    promised = plain_meaning(situation, bid)
    fault = sum(
        max(0, span.low - length) for span, length in zip(promised.lengths, prospects.hand.lengths, strict=True)
    )
    lack = max(0, promised.points.low - 1 - prospects.hand.points)
    penalty = _COST_OF_MISSING_CARD * fault + _COST_OF_MISSING_POINT * lack
    if (
        situation.bid_is_ours
        and is_game(situation.last_bid)
        and situation.right_call is PASS
        and not situation.is_forced
    ):
        penalty += _COST_OF_DISTURBING_GAME
    if is_game(bid):
        return prospects.score(bid) - penalty
    forced = situation.me.side in situation.forced_to_game
    shown = (promised.points.low + min(promised.points.high, promised.points.low + _SPREAD_OF_INVITATION)) // 2
    accepts = 0 if forced else GAME - shown
    if situation.partner_kind in (CallKind.PREEMPT, CallKind.WEAK_TWO, CallKind.SIGN_OFF):
        accepts = _NEVER
    games = [prospects.score(game_bid(strain), low=accepts) for strain in {bid.strain, _NT}]
    return prospects.score(bid, high=accepts - 1) + max(games) - penalty


def _add_double(prospects: Prospects, scores: dict[Call, float]) -> None:
    """Consider a penalty double if it is clearly right: their contract should fail by two on average."""
    situation = prospects.situation
    last = situation.last_bid
    if last is None or last.level < 3 or not situation.partner_calls or not situation.is_legal(DOUBLE):
        return
    ours = prospects.hand.hcp + prospects.expected_points
    suit = last.strain.trumps
    stack = suit is not None and prospects.hand.lengths[suit] >= 4 and prospects.hand.top_honours(suit, 11) >= 2
    if ours < (20 if stack else 23) or prospects.hand.hcp < 6:
        return
    doubled = prospects.score_of_their_contract(last, doubled=True)
    if doubled >= prospects.score_of_their_contract(last, doubled=False) + _DOUBLE_MARGIN:
        scores[DOUBLE] = doubled


def _after_aces(prospects: Prospects) -> Call:
    """Bid six with one ace missing, and five with two."""
    situation = prospects.situation
    suits = [Strain(suit) for suit in Suit if _is_playable(prospects, suit)]
    strain = max(suits, key=lambda each: prospects.score(Bid(6, each)), default=_NT)
    partner_low = situation.partners.points.low
    aces = prospects.hand.aces + _aces_shown(situation.partner_strain, prospects.hand.aces, partner_low)
    if aces <= 2:
        five = Bid(5, strain)
        if situation.partner_bid == five:
            return PASS
        return five if situation.is_legal(five) else Bid(6, strain)
    seven = Bid(7, strain)
    enough = prospects.hand.points + prospects.expected_points >= SLAM + 4
    if aces == 4 and enough and prospects.score(seven) > prospects.score(Bid(6, strain)):
        return seven
    return Bid(6, strain)


def _aces_shown(shown: int, own_aces: int, partner_points_low: int) -> int:
    """Return the aces that an answer shows to a hand that holds some itself.

    0 and 4 are told apart by what is possible and by partner's points.
    """
    if shown == own_aces == 0 and partner_points_low >= 16:
        return 4
    return shown if shown + own_aces <= 4 else 0


# The decision and its alert


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
