"""The command `tourney lab league`: what it refuses, before it plays anything."""

from pathlib import Path

import pytest

from tests.support.commands import run

A, B, C = (f"./{name} {{port}} {{seat}} {{team}}" for name in "abc")


@pytest.mark.parametrize(
    ("words", "status", "sentence"),
    [
        ((A,), 2, "programs are compared: give 2 to 64, got 1"),
        (("--gauntlet", A), 2, "programs are compared: give 2 to 64, got 1"),
        ((A, B, A), 2, "a 1 and a 2 have one command: they would play alike"),
        ((A, B, C, "--names", "A,B"), 2, "--names: 3 names with a comma between them, got 'A,B'"),
        ((A, B, C, "--names", "A,B,b"), 2, "each program has a name of its own, got 'b' twice"),
        ((A, B, "--boards", "0"), 2, "0 is not in the range 1 or more"),
        ((A, "./b {prot}"), 2, "{prot}"),
    ],
)
def test_what_cannot_be_played_is_refused_in_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], status: int, sentence: str
) -> None:
    monkeypatch.chdir(tmp_path)
    result = run("lab", "league", *words)
    assert (result.exit_code, result.stdout) == (status, "")
    assert sentence in result.stderr
    assert result.stderr.count("\n") <= 4  # usage errors have two lines of usage first
    assert not list(tmp_path.rglob("*.toml"))  # the command can be corrected and given again
