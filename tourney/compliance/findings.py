"""What a check finds out: how far a session came, failures, remarks, and the result of each step. Plain data only."""

import enum
from dataclasses import dataclass, field

from tourney.bridge import BoardInPlay, Seat
from tourney.compliance.steps import StepKind
from tourney.protocol.bluechip import WireProfile
from tourney.protocol.bluechip.profile import DEFAULT


class StepOutcome(enum.StrEnum):
    """How a step came out at one seat."""

    OK = "ok"
    REMARK = "remark"
    """The program plays, with a setting of its profile or with something its author may want to know."""
    NOT_SEEN = "not-seen"
    """The situation did not arise, or the step was not reached: nothing is proved, and nothing has failed."""
    FAILED = "failed"


class FailureKind(enum.Enum):
    """How a failure showed itself, which determines what setting may explain it."""

    LINE = "line"
    """The program sent a line that the protocol does not allow."""
    SILENT = "silent"
    """The program owed a line and did not send it in time."""
    CLOSED = "closed"
    """The program ended, or closed its connection, when it should have stayed."""
    ABSENT = "absent"
    """The program never connected."""
    STAYED = "stayed"
    """The program did not leave at the end of the session, or when it was refused."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """One thing that is wrong with the program."""

    clause: str
    kind: FailureKind
    said: str
    """The program's line, or what happened instead of one."""
    expected: str
    """What should have come."""
    advice: str
    """One sentence for the program's author."""
    after: str = ""
    """The last line that the program was sent; empty before the first."""
    output: tuple[str, ...] = ()
    """The last lines that the program printed, the oldest first, if the check started it and it has ended."""
    line_waiting: bool = False
    """Whether `after` followed another line without a word from the program in between (BC-50)."""


@dataclass(frozen=True, slots=True)
class Remark:
    """Something that is accepted here but may not be accepted by other servers."""

    clause: str
    text: str

    @property
    def what(self) -> tuple[str, str]:
        """Two remarks that differ only in what they quote have the same; the first of them is kept."""
        return self.clause, self.text.partition("`")[0]


@dataclass(frozen=True, slots=True)
class StepResult:
    """The result of one step at one seat."""

    number: int
    seat: Seat
    outcome: StepOutcome
    note: str = ""
    """Why the step was not seen, or what was found; empty for a plain `ok`."""
    failure: Failure | None = None


class SessionPhase(enum.Enum):
    """The phases of a session, in order. A board lasts until all of it has been relayed; BETWEEN follows."""

    CONNECT = "connect"
    GREET = "greet"
    BOARD = "board"
    BETWEEN = "between"
    END = "end"
    OVER = "over"


@dataclass(slots=True)
class SessionResult:
    """How far a session came, and what was measured in it."""

    phase: SessionPhase = SessionPhase.CONNECT
    board: int = 0
    """The index of the board in which `phase` is; for BETWEEN, of the one before."""
    failure: Failure | None = None
    boards: list[BoardInPlay] = field(default_factory=list)
    """The boards that were finished; `boards[i]` is board `i` of the plan."""
    playing: BoardInPlay | None = None
    """The board in play, or the last one."""
    has_called: bool = False
    """Whether the program has called on that board."""
    greeted: bool = False
    version: int = 18
    profile: WireProfile = DEFAULT
    """How the table talked to the program."""
    system: str = ""
    """The text that follows the version in its log-on."""
    interrupted: set[StepKind] = field(default_factory=set)
    """RESTART if a board was started again, and CUT if the connection was cut, as planned."""
    call_ms: list[int] = field(default_factory=list)
    card_ms: list[int] = field(default_factory=list)

    @property
    def failed_after_board(self) -> bool:
        """Whether it failed at what comes after a board: between two, or at the second before it had called.

        A program that does not know the line after a board may take it for the start of the next, and find out only
        when that has begun.
        """
        at_second = self.phase is SessionPhase.BOARD and self.board > 0 and not self.has_called
        return self.failure is not None and (self.phase is SessionPhase.BETWEEN or at_second)

    def passed(self, phase: SessionPhase, board: int = 0) -> bool:
        """Tell whether the session got past a phase."""
        if phase is SessionPhase.CONNECT:
            return self.phase is not SessionPhase.CONNECT
        if phase is SessionPhase.GREET:
            return self.greeted
        if phase is SessionPhase.END:
            return self.phase is SessionPhase.OVER
        if self.phase in (SessionPhase.END, SessionPhase.OVER):
            return True
        beyond = self.phase is SessionPhase.BETWEEN and phase is SessionPhase.BOARD
        return self.greeted and (self.board > board or (self.board == board and beyond))
