"""The process of a table host: `python -m tourney.table EVENT_ID HOST_NAME`, database in TOURNEY_DATABASE.

Started by `tourney run`; ends when told to (SIGTERM, SIGINT) and when the run that started it is gone, which it sees
by the end of its standard input. The database's URL may hold a password, so it never stands on a command line.
"""

import asyncio
import os
import signal
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

from tourney.errors import TourneyError
from tourney.launch.guard import BotGuard
from tourney.store.database import Database
from tourney.store.draws import load_settings
from tourney.table.host import TableHost


async def _serve(host: TableHost) -> None:
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, host.stop)
    standard_input = sys.stdin.fileno()

    def read_input() -> None:
        if not os.read(standard_input, 1024):
            loop.remove_reader(standard_input)
            host.stop()

    loop.add_reader(standard_input, read_input)
    await host.run()


def main() -> None:
    """Run one host to its end; exit status 1 with one sentence when it cannot work."""
    event_id, name = int(sys.argv[1]), sys.argv[2]
    try:
        database = Database(os.environ["TOURNEY_DATABASE"])
        bots = Path(load_settings(database, event_id).results_folder) / "bots"
        with BotGuard(bots), asyncio.Runner(loop_factory=_loop_factory()) as runner:
            runner.run(_start(database, event_id, name))
    except TourneyError as error:
        sys.stderr.write(f"{error}\n")
        sys.exit(error.exit_status)


def _loop_factory() -> Callable[[], asyncio.AbstractEventLoop]:
    try:
        import uvloop  # noqa: PLC0415 # not on every platform
    except ImportError:
        return asyncio.new_event_loop
    return uvloop.new_event_loop


async def _start(database: Database, event_id: int, name: str) -> None:
    await _serve(TableHost(database, name, partial(load_settings, database, event_id)))


if __name__ == "__main__":
    main()
