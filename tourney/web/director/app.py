"""The console's side of the web: who may send what from where, and the thread that does it.

To whoever is not logged in, every address of the console gives the same answer. A form is taken only from a page of
the console itself: the browser says of which site the page was (`Origin`), and the form has a word of the session.
"""

import asyncio
import logging
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Final, TypeAlias

from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from tourney.config.web import WebConfig
from tourney.errors import StoreError
from tourney.runtime.event_loop import WorkerThread, end_tasks
from tourney.store.users import SESSION_MS, is_user_phrase
from tourney.web.answers import (
    EventStream,
    address_of_client,
    unavailable,
)
from tourney.web.director.access import USERS_S
from tourney.web.director.login import DEVICE_S, LoginTry, begin_login, end_login
from tourney.web.director.request import (
    COOKIE,
    LOGIN_PAGE,
    TOPIC,
    ConsoleRequest,
    ConsoleView,
    render,
)
from tourney.web.director.service import ConsoleService
from tourney.web.doors import CONSOLE, source_of
from tourney.web.forms import FormPages, check_word
from tourney.web.hub import Hub, Watcher
from tourney.web.phrase_pace import PhrasePace, TooManyTries

DEVICE_COOKIE: Final = "tourney-director-device-%d"
"""Its name has the id of the user: several may use one browser."""

LOGINS_WAITING_MAX: Final = 100
"""Log-ins that may wait for their turn, and for their passphrase to be hashed, which takes a third of a second."""

LOGINS_OF_ADDRESS_MAX: Final = 10
"""How many of them may come from one address."""

POLL_S: Final = 0.3
"""How often the record is looked at while somebody watches the console: a change is on the screen within a second."""

LOOK_SHARE: Final = 0.1
LOOK_S_MAX: Final = 0.7
"""The share of the time that looks may take: of many tables the next one is later, but soon enough for that."""

_EVENTS: Final = f"{CONSOLE}/events"
Endpoint: TypeAlias = Callable[[Request], Awaitable[Response]]

log: Final = logging.getLogger(__name__)


class ConsolePages(FormPages):
    """The ASGI application of `/director` and all below it.

    Args:
        service: what it does with the record; all of it on a thread of its own.
        hub: those who watch.
        host: the address that the server listens on.
        otherwise: answers while the event has no users, as if there were no console.
        pace: how fast passphrases may be tried.
    """

    form_bytes_max = 64_000

    def __init__(
        self, service: ConsoleService, hub: Hub, host: str, otherwise: ASGIApp, pace: PhrasePace | None = None
    ) -> None:
        self._service = service
        self._hub = hub
        self._otherwise = otherwise
        self._thread = WorkerThread("console")
        self._hashing = WorkerThread("console-hash")
        self._hashing_known = WorkerThread("console-hash")
        """For browsers in which a user has logged in before: they do not wait for strangers."""
        self._pace = pace or PhrasePace()
        self._waiting: Counter[str] = Counter()
        """Log-ins of strangers that wait, by where they come from."""
        self._is_there = False
        self._watchers: dict[Watcher, int] = {}
        """The session of each watcher, by id."""
        self._task: asyncio.Task[None] | None = None
        super().__init__(
            [
                Route(LOGIN_PAGE, self._show_login),
                Route(LOGIN_PAGE, self._take_login, methods=["POST"]),
                Route(_EVENTS, self._stream),
                *(Route(CONSOLE + path, self._shown(view)) for path, view in service.pages.items()),
                *(Route(CONSOLE + path, self._sent(view), methods=["POST"]) for path, view in service.forms.items()),
                Route("/{path:path}", self._shown(_find_nothing), methods=["GET", "POST"]),
            ],
            lambda: self.config,
            host,
            {StoreError: _answer_away, Exception: _answer_failed},
        )

    # Life

    async def start(self) -> None:
        """Begin to look for changes."""
        self._is_there = await self._thread.do(self._service.has_users)
        self._task = asyncio.create_task(self._keep_polling())

    async def close(self) -> None:
        """End, and close the database."""
        if self._task is not None:
            await end_tasks(self._task)
        await self._thread.do(self._service.close)
        for thread in (self._thread, self._hashing, self._hashing_known):
            thread.close()

    async def _keep_polling(self) -> None:
        asked_at = took_s = 0.0
        while True:
            await asyncio.sleep(min(max(POLL_S, took_s / LOOK_SHARE), LOOK_S_MAX))
            if not self._watchers and time.monotonic() - asked_at < USERS_S:
                continue
            asked_at = time.monotonic()
            try:
                await self._look(set(self._watchers.values()))
                took_s = time.monotonic() - asked_at
            except StoreError as error:
                log.warning("%s", error, extra={"action": "record_away"})
            except Exception:  # a look that fails must not end those to come
                log.exception("look of the console", extra={"action": "look_failed"})

    async def _look(self, sessions: Collection[int]) -> None:
        poll = await self._thread.do(lambda: self._service.poll(sessions))
        self._is_there = poll.has_users
        for watcher, session in self._watchers.items():
            if session in sessions and session not in poll.sessions:
                watcher.leave()
        if poll.has_changed:
            self._hub.publish([TOPIC])

    # Requests

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        answer = super().__call__ if self._is_there and self.is_safe else self._otherwise
        await answer(scope, receive, send)

    @property
    def config(self) -> WebConfig:
        """`[web]` of the event file as it was last read."""
        return self._service.config

    async def _route(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        session, path, token = None, scope["path"], request.cookies.get(COOKIE)
        if token:
            is_used = request.headers.get("sec-fetch-dest") != "empty" and path != _EVENTS
            session = await self._thread.do(lambda: self._service.session(token, is_used=is_used))
        if path != LOGIN_PAGE and session is None:
            await RedirectResponse(LOGIN_PAGE, 303)(scope, receive, send)
            return
        request.state.session = session
        await super()._route(scope, receive, send)

    def _shown(self, view: ConsoleView) -> Endpoint:
        """Return what answers with a page that is read."""

        async def answer(request: Request) -> Response:
            return await self._answer_session(request, view, {})

        return answer

    def _sent(self, view: ConsoleView) -> Endpoint:
        """Return what answers a form that was sent."""

        async def answer(request: Request) -> Response:
            form = await self._form_of(request)
            check_word(form, request.cookies.get(COOKIE, ""))
            response = await self._answer_session(request, view, form)
            if self._watchers:
                await self._look(set(self._watchers.values()))  # others see at once what was done
            return response

        return answer

    async def _answer_session(self, request: Request, view: ConsoleView, form: dict[str, str]) -> Response:
        session = request.state.session
        return await self._thread.do(lambda: self._service.answer(view, request, session, form))

    async def _show_login(self, request: Request) -> Response:
        return self._login_page() if request.state.session is None else RedirectResponse(CONSOLE, 303)

    async def _take_login(self, request: Request) -> Response:
        form = await self._form_of(request)
        client = address_of_client(request, self.config.proxies)
        name, phrase, at = form.get("name", ""), form.get("phrase", ""), self._service

        def device(user_id: int) -> str:
            return request.cookies.get(DEVICE_COOKIE % user_id, "")

        try:
            tried = await self._thread.do(
                lambda: begin_login(at.database, at.event_id, name, client, device, at.now_ms())
            )
            if tried.is_known_device:
                return await self._log_in(tried, phrase, self._hashing_known)
            with self._among_strangers(source_of(client)):
                return await self._log_in(tried, phrase, self._hashing)
        except TooManyTries as error:
            return self._login_page(f"{error.message[0].upper()}{error.message[1:]}.", 503)

    @contextmanager
    def _among_strangers(self, source: str) -> Iterator[None]:
        """Let a log-in wait, of a browser that is not known.

        Raises:
            TooManyTries: as many wait as may, of all or of this address.
        """
        if self._waiting.total() >= LOGINS_WAITING_MAX or self._waiting[source] >= LOGINS_OF_ADDRESS_MAX:
            raise TooManyTries("too many log-ins at once: try again in a minute")
        self._waiting[source] += 1
        try:
            yield
        finally:
            self._waiting -= Counter({source: 1})

    async def _log_in(self, tried: LoginTry, phrase: str, hashing: WorkerThread) -> Response:
        async with self._pace.turn(tried.lane):  # one after the other, so that each counts the wrong ones before it
            is_right = await hashing.do(partial(is_user_phrase, phrase, tried.phrase_hash))
            at = self._service
            begun = await self._thread.do(
                lambda: end_login(at.database, at.event_id, tried, is_right=is_right, now_ms=at.now_ms())
            )
            if begun is None:
                self._pace.note_wrong(tried.lane)
            else:
                self._pace.note_right(tried.lane)
        if begun is None or tried.user_id is None:
            return self._login_page("This name and passphrase do not fit together.", 403)
        token, device = begun
        answer = RedirectResponse(CONSOLE, 303)
        self._set_cookie(answer, COOKIE, token, SESSION_MS // 1000, CONSOLE)
        self._set_cookie(answer, DEVICE_COOKIE % tried.user_id, device, DEVICE_S, LOGIN_PAGE)
        return answer

    def _login_page(self, error: str = "", status: int = 200) -> Response:
        return render("login.html", {"title": "Log in", "error": error, "user": None}, status)

    async def _stream(self, request: Request) -> Response:
        watcher = self._hub.join([TOPIC])
        if watcher is None:
            raise unavailable("too many watch at once", 30)
        self._watchers[watcher] = request.state.session.id
        return EventStream(self._hub, watcher, lambda: self._watchers.pop(watcher, None))


def _find_nothing(_: ConsoleRequest, path: str) -> None:  # as all views
    """Answer where there is no page."""


async def _answer_away(_: Request, error: Exception) -> Response:
    log.warning("%s", error, extra={"action": "record_away"})
    return PlainTextResponse("503: the record cannot be read or written at the moment; try again soon\n", 503)


async def _answer_failed(request: Request, error: Exception) -> Response:
    """Answer where a page has failed: that must not end the connection without a word."""
    log.error("console %s", request.scope["path"], exc_info=error, extra={"action": "page_failed"})
    return PlainTextResponse("500: this page cannot be shown\n", 500)
