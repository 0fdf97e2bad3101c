"""`/seat`: the door with a name and a passphrase, one-time links, the page of the table and the moves from it.

The page is complete without a script: every call and card that is legal is a button of a form. With one it changes by
itself, and moves are sent without loading it anew.
"""

import re
from collections.abc import Awaitable, Callable
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from tourney.bridge import SEATS, Seat
from tourney.client.session import SeatAddress
from tourney.client.typed import Command
from tourney.config.web import WebConfig
from tourney.web.answers import EventStream, address_of_client, refuse, unavailable
from tourney.web.doors import SEAT, source_of
from tourney.web.forms import FormPages, check_word, render_page, word_of
from tourney.web.hub import Hub
from tourney.web.phrase_pace import PhrasePace, TooManyTries
from tourney.web.seat.page import seat_page
from tourney.web.seat.seats import (
    MOVES_PER_S,
    SEATED_S,
    BrowserSeat,
    BrowserSeats,
    LinkedSeat,
    NameRefused,
    NoSeat,
    SeatLinks,
)

COOKIE: Final = "tourney-seat"

TABLE: Final = f"{SEAT}/table"
LINK: Final = f"{SEAT}/link"
_EVENTS: Final = f"{SEAT}/events"
_NAME_MAX: Final = 100
_CONTROLS: Final = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_TYPED_MAX: Final = 300
_TEXTS: Final = ("say", "tell", "director")
"""Fields for a text to somebody, each named as the command that sends it."""
_NO_SEAT: Final = "retry: 5000\nevent: topic\ndata: /seat\n\n"
"""The stream of a page whose seat is no more: the page is fetched again, and leads to the door."""
_LATE: Final = "that click came too late, for the table has moved on: nothing was sent"
_LOST: Final = "the connection to the table is lost: nothing was sent"

_Answer = Callable[[Request, BrowserSeat], Awaitable[Response]]


class SeatPages(FormPages):
    """The ASGI application of `/seat` and all below it.

    Args:
        seats: the seats of this server.
        hub: the pages that show them.
        config: `[web]` as it is now.
        host: the address that the server listens on.
        title: the event or lobby.
        needs_phrase: whether every name has a passphrase, as teams of an event have.
        has_boards: whether this server has the public pages of boards too.
        choices: what people choose: a `seat`, a `room`.
        links: the one-time links to seats; None where there are none.
    """

    form_bytes_max = 4096

    def __init__(
        self,
        seats: BrowserSeats,
        hub: Hub,
        config: Callable[[], WebConfig],
        host: str,
        title: str,
        *,
        needs_phrase: bool,
        has_boards: bool,
        choices: frozenset[str] = frozenset({"seat"}),
        links: SeatLinks | None = None,
    ) -> None:
        self._seats = seats
        self._hub = hub
        self._shown = {"event_name": title, "needs_phrase": needs_phrase, "has_boards": has_boards}
        self._shown |= {"choices": choices, "seats": SEATS}
        self._pace = PhrasePace()
        self._links = links
        linked = [
            Route(f"{LINK}/{{token}}", self._show_link),
            Route(f"{LINK}/{{token}}", self._enter_by_link, methods=["POST"]),
        ]
        super().__init__(
            [
                *(linked if links is not None else []),
                Route(SEAT, self._show_door),
                Route(f"{SEAT}/enter", self._enter, methods=["POST"]),
                Route(TABLE, self._seated(self._show_table)),
                Route(_EVENTS, self._seated(self._stream)),
                Route(f"{SEAT}/do", self._sent(self._move), methods=["POST"]),
                Route(f"{SEAT}/leave", self._sent(self._leave), methods=["POST"]),
            ],
            config,
            host,
        )

    async def _seat_of(self, request: Request) -> BrowserSeat | None:
        """Return the seat that a browser has."""
        return await self._seats.resume(request.cookies.get(COOKIE, ""))

    # The door

    async def _show_door(self, request: Request) -> Response:
        if await self._seat_of(request) is not None:
            return RedirectResponse(TABLE, 303)
        return self._door("", request.query_params.get("name", "")[:_NAME_MAX], 200)

    def _door(self, error: str, name: str, status: int) -> Response:
        return self._page("enter.html", {"title": "Sit down", "error": error, "name": name}, status)

    async def _enter(self, request: Request) -> Response:
        form = await self._form_of(request)
        name, phrase = " ".join(form.get("name", "").split())[:_NAME_MAX], form.get("phrase", "")
        if not name or "#" in name or _CONTROLS.search(name):
            said = _CONTROLS.sub("", name).replace("#", "")
            return self._door("A name has at least one letter, no # and no control characters.", said, 400)
        address = address_of_client(request, self._config().proxies)
        lane = (source_of(address), name.casefold())
        try:
            await self._check_has_no_seat(request)
            where = _read_place(form, is_lobby=not self._shown["needs_phrase"])
            async with self._pace.turn(lane):  # whoever tries passphrases has to wait, after some wrong ones
                try:
                    token, _ = await self._seats.open(name, phrase, where, address)
                except NameRefused:
                    self._pace.note_wrong(lane)
                    raise
                self._pace.note_right(lane)
        except (NoSeat, TooManyTries) as error:
            return self._door(f"{error.message[0].upper()}{error.message[1:]}.", name, 403)
        return self._to_table(token)

    async def _check_has_no_seat(self, request: Request) -> None:
        """Check that a browser has no seat: whoever takes a second one could see two hands of a board.

        Raises:
            NoSeat: it has one.
        """
        seat = await self._seat_of(request)
        if seat is not None and seat.session.is_connected:
            raise NoSeat("this browser has a seat already: leave it before you take another")

    def _to_table(self, token: str) -> Response:
        """Return what leads who has just sat down to the table, with the cookie of the seat."""
        answer = RedirectResponse(TABLE, 303)
        self._set_cookie(answer, COOKIE, token, int(SEATED_S), SEAT)
        return answer

    # A link

    async def _show_link(self, request: Request) -> Response:
        """Show where a link leads. Programs that look at what is in a mail ask for it too: it is not used yet."""
        assert self._links is not None
        linked = await self._links.find_seat(request.path_params["token"])
        return await self._no_link(request) if linked is None else self._link_page(linked, "", 200)

    async def _enter_by_link(self, request: Request) -> Response:
        """Seat whoever has a link. It is used once there is a seat: a table that is away costs nobody a link."""
        assert self._links is not None
        form = await self._form_of(request)
        token = request.path_params["token"]
        linked = await self._links.find_seat(token)
        if linked is None:
            return await self._no_link(request)
        address = address_of_client(request, self._config().proxies)
        try:
            await self._check_has_no_seat(request)
            chosen = _read_place(form, is_lobby=False)
            place = SeatAddress(
                room=linked.room or chosen.room, seat=chosen.seat if linked.seat is None else linked.seat
            )
            cookie, seat = await self._seats.open(linked.team, "", place, address, linked.team_number)
        except NoSeat as error:
            return self._link_page(linked, f"{error.message[0].upper()}{error.message[1:]}.", 403)
        if await self._links.use_seat(token) is None:  # somebody else has, in the meantime
            await self._seats.leave(seat)
            return await self._no_link(request)
        return self._to_table(cookie)

    def _link_page(self, linked: LinkedSeat, error: str, status: int) -> Response:
        return self._page("link.html", {"title": "Sit down", "linked": linked, "error": error}, status)

    async def _no_link(self, request: Request) -> Response:
        """Return the same answer to a link that is used, too old or none; who has sat down by it goes on playing."""
        if await self._seat_of(request) is not None:
            return RedirectResponse(TABLE, 303)
        return self._page("used-link.html", {"title": "This link cannot be used"}, 410)

    # The table

    async def _show_table(self, request: Request, seat: BrowserSeat, status: int = 200) -> Response:
        csrf = word_of(request.cookies.get(COOKIE, ""))
        return self._page("table-seat.html", seat_page(seat, csrf, self._seats.left_s(seat)), status)

    async def _move(self, request: Request, seat: BrowserSeat, form: dict[str, str]) -> Response:
        """Do what a button or a text says; a click on what is past is refused."""
        if not await self._seats.pace_move(seat):
            raise refuse(429, f"more than {MOVES_PER_S} moves within a second")
        seat.asked_in = next((field for field in _TEXTS if form.get(field)), "")
        if not seat.session.is_connected:
            self._seats.refuse(seat, _LOST)
            return await self._show_table(request, seat, 409)
        typed = _typed(form)
        is_text = any(form.get(field) for field in _TEXTS)  # which is good at any moment
        is_of_now = form.get("at", seat.position) == seat.position and form.get("offer", seat.offer) == seat.offer
        if not is_text and not is_of_now:
            self._seats.refuse(seat, _LATE)
            return await self._show_table(request, seat, 409)
        if typed:
            is_script = request.headers.get("sec-fetch-dest") == "empty"
            await self._seats.say(seat, typed[:_TYPED_MAX], waits=not is_script)
        return RedirectResponse(TABLE, 303)

    async def _leave(self, _: Request, seat: BrowserSeat, __: dict[str, str]) -> Response:
        await self._seats.leave(seat)
        answer = RedirectResponse(SEAT, 303)
        answer.delete_cookie(COOKIE, path=SEAT)
        return answer

    async def _stream(self, _: Request, seat: BrowserSeat) -> Response:
        watcher = self._hub.join([seat.key]) if self._seats.open_stream(seat) else None
        if watcher is None:
            raise unavailable("too many pages of this seat are open", 30)
        return EventStream(self._hub, watcher, lambda: self._seats.close_stream(seat))

    # Both

    def _seated(self, answer: _Answer) -> Callable[[Request], Awaitable[Response]]:
        """Return what answers those who have a seat; others are led to the door."""

        async def answer_seated(request: Request) -> Response:
            seat = await self._seat_of(request)
            if seat is not None:
                return await answer(request, seat)
            if request.scope["path"] == _EVENTS:
                return Response(_NO_SEAT, media_type="text/event-stream")
            return RedirectResponse(SEAT, 303)

        return answer_seated

    def _sent(
        self, answer: Callable[[Request, BrowserSeat, dict[str, str]], Awaitable[Response]]
    ) -> Callable[[Request], Awaitable[Response]]:
        """Return what answers a form that comes from the page of a seat."""

        async def answer_form(request: Request, seat: BrowserSeat) -> Response:
            form = await self._form_of(request)
            check_word(form, request.cookies.get(COOKIE, ""))
            return await answer(request, seat, form)

        return self._seated(answer_form)

    def _page(self, template: str, context: dict[str, Any], status: int) -> Response:
        return render_page("tourney.web.seat", template, {**self._shown, **context}, status)


def _typed(form: dict[str, str]) -> str:
    """Return a form of the table as the one line that a person would type: `1NT ! 15-17`, `SA`, `join g3`."""
    fields = {name: " ".join(text.split()) for name, text in form.items()}
    if call := fields.get("call", ""):
        alert = fields.get("alert", "")
        return f"{call}!{alert}" if alert else call
    if pressed := fields.get("card", "") or fields.get("command", ""):
        partner = fields.get("partner", "") if pressed.startswith(f"{Command.TOURNAMENT} ") else ""
        return f"{pressed} {partner}".strip()
    return next((f"{field} {fields[field]}" for field in _TEXTS if fields.get(field)), "")


def _read_place(form: dict[str, str], *, is_lobby: bool) -> SeatAddress:
    """Read where a person wants to sit: in a lobby a game and a seat of it, or one that is chosen later.

    Elsewhere it is a room and a seat of its team, or any.

    Raises:
        NoSeat: there is no such seat.
    """
    game, said = form.get("game", "").strip(), form.get("seat", "").strip().upper()
    seats: dict[str, Seat] = {each.letter: each for each in SEATS}
    if said and said not in seats:
        raise NoSeat(f"a seat is N, E, S or W, got {said[:20]!r}")
    if game and not (game.isascii() and game.isalnum() and len(game) <= 64):
        raise NoSeat(f"a game is named as the lobby names it, such as g3, got {game[:20]!r}")
    if not is_lobby:
        room = form.get("room", "")
        return SeatAddress(room=room if room in ("open", "closed") else None, seat=seats.get(said))
    if not game:
        return SeatAddress(is_chosen_later=True)
    return SeatAddress(game=game, seat=seats.get(said))
