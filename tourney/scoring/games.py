"""The games of one table that a match can be played as, with what the players of one agree on beforehand."""

import enum
from dataclasses import dataclass, fields
from typing import Any, Final

from tourney.bridge import Board, Result
from tourney.bridge.minibridge import nearest_contract
from tourney.scoring.board_scale import BoardScale, game_scale
from tourney.scoring.chicago import HANDS, Chicago, ChicagoOrder, ChicagoRules, ChicagoScoring
from tourney.scoring.ledger import NO_POINTS, DealGame, GameState, PlayedDeal, find_honours, hcp_of_ns
from tourney.scoring.minibridge import Minibridge
from tourney.scoring.rubber import Rubber, RubberRules
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

    def game(self) -> DealGame:
        """Return the state machine of the game."""
        if self.kind is GameKind.RUBBER:
            return Rubber(
                RubberRules(
                    both_unfinished=self.unfinished is Unfinished.BOTH,
                    same_dealer_redeals=self.passed_out is PassedOut.REDEAL,
                )
            )
        if self.kind is GameKind.MINIBRIDGE:
            return Minibridge()
        counts = self.passed_out is PassedOut.COUNTS
        return Chicago(ChicagoRules(scoring=self.scoring, order=self.order, counts_passed_out=counts))

    @property
    def has_known_deals(self) -> bool:
        """Whether it is known beforehand how many deals a match has; otherwise some of those kept ready are left."""
        return self.length is None or self.passed_out is PassedOut.COUNTS

    @property
    def board_scale(self) -> BoardScale:
        """The unit of the score of its matches."""
        return game_scale(in_imps=self.scoring.is_in_imps)

    @property
    def unit(self) -> str:
        """What its scores are in: `points` or `IMPs`."""
        return self.board_scale.unit

    def is_over(self, state: GameState) -> bool:
        """Return whether a match is decided: it has all its rubbers, chicagos or deals of Minibridge."""
        return self.length is not None and state.completed >= self.length

    def deal_of(self, board: Board, result: Result | None) -> PlayedDeal:
        """Return a board as its game scores it, at its own vulnerability; without a result it is as if passed out."""
        contract = result.contract if result is not None else None
        has_honours = self.honours and contract is not None
        is_minibridge = self.kind is GameKind.MINIBRIDGE and contract is not None
        return PlayedDeal(
            contract=nearest_contract(contract) if is_minibridge and contract is not None else contract,
            tricks=result.tricks if result is not None else 0,
            honours=find_honours(board.deal, contract.strain) if has_honours and contract is not None else NO_POINTS,
            hcp_ns=hcp_of_ns(board.deal),
            fits=find_fits(board.deal),
            vulnerability=board.vulnerability,
        )

    def to_plain(self) -> dict[str, Any]:
        """Return the settings as JSON has them."""
        return {each.name: getattr(self, each.name) for each in fields(self)}

    @classmethod
    def from_plain(cls, said: dict[str, Any]) -> "GameSettings":
        """Undo `to_plain`.

        Raises:
            ValueError: a value is none of its kind.
            KeyError: one is missing.
        """
        return cls(
            kind=GameKind(said["kind"]),
            length=said["length"],
            scoring=ChicagoScoring(said["scoring"]),
            order=ChicagoOrder(said["order"]),
            honours=bool(said["honours"]),
            passed_out=PassedOut(said["passed_out"]),
            unfinished=Unfinished(said["unfinished"]),
        )
