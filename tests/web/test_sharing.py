"""What spectators do with a page: hide its results, share it, play its board on, and go by keys."""

import io
import re
from pathlib import Path

import pytest
from PIL import Image
from playwright.async_api import Browser, expect

from tests.support.browser_pages import act, window
from tests.support.live_event import set_state, take_up
from tests.support.played_event import PlayedEvent, draw_event, draw_half_played, event_text
from tests.support.served_event import serving_here
from tests.support.web_conversation import browse
from tests.support.web_server import WatchedEvent, browser
from tourney.bridge import Seat
from tourney.movement.seating import Room, TableState
from tourney.site.pages.play_on import play_on
from tourney.store.results.matches import load_board_records

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest.fixture
def played(tmp_path: Path) -> PlayedEvent:
    """Match 1 is over, board 1 of match 2 too; nothing else has been played."""
    return draw_half_played(tmp_path)


async def test_a_link_may_ask_for_a_page_without_results(played: PlayedEvent) -> None:
    async with browser(WatchedEvent(played)) as client:
        await browse(
            client,
            """
            /match/1/board/1 -> has data-results="shown"
            /match/1/board/1?results=hidden
                -> has data-results="hidden"
                -> has og:image" content="http://test/match/1/board/1.hidden.png"
                -> has 1 times og:image"
                -> lacks og:description
            """,
        )
        usual, hidden = [await client.get(f"/match/1/board/1{query}") for query in ("", "?results=hidden")]
    assert usual.headers["etag"] != hidden.headers["etag"]
    pages = re.findall(r'<a [^>]*href="((?:\.\./)+[^"#]*)', hidden.text)
    assert pages
    assert all(link.endswith("?results=hidden") or ".png" in link for link in pages), pages


@pytest.mark.parametrize("address", ["card", "match/1", "match/1/board/1"])
async def test_a_page_has_a_picture_for_other_sites_with_results_and_without(
    address: str, played: PlayedEvent
) -> None:
    async with browser(WatchedEvent(played)) as client:
        pictures = [(await client.get(f"/{address}{suffix}")).content for suffix in (".png", ".hidden.png")]
        assert (await client.get("/match/2/board/2.png")).status_code == 404  # it is still to be played
    for picture in pictures:
        with Image.open(io.BytesIO(picture)) as image:
            assert (image.format, image.size) == ("PNG", (1200, 630))
    assert pictures[0] != pictures[1]


async def test_a_page_tells_other_sites_its_whole_address_unless_the_browser_says_no_host(
    played: PlayedEvent,
) -> None:
    told = '-> has <meta property="og:url" content='
    await browse(
        played,
        f"""
        /match/1 [host: cup.example:8080] {told}"http://cup.example:8080/match/1">
        /match/1 [host: a"b] {told}"/match/1">
        """,
    )


async def test_the_text_to_share_has_the_score_and_who_won_each_board(tmp_path: Path) -> None:
    played = draw_event(tmp_path, event_text("Ants", "Bees", boards=3))
    played.compare(1, ("4S N", 10, "4S N", 9), ("1NT S", 7, "1NT S", 7), ("3NT W", 9, "Pass", 0))
    await browse(played, "/match/1 -> has Ants 10 \u2013 12 Bees \U0001f7e6\u2b1c\U0001f7e7</textarea>")


async def test_standings_are_in_the_order_in_which_they_would_be_if_matches_in_play_ended_now(tmp_path: Path) -> None:
    played = draw_event(tmp_path, event_text("Ants", "Bees", "Cats", "Dogs", boards=2, deals='shared = "match"'))
    for room in Room:
        set_state(played, take_up(played, 1, room), TableState.PLAYING)
    played.record(1, Room.OPEN, 1, "4S N", 9)
    played.record(1, Room.CLOSED, 1, "4S N", 10)
    async with browser(WatchedEvent(played)) as client:
        front = (await client.get("/")).text
    table = front[front.index('data-part="standings"') :]
    teams = re.findall(r'<a href="entrant/\d"><bdi>(\w+)</bdi>', table)[:4]
    home, away = played.match(1).teams
    assert (teams[0], teams[-1]) != (home, away)
    assert teams.index(away) < teams.index(home)
    assert f'0\u201310 <span class="muted">v {away}</span>' in table


# A board that is played on


async def test_a_board_is_played_on_card_by_card_to_its_end(played: PlayedEvent) -> None:
    record = next(
        each
        for each in load_board_records(played.database, played.match(1))
        if each.result is not None and each.result.result.contract is not None
    )
    assert record.result is not None
    contract = record.result.result.contract
    assert contract is not None
    place = f"/play-on/1/{record.board.number}/{record.room.value}/{contract.declarer.letter}"
    async with browser(WatchedEvent(played)) as client:
        address, shown = f"{place}/-", 0
        while found := re.findall(
            r'value="(\w\w)" aria-label="[^"]*"(?! aria-disabled)', page := (await client.get(address)).text
        ):
            before = re.search(r'name="cards" value="([^"]*)"', page)
            assert before is not None
            answer = await client.get(f"{address}?cards={before[1]}&card={found[0]}")
            assert answer.status_code == 303
            address, shown = answer.headers["location"], shown + 1
        assert shown == 26  # declarer's and dummy's
        assert "Declarer has made " in page
        for nonsense in (f"{place}/SASA", f"{place}/XX", f"{place}/{'SA' * 53}", "/play-on/2/2/open/N/-"):
            assert (await client.get(nonsense)).status_code == 404, nonsense


async def test_who_plays_a_board_on_sees_no_hand_but_the_own_one_and_dummy(played: PlayedEvent) -> None:
    for record in load_board_records(played.database, played.match(1)):
        contract = record.result.result.contract if record.result is not None else None
        if contract is None:
            continue
        seat = contract.leader
        position = play_on(record, seat, "-", dict.fromkeys(Seat, ""))
        assert position is not None
        assert {hand.seat for hand in position.picture.hands if hand.cards is not None} == {seat}
        card = next(iter(record.board.deal[seat].cards))
        position = play_on(record, seat, card.pbn, dict.fromkeys(Seat, ""))
        assert position is not None
        assert {hand.seat for hand in position.picture.hands if hand.cards is not None} == {seat, contract.dummy}


# In the browser


async def test_hiding_results_keeps_the_place_and_is_kept_by_the_browser(
    played: PlayedEvent, chromium: Browser
) -> None:
    shows = 'clicks role=link[name="Show results"]\nsees .standings table'
    with serving_here(played.path) as served:
        async with window(chromium, 1280) as page:
            await act(page, f"goes to {served.address}match/1\nsees html[data-live=yes]")
            report = page.locator("[data-part=report]")
            before = await report.bounding_box()
            await act(page, 'clicks role=link[name="Hide results"]')
            await expect(report).not_to_be_visible()
            assert await report.bounding_box() == before
            await act(page, f"goes to {served.address}")
            await expect(page.locator(".standings table")).not_to_be_visible()
            await act(page, shows)
        async with window(chromium, 1280, scripts=False) as page:
            await act(page, f"goes to {served.address}?results=hidden")
            await expect(page.locator(".standings table")).not_to_be_visible()
            await act(page, shows)


async def test_the_replay_outlives_a_refresh_and_its_keys_are_named_and_never_stolen(
    tmp_path: Path, chromium: Browser
) -> None:
    played = draw_event(tmp_path, event_text("Ants", "Bees", boards=2))
    played.play(1)
    with serving_here(played.path) as served:
        async with window(chromium, 390) as page:
            closed = "document.querySelector('[data-room=closed]').getBoundingClientRect().top"
            await act(
                page,
                f"""
                goes to {served.address}match/1/board/1
                sees html[data-live=yes]
                sees .replay
                reads .keys: r other room, n next board
                presses r
                script Math.abs({closed}) < 200 -> true
                clicks summary:has-text("Share")
                """,
            )
            await page.get_by_label("Text to copy").focus()
            await act(page, 'presses n\nscript location.href.endsWith("/board/1") -> true\nclicks h1\npresses n')
            await page.wait_for_url(re.compile("/board/2"))


async def test_the_front_page_weighs_60_kb_at_most(played: PlayedEvent) -> None:
    async with browser(WatchedEvent(played)) as client:
        files = ("", "static/style.css", "static/page.js", "static/live.js")
        answers = [await client.get(f"/{file}", headers={"accept-encoding": "gzip"}) for file in files]
    assert all(answer.headers["content-encoding"] == "gzip" for answer in answers)
    assert sum(int(answer.headers.get("content-length", len(answer.content))) for answer in answers) <= 60_000
