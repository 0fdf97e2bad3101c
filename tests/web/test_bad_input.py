"""Pages of what is unusual, wide and narrow: nothing overflows, overlaps or is too pale to be read."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page

from tests.support.browser_pages import NARROW, WIDE, serving_folder, violations, window
from tests.support.console_client import add_console_user
from tests.support.exports import export_site
from tests.support.live_event import HOST, say_doing, take_up
from tests.support.played_event import BEGINS_AT_MS, PlayedEvent, draw_event, event_text
from tests.support.served_event import serving_here
from tests.support.store_records import board_ended, made_call
from tests.web.director.test_console_browser import log_in
from tests.web.seat.test_in_chromium import seated
from tourney.bridge import DOUBLE, PASS, REDOUBLE, Bid, Contract, Result, Seat, Strain
from tourney.movement.seating import Room
from tourney.protocol.session.records import BoardBegan, BoardEnd, RulingKind
from tourney.runtime.clock import wall_ms
from tourney.scoring.assigned import AssignedResult
from tourney.store.control.hosts import add_host
from tourney.store.control.orders import give_orders
from tourney.store.models import OrderKind, UserRole
from tourney.web.serving import Served

pytestmark = pytest.mark.asyncio(loop_scope="session")

NAMES = (
    "Wwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwww",
    "The Very Long and Never Ending Name of a Team of Bridge Robots 1",
    "\U0001f41d Bees \U0001f0cf\U0001f1e9\U0001f1ea",
    "\u05e9\u05d5\u05e2\u05dc\u05d9\u05dd (1) \u05d5\u05d6\u05d0\u05d1\u05d9\u05dd",
)

ALERT = "<b>5+ \u2660</b> or \u05e9\u05dc\u05d5\u05dd, " + "averyverylongwordwithoutanyblankinit" * 4

OVERLAPS = """() => {
  const seen = (each) => {
    const style = getComputedStyle(each);
    const isFolded = each.closest("details:not([open]) > :not(summary)");
    const over = ".unseen, .skip, .masthead, .replay, .asked, svg";
    return style.visibility === "visible" && !isFolded && !each.closest(over);
  };
  const boxes = [];
  const walker = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode;
    if (!node.data.trim() || !seen(node.parentElement)) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const box of range.getClientRects()) {
      let { left, right, top, bottom } = box;
      for (let each = node.parentElement; each; each = each.parentElement) {  // what is cut off is not seen
        const style = getComputedStyle(each);
        if (style.position === "sticky") right = left;  // it lies over what is scrolled
        if (style.overflowX === "visible") continue;
        const edge = each.getBoundingClientRect();
        [left, right] = [Math.max(left, edge.left), Math.min(right, edge.right)];
        [top, bottom] = [Math.max(top, edge.top), Math.min(bottom, edge.bottom)];
      }
      if (right - left > 1 && bottom - top > 1) boxes.push({ left, right, top, bottom, node });
    }
  }
  const found = [];
  boxes.forEach((one, number) => boxes.slice(number + 1).forEach((other) => {
    const across = Math.min(one.right, other.right) - Math.max(one.left, other.left);
    const down = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
    if (one.node === other.node || across <= 2 || down <= 6) return;
    found.push(`${one.node.data.trim().slice(0, 30)} | ${other.node.data.trim().slice(0, 30)}`);
  }));
  return found.slice(0, 5);
}"""
"""Texts that lie over each other; a line is higher than its letters, so that a few pixels are none."""


ROUNDS = [(Bid(1, strain), PASS, PASS, DOUBLE, PASS, PASS, REDOUBLE, PASS, PASS) for strain in list(Strain)[:4]]
LONG_AUCTION = [PASS, PASS, PASS, *(call for each in ROUNDS for call in each), Bid(1, Strain.NOTRUMP)]
"""40 calls, after which the dealer is to call."""


def put_long_auction(played: PlayedEvent, room: Room, board: int) -> None:
    """43 calls, each alerted and explained, and a claim before the lead."""
    calls = [*LONG_AUCTION, PASS, PASS, PASS]
    dealer = next(each for each in played.boards(1) if each.number == board).dealer
    made = [
        made_call(seq, dealer.plus(seq), call, board=board, alert=ALERT, alerted=True, thinking_ms=61_000)
        for seq, call in enumerate(calls)
    ]
    contract = Contract(1, Strain.NOTRUMP, 0, dealer.plus(39))
    end = board_ended(board, BoardEnd.CLAIMED, Result(contract, 7, 90), ALERT)
    played._write(1, room, [BoardBegan(board, BEGINS_AT_MS), *made, end])


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The pages of an event in which everything unusual has happened, and of one that has too many teams."""
    folder = tmp_path_factory.mktemp("unusual")
    for name in ("event", "many", "none", "out"):
        (folder / name).mkdir()
    played = draw_event(folder / "event", event_text(*NAMES, name="N" * 100, boards=9))
    put_long_auction(played, Room.OPEN, 1)
    played.play(1, [Room.CLOSED], [1])
    played.claim(1, Room.OPEN, 2, cards=1, tricks=13)
    played.play(1, [Room.CLOSED], [2])
    for room in Room:
        played.record(1, room, 3, "Pass")
    played.play(1, boards=range(4, 8))
    played.play(1, [Room.OPEN], [8])  # the other room has it still to play: it is hidden
    played.rule(1, NAMES[0], RulingKind.BOARD_CANCELLED, ALERT, board=4)
    played.rule(1, NAMES[1], RulingKind.ADJUSTED_SCORE, ALERT, board=5, amount=3)
    assigned = (AssignedResult(1, None, 0),)
    played.rule(1, NAMES[1], RulingKind.ASSIGNED_SCORE, ALERT, board=6, room=Room.OPEN, assigned=assigned)
    played.rule(1, NAMES[0], RulingKind.BOARD_REPLAY, ALERT, board=7, room=Room.CLOSED, attempt=1)
    played.forfeit(1, Room.CLOSED, 9, Seat.EAST, reason=ALERT)
    played.play(2)
    played.score()
    empty = take_up(played, 3)  # nobody sits there, and the other room is paused
    add_host(played.database, played.event.id, HOST, wall_ms())
    say_doing(played, empty, at_ms=wall_ms(), problem=ALERT)
    give_orders(played.database, [played.table(3, Room.CLOSED).id], OrderKind.PAUSE, author=NAMES[1], now_ms=0)
    add_console_user(played, "anna", UserRole.ORGANISER)
    export_site(played, folder / "out" / "unusual")
    many = draw_event(
        folder / "many", event_text(*(f"Team {n}" for n in range(64)), boards=1, stage='format = "swiss"\nrounds = 5')
    )
    many.play_all()
    add_console_user(many, "anna", UserRole.ORGANISER)
    export_site(many, folder / "out" / "many")
    none = draw_event(folder / "none", '[event]\nname = "Club"\n[lobby]\n')
    export_site(none, folder / "out" / "none")
    return folder / "out"


PAGES = (
    *(f"unusual/{name}.html" for name in ("index", "schedule", "crosstable", "rulings", "entrant-001", "round-001")),
    "unusual/match-001/index.html",
    *(f"unusual/match-001/board-0{board}.html" for board in (1, 2, 3, 4, 5, 6)),
    *(f"many/{name}.html" for name in ("index", "schedule", "crosstable", "entrants")),
    *(f"none/{name}.html" for name in ("index", "schedule")),
)


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def page(chromium: Browser) -> AsyncIterator[Page]:
    async with window(chromium, WIDE, scripts=True) as page:
        yield page


async def faults(page: Page) -> dict[str, list[str]]:
    """What is wrong with how a page looks, wide and in the light, narrow and in the dark."""
    found = {}
    for width, scheme in ((WIDE, "light"), (NARROW, "dark")):
        await page.set_viewport_size({"width": width, "height": 900})
        await page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
        if await page.evaluate("document.documentElement.scrollWidth > window.innerWidth"):
            found[f"wider than {width}"] = [""]
        found[f"overlap at {width}"] = await page.evaluate(OVERLAPS)
        found |= {f"{rule}, {scheme}": at for rule, at in (await violations(page, scheme="dark")).items()}
    return {what: at for what, at in found.items() if at}


@pytest.mark.campaign
async def test_what_is_unusual_neither_overflows_nor_overlaps_and_can_be_read(folder: Path, page: Page) -> None:
    with serving_folder(folder) as address:
        found = {}
        for name in PAGES:
            await page.goto(f"{address}/{name}")
            found[name] = await faults(page)
    assert {name: wrong for name, wrong in found.items() if wrong} == {}


@pytest.mark.campaign
async def test_what_is_unusual_is_there_without_scripts(folder: Path, chromium: Browser) -> None:
    async with window(chromium, NARROW, scripts=False) as page:
        for name in PAGES:
            await page.goto((folder / name).as_uri())
            assert await page.locator("h1").count() == 1, name
            assert not await page.evaluate("document.documentElement.scrollWidth > window.innerWidth"), name


CONSOLE_PAGES = (
    *("", "table/1-open", "table/3-open", "hosts", "rulings", "log", "do/assign?table=1-open", "do/retire"),
    "do/adjust?match=1",
)


@pytest.mark.parametrize(("event", "addresses"), [("event", CONSOLE_PAGES), ("many", ("", "?round=1", "do/retire"))])
@pytest.mark.campaign
async def test_what_is_unusual_neither_overflows_nor_overlaps_at_the_console(
    folder: Path, page: Page, event: str, addresses: tuple[str, ...]
) -> None:
    with serving_here(folder.parent / event / "event.toml", served=Served.CONSOLE) as served:
        await log_in(page, served.address, "anna")
        found = {}
        for address in addresses:
            await page.goto(f"{served.address}director{address if address.startswith('?') else f'/{address}'}")
            found[address] = await faults(page)
    assert {address: wrong for address, wrong in found.items() if wrong} == {}


@pytest.mark.campaign
async def test_what_is_unusual_neither_overflows_nor_overlaps_in_a_seat(page: Page) -> None:
    names = zip("WNE", NAMES, strict=False)
    calls = ",".join({"X": "DOUBLE", "XX": "REDOUBLE"}.get(str(call), str(call).upper()) for call in LONG_AUCTION)
    lines = (
        "JOINED g1 S",
        *(f'JOINED g1 {seat} "{name}"' for seat, name in names),
        "X-BOARD 7 S BOTH",
        "HAND 9S,8S,7S,6S,5S,4S,3S,2S,AH,AD,AC,KC,QC",
        f"AUCOPEN S {calls}",
        *(f'X-ALERT {seat} "{ALERT}" {number}' for number, seat in zip(range(2, 41), "WNES" * 10, strict=False)),
        "X-MAY 1 1 1 1,2,3",
        f'X-SAID E "{ALERT}"',
    )
    found = {}
    async with seated(page, *lines) as players:
        await page.locator(".box").wait_for()
        await page.get_by_text("averyverylong").last.wait_for()
        found["auction"] = await faults(page)
        await page.set_viewport_size({"width": WIDE, "height": 900})
        await players.say("X-UNDO 4 E", "X-ASKED 1", f'NAK "{ALERT}"')
        await page.get_by_label("An opponent asks").wait_for()
        await page.locator("#claim summary").click()
        found["asked"] = await faults(page)
    assert {state: wrong for state, wrong in found.items() if wrong} == {}
