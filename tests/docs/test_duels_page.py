"""What the page on duels shows works: its badge, the verdicts that can be required, its boards without sockets."""

import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.support.manual import DOCS, blocks
from tests.support.played_event import draw_event, event_text
from tourney.cli.duel import REQUIRED_VERDICTS
from tourney.movement.seating import Room
from tourney.scoring.strength.sequential import RequiredVerdict
from tourney.views.duel import load

PAGE = DOCS / "duels.md"


def first_cells(heading: str) -> list[str]:
    """The words in code of the first column of the table with this heading, in order."""
    table = PAGE.read_text(encoding="utf-8").partition(f"| {heading} |")[2].partition("\n\n")[0]
    return [word for row in table.splitlines()[2:] for word in re.findall(r"`([\w-]+)`", row.split("|")[1])]


def test_the_page_has_every_verdict_that_can_be_required() -> None:
    assert tuple(first_cells("`--fail-unless`")) == REQUIRED_VERDICTS == tuple(map(str, RequiredVerdict))


def test_the_badge_is_that_of_a_duel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    played = draw_event(tmp_path, event_text("New", "Old", stage='format = "duel"\nmatches = 1\nsprt = "0,0.5"'))
    played.record(1, Room.OPEN, 1, "4S N", 10)
    played.record(1, Room.CLOSED, 1, "4S N", 9)
    Path("duel.json").write_text(json.dumps(load(played.drawn).document()))
    monkeypatch.setattr(sys, "argv", ["badge.py", "duel.json"])
    (badge,) = [block.text for block in blocks(PAGE) if "badge.json" in block.text and block.info == "python"]
    exec(badge, {})
    found = json.loads(Path("badge.json").read_text())
    assert (found["label"], found["color"]) == ("strength", "lightgrey")
    assert found["message"].startswith("+10.00 (")


def test_the_boards_without_sockets_run_one_block_after_the_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("pettingzoo", reason="the extra env is not installed")
    monkeypatch.chdir(tmp_path)
    members: dict[str, Any] = {"__name__": "notebook"}
    _, _, notebook = PAGE.read_text(encoding="utf-8").partition("\n## Boards without sockets\n")
    found = re.findall(r"^```python\n(.*?)^```$", notebook, re.MULTILINE | re.DOTALL)
    for block in found:
        exec(block, members)
    assert len(found) == 5
    out = capsys.readouterr().out
    assert re.search(r"^board 1, open room: 1NT by North, 4 tricks, -150$", out, re.MULTILINE)
    assert re.search(r"^north -?\d+$", out, re.MULTILINE)
    assert (tmp_path / "boards.pbn").read_text(encoding="ascii").count("[Board ") == 32
