"""What the public pages and those of the director have in common of HTTP, beside what Starlette does."""

from collections.abc import Callable, Collection, Mapping
from typing import Any, Final
from urllib.parse import parse_qsl

from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.middleware.exceptions import ExceptionMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response, StreamingResponse
from starlette.staticfiles import NotModifiedResponse, StaticFiles
from starlette.types import ASGIApp, ExceptionHandler, Message, Receive, Scope, Send

from tourney.web.hub import Hub, Watcher

FIELDS_MAX: Final = 100

_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors "
)
STATIC: Final = StaticFiles(packages=[("tourney.site", "static"), ("tourney.web", "static")])
"""The files that pages need."""

FRAMED: Final = {"content-security-policy": f"{_POLICY}*"}
"""What pages have that any site may show in a frame."""

PUBLIC_HEADERS: Final = {
    "cache-control": "no-cache",  # a browser keeps pages, and asks each time whether they have changed
    "content-security-policy": f"{_POLICY}'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "vary": "Accept-Encoding",
}
"""What answers have that do not say otherwise."""


FORM_HEADERS: Final = PUBLIC_HEADERS | {
    "cache-control": "no-store",
    "referrer-policy": "same-origin",  # with `no-referrer`, browsers would say `Origin: null` of every form
    "x-frame-options": "DENY",
}
"""Headers of pages that have a form for one person."""


class Application:
    """Adds the headers that an answer does not have itself.

    Args:
        app: what answers; it may raise what `refuse` returns.
        headers: the headers, in lower case.
        handlers: what answers where it raises something, by its type or status.
    """

    def __init__(
        self,
        app: ASGIApp,
        headers: Mapping[str, str],
        handlers: Mapping[Any, ExceptionHandler] | None = None,
    ) -> None:
        self._app = ExceptionMiddleware(app, handlers)
        self._headers = headers

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                own = MutableHeaders(scope=message)
                for name, value in self._headers.items():
                    own.setdefault(name, value)
            await send(message)

        await self._app(scope, receive, send_with_headers)


class EventStream(StreamingResponse):
    """What a watcher is sent, for as long as it watches.

    Args:
        hub: the watchers.
        watcher: one of them, which leaves with the stream.
        on_end: is called when it has left.
    """

    def __init__(self, hub: Hub, watcher: Watcher, on_end: Callable[[], object] = lambda: None) -> None:
        headers = {"content-type": "text/event-stream", "cache-control": "no-store", "x-accel-buffering": "no"}
        super().__init__(hub.messages(watcher), headers=headers)
        self._hub = hub
        self._watcher = watcher
        self._on_end = on_end

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send until the browser has gone; it may have before the first message."""
        try:
            if scope["method"] == "HEAD":
                await Response(None, headers=dict(self.headers))(scope, receive, send)
            else:
                await super().__call__(scope, receive, send)
        finally:
            self._hub.leave(self._watcher)
            self._on_end()


def unavailable(words: str, retry_s: int) -> HTTPException:
    """Return the same where there is no answer at the moment."""
    return refuse(503, words, {"retry-after": str(retry_s)})


def address_of(request: Request) -> str:
    """Return the address that is asked for, as the site has it: without a slash before it."""
    path: str = request.scope["path"]
    return path.removeprefix("/")


def refuse(status: int, words: str, headers: Mapping[str, str] | None = None) -> HTTPException:
    """Return an exception whose answer says in a sentence why there is no other."""
    return HTTPException(status, f"{status}: {words}\n", headers)


def unless_known(request: Request, response: Response) -> Response:
    """Return a response, or that the browser has it already, as its `ETag` says."""
    is_known = STATIC.is_not_modified(response.headers, request.headers)
    return NotModifiedResponse(response.headers) if is_known else response


def address_of_client(request: Request, proxies: Collection[str]) -> str:
    """Return where a request comes from: what a proxy says that is believed, else who has connected."""
    client = request.client.host if request.client is not None else ""
    if client in proxies:
        return request.headers.get("x-forwarded-for", "").rpartition(",")[2].strip() or client
    return client


async def read_form(request: Request, bytes_max: int) -> dict[str, str] | None:
    """Read the form that was sent; None if it is too long, has too many fields, or is not sent to its end.

    Browsers end the lines of what they send by CR LF, whatever a page had there: lines end by LF here, as in pages.
    Starlette would take the body whole before its length is known, by a parser that is another library.
    """
    body = b""
    try:
        async for piece in request.stream():
            body += piece
            if len(body) > bytes_max:
                return None
        pairs = parse_qsl(body.decode("ascii", "replace"), keep_blank_values=True, max_num_fields=FIELDS_MAX)
    except (ClientDisconnect, ValueError):
        return None
    return {name: value.replace("\r\n", "\n").replace("\r", "\n") for name, value in pairs}
