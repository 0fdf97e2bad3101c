"""A seat in the browser: what its page shows and sends, who may have one, and what is refused."""

import asyncio
import html
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import httpx2
import pytest
from starlette.types import Message

from tests.client.test_typed import AUCTION, CLOSED, IN_PLAY
from tests.support.players_server import PlayersServer, players_server
from tourney.bridge import Seat
from tourney.client.server_link import ServerAddress
from tourney.config.web import WebConfig
from tourney.web.hub import Hub
from tourney.web.phrase_pace import FREE_TRIES, PhrasePace
from tourney.web.seat.app import SeatPages
from tourney.web.seat.seats import (
    KEPT_S,
    MOVES_PER_S,
    SAID_S,
    SAID_SHOWN,
    SEATED_S,
    SEATS_OF_ADDRESS_MAX,
    STREAMS_MAX,
    BrowserSeats,
    LinkedSeat,
    SeatLinks,
)

TO_CALL = (*AUCTION, "AUCOPEN S 1D,PASS,1H")
PLACE = "http://localhost"

SILENCE_S = 0.05
"""How long a page waits for what the server says to a move: the one of these tests says nothing by itself."""


@dataclass
class Browser:
    """A browser with its cookies, at the seats of a server."""

    client: httpx2.AsyncClient
    pages: SeatPages
    seats: BrowserSeats
    players: PlayersServer
    now_s: list[float]
    """What its clock says."""
    waited_s: list[float]
    """How long moves had to wait."""

    async def sit(self, name: str = "Ann", **more: str) -> httpx2.Response:
        """Sit down in a browser of one's own."""
        self.client.cookies.clear()
        return await self.enter(name, **more)

    async def enter(self, name: str, **more: str) -> httpx2.Response:
        form = {"name": name, "phrase": "", **more}
        return await self.client.post("/seat/enter", data=form, headers={"origin": PLACE})

    async def use_link(self, origin: str = PLACE, **form: str) -> httpx2.Response:
        """Use the link `once`."""
        return await self.client.post("/seat/link/once", headers={"origin": origin}, data=form or {"sure": "yes"})

    async def page(self) -> str:
        return (await self.client.get("/seat/table")).text

    async def until(self, text: str) -> None:
        """Wait until its page has a text."""
        seat = self.seats.find(self.client.cookies["tourney-seat"])
        assert seat is not None
        while text not in await self.page():
            seat.changed.clear()
            await seat.changed.wait()

    async def send(self, address: str = "/seat/do", *, origin: str = PLACE, **form: str) -> httpx2.Response:
        """Send a form as the page has it now, with what is given in place of its fields."""
        page = await self.page()
        fields = {name: html.unescape(value) for name, value in _HIDDEN.findall(page)}
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("tourney.web.seat.seats.ANSWER_S", SILENCE_S)
            return await self.client.post(address, data=fields | form, headers={"origin": origin})


_LEGAL = re.compile(r'<button class="(?:call|face)[^"]*" name="(?:call|card)" value="[^"]+"(?![^>]*disabled)')
_HIDDEN = re.compile(r'<input type="hidden" name="(\w+)" value="([^"]*)">')


class OneLink:
    """A link to a seat of the second team, which can be used once."""

    def __init__(self, token: str, linked: LinkedSeat | None = None) -> None:
        self._left = [token]
        self._linked = linked or LinkedSeat("Beta", 2)

    async def find_seat(self, token: str) -> LinkedSeat | None:
        return self._linked if token in self._left else None

    async def use_seat(self, token: str) -> LinkedSeat | None:
        found = await self.find_seat(token)
        if found is not None:
            self._left.remove(token)
        return found


@asynccontextmanager
async def browsing(
    *lines: str, address: str = "192.0.2.7", links: SeatLinks | None = None, at_event: bool = False
) -> AsyncIterator[Browser]:
    """Open a browser at a server whose players are told these lines when they come."""
    async with players_server(*lines) as players:
        now_s, waited_s = [1000.0], list[float]()

        async def sleep(seconds: float) -> None:
            waited_s.append(seconds)

        hub = Hub(100, spread_s=0, apart_s=0)
        at = ServerAddress("127.0.0.1", players.port, 0)
        seats = BrowserSeats(
            at,
            hub,
            lambda source, team: f"from {source}{'' if team is None else f' of {team}'}\r\n".encode(),
            now_s=lambda: now_s[0],
            sleep=sleep,
        )
        pages = SeatPages(
            seats,
            hub,
            WebConfig,
            "127.0.0.1",
            "Club",
            needs_phrase=at_event,
            has_boards=True,
            choices=frozenset({"seat", "room"} if at_event else {"seat"}),
            links=links,
        )
        transport = httpx2.ASGITransport(pages, client=(address, 1))
        async with httpx2.AsyncClient(transport=transport, base_url=PLACE) as client:
            yield Browser(client, pages, seats, players, now_s, waited_s)
        await seats.close()


@asynccontextmanager
async def seated(*lines: str, links: SeatLinks | None = None) -> AsyncIterator[Browser]:
    """The same, once Ann has sat down there."""
    async with browsing(*lines, links=links) as browser:
        await browser.sit()
        yield browser


def cards_on(page: str) -> set[str]:
    """The cards that a page names, in whatever form: `SA`, `ace of spades`, `spades ace, 10`, `S: A 10`."""
    named = set(re.findall(r"\b[SHDC][AKQJT2-9]\b", page))
    words = html.unescape(page)
    for rank, suit in re.findall(r"(ace|king|queen|jack|\d+) of (spade|heart|diamond|club)s", words):
        named.add(suit[0].upper() + rank[0].upper().replace("1", "T"))
    for suit, ranks in re.findall(r"\b([SHDC]): ((?:(?:[AKQJ2-9]|10)\b ?)+)", words):
        named |= {suit + rank.replace("10", "T") for rank in ranks.split()}
    suits = {"spades": "S", "hearts": "H", "diamonds": "D", "clubs": "C"}
    for suit, ranks in re.findall(r"(spades|hearts|diamonds|clubs) ((?:(?:ace|king|queen|jack|\d+)(?:, )?)+)", words):
        named |= {suits[suit] + rank[0].upper().replace("1", "T") for rank in ranks.split(", ") if rank}
    return named


async def test_who_sits_down_sees_its_own_hand_dummy_and_the_trick_and_nothing_else() -> None:
    async with browsing(*IN_PLAY) as browser:
        answer = await browser.sit()
        assert (answer.status_code, answer.headers["location"]) == (303, "/seat/table")
        cookie = answer.headers["set-cookie"].lower()
        assert all(word in cookie for word in ("httponly", "samesite=strict", "path=/seat"))
        page = await browser.page()
        own = {"SA", "SK", "SQ", "SJ", "HT", "H9", "H8", "D7", "D6", "C4", "C3", "C2"}
        dummy = {"ST", "DT", *(f"C{rank}" for rank in "AKQJT98765")}
        assert cards_on(page) == own | dummy | {"H7", "H2"} | {"D5", "D2", "DA", "D3"}
        assert "1NT" in page
        assert "your card</p>" in page
        assert "asks" in page


async def test_a_click_is_sent_as_a_call_with_its_alert_and_the_server_learns_where_it_comes_from() -> None:
    async with browsing(*TO_CALL) as browser:
        await browser.sit("Ann", phrase="open sesame")
        assert browser.players.heard[0] == "from 192.0.2.7"
        await browser.players.until_heard('HELLO "Ann#open sesame"')
        answer = await browser.send(call="2C", alert="asks  for majors")
        assert (answer.status_code, answer.headers["location"]) == (303, "/seat/table")
        await browser.players.until_heard("BID 2C")
        assert 'X-ALERT S "asks for majors"' in browser.players.heard
        assert "open sesame" not in await browser.page()


async def test_what_is_not_legal_is_not_sent_and_the_page_says_why() -> None:
    async with seated(*IN_PLAY) as browser:
        await browser.send(card="SA")
        assert "follow suit: you hold the hearts 10 9 8" in await browser.page()
        assert not [line for line in browser.players.heard if line.startswith("PLAY")]


async def test_a_click_on_what_is_past_is_refused_and_the_page_as_it_is_now_comes_back() -> None:
    async with seated(*TO_CALL) as browser:
        answer = await browser.send(call="Pass", at="7.1.0.0")
        assert answer.status_code == 409
        assert "that click came too late" in answer.text
        assert not [line for line in browser.players.heard if line.startswith("BID")]


@pytest.mark.parametrize(
    ("change", "status"),
    [({"csrf": "f" * 64}, 403), ({"origin": "http://elsewhere.example"}, 400), ({"say": "x" * 5000}, 400)],
    ids=["without its word", "from another site", "too long"],
)
async def test_a_form_that_is_not_of_this_page_is_refused(change: dict[str, str], status: int) -> None:
    async with seated(*TO_CALL) as browser:
        answer = await browser.send(**{"call": "Pass", **change})
        assert answer.status_code == status
        assert not [line for line in browser.players.heard if line.startswith("BID")]


async def test_without_a_seat_every_address_leads_to_the_door_and_another_name_of_the_server_to_nothing() -> None:
    async with browsing() as browser:
        answer = await browser.client.get("/seat/table")
        assert (answer.status_code, answer.headers["location"]) == (303, "/seat")
        assert "event: topic" in (await browser.client.get("/seat/events")).text  # its page is fetched again
        assert "Sit down" in (await browser.client.get("/seat")).text
        assert (await browser.client.get("/seat", headers={"host": "evil.example"})).status_code == 421


async def test_a_name_that_is_refused_by_a_server_that_closes_at_once_gets_no_seat_and_guesses_wait(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def refuse(self: PlayersServer, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while not (await reader.readline()).startswith(b"HELLO"):
            pass
        writer.write(b'NAK "wrong passphrase for Ann"\r\nX-END "wrong passphrase for Ann"\r\n')
        writer.close()

    monkeypatch.setattr(PlayersServer, "serve", refuse)
    waited_s: list[float] = []

    async def sleep(seconds: float) -> None:
        waited_s.append(seconds)

    async with browsing() as browser:
        monkeypatch.setattr(browser.pages, "_pace", PhrasePace(lambda: 0.0, sleep))
        for _ in range(FREE_TRIES + 3):
            answer = await browser.sit(phrase="guess")
            assert answer.status_code == 403
            assert "Wrong passphrase for Ann." in answer.text
            assert "set-cookie" not in answer.headers
        assert len(browser.seats) == 0
    assert waited_s == [1.0, 2.0, 4.0]


async def test_a_name_that_is_not_answered_in_time_gets_no_seat(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tourney.web.seat.seats.ANSWER_S", SILENCE_S)
    async with browsing() as browser:
        answer = await browser.sit(phrase="guess")
        assert answer.status_code == 403
        assert "has not answered to the name" in answer.text
        assert "set-cookie" not in answer.headers
        assert len(browser.seats) == 0


async def test_seats_whose_session_is_over_give_way_to_people_of_the_same_address() -> None:
    async with browsing(*TO_CALL, 'X-END "the event is over"') as browser:
        for number in range(2 * SEATS_OF_ADDRESS_MAX):
            assert (await browser.sit(f"Ann {number}")).status_code == 303


@pytest.mark.parametrize(
    ("form", "why"),
    [
        ({"name": " "}, "A name has at least one letter"),
        ({"name": "Ann#x"}, "A name has at least one letter"),
        ({"game": "g3", "seat": "Q"}, "A seat is N, E, S or W, got &#39;Q&#39;"),
        ({"game": "g 3"}, "A game is named as the lobby names it, such as g3, got &#39;g 3&#39;"),
    ],
)
async def test_a_door_that_is_filled_in_wrongly_says_what_is_expected(form: dict[str, str], why: str) -> None:
    async with browsing() as browser:
        answer = await browser.sit(**form)
        assert answer.status_code in (400, 403)
        assert why in answer.text
        assert browser.players.heard == []


async def test_an_address_has_so_many_seats_and_a_seat_so_many_pages_and_moves_within_a_second() -> None:
    async with browsing(*TO_CALL) as browser:
        for number in range(SEATS_OF_ADDRESS_MAX):
            assert (await browser.sit(f"Ann {number}")).status_code == 303
        token = browser.client.cookies["tourney-seat"]
        assert "which is as many as it may have" in (await browser.sit("One more")).text
        browser.client.cookies["tourney-seat"] = token
        seat = browser.seats.find(token)
        assert seat is not None
        assert [browser.seats.open_stream(seat) for _ in range(STREAMS_MAX + 1)] == [True] * STREAMS_MAX + [False]
        taken = 3 * MOVES_PER_S  # at once, after a second, after two
        statuses = [(await browser.send(command="state")).status_code for _ in range(taken + 1)]
        assert statuses == [303] * taken + [429]
        assert browser.waited_s == [1.0] * MOVES_PER_S + [2.0] * MOVES_PER_S
        browser.now_s[0] += 3
        assert (await browser.send(command="state")).status_code == 303


async def test_a_seat_that_nobody_comes_back_to_is_given_up_and_one_whose_page_is_open_is_not() -> None:
    async with browsing(*TO_CALL) as browser:
        await browser.sit("Ann")
        kept = browser.seats.find(browser.client.cookies["tourney-seat"])
        assert kept is not None
        browser.seats.open_stream(kept)
        await browser.sit("Bob")
        browser.now_s[0] += KEPT_S + 1
        await browser.seats.sweep()
        assert len(browser.seats) == 1
        await browser.players.until_gone(1)
        browser.seats.close_stream(kept)
        await browser.seats.sweep()
        assert len(browser.seats) == 1  # it has only just been closed
        browser.now_s[0] += KEPT_S + 1
        await browser.seats.sweep()
        assert len(browser.seats) == 0


@pytest.mark.parametrize("address", ["/seat", "/seat/link/once", "/seat/table"])
async def test_who_comes_back_after_the_page_was_closed_for_long_has_the_seat_again(address: str) -> None:
    async with browsing("TOURNAMENTS -", "GAMES -", *TO_CALL, links=OneLink("once")) as browser:
        await browser.use_link()
        await browser.until("Your turn")
        browser.now_s[0] += 100 * KEPT_S
        await browser.seats.sweep()
        await browser.players.until_gone(1)
        browser.players.heard.clear()
        back = await browser.client.get(address)
        if address != "/seat/table":
            assert (back.status_code, back.headers["location"]) == (303, "/seat/table")
        await browser.players.until_heard("JOIN-M g1 S")
        assert "from 192.0.2.7 of 2" in browser.players.heard
        await browser.send(call="2C")
        await browser.players.until_heard("BID 2C")


async def test_a_seat_that_is_as_old_as_its_cookie_is_not_taken_up_again() -> None:
    async with seated(*TO_CALL) as browser:
        browser.now_s[0] += SEATED_S + 1
        await browser.seats.sweep()
        assert (await browser.client.get("/seat/table")).headers["location"] == "/seat"


async def test_who_leaves_gives_up_the_seat_and_the_cookie() -> None:
    async with seated(*TO_CALL) as browser:
        answer = await browser.send("/seat/leave")
        assert (answer.status_code, answer.headers["location"]) == (303, "/seat")
        await browser.players.until_heard("X-LEAVE")
        assert len(browser.seats) == 0
        assert (await browser.client.get("/seat/table")).headers["location"] == "/seat"


@pytest.mark.parametrize(
    ("form", "line"),
    [
        ({"say": 'hi\r\nX-LEAVE "\\'}, 'X-SAY "hi X-LEAVE \\"\\\\"'),
        ({"director": "help\r\nX-LEAVE"}, 'X-DIRECTOR "help X-LEAVE"'),
        (
            {"command": "tournament t1", "partner": "Bob\u2028X-LEAVE\r\nX-LEAVE"},
            'JOIN-T t1 "Bob X-LEAVE X-LEAVE"',
        ),
        ({"call": "1NT", "alert": "15-17\r\nX-LEAVE"}, 'X-ALERT S "15-17 X-LEAVE"'),
        ({"command": "undo\r\nX-LEAVE"}, "X-UNDO"),
    ],
    ids=["said", "director", "partner", "alert", "command"],
)
async def test_no_text_of_a_form_becomes_a_second_line(form: dict[str, str], line: str) -> None:
    async with browsing(*TO_CALL) as browser:
        await browser.sit("Ann", phrase="open\r\nX-LEAVE")
        await browser.players.until_heard('HELLO "Ann#open X-LEAVE"')
        if "partner" in form:
            await browser.send(**form)  # it asks whether the person wants to leave the game
        await browser.send(**form)
        await browser.players.until_heard(line)
        assert "X-LEAVE" not in browser.players.heard


@pytest.mark.parametrize("name", ["\x1b[31mAnn", "Ann\x00", "\x9bAnn"])
async def test_a_name_has_no_control_characters(name: str) -> None:
    async with browsing() as browser:
        answer = await browser.sit(name)
        assert answer.status_code == 400
        assert "no control characters" in answer.text
        assert not {"\x1b", "\x00", "\x9b"} & set(answer.text)


async def test_a_name_in_any_script_and_with_quotes_is_one_argument_and_one_text() -> None:
    name = '<b>"Ánn"</b> 王 \\'
    async with browsing(*TO_CALL) as browser:
        await browser.sit(name)
        await browser.players.until_heard('HELLO "<b>\\"Ánn\\"</b> 王 \\\\"')
        assert "&lt;b&gt;" in await browser.page()
        assert (await browser.sit("x" * 4000)).status_code == 303
        await browser.players.until_heard(f"HELLO {'x' * 100}")


async def test_every_other_request_gets_a_refusal_and_the_table_goes_on() -> None:
    async with seated(*TO_CALL) as browser:
        for method in ("HEAD", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"):
            for address in ("/seat", "/seat/table", "/seat/do", "/seat/enter", "/seat/leave"):
                status = (await browser.client.request(method, address)).status_code
                assert status in (200, 303, 405), (method, address)
                assert status == 405 or method == "HEAD"
        for address in ("", "table/", "/table", "%2e%2e/director", "do%00", "x" * 3000):
            assert (await browser.client.get(f"/seat/{address}")).status_code == 404
        for body, kind in ((b"call=Pass", "text/plain"), (b"\xff%ff=%00&" * 9, "application/x-www-form-urlencoded")):
            headers = {"origin": PLACE, "content-type": kind}
            for address in ("/seat/do", "/seat/enter", "/seat/leave"):
                answer = await browser.client.post(address, content=body, headers=headers)
                assert answer.status_code in (400, 403)
        await browser.send(call="Pass")
        await browser.players.until_heard("BID PASS")


async def test_a_form_whose_fields_are_repeated_is_one_move() -> None:
    async with seated(*TO_CALL) as browser:
        fields = dict(_HIDDEN.findall(await browser.page()))
        body = "&".join(
            [*(f"{name}={value}" for name, value in fields.items()), "call=2C", "call=Pass", "command=state"]
        )
        headers = {"origin": PLACE, "content-type": "application/x-www-form-urlencoded"}
        assert (await browser.client.post("/seat/do", content=body, headers=headers)).status_code == 303
        await browser.players.until_heard("BID PASS")
        assert len([line for line in browser.players.heard if line.startswith(("BID", "JOIN"))]) == 1


async def test_while_the_connection_to_the_table_is_lost_nothing_can_be_clicked_and_a_call_is_refused() -> None:
    async with seated(*TO_CALL) as browser:
        assert _LEGAL.findall(await browser.page())
        browser.players.close()
        await browser.until("Sit down again")
        assert _LEGAL.findall(await browser.page()) == []
        answer = await browser.send(call="Pass")
        assert answer.status_code == 409
        assert "is lost: nothing was sent" in answer.text


# Links


async def test_a_link_seats_one_person_of_its_team_who_may_reload_it_and_nobody_after() -> None:
    async with browsing(*TO_CALL, links=OneLink("once")) as browser:
        shown = await browser.client.get("/seat/link/once")
        assert (shown.status_code, "Beta" in shown.text) == (200, True)
        assert browser.players.heard == []  # to look at it does not use it
        sat = await browser.use_link()
        assert (sat.status_code, sat.headers["location"]) == (303, "/seat/table")
        await browser.players.until_heard("HELLO Beta")
        assert browser.players.heard[0] == "from 192.0.2.7 of 2"
        assert "Your turn" in await browser.page()
        again = await browser.client.get("/seat/link/once")
        assert (again.status_code, again.headers["location"]) == (303, "/seat/table")
        browser.client.cookies.clear()
        answers = [await browser.client.get(f"/seat/link/{each}") for each in ("once", "never", "x" * 3000)]
        answers.append(await browser.use_link())
        assert {(each.status_code, each.text) for each in answers} == {(410, answers[0].text)}
        assert len(browser.seats) == 1


async def test_a_browser_that_has_a_seat_is_refused_a_second_one_by_a_link_or_a_name() -> None:
    async with seated(*TO_CALL, links=OneLink("once")) as browser:
        await browser.until("Your turn")
        token = browser.client.cookies["tourney-seat"]
        link = await browser.use_link()
        for refused in (link, await browser.enter("Ben")):
            assert refused.status_code == 403
            assert "This browser has a seat already: leave it before you take another." in refused.text
        assert browser.client.cookies["tourney-seat"] == token
        assert len(browser.seats) == 1
        assert (await browser.client.get("/seat/link/once")).status_code == 200
        await browser.send("/seat/leave")
        sat = await browser.use_link()
        assert sat.status_code == 303


async def test_room_and_seat_are_chosen_where_a_link_leads_or_said_where_it_has_them() -> None:
    lines = ("TOURNAMENTS cup", "GAMES -", *TO_CALL)
    async with browsing(*lines, links=OneLink("once"), at_event=True) as browser:
        page = (await browser.client.get("/seat/link/once")).text
        assert 'name="room"' in page
        assert 'name="seat"' in page
        form = {"room": "closed", "seat": "S"}
        await browser.use_link(**form)
        await browser.players.until_heard("JOIN-T - - CLOSED S")
    fixed = LinkedSeat("Beta", 2, "open", Seat.NORTH)
    async with browsing(*lines, links=OneLink("once", fixed), at_event=True) as browser:
        page = (await browser.client.get("/seat/link/once")).text
        assert "You sit North in the open room." in page
        assert "<select" not in page
        await browser.use_link(**form)
        await browser.players.until_heard("JOIN-T - - OPEN N")


async def test_a_link_is_not_used_up_by_another_site_nor_where_the_table_is_away() -> None:
    async with browsing(links=OneLink("once")) as browser:
        foreign = await browser.use_link("http://evil.example")
        assert foreign.status_code == 400
        browser.players.close()
        away = await browser.use_link()
        assert away.status_code == 403
        assert "obody listens there" in away.text
        assert (await browser.client.get("/seat/link/once")).status_code == 200


async def test_two_who_use_a_link_at_the_same_moment_are_one_too_many() -> None:
    async with browsing(*TO_CALL, links=OneLink("once")) as browser:
        sent = [browser.use_link() for _ in range(2)]
        assert sorted([each.status_code for each in await asyncio.gather(*sent)]) == [303, 410]
        assert len(browser.seats) == 1


async def test_without_links_there_is_no_such_page() -> None:
    async with browsing() as browser:
        assert (await browser.client.get("/seat/link/once")).status_code == 404


# The other words of the table


async def test_an_opponent_wants_something_back_and_an_answer_to_an_earlier_wish_is_none_to_this() -> None:
    async with seated(*TO_CALL, "X-UNDO 8 E") as browser:
        page = await browser.page()
        assert "East asks to take the last call or card back" in page
        assert 'name="offer" value="8"' in page
        answer = await browser.send(command="accept", offer="7")
        assert answer.status_code == 409
        await browser.send(command="accept")
        await browser.players.until_heard("X-ACCEPT 8")
        await browser.players.say("X-UNDONE 8 YES")
        await browser.until("it is taken back")
        assert "alertdialog" not in await browser.page()


async def test_what_a_player_may_ask_the_table_is_a_button_and_nothing_else_is() -> None:
    async with seated(*IN_PLAY, "X-MAY 1 1 1 2,4") as browser:
        page = await browser.page()
        for command in ("undo", "claim", "ask 2"):
            assert f'value="{command}"' in page
            await browser.send(command=command)
        for line in ("X-UNDO", "X-CLAIM", "X-ASK 2"):
            await browser.players.until_heard(line)
        assert 'id="say"' in page
        assert 'value="ask 4"' not in page  # it is explained
        await browser.players.say("X-MAY 0 0 0 -", 'X-SAID E "nothing may be asked"')
        await browser.until("nothing may be asked")
        page = await browser.page()
        assert not any(word in page for word in ('value="undo"', 'value="claim"', 'value="ask ', 'id="say"'))


async def test_a_refusal_stands_where_the_move_was_made_until_the_next() -> None:
    async with seated("TOURNAMENTS -", "GAMES -", *TO_CALL) as browser:
        await browser.send(command="undo")
        await browser.players.say('NAK "North has gone on since: it stands"')
        await browser.until("gone on since")
        shown = '<strong class="refusal">North has gone on since: it stands.</strong>'
        assert f'<p class="prompt" role="status">{shown}' in await browser.page()
        await browser.send(tell="natural")
        page = await browser.page()
        assert "gone on since" not in page[: page.index('role="log"')]
        assert "refusal" not in page[: page.index('role="log"')]
        assert "nobody has asked you what a call means" in page[page.index('role="log"') :]
        await browser.send(call="Pass", at="7.1.0.0")
        assert 'status"><strong class="refusal">That click came too late' in await browser.page()
        await browser.send(call="2C")
        assert "refusal" not in await browser.page()


async def test_what_the_others_say_and_ask_comes_to_the_page_and_is_answered_at_any_moment() -> None:
    async with seated(*IN_PLAY, "X-MAY 0 0 1 -") as browser:
        await browser.players.say('X-SAID E "<good luck>"', "X-ASKED 1")
        await browser.until("East says: &lt;good luck&gt;")
        assert "An opponent asks what your" in await browser.page()
        await browser.send(tell="nothing\nspecial", at="0.0.0.0")
        await browser.players.until_heard('X-TELL 1 "nothing special"')
        await browser.send(say="thanks", at="0.0.0.0")
        await browser.players.until_heard("X-SAY thanks")
        await browser.send(say="not sent", command="mute")
        await browser.players.say('X-SAID E "again"', "X-ASKED 1")
        await browser.until("An opponent asks")
        page = await browser.page()
        assert "again" not in page
        assert 'aria-pressed="true"' in page
        assert 'X-SAY "not sent"' not in browser.players.heard


async def test_sentences_that_come_at_once_are_all_on_the_page_until_they_are_old() -> None:
    async with seated(*TO_CALL) as browser:
        await browser.players.say(*(f'X-SAID E "word {number}."' for number in range(25)))
        await browser.until("word 24.")
        said = re.findall(r'<p id="said-(\d+)">East says: word (\d+)\.', await browser.page())
        first = int(said[0][0])
        assert said == [(str(first + number), str(number)) for number in range(25)]
        browser.now_s[0] += SAID_S + 1
        await browser.players.say('X-SAID E "the last one"')
        await browser.until("the last one")
        assert len(re.findall(r'id="said-', await browser.page())) == SAID_SHOWN


async def test_a_page_that_takes_nothing_of_its_stream_holds_up_neither_the_table_nor_another_page() -> None:
    async with seated(*TO_CALL) as browser:
        scope = {
            "type": "http",
            "method": "GET",
            "path": "/seat/events",
            "query_string": b"",
            "headers": [
                (b"host", b"localhost"),
                (b"cookie", f"tourney-seat={browser.client.cookies['tourney-seat']}".encode()),
            ],
        }
        taken = asyncio.Queue[bytes]()
        never = asyncio.Event()

        async def take_nothing(message: Message) -> None:
            if message["type"] == "http.response.body":
                await never.wait()

        async def take(message: Message) -> None:
            taken.put_nowait(message.get("body", b""))

        async def watch() -> Message:
            await never.wait()
            return {"type": "http.disconnect"}

        slow, quick = (asyncio.create_task(browser.pages(scope, watch, each)) for each in (take_nothing, take))
        for number in range(50):
            await browser.players.say(f'X-SAID E "word {number}"')
            await browser.until(f"word {number}<")
            while b"event: topic" not in await taken.get():
                pass
        await browser.send(call="Pass")
        await browser.players.until_heard("BID PASS")
        assert not slow.done(), "it has waited all the time"
        never.set()
        await asyncio.gather(slow, quick)


async def test_the_next_board_waits_for_the_button_and_the_time_that_is_left_runs() -> None:
    over = (*CLOSED, "TRICKSWON " + ",".join("N" * 13), "X-RESULT 1NTE 0 350", "X-READY 30000")
    async with seated(*TO_CALL[:-1], "X-CLOCK S 65000", TO_CALL[-1]) as browser:
        assert "1:05</p>" in await browser.page()
        browser.now_s[0] += 7
        assert "0:58</p>" in await browser.page()
        await browser.players.say(*over)
        await browser.until("Next board")
        page = await browser.page()
        assert "1NT by East" in page
        assert 'href="/match/1/board/7"' in page  # of game g1
        assert "Time left" not in page
        await browser.send(command="ready")
        await browser.players.until_heard("X-READY")
        assert "Next board" not in await browser.page()


async def test_a_cookie_of_nobody_and_that_of_somebody_who_has_left_lead_to_the_door() -> None:
    async with seated(*TO_CALL) as browser:
        left = browser.client.cookies["tourney-seat"]
        await browser.send("/seat/leave")
        for cookie in (left, "f" * 64, "x" * 3000, "a;b", ""):
            headers = {"cookie": f"tourney-seat={cookie}", "origin": PLACE}
            for method, address in (("GET", "/seat/table"), ("POST", "/seat/do"), ("POST", "/seat/leave")):
                answer = await browser.client.request(method, address, headers=headers)
                assert (answer.status_code, answer.headers["location"]) == (303, "/seat")
        assert len(browser.seats) == 0
