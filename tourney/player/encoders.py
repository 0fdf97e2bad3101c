"""What a seat knows as a vector, and calls and cards as numbers, as OpenSpiel and pgx have them.

`openspiel571` (OpenSpiel 2.0, game `bridge`, `ObservationTensor`) has, in the auction and before the opening lead:

    from    shape
      0     4         auction, opening lead, declarer's side plays, defenders play
      4     2         own side not vulnerable, vulnerable
      6     2         the same of the opponents
      8     4         who has passed before the first bid
     12     35 x 12   each bid from 1C on: who has made it, doubled it, redoubled it
    432     52        own cards; the rest is 0

and from the first card on:

      4     7         level of the contract
     11     5         its denomination: clubs, diamonds, hearts, spades, notrump
     16     3         undoubled, doubled, redoubled
     19     4         declarer
     23     2         declarer's side not vulnerable, vulnerable
     25     52        what is left of the own cards
     77     52        what is left of dummy's
    129     4 x 52    the trick in progress
    337     4 x 52    the trick before
    545     13        tricks of declarer's side, 0 to 12
    558     13        tricks of the defenders

`pgx480` (pgx, `bridge_bidding` v1) is places 4 to 483 of the first, for auctions alone.

Seats count from the one whose knowledge it is, clockwise: 0 is itself. The seats are those of a board whose dealer is
player 0, on which both agree bit for bit: for any other dealer OpenSpiel's tensor has the seats wrong (its issue
1619). OpenSpiel's actions are the cards and, from 52 on, the calls; pgx's are the calls from 0 on (`numbering`).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tourney.bridge import BIDS, CALLS, DOUBLE, PASS, Bid, Call, Card, PlayerView
from tourney.player.numbering import CALL_NUMBERS, CARDS, card_number
from tourney.player.view import View

Vector = NDArray[np.float32]

_FIRST_BID: Final = CALL_NUMBERS[BIDS[0]]


@dataclass(frozen=True, slots=True)
class Encoder:
    """A form of observations, with its numbers of actions."""

    name: str
    size: int
    """How long a vector is."""
    encode: Callable[[PlayerView], Vector]
    """Returns what a seat knows as 0 and 1."""
    first_call: int
    """The number of pass; the other calls follow in the order of `tourney.player.CALLS`."""
    plays: bool
    """Whether cards have numbers too, from 0 on."""

    @property
    def actions(self) -> int:
        """How many actions there are."""
        return self.first_call + len(CALLS)

    def number(self, made: Call | Card) -> int:
        """Return the number of a call or card."""
        return card_number(made) if isinstance(made, Card) else self.first_call + CALL_NUMBERS[made]

    def legal(self, view: View) -> list[int]:
        """Return the numbers of what is legal, in order."""
        if view.asks_call:  # calls are in the order of their numbers
            return [self.first_call + CALL_NUMBERS[call] for call in view.legal_calls]
        return sorted(map(card_number, view.legal_cards))

    def made(self, number: int) -> Call | Card:
        """Return the call or card of a number."""
        return CALLS[number - self.first_call] if number >= self.first_call else CARDS[number]


def encode_auction(known: PlayerView) -> Vector:
    """Return what a seat knows of an auction as `pgx480`."""
    seen = np.zeros(480, np.float32)
    seat, dealer = known.seat, known.dealer
    for first, side in ((0, seat.side), (2, seat.side.other)):
        seen[first + known.vulnerability.includes(side)] = 1
    bid = -1
    for number, call in enumerate(known.auction.calls):
        caller = (dealer + number - seat) % 4
        if isinstance(call, Bid):
            bid = CALL_NUMBERS[call] - _FIRST_BID
            seen[8 + 12 * bid + caller] = 1
        elif call is not PASS:
            seen[8 + 12 * bid + (4 if call is DOUBLE else 8) + caller] = 1
        elif bid < 0:
            seen[4 + caller] = 1
    seen[[428 + card_number(card) for card in known.hand.cards]] = 1
    return seen


def encode_board(known: PlayerView) -> Vector:
    """Return what a seat knows of a board as `openspiel571`."""
    seen = np.zeros(571, np.float32)
    contract, play = known.contract, known.play
    if contract is None or play is None or not play.cards:
        seen[int(contract is not None)] = 1
        seen[4:484] = encode_auction(known)
        return seen
    seat, declarer, dummy = known.seat, contract.declarer, contract.dummy
    seen[2 + (seat.side is not declarer.side)] = 1
    seen[4 + contract.level - 1] = 1
    seen[11 + contract.strain] = 1
    seen[16 + contract.doubled] = 1
    seen[19 + (declarer - seat) % 4] = 1
    seen[23 + known.vulnerability.includes(declarer.side)] = 1
    seen[[25 + card_number(card) for card in known.held(seat)]] = 1
    if seat is dummy or known.dummy_hand is not None:
        seen[[77 + card_number(card) for card in known.held(dummy)]] = 1
    for first, trick in ((129, known.current), (337, known.tricks[-1] if known.tricks else None)):
        for number, card in enumerate(trick.cards if trick is not None else ()):
            assert trick is not None
            seen[first + 52 * ((trick.leader + number - seat) % 4) + card_number(card)] = 1
    won = known.tricks_won
    for first, tricks in ((545, won), (558, len(known.tricks) - won)):
        if tricks < 13:
            seen[first + tricks] = 1
    return seen


ENCODERS: Final[Mapping[str, Encoder]] = {
    each.name: each
    for each in (
        Encoder("openspiel571", 571, encode_board, first_call=52, plays=True),
        Encoder("pgx480", 480, encode_auction, first_call=0, plays=False),
    )
}
"""The forms of observations, by name."""
