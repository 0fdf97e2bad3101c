"""Nothing on the front page jumps while its event is played: the browser counts what moves without being asked to."""

import asyncio
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from playwright.async_api import Browser, Page, expect

from tests.support import commands
from tests.support.browser_pages import NARROW, WAIT_MS, WIDE, act, window
from tests.support.events import bot, rest_of, start_tourney, write_event
from tests.support.live_event import set_state, take_up
from tests.support.played_event import PlayedEvent, draw_event, event_text
from tests.support.served_event import ServedHere, serving, serving_here
from tests.support.two_events import draw_next_round, win
from tourney.movement.seating import Room, TableState

pytestmark = pytest.mark.asyncio(loop_scope="session")

TEAMS = ("Ants", "Bees", "Cats", "Deep Finesse Fan Club", "Eels", "Frogs")

OBSERVE = """
window.shifts = [];
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) {
    const moved = entry.sources.map((each) => each.node?.outerHTML?.slice(0, 80) ?? each.node?.nodeName);
    if (!entry.hadRecentInput) window.shifts.push([entry.value, moved]);
  }
}).observe({ type: "layout-shift", buffered: true });
"""


async def see(pages: Iterable[Page], words: str) -> None:
    for page in pages:
        await act(page, f"reads main: {words}")


@asynccontextmanager
async def watched(chromium: Browser, served: ServedHere) -> AsyncIterator[tuple[Page, Page]]:
    """Two windows on the front page, on a screen and on a telephone; nothing in them may have moved at the end."""
    async with window(chromium, WIDE) as wide, window(chromium, NARROW) as narrow:
        for page in (wide, narrow):
            await page.add_init_script(OBSERVE)
            await act(page, f"goes to {served.address}\nsees html[data-live=yes]")
        yield wide, narrow
        assert [await page.evaluate("window.shifts") for page in (wide, narrow)] == [[], []]


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
        async with watched(chromium, served) as pages:
            for board in range(1, 6):
                for number in (1, 2, 3):
                    played.play(number, boards=[board])
                for page in pages:
                    await expect(page.locator(".progress").last).to_contain_text(f"{board}/6", timeout=WAIT_MS)


@pytest.mark.campaign
async def test_nothing_moves_when_a_match_ends_a_round_ends_and_the_next_one_begins(
    tmp_path: Path, chromium: Browser
) -> None:
    played = played_with_tables(tmp_path)

    with serving_here(played.path) as served:
        async with watched(chromium, served) as pages:
            for number in (1, 2, 3):
                played.play(number)
                for room in Room:
                    set_state(played, played.table(number, room), TableState.FINISHED)
                played.score()
                await see(pages, f"{number} of 3 matches scored")
            await see(pages, "Round 2 begins")
            for number in (4, 5, 6):
                for room in Room:
                    set_state(played, take_up(played, number, room), TableState.PLAYING)
            await see(pages, "Round 2 ends")
            for number in (4, 5, 6):
                played.play(number, boards=[1])
            await see(pages, "1/6")


@pytest.mark.campaign
async def test_nothing_moves_in_a_knockout_when_matches_end_and_the_next_round_is_drawn(
    tmp_path: Path, chromium: Browser
) -> None:
    played = draw_event(tmp_path, event_text(*TEAMS, boards=1, stage='format = "knockout"'))

    with serving_here(played.path) as served:
        async with watched(chromium, served) as pages:
            for numbers in ((1, 2), (3, 4), (5,)):
                for number in numbers:
                    for room in Room:
                        set_state(played, take_up(played, number, room), TableState.PLAYING)
                await see(pages, "0/1")
                for number in numbers:
                    win(played, number, played.match(number).away)
                    for room in Room:
                        set_state(played, played.table(number, room), TableState.FINISHED)
                draw_next_round(played)
                await see(pages, f"{len(numbers)} of {len(numbers)} match")


@pytest.mark.campaign
async def test_nothing_moves_on_the_front_page_of_a_live_event_from_before_its_start_until_after_its_end(
    tmp_path: Path, chromium: Browser
) -> None:
    """Proves it of a real event with all that moves a page: bots play 15 matches in five rounds, in two minutes.

    That is more ends of matches and rounds than ten minutes of an event of people have. The sum of all shifts is 0,
    on a screen and on a telephone, from the schedule to the end.
    """
    teams = [(name, bot(seed, think_ms=60)) for seed, name in enumerate(TEAMS, 1)]
    event = write_event(tmp_path, teams, boards=3)
    assert commands.run("schedule", event).exit_code == 0
    with serving(event) as served:
        async with watched(chromium, served) as pages:
            run = start_tourney("run", event, output=tmp_path / "run.log")
            assert (await asyncio.to_thread(rest_of, run)).status == 0
            for page in pages:
                await expect(page.locator(".state")).to_have_text("All rounds played, results provisional")
