"""The page of a duel and the page of ratings: their charts, what is beside them, how they are built."""

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from tests.support.commands import run
from tests.support.html_pages import OF_DUELS, Page, read_site
from tests.support.played_event import PlayedEvent, draw_event, event_text
from tourney.movement.seating import Room
from tourney.scoring.strength.sequential import SequentialTest, Verdict
from tourney.site.pages.axes import HEIGHT, POINTS_MAX, WIDTH, across, thin, upward
from tourney.site.pages.duel import chart_duel
from tourney.site.rendering import style_sheet
from tourney.views.duel import DuelReport, load
from tourney.views.sequential_test import run_test

AMPERSAND = "Old & Co"
USUAL = SequentialTest()


def play(folder: Path, swings: str) -> PlayedEvent:
    """Play a duel of one match: `+` New wins a board by a game, `-` Old does, `=` nobody does."""
    stage = 'format = "duel"\nsprt = "0,0.5"'
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
    boards = test if test is not None else SequentialTest(boards_max=len(swings), is_fixed=True)
    return replace(report, result=run_test("duel", boards, swings))


def export(played: PlayedEvent, folder: Path) -> dict[str, Page]:
    assert run("export", played.path, "--format", "html", "--out", folder).exit_code == 0
    return read_site(folder)


def coordinates(points: str) -> list[tuple[float, float]]:
    pairs = [point.split(",") for point in points.split()]
    return [(float(x), float(y)) for x, y in pairs]


def test_a_duel_has_a_page_with_the_verdict_and_two_charts(tmp_path: Path) -> None:
    played = play(tmp_path, "+=+-" * 10)
    page = export(played, tmp_path / "out")["index.html"]
    assert load(played.drawn).verdict_text in page.text
    assert page.source.count("<svg") == 2
    assert "IMPs a board to New, with the interval of 95 %" in page.text
    assert AMPERSAND in page.text
    assert "style=" not in page.source  # no page may have styles of its own
    styled = set(re.findall(r"\.([a-z][a-z-]*)", style_sheet()))
    assert page.classes >= OF_DUELS - {"other", "interval", "reach", "at", "unseen"}
    assert styled >= page.classes - {"event"}


def test_a_duel_without_a_board_has_a_page_without_charts(tmp_path: Path) -> None:
    page = export(play(tmp_path, ""), tmp_path / "out")["index.html"]
    assert "New v " in page.text
    assert "<svg" not in page.source


@pytest.mark.parametrize("test", [USUAL, SequentialTest(is_two_sided=True), None])
@pytest.mark.parametrize("swings", [[3], [0], [-3], [0] * 10, [24] * 40, [-1, 0] * 20, [5, -7, 0] * 300])
def test_every_chart_stays_in_its_box_and_has_every_board(
    unplayed: DuelReport, test: SequentialTest | None, swings: list[int]
) -> None:
    found = with_swings(unplayed, swings, test)
    charts = chart_duel(found)
    assert len(charts) == (1 if test is None else 2)
    for chart in charts:
        lines = [*(line.points for line in chart.lines), *([chart.band] if chart.band else [])]
        for x, y in (point for line in lines for point in coordinates(line)):
            assert 0 <= x <= WIDTH
            assert 0 <= y <= HEIGHT
        assert len(chart.x_ticks) >= 1
        assert len(chart.y_ticks) >= 2
    boards = found.result.tally.boards
    if test is not None:
        assert len(charts[0].lines) == (2 if test.is_two_sided else 1)
        assert (
            len(coordinates(charts[0].lines[0].points)) == min(boards, POINTS_MAX) + 1
        )  # from 0, before the first board


def test_the_line_of_the_test_ends_beyond_the_bound_that_was_crossed(unplayed: DuelReport) -> None:
    found = with_swings(unplayed, [10, 0] * 40)
    chart = chart_duel(found)[0]
    upper = next(level for level in chart.levels if level.label == "H1")
    assert coordinates(chart.lines[0].points)[-1][1] <= upper.at
    assert found.verdict is Verdict.BETTER


def test_a_long_line_is_drawn_with_a_bounded_number_of_points_and_keeps_its_ends() -> None:
    places = thin(4000)
    assert len(places) == POINTS_MAX
    assert (places[0], places[-1]) == (0, 3999)
    assert thin(3) == [0, 1, 2]


def test_marks_of_an_axis_are_round_figures_within_it() -> None:
    assert [tick.label for tick in across(0, 72).ticks(whole=True)] == ["0", "20", "40", "60"]
    assert [tick.label for tick in upward(-0.31, 0.6).ticks()] == ["\N{MINUS SIGN}0.2", "0.0", "0.2", "0.4", "0.6"]
    assert [tick.label for tick in across(0, 1).ticks(whole=True)] == ["0", "1"]


def test_ratings_of_an_event_without_a_board_say_so(tmp_path: Path) -> None:
    page = export(draw_event(tmp_path, event_text("Ants", "Bees")), tmp_path / "out")["strength.html"]
    assert "No board has been played in both rooms so far" in page.text
