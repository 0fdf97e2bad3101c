"""What the page on boards without sockets shows works, block after block, as in a notebook."""

import re
from pathlib import Path
from typing import Any

import pytest

PAGE = (Path(__file__).parents[2] / "docs" / "research.md").read_text(encoding="utf-8")


def test_the_blocks_of_the_page_run_one_after_the_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("pettingzoo", reason="the extra env is not installed")
    monkeypatch.chdir(tmp_path)
    members: dict[str, Any] = {"__name__": "notebook"}
    blocks = re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    for block in blocks:
        exec(block, members)
    assert len(blocks) == 5
    out = capsys.readouterr().out
    assert re.search(r"^board 1, open room: 1NT by North, 4 tricks, -150$", out, re.MULTILINE)
    assert re.search(r"^north -?\d+$", out, re.MULTILINE)
    assert (tmp_path / "boards.pbn").read_text(encoding="ascii").count("[Board ") == 32
