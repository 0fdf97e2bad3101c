"""Minibridge with overcalls: a more elaborate form, in which players open with a slip of partner's in hand.

The rules are those of pagat.com's page on contract bridge. Each player writes its high-card points and the length of
each suit on a slip. From the dealer clockwise the players pass, or one of them opens. It is given its partner's slip
and names a contract, as a bid of bridge does. Its left-hand opponent is given the slip of its own partner, and passes
or overcalls with a higher bid; then these two bid in turn until one of them passes. The last bidder is declarer. If
all four pass, the cards are dealt again. Nothing is doubled, and nobody is vulnerable.
"""

import enum
from typing import Final, TypeAlias

from tourney.bridge.auction import Contract
from tourney.bridge.calls import PASS, Action, Bid
from tourney.bridge.seats import Seat
from tourney.errors import RuleError


class Opening(enum.Enum):
    """The call of a player that opens, before it has seen its partner's slip."""

    OPEN = "open"

    def __str__(self) -> str:
        return str(self.value)


OPEN: Final = Opening.OPEN

SlipCall: TypeAlias = Bid | Action | Opening
"""Pass, open or a bid; a double is legal nowhere."""


class SlipAuction:
    """The bidding of a deal of Minibridge with overcalls."""

    def __init__(self, dealer: Seat) -> None:
        self.turn: Seat | None = dealer
        """The player that calls next; None when the bidding is over."""
        self.opener: Seat | None = None
        self.bids: list[Bid] = []
        """Opener's contract, and the bids of its left-hand opponent and its own in turn."""
        self._last = dealer.previous

    @property
    def contract(self) -> Contract | None:
        """The contract once the bidding is over; None before, and if all four have passed."""
        if self.opener is None or self.turn is not None:
            return None
        level, strain = self.bids[-1]
        return Contract(level, strain, 0, self.opener.plus((len(self.bids) + 1) % 2))

    def add(self, call: SlipCall) -> None:
        """Add a call of the player in turn.

        Raises:
            RuleError: it is not legal.
        """
        seat = self.turn
        if seat is None:
            raise RuleError(f"the bidding is over, got {call}")
        if self.opener is None:
            if call is OPEN:
                self.opener = seat
            elif call is PASS:
                self.turn = seat.next if seat is not self._last else None
            else:
                raise RuleError(f"{seat.title} passes or opens, got {call}")
        elif call is PASS and self.bids:
            self.turn = None
        elif not isinstance(call, Bid):
            raise RuleError(f"{seat.title} names a contract{' or passes' if self.bids else ''}, got {call}")
        elif self.bids and call <= self.bids[-1]:
            raise RuleError(f"a bid is higher than the one before it, {self.bids[-1]}, got {call}")
        else:
            self.bids.append(call)
            self.turn = self.opener.plus(len(self.bids) % 2)
