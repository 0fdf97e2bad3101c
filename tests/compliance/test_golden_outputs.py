"""What `tourney check-bot` prints about programs of either language, as text and as JSON, stays the same."""

import re
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.e2e.test_check_bot import PROGRAM
from tests.support.golden_outputs import check_outputs
from tests.support.odd_player import Oddity, check_player
from tourney.cli import check_bot
from tourney.cli._output import print_json
from tourney.cli.main import cli
from tourney.compliance.findings import StepKind
from tourney.output.rows import document_of

TIMES = re.compile(r'median \d+ ms, longest \d+ ms|("(?:median|max)_ms": )\d+')

ODDITIES = {
    "version-19": (Oddity(version=19, comes_back=True, alert="12 to 14 total points."), ()),
    "opens": (Oddity(always_opens=True, leaves_at="redoubles$"), ()),
    "leaves-at-dummy": (Oddity(leaves_at="^Dummy's cards"), ()),
    "leaves-at-calls": (Oddity(leaves_at=" to lead|plays|passes"), ()),
    "without-timing": (Oddity(leaves_after_timing_at="^Board number"), ()),
    "another-team": (Oddity(says_instead=("Alpha", "Omega")), (StepKind.LEADER,)),
    "weak-alert": (Oddity(alert="a weak two"), (StepKind.OWN_ALERTS, StepKind.TAKEN)),
}
"""Players of the Blue Chip protocol, and the steps that they are tried in, if not all."""

FAULTS = ("none", "no-hello", "no-join", "deaf", "wrong-bid", "old-hand")
"""Faults of the program that speaks the stateful-server protocol."""


def without_times(text: str) -> str:
    return TIMES.sub(lambda found: f"{found[1] or ''}TIME", text)


async def test_reports_on_odd_players_are_as_they_were(capsys: pytest.CaptureFixture[str]) -> None:
    outputs = {}
    for name, (oddity, kinds) in ODDITIES.items():
        wanted = kinds or [kind for kind in StepKind if kind is not StepKind.UNKNOWN]
        report = await check_player(oddity, *wanted, timeout_s=3)
        capsys.readouterr()
        check_bot._print_report(report)
        print_json(document_of(report.content()))
        outputs[name] = without_times(capsys.readouterr().out)
    check_outputs("check_bot", outputs, whole=("opens", "weak-alert"))


def test_reports_on_programs_of_the_stateful_protocol_are_as_they_were(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(PROGRAM, encoding="utf-8")
    outputs = {}
    for fault in FAULTS:
        for form in ([], ["--json"]) if fault == "none" else ([],):
            words = ["--protocol", "stateful", "--seat", "North", "--timeout-s", "3", *form, "--"]
            command = f"{sys.executable} {program} {{host}} {{port}} {fault}"
            done = CliRunner().invoke(cli, ["check-bot", *words, command])
            assert done.exit_code == 1, done.output
            outputs["".join([fault, *form])] = without_times(done.stdout)
    check_outputs("check_bot_stateful", outputs, whole=("none", "old-hand"))
