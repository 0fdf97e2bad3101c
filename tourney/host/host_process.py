"""The process of a table host: `python -m tourney.host EVENT_ID HOST_NAME`, with its secrets on standard input.

Warnings and errors go to stderr; everything it logs goes to `--log-file`, one JSON object per line. All that it needs
of the event comes from the record.

**Where it runs.** The event file names files and folders of the organiser's machine. A host elsewhere has a folder of
its own for all that it writes, `--folder`. What the event file names relative to its own folder is looked for in
`event` of that folder; absolute paths are taken as they are. `--address` is where players find its tables, and
`--listen` the address that these listen on. The sandbox of programs is the one that this machine has.

`tourney run` starts it. It ends on SIGTERM or SIGINT, or when the database shows that nobody has run the event for
too long. The database's URL and the log-ons of teams hold secrets (`HostSecrets`), so they never appear on a command
line or in an environment, and no other process may trace this one.
"""

import argparse
import asyncio
import logging
import signal
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from tourney.config import SandboxKind
from tourney.errors import LaunchError
from tourney.host.host import TableHost
from tourney.host.ports import Listen, listen
from tourney.launch.hosts import HostSecrets, serve_as_host
from tourney.launch.sandbox import choose_kind
from tourney.runtime.clock import HostClock
from tourney.runtime.event_loop import collect_seldom, loop_factory, share_interpreter
from tourney.store.control.host_settings import HostSettings, load_settings
from tourney.store.db.database import Database

_LOGGER: Final = logging.getLogger(__name__)

EVENT_FOLDER: Final = "event"
"""The folder that stands for that of the event file: the organiser installs programs of teams in it."""

_WRITTEN: Final = ("wire", "bots", "hosts", "programs", "unrecorded")
"""What a host writes in its folder, and what programs must not see of it."""


@dataclass(frozen=True, slots=True)
class HostLocation:
    """Where a host writes, listens and is found, if not as the event file says."""

    folder: Path | None = None
    """The folder of this machine for results; None for that of the event."""
    address: str | None = None
    """Where players find its tables; None for the address of the event."""
    listen: str | None = None
    """The address that its tables listen on; None for that of the event."""

    def adapt(self, settings: HostSettings, kind: SandboxKind | None = None) -> HostSettings:
        """Return the settings as they hold here; `kind` is the sandbox that `prepare` has chosen."""
        if self.listen is not None:
            settings = replace(settings, host=self.listen)
        if self.folder is None:
            return settings
        results = self.folder.absolute()
        there, here = Path(settings.folder), results / EVENT_FOLDER
        sandbox = settings.sandbox

        def adapt_path(name: str) -> str:
            path = Path(name)
            return str(here / path.relative_to(there)) if path.is_relative_to(there) else name

        return replace(
            settings,
            folder=str(here),
            results_folder=str(results),
            logs_in_record=True,
            sandbox=replace(
                sandbox,
                kind=kind or sandbox.kind,
                readable=tuple(map(adapt_path, sandbox.readable)),
                # A worker may be on the organiser's machine: its files stay hidden too.
                hidden=(*sandbox.hidden, *(str(results / name) for name in _WRITTEN)),
                team_folders={team: adapt_path(name) for team, name in sandbox.team_folders.items()},
            ),
        )

    def prepare(self, settings: HostSettings) -> SandboxKind | None:
        """Make the folder that stands for that of the event file, and choose the sandbox that this machine has.

        Return None where the event file's own folder is here, and the run has chosen the sandbox.

        Raises:
            LaunchError: the folder cannot be made, or what the event file asks for cannot be had here.
        """
        if self.folder is None:
            return None
        with LaunchError.of_system(f"folder {self.folder} of a table host cannot be made"):
            (self.folder / EVENT_FOLDER).mkdir(parents=True, exist_ok=True)
        choice = choose_kind(settings.sandbox.wanted)
        if choice.notice:
            _LOGGER.warning(choice.notice, extra={"action": "no_walls"})
        return choice.kind


BUSY_MS: Final = 20
"""How long a write to an SQLite file may block the event loop; after that a thread waits for its lock."""

STANDSTILL_MS: Final = 2000
"""After how long PostgreSQL ends a transaction in which this process has stood still: its tables cannot be given to
another host while it has them locked."""


async def _serve(host: TableHost) -> None:
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, host.stop)
    await host.run()


def main(listen: Listen = listen) -> None:
    """Run one host until it ends; `listen` opens the ports of its tables."""
    parser = argparse.ArgumentParser(prog="python -m tourney.host")
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--address")
    parser.add_argument("--listen")

    def serve(words: argparse.Namespace, secrets: HostSecrets) -> None:
        database = Database(secrets.database_url, busy_ms=BUSY_MS, standstill_ms=STANDSTILL_MS)
        place = HostLocation(words.folder, words.address, words.listen)
        settings = load_settings(database, words.event_id)
        sandbox = place.prepare(settings)

        def load() -> HostSettings:
            found = replace(load_settings(database, words.event_id), passphrases=dict(secrets.passphrases))
            return place.adapt(found, sandbox)

        collect_seldom()
        share_interpreter()
        clock = HostClock(database.server_ms())
        host = TableHost(database, words.name, load, clock=clock, listen=listen, address=words.address)
        with asyncio.Runner(loop_factory=loop_factory()) as runner:
            runner.run(_serve(host))

    serve_as_host(parser, serve)
