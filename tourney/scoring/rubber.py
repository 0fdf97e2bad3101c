"""Rubber bridge: the best of three games, scored above and below the line (pagat.com's rules of contract bridge)."""

from dataclasses import dataclass, replace
from typing import Final

from tourney.bridge import Contract, Side, Vulnerability, deal_points
from tourney.bridge.score import GAME_POINTS, Laws
from tourney.scoring.ledger import (
    NO_POINTS,
    DealGame,
    GameState,
    LedgerItem,
    LedgerKind,
    PlayedDeal,
    ScoredDeal,
    SidePoints,
    add_up,
)

RUBBER_TWO_GAMES: Final = 700
RUBBER_THREE_GAMES: Final = 500
UNFINISHED_GAME: Final = 300


@dataclass(frozen=True, kw_only=True)
class Rubber(DealGame):
    """Rubbers one after the other. A side is vulnerable while it has a game in the rubber."""

    title = "Rubber bridge"
    both_unfinished: bool = False
    """Whether both sides get the premium for an unfinished game, or part score, if both have one; otherwise neither
    does. The difference between the sides is the same."""
    same_dealer_redeals: bool = False
    """Whether the dealer of a passed-out deal deals again; otherwise the next player deals."""
    laws: Laws = Laws.CURRENT

    def vulnerability(self, state: GameState) -> Vulnerability:
        # In the order of its members: neither side, North-South, East-West, both.
        return tuple(Vulnerability)[(state.games.ns > 0) + 2 * (state.games.ew > 0)]

    def score(self, state: GameState, deal: PlayedDeal, vulnerability: Vulnerability) -> ScoredDeal:
        dealer = state.dealer if deal.contract is None and self.same_dealer_redeals else state.dealer.next
        after = replace(state, dealer=dealer, is_between=False)
        contract = deal.contract
        if contract is None:
            return ScoredDeal((), after)
        assert isinstance(contract, Contract)
        items = contract_items(contract, deal.tricks, vulnerability, self.laws) + honour_items(deal.honours)
        winner = game_winner(state.below, contract.declarer.side, items)
        if winner is None:
            return ScoredDeal(tuple(items), replace(after, below=state.below + trick_points(items)))
        after = replace(after, below=NO_POINTS, games=state.games + SidePoints.of(winner, 1))
        if after.games[winner] == 2:
            premium = RUBBER_THREE_GAMES if after.games[winner.other] else RUBBER_TWO_GAMES
            items.append(LedgerItem(LedgerKind.RUBBER, winner, premium))
            after = replace(after, games=NO_POINTS, completed=state.completed + 1, is_between=True)
        return ScoredDeal(tuple(items), after, winner)

    def unfinished(self, state: GameState) -> SidePoints:
        """Return the premiums of a rubber that is broken off: 300 for a game, 100 for a part score (once 50)."""
        part_score = self._premiums(state.below, self.laws.unfinished_part_score)
        return self._premiums(state.games, UNFINISHED_GAME) + part_score

    def _premiums(self, held: SidePoints, premium: int) -> SidePoints:
        if held.ns and held.ew and not self.both_unfinished:
            return NO_POINTS
        return SidePoints(premium if held.ns else 0, premium if held.ew else 0)


# Shared with Chicago


def contract_items(contract: Contract, tricks: int, vulnerability: Vulnerability, laws: Laws) -> list[LedgerItem]:
    """Return the points for a contract, without premiums for a game or a part score."""
    side = contract.declarer.side
    points = deal_points(contract, tricks, vulnerable=vulnerability.includes(side), laws=laws)
    items = [
        LedgerItem(LedgerKind.TRICKS, side, points.tricks),
        LedgerItem(LedgerKind.OVERTRICKS, side, points.overtricks),
        LedgerItem(LedgerKind.INSULT, side, points.insult),
        LedgerItem(LedgerKind.SLAM, side, points.slam),
        LedgerItem(LedgerKind.PENALTY, side.other, points.penalty),
    ]
    return [item for item in items if item.points]


def honour_items(honours: SidePoints) -> list[LedgerItem]:
    """Return the points for honours."""
    return [LedgerItem(LedgerKind.HONOURS, side, honours[side]) for side in Side if honours[side]]


def game_winner(below: SidePoints, side: Side, items: list[LedgerItem]) -> Side | None:
    """Return the side if its points of this deal complete a game with what it already had below the line."""
    won = trick_points(items)[side]
    return side if won and below[side] + won >= GAME_POINTS else None


def trick_points(items: list[LedgerItem]) -> SidePoints:
    """Return the points below the line among items."""
    return add_up(item for item in items if item.kind is LedgerKind.TRICKS)
