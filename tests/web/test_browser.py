"""Live pages in a real browser: they change by themselves, say when they do not, and are whole without scripts."""

import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from playwright.async_api import Browser, Page, expect

from tests.support.browser_pages import WAIT_MS, act, violations, window
from tests.support.played_event import draw_event, draw_half_played, event_text
from tests.support.served_event import serving, serving_here

pytestmark = pytest.mark.asyncio(loop_scope="session")


@asynccontextmanager
async def opened(
    chromium: Browser, address: str, *, scripts: bool = True, width: int = 1280, zone: str = "UTC"
) -> AsyncIterator[Page]:
    """Open an address in a window of its own."""
    async with window(chromium, width, scripts=scripts, zone=zone) as page:
        await page.goto(address)
        yield page


async def test_a_page_changes_by_itself(tmp_path: Path, chromium: Browser) -> None:
    played = draw_event(tmp_path, event_text("Ants", "Bees", boards=4))
    with serving_here(played.path) as served:
        async with opened(chromium, f"{served.address}match/1") as page:
            link, mine = 'a[href*="board/1"]', "document.body.dataset.mine"  # a page loaded anew would not have it
            await act(page, f"sees html[data-live=yes]\nscript {mine} = 'here' -> ...\nsees no {link}")
            played.play(1, boards=[1])
            await act(
                page,
                f"""
                sees {link}
                script {mine} -> "here"
                clicks {link} >> nth=0
                script location.href -> "{served.address}match/1/board/1"
                """,
            )


async def test_a_page_says_when_it_is_not_live_and_comes_back(tmp_path: Path, chromium: Browser) -> None:
    played = draw_half_played(tmp_path)
    with serving(played.path) as served:
        async with opened(chromium, served.address) as page:
            await act(page, "sees html[data-live=yes]")
            served.end(signal.SIGKILL)
            await act(page, "sees #not-live\nsees 1 [role=status]\nreads main: Ants")
            port = int(served.address.strip("/").rpartition(":")[2])
            with serving_here(played.path, port=port):
                await act(page, "sees html[data-live=yes]\nsees no #not-live")


@pytest.mark.campaign
async def test_the_schedule_has_days_of_the_event_and_times_of_the_reader(tmp_path: Path, chromium: Browser) -> None:
    stage = "starts = [2026-11-21T14:00:00Z, 2026-11-21T23:30:00Z, 2026-11-22T18:00:00Z]"
    text = event_text("Ants", "Bees", "Cats", stage=stage).replace(
        "[[team]]", 'timezone = "Europe/Berlin"\n[[team]]', 1
    )
    played = draw_event(tmp_path, text)
    with serving(played.path) as served:
        address = f"{served.address}schedule"
        async with opened(chromium, address, width=390, zone="Asia/Tokyo") as page:
            days = page.get_by_role("rowheader")
            assert (await days.all_inner_texts())[:2] == ["Saturday 21 November 2026", "Sunday 22 November 2026"]
            starts = page.locator("h2 time")
            await expect(starts.first).to_have_text("21 Nov 23:00 GMT+9")
            assert await starts.all_inner_texts() == [
                "21 Nov 23:00 GMT+9",
                "22 Nov 08:30 GMT+9",
                "23 Nov 03:00 GMT+9",
            ]
            assert await starts.nth(1).get_attribute("title") == "22 Nov 00:30 CET (21 Nov 23:30 UTC)"
            assert await page.evaluate("document.documentElement.scrollWidth") <= 390
            assert await violations(page) == {}
            played.play(1, boards=[1])  # the page is fetched again, and its times are shown as before
            await expect(page.locator("main")).to_contain_text("1 of 2 boards", timeout=WAIT_MS)
            await expect(starts.first).to_have_text("21 Nov 23:00 GMT+9")
            link = await page.get_by_role("link", name="Calendar file").get_attribute("href")
            answer = await page.request.get(f"{served.address}{link}")
            assert (answer.status, answer.headers["content-type"]) == (200, "text/calendar; charset=utf-8")
            assert (await answer.body()).count(b"BEGIN:VEVENT\r\n") == 3
        async with opened(chromium, address, scripts=False, zone="Asia/Tokyo") as page:
            assert await page.locator("h2 time").first.inner_text() == "21 Nov 15:00 CET (14:00 UTC)"
