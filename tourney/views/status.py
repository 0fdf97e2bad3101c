"""The state of an event at this moment, for its director: what needs attention first, then what is being played.

The state of a table is what its host last reported, or what the record shows if the host has not reported yet. Whose
turn it is, what was called or played last and what the table waits for are for the director alone (`for_watchers`):
a program at another table that has the board to play could make use of them.
"""

import enum
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Final

from tourney.bridge import SEATS, Seat, describe_call, describe_card
from tourney.config import Durability
from tourney.movement.seating import TableInfo, TableState
from tourney.store.control.host_settings import load_durability
from tourney.store.control.hosts import HostInfo, WorkerInfo, load_hosts, load_workers
from tourney.store.control.orders import OrderInfo, load_hold_orders
from tourney.store.control.tables import TableActivity, TimeLeft, Wait, parse_activity
from tourney.store.control.tunnels import TunnelState, load_tunnels
from tourney.store.db.database import Database
from tourney.store.draw.objects import EventInfo
from tourney.store.models import OrderKind
from tourney.store.record.live import (
    LiveBoard,
    LiveTable,
    QuestionInfo,
    load_boards_under_way,
    load_live_tables,
    load_questions,
)
from tourney.times import format_duration

LONG_WAIT_MS: Final = 60_000
"""A wait longer than this is reported: even the slowest programs seldom need a minute for a card."""

_LIVE: Final = (TableState.OPEN, TableState.PLAYING)
_CLOCKS_MS: Final = 2_000
"""A host's report on a table may be dated this much earlier than the state of the table that it belongs to."""


APART_MAX: Final = 12
"""So many tables that are stopped, paused or lack players have a line each; more of them share one."""


class AlarmKind(enum.StrEnum):
    """A kind of problem that may need the director, in descending order of urgency."""

    FAILED = "failed"
    HOST = "host"
    """A problem that the host itself reports."""
    STOPPED = "stopped"
    PAUSED = "paused"
    ALERT = "alert"
    """A question is waiting for the operator."""
    OWES = "owes"
    EMPTY = "empty"


@dataclass(frozen=True, slots=True)
class Alarm:
    """A problem at a table that may need the director; `text` is a sentence that does not name the table.

    `since_ms` tells one wait of a seat from its next; None where nobody knows.
    """

    kind: AlarmKind
    table: TableInfo
    text: str
    seat: Seat | None = None
    since_ms: int | None = None


@dataclass(frozen=True, slots=True)
class AlarmLine:
    """An alarm, or those of a table or of many tables that share a line."""

    kind: AlarmKind
    text: str
    tables: Mapping[str, str]
    """The places of its tables, and where they share a line the letters of empty seats; empty for the whole event."""
    seat: Seat | None = None
    since_ms: int | None = None
    """Since when; of several, since the first."""

    def __str__(self) -> str:
        if len(self.tables) == 1:
            return f"{next(iter(self.tables))}: {self.text}"
        tables = ", ".join(f"{place} {seats}".rstrip() for place, seats in self.tables.items())
        return f"{self.text}: {tables}" if tables else self.text


@dataclass(frozen=True, slots=True)
class TableStatus:
    """A table at this moment."""

    table: TableInfo
    round: int
    boards: int | None
    """How many boards are played there; None where it depends on their results."""
    boards_finished: int
    held_by: OrderInfo | None
    """The pause or stop, if the director has ordered it."""
    is_paused: bool
    board: int | None
    """The board in play, or the one in play when the run ended."""
    seats: dict[Seat, str | None]
    """The team in each seat; empty when nobody plays or the table is not open."""
    waits: tuple[Wait, ...]
    """What the table waits for; empty in the same cases as `seats`."""
    last: str
    """The latest call, card or other occurrence; empty if there is none."""
    problem: str | None
    questions: tuple[QuestionInfo, ...]
    left: tuple[TimeLeft, ...]
    """The thinking time that the sides have left under each limit; empty in the same cases as `seats`."""
    changed_at_ms: int
    """When its state last changed."""

    @property
    def hold(self) -> OrderKind | None:
        """Pause or stop, if the director has ordered it."""
        return self.held_by.kind if self.held_by is not None else None

    @property
    def is_live(self) -> bool:
        return self.table.state in _LIVE

    @property
    def state(self) -> str:
        """The state of the table, in a word."""
        return "paused" if self.is_paused else self.table.state.value

    @property
    def done(self) -> str:
        """How many boards are finished, of how many: `3/16`."""
        return f"{self.boards_finished}" if self.boards is None else f"{self.boards_finished}/{self.boards}"


@dataclass(frozen=True, slots=True)
class EventStatus:
    """An event at one moment."""

    event: str
    at_ms: int
    is_run_going: bool
    hosts_left: int
    """The number of table hosts at work; they outlive a run that has died."""
    tables: tuple[TableStatus, ...]
    """In the order of matches, the open room first."""
    durability: Durability | None
    """The weakest durability with which boards have been recorded, or are now; None before the first run."""
    is_for_director: bool = True
    """Whether it tells what only the director may know of boards in play."""
    hosts: tuple[HostInfo, ...] = ()
    """The table hosts that have not ended on record."""
    workers: tuple[WorkerInfo, ...] = ()
    """The workers of the cluster that the event is played on; those that have left included."""
    tunnels: tuple[TunnelState, ...] = ()
    """The tunnels by which teams play from elsewhere, in the order of the teams."""

    def tables_of(self, hosts: Iterable[HostInfo]) -> list[TableInfo]:
        """Return the unfinished tables that these hosts have."""
        names = {host.name for host in hosts}
        return [status.table for status in self.unfinished if status.table.host in names]

    def hosts_on(self, worker: WorkerInfo) -> list[HostInfo]:
        """Return the table hosts that were started on a worker."""
        return [host for host in self.hosts if host.worker == worker.name]

    def ago(self, then_ms: int) -> str:
        """Return how long ago something was: `0:12.3 ago`."""
        return f"{format_duration(max(0, self.at_ms - then_ms))} ago"

    @property
    def is_over(self) -> bool:
        return not self.unfinished

    @property
    def unfinished(self) -> tuple[TableStatus, ...]:
        """The tables that are not over."""
        return tuple(status for status in self.tables if not status.table.is_over)

    @property
    def is_all_held(self) -> bool:
        """Whether all tables that are not over are paused, or all stopped: so it is with the whole event."""
        holds = {status.hold for status in self.unfinished}
        return len(holds) == 1 and holds != {None}

    @property
    def live(self) -> tuple[TableStatus, ...]:
        """The tables that are open or being played, or were when their run ended."""
        return tuple(status for status in self.tables if status.is_live)

    @property
    def counts(self) -> dict[TableState, int]:
        """The number of tables in each state; states without a table are left out."""
        counts = Counter(status.table.state for status in self.tables)
        return {state: counts[state] for state in TableState if counts[state]}

    @property
    def alarms(self) -> tuple[Alarm, ...]:
        """The problems that may need the director, the most urgent first."""
        found = [alarm for status in self.tables for alarm in _alarms(status, self.at_ms)]
        kinds = list(AlarmKind)
        return tuple(sorted(found, key=lambda alarm: kinds.index(alarm.kind)))


def load_status(
    database: Database, event: EventInfo, *, is_run_going: bool, hosts_left: int = 0, now_ms: int
) -> EventStatus:
    """Load the state of an event.

    Args:
        database: where the record is.
        event: the event as drawn; the states of its tables are read again.
        is_run_going: whether a run is at work.
        hosts_left: how many table hosts are at work; if nobody plays, their reports are out of date and ignored.
        now_ms: the current time, in ms since the epoch.

    Raises:
        StoreError: the database cannot be used.
    """
    return EventStatus(
        event=event.name,
        at_ms=now_ms,
        is_run_going=is_run_going,
        hosts_left=hosts_left,
        durability=load_durability(database, event.id),
        hosts=tuple(load_hosts(database, event.id)),
        workers=tuple(load_workers(database, event.id)),
        tables=load_tables(database, event, is_played=is_run_going or hosts_left > 0),
        tunnels=tuple(load_tunnels(database, event.id)),
    )


def load_tables(
    database: Database, event: EventInfo, *, is_played: bool, table_id: int | None = None
) -> tuple[TableStatus, ...]:
    """Load the state of the tables of an event, or of one of them.

    Raises:
        StoreError: the database cannot be used.
    """
    matches = event.matches_by_number
    # Tables of a round that was drawn after the event was loaded are left to the next look.
    tables = [live for live in load_live_tables(database, event.id, table_id) if live.table.match in matches]
    holds = {order.table_id: order for order in load_hold_orders(database, [live.table.id for live in tables])}
    questions: defaultdict[int, list[QuestionInfo]] = defaultdict(list)
    for question in load_questions(database, event.id, table_id) if is_played else ():
        questions[question.table_id].append(question)
    reports = {live.table.id: _current_report(live, is_played=is_played) for live in tables}
    # Of a table whose host reports, what it says is newer than the calls and cards that can be read.
    silent = [
        live.table.id for live in tables if live.table.state is TableState.PLAYING and not reports[live.table.id]
    ]
    boards = load_boards_under_way(database, event.id, silent)
    found = []
    for live in tables:
        table, match = live.table, matches[live.table.match]
        is_live = table.state in _LIVE and is_played
        doing = reports[table.id] or _as_recorded(boards.get(table.id))
        hold = holds.get(table.id)
        found.append(
            TableStatus(
                table=table,
                round=event.played_in(match, table.room),
                boards=table.boards if table.is_over or not match.ends_by_results else None,
                boards_finished=live.boards_finished,
                held_by=hold,
                is_paused=doing.paused or (hold is not None and hold.kind is OrderKind.PAUSE),
                board=live.board,
                seats={seat: live.seated.get(seat) for seat in SEATS} if is_live else {},
                waits=doing.waits if is_live else (),
                last=doing.last,
                problem=doing.problem,
                questions=tuple(questions[table.id]),
                left=doing.left if is_live else (),
                changed_at_ms=live.changed_at_ms,
            )
        )
    return tuple(found)


def for_watchers(status: EventStatus) -> EventStatus:
    """Return the status without what only the director may know of boards in play.

    Of such a board its number stays, and how many boards the table has finished.
    """
    return replace(status, tables=tuple(table_for_watchers(table) for table in status.tables), is_for_director=False)


def table_for_watchers(status: TableStatus) -> TableStatus:
    """Return the status of a table likewise; why it cannot go on stays."""
    table = status.table if status.table.state is TableState.FAILED else replace(status.table, reason="")
    return replace(status, table=table, waits=(), last="", problem=None, questions=(), left=())


def _current_report(live: LiveTable, *, is_played: bool) -> TableActivity | None:
    """Return what the host of a table says of it; None where nobody plays it, or its host has not reported yet."""
    doing = parse_activity(live.doing) if live.table.state in _LIVE and is_played else None
    return doing if doing is not None and doing.at_ms >= live.changed_at_ms - _CLOCKS_MS else None


def _as_recorded(board: LiveBoard | None) -> TableActivity:
    """Return what the record says of a table: who must act on its board, and the latest call or card."""
    if board is None:
        return TableActivity(0, paused=False, waits=(), last="", problem=None)
    last, since_ms = "", board.began_at_ms
    if board.cards:
        card = board.cards[-1]
        last, since_ms = describe_card(card.seat, card.card), card.at_ms
    elif board.calls:
        call = board.calls[-1]
        last, since_ms = describe_call(call.seat, call.call), call.at_ms
    in_play = board.in_play()
    what = "call" if in_play.in_auction else "card"
    waits = (Wait(in_play.actor, what, since_ms),) if in_play.actor is not None else ()
    return TableActivity(since_ms, paused=False, waits=waits, last=last, problem=None)


# What may need the director


def _alarms(status: TableStatus, now_ms: int) -> Iterator[Alarm]:
    table = status.table
    if table.is_over:
        return
    if table.state is TableState.FAILED:
        yield Alarm(AlarmKind.FAILED, table, f"failed: {table.reason}", since_ms=status.changed_at_ms)
    if status.problem:
        yield Alarm(AlarmKind.HOST, table, status.problem)
    held_at_ms = status.held_by.created_at_ms if status.held_by is not None else None
    if status.hold is OrderKind.STOP:
        yield Alarm(AlarmKind.STOPPED, table, "stopped", since_ms=held_at_ms)
    elif status.is_paused:
        yield Alarm(AlarmKind.PAUSED, table, "paused", since_ms=held_at_ms)
    for question in status.questions:
        text = f"board {question.board}: {format_question(question)}"
        yield Alarm(AlarmKind.ALERT, table, text, question.seat, question.asked_at_ms)
    for wait in status.waits:
        if (
            now_ms - wait.since_ms >= LONG_WAIT_MS
            and status.seats.get(wait.seat) is not None
            and not status.is_paused
        ):
            who = f"{wait.seat.title} ({table.team(wait.seat.side)})"
            yield Alarm(AlarmKind.OWES, table, f"waits for {who}: {wait.what}", wait.seat, wait.since_ms)
    # Who has left a table that is played left it later, at a time that is not on record here.
    empty_since_ms = status.changed_at_ms if table.state is TableState.OPEN else None
    for seat, team in status.seats.items():
        if team is None:
            text = f"nobody sits {seat.title} ({table.team(seat.side)})"
            yield Alarm(AlarmKind.EMPTY, table, text, seat, empty_since_ms)


def format_question(question: QuestionInfo) -> str:
    """Format a question: `is North's 1NT alertable?`."""
    *before, call = question.calls
    auction = f" after {' '.join(map(str, before))} from {question.dealer.title} on" if before else ""
    return f"is {question.seat.title}'s {call} alertable{auction}?"


_SHARED: Final = {
    AlarmKind.STOPPED: "tables are stopped",
    AlarmKind.PAUSED: "tables are paused",
    AlarmKind.EMPTY: "tables have empty seats",
}


def alarm_lines(alarms: Iterable[Alarm], *, is_whole: bool = False) -> list[AlarmLine]:
    """Return a line for each alarm; the empty seats of a table share one, and so do many tables that are held.

    Args:
        alarms: sorted by kind.
        is_whole: whether all tables are paused, or all stopped, which is one line.
    """
    lines: list[AlarmLine] = []
    for kind, found in groupby(alarms, lambda alarm: alarm.kind):
        if kind not in _SHARED:
            lines += [AlarmLine(kind, each.text, {each.table.place: ""}, each.seat, each.since_ms) for each in found]
            continue
        at_table: defaultdict[str, list[Alarm]] = defaultdict(list)
        for alarm in found:
            at_table[alarm.table.place].append(alarm)
        since = {place: each[0].since_ms for place, each in at_table.items()}
        first = min(filter(None, since.values()), default=None)
        if is_whole and kind is not AlarmKind.EMPTY and len(at_table) > 1:
            lines.append(AlarmLine(kind, f"the whole event is {kind.value}", {}, since_ms=first))
        elif len(at_table) > APART_MAX:
            seats = {
                place: " ".join(alarm.seat.letter for alarm in each if alarm.seat is not None)
                for place, each in at_table.items()
            }
            lines.append(AlarmLine(kind, f"{len(at_table)} {_SHARED[kind]}", seats, since_ms=first))
        else:
            lines += [
                AlarmLine(kind, _describe_table(kind, each), {place: ""}, since_ms=since[place])
                for place, each in at_table.items()
            ]
    return lines


def _describe_table(kind: AlarmKind, alarms: Sequence[Alarm]) -> str:
    """Describe a table that is held, or its empty seats: `nobody sits North, South (Alpha), East (Beta)`."""
    if kind is not AlarmKind.EMPTY:
        return kind.value
    by_team: defaultdict[str, list[str]] = defaultdict(list)
    for alarm in alarms:
        if alarm.seat is not None:
            by_team[alarm.table.team(alarm.seat.side)].append(alarm.seat.title)
    return "nobody sits " + ", ".join(f"{', '.join(seats)} ({team})" for team, seats in by_team.items())
