"""The games of one table that a match can be played as, with what the players of one agree on beforehand."""

import enum
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from tourney.bridge import Contract, Deal, Result, Vulnerability
from tourney.bridge.minibridge import MinibridgeContract, nearest_contract
from tourney.bridge.score import Laws
from tourney.scoring import BOARD_A_MATCH
from tourney.scoring.board_a_match import BoardPoints
from tourney.scoring.board_scale import IMPS, BoardScale, board_a_match_scale, game_scale, pairs_scale
from tourney.scoring.chicago import HANDS, Chicago, ChicagoOrder, ChicagoScoring
from tourney.scoring.ledger import NO_POINTS, DealGame, GameState, PlayedDeal, find_honours, hcp_of_ns
from tourney.scoring.minibridge import Minibridge
from tourney.scoring.pairs.field import PairsScoring
from tourney.scoring.rubber import Rubber
from tourney.scoring.targets import find_fits

DEALS_OF_RUBBER: Final = 32
"""The deals that are kept ready for a rubber: most have four to six. One that has used them up is broken off."""

DEALS_OF_CHICAGO: Final = 2 * HANDS
"""The deals that are kept ready for a chicago: its hands, and as many again for those that are passed out."""


DEALS_OF_MINIBRIDGE: Final = 16
"""How many deals a match of Minibridge has, unless the event file says so."""


MINIBRIDGE_REDEALS_MIN: Final = 8
"""The deals that are kept ready at least for those at which both sides have 20 points, one in twelve."""


class GameKind(enum.StrEnum):
    """A game. The value is its word in an event file."""

    RUBBER = "rubber"
    CHICAGO = "chicago"
    MINIBRIDGE = "minibridge"


class PassedOut(enum.StrEnum):
    """What becomes of a deal that is passed out."""

    NEXT_DEALER = "next-dealer"
    REDEAL = "redeal"
    COUNTS = "counts"


class Unfinished(enum.StrEnum):
    """Who has the premium for an unfinished game, or part score, if both sides have one."""

    NEITHER = "neither"
    BOTH = "both"


@dataclass(frozen=True, slots=True, kw_only=True)
class GameSettings:
    """A game and its rules. Everything that the score of a match depends on besides its deals is in here."""

    kind: GameKind
    length: int | None
    """Number of rubbers or chicagos in a match, at Minibridge of deals; None if all its deals are played, whatever
    they complete."""
    scoring: ChicagoScoring = ChicagoScoring.PLAIN
    order: ChicagoOrder = ChicagoOrder.MODERN
    honours: bool
    passed_out: PassedOut
    unfinished: Unfinished = Unfinished.NEITHER

    @classmethod
    def of_keys(cls, kind: GameKind, said: Mapping[str, Any]) -> "GameSettings":
        """Return the settings that the keys of an event file give; None stands for what it does not say."""
        scoring = next(
            (each for each in ChicagoScoring if each.value.lower() == said["scoring"]), ChicagoScoring.PLAIN
        )
        length, usual = said["chicagos"] or 1, PassedOut.COUNTS if scoring.is_in_imps else PassedOut.REDEAL
        if kind is GameKind.RUBBER:
            length, usual = said["rubbers"] or (1 if said["deals"] is None else None), PassedOut.NEXT_DEALER
        elif kind is GameKind.MINIBRIDGE:
            length = said["deals"] or DEALS_OF_MINIBRIDGE
        return cls(
            kind=kind,
            length=length,
            scoring=scoring,
            order=said["order"] or ChicagoOrder.MODERN,
            honours=kind is GameKind.RUBBER if said["honours"] is None else said["honours"],
            passed_out=said["passed_out"] or usual,
            unfinished=said["unfinished"] or Unfinished.NEITHER,
        )

    def deals_ready(self, deals: int | None) -> int:
        """Return how many deals are kept ready for a match, of which the event file asks for so many, if it says."""
        length = self.length or 1
        match self.kind:
            case GameKind.RUBBER:
                return deals or length * DEALS_OF_RUBBER
            case GameKind.CHICAGO:
                return length * (HANDS if self.passed_out is PassedOut.COUNTS else DEALS_OF_CHICAGO)
            case GameKind.MINIBRIDGE:
                return length + max(MINIBRIDGE_REDEALS_MIN, length // 2)

    def game(self, laws: Laws = Laws.CURRENT) -> DealGame:
        """Return the state machine of the game, which scores by these laws."""
        if self.kind is GameKind.MINIBRIDGE:
            return Minibridge()
        if self.kind is GameKind.RUBBER:
            redeals = self.passed_out is PassedOut.REDEAL
            return Rubber(both_unfinished=self.unfinished is Unfinished.BOTH, same_dealer_redeals=redeals, laws=laws)
        redeals = self.passed_out is not PassedOut.COUNTS
        return Chicago(scoring=self.scoring, order=self.order, redeals=redeals, laws=laws)

    @property
    def has_known_deals(self) -> bool:
        """Whether it is known beforehand how many deals a match has; otherwise some of those kept ready are left."""
        return self.length is None or self.passed_out is PassedOut.COUNTS

    @property
    def has_line(self) -> bool:
        """Whether the score is written above and below a line."""
        return self.scoring is ChicagoScoring.PLAIN and self.kind is not GameKind.MINIBRIDGE

    @property
    def board_scale(self) -> BoardScale:
        """The unit of the score of its matches."""
        return game_scale(in_imps=self.scoring.is_in_imps)

    def is_over(self, state: GameState) -> bool:
        """Return whether a match is decided: it has all its rubbers, chicagos or deals of Minibridge."""
        return self.length is not None and state.completed >= self.length

    def deal_of(self, deal: Deal | None, result: Result | None, vulnerability: Vulnerability | None) -> PlayedDeal:
        """Return a deal as its game scores it, as far as its cards are known; without a result as if passed out.

        The vulnerability is that at which it was played, None for the one that the game calls for.
        """
        contract = result.contract if result is not None else None
        honours = NO_POINTS
        scored: Contract | MinibridgeContract | None = contract
        if contract is not None:
            if self.honours and deal is not None:
                honours = find_honours(deal, contract.strain)
            if self.kind is GameKind.MINIBRIDGE:
                scored = nearest_contract(contract)
        return PlayedDeal(
            contract=scored,
            tricks=result.tricks if result is not None else 0,
            honours=honours,
            hcp_ns=hcp_of_ns(deal) if deal is not None else None,
            fits=find_fits(deal) if deal is not None else {},
            vulnerability=vulnerability,
        )


def stage_scale(game: GameSettings | None, scoring: str, board_points: str, vp_scale: str) -> BoardScale:
    """Return how boards of a stage are scored.

    Args:
        game: the game of its matches, if they are played as one.
        scoring: the word for how it is scored.
        board_points: what a board is worth at board-a-match.
        vp_scale: the name of its scale of victory points.
    """
    if game is not None:
        return game.board_scale
    if scoring in tuple(PairsScoring):
        return pairs_scale(is_matchpoints=scoring == PairsScoring.MATCHPOINTS)
    return board_a_match_scale(BoardPoints(board_points), vp_scale) if scoring == BOARD_A_MATCH else IMPS
