"""`tourney.lab.league`: the event files of a league, and its report."""

import re
from contextlib import closing
from pathlib import Path

import pytest

from tests.support.html_pages import Page
from tests.support.least_squares import rate_by_least_squares
from tests.support.played_event import draw_file
from tourney.bridge import board_from_seed
from tourney.errors import ConfigError
from tourney.lab.duel import DuelTeam
from tourney.lab.league import League, load_league
from tourney.movement.seating import Room
from tourney.output.tables import TextTable
from tourney.site.pages.estimates import chart_strength
from tourney.site.rendering import render_alone

A, B, C, D = (DuelTeam(name, {"command": f"./{name} {{port}}"}) for name in ("A", "B", "C", "D"))


def play(folder: Path, pairings: list[tuple[DuelTeam, DuelTeam, list[int]]]) -> None:
    """Play duels in one match each; the first team makes 4S and the second so many tricks less."""
    league = League(folder, boards=4, matches=1)
    for first, second, less in pairings:
        duel = draw_file(league.write(first, second))
        with closing(duel.database):
            for board, tricks in enumerate(less, 1):
                duel.record(1, Room.OPEN, board, "4S N", 10)
                duel.record(1, Room.CLOSED, board, "4S N", 10 - tricks)


def test_all_programs_play_the_same_deals(tmp_path: Path) -> None:
    league = League(tmp_path, boards=6, matches=2)
    boards = []
    for pairing in ((A, B), (C, B)):
        duel = draw_file(league.write(*pairing))
        with closing(duel.database):
            boards.append([duel.boards(match) for match in (1, 2)])
    assert boards[0] == boards[1]


def test_boards_of_a_file_are_written_once_for_all(tmp_path: Path) -> None:
    deals = [board_from_seed(1, "1.1", number) for number in range(1, 6)]
    league = League(tmp_path, matches=2, deals=deals)
    files = [league.write(A, B), league.write(A, C)]
    assert [file.config.stage[0].boards_per_match for file in files] == [2, 2]
    assert [path.name for path in tmp_path.glob("*.pbn")] == ["boards.pbn"]


def test_a_program_that_comes_later_plays_what_the_folder_has(tmp_path: Path) -> None:
    League(tmp_path, boards=6, matches=2).write(A, B)
    before = (tmp_path / "a-v-b.toml").read_text()
    later = League(tmp_path)
    assert later.write(B, A).path.name == "a-v-b.toml"
    file = later.write(D, A)
    assert (file.config.stage[0].matches, file.config.stage[0].boards_per_match) == (2, 3)
    assert f"seed = {file.config.deals.seed}\n" in before
    assert (tmp_path / "a-v-b.toml").read_text() == before


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ((8, None), r"boards_per_match = 3 there, got boards_per_match = 4"),
        ((6, 1), r"matches = 2 there, got matches = 1"),
    ],
)
def test_other_boards_than_the_folder_has_are_refused(
    tmp_path: Path, settings: tuple[int, int | None], sentence: str
) -> None:
    League(tmp_path, boards=6, matches=2).write(A, B)
    for pairing in ((A, B), (A, C)):
        with pytest.raises(ConfigError, match=sentence):
            League(tmp_path, *settings).write(*pairing)
    assert [path.name for path in tmp_path.glob("*.toml")] == ["a-v-b.toml"]


def test_another_program_of_the_same_name_is_refused(tmp_path: Path) -> None:
    League(tmp_path, boards=6).write(A, B)
    with pytest.raises(ConfigError, match=r'command = "./B \{port\}" there, got command = "./b2 \{port\}"'):
        League(tmp_path).write(A, DuelTeam("B", {"command": "./b2 {port}"}))


def test_ratings_are_those_of_least_squares_with_errors_by_deal(tmp_path: Path) -> None:
    play(tmp_path, [(A, B, [1, 0, 2, 0]), (A, C, [0, 1, 1, 3]), (B, C, [0, 0, 1, 0])])
    report = load_league(tmp_path)
    assert report.strength is not None
    swings = [(s.deal, s.first, s.second, float(s.swing)) for s in report.strength.swings]
    assert len({swing[0] for swing in swings}) == 4
    ratings, covariance = rate_by_least_squares(["A", "B", "C"], swings)
    (rated,) = report.strength.lists
    for rating in rated.ratings:
        assert rating.rating == pytest.approx(ratings[rating.name])
        assert rating.error**2 == pytest.approx(covariance[rating.name, rating.name])


def test_candidates_that_have_not_met_are_compared_and_the_crosstable_has_all_who_have(tmp_path: Path) -> None:
    play(tmp_path, [(A, C, [1, 1, 1, 1]), (B, C, [0, 0, 1, 0]), (A, D, [2, 0, 0, 0]), (B, D, [2, 0, 0, 0])])
    report = load_league(tmp_path)
    document = report.document()
    (compared,) = [row for row in document["candidates"] if {row["team"], row["opponent"]} == {"A", "B"}]
    assert (compared["team"], compared["common"], compared["boards"]) == ("A", ["C", "D"], 8)
    assert compared["estimate"]["mean"] > 0
    assert [pairing["boards"] for pairing in document["pairings"]] == [4, 4, 4, 4]
    assert report.is_over
    tables = [part for part in report.text() if isinstance(part, TextTable)]
    assert len(tables) == 4


def test_a_league_has_a_page_by_itself_with_the_interval_of_each_rating(tmp_path: Path) -> None:
    play(tmp_path, [(A, C, [1, 1, 1, 1]), (B, C, [0, 0, 1, 0]), (A, D, [2, 0, 0, 0])])
    path = tmp_path / "league.html"
    report = load_league(tmp_path)
    assert report.strength is not None
    path.write_bytes(render_alone(report, "Ratings", chart_strength(report.strength), "test", 0))
    page = Page(path)
    ratings, crosstable, candidates, programs = page.tables
    assert [row[1] for row in ratings.rows[2:]] == ["A", "D", "B", "C"]
    assert page.source.count('class="reach"') == 4
    assert crosstable.rows[1] == ["Team", "A", "D", "B", "C"]
    assert ["A", "B", "C"] in [row[:3] for row in candidates.rows[2:]]
    assert len(programs.rows) == 2 + 4
    assert set(page.links) == {"#content"}


def test_a_league_without_a_board_says_so(tmp_path: Path) -> None:
    play(tmp_path, [(A, B, [])])
    report = load_league(tmp_path)
    assert list(report.text()) == [
        "A v B has played 0 of 4 boards",
        f"no board of {tmp_path.name} has been played in both rooms so far",
    ]
    assert report.document()["strength"] is None
    assert "has been played in both rooms so far" in render_alone(report, "Ratings", (), "test", 0).decode()
    assert not report.is_over


def test_duels_of_other_boards_in_one_folder_are_no_league(tmp_path: Path) -> None:
    League(tmp_path, boards=6, matches=1).write(A, B)
    text = (tmp_path / "a-v-b.toml").read_text()
    (tmp_path / "c-v-d.toml").write_text(re.sub(r"seed = [0-9]+", "seed = 4", text).replace("A v B", "C v D"))
    with pytest.raises(ConfigError, match=r"same boards, .*c-v-d\.toml has others than .*a-v-b\.toml"):
        load_league(tmp_path)
