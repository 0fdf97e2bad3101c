"""A whole event of one seed: hosts, players, network, store and coordinator in one thread, on a time of their own."""

import hashlib
import io
from collections.abc import Callable
from contextlib import redirect_stderr
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from random import Random

from tests.sim.chairs import Chair, Stranger
from tests.sim.coordinator import LOOK_S, START_MS, Coordinator, SimulatedClock
from tests.sim.loop import SimulatedLoop
from tests.sim.network import Network
from tests.sim.plan import SECOND_US, Plan, plan_of
from tests.sim.players import PassingStrategy, Program
from tests.sim.record import GrowingRecord
from tests.sim.store import MemoryStore, SimulatedDatabase, memory_store
from tests.sim.witness import Witness
from tourney.bots.random_style import RandomStrategy
from tourney.bridge import SEATS, Board, Seat
from tourney.config import parse_event_file
from tourney.coordinator.draw.drawing import draw_event
from tourney.errors import StoreError
from tourney.event.file import EventFile
from tourney.movement.seating import Room
from tourney.protocol.session.rules import TableRules, TimeRules
from tourney.store.control.host_settings import HostSettings
from tourney.store.control.orders import give_orders
from tourney.store.draw.objects import TableInfo
from tourney.store.draw.reader import load_event
from tourney.store.draw.writer import save_draw
from tourney.store.models import OrderKind, TableState

LIMIT_US = 120 * SECOND_US
"""So long an event of two boards may take, whatever goes wrong."""

HOPELESS_US = 5 * SECOND_US
"""How long one is watched whose store stays away."""

STOP_US = 10 * SECOND_US
"""How long a host may take to stop."""

CALM_US = 15 * SECOND_US
"""From then on the network breaks nothing."""

_RULES = TableRules(TimeRules(stall_ms=1000, ready_ms=1000, absence_ms=2500))
"""Limits as short as they can be: what a table waits for costs looks at the database."""


@dataclass(frozen=True)
class Outcome:
    """What came of a seed."""

    plan: Plan
    faults: tuple[str, ...]
    """What ought not to have happened; the first tells most."""
    finished: bool
    virtual_s: float
    steps: int
    lines: int
    record: str
    """All rows, as SQL."""
    transcript: tuple[str, ...]
    """All that was written and read, with its time in microseconds and the number of its connection."""
    happened: frozenset[str]
    """Which faults came to pass."""

    @property
    def digest(self) -> str:
        """Of every byte of the record and the transcript."""
        return hashlib.sha256("\n".join((self.record, *self.transcript)).encode()).hexdigest()


def simulate(seed: int) -> Outcome:
    """Play the event of a seed to its end."""
    return _Simulation(plan_of(seed), memory_store()).play()


def outline(seed: int) -> Outcome:
    """The same without what is long and what hosts say to their logs, for whoever runs many."""
    with redirect_stderr(io.StringIO()):
        return replace(simulate(seed), record="", transcript=())


class _Simulation:
    def __init__(self, plan: Plan, store: MemoryStore) -> None:
        self.plan = plan
        self.happened: set[str] = set()
        self._chance = Random(f"{plan.seed}|coordinator")
        self.loop = SimulatedLoop()  # type: ignore[abstract] # what it lacks, nothing here asks for
        self._clock = SimulatedClock(self.loop)
        self._store = store
        store.reset(list(plan.outages), lambda: self.loop.now_us)
        self._database = SimulatedDatabase(store, None)
        event_id, settings, self._tables, boards = self._draw()
        record = GrowingRecord(store, boards)
        store.on_commit = record.read_on
        store.on_failure = lambda failure: self.note(f"outage, {failure}")
        self._record = record
        self._witness = Witness(store, record)
        self._network = Network(self.loop, plan.weather, Random(f"{plan.seed}|network"), self._witness)
        self._coordinator = Coordinator(
            *(plan, self.loop, store, self._network, event_id, settings, self._tables, self.complain, self.note)
        )

    def _draw(self) -> tuple[int, HostSettings, list[TableInfo], tuple[Board, ...]]:
        """Draw the event; its id, what its hosts need to know, its tables that are played, and its boards."""
        plan = self.plan
        text = (
            f'[event]\nname = "Simulated"\n[[team]]\nname = "Alpha"\nprofile = "{plan.profile}"\n'
            f'[[team]]\nname = "Beta"\nprofile = "{plan.profile}"\n[[stage]]\nboards_per_match = {plan.boards}\n'
            f'[deals]\nseed = {plan.seed}\n[tables]\ntrick_pause_ms = 0\nports = "2000-2039"\nwire_log = false\n'
        )
        event_file = EventFile(Path("event.toml"), parse_event_file(text, "event.toml"))
        draw = draw_event(event_file.config, None, "")
        save_draw(self._database, draw, START_MS)
        event = load_event(self._database, "Simulated")
        assert event is not None
        settings = replace(event_file.host_settings, rules=_RULES, port_plan=plan.port_plan, lease_s=2, outage_s=1)
        tables = event.matches[0].tables_at(0)
        (boards,) = draw.board_sets.values()
        return event.id, settings, [tables[room] for room in (Room.OPEN, Room.CLOSED)[: plan.rooms]], boards

    # The run

    def play(self) -> Outcome:
        plan, loop = self.plan, self.loop
        self._coordinator.begin()
        strategy = (PassingStrategy if plan.passing else RandomStrategy)(plan.seed)
        for place, table in enumerate(self._tables):
            for seat in SEATS:
                characters = plan.characters.get((place, seat), ())
                chance = Random(f"{plan.seed}|{table.place}|{seat.letter}")
                Chair(self, table, seat, characters, strategy, chance).begin()
        for at_us in plan.strangers_us:
            loop.call_at_us(at_us, self._visit)
        for pause_us, resume_us in plan.pauses_us:
            table = self._chance.choice(self._tables)
            loop.call_at_us(pause_us, self._order, table, OrderKind.PAUSE)
            loop.call_at_us(resume_us, self._order, table, OrderKind.RESUME)
        for at_us in plan.kicks_us:
            loop.call_at_us(at_us, self._order, self._chance.choice(self._tables), OrderKind.KICK)
        loop.call_at_us(CALM_US, self._calm)
        is_troubled = self._is_troubled
        finished = loop.run_until(
            lambda: is_troubled() or self._coordinator.is_finished, HOPELESS_US if plan.is_hopeless else LIMIT_US
        )
        self._coordinator.close()
        if not is_troubled() and not plan.is_hopeless:
            self._coordinator.stop_hosts()
            limit_us = loop.now_us + STOP_US
            if not loop.run_until(lambda: is_troubled() or not self._coordinator.has_hosts, limit_us):
                self._witness.faults.append("a host that was told to stop goes on")
        self._coordinator.kill_hosts()
        if not self._witness.faults:
            self._check_end(finished=finished)
        return Outcome(
            plan,
            (*loop.errors, *self._witness.faults),
            finished,
            loop.now_us / SECOND_US,
            loop.steps,
            self._witness.lines,
            self._store.dump(),
            tuple(self._witness.transcript),
            frozenset(self.happened | self._network.happened),
        )

    def _is_troubled(self) -> bool:
        return bool(self._witness.faults or self.loop.errors)

    def _check_end(self, *, finished: bool) -> None:
        faults = self._witness.faults
        self._record.check_whole()
        if self.plan.is_hopeless:
            return
        if not finished:
            rows = self._store.query("SELECT id, state, host, reason, doing FROM tables")
            faults.append(f"not finished within {self.loop.now_us // SECOND_US} s: {rows}")
            return
        for table in self._tables:
            self._check_finished(table)

    def _check_finished(self, table: TableInfo) -> None:
        """All boards have come to an end, unless a team has lost the match by rule."""
        forfeits = self._store.query(
            "SELECT count(*) FROM rulings WHERE table_id = ? AND kind = 'match-forfeit'", table.id
        )
        boards = [key[1] for key, attempt in self._record.attempts.items() if key[0] == table.id and attempt.is_final]
        if forfeits == [(0,)] and len(boards) != self.plan.boards:
            self._witness.faults.append(f"table {table.place} is over with boards {boards} of {self.plan.boards}")
        if forfeits != [(0,)]:
            self.happened.add("match forfeit")

    # The director

    def _order(self, table: TableInfo, kind: OrderKind) -> None:
        """Ask something of a table; that it may go on, until the store has taken it."""
        seat = self._chance.choice(SEATS) if kind is OrderKind.KICK else None
        now_ms = self._clock.now_ms()
        try:
            give_orders(self._database, [table.id], kind, author="the director", now_ms=now_ms, seat=seat)
        except StoreError:
            if kind is OrderKind.RESUME:
                self.loop.call_later(LOOK_S, self._order, table, kind)
        else:
            self.happened.add(kind.value)

    # The rest of the world

    def _calm(self) -> None:
        self._network.calm = True

    def _visit(self) -> None:
        """Somebody who is no player connects."""
        ports = self._store.query("SELECT port_south FROM tables WHERE port_south IS NOT NULL")
        if not ports:
            return
        (port,) = self._chance.choice(ports)
        assert isinstance(port, int)
        self._network.connect(port, partial(Stranger, self._chance))
        self.happened.add("stranger")

    # What chairs ask and tell

    def seat(self, table: TableInfo, seat: Seat, make: Callable[[], Program]) -> bool:
        """Connect a program to its table, where it is open."""
        ((state, port),) = self._store.query(
            f"SELECT state, port_{seat.title.lower()} FROM tables WHERE id = ?", table.id
        )
        if state not in (TableState.OPEN, TableState.PLAYING):
            return False
        assert isinstance(port, int)
        return self._network.connect(port, make)

    def is_finished(self, table: TableInfo) -> bool:
        ((state,),) = self._store.query("SELECT state FROM tables WHERE id = ?", table.id)
        return self._coordinator.is_closing or state == TableState.FINISHED

    def note(self, event: str) -> None:
        self.happened.add(event)

    def complain(self, fault: str) -> None:
        self._witness.faults.append(fault)
