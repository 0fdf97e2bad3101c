"""The auction as the hand in turn sees it: who has called what, what kind of call it was, and what it showed.

Only what is public is here; no hand is known.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from tourney.bots.basic.bidding.meaning import CallKind, Force, Meaning, Shown
from tourney.bridge import PASS, Auction, Bid, Call, Seat, Side, Strain, Suit, Vulnerability

_NOTHING_SHOWN: Final = (Shown(), Shown(), Shown(), Shown())


@dataclass(frozen=True, slots=True)
class InterpretedCall:
    """A call that was made, with the meaning it was taken to have."""

    seat: Seat
    call: Call
    meaning: Meaning

    @property
    def kind(self) -> CallKind:
        return self.meaning.kind

    @property
    def bid(self) -> Bid | None:
        return self.call if isinstance(self.call, Bid) else None

    @property
    def suit(self) -> Suit | None:
        """The suit bid; None for notrump and for calls that are not bids."""
        return self.call.strain.trumps if isinstance(self.call, Bid) else None

    @property
    def names_suit(self) -> bool:
        """Whether the call offers its suit as trumps."""
        return self.suit is not None and self.meaning.lengths[self.suit].low >= 3

    @property
    def is_artificial(self) -> bool:
        """Whether the call offers no contract; a completed transfer does, as partner has its suit."""
        return self.meaning.alerted and self.kind is not CallKind.TRANSFER_DONE


@dataclass(frozen=True, slots=True)
class Situation:
    """An auction as interpreted so far, for the seat in turn."""

    auction: Auction
    """Never changed: a later situation has its own auction."""
    vulnerability: Vulnerability
    calls: tuple[InterpretedCall, ...] = ()
    """Every call in order, passes included."""
    shown: tuple[Shown, Shown, Shown, Shown] = _NOTHING_SHOWN
    """Indexed by seat."""
    forced_to_game: frozenset[Side] = frozenset()

    def after(self, call: Call, meaning: Meaning) -> "Situation":
        """Return the situation of the next hand, once the hand in turn has made a call with this meaning."""
        auction = Auction(self.auction.dealer)
        for earlier in (*self.auction.calls, call):
            auction.add(earlier)
        seat = self.me
        shown = list(self.shown)
        shown[seat] = shown[seat].narrowed(meaning.points, meaning.lengths, balanced=meaning.balanced)
        north, east, south, west = shown
        forced = self.forced_to_game | {seat.side} if meaning.force is Force.GAME else self.forced_to_game
        calls = (*self.calls, InterpretedCall(seat, call, meaning))
        return Situation(auction, self.vulnerability, calls, (north, east, south, west), forced)

    @property
    def me(self) -> Seat:
        return self.auction.turn

    @property
    def partner(self) -> Seat:
        return self.me.partner

    @property
    def is_vulnerable(self) -> bool:
        return self.vulnerability.includes(self.me.side)

    @property
    def last_bid(self) -> Bid | None:
        return self.auction.last_bid

    @property
    def bid_is_ours(self) -> bool:
        """Whether the last bid was made by this hand or its partner."""
        return self.auction.last_bidder is not None and self.auction.last_bidder.side is self.me.side

    @property
    def own_calls(self) -> list[InterpretedCall]:
        """The calls of this hand other than passes."""
        return self._calls_of(self.me)

    @property
    def partner_calls(self) -> list[InterpretedCall]:
        """Partner's calls other than passes."""
        return self._calls_of(self.partner)

    @property
    def their_calls(self) -> list[InterpretedCall]:
        """The opponents' calls other than passes."""
        return [each for each in self.calls if each.seat.side is not self.me.side and each.call is not PASS]

    def _calls_of(self, seat: Seat) -> list[InterpretedCall]:
        return [each for each in self.calls if each.seat is seat and each.call is not PASS]

    @property
    def partner_last(self) -> InterpretedCall | None:
        """Partner's last call, which may be a pass."""
        return self.calls[-2] if len(self.calls) >= 2 else None

    @property
    def right_call(self) -> Call:
        """The last call of the right-hand opponent; a pass if nobody has called."""
        return self.calls[-1].call if self.calls else PASS

    @property
    def has_passed(self) -> bool:
        """Whether this hand passed when it could have opened."""
        for each in self.calls:
            if each.bid is not None:
                return False
            if each.seat is self.me:
                return True
        return False

    @property
    def is_forced(self) -> bool:
        """Whether partner's calls rule out a pass."""
        last = self.partner_last
        if last is None or last.call is PASS or isinstance(self.right_call, Bid):
            return self.right_call is PASS and self._is_short_of_forced_game
        if self.right_call is not PASS:
            return last.bid is not None and last.is_artificial
        if last.kind in (CallKind.TAKEOUT, CallKind.NEGATIVE) or last.meaning.force is not Force.NONE:
            return True
        return self._is_short_of_forced_game

    @property
    def _is_short_of_forced_game(self) -> bool:
        return self.me.side in self.forced_to_game and self.bid_is_ours and not is_game(self.last_bid)

    @property
    def their_suits(self) -> list[Suit]:
        """The suits that the opponents have offered as trumps, in order."""
        return list(
            dict.fromkeys(each.suit for each in self.their_calls if each.suit is not None and each.names_suit)
        )

    def cheapest(self, strain: Strain | Suit) -> Bid:
        """Return the lowest legal bid of a strain; its level is 8 if there is none left."""
        wanted = Strain(int(strain))
        last = self.last_bid
        if last is None:
            return Bid(1, wanted)
        return Bid(last.level if wanted > last.strain else last.level + 1, wanted)

    def is_legal(self, call: Call) -> bool:
        if isinstance(call, Bid) and call.level > 7:
            return False
        return self.auction.why_illegal(call) is None

    def legal(self, meanings: Iterable[Meaning]) -> list[Meaning]:
        """Select the meanings whose calls are legal now."""
        return [each for each in meanings if self.is_legal(each.call)]

    @property
    def is_balancing(self) -> bool:
        """Whether a pass would end the auction."""
        calls = self.auction.calls
        return self.last_bid is not None and calls[-1] is PASS and calls[-2] is PASS


def is_game(bid: Bid | None) -> bool:
    """Tell whether a contract at this level scores game undoubled (Laws 2017, Law 77)."""
    return bid is not None and bid.level >= game_bid(bid.strain).level


def game_bid(strain: Strain | Suit) -> Bid:
    """Return the lowest bid of game in a strain."""
    wanted = Strain(int(strain))
    return Bid(3 if wanted is Strain.NOTRUMP else 4 if wanted >= Strain.HEARTS else 5, wanted)
