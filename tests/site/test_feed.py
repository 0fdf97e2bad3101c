"""The feed of an event: what is over, the newest first, for readers of feeds (Atom, RFC 4287)."""

from datetime import datetime
from pathlib import Path
from urllib.parse import urljoin
from xml.etree import ElementTree

import pytest

from tests.support.event_conversation import converse
from tests.support.exports import export_site
from tests.support.played_event import BEGINS_AT_MS, PlayedEvent, draw_event, event_text
from tests.support.web_server import WatchedEvent, browser
from tourney.config.web import WebConfig
from tourney.movement.seating import Room
from tourney.site import urls
from tourney.site.public import PublicView
from tourney.web.public import PublicSite

ATOM = "{http://www.w3.org/2005/Atom}"
DASH = "\N{EN DASH}"


@pytest.fixture
def played(tmp_path: Path) -> PlayedEvent:
    """The first of two rounds is over, in which home teams won 10 IMPs; of the second a match and a half."""
    played = draw_event(
        tmp_path, event_text("Ants & Co", "Bees", "Cats", "Dogs", boards=2, deals='shared = "match"\nseed = 1')
    )
    for number, boards in ((1, 2), (2, 2), (3, 2), (4, 1)):
        for board in range(1, boards + 1):
            played.record(number, Room.OPEN, board, "4S N", 11 - board, ew_ms=number)
            played.record(number, Room.CLOSED, board, "4S N", 9, ew_ms=number)
    played.score()
    return played


def feed_of(played: PlayedEvent, freeze_rounds: int = 0) -> ElementTree.Element:
    view = PublicView(played.drawn, WebConfig(freeze_rounds=freeze_rounds), BEGINS_AT_MS)
    content = PublicSite(view, BEGINS_AT_MS).content(urls.FEED)
    assert content is not None
    assert content.content_type == "application/atom+xml; charset=utf-8"
    return ElementTree.fromstring(content.body)


def texts(feed: ElementTree.Element, name: str) -> list[str]:
    return [each.text or "" for each in feed.iter(f"{ATOM}{name}")]


def test_a_feed_has_the_matches_that_are_over_and_rounds_with_their_standings_the_newest_first(
    played: PlayedEvent,
) -> None:
    feed = feed_of(played)
    third, first_round, *others = texts(feed, "title")[1:]
    match = played.match(3)
    assert third == f"{match.home} 10 {DASH} 0 {match.away}"
    assert first_round == "Round 1 is over"
    assert sorted(others) == sorted(f"{each.home} 10 {DASH} 0 {each.away}" for each in played.event.matches[:2])
    assert f"Round 2, match 3, 16.46 {DASH} 3.54 VP" in texts(feed, "content")
    assert any("1= Ants & Co, 16.46" in words for words in texts(feed, "content"))


def test_its_entries_have_ids_that_stay_and_times_in_their_order(played: PlayedEvent) -> None:
    feed = feed_of(played)
    ids = texts(feed, "id")
    assert len(set(ids)) == len(ids) == 5
    assert all(each.startswith("urn:uuid:") for each in ids)
    newest, *times = [datetime.fromisoformat(each) for each in texts(feed, "updated")]
    assert times == sorted(times, reverse=True)
    assert newest == times[0]
    converse(
        played,
        """
        4-open board 2: 4S N 9 in 0 9 ms
        4-closed board 2: 4S N 9 in 0 9 ms
        scored
        """,
    )
    later = texts(feed_of(played), "id")
    assert len(later) == 7
    assert set(ids) < set(later)


def test_a_round_whose_results_are_withheld_is_not_in_it(played: PlayedEvent) -> None:
    for number in (5, 6):
        played.play(number)
    played.score()
    assert "Round 3 is over" in texts(feed_of(played), "title")
    withheld = feed_of(played, freeze_rounds=1)
    assert texts(withheld, "title") == texts(feed_of(played), "title")[:1] + [
        title for title in texts(withheld, "title")[1:] if "Round 3" not in title
    ]
    assert not any("Round 3" in words for words in texts(withheld, "content"))


def test_a_written_site_has_it_with_links_to_its_pages_and_every_page_leads_to_it(
    played: PlayedEvent, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    export_site(played, out)
    feed = ElementTree.fromstring((out / "feed.atom").read_bytes())
    links = [each.get("href", "") for each in feed.iter(f"{ATOM}link")]
    assert len(links) == 6
    assert all((out / link).is_file() for link in links)
    for page in out.rglob("*.html"):
        (link,) = [line for line in page.read_text().splitlines() if 'rel="alternate"' in line]
        assert (page.parent / link.partition('href="')[2].partition('"')[0]).resolve() == (
            out / "feed.atom"
        ).resolve()


async def test_a_server_has_it_from_the_beginning_with_links_to_its_pages(
    played: PlayedEvent, tmp_path: Path
) -> None:
    (tmp_path / "new").mkdir()
    new = draw_event(tmp_path / "new", event_text("Ants", "Bees"))
    for event, entries in ((played, 4), (new, 0)):
        async with browser(WatchedEvent(event)) as client:
            answer = await client.get("/feed.atom")
            feed = ElementTree.fromstring(answer.content)
            assert len(texts(feed, "title")) == 1 + entries
            assert datetime.fromisoformat(texts(feed, "updated")[0]).tzinfo is not None
            for link in feed.iter(f"{ATOM}link"):
                assert (await client.get(urljoin("/feed.atom", link.get("href", "")))).status_code == 200
