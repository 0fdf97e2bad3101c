"""What the page on players shows works: its class, its tests, and what the command prints."""

import sys
from pathlib import Path
from typing import Any

import pytest

from tests.support.commands import run
from tests.support.manual import DOCS, code
from tourney.player import load_player
from tourney.testing import play_boards

PAGE = DOCS / "players.md"


STUBS = """
class Network:
    def evaluate(self, rows):
        return rows

load_network, encode = Network, str

def choose(view, row):
    assert row == str(view)
    return PASS if view.asks_call else view.legal_cards[0]
"""


@pytest.fixture(autouse=True)
def _in_a_new_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.delitem(sys.modules, "my_bot", raising=False)


def test_the_command_prints_what_the_page_says() -> None:
    (session,) = code(PAGE, "console")
    first_line = run("new-player", "my_bot").stdout.partition("\n")[0]
    assert session.splitlines()[1:] == [first_line, "..."]


def test_the_class_of_the_page_plays_boards_and_passes_the_tests_of_the_page() -> None:
    player, batches, claims, tests = code(PAGE, "python")
    Path("my_bot.py").write_text(f"{player}\n{STUBS}\n{batches}\n{claims}", encoding="utf-8")
    members: dict[str, Any] = {"__name__": "test_my_bot"}
    load_player("my_bot:MyBot", Path.cwd())
    exec(tests, members)
    members["test_twelve_points_open_the_longest_suit"]()
    members["test_boards_are_played_to_their_end"]()
    for name in ("MyBot", "BatchBot", "ClaimingBot"):
        assert [board.result is not None for board in play_boards(load_player(f"my_bot:{name}", Path.cwd()), 1)] == [
            True
        ]
