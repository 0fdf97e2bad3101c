"""The run of an event: rounds start when they are due, until every match has a result.

**The record is the state.** What is drawn, played, ruled and scored is on record, and so is which host has which
table. A run asks the record what is due, does it, and asks again; it keeps nothing that the next run could not find.
So the first start, a start after a kill, and going on after a board was given back by the director are one path:

    take the lease -> take over what earlier runs have left -> while anything is due: play the first round with it

**A run** is *opening* until it has the lease of the event, *holds* it, and has *ended*. What may happen to one that
holds the lease:

    stop()                  its hosts stop, boards in play stay unfinished, the lease is released
    nothing is due          the same, with nothing unfinished; or with what it had to leave (see below)
    another has the lease   every write fails (`RunLeaseLost`); hosts and ports are left to the other run
    the database is away    it waits, at most `outage_s`; tables wait by themselves
    its files are gone      the watchdog ends it with the reason

**A round** is *undrawn* until the results that it depends on are there, then *drawn*, and drawn again whenever
results or rulings make it another. It may start when its time has come, or at once without one. With its first board
it is *begun*: its draw stays from then on. It ends when nothing in it is due.

**A match** (or half of one, where its rooms play in different rounds) is *due* while it has no score:

    due         -> in play      where `at_once` allows; its tables are given to hosts
    due         -> left         the director has stopped it, or a ruling that decides it gives it no score
    in play     -> in play      a segment is finished: the next one, or extra boards
    in play     -> scored       its tables are finished, or a ruling has decided it: they are told to stop
    in play     -> left         a table has failed, or the director has stopped one
    in play     -> given up     a table has killed one host after the other: all else goes on, then a ruling ends it
    scored      -> due          a board is to be played again, or the ruling that had ended it was withdrawn
    left        -> due          it had a score meanwhile, and has lost it again; or another run begins

What is left is the one thing that a run remembers beside the record: it would else begin the same match for ever.

**An open stage** has no rounds to wait for: matches come to it one by one, and its run (`open_stage`) has no end.

**A table** has the states of `store.control.table_state`; each host that takes one counts up its attempt, and only
the newest attempt may write. A run gives a table that has no host to one with room. A host that has ended, or was
silent for a lease time, loses all its tables, which are then given out again.

**The lease fences.** All that a run writes goes through `RunLease.database`, which checks in the same transaction
that the lease is still its own: starts of hosts, tables given and taken, draws, rulings by rule, scores. A run that
stood still while another took over cannot do any of it a second time. Hosts are fenced by the attempts of their
tables instead: they play on while no run is there, for `orphan_s`, and the next run keeps them.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from typing import ClassVar, Final, TypeVar

from tourney.config import Durability
from tourney.contest.draw import RoundAssignment, RoundInfo
from tourney.coordinator.draw import PlanEdit, draw_again, draw_next, may_change, take_settings
from tourney.coordinator.engine import choose_event_sandbox, make_launcher
from tourney.coordinator.file_changes import (
    POLL_EVERY_S,
    EventFileWatch,
    added_teams,
    describe_changes,
    list_changes,
    merge_config,
)
from tourney.coordinator.host_pool import HostPool
from tourney.coordinator.match_runner import MatchRunner
from tourney.coordinator.run_context import (
    RoundDrawn,
    RoundStarted,
    RoundWaits,
    RunContext,
    RunSink,
    RunStarted,
)
from tourney.coordinator.run_lease import RunLease
from tourney.coordinator.team_ports import TeamPortsProcess, open_fixed_port
from tourney.coordinator.watchdog import Scheduler, Watchdog
from tourney.errors import ConfigError, RunLeaseLost, StoreUnavailable
from tourney.event.file import EventFile
from tourney.host.relay import hash_relay_key, load_relay_key, make_relay_key
from tourney.launch.hosts import Launcher
from tourney.log import DEFAULT_LEVEL
from tourney.movement.seating import TableState
from tourney.runtime.clock import HostClock
from tourney.runtime.event_loop import wait_up_to
from tourney.runtime.retry import Outage, retry
from tourney.store.control.host_settings import HostSettings, load_settings, save_settings
from tourney.store.control.hosts import record_workers
from tourney.store.control.orders import settle_replays
from tourney.store.control.table_state import release_tables
from tourney.store.control.tables import load_progress
from tourney.store.db.database import SLOW_MS, Database
from tourney.store.draw.objects import EventInfo
from tourney.store.draw.reader import is_begun
from tourney.store.results.event_results import load_unscored

POLL_S: Final = 0.2
"""How often the record is checked for progress of the hosts, in seconds."""

TEAM_PORTS_S: Final = 1
"""How often it is looked whether the ports of teams are still open, in seconds."""

EARLIER_S: Final = 1
"""How often it is checked, while a round waits for its time, whether something is due in an earlier one."""

STARTS_MAX: Final = 50
"""How many matches are started in a row: then hosts, leases and rulings are looked after, which takes a moment."""

WORKERS_S: Final = 3
"""How often it is put on record which workers a cluster has, in seconds."""

SLOW_REPORT_MS: Final = 1000
"""How long a write has to take for the run to say that the database is slow."""

SLOW_SPELL_MS: Final = 60_000
"""After so long without a slow write the next one is told about again."""

T = TypeVar("T")


@dataclass(slots=True)
class RunOutcome:
    """How a run ended. `failures` has a sentence for each table that could not play."""

    matches_left: int = 0
    stopped: bool = False
    failures: list[str] = field(default_factory=list)
    rounds_left: int = 0
    """Rounds that could not be drawn yet."""
    is_terminated: bool = False
    """Whether it was stopped by SIGTERM."""


class EventRun:
    """A run of an event."""

    _runner_class: ClassVar[type[MatchRunner]] = MatchRunner

    def __init__(
        self,
        event_file: EventFile,
        database: Database,
        event: EventInfo,
        report: RunSink,
        hosts: int,
        *,
        clock: HostClock | None = None,
        launcher: Launcher | None = None,
        scheduler: Scheduler | None = None,
        log_level: str = DEFAULT_LEVEL,
    ) -> None:
        """Prepare a run.

        Args:
            event_file: the organiser's settings.
            database: the database with the draw of `event` and the record; the run writes while it has the lease.
            event: the event as drawn.
            report: is handed what happens.
            hosts: the maximum number of table hosts on one machine.
            clock: by default the clock of the machine.
            launcher: starts the hosts; by default what the event file says.
            scheduler: starts rounds and backups when they are due; by default APScheduler's.
            log_level: the lowest level of messages that the hosts log.
        """
        clock = clock or HostClock(database.server_ms())
        if launcher is None:
            launcher = make_launcher(event_file, database, event.id, log_level)
        self._launcher = launcher
        self._lease = RunLease(database, event.id, event_file.config.tables.lease_s, launcher)
        self._database = database = self._lease.database  # by no other way does anything go on record from here on
        self._run = run = RunContext(event_file, database, event, clock, report)
        self._scheduler = scheduler or Scheduler()
        self._pool = HostPool(run, launcher, hosts)
        self._outage = Outage(clock, event_file.config.tables.outage_s)
        self._slow_since: int | None = None
        """When the database was last seen to be slow, in a spell that has been told about."""
        self._file_watch = EventFileWatch(event_file.path)
        self._team_ports = TeamPortsProcess(run, log_level)
        self._relay_key: str | None = None
        """The hash by which hosts know connections that are made for others; None where none are."""
        self._due: set[int] = set()
        self._wake = asyncio.Event()
        self._stop_asked = asyncio.Event()

    def stop(self) -> None:
        """End the run: current boards stay unfinished, everything else is kept."""
        self._stop_asked.set()
        self._wake.set()

    async def run(self) -> RunOutcome:
        """Play everything that is left of the event, or until `stop`.

        Raises:
            TourneyError: the database, the results folder or the hosts cannot be used, or another run is playing the
                event.
        """
        tables, event = self._run.config.tables, self._run.event
        most = max(len(event.teams) // 2, *(len(round_.assignments) for round_ in event.rounds))
        await self._launcher.open()
        try:
            at_once, ports = min(tables.at_once, most), tables.port_plan.ports_per_table
            self._launcher.check_capacity(at_once, self._pool.size, ports)
            self._sandbox = choose_event_sandbox(self._run.file, self._launcher.choose_sandbox)
            self._lease.take(self._run.wall_ms())
            return await self._run_watched()
        finally:
            await self._launcher.close()

    async def _run_watched(self) -> RunOutcome:
        """Run with the lease, which the watchdog renews meanwhile; end what is at work unless it is another run's."""
        self._watchdog = Watchdog(
            self._run, self._lease, on_failure=self._wake.set, on_slow=self._pool.reset_heartbeats
        )
        watching = asyncio.create_task(self._watchdog.run())
        try:
            return await self._run_held()
        except Exception:
            self._watchdog.check_files()  # a missing folder, or another database in the file, explains all else
            raise
        finally:
            watching.cancel()
            self._scheduler.stop()
            with suppress(asyncio.CancelledError):
                await watching
            if self._lease.is_lost:
                self._pool.release()
                self._team_ports.release()
            else:
                await self._pool.stop()
                await self._team_ports.stop()
                self._lease.release()

    async def _run_held(self) -> RunOutcome:
        """Play whatever is due until nothing is: the loop of a run."""
        self._claim_run()
        self._playing = self._runner_class(self._run, self._pool, self._sandbox.kind)
        self._poll_rulings_before()
        left = self._playing.load_left()
        self._run.report(RunStarted(self._run.event, len(left)))
        self._schedule_jobs()
        await self._play_all()
        await self._pool.stop()
        left_over = await self._outlast(self._playing.load_left)
        rounds_left = len(self._run.event.undrawn)
        return RunOutcome(len(left_over), self._stop_asked.is_set(), self._playing.failures, rounds_left)

    async def _play_all(self) -> None:
        while not self._stop_asked.is_set():
            number = await self._outlast(self._next_round)
            if number is None:
                break
            await self._play_round(number)
            if await self._outlast(partial(self._has_failed, number)):
                self._run.notify(f"no table of round {number} could play a board, so later rounds are not begun")
                break

    def _has_failed(self, number: int) -> bool:
        """Return whether every table of a round has failed before the end of its first board."""
        ids = [table.id for each in self._run.event.rounds[number - 1].assignments for table in each.tables]
        progress = load_progress(self._database, ids).values()
        return bool(progress) and all(
            seen.table.state is TableState.FAILED and not seen.boards_finished for seen in progress
        )

    def _schedule_jobs(self) -> None:
        for round_ in self._run.event.all_rounds:
            self._schedule_round(round_)
        self._watchdog.schedule_backups(self._scheduler)
        if self._team_ports.is_needed:
            self._scheduler.call_every(TEAM_PORTS_S, "team-ports", self._team_ports.poll)
        if self._launcher.has_workers:
            self._scheduler.call_every(WORKERS_S, "workers", self._record_workers)
        if self._file_watch.is_there:
            self._scheduler.call_every(POLL_EVERY_S, "event-file", self._poll_file)
        self._scheduler.start()

    def _next_round(self) -> int | None:
        """Return the first round in which something is due, None if there is none.

        Rounds that depend on results are drawn as soon as the results are available, and not before.
        """
        run = self._run
        while not (left := self._playing.load_left()):
            drawn = draw_next(run.file, self._database, run.event, self._run.wall_ms())
            if not drawn:
                return None
            self._report_drawn(drawn)
        return next((each.number for each in run.event.rounds if self._playing.find_due(each, left)), None)

    def _report_drawn(self, numbers: Iterable[int]) -> None:
        self._run.reload()
        for number in numbers:
            self._run.report(RoundDrawn(self._run.event.rounds[number - 1]))

    def _poll_rulings_before(self) -> None:
        """Apply the rulings made since the last run: rounds are drawn again, and matches forfeited.

        A round that may still be drawn again has no forfeits before it begins: a ruling on a match fixes its draw.
        """
        unscored = load_unscored(*self._run.record)
        for round_ in self._run.event.rounds:
            if any(match.number in unscored for match in round_.matches):
                self._draw_again(round_.number)
        settled = [each for each in self._run.event.rounds if not may_change(self._database, self._run.event, each)]
        self._playing.poll_rulings(
            [match for round_ in settled for match in round_.matches if match.number in unscored]
        )

    def _draw_again(self, number: int) -> None:
        """Draw a round with no board begun again, if rulings since then have changed it."""
        run = self._run
        lost = draw_again(run.file, self._database, run.event, run.event.rounds[number - 1], run.wall_ms())
        if lost is None:
            return
        self._report_drawn([number])
        for ns_team, ew_team in dict.fromkeys((order.ns_team, order.ew_team) for order in lost):
            run.notify(
                f"round {number} was drawn again: {ns_team} and {ew_team} no longer meet, so the time that they were "
                "given there does not count"
            )

    def _claim_run(self) -> None:
        """Find what earlier runs have left: hosts that are still playing are kept, everything else is cleaned up.

        Raises:
            LaunchError: another program has a port of the event.
        """
        run, stateful = self._run, self._run.config.stateful
        living = self._pool.find_living()
        was_restarted = self._pool.was_machine_restarted
        if was_restarted and load_settings(*run.record).durability is Durability.PROCESS:
            run.notify(
                'this machine was restarted while tables were played, and durability is "process": the last calls '
                "and cards of boards in play may be lost, and each goes on from what is on record"
            )
        if not living and stateful is not None:  # hosts will have to open it
            host = run.config.tables.host
            what = f"the port of [stateful], {stateful.port} on {host}, cannot be opened"
            open_fixed_port(host, stateful.port, what).close()
        processes = [process for process in (*living.values(), self._team_ports.find()) if process is not None]
        if self._team_ports.is_needed or stateful is not None:
            known_as = load_settings(*run.record).relay_key if processes else None
            results = run.file.results
            key = make_relay_key(results) if known_as is None else load_relay_key(results, known_as)
            self._relay_key = hash_relay_key(key)
        for sentence in self._launcher.end_orphans(processes):
            run.notify(sentence, "orphan_ended")
        for name, process in living.items():
            where = f"process {process.pid}" if process is not None else "on another machine"
            run.notify(f"table host {name}, {where}, has played on and is kept")
        settings = replace(self._host_settings, passphrases={})
        if living and load_settings(*run.record) != settings:
            run.notify(
                "the event file has changed since these hosts were started: tables that are being played keep to "
                "what it said then"
            )
        if self._sandbox.notice:
            run.notify(self._sandbox.notice)
        release_tables(*run.record, run.wall_ms(), but_of=living)
        settle_replays(*run.record, run.wall_ms())
        save_settings(*run.record, self._host_settings)
        self._team_ports.start()

    @property
    def _host_settings(self) -> HostSettings:
        """The settings of hosts, with the sandbox of programs that this machine has."""
        settings = self._run.file.host_settings
        return replace(
            settings,
            sandbox=replace(settings.sandbox, kind=self._sandbox.kind),
            relay_key=self._relay_key,
        )

    # Rounds

    def _schedule_round(self, round_: RoundInfo) -> None:
        if round_.starts_at_ms is None:
            self._due.add(round_.number)
            return
        due = partial(self._round_is_due, round_.number)
        self._scheduler.call_at(round_.starts_at_ms, f"round-{round_.number}", due)

    async def _round_is_due(self, number: int) -> None:
        self._due.add(number)
        self._wake.set()

    async def _play_round(self, number: int) -> None:
        """Wait until the time of a round has come, and play what is due in it.

        While it waits, something may become due in an earlier round: a board to be played again, or the extra boards
        of a match that a ruling has tied. Then this round waits for that.
        """
        if number not in self._due:
            self._run.report(RoundWaits(self._run.event.rounds[number - 1], self._run.config.event.zone))
        while number not in self._due and not self._stop_asked.is_set():
            await self._pause(EARLIER_S)
            self._watchdog.check()
            with suppress(StoreUnavailable):  # by the time of the round it may be back
                if not self._stop_asked.is_set() and self._next_round() != number:
                    return
        if self._stop_asked.is_set():
            return
        round_, assignments = await self._outlast(lambda: self._round_to_play(number))
        self._run.report(RoundStarted(round_, assignments, self._run.tables_of(self._run.event.stage_of(round_))))
        await self._play(deque(assignments))

    async def _play(self, queue: deque[RoundAssignment]) -> None:
        """Play what is in the queue, until nothing is due or `stop`."""
        playing = self._playing
        while self._is_due(queue) and not self._stop_asked.is_set():
            self._watchdog.check()
            await self._pool.kill_suspended()
            try:
                await self._poll(queue)
                self._note_database()
            except StoreUnavailable as error:
                await self._on_outage(error)
            await self._pause(0 if self._may_start(queue) else POLL_S)
        if self._stop_asked.is_set():
            with suppress(StoreUnavailable):
                self._lease.renew(self._run.wall_ms())  # the hosts of a run that has taken over play on
            await self._pool.stop()
            with suppress(StoreUnavailable):  # its news is on record, for the next run
                playing.poll_tables(is_stopping=True)
            playing.active.clear()
        else:
            await self._outlast(lambda: playing.poll_rulings([]))

    def _is_due(self, queue: deque[RoundAssignment]) -> bool:
        return bool(queue or self._playing.active)

    def _round_to_play(self, number: int) -> tuple[RoundInfo, list[RoundAssignment]]:
        """Return the round as it is drawn now, and what is due in it."""
        self._draw_again(number)
        left = self._playing.load_left()
        round_ = self._run.event.rounds[number - 1]
        return round_, self._playing.find_due(round_, left)

    async def _poll(self, queue: deque[RoundAssignment]) -> None:
        """Do everything that is due now in a round; what is in `queue` has not begun."""
        playing = self._playing
        for sentence in self._launcher.take_news():
            self._run.notify(sentence)
        self._note_slow_writes()
        playing.poll_rulings([*(assignment.match for assignment in queue), *playing.matches])
        for _ in range(STARTS_MAX):
            if not self._may_start(queue):
                break
            playing.start_or_leave(queue[0])
            queue.popleft()
        playing.poll_withdrawals()
        settle_replays(*self._run.record, self._run.wall_ms())
        self._watchdog.check_files()  # hosts that are started now would make a missing folder anew
        await self._pool.reap_dead()
        playing.poll_tables()

    def _may_start(self, queue: deque[RoundAssignment]) -> bool:
        """Whether another match can be started now."""
        return bool(queue) and self._playing.at_once < self._run.config.tables.at_once

    async def _record_workers(self) -> None:
        """Put on record which workers there are, for those who watch."""
        with suppress(StoreUnavailable, RunLeaseLost):  # the run finds it as well
            record_workers(*self._run.record, self._launcher.workers(self._run.wall_ms()))

    async def _pause(self, seconds: float) -> None:
        if await wait_up_to(self._wake, seconds):
            self._wake.clear()

    # Edits of the event file

    async def _poll_file(self) -> None:
        """Take up what has been edited in the event file, and say when it takes effect."""
        try:
            was_refused = self._file_watch.is_refused
            edited = self._file_watch.poll(self._run.file)
            if was_refused and not self._file_watch.is_refused:
                self._run.notify("the event file can be used again")
            if edited is not None:
                self._apply_edit(edited)
        except RunLeaseLost:
            return  # the run ends: the watchdog finds it as well
        except StoreUnavailable:
            self._file_watch.read_again()
        except ConfigError as error:
            self._run.notify(f"the event file has changed, and the run goes by what it said before: {error}")

    def _apply_edit(self, edited: EventFile) -> None:
        old, new = self._run.config, edited.config
        added = added_teams(old, new)
        merged = replace(self._run.file, config=merge_config(old, new, added))
        try:
            late = added if added and self._enter_late(merged) else []
        except ConfigError as error:
            self._run.notify(f"the event file has changed: {error}")
            late = []
        if not late:
            merged = replace(merged, config=merge_config(old, new))
        changes = list_changes(old, new, len(late), is_begun=is_begun(*self._run.record))
        for line in describe_changes(changes):
            self._run.notify(line)
        for number, team in enumerate(late, len(old.team) + 1):
            enters = f"team {number}, {team.name}, enters in round {team.enters}"
            self._run.notify(f"the event file has changed: {enters}")
        self._go_by(merged)

    def _enter_late(self, merged: EventFile) -> bool:
        """Enter teams that have been added to the file; return False if the event takes nobody.

        Raises:
            ConfigError: they cannot come now.
        """
        known = len(self._run.event.teams)
        for number, team in enumerate(merged.config.team[known:], known + 1):
            if team.pass_phrase is not None and team.command is not None:
                raise ConfigError(
                    f"team {number}, pass_phrase: hosts at work cannot start a program with it, "
                    "stop the run and start it again"
                )
        return PlanEdit(merged, self._database, self._run.event).enter_late()

    def _go_by(self, merged: EventFile) -> None:
        """Go by these settings: the run, and hosts with the tables that they open."""
        run = self._run
        starts = {round_.number: round_.starts_at_ms for round_ in run.event.all_rounds}
        run.file = merged
        run.reload()
        take_settings(merged, self._database, run.event)
        save_settings(*self._run.record, self._host_settings)
        run.reload()
        for round_ in run.event.all_rounds:
            if round_.starts_at_ms != starts.get(round_.number):
                self._due.discard(round_.number)
                self._schedule_round(round_)
        self._wake.set()

    # Outages of the database

    async def _outlast(self, work: Callable[[], T]) -> T:
        """Do something with the database, as soon as the database is available."""

        async def attempt() -> T:
            return work()

        done = await retry(attempt, self._on_outage)
        self._note_database()
        return done

    async def _on_outage(self, error: StoreUnavailable) -> None:
        """Report once that the database is unavailable, and wait a moment.

        Raises:
            StoreError: it has been unavailable for too long.
        """
        self._pool.reset_heartbeats()
        await self._pool.kill_suspended()
        if self._outage.begin():
            self._run.notify(f"{error}; the tables wait for it")
        await self._outage.wait(error)

    def _note_slow_writes(self) -> None:
        """Say that writes are slow, once for each spell; hosts have had to wait for their heartbeats as well."""
        slowest_ms = self._database.take_slowest_ms()
        if slowest_ms < SLOW_MS:
            return
        self._pool.reset_heartbeats()
        now_ms = self._run.now_ms()
        is_new = self._slow_since is None or now_ms - self._slow_since > SLOW_SPELL_MS
        if is_new and slowest_ms < SLOW_REPORT_MS:
            return
        self._slow_since = now_ms
        if is_new:
            file = self._database.file
            why = (
                f"another program holds the file, or the disk of {file.parent} is slow"
                if file is not None
                else "the server is slow"
            )
            self._run.notify(
                f"a write to database {self._database} took {slowest_ms / 1000:.1f} s: {why}; the tables wait for it"
            )

    def _note_database(self) -> None:
        away_ms = self._outage.end()
        if away_ms is not None:
            self._run.notify(f"the database can be used again after {away_ms / 1000:.1f} s; the tables go on")
