"""The programs of teams with a label: a run has them started on machines that have it, and ended with their tables.

A table only sees such a program come and go, and judges it as any other. When it is started again is decided by the
same law, `tourney.launch.supervisor`. What runs already, for an earlier run, is kept.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from tourney.bridge import Seat
from tourney.config import slug
from tourney.config.command import CommandValues, name_program
from tourney.coordinator.run_context import RunContext
from tourney.errors import LaunchError
from tourney.launch.output import OutputFile
from tourney.launch.program_order import (
    LabelLauncher,
    ProgramEvent,
    ProgramNews,
    ProgramOrder,
    format_key,
)
from tourney.launch.supervisor import EXIT_WAIT_MS, ProgramState, Supervision
from tourney.store.draw.objects import TableInfo
from tourney.store.record.live import SeatUse, count_boards_begun, load_seat_uses

LEFT_POLL_MS: Final = 500
"""How often the record is asked which seats have been left, and which boards have begun."""

LEFT_MS: Final = 2 * EXIT_WAIT_MS
"""How long a program may be at work after its seat was left: it may be about to end, or its news under way."""


@dataclass(frozen=True, slots=True)
class LabelledSeat:
    """A seat of an open table whose program is started on a machine with a label."""

    table: TableInfo
    seat: Seat
    label: str
    command: str
    host: str
    """The address of the table."""
    login: str
    started_in: str | None

    @property
    def place(self) -> str:
        return f"{self.table.id}-{self.table.attempt}-{self.seat.letter}"

    @property
    def team(self) -> str:
        return self.table.team(self.seat.side)


@dataclass(slots=True)
class _ProgramSeat:
    """A seat at one attempt at a table, and what is done for it."""

    seat: LabelledSeat
    output: OutputFile
    supervision: Supervision
    number: int = 0
    """The number of the newest start."""
    key: str = ""
    """Its key; empty while none is at work."""
    due_at_ms: int = 0
    boards_begun: int = 0
    use: int = 0
    """The newest connection at the seat, as last seen without a program."""
    left_at_ms: int | None = None
    """When it was first seen that the program has lost its seat; None while it has it."""

    @property
    def is_waiting(self) -> bool:
        """Whether its program is to be started, for the first time or again."""
        return self.supervision.state is ProgramState.WAITING


class LabelPrograms:
    """Looks after the programs that a run has on machines with labels."""

    def __init__(self, run: RunContext, launcher: LabelLauncher) -> None:
        """Prepare to start programs by this launcher, for tables of a run."""
        self._run = run
        self._launcher = launcher
        self._places: dict[str, _ProgramSeat] = {}
        self._missing: set[str] = set()
        """Labels that the organiser has been told no machine has."""
        self._has_adopted = False
        self._polled_at_ms = -LEFT_POLL_MS

    def poll(self, seats: Iterable[LabelledSeat], now_ms: int) -> None:
        """Start what has to be started, and end what has to be ended.

        Args:
            seats: the seats with a label at all open tables.
            now_ms: the time.

        Raises:
            StoreError: the database cannot be used.
        """
        wanted = {seat.place: seat for seat in seats}
        places = {place.key: place for place in self._places.values()}
        for news in self._launcher.take_news():
            place = places.get(news.key)
            if place is not None and place.key:  # else it has ended with its table, or nobody has adopted it
                self._note(place, news, now_ms)
        for name in self._places.keys() - wanted.keys():
            self._end(self._places.pop(name))
        for name, seat in wanted.items():
            if name not in self._places:
                supervision = Supervision(self._run.file.config.table_rules.rejoins_max)
                self._places[name] = _ProgramSeat(seat, self._output_of(seat), supervision, due_at_ms=now_ms)
        if not self._adopt():
            return
        due = [place for place in self._places.values() if place.is_waiting and now_ms >= place.due_at_ms]
        if self._places and (due or now_ms - self._polled_at_ms >= LEFT_POLL_MS):
            self._polled_at_ms = now_ms
            self._poll_record(now_ms)
        for place in due:
            self._start(place)
        self._report_labels()

    def stop(self) -> None:
        """End all programs."""
        for place in self._places.values():
            self._end(place)
        self._places.clear()

    @property
    def is_quiet(self) -> bool:
        """Whether no program is at work, and none was ordered."""
        return self._launcher.is_quiet

    # Starts and ends

    def _adopt(self) -> bool:
        """Take over what earlier runs have started; return whether that has been done."""
        if self._has_adopted:
            return True
        found = self._launcher.found
        if found is None:
            return False
        self._has_adopted = True
        for name, program in found.items():
            key = format_key(self._launcher.scope, name, program.number)
            place = self._places.get(name)
            if place is not None:
                place.number = program.number
            if program.is_alive:
                self._launcher.adopt(key)
                if place is None:
                    self._launcher.end(key)
                else:
                    place.key = key
                    place.supervision.start()
        return True

    def _start(self, place: _ProgramSeat) -> None:
        seat = place.seat
        if seat.label not in self._launcher.labels:
            return
        place.number += 1
        place.supervision.start()
        place.left_at_ms = None
        order = ProgramOrder(
            scope=self._launcher.scope,
            place=seat.place,
            number=place.number,
            name=name_program(seat.team, seat.seat),
            label=seat.label,
            command=seat.command,
            values=CommandValues(
                host=seat.host,
                port=seat.table.ports[seat.seat],
                seat=seat.seat,
                team=seat.team,
                login=seat.login,
                match=seat.table.match,
                room=seat.table.room.value,
                pair=seat.table.pair(seat.seat.side),
            ),
            table=seat.table.file_name,
            started_in=seat.started_in,
            orphan_s=self._run.file.config.tables.orphan_s,
        )
        place.key = order.key
        self._launcher.start(order)

    def _end(self, place: _ProgramSeat) -> None:
        if place.key:
            self._launcher.end(place.key)

    def _poll_record(self, now_ms: int) -> None:
        ids = {place.seat.table.id for place in self._places.values()}
        uses, begun = load_seat_uses(self._run.database, ids), count_boards_begun(self._run.database, ids)
        for place in self._places.values():
            table = place.seat.table
            boards = begun.get(table.id, 0)
            if boards != place.boards_begun:
                place.boards_begun = boards
                place.supervision.note_board()
            use = uses.get((table.id, place.seat.seat))
            if use is not None and use.table_attempt == table.attempt:
                self._note_use(place, use, now_ms)

    def _note_use(self, place: _ProgramSeat, use: SeatUse, now_ms: int) -> None:
        """End a program that has lost its seat and goes on all the same: another one is to take it."""
        if not place.key:
            place.use = use.connection
        elif use.connection == place.use or not use.has_left:
            place.left_at_ms = None
        elif place.left_at_ms is None:
            place.left_at_ms = now_ms
        elif now_ms - place.left_at_ms >= LEFT_MS:
            place.left_at_ms, place.use = None, use.connection
            self._launcher.end(place.key)

    # News

    def _note(self, place: _ProgramSeat, news: ProgramNews, now_ms: int) -> None:
        match news.event:
            case ProgramEvent.STARTED:
                self._begin_output(place, news.text)
            case ProgramEvent.PRINTED:
                _append(place.output, news.text)
            case ProgramEvent.ENDED | ProgramEvent.LOST:
                self._note_end(place, news, now_ms)

    def _note_end(self, place: _ProgramSeat, news: ProgramNews, now_ms: int) -> None:
        place.key, place.left_at_ms = "", None
        supervision = place.supervision
        if not supervision.note_end(is_counted=news.event is ProgramEvent.ENDED):
            table, again = place.seat.table.place, f"{supervision.starts} times in a row"
            self._run.notify(f"{table}: {news.text}, {again}, and is not started again on {place.seat.label}")
        _append(place.output, f"==== {news.text} ====\n")
        place.due_at_ms = now_ms + supervision.delay_ms

    def _report_labels(self) -> None:
        """Tell the organiser which programs wait for a machine, and when they wait no longer."""
        waiting: dict[str, set[str]] = {}
        for place in self._places.values():
            if place.is_waiting and place.seat.label not in self._launcher.labels:
                waiting.setdefault(place.seat.label, set()).add(place.seat.team)
        for label in waiting.keys() - self._missing:
            teams = ", ".join(sorted(waiting[label]))
            self._run.notify(
                f"no worker or agent is labelled {label}, which the programs of {teams} wait for: start one with "
                f"`tourney agent --labels {label}`; their tables wait for connect_s seconds"
            )
        for label in (self._missing - waiting.keys()) & set(self._launcher.labels):
            self._run.notify(f"a machine labelled {label} is there: programs are started on it")
            self._missing.discard(label)
        self._missing |= waiting.keys()

    # What programs print

    def _output_of(self, seat: LabelledSeat) -> OutputFile:
        name = f"{seat.seat.title.lower()}-{slug(seat.team)}.log"
        return OutputFile(self._run.file.results / "bots" / seat.table.file_name / name)

    def _begin_output(self, place: _ProgramSeat, machine: str) -> None:
        try:
            with place.output.open(header=True) as file:
                file.write(f"on {machine}\n".encode())
        except OSError as error:
            raise LaunchError(f"output cannot be written to {place.output.path}: {error.strerror}") from None


def _append(output: OutputFile, text: str) -> None:
    try:
        output.append(text.encode())
    except OSError:
        return  # the watchdog says what is wrong with the results folder
