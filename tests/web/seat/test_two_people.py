"""Two people in real browsers and two bots play a board: clicks, words, a reload, a kill."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from playwright.async_api import Browser, Page

from tests.support.browser_pages import NARROW, WAIT_MS, WIDE, violations, window
from tests.support.commands import run
from tests.support.events import port_range, read_until, start_tourney, write_lobby

pytestmark = pytest.mark.asyncio(loop_scope="session")

BOARD_MS = 4 * WAIT_MS
"""How long a board may take, during which dummy has nothing to do."""

PASS = 'button.call[value="Pass"]:not([disabled])'
LEGAL = f"{PASS}, .fan button:not([aria-disabled])"


async def sit(page: Page, address: str, name: str, choice: str) -> None:
    await page.goto(f"{address}seat?name={name}")
    await page.get_by_role("button", name="Sit down").click()
    await page.get_by_role("button", name=choice).click()


async def play(page: Page, text: str, *, reloads: bool = False) -> None:
    """Play until the page has a text."""
    shown = page.locator("main").get_by_text(text)
    while not await shown.count():
        await page.wait_for_selector(f"{LEGAL}, main:has-text('{text}')", timeout=BOARD_MS)
        if not await page.locator(LEGAL).count():
            continue
        position = await page.locator("input[name=at]").first.get_attribute("value")
        passing = page.locator(PASS)
        await (passing if await passing.count() else page.locator(LEGAL).first).dblclick()
        await page.wait_for_selector(f'input[name=at]:not([value="{position}"])', state="attached", timeout=WAIT_MS)
        if reloads and await page.locator(".laid [data-played]").count():
            reloads = False
            await page.reload()


@asynccontextmanager
async def lobby(folder: Path, players: str, web: str, bots: int = 2, trick_pause_ms: int = 0) -> AsyncIterator[str]:
    """A lobby with its pages; the address of these."""
    write_lobby(folder, seed=5, trick_pause_ms=trick_pause_ms)
    options = ("--bots", str(bots), "--kind", "duplicate")
    process = start_tourney("lobby", folder, "--port", players, "--web", web, *options)
    try:
        await asyncio.to_thread(read_until, process, "people sit down at")
        yield f"http://127.0.0.1:{web}/"
    finally:
        if process.poll() is None:
            process.kill()
        await asyncio.to_thread(process.communicate)


@pytest.mark.campaign
async def test_two_people_play_a_board_through_a_reload_and_a_killed_lobby(tmp_path: Path, chromium: Browser) -> None:
    players, _, web = port_range(2).partition("-")
    async with window(chromium, WIDE) as ann, window(chromium, NARROW) as bob:
        async with lobby(tmp_path, players, web) as address:
            await sit(ann, address, "Ann", "duplicate")
            await sit(bob, address, "Bob", "g1 (duplicate: Ann)")
            await asyncio.gather(play(ann, "Last trick", reloads=True), play(bob, "Last trick"))
            found = [await violations(page) for page in (ann, bob)]
            assert found == [{}, {}]
        async with lobby(tmp_path, players, web) as address:  # the seats of the browsers were kept by it alone
            for page, name in ((ann, "Ann"), (bob, "Bob")):
                await sit(page, address, name, "Back to my game")
            await asyncio.gather(play(ann, "Board 1: "), play(bob, "Board 1: "))
    event = tmp_path / "lobby.toml"
    assert run("verify", event).exit_code == 0
