"""The organiser of a simulated event starts the run, and starts it again whenever it has ended with boards left."""

import asyncio
from collections.abc import Callable
from contextvars import Context
from functools import partial
from random import Random

from tests.sim.hosts import Hosts, SimulatedLauncher
from tests.sim.loop import Process
from tests.sim.machines import Machine, SimulatedClock, SimulatedScheduler
from tests.sim.plan import Part
from tests.sim.store import SimulatedDatabase
from tourney.cli.displays import RunPrinter
from tourney.coordinator.event_run import EventRun, RunOutcome
from tourney.coordinator.run_context import MatchFinished, RunEvent
from tourney.errors import LaunchError, RunLeaseLost, StoreError, TourneyError
from tourney.store.draw.reader import load_event

RUNS_MAX = 60
"""More are started only when runs end again and again."""

_RESTART_US = (0, 500_000)


class Run(RunPrinter):
    """One `tourney run`: its process, and what it tells."""

    def __init__(
        self,
        process: Process,
        machine: Machine,
        told: Callable[[str], None],
        complain: Callable[[str], None],
        *,
        may_finish_again: bool = False,
    ) -> None:
        super().__init__()
        self.process = process
        self.machine = machine
        self.conductor: EventRun | None = None
        self._told = told
        self._complain = complain
        self._may_finish_again = may_finish_again
        self._finished: set[int] = set()

    def report(self, event: RunEvent) -> None:
        """Take what the coordinator reports."""
        super().report(event)
        if isinstance(event, MatchFinished):
            number = event.match.number
            if number in self._finished and not self._may_finish_again:
                self._complain(f"{self.process.name} finishes match {number} twice")
            self._finished.add(number)

    def notify(self, sentence: str) -> None:
        self._told(f"{self.process.name}: {sentence}")


class Organiser(Part):
    """Starts runs of one event until nothing is left to play."""

    def __init__(self, part: Part, hosts: Hosts, settle: Callable[[list[str]], None]) -> None:
        super().__init__(**vars(part))
        self.is_finished = False
        """Whether a run has ended with nothing left to play."""
        self.is_closing = False
        self._hosts = hosts
        self._settle = settle
        self._chance = Random(f"{self.plan.seed}|organiser")
        self._home, self._away = Machine("home"), Machine("away")
        self._runs: list[Run] = []

    @property
    def _living(self) -> list[Run]:
        return [run for run in self._runs if not run.process.dead]

    def begin(self) -> None:
        """Start the first run, and do to the runs what the plan says."""
        plan = self.plan
        self._start(self._home)
        for at_us in plan.stops_us:
            self._at(at_us, self._interrupt)
        if plan.freeze is not None:
            self._at(plan.freeze.at_us, self._hosts.freeze)
        if plan.run_freeze is not None:
            self._at(plan.run_freeze.at_us, self._freeze_run)

    def close(self) -> None:
        """Start nothing any more."""
        self.is_closing = True

    def kill_all(self) -> None:
        """The end of the world."""
        self.close()
        self.kill_processes()

    def kill_processes(self) -> None:
        """Every run and every host dies at once."""
        for run in self._living:
            run.process.kill()
        for host in self._hosts.living:
            host.process.kill()

    def _at(self, at_us: int, action: Callable[[], None]) -> None:
        self.loop.call_at_us(at_us, action, context=Context())

    def _interrupt(self) -> None:
        """Ctrl-C."""
        for run in self._living[-1:]:
            if run.conductor is not None:
                self.note("interrupted")
                self.loop.call_soon(run.conductor.stop, context=run.process.context)

    def _freeze_run(self) -> None:
        """The run stands still for a while; somebody on another machine may try to run the event meanwhile."""
        freeze = self.plan.run_freeze
        if freeze is None or not self._living:
            return
        frozen = self._living[-1].process
        frozen.freeze()
        self.note("run frozen")
        self._at(self.loop.now_us + freeze.lasts_us, frozen.thaw)
        if self.plan.has_rival:
            self._at(self.loop.now_us + self._chance.randint(*_RESTART_US), partial(self._start, self._away))

    # Runs

    def _start(self, machine: Machine) -> None:
        if self.is_closing or self.is_finished:
            return
        number, deaths = len(self._runs), self.plan.run_deaths
        if number == RUNS_MAX:
            self.complain(f"{RUNS_MAX} runs have been started")
        process = Process(self.loop, f"run-{number + 1}", deaths[number] if number < len(deaths) else None)
        run = Run(process, machine, self.told, self.complain, may_finish_again=self.plan.takes_back)
        self._runs.append(run)
        process.on_death.append(partial(self._died, run))
        task = process.start(self._conduct(run))
        task.add_done_callback(partial(self._ended, run), context=Context())

    async def _conduct(self, run: Run) -> RunOutcome:
        process, loop = run.process, self.loop
        database = SimulatedDatabase(self.store, process)
        event = load_event(database, self.file.config.event.name)
        assert event is not None
        clock = SimulatedClock(loop, self.plan.run_skews_ms[len(self._runs) % len(self.plan.run_skews_ms)])
        run.conductor = EventRun(
            self.file,
            database,
            event,
            run.report,
            self.plan.hosts,
            clock=clock,
            launcher=SimulatedLauncher(run.machine, process, run.machine.add(process), self._hosts),
            scheduler=SimulatedScheduler(loop, clock),
        )
        return await run.conductor.run()

    def _ended(self, run: Run, task: "asyncio.Task[RunOutcome]") -> None:
        """A run has ended by itself."""
        process, error = run.process, task.exception()
        if process.dead:
            return
        process.on_death.clear()
        process.kill()
        if error is None:
            outcome = task.result()
            left = outcome.matches_left + outcome.rounds_left
            run.notify(f"ended with {left} left, {outcome.failures}")
            self._check_failures(outcome.failures)
            self._settle(outcome.failures)
            if not left:
                self.is_finished = True
                return
        elif isinstance(error, TourneyError):
            run.notify(f"ended: {error}")
            self._judge(error)
        else:
            self.complain(f"{process.name} ends with {error!r}")
        self._go_on(run)

    def _died(self, run: Run) -> None:
        """A run was killed."""
        if run.process.died is not None:
            self.note(f"run's death {run.process.died}")
        self._go_on(run)

    def _go_on(self, run: Run) -> None:
        """Start another run, unless one lives; one that stands still may be taken over."""
        living = self._living
        if living and not all(other.process.frozen for other in living):
            return
        machine = self._away if self.plan.moves else run.machine
        pause_us = self.plan.restart_us if not living else 0
        self._at(self.loop.now_us + pause_us + self._chance.randint(*_RESTART_US), partial(self._start, machine))

    def _check_failures(self, failures: list[str]) -> None:
        for failure in failures:
            if "an error of ours" in failure:
                self.complain(failure)

    def _judge(self, error: TourneyError) -> None:
        """Whether a run may end so."""
        text = str(error)
        if isinstance(error, RunLeaseLost):
            self.note("run taken over")
            return
        for words, event in (
            ("is being run already", "run refused"),
            ("table hosts have died within", "too many hosts lost"),
        ):
            if isinstance(error, LaunchError) and words in text:
                self.note(event)
                return
        if isinstance(error, StoreError) and self.plan.outages:
            self.note("run ended by an outage")
            return
        self.complain(f"a run ends with {error!r}")
