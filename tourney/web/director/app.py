"""The desk's side of the web: who may send what from where, and the thread that does it.

To whoever is not logged in, every address of the desk gives the same answer. A form is taken only from a page of the
desk itself: the browser says of which site the page was (`Origin`), and the form has a word of the session.
"""

import asyncio
import hmac
import logging
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http.cookies import CookieError, SimpleCookie
from typing import Final, TypeVar
from urllib.parse import parse_qsl, urlsplit

from starlette.types import ASGIApp, Receive, Scope, Send

from tourney.config.web import WebConfig
from tourney.errors import StoreError
from tourney.store.users import SESSION_MS, DeskSession, is_user_phrase
from tourney.web.app import address_of_client
from tourney.web.director.access import USERS_S, is_safe
from tourney.web.director.login import DEVICE_S, LoginTry
from tourney.web.director.request import LOGIN_PAGE, TOPIC, DeskAnswer, csrf_of, render
from tourney.web.director.service import DeskService
from tourney.web.doors import source_of
from tourney.web.headers import Headers, encode, page_headers
from tourney.web.hub import Hub, Watcher
from tourney.web.phrase_pace import PhrasePace, TooManyTries

COOKIE: Final = "tourney-desk"
DEVICE_COOKIE: Final = "tourney-desk-device-%d"
"""Its name has the id of the user: several may use one browser."""
BODY_BYTES_MAX: Final = 64_000
QUERY_BYTES_MAX: Final = 2000
PATH_BYTES_MAX: Final = 200
FIELDS_MAX: Final = 100

LOGINS_WAITING_MAX: Final = 100
"""Log-ins that may wait for their turn, and for their pass phrase to be hashed, which takes a third of a second."""

LOGINS_OF_ADDRESS_MAX: Final = 10
"""How many of them may come from one address."""

POLL_S: Final = 0.3
"""How often the record is looked at while somebody watches the desk: a change is on the screen within a second."""

LOOK_SHARE: Final = 0.1
LOOK_S_MAX: Final = 0.7
"""The share of the time that looks may take: of many tables the next one is later, but soon enough for that."""

_HTML: Final = "text/html; charset=utf-8"
_PLAIN: Final = "text/plain; charset=utf-8"
_LOOPBACK: Final = ("localhost", "127.0.0.1", "[::1]", "::1")

_T = TypeVar("_T")

log: Final = logging.getLogger(__name__)


class DeskPages:
    """The ASGI application of `/desk` and all below it.

    Args:
        service: what it does with the record; all of it on a thread of its own.
        hub: those who watch.
        host: the address that the server listens on.
        otherwise: answers while the event has no users, as if there were no desk.
        pace: how fast pass phrases may be tried.
    """

    def __init__(
        self, service: DeskService, hub: Hub, host: str, otherwise: ASGIApp, pace: PhrasePace | None = None
    ) -> None:
        self._service = service
        self._hub = hub
        self._host = host
        self._otherwise = otherwise
        self._thread = ThreadPoolExecutor(1, "desk")
        self._hashing = ThreadPoolExecutor(1, "desk-hash")
        self._hashing_known = ThreadPoolExecutor(1, "desk-hash")
        """For browsers in which a user has logged in before: they do not wait for strangers."""
        self._pace = pace or PhrasePace()
        self._waiting: Counter[str] = Counter()
        """Log-ins of strangers that wait, by where they come from."""
        self._is_there = False
        self._watchers: dict[Watcher, int] = {}
        """The session of each watcher, by id."""
        self._task: asyncio.Task[None] | None = None

    # Life

    async def start(self) -> None:
        """Begin to look for changes."""
        self._is_there = await self._on_thread(self._service.has_users)
        self._task = asyncio.create_task(self._keep_polling())

    async def close(self) -> None:
        """End, and close the database."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        await self._on_thread(self._service.close)
        self._thread.shutdown()
        for hashing in (self._hashing, self._hashing_known):
            hashing.shutdown(cancel_futures=True)  # who waits for it has been sent away

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
                log.exception("look of the desk", extra={"action": "look_failed"})

    async def _look(self, sessions: Collection[int]) -> None:
        poll = await self._on_thread(lambda: self._service.poll(sessions))
        self._is_there = poll.has_users
        for watcher, session in self._watchers.items():
            if session in sessions and session not in poll.sessions:
                watcher.leave()
        if poll.has_changed:
            self._hub.publish([TOPIC])

    async def _on_thread(self, work: Callable[[], _T]) -> _T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)

    # Requests

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            return
        if not self._is_there or not self.is_safe:
            await self._otherwise(scope, receive, send)
            return
        answer = _DeskSender(scope, send)
        if not _is_ours(answer.host, self._names):
            await answer.send_words(421, "this is not a name of the desk: `hosts` in [web] has them")
            return
        try:
            await self._answer(scope, receive, answer)
        except StoreError as error:
            log.warning("%s", error, extra={"action": "record_away"})
            await answer.send_words(503, "the record cannot be read or written at the moment; try again soon")
        except Exception:  # one page that fails must not end the connection without a word
            log.exception("desk %s", scope["path"], extra={"action": "page_failed"})
            if not answer.has_begun:
                await answer.send_words(500, "this page cannot be shown")

    @property
    def is_safe(self) -> bool:
        """Whether pass phrases may come over the socket of the server."""
        return is_safe(self.config, self._host)

    @property
    def config(self) -> WebConfig:
        """`[web]` of the event file as it was last read."""
        return self._service.config

    @property
    def _names(self) -> tuple[str, ...]:
        return (*_LOOPBACK, self.config.host, self._host, *self.config.hosts)

    async def _answer(self, scope: Scope, receive: Receive, answer: "_DeskSender") -> None:
        method, path = scope["method"], scope["path"]
        if method not in ("GET", "HEAD", "POST"):
            await answer.send_words(405, "the desk knows GET and POST", [("allow", "GET, HEAD, POST")])
            return
        token = answer.token
        session = None
        if token:
            is_used = answer.header(b"sec-fetch-dest") != "empty" and path != "/desk/events"
            session = await self._on_thread(lambda: self._service.session(token, is_used=is_used))
        if path == LOGIN_PAGE:
            await self._answer_login(scope, receive, answer, session)
        elif session is None:
            await answer.send(DeskAnswer(303, location=LOGIN_PAGE))
        elif len(scope.get("raw_path") or b"") > PATH_BYTES_MAX or len(scope["query_string"]) > QUERY_BYTES_MAX:
            await answer.send_words(400, "this address is not understood")
        elif path == "/desk/events":
            await self._stream(receive, answer, session)
        else:
            await self._answer_session(scope, receive, answer, session)

    async def _answer_session(
        self, scope: Scope, receive: Receive, answer: "_DeskSender", session: DeskSession
    ) -> None:
        form = None
        if scope["method"] == "POST":
            form = await _read_form(receive, answer)
            if form is None or not self._is_from_here(answer):
                await answer.send_words(400, "this form is not one of the desk's, or too long")
                return
            if not hmac.compare_digest(form.pop("csrf", "").encode(), csrf_of(answer.token).encode()):
                await answer.send_words(403, "this form is of another session: go back, load the page again")
                return
        path = scope["path"].removeprefix("/desk").strip("/")
        query = _pairs(scope["query_string"])
        client = address_of_client(scope, self.config.proxies)
        told = await self._on_thread(
            lambda: self._service.answer(session, answer.token, path, query or {}, form, client)
        )
        if told.location == LOGIN_PAGE:
            told = DeskAnswer(told.status, location=told.location, cookie=self._cookie("", 0))
        await answer.send(told)
        if form is not None and self._watchers:
            await self._look(set(self._watchers.values()))  # others see at once what was done

    async def _answer_login(
        self, scope: Scope, receive: Receive, answer: "_DeskSender", session: DeskSession | None
    ) -> None:
        if scope["method"] != "POST":
            if session is not None:
                await answer.send(DeskAnswer(303, location="/desk"))
            else:
                await answer.send(self._login_page())
            return
        form = await _read_form(receive, answer)
        if form is None or not self._is_from_here(answer):
            await answer.send_words(400, "this form is not one of the desk's, or too long")
            return
        client = address_of_client(scope, self.config.proxies)
        name, phrase = form.get("name", ""), form.get("phrase", "")
        try:
            tried = await self._on_thread(lambda: self._service.begin_login(name, client, answer.device))
            if tried.is_known_device:
                await self._log_in(answer, tried, phrase, self._hashing_known)
            else:
                with self._among_strangers(source_of(client)):
                    await self._log_in(answer, tried, phrase, self._hashing)
        except TooManyTries as error:
            await answer.send(self._login_page(f"{error.message[0].upper()}{error.message[1:]}.", 503))

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

    async def _log_in(self, answer: "_DeskSender", tried: LoginTry, phrase: str, hashing: ThreadPoolExecutor) -> None:
        async with self._pace.turn(tried.lane):  # one after the other, so that each counts the wrong ones before it
            loop = asyncio.get_running_loop()
            is_right = await loop.run_in_executor(hashing, is_user_phrase, phrase, tried.phrase_hash)
            begun = await self._on_thread(lambda: self._service.end_login(tried, is_right=is_right))
            if begun is None:
                self._pace.note_wrong(tried.lane)
            else:
                self._pace.note_right(tried.lane)
        if begun is None or tried.user_id is None:
            await answer.send(self._login_page("This name and pass phrase do not fit together.", 403))
            return
        token, device = begun
        known = self._cookie(device, DEVICE_S, DEVICE_COOKIE % tried.user_id, LOGIN_PAGE)
        await answer.send(
            DeskAnswer(303, location="/desk", cookie=self._cookie(token, SESSION_MS // 1000)), [("set-cookie", known)]
        )

    def _login_page(self, error: str = "", status: int = 200) -> DeskAnswer:
        return DeskAnswer(status, render("login.html", {"title": "Log in", "error": error, "user": None}))

    def _cookie(self, token: str, seconds: int, name: str = COOKIE, path: str = "/desk") -> str:
        secure = "; Secure" if self.config.behind_tls else ""
        return f"{name}={token}; Path={path}; Max-Age={seconds}; HttpOnly; SameSite=Strict{secure}"

    def _is_from_here(self, answer: "_DeskSender") -> bool:
        """Whether a form comes from a page of the desk, as the browser says."""
        try:
            origin, host = urlsplit(answer.header(b"origin")), urlsplit(f"//{answer.host}")
            if self.config.behind_tls and host.port is None:  # servers in front often leave the port out
                return origin.hostname is not None and origin.hostname == host.hostname
            return bool(origin.netloc) and origin.netloc.lower() == answer.host
        except ValueError:
            return False

    async def _stream(self, receive: Receive, answer: "_DeskSender", session: DeskSession) -> None:
        watcher = self._hub.join([TOPIC])
        if watcher is None:
            await answer.send_words(503, "too many watch at once", [("retry-after", "30")])
            return
        self._watchers[watcher] = session.id
        async with asyncio.TaskGroup() as group:
            listening = group.create_task(_wait_for_end(receive, watcher))
            try:
                await answer.stream(self._hub, watcher)
            finally:
                self._watchers.pop(watcher, None)
                listening.cancel()


def _is_ours(host: str, names: Collection[str]) -> bool:
    """Whether the `Host` of a request, with or without a port, is one of these names."""
    try:
        name = urlsplit(f"//{host}").hostname
    except ValueError:
        return False
    return name is not None and name in {each.lower().strip("[]") for each in names}


async def _wait_for_end(receive: Receive, watcher: Watcher) -> None:
    """Wait until the browser has gone."""
    while (await receive())["type"] != "http.disconnect":
        pass
    watcher.leave()


async def _read_form(receive: Receive, answer: "_DeskSender") -> dict[str, str] | None:
    """Read the form that was sent; None if it is none, or too long."""
    if not answer.header(b"content-type").startswith("application/x-www-form-urlencoded"):
        return None
    body = b""
    while True:
        message = await receive()
        body += message.get("body", b"")
        if len(body) > BODY_BYTES_MAX or message["type"] == "http.disconnect":
            return None
        if not message.get("more_body"):
            return _pairs(body)


def _pairs(text: bytes) -> dict[str, str] | None:
    """Take a query or a form apart; None if it has too many fields.

    Browsers end the lines of what they send by CR LF, whatever a page had there: lines end by LF here, as in pages.
    """
    try:
        pairs = parse_qsl(text.decode("ascii", "replace"), keep_blank_values=True, max_num_fields=FIELDS_MAX)
    except ValueError:
        return None
    return {name: value.replace("\r\n", "\n").replace("\r", "\n") for name, value in pairs}


class _DeskSender:
    """Sends the answer to one request to the desk."""

    def __init__(self, scope: Scope, send: Send) -> None:
        self._send = send
        self._is_head = scope["method"] == "HEAD"
        self._headers: dict[bytes, bytes] = dict(scope["headers"])
        self.has_begun = False

    def header(self, name: bytes) -> str:
        """A header of the request; an empty text if it has none."""
        return self._headers.get(name, b"").decode("latin-1")

    @property
    def host(self) -> str:
        return self.header(b"host").lower()

    @property
    def token(self) -> str:
        """What the browser has of its session; an empty text if it has none."""
        return self._cookie(COOKIE)

    def device(self, user_id: int) -> str:
        """What the browser has as a known device of a user; an empty text if it has nothing."""
        return self._cookie(DEVICE_COOKIE % user_id)

    def _cookie(self, name: str) -> str:
        cookies: SimpleCookie = SimpleCookie()
        try:
            cookies.load(self.header(b"cookie"))
        except CookieError:
            return ""
        return cookies[name].value if name in cookies else ""

    async def send(self, answer: DeskAnswer, more: Sequence[tuple[str, str]] = ()) -> None:
        """Send a page, or where to go next, with more headers."""
        headers = list(more)
        if answer.location is not None:
            headers.append(("location", answer.location))
        if answer.cookie is not None:
            headers.append(("set-cookie", answer.cookie))
        await self._whole(answer.status, _HTML, answer.body, headers)

    async def send_words(self, status: int, words: str, more: list[tuple[str, str]] | None = None) -> None:
        """Send a sentence."""
        await self._whole(status, _PLAIN, f"{status}: {words}\n".encode(), more or [])

    async def stream(self, hub: Hub, watcher: Watcher) -> None:
        """Send what a watcher is told, for as long as it watches."""
        headers = desk_headers("text/event-stream") + encode([("x-accel-buffering", "no")])
        await self._start(200, headers)
        if not self._is_head:
            async for message in hub.messages(watcher):
                await self._send({"type": "http.response.body", "body": message, "more_body": True})
        else:
            hub.leave(watcher)
        await self._send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _whole(self, status: int, kind: str, body: bytes, more: list[tuple[str, str]]) -> None:
        headers = desk_headers(kind) + encode([*more, ("content-length", str(len(body)))])
        await self._start(status, headers)
        await self._send({"type": "http.response.body", "body": b"" if self._is_head else body})

    async def _start(self, status: int, headers: Headers) -> None:
        self.has_begun = True
        await self._send({"type": "http.response.start", "status": status, "headers": headers})


def desk_headers(content_type: str) -> Headers:
    """Return the headers of every answer of the desk: as those of public pages, but kept nowhere.

    With `no-referrer`, browsers would say `Origin: null` of every form.
    """
    headers = dict(page_headers(content_type, kept="no-store"))
    headers |= dict(encode([("referrer-policy", "same-origin"), ("x-frame-options", "DENY")]))
    return list(headers.items())
