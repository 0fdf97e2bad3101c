"""The page of a seat in a real browser, at a server of players that says what a test tells it: no process is needed.

What comes from there seldom, such as a claim against the player, is here when it is wanted.
"""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial

import pytest
import uvicorn
from playwright.async_api import Browser, Page

from tests.client.test_typed import IN_PLAY
from tests.support.browser_pages import NARROW, WIDE, look_at, window
from tests.support.players_server import PlayersServer, players_server
from tests.web.seat.test_by_keys import tab_to
from tests.web.seat.test_seat import TO_CALL
from tourney.client.server_link import ServerAddress
from tourney.config.web import WebConfig
from tourney.web.app import make_app, nothing_public
from tourney.web.connection import LimitedConnection
from tourney.web.doors import WebDoors
from tourney.web.hub import Hub
from tourney.web.seat.app import SeatPages
from tourney.web.seat.seats import BrowserSeats
from tourney.web.serving import Server

pytestmark = pytest.mark.asyncio(loop_scope="session")


@asynccontextmanager
async def seated(page: Page, *lines: str) -> AsyncIterator[PlayersServer]:
    """Sit down in a page, at a table whose player is told these lines."""
    async with players_server("TOURNAMENTS -", "GAMES -", *lines) as players:
        hub = Hub(100, spread_s=0, apart_s=0)
        seats = BrowserSeats(ServerAddress("127.0.0.1", players.port, 0), hub)
        pages = SeatPages(seats, hub, WebConfig, "127.0.0.1", "Club", needs_phrase=False, has_boards=True)
        ready = asyncio.Event()
        config = uvicorn.Config(
            make_app(nothing_public, None, pages),
            http=partial(LimitedConnection, WebDoors(WebConfig)),  # type: ignore[arg-type] # makes one
            ws="none",
            lifespan="off",
            log_config=None,
            timeout_graceful_shutdown=1,
        )
        server = Server(config, [hub], ready.set)
        listener = socket.create_server(("127.0.0.1", 0))
        serving = asyncio.create_task(server.serve(sockets=[listener]))
        await ready.wait()
        try:
            await page.goto(f"http://127.0.0.1:{listener.getsockname()[1]}/seat?name=Ann")
            await page.get_by_role("button", name="Sit down").click()
            await page.wait_for_selector("html[data-live=yes]")
            yield players
        finally:
            hub.end()
            server.should_exit = True
            await serving
            await seats.close()


def sent(players: PlayersServer) -> list[str]:
    """The calls and cards that the player has sent."""
    return [line for line in players.heard if line.startswith(("BID", "PLAY"))]


async def test_by_touch_the_first_tap_lifts_the_second_plays_and_one_elsewhere_lowers(chromium: Browser) -> None:
    async with window(chromium, NARROW, touch=True) as page, seated(page, *IN_PLAY) as players:
        ten, nine, eight = (page.locator(f'button[value="{card}"]') for card in ("HT", "H9", "H8"))

        async def is_lifted() -> bool:
            beside, box = await ten.bounding_box(), await nine.bounding_box()
            assert beside is not None
            assert box is not None
            return box["y"] < beside["y"]

        assert not await is_lifted()
        await nine.tap()
        assert await is_lifted()
        await page.get_by_role("heading", name="Last trick").or_(page.locator(".bar")).first.tap()
        assert not await is_lifted()
        await nine.tap()
        await eight.tap()  # another one in its place
        assert not await is_lifted()
        assert sent(players) == []
        await players.say('X-SAID E "take your time"')
        await page.get_by_text("take your time").wait_for()
        await eight.tap()
        await players.until_heard("PLAY 8H")
        assert sent(players) == ["PLAY 8H"]


@pytest.mark.parametrize("width", [NARROW, WIDE])
async def test_a_call_takes_two_taps_or_clicks_unless_the_player_wants_one_which_the_browser_keeps(
    chromium: Browser, width: int
) -> None:
    async with window(chromium, width, touch=width == NARROW) as page:

        async def press(selector: str) -> None:
            found = page.locator(selector)
            await (found.tap() if width == NARROW else found.click())

        async with seated(page, *TO_CALL) as players:
            await press('button[value="Pass"]')
            assert await page.locator(".armed").count() == 1
            await press(".bar")
            assert await page.locator(".armed").count() == 0
            assert sent(players) == []
            if width == NARROW:
                await press("label[for=level-2]")
            for _ in range(2):
                await press('button[value="2C"]')
            await players.until_heard("BID 2C")
            assert sent(players) == ["BID 2C"]
        async with seated(page, *TO_CALL) as players:
            await press("text=1 click")
            await page.reload()
            await press('button[value="Pass"]')
            await players.until_heard("BID PASS")


async def test_claims_questions_and_the_end_of_a_board_are_asked_in_dialogs_without_fault(chromium: Browser) -> None:
    over = ("TRICKSWON " + ",".join("N" * 13), "X-RESULT 1NTE 0 350", "X-READY 30000")
    found = {}
    async with window(chromium, WIDE) as page, seated(page, *IN_PLAY, "X-MAY 1 0 0 -") as players:
        await players.say("X-CLAIM 3 E AD,KD,QD")
        claim = page.get_by_role("alertdialog", name="East claims the rest of the tricks with")
        await claim.wait_for()
        found["claim"] = await look_at(page)
        await claim.get_by_role("button", name="Reject").click()
        await players.until_heard("X-REJECT 3")
        await players.say("X-CLAIMED 3 NO", "TRICK S 7H,2H")
        await page.get_by_text("the claim is rejected: play goes on").wait_for()
        assert await claim.count() == 0
        await page.get_by_text("Claim the rest").click()
        assert "X-CLAIM" not in players.heard, "it is asked first"
        await players.say('X-SAID E "what next?"')
        await page.get_by_text("what next?").wait_for()  # the question stays open meanwhile
        await page.get_by_role("button", name="Claim, and show my cards").click()
        await players.until_heard("X-CLAIM")
        await players.say('NAK "a claim is made in turn"')
        await page.get_by_role("status").get_by_text("a claim is made in turn").wait_for()
        await players.say("X-UNDO 4 E")
        await page.get_by_role("alertdialog", name="East asks to take").wait_for()
        found["undo"] = await look_at(page)
        await players.say("X-UNDONE 4 NO", "X-ASKED 1")
        await page.get_by_label("An opponent asks what your Pass means").wait_for()
        found["question"] = await look_at(page)
        await players.say(*over)
        await page.get_by_role("button", name="Next board").wait_for()
        found["result"] = await look_at(page)
    assert {state: problems for state, problems in found.items() if problems} == {}


async def press(page: Page, selector: str) -> None:
    """Go to a part by Tab, see that it stands out, and press Enter."""
    await tab_to(page, selector)
    assert await page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid", selector
    await page.keyboard.press("Enter")


async def test_every_part_of_a_seat_is_reached_and_used_by_keys_alone(chromium: Browser) -> None:
    asked = ("X-MAY 1 1 1 1,2,3", "X-UNDO 4 E", "X-ASKED 1")
    async with window(chromium, WIDE) as page, seated(page, *IN_PLAY, *asked) as players:
        await page.get_by_role("alertdialog").wait_for()
        await press(page, "button[value=accept]")
        await players.until_heard("X-ACCEPT 4")
        await tab_to(page, "#tell")
        await page.keyboard.type("nothing special")
        await press(page, "#tell ~ button")
        await players.until_heard('X-TELL 1 "nothing special"')
        await press(page, "button[value='ask 3']")
        await players.until_heard("X-ASK 3")
        await tab_to(page, "#say")
        await page.keyboard.type("thanks")
        await page.keyboard.press("Enter")
        await players.until_heard("X-SAY thanks")
        await tab_to(page, "#say")
        await page.keyboard.type("not sent yet")
        await press(page, "button[value=mute]")
        await page.locator("button[value=mute][aria-pressed=true]").wait_for()
        assert [await each.input_value() for each in await page.locator("#say").all()] == ["not sent yet"]
        await press(page, "#undo button")
        await players.until_heard("X-UNDO")
        await press(page, "#claim summary")
        await press(page, "button[value=claim]")
        await players.until_heard("X-CLAIM")
        await press(page, "form[action$=leave] button")
        await players.until_heard("X-LEAVE")


@pytest.mark.parametrize("width", [NARROW, WIDE])
async def test_the_bids_are_one_stop_of_the_tab_key_in_which_the_arrows_move(chromium: Browser, width: int) -> None:
    async with window(chromium, width) as page, seated(page, *TO_CALL) as players:
        if width == NARROW:  # where the bids of one level are there, which the arrows choose
            await tab_to(page, ".levels input")
            await page.keyboard.press("ArrowRight")
        await tab_to(page, ".levels button")
        if width == WIDE:
            await page.keyboard.press("ArrowDown")
        await page.keyboard.press("ArrowRight")
        await page.keyboard.press("Tab")
        assert await page.evaluate("document.activeElement.value") == "Pass"
        await page.keyboard.press("Shift+Tab")
        await page.keyboard.press("Enter")
        await players.until_heard("BID 2D")
