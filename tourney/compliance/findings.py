"""What a check finds: failures, remarks, the result of each step. Plain data, nothing of sockets or processes."""

import enum
from dataclasses import dataclass

from tourney.bridge import Seat


class Outcome(enum.StrEnum):
    """How a step came out at one seat."""

    OK = "ok"
    REMARK = "remark"
    """It plays, with a setting of its profile or with something its author may want to know."""
    NOT_SEEN = "not-seen"
    """The situation did not arise, or the step was not reached: nothing is proved, nothing failed."""
    FAILED = "failed"


class Trouble(enum.Enum):
    """How a failure showed itself, from which follows what setting may explain it."""

    LINE = "line"
    """It said what the protocol does not allow."""
    SILENT = "silent"
    """It owed a line and did not say it in time."""
    CLOSED = "closed"
    """It ended, or closed its connection, where it should have stayed."""
    ABSENT = "absent"
    """It never connected."""
    STAYED = "stayed"
    """It did not leave when all was over, or when it was refused."""


@dataclass(frozen=True, slots=True)
class Failure:
    """One thing that is wrong."""

    clause: str
    trouble: Trouble
    said: str
    """Its line, or what happened in place of one."""
    expected: str
    """What should have come."""
    advice: str
    """One sentence for its author."""
    after: str = ""
    """The last line it was sent; empty before the first."""
    output: tuple[str, ...] = ()
    """The last lines that its process printed, the oldest first, where it has ended and is ours."""
    line_waiting: bool = False
    """Whether `after` followed another line with no word of the program in between (BC-50)."""


@dataclass(frozen=True, slots=True)
class Remark:
    """Something that is accepted, and that other servers may not accept."""

    clause: str
    text: str


@dataclass(frozen=True, slots=True)
class StepResult:
    """One step at one seat. `note` says why a step was not seen, or what was found; empty for a plain `ok`."""

    number: int
    seat: Seat
    outcome: Outcome
    note: str = ""
    failure: Failure | None = None
