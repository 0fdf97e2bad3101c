"""Watches a duel while it is played, and stops its tables once it is decided.

What is looked at is the report of the duel. That takes the longer the more boards there are, so looks come less often
as the duel goes on.
"""

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from tourney.config.stages import StageConfig
from tourney.errors import StoreUnavailable
from tourney.plurals import count
from tourney.runtime import clock
from tourney.store.control.orders import give_orders, load_holds
from tourney.store.db.database import Database
from tourney.store.draw.objects import EventInfo
from tourney.store.draw.reader import load_event
from tourney.store.models import OrderKind, TableState
from tourney.views.duel import DuelReport, load_duel

POLL_S: Final = 1.0
"""The least time between two looks at the record, in seconds."""
LOOK_SHARE: Final = 0.02
"""The most of the time of a processor that looking may take, unless looks came too late then."""
LOOK_MAX_S: Final = 5.0
"""The most time between two looks, or `LOOK_SHARE` of the time since the first if that is more: what is played after
the decision is played for nothing."""
STRIKES: Final = 20
STRUCK_SHARE: Final = 0.1
"""A duel stops once a team has lost so many boards by faults of its programs, and so many of all that count."""
AUTHOR: Final = "the duel"
"""Who stops the tables once the duel is decided."""
STOPPED: Final = f"stopped by {AUTHOR}"
"""How the reason begins for which a table has then ended."""


def describe_struck(standing: DuelReport) -> str | None:
    """Return the sentence on a team that has lost so many boards by faults of its programs that a duel stops."""
    for team, lost in standing.forfeited.items():
        if lost >= max(STRIKES, STRUCK_SHARE * standing.result.tally.boards):
            return f"{team} has lost {count(lost, 'board')} by faults of its programs: the duel stops"
    return None


def resume_tables(database: Database, event: EventInfo, now_ms: int) -> None:
    """Resume the tables that the duel itself has stopped, for it goes on, as after a ruling.

    Tables that a person has stopped stay so.

    Raises:
        StoreError: the database cannot be used.
    """
    tables = [table.id for match in event.matches for table in match.tables]
    stopped = load_holds(database, tables, AUTHOR)
    if stopped:
        give_orders(database, stopped, OrderKind.RESUME, author=AUTHOR, now_ms=now_ms, text="it goes on")


class DuelWatch:
    """Looks at the record of a duel while it is played, and stops the tables once it is decided."""

    def __init__(
        self,
        database: Database,
        event: EventInfo,
        stage: StageConfig,
        *,
        show: Callable[[DuelReport], None],
    ) -> None:
        """Prepare to watch.

        Args:
            database: has the record.
            event: the duel, as drawn.
            stage: its stage in the event file.
            show: shows how the duel stands, at each look.
        """
        self._database = database
        self._event = event
        self._stage = stage
        self._show = show
        self.is_stopped = False
        """Whether the tables have been told to stop."""

    async def watch(self) -> None:
        """Look again and again, until the tables have been told to stop."""
        began_s = time.monotonic()
        while not self.is_stopped:
            # Not the time on the clock: on a machine that is busy with the programs a look takes many times as long.
            before_s = time.thread_time()
            with suppress(StoreUnavailable):  # the run says so, and waits
                self.poll()
            pause_s = max(POLL_S, (time.thread_time() - before_s) / LOOK_SHARE)
            await asyncio.sleep(min(pause_s, max(LOOK_MAX_S, LOOK_SHARE * (time.monotonic() - began_s))))

    def poll(self) -> DuelReport:
        """Look at the record: show progress, and stop the tables if the duel is decided.

        Raises:
            StoreError: the database cannot be used.
        """
        standing = load_duel(self._database, self._event, self._stage)
        self._show(standing)
        if standing.is_over:
            self._stop_tables("it is decided")
        elif describe_struck(standing):
            self._stop_tables("too many boards were lost by faults of programs")
        return standing

    def _stop_tables(self, reason: str) -> None:
        event = load_event(self._database, self._event.name)
        assert event is not None
        tables = [
            table.id for match in event.matches for table in match.tables if table.state is not TableState.FINISHED
        ]
        if tables:
            give_orders(
                self._database,
                tables,
                OrderKind.STOP,
                author=AUTHOR,
                now_ms=clock.wall_ms(),
                after_board=True,
                text=reason,
            )
        self.is_stopped = True
