"""The line checker: which clause a wrong line breaks, and what is only remarked on."""

import pytest

from tests.support.conversation import steps_of
from tourney.bridge import Seat
from tourney.compliance.bluechip import NEEDLESS_LINES_MAX, LineChecker
from tourney.compliance.findings import Failure, FailureKind
from tourney.protocol.lines import LINE_BYTES_MAX, Overlong

HAND = "North's cards : S A K 7. H Q J. D -. C T 9 8 7 6 5 4 3."
DUMMYS = "Dummy's cards : S Q J. H K 4 3 2. D A K Q J T. C A 2."


class Table:
    """A table that accepts every line that passes the checker, for North of Alpha."""

    def __init__(self) -> None:
        self.checker = LineChecker(Seat.NORTH, "Alpha")

    def told(self, *lines: str) -> None:
        for line in lines:
            self.checker.receive_table_line(line)

    def says(self, line: str | bytes | Overlong) -> Failure | None:
        data = line.encode() if isinstance(line, str) else line
        return self.checker.check_line(data)

    def converse(self, script: str) -> "Table":
        """Hold a conversation; what the checker finds in a line of North's is a clause, in a good one nothing:

        told: East passes
        says: North passes -> BC-21
        remarked -> BC-51                 the clauses of all remarks so far
        """
        for step in steps_of(script):
            what, _, line = step.what.partition(": ")
            match what:
                case "told":
                    self.told(line)
                case "says":
                    failure = self.says(line)
                    step.check([failure.clause] if failure is not None else [])
                case _:
                    step.check([remark.clause for remark in self.checker.remarks])
        return self

    def seated(self) -> "Table":
        return self.converse("""
            says: Connecting "Alpha" as North using protocol version 18 -> nothing
            told: North ("Alpha") seated
        """)

    def dealt(self, dealer: str = "North") -> "Table":
        return self.seated().converse(f"""
            says: North ready for teams -> nothing
            told: Teams : N/S : "Alpha" E/W : "Beta"
            says: North ready to start -> nothing
            told: Start of board
            says: North ready for deal -> nothing
            told: Board number 1. Dealer {dealer}. Neither vulnerable.
            says: North ready for cards -> nothing
            told: {HAND}
        """)

    def declaring(self) -> "Table":
        """North plays 1NT, East has led the two of diamonds, dummy is open, dummy is in turn."""
        return self.dealt().converse(f"""
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
            told: {DUMMYS}
        """)


def failing(failure: Failure | None) -> str:
    assert failure is not None
    return failure.clause


@pytest.mark.clause("BC-03")
@pytest.mark.parametrize("line", [Overlong(LINE_BYTES_MAX), b"North \xff", b"Hello", b"North sings", b""])
def test_a_line_too_long_or_outside_ascii_or_of_no_protocol_fails_by_bc_03(line: bytes | Overlong) -> None:
    assert failing(Table().seated().says(line)) == "BC-03"


@pytest.mark.clause("BC-05")
def test_a_log_on_that_cannot_be_read_or_comes_again_fails_by_bc_05() -> None:
    Table().converse("says: Connecting as North -> BC-05")
    Table().seated().converse("""
        says: North ready for teams
        says: Connecting "Alpha" as North using protocol version 18 -> BC-05
    """)


@pytest.mark.clause("BC-11")
@pytest.mark.parametrize("line", ["South ready for teams", "East passes", "South claims", "East plays 2D"])
def test_a_line_under_another_seats_name_fails_by_bc_11(line: str) -> None:
    Table().seated().converse(f"says: {line} -> BC-11")


@pytest.mark.clause("BC-20")
def test_an_insufficient_bid_fails_by_bc_20_and_says_why() -> None:
    table = Table().dealt("West").converse("says: North ready for West's bid\ntold: West bids 2H")
    failure = table.says("North bids 1NT")
    assert failing(failure) == "BC-20"
    assert failure is not None
    assert "1NT is not higher than 2H" in failure.advice
    assert failure.after == "West bids 2H"
    assert failure.said == "`North bids 1NT`"
    assert failure.expected == "a call, such as `North passes` or `North bids 2S`"


@pytest.mark.clause("BC-21")
def test_a_call_before_ones_turn_fails_by_bc_21() -> None:
    Table().dealt("West").converse("says: North ready for West's bid\nsays: North passes -> BC-21")
    Table().seated().converse("says: North passes -> BC-21")


@pytest.mark.clause("BC-47")
def test_a_call_said_twice_fails_by_bc_47_but_a_ready_line_is_only_remarked() -> None:
    Table().dealt().converse("""
        says: North bids 1C -> nothing
        says: North bids 1C -> BC-47
    """)
    Table().seated().converse("""
        says: North ready for teams -> nothing
        says: North ready for teams -> nothing
        remarked -> BC-51
    """)


@pytest.mark.clause("BC-33")
def test_declarer_plays_dummys_cards_under_dummys_name_or_its_own_or_as_dummy() -> None:
    for line in ("South plays AD", "North plays AD", "Dummy plays AD"):
        Table().declaring().converse(f"says: {line} -> nothing")


@pytest.mark.clause("BC-34")
@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("South plays 9D", "South has no 9D"),
        ("South plays QS", "2D was led, and South has AD KD QD JD TD."),
        ("North plays AS", "South has no AS"),
    ],
)
def test_a_card_not_held_or_not_following_suit_fails_by_bc_34(line: str, why: str) -> None:
    failure = Table().declaring().says(line)
    assert failing(failure) == "BC-34"
    assert failure is not None
    assert why in failure.advice
    assert failure.expected == "a card from dummy's hand, such as `South plays TD`"


@pytest.mark.clause("BC-34")
def test_a_card_before_ones_turn_fails_by_bc_34() -> None:
    Table().declaring().converse("""
        says: South plays AD -> nothing
        says: North ready for West's card to trick 1 -> nothing
        says: North plays 3C -> BC-34
    """)


@pytest.mark.clause("BC-33")
def test_a_defender_who_plays_for_dummy_fails_by_bc_33() -> None:
    Table().dealt("East").converse("""
        says: North ready for East's bid
        told: East bids 1NT
        says: North ready for South's bid
        told: South passes
        says: North ready for West's bid
        told: West passes
        says: North passes
        says: North ready for South's card to trick 1
        says: West plays 2D -> BC-33
    """)


@pytest.mark.clause("BC-29")
def test_a_lead_that_nobody_has_asked_for_fails_by_bc_29() -> None:
    table = Table().declaring()
    table.converse("""
        says: South plays AD
        says: North ready for West's card to trick 1
        told: West plays 3D
        # North has no diamond: its discard ends the trick, which dummy has won
        says: North plays 3C -> nothing
        says: South plays KD -> BC-29
        told: Dummy to lead
    """)
    assert table.checker.expected is not None
    assert table.checker.expected.clause == "BC-33"


@pytest.mark.clause("BC-51")
def test_more_needless_ready_lines_on_a_board_than_the_limit_fail_by_bc_51() -> None:
    needless = "says: North ready for West's bid -> nothing\n" * NEEDLESS_LINES_MAX
    Table().dealt().converse(f"""
        # they are counted anew on every board
        told: Start of board
        {needless}
        told: Start of board
        {needless}
        says: North ready for West's bid -> BC-51
    """)


@pytest.mark.clause("BC-42")
def test_a_claim_is_remarked_and_the_refusal_of_it_is_no_failure() -> None:
    table = Table().declaring().converse("says: North claims -> nothing")
    assert table.checker.receive_table_line("Error: claims are not taken at this table: play on") is None
    table.converse("remarked -> BC-42\nsays: South plays AD -> nothing")


@pytest.mark.clause("BC-17")
def test_a_bare_alert_is_remarked_and_the_texts_of_alerts_are_kept() -> None:
    table = Table().dealt().converse("says: North bids 1C Alert. -> nothing\nremarked -> BC-17")
    assert table.checker.alerts == []
    table = Table().dealt().converse("says: North bids 1C Alert. 12 to 14 total points. -> nothing")
    assert table.checker.alerts == ["12 to 14 total points."]


@pytest.mark.clause("BC-01")
def test_full_stops_after_ready_lines_are_remarked_once() -> None:
    Table().seated().converse("""
        says: North ready for teams.
        told: Teams : N/S : "Alpha" E/W : "Beta"
        says: North ready to start.
        remarked -> BC-01
    """)


@pytest.mark.parametrize(
    ("told", "owed", "clause"),
    [
        ((), "North ready for teams", "BC-06"),
        (('Teams : N/S : "Alpha" E/W : "Beta"',), "North ready to start", "BC-07"),
        (("Start of board",), "North ready for deal", "BC-12"),
        (("Start of board", "Board number 1. Dealer East. Both vulnerable."), "North ready for cards", "BC-14"),
        (
            ("Start of board", "Board number 1. Dealer East. Both vulnerable.", HAND),
            "North ready for East's bid",
            "BC-16",
        ),
        (("End of session",), "it closes its connection", "BC-39"),
    ],
)
def test_silence_names_the_line_that_is_owed_its_clause_and_what_came_before_it(
    told: tuple[str, ...], owed: str, clause: str
) -> None:
    table = Table().seated()
    table.told(*told)
    failure = table.checker.silence(20, b"")
    assert (failure.expected, failure.clause) == (owed, clause)
    assert failure.after == (told[-1] if told else 'North ("Alpha") seated')
    assert "for 20 s" in failure.said
    assert failure.kind is (FailureKind.STAYED if clause == "BC-39" else FailureKind.SILENT)


@pytest.mark.clause("BC-16")
def test_silence_after_asking_for_the_wrong_bid_quotes_what_was_asked() -> None:
    table = Table().dealt("East")
    table.says("North ready for West's bid")
    failure = table.checker.silence(1, b"")
    assert failure.said == "`North ready for West's bid`, and then nothing for 1 s"
    assert failure.expected == "North ready for East's bid"


@pytest.mark.clause("BC-01")
def test_a_line_that_never_ends_is_quoted_and_fails_by_bc_01() -> None:
    failure = Table().seated().checker.silence(1, b"North ready for teams")
    assert failure.clause == "BC-01"
    assert "`North ready for teams` without a line end" in failure.said


@pytest.mark.clause("BC-50")
def test_a_failure_tells_whether_the_last_line_followed_another_with_no_word_between() -> None:
    table = Table().declaring()
    assert not table.checker.silence(1, b"").line_waiting
    table.told("Timing - whatever", "Start of board")
    assert table.checker.silence(1, b"").line_waiting
    table.says("North ready for deal")
    assert not table.checker.silence(1, b"").line_waiting


def test_a_connection_that_closes_before_the_log_on_fails_by_bc_05_and_later_by_bc_39() -> None:
    assert Table().checker.closing().clause == "BC-05"
    assert Table().dealt().checker.closing().clause == "BC-39"
