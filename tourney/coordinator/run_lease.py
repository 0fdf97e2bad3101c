"""One run at a time on all machines: the hold on an event, a row of the database that its holder keeps fresh."""

from contextlib import suppress

from tourney.errors import LaunchError, StoreError
from tourney.launch.launcher import Launcher
from tourney.store.control.runs import (
    RunHolder,
    RunOnRecord,
    format_second,
    load_run,
    release_run_lease,
    renew_run_lease,
    take_run_lease,
)
from tourney.store.db.database import Database


class RunHold:
    """One process's hold on one event, by the clock of its machine."""

    def __init__(self, database: Database, event_id: int, lease_s: int, launcher: Launcher) -> None:
        self._database = database
        self._event_id = event_id
        self._lease_s = lease_s
        self._launcher = launcher
        self._holder = RunHolder(launcher.process, 0)

    def take(self, now_ms: int) -> None:
        """Take the event. One whose holder has not been heard of for a lease time is free.

        Raises:
            LaunchError: another run holds it, or its clock and ours do not agree.
            StoreError: the database cannot be used.
        """
        self._holder = RunHolder(self._launcher.process, now_ms)
        held = load_run(self._database, self._event_id)
        if held.text is not None and not self._is_over(held, now_ms):
            raise LaunchError(f"this event is being run already, by {_who(held)}")
        if not take_run_lease(self._database, self._event_id, self._holder, held, now_ms):
            raise LaunchError(f"this event is being run already, by {_who(load_run(self._database, self._event_id))}")

    def _is_over(self, held: RunOnRecord, now_ms: int) -> bool:
        holder, beat_at_ms = held.holder, held.beat_at_ms
        process = holder.process if holder is not None else None
        is_gone = process is not None and self._launcher.is_local(process) and not self._launcher.is_running(process)
        if is_gone or beat_at_ms is None:
            return True
        if beat_at_ms - now_ms > 1000 * self._lease_s:
            raise LaunchError(
                f"this event was last heard of at {format_second(beat_at_ms)} by {_who(held)}, and here it is "
                f"{format_second(now_ms)}: the clock of one of the machines is wrong"
            )
        return now_ms - beat_at_ms > 1000 * self._lease_s

    def keep(self, now_ms: int) -> None:
        """Say that the run goes on.

        Raises:
            LaunchError: another run has taken the event over.
            StoreError: the database cannot be used.
        """
        if not renew_run_lease(self._database, self._event_id, self._holder, now_ms):
            who = _who(load_run(self._database, self._event_id))
            raise LaunchError(
                f"this run was not heard of for more than {self._lease_s} s and the event is run by {who} now: it "
                "stops, and the tables play on"
            )

    def release(self) -> None:
        """The run is over. When that cannot be said, silence will tell."""
        with suppress(StoreError):
            release_run_lease(self._database, self._event_id, self._holder)


def _who(held: RunOnRecord) -> str:
    if held.text is None:
        return "nobody"
    return str(held.holder) if held.holder is not None else repr(held.text[:100])
