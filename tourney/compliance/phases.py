"""Where a visit of the program stands, what is the same for all visits of a seat, and what a visit came to."""

import enum
from dataclasses import dataclass, field

from tourney.bridge import BoardInPlay, Seat
from tourney.compliance.findings import Failure
from tourney.compliance.steps import StepKind


class Phase(enum.Enum):
    """Where a visit stands. A board lasts until all of it has been told; then comes what is between two boards."""

    CONNECT = "connect"
    GREET = "greet"
    BOARD = "board"
    BETWEEN = "between"
    END = "end"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class VisitSettings:
    """What is the same for all visits of one seat."""

    seat: Seat
    team: str
    other_team: str
    timeout_s: float
    slow_s: float

    def team_of(self, seat: Seat) -> str:
        return self.team if seat.side is self.seat.side else self.other_team


@dataclass(slots=True)
class VisitResult:
    """What a visit came to. `boards[i]` is board `i` of the plan as far as it was played."""

    phase: Phase = Phase.CONNECT
    board: int = 0
    """The board in which `phase` is; for BETWEEN the one before."""
    failure: Failure | None = None
    boards: list[BoardInPlay] = field(default_factory=list)
    playing: BoardInPlay | None = None
    """The board in hand, or the last one."""
    greeted: bool = False
    version: int = 18
    interrupted: set[StepKind] = field(default_factory=set)
    """RESTART when a board was begun again, CUT when the connection was cut, as planned."""
    call_ms: list[int] = field(default_factory=list)
    card_ms: list[int] = field(default_factory=list)

    def passed(self, phase: Phase, board: int = 0) -> bool:
        """Whether the visit got past a phase."""
        if phase is Phase.CONNECT:
            return self.phase is not Phase.CONNECT
        if phase is Phase.GREET:
            return self.greeted
        if phase is Phase.END:
            return self.phase is Phase.OVER
        if self.phase in (Phase.END, Phase.OVER):
            return True
        beyond = self.phase is Phase.BETWEEN and phase is Phase.BOARD
        return self.greeted and (self.board > board or (self.board == board and beyond))
