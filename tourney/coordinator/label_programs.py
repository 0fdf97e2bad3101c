"""The programs of teams with a label: a run has them started on machines that have it, and ended with their tables.

A table only sees such a program come and go, and judges it as any other. When it is started again is decided by the
same law, `tourney.launch.supervisor`. What runs already, for an earlier run, is kept.
"""

import asyncio
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from tourney.bridge import Seat
from tourney.config import slug
from tourney.config.command import CommandValues, name_program
from tourney.coordinator.run_context import RunContext
from tourney.errors import LaunchError
from tourney.launch.output import OutputFile
from tourney.launch.program import (
    LabelLauncher,
    ProgramEvent,
    ProgramNews,
    ProgramOrder,
    format_key,
)
from tourney.launch.supervisor import EXIT_WAIT_MS, ProgramState, Supervision
from tourney.protocol.access import format_login
from tourney.protocol.seat_handover import TableTerms
from tourney.store.control.tables import load_job
from tourney.store.draw.objects import TableInfo
from tourney.store.record.live import Seating, count_boards_begun, load_seatings

LEFT_POLL_MS: Final = 500
"""How often the record is asked which seats have been left, and which boards have begun."""

END_S: Final = 10.0
"""How long programs may take to end with the run, in seconds; later ones end by themselves."""

END_POLL_S: Final = 0.2

LEFT_MS: Final = 2 * EXIT_WAIT_MS
"""How long a program may be at work after its seat was left: it may be about to end, or its news under way."""


class LabelledSeat(NamedTuple):
    """A seat of an open table, with the address of the table."""

    table: TableInfo
    seat: Seat
    host: str

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
    order: ProgramOrder
    """The newest start, of number 0 before the first."""
    output: OutputFile
    supervision: Supervision
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

    @property
    def is_at_work(self) -> bool:
        """Whether the newest start has not ended."""
        return self.supervision.state is ProgramState.RUNNING


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
            seats: the seats of all open tables; those of teams without a label are left alone.
            now_ms: the time.

        Raises:
            StoreError: the database cannot be used.
        """
        labels = self._run.file.labels
        wanted = {seat.place: seat for seat in seats if seat.team in labels and self._command_of(seat) is not None}
        at_work = {place.order.key: place for place in self._places.values() if place.is_at_work}
        for news in self._launcher.take_news():
            place = at_work.get(news.key)
            if place is not None:  # else it has ended with its table, or is of an earlier run
                self._note(place, news, now_ms)
        for name in self._places.keys() - wanted.keys():
            self._end(self._places.pop(name))
        for name, seat in wanted.items():
            if name not in self._places:
                self._places[name] = self._make_place(seat, now_ms)
        if not self._adopt():
            return
        due = [place for place in self._places.values() if place.is_waiting and now_ms >= place.due_at_ms]
        if self._places and (due or now_ms - self._polled_at_ms >= LEFT_POLL_MS):
            self._polled_at_ms = now_ms
            self._poll_record(now_ms)
        for place in due:
            self._start(place)
        self._report_labels()

    async def stop(self) -> None:
        """End all programs, those of earlier runs included, and wait a moment until that has been done."""
        self._adopt()
        for place in self._places.values():
            self._end(place)
        self._places.clear()
        with suppress(TimeoutError):
            async with asyncio.timeout(END_S):
                while not self._launcher.is_quiet:  # noqa: ASYNC110 # the cluster is asked now and then
                    await asyncio.sleep(END_POLL_S)

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
            place = self._places.get(name)
            if place is not None:
                place.order = replace(place.order, number=program.number)
                if program.is_alive:
                    place.supervision.start()
            elif program.is_alive:
                self._launcher.end(format_key(self._launcher.scope, name, program.number))
        return True

    def _command_of(self, seat: LabelledSeat) -> str | None:
        return self._run.teams[seat.team].command_of(seat.table.pair(seat.seat.side))

    def _make_place(self, seat: LabelledSeat, now_ms: int) -> _ProgramSeat:
        """Return the seat with the order for its program, which stays as the event file gives it now."""
        file, table, command = self._run.file, seat.table, self._command_of(seat)
        assert command is not None
        order = ProgramOrder(
            scope=self._launcher.scope,
            place=seat.place,
            number=0,
            name=name_program(seat.team, seat.seat),
            label=file.labels[seat.team],
            command=command,
            values=CommandValues(
                host=seat.host,
                port=table.ports[seat.seat],
                seat=seat.seat,
                team=seat.team,
                login=format_login(seat.team, file.passphrases.get(seat.team)),
                match=table.match,
                room=table.room.value,
                pair=table.pair(seat.seat.side),
            ),
            table=table.file_name,
            started_in=file.team(seat.team).folder,
            orphan_s=file.config.tables.orphan_s,
        )
        log = f"{seat.seat.title.lower()}-{slug(seat.team)}.log"
        output = OutputFile(file.results / "bots" / table.file_name / log)
        return _ProgramSeat(seat, order, output, Supervision(file.config.table_rules.rejoins_max), due_at_ms=now_ms)

    def _start(self, place: _ProgramSeat) -> None:
        if place.order.label in self._launcher.labels:
            place.order = replace(place.order, number=place.order.number + 1, terms=self._load_terms(place.seat))
            place.left_at_ms = None
            place.supervision.start()
            self._launcher.start(place.order)

    def _load_terms(self, seat: LabelledSeat) -> TableTerms:
        """Load what a program may know about its table when it is started, and how much time is left by then."""
        job, config, side = load_job(self._run.database, seat.table.id), self._run.file.config, seat.seat.side
        rules = config.table_rules
        match_ms = rules.time.match.ms
        if match_ms is not None:
            given = [each.ms for each in job.extensions if each.board is None and each.side in (None, side)]
            match_ms = max(0, match_ms + sum(given) - job.spent_ms[side])
        return TableTerms(
            scoring=config.stage[job.stage - 1].scoring_of_programs if job.stage <= len(config.stage) else "",
            claims=rules.claims,
            call_ms=rules.time.call.ms,
            board_ms=rules.time.board.ms,
            match_ms=match_ms,
        )

    def _end(self, place: _ProgramSeat) -> None:
        if place.is_at_work:
            self._launcher.end(place.order.key)

    def _poll_record(self, now_ms: int) -> None:
        ids = {place.seat.table.id for place in self._places.values()}
        newest = {(each.table_id, each.seat): each for each in load_seatings(self._run.database, ids)}
        begun = count_boards_begun(self._run.database, ids)
        for place in self._places.values():
            table = place.seat.table
            boards = begun.get(table.id, 0)
            if boards != place.boards_begun:
                place.boards_begun = boards
                place.supervision.note_board()
            use = newest.get((table.id, place.seat.seat))
            if use is not None and use.table_attempt == table.attempt:
                self._note_use(place, use, now_ms)

    def _note_use(self, place: _ProgramSeat, use: Seating, now_ms: int) -> None:
        """End a program that has lost its seat and goes on all the same: another one is to take it."""
        if not place.is_at_work:
            place.use = use.connection
        elif use.connection == place.use or use.left_at_ms is None:
            place.left_at_ms = None
        elif place.left_at_ms is None:
            place.left_at_ms = now_ms
        elif now_ms - place.left_at_ms >= LEFT_MS:
            place.left_at_ms, place.use = None, use.connection
            self._launcher.end(place.order.key)

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
        place.left_at_ms = None
        supervision = place.supervision
        if not supervision.note_end(is_counted=news.event is ProgramEvent.ENDED):
            table, again = place.seat.table.place, f"{supervision.starts} times in a row"
            self._run.notify(f"{table}: {news.text}, {again}, and is not started again on {place.order.label}")
        _append(place.output, f"==== {news.text} ====\n")
        place.due_at_ms = now_ms + supervision.delay_ms

    def _report_labels(self) -> None:
        """Tell the organiser which programs wait for a machine, and when they wait no longer."""
        waiting: dict[str, set[str]] = {}
        for place in self._places.values():
            if place.is_waiting and place.order.label not in self._launcher.labels:
                waiting.setdefault(place.order.label, set()).add(place.seat.team)
        for label in waiting.keys() - self._missing:
            teams = ", ".join(sorted(waiting[label]))
            self._run.notify(
                f"no worker or agent is labelled {label}, which the programs of {teams} wait for: start one with "
                f"`tourney cluster agent --labels {label}`; their tables wait for connect_s seconds"
            )
        for label in (self._missing - waiting.keys()) & set(self._launcher.labels):
            self._run.notify(f"a machine labelled {label} is there: programs are started on it")
            self._missing.discard(label)
        self._missing |= waiting.keys()

    # What programs print

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
