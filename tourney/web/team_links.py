"""One-time links of teams at the web server: what the record knows of them, and the page where a team gets its key.

A link is looked at with GET, which programs in front of a mailbox do too, and used with POST. One that has been used,
one that is too old and one that never was get the same answer.
"""

import logging
import re
from collections.abc import Callable
from typing import Final, TypeVar, TypeVarTuple

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from tourney.config.web import WebConfig
from tourney.errors import StoreError
from tourney.event.drawn import DrawnEvent
from tourney.runtime.event_loop import WorkerThread
from tourney.store.db.database import Database
from tourney.store.models import LinkPurpose
from tourney.store.team_access import TeamLinkUse, find_team_link, use_key_link, use_team_link
from tourney.web.answers import unavailable
from tourney.web.doors import TEAM_KEY
from tourney.web.forms import FormPages, render_page
from tourney.web.seat.seats import LinkedSeat

_TOKEN: Final = re.compile(r"[A-Za-z0-9_-]{22}(?:\.(open|closed))?")

_T = TypeVar("_T")
_Ts = TypeVarTuple("_Ts")

log: Final = logging.getLogger(__name__)


class TeamLinks:
    """The links of an event; the record is used on a thread of its own, and opened when a link is first asked for.

    Args:
        drawn: the event.
        now_ms: the clock.
    """

    def __init__(self, drawn: DrawnEvent, now_ms: Callable[[], int]) -> None:
        self._database = Database(drawn.place.database_url)
        self._event_id = drawn.event.id
        self._now_ms = now_ms
        self._thread = WorkerThread("team-links")

    async def close(self) -> None:
        """End, and close the database."""
        await self._thread.do(self._database.close)
        self._thread.close()

    async def find_seat(self, token: str) -> LinkedSeat | None:
        """Return where a link leads that can still be used; None if it is not valid, or no longer."""
        return _linked(await self._call(find_team_link, token, LinkPurpose.SEAT), token)

    async def use_seat(self, token: str) -> LinkedSeat | None:
        """The same, and the link can be used no more."""
        return _linked(await self._call(use_team_link, token, LinkPurpose.SEAT), token)

    async def find_team(self, token: str) -> str | None:
        """Return the team that can get a key by a link; None if it is not valid, or no longer."""
        found = await self._call(find_team_link, token, LinkPurpose.KEY)
        return found.team if found is not None else None

    async def make_key(self, token: str) -> tuple[str, str] | None:
        """Use a link: return its team and the new key, which is nowhere else; None if the link is not valid."""
        return await self._call(use_key_link, token)

    async def _call(
        self, function: Callable[[Database, int, str, *_Ts, int], _T | None], token: str, *purpose: *_Ts
    ) -> _T | None:
        """Call a function of the record; what cannot be a token is not looked for."""
        if _TOKEN.fullmatch(token) is None:
            return None
        given = (self._database, self._event_id, token, *purpose, self._now_ms())
        try:
            return await self._thread.do(lambda: function(*given))
        except StoreError:
            log.warning("a one-time link cannot be looked for", exc_info=True, extra={"action": "record_away"})
            raise unavailable("the record cannot be read at the moment: open the link again soon", 30) from None


def _linked(found: TeamLinkUse | None, token: str) -> LinkedSeat | None:
    """Return where a link leads; its room is a part of its token."""
    if found is None:
        return None
    return LinkedSeat(found.team, found.team_number, token.partition(".")[2] or None, found.seat)


class KeyPages(FormPages):
    """The ASGI application of the addresses where teams get their keys.

    Args:
        links: the links of the event.
        config: `[web]` as it is now.
        host: the address that the server listens on.
        event_name: the event.
    """

    form_bytes_max = 1024

    def __init__(self, links: TeamLinks, config: Callable[[], WebConfig], host: str, event_name: str) -> None:
        self._links = links
        self._event_name = event_name
        super().__init__(
            [
                Route(f"{TEAM_KEY}/{{token}}", self._show),
                Route(f"{TEAM_KEY}/{{token}}", self._make, methods=["POST"]),
            ],
            config,
            host,
        )

    async def _show(self, request: Request) -> Response:
        team = await self._links.find_team(request.path_params["token"])
        return self._page(team, "")

    async def _make(self, request: Request) -> Response:
        await self._form_of(request)
        made = await self._links.make_key(request.path_params["token"])
        return self._page(None, "") if made is None else self._page(*made)

    def _page(self, team: str | None, key: str) -> Response:
        context = {"event_name": self._event_name, "team": team, "key": key}
        if team is None:
            return render_page("tourney.web", "used-link.html", context | {"title": "This link cannot be used"}, 410)
        return render_page("tourney.web", "team-key.html", context | {"title": "Key"})
