"""The JUnit report of a duel, held against what the schema that most readers follow allows (junit-10.xsd)."""

import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path

import pytest

from tests.support.played_event import CLOSED, OPEN, PlayedEvent, draw_event, event_text
from tourney.bridge import Seat
from tourney.lab.junit import format_junit
from tourney.protocol.session.records import IncidentKind
from tourney.scoring.strength.sequential import RequiredVerdict, SequentialTest
from tourney.views.duel import DuelReport, load
from tourney.views.sequential_test import run_test

COUNTS = {"name", "tests", "failures", "errors", "time"}
ATTRIBUTES = {
    "testsuites": (set(), COUNTS),
    "testsuite": (COUNTS - {"time"}, COUNTS | {"skipped", "timestamp", "hostname"}),
    "testcase": ({"name"}, {"name", "classname", "time"}),
    "failure": (set(), {"type", "message"}),
    "system-out": (set(), set()),
}
"""The attributes that each element has to have, and those that it may have."""
CHILDREN = {
    "testsuites": {"testsuite"},
    "testsuite": {"testcase", "system-out"},
    "testcase": {"failure", "system-out"},
    "failure": set(),
    "system-out": set(),
}


@pytest.fixture
def played(tmp_path: Path) -> PlayedEvent:
    stage = 'format = "duel"\nmatches = 1\nsprt = "0,0.5"'
    played = draw_event(tmp_path, event_text("New", "Old & Co", boards=3, stage=stage))
    played.record(1, OPEN, 1, "4S N", 10)
    played.record(1, CLOSED, 1, "4S N", 10)
    return played


def cases(report: DuelReport, required: RequiredVerdict | None) -> dict[tuple[str, str], str | None]:
    """The message of each test case's failure, by the names of the case; None of one that has passed."""
    root = ET.fromstring(format_junit(report, required))
    for element in root.iter():
        needed, allowed = ATTRIBUTES[element.tag]
        assert needed <= set(element.attrib) <= allowed, element.tag
        assert {child.tag for child in element} <= CHILDREN[element.tag]
    (suite,) = root
    failures = {
        (case.attrib["classname"], case.attrib["name"]): failure.attrib["message"] if failure is not None else None
        for case in suite.iter("testcase")
        for failure in [case.find("failure")]
    }
    counted = {"tests": str(len(failures)), "failures": str(sum(map(bool, failures.values()))), "errors": "0"}
    assert all(element.attrib[key] == value for element in (root, suite) for key, value in counted.items())
    return failures


def test_each_kind_of_fault_of_each_program_is_a_test_case(played: PlayedEvent) -> None:
    for kind, seat in (
        (IncidentKind.CRASH, Seat.EAST),
        (IncidentKind.OVER_TIME, Seat.NORTH),
        (IncidentKind.ILLEGAL_CARD, Seat.NORTH),
        (IncidentKind.CALL_OUT_OF_TURN, Seat.SOUTH),
    ):
        played.incident(1, OPEN, 1, kind, seat, "")
    found = cases(load(played.drawn), None)
    verdict = ("Test Cup", "the duel comes to an end")
    assert found.pop(verdict) == "Not decided yet after 1 board"
    assert {names: message for names, message in found.items() if message is not None} == {
        ("New", "no illegal calls or cards"): "New: 2 calls and cards illegal or out of turn",
        ("New", "no calls or cards over time"): "New: 1 call or card over time",
        ("Old & Co", "no crashes"): "Old & Co: 1 crash",
    }
    assert len(found) == 8


@pytest.mark.parametrize(
    ("required", "name", "is_met"),
    [
        (RequiredVerdict.BETTER, "New is better than Old & Co", True),
        (RequiredVerdict.NOT_WORSE, "New is not worse than Old & Co", True),
        (RequiredVerdict.SAME, "New and Old & Co play alike", False),
    ],
)
def test_the_verdict_is_a_test_case_that_fails_unless_it_is_as_required(
    played: PlayedEvent, required: RequiredVerdict, name: str, is_met: bool
) -> None:
    report = replace(load(played.drawn), result=run_test("duel", SequentialTest(), [10, 0] * 40))
    message = cases(report, required)["Test Cup", name]
    assert message == (None if is_met else report.verdict_text)
