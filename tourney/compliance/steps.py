"""The numbered steps of a check, with the clauses of the protocol that each covers."""

import enum
from dataclasses import dataclass
from typing import Final

from tourney.errors import UsageError


class StepKind(enum.Enum):
    """Says what a step tests."""

    CONNECT = enum.auto()
    GREET = enum.auto()
    PASSED_OUT = enum.auto()
    AFTER_PASSED_OUT = enum.auto()
    DECLARER = enum.auto()
    AFTER_PLAYED = enum.auto()
    DUMMY_LEADS = enum.auto()
    DUMMY = enum.auto()
    LEADER = enum.auto()
    THIRD_HAND = enum.auto()
    REDOUBLED = enum.auto()
    VOIDS = enum.auto()
    ALERT = enum.auto()
    INFOS = enum.auto()
    LONG_ALERT = enum.auto()
    END = enum.auto()
    AGAIN = enum.auto()
    SLOW = enum.auto()
    RESTART = enum.auto()
    CUT = enum.auto()
    PACKET = enum.auto()
    TAKEN = enum.auto()
    OWN_ALERTS = enum.auto()
    UNKNOWN = enum.auto()


@dataclass(frozen=True, slots=True)
class CheckStep:
    """One step. Numbers start at 1; `clauses` are identifiers of the protocol."""

    number: int
    kind: StepKind
    description: str
    clauses: tuple[str, ...]


_TABLE: Final = (
    (StepKind.CONNECT, "connects", ("BC-05",)),
    (StepKind.GREET, "is seated, learns the teams, is ready to start", ("BC-06", "BC-07")),
    (StepKind.PASSED_OUT, "a passed-out board", ("BC-12", "BC-14", "BC-16", "BC-19")),
    (StepKind.AFTER_PASSED_OUT, "Timing line after a passed-out board", ("BC-19", "BC-37")),
    (StepKind.DECLARER, "declarer", ("BC-15", "BC-29", "BC-30", "BC-31", "BC-32", "BC-33")),
    (StepKind.AFTER_PLAYED, "Timing line after a board", ("BC-37",)),
    (StepKind.DUMMY_LEADS, "declarer, dummy on lead", ("BC-29", "BC-33")),
    (StepKind.DUMMY, "dummy", ("BC-31", "BC-32")),
    (StepKind.LEADER, "defender who leads", ("BC-29", "BC-30", "BC-31", "BC-32")),
    (StepKind.THIRD_HAND, "defender whose partner leads", ("BC-30", "BC-31", "BC-32")),
    (StepKind.REDOUBLED, "a redoubled contract", ("BC-15", "BC-18")),
    (StepKind.VOIDS, "a hand with three voids", ("BC-14",)),
    (StepKind.ALERT, "alerted calls of the opponents, a double among them", ("BC-17",)),
    (StepKind.INFOS, "a call explained with Infos. (version 19)", ("BC-17",)),
    (StepKind.LONG_ALERT, "an alert of 1,500 characters", ("BC-03", "BC-17")),
    (StepKind.END, "leaves at End of session", ("BC-39",)),
    (StepKind.AGAIN, "a second session, on a new connection", ("BC-09", "BC-39")),
    (StepKind.SLOW, "a partner who is slow to call", ("BC-16",)),
    (StepKind.RESTART, "Start of board in the middle of a board", ("BC-48",)),
    (StepKind.CUT, "comes back after its connection was cut", ("BC-48",)),
    (StepKind.PACKET, "two lines in one packet", ("BC-50",)),
    (StepKind.TAKEN, "is refused a seat that is taken", ("BC-08",)),
    (StepKind.OWN_ALERTS, "its own alerts", ("BC-22", "BC-23", "BC-24")),
)

STEPS: Final = tuple(CheckStep(number, *row) for number, row in enumerate(_TABLE, 1))
"""All steps, in the order of the report."""

STEP_OF: Final = {step.kind: step for step in STEPS}

IN_PLAY: Final = frozenset(STEP_OF) - {StepKind.END, StepKind.CUT, StepKind.TAKEN}
"""The steps in which the settings of a profile show; in the others the program only leaves, or comes back."""

OPENING_BOARDS: Final = (
    StepKind.PASSED_OUT,
    StepKind.DECLARER,
    StepKind.DUMMY_LEADS,
    StepKind.DUMMY,
    StepKind.LEADER,
    StepKind.THIRD_HAND,
    StepKind.REDOUBLED,
    StepKind.VOIDS,
    StepKind.ALERT,
    StepKind.LONG_ALERT,
    StepKind.OWN_ALERTS,
)
"""The boards of the first session."""

LATER_BOARDS: Final = (StepKind.SLOW, StepKind.RESTART, StepKind.CUT)
"""The boards of the second session, which ends when the connection is cut."""

BOARD_FOR: Final = {
    StepKind.AFTER_PASSED_OUT: StepKind.PASSED_OUT,
    StepKind.AFTER_PLAYED: StepKind.LEADER,
    StepKind.INFOS: StepKind.ALERT,
    StepKind.END: StepKind.LEADER,
}
"""For each step that is not a board itself, the board to be played for it."""


def steps_numbered(numbers: tuple[int, ...], steps: tuple[CheckStep, ...] = STEPS) -> frozenset[StepKind]:
    """Return the steps with these numbers, or all steps if none are given.

    `steps` are those of the protocol.

    Raises:
        UsageError: there is no step with one of the numbers.
    """
    for number in numbers:
        if not 1 <= number <= len(steps):
            raise UsageError(f"steps are numbered 1 to {len(steps)}, got {number}")
    return frozenset(step.kind for step in steps if not numbers or step.number in numbers)
