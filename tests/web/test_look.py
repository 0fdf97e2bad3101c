"""How pages look and behave in a real browser: on a telephone and on a wide screen, with keys, without scripts."""

import re
from pathlib import Path

import pytest
from playwright.async_api import Browser, expect

from tests.support.browser_pages import WIDE, act, look_at, serving_folder, violations, window
from tests.support.exports import export_site
from tests.support.pairs_events import draw_pairs_event, export_pairs, play_by_chance
from tests.support.played_event import draw_event, event_text
from tourney.bridge import Seat
from tourney.movement.seating import Room

pytestmark = pytest.mark.asyncio(loop_scope="session")

UNLIKE_A_LEAGUE = {"index.html", "match-/index.html", "round-.html", "schedule.html", "entrant-.html"}
"""Pages of a knockout that have other parts than those of a league; the rest axe has seen already."""

SCREENS = ((1600, 900), (1280, 720), (1024, 768), (844, 390), (390, 844), (390, 664), (360, 640), (320, 568))
"""Widths and heights of screens, of a telephone that lies on its side, and of telephones held upright."""

CUT_OFF = """[...document.querySelectorAll(".scroll")].filter((each) => each.scrollWidth > each.clientWidth).length"""
"""How many tables do not fit."""

TEAMS = ("Ants", "Bees", "Caterpillars United", "Dragonflies of Lower Saxony")


@pytest.fixture(scope="module")
def league(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four teams, two rounds over, the third begun; the folder of its pages."""
    folder = tmp_path_factory.mktemp("league")
    played = draw_event(folder, event_text(*TEAMS, boards=4))
    for number in (1, 2, 3, 4):
        played.play(number)
    played.score()
    played.play(5, boards=[1])
    export_site(played, folder / "out")
    return folder / "out"


@pytest.fixture(scope="module")
def knockout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("knockout")
    played = draw_event(folder, event_text(*TEAMS, boards=2, stage='format = "knockout"'))
    played.play_all()
    export_site(played, folder / "out")
    return folder / "out"


@pytest.fixture(scope="module")
def pairs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pairs")
    played = draw_pairs_event(folder, 4, 'format = "howell"\nboards_per_round = 2')
    play_by_chance(played)
    export_pairs(played, "html", folder / "out")
    return folder / "out"


def kind_of(path: Path, folder: Path) -> str:
    """The name of a page without its numbers."""
    return re.sub(r"\d+", "", path.relative_to(folder).as_posix())


def kinds_of_pages(folder: Path) -> list[Path]:
    """A page of each kind, the biggest: names without their numbers."""
    by_kind: dict[str, Path] = {}
    for path in folder.rglob("*.html"):
        kind = kind_of(path, folder)
        if kind not in by_kind or path.stat().st_size > by_kind[kind].stat().st_size:
            by_kind[kind] = path
    return sorted(by_kind.values())


@pytest.mark.parametrize("event", ["league", "knockout", "pairs"])
@pytest.mark.campaign
async def test_no_page_is_wider_than_the_screen_and_axe_has_no_finding(
    event: str, chromium: Browser, request: pytest.FixtureRequest
) -> None:
    found = {}
    folder: Path = request.getfixturevalue(event)
    with serving_folder(folder) as address:
        async with window(chromium, WIDE) as page:
            for path in kinds_of_pages(folder):
                await page.goto(f"{address}/{path.relative_to(folder).as_posix()}")
                is_new = event == "league" or (event == "knockout" and kind_of(path, folder) in UNLIKE_A_LEAGUE)
                found[path.name] = await look_at(page, light=is_new, dark=event != "knockout")
    assert found
    assert {name: faults for name, faults in found.items() if faults} == {}


async def test_figures_that_count_are_on_the_screen_of_a_telephone(league: Path, chromium: Browser) -> None:
    async with window(chromium, 390) as page:
        await page.goto((league / "index.html").as_uri())
        headings = page.locator(".standings thead th:visible")
        assert await headings.all_inner_texts() == ["#", "Team", "Now", "VP now"]
        for heading in await headings.all():
            box = await heading.bounding_box()
            assert box is not None
            assert box["x"] + box["width"] <= 390
        await page.goto((league / "match-001" / "index.html").as_uri())
        box = await page.locator("td.swing").first.bounding_box()
        assert box is not None
        assert box["x"] + box["width"] <= 390


async def test_matches_stand_above_the_standings_on_a_telephone(league: Path, chromium: Browser) -> None:
    playing, standings = (
        f"document.querySelector('{part}').getBoundingClientRect().top"
        for part in ("[data-part=playing]", ".standings")
    )
    async with window(chromium, 390) as page:
        await act(page, f"goes to {(league / 'index.html').as_uri()}\nscript {playing} < {standings} -> true")


async def test_a_match_has_room_for_its_times_and_the_names_of_its_teams(league: Path, chromium: Browser) -> None:
    match = (league / "match-001" / "index.html").as_uri()
    async with window(chromium, 1280) as page:
        await act(page, f"goes to {match}\nscript {CUT_OFF} -> 0")
    async with window(chromium, 390) as page:
        await page.goto(match)
        name = page.locator("th.swing").first
        await name.evaluate("cell => { cell.textContent = 'Delphi'; }")
        assert await name.evaluate("cell => cell.scrollWidth <= cell.clientWidth")


async def test_a_telephone_has_four_ways_at_the_bottom_and_the_others_on_the_front_page(
    league: Path, chromium: Browser
) -> None:
    async with window(chromium, 390) as page:
        await page.goto((league / "match-001" / "board-01.html").as_uri())
        ways = page.locator("header nav a:visible")
        assert await ways.all_inner_texts() == ["Standings", "Schedule", "Teams", "More"]
        await ways.last.click()
        await act(page, 'clicks role=link[name="Rulings"]\nreads h1: Rulings')


async def test_what_a_finger_has_to_hit_is_44_pixels_high(league: Path, chromium: Browser) -> None:
    async with window(chromium, 390) as page:
        await page.goto((league / "match-001" / "board-01.html").as_uri())
        for target in await page.locator("header nav a:visible, .turner a, .replay button, .replay input").all():
            box = await target.bounding_box()
            assert box is not None
            assert box["height"] >= 44, await target.inner_text()


async def test_rooms_stand_beside_each_other_where_there_is_room_even_without_scripts(
    league: Path, chromium: Browser
) -> None:
    async with window(chromium, 390, scripts=False) as page:
        for width in (390, 1280):
            await page.set_viewport_size({"width": width, "height": 844})
            await page.goto((league / "match-001" / "board-01.html").as_uri())
            assert await page.locator(".replay").count() == 0
            rooms = [await each.bounding_box() for each in await page.locator(".room").all()]
            opened, closed = [box for box in rooms if box is not None]
            assert (opened["y"] == closed["y"]) is (width == 1280)
            assert (opened["x"] == closed["x"]) is (width == 390)


def board_with(folder: Path, cards: int) -> Path:
    """The first board with so many cards in both rooms."""

    def plays(path: Path) -> list[int]:
        return [part.count("data-play=") for part in path.read_text().split("data-room=")[1:]]

    return next(path for path in sorted(folder.glob("match-*/board-*.html")) if min(plays(path)) >= cards)


async def test_a_board_is_replayed_by_keys_and_slider_and_its_address_holds_the_card(
    league: Path, chromium: Browser
) -> None:
    board, said = board_with(league, 23), "document.querySelector('[type=range]').getAttribute('aria-valuetext')"
    gone = "[data-room=open] [data-card].gone"
    play = r"(North|East|South|West) plays (ace|king|queen|jack|10|\d) of (spades|hearts|diamonds|clubs)"
    async with window(chromium, 1280) as page:
        await act(
            page,
            f"""
            goes to {board.as_uri()}
            script {said} -> "Before the lead"
            sees no {gone}
            presses ArrowRight ArrowRight ArrowRight ArrowLeft
            script location.hash -> "#card-2"
            sees 2 {gone}
            sees 2 [data-room=open] .laid .face
            """,
        )
        cells = page.locator("[data-room=open] [data-play]")
        await act(
            page,
            f"""
            sees 1 [data-room=open] [data-card="{await cells.nth(1).get_attribute("data-play")}"].gone
            presses Shift+ArrowRight
            script location.hash -> "#card-4"
            script /^({play}|open: {play}; closed: {play})$/.test({said}) -> true
            """,
        )
        await page.get_by_role("slider").focus()
        await act(page, f"presses End\nsees {await cells.count()} {gone}\nclicks h1\npresses n")
        await page.wait_for_url(re.compile(r"board-\d+\.html$"))
        assert page.url != board.as_uri()


async def test_a_permalink_opens_both_rooms_at_the_card(league: Path, chromium: Browser) -> None:
    async with window(chromium, 390) as page:
        await page.goto(f"{board_with(league, 23).as_uri()}#card-23")
        for room in ("open", "closed"):
            await act(page, f"sees 23 [data-room={room}] [data-card].gone")
            card = page.locator(f"[data-room={room}] [data-play]").nth(22)
            await expect(card).to_have_class(re.compile(r"\bnow\b"))
        # The fragment moves the replay, not the page.
        await act(page, "reads .said: 23/\nscript scrollY -> 0")


async def test_a_picture_and_the_replay_are_on_one_screen_at_every_size(league: Path, chromium: Browser) -> None:
    address = f"{board_with(league, 23).as_uri()}#card-23"
    async with window(chromium, 1280) as page:
        for width, height in SCREENS:
            await page.set_viewport_size({"width": width, "height": height})
            await page.goto("about:blank")
            await page.goto(address)
            await expect(page.locator(".laid .face")).to_have_count(6)
            await page.locator(".table-picture").first.evaluate("picture => picture.scrollIntoView()")
            for part in (page.locator(".table-picture").first, page.locator(".replay")):
                box = await part.bounding_box()
                assert box is not None
                assert box["y"] > -1, width
                assert box["y"] + box["height"] < height + 1, width
            assert await page.evaluate("document.documentElement.scrollWidth") <= width


async def test_a_room_where_no_card_was_played_stays_as_it_was_dealt(tmp_path: Path, chromium: Browser) -> None:
    played = draw_event(tmp_path, event_text("Ants", "Bees", boards=1))
    played.forfeit(1, Room.OPEN, 1, Seat.EAST)
    played.play(1, [Room.CLOSED], seed="3")
    export_site(played, tmp_path / "out")
    async with window(chromium, 1280) as page:
        await act(
            page,
            f"""
            goes to {(tmp_path / "out" / "match-001" / "board-01.html").as_uri()}
            presses ArrowRight
            sees 1 [data-room=closed] .laid .face
            sees no [data-room=open] .laid .face
            sees no [data-room=open] .plate.turn
            """,
        )


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.campaign
async def test_axe_has_no_finding_in_the_middle_and_at_the_end_of_a_replay(
    scheme: str, league: Path, chromium: Browser
) -> None:
    board = board_with(league, 23).relative_to(league).as_posix()
    with serving_folder(league) as address:
        async with window(chromium, 1280, scheme=scheme) as page:
            for place in ("card-22", "card-52"):
                await page.goto("about:blank")
                await page.goto(f"{address}/{board}#{place}")
                await expect(page.locator(".laid .face")).not_to_have_count(0)
                assert await violations(page, scheme=scheme) == {}, place


async def test_a_played_card_flies_from_its_hand_unless_motion_is_reduced(league: Path, chromium: Browser) -> None:
    flying = "document.querySelector('.laid').getAnimations({ subtree: true }).length"
    press = "document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true }))"
    async with window(chromium, 1280) as page:
        await act(page, f"goes to {board_with(league, 23).as_uri()}\npresses ArrowRight\nscript {flying} -> 0")
        await page.emulate_media(reduced_motion="no-preference")
        await act(page, f"script {press}, {flying} -> 1")
