"""Chicago, the game of four deals: scored plainly, as at duplicate, or by Russian scoring.

Each hand has a dealer and a vulnerability by its number, so no game that is won makes a side vulnerable. Sources:
pagat.com's rules of contract bridge, and for the older order of vulnerability D. Stevenson (2003).
"""

import bisect
import enum
from dataclasses import dataclass, replace
from typing import Final

from tourney.bridge import Seat, Side, Vulnerability
from tourney.bridge.minibridge import HCP_IN_DECK
from tourney.bridge.score import GAME_POINTS, game_premium, score_ns
from tourney.errors import RuleError
from tourney.scoring.imps import imps
from tourney.scoring.ledger import (
    NO_POINTS,
    DealGame,
    GameState,
    LedgerEntry,
    LedgerItem,
    LedgerKind,
    PlayedDeal,
    SidePoints,
    add_items,
)
from tourney.scoring.rubber import bridge_contract, contract_items, game_winner, honour_items, trick_points

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
    """The duplicate score against what the cards are worth, in IMPs."""


class ChicagoOrder(enum.StrEnum):
    """Who is vulnerable on the second and third hand; on the first nobody is, on the fourth both sides are."""

    MODERN = "modern"
    """The side that does not deal."""
    DEALER = "dealer"
    """The side that deals: the older form."""


_VULNERABILITIES: Final = {
    ChicagoOrder.MODERN: (Vulnerability.NONE, Vulnerability.NS, Vulnerability.EW, Vulnerability.ALL),
    ChicagoOrder.DEALER: (Vulnerability.NONE, Vulnerability.EW, Vulnerability.NS, Vulnerability.ALL),
}

_TARGETS: Final = (
    *((0, 0), (50, 50), (70, 70), (110, 110), (200, 290), (300, 440), (350, 520)),
    *((400, 600), (430, 630), (460, 660), (490, 690), (600, 900), (700, 1050)),
    *((900, 1350), (1000, 1500), (1100, 1650), (1200, 1800), (1300, 1950)),
)
"""Russian targets of the side with more points, from 20 to 37 points on: not vulnerable, vulnerable."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChicagoRules:
    """What the players of a chicago agree on beforehand."""

    scoring: ChicagoScoring = ChicagoScoring.PLAIN
    order: ChicagoOrder = ChicagoOrder.MODERN
    counts_passed_out: bool | None = None
    """Whether a passed-out hand counts. Otherwise the same player deals it again. By default it counts at Russian
    scoring only, where the side with the points misses its target."""

    @property
    def redeals(self) -> bool:
        """Whether a passed-out hand is dealt again."""
        if self.counts_passed_out is None:
            return self.scoring is not ChicagoScoring.RUSSIAN
        return not self.counts_passed_out


class Chicago(DealGame):
    """Chicagos of four hands, one after the other."""

    name = "chicago"

    def __init__(self, rules: ChicagoRules | None = None) -> None:
        self.rules = rules or ChicagoRules()
        scoring = self.rules.scoring
        self.title = "Chicago" if scoring is ChicagoScoring.PLAIN else f"Chicago, {scoring.value} scoring"

    def vulnerability(self, state: GameState) -> Vulnerability:
        return _VULNERABILITIES[self.rules.order][state.hand - 1]

    def play(self, state: GameState, deal: PlayedDeal) -> LedgerEntry:
        expected = self.vulnerability(state)
        vulnerability = deal.vulnerability or expected
        is_last = state.hand == HANDS
        items: list[LedgerItem] = []
        winner: Side | None = None
        below = state.below
        if deal.contract is not None:
            contract = bridge_contract(deal, self.title)
            items = contract_items(contract, deal.tricks, vulnerability)
            side = contract.declarer.side
            if self.rules.scoring is ChicagoScoring.PLAIN:
                winner = game_winner(state.below, side, items)
                below = NO_POINTS if winner is not None else state.below + trick_points(items)
                items += honour_items(deal.honours) + _plain_premium(
                    items, side, winner, vulnerability, is_last=is_last
                )
            elif made := trick_points(items)[side]:
                winner = side if made >= GAME_POINTS else None
                kind = LedgerKind.GAME if winner is not None else LedgerKind.PART_SCORE
                premium = game_premium(made, vulnerable=vulnerability.includes(side))
                items.append(LedgerItem(kind, side, premium))
        after = self._next_hand(replace(state, below=below), deal)
        imps_ns = target_ns = None
        if self.rules.scoring is ChicagoScoring.RUSSIAN:
            target_ns = _target_ns(deal, vulnerability)
            imps_ns = self._imps_ns(deal, vulnerability, target_ns)
            after = replace(after, totals=after.totals + SidePoints(max(imps_ns, 0), max(-imps_ns, 0)))
        else:
            after = add_items(after, items)
        return LedgerEntry(
            deal=deal,
            dealer=state.dealer,
            vulnerability=vulnerability,
            expected=expected,
            items=tuple(items),
            after=after,
            if_stopped=after.totals,
            game_won=winner,
            imps_ns=imps_ns,
            target_ns=target_ns,
        )

    def _next_hand(self, state: GameState, deal: PlayedDeal) -> GameState:
        """Return the state for the next hand, which is the same again if the deal was passed out and is redealt."""
        if deal.contract is None and self.rules.redeals:
            return state
        if state.hand < HANDS:
            return replace(state, hand=state.hand + 1, dealer=state.dealer.next, is_between=False)
        return replace(
            state, hand=1, dealer=Seat.NORTH, below=NO_POINTS, completed=state.completed + 1, is_between=True
        )

    def _imps_ns(self, deal: PlayedDeal, vulnerability: Vulnerability, target_ns: int) -> int:
        """Return North-South's IMPs at Russian scoring; a passed-out deal scores 0 unless it is redealt."""
        if deal.contract is None:
            return 0 if self.rules.redeals else imps(-target_ns)
        return imps(score_ns(bridge_contract(deal, self.title), deal.tricks, vulnerability) - target_ns)


def _plain_premium(
    items: list[LedgerItem], side: Side, winner: Side | None, vulnerability: Vulnerability, *, is_last: bool
) -> list[LedgerItem]:
    """Return the premium for a completed game, or for a part score made on the last hand."""
    if winner is not None:
        return [LedgerItem(LedgerKind.GAME, side, 500 if vulnerability.includes(side) else 300)]
    if is_last and trick_points(items)[side]:
        return [LedgerItem(LedgerKind.PART_SCORE, side, LAST_PART_SCORE)]
    return []


def russian_target(hcp: int, *, vulnerable: bool) -> int:
    """Return what a side is expected to score with its high-card points.

    Args:
        hcp: the side's points, at least as many as its opponents' (20..40).
        vulnerable: whether the side is.
    """
    index = bisect.bisect_right(range(21, 38), hcp)
    return _TARGETS[index][vulnerable]


def _target_ns(deal: PlayedDeal, vulnerability: Vulnerability) -> int:
    """Return North-South's target, negative if East-West have the points.

    Raises:
        RuleError: the high-card points are not known.
    """
    if deal.hcp_ns is None:
        raise RuleError("Russian scoring needs the high-card points of a side, and they are not given")
    hcp_ew = HCP_IN_DECK - deal.hcp_ns
    if deal.hcp_ns >= hcp_ew:
        return russian_target(deal.hcp_ns, vulnerable=vulnerability.includes(Side.NS))
    return -russian_target(hcp_ew, vulnerable=vulnerability.includes(Side.EW))
