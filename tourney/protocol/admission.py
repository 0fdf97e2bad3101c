"""Admission: how many connections a port takes, who gives way to the next one, and how fast anything may come.

Every port of tourney asks it the same questions: the ports of tables, the event's port, a lobby, the ports of teams
and the web server. Nothing here reads a clock or touches a socket; times come in as milliseconds that never go back.

A connection is **unauthenticated** until it has shown who it is: a table's program has logged on, a client has said
`HELLO`, a browser's request is being answered. The rules:

- *How many.* A `ConnectionBudget` has places in all and for each address. What a whole site shares counts as one
  address (`access.address_key`).
- *Who gives way.* Never one that has authenticated. Where an address has used its share, its own oldest
  unauthenticated connection gives way; where the port is full, the oldest of the address that has most of them. So
  whoever fills a port takes places from himself. If all have authenticated, the newcomer is refused.
- *How fast.* A `TokenBucket` allows so many a second, and so many at once: connections, lines read, lines logged. A
  `SlidingWindow` allows each key so many within a minute: games that a player makes, clients of a team's tunnel.
  A `FailurePace` slows those who guess passphrases or keys.

While too many come at once, or descriptors are short, a connection waits in the backlog of its port, where it costs
nothing: that is the shell's part (`host.ports`).
"""

from collections import Counter, deque
from collections.abc import Hashable, Iterator
from typing import Final, Generic, NamedTuple, TypeVar

WINDOW_MS: Final = 60_000
"""The window in which a `SlidingWindow` counts, if nothing else is said: one minute."""

KEYS_MAX: Final = 10_000
"""Keys that a `SlidingWindow` remembers; beyond it the one that has done nothing for longest is forgotten."""

LINE_BYTES: Final = 256
"""Bytes that count as one line; a longer one counts as several. Only alerts exceed 100 bytes."""

BACKLOG_MAX: Final = 500
"""Maximum lines, but no more than a second's worth, that may wait before a connection counts as behind. A talkative
program has one or two hundred in transit; a flood fills every buffer there is."""

IDLE_PER_S: Final = 20
IDLE_AT_ONCE: Final = 100
"""Lines of a player at a table that move nothing, such as pings and requests for what it has been told: so many a
second, and at once, cost no more than others."""

_SLICES_PER_S: Final = 10
"""Reads per second of a connection that exceeds the limit."""

T = TypeVar("T")


# Who stays


class Eviction(NamedTuple, Generic[T]):
    """A connection that gives way to a newcomer, or the newcomer itself where nobody does."""

    connection: T
    is_share_used: bool
    """Whether its address has as many connections as it may, rather than the port."""


class ConnectionBudget(Generic[T]):
    """The connections of one port, by where they come from."""

    def __init__(self, in_all: int, per_address: int | None = None) -> None:
        self.in_all = in_all
        self.per_address = per_address
        """Connections of one address; None for as many as there are."""
        self._addresses: dict[T, str] = {}
        self._counts: Counter[str] = Counter()
        self._unauthenticated: dict[str, dict[T, int]] = {}
        """Those that may have to give way, by address, the oldest first, each with its number. By address, so that a
        newcomer costs the same however many wait."""
        self._released = 0

    def __len__(self) -> int:
        return len(self._addresses)

    def __iter__(self) -> Iterator[T]:
        return iter(tuple(self._addresses))

    def __contains__(self, connection: object) -> bool:
        return connection in self._addresses

    def enter(self, connection: T, address: str) -> Eviction[T] | None:
        """Take in a new connection, unauthenticated; return who has to leave for it, if anybody has.

        Args:
            connection: the newcomer, to which `leave` applies even if it is the one that is refused.
            address: what counts as its address; empty if it has none, and no share.
        """
        most = self.per_address
        is_share_used = bool(address) and most is not None and self._counts[address] >= most
        eviction = None
        if is_share_used or len(self) >= self.in_all:
            oldest = self.choose_eviction(address if is_share_used else None)
            eviction = Eviction(connection if oldest is None else oldest, is_share_used)
        self._addresses[connection] = address
        self._counts[address] += 1
        self.release(connection)
        return eviction

    def authenticate(self, connection: T) -> None:
        """Note that a connection gives way to nobody from now on."""
        address = self._addresses.get(connection, "")
        waiting = self._unauthenticated.get(address, {})
        waiting.pop(connection, None)
        if not waiting:
            self._unauthenticated.pop(address, None)

    def release(self, connection: T) -> None:
        """Note that a connection may have to give way, as the last of its address."""
        self.authenticate(connection)
        if (address := self._addresses.get(connection)) is not None:
            self._released += 1
            self._unauthenticated.setdefault(address, {})[connection] = self._released

    def leave(self, connection: T) -> str:
        """Note the end of a connection, once or more; return its address."""
        self.authenticate(connection)
        address = self._addresses.pop(connection, None)
        if address is None:
            return ""
        self._counts[address] -= 1
        if not self._counts[address]:
            del self._counts[address]
        return address

    def choose_eviction(self, address: str | None = None) -> T | None:
        """Choose who gives way, of one address or of all; None if all have authenticated."""
        if address is None:
            largest = max(self._unauthenticated.values(), key=_rank_of_eviction, default=None)
        else:
            largest = self._unauthenticated.get(address)
        return next(iter(largest)) if largest else None


def _rank_of_eviction(waiting: dict[T, int]) -> tuple[int, int]:
    """Return what ranks the connections of an address, the oldest first: how many they are, then how old."""
    return len(waiting), -next(iter(waiting.values()))


# How fast


class TokenBucket:
    """Allows so many a second, and so many at once."""

    __slots__ = ("_at_ms", "_milli", "_milli_max", "_per_s")

    def __init__(self, per_s: int, at_once: int) -> None:
        self._per_s = per_s
        self._milli = self._milli_max = at_once * 1000  # thousandths of a token: exact for any rate and step of time
        self._at_ms = 0

    def room(self, now_ms: int) -> int:
        """Return how many are allowed now."""
        self._milli = min(self._milli_max, self._milli + (now_ms - self._at_ms) * self._per_s)
        self._at_ms = now_ms
        return max(0, self._milli // 1000)

    def wait_ms(self, now_ms: int) -> int:
        """Return how long the next has to wait; 0 if it need not."""
        return 0 if self.room(now_ms) else self._until_ms(1)

    def take(self, tokens: int = 1) -> None:
        """Count some, whether they were allowed or not."""
        self._milli -= 1000 * tokens

    def take_one(self, now_ms: int) -> bool:
        """Count one if that is allowed now; return whether it is."""
        # Like `room` and `take`, without extra calls: this runs for every line.
        milli = self._milli + (now_ms - self._at_ms) * self._per_s
        self._at_ms = now_ms
        if milli > self._milli_max:  # noqa: PLR1730 # as above
            milli = self._milli_max
        is_allowed = milli >= 1000
        self._milli = milli - 1000 if is_allowed else milli
        return is_allowed

    def _until_ms(self, tokens: int) -> int:
        """Return how long it takes until so many are allowed, as of the last call."""
        return -(-(1000 * tokens - self._milli) // self._per_s)


class LineRateLimit(TokenBucket):
    """How fast one connection is read: lines a second with a burst of the same size; a lasting flood ends it."""

    __slots__ = ("_backlog_max", "_flood_ms", "_idle", "behind_since_ms")

    def __init__(self, lines_per_s: int, flood_ms: int) -> None:
        super().__init__(lines_per_s, lines_per_s)
        self._backlog_max = min(lines_per_s, BACKLOG_MAX)
        self._flood_ms = flood_ms
        self._idle = TokenBucket(IDLE_PER_S, IDLE_AT_ONCE)
        self.behind_since_ms: int | None = None
        """Since when more has waited at every read than is a backlog; None if it has not at the last one."""

    def take_lines(self, data: bytes, now_ms: int, most: int) -> int:
        """Return where the lines of `data` that may be read now end, at most `most` of them, and charge them."""
        room = min(self.room(now_ms), most)
        end, lines = len(data), _lines_in(data)
        if lines > room or end > room * LINE_BYTES:  # else all of them fit
            end = cut_lines(data, room)
            lines = _lines_in(data[:end])
        self.take(lines)
        return end

    def charge_idle(self, now_ms: int) -> None:
        """Charge a line that was read and has moved nothing; with too many of them, each takes the room of many."""
        if not self._idle.take_one(now_ms):
            self.take(self._per_s // IDLE_PER_S)

    def note_backlog(self, data: bytes, now_ms: int) -> None:
        """Note how much data waits after a read of the socket; more may wait in the socket."""
        # n bytes hold at most n lines, so usually nothing has to be counted.
        if len(data) <= self._backlog_max or _lines_in(data) <= self._backlog_max:
            self.behind_since_ms = None
        elif self.behind_since_ms is None:
            self.behind_since_ms = now_ms

    def is_flood(self, now_ms: int) -> bool:
        """Return whether the connection has been behind at every read for too long."""
        return self.behind_since_ms is not None and now_ms - self.behind_since_ms > self._flood_ms

    def pause_ms(self) -> int:
        """Return how long to wait, at least 1 ms, until a tenth of a second's lines may be read."""
        return max(1, self._until_ms(max(1, self._per_s // _SLICES_PER_S)))


def _lines_in(data: bytes) -> int:
    return data.count(b"\n") + len(data) // LINE_BYTES


def cut_lines(data: bytes, room: int) -> int:
    """Return where the first `room` lines of `data` end, at most `room * LINE_BYTES` bytes."""
    end = room * LINE_BYTES
    if data.count(b"\n", 0, end) <= room:
        return min(end, len(data))
    at = 0
    for _ in range(room):
        at = data.index(b"\n", at) + 1
    return at


class SlidingWindow:
    """Counts what each key has done within the last minute, or another time; an empty key may do anything."""

    def __init__(self, most: int, window_ms: int = WINDOW_MS) -> None:
        """Prepare; `most` is how often one key may do it within so many milliseconds."""
        self.most = most
        self.window_ms = window_ms
        self._done_at_ms: dict[Hashable, deque[int]] = {}

    def wait_ms(self, key: Hashable, now_ms: int) -> int:
        """Return how long a key has to wait until it may do it once more; 0 if it may now."""
        done = self._done_at_ms.get(key)
        return max(0, done[0] + self.window_ms - now_ms) if done is not None and len(done) >= self.most else 0

    def note(self, key: Hashable, now_ms: int) -> None:
        """Count that a key does it now."""
        if key == "":
            return
        # Removed and reinserted, so that the first key of the dict has done nothing for longest.
        done = self._done_at_ms.pop(key, None) or deque(maxlen=self.most)
        done.append(now_ms)
        self._done_at_ms[key] = done
        if len(self._done_at_ms) > KEYS_MAX:
            del self._done_at_ms[next(iter(self._done_at_ms))]

    def forget(self, key: Hashable) -> None:
        """Forget what a key has done."""
        self._done_at_ms.pop(key, None)

    def __len__(self) -> int:
        """Return the number of keys remembered."""
        return len(self._done_at_ms)


class FailurePace(SlidingWindow):
    """Slows those who fail: after some failures they wait 1 s, 2, 4 and so on until the next try is heard.

    Nobody is locked out: whoever waits is heard.
    """

    def __init__(self, free: int, slowest_ms: int = 30_000, window_ms: int = 900_000) -> None:
        """Prepare.

        Args:
            free: after so many failures the next try has to wait.
            slowest_ms: the longest time from a failure to the next try.
            window_ms: how long a failure counts.
        """
        super().__init__(free + slowest_ms.bit_length(), window_ms)
        self._free = free
        self._slowest_ms = slowest_ms

    def wait_ms(self, key: Hashable, now_ms: int) -> int:
        failures = [at_ms for at_ms in self._done_at_ms.get(key, ()) if now_ms - at_ms < self.window_ms]
        if len(failures) < self._free:
            return 0
        apart_ms = min(self._slowest_ms, 1000 << (len(failures) - self._free))
        return max(0, failures[-1] + apart_ms - now_ms)
