"""Browsers that watch live pages: each holds a stream, and fetches its page again when it has changed.

A process of its own, `python -m bench.watchers HOST PORT WATCHERS MATCHES`: it says `ready` when all watch, and
prints its figures as JSON once its input ends.
"""

import asyncio
import json
import re
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final

from bench.figures import percentile

PAGE: Final = "/"
"""What all of them watch: the page that changes most, and that most people open."""

SELDOM_S: Final = 0.5
"""How often one more browser opens a page that is seldom asked for: those of matches in turn."""


@dataclass(slots=True)
class Fetches:
    """What the watchers have fetched; times are until the first byte."""

    stored_ns: list[int] = field(default_factory=list)
    """The times of the watched page."""
    seldom_ns: list[int] = field(default_factory=list)
    """The times of pages that nobody watches."""
    told: int = 0
    """Messages that said that the page has changed."""
    unchanged: int = 0
    """Fetches that were answered with 304."""
    failed: int = 0


class Browser:
    """A connection that pages are fetched over."""

    def __init__(self, host: str, port: int, fetches: Fetches) -> None:
        self._host = host
        self._port = port
        self._fetches = fetches
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None
        self._tag = ""

    async def fetch(self, path: str, times_ns: list[int]) -> None:
        """Fetch a page, and note the time until its first byte."""
        if self._streams is None:
            self._streams = await asyncio.open_connection(self._host, self._port)
        reader, writer = self._streams
        has = f"If-None-Match: {self._tag}\r\n" if self._tag and path == PAGE else ""
        began = time.perf_counter_ns()
        writer.write(f"GET {path} HTTP/1.1\r\nHost: bench\r\nAccept-Encoding: gzip\r\n{has}\r\n".encode())
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        times_ns.append(time.perf_counter_ns() - began)
        status = int(head.split(" ", 2)[1])
        length = re.search(r"content-length: (\d+)", head)
        await reader.readexactly(int(length[1]) if length is not None else 0)
        if path == PAGE and (tag := re.search(r'etag: ("[^"]*")', head)) is not None:
            self._tag = tag[1]
        self._fetches.unchanged += status == 304
        self._fetches.failed += status not in (200, 304)

    def close(self) -> None:
        if self._streams is not None:
            self._streams[1].close()


async def _watch(host: str, port: int, fetches: Fetches, ready: asyncio.Semaphore) -> None:
    reader, writer = await asyncio.open_connection(host, port)
    browser = Browser(host, port, fetches)
    try:
        writer.write(f"GET /events?topics={PAGE} HTTP/1.1\r\nHost: bench\r\n\r\n".encode())
        while line := await reader.readline():
            if line == b"event: hello\n":
                await browser.fetch(PAGE, [])
                ready.release()
            elif line == b"event: topic\n":
                fetches.told += 1
                await browser.fetch(PAGE, fetches.stored_ns)
    finally:
        browser.close()
        writer.close()


async def _browse(host: str, port: int, fetches: Fetches, matches: int) -> None:
    """Open the pages of matches in turn."""
    browser = Browser(host, port, fetches)
    number = 0
    try:
        while True:
            await asyncio.sleep(SELDOM_S)
            number = number % matches + 1
            await browser.fetch(f"/match/{number}", fetches.seldom_ns)
    finally:
        browser.close()


async def _main(host: str, port: int, watchers: int, matches: int) -> Fetches:
    fetches, ready = Fetches(), asyncio.Semaphore(0)
    tasks = [asyncio.ensure_future(_watch(host, port, fetches, ready)) for _ in range(watchers)]
    for _ in range(watchers):
        await ready.acquire()
    tasks.append(asyncio.ensure_future(_browse(host, port, fetches, matches)))
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    await asyncio.to_thread(sys.stdin.read)
    for task in tasks:
        task.cancel()
    for task in tasks:
        with suppress(asyncio.CancelledError, ConnectionError, asyncio.IncompleteReadError):
            await task
    return fetches


def main(words: Sequence[str]) -> None:
    """Watch until the input ends."""
    host, port, watchers, matches = words[0], int(words[1]), int(words[2]), int(words[3])
    fetches = asyncio.run(_main(host, port, watchers, matches))
    stored, seldom = sorted(fetches.stored_ns), sorted(fetches.seldom_ns)
    figures = {
        "stored_p50_ms": percentile(stored, 0.5) / 1e6,
        "stored_p99_ms": percentile(stored, 0.99) / 1e6,
        "seldom_p50_ms": percentile(seldom, 0.5) / 1e6,
        "seldom_p99_ms": percentile(seldom, 0.99) / 1e6,
        "fetched": len(stored) + len(seldom),
        "told": fetches.told,
        "unchanged": fetches.unchanged,
        "failed": fetches.failed,
    }
    sys.stdout.write(f"{json.dumps(figures)}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
