"""A whole event of one seed: runs, hosts, players, network and store in one thread, on a time of their own."""

import hashlib
import io
from collections.abc import Callable, Sequence
from contextlib import redirect_stderr
from contextvars import Context
from dataclasses import dataclass, replace
from functools import partial
from itertools import accumulate
from random import Random

from tests.sim.bounds import ProgressChecker
from tests.sim.directors import Directors
from tests.sim.hosts import Hosts
from tests.sim.organiser import Organiser
from tests.sim.owners import Owner, Stranger
from tests.sim.plan import SECOND_US, Part, Plan, Shape, Verb, plan_of
from tests.sim.players import Program
from tests.sim.stateful_lines import PORT
from tests.sim.store import MemoryStore, memory_store
from tests.sim.world import NAME, World, folder
from tourney.bridge import SEATS, Seat
from tourney.config import Durability, parse_event_file
from tourney.contest.draw import MatchInfo
from tourney.errors import StoreError
from tourney.event.file import EventFile
from tourney.host.front_door import LINK_FILE
from tourney.movement.seating import TableInfo, TableState
from tourney.plurals import seconds
from tourney.protocol.session.records import RulingKind
from tourney.protocol.session.rules import TableRules, TimeRules
from tourney.store.control.host_settings import HostSettings, SandboxSettings
from tourney.store.control.orders import give_orders, load_extensions, load_outcomes
from tourney.store.draw.objects import EventInfo
from tourney.store.models import OrderKind
from tourney.store.results.event_results import load_unscored

TEAMS = ("Alpha", "Beta", "Gamma", "Delta")

LIMIT_US = 120 * SECOND_US
"""So long an event of two boards may take, whatever goes wrong."""

HOPELESS_US = 5 * SECOND_US
"""How long one is watched whose store stays away."""

STOP_US = 10 * SECOND_US
"""How long hosts may take to stop once the last run has ended."""

CALM_US = 15 * SECOND_US
"""From then on the network breaks nothing."""

BOARD_S = 60
MATCH_S = 100
"""The limits of thinking time where there are any: more than anybody uses, whom the table waits for a second."""

_LIMITS = f'[clock]\nboard_s = {BOARD_S}\nmatch_s = {MATCH_S}\nremedy = "warn"\n'

_LOOK_US = 50_000
"""How often somebody looks whether there are new tables."""

_RETRY_US = 100_000
"""After which the director tries again to have a table go on."""

_RULES = TableRules(TimeRules(stall_ms=1000, ready_ms=1000, absence_ms=2500, rejoin_ms=2500))
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
        """A hash of every byte of the record and the transcript."""
        return hashlib.sha256("\n".join((self.record, *self.transcript)).encode()).hexdigest()


def simulate(seed: int) -> Outcome:
    """Play the event of a seed to its end."""
    return _Simulation(plan_of(seed), memory_store()).play()


def outline(seed: int) -> Outcome:
    """The same without what is long and what hosts say to their logs, for whoever runs many."""
    with redirect_stderr(io.StringIO()):
        return replace(simulate(seed), record="", transcript=())


class SimulatedEventFile(EventFile):
    """An event file whose limits are shorter than one may set them."""

    __slots__ = ()

    @property
    def host_settings(self) -> HostSettings:
        settings = super().host_settings
        limits = settings.rules.time
        rules = replace(_RULES, time=replace(_RULES.time, board=limits.board, match=limits.match))
        return replace(settings, rules=rules, folder=".", results_folder=str(folder()), sandbox=SandboxSettings())


def _event_file(plan: Plan) -> EventFile:
    stage, teams = plan.shape.value
    names = TEAMS[:teams]
    entrant = "pair" if plan.shape is Shape.PAIRS else "team"
    boards = "" if plan.shape.has_own_length else f"boards_per_match = {plan.boards}\n"
    text = (
        f'[event]\nname = "{NAME}"\nresults = "."\nbackup_every_s = 0\n'
        + "".join(
            f'[[{entrant}]]\nname = "{name}"\n'
            + ('protocol = "stateful"\n' if number in plan.stateful else f'profile = "{plan.profile}"\n')
            for number, name in enumerate(names)
        )
        + (f"[stateful]\nport = {PORT}\n" if plan.stateful else "")
        + f"[[stage]]\n{boards}{stage}\n[deals]\nseed = {plan.seed}\n[tables]\n"
        + f'trick_pause_ms = 0\nports = "2000-2099"\nport_plan = "{plan.port_plan.value}"\nwire_log = false\n'
        + f'lease_s = 2\norphan_s = 5\noutage_s = 1\n[record]\ndurability = "{plan.durability.value}"\n'
        + (_LIMITS if plan.has_limits else "")
    )
    path = folder() / "event.toml"
    path.unlink(missing_ok=True)
    if any(act.verb is Verb.EDIT for act in plan.acts):  # a run that finds a file looks at it all the time
        path.write_text(text, "utf-8")
    return SimulatedEventFile(path, parse_event_file(text, "event.toml"))


class _Simulation(World):
    def __init__(self, plan: Plan, store: MemoryStore) -> None:
        before_cut = plan.power_cut.after if plan.power_cut is not None else None
        file, faults = _event_file(plan), (plan.outages, plan.network)
        super().__init__(plan.seed, store, file, *faults, passing=plan.passing, before_cut=before_cut)
        self.plan = plan
        self._is_power_failing = False
        self._chance = Random(f"{plan.seed}|director")
        store.on_power_cut = self._have_power_cut
        self._tables: list[TableInfo] = []
        self._record.may_replay = bool(plan.acts)  # and so when a board is settled whose ruling was withdrawn
        self._progress = ProgressChecker(store, _RULES)
        self.loop.loopback = self._network
        (folder() / LINK_FILE).unlink(missing_ok=True)  # of the event before
        part = Part(plan, self.loop, store, file, self.complain, self.note, self._told)
        self._hosts = Hosts(part, self._network, self._event.id)
        self.may_reopen = plan.takes_back
        self._directors = Directors(part, self._is_over)
        self._organiser = Organiser(part, self._hosts, self._directors.settle)

    # The event

    def play(self) -> Outcome:
        plan, loop = self.plan, self.loop
        self._organiser.begin()
        self._find_tables()
        for at_us in plan.strangers_us:
            loop.call_at_us(at_us, self._visit)
        for place, (pause_us, resume_us) in enumerate(plan.pauses_us):
            table = self._tables[place]
            loop.call_at_us(pause_us, self._order, table, OrderKind.PAUSE)
            loop.call_at_us(resume_us, self._order, table, OrderKind.RESUME)
        for at_us in plan.kicks_us:
            loop.call_at_us(at_us, self._order, self._chance.choice(self._tables), OrderKind.KICK)
        self._directors.begin()
        loop.call_at_us(CALM_US, self._calm)
        self._look_at_progress()
        is_troubled = self.is_troubled
        finished = loop.run_until(
            lambda: is_troubled() or self._organiser.is_finished, HOPELESS_US if plan.is_hopeless else LIMIT_US
        )
        self._organiser.close()
        if finished and not is_troubled():
            limit_us = loop.now_us + STOP_US
            if not loop.run_until(lambda: is_troubled() or not self._hosts.living, limit_us):
                names = [host.name for host in self._hosts.living]
                self._witness.faults.append(f"the event is over and hosts {names} go on")
        self._organiser.kill_all()
        self._directors.close()
        self._store.recover()
        if not self._witness.faults:
            self._check_end(finished=finished)
        return Outcome(
            plan,
            (*loop.errors, *self._witness.faults),
            finished,
            loop.now_us / SECOND_US,
            loop.steps,
            self._witness.lines,
            self._store.dump().replace(str(folder()), "results"),  # another one in each process
            tuple(self._witness.transcript),
            frozenset(self.happened | self._network.happened),
        )

    def _check_end(self, *, finished: bool) -> None:
        faults = self._witness.faults
        self._record.check_whole()
        if self.plan.is_hopeless:
            return
        if not finished:
            rows = self._store.query("SELECT id, state, host, reason, doing FROM tables")
            faults.append(f"not finished within {self.loop.now_us // SECOND_US} s: {rows}")
            return
        event = self.load_event()
        self.check_audit(event)
        self._check_extensions(event)
        unscored = load_unscored(self._database, event.id)
        if unscored:
            faults.append(f"a run has ended with nothing left, and matches {sorted(unscored)} have no score")
        for match in event.matches:
            forfeits = self._store.query(
                "SELECT count(*) FROM rulings WHERE match_id = ? AND kind = 'match-forfeit'", match.id
            )
            if forfeits != [(0,)]:
                self.happened.add("match forfeit")
            elif not self._is_ruled_on(match):
                self._check_finished(match.tables)

    def _is_ruled_on(self, match: MatchInfo) -> bool:
        """Whether rulings may have given it a score before all its boards were played."""
        on_boards = tuple(kind for kind in RulingKind if kind.scores_board)
        given = self._store.query(
            "SELECT kind FROM rulings WHERE match_id = ? AND author IN ('Ada', 'Ben')", match.id
        )
        return any(kind in on_boards for (kind,) in given)

    def _check_extensions(self, event: EventInfo) -> None:
        """Every table has counted each extension once, whatever host has read or acted on it, and how often."""
        given = load_extensions(self._database, event.id)
        outcomes = load_outcomes(self._database, [each.id for each in given])
        for each in given:
            outcome = outcomes.get(each.id, "")
            if not outcome.startswith("each side has "):
                continue
            what = "the match" if each.board is None else f"board {each.board}"
            here = [
                other
                for other in given
                if (other.match, other.room, other.board) == (each.match, each.room, each.board)
            ]
            base_s = MATCH_S if each.board is None else BOARD_S
            # A host that takes up the table knows those too that it has not acted on yet.
            by_order = sorted(here, key=lambda other: other.id)
            known = accumulate(other.seconds for other in by_order)
            totals = [total for total, other in zip(known, by_order, strict=True) if other.id >= each.id]
            words = {f"each side has {seconds(base_s + total)} for {what}" for total in totals}
            if outcome not in words:
                self._witness.faults.append(f"order {each.id} came to {outcome!r}, and not to one of {sorted(words)}")

    def _check_finished(self, tables: Sequence[TableInfo]) -> None:
        """All boards have come to an end."""
        for table in tables:
            boards = [key[1] for key, tried in self._record.attempts.items() if key[0] == table.id and tried.is_final]
            if len(boards) != table.boards:
                self._witness.faults.append(f"table {table.place} has ended with boards {boards} of {table.boards}")

    # The director

    def _order(self, table: TableInfo, kind: OrderKind) -> None:
        """Ask something of a table; that it may go on, until the store has taken it."""
        seat = self._chance.choice(SEATS) if kind is OrderKind.KICK else None
        is_free = kind is OrderKind.KICK and self._chance.choice((False, True))
        now_ms = self._clock.now_ms()
        try:
            give_orders(
                self._database,
                [table.id],
                kind,
                author="the director",
                now_ms=now_ms,
                seat=seat,
                no_forfeit=is_free,
            )
        except StoreError:
            if kind is OrderKind.RESUME:
                self.loop.call_at_us(self.loop.now_us + _RETRY_US, self._order, table, kind)
        else:
            self.happened.add(kind.value)

    # The rest of the world

    def _find_tables(self) -> None:
        """Programs are started for tables that have been drawn since the last look."""
        if self._organiser.is_closing:
            return
        self.loop.call_at_us(self.loop.now_us + _LOOK_US, self._find_tables)
        if self._store.is_down or self._store.query("SELECT count(*) FROM tables") == [(len(self._tables),)]:
            return
        known = {table.id for table in self._tables}
        tables = [table for match in self.load_event().matches for table in match.tables if table.id not in known]
        for place, table in enumerate(tables, len(known)):
            self._tables.append(table)
            for seat in SEATS:
                characters = self.plan.characters.get((place, seat), ())
                chance = Random(f"{self.plan.seed}|{table.place}|{seat.letter}")
                Owner(self, table, seat, characters, self.plan.usual, self._strategy, chance).begin()

    def _look_at_progress(self) -> None:
        """No table stands still."""
        self.loop.call_at_us(self.loop.now_us + _LOOK_US, self._look_at_progress)
        living = self._hosts.living  # none after a power cut, until the next run has started some
        ignores_next_line = self._store.is_down or not living or any(host.process.frozen for host in living)
        for fault in self._progress.find_faults(self.loop.now_us, ignores_next_line=ignores_next_line):
            self.complain(fault)

    def _calm(self) -> None:
        self._network.calm = True

    def _have_power_cut(self) -> None:
        """The power fails as soon as what is being done now is done."""
        if not self._is_power_failing:
            self._is_power_failing = True
            self.loop.call_soon(self._cut_power, context=Context())

    def _cut_power(self) -> None:
        """The power fails; later if there would be little to lose yet."""
        cut = self.plan.power_cut
        assert cut is not None
        if self.plan.durability is not Durability.FULL and self._store.unsynced < cut.unsynced:
            self._is_power_failing = False
            return
        self._organiser.kill_processes()
        self._store.cut_power(self._chance)
        lost = self._record.set_back()
        self.happened.add("power cut, calls or cards lost" if lost else "power cut")
        self._told(f"a power cut takes {lost} calls and cards")
        if lost and self.plan.durability is Durability.FULL:
            self.complain(f"a power cut has taken {lost} calls and cards that were to be on the disk")

    def _visit(self) -> None:
        """Somebody who is no player connects."""
        ports = self._store.query("SELECT port_south FROM tables WHERE port_south IS NOT NULL")
        if not ports:
            return
        (port,) = self._chance.choice(ports)
        assert isinstance(port, int)
        self._network.connect(port, partial(Stranger, self._chance))
        self.happened.add("stranger")

    def _is_over(self) -> bool:
        return self._organiser.is_finished or self._organiser.is_closing

    # What owners of programs ask and tell

    def seat(self, table: TableInfo, seat: Seat, make: Callable[[], Program]) -> bool:
        """Connect a program to its table, where it is open."""
        ((state, port),) = self._store.query(
            f"SELECT state, port_{seat.title.lower()} FROM tables WHERE id = ?", table.id
        )
        if state not in (TableState.OPEN, TableState.PLAYING):
            return False
        assert isinstance(port, int)
        return self._network.connect(PORT if self.speaks_stateful(table.team(seat.side)) else port, make)

    def is_finished(self, table: TableInfo) -> bool:
        ((state,),) = self._store.query("SELECT state FROM tables WHERE id = ?", table.id)
        return self._is_over() or state == TableState.FINISHED

    def speaks_stateful(self, team: str) -> bool:
        return TEAMS.index(team) in self.plan.stateful

    def note(self, event: str) -> None:
        self.happened.add(event)

    def complain(self, fault: str) -> None:
        self._witness.faults.append(fault)

    def _told(self, sentence: str) -> None:
        self._witness.transcript.append(f"{self.loop.now_us} {sentence}")
