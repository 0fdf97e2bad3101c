"""What a check tries and finds out: its steps, how far a session came, failures, mistakes. Plain data only."""

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import Enum, IntEnum, StrEnum, auto
from typing import Annotated, Final, NamedTuple, TypeAlias

from tourney.bridge import SEATS, OpenBoard, Seat
from tourney.errors import UsageError
from tourney.output.rows import Row, Unit
from tourney.plurals import listed
from tourney.protocol.wires import DEFAULT, WireProfile


class StepKind(Enum):
    """Says what a step tests."""

    CONNECT = auto()
    GREET = auto()
    PASSED_OUT = auto()
    AFTER_PASSED_OUT = auto()
    DECLARER = auto()
    AFTER_PLAYED = auto()
    DUMMY_LEADS = auto()
    DUMMY = auto()
    LEADER = auto()
    THIRD_HAND = auto()
    REDOUBLED = auto()
    VOIDS = auto()
    ALERT = auto()
    INFOS = auto()
    LONG_ALERT = auto()
    END = auto()
    AGAIN = auto()
    SLOW = auto()
    RESTART = auto()
    CUT = auto()
    PACKET = auto()
    TAKEN = auto()
    OWN_ALERTS = auto()
    UNKNOWN = auto()


class CheckStep(NamedTuple):
    """One step. Numbers start at 1; `clauses` are identifiers of the protocol, what the step is about first."""

    number: int
    kind: StepKind
    description: str
    clauses: tuple[str, ...]


def parse_steps(text: str) -> tuple[CheckStep, ...]:
    """Parse the steps of a protocol, in the order of the report: kind, clauses and description in columns."""
    rows = (re.split(" {2,}", line) for line in text.strip().splitlines())
    return tuple(
        CheckStep(number, StepKind[kind], description, tuple(clauses.split()))
        for number, (kind, clauses, description) in enumerate(rows, 1)
    )


def steps_numbered(numbers: tuple[int, ...], steps: tuple[CheckStep, ...]) -> frozenset[StepKind]:
    """Return those of a protocol's steps with these numbers, or all if none are given.

    Raises:
        UsageError: there is no step with one of the numbers.
    """
    for number in numbers:
        if not 1 <= number <= len(steps):
            raise UsageError(f"steps are numbered 1 to {len(steps)}, got {number}")
    return frozenset(step.kind for step in steps if not numbers or step.number in numbers)


class StepOutcome(StrEnum):
    """How a step came out at one seat."""

    OK = "ok"
    REMARK = "remark"
    """The program plays, with a setting of its profile or with something its author may want to know."""
    NOT_SEEN = "not-seen"
    """The situation did not arise, or the step was not reached: nothing is proved, and nothing has failed."""
    FAILED = "failed"


OutcomeName: TypeAlias = Annotated[str, Unit(enum=[outcome.value for outcome in StepOutcome])]
SeatTitle: TypeAlias = Annotated[str, Unit(enum=[seat.title for seat in SEATS])]


class FailureKind(StrEnum):
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


class Failure(Row, kw_only=True):
    """What a program did wrong."""

    clause: str
    """The clause of the protocol that it breaks, such as BC-31."""
    kind: FailureKind
    """How it showed itself."""
    said: str
    """The line of the program, or what happened instead of one."""
    expected: str
    """What should have come."""
    after: str
    """The last line that the program was sent; empty before the first."""
    advice: str
    """One sentence for its author."""
    output: tuple[str, ...]
    """The last lines that its process printed, oldest first; empty where it was not started here."""
    line_waiting: bool = False
    """Whether `after` followed another line without a word from the program in between (BC-50)."""


class Remark(Row):
    """Something that was accepted, and that other servers may not accept."""

    clause: str
    """The clause of the protocol that it is about, such as BC-31."""
    text: str
    """One sentence for the author of the program."""

    @property
    def what(self) -> tuple[str, str]:
        """Two remarks that differ only in what they quote have the same; the first of them is kept."""
        return self.clause, self.text.partition("`")[0]


class StepResult(Row):
    """The result of a step at one seat."""

    seat: Annotated[Seat, Unit(form=SeatTitle, json=lambda seat: seat.title)]
    """The seat at which the program was tried."""
    outcome: Annotated[StepOutcome, Unit(form=OutcomeName)]
    """Whether it passed, passed with a remark, was not seen because the situation did not arise, or failed."""
    note: str
    """What was found, or why the step was not seen; may be empty."""
    failure: Failure | None
    """What went wrong; null unless the step failed."""


class CheckedStep(Row):
    """A step of a check."""

    number: int
    """The number of the step, from 1, as `--step` takes it."""
    what: str
    """What the program does in it."""
    clauses: tuple[str, ...]
    """The clauses of the protocol that it tries, such as BC-05."""
    results: list[StepResult]
    """The result at each seat that was tried."""


class SessionPhase(IntEnum):
    """The phases of a session, in order. A board lasts until all of it has been relayed; BETWEEN follows."""

    CONNECT = auto()
    GREET = auto()
    BOARD = auto()
    BETWEEN = auto()
    END = auto()
    OVER = auto()

    def at(self, board: int) -> tuple[float, int]:
        """Return what orders a phase, and those of boards by their index, in a session."""
        if self < SessionPhase.BOARD:
            return -1, self
        return (board if self < SessionPhase.END else math.inf), self


@dataclass(slots=True)
class SessionResult:
    """How far a session came, and what was measured in it."""

    phase: SessionPhase = SessionPhase.CONNECT
    board: int = 0
    """The index of the board in which `phase` is; for BETWEEN, of the one before."""
    failure: Failure | None = None
    boards: list[OpenBoard] = field(default_factory=list)
    """The boards that were finished; `boards[i]` is board `i` of the plan."""
    playing: OpenBoard | None = None
    """The board in play, or the last one."""
    has_called: bool = False
    """Whether the program has called on that board."""
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
        return phase.at(board) < self.phase.at(self.board)


# Mistakes: failed steps that show the same one, at several seats and in several situations


_QUOTED: Final = re.compile(r"`([^`]*)`")
_PARTICULARS: Final = (
    (re.compile(r"\b(north|east|south|west|dummy)(?='s|\b)", re.IGNORECASE), "SEAT"),
    (re.compile(r"\b(?:(?:10|[2-9TJQKA])[SHDC] ?)+(?![A-Za-z])|\b[1-7]NT?\b"), "CARD"),  # or a bid
    (re.compile(r"\b(passes|doubles|redoubles|bids CARD)\b"), "CALL"),
    (re.compile(r"\d+(?:\.\d+)?"), "N"),
)
"""What may differ between two failures that show the same mistake, and what stands for it."""


class Mistake(Row):
    """A mistake of the program, in all the steps that show it."""

    seats: list[SeatTitle]
    """The seats at which it showed, clockwise from North."""
    steps: list[int]
    """The numbers of the steps in which it showed, ascending."""
    failure: Failure
    """How it showed first."""

    @property
    def where(self) -> str:
        """Where it showed: `at South, step 9`, or `in all four seats, first at step 3, also at 5, 8`."""
        titles = self.seats
        if len(titles) == len(SEATS):
            seats = "in all four seats"
        else:
            seats = f"at {listed(titles)}"
        steps = self.steps
        if len(steps) == 1:
            return f"{seats}, step {steps[0]}" if len(titles) == 1 else f"{seats}, at step {steps[0]}"
        return f"{seats}, first at step {steps[0]}, also at {', '.join(map(str, steps[1:]))}"


def mistakes_of(steps: Iterable[CheckedStep]) -> tuple[Mistake, ...]:
    """Group the failed steps by the mistake that they show, in the order in which the mistakes show first."""
    groups: dict[tuple[str, ...], tuple[Failure, set[Seat], dict[int, None]]] = {}
    for step in steps:
        for result in step.results:
            if result.failure is not None:
                mistake = groups.setdefault(_kind_of_mistake(result.failure), (result.failure, set(), {}))
                mistake[1].add(result.seat)
                mistake[2][step.number] = None
    return tuple(
        Mistake([seat.title for seat in sorted(seats)], list(numbers), first)
        for first, seats, numbers in groups.values()
    )


def _kind_of_mistake(failure: Failure) -> tuple[str, ...]:
    """Return the same key for failures that show the same mistake.

    A wrong line is known by the advice against it, silence by what is owed, a program that ends by its last words,
    or else by what it was told.
    """
    match failure.kind:
        case FailureKind.LINE:
            distinctive = _QUOTED.sub("LINE", failure.advice)
            distinctive = (
                re.sub(r"'[^']*'(?=\W|$)", "TEXT", distinctive) if failure.clause == "BC-03" else distinctive
            )
        case FailureKind.CLOSED:
            distinctive = failure.output[-1] if failure.output else failure.after.partition(" Alert. ")[0]
        case _:
            distinctive = failure.expected
    for pattern, word in _PARTICULARS:
        distinctive = pattern.sub(word, distinctive)
    return failure.clause, failure.kind.value, distinctive
