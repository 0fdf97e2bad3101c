"""Boards with numbers of five and six figures in every format, and read back."""

from pathlib import Path

import pytest
from click.testing import Result

from tests.support import commands
from tests.support.commands import document_of
from tests.support.played_event import PlayedEvent, draw_event, event_text, once
from tourney.bridge import board_from_seed
from tourney.formats.boards import format_boards

NUMBERS = tuple(range(99_998, 100_002))


def run(*words: object) -> Result:
    result = commands.run(*words)
    assert result.exit_code == 0, result.output
    return result


@pytest.fixture
@once
def played(tmp_path: Path) -> PlayedEvent:
    boards = [board_from_seed("1", "1.1", number) for number in NUMBERS]
    (tmp_path / "boards.pbn").write_text(format_boards(boards, "test"), encoding="ascii")
    played = draw_event(tmp_path, event_text(boards=len(NUMBERS), deals='pbn = "boards.pbn"'))
    played.play_all()
    return played


@pytest.mark.parametrize("kind", ["pbn", "lin"])
def test_what_is_exported_is_scored_as_it_was_played(played: PlayedEvent, kind: str, tmp_path: Path) -> None:
    run("export", played.path, "--format", kind, "--out", tmp_path / "out")
    files = list((tmp_path / "out").glob(f"match-001-Alpha-Beta.{kind}"))
    (match,) = document_of(run("score", "--json", *files))["matches"]
    assert [board["board"] for board in match["boards"]] == list(NUMBERS)
    card = document_of(run("match", played.path, 1, "--json"))
    assert [board["imps"] for board in match["boards"]] == [board["imps"] for board in card["boards"]]


def test_reports_line_up_and_find_a_board_by_its_number(played: PlayedEvent) -> None:
    lines = run("match", played.path, 1).stdout.splitlines()
    rows = [line for line in lines if line.split()[:1] and line.split()[0] in map(str, NUMBERS)]
    assert len({line.index(f" {line.split()[1]} ") for line in rows}) == 1
    assert "Board 100000" in run("boards", played.path, 100_000).stdout
    assert "99998-100001" in run("schedule", played.path).stdout
    assert run("verify", played.path).stdout.endswith("0 findings\n")


@pytest.mark.parametrize("boards", [10_000, pytest.param(100_000, marks=pytest.mark.campaign)])
def test_a_schedule_of_the_most_boards_is_dealt_and_shown(tmp_path: Path, boards: int) -> None:
    text = event_text(boards=boards, stage='vp_scale = "wbf-discrete"')
    (tmp_path / "event.toml").write_text(text, encoding="utf-8")
    assert f"Matches   1 of {boards} boards" in run("check", tmp_path / "event.toml").stdout
