"""The command `tourney bot`."""

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

    def note(chosen: BotSettings, _strategy: Strategy) -> None:
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
        ([], "tourney basic"),
        (["--style", "random"], "tourney random"),
        (["--system", "Acol"], "Acol"),
        (["--system", ""], ""),
    ],
)
def test_the_system_is_the_style_unless_it_is_said(started: list[BotSettings], words: list[str], system: str) -> None:
    assert run("--seat", "West", *words).exit_code == 0
    assert started[0].system == system


def test_without_a_word_about_it_lines_follow_each_other_at_once(started: list[BotSettings]) -> None:
    run("--seat", "West")
    run("--seat", "West", "--line-gap-ms", "50")
    assert [settings.line_gap_ms for settings in started] == [0, 50]


@pytest.mark.parametrize("words", [["--seat", "North-East"], ["--seat", "West", "--line-gap-ms", "-1"], []])
def test_wrong_words_are_a_matter_of_usage(started: list[BotSettings], words: list[str]) -> None:
    result = run(*words)
    assert (result.exit_code, started) == (2, [])
