"""The console in a real browser: a whole action with and without scripts, what changes by itself, axe."""

import re
from pathlib import Path

import pytest
from playwright.async_api import Browser, Page, expect

from tests.support.browser_pages import WIDE, act, look_at, window
from tests.support.console_client import PHRASE, add_console_user
from tests.support.played_event import PlayedEvent, draw_half_played
from tests.support.served_event import serving_here
from tests.support.web_conversation import log_of
from tourney.movement.seating import Room
from tourney.protocol.session.records import RulingKind
from tourney.store.control.orders import give_orders
from tourney.store.models import OrderKind, UserRole
from tourney.web.serving import Served

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def log_in(page: Page, address: str, name: str) -> None:
    await page.goto(f"{address}director")
    await page.get_by_label("Name").fill(name)
    await page.get_by_label("Passphrase").fill(PHRASE)
    await page.click('role=button[name="Log in"]')
    await expect(page.get_by_role("heading", level=1)).to_have_text(re.compile("alarm|Needs you"))


def paused_event(folder: Path) -> PlayedEvent:
    """An event with a table that is paused, a board in play, a ruling and two users."""
    played = draw_half_played(folder)
    played.begin(2, Room.OPEN, 2)
    played.rule(2, "Cats", RulingKind.BOARD_FORFEIT, "late", room=Room.CLOSED, board=1, attempt=1)
    table = played.table(3, Room.OPEN)
    give_orders(played.database, [table.id], OrderKind.PAUSE, author="ben", now_ms=1)
    add_console_user(played, "anna", UserRole.ORGANISER)
    add_console_user(played, "ben")
    return played


@pytest.mark.parametrize(("scripts", "width"), [(True, 1280), (False, 390)])
async def test_a_whole_action(tmp_path: Path, chromium: Browser, scripts: bool, width: int) -> None:
    played = paused_event(tmp_path)
    with serving_here(played.path) as served:
        async with window(chromium, width, scripts=scripts) as page, window(chromium, 1280) as other:
            await log_in(page, served.address, "anna")
            await act(page, "reads .alarm: 3-open")
            if scripts:
                await log_in(other, served.address, "ben")
                await act(other, "sees html[data-live=yes]")
            resume = 'clicks .alarm >> role=button[name="Resume"]\nreads .outcome: it will be played in its turn'
            await act(page, resume)
            await page.reload()
            if scripts:  # the other director's page has changed by itself
                await act(other, "sees no .alarm\nreads .log: Resume 3-open")
            await act(
                page,
                """
                clicks role=link[name="Log out"]
                clicks role=button[name="Log out"s]
                reads h1: Log in
                """,
            )
    assert [line for line in log_of(played) if line.startswith("anna")] == [
        "anna log in: logged in",
        "anna resume 3-open: resume ordered at 1 table",
        "anna log out: logged out",
    ]


@pytest.mark.campaign
async def test_axe_has_no_finding_and_nothing_is_wider_than_the_screen(tmp_path: Path, chromium: Browser) -> None:
    found: dict[str, dict[str, list[str]]] = {}
    with serving_here(paused_event(tmp_path).path, served=Served.CONSOLE) as served:
        async with window(chromium, WIDE) as page:

            async def look(what: str) -> None:
                found[what] = await look_at(page)

            async def open_page(what: str) -> None:
                await page.goto(f"{served.address}director/{what}")

            async def fill(what: str) -> None:
                label, _, value = what.partition(": ")
                await page.get_by_label(label).fill(value)

            async def choose(what: str) -> None:
                label, _, value = what.partition(": ")
                await page.get_by_label(label).select_option(value)

            await page.goto(f"{served.address}director")
            await look("login")
            await log_in(page, served.address, "anna")
            await look("console")
            pages = "table/2-open hosts rulings log users account do/pause do/assign?table=1-open x do/add-user"
            for address in pages.split(" "):
                await open_page(address)
                await look(address)
            await act(
                page,
                """
                opens table/2-open
                clicks role=button[name="Show hands"]
                sees .uncovered
                looks hands
                opens do/stop?table=2-open
                chooses Where: 2-open
                fills Reason: network
                clicks role=button[name="Preview"]
                sees role=button[name="Change"]
                looks preview
                opens do/add-user
                fills Name: cleo
                chooses Role: operator
                fills Reason: helps
                clicks role=button[name="Preview"]
                clicks role=button[name="Add a user"]
                reads [role=alert]: 12 to 200 characters
                looks passphrase
                """,
                looks=look,
                opens=open_page,
                fills=fill,
                chooses=choose,
            )
    assert {what: faults for what, faults in found.items() if faults} == {}
