"""The page of a duel and the page of ratings: what they show, and how they are built."""

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.support.html_pages import Page, check_links, reached_from, read_pages
from tests.support.played_event import PlayedEvent, draw_event, event_text
from tourney.cli.main import cli
from tourney.movement.seating import Room
from tourney.report.duel import DuelReport, load
from tourney.report.sequential_test import run_test
from tourney.report.strength import load as load_strength
from tourney.scoring.strength.sequential import SequentialTest
from tourney.site.rendering import style_sheet

AMPERSAND = "Old & Co"
USUAL = SequentialTest()


def play(folder: Path, swings: str) -> PlayedEvent:
    """Play a duel of one match: `+` New wins a board by a game, `-` Old does, `=` nobody does."""
    stage = 'format = "duel"\n[stage.sprt]\nd1 = 0.5'
    played = draw_event(folder, event_text("New", AMPERSAND, boards=60, stage=stage))
    for board, swing in enumerate(swings, 1):
        played.record(1, Room.OPEN, board, "4S N", 9 if swing == "-" else 10)
        played.record(1, Room.CLOSED, board, "4S N", 9 if swing == "+" else 10)
    return played


@pytest.fixture(scope="module")
def unplayed(tmp_path_factory: pytest.TempPathFactory) -> DuelReport:
    """A duel that has been drawn."""
    played = play(tmp_path_factory.mktemp("duel"), "")
    return load(played.drawn)


def with_swings(report: DuelReport, swings: Sequence[int], test: SequentialTest | None = USUAL) -> DuelReport:
    """Return the report of a duel with these swings, of a fixed number of boards without a test."""
    boards = test if test is not None else SequentialTest(boards_max=len(swings))
    return replace(report, result=run_test("duel", boards, swings, is_fixed=test is None))


def export(played: PlayedEvent, folder: Path) -> dict[str, Page]:
    done = CliRunner().invoke(cli, ["export", str(played.path), "--format", "html", "--out", str(folder)])
    assert done.exit_code == 0, done.output
    pages = read_pages(folder)
    check_links(folder, pages)
    assert reached_from(pages, "index.html") == set(pages)
    return pages


def test_a_duel_has_a_page_with_the_verdict_and_its_course(tmp_path: Path) -> None:
    played = play(tmp_path, "+=+-" * 10)
    page = export(played, tmp_path / "out")["index.html"]
    assert load(played.drawn).verdict_text in page.text
    assert "IMPs a board to New with the usual interval of 95 %" in page.text
    assert AMPERSAND in page.text
    assert "style=" not in page.source  # no page may have styles of its own
    styled = set(re.findall(r"\.([a-z][a-z-]*)", style_sheet()))
    assert styled >= page.classes - {"event"}


def test_a_duel_without_a_board_has_a_page_that_says_so(tmp_path: Path) -> None:
    page = export(play(tmp_path, ""), tmp_path / "out")["index.html"]
    assert "No board counts so far" in page.text


def test_the_course_ends_with_how_the_duel_stands(unplayed: DuelReport) -> None:
    found = with_swings(unplayed, [10, 0, -10] * 13)
    stages = list(found.result.course())
    assert len(stages) <= 10
    assert stages[-1].boards == found.result.tally.boards
    assert stages[-1].llr == pytest.approx(found.result.test.llr(found.result.tally))


def test_an_event_of_teams_has_a_page_of_ratings_with_the_interval_of_each(tmp_path: Path) -> None:
    played = draw_event(tmp_path, event_text("Ants", "Bees", "Cats", boards=2))
    for match in played.event.matches:
        for board in (1, 2):
            played.record(match.number, Room.OPEN, board, "4S N", 10)
            played.record(match.number, Room.CLOSED, board, "4S N", 9 if board == match.number else 10)
    pages = export(played, tmp_path / "out")
    page = pages["strength.html"]
    (rated,) = load_strength(played.drawn).content().lists
    assert [row[1] for row in page.tables[0].rows[2:]] == [row.team for row in rated.teams]


def test_ratings_of_an_event_without_a_board_say_so(tmp_path: Path) -> None:
    page = export(draw_event(tmp_path, event_text("Ants", "Bees")), tmp_path / "out")["strength.html"]
    assert "No board has been played in both rooms so far" in page.text
