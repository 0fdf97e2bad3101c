"""Minibridge: points are announced instead of an auction, and declarer chooses the contract with dummy in sight.

The rules are those of pagat.com's page on contract bridge. From the dealer clockwise each player announces its
high-card points; the side with more declares; declarer's partner lays dummy down; declarer names a strain and a part
score or a game; then the cards are played as in bridge. Nobody is vulnerable, and nothing is doubled.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from tourney.bridge.auction import Auction, Contract
from tourney.bridge.calls import Bid, Call
from tourney.bridge.cards import SUITS_DOWN, Hand, Strain
from tourney.bridge.deal import Board, Deal
from tourney.bridge.seats import SEATS, Seat, Side
from tourney.errors import RuleError

HCP_IN_DECK: Final = 40

LOWEST_GAMES: Final = dict(zip(reversed(Strain), (3, 4, 4, 5, 5), strict=True))
"""The level of the lowest game in each strain; a game at Minibridge needs its tricks."""


@dataclass(frozen=True, slots=True)
class MinibridgeContract:
    """A contract at Minibridge: declarer names a strain, and a part score or a game."""

    strain: Strain
    is_game: bool
    declarer: Seat

    @property
    def level(self) -> int:
        """The level of the bid that stands for it: 1 for a part score, that of the lowest game for a game."""
        return LOWEST_GAMES[self.strain] if self.is_game else 1

    @property
    def tricks_needed(self) -> int:
        """7 for a part score; 9, 10 or 11 for a game at notrump, in a major or in a minor."""
        return self.level + 6

    def __str__(self) -> str:
        """`part S`, `game NT`."""
        return f"{'game' if self.is_game else 'part'} {self.strain.letters}"


def contract_at_level(level: int, strain: Strain, declarer: Seat) -> MinibridgeContract:
    """Return the contract that a bid stands for: level 1 is a part score, the lowest game in the strain a game.

    Raises:
        RuleError: it is any other bid.
    """
    game = LOWEST_GAMES[strain]
    if level not in (1, game):
        letters = strain.letters
        raise RuleError(
            f"Minibridge has 1{letters} for a part score and {game}{letters} for a game, got {level}{letters}"
        )
    return MinibridgeContract(strain, level == game, declarer)


def nearest_contract(contract: Contract) -> MinibridgeContract:
    """Return a contract of bridge as Minibridge scores it: a part score below the level of a game."""
    return MinibridgeContract(contract.strain, contract.level >= LOWEST_GAMES[contract.strain], contract.declarer)


def count_hcp(hand: Hand) -> int:
    """Return the high-card points of a hand: ace 4, king 3, queen 2, jack 1."""
    return sum(max(0, card.rank - 10) for card in hand.cards)


def announced_points(deal: Deal) -> dict[Seat, int]:
    """Return the high-card points of each hand; together they are 40."""
    return {seat: count_hcp(deal[seat]) for seat in SEATS}


def choose_declarer(dealer: Seat, points: Mapping[Seat, int]) -> Seat | None:
    """Return the declarer by the points announced from the dealer clockwise; None for a redeal (20 points each).

    The side with more points declares. Of the partners it is the one with more, or who announced first.
    """
    ns = points[Seat.NORTH] + points[Seat.SOUTH]
    if 2 * ns == HCP_IN_DECK:
        return None
    side = Side.NS if 2 * ns > HCP_IN_DECK else Side.EW
    first, second = (seat for seat in map(dealer.plus, range(4)) if seat.side is side)
    return second if points[second] > points[first] else first


class MinibridgeChoice:
    """What the announcements of a board decide: who is declarer, and so whose hand lies open and who calls.

    On record, and for whoever knows only bridge, a board of Minibridge has an auction that stands for declarer's
    choice: declarer's bid, and passes of everybody else, which nobody is asked for. A board that is redealt is
    passed out.
    """

    __slots__ = ("announcements", "declarer", "dummy")

    def __init__(self, board: Board) -> None:
        points = announced_points(board.deal)
        self.announcements = [(seat, points[seat]) for seat in map(board.dealer.plus, range(4))]
        """The high-card points that each player announces, the dealer first."""
        self.declarer = choose_declarer(board.dealer, points)
        """None if the board is to be redealt."""
        self.dummy = self.declarer.partner if self.declarer is not None else None
        """The player whose hand lies open from the announcements on."""

    def passes(self, auction: Auction) -> bool:
        """Return whether the player in turn passes without being asked."""
        if auction.is_over:
            return False
        return auction.turn is not self.declarer or auction.last_bid is not None

    def why_illegal(self, call: Call) -> str | None:
        """Return why declarer may not make this call, in one sentence; None if it may."""
        if not isinstance(call, Bid):
            return f"declarer at Minibridge names a contract, 1S for a part score or 4S for a game, got {call}"
        assert self.declarer is not None
        try:
            contract_at_level(call.level, call.strain, self.declarer)
        except RuleError as error:
            return str(error)
        return None

    @staticmethod
    def stand_in_bid(declarer: Hand, dummy: Hand) -> Bid:
        """Return the contract that a table names for a declarer that is gone: a part score in the longest suit.

        Of suits of one length it is the highest-ranking.
        """
        suits = [card.suit for card in (*declarer.cards, *dummy.cards)]
        longest = max(SUITS_DOWN, key=suits.count)
        return Bid(1, Strain(longest.value))
