"""The command `tourney bot`."""

import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tourney.bots import Strategy, client
from tourney.bots.client import BotSettings
from tourney.bridge import Seat
from tourney.cli.main import cli


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[BotSettings]:
    """The settings of the bots that the command has started; none of them connects."""
    settings: list[BotSettings] = []

    def note(chosen: BotSettings, _strategy: Strategy, _tell: Callable[[str], None]) -> None:
        settings.append(chosen)

    monkeypatch.setattr(client, "run_bot", note)
    return settings


def run(*words: str) -> Result:
    return CliRunner().invoke(cli, ["bot", "--port", "2000", "--team", "Alpha", *words])


@pytest.mark.parametrize(("word", "seat"), [("West", Seat.WEST), ("NORTH", Seat.NORTH), ("any", None), ("ANY", None)])
def test_a_seat_is_one_of_four_or_any(started: list[BotSettings], word: str, seat: Seat | None) -> None:
    assert run("--seat", word).exit_code == 0
    assert started[0].seat is seat


@pytest.mark.parametrize(
    ("words", "system"),
    [
        ([], ""),
        (["--style", "random"], ""),
        (["--system", "Acol"], "Acol"),
        (["--system", " Two  over\none "], "Two over one"),
        (["--system", ""], ""),
    ],
)
def test_nothing_follows_the_version_unless_a_system_is_named(
    started: list[BotSettings], words: list[str], system: str
) -> None:
    assert run("--seat", "West", *words).exit_code == 0
    assert started[0].system == system


def test_a_players_class_of_this_folder_is_seated_or_named_in_a_sentence(
    started: list[BotSettings], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    lines = "from tourney.player import Player\nclass Jay(Player):\n    pass\n"
    Path("bird_of_the_test.py").write_text(lines, encoding="utf-8")
    assert run("--seat", "West", "--player", "bird_of_the_test:Jay").exit_code == 0
    assert len(started) == 1
    refused = run("--seat", "West", "--player", "bird_of_the_test:Crow")
    assert (refused.exit_code, refused.stderr) == (
        1,
        "Error: bird_of_the_test has no class 'Crow'; its players are: Jay\n",
    )
    refused = run("--seat", "West", "--player", "bird_of_the_test:Jay", "--style", "random")
    assert refused.exit_code == 2
    assert "--style and --seed are of tourney's own player: leave them out with --player" in refused.stderr


@pytest.mark.parametrize(("words", "alerts"), [([], True), (["--no-alerts"], False)])
def test_calls_are_alerted_unless_that_is_switched_off(
    started: list[BotSettings], words: list[str], alerts: bool
) -> None:
    assert run("--seat", "West", *words).exit_code == 0
    assert started[0].alerts is alerts


def test_without_a_word_about_it_lines_follow_each_other_at_once(started: list[BotSettings]) -> None:
    run("--seat", "West")
    run("--seat", "West", "--line-gap-ms", "50")
    assert [settings.line_gap_ms for settings in started] == [0, 50]


@pytest.mark.parametrize("words", [["--seat", "North-East"], ["--seat", "West", "--line-gap-ms", "-1"], []])
def test_wrong_words_are_a_matter_of_usage(started: list[BotSettings], words: list[str]) -> None:
    result = run(*words)
    assert (result.exit_code, started) == (2, [])
