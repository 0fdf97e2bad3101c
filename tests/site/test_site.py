"""The pages of an event one by one, as a server is asked for them: the same as in an export."""

import json
from itertools import chain
from pathlib import Path

import pytest

from tests.support.exports import export_site, matches_of
from tests.support.html_pages import Page
from tests.support.played_event import BEGINS_AT_MS, PlayedEvent
from tests.support.two_events import play_league
from tourney.config.web import WebConfig
from tourney.results import played
from tourney.site import rendering, urls
from tourney.site.public import PublicView
from tourney.site.rendering import ASSETS, asset, environment
from tourney.site.routes import ROUTES
from tourney.site.site import Site
from tourney.site.write import MANIFEST
from tourney.web.public import PublicSite, find


@pytest.fixture(scope="module")
def league(tmp_path_factory: pytest.TempPathFactory) -> PlayedEvent:
    return play_league(tmp_path_factory.mktemp("league"))


MATCH_FILES = ("pbn", "lin", "json")


def view_of(played: PlayedEvent) -> PublicView:
    return PublicView(played.drawn, WebConfig(), BEGINS_AT_MS)


def all_pages(site: Site, played: PlayedEvent) -> dict[str, bytes]:
    return dict(chain(site.pages(), *map(site.pages, matches_of(played))))


def test_every_page_that_is_served_is_the_file_of_an_export_but_for_links(
    league: PlayedEvent, tmp_path: Path
) -> None:
    export_site(league, tmp_path)
    site = Site(view_of(league), BEGINS_AT_MS, urls.file_of)
    written = {path.relative_to(tmp_path).as_posix(): path.read_bytes() for path in tmp_path.rglob("*.*")}
    assert sorted(json.loads(written.pop(MANIFEST))) == sorted(written)
    served = {urls.file_of(address): asset(address) for address in ASSETS}
    for address in all_pages(site, league):
        found = find(address)
        assert found is not None, address
        served[urls.file_of(address)] = site.render(*found[:2]) or b""
    assert served == written


def test_the_page_of_a_match_needs_no_calls_and_cards(league: PlayedEvent, monkeypatch: pytest.MonkeyPatch) -> None:
    number = next(match.match.number for match in matches_of(league) if match.boards)
    monkeypatch.delattr(played, "load_board_records")
    assert PublicSite(view_of(league), BEGINS_AT_MS).content(urls.match_page(number)) is not None


def test_links_of_a_served_page_lead_to_addresses_that_are_answered(league: PlayedEvent, tmp_path: Path) -> None:
    site = Site(view_of(league))
    only_served = {route.path: site.render(route) or b"" for route in ROUTES if route.path in ("live", "live/wall")}
    pages = {**all_pages(site, league), **only_served}
    of_matches = {
        f"{urls.MATCH_EXPORT.format(match=match.number)}.{name}"
        for match in league.event.matches
        for name in MATCH_FILES
    }
    known = {*pages, *ASSETS, *urls.EXPORTS, *of_matches}
    del pages[urls.FEED]  # no page
    for address, content in pages.items():
        path = tmp_path / "page.html"
        path.write_bytes(content)
        for link in Page(path).links:
            target = link.partition("#")[0].partition("?")[0]
            if target:
                found = resolve(address, target)
                assert found in known or find(found) is not None, (address, link)


def resolve(address: str, link: str) -> str:
    """The address that a browser asks for (RFC 3986, section 5.2.3)."""
    parts = address.split("/")[:-1]
    for part in link.split("/"):
        if part == "..":
            parts.pop()
        elif part != ".":
            parts.append(part)
    return "/".join(parts)


def test_every_template_that_ships_can_be_translated() -> None:
    shipped = {path.name for path in Path(rendering.__file__).parent.glob("templates/*.html")}
    assert len(shipped) > 20
    for name in shipped:
        environment().get_template(name)
    assert {name for _, name in environment().cache or ()} >= shipped
