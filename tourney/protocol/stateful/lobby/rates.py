"""How often a player, or everybody at one address, may do something that costs others time."""

from collections import defaultdict, deque
from typing import Final

WINDOW_MS: Final = 60_000

FORGET_AT: Final = 10_000
"""So many keys are kept before those that have done nothing of late are looked for."""


class MinuteRate:
    """Counts what each key has done within the last minute. Times are in milliseconds and never go back."""

    def __init__(self, most: int) -> None:
        """Prepare; `most` is how often one key may do it within a minute."""
        self.most = most
        self._done_at_ms: defaultdict[str, deque[int]] = defaultdict(deque)

    def wait_ms(self, key: str, now_ms: int) -> int:
        """Return how long a key has to wait until it may do it once more; 0 if it may now."""
        done = self._done_at_ms.get(key)
        if done is None:
            return 0
        while done and now_ms - done[0] >= WINDOW_MS:
            done.popleft()
        return done[0] + WINDOW_MS - now_ms if len(done) >= self.most else 0

    def note(self, key: str, now_ms: int) -> None:
        """Count that a key does it now."""
        if len(self._done_at_ms) >= FORGET_AT:
            for each in [each for each, done in self._done_at_ms.items() if now_ms - done[-1] >= WINDOW_MS]:
                del self._done_at_ms[each]
        self._done_at_ms[key].append(now_ms)
