"""Minibridge: what a deal is worth (pagat.com's rules of contract bridge)."""

from dataclasses import replace
from typing import Final

from tourney.bridge import Vulnerability
from tourney.bridge.minibridge import MinibridgeContract
from tourney.bridge.score import trick_points
from tourney.scoring.ledger import (
    DealGame,
    GameState,
    LedgerItem,
    LedgerKind,
    PlayedDeal,
    ScoredDeal,
)

PART_SCORE_PREMIUM: Final = 50
GAME_PREMIUM: Final = 300
UNDERTRICK: Final = 50
"""For each trick short of those that the contract needs."""

_BOOK: Final = 6


class Minibridge(DealGame):
    """Deals of Minibridge, each by itself; their number is agreed on beforehand."""

    title = "Minibridge"
    has_vulnerability = False

    def score(self, state: GameState, deal: PlayedDeal, vulnerability: Vulnerability) -> ScoredDeal:  # noqa: ARG002
        if deal.contract is None:
            return ScoredDeal((), state)
        assert isinstance(deal.contract, MinibridgeContract)
        items = _contract_items(deal.contract, deal.tricks)
        after = replace(state, hand=state.hand + 1, dealer=state.dealer.next, completed=state.completed + 1)
        return ScoredDeal(tuple(items), after, items[0].side if items[-1].kind is LedgerKind.GAME else None)


def _contract_items(contract: MinibridgeContract, tricks: int) -> list[LedgerItem]:
    """Return the points for a contract: every trick above six counts, also those beyond the contract."""
    side = contract.declarer.side
    short = contract.tricks_needed - tricks
    if short > 0:
        return [LedgerItem(LedgerKind.PENALTY, side.other, UNDERTRICK * short)]
    points = trick_points(contract.strain, tricks - _BOOK)
    if contract.is_game:
        premium = LedgerItem(LedgerKind.GAME, side, GAME_PREMIUM)
    else:
        premium = LedgerItem(LedgerKind.PART_SCORE, side, PART_SCORE_PREMIUM)
    return [LedgerItem(LedgerKind.TRICKS, side, points), premium]
