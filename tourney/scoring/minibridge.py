"""Minibridge: who declares, and what a deal is worth (pagat.com's rules of contract bridge).

There is no auction: the players tell their high-card points, the side with more of them declares, and declarer names
a strain and a part score or a game after dummy has been laid down. Nobody is vulnerable.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from tourney.bridge import Seat, Side, Strain, Vulnerability
from tourney.bridge.score import FIRST_NOTRUMP_EXTRA, TRICK_POINTS
from tourney.errors import RuleError
from tourney.scoring.ledger import (
    DealGame,
    GameState,
    LedgerEntry,
    LedgerItem,
    LedgerKind,
    MinibridgeContract,
    PlayedDeal,
    add_items,
)

PART_SCORE_PREMIUM: Final = 50
GAME_PREMIUM: Final = 300
UNDERTRICK: Final = 50
"""For each trick short of those that the contract needs."""

_BOOK: Final = 6
_LOWEST_GAMES: Final = {Strain.NOTRUMP: 3, Strain.SPADES: 4, Strain.HEARTS: 4, Strain.DIAMONDS: 5, Strain.CLUBS: 5}


def choose_declarer(dealer: Seat, hcp: Mapping[Seat, int]) -> Seat | None:
    """Return the declarer by the points announced from the dealer clockwise; None for a redeal (20 points each).

    The side with more points declares. Of the partners it is the one with more, or who announced first.
    """
    ns = hcp[Seat.NORTH] + hcp[Seat.SOUTH]
    ew = hcp[Seat.EAST] + hcp[Seat.WEST]
    if ns == ew:
        return None
    side = Side.NS if ns > ew else Side.EW
    first, second = (seat for seat in (dealer.plus(step) for step in range(4)) if seat.side is side)
    return second if hcp[second] > hcp[first] else first


def contract_at_level(level: int, strain: Strain, declarer: Seat) -> MinibridgeContract:
    """Return the contract that a bid stands for: level 1 is a part score, the lowest game in the strain a game.

    Raises:
        RuleError: it is any other bid.
    """
    game = _LOWEST_GAMES[strain]
    if level not in (1, game):
        letters = strain.letters
        raise RuleError(
            f"Minibridge has 1{letters} for a part score and {game}{letters} for a game, got {level}{letters}"
        )
    return MinibridgeContract(strain, level == game, declarer)


class Minibridge(DealGame):
    """Deals of Minibridge, each by itself; their number is agreed on beforehand."""

    name = "minibridge"
    title = "Minibridge"

    def vulnerability(self, state: GameState) -> Vulnerability:  # noqa: ARG002 # the same in every state
        return Vulnerability.NONE

    def play(self, state: GameState, deal: PlayedDeal) -> LedgerEntry:
        items: list[LedgerItem] = []
        if deal.contract is not None:
            if not isinstance(deal.contract, MinibridgeContract):
                raise RuleError(f"Minibridge has contracts such as 'part S' or 'game NT', got {str(deal.contract)!r}")
            items = _contract_items(deal.contract, deal.tricks)
        after = replace(state, hand=state.hand + 1, dealer=state.dealer.next, completed=state.completed + 1)
        after = add_items(state if deal.contract is None else after, items)
        return LedgerEntry(
            deal=deal,
            dealer=state.dealer,
            vulnerability=Vulnerability.NONE,
            expected=Vulnerability.NONE,
            items=tuple(items),
            after=after,
            if_stopped=after.totals,
            game_won=items[0].side if items and items[-1].kind is LedgerKind.GAME else None,
        )


def _contract_items(contract: MinibridgeContract, tricks: int) -> list[LedgerItem]:
    """Return the points for a contract: every trick above six counts, also those beyond the contract."""
    side = contract.declarer.side
    short = contract.tricks_needed - tricks
    if short > 0:
        return [LedgerItem(LedgerKind.PENALTY, side.other, UNDERTRICK * short)]
    first = FIRST_NOTRUMP_EXTRA if contract.strain is Strain.NOTRUMP else 0
    points = TRICK_POINTS[contract.strain] * (tricks - _BOOK) + first
    if contract.is_game:
        premium = LedgerItem(LedgerKind.GAME, side, GAME_PREMIUM)
    else:
        premium = LedgerItem(LedgerKind.PART_SCORE, side, PART_SCORE_PREMIUM)
    return [LedgerItem(LedgerKind.TRICKS, side, points), premium]
