"""The programs that tourney starts for one table: one per seat, supervised, and restarted when they end.

When that is done, and when no more, is decided in `tourney.launch.supervisor`.
"""

import asyncio
import contextlib
import logging
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias

from tourney.bridge import SEATS, Seat
from tourney.config import Processes, slug
from tourney.config.command import (
    CommandValues,
    name_program,
    reachable,
    reaches_service,
    share_program,
    uses_placeholder,
)
from tourney.errors import LaunchError, ResourcesShort
from tourney.host.ports import serve_port
from tourney.launch.bots import EXCEEDED, BotProcess, ProgramSpec
from tourney.launch.sandbox import Sandbox
from tourney.launch.shared_program import SharedProgram, SharedSeat, SharedSeatSpec
from tourney.launch.supervisor import EXIT_WAIT_MS, Supervision, before_end
from tourney.protocol.access import format_login
from tourney.protocol.seat_handover import TableTerms
from tourney.protocol.session.effects import LogRemark
from tourney.protocol.session.orders import GiveUp, NoteExit, SkipTime, Stop
from tourney.runtime.clock import HostClock
from tourney.runtime.event_loop import wait_up_to
from tourney.store.control.host_settings import HostSettings
from tourney.store.draw.tables import TeamInfo

if TYPE_CHECKING:
    from tourney.host.manager import TableManager

_LOGGER: Final = logging.getLogger(__name__)

WAITS_LOG_MS: Final = 60_000
"""How often it is said again that a program cannot be started for want of something."""

SHORTAGE_MS: Final = 2000
"""Programs that cannot be started are tried again much sooner than that: it is one shortage while no more has passed
between two tries."""

EVICTIONS_MAX: Final = 50
"""Starts in a row that do not count because the table was overloaded and sent connections away."""

RESTART_GRACE_S: Final = 5.0
"""How long after a program has ended its connection may still look alive."""


SeatProgram: TypeAlias = BotProcess | SharedSeat
"""What is started for a seat."""


class SharedPrograms:
    """The processes of a host that play many seats, each for one team, or for its pair at one table."""

    def __init__(self) -> None:
        self._programs: dict[tuple[Hashable, ...], SharedProgram] = {}

    def find(self, key: tuple[Hashable, ...], make: Callable[[], SharedProgram]) -> SharedProgram:
        """Return the process of a key; it is made for the first seat that it plays."""
        if key not in self._programs:
            self._programs[key] = make()
        return self._programs[key]

    async def close(self, keys: Collection[tuple[Hashable, ...]] | None = None) -> None:
        """End the processes of some keys, all by default."""
        endings = [self._programs.pop(key).end() for key in (list(self._programs) if keys is None else keys)]
        await asyncio.gather(*endings, return_exceptions=True)


@dataclass(slots=True)
class _Program:
    seat: Seat
    bot: SeatProgram
    supervision: Supervision
    shortage: str = ""
    """What this machine lacks, as a sentence; empty while it lacks nothing."""
    excess: str = ""
    """What it took too much of when it last ended, as a sentence."""
    uncounted: int = 0
    """Starts since the last board began that do not count, as the table may have turned the program away."""
    evictions: int = 0
    """Connections that the table had turned away when it was started."""
    restarted: asyncio.Event = field(default_factory=asyncio.Event)


class Programs:
    """Starts a program for each seat whose team has a command, and another when the seat is vacated."""

    def __init__(
        self,
        table: "TableManager",
        settings: HostSettings,
        clock: HostClock,
        shared: SharedPrograms,
        host: str,
    ) -> None:
        """Prepare.

        Args:
            table: their table.
            settings: those of its host.
            clock: that of its host.
            shared: the processes of the host that play many seats, at other tables too.
            host: the name of the host.
        """
        self._table = table
        self._shared = shared
        self._host = host
        self._settings = settings
        self._clock = clock
        self._members: dict[Seat, _Program] = {}
        self._own_keys: set[tuple[Hashable, ...]] = set()
        """The keys of shared processes that play at this table alone."""
        self._tasks: list[asyncio.Task[None]] = []
        self._closing = False
        self._is_over = False
        self._waits_since_ms = 0
        """When it was last said that a program cannot be started for want of something."""
        self._shortage_ms = 0
        """When a program was last found not to be startable for want of something."""

    # From commands to programs

    async def start_all(self, ports: Mapping[Seat, int]) -> None:
        """Start the programs of teams that have a command; `ports` are those of the table."""
        bots: dict[Seat, SeatProgram] = {}
        try:
            for seat in SEATS:
                command = self._team(seat).command
                if command is None:
                    continue
                if self._processes_of(seat) is not Processes.SEAT:
                    bots[seat] = self._share_program(seat, command)
                else:
                    bots[seat] = await self._make_program(seat, command, ports[seat])
            await self.start(bots)
        except LaunchError as error:
            self._table.take_order(Stop(str(error)))

    async def _make_program(self, seat: Seat, command: str, port: int) -> SeatProgram:
        """Make what is started for a seat; `port` is that of the table.

        It gets a port that nobody else knows, so it comes in whatever happens at the table's port. In the stateful
        protocol a program does not say which seat it takes, and each of ours gets its own there (SS-37). A command
        without `{host}` reaches the table in another way, from another machine maybe, which only the table's port is
        open to.

        Raises:
            LaunchError: no port is available.
        """
        settings = self._settings
        team = self._team(seat).name
        sandbox = Sandbox(settings.sandbox, team, shares_network=reaches_service(command))
        serve = None
        if sandbox.has_own_network:
            serve = partial(serve_port, accept=self._table.accept_program(seat))
        elif team in settings.stateful.teams or uses_placeholder(command, "host"):
            port = await self._table.open_program_port(seat)
        spec = ProgramSpec(
            name=self._name(seat),
            command=command,
            values=self._command_values(seat, port),
            started_in=self._started_in(team),
            own=settings.program_folder(self._table.job.table) / seat.title.lower(),
            output=self._output_of(seat),
            sandbox=sandbox,
            serve=serve,
            find_terms=partial(self._find_terms, seat),
        )
        return BotProcess(spec)

    def _share_program(self, seat: Seat, command: str) -> SharedSeat:
        """Make what is started for a seat of a process that plays others too.

        The process is that of its command, as the second pair of a team may have another one.
        """
        settings, table, team = self._settings, self._table.job.table, self._team(seat)
        is_of_team = self._processes_of(seat) is Processes.TEAM
        key = (team.name, command) if is_of_team else (team.name, command, table.id, seat.side)
        if not is_of_team:
            self._own_keys.add(key)
        place = f"match {table.match}, {table.room.value} room"

        def make() -> SharedProgram:
            own = settings.program_folder(table)
            return SharedProgram(
                ProgramSpec(
                    name=f"{team.name}'s program for {'all its seats' if is_of_team else place}",
                    command=share_program(command),
                    values=self._command_values(seat, 0),
                    started_in=self._started_in(team.name),
                    own=(
                        own.parent / self._folder_of_team(seat) / self._host if is_of_team else own / seat.side.value
                    ),
                    output=self._output_of(seat),
                    sandbox=Sandbox(settings.sandbox, team.name),
                )
            )

        return SharedSeat(
            self._shared.find(key, make),
            SharedSeatSpec(
                name=self._name(seat),
                place=f"{place}, {seat.title}",
                seat=seat,
                login=self._login(seat),
                find_terms=partial(self._find_terms, seat),
                connect=self._table.accept_program(seat).take,
            ),
        )

    def _team(self, seat: Seat) -> TeamInfo:
        return self._table.job.teams[seat.side].at(seat)

    def _processes_of(self, seat: Seat) -> Processes:
        """Return how many processes play for a team."""
        return self._settings.processes.get(self._team(seat).name, Processes.SEAT)

    def _login(self, seat: Seat) -> str:
        side = self._table.job.teams[seat.side]
        return format_login(side.name, self._settings.passphrases.get(side.at(seat).name))

    def _started_in(self, team: str) -> Path:
        return Path(self._settings.sandbox.team_folders.get(team, self._settings.folder))

    def _command_values(self, seat: Seat, port: int) -> CommandValues:
        table = self._table.job.table
        return CommandValues(
            host=reachable(self._settings.host),
            port=port,
            seat=seat,
            team=self._table.job.teams[seat.side].name,
            login=self._login(seat),
            match=table.match,
            room=table.room.value,
            pair=table.pair(seat.side),
        )

    def _find_terms(self, seat: Seat) -> TableTerms:
        """Find what a program may know about its table when it is started."""
        rules, state, side = self._settings.rules, self._table.state, seat.side
        stage, scorings = self._table.job.stage, self._settings.scorings
        match_ms = state.limit_ms(None, side)
        return TableTerms(
            scoring=scorings[stage - 1] if stage <= len(scorings) else "",
            claims=rules.claims,
            call_ms=rules.time.call.ms,
            board_ms=rules.time.board.ms,
            match_ms=max(0, match_ms - state.total_ms[side]) if match_ms is not None else None,
        )

    def _name(self, seat: Seat) -> str:
        return name_program(self._team(seat).name, seat)

    def _output_of(self, seat: Seat) -> Path:
        """Return the file that receives the output of a seat's program."""
        bots, table, team = Path(self._settings.results_folder) / "bots", self._table.job.table, self._team(seat).name
        processes = self._processes_of(seat)
        if processes is Processes.TEAM:
            return bots / self._folder_of_team(seat) / f"{self._host}.log"
        place = seat.side.value if processes is Processes.ROOM else seat.title
        return bots / table.file_name / f"{place.lower()}-{slug(team)}.log"

    def _folder_of_team(self, seat: Seat) -> str:
        """Return the name of the folder with what belongs to no table; no other program has it."""
        team = self._team(seat)
        return f"team-{team.number:03}-{slug(team.name)}"

    def _without_phrase(self, seat: Seat, text: str) -> str:
        """Return a text without the passphrase of a seat's team: programs print the words they are started with."""
        return text.replace(self._login(seat), self._table.job.teams[seat.side].name)

    # What happens at the table

    def note_board(self) -> None:
        """Note that a board has begun: every program at the table has shown that it can play."""
        for member in self._members.values():
            member.supervision.note_board()
            member.uncounted = 0

    def note_end(self) -> None:
        """Note that the session is over: a program that ends from now on has done its part, and stays ended."""
        self._is_over = True

    def restart_program(self, seat: Seat) -> None:
        """End the program of a seat and start another in its place."""
        member = self._members.get(seat)
        if member is not None:
            member.restarted.set()

    async def close(self) -> None:
        """End all programs."""
        self._closing = True
        for task in self._tasks:
            task.cancel()
        endings = (member.bot.release() for member in self._members.values())
        await asyncio.gather(*self._tasks, *endings, return_exceptions=True)
        keys, self._own_keys = self._own_keys, set()
        await self._shared.close(keys)

    def is_seated(self, seat: Seat) -> bool:
        """Return whether somebody sits in a seat."""
        return self._table.state.seats[seat].connection is not None

    @property
    def evictions(self) -> int:
        """Connections that the table has sent away because there were too many of them."""
        return self._table.state.evictions

    def problems(self) -> Iterator[str]:
        """Describe what programs took too much of, and why others cannot be started."""
        members = self._members.values()
        yield from (member.excess for member in members if member.excess)
        yield from (self._without_phrase(member.seat, member.shortage) for member in members if member.shortage)

    # Supervision

    async def start(self, bots: Mapping[Seat, SeatProgram]) -> None:
        """Start the programs, by seat.

        Raises:
            LaunchError: one of them cannot be started; `close` ends the others.
        """
        for seat, bot in bots.items():
            supervision = Supervision(self._settings.rules.rejoins_max)
            member = self._members[seat] = _Program(seat, bot, supervision)
            await self._start(member)
            self._tasks.append(asyncio.create_task(self._supervise(member)))

    async def _start(self, member: _Program) -> None:
        """Start a program once, if this machine has what that takes; else `_supervise` tries again.

        Raises:
            LaunchError: it cannot be started.
        """
        member.restarted.clear()
        member.evictions = self.evictions
        member.supervision.start()
        try:
            await member.bot.start()
        except ResourcesShort as error:
            member.supervision.note_shortage()
            member.shortage = str(error)
            self.note_shortage(member.seat, member.shortage)
        else:
            member.shortage = ""

    async def _supervise(self, member: _Program) -> None:
        while not self._closing:
            if not member.shortage:
                why = await self._until_gone(member)
                await member.bot.end()
                if self._is_over:
                    return
                if why is not None and self.is_seated(member.seat):
                    await wait_up_to(member.restarted, RESTART_GRACE_S)
                reason = self._why_given_up(member, why)
                if reason is not None:
                    self.give_up(member.seat, reason)
                    return
            await asyncio.sleep(member.supervision.delay_ms / 1000)
            if self._is_over:
                return
            try:
                await self._start(member)
            except LaunchError as error:
                self.give_up(member.seat, str(error))
                return

    def _why_given_up(self, member: _Program, why: str | None) -> str | None:
        """Note that a program has gone; return why it is not started again, None if it is.

        Args:
            member: the program.
            why: how it has gone; None if it has not sat down in time.
        """
        is_back = member.restarted.is_set() or self.is_seated(member.seat)
        # The table may have turned the program away: that is no failed start.
        if not is_back and member.uncounted < EVICTIONS_MAX and self.evictions > member.evictions:
            member.supervision.note_end(is_counted=False)
            member.uncounted += 1
            return None
        if why is None:
            return f"{member.bot.name} has not sat down within {self._settings.connect_s} s"
        if not member.supervision.note_end():
            return f"{member.bot.name} {why}, {member.supervision.starts} times in a row"
        return None

    async def _until_gone(self, member: _Program) -> str | None:
        """Wait until a program has ended or was sent away, and say which; None if it has not logged on in time."""
        bot, restarted = member.bot, member.restarted
        is_restarted = await before_end(bot, restarted.wait(), self._settings.connect_s)
        if not (is_restarted or bot.is_over):
            if not self.is_seated(member.seat):
                return None
            await before_end(bot, restarted.wait())
        # The connection of a program that dies closes a moment before its exit is known.
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(bot.wait(), EXIT_WAIT_MS / 1000)
        if not bot.is_over:
            return "was sent away"
        how = bot.how_it_ended()
        self.note_exit(member.seat, how)
        return how

    # What the table is told

    def note_exit(self, seat: Seat, how: str) -> None:
        how = self._without_phrase(seat, how)
        if how.startswith(EXCEEDED):
            self._members[seat].excess = f"{self._name(seat)} {how}"
        self._table.take_order(NoteExit(seat, how))
        self._table.log_remark(LogRemark(None, f"{seat.title}'s program {how}"))

    def note_shortage(self, seat: Seat, reason: str) -> None:
        """Let the board wait: that this machine lacks something is no fault of the seat's team."""
        now_ms = self._clock.now_ms()
        if now_ms - self._waits_since_ms >= WAITS_LOG_MS:
            self._waits_since_ms = now_ms
            text = f"{self._without_phrase(seat, reason)}; the table waits, and nobody is judged for it"
            self._table.log_remark(LogRemark(None, text))
            _LOGGER.warning(text, extra={"action": "program_waits", **self._table.where})
        since_ms = self._shortage_ms if now_ms - self._shortage_ms <= SHORTAGE_MS else now_ms
        self._shortage_ms = now_ms
        if not self._is_over:
            self._table.take_order(SkipTime(since_ms))

    def give_up(self, seat: Seat, reason: str) -> None:
        """End the table if no board has begun: the event file may be wrong. Later, let the core judge the side."""
        reason = self._without_phrase(seat, reason)
        self._table.log_remark(LogRemark(None, reason))
        if self._table.state.has_begun:
            self._table.take_order(GiveUp(seat, reason))
            return
        folder, output = Path(self._settings.folder), self._output_of(seat)
        if self._settings.logs_in_record:
            place = f"{output.relative_to(self._settings.results_folder)} of `tourney export --format logs`"
        else:
            place = str(output.relative_to(folder) if output.is_relative_to(folder) else output)
        self._table.take_order(Stop(f"{reason}; its output is in {place}"))
