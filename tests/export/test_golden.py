"""Files of `tourney export`, of an event of each kind, are the same byte for byte as they always were.

Of the pages three are kept, to be read; others are strict HTML and lead to each other, as in tests/site.
"""

from pathlib import Path
from unittest.mock import patch

import pytest

from tests.support.commands import run
from tests.support.golden_outputs import check_outputs, check_whole, read_folder
from tests.support.played_event import BEGINS_AT_MS, PlayedEvent
from tests.support.two_events import play_cup, play_league

SAMPLES = {
    "usebio": ("event.xml",),
    "lin": ("match-001-Bees-Co-Eels.lin", "match-001-Bees-Co-Eels-boards.lin"),
    "pbn": ("match-001-Bees-Co-Eels.pbn",),
    "csv": ("boards.csv", "rulings.csv"),
}
PAGES = ("index.html", "match-001/index.html", "match-001/board-03.html")


@pytest.fixture(scope="module")
def league(tmp_path_factory: pytest.TempPathFactory) -> PlayedEvent:
    return play_league(tmp_path_factory.mktemp("league"))


@pytest.fixture(scope="module")
def cup(tmp_path_factory: pytest.TempPathFactory) -> PlayedEvent:
    return play_cup(tmp_path_factory.mktemp("cup"))


def export(path: Path, file_format: str, folder: Path, *words: str) -> dict[str, bytes]:
    arguments = ["export", str(path), "--format", file_format, "--out", str(folder), *words]
    with patch("tourney.runtime.clock.wall_ms", return_value=BEGINS_AT_MS):  # pages say when they were written
        result = run(*arguments)
    assert (result.exit_code, result.stderr) == (0, "")
    return read_folder(folder)


@pytest.mark.parametrize("file_format", SAMPLES)
def test_a_league_is_exported_as_before(league: PlayedEvent, file_format: str, tmp_path: Path) -> None:
    files = export(league.path, file_format, tmp_path / "out")
    check_outputs(f"league-{file_format}", files, SAMPLES[file_format])


@pytest.mark.parametrize("file_format", SAMPLES)
def test_a_cup_is_exported_as_before(cup: PlayedEvent, file_format: str, tmp_path: Path) -> None:
    check_outputs(f"cup-{file_format}", export(cup.path, file_format, tmp_path / "out"))


@pytest.mark.parametrize("file_format", SAMPLES)
def test_one_match_is_exported_as_before(
    league: PlayedEvent, cup: PlayedEvent, file_format: str, tmp_path: Path
) -> None:
    files = {f"league/{k}": v for k, v in export(league.path, file_format, tmp_path / "one", "--match", "1").items()}
    files |= {f"cup/{k}": v for k, v in export(cup.path, file_format, tmp_path / "two", "--match", "9").items()}
    check_outputs(f"match-{file_format}", files)


def test_three_pages_of_a_league_are_as_before(league: PlayedEvent, tmp_path: Path) -> None:
    files = export(league.path, "html", tmp_path / "out")
    check_whole("league-html", {name: files[name] for name in PAGES})
