"""What the record of an event, and the disk beside it, show now that an organiser may have to know.

The sentences name tables, seats and teams, and nothing that players or programs have written.
"""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from tourney.config.alarms import EpisodeKind
from tourney.coordinator.run_lease import SILENT_LEASES
from tourney.movement.seating import TableState
from tourney.plurals import count
from tourney.store.alarms import NewAlarm
from tourney.store.control.hosts import LostHost
from tourney.store.control.leases import RunOnRecord
from tourney.store.rulings import IncidentInfo
from tourney.views.status import LONG_WAIT_MS, AlarmKind, EventStatus, alarm_lines

DISK_FREE_MIN: Final = 0.05

SEAT_WAIT_MS: Final = 300_000
"""For how long a seat keeps a table waiting before a message is sent."""

STALL_S: Final = 1800
"""For how long a board has neither a call nor a card before that is an alarm."""

PROBLEM_MS: Final = 60_000
"""For how long a host reports a problem before it is an alarm: what programs lack is often there a moment later."""

RUN_SUBJECT: Final = "run"


def find_run_signs(run: RunOnRecord, status: EventStatus, lease_s: int, *, has_begun: bool) -> Iterator[NewAlarm]:
    """Find out whether the run is silent: its heartbeat stays the same, or nobody runs what has begun."""
    silent_ms = 1000 * SILENT_LEASES * lease_s
    if run.text is not None:
        text = f"the run has not been heard of for {silent_ms // 1000} s"
        yield NewAlarm(EpisodeKind.RUN_SILENT, RUN_SUBJECT, text, mark=run.beat_at_ms, after_ms=silent_ms)
    elif has_begun and not status.is_over:
        text = "nobody runs the event, and not all tables have finished"
        yield NewAlarm(EpisodeKind.RUN_SILENT, RUN_SUBJECT, text, mark=None, after_ms=silent_ms)


_OF_TABLES: Final = {
    AlarmKind.FAILED: (EpisodeKind.PROGRAM_FAILED, "cannot go on", 0),
    AlarmKind.HOST: (EpisodeKind.PROGRAM_FAILED, "its host reports a problem with a program", PROBLEM_MS),
    AlarmKind.OWES: (EpisodeKind.SEAT_WAITS, None, SEAT_WAIT_MS - LONG_WAIT_MS),
    AlarmKind.EMPTY: (EpisodeKind.SEAT_WAITS, None, SEAT_WAIT_MS),
}
"""Which alarms of a status a message is sent about, in what words if theirs may be a program's, after how many ms."""


def find_table_signs(status: EventStatus) -> Iterator[NewAlarm]:
    """Find out what keeps tables from going on; at those that are held nobody is waited for."""
    held = {table.table.id for table in status.tables if table.is_paused or table.hold is not None}
    failed = (AlarmKind.FAILED, AlarmKind.HOST)
    for line in alarm_lines(each for each in status.alarms if each.kind in failed or each.table.id not in held):
        if line.kind in _OF_TABLES:
            kind, text, after_ms = _OF_TABLES[line.kind]
            place = next(iter(line.tables)) if len(line.tables) == 1 else "tables"
            subject = place if line.seat is None else f"{place} {line.seat.letter}"
            sentence = f"table {place}: {text or line.text}" if len(line.tables) == 1 else str(line)
            wait = line.since_ms if line.seat is not None else None  # one wait of a seat is told from its next
            yield NewAlarm(kind, subject, sentence, mark=wait, after_ms=after_ms)
    for table in status.tables:
        is_on = table.table.state is TableState.PLAYING and table.board is not None and table.seats
        if is_on and table.table.id not in held:
            place, mark = table.table.place, (table.board, table.boards_finished, table.last)
            text = f"table {place}: no call or card on board {table.board} for {STALL_S} s"
            yield NewAlarm(EpisodeKind.BOARD_STALLED, place, text, mark=mark, after_ms=1000 * STALL_S)


def find_disk_signs(folders: dict[str, Path]) -> Iterator[NewAlarm]:
    """Find out whether the disks of folders, by what they are for, are nearly full."""
    for what, folder in folders.items():
        try:
            usage = shutil.disk_usage(folder)
        except OSError:
            continue  # it is not there yet, or it is gone, and then the run says so
        if usage.free < DISK_FREE_MIN * usage.total:
            text = f"the disk of the {what} has {100 * usage.free // usage.total} % left"
            yield NewAlarm(EpisodeKind.DISK_FULL, what, text)


def call_occurrence(call: IncidentInfo, place: str) -> NewAlarm:
    """Return the alarm of a call for the director at a table; what the player has written is on the console."""
    who = f" by {call.seat.title}" if call.seat is not None else ""
    return NewAlarm(EpisodeKind.DIRECTOR_CALLED, place, f"table {place}: the director is called{who}", str(call.id))


def host_occurrence(host: LostHost) -> NewAlarm:
    """Return the alarm of a table host that was lost."""
    text = f"table host {host.name} was lost, and its tables go on elsewhere"
    return NewAlarm(EpisodeKind.HOST_LOST, host.name, text, str(host.id))


def daily_occurrence(date: str, status: EventStatus, open_alarms: int) -> NewAlarm:
    """Return the daily message, which shows that messages arrive."""
    finished = status.counts.get(TableState.FINISHED, 0)
    tables = f"{finished} of {count(len(status.tables), 'table')} finished"
    words = f"all is well: {tables}" if open_alarms == 0 else f"{count(open_alarms, 'alarm')} not over: {tables}"
    return NewAlarm(EpisodeKind.ALL_IS_WELL, "event", words, date)
