"""The application: what it answers to good, bad and strange addresses, with which headers, and what it keeps."""

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import httpx2
import pytest

from tests.support.played_event import draw_event, draw_half_played, event_text
from tests.support.web_conversation import browse
from tests.support.web_server import WatchedEvent, browser
from tourney.errors import StoreError
from tourney.movement.seating import Room
from tourney.site.routes import ROUTES
from tourney.store.changes import ChangeWatch
from tourney.web import reader as reader_module
from tourney.web.app import make_app

BAD_ADDRESSES = (
    "/match/4 /match/2/board/2 /match/1/board /match/1/board/1/x /round/9 /recap /entrants/1 "
    "/match/1%00 /match/1%0A /../etc/passwd /static/../../etc/passwd /static/../app.py "
    "/static/0123456789abcdef/style.css //match/1 /match//1 /match/0.json /.json /entrants.csv "
    "/round/1/board.json /round/1/board/99.json /round/99/board/1.csv /match/1.pbn /export/event.db "
    "/export/match-0.pbn /export/match-1.exe /export/cards.exe /export/all.pbn/1 /.git/config /index.php "
    "/wire/1 /bots/1 /seed /<script> /match/1;x=1 /match/1\\ /nothing"
)
NUMBERED = (
    "/match/{} /match/1/board/{} /match/{}/board/1 /round/{} /round/{}/board/1 /round/1/board/{} "
    "/entrant/{} /board/{} /stage/1/board/{} /embed/match/{}/board/1 /embed/match/1/board/{} "
    "/match/{}.json /round/{}/board/1.csv /round/1/board/{}.json /export/match-{}.pbn /live/board/{}-open"
)
BAD_NUMBERS = ("0", "-1", "01", "+1", "1.0", "1e0", "99999", "9" * 30, "x", "", "1%00", "\u0663")


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader_module, "POLL_S", 0.01)


async def test_pages_are_answered_with_strict_headers(tmp_path: Path) -> None:
    pages = "/ /match/1 /match/1/board/1 /round/1 /entrant/1 /entrants /crosstable"
    await browse(
        draw_half_played(tmp_path),
        f"""
        {pages}
            -> 200
            -> content-type: text/html; charset=utf-8
            -> content-security-policy: default-src 'none'; script-src 'self'; style-src 'self'; ...
            -> content-security-policy: ...frame-ancestors 'none'
            -> x-content-type-options: nosniff
            -> referrer-policy: no-referrer
            -> cache-control: no-cache
            -> server: none
            -> content-encoding: gzip
        {pages} [accept-encoding: identity] -> 200 -> content-encoding: none
        """,
    )


async def test_what_a_browser_has_is_not_sent_again(tmp_path: Path) -> None:
    played = draw_half_played(tmp_path)
    watched = WatchedEvent(played)
    async with browser(watched) as client:
        first = await client.get("/match/2")
        tag = first.headers["etag"]
        assert (await client.get("/match/2", headers={"if-none-match": tag})).status_code == 304
        watched.now_ms += 90_000  # a page that is otherwise the same gives the time at which it was made
        played.begin(2, Room.OPEN, 2)
        await _until(client, "/live.json", lambda answer: answer.json()["tables"] != [])
        played.play(2, [Room.CLOSED], [2], seed="x")
        played.play(3, [Room.OPEN], [1])
        await browse(client, "/match/1 again -> 304")


async def test_what_is_not_there_leads_to_what_is(tmp_path: Path) -> None:
    await browse(
        draw_half_played(tmp_path),
        """
        /no/such/page
            -> 404
            -> has 3 times <a href="
            -> has <a href="/"...<a href="/live"...<a href="/schedule"
        / /live /schedule -> 200
        """,
    )


async def _until(client: httpx2.AsyncClient, address: str, is_there: object) -> httpx2.Response:
    assert callable(is_there)
    while not is_there(answer := await client.get(address)):  # noqa: ASYNC110 # as a browser would
        await asyncio.sleep(0.01)
    return answer


async def test_what_is_not_there_and_what_may_not_be_shown_is_the_same(tmp_path: Path) -> None:
    numbered = [shape.format(number) for shape in NUMBERED.split() for number in BAD_NUMBERS]
    strange = [*BAD_ADDRESSES.split(), "/" + "a/" * 99, "/" + "x" * 10_000]
    strange += (address for address in numbered if not address.endswith("/"))
    hidden, *others = await _answers(WatchedEvent(draw_half_played(tmp_path)), "/match/2/board/2", *strange)
    assert hidden[0] == 404
    for address, found in zip(strange, others, strict=True):
        assert found == hidden, address


async def _answers(watched: WatchedEvent, *addresses: str) -> list[tuple[int, list[tuple[bytes, bytes]], bytes]]:
    """What an application sends for raw paths, as a client would refuse to ask for many of them."""
    watched.reader.start()
    app = make_app(watched.pages)
    try:
        return [await _ask(app, address.encode()) for address in addresses]
    finally:
        await watched.reader.stop()


async def _ask(
    app: object, path: bytes, query: bytes = b"", method: str = "GET"
) -> tuple[int, list[tuple[bytes, bytes]], bytes]:
    assert callable(app)
    sent: list[dict[str, object]] = []

    async def send(message: dict[str, object]) -> None:
        sent.append(message)

    async def receive() -> dict[str, object]:
        return {"type": "http.disconnect"}

    scope = {
        "type": "http",
        "method": method,
        "path": path.decode("utf-8", "replace"),
        "raw_path": path,
        "query_string": query,
        "headers": [],
        "root_path": "",
    }
    await app(scope, receive, send)
    start, body = sent[0], b"".join(bytes(each.get("body", b"")) for each in sent[1:])  # type: ignore[call-overload]
    return start["status"], sorted(start["headers"]), body  # type: ignore[return-value, call-overload]


async def test_strange_queries_and_methods_are_refused_plainly(tmp_path: Path) -> None:
    watched = WatchedEvent(draw_half_played(tmp_path))
    watched.reader.start()
    app = make_app(watched.pages)
    try:
        assert (await _ask(app, b"/", b"x=1"))[0] == 200
        strange = b"topics= topics=match/1 topics=/<x> topics=/a,/a,/a,/a,/a,/a,/a,/a,/a other=/".split()
        for query in (b"", b"topics=/" + b"x" * 10_000, *strange):
            assert (await _ask(app, b"/events", query))[0] == 400, query
        for method in ("POST", "PUT", "DELETE", "OPTIONS"):
            assert (await _ask(app, b"/", method=method))[0] == 405
        status, headers, _ = await _ask(app, b"/match/1", method="HEAD")  # the body is left out by the HTTP server
        assert status == 200
        assert int(dict(headers)[b"content-length"]) > 1000
        assert (await _ask(app, b"/match/1/"))[0] == 308
    finally:
        await watched.reader.stop()


_NEW_EVENTS = {
    "lobby": ("team", ""),
    "Swiss": ("team", 'format = "swiss"\nrounds = 3\nboards_per_match = 2'),
    "groups before a knockout": (
        "team",
        'name = "One"\ngroups = 2\nboards_per_match = 2\n'
        '[[stage]]\nname = "Two"\nformat = "knockout"\nteams = 2\nboards_per_match = 2',
    ),
    "games": ("team", 'game = "rubber"'),
    "Howell": ("pair", 'format = "howell"\nboards_per_round = 2'),
    "individual": ("player", 'format = "individual"\nboards_per_round = 2'),
}
"""Who has entered events that nobody has played yet, and their stages."""


_PLAIN_EVENTS = ("lobby", "groups before a knockout")
"""Those that the suite looks at; campaigns look at all."""


@pytest.mark.parametrize(
    "kind",
    [pytest.param(kind, marks=() if kind in _PLAIN_EVENTS else pytest.mark.campaign) for kind in _NEW_EVENTS],
)
async def test_before_the_first_board_every_address_has_an_empty_page_or_none(tmp_path: Path, kind: str) -> None:
    entrant, stage = _NEW_EVENTS[kind]
    entrants = "".join(f'[[{entrant}]]\nname = "{name}"\n' for name in "ABCDEFGH") if stage else ""
    stages = f"[[stage]]\n{stage}\n" if stage else ""
    lobby = "" if stage else "[lobby]\n"
    web = '[web]\nlive = "vugraph"\nvugraph_phrase = "one two three"\n'
    played = draw_event(tmp_path, f'[event]\nname = "Cup"\n{lobby}{entrants}{stages}{web}')
    async with browser(WatchedEvent(played)) as client:
        await client.post("/vugraph", content=b"phrase=one+two+three")
        forms = ((route, suffix) for route in ROUTES for suffix in route.suffixes)
        for route, suffix in forms if kind == "lobby" else ((r, s) for r, s in forms if not r.export_format):
            values = ({"table": "1-open"}.get(name, 1) for name in route.parameters)
            address = f"/{route.address(*values)}{suffix}"
            answer = await client.get(address)
            assert answer.status_code in (200, 404), address
        await browse(client, "/ /live /schedule /rulings /embed/standings /export/standings.csv -> 200")


async def test_a_lobby_without_a_game_says_so_and_speaks_of_games_and_not_of_rounds(tmp_path: Path) -> None:
    await browse(
        draw_event(tmp_path, '[event]\nname = "Club"\n[lobby]\n'),
        """
        / -> has No game has been made yet. -> has No game is being played -> lacks All rounds played -> lacks Round
        /schedule -> has Nothing is played in it yet -> lacks Round
        /round/2 -> lacks Round
        """,
    )


async def test_while_the_record_is_away_pages_say_so_and_keep_what_they_had(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with browser(WatchedEvent(draw_half_played(tmp_path))) as client:
        before = await client.get("/match/1")
        assert (await client.get("/healthz")).text == "ok\n"

        def away(*_: object) -> None:
            raise StoreError("database secret-place is away")

        monkeypatch.setattr(ChangeWatch, "has_changed", away)
        await _until(client, "/healthz", lambda answer: answer.status_code == 503)
        await browse(
            client, "/healthz -> 503 -> lacks secret-place\n/match/1 -> 200 -> has cannot be read at the moment"
        )
        assert (await client.get("/match/1")).headers["etag"] != before.headers["etag"]
        assert (await client.get("/match/3")).status_code in (200, 503)
        monkeypatch.undo()
        await _until(client, "/healthz", lambda answer: answer.status_code == 200)
        assert (await client.get("/match/1")).text == before.text


def test_what_watchers_are_told_is_told_from_what_they_see(tmp_path: Path) -> None:
    played = draw_event(tmp_path, event_text("Ants", "Bees", "Cats", "Dogs", boards=4))
    watched = WatchedEvent(played)
    watched.topics = ["match/1", "match/2", "match/1/board/1", "live.json"]
    watched.poll()
    assert watched.poll() == []
    watched.now_ms += 90_000
    played.begin(1, Room.OPEN, 1)
    assert set(watched.poll()) == {"match/1", "match/2", "live.json"}  # a board is in play, and the event is
    played.play(1, boards=[2])  # the other match still has it to play
    assert "match/1/board/2" not in watched.poll()
    for number in (1, 2):
        played.play(number, [Room.CLOSED], [3])
    assert "match/1/board/1" not in watched.poll()  # how many boards are finished is no secret, what was played is
    watched.close()


def test_the_server_cannot_write(tmp_path: Path) -> None:
    watched = WatchedEvent(draw_half_played(tmp_path))
    database = watched.database
    with pytest.raises(StoreError), database.write() as connection:
        connection.exec_driver_sql("DELETE FROM results")
    watched.close()
    with closing(sqlite3.connect(f"{watched.played.database.file}")) as connection:
        assert connection.execute("SELECT count(*) FROM results").fetchone()[0] > 0
