"""The ledger of a game that is played over several deals: points by side, deal by deal, and the state between deals.

Rubber bridge, Chicago and Minibridge are each a `DealGame`: a state machine without a memory of its own. It turns a
state and a deal into the next state and an entry of the ledger, so anyone who has the deals can replay the score.
"""

import enum
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from tourney.bridge import SEATS, Contract, Deal, Seat, Side, Strain, Suit, Vulnerability
from tourney.bridge.minibridge import MinibridgeContract, count_hcp
from tourney.scoring.targets import Fit

FOUR_HONOURS: Final = 100
ALL_HONOURS: Final = 150
"""Five trump honours, or four aces at notrump, in one hand."""


@dataclass(frozen=True, slots=True)
class SidePoints:
    """Points of both sides."""

    ns: int = 0
    ew: int = 0

    @classmethod
    def of(cls, side: Side, points: int) -> "SidePoints":
        """Return points of one side."""
        return cls(points, 0) if side is Side.NS else cls(0, points)

    def __getitem__(self, side: Side) -> int:
        return self.ns if side is Side.NS else self.ew

    def __add__(self, other: "SidePoints") -> "SidePoints":
        return SidePoints(self.ns + other.ns, self.ew + other.ew)

    def __sub__(self, other: "SidePoints") -> "SidePoints":
        return SidePoints(self.ns - other.ns, self.ew - other.ew)


NO_POINTS: Final = SidePoints()


class LedgerKind(enum.StrEnum):
    """What points are for. The value is the word for it in JSON and on score sheets."""

    TRICKS = "tricks"
    """Below the line; all others are above it."""
    OVERTRICKS = "overtricks"
    SLAM = "slam"
    INSULT = "insult"
    PENALTY = "penalty"
    HONOURS = "honours"
    GAME = "game"
    PART_SCORE = "part score"
    RUBBER = "rubber"
    RULING = "ruling"
    """What a ruling gives for a deal that has no result."""


@dataclass(frozen=True, slots=True)
class LedgerItem:
    """Points that one side gets for one thing."""

    kind: LedgerKind
    side: Side
    points: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedDeal:
    """A deal that was bid and played."""

    contract: Contract | MinibridgeContract | None
    """One of the game that it is scored as; None if it was passed out."""
    tricks: int = 0
    """Tricks won by declarer's side, 0..13; 0 if it was passed out."""
    honours: SidePoints = NO_POINTS
    """Points for honours in one hand; `find_honours` has them for a deal."""
    hcp_ns: int | None = None
    """North-South's high-card points, 0..40; None if they are not known. Russian and Estonian scoring need them."""
    fits: Mapping[Side, Fit] = field(default_factory=dict)
    """The fit of each side, as far as it is known. Estonian scoring needs that of the side with more points."""
    vulnerability: Vulnerability | None = None
    """The vulnerability it was played at; None for the one that the game calls for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameState:
    """What a game carries from one deal to the next."""

    hand: int = 1
    """The number of the next deal within a chicago, from 1; a deal that is redealt keeps its number."""
    dealer: Seat = Seat.NORTH
    """The next dealer."""
    games: SidePoints = NO_POINTS
    """Games won in the rubber that is being played."""
    below: SidePoints = NO_POINTS
    """Points below the line towards the game that is being played."""
    totals: SidePoints = NO_POINTS
    """Everything on the sheet, in points or, where the game is scored in them, in IMPs."""
    completed: int = 0
    """Rubbers, chicagos or deals that are complete."""
    is_between: bool = True
    """Whether nothing is begun: no deal has been played since the last rubber or chicago was complete."""

    @property
    def is_finished(self) -> bool:
        """Whether play may stop here with nothing unfinished."""
        return self.completed > 0 and self.is_between


@dataclass(frozen=True)
class ScoredDeal:
    """What a game makes of a deal."""

    items: tuple[LedgerItem, ...]
    after: GameState
    """The state for the next deal; before it is in the ledger, without the points of this one in its totals."""
    game_won: Side | None = None
    """The side that completed a game with it."""
    imps_ns: int | None = None
    """At Russian and Estonian scoring: North-South's IMPs."""
    target_ns: int | None = None
    """At Russian and Estonian scoring: what North-South's cards should have scored, negative if East-West have the
    points."""


@dataclass(frozen=True, kw_only=True)
class LedgerEntry(ScoredDeal):
    """One deal in the ledger."""

    deal: PlayedDeal
    dealer: Seat
    vulnerability: Vulnerability
    """The vulnerability that its points were scored at."""
    expected: Vulnerability
    """The vulnerability that the game called for."""
    if_stopped: SidePoints
    """The totals if play stopped after this deal, with the premiums for whatever is unfinished."""

    @property
    def won(self) -> SidePoints:
        """What both sides have won by it, in points or in IMPs."""
        if self.imps_ns is not None:
            return SidePoints(max(self.imps_ns, 0), max(-self.imps_ns, 0))
        return add_up(self.items)

    @property
    def below(self) -> SidePoints:
        """Its points below the line."""
        return add_up(item for item in self.items if item.kind is LedgerKind.TRICKS)

    @property
    def above(self) -> SidePoints:
        """Its points above the line, premiums included."""
        return add_up(item for item in self.items if item.kind is not LedgerKind.TRICKS)


class DealGame(ABC):
    """A game over several deals: what each deal scores, and what the next one begins with."""

    has_vulnerability: bool = True
    """Whether a side can be vulnerable."""

    @property
    @abstractmethod
    def title(self) -> str:
        """Its name."""

    def vulnerability(self, state: GameState) -> Vulnerability:  # noqa: ARG002 # for games that have one
        """Return the vulnerability of the next deal."""
        return Vulnerability.NONE

    @abstractmethod
    def score(self, state: GameState, deal: PlayedDeal, vulnerability: Vulnerability) -> ScoredDeal:
        """Return what a deal is worth at a vulnerability.

        Raises:
            RuleError: the game cannot score the deal.
        """

    def unfinished(self, state: GameState) -> SidePoints:  # noqa: ARG002 # most games have none
        """Return the premiums for what is unfinished if play stops."""
        return NO_POINTS

    def play(self, state: GameState, deal: PlayedDeal) -> LedgerEntry:
        """Return the entry of a deal; its `after` is the state for the next one.

        Raises:
            RuleError: the game cannot score the deal.
        """
        expected = self.vulnerability(state)
        vulnerability = (deal.vulnerability if self.has_vulnerability else None) or expected
        scored = self.score(state, deal, vulnerability)
        entry = LedgerEntry(
            **vars(scored),
            deal=deal,
            dealer=state.dealer,
            vulnerability=vulnerability,
            expected=expected,
            if_stopped=NO_POINTS,
        )
        after = replace(scored.after, totals=state.totals + entry.won)
        return replace(entry, after=after, if_stopped=after.totals + self.unfinished(after))


def add_up(items: Iterable[LedgerItem]) -> SidePoints:
    """Return the points of both sides in ledger items."""
    total = NO_POINTS
    for item in items:
        total += SidePoints.of(item.side, item.points)
    return total


def find_honours(deal: Deal, strain: Strain) -> SidePoints:
    """Return the points for honours in one hand (declarer's, dummy's or a defender's).

    Five of A K Q J 10 of trumps are worth 150, four of them 100; at notrump four aces 150.
    """
    for seat in SEATS:
        if strain is Strain.NOTRUMP:
            points = ALL_HONOURS if all("A" in deal[seat].suit_letters(suit) for suit in Suit) else 0
        else:
            held = sum(rank in "AKQJT" for rank in deal[seat].suit_letters(Suit(strain.value)))
            points = {4: FOUR_HONOURS, 5: ALL_HONOURS}.get(held, 0)
        if points:
            return SidePoints.of(seat.side, points)
    return NO_POINTS


def hcp_of_ns(deal: Deal) -> int:
    """Return North-South's high-card points, 0..40."""
    return count_hcp(deal[Seat.NORTH]) + count_hcp(deal[Seat.SOUTH])
