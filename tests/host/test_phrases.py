"""Passphrases at the ports of a process: hashed in a thread, one at a time, and guesses wait."""

import asyncio
import threading
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

import pytest

from tests.host.test_connection import Owner, linked
from tourney.host import phrases
from tourney.host.connection import LineTurns, TcpConnection
from tourney.host.phrases import FREE_FAILURES, TOO_MANY, WAITING_MAX, PhraseQueue
from tourney.protocol.access import PhraseHash, PhrasePending, hash_phrase
from tourney.protocol.lines import Overlong
from tourney.runtime.clock import HostClock

STORED = hash_phrase("open sesame", "00" * 16)


class StoppedClock(HostClock):
    """A clock that only a test moves."""

    at_ms = 1_000_000

    def now_ms(self) -> int:
        return self.at_ms


class Porter(Owner):
    """Checks every line as a passphrase that comes from an address, and notes what came of it."""

    def __init__(self) -> None:
        super().__init__()
        self.clock = StoppedClock()
        self.queue = PhraseQueue(self.clock)
        self.verdicts: asyncio.Queue[tuple[int, bytes, bool]] = asyncio.Queue()
        self.sent_away: list[tuple[int, str]] = []

    def line_received(self, connection: TcpConnection, line: bytes | Overlong, now_ms: int) -> None:
        assert isinstance(line, bytes)
        try:
            is_right = self.queue.fits(STORED, line.decode(), "192.0.2.1")
        except PhrasePending as pending:
            self.queue.check(pending, connection, lambda: self.line_received(connection, line, now_ms))
        else:
            self.verdicts.put_nowait((connection.number, line, is_right))

    def limit_passed(self, connection: TcpConnection, reason: str) -> None:
        self.sent_away.append((connection.number, reason))


@pytest.fixture
def hashing(monkeypatch: pytest.MonkeyPatch) -> "Hashing":
    found = Hashing()
    monkeypatch.setattr(phrases, "hash_phrase", found.hash)
    return found


class Hashing:
    """Hashes when it may, and notes on which threads."""

    def __init__(self) -> None:
        self.may_go_on = threading.Event()
        self.may_go_on.set()
        self.threads: list[int] = []
        self.at_once = self.at_once_most = 0

    def hash(self, phrase: str, salt: str) -> PhraseHash:
        self.threads.append(threading.get_ident())
        self.at_once += 1
        self.at_once_most = max(self.at_once, self.at_once_most)
        self.may_go_on.wait(20)
        self.at_once -= 1
        return hash_phrase(phrase, salt)


@asynccontextmanager
async def clients(porter: Porter, *said: bytes) -> AsyncIterator[None]:
    """Connect a client for each of these, which says it at once."""
    turns = LineTurns(HostClock())
    async with AsyncExitStack() as stack:
        for number, data in enumerate(said, 1):
            client = await stack.enter_async_context(linked(porter, number, turns))
            client.sendall(data)
        yield


async def test_phrases_are_hashed_one_at_a_time_beside_the_loop_and_lines_keep_their_order(hashing: Hashing) -> None:
    porter = Porter()
    async with clients(porter, b"guess\r\nopen sesame\r\nopen sesame\r\n", b"open sesame\r\n"):
        found = [await porter.verdicts.get() for _ in range(4)]
    assert [each[1:] for each in found if each[0] == 1] == [
        (b"guess", False),
        (b"open sesame", True),
        (b"open sesame", True),
    ]
    assert (2, b"open sesame", True) in found
    assert threading.get_ident() not in hashing.threads
    assert hashing.at_once_most == 1
    assert len(hashing.threads) <= 3  # one that was right is not hashed again


async def test_one_that_was_right_before_is_heard_at_once_while_guesses_from_its_address_wait() -> None:
    porter = Porter()
    guesses = b"".join(b"guess %d\r\n" % number for number in range(9))
    async with clients(porter, b"open sesame\r\n", guesses):
        first = [await porter.verdicts.get() for _ in range(1 + FREE_FAILURES)]
        assert (1, b"open sesame", True) in first
        assert porter.queue.fits(STORED, "open sesame", "192.0.2.1")
        assert porter.verdicts.empty()  # on a clock that stands still no other guess is heard


async def test_when_too_many_phrases_wait_one_of_those_with_most_is_sent_away(hashing: Hashing) -> None:
    porter = Porter()
    hashing.may_go_on.clear()
    # One is being hashed, the others wait.
    async with clients(porter, *(b"guess %d\r\n" % number for number in range(WAITING_MAX + 2))):
        while not porter.sent_away:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        assert [reason for _, reason in porter.sent_away] == [TOO_MANY]
        hashing.may_go_on.set()
