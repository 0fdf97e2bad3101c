"""A director who watches the console: how long it takes until what is put on record is on the screen.

A process of its own, `python -m bench.console_watcher HOST PORT EVENT` with the database in `TOURNEY_DATABASE`: it
logs in, says `ready`, puts rows on the console's log while tables play, and prints its figures as JSON once its
input ends. A row is on the screen when a page has it that is fetched after a message of the stream, as the
browser's script does.
"""

import asyncio
import json
import os
import re
import sys
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlencode

from bench.figures import percentile
from tourney.runtime import clock
from tourney.store.console_log import NewEntry, log_done
from tourney.store.db.database import Database
from tourney.store.models import UserRole
from tourney.store.users import add_user, hash_user_phrase

NAME: Final = "bench"
_PHRASE: Final = "a phrase of the bench"

APART_S: Final = 0.6
"""The least time between two rows; the rest is spread, so that they fall on no rhythm of the server's."""

_GOLDEN: Final = 0.618033988749895


@dataclass(frozen=True, slots=True)
class Shown:
    """How long after its being on record a row was announced, and was on the screen."""

    told_ns: int
    """Until the message of the stream after which a page had it."""
    on_screen_ns: int
    """Until that page was there."""


class _Console:
    """The console as a browser has it: a session, a stream, a page that is fetched anew."""

    def __init__(self, host: str, port: int) -> None:
        self._host = host
        self._port = port
        self._cookie = ""
        self._stream: asyncio.StreamWriter | None = None
        """Kept, as it would be closed otherwise."""

    async def log_in(self) -> None:
        form = urlencode({"name": NAME, "phrase": _PHRASE}).encode()
        head, _ = await self._ask("POST", "/director/login", form)
        found = re.search(r"set-cookie: (tourney-director=[^;]+)", head)
        assert found is not None, head
        self._cookie = found[1]

    async def page(self) -> str:
        _, body = await self._ask("GET", "/director")
        return body.decode()

    async def stream(self) -> asyncio.StreamReader:
        reader, self._stream = await asyncio.open_connection(self._host, self._port)
        self._stream.write(self._head("GET", "/director/events").encode())
        return reader

    async def _ask(self, method: str, path: str, form: bytes = b"") -> tuple[str, bytes]:
        reader, writer = await asyncio.open_connection(self._host, self._port)
        try:
            writer.write(self._head(method, path, form).encode() + form)
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
            length = re.search(r"content-length: (\d+)", head)
            return head, await reader.readexactly(int(length[1]) if length is not None else 0)
        finally:
            writer.close()

    def _head(self, method: str, path: str, form: bytes = b"") -> str:
        at = f"{self._host}:{self._port}"
        more = (
            f"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {len(form)}\r\n"
            f"Origin: http://{at}\r\n"
        )
        return (
            f"{method} {path} HTTP/1.1\r\nHost: {at}\r\nCookie: {self._cookie}\r\n{more if form else ''}"
            "Connection: close\r\n\r\n"
        )


async def watch_screen(
    stream: asyncio.StreamReader,
    page: Callable[[], Awaitable[str]],
    put: Callable[[int], str],
    over: asyncio.Event,
) -> list[Shown]:
    """Put row after row on record, each once the one before is on the screen; the last is waited for.

    Args:
        stream: the stream of changes.
        page: fetches the page.
        put: puts the row of a number on record, in another thread, and returns the words by which a page shows it.
        over: set when no more rows are to be put.

    Raises:
        ConnectionError: the stream has ended.
    """
    shown: list[Shown] = []
    while not over.is_set():
        number = len(shown) + 1
        words = await asyncio.to_thread(put, number)
        began = time.perf_counter_ns()
        while True:
            while (line := await stream.readline()) != b"event: topic\n":
                if not line:
                    raise ConnectionError("the stream of a page has ended")
            told = time.perf_counter_ns()
            if words in await page():
                break
        shown.append(Shown(told_ns=told - began, on_screen_ns=time.perf_counter_ns() - began))
        with suppress(TimeoutError):
            await asyncio.wait_for(over.wait(), APART_S + number * _GOLDEN % 1 * APART_S)
    return shown


def add_director(database: Database, event_id: int) -> None:
    """Put the user on record who watches.

    Raises:
        StoreError: the database cannot be used.
    """
    hashed = hash_user_phrase(_PHRASE)
    add_user(database, event_id, NAME, UserRole.ORGANISER, None, hashed, clock.wall_ms())


async def _main(host: str, port: int, database: Database, event_id: int) -> list[Shown]:
    def put(number: int) -> str:
        subject = f"probe {number} of the bench"
        log_done(database, event_id, NewEntry(NAME, "", "look", subject), "seen", clock.wall_ms())
        return subject

    console, over = _Console(host, port), asyncio.Event()
    await console.log_in()
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    watching = asyncio.ensure_future(watch_screen(await console.stream(), console.page, put, over))
    await asyncio.to_thread(sys.stdin.read)
    over.set()
    return await watching


def main(words: Sequence[str]) -> None:
    """Watch until the input ends."""
    host, port, event_id = words[0], int(words[1]), int(words[2])
    with closing(Database(os.environ["TOURNEY_DATABASE"])) as database:
        shown = asyncio.run(_main(host, port, database, event_id))
    times_ns = sorted(each.on_screen_ns for each in shown)
    figures = {
        "desk_p50_ms": percentile(times_ns, 0.5) / 1e6,
        "desk_max_ms": percentile(times_ns, 1.0) / 1e6,
        "desk_changes": len(times_ns),
    }
    sys.stdout.write(f"{json.dumps(figures)}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
