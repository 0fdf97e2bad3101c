"""Hands the logs of a host's folder in to the record, so that nothing stays only on this machine's disk.

A file is first put aside, in `unrecorded`, in a folder whose name is the mark of what is handed in; then it is stored
under that mark, once, and removed. What a host that was killed has left, here or there, is handed in by the next one
in the same folder. The logs of hosts themselves stay where they are, as who started them reads them.
"""

import contextlib
import fcntl
import logging
import re
import shutil
import uuid
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tourney.errors import StoreError
from tourney.movement.seating import TableInfo
from tourney.runtime.clock import HostClock, wall_ms
from tourney.runtime.processes import ProcessId, is_running
from tourney.store.control.hosts import HostInfo, load_hosts, load_log_files, record_log
from tourney.store.control.leases import ProcessIdentity
from tourney.store.control.tables import has_table, load_tables
from tourney.store.db.database import Database

_LOGGER: Final = logging.getLogger(__name__)

ASIDE: Final = "unrecorded"
"""The folder of what has been put aside and is not on record yet."""

_ASIDE: Final = re.compile(r"[0-9a-f]{32}-[0-9]{1,18}")
"""The name of a folder of ours in it: what else people put there is theirs."""

PART_BYTES_MAX: Final = 16 * 1024 * 1024
"""How much of a file is handed in at once: it is held in memory, and sent to the database in one statement."""


@dataclass(frozen=True, slots=True)
class LogArchive:
    """Hands in the logs that are written in one folder: wire logs, what programs print, the logs of hosts.

    Its methods read files and write to the database, so a host calls them in a thread.
    """

    database: Database
    host: HostInfo
    folder: Path
    process: ProcessIdentity
    clock: HostClock

    def hand_in_table(self, table: TableInfo) -> None:
        """Hand in the logs of a table whose programs have ended; what fails is left for the next time."""
        with self._leaving_the_rest():
            aside = self._put_aside(table)
            if aside is not None:
                self._hand_in(aside, table.id)

    def hand_in_left(self) -> None:
        """Hand in what hosts have left here: logs of tables that no host of this machine has, and of ended hosts."""
        with self._leaving_the_rest():
            if self._find_logs("*"):
                tables = load_tables(self.database, self.host.event_id)
                held = self._load_held(tables)
                for table in tables.values():
                    if table.id not in held:
                        self._put_aside(table)
            asides = [
                path
                for path in sorted((self.folder / ASIDE).glob("*-*"))
                if _ASIDE.fullmatch(path.name) and path.is_dir()
            ]
            if asides:
                # Looked up again: a table that a host has taken since may write to what has just been put aside.
                held = self._load_held(load_tables(self.database, self.host.event_id))
                for aside in asides:
                    table_id = int(aside.name.rpartition("-")[2])
                    if table_id not in held:
                        self._hand_in(aside, table_id)
            self._hand_in_hosts()

    @contextlib.contextmanager
    def _leaving_the_rest(self) -> Iterator[None]:
        try:
            yield
        except (OSError, StoreError) as error:
            text = f"logs in {self.folder} are not on record yet, and are handed in later: {error}"
            _LOGGER.warning(text, extra={"action": "logs_left", "host": self.host.name})

    # What is to be handed in

    def _find_logs(self, table: str) -> list[Path]:
        """Return the logs of a table, by its name in file names, or `*` for all."""
        return [*self.folder.glob(f"wire/{table}.jsonl"), *self.folder.glob(f"bots/{table}/*.log")]

    def _load_held(self, tables: Mapping[str, TableInfo]) -> Collection[int]:
        """Return the tables that living hosts of this machine have."""
        living = {
            info.name
            for info in load_hosts(self.database, self.host.event_id)
            if info.process is not None
            and info.process.machine == self.process.machine
            and is_running(ProcessId(info.process.pid, info.process.pid_start))
        }
        return {table.id for table in tables.values() if table.host in living}

    def _put_aside(self, table: TableInfo) -> Path | None:
        """Put the logs of a table aside; return the folder that has them, None if there are none."""
        found = self._find_logs(table.file_name)
        if not found:
            return None
        aside = self.folder / ASIDE / f"{uuid.uuid4().hex}-{table.id}"
        for path in found:
            target = aside / path.relative_to(self.folder)
            target.parent.mkdir(parents=True, exist_ok=True)
            with path.open("rb") as file:
                try:
                    # A table has its wire log locked while it writes; programs lock nothing.
                    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except BlockingIOError:
                    continue
                path.rename(target)
        return aside

    # Handing in

    def _hand_in(self, aside: Path, table_id: int) -> None:
        mark = aside.name.partition("-")[0]
        is_known = has_table(self.database, table_id)
        for path in sorted(aside.rglob("*")):
            if path.is_file():
                where = path.relative_to(aside).as_posix()
                self._record(path, where, mark, table_id if is_known else None)
                path.unlink()
        shutil.rmtree(aside)

    def _hand_in_hosts(self) -> None:
        """Hand in what belongs to no table: the logs of hosts, and of programs that play for a team at all tables."""
        living = {info.name for info in load_hosts(self.database, self.host.event_id)}
        stored = {log.path: log.size_bytes for log in load_log_files(self.database, self.host.event_id)}
        for path in sorted([*self.folder.glob("hosts/*"), *self.folder.glob("bots/team-*/*")]):
            where = path.relative_to(self.folder).as_posix()
            if path.suffix in {".log", ".jsonl"} and path.name != "processes.jsonl" and path.stem not in living:
                self._record(path, where, "", None, stored.get(where, 0))

    def _record(self, path: Path, where: str, mark: str, table_id: int | None, start: int = 0) -> None:
        """Put a file on record, from byte `start` on."""
        status = path.stat()
        at_ms = self.clock.wall_ms() - (wall_ms() - status.st_mtime_ns // 1_000_000)
        with path.open("rb") as file:
            file.seek(start)
            while data := file.read(PART_BYTES_MAX):
                record_log(
                    self.database,
                    self.host.event_id,
                    path=where,
                    mark=f"{mark}@{start}",
                    data=data,
                    host=self.host.name,
                    at_ms=at_ms,
                    table_id=table_id,
                )
                start += len(data)
