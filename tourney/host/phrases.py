"""The passphrases of one process: hashed in a thread, one after the other, while its tables play on.

A hash costs milliseconds on purpose. So a line with a phrase that is not known to be right waits: nothing more is
read of its connection until the hash is there, then it is passed on again (`PhrasePending`).

- *Who fails is slowed.* Each wrong phrase from an address for one salt, which is one team or name, delays the next
  one (`admission.FailurePace`). A right phrase that waits among them is heard when its time has come; one that was
  right before is heard at once.
- *The queue is bounded.* When it is full, the oldest of the team and address with most in it is sent away.
- *Guesses get a quarter of one core at most*, from however many addresses they come.
"""

import asyncio
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from tourney.host.connection import TcpConnection
from tourney.protocol.access import PhraseChecker, PhraseHash, PhrasePending, hash_phrase
from tourney.protocol.admission import FailurePace
from tourney.runtime.clock import HostClock
from tourney.runtime.event_loop import wait_up_to

WAITING_MAX: Final = 32
"""Phrases that may wait to be hashed."""

FREE_FAILURES: Final = 2
"""After so many wrong phrases the next one waits: people mistype."""

REST: Final = 3
"""How many times as long as a hash took the thread rests after a wrong phrase."""

TOO_MANY: Final = "too many passphrases are being tried: try again in a minute"


@dataclass(eq=False, slots=True)
class _Check:
    """A phrase that waits, and the line that it is in."""

    pending: PhrasePending
    connection: TcpConnection
    repeat: Callable[[], None]
    known: dict[tuple[str, str], PhraseHash]
    """The hashes of other phrases of that line, or of the same for another salt."""
    due_ms: int
    lane: str


class PhraseQueue(PhraseChecker):
    """Checks phrases for all tables and ports of a process."""

    def __init__(self, clock: HostClock) -> None:
        super().__init__()
        self._clock = clock
        self._pace = FailurePace(FREE_FAILURES)
        self._waiting: list[_Check] = []
        self._has_more = asyncio.Event()
        self._working: asyncio.Task[None] | None = None
        self._known: dict[tuple[str, str], PhraseHash] = {}
        """The hashes for the line that is being passed on again, by phrase and salt."""
        self._fresh: tuple[str, str] | None = None
        """The last one of them, until it is known whether it is right."""
        self._was_wrong = False

    def fits(self, stored: PhraseHash, phrase: str, source: str = "") -> bool:
        is_right = super().fits(stored, phrase, source)
        if is_right:
            self._pace.forget(_lane(source, stored.salt))
        elif self._fresh == (phrase, stored.salt):  # once, though two seats may be asked for it
            self._fresh, self._was_wrong = None, True
            self._pace.note(_lane(source, stored.salt), self._clock.now_ms())
        return is_right

    def hash(self, phrase: str, salt: str, source: str = "") -> PhraseHash:
        found = self._known.get((phrase, salt))
        if found is None:
            raise PhrasePending(phrase, salt, source)
        return found

    def check(self, pending: PhrasePending, connection: TcpConnection, repeat: Callable[[], None]) -> None:
        """Have a phrase hashed, then its line passed on again; until then the connection is not read."""
        now_ms = self._clock.now_ms()
        lane = _lane(pending.source, pending.salt)
        due_ms = now_ms + self._pace.wait_ms(lane, now_ms)
        connection.hold()
        self._waiting = [each for each in self._waiting if not each.connection.is_lost]
        self._waiting.append(_Check(pending, connection, repeat, dict(self._known), due_ms, lane))
        self._has_more.set()
        if len(self._waiting) > WAITING_MAX:
            counts = Counter(each.lane for each in self._waiting)
            worst = max(self._waiting, key=lambda each: (counts[each.lane], self._pace.wait_ms(each.lane, now_ms)))
            self._waiting.remove(worst)
            worst.connection.end_hold(lambda: worst.connection.pass_limit(TOO_MANY))
        if self._working is None or self._working.done():
            self._working = asyncio.get_running_loop().create_task(self._work())

    async def _work(self) -> None:
        """Hash what waits, in the order in which it is due."""
        loop = asyncio.get_running_loop()
        while self._waiting:
            check = min(self._waiting, key=lambda each: each.due_ms)
            wait_ms = check.due_ms - self._clock.now_ms()
            if wait_ms > 0:
                self._has_more.clear()
                await wait_up_to(self._has_more, wait_ms / 1000)
                continue
            self._waiting.remove(check)
            if check.connection.is_lost:
                continue
            began_s = loop.time()
            found = await asyncio.to_thread(hash_phrase, check.pending.phrase, check.pending.salt)
            took_s = loop.time() - began_s
            self._was_wrong = False
            loop.call_soon(self._repeat, check, found)  # an error in it is the port's, and ends nothing here
            await asyncio.sleep(0)
            if self._was_wrong:
                await asyncio.sleep(REST * took_s)

    def _repeat(self, check: _Check, found: PhraseHash) -> None:
        self._fresh = check.pending.phrase, check.pending.salt
        self._known = check.known | {self._fresh: found}
        try:
            check.connection.end_hold(check.repeat)
        finally:
            self._known, self._fresh = {}, None


def _lane(source: str, salt: str) -> str:
    return f"{source} {salt}"
