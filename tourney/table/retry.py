"""A database that cannot be used for a while: it is tried again and again, without holding up the loop."""

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Final, TypeAlias

from tourney.errors import StoreError, StoreUnavailable
from tourney.store.db.database import Database
from tourney.table.clock import HostClock

RETRY_S: Final = 0.5
"""Between two tries."""

InThread: TypeAlias = Callable[[Callable[[], None]], Awaitable[None]]
"""How something is done that may take long: `asyncio.to_thread`, or what stands in for threads."""


async def outlast(
    database: Database,
    go_on: Callable[[], None],
    error: StoreUnavailable,
    limit_ms: int,
    clock: HostClock,
    in_thread: InThread,
) -> int:
    """Wait until the database can be written to again; how long that took, in milliseconds.

    Args:
        database: the one that is away.
        go_on: what waits for it, tried as soon as the database answers.
        error: what began the wait.
        limit_ms: how long to wait.
        clock: the host's.
        in_thread: how the database is tried.

    Raises:
        StoreError: it stayed away for longer, or cannot be used for good.
    """
    began_at_ms = clock.now_ms()
    while True:
        await asyncio.sleep(RETRY_S)
        away_ms = clock.now_ms() - began_at_ms
        try:
            await in_thread(partial(_try, database))
            go_on()
        except StoreUnavailable:
            if away_ms > limit_ms:
                raise StoreError(
                    f"the database was away for {away_ms / 1000:.0f} s, outage_s = {limit_ms // 1000}: {error}"
                ) from None
        else:
            return away_ms


def _try(database: Database) -> None:
    with database.write():
        pass
