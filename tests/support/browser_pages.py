"""Pages in windows of a real browser: of a width, with scripts or without; and what axe finds on them."""

import re
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any, Final

from axe_playwright_python.async_playwright import Axe
from playwright.async_api import Browser, Page

from tourney.web.answers import PUBLIC_HEADERS

WAIT_MS: Final = 30_000
"""How long a page may take to become what a test expects; machines may be busy."""

VIOLATIONS_ONLY: Final = {"resultTypes": ["violations"]}
"""Axe otherwise describes every element that passes, which takes longer than looking at them."""

OF_COLOURS_AND_WIDTH: Final = VIOLATIONS_ONLY | {
    "runOnly": ["color-contrast", "link-in-text-block", "scrollable-region-focusable"]
}
"""What may be otherwise in the dark and on a telephone; all other rules are of the page itself."""

_EXPECTED: Final = re.compile("ERR_|favicon|status of 4")
"""What a browser complains about where a test asks for it: a server that is away, a page that is not there."""


class Handler(SimpleHTTPRequestHandler):
    """Serves a folder under the policy of our own server."""

    def end_headers(self) -> None:
        policy = PUBLIC_HEADERS["content-security-policy"]
        self.send_header("content-security-policy", policy)
        super().end_headers()

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def serving_folder(folder: Path) -> Iterator[str]:
    """Serve the pages of a folder; yields the address of the front page."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=str(folder))) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()  # a server that is closed without it takes all the time there is


@asynccontextmanager
async def window(
    chromium: Browser,
    width: int,
    *,
    scripts: bool = True,
    scheme: str = "light",
    zone: str = "UTC",
    touch: bool = False,
) -> AsyncIterator[Page]:
    """Open a window with cookies of its own, as high as a telephone or a screen; whatever it complains about fails
    the test."""
    context = await chromium.new_context(
        viewport={"width": width, "height": 900 if width > 500 else 844},
        java_script_enabled=scripts,
        color_scheme="dark" if scheme == "dark" else "light",
        reduced_motion="reduce",
        timezone_id=zone,
        has_touch=touch,
        is_mobile=touch,
    )
    context.set_default_timeout(WAIT_MS)
    try:
        page = await context.new_page()
        complaints: list[str] = []
        page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        yield page
        assert [words for words in complaints if _EXPECTED.search(words) is None] == []
    finally:
        await context.close()


WIDE: Final = 1280
NARROW: Final = 390
"""Widths of a screen and of a telephone, in pixels."""


async def look_at(page: Page, *, light: bool = True, dark: bool = True) -> dict[str, list[str]]:
    """Return what is wrong with how an open page looks: wider than a screen or a telephone, or what axe finds.

    Args:
        page: the page, on a screen.
        light: whether axe looks at it on a screen, by all of its rules.
        dark: whether axe looks at it in the dark on a telephone, by the rules of colours.
    """
    found = await violations(page) if light else {}
    for width in (WIDE, NARROW):
        await page.set_viewport_size({"width": width, "height": 900})
        if await page.evaluate("document.documentElement.scrollWidth > window.innerWidth"):
            found[f"wider than {width}"] = []
    if dark:
        await page.emulate_media(color_scheme="dark")
        found |= {f"{rule} in the dark": where for rule, where in (await violations(page, scheme="dark")).items()}
        await page.emulate_media(color_scheme="light")
    await page.set_viewport_size({"width": WIDE, "height": 900})
    return found


async def violations(page: Page, *, scheme: str = "light") -> dict[str, list[str]]:
    """Return the elements of a page that axe finds fault with, by its rules; in the dark those of colours only."""
    options: dict[str, Any] = OF_COLOURS_AND_WIDTH if scheme == "dark" else VIOLATIONS_ONLY
    found = (await Axe().run(page, options=options)).response["violations"]
    return {each["id"]: [node["html"][:200] for node in each["nodes"][:3]] for each in found}
