"""What is only on the server: the tables in play, the screen in the hall, pages for frames, links to files."""

from pathlib import Path

import pytest

from tests.support.live_event import set_state
from tests.support.played_event import PlayedEvent, draw_event, event_text
from tests.support.web_conversation import browse
from tourney.movement.seating import Room, TableState

WEB = '[web]\nlive = "last-table"\nnotice = "Tea at four"'


@pytest.fixture
def played(tmp_path: Path) -> PlayedEvent:
    """A round over, the next one in play; the closed room of match 4 is the last table with board 2."""
    played = draw_event(tmp_path, event_text("Ants", "Bees", "Cats", "Dogs", boards=4, more=WEB))
    for number in (1, 2):
        played.play(number)
    played.score()
    played.play(3, boards=[1, 2])
    played.play(4, boards=[1])
    played.play(4, [Room.OPEN], [2])
    for number, room, board in ((3, Room.OPEN, 3), (3, Room.CLOSED, 3), (4, Room.OPEN, 3), (4, Room.CLOSED, 2)):
        played.begin_at_random(number, room, board, 7)
        set_state(played, played.table(number, room), TableState.PLAYING)
    return played


async def test_the_tables_in_play_are_on_every_page_in_tiles_on_the_screen_of_the_hall_and_in_frames(
    played: PlayedEvent,
) -> None:
    await browse(
        played,
        """
        /
            -> has href="live"
            -> has href="export/all.pbn"
            -> has href="export/event.json"
            -> has href="export/boards.csv"
            -> content-security-policy: ...frame-ancestors 'none'
        /match/1 -> has href="../live" -> has href="../export/match-1.pbn" -> lacks VP if it ended now:

        # The finished round has no tile.
        /live -> has class="tiles" -> has 2 times class="duel" -> has aria-label="open room: 2 of 4 boards"
            -> has Boards in play</a>
        /live/wall -> has class="wall" -> has matches scored -> has Tea at four

        # Any site may have them in a frame.
        /embed/standings /embed/match/1/board/1
            -> content-security-policy: ...frame-ancestors *
            -> has <base target="_top">
            -> lacks <nav
        /embed/standings /embed/match/1/board/1 again -> 304 -> content-security-policy: ...frame-ancestors *
        /embed/match/3/board/3 /embed/match/1 /embed/race -> 404

        # The number of a board in play tells nothing; two tables have it, and nobody may look.
        /match/3 -> has VP if it ended now: -> has 2 times board 3 in play -> lacks live/board/3-
        """,
    )
