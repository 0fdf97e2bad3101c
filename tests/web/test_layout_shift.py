"""Nothing on the front page jumps while its event is played: the browser counts what moves without being asked to."""

from pathlib import Path

import pytest
from playwright.async_api import Browser, Page, expect

from tests.support.browser_pages import WAIT_MS, window
from tests.support.live_event import set_state, take_up
from tests.support.played_event import PlayedEvent, draw_event, event_text
from tests.support.served_event import serving_here
from tourney.movement.seating import Room, TableState

pytestmark = pytest.mark.asyncio(loop_scope="session")

TEAMS = ("Ants", "Bees", "Cats", "Dogs", "Eels", "Frogs")

OBSERVE = """
window.shifts = [];
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) {
    const moved = entry.sources.map((each) => each.node?.outerHTML?.slice(0, 80) ?? each.node?.nodeName);
    if (!entry.hadRecentInput) window.shifts.push([entry.value, moved]);
  }
}).observe({ type: "layout-shift", buffered: true });
"""


async def moved(page: Page) -> list[list[object]]:
    """What has moved, but for the digits of a score within their own box."""
    found: list[list[object]] = await page.evaluate("window.shifts")
    return [each for each in found if each[1] != ["#text"]]


async def opened(page: Page, address: str) -> None:
    await page.add_init_script(OBSERVE)
    await page.goto(address)
    await expect(page.locator("html")).to_have_attribute("data-live", "yes", timeout=WAIT_MS)


def played_with_tables(folder: Path) -> PlayedEvent:
    """Three matches of six boards, whose players have sat down; each match has boards of its own."""
    played = draw_event(folder, event_text(*TEAMS, boards=6, deals='shared = "match"\nseed = 3'))
    for number in (1, 2, 3):
        for room in Room:
            set_state(played, take_up(played, number, room), TableState.PLAYING)
    return played


async def test_nothing_moves_on_the_front_page_while_boards_are_played(tmp_path: Path, chromium: Browser) -> None:
    played = played_with_tables(tmp_path)
    with serving_here(played.path) as served:
        async with window(chromium, 1280) as wide, window(chromium, 390) as narrow:
            await opened(wide, served.address)
            await opened(narrow, served.address)
            for board in range(1, 6):
                for number in (1, 2, 3):
                    played.play(number, boards=[board])
                for page in (wide, narrow):
                    await expect(page.locator(".progress").last).to_contain_text(f"{board}/6", timeout=WAIT_MS)
            assert [await moved(page) for page in (wide, narrow)] == [[], []]
