"""Who is at work on an event at this moment: a run, and table hosts, which play on when their run has died."""

from dataclasses import dataclass
from typing import Final

from tourney.coordinator.run_lock import is_run_going
from tourney.event.file import EventFile
from tourney.launch.launcher import this_process
from tourney.launch.processes import ProcessId, is_running
from tourney.store.control.hosts import load_hosts
from tourney.store.control.leases import ProcessIdentity
from tourney.store.control.runs import load_run
from tourney.store.db.database import Database

SILENT_LEASES: Final = 2
"""Whoever has said nothing for so many lease times is at work no more: its next word is due within one."""


@dataclass(frozen=True, slots=True)
class Liveness:
    """What is at work: `is_run` whether a run is, on this machine or another, `hosts` how many table hosts."""

    is_run: bool
    hosts: int

    @property
    def is_played(self) -> bool:
        """Whether anybody plays: then what hosts have said of their tables counts."""
        return self.is_run or self.hosts > 0


def look_who_is_there(event_file: EventFile, database: Database, event_id: int, now_ms: int) -> Liveness:
    """See who is at work on an event; `now_ms` by this machine's clock.

    Raises:
        StoreError: the database cannot be used.
        LaunchError: the lock of the results folder cannot be read.
    """
    machine = this_process().machine
    patience_ms = 1000 * SILENT_LEASES * event_file.config.tables.lease_s

    def is_there(process: ProcessIdentity | None, beat_at_ms: int | None) -> bool:
        if process is not None and process.machine == machine:
            return is_running(ProcessId(process.pid, process.pid_start))
        return beat_at_ms is not None and abs(now_ms - beat_at_ms) <= patience_ms

    held = load_run(database, event_id)
    is_run = is_run_going(event_file.results) or (
        held.text is not None and is_there(held.holder.process if held.holder else None, held.beat_at_ms)
    )
    hosts = sum(is_there(host.process, host.beat_at_ms) for host in load_hosts(database, event_id))
    return Liveness(is_run, hosts)
