"""Reads an auction: what each call showed, by the system where it covers the call, and otherwise by common sense."""

from functools import lru_cache
from typing import Final

from tourney.bots.basic.bidding.meaning import ANY_LENGTH, ANY_POINTS, CallKind, Meaning, Range, lengths_of, spanned
from tourney.bots.basic.bidding.situation import GAME, SLAM, Situation, is_game
from tourney.bots.basic.bidding.system import system_meanings
from tourney.bridge import DOUBLE, PASS, Auction, Bid, Call, PlayerView, Seat, Strain, Suit, Vulnerability

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
    if call != Bid(4, Strain.NOTRUMP) or last is None or situation.last_bid is None:
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
    table = _POINTS_FOR_NOTRUMP if bid.strain is Strain.NOTRUMP else _POINTS_FOR_LEVEL
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
    if is_jump or is_raise or bid == Bid(2, Strain.NOTRUMP):
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
