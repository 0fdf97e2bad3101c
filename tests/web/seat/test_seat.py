"""A seat in the browser: what its page shows and sends, who may have one, and what is refused."""

import asyncio
import html
import re
import shlex
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import httpx2
import pytest
from starlette.types import Message

from tests.client.test_typed import AUCTION, CLOSED, IN_PLAY
from tests.support.conversation import steps_of
from tests.support.phrase_paces import QuickPace
from tests.support.players_server import PlayersServer, players_server
from tests.support.web_conversation import browse, check_answer, fields_in
from tourney.bridge import Seat
from tourney.client.server_link import ServerAddress
from tourney.config.web import WebConfig
from tourney.web.hub import Hub
from tourney.web.phrase_pace import FREE_TRIES
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


async def converse(  # noqa: PLR0912 # a case for each step
    at: Browser | Sequence[str], script: str, **more: Any
) -> None:
    """Let people come to a server whose players are told some lines, and check what they are shown:

    Ann sits phrase=guess -> 403          in a browser of her own
    page -> has your card -> lacks Sit    what the table shows now, as `browse` checks it
    sends call=2C alert=majors -> 303 ... the form of the page
    leaves
    uses the link room=closed -> 410
    server: X-UNDO 8 E                    what its players are told now
    until East asks                       the page has this
    until heard BID 2C                    the server has heard this
    heard BID -> BID 2C                   all lines that begin so
    the connection is lost
    7 s pass
    /seat -> has Sit down                 any other address
    """
    if not isinstance(at, Browser):
        async with browsing(*at, **more) as browser:
            await converse(browser, script)
        return
    for step in steps_of(script):
        verb, _, text = step.what.partition(" ")
        match [verb, *text.split()]:
            case ["page"]:
                check_answer(step, await at.client.get("/seat/table"))
            case ["sends", *_]:
                check_answer(step, await at.send(**fields_in(shlex.split(text))))
            case ["leaves"]:
                check_answer(step, await at.send("/seat/leave"))
            case ["uses", "the", "link", *form]:
                check_answer(step, await at.use_link(**fields_in(form)))
            case ["server:", *_]:
                await at.players.say(text)
            case ["until", "heard", *_]:
                await at.players.until_heard(text.removeprefix("heard "))
            case ["until", *_]:
                await at.until(text)
            case ["heard", *_]:
                step.check([line for line in at.players.heard if line.startswith(text)])
            case ["the", "connection", "is", "lost"]:
                at.players.close()
            case [_, "s", "pass"]:
                at.now_s[0] += float(verb)
            case [_, "sits", *_]:
                check_answer(step, await at.sit(verb, **fields_in(shlex.split(text))))
            case _:
                await browse(at.client, "\n    -> ".join([step.what, *step.expected]))


async def test_who_sits_down_sees_its_own_hand_dummy_and_the_trick_and_nothing_else() -> None:
    async with browsing(*IN_PLAY) as browser:
        await converse(
            browser,
            """
            Ann sits -> 303 /seat/table -> set-cookie: ...HttpOnly...Path=/seat...SameSite=strict...
            page -> has 1NT -> has your card</p> -> has asks
            """,
        )
        own = {"SA", "SK", "SQ", "SJ", "HT", "H9", "H8", "D7", "D6", "C4", "C3", "C2"}
        dummy = {"ST", "DT", *(f"C{rank}" for rank in "AKQJT98765")}
        assert cards_on(await browser.page()) == own | dummy | {"H7", "H2"} | {"D5", "D2", "DA", "D3"}


async def test_a_click_is_sent_as_a_call_with_its_alert_and_the_server_learns_where_it_comes_from() -> None:
    await converse(
        TO_CALL,
        """
        Ann sits phrase='open sesame'
        until heard HELLO "Ann#open sesame"
        heard from -> from 192.0.2.7
        sends call=2C alert='asks  for majors' -> 303 /seat/table
        until heard BID 2C
        heard X-ALERT -> X-ALERT S "asks for majors"
        page -> lacks open sesame
        """,
    )


async def test_what_is_not_legal_is_not_sent_and_the_page_says_why() -> None:
    await converse(
        IN_PLAY,
        """
        Ann sits
        sends card=SA
        page -> has follow suit: you hold the hearts 10 9 8
        heard PLAY -> nothing
        """,
    )


async def test_a_form_that_is_not_of_this_page_or_of_an_earlier_one_is_refused() -> None:
    async with seated(*TO_CALL) as browser:
        assert (await browser.send(call="Pass", origin="http://elsewhere.example")).status_code == 400
        await converse(
            browser,
            f"""
            sends call=Pass csrf={"f" * 64} -> 403
            sends call=Pass say={"x" * 5000} -> 400
            sends call=Pass at=7.1.0.0 -> 409 -> has that click came too late
            heard BID -> nothing
            """,
        )


async def test_without_a_seat_every_address_leads_to_the_door_and_another_name_of_the_server_to_nothing() -> None:
    # The page of who watches is fetched again.
    await converse(
        (),
        """
        /seat/table -> 303 /seat
        /seat/events -> has event: topic
        /seat -> has Sit down
        /seat [host: evil.example] -> 421
        /seat/link/once -> 404
        """,
    )


async def test_a_name_that_is_refused_by_a_server_that_closes_at_once_gets_no_seat_and_guesses_wait(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def refuse(self: PlayersServer, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while not (await reader.readline()).startswith(b"HELLO"):
            pass
        writer.write(b'NAK "wrong passphrase for Ann"\r\nX-END "wrong passphrase for Ann"\r\n')
        writer.close()

    monkeypatch.setattr(PlayersServer, "serve", refuse)
    waits = QuickPace()
    async with browsing() as browser:
        monkeypatch.setattr(browser.pages, "_pace", waits.pace)
        guess = "Ann sits phrase=guess -> 403 -> has Wrong passphrase for Ann. -> set-cookie: none\n"
        await converse(browser, (FREE_TRIES + 3) * guess)
        assert len(browser.seats) == 0
    assert waits.slept_s == [1.0, 2.0, 4.0]


async def test_a_name_that_is_not_answered_in_time_gets_no_seat(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tourney.web.seat.seats.ANSWER_S", SILENCE_S)
    async with browsing() as browser:
        await converse(browser, "Ann sits -> 403 -> has has not answered to the name -> set-cookie: none")
        assert len(browser.seats) == 0


async def test_seats_whose_session_is_over_give_way_to_people_of_the_same_address() -> None:
    sits = (f"Ann{number} sits -> 303\n" for number in range(2 * SEATS_OF_ADDRESS_MAX))
    await converse((*TO_CALL, 'X-END "the event is over"'), "".join(sits))


async def test_a_door_that_is_filled_in_wrongly_says_what_is_expected() -> None:
    await converse(
        (),
        """
        POST /seat/enter [origin: http://localhost] phrase= name=' ' -> 400 -> has A name has at least one letter
        Ann#x sits -> 400 -> has A name has at least one letter
        Ann sits game=g3 seat=Q -> 403 -> has A seat is N, E, S or W, got 'Q'
        Ann sits game='g 3' -> 403 -> has A game is named as the lobby names it, such as g3, got 'g 3'
        heard -> nothing
        """,
    )


async def test_an_address_has_so_many_seats_and_a_seat_so_many_pages_and_moves_within_a_second() -> None:
    async with browsing(*TO_CALL) as browser:
        await converse(browser, "".join(f"Ann{number} sits -> 303\n" for number in range(SEATS_OF_ADDRESS_MAX)))
        token = browser.client.cookies["tourney-seat"]
        await converse(browser, "Ben sits -> 403 -> has which is as many as it may have")
        browser.client.cookies["tourney-seat"] = token
        seat = browser.seats.find(token)
        assert seat is not None
        assert [browser.seats.open_stream(seat) for _ in range(STREAMS_MAX + 1)] == [True] * STREAMS_MAX + [False]
        taken = 3 * MOVES_PER_S  # at once, after a second, after two
        await converse(browser, taken * "sends command=state -> 303\n" + "sends command=state -> 429")
        assert browser.waited_s == [1.0] * MOVES_PER_S + [2.0] * MOVES_PER_S
        await converse(browser, "3 s pass\nsends command=state -> 303")


async def test_a_seat_that_nobody_comes_back_to_is_given_up_and_one_whose_page_is_open_is_not() -> None:
    async with seated(*TO_CALL) as browser:

        async def kept_after(seconds: float) -> int:
            browser.now_s[0] += seconds
            await browser.seats.sweep()
            return len(browser.seats)

        kept = browser.seats.find(browser.client.cookies["tourney-seat"])
        assert kept is not None
        browser.seats.open_stream(kept)
        await browser.sit("Bob")
        assert await kept_after(KEPT_S + 1) == 1
        await browser.players.until_gone(1)
        browser.seats.close_stream(kept)
        assert await kept_after(0) == 1  # it has only just been closed
        assert await kept_after(KEPT_S + 1) == 0


@pytest.mark.parametrize("back", ["/seat -> 303 /seat/table", "/seat/link/once -> 303 /seat/table", "page"])
async def test_who_comes_back_after_the_page_was_closed_for_long_has_the_seat_again(back: str) -> None:
    async with browsing("TOURNAMENTS -", "GAMES -", *TO_CALL, links=OneLink("once")) as browser:
        await converse(browser, f"uses the link\nuntil Your turn\n{100 * KEPT_S} s pass")
        await browser.seats.sweep()
        await browser.players.until_gone(1)
        browser.players.heard.clear()
        await converse(
            browser,
            f"""
            {back}
            until heard JOIN-M g1 S
            heard from -> from 192.0.2.7 of 2
            sends call=2C
            until heard BID 2C
            """,
        )


async def test_a_seat_that_is_as_old_as_its_cookie_is_not_taken_up_again() -> None:
    async with seated(*TO_CALL) as browser:
        browser.now_s[0] += SEATED_S + 1
        await browser.seats.sweep()
        await converse(browser, "page -> 303 /seat")


async def test_who_leaves_gives_up_the_seat_and_the_cookie() -> None:
    async with seated(*TO_CALL) as browser:
        await converse(browser, "leaves -> 303 /seat\nuntil heard X-LEAVE\npage -> 303 /seat")
        assert len(browser.seats) == 0


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
        if "partner" in form:
            await browser.send(**form)  # it asks whether the person wants to leave the game
        await browser.send(**form)
        await converse(browser, f'until heard HELLO "Ann#open X-LEAVE"\nuntil heard {line}\nheard X-LEAVE -> nothing')


@pytest.mark.parametrize("name", ["\x1b[31mAnn", "Ann\x00", "\x9bAnn"])
async def test_a_name_has_no_control_characters(name: str) -> None:
    lacks = "-> lacks \x1b -> lacks \x00 -> lacks \x9b"
    await converse((), f"{name} sits -> 400 -> has no control characters {lacks}")


async def test_a_name_in_any_script_and_with_quotes_is_one_argument_and_one_text() -> None:
    async with browsing(*TO_CALL) as browser:
        await browser.sit('<b>"Ánn"</b> 王 \\')
        await converse(
            browser,
            f"""
            until heard HELLO "<b>\\"Ánn\\"</b> 王 \\\\"
            page -> has &lt;b&gt;
            {"x" * 4000} sits -> 303
            until heard HELLO {"x" * 100}
            """,
        )


async def test_every_other_request_gets_a_refusal_and_the_table_goes_on() -> None:
    addresses = ("/seat", "/seat/table", "/seat/do", "/seat/enter", "/seat/leave")
    async with seated(*TO_CALL) as browser:
        for method in ("HEAD", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"):
            for address in addresses:
                status = (await browser.client.request(method, address)).status_code
                assert status in (200, 303, 405), (method, address)
                assert status == 405 or method == "HEAD"
        for body, kind in ((b"call=Pass", "text/plain"), (b"\xff%ff=%00&" * 9, "application/x-www-form-urlencoded")):
            headers = {"origin": PLACE, "content-type": kind}
            for address in addresses[2:]:
                answer = await browser.client.post(address, content=body, headers=headers)
                assert answer.status_code in (400, 403)
        await converse(
            browser,
            f"""
            /seat/ /seat/table/ /seat//table /seat/%2e%2e/director /seat/do%00 /seat/{"x" * 3000} -> 404
            sends call=Pass
            until heard BID PASS
            """,
        )


async def test_a_form_whose_fields_are_repeated_is_one_move() -> None:
    async with seated(*TO_CALL) as browser:
        fields = dict(_HIDDEN.findall(await browser.page()))
        body = "&".join(
            [*(f"{name}={value}" for name, value in fields.items()), "call=2C", "call=Pass", "command=state"]
        )
        headers = {"origin": PLACE, "content-type": "application/x-www-form-urlencoded"}
        assert (await browser.client.post("/seat/do", content=body, headers=headers)).status_code == 303
        await converse(browser, "until heard BID PASS\nheard BID -> BID PASS\nheard JOIN -> nothing")


async def test_while_the_connection_to_the_table_is_lost_nothing_can_be_clicked_and_a_call_is_refused() -> None:
    async with seated(*TO_CALL) as browser:
        assert _LEGAL.findall(await browser.page())
        await converse(
            browser,
            """
            the connection is lost
            until Sit down again
            sends call=Pass -> 409 -> has is lost: nothing was sent
            """,
        )
        assert _LEGAL.findall(await browser.page()) == []


# Links


async def test_a_link_seats_one_person_of_its_team_who_may_reload_it_and_nobody_after() -> None:
    async with browsing(*TO_CALL, links=OneLink("once")) as browser:
        # To look at it does not use it.
        await converse(
            browser,
            """
            /seat/link/once -> 200 -> has Beta
            heard -> nothing
            uses the link -> 303 /seat/table
            until heard HELLO Beta
            heard from -> from 192.0.2.7 of 2
            page -> has Your turn
            /seat/link/once -> 303 /seat/table
            """,
        )
        browser.client.cookies.clear()
        answers = [await browser.client.get(f"/seat/link/{each}") for each in ("once", "never", "x" * 3000)]
        answers.append(await browser.use_link())
        assert {(each.status_code, each.text) for each in answers} == {(410, answers[0].text)}
        assert len(browser.seats) == 1


async def test_a_browser_that_has_a_seat_is_refused_a_second_one_by_a_link_or_a_name() -> None:
    refused = "-> 403 -> has This browser has a seat already: leave it before you take another."
    async with seated(*TO_CALL, links=OneLink("once")) as browser:
        token = browser.client.cookies["tourney-seat"]
        await converse(
            browser,
            f"""
            until Your turn
            uses the link {refused}
            POST /seat/enter [origin: http://localhost] name=Ben phrase= {refused}
            """,
        )
        assert (browser.client.cookies["tourney-seat"], len(browser.seats)) == (token, 1)
        await converse(browser, "/seat/link/once -> 200\nleaves\nuses the link -> 303")


async def test_room_and_seat_are_chosen_where_a_link_leads_or_said_where_it_has_them() -> None:
    lines = ("TOURNAMENTS cup", "GAMES -", *TO_CALL)
    await converse(
        lines,
        """
        /seat/link/once -> has name="room" -> has name="seat"
        uses the link room=closed seat=S
        until heard JOIN-T - - CLOSED S
        """,
        links=OneLink("once"),
        at_event=True,
    )
    await converse(
        lines,
        """
        /seat/link/once -> has You sit North in the open room. -> lacks <select
        uses the link room=closed seat=S
        until heard JOIN-T - - OPEN N
        """,
        links=OneLink("once", LinkedSeat("Beta", 2, "open", Seat.NORTH)),
        at_event=True,
    )


async def test_a_link_is_not_used_up_by_another_site_nor_where_the_table_is_away() -> None:
    async with browsing(links=OneLink("once")) as browser:
        assert (await browser.use_link("http://evil.example")).status_code == 400
        await converse(
            browser,
            """
            the connection is lost
            uses the link -> 403 -> has obody listens there
            /seat/link/once -> 200
            """,
        )


async def test_two_who_use_a_link_at_the_same_moment_are_one_too_many() -> None:
    async with browsing(*TO_CALL, links=OneLink("once")) as browser:
        sent = [browser.use_link() for _ in range(2)]
        assert sorted([each.status_code for each in await asyncio.gather(*sent)]) == [303, 410]
        assert len(browser.seats) == 1


# The other words of the table


async def test_an_opponent_wants_something_back_and_an_answer_to_an_earlier_wish_is_none_to_this() -> None:
    await converse(
        (*TO_CALL, "X-UNDO 8 E"),
        """
        Ann sits
        page -> has East asks to take the last call or card back -> has name="offer" value="8"
        sends command=accept offer=7 -> 409
        sends command=accept
        until heard X-ACCEPT 8
        server: X-UNDONE 8 YES
        until it is taken back
        page -> lacks alertdialog
        """,
    )


async def test_what_a_player_may_ask_the_table_is_a_button_and_nothing_else_is() -> None:
    # Call 4 is explained.
    await converse(
        (*IN_PLAY, "X-MAY 1 1 1 2,4"),
        """
        Ann sits
        page
            -> has value="undo" -> has value="claim" -> has value="ask 2" -> has id="say"
            -> lacks value="ask 4"
        sends command=undo
        until heard X-UNDO
        sends command=claim
        until heard X-CLAIM
        sends command='ask 2'
        until heard X-ASK 2
        server: X-MAY 0 0 0 -
        server: X-SAID E "nothing may be asked"
        until nothing may be asked
        page -> lacks value="undo" -> lacks value="claim" -> lacks value="ask -> lacks id="say"
        """,
    )


async def test_a_refusal_stands_where_the_move_was_made_until_the_next() -> None:
    above = '<p class="prompt" role="status"><strong class="refusal">'
    await converse(
        ("TOURNAMENTS -", "GAMES -", *TO_CALL),
        f"""
        Ann sits
        sends command=undo
        server: NAK "North has gone on since: it stands"
        until gone on since
        page -> has {above}North has gone on since: it stands.</strong>
        sends tell=natural
        page
            -> lacks gone on since...role="log"
            -> lacks refusal...role="log"
            -> has role="log"...nobody has asked you what a call means
        sends call=Pass at=7.1.0.0 -> 409
        page -> has status"><strong class="refusal">That click came too late
        sends call=2C
        page -> lacks refusal
        """,
    )


async def test_what_the_others_say_and_ask_comes_to_the_page_and_is_answered_at_any_moment() -> None:
    async with seated(*IN_PLAY, "X-MAY 0 0 1 -") as browser:
        await converse(
            browser,
            """
            server: X-SAID E "<good luck>"
            server: X-ASKED 1
            until East says: &lt;good luck&gt;
            page -> has An opponent asks what your
            """,
        )
        await browser.send(tell="nothing\nspecial", at="0.0.0.0")
        await converse(
            browser,
            """
            until heard X-TELL 1 "nothing special"
            sends say=thanks at=0.0.0.0
            until heard X-SAY thanks
            sends say='not sent' command=mute
            server: X-SAID E "again"
            server: X-ASKED 1
            until An opponent asks
            page -> lacks again -> has aria-pressed="true"
            heard X-SAY -> X-SAY thanks
            """,
        )


async def test_sentences_that_come_at_once_are_all_on_the_page_until_they_are_old() -> None:
    async with seated(*TO_CALL) as browser:
        await browser.players.say(*(f'X-SAID E "word {number}."' for number in range(25)))
        await browser.until("word 24.")
        said = re.findall(r'<p id="said-(\d+)">East says: word (\d+)\.', await browser.page())
        first = int(said[0][0])
        assert said == [(str(first + number), str(number)) for number in range(25)]
        await converse(
            browser,
            f"""
            {SAID_S + 1} s pass
            server: X-SAID E "the last one"
            until the last one
            page -> has {SAID_SHOWN} times id="said-
            """,
        )


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
        await converse(browser, "page -> has 1:05</p>\n7 s pass\npage -> has 0:58</p>")
        await browser.players.say(*over)
        # The board is of game g1.
        await converse(
            browser,
            """
            until Next board
            page -> has 1NT by East -> has href="/match/1/board/7" -> lacks Time left
            sends command=ready
            until heard X-READY
            page -> lacks Next board
            """,
        )


async def test_a_cookie_of_nobody_and_that_of_somebody_who_has_left_lead_to_the_door() -> None:
    async with seated(*TO_CALL) as browser:
        left = browser.client.cookies["tourney-seat"]
        await browser.send("/seat/leave")
        for cookie in (left, "f" * 64, "x" * 3000, "a;b", ""):
            come = f"[cookie: tourney-seat={cookie}] [origin: {PLACE}] -> 303 /seat\n"
            await browse(browser.client, f"/seat/table {come} POST /seat/do {come} POST /seat/leave {come}")
        assert len(browser.seats) == 0
