"""Failed steps that show the same mistake are one."""

from typing import Any

from tourney.bridge import SEATS, Seat
from tourney.compliance.findings import (
    CheckedStep,
    Failure,
    FailureKind,
    Mistake,
    StepOutcome,
    StepResult,
    mistakes_of,
)


def failed(number: int, seat: Seat, failure: Failure) -> CheckedStep:
    return CheckedStep(number, "", (), [StepResult(seat, StepOutcome.FAILED, "", failure)])


def failure(clause: str, kind: FailureKind, **more: Any) -> Failure:
    rest = {"said": "a line", "expected": "another", "after": "", "advice": "say it", "output": ()}
    return Failure(clause=clause, kind=kind, **rest | more)


def silent(owed: str, clause: str = "BC-16") -> Failure:
    return failure(clause, FailureKind.SILENT, expected=owed)


def wrong(advice: str, clause: str = "BC-34") -> Failure:
    return failure(clause, FailureKind.LINE, advice=advice)


def closed(after: str, *output: str) -> Failure:
    return failure("BC-39", FailureKind.CLOSED, after=after, output=output)


def found(*steps: CheckedStep) -> list[Mistake]:
    return list(mistakes_of(steps))


def test_a_line_that_is_owed_at_every_seat_is_one_mistake_with_where_it_showed_first() -> None:
    results = [
        failed(number, seat, silent(f"{seat.title} ready for {seat.next.title}'s bid"))
        for number in (3, 5, 8)
        for seat in SEATS
    ]
    (mistake,) = found(*results)
    assert mistake.failure.expected == "North ready for East's bid"
    assert mistake.where == "in all four seats, first at step 3, also at 5, 8"


def test_other_lines_that_are_owed_are_other_mistakes() -> None:
    mistakes = found(
        failed(3, Seat.EAST, silent("East ready for North's bid")),
        failed(8, Seat.SOUTH, silent("South ready for dummy", "BC-32")),
        failed(9, Seat.WEST, silent("West ready for dummy", "BC-32")),
    )
    assert [mistake.where for mistake in mistakes] == [
        "at East, step 3",
        "at South and West, first at step 8, also at 9",
    ]


def test_cards_and_bids_of_wrong_lines_do_not_matter_and_what_is_wrong_with_them_does() -> None:
    mistakes = found(
        failed(9, Seat.NORTH, wrong("Follow suit when the hand can: 4D was led, and South has QD 5D 2D.")),
        failed(10, Seat.EAST, wrong("Follow suit when the hand can: KH was led, and East has 10H.")),
        failed(10, Seat.WEST, wrong("Play cards that the hand holds: West has no AS.")),
        failed(11, Seat.WEST, wrong("Make legal calls only: 1NT is not higher than 2H.", "BC-20")),
        failed(12, Seat.WEST, wrong("Make legal calls only: 2C is not higher than 7S.", "BC-20")),
    )
    assert [mistake.steps for mistake in mistakes] == [[9, 10], [10], [11, 12]]


def test_a_program_that_ends_is_known_by_its_last_words_or_else_by_what_it_was_told() -> None:
    mistakes = found(
        failed(3, Seat.NORTH, closed("East passes", "Traceback", "IndexError: line 17")),
        failed(5, Seat.EAST, closed("South bids 1C", "Traceback", "IndexError: line 18")),
        failed(9, Seat.EAST, closed("South bids 1C", "Traceback", "KeyError: 'X'")),
        failed(10, Seat.SOUTH, closed("East doubles Alert. 12 total points.")),
        failed(10, Seat.WEST, closed("North doubles Alert. 0 to 7 total points.")),
        failed(11, Seat.WEST, closed("Timing - N/S : this board")),
    )
    assert [mistake.steps for mistake in mistakes] == [[3, 5], [9], [10], [11]]
