"""The pages of an event one by one, as a server is asked for them: the same as in an export."""

import json
from pathlib import Path

import pytest

from tests.support.exports import export_site, matches_of
from tests.support.html_pages import Page
from tests.support.played_event import BEGINS_AT_MS, PlayedEvent
from tests.support.two_events import play_league
from tourney.results import played
from tourney.site import rendering, urls
from tourney.site.folder import MANIFEST
from tourney.site.public import PublicRules, PublicView
from tourney.site.rendering import ASSETS, environment
from tourney.site.routes import file_of
from tourney.site.site import Site


@pytest.fixture(scope="module")
def league(tmp_path_factory: pytest.TempPathFactory) -> PlayedEvent:
    return play_league(tmp_path_factory.mktemp("league"))


MATCH_FILES = ("pbn", "lin", "json")


def place_as_served(address: str) -> str:
    return address


def view_of(played: PlayedEvent) -> PublicView:
    return PublicView(played.drawn, PublicRules(), BEGINS_AT_MS)


def pages_of_matches(played: PlayedEvent) -> list[str]:
    found = []
    for match in matches_of(played):
        number = match.match.number
        found += [urls.match_page(number), *(urls.board_page(number, each.board.number) for each in match.boards)]
    return found


def test_every_page_is_the_file_of_an_export_byte_for_byte(league: PlayedEvent, tmp_path: Path) -> None:
    export_site(league, tmp_path)
    site = Site(view_of(league), BEGINS_AT_MS, file_of)
    served = {
        file_of(address): site.render(address) for address in [*ASSETS, *site.addresses(), *pages_of_matches(league)]
    }
    written = {path.relative_to(tmp_path).as_posix(): path.read_bytes() for path in tmp_path.rglob("*.*")}
    assert json.loads(written.pop(MANIFEST)).keys() == written.keys()
    assert served == written


def test_the_page_of_a_match_needs_no_calls_and_cards(league: PlayedEvent, monkeypatch: pytest.MonkeyPatch) -> None:
    number = next(match.match.number for match in matches_of(league) if match.boards)
    monkeypatch.delattr(played, "load_board_records")
    assert Site(view_of(league), BEGINS_AT_MS, place_as_served).render(urls.match_page(number)) is not None


def test_links_of_a_served_page_lead_to_addresses_that_are_answered(league: PlayedEvent, tmp_path: Path) -> None:
    site = Site(view_of(league), BEGINS_AT_MS, place_as_served)
    pages = {*ASSETS, *site.addresses(), *pages_of_matches(league), urls.LIVE, urls.WALL}
    of_matches = {urls.match_export(match.number, name) for match in league.event.matches for name in MATCH_FILES}
    known = {*pages, *urls.EXPORTS, *of_matches}
    for address in pages - set(ASSETS):
        path = tmp_path / "page.html"
        content = site.render(address)
        assert content is not None
        path.write_bytes(content)
        for link in Page(path).links:
            target = link.partition("#")[0]
            if target:
                assert resolve(address, target) in known, (address, link)


def resolve(address: str, link: str) -> str:
    """The address that a browser asks for (RFC 3986, section 5.2.3)."""
    parts = address.split("/")[:-1]
    for part in link.split("/"):
        if part == "..":
            parts.pop()
        elif part != ".":
            parts.append(part)
    return "/".join(parts)


@pytest.mark.parametrize(
    "address",
    [
        *("match/0", "match/11", "match/01", "match/999999999999", "match/1/board/0", "match/1/board/99", "match/1/"),
        *("match/2/board/3", "round/0", "round/9", "team/0", "team/6", "pair/1", "board/1", "stage/1/round/1"),
        *("recap", "pairs", "nothing", "static/app.py", "../style.css", "teams/", "round/٣"),
    ],
)
def test_what_is_not_there_or_may_not_be_seen_has_no_page(league: PlayedEvent, address: str) -> None:
    assert Site(view_of(league), BEGINS_AT_MS, place_as_served).render(address) is None


def test_every_template_that_ships_can_be_translated() -> None:
    shipped = {path.name for path in Path(rendering.__file__).parent.glob("templates/*.html")}
    assert len(shipped) > 30
    for name in shipped:
        environment().get_template(name)
    assert {name for _, name in environment().cache or ()} >= shipped
