"""Retries while a database cannot be used, until it answers or has been away for too long."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final, TypeVar

from tourney.errors import StoreError, StoreLocked, StoreUnavailable
from tourney.runtime.clock import HostClock

RETRY_S: Final = 0.5
"""Pause between two tries."""

LOCKED_S: Final = 0.02
"""The same while others have the lock of a file: on a slow disk they have it most of the time, by turns."""

_Result = TypeVar("_Result")


async def retry(
    work: Callable[[], Awaitable[_Result]], on_outage: Callable[[StoreUnavailable], Awaitable[None]]
) -> _Result:
    """Run a function on the database, repeatedly while the database cannot be used.

    Args:
        work: the function to run.
        on_outage: called after each failure; waits until another try is worthwhile, or raises.

    Raises:
        StoreError: the database cannot be used for good, or `on_outage` raised it.
    """
    while True:
        try:
            return await work()
        except StoreUnavailable as error:
            await on_outage(error)


@dataclass(slots=True)
class Outage:
    """How long a database has been away, from `begin` to `end`, and when that is too long."""

    clock: HostClock
    limit_s: int
    _began_at_ms: int | None = None

    def begin(self) -> bool:
        """Note that the database is away; return whether that is new."""
        if self._began_at_ms is not None:
            return False
        self._began_at_ms = self.clock.now_ms()
        return True

    async def wait(self, error: StoreUnavailable) -> None:
        """Wait before the next try.

        Raises:
            StoreError: the database has been away for longer than `limit_s`.
        """
        self.begin()
        away_s = self._away_ms / 1000
        if away_s > self.limit_s:
            raise StoreError(f"the database was away for {away_s:.0f} s, outage_s = {self.limit_s}: {error}")
        await asyncio.sleep(LOCKED_S if isinstance(error, StoreLocked) else RETRY_S)

    def end(self) -> int | None:
        """Note that the database answers; return how long it was away in milliseconds, None if it was not."""
        if self._began_at_ms is None:
            return None
        away_ms, self._began_at_ms = self._away_ms, None
        return away_ms

    @property
    def _away_ms(self) -> int:
        assert self._began_at_ms is not None
        return self.clock.now_ms() - self._began_at_ms
