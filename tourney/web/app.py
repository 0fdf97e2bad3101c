"""The web application and its server: it takes requests apart, and answers with what the reader has kept.

Public addresses are plain: a path without percent signs, GET or HEAD. Everything that is not there, whatever the
reason, is answered with the same bytes and headers.
"""

import asyncio
import os
import signal
import socket
from collections.abc import Callable, Collection, Sequence
from types import FrameType
from typing import Final

import uvicorn
from starlette.types import ASGIApp, Receive, Scope, Send

from tourney.config.web import WebConfig
from tourney.site import urls
from tourney.web.byte_ranges import RangeNotSatisfiable, parse_range
from tourney.web.doors import source_of
from tourney.web.exports import ExportedFile, ExportFailed, Exports, ExportsBusy
from tourney.web.headers import FOREVER, Headers, encode, page_headers
from tourney.web.hub import TOPICS_MAX, Hub, Watcher
from tourney.web.phrase_pace import PhrasePace, TooManyTries
from tourney.web.public import JSON, content_type_of, is_address, place, static_file
from tourney.web.reader import Kept, Reader, ReaderBusy
from tourney.web.vugraph import BODY_BYTES_MAX, VugraphDoor

PATH_BYTES_MAX: Final = 200
QUERY_BYTES_MAX: Final = 2000
_PIECE_BYTES: Final = 65_536

_PLAIN: Final = "text/plain; charset=utf-8"
_HTML: Final = "text/html; charset=utf-8"
_NOT_THERE: Final = b"404: there is no such page, or it is not shown yet\n"
_NOT_THERE_PAGE: Final = (
    '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
    '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
    '<meta name="color-scheme" content="light dark">\n<title>No such page</title>\n'
    f'<link rel="stylesheet" href="/{place(urls.STYLE)}">\n</head>\n<body>\n<main id="content">\n'
    "<h1>No such page</h1>\n<p>There is nothing at this address, or it is not shown yet.</p>\n"
    f'<p>What there is: <a href="/">the standings</a>, <a href="/{urls.LIVE}">the tables in play</a>, '
    f'<a href="/{urls.SCHEDULE}">the schedule</a>.</p>\n</main>\n</body>\n</html>\n'
).encode()
"""The same for every address, whatever is not there: it tells nothing of what is hidden."""
_ELSEWHERE: Final = {"standings": urls.FRONT, "index.html": urls.FRONT}
"""Where people look for a page, and where it is."""
_BAD: Final = b"400: this address is not understood\n"
_NOT_ALLOWED: Final = b"405: this can only be read\n"
_BUSY: Final = b"503: too much is asked for at once; try again in some seconds\n"
_MAKING: Final = b"503: this file is being made, which takes a while; try again in half a minute\n"
_AWAY: Final = b"503: the record cannot be read at the moment; this page will be back\n"
_WRONG_PHRASE: Final = b"403: this is not the pass phrase\n"
_MANY_TRIES: Final = b"503: too many pass phrases are being tried; try again in a minute\n"
_FAILED: Final = b"500: this page cannot be shown\n"
_ICON: Final = (
    b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16">'
    b'<rect width="16" height="16" rx="3" fill="#14532d"/>'
    b'<path d="M8 3c2 3 4 3.500 4 6a2 2 0 0 1-3.500 1.300L9.500 13h-3l1-2.700A2 2 0 0 1 4 9c0-2.500 2-3 4-6z" '
    b'fill="#fff"/></svg>'
)
_AWAY_NOTICE: Final = b'<p class="notice">The record cannot be read at the moment: this is what was there before.</p>'


class PublicPages:
    """The ASGI application of the public addresses."""

    def __init__(self, reader: Reader, hub: Hub, exports: Exports, pace: PhrasePace | None = None) -> None:
        self._reader = reader
        self._hub = hub
        self._exports = exports
        self._door = VugraphDoor()
        self._pace = pace or PhrasePace()

    @property
    def config(self) -> WebConfig:
        """`[web]` of the event file as it was last read."""
        return self._reader.config

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            return
        answer = _Answer(scope, send)
        if scope["method"] == "POST" and scope["path"] == f"/{urls.VUGRAPH}":
            await self._enter_vugraph(scope, receive, answer)
            return
        if scope["method"] not in ("GET", "HEAD"):
            await answer.send(405, _NOT_ALLOWED, _PLAIN, [("allow", "GET, HEAD")])
            return
        query: bytes = scope["query_string"]
        if len(query) > QUERY_BYTES_MAX:
            await answer.send(400, _BAD, _PLAIN)
            return
        path: bytes = scope.get("raw_path") or scope["path"].encode()
        address = _address_of(path)
        if address is None or address == urls.WALL:  # that is at `/live?wall=1`
            await answer.say_not_there()
        elif address == "events":
            await self._stream(scope, receive, answer, query, of_vugraph=False)
        elif address == urls.VUGRAPH or address.startswith(f"{urls.VUGRAPH}/"):
            await self._send_vugraph(scope, receive, answer, address, query)
        elif address == "healthz":
            await self._say_health(answer)
        elif address == "favicon.ico":
            await answer.send(200, _ICON, "image/svg+xml", [("cache-control", "max-age=86400")])
        elif address.startswith("static/") or address in urls.EXPORTS:
            await self._send_file(answer, address)
        elif (moved := _moved_to(address)) is not None:
            await answer.send(308, b"", _PLAIN, [("location", f"/{moved}")])
        else:
            is_wall = address == urls.LIVE and query == b"wall=1"
            await self._send_page(answer, urls.WALL if is_wall else address)

    async def _send_page(self, answer: "_Answer", address: str) -> None:
        kept = self._reader.kept(address)
        if kept is None:
            try:
                kept = await asyncio.wrap_future(self._reader.ask(address))
            except ReaderBusy:
                await answer.send(503, _BUSY, _PLAIN, [("retry-after", "5")])
                return
            except Exception:  # noqa: BLE001 # the reader has logged it
                await answer.send(500, _FAILED, _PLAIN)
                return
        if kept is not None:
            framed_by = self._reader.config.embed_from if address.startswith("embed/") else ()
            await answer.send_kept(kept, framed_by, is_away=self._reader.problem is not None)
        elif self._reader.problem is not None:
            await answer.send(503, _AWAY, _PLAIN, [("retry-after", "5")])
        else:
            await answer.say_not_there()

    async def _send_vugraph(
        self, scope: Scope, receive: Receive, answer: "_Answer", address: str, query: bytes
    ) -> None:
        """Answer what is for those with the pass phrase; others are asked for it."""
        config = self._reader.config
        if self._door.token(config) is None:
            await answer.say_not_there()
        elif not self._door.is_in(config, answer.cookies):
            await self._send_page(answer, urls.VUGRAPH_LOGIN)
        elif address == f"{urls.VUGRAPH}/events":
            await self._stream(scope, receive, answer, query, of_vugraph=True)
        else:
            await self._send_page(answer, address)

    async def _enter_vugraph(self, scope: Scope, receive: Receive, answer: "_Answer") -> None:
        """Let in who has sent the pass phrase."""
        address = address_of_client(scope, self._reader.config.proxies)
        body = b""
        while len(body) <= BODY_BYTES_MAX:
            message = await receive()
            body += message.get("body", b"")
            if not message.get("more_body"):
                break
        config = self._reader.config
        if self._door.token(config) is None or len(body) > BODY_BYTES_MAX:
            await answer.say_not_there()
            return
        source = source_of(address)
        try:
            async with self._pace.turn(source):  # after some wrong ones an address has to wait
                cookie = self._door.enter(config, body)
                if cookie is None:
                    self._pace.note_wrong(source)
        except TooManyTries:
            await answer.send(503, _MANY_TRIES, _PLAIN, [("retry-after", "60")])
            return
        if cookie is None:
            await answer.send(403, _WRONG_PHRASE, _PLAIN)
        else:
            await answer.send(303, b"", _PLAIN, [("location", f"/{urls.VUGRAPH}"), ("set-cookie", cookie)])

    async def _send_file(self, answer: "_Answer", address: str) -> None:
        """Answer a file of the pages, or of the whole event."""
        if found := static_file(address):
            await answer.send(200, found.body, found.content_type, [("cache-control", FOREVER)])
            return
        try:
            file = await self._exports.file(address)
        except ExportsBusy:
            await answer.send(503, _MAKING, _PLAIN, [("retry-after", "30")])
        except ExportFailed:
            await answer.send(503, _AWAY, _PLAIN, [("retry-after", "5")])
        else:
            if file is None:
                await answer.say_not_there()
            else:
                await answer.send_file(file, content_type_of(address))

    async def _say_health(self, answer: "_Answer") -> None:
        if self._reader.problem is None:
            await answer.send(200, b"ok\n", _PLAIN)
        else:
            await answer.send(503, b"the record cannot be read\n", _PLAIN)

    async def _stream(
        self, scope: Scope, receive: Receive, answer: "_Answer", query: bytes, *, of_vugraph: bool
    ) -> None:
        topics = _topics_of(query)
        if topics is None or any(topic.startswith(urls.VUGRAPH) != of_vugraph for topic in topics):
            await answer.send(400, _BAD, _PLAIN)
            return
        config = self.config
        self._hub.watchers_max, self._hub.per_source_max = config.watchers_max, config.streams_per_address
        watcher = self._hub.join(topics, source_of(address_of_client(scope, config.proxies)))
        if watcher is None:
            await answer.send(503, _BUSY, _PLAIN, [("retry-after", "30")])
            return
        async with asyncio.TaskGroup() as group:
            listening = group.create_task(_wait_for_end(receive, watcher))
            try:
                await answer.stream(self._hub, watcher)
            finally:
                listening.cancel()


def _moved_to(address: str) -> str | None:
    """Return where somebody should have asked; None if that is here."""
    if address.endswith("/") and not address.startswith("api/"):
        return address.rstrip("/")
    return _ELSEWHERE.get(address)


def takes_gzip(accepted: bytes) -> bool:
    """Whether a browser takes gzip, by its `Accept-Encoding` (RFC 9110, section 12.5.3); `gzip;q=0` says that not."""
    weights: dict[str, float] = {}
    for part in accepted.decode("latin-1").lower().split(","):
        coding, *parameters = (each.strip() for each in part.split(";"))
        weight = next((each[2:] for each in parameters if each.startswith("q=")), "1")
        try:
            weights[coding] = float(weight)
        except ValueError:
            weights[coding] = 0.0
    return weights.get("gzip", weights.get("*", 0.0)) > 0


def address_of_client(scope: Scope, proxies: Collection[str]) -> str:
    """Return where a request comes from: what a proxy says that is believed, else who has connected."""
    client: str = scope["client"][0] if scope.get("client") else ""
    if client in proxies:
        said = dict(scope["headers"]).get(b"x-forwarded-for", b"").decode("latin-1")
        return said.rpartition(",")[2].strip() or client
    return client


async def _wait_for_end(receive: Receive, watcher: Watcher) -> None:
    """Wait until the browser has gone."""
    while (await receive())["type"] != "http.disconnect":
        pass
    watcher.leave()


def _address_of(path: bytes) -> str | None:
    """Return the address of a path; None if there can be nothing: too long, or with signs that no address has."""
    if len(path) > PATH_BYTES_MAX or not path.startswith(b"/") or b"%" in path or not path.isascii():
        return None
    address = path[1:].decode("ascii")
    return address if is_address(address) else None


def _topics_of(query: bytes) -> frozenset[str] | None:
    """Return the addresses that a stream is asked for: `topics=/,/match/7`; None if it is something else."""
    name, _, value = query.partition(b"=")
    topics = value.decode("latin-1").replace("%2F", "/").replace("%2C", ",").split(",")
    if name != b"topics" or len(topics) > TOPICS_MAX:
        return None
    if not all(topic.startswith("/") and is_address(topic[1:]) for topic in topics):
        return None
    return frozenset(topic[1:] for topic in topics)


class _Answer:
    """Sends the answer to one request."""

    def __init__(self, scope: Scope, send: Send) -> None:
        self._send = send
        self._is_head = scope["method"] == "HEAD"
        asked = dict(scope["headers"])
        self.cookies: bytes = asked.get(b"cookie", b"")
        self._has: bytes = asked.get(b"if-none-match", b"")
        self._takes_gzip = takes_gzip(asked.get(b"accept-encoding", b""))
        self._range = asked[b"range"].decode("latin-1") if b"range" in asked else None
        self._range_of = asked[b"if-range"].decode("latin-1") if b"if-range" in asked else None
        """The file of which the browser has a part already."""

    async def send(
        self, status: int, body: bytes, content_type: str, more: list[tuple[str, str]] | None = None
    ) -> None:
        """Send a whole answer."""
        headers = dict(page_headers(content_type))
        headers |= dict(encode(more or []))
        await self._whole(status, list(headers.items()), body)

    async def say_not_there(self) -> None:
        """Say that there is nothing, with ways to what there is."""
        await self.send(404, _NOT_THERE_PAGE, _HTML)

    async def send_kept(self, kept: Kept, framed_by: tuple[str, ...], *, is_away: bool) -> None:
        """Send what the reader has kept, or that the browser has it already."""
        body, etag, zipped = kept.content.body, kept.etag, kept.zipped
        if is_away:  # what is not HTML has no place for it
            body = body.replace(b'<main id="content">', b'<main id="content">\n' + _AWAY_NOTICE, 1)
            etag, zipped = f"{etag}-away", None
        is_zipped = zipped is not None and self._takes_gzip
        tag = f'"{etag}{"-gzip" if is_zipped else ""}"'
        headers = page_headers(kept.content.content_type, framed_by=framed_by)
        headers.append((b"etag", tag.encode()))
        if kept.content.content_type == JSON:
            headers += encode([("access-control-allow-origin", "*")])
        if tag.encode() in self._has:
            await self._whole(304, headers, b"")
            return
        if is_zipped:
            assert zipped is not None
            headers += encode([("content-encoding", "gzip")])
            body = zipped
        await self._whole(200, headers, body)

    async def send_file(self, file: ExportedFile, content_type: str) -> None:
        """Send a file from the disk or a part of it, piece by piece, or that the browser has it already."""
        tag = f'"{file.etag}{"-gzip" if self._takes_gzip else ""}"'
        headers = page_headers(content_type) + encode([("etag", tag), ("access-control-allow-origin", "*")])
        if tag.encode() in self._has:
            await self._whole(304, headers, b"")
            return
        headers += encode([("accept-ranges", "bytes")])
        with (file.zipped if self._takes_gzip else file.path).open("rb") as source:
            length = os.fstat(source.fileno()).st_size
            try:
                part = None if self._is_head else self._part_asked_for(tag, length)
            except RangeNotSatisfiable:
                await self._whole(416, headers + encode([("content-range", f"bytes */{length}")]), b"")
                return
            headers += encode([("content-encoding", "gzip")] if self._takes_gzip else [])
            if part is not None:
                headers += encode([("content-range", f"bytes {part.start}-{part.stop - 1}/{length}")])
            status, wanted = (200, range(length)) if part is None else (206, part)
            headers += encode([("content-length", str(len(wanted)))])
            await self._send({"type": "http.response.start", "status": status, "headers": headers})
            source.seek(wanted.start)
            left = 0 if self._is_head else len(wanted)
            while left and (piece := source.read(min(left, _PIECE_BYTES))):
                left -= len(piece)
                await self._send({"type": "http.response.body", "body": piece, "more_body": True})
        await self._send({"type": "http.response.body", "body": b"", "more_body": False})

    def _part_asked_for(self, tag: str, length: int) -> range | None:
        """Return the bytes of a file that are asked for; None for all, as where it has changed in the meantime."""
        if self._range is None or self._range_of not in (None, tag):
            return None
        return parse_range(self._range, length)

    async def stream(self, hub: Hub, watcher: Watcher) -> None:
        """Send what a watcher is told, for as long as it watches."""
        headers = page_headers("text/event-stream", kept="no-store")
        headers += encode([("x-accel-buffering", "no")])
        await self._send({"type": "http.response.start", "status": 200, "headers": headers})
        if not self._is_head:
            async for message in hub.messages(watcher):
                await self._send({"type": "http.response.body", "body": message, "more_body": True})
        else:
            hub.leave(watcher)
        await self._send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _whole(self, status: int, headers: Headers, body: bytes) -> None:
        if status != 304:
            headers = [*headers, (b"content-length", str(len(body)).encode())]
        await self._send({"type": "http.response.start", "status": status, "headers": headers})
        await self._send({"type": "http.response.body", "body": b"" if self._is_head else body})


# The server


def make_app(public: ASGIApp, desk: ASGIApp | None = None) -> ASGIApp:
    """Return the application: the director's desk, if there is one, has `/desk` and all below it."""
    if desk is None:
        return public

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        is_of_desk = scope["type"] == "http" and (scope["path"] == "/desk" or scope["path"].startswith("/desk/"))
        await (desk if is_of_desk else public)(scope, receive, send)

    return answer


async def nothing_public(scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG001 # as ASGI has it
    """Answer where only the desk is served: the files that its pages need, and nothing else."""
    if scope["type"] != "http":
        return
    answer = _Answer(scope, send)
    found = static_file(scope["path"].removeprefix("/")) if scope["method"] in ("GET", "HEAD") else None
    if found is not None:
        await answer.send(200, found.body, found.content_type, [("cache-control", FOREVER)])
    elif scope["path"] == "/favicon.ico":
        await answer.send(200, _ICON, "image/svg+xml", [("cache-control", "max-age=86400")])
    else:
        await answer.send(404, _NOT_THERE, _PLAIN)


class Server(uvicorn.Server):
    """A server that tells its streams when it ends: without that it would wait for the browsers to go."""

    def __init__(self, config: uvicorn.Config, hubs: Sequence[Hub], on_ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._hubs = hubs
        self._on_ready = on_ready
        self.ended_by: signal.Signals | None = None
        """The signal that ended it."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to answer, and say so."""
        await super().startup(sockets)
        self._on_ready()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:  # noqa: ARG002 # as signals are handled
        """End the streams, then the server; the signal is not raised again, and a second Ctrl-C waits for nobody."""
        for hub in self._hubs:
            hub.end()
        self.force_exit = self.should_exit and sig == signal.SIGINT
        self.should_exit = True
        self.ended_by = signal.Signals(sig)
