"""The web application: the routes of the server, answered with what the reader has kept.

Everything that is not there, whatever the reason, is answered with the same bytes and headers.
"""

import hmac
import json
import re
from functools import cache
from hashlib import sha256
from typing import Final

from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Mount, Route, Router
from starlette.types import ASGIApp, Receive, Scope, Send

from tourney import __version__
from tourney.config.web import WebConfig
from tourney.site import urls
from tourney.site.pages.play_on import NO_CARD
from tourney.web.answers import (
    FRAMED,
    PUBLIC_HEADERS,
    STATIC,
    Application,
    EventStream,
    address_of,
    address_of_client,
    read_form,
    refuse,
    unavailable,
    unless_known,
)
from tourney.web.doors import CONSOLE, SEAT, TEAM_KEY, is_of, source_of
from tourney.web.exports import ExportFailed, Exports, ExportsBusy
from tourney.web.hub import TOPICS_MAX, Hub
from tourney.web.phrase_pace import PhrasePace, TooManyTries
from tourney.web.public import HTML, JSON, content_type_of, find
from tourney.web.reader import Reader, ReaderBusy

EVENTS: Final = "events"
COOKIE: Final = "tourney-vugraph"
"""Stands for the passphrase of the vugraph; another one in the event file ends all cookies."""
_FORM_BYTES_MAX: Final = 4096

_NOT_THERE_PAGE: Final = (
    b'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
    b'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
    b'<meta name="color-scheme" content="light dark">\n<title>No such page</title>\n'
    b'<link rel="stylesheet" href="/static/style.css">\n</head>\n<body>\n<main id="content">\n'
    b"<h1>No such page</h1>\n<p>There is nothing at this address, or it is not shown yet.</p>\n"
    b'<p>What there is: <a href="/">the standings</a>, <a href="/live">the tables in play</a>, '
    b'<a href="/schedule">the schedule</a>.</p>\n</main>\n</body>\n</html>\n'
)
"""The same for every address, whatever is not there: it tells nothing of what is hidden."""
_NOTHING: Final = "404: there is no such page, or it is not shown yet\n"
_BUSY: Final = "too much is asked for at once; try again in some seconds"
_AWAY: Final = "the record cannot be read at the moment; this page will be back"
_AWAY_NOTICE: Final = b'<p class="notice">The record cannot be read at the moment: this is what was there before.</p>'


_ORIGIN: Final = re.compile(r"[A-Za-z0-9.-]+(:[0-9]+)?")
"""A name with a port, as a browser says it: what a page gives as its own address."""
_PAGE_LINK: Final = re.compile(rb'(<a [^>]*?href="[^"#?:]+)')

_ZIPPED: Final = [Middleware(GZipMiddleware, compresslevel=4)]
"""For what is not for downloads, which go on where they were cut off: of a compressed file there are no ranges."""
_FILES: Final = (
    Mount(f"/{urls.STATIC}", STATIC, middleware=_ZIPPED),
    Route("/favicon.ico", lambda _: RedirectResponse(f"/{urls.STATIC}favicon.svg", 308)),
)
"""What the pages of a server need."""


class PublicPages(Application):
    """The ASGI application of the public addresses."""

    def __init__(
        self,
        reader: Reader,
        hub: Hub,
        exports: Exports,
        pace: PhrasePace | None = None,
        *,
        has_client: bool = False,
    ) -> None:
        """Prepare.

        Args:
            reader: makes the pages from the record.
            hub: those who watch.
            exports: makes the files that are asked for.
            pace: how fast passphrases may be tried.
            has_client: whether there is `connect.pyz`, for authors whose programs come through a tunnel.
        """
        self._has_client = has_client
        self._reader = reader
        self._hub = hub
        self._exports = exports
        self._pace = pace or PhrasePace()
        super().__init__(
            Router(
                [
                    *_FILES,
                    Route("/healthz", self._send_health),
                    Route("/openapi.json", _send_description, middleware=_ZIPPED),
                    Route("/connect.pyz", self._send_client),
                    Route(f"/{EVENTS}", self._stream),
                    Route(f"/{urls.VUGRAPH}/{EVENTS}", self._stream),
                    *(Route(f"/{address}", self._send_export) for address in urls.EXPORTS),
                    Route("/{address:path}", self._send, middleware=_ZIPPED),
                    Route(f"/{urls.VUGRAPH}", self._enter_vugraph, methods=["POST"]),
                ]
            ),
            PUBLIC_HEADERS,
            {404: lambda *_: HTMLResponse(_NOT_THERE_PAGE, 404)},
        )

    @property
    def config(self) -> WebConfig:
        """`[web]` of the event file as it was last read."""
        return self._reader.config

    async def _send(self, request: Request) -> Response:
        address = address_of(request)
        if find(address) is None:
            if find(address.removesuffix("/")) is None:
                raise HTTPException(404)
            return RedirectResponse(f"/{address.removesuffix('/')}", 308)
        if card := request.query_params.get("card"):  # of a form whose address has what was played before
            before = request.query_params.get("cards", "").removeprefix(NO_CARD)
            address = f"{address.rpartition('/')[0]}/{before}{card}"
            if find(address) is None:
                raise HTTPException(404)
            return RedirectResponse(f"/{address}", 303)
        is_hidden = address.startswith(urls.VUGRAPH) and not self._is_in(request)
        return await self._page_at(request, urls.VUGRAPH_LOGIN if is_hidden else address)

    async def _page_at(self, request: Request, address: str) -> Response:
        """Answer what the reader has kept at an address, or that the browser has it already."""
        try:
            kept = await self._reader.page(address)
        except ReaderBusy:
            raise unavailable(_BUSY, 5) from None
        except Exception:  # noqa: BLE001 # the reader has logged it
            raise refuse(500, "this page cannot be shown") from None
        is_away = self._reader.problem is not None
        if kept is None and is_away:
            raise unavailable(_AWAY, 5)
        if kept is None:
            raise HTTPException(404)
        body, etag, host = kept.content.body, kept.etag, request.headers.get("host", "")
        is_page = kept.content.content_type == HTML
        if is_page and request.query_params.get("results") == "hidden":
            body, etag = _hide_results(body), f"{etag}-hidden"
        if is_page and _ORIGIN.fullmatch(host):
            scheme = "https" if self.config.behind_tls else "http"
            for name in (b"url", b"image"):  # other sites take whole addresses alone
                begins = b'<meta property="og:' + name + b'" content="'
                body = body.replace(begins + b"/", begins + f"{scheme}://{host}/".encode(), 1)
        if is_away:  # what is not HTML has no place for it
            body = body.replace(b'<main id="content">', b'<main id="content">\n' + _AWAY_NOTICE, 1)
            etag = f"{etag}-away"
        headers = {"etag": f'"{etag}"'}
        if not is_page:
            headers["access-control-allow-origin"] = "*"
        answer = unless_known(request, Response(body, headers=headers, media_type=kept.content.content_type))
        if address.startswith("embed/"):
            answer.headers.update(FRAMED)  # also of a 304, whose headers replace those that a browser has kept
        return answer

    async def _send_export(self, request: Request) -> Response:
        """Answer a file of the whole event or a part of it, or that the browser has it already."""
        address = address_of(request)
        try:
            file = await self._exports.file(address)
        except ExportsBusy:
            words = "this file is being made, which takes a while; try again in half a minute"
            raise unavailable(words, 30) from None
        except ExportFailed:
            raise unavailable(_AWAY, 5) from None
        if file is None:
            raise HTTPException(404)
        headers = {"access-control-allow-origin": "*"}
        answer = FileResponse(file, headers=headers, media_type=content_type_of(address), stat_result=file.stat())
        return unless_known(request, answer)

    async def _send_health(self, _: Request) -> Response:
        if self._reader.problem is None:
            return PlainTextResponse("ok\n")
        return PlainTextResponse("the record cannot be read\n", 503)

    # The vugraph: what is for those with the passphrase; others are asked for it

    def _is_in(self, request: Request) -> bool:
        token = _vugraph_token(self.config)
        return token is not None and hmac.compare_digest(request.cookies.get(COOKIE, "").encode(), token.encode())

    async def _enter_vugraph(self, request: Request) -> Response:
        """Let in who has sent the passphrase."""
        config = self.config
        source = source_of(address_of_client(request, config.proxies))
        form = await read_form(request, _FORM_BYTES_MAX)
        token = _vugraph_token(config)
        if token is None or form is None:
            raise HTTPException(404)
        try:
            async with self._pace.turn(source):  # after some wrong ones an address has to wait
                is_right = hmac.compare_digest(
                    form.get("phrase", "").encode(), (config.vugraph_phrase or "").encode()
                )
                if not is_right:
                    self._pace.note_wrong(source)
        except TooManyTries:
            raise unavailable("too many passphrases are being tried; try again in a minute", 60) from None
        if not is_right:
            raise refuse(403, "this is not the passphrase")
        home = f"/{urls.VUGRAPH}"
        answer = RedirectResponse(home, 303)
        answer.set_cookie(COOKIE, token, path=home, secure=config.behind_tls, httponly=True, samesite="strict")
        return answer

    # The stream

    def _send_client(self, _: Request) -> Response:
        """Answer the author's side of a tunnel in one file, made when it is first asked for."""
        if not self._has_client:
            raise HTTPException(404)
        headers = {"content-disposition": 'attachment; filename="connect.pyz"'}
        return Response(_build_client(), headers=headers, media_type="application/zip")

    async def _stream(self, request: Request) -> Response:
        is_vugraph = address_of(request) != EVENTS
        if is_vugraph and not self._is_in(request):
            return await self._page_at(request, urls.VUGRAPH_LOGIN)
        topics = request.query_params.get("topics", "").split(",")
        watched = frozenset(topic.removeprefix("/") for topic in topics)
        are_known = all(topic.startswith("/") and find(topic.removeprefix("/")) for topic in topics)
        if (
            len(topics) > TOPICS_MAX
            or not are_known
            or any(each.startswith(urls.VUGRAPH) != is_vugraph for each in watched)
        ):
            raise refuse(400, "this address is not understood")
        config = self.config
        self._hub.watchers_max, self._hub.per_source_max = config.watchers_max, config.streams_per_address
        watcher = self._hub.join(watched, source_of(address_of_client(request, config.proxies)))
        if watcher is None:
            raise unavailable(_BUSY, 30)
        return EventStream(self._hub, watcher)


def _vugraph_token(config: WebConfig) -> str | None:
    """Return what the cookie holds; None if the event has no vugraph."""
    if not config.live.is_vugraph or config.vugraph_phrase is None:
        return None
    return hmac.new(config.vugraph_phrase.encode(), b"tourney vugraph", sha256).hexdigest()


@cache
def _build_client() -> bytes:
    from tourney.connect.archive import build_archive  # noqa: PLC0415 # few need it

    return build_archive()


@cache
def _describe_api() -> bytes:
    from tourney.web.openapi import describe_api  # noqa: PLC0415 # it loads pydantic, which few need

    return f"{json.dumps(describe_api(), indent=1, ensure_ascii=False)}\n".encode()


def _send_description(request: Request) -> Response:
    """Answer the description of the JSON interface, which takes a while to be derived and is the same for all."""
    headers = {"etag": f'"{__version__}"', "access-control-allow-origin": "*"}
    return unless_known(request, Response(_describe_api(), headers=headers, media_type=JSON))


def _hide_results(body: bytes) -> bytes:
    """Return a page that shows no results until they are asked for, with links to pages that do neither."""
    body = body.replace(b'data-results="shown"', b'data-results="hidden"', 1)
    body = re.sub(rb'<meta property="og:description"[^>]*>\n', b"", body, count=1)
    body = re.sub(rb'(<meta property="og:image" content="[^"]*)\.png"', rb'\1.hidden.png"', body, count=1)
    return _PAGE_LINK.sub(rb"\1?results=hidden", body)


def make_app(
    public: ASGIApp,
    console: ASGIApp | None = None,
    seats: ASGIApp | None = None,
    keys: ASGIApp | None = None,
) -> ASGIApp:
    """Return the application: each of its parts has its addresses and all below, what is public all others.

    Args:
        public: answers everything else.
        console: the director's console.
        seats: seats for people.
        keys: where teams get their keys.
    """
    rooms = [(console, CONSOLE), (seats, SEAT), (keys, TEAM_KEY)]

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        for room, address in rooms:
            if room is not None and scope["type"] == "http" and is_of(scope["path"], address):
                await room(scope, receive, send)
                return
        await public(scope, receive, send)

    return answer


nothing_public: Final = Application(
    Router(_FILES, redirect_slashes=False, default=PlainTextResponse(_NOTHING, 404)),
    PUBLIC_HEADERS,
)
"""Answers where only the console or seats are served: the files that its pages need, and nothing else."""
