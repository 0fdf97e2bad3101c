"""The command `tourney lab league`: what it refuses, before it plays anything."""

from pathlib import Path

import pytest

from tests.support.commands import run
from tests.support.refusals import refused_commands

A, B, C = (f"./{name} {{port}} {{seat}} {{team}}" for name in "abc")


@pytest.mark.parametrize(("words", "status", "sentence"), refused_commands("commands/league"))
def test_what_cannot_be_played_is_refused_in_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], status: int, sentence: str
) -> None:
    monkeypatch.chdir(tmp_path)
    result = run("lab", "league", *words)
    assert (result.exit_code, result.stdout) == (status, "")
    assert sentence in result.stderr
    assert result.stderr.count("\n") <= 4  # usage errors have two lines of usage first
    assert not list(tmp_path.rglob("*.toml"))  # the command can be corrected and given again
