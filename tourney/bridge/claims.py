"""Whether a claim must come true: whether the claimant's side can take the rest, whatever its opponents play.

Whoever answers a claim sees three hands, its own, dummy's and the claimant's, and so knows the fourth. The search is
exact: it stops at the first trick that the claimant's side cannot win. A claim that takes it too long to check, as
one made early on a hand without enough top cards, counts as one that may fail.
"""

from collections.abc import Collection, Mapping
from typing import Final, TypeAlias

from tourney.bridge.cards import DECK, Card, Suit
from tourney.bridge.play import Trick
from tourney.bridge.seats import SEATS, Seat, Side
from tourney.bridge.view import PlayerView

POSITIONS_MAX: Final = 2000
"""How many positions are looked at before a claim counts as one that may fail: a few hundredths of a second."""

Hands: TypeAlias = dict[Seat, frozenset[Card]]
"""What each seat still holds."""


def must_come_true(view: PlayerView, claimant: Seat, held: Collection[Card]) -> bool:
    """Return whether the claimant, who holds these cards, takes the rest of the tricks, as far as a player can tell.

    Args:
        view: what the player knows, which is one of those who answer the claim.
        claimant: who claims.
        held: the cards that the claimant has shown.
    """
    play = view.play
    if play is None or view.dummy_hand is None:
        return False  # before the opening lead nobody can judge it
    hands: Hands = {claimant: frozenset(held)}
    for seat in {view.seat, play.dummy} - {claimant}:
        hands[seat] = frozenset(view.held(seat))
    hidden = [seat for seat in SEATS if seat not in hands]
    seen = play.played.union(*hands.values())
    if len(hidden) == 1:
        hands[hidden[0]] = frozenset(DECK) - seen
    return len(hands) == len(SEATS) and takes_all(hands, play.current, play.contract.strain.trumps, claimant.side)


def takes_all(
    hands: Mapping[Seat, frozenset[Card]],
    trick: Trick,
    trumps: Suit | None,
    side: Side,
    positions_max: int = POSITIONS_MAX,
) -> bool:
    """Return whether a side can win the trick in progress and all that follow; False if that takes long to find out.

    Args:
        hands: what each seat still holds, without the cards of the trick in progress.
        trick: the trick in progress.
        trumps: the suit of the trumps; None at notrump.
        side: the side.
        positions_max: how many positions may be looked at.
    """
    try:
        return _Search(trumps, side, positions_max).wins(dict(hands), trick)
    except _TooLongError:
        return False


class _TooLongError(Exception):
    """So many positions were looked at as may be."""


class _Search:
    def __init__(self, trumps: Suit | None, side: Side, positions_left: int) -> None:
        self._trumps = trumps
        self._side = side
        self._positions_left = positions_left
        self._known: dict[object, bool] = {}
        """Whether the side wins all from positions between two tricks; cards of equal worth are the same there."""

    def wins(self, hands: Hands, trick: Trick) -> bool:
        self._positions_left -= 1
        if self._positions_left < 0:
            raise _TooLongError
        if not any(hands.values()):
            return True  # the tricks before were won
        worths = self._worths(hands, trick)
        if trick.cards:
            return self._search_plays(hands, trick, worths)
        shape = tuple(tuple(sorted(worths[card] for card in hands[seat])) for seat in SEATS)
        position = trick.leader, shape
        if position not in self._known:
            self._known[position] = self._search_plays(hands, trick, worths)
        return self._known[position]

    def _search_plays(self, hands: Hands, trick: Trick, worths: Mapping[Card, tuple[int, int]]) -> bool:
        seat = trick.turn
        following = [card for card in hands[seat] if card.suit is trick.suit_led]
        by_worth = {worths[card]: card for card in following or hands[seat]}
        is_ours = seat.side is self._side
        for _, card in sorted(by_worth.items(), reverse=is_ours):  # the likeliest first
            if self._wins_after(hands, trick, seat, card) is is_ours:
                return is_ours
        return not is_ours

    def _wins_after(self, hands: Hands, trick: Trick, seat: Seat, card: Card) -> bool:
        played = trick.plus(card)
        left = hands | {seat: hands[seat] - {card}}
        if not played.is_complete:
            return self.wins(left, played)
        winner = played.winner(self._trumps)
        return winner.side is self._side and self.wins(left, Trick(winner, ()))

    def _worths(self, hands: Hands, trick: Trick) -> dict[Card, tuple[int, int]]:
        """Return what each card is worth, by suit: those between which the other side has none are worth the same."""
        owners = {card: seat.side for seat, held in hands.items() for card in held}
        owners |= {card: trick.leader.plus(place).side for place, card in enumerate(trick.cards)}
        worths: dict[Card, tuple[int, int]] = {}
        worth, before = 0, None
        for card in sorted(owners):
            if owners[card] is not before:
                worth, before = worth + 1, owners[card]
            worths[card] = int(card.suit), worth
        return worths
