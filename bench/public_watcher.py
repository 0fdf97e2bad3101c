"""Somebody who watches a public page: how long it takes until what is put on record is on the screen.

A process of its own, `python -m bench.public_watcher HOST PORT EVENT TEAM` with the database in `TOURNEY_DATABASE`.
It says `ready`, warns a team again and again while tables play, and prints its figures as JSON once its input ends.
A warning is on the screen when the page of rulings has it that is fetched after a message of the stream, as the
browser's script does.
"""

import asyncio
import json
import os
import re
import sys
from collections.abc import Sequence
from contextlib import closing
from typing import Final

from bench.console_watcher import Shown, watch_screen
from bench.figures import percentile
from tourney.protocol.session.records import RulingKind
from tourney.runtime import clock
from tourney.store.db.database import Database
from tourney.store.record.rulings import NewRuling, save_ruling

PAGE: Final = "/rulings"


async def _main(host: str, port: int, database: Database, event_id: int, team_id: int) -> list[Shown]:
    def put(number: int) -> str:
        reason = f"probe {number} of the bench"
        warning = NewRuling(
            event_id=event_id,
            team_id=team_id,
            kind=RulingKind.WARNING,
            reason=reason,
            law="",
            now_ms=clock.wall_ms(),
            author="bench",
        )
        save_ruling(database, warning)
        return reason

    async def page() -> str:
        reader, writer = await asyncio.open_connection(host, port)
        try:
            writer.write(f"GET {PAGE} HTTP/1.1\r\nHost: bench\r\nConnection: close\r\n\r\n".encode())
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
            length = re.search(r"content-length: (\d+)", head)
            return (await reader.readexactly(int(length[1]) if length is not None else 0)).decode()
        finally:
            writer.close()

    stream, told = await asyncio.open_connection(host, port)
    over = asyncio.Event()
    try:
        told.write(f"GET /events?topics={PAGE} HTTP/1.1\r\nHost: bench\r\n\r\n".encode())
        await stream.readuntil(b"event: hello\n")
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        watching = asyncio.ensure_future(watch_screen(stream, page, put, over))
        await asyncio.to_thread(sys.stdin.read)
        over.set()
        return await watching
    finally:
        told.close()


def main(words: Sequence[str]) -> None:
    """Watch until the input ends."""
    host, port, event_id, team_id = words[0], int(words[1]), int(words[2]), int(words[3])
    with closing(Database(os.environ["TOURNEY_DATABASE"])) as database:
        shown = asyncio.run(_main(host, port, database, event_id, team_id))
    told = sorted(each.told_ns for each in shown)
    on_screen = sorted(each.on_screen_ns for each in shown)
    figures = {
        "public_told_p50_ms": percentile(told, 0.5) / 1e6,
        "public_p50_ms": percentile(on_screen, 0.5) / 1e6,
        "public_max_ms": percentile(on_screen, 1.0) / 1e6,
        "public_changes": len(shown),
    }
    sys.stdout.write(f"{json.dumps(figures)}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
