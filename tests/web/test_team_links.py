"""One-time links at the web server: what `tourney invite --link` prints leads to a seat, and a key is shown once."""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx2
import pytest

from tests.support.commands import run
from tests.support.played_event import PlayedEvent, draw_event, event_text
from tests.support.web_conversation import browse
from tourney.bridge import Seat
from tourney.config.web import WebConfig
from tourney.event.file import PAGES, SEATS
from tourney.runtime import clock
from tourney.store.models import LinkPurpose
from tourney.store.team_access import KeyTeam, add_team_link, hash_team_key, load_keys, revoke_team_keys
from tourney.web.app import make_app, nothing_public
from tourney.web.team_links import KeyPages, TeamLinks

NOW_MS = 1_800_000_000_000
HOUR_MS = 3_600_000
PLACE = "http://localhost"

SERVED = event_text() + "\n[stateful]\nport = 5100\n[web]\nseats = true\n"
"""An event whose people sit down in browsers."""


@asynccontextmanager
async def links_of(played: PlayedEvent, now_ms: int = NOW_MS) -> AsyncIterator[tuple[TeamLinks, httpx2.AsyncClient]]:
    links = TeamLinks(played.drawn, lambda: now_ms)
    keys = KeyPages(links, WebConfig, "127.0.0.1", "Club")
    transport = httpx2.ASGITransport(make_app(nothing_public, keys=keys))
    async with httpx2.AsyncClient(transport=transport, base_url=PLACE, headers={"origin": PLACE}) as client:
        yield links, client
    await links.close()


def add_link(played: PlayedEvent, purpose: LinkPurpose) -> str:
    team = played.event.teams[1]
    return add_team_link(played.database, played.event.id, team.id, purpose, NOW_MS, HOUR_MS)


async def test_a_team_sees_its_key_once_and_only_after_the_button(tmp_path: Path) -> None:
    played = draw_event(tmp_path)
    token, team = add_link(played, LinkPurpose.KEY), played.event.teams[1]
    async with links_of(played) as (_, client):
        await browse(
            client,
            f"""
            /team-key/{token} -> 200 -> has {team.name} -> lacks <code>
            POST /team-key/{token} [origin: http://x.example] sure=yes -> 400
            /team-key/{token} [host: evil.example] -> 421
            """,
        )
        made = await client.post(f"/team-key/{token}", data={"sure": "yes"})
        key = re.search(r"<code>([A-Z2-7-]+)</code>", made.text)
        assert key is not None
        assert made.headers["cache-control"] == "no-store"
        found = load_keys(played.database, played.event.id).get(hash_team_key(key[1]))
        assert found == KeyTeam(team.id, team.number, team.name)
        gone = [await client.get(f"/team-key/{each}") for each in (token, "never", "x" * 22, "%00")]
        gone.append(await client.post(f"/team-key/{token}", data={"sure": "yes"}))
        assert {(each.status_code, each.text) for each in gone} == {(410, gone[0].text)}
    assert revoke_team_keys(played.database, played.event.id, team.id, NOW_MS) == 1


@pytest.mark.parametrize(
    ("words", "address", "said"),
    [
        ("Beta --link key", "8080/team-key/", ""),
        ("beta --link seat --hours 2", "8123/seat/link/", "Nobody serves it now"),
    ],
)
async def test_the_command_prints_a_link_that_leads_to_a_seat_or_a_key_of_the_team(
    tmp_path: Path, words: str, address: str, said: str
) -> None:
    port = address.partition("/")[0]
    played = draw_event(tmp_path, f"{SERVED}port = {port}\n")
    made = run("invite", played.path, *words.split())
    link = re.fullmatch(rf"http://127\.0\.0\.1:{address}([A-Za-z0-9_-]{{22}})\n", made.stdout)
    assert said in made.stderr
    assert link is not None, made.output
    async with links_of(played, clock.wall_ms()) as (links, _):
        found = await links.find_seat(link[1])
        assert (found.team if found is not None else await links.find_team(link[1])) == "Beta"


async def test_a_link_is_good_for_its_purpose_alone_and_until_its_hour(tmp_path: Path) -> None:
    played = draw_event(tmp_path)
    seat, key = add_link(played, LinkPurpose.SEAT), add_link(played, LinkPurpose.KEY)
    async with links_of(played, NOW_MS + HOUR_MS) as (links, _):
        assert await links.find_seat(seat) is None
    async with links_of(played) as (links, client):
        assert (await client.get(f"/team-key/{seat}")).status_code == 410
        assert await links.find_seat(key) is None
        found = await links.find_seat(seat)
        assert found is not None
        assert (found.team, found.team_number) == (played.event.teams[1].name, 2)
        assert await links.use_seat(seat) == found
        assert await links.use_seat(seat) is None


async def test_a_link_has_the_room_and_the_seat_that_were_chosen_and_no_other(tmp_path: Path) -> None:
    played = draw_event(tmp_path, SERVED)
    words = ["invite", str(played.path), "Alpha", "--link", "seat", "--room", "closed", "--seat", "N"]
    token = run(*words).stdout.strip().rpartition("/")[2]
    assert token.endswith(".closed")
    async with links_of(played, clock.wall_ms()) as (links, _):
        assert await links.find_seat(token.replace("closed", "open")) is None
        assert await links.find_seat(token.removesuffix(".closed")) is None
        found = await links.use_seat(token)
    assert found is not None
    assert (found.team, found.room, found.seat) == ("Alpha", "closed", Seat.NORTH)


def test_a_link_has_the_address_at_which_the_seats_are_served(tmp_path: Path) -> None:
    file = draw_event(tmp_path, SERVED).file
    with file.announcing("http://127.0.0.1:8472/", SEATS):
        printed = run("invite", file.path, "Alpha", "--link", "seat")
        assert printed.stdout.startswith("http://127.0.0.1:8472/seat/link/")
        assert printed.stderr == ""
        assert file.served_address(PAGES) == ("http://127.0.0.1:8080/", False)
        with file.announcing("http://127.0.0.1:9000/", SEATS):
            pass
    assert file.served_address(SEATS) == ("http://127.0.0.1:8080/", False)


def test_without_seats_in_browsers_there_are_no_links_to_them(tmp_path: Path) -> None:
    refused = run("invite", str(draw_event(tmp_path).path), "Alpha", "--link", "seat")
    assert (refused.exit_code, "set seats = true in [web]" in refused.output) == (2, True)
