"""The mistakes of a program: failed steps that show the same one, at several seats and in several situations."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from tourney.bridge import SEATS, Seat
from tourney.compliance.findings import Failure, FailureKind, StepResult
from tourney.compliance.steps import CheckStep

_QUOTED: Final = re.compile(r"`([^`]*)`")
_PARTICULARS: Final = (
    (re.compile(r"\b(north|east|south|west|dummy)(?='s|\b)", re.IGNORECASE), "SEAT"),
    (re.compile(r"\b(?:(?:10|[2-9TJQKA])[SHDC] ?)+(?![A-Za-z])|\b[1-7]NT?\b"), "CARD"),  # or a bid
    (re.compile(r"\b(passes|doubles|redoubles|bids CARD)\b"), "CALL"),
    (re.compile(r"\d+(?:\.\d+)?"), "N"),
)
"""What may differ between two failures that show the same mistake, and what stands for it."""


@dataclass(frozen=True, slots=True)
class Mistake:
    """One mistake of the program."""

    failure: Failure
    """How it showed first."""
    first: CheckStep
    """The first step in which it showed, and the seat of that."""
    seat: Seat
    results: tuple[StepResult, ...]
    """All failed steps that show it, by number, then by seat."""

    @property
    def seats(self) -> list[Seat]:
        """The seats at which it showed, clockwise from North."""
        return [seat for seat in SEATS if any(result.seat is seat for result in self.results)]

    @property
    def steps(self) -> list[int]:
        """The numbers of the steps in which it showed, ascending."""
        return sorted({result.number for result in self.results})

    @property
    def where(self) -> str:
        """Where it showed: `at South, step 9`, or `in all four seats, first at step 3, also at 5, 8`."""
        titles = [seat.title for seat in self.seats]
        if len(titles) == len(SEATS):
            seats = "in all four seats"
        else:
            seats = f"at {' and '.join([', '.join(titles[:-1]), titles[-1]] if titles[1:] else titles)}"
        steps = self.steps
        if len(steps) == 1:
            return f"{seats}, step {steps[0]}" if len(titles) == 1 else f"{seats}, at step {steps[0]}"
        return f"{seats}, first at step {steps[0]}, also at {', '.join(map(str, steps[1:]))}"


def mistakes_of(results: Iterable[StepResult], steps: Iterable[CheckStep]) -> tuple[Mistake, ...]:
    """Group the failed steps by the mistake that they show, in the order in which the mistakes show first."""
    by_number = {step.number: step for step in steps}
    groups: dict[tuple[str, ...], list[StepResult]] = {}
    for result in sorted(results, key=lambda each: (each.number, each.seat)):
        if result.failure is not None:
            groups.setdefault(_kind_of_mistake(result.failure), []).append(result)
    mistakes = []
    for group in groups.values():
        first = group[0]
        assert first.failure is not None
        mistakes.append(Mistake(first.failure, by_number[first.number], first.seat, tuple(group)))
    return tuple(mistakes)


def _kind_of_mistake(failure: Failure) -> tuple[str, ...]:
    """Return the same key for failures that show the same mistake.

    A wrong line is known by the advice against it, silence by what is owed, a program that ends by its last words,
    or else by what it was told.
    """
    match failure.kind:
        case FailureKind.LINE:
            tells = _QUOTED.sub("LINE", failure.advice)
            tells = re.sub(r"'[^']*'(?=\W|$)", "TEXT", tells) if failure.clause == "BC-03" else tells
        case FailureKind.CLOSED:
            tells = failure.output[-1] if failure.output else failure.after.partition(" Alert. ")[0]
        case _:
            tells = failure.expected
    return failure.clause, failure.kind.value, without_particulars(tells)


def without_particulars(text: str) -> str:
    """Return the text with the same words for all seats, cards, bids and numbers."""
    for pattern, word in _PARTICULARS:
        text = pattern.sub(word, text)
    return text
