"""A duel as a JUnit report, which services that check every change show beside their own tests.

Its test cases are the verdict and, for the programs of each side, one for each kind of fault. They follow the schema
of the xUnit plugin of Jenkins, which GitLab and others read as well.
"""

import xml.etree.ElementTree as ET
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from tourney.formats.ascii import printable
from tourney.plurals import count
from tourney.scoring.strength.sequential import RequiredVerdict
from tourney.views.duel import DuelReport, ProgramDocument


@dataclass(frozen=True, slots=True)
class JunitCase:
    """A test case: it has failed if there is a failure to tell of."""

    classname: str
    name: str
    failure: str | None
    """What went wrong, in a sentence; None if nothing did."""


def format_junit(report: DuelReport, required: RequiredVerdict | None, problem: str | None = None) -> str:
    """Return the JUnit report of a duel, as XML in ASCII.

    Args:
        report: the duel as far as it has been played.
        required: what its verdict has to be; None if it only has to come to an end.
        problem: why the verdict says nothing about the programs, in a sentence; None if it does.
    """
    cases = [_judge(report, required, problem), *_faults(report.programs)]
    counts = {"tests": str(len(cases)), "failures": str(sum(case.failure is not None for case in cases))}
    counts |= {"errors": "0", "time": f"{report.playing_ms / 1000:.3f}"}
    root = ET.Element("testsuites", {"name": "tourney duel", **counts})
    suite = ET.SubElement(root, "testsuite", {"name": printable(report.event), **counts})
    for case in cases:
        names = {"classname": printable(case.classname), "name": printable(case.name)}
        element = ET.SubElement(suite, "testcase", names)
        if case.failure is not None:
            ET.SubElement(element, "failure", {"type": "failure", "message": printable(case.failure)})
    output = ET.SubElement(suite, "system-out")
    output.text = "\n".join(map(printable, (*report.progress(), report.verdict_text)))
    ET.indent(root, " ")
    written: bytes = ET.tostring(root, encoding="us-ascii", xml_declaration=True)
    return f"{written.decode('ascii')}\n"


def _judge(report: DuelReport, required: RequiredVerdict | None, problem: str | None) -> JunitCase:
    """Return the test case of the verdict."""
    first, second = report.first, report.second
    if required is None:
        is_met, name = report.is_over, "the duel comes to an end"
    else:
        is_met = report.meets(required)
        name = {
            RequiredVerdict.BETTER: f"{first} is better than {second}",
            RequiredVerdict.NOT_WORSE: f"{first} is not worse than {second}",
            RequiredVerdict.SAME: f"{first} and {second} play alike",
        }[required]
    return JunitCase(report.event, name, problem or (None if is_met else report.verdict_text))


def _faults(programs: Iterable[ProgramDocument]) -> Iterator[JunitCase]:
    """Yield a test case for each kind of fault of each program."""
    for program in programs:
        for name, found, words in (
            ("no crashes", program.crashes, count(program.crashes, "crash", "crashes")),
            (
                "no illegal calls or cards",
                program.irregular,
                f"{count(program.irregular, 'call or card', 'calls and cards')} illegal or out of turn",
            ),
            (
                "no calls or cards over time",
                program.over_time,
                f"{count(program.over_time, 'call or card', 'calls and cards')} over time",
            ),
            ("no boards forfeited", program.forfeited, f"{count(program.forfeited, 'board')} forfeited"),
        ):
            yield JunitCase(program.team, name, f"{program.team}: {words}" if found else None)
