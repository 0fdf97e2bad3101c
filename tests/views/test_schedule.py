"""The schedule as it is loaded and written."""

from pathlib import Path

import pytest

from tests.support.played_event import draw_event, event_text
from tourney.views.schedule import format_ranges, load_schedule


@pytest.mark.parametrize(
    ("numbers", "text"),
    [([], ""), ([7], "7"), ([1, 2, 3], "1-3"), ([1, 2, 9, 11, 12], "1-2, 9, 11-12"), ([3, 2, 1], "3, 2, 1")],
)
def test_numbers_that_count_up_are_drawn_together(numbers: list[int], text: str) -> None:
    assert format_ranges(numbers) == text


def test_matches_that_share_no_boards_have_the_numbers_of_their_own_set(tmp_path: Path) -> None:
    text = event_text("Ants", "Bees", "Cats", "Dogs", deals='seed = 1\nshared = "match"')
    played = draw_event(tmp_path, text)
    schedule = load_schedule(played.database, played.event)
    assert len({match.board_set_id for match in played.event.matches}) == 6
    assert [schedule.boards_of(match) for match in played.event.matches] == [[1, 2]] * 6
