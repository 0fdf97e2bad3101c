"""Starts table hosts by forking, so that a host is there within milliseconds, and kills them.

Reads orders as JSON lines and answers each with two: `{"pid": ...}` and, when the host has ended, `{"killed": ...}`.
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

from tourney.store.database import Database
from tourney.store.draws import load_settings
from tourney.store.recorder import Recorder
from tourney.table.host import TableHost
from tourney.table.link import PlayerLink


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
            around(PlayerLink, "data_received", after=False)
        case "before the transaction":
            around(Recorder, "write", after=False)
        case "before the commit":
            add_all = Recorder._add_all

            def added(*args: Any) -> None:
                add_all(*args)
                pass_by()

            Recorder._add_all = staticmethod(added)  # type: ignore[assignment,method-assign]
        case "after the commit":
            around(Recorder, "write", after=True)
        case "between two lines":
            around(PlayerLink, "send", after=False)
        case "after a line":
            around(PlayerLink, "send", after=True)
        case _:
            assert moment == "never", moment


def host(order: dict[str, Any], database: Database) -> None:
    if order["moment"] != "any":
        kill_at(order["moment"], order["count"])

    async def serve() -> None:
        host = TableHost(database, order["host"], partial(load_settings, database, order["event"]))
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, host.stop)
        await host.run()

    uvloop.run(serve())


def main() -> None:
    for line in sys.stdin:
        order = json.loads(line)
        database = Database(order["database"])  # connects when it is used
        pid = os.fork()
        if pid == 0:
            host(order, database)
            os._exit(0)
        sys.stdout.write(json.dumps({"pid": pid}) + "\n")
        sys.stdout.flush()
        if order["moment"] == "any":
            time.sleep(order["count"] / 1000)
            os.kill(pid, signal.SIGKILL)
        _, status = os.waitpid(pid, 0)
        sys.stdout.write(json.dumps({"killed": os.WIFSIGNALED(status)}) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
