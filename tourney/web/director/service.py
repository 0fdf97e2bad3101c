"""What the console does with the record, on one thread: sessions, pages, forms, and looking for what has changed."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from tourney.config.web import WebConfig
from tourney.coordinator.run_lease import EventActivity, load_activity, load_event_status
from tourney.errors import RuleError, UsageError
from tourney.event.drawn import DrawnEvent
from tourney.store.changes import CONSOLE as CONSOLE_DIGEST
from tourney.store.changes import ChangeWatch
from tourney.store.console_log import LOGOUT, LOGOUT_ALL, NewEntry, load_entries, log_done
from tourney.store.control.orders import mark_acted, settle_replays
from tourney.store.db.database import Database
from tourney.store.users import (
    ConsoleSession,
    end_all_sessions,
    end_session,
    has_users,
    load_session,
    load_sessions,
)
from tourney.views.status import LONG_WAIT_MS, EventStatus
from tourney.web.answers import address_of_client
from tourney.web.director import action_forms, views
from tourney.web.director.access import NotAllowed
from tourney.web.director.request import (
    COOKIE,
    LOGIN_PAGE,
    ConsoleRequest,
    ConsoleView,
    see_other,
)
from tourney.web.doors import CONSOLE
from tourney.web.reader import ServedEventFile

STATUS_MS: Final = 400
"""How old the state of the tables on a page may be: several directors who look at one change share a look."""

NOW_OR_NEVER_MS: Final = 3000
"""How long an order that makes sense only now may wait for a host, as on the command line."""


CLOCK_MS: Final = 15_000
"""How often pages are brought up to date by which only the clock goes on: how long a table has waited, which boards
are slow."""


@dataclass(frozen=True, slots=True)
class ConsoleLook:
    """What a look at the record has found."""

    has_users: bool
    has_changed: bool
    """Whether a page of the console may show something else than before."""
    sessions: frozenset[int]
    """Those of the sessions asked about that have not ended."""


class ConsoleService:
    """Reads and writes the record of one event for its console. All of it is called on one thread.

    The console is looked at several times a second. As long as nobody has written to the record, nobody has come or
    gone and nothing is due by the clock, a look reads the version of the database and who is at work; if only
    heartbeats were written, a digest besides. Only a look that finds a difference reads the tables of the event.

    Args:
        drawn: the event.
        now_ms: the clock.
    """

    def __init__(self, drawn: DrawnEvent, now_ms: Callable[[], int]) -> None:
        self.database = Database(drawn.place.database_url)
        self._drawn = drawn.within(self.database)
        self.now_ms = now_ms
        self._file = ServedEventFile(drawn.place.path)
        self._status: EventStatus | None = None
        self._changes = ChangeWatch(self.database, CONSOLE_DIGEST, drawn.event.id)
        self._activity: EventActivity | None = None
        self._read_at_ms = 0
        self._due_ms: int | None = None
        """When the tables have to be read again although nothing is written; None: they have not been read."""
        self._has_pending = False
        self._expiring: list[tuple[int, tuple[int, ...]]] = []
        """Orders that are withdrawn at a time if no host has acted on them."""

    @property
    def event_id(self) -> int:
        return self._drawn.event.id

    @property
    def config(self) -> WebConfig:
        """`[web]` of the event file as it was last read."""
        return self._drawn.file.config.web

    def close(self) -> None:
        """Close the database."""
        self.database.close()

    # Who is there

    def has_users(self) -> bool:
        """Return whether anybody may use the console."""
        return has_users(self.database, self.event_id)

    def session(self, token: str, *, is_used: bool) -> ConsoleSession | None:
        """Return the session of a token."""
        return load_session(self.database, self.event_id, token, self.now_ms(), is_used=is_used)

    # Answers

    @property
    def pages(self) -> dict[str, ConsoleView]:
        """The pages that are read, by their address below that of the console."""
        return {
            "": views.show_console,
            "/": views.show_console,
            "/table/{table}": views.show_table,
            "/hosts": views.show_hosts,
            "/rulings": views.show_rulings,
            "/log": views.show_log,
            "/users": views.show_users,
            "/account": views.show_account,
            "/hands/{request}": views.show_hands,
            "/do/{action}": action_forms.show_form,
            "/done/{request}": action_forms.show_done,
        }

    @property
    def forms(self) -> dict[str, ConsoleView]:
        """What answers forms that are sent, by the address that they are sent to."""
        return {
            "/do/{action}": action_forms.send_form,
            "/look": views.begin_look,
            "/logout": self._log_out,
            "/logout-all": self._log_out_everywhere,
        }

    def answer(self, view: ConsoleView, http: Request, session: ConsoleSession, form: Mapping[str, str]) -> Response:
        """Answer a request of a session by a view; `form` is empty of one that only reads.

        Raises:
            StoreError: the database cannot be used.
        """
        request = ConsoleRequest(
            http=http,
            session=session,
            form=form,
            address=address_of_client(http, self.config.proxies),
            drawn=self._fresh(),
            now_ms=self.now_ms(),
            load_status=self.status,
            watch_orders=self._watch_orders,
        )
        try:
            answer = view(request, *http.path_params.values())
        except NotAllowed as error:
            return request.page("refused.html", "Not allowed", is_live=False, status=403, words=error.message)
        except (RuleError, UsageError) as error:
            return request.page("refused.html", "Refused", is_live=False, status=422, words=error.message)
        if answer is None:
            words = "The console has no such page."
            return request.page("refused.html", "No such page", is_live=False, status=404, words=words)
        return answer

    def _log_out(self, request: ConsoleRequest) -> Response:
        end_session(self.database, request.session.id, request.now_ms)
        return self._leave(request, LOGOUT, "logged out")

    def _log_out_everywhere(self, request: ConsoleRequest) -> Response:
        end_all_sessions(self.database, request.user.id, request.now_ms)
        return self._leave(request, LOGOUT_ALL, "logged out everywhere")

    def _leave(self, request: ConsoleRequest, action: str, outcome: str) -> Response:
        entry = NewEntry(request.user.name, request.address, action)
        log_done(self.database, self.event_id, entry, outcome, request.now_ms)
        answer = see_other(LOGIN_PAGE)
        answer.delete_cookie(COOKIE, CONSOLE, secure=self.config.behind_tls, httponly=True, samesite="strict")
        return answer

    def _watch_orders(self, orders: tuple[int, ...]) -> None:
        self._has_pending = True
        if orders:
            self._expiring.append((self.now_ms() + NOW_OR_NEVER_MS, orders))

    def status(self) -> EventStatus:
        """Return the state of the tables, not older than `STATUS_MS`."""
        now_ms = self.now_ms()
        if self._status is None or not 0 <= now_ms - self._status.at_ms <= STATUS_MS:
            self._status = load_event_status(self._drawn, now_ms)
        return self._status

    # Looking for changes

    def poll(self, sessions: Collection[int]) -> ConsoleLook:
        """Look at the record: whether there are users, and for these sessions, which watch, whether it has changed.

        Raises:
            StoreError: the database cannot be used.
        """
        self._drawn = self._file.read_if_changed(self._drawn) or self._drawn
        now_ms = self.now_ms()
        if not sessions and not self._has_pending:
            return ConsoleLook(self.has_users(), has_changed=False, sessions=frozenset())
        if self._has_pending:
            # Orders that made sense only then are withdrawn, and replays whose table is over are carried out.
            settle_replays(self.database, self.event_id, now_ms)
            due = [orders for until_ms, orders in self._expiring if until_ms <= now_ms]
            self._expiring = [each for each in self._expiring if each[0] > now_ms]
            for orders in due:
                for order in orders:
                    mark_acted(self.database, order, "not done and withdrawn: no host has answered", now_ms)
            recent = load_entries(self.database, self.event_id, limit=views.RECENT)
            self._has_pending = bool(self._expiring) or any(entry.orders_pending for entry in recent)
        is_open = frozenset(each.id for each in load_sessions(self.database, self.event_id, now_ms)) & set(sessions)
        activity = load_activity(self._drawn.file, self.database, self.event_id, now_ms)
        is_due = self._due_ms is None or not self._read_at_ms <= now_ms < self._due_ms or activity != self._activity
        # Before the tables are read: what is written in the meantime is news to the next look.
        has_changed = self._changes.has_changed() or is_due
        if has_changed:
            self._due_ms = self._status = None
            self._fresh()
            status = self.status()
            waits = (wait.since_ms for table in status.tables for wait in table.waits)
            due_ms = (since_ms + LONG_WAIT_MS - status.at_ms + now_ms for since_ms in waits)
            self._due_ms = min([due for due in due_ms if due > now_ms] + [now_ms + CLOCK_MS])
            self._read_at_ms, self._activity = now_ms, activity
        return ConsoleLook(self.has_users(), has_changed, is_open)

    def _fresh(self) -> DrawnEvent:
        """Return the event as it is drawn now."""
        self._drawn = self._drawn.reload()
        return self._drawn
