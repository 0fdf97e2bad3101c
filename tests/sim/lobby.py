"""A simulated lobby of one seed: visitors come, make games, leave, hang up and come back; its process dies and stops.

The port, the games and the table host are those of `tourney lobby`, in one process on simulated time. After a while
nobody comes any more, and everybody leaves: then every game has to come to its end.
"""

import io
import math
import signal
from collections.abc import Callable
from contextlib import redirect_stderr
from contextvars import Context
from dataclasses import dataclass, replace
from functools import partial
from random import Random
from typing import Any, Final

from tests.sim.loop import Process
from tests.sim.machines import Machine, SimulatedClock, SimulatedScheduler, SimulatedThread
from tests.sim.network import Conditions
from tests.sim.plan import CONDITIONS, SECOND_US
from tests.sim.players import Character, Program, StatefulWords
from tests.sim.stateful_lines import PORT
from tests.sim.store import Failure, MemoryStore, Outage, SimulatedDatabase, memory_store
from tests.sim.world import NAME, World, folder
from tourney.bridge import Seat
from tourney.config import parse_event_file
from tourney.config.lobby import LobbyKind
from tourney.coordinator.lobby_run import LobbyRun, LobbySettings
from tourney.coordinator.open_stage import OpenRun
from tourney.coordinator.seated_runs import SeatedLauncher, SeatedRuns
from tourney.errors import LaunchError, StoreError
from tourney.event.file import EventFile
from tourney.host.host import TableHost
from tourney.host.lobby import LobbyLimits
from tourney.launch.hosts import HostHandle, HostSlots
from tourney.protocol.lines import Overlong
from tourney.protocol.player import PlayerEffect, SendLine
from tourney.protocol.stateful.messages import (
    AucopenMessage,
    ClaimedMessage,
    Extension,
    ExtensionsMessage,
    GamesMessage,
    HelloMessage,
    JoinedMessage,
    LeaveMessage,
    LeftMessage,
    StatefulMessage,
    TrickMessage,
    UndoneMessage,
    format_message,
    parse_server_message,
)
from tourney.protocol.stateful.player import WANTED, ForgetfulPlayer
from tourney.store.control.leases import ProcessIdentity
from tourney.store.draw.reader import load_event
from tourney.store.results.event_results import load_unscored

CHURN_US: Final = (3 * SECOND_US, 8 * SECOND_US)
"""For how long visitors come and go."""

END_US: Final = 60 * SECOND_US
"""Within so long after the last visitor every game is over."""

STOP_US: Final = 10 * SECOND_US

STARTS_MAX: Final = 40
"""The lobby is opened more often only when it ends again and again."""

_LIMITS: Final = LobbyLimits(
    starts_per_name=10_000, starts_per_address=10_000, away_ms=1500, idle_ms=2000, idle_game_ms=4000, start_ms=1000
)
"""Limits as short as they can be, and so many games that nobody is refused one."""

_LOOK_US: Final = 50_000
_RESTART_US: Final = (0, 500_000)


@dataclass(frozen=True, slots=True)
class LobbyPlan:
    """What a seed brings to a lobby."""

    seed: int
    visitors: int
    churn_us: int
    passing: bool
    bots: int
    network: Conditions
    deaths: tuple[int | None, ...]
    """At which effect each process of the lobby dies; those after the last do not."""
    stops_us: tuple[int, ...]
    """When its keeper stops it, as with Ctrl-C; it is opened again soon."""
    outages: tuple[Outage, ...]
    has_words: bool
    """Whether visitors claim, take calls and cards back, ask and talk."""


def lobby_plan_of(seed: int) -> LobbyPlan:
    """The plan of a seed, the same everywhere."""
    chance = Random(f"{seed}|lobby")
    churn_us = chance.randint(*CHURN_US)
    return LobbyPlan(
        seed=seed,
        visitors=chance.randint(2, 9),
        churn_us=churn_us,
        passing=chance.random() < 0.7,
        bots=chance.choice((0, 0, 0, 2, 3)),
        network=chance.choice(CONDITIONS),
        deaths=tuple(
            chance.randint(1, chance.choice((50, 300, 1500))) if chance.random() < share else None
            for share in (0.6, 0.4, 0.2)
        ),
        stops_us=tuple(chance.randint(0, churn_us) for _ in range(chance.choice((0, 0, 1, 2)))),
        outages=(
            (Outage(chance.randint(1, 300), chance.randint(0, SECOND_US), chance.choice(list(Failure))),)
            if chance.random() < 0.3
            else ()
        ),
        has_words=chance.random() < 0.5,
    )


@dataclass(frozen=True, slots=True)
class LobbyOutcome:
    """What came of a seed."""

    plan: LobbyPlan
    faults: tuple[str, ...]
    """What ought not to have happened; the first tells most."""
    lines: int
    games: int
    virtual_s: float
    transcript: tuple[str, ...]
    happened: frozenset[str]


def simulate_lobby(seed: int) -> LobbyOutcome:
    """Keep the lobby of a seed until all its games are over."""
    return _LobbySimulation(lobby_plan_of(seed), memory_store()).play()


def outline_lobby(seed: int) -> LobbyOutcome:
    """The same without what is long and what the lobby says to its log, for whoever runs many."""
    with redirect_stderr(io.StringIO()):
        return replace(simulate_lobby(seed), transcript=())


class _OneProcess(SeatedLauncher):
    """Starts the hosts of a lobby in its process."""

    def __init__(self, machine: Machine, process: Process, *args: Any) -> None:
        whereabouts = machine.add(process)
        make_host: Callable[..., TableHost] = partial(
            TableHost,
            process=whereabouts,
            make_thread=lambda _: SimulatedThread(process.loop, 0),
            slow_sync_ms=math.inf,
        )
        super().__init__(*args, process=whereabouts, make_host=make_host)
        self._machine = machine
        self._name = process.name

    def is_running(self, process: ProcessIdentity) -> bool:
        return not self._machine.process(process).dead

    def new_name(self, number: int, place: HostSlots) -> str:
        return f"{self._name}.{number}"

    def find_host(self, name: str, process: ProcessIdentity, place: str) -> HostHandle:
        return _EarlierHost(name, self._machine.process(process))


class _EarlierHost(HostHandle):
    """A host of an earlier process of the lobby, which ended with it."""

    def __init__(self, name: str, process: Process) -> None:
        super().__init__(name)
        self._process = process

    @property
    def is_over(self) -> bool:
        return self._process.dead

    def how_it_ended(self) -> str:
        return f"table host {self.name} has ended"

    def send_signal(self, number: signal.Signals) -> None:
        raise AssertionError("it is over")


class _VisitingPlayer(ForgetfulPlayer):
    """Takes a seat in a game, or makes one; at times it leaves, and may say words for people at any moment."""

    def __init__(self, name: str, chance: Random, note: Callable[[str], None], *, has_words: bool) -> None:
        super().__init__(name, judge_claim=lambda *_: chance.random() < 0.7)
        self._has_words = has_words
        self._chance = chance
        self._note = note
        self._is_seated = False
        self._next: Seat | None = None
        """The seat after its own, which is in turn when it has called or played."""

    def start(self) -> list[PlayerEffect]:
        words = _WORDS if self._has_words else frozenset()
        return _send(ExtensionsMessage(WANTED | words | {Extension.LEFT, Extension.NOTE}), HelloMessage(self.team))

    def receive_line(self, line: bytes | Overlong) -> list[PlayerEffect]:
        assert isinstance(line, bytes)
        match parse_server_message(line):
            case GamesMessage(games=games) if not self._is_seated:
                return [self._join(games)]
            case JoinedMessage(name=None, position=seat):
                self._is_seated, self._next = True, seat.next
            case AucopenMessage(turn=turn) | TrickMessage(turn=turn) if turn is self._next and self._has_words:
                if self._chance.random() < _UNDO_SHARE:
                    return [SendLine("X-UNDO")]
            case LeftMessage(name=None):
                self._is_seated = False
            case UndoneMessage(is_accepted=True):
                self._note("a call or card is taken back")
            case ClaimedMessage(is_accepted=True):
                self._note("a claim is accepted")
            case _:
                pass
        if self._is_seated and self._has_words and self._chance.random() < _WORD_SHARE:
            answers = super().receive_line(line)
            return [SendLine(self._chance.choice(_SAID)), *answers]
        if self._is_seated and self._chance.random() < _LEAVE_SHARE:
            self._note("a player leaves its game")
            return _send(LeaveMessage())
        return super().receive_line(line)

    def _join(self, games: tuple[str, ...]) -> PlayerEffect:
        """Come back to a seat, join a game that has one, or make a game of any kind."""
        if games and self._chance.random() < _JOIN_SHARE:
            return SendLine(f"JOIN-M {self._chance.choice(games)}")
        return SendLine(self._chance.choice(("JOIN-M", "JOIN-M duplicate", "JOIN-M chicago", "JOIN-M rubber")))


_PATIENT: Final = Character(think_us_max=150_000)
"""As people: what happens around a game comes to the fore, not its calls and cards."""
_LEAVE_SHARE: Final = 0.01
_WORD_SHARE: Final = 0.03
_UNDO_SHARE: Final = 0.4
_WORDS: Final = frozenset({Extension.ASK, Extension.SAY, Extension.GAMES, Extension.READY})
_SAID: Final = (
    *("X-CLAIM", "X-UNDO", "X-UNDO", "X-UNDO", "X-ASK 1", "X-ASK 2", 'X-TELL 1 "x"', "X-SAY hi", "X-READY"),
    *("X-ACCEPT 1", "X-REJECT 1", "X-REJECT 2"),
)
"""What visitors say besides, fit or unfit."""
_JOIN_SHARE: Final = 0.8
_HANG_UP_US: Final = (100_000, 4 * SECOND_US)
_COME_BACK_US: Final = (10_000, 2 * SECOND_US)


def _send(*messages: StatefulMessage) -> list[PlayerEffect]:
    return [SendLine(format_message(message)) for message in messages]


class _VisitorWords(StatefulWords):
    def __init__(self, name: str, chance: Random, note: Callable[[str], None], *, has_words: bool) -> None:
        super().__init__(name)
        self.core = _VisitingPlayer(name, chance, note, has_words=has_words)


def _address_of(name: str) -> str:
    return f"10.0.0.{int(name.split()[1]) + 1}"


def _lobby_file(seed: int) -> EventFile:
    text = (
        f'[event]\nname = "{NAME}"\nresults = "."\nbackup_every_s = 0\n[lobby]\n[deals]\nseed = {seed}\n'
        "[tables]\nlease_s = 2\noutage_s = 5\nwire_log = false\ntrick_pause_ms = 0\n"
    )
    return EventFile(folder() / "lobby.toml", parse_event_file(text, "lobby.toml"))


class _LobbySimulation(World):
    def __init__(self, plan: LobbyPlan, store: MemoryStore) -> None:
        super().__init__(plan.seed, store, _lobby_file(plan.seed), plan.outages, plan.network, passing=plan.passing)
        self.plan = plan
        self._chance = Random(f"{plan.seed}|visitors")
        self._record.may_discard = True
        self._record.has_own_players = plan.bots > 0
        self._machine = Machine("home")
        self._processes: list[Process] = []
        self._run: LobbyRun | None = None
        self._is_closing = False
        self._is_closed = False
        self._are_leaving = False

    def play(self) -> LobbyOutcome:
        plan, loop, faults = self.plan, self.loop, self._witness.faults
        self._open()
        for number in range(plan.visitors):
            loop.call_at_us(self._chance.randint(0, plan.churn_us // 2), self._visit, f"Visitor {number}")
        for at_us in plan.stops_us:
            loop.call_at_us(at_us, self._stop, context=Context())
        loop.call_at_us(plan.churn_us, self._end_churn)
        loop.run_until(lambda: self.is_troubled() or self._are_leaving, plan.churn_us + SECOND_US)
        limit_us = loop.now_us + END_US
        if not self.is_troubled() and not loop.run_until(lambda: self.is_troubled() or self._is_idle(), limit_us):
            faults.append(f"nobody is there, and games go on: {self._rows()}")
        self._is_closing = True
        if not self.is_troubled():
            self._stop()
            if not loop.run_until(lambda: self.is_troubled() or self._is_closed, loop.now_us + STOP_US):
                faults.append("the lobby does not close")
        for process in self._processes:
            process.kill()
        if not self.is_troubled():
            self._store.recover()  # the lobby may have closed while the database was down
            self._check_end()
        games = self._store.query("SELECT count(*) FROM matches")[0][0]
        assert isinstance(games, int)
        return LobbyOutcome(
            plan,
            (*loop.errors, *faults),
            self._witness.lines,
            games,
            loop.now_us / SECOND_US,
            tuple(self._witness.transcript),
            frozenset(self.happened | self._network.happened),
        )

    def _rows(self) -> list[tuple[object, ...]]:
        return self._store.query("SELECT id, state, host, reason, doing FROM tables WHERE state <> 'finished'")

    def _is_idle(self) -> bool:
        return not self._store.is_down and not load_unscored(self._database, 1)

    def _check_end(self) -> None:
        self._record.check_whole()
        self.check_audit(self.load_event())

    # The lobby

    def _open(self) -> None:
        number, plan, loop = len(self._processes), self.plan, self.loop
        if number == STARTS_MAX:
            self._witness.faults.append(f"the lobby has been opened {STARTS_MAX} times")
        process = Process(loop, f"lobby-{number + 1}", plan.deaths[number] if number < len(plan.deaths) else None)
        process.on_death.append(partial(self._network.forget, process))
        process.on_death.append(partial(self._died, process))
        self._processes.append(process)
        task = process.start(self._keep(process))
        task.add_done_callback(partial(self._ended, process), context=Context())

    async def _keep(self, process: Process) -> None:
        database = SimulatedDatabase(self._store, process)
        make_launcher = partial(_OneProcess, self._machine, process)
        make_runs = partial(SeatedRuns, database, loop=self.loop, make_launcher=make_launcher)
        clock = SimulatedClock(self.loop)
        make_games: Callable[..., OpenRun] = partial(OpenRun, scheduler=SimulatedScheduler(self.loop, clock))
        event = load_event(database, NAME)
        assert event is not None
        settings = LobbySettings(
            host="127.0.0.1",
            port=PORT,
            kind=LobbyKind.DUPLICATE,
            limits=self._limits(),
        )
        run = LobbyRun(
            self._file,
            database,
            event,
            settings,
            self._notify,
            clock=clock,
            listen=self._network.listen,
            make_runs=make_runs,
            make_games=make_games,
        )
        self._run = run
        await run.run()

    def _limits(self) -> LobbyLimits:
        limits: dict[str, Any] = {name: getattr(_LIMITS, name) for name in _LIMITS.__dataclass_fields__}
        return LobbyLimits(**(limits | {"bots": self.plan.bots}))

    def _notify(self, sentence: str) -> None:
        self._witness.transcript.append(f"{self.loop.now_us} the lobby: {sentence}")

    def _stop(self) -> None:
        """Ctrl-C."""
        process = self._processes[-1]
        if process.dead:
            self._is_closed = self._is_closing
        elif self._run is not None:
            self.happened.add("stopped")
            self.loop.call_soon(self._run.stop, context=process.context)

    def _ended(self, process: Process, task: Any) -> None:
        error = task.exception()
        if process.dead:
            return
        process.on_death.clear()
        process.kill()
        self._network.forget(process)
        self._notify(f"ends with {error!r}")
        is_known = error is None or (isinstance(error, StoreError | LaunchError) and bool(self.plan.outages))
        if not is_known or "an error of ours" in str(error):
            self._witness.faults.append(f"the lobby ends with {error!r}")
        self._open_again()

    def _died(self, process: Process) -> None:
        if process.died is not None:
            self.happened.add(f"death {process.died}")
        self._open_again()

    def _open_again(self) -> None:
        if self._is_closing:
            self._is_closed = True
            return
        self.loop.call_at_us(self.loop.now_us + self._chance.randint(*_RESTART_US), self._open, context=Context())

    # Visitors

    def _end_churn(self) -> None:
        self._are_leaving = True
        self._network.calm = True

    def _visit(self, name: str) -> None:
        """A visitor connects, if the lobby is open; it hangs up after a while, and comes back."""
        if self._are_leaving:
            return
        chance, loop = self._chance, self.loop
        words = _VisitorWords(name, chance, self.happened.add, has_words=self.plan.has_words)
        programs: list[Program] = []

        def make() -> Program:
            program = Program(loop, words, self._strategy, _PATIENT, chance, lambda _, reason: gone(reason))
            programs.append(program)
            return program

        def gone(reason: str | None) -> None:
            if reason is not None and reason.startswith("the table sent"):
                self._witness.faults.append(f"{name}: {reason}")
            loop.call_at_us(loop.now_us + chance.randint(*_COME_BACK_US), self._visit, name, context=Context())

        if not self._network.connect(PORT, make, _address_of(name)):
            gone(None)
            return
        lasts_us = chance.randint(*_HANG_UP_US)
        leaves_us = min(loop.now_us + lasts_us, self.plan.churn_us) if chance.random() < 0.5 else self.plan.churn_us
        loop.call_at_us(leaves_us, self._hang_up, programs[0], context=Context())

    def _hang_up(self, program: Program) -> None:
        self.happened.add("a player hangs up")
        program.hang_up()
