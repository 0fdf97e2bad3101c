"""The process of a table host: `python -m tourney.table EVENT_ID HOST_NAME`, database in TOURNEY_DATABASE.

Started by `tourney run`; ends when told to (SIGTERM, SIGINT), and when nobody has run the event for long, which it
sees in the database. The database's URL and the log-ons of teams hold secrets, so they never stand on a
command line, and no program that is started here finds them in its environment.
"""

import asyncio
import json
import os
import signal
import sys
from dataclasses import replace
from pathlib import Path
from typing import Final

from tourney.errors import TourneyError
from tourney.launch.hosts import LOGINS_VARIABLE
from tourney.launch.orphan_reaper import OrphanReaper
from tourney.store.control.host_settings import load_settings
from tourney.store.db.database import Database
from tourney.table.host import TableHost
from tourney.table.loops import loop_factory
from tourney.table.ports import Listen, listen
from tourney.table.runtime import search_seldom

BUSY_MS: Final = 1000
"""How long a write to an SQLite file may hold up every table; after that they wait for it without standing still."""


async def _serve(host: TableHost) -> None:
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, host.stop)
    await host.run()


def main(listen: Listen = listen) -> None:
    """Run one host to its end; exit status 1 with one sentence when it cannot work.

    Args:
        listen: how its tables open their ports.
    """
    event_id, name = int(sys.argv[1]), sys.argv[2]
    try:
        database = Database(os.environ.pop("TOURNEY_DATABASE"), busy_ms=BUSY_MS)
        logins: dict[str, str] = json.loads(os.environ.pop(LOGINS_VARIABLE, "{}"))
        bots = Path(load_settings(database, event_id).results_folder) / "bots"
        search_seldom()
        with OrphanReaper(bots), asyncio.Runner(loop_factory=loop_factory()) as runner:
            runner.run(_start(database, event_id, name, logins, listen))
    except TourneyError as error:
        sys.stderr.write(f"{error}\n")
        sys.exit(error.exit_status)


async def _start(database: Database, event_id: int, name: str, logins: dict[str, str], listen: Listen) -> None:
    await _serve(
        TableHost(database, name, lambda: replace(load_settings(database, event_id), logins=logins), listen=listen)
    )


if __name__ == "__main__":
    main()
