"""The console in a real browser: a whole action with and without scripts, what changes by itself, axe."""

import re
from pathlib import Path

import pytest
from playwright.async_api import Browser, Page, expect

from tests.support.browser_pages import WIDE, look_at, window
from tests.support.console_client import PHRASE, add_console_user
from tests.support.played_event import PlayedEvent, draw_half_played
from tests.support.served_event import serving_here
from tourney.movement.seating import Room
from tourney.protocol.session.records import RulingKind
from tourney.store.console_log import load_entries
from tourney.store.control.orders import give_orders
from tourney.store.models import OrderKind, UserRole
from tourney.web.serving import Served

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def log_in(page: Page, address: str, name: str) -> None:
    await page.goto(f"{address}director")
    await page.get_by_label("Name").fill(name)
    await page.get_by_label("Passphrase").fill(PHRASE)
    await page.get_by_role("button", name="Log in").click()
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
            await expect(page.locator(".alarm")).to_contain_text("3-open")
            if scripts:
                await log_in(other, served.address, "ben")
                await expect(other.locator("html")).to_have_attribute("data-live", "yes")
            await page.locator(".alarm").get_by_role("button", name="Resume").click()
            await expect(page.locator(".outcome")).to_contain_text("it will be played in its turn")
            await page.reload()
            if scripts:  # the other director's page has changed by itself
                await expect(other.locator(".alarm")).to_have_count(0)
                await expect(other.locator(".log")).to_contain_text("Resume 3-open")
            await page.get_by_role("link", name="Log out").click()
            await page.get_by_role("button", name="Log out", exact=True).click()
            await expect(page.get_by_role("heading", level=1)).to_have_text("Log in")
    done = [entry.action for entry in load_entries(played.database, played.event.id, limit=9) if entry.user == "anna"]
    assert done == ["log out", "resume", "log in"]


async def test_axe_has_no_finding_and_nothing_is_wider_than_the_screen(tmp_path: Path, chromium: Browser) -> None:
    found: dict[str, dict[str, list[str]]] = {}
    with serving_here(paused_event(tmp_path).path, served=Served.CONSOLE) as served:
        async with window(chromium, WIDE) as page:

            async def poll(what: str) -> None:
                found[what] = await look_at(page)

            await page.goto(f"{served.address}director")
            await poll("login")
            await log_in(page, served.address, "anna")
            await poll("console")
            for address in (
                "table/2-open",
                "hosts",
                "rulings",
                "log",
                "users",
                "account",
                "do/pause",
                "do/assign?table=1-open",
                "x",
            ):
                await page.goto(f"{served.address}director/{address}")
                await poll(address)
            await page.goto(f"{served.address}director/table/2-open")
            await page.get_by_role("button", name="Show hands").click()
            await expect(page.locator(".uncovered")).to_be_visible()
            await poll("hands")
            await page.goto(f"{served.address}director/do/stop?table=2-open")
            await page.get_by_label("Where").select_option("2-open")
            await page.get_by_label("Reason").fill("network")
            await page.get_by_role("button", name="Preview").click()
            await expect(page.get_by_role("button", name="Change")).to_be_visible()
            await poll("preview")
            await page.goto(f"{served.address}director/do/add-user")
            await poll("add-user")
            await page.get_by_label("Name").fill("cleo")
            await page.get_by_label("Role").select_option("operator")
            await page.get_by_label("Reason").fill("helps")
            await page.get_by_role("button", name="Preview").click()
            await page.get_by_role("button", name="Add a user").click()
            await expect(page.get_by_role("alert")).to_contain_text("12 to 200 characters")
            await poll("passphrase")
    assert {what: faults for what, faults in found.items() if faults} == {}
