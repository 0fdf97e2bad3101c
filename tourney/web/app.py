"""The web application: the routes of the server, answered with what the reader has kept.

Public addresses are plain: a path without percent signs, GET or HEAD. Everything that is not there, whatever the
reason, is answered with the same bytes and headers.
"""

import asyncio
import json
from collections.abc import Callable
from hashlib import sha256
from typing import Final

from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route, Router
from starlette.types import ASGIApp, Receive, Scope, Send

from tourney.config.web import WebConfig
from tourney.site import urls
from tourney.site.routes import ROUTES, Audience, FileRoute
from tourney.web.answers import (
    FOREVER,
    FRAMED,
    PATH_BYTES_MAX,
    PUBLIC_HEADERS,
    QUERY_BYTES_MAX,
    Application,
    EventStream,
    address_of,
    address_of_client,
    has_already,
    read_form,
    refuse,
    takes_gzip,
    unavailable,
)
from tourney.web.doors import CONSOLE, SEAT, TEAM_KEY, is_of, source_of
from tourney.web.exports import ExportFailed, Exports, ExportsBusy
from tourney.web.hub import TOPICS_MAX, Hub
from tourney.web.phrase_pace import PhrasePace, TooManyTries
from tourney.web.public import JSON, content_type_of, is_address, place, static_file
from tourney.web.reader import Kept, Reader, ReaderBusy
from tourney.web.vugraph import BODY_BYTES_MAX, COOKIE, VugraphDoor

EVENTS: Final = "events"

_NOT_THERE_PAGE: Final = (
    '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
    '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
    '<meta name="color-scheme" content="light dark">\n<title>No such page</title>\n'
    f'<link rel="stylesheet" href="/{place(urls.STYLE)}">\n</head>\n<body>\n<main id="content">\n'
    "<h1>No such page</h1>\n<p>There is nothing at this address, or it is not shown yet.</p>\n"
    f'<p>What there is: <a href="/">the standings</a>, <a href="/{urls.LIVE}">the tables in play</a>, '
    f'<a href="/{urls.SCHEDULE}">the schedule</a>.</p>\n</main>\n</body>\n</html>\n'
).encode()
_NOT_THERE: Final = HTMLResponse(_NOT_THERE_PAGE, 404)
"""The same for every address, whatever is not there: it tells nothing of what is hidden."""
_NOTHING: Final = "404: there is no such page, or it is not shown yet\n"
_BAD: Final = "this address is not understood"
_BUSY: Final = "too much is asked for at once; try again in some seconds"
_AWAY: Final = "the record cannot be read at the moment; this page will be back"
_ICON: Final = (
    b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16">'
    b'<rect width="16" height="16" rx="3" fill="#14532d"/>'
    b'<path d="M8 3c2 3 4 3.500 4 6a2 2 0 0 1-3.500 1.300L9.500 13h-3l1-2.700A2 2 0 0 1 4 9c0-2.500 2-3 4-6z" '
    b'fill="#fff"/></svg>'
)
_AWAY_NOTICE: Final = b'<p class="notice">The record cannot be read at the moment: this is what was there before.</p>'


class PublicPages:
    """The ASGI application of the public addresses."""

    def __init__(
        self,
        reader: Reader,
        hub: Hub,
        exports: Exports,
        pace: PhrasePace | None = None,
        build_client: Callable[[], bytes] | None = None,
    ) -> None:
        """Prepare.

        Args:
            reader: makes the pages from the record.
            hub: those who watch.
            exports: makes the files that are asked for.
            pace: how fast passphrases may be tried.
            build_client: makes `connect.pyz`, for authors whose programs come through a tunnel; None where none may.
        """
        self._build_client = build_client
        self._client: asyncio.Task[bytes] | None = None
        self._reader = reader
        self._hub = hub
        self._exports = exports
        self._door = VugraphDoor()
        self._pace = pace or PhrasePace()
        self._description: asyncio.Task[bytes] | None = None
        endpoints = {
            f"/{route.path}": self._send_export
            if isinstance(route, FileRoute) and route.export_format
            else self._send_vugraph
            if route.audience is Audience.VUGRAPH
            else self._send_page
            for route in ROUTES
            if route.path != urls.WALL  # that is at `/live?wall=1`
        }
        self._router = Router(
            [
                *_FILES,
                Route("/healthz", self._send_health),
                Route("/openapi.json", self._send_description),
                Route("/connect.pyz", self._send_client),
                Route(f"/{EVENTS}", self._stream),
                Route(f"/{urls.VUGRAPH}/{EVENTS}", self._stream_vugraph),
                Route(f"/{urls.VUGRAPH}", self._enter_vugraph, methods=["POST"]),
                *(Route(path, endpoint) for path, endpoint in endpoints.items()),
            ],
            redirect_slashes=False,
            default=_redirect_or_not_there,
        )
        self._app = Application(self._answer, PUBLIC_HEADERS)

    @property
    def routes(self) -> list[Route]:
        """What is answered, in the order in which an address is looked for."""
        return [route for route in self._router.routes if isinstance(route, Route)]

    @property
    def config(self) -> WebConfig:
        """`[web]` of the event file as it was last read."""
        return self._reader.config

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        await self._app(scope, receive, send)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        path: bytes = scope.get("raw_path") or scope["path"].encode()
        if request.method not in ("GET", "HEAD") and (request.method, path) != ("POST", f"/{urls.VUGRAPH}".encode()):
            raise refuse(405, "this can only be read", {"allow": "GET, HEAD"})
        if len(scope["query_string"]) > QUERY_BYTES_MAX:
            raise refuse(400, _BAD)
        await (self._router if _is_plain(path) else _NOT_THERE)(scope, receive, send)

    async def _send_page(self, request: Request) -> Response:
        address = address_of(request)
        is_wall = address == urls.LIVE and request.scope["query_string"] == b"wall=1"
        return await self._page_at(request, urls.WALL if is_wall else address)

    async def _page_at(self, request: Request, address: str) -> Response:
        kept = self._reader.kept(address)
        if kept is None:
            try:
                kept = await asyncio.wrap_future(self._reader.ask(address))
            except ReaderBusy:
                raise unavailable(_BUSY, 5) from None
            except Exception:  # noqa: BLE001 # the reader has logged it
                raise refuse(500, "this page cannot be shown") from None
        if kept is not None:
            is_away, may_be_framed = self._reader.problem is not None, address.startswith("embed/")
            return _answer_kept(request, kept, may_be_framed=may_be_framed, is_away=is_away)
        if self._reader.problem is not None:
            raise unavailable(_AWAY, 5)
        return _NOT_THERE

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
            return _NOT_THERE
        is_zipped = takes_gzip(request.headers.get("accept-encoding", ""))
        headers = {"etag": _etag(file.etag, is_zipped=is_zipped), "access-control-allow-origin": "*"}
        if has_already(request, headers["etag"]):
            return Response(None, 304, headers)
        if is_zipped:
            headers["content-encoding"] = "gzip"
        path = file.zipped if is_zipped else file.path
        return FileResponse(path, headers=headers, media_type=content_type_of(address), stat_result=path.stat())

    async def _send_description(self, request: Request) -> Response:
        """Answer the description of the JSON interface, which takes a while to be derived and is the same for all."""
        if self._description is None:
            self._description = asyncio.create_task(asyncio.to_thread(_describe_api))
        body = await asyncio.shield(self._description)
        headers = {"etag": _etag(sha256(body).hexdigest()[:24], is_zipped=False), "access-control-allow-origin": "*"}
        if has_already(request, headers["etag"]):
            return Response(None, 304, headers)
        return Response(body, headers=headers, media_type=JSON)

    async def _send_health(self, _: Request) -> Response:
        if self._reader.problem is None:
            return PlainTextResponse("ok\n")
        return PlainTextResponse("the record cannot be read\n", 503)

    # The vugraph: what is for those with the passphrase; others are asked for it

    def _is_in(self, request: Request) -> bool:
        return self._door.is_in(self.config, request.cookies.get(COOKIE, ""))

    async def _send_vugraph(self, request: Request) -> Response:
        is_in = self._is_in(request)
        return await self._page_at(request, address_of(request) if is_in else urls.VUGRAPH_LOGIN)

    async def _stream_vugraph(self, request: Request) -> Response:
        if not self._is_in(request):
            return await self._page_at(request, urls.VUGRAPH_LOGIN)
        return await self._stream(request)

    async def _enter_vugraph(self, request: Request) -> Response:
        """Let in who has sent the passphrase."""
        source = source_of(address_of_client(request, self.config.proxies))
        form = await read_form(request, BODY_BYTES_MAX)
        if self._door.token(self.config) is None or form is None:
            return _NOT_THERE
        try:
            async with self._pace.turn(source):  # after some wrong ones an address has to wait
                token = self._door.enter(self.config, form.get("phrase", ""))
                if token is None:
                    self._pace.note_wrong(source)
        except TooManyTries:
            words = "too many passphrases are being tried; try again in a minute"
            raise unavailable(words, 60) from None
        if token is None:
            raise refuse(403, "this is not the passphrase")
        answer = RedirectResponse(f"/{urls.VUGRAPH}", 303)
        secure = self.config.behind_tls
        answer.set_cookie(
            COOKIE, token, path=answer.headers["location"], secure=secure, httponly=True, samesite="strict"
        )
        return answer

    # The stream

    async def _send_client(self, _: Request) -> Response:
        """Answer the author's side of a tunnel in one file, made when it is first asked for."""
        if self._build_client is None:
            return _NOT_THERE
        if self._client is None:
            self._client = asyncio.create_task(asyncio.to_thread(self._build_client))
        body = await asyncio.shield(self._client)
        headers = {"cache-control": "no-cache", "content-disposition": 'attachment; filename="connect.pyz"'}
        return Response(body, headers=headers, media_type="application/zip")

    async def _stream(self, request: Request) -> Response:
        topics = _topics_of(request.scope["query_string"])
        is_vugraph = address_of(request) != EVENTS
        if topics is None or any(topic.startswith(urls.VUGRAPH) != is_vugraph for topic in topics):
            raise refuse(400, _BAD)
        config = self.config
        self._hub.watchers_max, self._hub.per_source_max = config.watchers_max, config.streams_per_address
        watcher = self._hub.join(topics, source_of(address_of_client(request, config.proxies)))
        if watcher is None:
            raise unavailable(_BUSY, 30)
        return EventStream(self._hub, watcher)


def _describe_api() -> bytes:
    from tourney.web.openapi import describe_api  # noqa: PLC0415 # it loads pydantic, which few need

    return f"{json.dumps(describe_api(), indent=1, ensure_ascii=False)}\n".encode()


async def _redirect_or_not_there(scope: Scope, receive: Receive, send: Send) -> None:
    """Lead to the page whose address somebody has ended with a slash; there is nothing else at other addresses."""
    path: str = scope["path"]
    is_ended = path.endswith("/") and not path.startswith("/api/")
    await (RedirectResponse(path.rstrip("/"), 308) if is_ended else _NOT_THERE)(scope, receive, send)


async def _send_static(request: Request) -> Response:
    """Answer a file of the pages. They are few, and in memory: their addresses have a hash of all of them."""
    found = static_file(address_of(request))
    if found is None:
        return _NOT_THERE
    return Response(found.body, headers={"cache-control": FOREVER}, media_type=found.content_type)


async def _send_icon(_: Request) -> Response:
    return Response(_ICON, headers={"cache-control": "max-age=86400"}, media_type="image/svg+xml")


_FILES: Final = (Route(f"/{urls.STATIC}{{file:path}}", _send_static), Route("/favicon.ico", _send_icon))
"""What the pages of a server need."""


def _is_plain(path: bytes) -> bool:
    """Whether there may be anything at a path: it is not too long, and has no signs that no address has."""
    is_short = path.startswith(b"/") and len(path) <= PATH_BYTES_MAX
    return is_short and path.isascii() and is_address(path[1:].decode("ascii"))


def _etag(tag: str, *, is_zipped: bool) -> str:
    return f'"{tag}-gzip"' if is_zipped else f'"{tag}"'


def _answer_kept(request: Request, kept: Kept, *, may_be_framed: bool, is_away: bool) -> Response:
    """Answer what the reader has kept, or that the browser has it already."""
    body, etag, zipped = kept.content.body, kept.etag, kept.zipped
    if is_away:  # what is not HTML has no place for it
        body = body.replace(b'<main id="content">', b'<main id="content">\n' + _AWAY_NOTICE, 1)
        etag, zipped = f"{etag}-away", None
    is_zipped = zipped is not None and takes_gzip(request.headers.get("accept-encoding", ""))
    headers = {"etag": _etag(etag, is_zipped=is_zipped)} | (FRAMED if may_be_framed else {})
    if kept.content.content_type == JSON:
        headers["access-control-allow-origin"] = "*"
    if has_already(request, headers["etag"]):
        return Response(None, 304, headers)
    if is_zipped:
        headers["content-encoding"] = "gzip"
    return Response(zipped if is_zipped else body, headers=headers, media_type=kept.content.content_type)


def _topics_of(query: bytes) -> frozenset[str] | None:
    """Return the addresses that a stream is asked for: `topics=/,/match/7`; None if it is something else."""
    name, _, value = query.partition(b"=")
    topics = value.decode("latin-1").replace("%2F", "/").replace("%2C", ",").split(",")
    if name != b"topics" or len(topics) > TOPICS_MAX:
        return None
    if not all(topic.startswith("/") and is_address(topic[1:]) for topic in topics):
        return None
    return frozenset(topic[1:] for topic in topics)


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
