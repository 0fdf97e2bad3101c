"""The command `tourney bot`."""

import shlex
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from tests.support import commands
from tests.support.commands import refusal
from tests.support.refusals import refused_commands
from tests.support.stub_service import serve_stub
from tourney.bots import Strategy, client
from tourney.bots.client import BotSettings
from tourney.bridge import Seat
from tourney.config.api import DialectName


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[BotSettings]:
    """The settings of the bots that the command has started; none of them connects."""
    settings: list[BotSettings] = []

    def note(chosen: BotSettings, _strategy: Strategy, _tell: Callable[[str], None]) -> None:
        settings.append(chosen)

    monkeypatch.setattr(client, "run_bot", note)
    return settings


run = partial(commands.run, "bot", "--port", "2000", "--team", "Alpha")


@pytest.mark.parametrize(
    ("words", "settings"),
    [
        ("--seat West", {"seat": Seat.WEST, "system": "", "alerts": True, "line_gap_ms": 0}),
        ("--seat NORTH", {"seat": Seat.NORTH}),
        ("--seat any", {"seat": None}),
        ("--seat ANY", {"seat": None}),
        # Nothing follows the version unless a system is named.
        ("--seat West --style random", {"system": ""}),
        ("--seat West --set system=Acol", {"system": "Acol"}),
        ("--seat West --set 'system= Two  over\none '", {"system": "Two over one"}),
        ("--seat West --set system=", {"system": ""}),
        ("--seat West --set alerts=no", {"alerts": False}),
        ("--seat West --set line_gap_ms=50", {"line_gap_ms": 50}),
    ],
)
def test_a_bot_has_the_seat_and_the_settings_that_it_is_given(
    started: list[BotSettings], words: str, settings: dict[str, object]
) -> None:
    assert run(*shlex.split(words)).exit_code == 0
    assert {name: getattr(started[0], name) for name in settings} == settings


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
    assert "--style and --seed are of tourney's own player: leave them out with --player and --api" in refusal(
        run("--seat", "West", "--player", "bird_of_the_test:Jay", "--style", "random"), 2
    )
    assert "--shared is for a --player whose seats a table host hands over" in refusal(
        run("--player", "bird_of_the_test:Jay", "--shared"), 2
    )


SERVICE = ("--seat", "West", "--api", "ben http://127.0.0.1:1")


@pytest.mark.parametrize(("words", "status", "sentence"), refused_commands("commands/bot"))
def test_a_service_that_cannot_play_is_a_sentence_before_the_table_hears_of_it(
    started: list[BotSettings], words: list[str], status: int, sentence: str
) -> None:
    result = run(*words)
    assert (result.exit_code, started) == (status, [])
    assert sentence in result.stderr
    assert "Traceback" not in result.stderr


def test_a_service_that_answers_is_seated(started: list[BotSettings]) -> None:
    with serve_stub(DialectName.BRILL) as stub:
        result = run("--seat", "West", "--api", f"brill {stub.url}", "--set", "model=BRL")
        assert (result.exit_code, len(started)) == (0, 1), result.output
        assert [path for path, _ in stub.asked] == ["/autoplay", "/bid"]
        assert stub.asked[1][1]["model"] == "BRL"
