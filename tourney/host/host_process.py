"""The process of a table host: `python -m tourney.host EVENT_ID HOST_NAME`, with its secrets on standard input.

Warnings and errors go to stderr; everything it logs goes to `--log-file`, one JSON object per line. On a machine that
is not the organiser's, `--folder` names its own folder for all that it writes, `--address` where players find its
tables, and `--listen` the address that these listen on. All else that it needs of the event comes from the record.

`tourney run` starts it. It ends on SIGTERM or SIGINT, or when the database shows that nobody has run the event for
too long. The database's URL and the log-ons of teams hold secrets (`HostSecrets`), so they never appear on a command
line or in an environment, and no other process may trace this one.
"""

import argparse
import asyncio
import logging
import signal
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final

from tourney.errors import TourneyError
from tourney.host.host import TableHost
from tourney.host.host_place import HostLocation
from tourney.host.ports import Listen, listen
from tourney.launch.hosts import HostSecrets
from tourney.launch.orphan_reaper import OrphanReaper
from tourney.log import DEFAULT_LEVEL, LEVELS, configure_logging
from tourney.runtime.clock import HostClock
from tourney.runtime.event_loop import collect_seldom, loop_factory, share_interpreter
from tourney.runtime.privacy import forbid_tracing
from tourney.store.control.host_settings import HostSettings, load_settings
from tourney.store.db.database import Database

_LOGGER: Final = logging.getLogger(__name__)

BUSY_MS: Final = 1000
"""How long a write to an SQLite file may block the event loop; after that the tables wait for it asynchronously."""

STANDSTILL_MS: Final = 2000
"""After how long PostgreSQL ends a transaction in which this process has stood still: its tables cannot be given to
another host while it has them locked."""


async def _serve(host: TableHost) -> None:
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, host.stop)
    await host.run()


def main(listen: Listen = listen) -> None:
    """Run one host until it ends; exit with status 1 and a one-sentence message if it fails.

    Args:
        listen: opens the ports of its tables.
    """
    forbid_tracing()
    words = _parse_command_line()
    event_id, name = words.event_id, words.host_name
    try:
        configure_logging(level=words.log_level, file=words.log_file, to_stderr=True)
        secrets = HostSecrets.parse(sys.stdin.buffer.read())
        database = Database(secrets.database_url, busy_ms=BUSY_MS, standstill_ms=STANDSTILL_MS)
        place = HostLocation(words.folder, words.address, words.listen)
        settings = load_settings(database, event_id)
        place.make_folders()
        sandbox = place.choose_sandbox(settings)
        bots = Path(place.adapt(settings).results_folder) / "bots"

        def load() -> HostSettings:
            found = replace(load_settings(database, event_id), logins=dict(secrets.logins))
            return place.adapt(found, sandbox)

        collect_seldom()
        share_interpreter()
        clock = HostClock(database.server_ms())
        host = partial(TableHost, database, name, load, clock=clock, listen=listen, address=words.address)
        with OrphanReaper(bots), asyncio.Runner(loop_factory=loop_factory()) as runner:
            runner.run(_start(host))
    except TourneyError as error:
        _LOGGER.critical(str(error), extra={"action": "host_failed", "host": name})
        sys.exit(error.exit_status)


def _parse_command_line() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tourney.host")
    parser.add_argument("event_id", type=int)
    parser.add_argument("host_name")
    parser.add_argument("--log-level", choices=LEVELS, default=DEFAULT_LEVEL)
    parser.add_argument("--log-file", type=Path)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--address")
    parser.add_argument("--listen")
    words, _ = parser.parse_known_args()  # benchmarks that run a host add arguments of their own
    return words


async def _start(make_host: Callable[[], TableHost]) -> None:
    await _serve(make_host())
