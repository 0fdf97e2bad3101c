"""Says what a check is waiting for, and how long at most, while it waits."""

import asyncio
from collections.abc import Callable
from typing import Final

NOTICE_S: Final = 3.0
"""How long a wait lasts before it is said: most are over in milliseconds."""


class WaitNotice:
    """Says what one seat is waiting for; each wait is said once, after it has lasted `NOTICE_S`."""

    def __init__(self, tell: Callable[[str], None]) -> None:
        """Prepare to say what is being waited for.

        Args:
            tell: shows a sentence to the person at the keyboard.
        """
        self._tell = tell
        self._timer: asyncio.TimerHandle | None = None

    def begin(self, what: Callable[[], str], limit_s: float) -> None:
        """Begin a wait of at most `limit_s`, in place of the one before; `what` names it when it is said."""
        self.end()
        loop = asyncio.get_running_loop()
        if limit_s > NOTICE_S:
            self._timer = loop.call_later(NOTICE_S, self._say, what, limit_s)

    def end(self) -> None:
        """End the wait."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _say(self, what: Callable[[], str], limit_s: float) -> None:
        self._timer = None
        self._tell(f"waiting for {what()}, at most {limit_s:g} s")
