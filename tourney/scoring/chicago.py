"""Chicago, the game of four deals: scored plainly, as at duplicate, or by Russian or Estonian scoring.

Each hand has a dealer and a vulnerability by its number, so no game that is won makes a side vulnerable. Sources:
pagat.com's rules of contract bridge, and for the older order of vulnerability D. Stevenson (2003).
"""

import enum
from dataclasses import dataclass, replace
from typing import Final

from tourney.bridge import Contract, Seat, Side, Vulnerability
from tourney.bridge.minibridge import HCP_IN_DECK
from tourney.bridge.score import Laws, game_premium
from tourney.errors import RuleError
from tourney.scoring.imps import imps
from tourney.scoring.ledger import (
    NO_POINTS,
    DealGame,
    GameState,
    LedgerItem,
    LedgerKind,
    PlayedDeal,
    ScoredDeal,
    add_up,
)
from tourney.scoring.rubber import contract_items, game_winner, honour_items, trick_points
from tourney.scoring.targets import estonian_target, russian_target

HANDS: Final = 4
"""Hands of a chicago."""

LAST_PART_SCORE: Final = 100
"""The premium for a part score made on the last hand that completes no game."""


class ChicagoScoring(enum.StrEnum):
    """How a chicago is scored."""

    PLAIN = "plain"
    """Above and below the line, with part scores carried from hand to hand."""
    DUPLICATE = "duplicate"
    """Each hand by itself, as at duplicate."""
    RUSSIAN = "Russian"
    """The duplicate score against what the high cards of the stronger side are worth, in IMPs."""
    ESTONIAN = "Estonian"
    """The same with a table that knows the fit of the stronger side too."""

    @property
    def is_in_imps(self) -> bool:
        """Whether the score is in IMPs, and not in points."""
        return self in (ChicagoScoring.RUSSIAN, ChicagoScoring.ESTONIAN)


class ChicagoOrder(enum.StrEnum):
    """Who is vulnerable on the second and third hand; on the first nobody is, on the fourth both sides are."""

    MODERN = "modern"
    """The side that does not deal."""
    DEALER = "dealer"
    """The side that deals: the older form."""


_VULNERABILITIES: Final = {
    ChicagoOrder.MODERN: tuple(Vulnerability),
    ChicagoOrder.DEALER: (Vulnerability.NONE, Vulnerability.EW, Vulnerability.NS, Vulnerability.ALL),
}


@dataclass(frozen=True, kw_only=True)
class Chicago(DealGame):
    """Chicagos of four hands, one after the other."""

    scoring: ChicagoScoring = ChicagoScoring.PLAIN
    order: ChicagoOrder = ChicagoOrder.MODERN
    redeals: bool = True
    """Whether the same player deals a passed-out hand again; otherwise it counts."""
    laws: Laws = Laws.CURRENT

    @property
    def title(self) -> str:
        return "Chicago" if self.scoring is ChicagoScoring.PLAIN else f"Chicago, {self.scoring.value} scoring"

    def vulnerability(self, state: GameState) -> Vulnerability:
        return _VULNERABILITIES[self.order][state.hand - 1]

    def score(self, state: GameState, deal: PlayedDeal, vulnerability: Vulnerability) -> ScoredDeal:
        items: list[LedgerItem] = []
        winner: Side | None = None
        contract, below = deal.contract, state.below
        if contract is not None:
            assert isinstance(contract, Contract)
            items = contract_items(contract, deal.tricks, vulnerability, self.laws)
            side, made = contract.declarer.side, trick_points(items)
            winner = game_winner(below, side, items)
            premium = game_premium(below[side] + made[side], vulnerable=vulnerability.includes(side))
            if self.scoring is ChicagoScoring.PLAIN:
                below = NO_POINTS if winner is not None else below + made
                items += honour_items(deal.honours)
                if winner is None:
                    premium = LAST_PART_SCORE if state.hand == HANDS else 0
            if made[side] and premium:
                kind = LedgerKind.GAME if winner is not None else LedgerKind.PART_SCORE
                items.append(LedgerItem(kind, side, premium))
        is_redealt = contract is None and self.redeals
        after = state if is_redealt else _next_hand(replace(state, below=below))
        if not self.scoring.is_in_imps:
            return ScoredDeal(tuple(items), after, winner)
        target_ns = self._target_ns(deal, vulnerability, state.dealer)
        points = add_up(items)
        imps_ns = 0 if is_redealt else imps(points.ns - points.ew - target_ns)
        return ScoredDeal(tuple(items), after, winner, imps_ns, target_ns)

    def _target_ns(self, deal: PlayedDeal, vulnerability: Vulnerability, dealer: Seat) -> int:
        """Return North-South's target, negative if it is East-West's: that of the side with more points, or dealer's.

        Raises:
            RuleError: the high-card points or, at Estonian scoring, the fit of that side are not known.
        """
        scoring = self.scoring
        if deal.hcp_ns is None:
            raise RuleError(f"{scoring} scoring needs the high-card points of a side, and they are not given")
        hcp = max(deal.hcp_ns, HCP_IN_DECK - deal.hcp_ns)
        side = dealer.side
        if hcp > HCP_IN_DECK - hcp:
            side = Side.NS if hcp == deal.hcp_ns else Side.EW
        vulnerable = vulnerability.includes(side)
        if scoring is ChicagoScoring.RUSSIAN:
            target = russian_target(hcp, vulnerable=vulnerable)
        elif side in deal.fits:
            target = estonian_target(hcp, deal.fits[side], vulnerable=vulnerable)
        else:
            raise RuleError(f"{scoring} scoring needs the fit of {side}, and it is not given")
        return target if side is Side.NS else -target


def _next_hand(state: GameState) -> GameState:
    """Return the state for the next hand, after the last one that of the next chicago."""
    if state.hand < HANDS:
        return replace(state, hand=state.hand + 1, dealer=state.dealer.next, is_between=False)
    return replace(state, hand=1, dealer=Seat.NORTH, below=NO_POINTS, completed=state.completed + 1, is_between=True)
