"""What the page on duels shows works: its badge, and the verdicts that can be required."""

import json
import re
import sys
from pathlib import Path

import pytest

from tests.support.manual import DOCS, blocks
from tests.support.played_event import draw_event, event_text
from tourney.cli.duel import REQUIRED_VERDICTS
from tourney.movement.seating import Room
from tourney.report.duel import load
from tourney.scoring.strength.sequential import RequiredVerdict

PAGE = DOCS / "duels.md"


def first_cells(heading: str) -> list[str]:
    """The words in code of the first column of the table with this heading, in order."""
    table = PAGE.read_text(encoding="utf-8").partition(f"| {heading} |")[2].partition("\n\n")[0]
    return [word for row in table.splitlines()[2:] for word in re.findall(r"`([\w-]+)`", row.split("|")[1])]


def test_the_page_has_every_verdict_that_can_be_required() -> None:
    assert tuple(first_cells("`--fail-unless`")) == REQUIRED_VERDICTS == tuple(map(str, RequiredVerdict))


def test_the_badge_is_that_of_a_duel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    played = draw_event(
        tmp_path, event_text("New", "Old", stage='format = "duel"\nmatches = 1\n[stage.sprt]\nd1 = 0.5')
    )
    played.record(1, Room.OPEN, 1, "4S N", 10)
    played.record(1, Room.CLOSED, 1, "4S N", 9)
    report = load(played.drawn)
    Path("duel.json").write_text(json.dumps(report.document()))
    monkeypatch.setattr(sys, "argv", ["badge.py", "duel.json"])
    (badge,) = [block.text for block in blocks(PAGE) if block.info == "python"]
    exec(badge, {})
    found = json.loads(Path("badge.json").read_text())
    assert (found["label"], found["color"]) == ("strength", "lightgrey")
    assert found["message"].startswith("+10.00 (")
