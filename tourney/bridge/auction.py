"""The auction: whose turn, which calls are legal, the contract and its declarer."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

from tourney.bridge.calls import BIDS, DOUBLE, PASS, REDOUBLE, Action, Bid, Call
from tourney.bridge.cards import Strain
from tourney.bridge.seats import Seat
from tourney.errors import RuleError


@dataclass(frozen=True, slots=True)
class Contract:
    """The final contract. `doubled` is 0, 1 (doubled) or 2 (redoubled)."""

    level: int
    strain: Strain
    doubled: int
    declarer: Seat

    @property
    def dummy(self) -> Seat:
        return self.declarer.partner

    @property
    def leader(self) -> Seat:
        """The opening leader: declarer's left-hand opponent (Laws 2017, Law 41A)."""
        return self.declarer.next

    @property
    def tricks_needed(self) -> int:
        return self.level + 6

    def format_over(self, tricks: int) -> str:
        """Format over- and undertricks of declarer's side: `+1`, `-2`, `=` for just made."""
        over = tricks - self.tricks_needed
        return f"{over:+}" if over else "="

    def __str__(self) -> str:
        """PBN 2.1 section 3.4.14: `4S`, `3NTX`, `5DXX`."""
        return f"{self.level}{self.strain.letters}{'X' * self.doubled}"


class Auction:
    """An auction in progress. `calls[i]` is by seat `dealer + i`."""

    __slots__ = ("_passes", "calls", "dealer", "doubled", "is_over", "last_bid", "last_bidder")

    def __init__(self, dealer: Seat) -> None:
        self.dealer = dealer
        self.calls: list[Call] = []
        self.last_bid: Bid | None = None
        self.last_bidder: Seat | None = None
        self.doubled = 0
        """0, 1 (doubled) or 2 (redoubled), for the last bid."""
        self._passes = 0  # since the last call other than a pass
        self.is_over = False
        """Whether three passes have followed a bid, or four have opened the auction (Laws 2017, Law 22)."""

    def snapshot(self) -> "Auction":
        """Return the same auction, which does not go on with this one."""
        kept = Auction(self.dealer)
        kept.calls = list(self.calls)
        kept.last_bid, kept.last_bidder = self.last_bid, self.last_bidder
        kept.doubled, kept._passes, kept.is_over = self.doubled, self._passes, self.is_over
        return kept

    @property
    def turn(self) -> Seat:
        """The seat to call next, or that would be if the auction were not over."""
        return self.dealer.plus(len(self.calls))

    @property
    def is_passed_out(self) -> bool:
        return self.last_bid is None and self._passes == 4

    def why_illegal(self, call: Call) -> str | None:
        """Why the hand in turn may not make this call, in one sentence; None when it may (Laws 2017, Law 18, 19)."""
        if self.is_over:
            return "the auction is over"
        if isinstance(call, Bid):
            if self.last_bid is not None and call <= self.last_bid:
                return f"{call} is not higher than {self.last_bid}"
            return None
        if call is PASS:
            return None
        if self.last_bid is None or self.last_bidder is None:
            return "there is no bid to double" if call is DOUBLE else "there is no double to redouble"
        own_bid = self.last_bidder.side is self.turn.side
        if call is DOUBLE:
            if own_bid:
                return f"{self.last_bid} is a bid of the same side"
            return None if self.doubled == 0 else f"{self.last_bid} is doubled already"
        if not own_bid or self.doubled != 1:
            return "there is no double by the opponents to redouble"
        return None

    def legal_calls(self) -> list[Call]:
        """All calls that the hand in turn may make; none when the auction is over."""
        if self.is_over:
            return []
        first = 0 if self.last_bid is None else BIDS.index(self.last_bid) + 1
        calls: list[Call] = [call for call in Action if self.why_illegal(call) is None]
        return calls + list(BIDS[first:])

    def add(self, call: Call) -> None:
        """Make a call for the hand in turn.

        Raises:
            RuleError: the call is not legal.
        """
        why = self.why_illegal(call)
        if why is not None:
            raise RuleError(f"{self.turn.title} may not call {call}: {why}")
        if isinstance(call, Bid):
            self.last_bid, self.last_bidder, self.doubled = call, self.turn, 0
        elif call is DOUBLE:
            self.doubled = 1
        elif call is REDOUBLE:
            self.doubled = 2
        self._passes = self._passes + 1 if call is PASS else 0
        self.calls.append(call)
        self.is_over = self._passes >= (3 if self.last_bid is not None else 4)

    def pass_out(self) -> None:
        """Add passes until it is over."""
        while not self.is_over:
            self.add(PASS)

    @property
    def contract(self) -> Contract | None:
        """The final contract; None while the auction goes on and when it was passed out.

        Declarer is the first of the side to have named the strain (Laws 2017, Law 22 and Definitions).
        """
        if not self.is_over or self.last_bid is None or self.last_bidder is None:
            return None
        side = self.last_bidder.side
        for index, call in enumerate(self.calls):
            seat = self.dealer.plus(index)
            if isinstance(call, Bid) and call.strain is self.last_bid.strain and seat.side is side:
                return Contract(self.last_bid.level, self.last_bid.strain, self.doubled, seat)
        raise AssertionError("the last bid is among the calls")


_CALL_VERBS: Final = {PASS: "passes", DOUBLE: "doubles", REDOUBLE: "redoubles"}


def describe_call(seat: Seat, call: Call) -> str:
    """`North bids 1NT`, `East passes`."""
    return f"{seat.title} bids {call}" if isinstance(call, Bid) else f"{seat.title} {_CALL_VERBS[call]}"


AUCTION_COLUMNS: Final = (Seat.WEST, Seat.NORTH, Seat.EAST, Seat.SOUTH)
"""The columns of an auction, in the order customary in print."""

_Cell = TypeVar("_Cell")


def auction_rows(dealer: Seat, cells: Sequence[_Cell]) -> tuple[tuple[_Cell | None, ...], ...]:
    """Lay out what stands for the calls in rows of `AUCTION_COLUMNS`; None before the first and after the last."""
    laid_out = [*[None] * AUCTION_COLUMNS.index(dealer), *cells]
    laid_out += [None] * (-len(laid_out) % len(AUCTION_COLUMNS))
    return tuple(zip(*[iter(laid_out)] * len(AUCTION_COLUMNS), strict=True))
