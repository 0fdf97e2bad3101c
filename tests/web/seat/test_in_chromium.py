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
from tests.support.browser_pages import NARROW, WIDE, act, look_at, tab_to, window
from tests.support.players_server import PlayersServer, players_server
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


async def use(page: Page, players: PlayersServer, script: str) -> None:
    """Let a person use the page of a seat, as `act` does:

    enters #undo button          goes there by Tab, sees that it stands out, and presses Enter
    hears X-UNDO                 what the server of players hears sooner or later
    server X-UNDO 4 E            what players are told now
    has sent BID 2C              the call or card so far, or nothing
    """

    async def check_sent(what: str) -> None:
        sent = [line for line in players.heard if line.startswith(("BID", "PLAY"))]
        assert sent == ([] if what == "sent nothing" else [what.removeprefix("sent ")])

    async def enter(what: str) -> None:
        await tab_to(page, what)
        assert await page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid", what
        await page.keyboard.press("Enter")

    await act(page, script, server=players.say, hears=players.until_heard, has=check_sent, enters=enter)


async def test_by_touch_the_first_tap_lifts_the_second_plays_and_one_elsewhere_lowers(chromium: Browser) -> None:
    async with window(chromium, NARROW, touch=True) as page, seated(page, *IN_PLAY) as players:
        top = "document.querySelector('button[value={}]').getBoundingClientRect().top"
        is_lifted = f"script {top.format('H9')} < {top.format('HT')}"
        await use(
            page,
            players,
            f"""
            {is_lifted} -> false
            taps button[value=H9]
            {is_lifted} -> true
            taps .bar >> nth=0
            {is_lifted} -> false
            taps button[value=H9]
            taps button[value=H8]
            # Another one is lifted in its place.
            {is_lifted} -> false
            has sent nothing
            server X-SAID E "take your time"
            sees text=take your time
            taps button[value=H8]
            hears PLAY 8H
            has sent PLAY 8H
            """,
        )


@pytest.mark.parametrize(("width", "level"), [(NARROW, "taps label[for=level-2]"), (WIDE, "")])
async def test_a_call_takes_two_taps_or_clicks_unless_the_player_wants_one_which_the_browser_keeps(
    chromium: Browser, width: int, level: str
) -> None:
    hits = "taps" if level else "clicks"
    async with window(chromium, width, touch=width == NARROW) as page:
        async with seated(page, *TO_CALL) as players:
            await use(
                page,
                players,
                f"""
                {hits} button[value=Pass]
                sees 1 .armed
                {hits} .bar
                sees no .armed
                has sent nothing
                {level}
                {hits} button[value="2C"]
                {hits} button[value="2C"]
                hears BID 2C
                has sent BID 2C
                """,
            )
        async with seated(page, *TO_CALL) as players:
            await use(page, players, f"{hits} text=1 click")
            await page.reload()
            await use(page, players, f"{hits} button[value=Pass]\nhears BID PASS")


async def test_claims_questions_and_the_end_of_a_board_are_asked_in_dialogs_without_fault(chromium: Browser) -> None:
    found = {}
    async with window(chromium, WIDE) as page, seated(page, *IN_PLAY, "X-MAY 1 0 0 -") as players:

        async def look(state: str, script: str) -> None:
            await use(page, players, script)
            found[state] = await look_at(page)

        claim = "role=alertdialog[name=/^East claims the rest of the tricks with/]"
        await look("claim", f"server X-CLAIM 3 E AD,KD,QD\nsees {claim}")
        # It is asked first; the question stays open meanwhile.
        await use(
            page,
            players,
            f"""
            clicks {claim} >> button:has-text("Reject")
            hears X-REJECT 3
            server X-CLAIMED 3 NO
            server TRICK S 7H,2H
            sees text=the claim is rejected: play goes on
            sees no {claim}
            clicks text=Claim the rest
            """,
        )
        assert "X-CLAIM" not in players.heard
        await look(
            "undo",
            """
            server X-SAID E "what next?"
            sees text=what next?
            clicks role=button[name="Claim, and show my cards"]
            hears X-CLAIM
            server NAK "a claim is made in turn"
            sees [role=status] >> text=a claim is made in turn
            server X-UNDO 4 E
            sees role=alertdialog[name=/^East asks to take/]
            """,
        )
        await use(page, players, "server X-UNDONE 4 NO\nserver X-ASKED 1")
        await page.get_by_label("An opponent asks what your Pass means").wait_for()
        await look("question", "")
        await players.say("TRICKSWON " + ",".join("N" * 13), "X-RESULT 1NTE 0 350", "X-READY 30000")
        await look("result", 'sees role=button[name="Next board"]')
    assert {state: problems for state, problems in found.items() if problems} == {}


async def test_every_part_of_a_seat_is_reached_and_used_by_keys_alone(chromium: Browser) -> None:
    asked = ("X-MAY 1 1 1 1,2,3", "X-UNDO 4 E", "X-ASKED 1")
    async with window(chromium, WIDE) as page, seated(page, *IN_PLAY, *asked) as players:
        await use(
            page,
            players,
            """
            sees role=alertdialog
            enters button[value=accept]
            hears X-ACCEPT 4
            tabs to #tell
            types nothing special
            enters #tell ~ button
            hears X-TELL 1 "nothing special"
            enters button[value='ask 3']
            hears X-ASK 3
            tabs to #say
            types thanks
            presses Enter
            hears X-SAY thanks
            tabs to #say
            types not sent yet
            enters button[value=mute]
            sees button[value=mute][aria-pressed=true]
            script [...document.querySelectorAll("#say")].map((each) => each.value) -> ["not sent yet"]
            enters #undo button
            hears X-UNDO
            enters #claim summary
            enters button[value=claim]
            hears X-CLAIM
            enters form[action$=leave] button
            hears X-LEAVE
            """,
        )


@pytest.mark.parametrize(
    ("width", "before", "keys"),
    [
        # Where the bids of one level are there, which the arrows choose.
        (NARROW, "tabs to .levels input\npresses ArrowRight", "ArrowRight"),
        (WIDE, "", "ArrowDown ArrowRight"),
    ],
)
async def test_the_bids_are_one_stop_of_the_tab_key_in_which_the_arrows_move(
    chromium: Browser, width: int, before: str, keys: str
) -> None:
    async with window(chromium, width) as page, seated(page, *TO_CALL) as players:
        await use(
            page,
            players,
            f"""
            {before}
            tabs to .levels button
            presses {keys} Tab
            script document.activeElement.value -> "Pass"
            presses Shift+Tab Enter
            hears BID 2D
            """,
        )
