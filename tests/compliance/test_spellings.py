"""Spellings that are tolerated here: a remark has the line as version 18 prints it."""

import pytest

from tests.compliance.test_line_checker import Table


def remarks(table: Table) -> list[str]:
    return [f"{remark.clause}: {remark.text}" for remark in table.checker.remarks]


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
    ("table", "line", "clause", "printed"),
    [
        (Table(), 'Connecting "Alpha" as ANYPL using protocol version 18', "BC-05", 'Connecting "Alpha" as North'),
        (Table(), 'Connecting "Alpha" as North using protocol version 19', "BC-05", "protocol version 18"),
        (Table().dealt(), "NORTH passes", "BC-15", "North passes"),
        (Table().dealt(), "North  PASSES", "BC-15", "North passes"),
        (Table().dealt(), "North passes.", "BC-15", "North passes"),
        (Table().dealt(), "North bids 1N", "BC-15", "North bids 1NT"),
        (Table().dealt(), "North bids 1C.Alert.C=0-8", "BC-17", "North bids 1C"),
        (Table().declaring(), "South plays DQ", "BC-33", "South plays QD"),
        (Table().declaring(), "South plays 10D", "BC-33", "South plays TD"),
        (Table().declaring(), "North plays QD", "BC-33", "South plays QD"),
        (Table().declaring(), "Dummy plays QD", "BC-33", "South plays QD"),
        (as_dummy(), "North ready for dummy's card to trick 1", "BC-31", "North ready for West's card to trick 1"),
        (as_dummy(), "North ready for West\N{RIGHT SINGLE QUOTATION MARK}s card to trick 1.", "BC-31", "West's card"),
    ],
)
def test_a_line_in_a_tolerated_spelling_is_remarked_with_what_version_18_prints(
    table: Table, line: str, clause: str, printed: str
) -> None:
    assert table.says(line) is None
    (remark,) = remarks(table)
    assert remark.startswith(f"{clause}: It says `{line}`, and version 18 has `")
    assert printed in remark.partition("version 18 has ")[2]


@pytest.mark.parametrize(
    "line", ["North passes", "North bids 1NT", "North bids 1C Alert. 12 to 14 total points", "North bids 1C Infos. x"]
)
def test_a_call_as_version_18_prints_it_has_no_remark(line: str) -> None:
    table = Table().dealt()
    assert table.says(line) is None
    assert remarks(table) == []


def test_a_program_that_names_itself_as_it_logs_on_has_no_remark() -> None:
    table = Table()
    assert table.says('Connecting "Alpha" as North using protocol version 18 BEN-21GF 0.8.8') is None
    assert remarks(table) == []
