"""Where an auction stands for the hand in turn: who has called what, what it was, and what it showed.

Holds what is public and nothing else: no hand is known here.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from tourney.bots.basic.bidding.meaning import Force, Meaning, Shown, Tag
from tourney.bridge import PASS, Auction, Bid, Call, Seat, Side, Strain, Suit, Vulnerability

_NOTHING_SHOWN: Final = (Shown(), Shown(), Shown(), Shown())


@dataclass(frozen=True, slots=True)
class Made:
    """A call that was made, and what it was taken for."""

    seat: Seat
    call: Call
    meaning: Meaning

    @property
    def tag(self) -> Tag:
        return self.meaning.tag

    @property
    def bid(self) -> Bid | None:
        return self.call if isinstance(self.call, Bid) else None

    @property
    def suit(self) -> Suit | None:
        """The suit bid; None for notrump and for calls that are no bids."""
        return self.call.strain.trumps if isinstance(self.call, Bid) else None

    @property
    def names_suit(self) -> bool:
        """A bid that offers its suit as trumps."""
        return self.suit is not None and self.meaning.lengths[self.suit].low >= 3

    @property
    def is_artificial(self) -> bool:
        """A bid that offers no contract; the suit of a completed transfer is one that partner has."""
        return self.meaning.alerted and self.tag is not Tag.TRANSFER_DONE


@dataclass(frozen=True, slots=True)
class Situation:
    """An auction read so far, for the seat in turn."""

    auction: Auction
    """Not to be changed: a later situation has an auction of its own."""
    vulnerability: Vulnerability
    made: tuple[Made, ...] = ()
    """Every call, passes included, in order."""
    shown: tuple[Shown, Shown, Shown, Shown] = _NOTHING_SHOWN
    """By seat."""
    forced_to_game: frozenset[Side] = frozenset()

    def after(self, call: Call, meaning: Meaning) -> "Situation":
        """The situation of the next hand, once the hand in turn has made a call in this meaning."""
        auction = Auction(self.auction.dealer)
        for earlier in (*self.auction.calls, call):
            auction.add(earlier)
        seat = self.me
        shown = list(self.shown)
        shown[seat] = shown[seat].with_news(meaning.points, meaning.lengths, balanced=meaning.balanced)
        north, east, south, west = shown
        forced = self.forced_to_game | {seat.side} if meaning.force is Force.GAME else self.forced_to_game
        made = (*self.made, Made(seat, call, meaning))
        return Situation(auction, self.vulnerability, made, (north, east, south, west), forced)

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
    def ours(self) -> bool:
        """Whether the last bid is of the own side."""
        return self.auction.last_bidder is not None and self.auction.last_bidder.side is self.me.side

    @property
    def own(self) -> list[Made]:
        """The calls of this hand that are no passes."""
        return self._calls_of(self.me)

    @property
    def partners(self) -> list[Made]:
        """The calls of partner that are no passes."""
        return self._calls_of(self.partner)

    @property
    def theirs(self) -> list[Made]:
        """The calls of the opponents that are no passes."""
        return [made for made in self.made if made.seat.side is not self.me.side and made.call is not PASS]

    def _calls_of(self, seat: Seat) -> list[Made]:
        return [made for made in self.made if made.seat is seat and made.call is not PASS]

    @property
    def partner_last(self) -> Made | None:
        """Partner's last call, even a pass."""
        return self.made[-2] if len(self.made) >= 2 else None

    @property
    def right(self) -> Call:
        """The call of the right-hand opponent; a pass when nobody has called."""
        return self.made[-1].call if self.made else PASS

    @property
    def has_passed(self) -> bool:
        """Whether this hand passed when it could have opened."""
        for made in self.made:
            if made.bid is not None:
                return False
            if made.seat is self.me:
                return True
        return False

    @property
    def is_forced(self) -> bool:
        """Whether a pass would let partner down."""
        last = self.partner_last
        if last is None or last.call is PASS or isinstance(self.right, Bid):
            return self.right is PASS and self._short_of_forced_game
        if self.right is not PASS:
            return last.bid is not None and last.is_artificial
        if last.tag in (Tag.TAKEOUT, Tag.NEGATIVE) or last.meaning.force is not Force.NONE:
            return True
        return self._short_of_forced_game

    @property
    def _short_of_forced_game(self) -> bool:
        return self.me.side in self.forced_to_game and self.ours and not is_game(self.last_bid)

    @property
    def their_suits(self) -> list[Suit]:
        """The suits the opponents have offered as trumps, in order."""
        return list(dict.fromkeys(made.suit for made in self.theirs if made.suit is not None and made.names_suit))

    def cheapest(self, strain: Strain | Suit) -> Bid:
        """The lowest legal bid of a strain; level 8 when there is none left."""
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
        """Those that the Laws allow now."""
        return [each for each in meanings if self.is_legal(each.call)]

    @property
    def is_balancing(self) -> bool:
        """A pass would end the auction."""
        calls = self.auction.calls
        return self.last_bid is not None and calls[-1] is PASS and calls[-2] is PASS


def is_game(bid: Bid | None) -> bool:
    """Whether a contract at this level scores game undoubled (Laws 2017, Law 77)."""
    return bid is not None and bid.level >= game_bid(bid.strain).level


def game_bid(strain: Strain | Suit) -> Bid:
    """The lowest bid of game in a strain."""
    wanted = Strain(int(strain))
    return Bid(3 if wanted is Strain.NOTRUMP else 4 if wanted >= Strain.HEARTS else 5, wanted)
