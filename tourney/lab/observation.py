"""What a seat knows of a board as a vector of 0 and 1, for programs that learn.

Seats count from the one whose knowledge it is, clockwise: 0 is itself. Cards are in the order of
`tourney.player.DECK`, bids in that of `tourney.player.BIDS`.

    from    shape
      0     52        cards that it holds
     52     52        cards that dummy holds, once they lie open; 0 for dummy itself
    104     4 x 52    the trick in progress: the card of each seat
    312     4 x 52    complete tricks: the cards that each seat has played
    520     4         passes before the first bid, by seat
    524     35 x 12   each bid from 1C on: who has made it, who has doubled it, who has redoubled it, by seat
    944     4         the dealer
    948     2         whether its own side is vulnerable, and whether its opponents are
    950     4         the hand that calls or plays next
    954     1         whether the auction is over
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from tourney.bridge import BIDS, DECK, DOUBLE, PASS, Bid, PlayerView, Seat

OBSERVED: Final = 955

_CARD: Final = {card: number for number, card in enumerate(DECK)}
_BID: Final = {bid: number for number, bid in enumerate(BIDS)}


def observe_board(known: PlayerView) -> NDArray[np.int8]:
    """Return what a seat knows, such as the `View` of a `Player`, as 0 and 1 in a vector of `OBSERVED`."""
    seen = np.zeros(OBSERVED, np.int8)

    def place(seat: Seat) -> int:
        return (seat - known.seat) % 4

    seen[[_CARD[card] for card in known.held(known.seat)]] = 1
    if known.dummy_hand is not None and known.contract is not None:
        seen[[52 + _CARD[card] for card in known.held(known.contract.dummy)]] = 1
    for first, tricks in ((104, [known.current] if known.current is not None else []), (312, known.tricks)):
        for trick in tricks:
            for number, card in enumerate(trick.cards):
                seen[first + 52 * place(trick.leader.plus(number)) + _CARD[card]] = 1
    bid: Bid | None = None
    for number, call in enumerate(known.auction.calls):
        caller = place(known.dealer.plus(number))
        if isinstance(call, Bid):
            bid = call
            seen[524 + 12 * _BID[bid] + caller] = 1
        elif call is not PASS and bid is not None:
            seen[524 + 12 * _BID[bid] + (4 if call is DOUBLE else 8) + caller] = 1
        elif bid is None:
            seen[520 + caller] = 1
    seen[944 + place(known.dealer)] = 1
    seen[948:950] = [known.vulnerability.includes(side) for side in (known.seat.side, known.seat.side.other)]
    if known.turn is not None:
        seen[950 + place(known.turn)] = 1
    seen[954] = known.auction.is_over
    return seen
