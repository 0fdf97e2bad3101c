"""The pages of an event, read by a strict reader of its own: what they show, where they lead, how they are built."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.support.exports import export_site, matches_of, write_as_before
from tests.support.html_pages import (
    AS_TYPED,
    Page,
    check_links,
    reached_from,
    read_pages,
)
from tests.support.played_event import BEGINS_AT_MS, PlayedEvent, draw_event, event_text
from tests.support.two_events import HOSTILE, play_league
from tests.support.web_conversation import check_pages
from tourney.config.web import WebConfig
from tourney.movement.seating import Room
from tourney.protocol.session.records import CallMade, CardPlayed, RulingKind
from tourney.results.played import PlayedBoard, PlayedMatch
from tourney.site.filters import NOTICED_MS
from tourney.site.public import PublicView
from tourney.site.rendering import printable
from tourney.site.site import Site as PublicPages
from tourney.site.urls import file_of
from tourney.site.write import write_site
from tourney.times import format_utc

OPEN, CLOSED = Room.OPEN, Room.CLOSED


@dataclass(frozen=True)
class Site:
    """An exported event."""

    played: PlayedEvent
    folder: Path
    pages: dict[str, Page]
    """The pages by their path in the folder."""

    matches: list[PlayedMatch]

    def match(self, number: int) -> PlayedMatch:
        return self.matches[number - 1]

    def boards(self) -> Iterator[tuple[PlayedBoard, Page]]:
        for match in self.matches:
            for board in match.boards:
                yield board, self.pages[f"match-{match.match.number:03}/board-{board.board.number:02}.html"]


PAGES = "index entrants crosstable schedule swings butler rulings conditions opening-leads strength"
"""Those that every event has."""

MADE = "redouble pass double north east south west from-top from-left from-right from-bottom of-open of-closed"
"""Classes whose names are put together."""

HOUSE = Path(__file__).parents[2] / "tourney"
"""Its pages share the style."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Site:
    """Five teams; the first matches with everything that can befall a board, others over, begun and not begun."""
    folder = tmp_path_factory.mktemp("site")
    played = play_league(folder)
    export_site(played, folder / "out")
    return Site(played, folder / "out", read_pages(folder / "out"), matches_of(played))


# How the pages are built


def test_every_page_is_strict_html(site: Site) -> None:
    own = set(PAGES.split())
    assert own == {name.removesuffix(".html") for name in site.pages if not re.search(r"\d", name)}
    assert len(site.pages) == len(own) + 5 + 5 + 10 + (8 + 3 + 2 * 8)  # the reader has refused none of them


def test_every_link_leads_to_a_page_that_is_there_and_to_a_place_on_it(site: Site) -> None:
    check_links(site.folder, site.pages)


def test_every_page_can_be_reached_from_the_front_page(site: Site) -> None:
    assert reached_from(site.pages, "index.html") == set(site.pages)


def test_nothing_is_run_and_nothing_is_fetched_from_elsewhere(site: Site) -> None:
    for page in site.pages.values():
        assert not {"img", "iframe", "object", "video", "form", "style"} & page.tags
        scripts = re.findall(r"<script[^>]*>(.*?)</script>", page.source)
        has_picture = "board-" in page.path.name and page.path.parent != site.folder
        assert scripts == [""] * (4 if has_picture else 1), page.path  # times, and those of the picture
        assert "://" not in page.source
        above = "../" if page.path.parent != site.folder else ""
        assert [link for link in page.links if link.endswith(".css")] == [f"{above}style.css"]
    style = (site.folder / "style.css").read_text(encoding="utf-8")
    assert not re.search(r"url\(|@import|@font-face", style)


def test_texts_from_outside_are_shown_and_never_marked_up(site: Site) -> None:
    check_pages(
        site.pages,
        f"""
        index -> has <Cup> & Co
        rulings -> has late {HOSTILE}
        entrants -> has {HOSTILE} -> has Bees & Co
        entrant-003 -> has {HOSTILE}
        match-001/board-01 -> has EAST bids {HOSTILE} -> has \ufffd\u202e{HOSTILE}
        """,
    )
    assert not any({"b", "cup"} & page.tags for page in site.pages.values())
    assert not any("\x07" in page.source for page in site.pages.values())


def test_every_class_of_a_page_is_in_the_style_and_the_style_has_no_other(site: Site) -> None:
    style = (site.folder / "style.css").read_text(encoding="utf-8")
    selectors = re.sub(r"/\*.*?\*/|\{[^{}]*\}", "", style, flags=re.DOTALL)
    styled = set(re.findall(r"\.([a-z][a-z0-9-]*)", selectors))
    plain = {"even", "room-open", "room-closed"}  # names for who wants to style them
    made = set(MADE.split())
    made |= {f"series-{number}" for number in range(9)}
    used = set[str]().union(*(page.classes for page in site.pages.values()))
    sources = "".join(
        path.read_text(encoding="utf-8")
        for room in ("conditions", "output", "site", "views", "web")
        for path in (HOUSE / room).rglob("*")
        if path.suffix in (".html", ".jinja", ".js", ".py")
    )
    assert {name for name in styled - used - made if not re.search(rf"(?<![\w-]){name}(?![\w-])", sources)} == set()
    assert used - styled - plain == set()


# What the pages show


def test_the_front_page_tells_how_ties_were_broken_once_there_are_scores(tmp_path: Path) -> None:
    played = draw_event(tmp_path, event_text("Ants", "Bees", boards=1))
    export_site(played, tmp_path / "out")
    check_pages(read_pages(tmp_path / "out"), "index -> lacks How teams")
    played.compare(1, ("Pass", 0, "Pass", 0))
    export_site(played, tmp_path / "out")
    told = "How teams with the same victory points were ranked 10.00 VP: Ants, Bees share their rank"
    check_pages(read_pages(tmp_path / "out"), f"index -> has {told}")


def test_calls_and_cards_stand_in_order_with_the_time_of_each(site: Site) -> None:
    for played, page in site.boards():
        actions: list[CallMade | CardPlayed] = []
        for record in played.records.values():
            actions += [*record.calls, *record.cards]
        assert page.times == [
            (f"PT{action.thinking_ms / 1000:.3f}S", format_utc(action.at_ms))
            for action in actions
            if action.thinking_ms >= NOTICED_MS
        ], page.path
        calls = [str(call.call) for record in played.records.values() for call in record.calls]
        cells = [
            cell for table in page.tables if table.rows[0] == ["Auction"] for row in table.rows[2:] for cell in row
        ]
        assert [plain(cell).split()[0].rstrip("†") for cell in cells if cell] == calls, page.path
        cards = [f"{c.seat.letter} {c.card.pbn}" for r in played.records.values() for c in r.cards]
        rows = [row for table in page.tables if table.rows[0][0].startswith("Play") for row in table.rows[2:]]
        shown = [" ".join(plain(cell).split()[:2]).rstrip("†") for row in rows for cell in row[1:5] if cell]
        assert shown == cards, page.path


def plain(cell: str) -> str:
    """With letters for suits, as the record has them."""
    for symbol, letter in zip("♠♥♦♣", "SHDC", strict=True):
        cell = cell.replace(f"{symbol}\ufe0e", letter)
    return cell.replace("10", "T") if re.match(r"[NESW] [SHDC]10", cell) else cell


def test_boards_that_the_director_has_scored_say_so(tmp_path: Path) -> None:
    played = draw_event(tmp_path, event_text("Ants", "Bees", boards=3))
    home, away = played.match(1).teams
    played.play(1, boards=[1, 2])
    for team, amount in ((home, 3), (away, -3)):
        played.rule(1, team, RulingKind.ADJUSTED_SCORE, "fouled", board=1, amount=amount, law="Law 12C2")
    for board in (2, 3):
        played.rule(1, "", RulingKind.BOARD_CANCELLED, board=board, law="Law 16D2", author="Jane")
    played.score()
    export_site(played, tmp_path / "out")
    found = read_pages(tmp_path / "out")
    check_pages(
        found,
        f"""
        match-001/board-01 -> has 3 IMPs to {home} (adjusted) -> has board 1: {home}: average plus
        match-001/board-02 -> has Cancelled: the board counts for nobody
        match-001/board-03 -> has The board was not begun here.
        """,
    )
    assert [row[1] for row in found["rulings.html"].tables[0].rows[2:]] == [home, away, "both", "both"]


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(alert=st.text(min_size=1))
def test_any_alert_is_shown_as_it_was_sent(site: Site, tmp_path: Path, alert: str) -> None:
    match = site.match(3)
    board = match.boards[0]
    record = board.records[OPEN]
    calls = (replace(record.calls[0], alerted=True, alert=alert), *record.calls[1:])
    board = replace(board, records={OPEN: replace(record, calls=calls)})
    pages = PublicPages(PublicView(site.played.drawn, WebConfig(), BEGINS_AT_MS), BEGINS_AT_MS, file_of)
    path = tmp_path / "board-01.html"
    path.write_bytes(dict(pages.pages(replace(match, boards=(board,))))["match/3/board/1"])
    page = Page(path)
    told = " ".join(f"by {calls[0].seat.title}, alerted: {printable(alert)} ".translate(AS_TYPED).split())
    assert told in page.text or not alert.strip()


# Files


def test_boards_lead_to_their_neighbours_that_have_a_page(site: Site) -> None:
    turners = {
        number: re.findall(
            r'rel="(prev|next)" href="([^"]+)"', site.pages[f"match-002/board-{number:02}.html"].source
        )
        for number in (1, 2, 5)
    }
    assert turners == {
        1: [("next", "board-02.html")],
        2: [("prev", "board-01.html"), ("next", "board-05.html")],
        5: [("prev", "board-02.html")],
    }


def test_pages_of_a_match_are_written_before_the_next_match_is_read(tmp_path: Path) -> None:
    played = draw_event(tmp_path, event_text("Ants", "Bees", "Cats", boards=1))
    played.play_all()
    out = tmp_path / "out"
    out.mkdir()
    seen: list[list[str]] = []

    def watch(_: PlayedMatch) -> None:
        seen.append(sorted(path.parent.name for path in out.glob("*/index.html")))

    write_site(PublicView(played.drawn, WebConfig(), BEGINS_AT_MS), out, BEGINS_AT_MS, watch)
    assert seen == [[], ["match-001"], ["match-001", "match-002"]]


def test_a_second_export_writes_the_same_and_removes_boards_that_are_played_again(tmp_path: Path) -> None:
    played = draw_event(tmp_path)
    played.play(1, boards=[1])
    out = tmp_path / "out"
    export_site(played, out)
    before = {path: path.read_bytes() for path in out.rglob("*") if path.is_file()}
    write_as_before(out, "match-001/board-02.html", "of an attempt that is void")
    foreign = out / "match-001" / "board-02.html.txt"
    foreign.write_text("not ours")
    export_site(played, out)
    assert foreign.read_text() == "not ours"
    foreign.unlink()
    assert {path: path.read_bytes() for path in out.rglob("*") if path.is_file()} == before
