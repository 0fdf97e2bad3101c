"""A person plays a board in a real browser by the keyboard alone; what is read out; what axe finds on the way."""

from pathlib import Path

import pytest
from playwright.async_api import Browser, Page

from tests.support.browser_pages import NARROW, WAIT_MS, WIDE, tab_to, violations, window
from tests.support.events import port_range
from tests.web.seat.test_two_people import lobby

pytestmark = pytest.mark.asyncio(loop_scope="session")

NEXT = 'button[value="ready"]'
PASS = 'button.call[value="Pass"]:not([disabled])'
CARD = ".fan button:not([aria-disabled])"

# Notes, for each sentence that the log is given, its number: a screen reader reads what is added.
LISTEN = """() => {
  window.heard = [];
  new MutationObserver((changes) => changes.forEach((change) => change.addedNodes.forEach((node) =>
    window.heard.push(node.id)))).observe(document.querySelector("[role=log]"), { childList: true });
}"""


async def play_card(page: Page) -> None:
    """Go to a hand by Tab and in it by the arrows, and play its first card that may be played."""
    hand = '[data-hand]:has(button:not([aria-disabled])) button[tabindex="0"]'
    await tab_to(page, hand)
    await page.keyboard.press("Home")
    for _ in range(13):
        if await page.evaluate("(wanted) => document.activeElement.matches(wanted)", CARD):
            await page.keyboard.press("Enter")
            return
        await page.keyboard.press("ArrowRight")
    raise AssertionError("no card in reach of the arrows")


@pytest.mark.campaign
async def test_a_board_is_played_by_keys_alone_and_each_sentence_is_read_once(
    tmp_path: Path, chromium: Browser
) -> None:
    players, _, web = port_range(2).partition("-")
    found: dict[str, object] = {}

    async def look(page: Page, state: str) -> None:
        if state not in found:
            found[state] = await violations(page)
            await page.emulate_media(color_scheme="dark")
            found[f"{state}, dark"] = await violations(page, scheme="dark")
            await page.emulate_media(color_scheme="light")

    async with window(chromium, WIDE) as page, lobby(tmp_path, players, web, bots=3, trick_pause_ms=150) as address:
        await page.goto(f"{address}seat")
        await look(page, "door")
        await page.keyboard.type("Ann")  # the name has the focus
        await page.keyboard.press("Enter")
        await page.wait_for_selector('button[value="new duplicate"]')
        await look(page, "choices")
        await tab_to(page, 'button[value="new duplicate"]')
        await page.keyboard.press("Enter")
        await page.wait_for_selector(f"{PASS}, {CARD}", timeout=2 * WAIT_MS)
        await page.evaluate(LISTEN)
        while not await page.locator(NEXT).count():
            await page.wait_for_selector(f"{PASS}, {CARD}, {NEXT}", timeout=4 * WAIT_MS)
            if await page.locator(NEXT).count():
                break
            position = await page.locator("input[name=at]").first.get_attribute("value")
            assert (await page.title()).startswith("Your turn")
            if await page.locator(PASS).count():
                await look(page, "auction")
                await tab_to(page, PASS)
                await page.keyboard.press("Enter")
            else:
                await look(page, "play")
                await play_card(page)
            await page.wait_for_selector(f'input[name=at]:not([value="{position}"])', state="attached")
        await look(page, "result")
        await page.fill("#say", "well play")
        await tab_to(page, NEXT)
        await page.keyboard.press("Enter")
        await page.wait_for_selector(NEXT, state="detached")
        assert await page.input_value("#say") == "well play"  # what is being typed survives
        heard = await page.evaluate("window.heard")
        await page.set_viewport_size({"width": NARROW, "height": 664})
        await page.wait_for_selector(PASS, timeout=2 * WAIT_MS)
        await look(page, "narrow auction")
        assert await page.evaluate("document.documentElement.scrollWidth") <= NARROW
        box = await page.locator(".fan[data-hand]").bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= 664  # the hand is in sight while its player bids
    assert {state: problems for state, problems in found.items() if problems} == {}
    assert {"auction", "play"} & set(found)
    assert len(heard) == len(set(heard)) > 20
