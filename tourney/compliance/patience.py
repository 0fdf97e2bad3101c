"""How long a check waits for lines that do not come: for each in full once, and never more than a minute in all.

A program may think as long as a line may take, and as often as it likes. What is bounded is the time in which nothing
came: `WAITS_MAX` whole waits, then a short one that ends each seat.
"""

import asyncio
import enum
import time
from collections.abc import Callable
from typing import Final

WAITS_MAX: Final = 2
"""How often the time limit for a line may run out in full; waits of seats side by side count as one."""

AGAIN_S: Final = 2.0
"""How long a program is waited for that was silent at this point before, or that is tried with other settings."""

THINK_AGAIN_S: Final = 5.0
"""The same where it has to call or play."""

SLOWER: Final = 4
"""A program may then take so many times as long as it took for its slowest answer of the kind, if that is longer."""

LEAVE_S: Final = 8.0
"""How long it may take to notice that it is to leave, or that its connection is closed: no thinking is in that."""

CONNECT_S: Final = 60.0
"""How long a program that the check starts may take to connect: some load neural networks first."""

CONNECT_BY_HAND_S: Final = 120.0
"""How long a program may take that a person starts."""

CONNECT_AGAIN_S: Final = 7.0
"""How long it may take to connect where that was waited for already, if four of its slowest starts are not longer."""


NOTICE_S: Final = 3.0
"""How long a wait lasts before it is said: most are over in milliseconds."""


class WaitKind(enum.Enum):
    """What a program does while it is waited for."""

    CONNECT = "connect"
    READY = "ready"
    """It says that it is ready for what comes next."""
    THINK = "think"
    """It calls or plays."""
    LEAVE = "leave"


_AGAIN_S: Final = {
    WaitKind.CONNECT: CONNECT_AGAIN_S,
    WaitKind.READY: AGAIN_S,
    WaitKind.THINK: THINK_AGAIN_S,
    WaitKind.LEAVE: AGAIN_S,
}


class Patience:
    """The patience of one check, which all its seats share."""

    def __init__(
        self, timeout_s: float, connect_s: float = CONNECT_S, now_s: Callable[[], float] = time.monotonic
    ) -> None:
        """Prepare the limits.

        Args:
            timeout_s: how long a line of the program may take.
            connect_s: how long it may take to connect.
            now_s: the time in seconds, of a clock that never goes back.
        """
        self.wasted_s = 0.0
        """How long nothing came, waits of seats side by side counted once."""
        self._timeout_s = timeout_s
        self._connect_s = connect_s
        self._now_s = now_s
        self._silences: set[str] = set()
        self._slowest_s: dict[WaitKind, float] = {}
        self._wasted_to_s = float("-inf")

    @property
    def silence_s_max(self) -> float:
        """How long nothing may come before every wait is short."""
        return WAITS_MAX * self._timeout_s

    @property
    def is_spent(self) -> bool:
        """Whether a seat at which nothing comes once more is given up."""
        return self.wasted_s + min(self._timeout_s, AGAIN_S) > self.silence_s_max

    def limit_s(self, what: str, wait: WaitKind, *, hurried: bool = False) -> float:
        """Return how long to wait.

        Args:
            what: what is waited for, the same text for the same thing.
            wait: its kind.
            hurried: whether the program has shown before how fast it is, and only a setting is tried on it.
        """
        full_s = self._full_s(wait)
        again_s = _AGAIN_S[wait]
        slowest_s = self._slowest_s.get(wait)
        is_known = what in self._silences or (wait is WaitKind.CONNECT and slowest_s is not None)
        is_short = is_known or (hurried and slowest_s is not None)
        if not is_short and wait is not WaitKind.CONNECT:
            is_short = self.wasted_s + full_s > self.silence_s_max
        if not is_short:
            return full_s
        return min(full_s, max(again_s, SLOWER * (slowest_s or 0.0)))

    def note_answer(self, wait: WaitKind, took_s: float) -> None:
        """Learn how fast the program is."""
        self._slowest_s[wait] = max(took_s, self._slowest_s.get(wait, 0.0))

    def note_silence(self, what: str, waited_s: float) -> None:
        """Note a wait that has ended now, in vain."""
        self._silences.add(what)
        now_s = self._now_s()
        self.wasted_s += max(0.0, now_s - max(now_s - waited_s, self._wasted_to_s))
        self._wasted_to_s = now_s

    def _full_s(self, wait: WaitKind) -> float:
        if wait is WaitKind.CONNECT:
            return self._connect_s
        return min(self._timeout_s, LEAVE_S) if wait is WaitKind.LEAVE else self._timeout_s


class WaitNotice:
    """Says what one seat is waiting for; each wait is said once, after it has lasted `NOTICE_S`."""

    def __init__(self, show: Callable[[str], None]) -> None:
        """Prepare to say what is being waited for.

        Args:
            show: shows a sentence to the person at the keyboard.
        """
        self.show_ = show
        self._timer: asyncio.TimerHandle | None = None

    def begin(self, what: Callable[[], str], limit_s: float) -> None:
        """Begin a wait of at most `limit_s`, in place of the one before; `what` names it when it is said."""
        self.end()
        loop = asyncio.get_running_loop()
        if limit_s > NOTICE_S:
            self._timer = loop.call_later(NOTICE_S, self._show_notice, what, limit_s)

    def end(self) -> None:
        """End the wait."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _show_notice(self, what: Callable[[], str], limit_s: float) -> None:
        self._timer = None
        self.show_(f"waiting for {what()}, at most {limit_s:g} s")
