"""Spellings that are tolerated here: each has a remark that names who refuses it."""

import pytest

from tests.compliance.test_line_checker import Table
from tourney.bridge import Seat


def remarks(table: Table) -> list[str]:
    return [f"{remark.clause}: {remark.text}" for remark in table.checker.remarks]


def in_turn() -> Table:
    """North has its cards and is to call."""
    return Table().dealt()


def as_dummy() -> Table:
    """East's lead against South's 1NT is due, and North is dummy."""
    table = Table().dealt("South")
    table.says("North ready for South's bid")
    table.told("South bids 1NT")
    table.says("North ready for West's bid")
    table.told("West passes")
    table.says("North passes")
    table.says("North ready for East's bid")
    table.told("East passes")
    return table


@pytest.mark.parametrize(
    ("line", "clause", "who"),
    [
        ("North PASSES", "BC-15", "no program in use is known to refuse that"),
        ("North bids 1c", "BC-15", "OpenSpiel's interface takes `bids` in small letters alone"),
        ("NORTH passes", "BC-11", "BEN stops at them"),
        ("north passes", "BC-11", "BEN stops at them"),
        ("North pass", "BC-15", "BEN, bridge_env and table-master-parser do not read them"),
        ("North bids 1N", "BC-15", "BEN, bridge_env and table-master-parser do not read them"),
        ("North bids Pass", "BC-15", "BEN, bridge_env and table-master-parser do not read them"),
        ("North passes.", "BC-15", "Blue Chip's own table manager refuses them"),
        ("North  passes", "BC-01", "RoboTM makes one of two blanks"),
        ("North bids 1C Alert.", "BC-17", "WBridge5 waits for some five minutes"),
        ("North bids 1C.Alert.C=0-8", "BC-17", "BEN looks for a word of its own"),
    ],
)
def test_a_call_in_a_tolerated_spelling_is_remarked_with_who_refuses_it(line: str, clause: str, who: str) -> None:
    table = in_turn()
    assert table.says(line) is None
    (remark,) = remarks(table)
    assert remark.startswith(f"{clause}: ")
    assert who in remark
    assert f"`{line}`" in remark


@pytest.mark.parametrize("line", ["North passes", "North bids 1NT", "North bids 1C Alert. 12 to 14 total points."])
def test_a_call_as_version_18_prints_it_has_no_remark(line: str) -> None:
    table = in_turn()
    assert table.says(line) is None
    assert remarks(table) == []


@pytest.mark.parametrize(
    ("line", "clause", "who"),
    [
        ("South plays DQ", "BC-30", "BEN, RoboBridge and table-master-parser read the rank first"),
        ("South plays 10D", "BC-30", "table-master-parser refuses it, and BEN reads it backwards"),
        ("South plays qd", "BC-30", "table-master-parser takes capitals alone"),
        ("South plays QD. low", "BC-30", "bridge_env's client takes the text for the card"),
        ("North plays QD", "BC-33", "BEN and bridge_env's client wait for dummy's seat"),
        ("Dummy plays QD", "BC-33", "Blue Chip's own table manager does not know that"),
    ],
)
def test_a_card_in_a_tolerated_spelling_is_remarked_with_who_refuses_it(line: str, clause: str, who: str) -> None:
    table = Table().declaring()
    assert remarks(table) == []
    assert table.checker.check_line(line.encode()) is None
    (remark,) = remarks(table)
    assert remark.startswith(f"{clause}: ")
    assert who in remark


@pytest.mark.parametrize(
    ("line", "clause", "who"),
    [
        ("North ready for dummy's card to trick 1", "BC-31", "RoboTM and bridge_env's server wait for the line"),
        ("North ready for East's card to trick 0", "BC-31", "RoboTM and bridge_env's server compare the whole line"),
        (
            "North ready for West\N{RIGHT SINGLE QUOTATION MARK}s card to trick 1",
            "BC-01",
            "compare with the straight one",
        ),
        ("North ready for West's card to trick 1.", "BC-01", "bridge_env's and Brdge-Bot's refuse ready lines"),
    ],
)
def test_a_request_in_a_tolerated_spelling_is_remarked_with_who_refuses_it(line: str, clause: str, who: str) -> None:
    table = as_dummy()
    assert table.says(line.replace("East", "West")) is None
    (remark,) = remarks(table)
    assert remark.startswith(f"{clause}: ")
    assert who in remark


def test_dummys_card_by_dummys_seat_is_remarked_with_who_refuses_it() -> None:
    table = Table().declaring()
    table.says("South plays AD")
    table.says("North ready for West's card to trick 1")
    table.told("West plays 3D")
    assert table.says("North plays 3C") is None
    assert remarks(table) == []
    table = as_dummy()
    table.says("North ready for West's card to trick 1")
    table.told("West plays 2D")
    assert table.says("North ready for North's card to trick 1") is None
    assert "bridge_env's server takes `dummy's card` alone" in remarks(table)[0]


@pytest.mark.parametrize(
    ("log_on", "who"),
    [
        ('Connecting "Alpha" as NORTH using protocol version 18', "BEN stops at them"),
        ('Connecting "Alpha" as ANYPL using protocol version 18', "RoboTM refuses `ANYPL`"),
        ('Connecting "Alpha" as North using protocol version 19', "bridge_env's server only 18"),
        ('Connecting "Alpha" as North using protocol version 18.', "Blue Chip's own table manager refuses lines"),
    ],
)
def test_a_log_on_in_a_tolerated_form_is_remarked_with_who_refuses_it(log_on: str, who: str) -> None:
    table = Table()
    assert table.says(log_on) is None
    assert table.checker.seat is Seat.NORTH
    (remark,) = remarks(table)
    assert who in remark
