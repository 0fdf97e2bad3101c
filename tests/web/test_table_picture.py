"""The picture of a table in a real browser: at every size and moment, by keys, in both schemes; and its script."""

from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, Route

from tests.support.browser_pages import act, serving_folder, window
from tests.support.table_pages import FILES, moments, write_tables
from tourney.site.rendering import asset

pytestmark = pytest.mark.asyncio(loop_scope="session")

SIZES = (
    *((1600, 900), (1280, 720), (1024, 768)),
    *((844, 390), (390, 844), (390, 664), (360, 640), (320, 568)),
)
"""Screens, the telephone that lies on its side, and telephones held upright."""
BYTES_MAX = 54_000
"""For scripts, the style of all pages and drawings of the table together."""

OVERLAPS = """() => {
    const parts = [...document.querySelectorAll(".place, .centre, .bar, .prompt")];
    const boxes = parts.map((part) => [part.className, part.getBoundingClientRect()]);
    const found = [];
    boxes.forEach(([one, a], index) => boxes.slice(index + 1).forEach(([other, b]) => {
        const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
        const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
        if (across > 0.5 && down > 0.5) found.push(`${one} and ${other}`);
    }));
    return found;
}"""
"""Which parts of the picture lie over each other."""

OUTSIDE = """() => [...document.querySelectorAll(".face, .call, .chip, .holdings li, .levels label, .step")]
    .filter((part) => part.checkVisibility())
    .filter((part) => {
        const { left, right } = part.getBoundingClientRect();
        return left < -0.5 || right > innerWidth + 0.5;
    })
    .map((part) => part.outerHTML.slice(0, 80))"""
"""What reaches over the edge of the screen."""

STEPS = """() => [...document.querySelectorAll("[data-hand]")].flatMap((hand) => {
    const lefts = [...hand.querySelectorAll("button")].map((card) => card.getBoundingClientRect());
    return lefts.slice(1)
        .map((box, index) => [box.left - lefts[index].left, box.top - lefts[index].top])
        .filter(([, down]) => Math.abs(down) < 1)
        .map(([across]) => across);
})"""
"""How wide what is seen of each card that is a button is, but for the last of a row, which is seen whole."""


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Pages of all moments; yields the address above them."""
    folder = tmp_path_factory.mktemp("tables")
    write_tables(folder)
    with serving_folder(folder) as address:
        yield address


async def open_table(page: Page, tables: str, name: str, size: tuple[int, int]) -> None:
    await page.set_viewport_size({"width": size[0], "height": size[1]})
    await page.goto(f"{tables}/{name}.html")


@pytest.mark.parametrize("scripts", [True, False])
@pytest.mark.campaign
async def test_nothing_overlaps_or_leaves_the_screen_at_any_size(
    tables: str, chromium: Browser, *, scripts: bool
) -> None:
    faults: dict[str, Any] = {}
    async with window(chromium, 1280, scripts=scripts) as page:
        for name in moments():
            for size in SIZES:
                await open_table(page, tables, name, size)
                found = [*await page.evaluate(OVERLAPS), *await page.evaluate(OUTSIDE)]
                if await page.evaluate("document.documentElement.scrollWidth") > size[0]:
                    found.append("wider than the screen")
                if found:
                    faults[f"{name} at {size}"] = found
    assert faults == {}


async def test_cards_that_are_buttons_can_be_hit_by_a_finger(tables: str, chromium: Browser) -> None:
    async with window(chromium, 390) as page:
        for name in ("play", "side-dummy", "bid", "one-suit"):
            for size in ((390, 844), (390, 664), (844, 390), (1280, 720)):
                await open_table(page, tables, name, size)
                steps = await page.evaluate(STEPS)
                assert len(steps) >= 10, name
                assert min(steps) >= 44, (name, size)
    async with window(chromium, 390, scripts=False) as page:
        await open_table(page, tables, "play", (390, 844))
        assert min(await page.evaluate(STEPS)) >= 44
        await open_table(page, tables, "bid", (390, 844))
        for target in await page.locator(".call:visible, .levels label").all():
            box = await target.bounding_box()
            assert box is not None
            assert box["height"] >= 44


async def test_a_hand_is_one_stop_of_the_tab_key_in_which_arrows_move(tables: str, chromium: Browser) -> None:
    focused = "script document.activeElement.getAttribute('aria-label') ->"
    one_stop = "sees 1 [data-seat=S] button:not([tabindex='-1'])"
    async with window(chromium, 1280) as page:
        await open_table(page, tables, "play", (1280, 720))
        await page.locator("[data-seat=S] button").first.focus()
        await act(
            page,
            f"""
            {one_stop}
            presses ArrowRight
            {focused} "10 of spades"
            presses ArrowDown
            {focused} "ace of hearts, not playable"
            presses ArrowDown
            {focused} "queen of diamonds, not playable"
            presses ArrowUp
            {focused} "ace of hearts, not playable"
            presses End
            {focused} "2 of clubs, not playable"
            presses Home
            {focused} "king of spades"
            presses ArrowLeft
            {focused} "king of spades"
            {one_stop}
            """,
        )


async def test_a_card_that_may_not_be_played_is_not_sent_and_enter_in_a_field_presses_nothing(
    tables: str, chromium: Browser
) -> None:
    async with window(chromium, 1280) as page:
        sent: list[str] = []

        async def answer(route: Route) -> None:
            sent.append(route.request.post_data or "")
            await route.fulfill(body="sent")

        await page.route("**/do", answer)
        await open_table(page, tables, "play", (1280, 720))
        await page.get_by_role("button", name="ace of hearts, not playable").click(force=True)
        await page.get_by_role("button", name="9 of spades").focus()
        await act(page, "presses Enter\nsees text=sent")
        await open_table(page, tables, "bid", (390, 844))
        await page.get_by_role("textbox", name="Alert").fill("forcing")
        await act(page, "presses Enter\nclicks label[for=level-5]\nclicks button[value='5H']\nsees text=sent")
        assert sent == ["at=7.8.0&card=S9", "at=7.8.0&level=5&call=5H&alert=forcing"]


async def test_two_colours_are_kept_for_the_next_page(tables: str, chromium: Browser) -> None:
    async with window(chromium, 1280) as page:

        async def colours() -> list[str]:
            suits = (
                f"document.querySelector('.place .{name}')" for name in ("spades", "hearts", "diamonds", "clubs")
            )
            return [await page.evaluate(f"getComputedStyle({suit}).color") for suit in suits]

        await open_table(page, tables, "play", (1280, 720))
        assert len(set(await colours())) == 4
        await act(page, 'clicks role=button[name="Suits in two colours"]')
        await open_table(page, tables, "watch", (390, 844))
        spades, hearts, diamonds, clubs = await colours()
        assert (spades, hearts) == (clubs, diamonds)
        assert spades != hearts
        await act(page, 'clicks role=button[name="Suits in four colours"]')
        assert len(set(await colours())) == 4


async def test_scripts_style_and_drawings_of_the_table_are_small() -> None:
    files = {*FILES, "static/replay.js", "templates/cards.svg"}
    assert sum(len(asset(address)) for address in files) <= BYTES_MAX


# The script without a page


@pytest_asyncio.fixture(loop_scope="session")
async def script(tables: str, chromium: Browser) -> AsyncIterator[Page]:
    """A page with nothing going on, to call the script from."""
    async with window(chromium, 1280) as page:
        await open_table(page, tables, "watch", (1280, 720))
        yield page


async def test_a_hand_of_any_size_is_arranged_within_any_width(script: Page) -> None:
    faults = await script.evaluate(
        """() => {
            const faults = [];
            const deck = [..."SHDC"].flatMap((suit) => [..."AKQJT98765432"].map((rank) => suit + rank));
            for (let width = 320; width <= 1600; width += 10)
            for (const height of [60, 128, 160])
            for (let count = 0; count <= 13; count++) {
                const hand = deck.slice(0, count);
                const found = Table.arrange(hand, width, height);
                const where = `${count} cards in ${width} x ${height}`;
                if (found.cards.map((each) => each.card).join() !== hand.join()) faults.push(`${where}: lost`);
                if (width >= 390 && found.step < 44) faults.push(`${where}: a step of ${found.step}`);
                if (found.width < found.step) faults.push(`${where}: narrower than its step`);
                found.cards.forEach(({ x, y }, index) => {
                    if (x < 0 || x + found.width > width) faults.push(`${where}: over the side`);
                    if (y < 0 || y + found.height > height) faults.push(`${where}: over the end`);
                    const next = found.cards[index + 1];
                    if (!next) return;
                    const inRow = next.y === y && next.x - x === found.step;
                    if (!inRow && next.y < y + found.height) faults.push(`${where}: rows overlap`);
                });
            }
            return faults.slice(0, 5);
        }"""
    )
    assert faults == []


async def test_changes_are_the_cards_played_and_who_took_a_trick(script: Page) -> None:
    assert await script.evaluate(
        """() => {
            const none = { trick: [], won: [] };
            const one = { trick: [["W", "S4"]], won: [] };
            const two = { trick: [["W", "S4"], ["N", "S5"]], won: [] };
            const full = { trick: [...two.trick, ["E", "SJ"], ["S", "SK"]], won: ["S"] };
            const next = { trick: [["S", "HA"]], won: ["S"] };
            return [[none, one], [one, two], [none, two], [two, full], [full, next], [next, next], [two, one]]
                .map(([before, after]) => Table.changes(before, after));
        }"""
    ) == [
        {"played": [["W", "S4"]], "taken": None},
        {"played": [["N", "S5"]], "taken": None},
        {"played": [["W", "S4"], ["N", "S5"]], "taken": None},
        {"played": [["E", "SJ"], ["S", "SK"]], "taken": "S"},
        {"played": [["S", "HA"]], "taken": None},
        {"played": [], "taken": None},
        {"played": [], "taken": None},
    ]


async def test_keys_move_in_a_hand_and_in_a_replay(script: Page) -> None:
    found = await script.evaluate(
        """() => {
            const view = { hand: ["SK", "S3", "HA", "D7", "D2"], at: 1 };
            const keys = ["ArrowRight", "ArrowLeft", "ArrowDown", "ArrowUp", "Home", "End", "Enter", "x"];
            const replayKeys = ["ArrowRight", "ArrowLeft", "Home", "End", "a"];
            return {
                hand: keys.map((key) => Table.keyMeaning(key, view)),
                last: Table.keyMeaning("ArrowDown", { ...view, at: 4 }),
                empty: Table.keyMeaning("ArrowRight", { hand: [], at: 0 }),
                replay: replayKeys.map((key) => Table.keyMeaning(key, { at: 1, count: 3, costs: [] })),
                end: Table.keyMeaning("ArrowRight", { at: 1, count: 1, costs: [] }),
                tricks: [0, 2, 4, 7].flatMap((at) => ["ArrowRight", "ArrowLeft"].map(
                    (key) => Table.keyMeaning(key, { at, count: 9, costs: [], isTrick: true }).to)),
                costs: [0, 2, 5].map((at) => Table.keyMeaning("c", { at, count: 9, costs: [5, 2] })),
            };
        }"""
    )
    assert found == {
        "hand": [{"to": 2}, {"to": 0}, {"to": 2}, {"to": 0}, {"to": 0}, {"to": 4}, None, None],
        "last": {"to": 4},
        "empty": None,
        "replay": [{"to": 2}, {"to": 0}, {"to": 0}, {"to": 3}, None],
        "end": {"to": 1},
        "tricks": [4, 0, 4, 0, 8, 0, 8, 4],
        "costs": [{"to": 2}, {"to": 5}, None],
    }
