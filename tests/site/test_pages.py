"""What the pages of an event as a whole show: race, form, swings, Butler, a board at all tables, the schedule."""

from dataclasses import replace
from pathlib import Path

import pytest

from tests.support.event_conversation import converse
from tests.support.exports import export_site
from tests.support.html_pages import Page, read_pages
from tests.support.live_event import delay_card, set_state
from tests.support.played_event import PlayedEvent, draw_event, event_text
from tourney.bridge import Seat
from tourney.config import Processes
from tourney.movement.seating import Room, TableState
from tourney.store.control.host_settings import save_settings

OPEN, CLOSED = Room.OPEN, Room.CLOSED


def read_written(played: PlayedEvent, folder: Path) -> dict[str, Page]:
    played.reload()
    export_site(played, folder / "out")
    return read_pages(folder / "out")


@pytest.fixture(scope="module")
def league(tmp_path_factory: pytest.TempPathFactory) -> tuple[PlayedEvent, dict[str, Page]]:
    """Four teams; two rounds are over, in which the home team has won 10 IMPs by board 1 or 2."""
    folder = tmp_path_factory.mktemp("league")
    played = draw_event(folder, event_text("Ants", "Bees", "Cats", "Dogs", boards=2))
    for match, swung, flat in ((1, 1, 2), (2, 1, 2), (3, 2, 1), (4, 2, 1)):
        converse(
            played,
            f"match {match} board {swung}: 4S N 10, 4S N 9\nmatch {match} board {flat}: 4S N 10, 4S N 10",
        )
    played.score()
    settings = replace(played.file.host_settings, processes={"Ants": Processes.TEAM})
    save_settings(played.database, played.event.id, settings)
    return played, read_written(played, folder)


def test_the_chart_of_the_race_has_a_line_for_every_team(league: tuple[PlayedEvent, dict[str, Page]]) -> None:
    page = league[1]["index.html"]
    assert page.source.count("<polyline") == 4
    _, headings, *rows = page.tables[0].rows
    for row in rows:
        assert f"<title>{row[headings.index('Team')]}: {row[headings.index('VP')]} VP</title>" in page.source


def test_standings_of_an_event_that_is_over_have_the_form_of_every_team(tmp_path: Path) -> None:
    played = draw_event(tmp_path, event_text("Ants", "Bees", "Cats", "Dogs", boards=2))
    for match in range(1, 7):
        converse(played, f"match {match} board 1: 4S N 10, 4S N 9\nmatch {match} board 2: 4S N 10, 4S N 10\nscored")
    _, headings, *rows = read_written(played, tmp_path)["index.html"].tables[0].rows
    for row in rows:
        team = row[headings.index("Team")]
        won = [match.home == team for match in played.event.matches if team in match.teams]
        assert row[-1].split() == ["W" if each else "L" for each in won]


def test_a_match_that_has_a_score_counts_once_while_a_table_of_it_has_not_been_left(tmp_path: Path) -> None:
    played = draw_event(tmp_path, event_text("Ants", "Bees", "Cats", "Dogs", boards=2))
    for number in (1, 2):
        played.play(number)
        set_state(played, played.table(number, OPEN), TableState.PLAYING)
    played.score()
    page = read_written(played, tmp_path)["index.html"]
    _, headings, *rows = page.tables[0].rows
    assert [row[headings.index("VP now")] for row in rows] == [row[headings.index("VP")] for row in rows]
    assert "Now playing" not in page.text


def test_pages_of_a_match_name_a_team_whose_process_sees_more_than_one_hand(
    league: tuple[PlayedEvent, dict[str, Page]],
) -> None:
    played, pages = league
    sentence = "Ants plays all its seats from one process."
    for match in played.event.matches[:4]:
        assert (sentence in pages[f"match-{match.number:03}/index.html"].text) is ("Ants" in match.teams)
    assert all("from one process" not in page.text.replace(sentence, "") for page in pages.values())


def test_the_page_of_a_board_has_what_the_network_took_of_a_side(tmp_path: Path) -> None:
    played = draw_event(tmp_path, event_text(boards=1))
    played.play_all()
    table = played.table(1, OPEN, 1)
    delay_card(played, table, Seat.NORTH, 1500, 400)
    delay_card(played, table, Seat.SOUTH, 2500, 500)
    export_site(played, tmp_path / "out")
    page = read_pages(tmp_path / "out")["match-001/board-01.html"].text
    assert page.count("the network of") == 1
    assert f"; the network of {table.ns_team} 0:04.0, of which 0:00.9 not charged" in page
