"""`tourney export --format html`."""

import json
from pathlib import Path

import pytest
from click.testing import Result

from tests.support import commands
from tests.support.commands import printed, refusal
from tests.support.html_pages import read_pages
from tests.support.played_event import PlayedEvent, draw_half_played
from tourney.site.write import MANIFEST
from tourney.views.registry import PAGES


def run(path: Path, *words: object) -> Result:
    return commands.run("export", path, "--format", "html", *words)


@pytest.fixture
def played(tmp_path: Path) -> PlayedEvent:
    return draw_half_played(tmp_path)


def test_a_site_is_written_and_its_first_page_is_named(played: PlayedEvent, tmp_path: Path) -> None:
    out = tmp_path / "deep" / "out"
    assert printed(run(played.path, "--out", out)) == f"{out / 'index.html'}\n"
    matches = {
        "match-001": ["board-01", "board-02", "index"],
        "match-002": ["board-01", "index"],
        "match-003": ["index"],
    }
    assert sorted(read_pages(out)) == sorted(
        [
            *(f"{name}.html" for name in ("conditions", "entrants", "index", "schedule")),
            *(f"{name}.html" for name in PAGES if name != "duel"),
            *(f"{kind}-{number:03}.html" for kind in ("round", "entrant") for number in (1, 2, 3)),
            *(f"{match}/{page}.html" for match, names in matches.items() for page in names),
        ]
    )
    files = [path for path in out.rglob("*") if path.is_file()]
    assert sorted(path.name for path in files if path.suffix != ".html") == [
        *(MANIFEST, "feed.atom", "page.js", "replay.js", "style.css", "suits.js", "table.js"),
    ]


def test_a_page_that_cannot_be_written_is_refused_in_one_sentence(played: PlayedEvent, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "match-001").write_text("in the way")
    assert (
        refusal(run(played.path, "--out", tmp_path / "out"))
        == f"folder {tmp_path / 'out' / 'match-001'} cannot be made: File exists"
    )


def test_an_export_removes_no_file_of_others_whatever_its_name(played: PlayedEvent, tmp_path: Path) -> None:
    out = tmp_path / "out"
    (out / "match-002").mkdir(parents=True)
    others = [out / "board-1.html", out / "round-001-board-07.html", out / "match-002" / "board-99.html"]
    for path in others:
        path.write_text("mine", encoding="utf-8")
    assert run(played.path, "--out", out).exit_code == 0
    assert [path.read_text(encoding="utf-8") for path in others] == ["mine"] * 3


def test_a_manifest_that_somebody_has_edited_leads_to_no_file_elsewhere(played: PlayedEvent, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert run(played.path, "--out", out).exit_code == 0
    mine = tmp_path / "mine.html"
    mine.write_text("mine", encoding="utf-8")
    (out / MANIFEST).write_text(json.dumps(["../mine.html", str(mine)]), encoding="utf-8")
    assert run(played.path, "--out", out).exit_code == 0
    assert mine.exists()
    (out / MANIFEST).write_text("[", encoding="utf-8")
    assert run(played.path, "--out", out).exit_code == 0
