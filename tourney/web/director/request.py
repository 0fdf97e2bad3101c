"""A request to the console by somebody who is logged in, and the answer to it."""

import hmac
import json
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC
from functools import cached_property, partial
from hashlib import sha256
from typing import Any, Final, TypeAlias

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from tourney.director.action import Right
from tourney.event.drawn import DrawnEvent
from tourney.output.content import PageLink
from tourney.store.db.database import Database
from tourney.store.users import ConsoleSession, ConsoleUser
from tourney.views.status import EventStatus
from tourney.web.director.access import may
from tourney.web.doors import CONSOLE
from tourney.web.forms import render_page, word_of

LOGIN_PAGE: Final = f"{CONSOLE}/login"
COOKIE: Final = "tourney-director"
"""The cookie of a session."""
TOPIC: Final = "console"
"""What all pages of the console watch."""


@dataclass(frozen=True, kw_only=True)
class ConsoleRequest:
    """A request of somebody who is logged in, with the event as it is when it is answered."""

    http: Request
    session: ConsoleSession
    form: Mapping[str, str]
    """The form that was sent; empty of a request that only reads."""
    address: str
    """Where it comes from."""
    drawn: DrawnEvent
    now_ms: int
    load_status: Callable[[], EventStatus]
    """Loads the state of the tables."""
    watch_orders: Callable[[tuple[int, ...]], None]
    """Notes that something was done, and orders that are withdrawn if no host acts on them at once."""

    @property
    def token(self) -> str:
        """What the browser has of its session."""
        return self.http.cookies.get(COOKIE, "")

    @property
    def path(self) -> str:
        """The address below that of the console, without slashes at its ends."""
        path: str = self.http.scope["path"]
        return path.removeprefix(CONSOLE).strip("/")

    @property
    def query(self) -> Mapping[str, str]:
        """What the address has after a question mark."""
        return self.http.query_params

    @property
    def database(self) -> Database:
        """The record."""
        return self.drawn.database

    @property
    def record(self) -> tuple[Database, int]:
        """Where the record of the event is."""
        return self.drawn.record

    @property
    def user(self) -> ConsoleUser:
        return self.session.user

    @cached_property
    def csrf(self) -> str:
        """What every form of the session has, which nobody else knows."""
        return word_of(self.token)

    def seal(self, words: Sequence[str]) -> str:
        """Return what a page has that has shown these words to this session: nobody else can make it."""
        shown = b"tourney console shown" + json.dumps(words).encode()
        return hmac.new(self.token.encode(), shown, sha256).hexdigest()

    def may(self, right: Right) -> bool:
        """Whether the user has a right."""
        return may(self.user, right)

    def page(self, template: str, title: str, *, is_live: bool = True, status: int = 200, **context: Any) -> Response:
        """Answer with a page of the console.

        Args:
            template: its template.
            title: its title.
            is_live: whether it keeps itself up to date; pages with forms that are being filled in do not.
            status: the status of the answer.
            context: what the template shows besides.
        """
        return render(
            template,
            {
                "event": self.drawn.event,
                "title": title,
                "here": self.path,
                "user": self.user,
                "may": self.may,
                "right": Right,
                "csrf": self.csrf,
                "fresh_id": partial(secrets.token_urlsafe, 18),
                "request_id": secrets.token_urlsafe(18),
                "is_live": is_live,
                "zone": self.drawn.zone or UTC,
                "now_ms": self.now_ms - self.now_ms % 1000,
                "address_of": lambda to: to.address if isinstance(to, PageLink) else None,
                "entrants_of": lambda side: (side,),
                **context,
            },
            status,
        )


ConsoleView: TypeAlias = Callable[..., Response | None]
"""Answers a `ConsoleRequest`, given also the values of the parameters of its path; None if there is no such page."""


def see_other(location: str) -> Response:
    """Answer a form that was sent: the page to be read now, which can be loaded again without sending it again."""
    return RedirectResponse(location, 303)


def render(template: str, context: Mapping[str, Any], status: int = 200) -> Response:
    """Answer with a page, rendered."""
    return render_page("tourney.web.director", template, context, status)
