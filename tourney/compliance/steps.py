"""The steps of a check: what each tests, under which number, and which clauses of the protocol it covers."""

import enum
from dataclasses import dataclass

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
    """One step. Numbers start at 1; `clauses` are identifiers of the protocol, what the step is about first."""

    number: int
    kind: StepKind
    description: str
    clauses: tuple[str, ...]

    @property
    def title(self) -> str:
        """The step with its number, for a sentence: `step 8 (dummy)`."""
        return f"step {self.number} ({self.description})"


def number_steps(*rows: tuple[StepKind, str, tuple[str, ...]]) -> tuple[CheckStep, ...]:
    """Number the steps of a protocol, in the order of the report."""
    return tuple(CheckStep(number, *row) for number, row in enumerate(rows, 1))


def steps_numbered(numbers: tuple[int, ...], steps: tuple[CheckStep, ...]) -> frozenset[StepKind]:
    """Return those of a protocol's steps with these numbers, or all if none are given.

    Raises:
        UsageError: there is no step with one of the numbers.
    """
    for number in numbers:
        if not 1 <= number <= len(steps):
            raise UsageError(f"steps are numbered 1 to {len(steps)}, got {number}")
    return frozenset(step.kind for step in steps if not numbers or step.number in numbers)
