"""The status of an event as a document, as CSV, and in tables for people: in a terminal, and at the console."""

from collections.abc import Mapping, Sequence
from typing import Annotated

from tourney.bridge import Seat
from tourney.movement.seating import TableInfo, TableState
from tourney.output.content import Content, EntrantLink, Linked, PageLink
from tourney.output.rows import NOTHING, Cell, Row, Unit
from tourney.output.tables import CsvTable, Parts, TextTable, csv_table, make_table
from tourney.output.units import DurabilityName, Moment, RoomName, SeatUnit
from tourney.plurals import count
from tourney.store.control.tables import Wait
from tourney.store.models import OrderKind, WorkerState
from tourney.times import format_duration
from tourney.views.report import Report
from tourney.views.schedule import format_ranges
from tourney.views.status import AlarmKind, EventStatus, TableStatus, alarm_lines


class AlarmDocument(Row):
    """A problem at a table that may need the director."""

    kind: AlarmKind
    """The kind of problem."""
    match: int
    """The number of the match."""
    room: RoomName
    """The room of the table."""
    seat: SeatUnit | None
    """The seat that the problem is about; null if it is about the table."""
    text: str
    """A sentence that describes the problem and does not name the table."""
    since: Moment | None
    """Since when there is the problem; null where that is not known."""


class WaitDocument(Row):
    """A player whom the table is waiting for."""

    seat: SeatUnit
    """The seat whose player has to act."""
    for_: str
    """What the player has to do, such as call or card."""
    since: Moment
    """Since when the table has waited."""


def _by_letter(seats: Mapping[Seat, object]) -> dict[str, object]:
    return {seat.letter: value for seat, value in seats.items()}


def _format_ports(ports: Mapping[Seat, int]) -> str:
    """Format for CSV: `N:2000 E:2000`."""
    return " ".join(f"{seat.letter}:{port}" for seat, port in ports.items())


def _format_seats(seats: Mapping[Seat, str | None]) -> str:
    """Format for CSV: `N-SW` where East is empty."""
    return "".join(seat.letter if team is not None else "-" for seat, team in seats.items())


class TableHeadDocument(Row, kw_only=True):
    """A table, with how far it has come."""

    match: int
    """The number of the match."""
    segment: int
    """The number of the segment of the match, from 1."""
    room: RoomName
    """The room of the table."""
    round: int
    """The number of the round, counted through the event."""
    ns: str
    """The team that sits North-South."""
    ew: str
    """The team that sits East-West."""
    boards: int | None
    """The number of boards to be played at the table; null where their results decide it, until it is finished."""
    finished: int
    """How many of them are finished."""
    board: int | None
    """The number of the board in play, or the one in play when its run ended; null between boards."""


class TableStatusDocument(TableHeadDocument, kw_only=True):
    """A table at this moment."""

    state: TableState
    """The state of the table on record."""
    reason: str
    """Why the table is in this state; may be empty."""
    hold: OrderKind | None
    """`pause` or `stop` when the director has ordered it, else null."""
    paused: bool
    """Whether play at the table is paused."""
    ports: Annotated[
        Mapping[Seat, int],
        Unit(form=dict[str, int], json=_by_letter, csv=_format_ports),
    ]
    """The port of each seat."""
    seats: Annotated[
        Mapping[Seat, str | None],
        Unit(form=dict[str, str | None], json=_by_letter, csv=_format_seats),
    ]
    """The team in each seat, null for an empty seat; empty, like `waits`, when nobody plays or the table is not
    open."""
    waits: Annotated[
        list[WaitDocument], Unit(csv=lambda waits: " ".join(f"{wait.seat.letter}:{wait.for_}" for wait in waits))
    ]
    """What the table is waiting for."""
    last: str
    """The latest call, card or other occurrence; empty if there is none."""


class TableHostDocument(Row):
    """A process that plays tables."""

    name: str
    """The name of the host."""
    machine: str | None
    """The name of its machine; null until it has joined."""
    worker: str | None
    """The worker of a cluster that it was started on; null without one."""
    address: str | None
    """Where players find its tables; null where the event file says it."""
    heard: Moment
    """When it last renewed its lease."""
    draining: bool
    """Whether it finishes the boards in play, releases its tables, and ends."""
    tables: list[str]
    """The tables that it has and that have not finished, such as 1-open."""


class WorkerDocument(Row):
    """A worker of a cluster."""

    name: str
    """The name of the worker."""
    address: str
    """Where players find the tables on it."""
    state: WorkerState
    """`working`, or `gone` when it has left or is lost."""
    draining: bool
    """Whether it takes no more tables, and leaves when those it has are done."""
    load: int | None
    """How busy its machine is, in percent; null while nobody knows."""
    heard: Moment
    """When the run last heard from it."""
    hosts: list[str]
    """The table hosts on it."""
    tables: int
    """How many tables it has now."""
    tables_at_most: int
    """How many tables it takes at once."""


class StatusDocument(Row):
    """An event at one moment."""

    event: str
    """The name of the event."""
    at: Moment
    """When the status was taken."""
    run: bool
    """Whether a run is at work."""
    hosts: int
    """The number of table hosts at work; they outlive a run that has died."""
    table_hosts: list[TableHostDocument]
    """The table hosts that have not ended on record, in the order in which they were started."""
    workers: list[WorkerDocument]
    """The workers of the cluster, those that have left included; empty without a cluster."""
    durability: DurabilityName | None
    """The weakest durability with which boards of the event are recorded: full, or process, with which a power cut
    may take the last moments of boards in play, never a finished board; null before the first run."""
    director: bool
    """Whether the status is the director's (`--director`). Otherwise `waits` and `last` of tables are empty, and what
    needs the director does not mention boards in play."""
    counts: Mapping[str, int]
    """The number of tables in each state."""
    trouble: list[AlarmDocument]
    """What may need the director, most urgent first."""
    tables: list[TableStatusDocument]
    """The tables in the order of matches, open room first."""


class StatusReport(Report):
    """The status of an event as commands show it."""

    status: EventStatus

    def content(self) -> StatusDocument:
        """Return all of it."""
        status = self.status
        return StatusDocument.from_attributes(
            status,
            at=status.at_ms,
            run=status.is_run_going,
            hosts=status.hosts_left,
            table_hosts=[
                TableHostDocument.from_attributes(
                    host,
                    machine=host.process.machine if host.process is not None else None,
                    heard=host.beat_at_ms,
                    draining=host.is_draining,
                    tables=[table.place for table in status.tables_of([host])],
                )
                for host in status.hosts
            ],
            workers=[
                WorkerDocument.from_attributes(
                    worker,
                    draining=worker.is_draining,
                    load=worker.load_percent,
                    heard=worker.heard_at_ms,
                    hosts=[host.name for host in status.hosts_on(worker)],
                    tables=len(status.tables_of(status.hosts_on(worker))),
                    tables_at_most=worker.tables,
                )
                for worker in status.workers
            ],
            director=status.is_for_director,
            counts={state.value: number for state, number in status.counts.items()},
            trouble=[
                AlarmDocument.from_attributes(alarm, alarm.table, since=alarm.since_ms) for alarm in status.alarms
            ],
            tables=list(map(_table_row, status.tables)),
        )

    def csv(self) -> CsvTable:
        """Return a row per table."""
        return csv_table(TableStatusDocument, map(_table_row, self.status.tables))

    def text(self) -> Parts:
        """Yield what needs the director, then the machines and the tables in play."""
        status = self.status
        counts = ", ".join(f"{number} {state.value}" for state, number in status.counts.items())
        over = ""
        if not status.is_run_going and not status.is_over:
            over = "; no run is in progress"
            if status.hosts_left:
                hosts = count(status.hosts_left, "table host plays", "table hosts play")
                over += f", {hosts} on: `tourney run` takes them over"
        yield f"{status.event}: tables {counts}{over}"
        for line in alarm_lines(status.alarms, is_whole=status.is_all_held):
            lasted = f" (for {format_duration(status.at_ms - line.since_ms)})" if line.since_ms is not None else ""
            yield f"  {line}{lasted}"
        if status.durability == "process":
            yield '  record: a power cut may take the last moments of boards in play (durability = "process")'
        for is_shown, table in (
            (status.workers, worker_table),
            (any(host.address for host in status.hosts), host_table),
            (status.tunnels, tunnel_table),
            (status.live, live_table),
        ):
            if is_shown:
                yield ""
                yield table(status)
        if status.live and not status.is_for_director:
            yield ""
            yield "turns, waits, questions and the latest calls and cards: `tourney status --director`"


def _table_row(status: TableStatus) -> TableStatusDocument:
    table = status.table
    return TableStatusDocument.from_attributes(
        status,
        table,
        ns=table.ns_team,
        ew=table.ew_team,
        paused=status.is_paused,
        finished=status.boards_finished,
        waits=[WaitDocument(wait.seat, wait.what, wait.since_ms) for wait in status.waits],
    )


# For people: in a terminal, and at the console


def worker_table(status: EventStatus) -> TextTable:
    """Return the workers of the cluster, with what they have."""
    columns = [
        Cell("Worker", "name", worth=3),
        Cell("Address", "address", worth=1),
        Cell(">Hosts", lambda worker: len(status.hosts_on(worker))),
        Cell(">Tables", lambda worker: f"{len(status.tables_of(status.hosts_on(worker)))}/{worker.tables}", worth=2),
        Cell(
            ">Load",
            lambda worker: f"{worker.load_percent} %" if worker.load_percent is not None else None,
            worth=2,
        ),
        Cell(">Last word", lambda worker: status.ago(worker.heard_at_ms)),
        Cell(
            "State",
            lambda worker: (
                "draining" if worker.is_draining and worker.state is WorkerState.WORKING else worker.state.value
            ),
            worth=2,
        ),
    ]
    return make_table(columns, status.workers, caption="Workers: the machines of the cluster")


def host_table(status: EventStatus) -> TextTable:
    """Return the processes that play tables."""
    columns = [
        Cell("Host", "name", worth=3),
        Cell("Machine", lambda host: host.process.machine if host.process is not None else None, worth=1),
        Cell(">Process", lambda host: host.process.pid if host.process is not None else "not joined"),
        Cell("Worker", "worker"),
        Cell("Address", "address"),
        Cell(">Last word", lambda host: status.ago(host.beat_at_ms), worth=1),
        Cell("State", lambda host: "draining" if host.is_draining else "working", worth=1),
        Cell("Tables", lambda host: tuple(map(_place, status.tables_of([host]))) or NOTHING, worth=2),
    ]
    return make_table(columns, status.hosts, caption="Table hosts: the processes that run the tables")


def tunnel_table(status: EventStatus) -> TextTable:
    """Return the tunnels by which teams play from elsewhere now, or did until a moment ago."""
    columns = [
        Cell("Team", lambda tunnel: Linked(tunnel.team, EntrantLink(tunnel.team)), worth=3),
        Cell("Plays from", "address", worth=2),
        Cell(">Since", lambda tunnel: status.ago(tunnel.opened_at_ms)),
        Cell(">Heard", lambda tunnel: status.ago(tunnel.seen_at_ms), worth=1),
        Cell(">Resumed", lambda tunnel: count(tunnel.resumes, "time")),
    ]
    return make_table(columns, status.tunnels, caption="Tunnels: teams whose programs play from elsewhere")


def live_table(status: EventStatus) -> TextTable:
    """Return the tables in play; what they wait for, and the latest calls and cards, for the director."""
    columns = [
        Cell("Table", lambda each: _place(each.table), worth=3),
        Cell("N-S - E-W", lambda each: f"{each.table.ns_team} - {each.table.ew_team}", worth=2),
        Cell("Port", lambda each: format_ranges(sorted(set(each.table.ports.values()))) or NOTHING),
        Cell("State", "state", worth=3),
        Cell(">Board", "board", worth=2),
        Cell(">Done", "done", worth=2),
        Cell("Seats", lambda each: _format_seats(each.seats) or NOTHING),
    ]
    if status.is_for_director:
        columns += [
            Cell(
                "Waits for",
                lambda each: ", ".join(_format_wait(status, wait) for wait in each.waits) or NOTHING,
                worth=1,
            ),
            Cell("Last", lambda each: each.last or NOTHING, worth=-1),
        ]
    return make_table(columns, status.live)


def seat_table(status: EventStatus, tables: Sequence[TableStatus]) -> TextTable:
    """Return the seats of tables: who sits there, and what the table waits for."""
    columns = [
        Cell("Table", lambda row: _place(row[0].table), worth=3),
        Cell("Seat", lambda row: row[1].title, worth=3),
        Cell(
            "Team",
            lambda row: Linked(row[2], EntrantLink(row[2])) if row[2] is not None else "nobody",
            worth=2,
        ),
        Cell(">Port", lambda row: row[0].table.ports.get(row[1])),
        Cell(
            "The table waits for",
            lambda row: (
                ", ".join(_format_wait(status, wait) for wait in row[0].waits if wait.seat is row[1]) or NOTHING
            ),
            worth=1,
        ),
    ]
    rows = [(each, seat, team) for each in tables for seat, team in each.seats.items()]
    return make_table(columns, rows, caption="Programs at the tables")


def _place(table: TableInfo) -> Content:
    return Linked(table.place, PageLink(f"director/table/{table.place}"))


def _format_wait(status: EventStatus, wait: Wait) -> str:
    """Format what a table waits for: `North call 0:12.3`."""
    return f"{wait.seat.title} {wait.what} {format_duration(max(0, status.at_ms - wait.since_ms))}"
