"""Boards in play on the server: at the last table for everybody, all of them for those with the passphrase."""

import re
from pathlib import Path

import httpx2
import pytest

from tests.support.live_event import set_state
from tests.support.played_event import PlayedEvent, draw_event, event_text
from tests.support.web_server import WatchedEvent, browser
from tourney.movement.seating import Room, TableState
from tourney.web import reader as reader_module
from tourney.web.phrase_pace import FREE_TRIES

PHRASE = "open the closed room"


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader_module, "POLL_S", 0.01)


def draw(folder: Path, web: str) -> PlayedEvent:
    return draw_event(folder, event_text("Ants", "Bees", more=f"[web]\n{web}"))


async def enter(client: httpx2.AsyncClient) -> httpx2.Response:
    """Send the passphrase of the vugraph."""
    return await client.post("/vugraph", content=f"phrase={PHRASE.replace(' ', '+')}".encode())


def cards_in_hands(page: str) -> set[str]:
    """The cards that lie in a hand of the picture, played ones included."""
    return set(re.findall(r'data-card="(\w\w)"', page))


async def test_everybody_sees_the_last_table_and_no_other(tmp_path: Path) -> None:
    played = draw(tmp_path, 'live = "last-table"')
    played.begin_at_random(1, Room.OPEN, 1, 9)
    played.play(1, [Room.CLOSED], [2])
    async with browser(WatchedEvent(played)) as client:
        assert "No board in play can be shown" in (await client.get("/live/board")).text
        hidden = await client.get("/live/board/1-open")
        assert hidden.status_code == 404
        assert (await client.get("/vugraph")).content == hidden.content
        assert (await client.post("/vugraph", content=b"phrase=x")).content == hidden.content
    played.play(1, [Room.CLOSED], [1])
    async with browser(WatchedEvent(played)) as client:
        assert 'href="board/1-open"' in (await client.get("/live/board")).text
        shown = (await client.get("/live/board/1-open")).text
        assert "Auction" in shown
        assert len(cards_in_hands(shown)) == 13
        assert shown.count('class="left-over"') == 3


async def test_boards_in_play_that_cannot_be_shown_are_said_to_be_there(tmp_path: Path) -> None:
    played = draw(tmp_path, 'live = "last-table"')
    for room, board in ((Room.OPEN, 1), (Room.CLOSED, 2)):
        played.begin(1, room, board)
        set_state(played, played.table(1, room), TableState.PLAYING)
    async with browser(WatchedEvent(played)) as client:
        page = (await client.get("/live/board")).text
        assert "No board is in play" not in page
        assert "<h1>No board in play can be shown</h1>" in page
        assert "2 tables have a board in play." in page
        assert 'href="../live"' in page


async def test_a_frozen_or_finished_event_has_no_board_in_play(tmp_path: Path) -> None:
    played = draw(tmp_path, "")
    played.play(1, [Room.CLOSED], [1])
    played.begin(1, Room.OPEN, 1)
    async with browser(WatchedEvent(played)) as client:
        assert (await client.get("/live/board")).status_code == 404
        assert (await client.get("/live/board/1-open")).status_code == 404


async def test_the_vugraph_is_behind_its_phrase(tmp_path: Path) -> None:
    played = draw(tmp_path, f'live = "vugraph-hands"\nvugraph_phrase = "{PHRASE}"')
    played.begin_at_random(1, Room.OPEN, 1, 9)
    async with browser(WatchedEvent(played)) as client:
        asked = await client.get("/vugraph/1-open")
        assert 'type="password"' in asked.text
        assert (await client.get("/live/board/1-open")).status_code == 404
        assert (await client.get("/events?topics=/vugraph/1-open")).status_code == 400
        assert '"play": null' in (await client.get("/live.json")).text
        assert (await client.post("/vugraph", content=b"phrase=wrong")).status_code == 403
        entered = await enter(client)
        assert entered.status_code == 303
        cookie = entered.headers["set-cookie"]
        assert all(word in cookie for word in ("HttpOnly", "SameSite=strict", "Path=/vugraph"))
        shown = await client.get("/vugraph/1-open")
        assert len(cards_in_hands(shown.text)) == 52
        assert "1-open" in (await client.get("/vugraph")).text
        stream = await client.head("/vugraph/events?topics=/vugraph/1-open")
        assert stream.headers["content-type"] == "text/event-stream"
        stolen = {"cookie": "tourney-vugraph=0123456789"}
        client.cookies.clear()
        assert (await client.get("/vugraph/1-open", headers=stolen)).text == asked.text


async def test_the_vugraph_has_both_rooms_of_a_match_beside_each_other_while_both_play(tmp_path: Path) -> None:
    played = draw(tmp_path, f'live = "vugraph"\nvugraph_phrase = "{PHRASE}"')
    for room, cards in ((Room.OPEN, 9), (Room.CLOSED, 5)):
        played.begin_at_random(1, room, 1, cards)
        set_state(played, played.table(1, room), TableState.PLAYING)
    async with browser(WatchedEvent(played)) as client:
        asked = await client.get("/vugraph/match/1")
        assert 'type="password"' in asked.text
        await enter(client)
        assert 'href="vugraph/match/1"' in (await client.get("/vugraph")).text
        page = (await client.get("/vugraph/match/1")).text
        assert page.count('class="table-picture') == 2
        assert page.count('class="left-over"') == 6  # dummy alone is open in each room
        assert (await client.get("/vugraph/match/2")).status_code == 404
    played.play(1, [Room.CLOSED])
    async with browser(WatchedEvent(played)) as client:
        await enter(client)
        assert (await client.get("/vugraph/match/1")).status_code == 404
        assert "vugraph/match" not in (await client.get("/vugraph")).text


async def test_wrong_phrases_slow_an_address_and_shut_nobody_out(tmp_path: Path) -> None:
    watched = WatchedEvent(draw(tmp_path, f'live = "vugraph"\nvugraph_phrase = "{PHRASE}"'))
    async with browser(watched) as client:
        for _ in range(FREE_TRIES + 2):
            assert (await client.post("/vugraph", content=b"phrase=x")).status_code == 403
        assert watched.waits.slept_s == [1, 2]
        right = await enter(client)
        assert (right.status_code, watched.waits.slept_s) == (303, [1, 2, 4])
        assert (await client.post("/vugraph", content=b"x" * 10_000)).status_code == 404
