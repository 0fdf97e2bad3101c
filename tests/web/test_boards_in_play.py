"""Boards in play on the server: at the last table for everybody, all of them for those with the passphrase."""

import re
from pathlib import Path

import httpx2
import pytest

from tests.support.live_event import set_state
from tests.support.played_event import PlayedEvent, draw_event, event_text
from tests.support.web_conversation import browse
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


async def enter(client: httpx2.AsyncClient, phrase: str = PHRASE) -> httpx2.Response:
    """Send a passphrase of the vugraph."""
    return await client.post("/vugraph", data={"phrase": phrase})


def cards_in_hands(page: str) -> set[str]:
    """The cards that lie in a hand of the picture, played ones included."""
    return set(re.findall(r'data-card="(\w\w)"', page))


async def test_everybody_sees_the_last_table_and_no_other(tmp_path: Path) -> None:
    played = draw(tmp_path, 'live = "last-table"')
    played.begin_at_random(1, Room.OPEN, 1, 9)
    played.play(1, [Room.CLOSED], [2])
    async with browser(WatchedEvent(played)) as client:
        await browse(client, "/live/board -> has No board in play can be shown")
        answers = [await client.get("/live/board/1-open"), await client.get("/vugraph"), await enter(client, "x")]
        assert {(each.status_code, each.content) for each in answers} == {(404, answers[0].content)}
    played.play(1, [Room.CLOSED], [1])
    async with browser(WatchedEvent(played)) as client:
        shown = '-> has Auction -> has 3 times class="left-over"'
        await browse(client, f'/live/board -> has href="board/1-open"\n/live/board/1-open {shown}')
        assert len(cards_in_hands((await client.get("/live/board/1-open")).text)) == 13


async def test_boards_in_play_that_cannot_be_shown_are_said_to_be_there(tmp_path: Path) -> None:
    played = draw(tmp_path, 'live = "last-table"')
    for room, board in ((Room.OPEN, 1), (Room.CLOSED, 2)):
        played.begin(1, room, board)
        set_state(played, played.table(1, room), TableState.PLAYING)
    await browse(
        played,
        """
        /live/board
            -> has <h1>No board in play can be shown</h1>
            -> has 2 tables have a board in play.
            -> has href="../live"
            -> lacks No board is in play
        """,
    )


async def test_a_frozen_or_finished_event_has_no_board_in_play(tmp_path: Path) -> None:
    played = draw(tmp_path, "")
    played.play(1, [Room.CLOSED], [1])
    played.begin(1, Room.OPEN, 1)
    await browse(played, "/live/board /live/board/1-open -> 404")


async def test_the_vugraph_is_behind_its_phrase(tmp_path: Path) -> None:
    played = draw(tmp_path, f'live = "vugraph-hands"\nvugraph_phrase = "{PHRASE}"')
    played.begin_at_random(1, Room.OPEN, 1, 9)
    async with browser(WatchedEvent(played)) as client:
        asked = await client.get("/vugraph/1-open")
        await browse(
            client,
            f"""
            /vugraph/1-open -> has type="password"
            /live/board/1-open -> 404
            /events?topics=/vugraph/1-open -> 400
            /live.json -> has "play": null
            POST /vugraph phrase=wrong -> 403
            POST /vugraph phrase='{PHRASE}' -> 303 -> set-cookie: ...HttpOnly...Path=/vugraph...SameSite=strict...
            /vugraph -> has 1-open
            HEAD /vugraph/events?topics=/vugraph/1-open -> content-type: text/event-stream
            """,
        )
        assert len(cards_in_hands((await client.get("/vugraph/1-open")).text)) == 52
        stolen = {"cookie": "tourney-vugraph=0123456789"}
        client.cookies.clear()
        assert (await client.get("/vugraph/1-open", headers=stolen)).text == asked.text


async def test_the_vugraph_has_both_rooms_of_a_match_beside_each_other_while_both_play(tmp_path: Path) -> None:
    played = draw(tmp_path, f'live = "vugraph"\nvugraph_phrase = "{PHRASE}"')
    for room, cards in ((Room.OPEN, 9), (Room.CLOSED, 5)):
        played.begin_at_random(1, room, 1, cards)
        set_state(played, played.table(1, room), TableState.PLAYING)
    log_in = f"POST /vugraph phrase='{PHRASE}' -> 303"
    # Dummy alone is open in each room.
    await browse(
        played,
        f"""
        /vugraph/match/1 -> has type="password"
        {log_in}
        /vugraph -> has href="vugraph/match/1"
        /vugraph/match/1 -> has 2 times class="table-picture -> has 6 times class="left-over"
        /vugraph/match/2 -> 404
        """,
    )
    played.play(1, [Room.CLOSED])
    await browse(played, f"{log_in}\n/vugraph/match/1 -> 404\n/vugraph -> lacks vugraph/match")


async def test_wrong_phrases_slow_an_address_and_shut_nobody_out(tmp_path: Path) -> None:
    watched = WatchedEvent(draw(tmp_path, f'live = "vugraph"\nvugraph_phrase = "{PHRASE}"'))
    async with browser(watched) as client:
        statuses = [(await enter(client, "x")).status_code for _ in range(FREE_TRIES + 2)]
        assert (set(statuses), watched.waits.slept_s) == ({403}, [1, 2])
        assert ((await enter(client)).status_code, watched.waits.slept_s) == (303, [1, 2, 4])
        assert (await client.post("/vugraph", content=b"x" * 10_000)).status_code == 404
