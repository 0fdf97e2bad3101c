"""`tourney run` on simulated time: for tests of what comes of an event, where its processes are not the point.

    done = run_simulated(event)  # as tourney("run", event) of tests/support/events.py

The command, the run, the hosts, their tables, the database and the files are the real ones. Simulated are the
processes of hosts, the sockets, and the programs, whose commands have the words of `tourney bot`: all in one thread,
on a time of their own (tests/sim). An event of six tables takes half a second of processor time, not five.
"""

import asyncio
import io
import math
import signal
import sqlite3
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, redirect_stderr, redirect_stdout
from contextvars import Context
from functools import partial
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

from click.testing import CliRunner, Result

from tests.sim.hosts import SimulatedHost
from tests.sim.loop import Process, SimulatedLoop
from tests.sim.machines import START_MS, Machine, SimulatedClock, SimulatedScheduler, SimulatedThread
from tests.sim.network import Conditions, End, Network
from tests.sim.players import BlueChipWords, Character, Program, StatefulWords, Words
from tests.support import commands, conversation
from tests.support.events import Finished
from tourney.bots import strategy_of
from tourney.cli.main import cli
from tourney.config.command import expand_command
from tourney.coordinator.event_run import EventRun
from tourney.coordinator.run_context import RunSink
from tourney.event.file import EventFile
from tourney.host.host import TableHost
from tourney.host.host_process import HostLocation
from tourney.launch.bots import ProgramSpec
from tourney.launch.hosts import HostHandle, HostSlots, Launcher
from tourney.runtime.clock import wall_ms
from tourney.store.control.host_settings import load_settings
from tourney.store.control.leases import ProcessIdentity
from tourney.store.db.database import Database
from tourney.store.draw.objects import EventInfo

LIMIT_US = 600 * 1_000_000
"""No event of a test takes ten minutes, even of simulated time."""

LOOK_US = 50_000
"""How often the conditions of a test's steps are looked at."""

PATIENCE_S = 600.0
"""How long a program waits for a line."""

KILLED = "the run was killed"

Step = tuple[Callable[[], bool], Callable[[], object]]
"""What is done in the course of a run, and what it waits for."""


class RunKilledError(BaseException):
    """Unwinds a run that is killed; what it had of the system is free, as that of a killed process is."""


class NoWitness:
    """Watches no line."""

    def wrote(self, end: End, data: bytes) -> None:
        """Do nothing."""

    def heard(self, end: End, data: bytes) -> None:
        """Do nothing."""


class RunLoop(SimulatedLoop):
    """The loop of everything; its signals are those of the run."""

    def __init__(self) -> None:
        super().__init__()
        self.handlers: dict[int, Callable[[], None]] = {}

    def add_signal_handler(self, number: int, handler: Callable[..., None], *given: int) -> None:  # type: ignore[override]
        """Keep what a signal to the run does."""
        self.handlers[number] = partial(handler, *given)


class SimulatedBot:
    """A program of a table, in place of `tourney.launch.bots.BotProcess`."""

    def __init__(self, rig: "SimulatedRuns", spec: ProgramSpec) -> None:
        self.name = spec.name
        self._rig = rig
        self._port, self._seat = spec.values.port, spec.values.seat
        words = expand_command(spec.command, spec.values.by_placeholder(), str)
        self._team = _option(words, "--team", spec.values.team)
        self._style, self._seed = _option(words, "--style", "basic"), int(_option(words, "--seed", "1"))
        self._is_stateful = "--protocol" in words
        self._think_ms = int(_option(words, "--think-ms", "0"))
        self._program: Program | None = None
        self._ended: asyncio.Future[int]

    async def start(self) -> None:
        """Connect another program."""
        self._ended = asyncio.get_running_loop().create_future()
        words: Words = StatefulWords(self._team) if self._is_stateful else BlueChipWords(self._seat, self._team)
        character = Character(think_us_max=2000 * self._think_ms)
        strategy, chance = strategy_of(self._style, self._seed), Random(self._seed)
        self._program = Program(
            self._rig.loop, words, strategy, character, chance, self._note_end, patience_s=PATIENCE_S
        )
        if not self._rig.network.connect(self._port, lambda: self._program):  # type: ignore[arg-type,return-value]
            self._ended.set_result(1)

    def _note_end(self, _: Program, reason: str | None) -> None:
        if not self._ended.done():
            self._ended.set_result(0 if reason is None else 1)

    async def wait(self) -> int:
        """Wait for its end."""
        return await asyncio.shield(self._ended)

    async def end(self) -> None:
        """End it."""
        if self._program is not None and not self._ended.done():
            self._program.hang_up()

    async def release(self) -> None:
        """End it with its table."""
        await self.end()

    @property
    def is_over(self) -> bool:
        """Whether it has ended."""
        return self._ended.done()

    def how_it_ended(self) -> str:
        """Describe its end."""
        return f"ended with status {self._ended.result()}"


def query(event: object, sql: str) -> list[tuple[Any, ...]]:
    """Read the record of an event, which is in the folder `results` beside its file."""
    with closing(sqlite3.connect(Path(str(event)).parent / "results" / "event.db")) as record:
        return record.execute(sql).fetchall()


def _option(words: Sequence[str], name: str, default: str) -> str:
    return words[words.index(name) + 1] if name in words else default


class _RunLauncher(Launcher):
    """Starts simulated hosts for one run."""

    def __init__(self, rig: "SimulatedRuns", run: Process, file: EventFile, event_id: int) -> None:
        super().__init__(rig.machine.add(run))
        self._rig = rig
        self._run = run
        self._file = file
        self._event_id = event_id

    def is_running(self, process: ProcessIdentity) -> bool:
        return not self._rig.machine.process(process).dead

    def start_host(self, name: str, place: HostSlots) -> HostHandle:
        return self._rig.start_host(name, self._run, self._file, self._event_id)

    def find_host(self, name: str, process: ProcessIdentity, place: str) -> HostHandle | None:
        found = self._rig.machine.process(process)
        return next(host for host in self._rig.hosts if host.process is found)


class SimulatedRuns:
    """A machine on which an event is run, stopped, killed and run again."""

    def __init__(self) -> None:
        self.loop = RunLoop()  # type: ignore[abstract] # what it lacks, nothing here asks for
        self.network = Network(self.loop, Conditions(), Random(1), NoWitness())
        self.loop.loopback = self.network
        self.machine = Machine("home")
        self.hosts: list[SimulatedHost] = []
        self.out = io.StringIO()
        """What the command in progress has printed."""
        self.err = io.StringIO()
        self._databases = ExitStack()
        self._ahead_ms = wall_ms() - START_MS
        self._is_killed = False
        self._steps: list[Step] = []

    def close(self) -> None:
        """End all that goes on, and close what it had open."""
        self.kill_hosts()
        self._databases.close()

    def tourney(self, *words: str | Path, steps: Sequence[Step] = ()) -> Finished:
        """Run a command that runs an event to its end: `run EVENT`, `duel NEW OLD`.

        Args:
            words: those of the command.
            steps: what is done meanwhile, one after the other, each once its condition holds.
        """
        self.out, self.err = io.StringIO(), io.StringIO()
        self._is_killed = False
        self._steps = list(steps)
        self.loop.call_at_us(self.loop.now_us, self._look, context=Context())
        status = 0
        with (
            redirect_stdout(self.out),
            redirect_stderr(self.err),
            patch("tourney.coordinator.run_process.EventRun", self._make_run),
            patch("tourney.coordinator.run_process.asyncio.run", self._finish),
            patch("tourney.host.programs.BotProcess", partial(SimulatedBot, self)),
            patch("tourney.runtime.clock.wall_ms", self._clock().now_ms),
            patch("tourney.cli.run.has_extra", return_value=False),  # no process that solves boards beside
            patch("sys.argv", ["tourney", *map(str, words)]),
        ):
            try:
                cli.main([*map(str, words)], prog_name="tourney")
            except SystemExit as end:
                status = int(end.code or 0)
            except RunKilledError as killed:
                status = -signal.SIGKILL
                self.err.write(str(killed))
        assert not self.loop.errors, self.loop.errors
        assert not self._steps, f"the run was over before all steps were taken: {self.out.getvalue()}"
        return Finished(status, self.out.getvalue(), self.err.getvalue())

    def converse(self, script: str, **names: object) -> None:
        """Give commands one after the other, and check what they tell, with `names` for paths and programs:

        ~ run EVENT -> ...                    a command that runs an event, on simulated time
        once it tells round 2: => kill all    done in the course of the next of these, once it has printed this
        once there are 3 results => $ table pause EVENT 1-open -> ...    once there are so many rows of EVENT
        $ standings EVENT -> ...              any other command, see `commands.tell`
        SELECT kind, team FROM ... -> ...     rows on record of EVENT
        the record is sound                   says `tourney verify` of EVENT
        wait 60                               seconds, between two commands

        What is done is a command, `kill`, `kill all`, `kill hosts`, or `interrupt` for Ctrl-C.
        """
        given, planned = {name: str(path) for name, path in names.items()}, list[Step]()

        def run(*words: str, given: str) -> Result:
            steps = [planned.pop(0) for _ in [*planned]]
            done = self.tourney(*words, steps=steps)
            out, err = done.out.encode(), done.err.encode()
            return Result(CliRunner(), out, err, out + err, None, done.status, None)

        def check(step: conversation.Step, line: str, run: Callable[..., Result]) -> None:
            commands.check_told(step, commands.tell(line.removeprefix("$ "), given, run))

        def plan(step: conversation.Step, holds: Callable[[], bool], act: str) -> None:
            is_order = act.startswith("$ ")
            do = partial(check, step, act, self.order) if is_order else getattr(self, act.replace(" ", "_"))
            planned.append((holds, do))

        for step in conversation.steps_of(script):
            what, _, act = step.what.partition(" => ")
            match what.split():
                case ["once", "it", "tells", *_]:
                    plan(step, self.has_told(what.removeprefix("once it tells ")), act)
                case ["once", "there", "are", count, *rows]:
                    plan(step, self.has_rows(given["EVENT"], int(count), " ".join(rows)), act)
                case ["wait", seconds]:
                    self.wait(float(seconds))
                case ["SELECT", *_]:
                    step.check([" ".join(map(str, row)) for row in query(given["EVENT"], what)])
                case ["the", "record", "is", "sound"]:
                    commands.check_record(given["EVENT"])
                case _:
                    check(step, what.removeprefix("~ "), run if what.startswith("~ ") else commands.run)
        assert not planned, "these steps are for a run that does not follow"

    def has_told(self, text: str) -> Callable[[], bool]:
        """The condition that the command in progress has printed a text."""
        return lambda: text in self.out.getvalue() or text in self.err.getvalue()

    def has_rows(self, event: object, count: int, rows: str) -> Callable[[], bool]:
        """The condition that there are so many rows on record: of a table, maybe of those `WHERE` something holds."""
        return lambda: query(event, f"SELECT count(*) FROM {rows}")[0][0] >= count

    def wait(self, seconds: float) -> None:
        """Let time pass between two commands: a lease is lost, where nobody sees that its process is dead."""
        end_us = self.loop.now_us + round(seconds * 1_000_000)
        self.loop.run_until(lambda: False, end_us)
        self.loop.now_us = end_us

    # What steps do

    def kill(self) -> None:
        """Kill the run; its hosts play on."""
        self._is_killed = True

    def kill_all(self) -> None:
        """Kill the run and its hosts."""
        self.kill()
        self.kill_hosts()

    def order(self, *words: str | Path, given: str = "") -> Result:
        """Run a command of the director; while it waits for what it has ordered, the run goes on."""
        with (
            patch("tourney.director.action.sleep", self._sleep),
            patch("tourney.director.action.monotonic", self.loop.time),
        ):
            return commands.run(*words, given=given)

    def _sleep(self, seconds: float) -> None:
        self.wait(seconds)
        asyncio._set_running_loop(self.loop)  # we are called by what it runs

    def interrupt(self) -> None:
        """Ctrl-C."""
        self.send_signal(signal.SIGINT)

    def send_signal(self, number: signal.Signals) -> None:
        """Send a signal to the run that it has a handler for."""
        self.loop.handlers[number]()

    def kill_hosts(self) -> None:
        """Kill all hosts, and their programs with them."""
        for host in self.hosts:
            host.process.kill()

    # What the run is given

    def _clock(self) -> SimulatedClock:
        return SimulatedClock(self.loop, self._ahead_ms)

    def _make_run(
        self, file: EventFile, database: Database, event: EventInfo, report: RunSink, hosts: int, *, log_level: str
    ) -> EventRun:
        self._process = Process(self.loop, "run")
        clock = self._clock()
        return EventRun(
            *(file, database, event, report, hosts),
            clock=clock,
            launcher=_RunLauncher(self, self._process, file, event.id),
            scheduler=SimulatedScheduler(self.loop, clock),
            log_level=log_level,
        )

    def _finish(self, main: Coroutine[Any, Any, Any]) -> Any:
        """In place of `asyncio.run`."""
        task = self._process.start(main)
        limit_us = self.loop.now_us + LIMIT_US
        assert self.loop.run_until(lambda: task.done() or self._is_killed, limit_us), self.out.getvalue()
        self._process.on_death.clear()
        if self._is_killed:
            self._process.kill()
            raise RunKilledError(KILLED)
        self._process.kill()
        return task.result()

    def _look(self) -> None:
        while self._steps and self._steps[0][0]():
            self._steps.pop(0)[1]()
        if self._steps:
            self.loop.call_at_us(self.loop.now_us + LOOK_US, self._look, context=Context())

    def start_host(self, name: str, run: Process, file: EventFile, event_id: int) -> SimulatedHost:
        """Start a host, as `python -m tourney.host` does."""
        process = Process(self.loop, name)
        database = self._databases.enter_context(closing(Database(file.database_url)))
        place = HostLocation()
        host = TableHost(
            database,
            name,
            lambda: place.adapt(load_settings(database, event_id)),
            clock=self._clock(),
            listen=self.network.listen,
            process=self.machine.add(process),
            make_thread=lambda _: SimulatedThread(self.loop, 0),
            slow_sync_ms=math.inf,
        )
        process.on_death += [partial(self.network.forget, process), partial(_close_logs, host)]
        started = SimulatedHost(name, self.machine, process, run, host)
        self.hosts.append(started)
        self.loop.call_soon(self._begin, started, context=process.context)
        return started

    def _begin(self, started: SimulatedHost) -> None:
        working = self.loop.create_task(started.host.run())
        working.add_done_callback(lambda _: started.process.kill(), context=Context())


def _close_logs(host: TableHost) -> None:
    """Close what the system closes when a process ends."""
    for manager in host._managers.values():
        if manager._wire_log is not None:
            manager._wire_log.close()


@contextmanager
def simulated_runs() -> Iterator[SimulatedRuns]:
    """A machine for runs of one event; nothing of it goes on afterwards."""
    with closing(SimulatedRuns()) as rig:
        yield rig


def run_simulated(event: Path, *words: str) -> Finished:
    """Run an event once as `tourney run EVENT` does, on a machine of its own."""
    with simulated_runs() as rig:
        return rig.tourney("run", event, *words)
