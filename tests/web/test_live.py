"""What is only on the server: the tables in play, the screen in the hall, pages for frames, links to files."""

from collections.abc import AsyncIterator

import httpx2
import pytest
import pytest_asyncio

from tests.support.live_event import set_state
from tests.support.played_event import PlayedEvent, draw_event, event_text
from tests.support.web_server import WatchedEvent, browser
from tourney.movement.seating import Room, TableState

pytestmark = pytest.mark.asyncio(loop_scope="module")

WEB = '[web]\nlive = "last-table"\nnotice = "Tea at four"'


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> PlayedEvent:
    """A round over, the next one in play; the closed room of match 4 is the last table with board 2."""
    played = draw_event(
        tmp_path_factory.mktemp("live"), event_text("Ants", "Bees", "Cats", "Dogs", boards=4, more=WEB)
    )
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


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def client(played: PlayedEvent) -> AsyncIterator[httpx2.AsyncClient]:
    async with browser(WatchedEvent(played)) as client:
        yield client


async def test_every_page_leads_to_the_tables_in_play_and_the_front_page_to_files(client: httpx2.AsyncClient) -> None:
    front = (await client.get("/")).text
    for target in ("live", "export/all.pbn", "export/event.json", "export/boards.csv"):
        assert f'href="{target}"' in front
    match = (await client.get("/match/1")).text
    assert 'href="../live"' in match
    assert 'href="../export/match-1.pbn"' in match


async def test_the_tables_in_play_are_tiles(client: httpx2.AsyncClient) -> None:
    page = (await client.get("/live")).text
    assert 'class="tiles"' in page
    assert page.count('class="duel"') == 2  # the finished round has no tile
    assert 'aria-label="open room: 2 of 4 boards"' in page
    assert "Boards in play</a>" in page


async def test_the_screen_in_the_hall_has_standings_beside_the_tables(client: httpx2.AsyncClient) -> None:
    page = (await client.get("/live/wall")).text
    assert 'class="wall"' in page
    assert "matches scored" in page
    assert "Tea at four" in page


async def test_pages_for_frames_may_be_framed_by_any_site(client: httpx2.AsyncClient) -> None:
    for address in ("/embed/standings", "/embed/match/1/board/1"):
        answer = await client.get(address)
        assert answer.headers["content-security-policy"].endswith("frame-ancestors *")
        again = await client.get(address, headers={"if-none-match": answer.headers["etag"]})
        assert again.status_code == 304
        assert again.headers["content-security-policy"] == answer.headers["content-security-policy"]
        assert '<base target="_top">' in answer.text
        assert "<nav" not in answer.text
    assert (await client.get("/")).headers["content-security-policy"].endswith("frame-ancestors 'none'")
    for address in ("/embed/match/3/board/3", "/embed/match/1", "/embed/race"):
        assert (await client.get(address)).status_code == 404


async def test_a_match_in_play_says_what_it_would_be_worth_now_and_which_board_is_in_play(
    client: httpx2.AsyncClient,
) -> None:
    page = (await client.get("/match/3")).text
    assert "VP if it ended now:" in page
    assert page.count("board 3 in play") == 2  # the number of a board in play tells nothing
    assert "live/board/3-" not in page  # two tables have it: nobody may look
    assert "VP if it ended now:" not in (await client.get("/match/1")).text
