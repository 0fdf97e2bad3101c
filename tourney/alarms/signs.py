"""What the record of an event, and the disk beside it, show now that an organiser may have to know.

The sentences name tables, seats and teams, and nothing that players or programs have written.
"""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from tourney.alarms.episodes import Occurrence, Sign
from tourney.bridge import Seat
from tourney.config.alarms import EpisodeKind
from tourney.coordinator.run_lease import SILENT_LEASES
from tourney.plurals import count
from tourney.report.status import EventStatus, TableStatus
from tourney.store.control.hosts import LostHost
from tourney.store.control.leases import RunOnRecord
from tourney.store.director_calls import DirectorCall
from tourney.store.models import TableState

DISK_FREE_MIN: Final = 0.05

SEAT_WAIT_S: Final = 300
"""For how long a seat keeps a table waiting before that is an alarm."""

STALL_S: Final = 1800
"""For how long a board has neither a call nor a card before that is an alarm."""

PROBLEM_MS: Final = 60_000
"""For how long a host reports a problem before it is an alarm: what programs lack is often there a moment later."""

RUN_SUBJECT: Final = "run"


def find_run_signs(run: RunOnRecord, status: EventStatus, lease_s: int, *, has_begun: bool) -> Iterator[Sign]:
    """Find out whether the run is silent: its heartbeat stays the same, or nobody runs what has begun."""
    silent_ms = 1000 * SILENT_LEASES * lease_s
    if run.text is not None:
        text = f"the run has not been heard of for {silent_ms // 1000} s"
        yield Sign(EpisodeKind.RUN_SILENT, RUN_SUBJECT, text, run.beat_at_ms, silent_ms)
    elif has_begun and not status.is_over:
        text = "nobody runs the event, and not all tables have finished"
        yield Sign(EpisodeKind.RUN_SILENT, RUN_SUBJECT, text, None, silent_ms)


def find_table_signs(status: EventStatus) -> Iterator[Sign]:
    """Find out what keeps tables from going on."""
    for table in status.tables:
        place = table.table.place
        if table.table.state is TableState.FAILED:
            yield Sign(EpisodeKind.PROGRAM_FAILED, place, f"table {place} cannot go on")
        elif table.problem:
            text = f"table {place}: its host reports a problem with a program"
            yield Sign(EpisodeKind.PROGRAM_FAILED, place, text, after_ms=PROBLEM_MS)
        if table.is_live and not table.is_paused and table.hold is None:
            yield from _find_waits(table)


def _find_waits(table: TableStatus) -> Iterator[Sign]:
    place, wait_ms, stall_ms = table.table.place, 1000 * SEAT_WAIT_S, 1000 * STALL_S

    def name(seat: Seat) -> str:
        return f"{seat.title} ({table.table.team(seat.side)})"

    empty = [name(seat) for seat, team in table.seats.items() if team is None]
    if empty:
        text = f"table {place} has waited {SEAT_WAIT_S} s for players: nobody sits {', '.join(empty)}"
        yield Sign(EpisodeKind.SEAT_WAITS, place, text, after_ms=wait_ms)
    for wait in table.waits:
        if table.seats.get(wait.seat) is not None:
            text = f"table {place} has waited for {name(wait.seat)} for {SEAT_WAIT_S} s"
            subject = f"{place} {wait.seat.letter}"
            yield Sign(EpisodeKind.SEAT_WAITS, subject, text, (wait.what, wait.since_ms), wait_ms)
    if table.table.state is TableState.PLAYING and table.board is not None and table.seats:
        text = f"table {place}: no call or card on board {table.board} for {STALL_S} s"
        mark = (table.board, table.boards_finished, table.last)
        yield Sign(EpisodeKind.BOARD_STALLED, place, text, mark, stall_ms)


def find_disk_signs(folders: dict[str, Path]) -> Iterator[Sign]:
    """Find out whether the disks of folders, by what they are for, are nearly full."""
    for what, folder in folders.items():
        try:
            usage = shutil.disk_usage(folder)
        except OSError:
            continue  # it is not there yet, or it is gone, and then the run says so
        if usage.free < DISK_FREE_MIN * usage.total:
            text = f"the disk of the {what} has {100 * usage.free // usage.total} % left"
            yield Sign(EpisodeKind.DISK_FULL, what, text)


def call_occurrence(call: DirectorCall, place: str) -> Occurrence:
    """Return the alarm of a call for the director at a table; what the player has written is on the console."""
    who = f" by {call.seat.title}" if call.seat is not None else ""
    return Occurrence(EpisodeKind.DIRECTOR_CALLED, place, str(call.id), f"table {place}: the director is called{who}")


def host_occurrence(host: LostHost) -> Occurrence:
    """Return the alarm of a table host that was lost."""
    text = f"table host {host.name} was lost, and its tables go on elsewhere"
    return Occurrence(EpisodeKind.HOST_LOST, host.name, str(host.id), text)


def daily_occurrence(date: str, status: EventStatus, open_alarms: int) -> Occurrence:
    """Return the daily message, which shows that messages arrive."""
    finished = status.counts.get(TableState.FINISHED, 0)
    tables = f"{finished} of {count(len(status.tables), 'table')} finished"
    is_well = open_alarms == 0
    words = f"all is well: {tables}" if is_well else f"{count(open_alarms, 'alarm')} not over: {tables}"
    return Occurrence(EpisodeKind.ALL_IS_WELL, "event", date, words)
