"""Pages in windows of a real browser: of a width, with scripts or without; and what axe finds on them."""

import json
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any, Final

from axe_playwright_python.async_playwright import Axe
from playwright.async_api import Browser, Page, expect

from tests.support.conversation import steps_of
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


async def act(  # noqa: PLR0912 # a case for each step
    page: Page, script: str, **own: Callable[[str], Awaitable[object]]
) -> None:
    """Do what a person does in a browser, and see what comes of it; the steps, `own` ones by their first word:

    goes to http://...
    clicks role=button[name="Preview"]     or taps; elements are named as Playwright names them
    tabs to #say                           by the key alone
    presses ArrowRight End
    types thanks                           where the focus is
    sees .alarm                            sooner or later; `sees no .alarm`, `sees 2 .alarm`
    reads .outcome: it will be played      words that it has sooner or later
    script document.title -> "Standings"   the value of an expression
    """
    for step in steps_of(script):
        verb, _, what = step.what.partition(" ")
        match [verb, *what.split()]:
            case _ if verb in own:
                await own[verb](what)
            case ["goes", "to", address]:
                await page.goto(address)
            case ["clicks", *_]:
                await page.click(what)
            case ["taps", *_]:
                await page.tap(what)
            case ["tabs", "to", *_]:
                await tab_to(page, what.removeprefix("to "))
            case ["presses", *keys]:
                for key in keys:
                    await page.keyboard.press(key)
            case ["types", *_]:
                await page.keyboard.type(what)
            case ["sees", "no", *_]:
                await expect(page.locator(what.removeprefix("no "))).to_have_count(0, timeout=WAIT_MS)
            case ["sees", number, *_] if number.isdecimal():
                await expect(page.locator(what.partition(" ")[2])).to_have_count(int(number), timeout=WAIT_MS)
            case ["sees", *_]:
                await page.locator(what).first.wait_for()
            case ["reads", *_]:
                element, _, words = what.partition(": ")
                await expect(page.locator(element).first).to_contain_text(words, timeout=WAIT_MS)
            case ["script", *_]:
                step.check([json.dumps(await page.evaluate(what), ensure_ascii=False)])
            case _:
                raise AssertionError(f"nobody does {step.what!r} in a browser")


async def tab_to(page: Page, selector: str) -> None:
    """Press Tab until an element of these has the focus."""
    for _ in range(120):
        if await page.evaluate("(wanted) => document.activeElement.matches(wanted)", selector):
            return
        await page.keyboard.press("Tab")
    raise AssertionError(f"no way by Tab to {selector}")
