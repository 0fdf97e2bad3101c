"""The one thread that reads the record for everybody who looks: it owns the database, renders, and keeps the bytes.

So what a run pays for being watched does not depend on how many watch. Twice a second it asks whether anything has
changed, and renders anew what somebody watches; what has changed is told from the bytes, so that a change of what the
public may not see moves nothing.
"""

import asyncio
import logging
import time
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Final

from tourney.config.values import LiveBoards, Totals
from tourney.config.web import WebConfig
from tourney.errors import ConfigError, StoreError
from tourney.event.drawn import DrawnEvent, visibility_of
from tourney.results.scorecard import FinishedCards
from tourney.runtime.event_loop import WorkerThread, end_tasks
from tourney.site import urls
from tourney.site.public import PublicView
from tourney.store.changes import PUBLIC, ChangeWatch
from tourney.web.public import Content, PublicSite

POLL_S: Final = 0.5
"""How often the record is asked whether it has changed."""

LOOK_SHARE: Final = 0.02
"""The share of a core that the server may take: the more it has worked since the last look, the later is the next.

Its work is rendering what has changed, and sending it to all who watch.
"""

LOOK_S_MAX: Final = 1.4
"""But not later than this: a change is on the screens within two seconds."""

PLAY_MS: Final = 1000
"""How often boards in play are looked at, where they are shown."""

FRESH_S: Final = 1.5
"""For so long what was kept is sent although something has changed since; what is watched is rendered meanwhile."""

KEPT_BYTES_MAX: Final = 16_000_000
"""What is kept in all; what nobody has asked for longest goes first."""

WAITING_MAX: Final = 500
"""Addresses that may wait for the reader at once; it takes some milliseconds for each."""


log: Final = logging.getLogger(__name__)


@dataclass(slots=True)
class Kept:
    """What an address answered, and when that was looked at."""

    content: Content
    etag: str
    checked_at: float
    """When it was last found to be so, by the monotonic clock."""
    used_at: float


class ReaderBusy(Exception):  # noqa: N818 # it is no fault
    """More is asked for than the reader can get through."""


class ServedEventFile:
    """Reads an event file again when it was changed since the last look; it belongs to one thread.

    Args:
        path: where the file is; it has been read just now.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._changed_at = self._look()

    def read_if_changed(self, drawn: DrawnEvent) -> DrawnEvent | None:
        """Return the event with its file as it is now; None if that was not changed, or cannot be read."""
        changed_at = self._look()
        if changed_at == self._changed_at:
            return None
        self._changed_at = changed_at
        try:
            return drawn.read_again()
        except ConfigError as error:
            log.warning("event file as before: %s", error, extra={"action": "file_refused"})
            return None

    def _look(self) -> float:
        try:
            return self._path.stat().st_mtime
        except OSError:
            return 0.0


class Reader:
    """Reads one event.

    Args:
        drawn: the event, whose file is read again when it changes, and whose database is open for reading only.
        watched: returns the addresses that somebody watches; called on the thread.
        publish: is told which of them have changed; called on the thread.
        now_ms: the clock.
    """

    def __init__(
        self,
        drawn: DrawnEvent,
        watched: Callable[[], Iterable[str]],
        publish: Callable[[Collection[str]], object],
        now_ms: Callable[[], int],
    ) -> None:
        self.config: WebConfig = drawn.config.web
        self.problem: str | None = None
        """Why the record cannot be read at the moment; None if it can."""
        self._version = 0
        """Counts the changes of the record and the event file that make a difference to what is shown."""
        self._drawn = drawn
        self._database = drawn.database
        self._watched = watched
        self._publish = publish
        self._now_ms = now_ms
        self._kept: dict[str, Kept] = {}
        self._kept_bytes = 0
        self._waiting: dict[str, asyncio.Future[Kept | None]] = {}
        """What is being rendered for somebody, by its address."""
        self._site: PublicSite | None = None
        self._vugraph: PublicSite | None = None
        """What those with the passphrase see besides; None unless the event has a vugraph."""
        self._finished_cards = FinishedCards()
        self._site_at_ms = 0
        self._changes = ChangeWatch(self._database, PUBLIC)
        self._began_anew_at = 0.0
        """When the look began that pages are made from, by the monotonic clock."""
        self._file = ServedEventFile(drawn.place.path)
        self._stale: list[str] = []
        """What is watched and has not been rendered since the last change."""
        self._thread = WorkerThread("reader")
        self._task: asyncio.Task[None] | None = None

    # For the loop

    def start(self) -> None:
        """Begin to read."""
        _ = self._thread.do(self.poll)  # before any page is asked for
        self._task = asyncio.create_task(self._keep_polling())

    async def stop(self) -> None:
        """End, and close the database."""
        assert self._task is not None
        await end_tasks(self._task)
        await self._thread.do(self._database.close)
        self._thread.close()

    async def page(self, address: str) -> Kept | None:
        """Return what is at an address; None if there is nothing that may be shown.

        What is kept is returned while it is fresh enough, and what there was while the record cannot be read.

        Raises:
            ReaderBusy: too much is waiting.
        """
        kept, now = self._kept.get(address), time.monotonic()
        if kept is not None:
            is_fresh = kept.checked_at >= self._began_anew_at or now - kept.checked_at <= FRESH_S
            if is_fresh or self.problem is not None:
                kept.used_at = now
                return kept
        found = self._waiting.get(address)
        if found is None:
            if len(self._waiting) >= WAITING_MAX:
                raise ReaderBusy
            found = self._waiting[address] = self._thread.do(partial(self._answer, address))
            found.add_done_callback(lambda _: self._waiting.pop(address))
        return await asyncio.shield(found)

    def version_shown(self) -> tuple[int, WebConfig]:
        """Return what tells one state of the event, as the public sees it, from another."""
        return self._version, self.config

    async def _keep_polling(self) -> None:
        while True:
            looked_at, spent_s = time.monotonic(), time.process_time()
            await self._thread.do(self.poll)
            while self._stale:
                await self._thread.do(partial(self.refresh, self._stale.pop()))
            await asyncio.sleep(looked_at + POLL_S - time.monotonic())
            busy_s = time.process_time() - spent_s
            await asyncio.sleep(looked_at + min(busy_s / LOOK_SHARE, LOOK_S_MAX) - time.monotonic())

    # The thread

    def _answer(self, address: str) -> Kept | None:
        try:
            return self.render(address)
        except StoreError as error:
            self._fail(error)
            return self._kept.get(address)
        except Exception:
            log.exception("page %s", address, extra={"action": "page_failed"})
            raise

    def refresh(self, address: str) -> None:
        """Render an address, and tell those who watch it if it has changed."""
        try:
            if self._render(address)[1]:
                self._publish([address])
        except StoreError as error:
            self._fail(error)
        except Exception:  # a page that cannot be rendered must not end the looks
            log.exception("page %s", address, extra={"action": "page_failed"})

    def render(self, address: str) -> Kept | None:
        """Render an address as of the last look, and keep it; None if there is nothing that may be shown."""
        return self._render(address)[0]

    def _render(self, address: str) -> tuple[Kept | None, bool]:
        """Render an address and keep it; returns what is kept, and whether it differs from what was."""
        before = self._kept.get(address)
        site = self._vugraph if address.startswith(urls.VUGRAPH) else self._site
        content = site.content(address) if site is not None else None
        now = time.monotonic()
        if content is None:
            if before is not None:
                self._drop(address)
            return None, before is not None
        if before is not None and before.content == content:
            before.checked_at = now
            return before, False
        kept = Kept(
            content,
            etag=sha256(content.body).hexdigest()[:24],
            checked_at=now,
            used_at=before.used_at if before is not None else now,
        )
        if before is not None:
            self._drop(address)
        self._kept[address] = kept
        self._kept_bytes += len(content.body)
        if self._kept_bytes > KEPT_BYTES_MAX:
            for oldest in sorted(self._kept, key=lambda each: self._kept[each].used_at):
                if self._kept_bytes <= KEPT_BYTES_MAX * 3 // 4:
                    break
                self._drop(oldest)
        return kept, True

    def _drop(self, address: str) -> None:
        self._kept_bytes -= len(self._kept.pop(address).content.body)

    # Looking for changes

    def poll(self) -> None:
        """Ask whether the record has changed; if so, all that is watched is to be rendered anew."""
        try:
            if self._has_changed():
                self._begin_anew()
            if self.problem is not None:
                self.problem = None
                self._publish(list(self._kept))
        except StoreError as error:
            self._fail(error)
        except Exception:  # a look that fails must not end those to come
            log.exception("look at the record", extra={"action": "look_failed"})

    def _has_changed(self) -> bool:
        drawn = self._file.read_if_changed(self._drawn)  # what cannot be read leaves what was
        if drawn is not None:
            self.config = drawn.config.web
            visibility = visibility_of(whole_totals=drawn.config.reports.totals is Totals.ALL)
            self._drawn = drawn.seen_with(visibility)
            self._version += 1
        if drawn is not None or self._site is None or self.problem is not None:
            return True
        if self.config.live is not LiveBoards.FINISHED and self._now_ms() - self._site_at_ms >= PLAY_MS:
            return True  # calls and cards are in no digest, and some wait for their delay
        has_changed = self._changes.has_changed()
        self._version += has_changed
        return has_changed

    def _begin_anew(self) -> None:
        """Look at the event as it is now; what is watched is then rendered in the order of asking."""
        drawn, now_ms = self._drawn.reload(), self._now_ms()

        def look(*, is_vugraph: bool) -> PublicSite:
            return PublicSite(
                PublicView(drawn, self.config, now_ms, self._finished_cards, is_vugraph=is_vugraph), now_ms
            )

        self._site = look(is_vugraph=False)
        self._vugraph = look(is_vugraph=True) if self.config.live.is_vugraph else None
        self._site_at_ms = now_ms
        self._began_anew_at = time.monotonic()
        self._stale = list(self._watched())

    def _fail(self, error: StoreError) -> None:
        """Go on with what is kept, and tell everybody that it is not live."""
        self._database.close()
        if self.problem is None:
            log.warning("%s", error, extra={"action": "record_away"})
            self.problem = str(error)
            self._publish(list(self._watched()))
