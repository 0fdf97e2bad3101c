"""The line checker: which clause a wrong line breaks, and what is only remarked on."""

import pytest

from tests.support.conversation import conversations, steps_of
from tourney.bridge import Seat
from tourney.compliance.bluechip import NEEDLESS_LINES_MAX, LineChecker
from tourney.compliance.findings import Failure
from tourney.protocol.lines import LINE_BYTES_MAX, Overlong


class Table:
    """A table that accepts every line that passes the checker, for North of Alpha."""

    def __init__(self) -> None:
        self.checker = LineChecker(Seat.NORTH, "Alpha")
        self._failure: Failure | None = None
        """The last one."""

    def says(self, line: bytes | Overlong) -> list[str]:
        self._failure = self.checker.check_line(line)
        return [self._failure.clause] if self._failure is not None else []

    def converse(self, script: str) -> "Table":
        """Hold a conversation; what the checker finds in a line of North's is a clause, in a good one nothing:

        told: East passes
        says: North passes -> BC-21
        needless North ready for teams    as often as is borne
        silent 20, silent 1: North rea    so many seconds, with a line that has not ended
        closes -> BC-39
        failed -> clause, what was expected, what was said, after which line, advice      of the last failure
        kind, waiting                     of the last failure
        remarked -> BC-51                 the clauses of all remarks so far, `remarks` with their texts
        alerts, owed                      the texts of alerts; the clause of what is expected
        """
        for step in steps_of(script):
            step.check(self._take_step(*step.what.partition(": ")[::2]))
        return self

    def _take_step(self, step: str, line: str) -> list[str]:
        failure = self._failure
        match step.split():
            case ["told"]:
                self._failure = self.checker.receive_table_line(line)
                return [self._failure.clause] if self._failure is not None else []
            case ["says"]:
                return self.says(line.encode())
            case ["needless", *words]:
                return [clause for _ in range(NEEDLESS_LINES_MAX) for clause in self.says(" ".join(words).encode())]
            case ["silent", seconds]:
                self._failure = self.checker.silence(int(seconds), line.encode())
            case ["closes"]:
                return [self.checker.closing().clause]
            case ["failed"]:
                assert failure is not None
                return [failure.clause, failure.expected, failure.said, failure.after, failure.advice]
            case ["kind"]:
                return [failure.kind.name.lower()] if failure is not None else []
            case ["waiting"]:
                return ["yes" if failure is not None and failure.line_waiting else "no"]
            case ["alerts"]:
                return self.checker.alerts
            case ["owed"]:
                return [self.checker.expected.clause] if self.checker.expected is not None else []
            case ["remarks"]:
                return [f"{remark.clause}: {remark.text}" for remark in self.checker.remarks]
            case _:
                return [remark.clause for remark in self.checker.remarks]
        return []


SEATED = """
    says: Connecting "Alpha" as North using protocol version 18 -> nothing
    told: North ("Alpha") seated
"""
DEALT = """
    says: North ready for teams -> nothing
    told: Teams : N/S : "Alpha" E/W : "Beta"
    says: North ready to start -> nothing
    told: Start of board
    says: North ready for deal -> nothing
    told: Board number 1. Dealer {}. Neither vulnerable.
    says: North ready for cards -> nothing
    told: North's cards : S A K 7. H Q J. D -. C T 9 8 7 6 5 4 3.
"""
DECLARING = """
    says: North bids 1NT
    says: North ready for East's bid
    told: East passes
    says: North ready for South's bid
    told: South passes
    says: North ready for West's bid
    told: West passes
    says: North ready for East's card to trick 1
    told: East plays 2D
    says: North ready for dummy
    told: Dummy's cards : S Q J. H K 4 3 2. D A K Q J T. C A 2.
"""
"""North plays 1NT, East has led the two of diamonds, dummy is open, dummy is in turn."""
DUMMY = """
    says: North ready for South's bid
    told: South bids 1NT
    says: North ready for West's bid
    told: West passes
    says: North passes
    says: North ready for East's bid
    told: East passes
"""
"""East's lead against South's 1NT is due."""
PLACES = {
    "connecting": "",
    "seated": SEATED,
    **{f"dealt by {dealer}": SEATED + DEALT.format(dealer) for dealer in ("North", "East", "West")},
    "declaring": SEATED + DEALT.format("North") + DECLARING,
    "dummy": SEATED + DEALT.format("South") + DUMMY,
}


@pytest.mark.parametrize(
    ("start", "script"), [*conversations("checker/line_checker"), *conversations("checker/spellings")]
)
def test_what_is_found_is_what_is_written_down(start: str, script: str) -> None:
    Table().converse(PLACES[start]).converse(script)


@pytest.mark.clause("BC-03")
@pytest.mark.parametrize("line", [Overlong(LINE_BYTES_MAX), b"North \xff", b""])
def test_a_line_too_long_or_outside_ascii_or_empty_fails_by_bc_03(line: bytes | Overlong) -> None:
    assert Table().converse(SEATED).says(line) == ["BC-03"]
