"""The auction as the hand in turn sees it: who has called what, what kind of call it was, and what it showed.

Only what is public is here; no hand is known. Its attributes are the words in which the rows of `system` say when
they apply.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Final

from tourney.bots.basic.meaning import CallKind, Force, Meaning, Shown
from tourney.bridge import PASS, Auction, Bid, Call, Seat, Side, Strain, Suit, Vulnerability

NO_STRAIN: Final = -1
"""Where a call names none."""
GAME: Final = 25
SLAM: Final = 33
"""Points of both hands for game and for a small slam."""
_DOUBLE_POINTS: Final = 12
"""What a takeout double of a bid at the one level promises."""
_MAJORS: Final = (Suit.HEARTS, Suit.SPADES)


@dataclass(frozen=True, eq=False)
class Situation:
    """An auction as interpreted so far, for the seat in turn."""

    auction: Auction
    """Never changed: a later situation has its own auction."""
    vulnerability: Vulnerability
    calls: tuple[Meaning, ...] = ()
    """What every call in order was taken to mean, passes included."""
    shown: tuple[Shown, ...] = (Shown(),) * 4
    """Indexed by seat."""
    forced_to_game: frozenset[Side] = frozenset()

    def after(self, call: Call, meaning: Meaning) -> "Situation":
        """Return the situation of the next hand, once the hand in turn has made a call with this meaning."""
        auction = self.auction.snapshot()
        auction.add(call)
        seat, shown = self.me, list(self.shown)
        shown[seat] = shown[seat].narrowed(meaning)
        forced = self.forced_to_game | {seat.side} if meaning.force is Force.GAME else self.forced_to_game
        return Situation(auction, self.vulnerability, (*self.calls, meaning), tuple(shown), forced)

    # Who has called

    @property
    def me(self) -> Seat:
        return self.auction.turn

    @property
    def mine(self) -> Shown:
        """What this hand has shown."""
        return self.shown[self.me]

    @property
    def partners(self) -> Shown:
        """What partner has shown."""
        return self.shown[self.me.partner]

    @cached_property
    def own_calls(self) -> list[Meaning]:
        """The calls of this hand other than passes."""
        return self._calls_of(0)

    @cached_property
    def partner_calls(self) -> list[Meaning]:
        """Partner's calls other than passes."""
        return self._calls_of(2)

    @cached_property
    def their_calls(self) -> list[Meaning]:
        """The opponents' calls other than passes."""
        return self._calls_of(1, every=2)

    def _calls_of(self, place: int, every: int = 4) -> list[Meaning]:
        """Return the calls other than passes of the hand in a place after this one, or every so many-th."""
        return [each for each in self.calls[(len(self.calls) + place) % every :: every] if each.call is not PASS]

    @property
    def last_bid(self) -> Bid | None:
        return self.auction.last_bid

    @property
    def last_level(self) -> int:
        """The level of the last bid, or 0."""
        return _level(self.last_bid)

    @property
    def last_strain(self) -> int:
        return _strain(self.last_bid)

    @property
    def bid_is_ours(self) -> bool:
        """Whether the last bid was made by this hand or its partner."""
        return self.auction.last_bidder is not None and self.auction.last_bidder.side is self.me.side

    @property
    def right_call(self) -> Call:
        """The last call of the right-hand opponent; a pass if nobody has called."""
        return self.calls[-1].call if self.calls else PASS

    @property
    def right(self) -> str:
        """The same in a word: `bid`, `pass`, `double` or `redouble`."""
        return "bid" if isinstance(self.right_call, Bid) else self.right_call.name.lower()

    @property
    def partner_last(self) -> Meaning | None:
        """Partner's last call, which may be a pass."""
        return self.calls[-2] if len(self.calls) >= 2 else None

    @property
    def partner_kind(self) -> CallKind:
        """The kind of partner's last call, which may be a pass."""
        return self.partner_last.kind if self.partner_last else CallKind.PASS

    @property
    def own_kind(self) -> CallKind:
        """The kind of this hand's last call other than a pass."""
        return self.own_calls[-1].kind if self.own_calls else CallKind.PASS

    @cached_property
    def phase(self) -> str:
        """Where the auction is for this hand: a part of the system, or none."""
        if self.last_bid is None:
            return "opening"
        if not self.own_calls and not self.partner_calls:
            return "defence"
        if self.partner_last is None or self.partner_last.call is PASS:
            opened = len(self.own_calls) == 1 and self.own_kind is CallKind.OPENING and not self.partner_calls
            return "reopening" if opened and self.is_balancing and not self.bid_is_ours else ""
        if not self.own_calls:
            return "response" if len(self.partner_calls) == 1 else ""
        return "" if self.right == "bid" else "later"

    # The words of the system

    @property
    def position(self) -> int:
        """1 for the dealer."""
        return len(self.calls) + 1

    @property
    def is_vulnerable(self) -> bool:
        return self.vulnerability.includes(self.me.side)

    @property
    def preempt_honours(self) -> int:
        """The honours, from the jack up, that a preemptive opening needs in its suit."""
        return 2 if self.is_vulnerable or self.position == 2 else 1

    @property
    def is_balancing(self) -> bool:
        """Whether a pass would end the auction."""
        return self.last_bid is not None and self.auction.calls[-2:] == [PASS, PASS]

    @cached_property
    def has_passed(self) -> bool:
        """Whether this hand passed when it could have opened."""
        opened = next((place for place, each in enumerate(self.calls) if each.bid is not None), len(self.calls))
        return len(self.calls) % 4 < opened

    @property
    def most(self) -> int:
        """The most points, length included, that this hand can have."""
        return 13 if self.has_passed else 37

    @property
    def partner_is_limited(self) -> bool:
        """Whether partner has passed, or shown no more than eleven points in another way."""
        return self.partners.points.high <= 11

    @property
    def is_first_rebid(self) -> bool:
        """Whether this hand has bid once, and partner once."""
        return len(self.own_calls) == len(self.partner_calls) == 1

    @cached_property
    def their_suits(self) -> list[Suit]:
        """The suits that the opponents have offered as trumps, in order."""
        bids = [(each.suit, each.lengths) for each in self.their_calls if each.suit is not None]
        return list(dict.fromkeys(suit for suit, lengths in bids if lengths[suit].low >= 3))

    @property
    def their_suit(self) -> int:
        """The last of them."""
        return self.their_suits[-1] if self.their_suits else NO_STRAIN

    @property
    def unbid(self) -> list[Suit]:
        """The suits that the opponents have not offered."""
        return [suit for suit in Suit if suit not in self.their_suits]

    @property
    def unbid_majors(self) -> list[Suit]:
        return [suit for suit in _MAJORS if suit not in self.their_suits]

    @property
    def others(self) -> list[Suit]:
        """The suits other than the one this hand bid and the last one bid."""
        return [suit for suit in Suit if suit not in (self.own_strain, self.last_strain)]

    @property
    def they_opened_strong(self) -> bool:
        return any(call.kind is CallKind.STRONG for call in self.their_calls)

    @property
    def they_responded(self) -> bool:
        return len(self.their_calls) >= 2

    @property
    def own_strain(self) -> int:
        """The strain of this hand's last bid."""
        return _strain(self.own_calls[-1].bid)

    @property
    def own_low(self) -> int:
        """The least points that this hand's last call shows."""
        return self.own_calls[-1].points.low

    @property
    def own_high(self) -> int:
        """The most points that this hand's last call shows."""
        return self.own_calls[-1].points.high

    @property
    def shown_low(self) -> int:
        """The least points that this hand's calls together show."""
        return self.mine.points.low

    @property
    def shown_high(self) -> int:
        """The most points that this hand's calls together show."""
        return self.mine.points.high

    @property
    def upper_half(self) -> int:
        """Where the upper half of those points begins."""
        return (self.shown_low + self.shown_high + 1) // 2

    @property
    def partner_bid(self) -> Bid | None:
        return self.partner_calls[-1].bid

    @property
    def partner_level(self) -> int:
        return _level(self.partner_bid)

    @property
    def partner_strain(self) -> int:
        return _strain(self.partner_bid)

    @property
    def fit(self) -> int:
        """The cards that make a fit for partner's suit."""
        return (5, 4, 3, 3)[self.partner_strain]

    @cached_property
    def notrump(self) -> Meaning:
        """Partner's last notrump bid: what follows says nothing about partner's points."""
        kinds = (CallKind.NOTRUMP, CallKind.NOTRUMP_OVERCALL)
        return next(call for call in reversed(self.partner_calls) if call.kind in kinds)

    @property
    def notrump_level(self) -> int:
        return _level(self.notrump.bid)

    @property
    def game(self) -> int:
        """Points for game opposite the least that partner's notrump bid shows."""
        return GAME - self.notrump.points.low

    @property
    def slam(self) -> int:
        """Points for a slam opposite the most that partner's notrump bid shows."""
        return SLAM - self.notrump.points.high

    @property
    def sure_slam(self) -> int:
        """Points for a slam opposite the least."""
        return SLAM - self.notrump.points.low

    @property
    def began_with_transfer(self) -> bool:
        return self.partner_calls[0].kind is CallKind.TRANSFER

    @cached_property
    def transferred(self) -> int:
        """The suit that partner's transfer showed."""
        return next(_strain(call.bid) + 1 for call in self.partner_calls if call.kind is CallKind.TRANSFER)

    @property
    def shift(self) -> int:
        """Added to all ranges if partner's takeout double promised fewer or more points than usual."""
        return max(-4, min(3, _DOUBLE_POINTS - self.partner_calls[-1].points.low))

    # Forcing situations and legal calls

    @property
    def is_forced(self) -> bool:
        """Whether partner's calls rule out a pass."""
        last = self.partner_last
        if last is None or last.call is PASS or self.right == "bid":
            return self.right_call is PASS and self._is_short_of_forced_game
        if self.right_call is not PASS:
            return last.bid is not None and last.is_artificial
        asks = last.kind in (CallKind.TAKEOUT, CallKind.NEGATIVE) or last.force is not Force.NONE
        return asks or self._is_short_of_forced_game

    @property
    def _is_short_of_forced_game(self) -> bool:
        return self.me.side in self.forced_to_game and self.bid_is_ours and not is_game(self.last_bid)

    def cheapest(self, strain: int, above: int = 0) -> Bid:
        """Return the bid so many levels above the lowest legal one of a strain; its level may be 8 or more."""
        last = self.last_bid
        lowest = last.level + (strain <= last.strain) if last is not None else 1
        return Bid(lowest + above, Strain(strain))

    def cheapest_level(self, strain: int) -> int:
        return self.cheapest(strain).level

    def is_legal(self, call: Call) -> bool:
        if isinstance(call, Bid) and call.level > 7:
            return False
        return self.auction.why_illegal(call) is None


def _level(bid: Bid | None) -> int:
    return bid.level if bid is not None else 0


def _strain(bid: Bid | None) -> int:
    return bid.strain if bid is not None else NO_STRAIN


def is_game(bid: Bid | None) -> bool:
    """Tell whether a contract at this level scores game undoubled (Laws 2017, Law 77)."""
    return bid is not None and bid.level >= game_bid(bid.strain).level


def game_bid(strain: int) -> Bid:
    """Return the lowest bid of game in a strain."""
    return Bid((5, 5, 4, 4, 3)[strain], Strain(strain))
