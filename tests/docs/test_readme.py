"""The README does what it says: a newcomer's commands, in its order, in an empty folder, with real players."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.events import only_user_of_the_usual_ports
from tests.support.manual import README, ROOT, agrees, run_step, steps
from tests.support.played_event import open_event

NUMBER = r"\d[\d,.:TZ-]*"
"""A number, or a time: the event is played with boards dealt by chance."""


def shape(text: str) -> str:
    """The text with what chance decides made equal: numbers, hashes, the order of the teams, widths of columns."""
    text = re.sub(r"\b[0-9a-f]{64}\b", "HASH", text)
    lines = (re.sub(rf"(?<!\w){NUMBER}", "0", line) for line in text.splitlines())
    in_any_order = (re.sub(r"^\s*=?0=? +([+-]0 +)?(Alpha|Beta|Gamma|Delta)\b", "0 Team", line) for line in lines)
    without_luck = (re.sub(r" [+-](?=0)|  Move|( [WDL])+ *$", "", line) for line in in_any_order)
    return "\n".join(re.sub(r" +", " ", line).rstrip() for line in without_luck)


@pytest.fixture(autouse=True)
def _usual_ports() -> Iterator[None]:
    with only_user_of_the_usual_ports():
        yield


@pytest.mark.parametrize("by", ["nobody", pytest.param("programs", marks=pytest.mark.campaign)])
def test_commands_of_the_readme_print_what_it_shows(by: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The suite puts the boards on record itself; campaigns start the half a hundred players."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("TOURNEY_DATABASE", raising=False)
    commands = []
    for step in steps(README):
        command = step.command.split()[1]
        commands.append(command)
        if command == "run" and by == "nobody":
            open_event(tmp_path / step.command.split()[2]).play_all()
            continue
        found = run_step(step)
        assert agrees(shape(step.output), shape(found)), f"README.md:{step.line}: {step.command} printed\n{found}"
    assert commands[0] == "init"  # nothing is there before
    assert {"run", "standings", "export"} <= set(commands)
    assert (tmp_path / "site" / "index.html").is_file()


def test_nobody_is_told_to_install_the_package_of_strangers() -> None:
    """On the package index, `tourney` is a program of somebody else: ours has a name of its own there."""
    folders = [(ROOT / folder).rglob("*") for folder in ("tourney", "config", "migrations", "docs")]
    texts = [path for folder in folders for path in folder if path.suffix in {".py", ".toml", ".md", ".html"}]
    assert len(texts) > 500
    told = r"\btourney\[|\b(?:install|run|--with|add) '?tourney(?:'|==|\n| *$)"
    found = [
        f"{path.relative_to(ROOT)}: {match[0]}"
        for path in (README, ROOT / "pyproject.toml", *texts)
        for match in re.finditer(told, path.read_text(encoding="utf-8"))
    ]
    assert found == []
