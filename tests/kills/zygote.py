"""Starts table hosts by forking, so that a host is there within milliseconds, and kills them.

Reads orders as JSON lines and answers each with two: `{"pid": ...}` and, when the host has ended, `{"killed": ...}`.
A host that is not to be killed works in this process itself: the ones forked after it find its statements compiled.
"""

import asyncio
import json
import os
import signal
import sys
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import uvloop

from tourney.host.connection import TcpConnection
from tourney.host.host import TableHost
from tourney.store.control.host_settings import load_settings
from tourney.store.db.database import Database
from tourney.store.record.writer import Recorder


def kill_at(moment: str, count: int) -> None:
    """Have this process kill itself the `count`th time that it comes to a moment of its work."""
    left = count

    def pass_by() -> None:
        nonlocal left
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)

    def around(owner: type, name: str, *, after: bool) -> None:
        work: Callable[..., Any] = getattr(owner, name)

        def worked(*args: Any, **options: Any) -> Any:
            if not after:
                pass_by()
            done = work(*args, **options)
            if after:
                pass_by()
            return done

        setattr(owner, name, worked)

    match moment:
        case "received":
            around(TcpConnection, "data_received", after=False)
        case "before the transaction":
            around(Recorder, "write", after=False)
        case "before the commit":
            around(Recorder, "_write_in", after=True)
        case "after the commit":
            around(Recorder, "write", after=True)
        case "between two lines":
            around(TcpConnection, "send", after=False)
        case "after a line":
            around(TcpConnection, "send", after=True)
        case _:
            assert moment == "any", moment


def host(order: dict[str, Any], database: Database) -> None:
    async def serve() -> None:
        host = TableHost(database, order["host"], partial(load_settings, database, order["event"]))
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, host.stop)
        await host.run()

    uvloop.run(serve())


def main() -> None:
    databases: dict[str, Database] = {}
    for line in sys.stdin:
        order = json.loads(line)
        database = databases.setdefault(order["database"], Database(order["database"]))
        if order["moment"] == "never":
            answer(pid=os.getpid())
            host(order, database)
            database.close()  # forks share no connection
            answer(killed=False)
            continue
        pid = os.fork()
        if pid == 0:
            kill_at(order["moment"], order["count"])
            host(order, database)
            os._exit(0)
        answer(pid=pid)
        if order["moment"] == "any":
            time.sleep(order["count"] / 1000)
            os.kill(pid, signal.SIGKILL)
        _, status = os.waitpid(pid, 0)
        answer(killed=os.WIFSIGNALED(status))


def answer(**words: int) -> None:
    sys.stdout.write(json.dumps(words) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
