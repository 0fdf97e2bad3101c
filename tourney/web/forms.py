"""Pages with forms that only they may send: their templates, which names the server has, and the word of a form.

A browser says of which site a page was that sends a form (`Origin`). Besides, each form has a word that follows from
the cookie of its session, so that nobody else can make one.
"""

import hmac
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache
from hashlib import sha256
from typing import Any, ClassVar, Final
from urllib.parse import urlsplit

from jinja2 import ChoiceLoader, Environment, PackageLoader
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route, Router
from starlette.types import ExceptionHandler, Receive, Scope, Send

from tourney import __version__
from tourney.config.web import WebConfig
from tourney.runtime.address import is_loopback
from tourney.site.rendering import environment, printable
from tourney.web.answers import FORM_HEADERS, Application, read_form, refuse

_LOOPBACK: Final = ("localhost", "127.0.0.1", "[::1]", "::1")


def names_of(config: WebConfig, host: str) -> tuple[str, ...]:
    """Return the names by which browsers may reach a server that listens on an address."""
    return (*_LOOPBACK, config.host, host, *config.hosts)


def is_named(request: Request, names: Collection[str]) -> bool:
    """Whether the `Host` of a request, with or without a port, is one of these names."""
    try:
        name = urlsplit(f"//{request.headers.get('host', '').lower()}").hostname
    except ValueError:
        return False
    return name is not None and name in {each.lower().strip("[]") for each in names}


def is_safe(config: WebConfig, host: str) -> bool:
    """Return whether passphrases may come over a socket on an address: it is loopback, or HTTPS is in front."""
    return config.behind_tls or is_loopback(host)


class FormPages(Application):
    """The ASGI application of pages with forms, which are there under the names of the server alone.

    `form_bytes_max` is how long a form may be.

    Args:
        routes: what answers.
        config: `[web]` as it is now.
        host: the address that the server listens on.
        handlers: what answers where a route raises something, as `Application` has them.
    """

    form_bytes_max: ClassVar[int]

    def __init__(
        self,
        routes: Sequence[Route],
        config: Callable[[], WebConfig],
        host: str,
        handlers: Mapping[Any, ExceptionHandler] | None = None,
    ) -> None:
        self._config = config
        self._host = host
        not_there = PlainTextResponse("404: there is no such page\n", 404)
        self._router = Router(routes, redirect_slashes=False, default=not_there)
        super().__init__(self._answer, FORM_HEADERS, handlers)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        if not is_named(Request(scope), names_of(self._config(), self._host)):
            raise refuse(421, "this is not a name of this server: `hosts` in [web] has them")
        await self._route(scope, receive, send)

    async def _route(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._router(scope, receive, send)

    @property
    def is_safe(self) -> bool:
        """Whether passphrases may come over the socket of the server."""
        return is_safe(self._config(), self._host)

    async def _form_of(self, request: Request) -> dict[str, str]:
        """Read a form that a page of this server has sent.

        Raises:
            HTTPException: it is something else, comes from another site, or is too long.
        """
        is_form = request.headers.get("content-type", "").startswith("application/x-www-form-urlencoded")
        is_taken = is_form and is_from_here(request, behind_tls=self._config().behind_tls)
        form = await read_form(request, self.form_bytes_max) if is_taken else None
        if form is None:
            raise refuse(400, "this form is not one of this server's pages, or too long")
        return form

    def _set_cookie(self, answer: Response, name: str, value: str, seconds: int, path: str) -> None:
        """Have a browser keep what no script may read and no other site sends."""
        secure = self._config().behind_tls
        answer.set_cookie(name, value, seconds, path=path, secure=secure, httponly=True, samesite="strict")


def is_from_here(request: Request, *, behind_tls: bool) -> bool:
    """Whether a form comes from a page of the server that it is sent to, as the browser says."""
    said = request.headers.get("host", "").lower()
    try:
        origin, host = urlsplit(request.headers.get("origin", "")), urlsplit(f"//{said}")
        if behind_tls and host.port is None:  # servers in front often leave the port out
            return origin.hostname is not None and origin.hostname == host.hostname
        return bool(origin.netloc) and origin.netloc.lower() == said
    except ValueError:
        return False


def word_of(token: str) -> str:
    """Return the word that the forms of a session have; it tells nothing of the token of its cookie."""
    return hmac.new(token.encode(), b"tourney form", sha256).hexdigest()


def check_word(form: dict[str, str], token: str) -> None:
    """Check the word of a form of a session, and take it out.

    Raises:
        HTTPException: it is of another session.
    """
    if not hmac.compare_digest(form.pop("csrf", "").encode(), word_of(token).encode()):
        raise refuse(403, "this form is of another session: go back, load the page again")


# Pages


def render_page(package: str, template: str, context: Mapping[str, Any], status: int = 200) -> Response:
    """Answer with a page of a room, which has a folder `templates`."""
    return HTMLResponse(printable(_environment(package).get_template(template).render(context)), status)


@cache
def _environment(package: str) -> Environment:
    public = environment()
    assert public.loader is not None
    made = public.overlay(loader=ChoiceLoader([PackageLoader(package), PackageLoader("tourney.web"), public.loader]))
    made.globals = {
        **public.globals,
        "program": f"tourney {__version__}",
        "link": lambda address: f"/{address}",
    }
    return made
