"""A real browser for the tests that need one: Chromium, by Playwright."""

import asyncio
import os
import subprocess
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, async_playwright

ROOT = Path(__file__).parents[2]

CLOSE_S = 30
"""How long the browser may take to close: Playwright would wait for ever for one that has ended by itself."""


@pytest.fixture(scope="session")
def browser_path() -> str:
    """The program; where there is none the tests are skipped, but not in continuous integration."""
    found = subprocess.run(["sh", ROOT / "tools" / "find-browser"], capture_output=True, text=True, check=False)
    if found.returncode:
        if os.environ.get("CI") == "true":
            pytest.fail(found.stderr)
        pytest.skip(found.stderr.strip())
    return found.stdout.strip()


# One for the session: it takes half a second to start. Playwright's other API would break asynchronous tests.
@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def chromium(browser_path: str) -> AsyncIterator[Browser]:
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=browser_path)
        try:
            yield browser
        finally:
            async with asyncio.timeout(CLOSE_S):
                await browser.close()
