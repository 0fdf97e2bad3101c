"""One Table Manager: a protocol core with its ports, connections, timers, wire log and programs.

The manager decides nothing about bridge. The effects that the core asks for go to the host, which makes the records
durable and then hands the effects back to be carried out.
"""

import asyncio
import logging
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final, ParamSpec

from tourney.bridge import SEATS, Seat, Side
from tourney.config import LogPlace, PortPlan, PortRange, slug
from tourney.config.command import CommandValues, name_program, reachable, uses_placeholder
from tourney.contest.games import GameBoards
from tourney.errors import LaunchError
from tourney.host.acceptor import HostAdmission, PortAdmission, UnauthenticatedConnections
from tourney.host.connection import TcpConnection
from tourney.host.ports import Accept, Listen, PortServer, listen, serve_port
from tourney.host.programs import AwaitedProgram, Programs, SeatProgram
from tourney.host.relayed_connection import RelayedConnection
from tourney.host.seat_links import HostSeats, SeatLink
from tourney.host.table_status import describe_activity
from tourney.host.wire_log import WireLog
from tourney.host.wires import TABLE_WIRE, GameId, StatefulWire, game_id
from tourney.launch.bots import EXCEEDED, ProgramSpec
from tourney.launch.sandbox import Sandbox
from tourney.protocol.admission import TokenBucket
from tourney.protocol.lines import Overlong
from tourney.protocol.session.driver import TableDriver
from tourney.protocol.session.effects import Effect, LogRemark, Record, StartTimer
from tourney.protocol.session.orders import (
    AddBoard,
    CancelFinish,
    Disconnect,
    EndSuspension,
    FinishBoard,
    GiveUp,
    Interrupt,
    MakeRoom,
    NoteExit,
    Order,
    Relieve,
    SkipTime,
    Stop,
    Suspend,
)
from tourney.protocol.session.records import BoardBegan, BoardEnded, SeatLeft, SeatTaken, TableRecord
from tourney.protocol.session.table import TableCore, TableSettings
from tourney.runtime.clock import HostClock
from tourney.store.control.host_settings import HostSettings
from tourney.store.control.tables import TableActivity, TableJob
from tourney.store.record.writer import TableLedger

_LOGGER: Final = logging.getLogger(__name__)

CONNECTIONS_END_S: Final = 3.0
"""How long connections may stay open after the session: the pause of BC-39 and some time for slow readers."""

REOPEN_TRIES: Final = 20
REOPEN_PAUSE_S: Final = 0.5
"""How often, and at what intervals, a table tries to open the port of a pair whose last table is still closing it."""

UNAUTHENTICATED_LINES_PER_S: Final = 20
UNAUTHENTICATED_LINES_AT_ONCE: Final = 500
"""Lines from and to connections without a seat that go into the wire log; those of programs that we start always
do."""

WAITS_LOG_MS: Final = 60_000
"""How often it is said again that a program cannot be started for want of something."""

SHORTAGE_MS: Final = 2000
"""Programs that cannot be started are tried again much sooner than that: it is one shortage while no more has passed
between two tries."""

AWAITED_LOG_MS: Final = 5000
"""How long a program on another machine is awaited before the status of the table says so: longer than it takes."""

P = ParamSpec("P")

Submit = Callable[["TableManager", list[Effect]], None]
"""Hands the effects of a manager to its host."""


class TableManager:
    """Plays one table, from opening its ports to the last connection closed."""

    def __init__(
        self,
        job: TableJob,
        ledger: TableLedger,
        settings: HostSettings,
        clock: HostClock,
        submit: Submit,
        listen: Listen = listen,
        seats: HostSeats | None = None,
        budget: HostAdmission | None = None,
    ) -> None:
        self.job = job
        self.ledger = ledger
        self.reason: str | None = None
        """Why the table ended before all its boards; None while it plays, and when it has finished."""
        self.is_lost = False
        """Whether another host has the table: nothing is written or relayed here any more."""
        self.queued = 0
        """How many lists of its effects wait at the host for the record."""
        self.is_suspended = False
        """Whether effects cannot be carried out for a while, and no time limits apply."""
        self._is_broken = self._is_closed = False
        self._waits_since_ms: int | None = None
        """When it was last said that a program cannot be started for want of something."""
        self._shortage_ms = 0
        """When a program was last found not to be startable for want of something."""
        self._late_timers: list[str] = []
        self._settings = settings
        self._clock = clock
        self._submit = submit
        self._listen = listen
        self._seats = seats if seats is not None else HostSeats()
        self.place = GameId(self._game_id, settings.stateful.tournament)
        """What players of the stateful protocol are told about where they are."""
        self._core = TableCore(
            TableSettings(
                ns_team=job.teams[Side.NS].name,
                ew_team=job.teams[Side.EW].name,
                boards=job.boards,
                trick_pause_ms=settings.trick_pause_ms,
                spent_ms=job.spent_ms,
                profiles={side: team.wire for side, team in job.teams.items()},
                under_way=job.under_way,
                is_first_known=job.boards[0].number in job.board_attempts,
                seats_players=settings.stateful.seats_players,
                source=GameBoards(job.game, job.all_boards, job.finished) if job.game is not None else None,
                ours=frozenset(side for side, team in job.teams.items() if team.command is not None),
                access=settings.access_of({side: team.name for side, team in job.teams.items()}),
                rules=replace(
                    settings.rules,
                    methods={
                        side: settings.methods[team.name]
                        for side, team in job.teams.items()
                        if team.name in settings.methods
                    },
                ),
            ),
            TABLE_WIRE,
            clock.standstills,
        )
        self._driver: TableDriver[TcpConnection | SeatLink] = TableDriver(self._core, self)
        self._connections = 0
        self._budget = budget if budget is not None else HostAdmission(clock)
        name = f"match {job.table.match}, {job.table.room.value} room"
        self._unauthenticated = UnauthenticatedConnections(self._budget, self._make_room, name)
        self._own_ports = UnauthenticatedConnections(
            self._budget, partial(self._make_room, are_ours=True), name, is_public=False
        )
        self._unauthenticated_lines = TokenBucket(UNAUTHENTICATED_LINES_PER_S, UNAUTHENTICATED_LINES_AT_ONCE)
        self._unlogged = 0
        """Lines of connections without a seat that the wire log leaves out and has not counted yet."""
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._servers: list[PortServer] = []
        self._excesses: dict[Seat, str] = {}
        """What programs took too much of, in sentences, the last of each seat."""
        self._awaited_since_ms: dict[Seat, int] = {}
        """Since when programs on machines with a label have been awaited, by seat; those that sit too."""
        self._programs = Programs(self, settings.connect_s, settings.rules.rejoins_max)
        self._is_stop_ordered = False
        """Whether the director has ordered a stop after the board in play."""
        self._session_over = asyncio.Event()
        self._all_closed = asyncio.Event()
        self._all_closed.set()
        self._bot_folder = Path(settings.results_folder) / "bots" / job.table.file_name
        self.wire_log_path = settings.wire_log_path(job.table)
        teams = [team.name for team in job.teams.values()]
        self._wire_log = WireLog(self.wire_log_path, teams) if settings.wire_log else None

    @property
    def _game_id(self) -> str:
        """The id of this table's game: `match001open`, in a later segment `match001s2open`; `g1` in a lobby."""
        table = self.job.table
        if self._settings.stateful.tournament is None:
            return game_id(table.match)
        segment = f"s{table.segment}" if table.segment > 1 else ""
        return f"match{table.match:03}{segment}{table.room.value}"

    @property
    def packs_log(self) -> bool:
        """Whether the wire log is to be packed once the table is over."""
        return self._settings.wire_log and self._settings.compress_wire_log

    @property
    def table_id(self) -> int:
        return self.ledger.table_id

    # From start to end

    async def open(self) -> dict[Seat, int]:
        """Open the ports and return the port of each seat.

        Raises:
            LaunchError: no ports are available.
        """
        settings = self._settings
        if settings.port_plan is PortPlan.PER_PAIR:
            return {seat: port for side in Side for seat, port in (await self._reopen_port(side)).items()}
        wished = self.job.table.ports.get(Seat.NORTH, settings.ports.first)
        per_seat = settings.port_plan is PortPlan.PER_SEAT
        accepts = [self._accept(seat) for seat in SEATS] if per_seat else [self._accept(None)]
        opened = await self._listen(settings.host, settings.ports, wished, accepts)
        self._servers += [port.server for port in opened]
        return {seat: opened[seat if per_seat else 0].number for seat in SEATS}

    async def _reopen_port(self, side: Side) -> dict[Seat, int]:
        """Open the port that a pair has all event long, once its last table has closed it.

        Raises:
            LaunchError: something else has it for longer than that takes.
        """
        settings = self._settings
        seats = [seat for seat in SEATS if seat.side is side]
        port_range = PortRange(self.job.table.ports[seats[0]], self.job.table.ports[seats[0]])
        for _ in range(REOPEN_TRIES - 1):
            try:
                (opened,) = await self._listen(settings.host, port_range, port_range.first, [self._accept(None)])
            except LaunchError:
                await asyncio.sleep(REOPEN_PAUSE_S)
            else:
                break
        else:
            (opened,) = await self._listen(settings.host, port_range, port_range.first, [self._accept(None)])
        self._servers.append(opened.server)
        return dict.fromkeys(seats, opened.number)

    def _accept(self, port_seat: Seat | None, *, is_stateful: bool = False, is_ours: bool = False) -> Accept:
        def accept() -> TcpConnection:
            self._connections += 1
            connection = self._make_connection(port_seat, may_be_relayed=not is_ours)
            connection.wire = StatefulWire(self.place) if is_stateful else None
            connection.is_ours = is_ours
            return connection

        return PortAdmission(accept, self._own_ports if is_ours else self._unauthenticated)

    def _make_connection(self, port_seat: Seat | None, *, may_be_relayed: bool) -> TcpConnection:
        number, limits, key = self._connections, self._settings.limits, self._settings.relay_key
        if key is not None and may_be_relayed:
            return RelayedConnection(self, self._clock, number, port_seat, limits, key)
        return TcpConnection(self, self._clock, number, port_seat, limits)

    def _make_room(self, *, are_ours: bool = False) -> None:
        self.take_order(MakeRoom(are_ours))

    def open_link(self, seat: Seat, peer: str, seats: HostSeats) -> SeatLink:
        """Return a link to a seat for a client of the event's port, as if it had connected here."""
        self._connections += 1
        return SeatLink(self, self._clock, self._connections, seat, peer, StatefulWire(self.place), seats)

    async def play(self, ports: dict[Seat, int]) -> None:
        """Start the programs of teams that have a command, and play until the session has ended and all have left."""
        try:
            self._seats.add_table(self)
            await self._start_programs(ports)
            await self._session_over.wait()
            self._stop_listening()
            try:
                async with asyncio.timeout(CONNECTIONS_END_S):
                    await self._all_closed.wait()
            except TimeoutError:
                for connection in list(self._driver.links.values()):
                    connection.abort("the session is over")
        finally:
            await self.close()

    def take_order(self, order: Order, order_id: int | None = None) -> bool:
        """Carry out an order; with an id, what has come of it goes on record. Return whether the table still can."""
        self._is_stop_ordered = self._is_stop_ordered or isinstance(order, Stop)
        # A session that ends is over once that is on record: in an outage later than now.
        self._call_core(self._core.receive_order, order, self._clock.now_ms(), order_id)
        return not self._is_broken

    def interrupt(self, reason: str, *, can_record: bool = True) -> None:
        """Leave the board in play to another host: players lose their connections, as if this process had died.

        Args:
            reason: why.
            can_record: whether anything can go on record now; else what should is left out.
        """
        if can_record:
            self.take_order(Interrupt(reason))
            self._session_over.set()
        else:
            self._end_unrecorded(Interrupt(reason))

    @property
    def closing(self) -> str | None:
        """Why no further board begins here; None while all are to be played."""
        return self._core.state.closing

    def finish_board(self, reason: str) -> None:
        """End when the current board has finished; at once if there is none, or if the table is paused.

        A paused board is left to another host.
        """
        self.take_order(FinishBoard(reason))
        if self._core.state.time.is_paused:
            self.interrupt(reason)

    def cancel_finish(self) -> None:
        """Cancel `finish_board`: play all boards, unless the director has ordered otherwise."""
        if not self._is_stop_ordered:
            self.take_order(CancelFinish())

    def revoke(self) -> None:
        """Close the connections without a message: another host has the table."""
        self.is_lost = True
        self._abort_connections()

    def close_unrecorded(self, reason: str) -> None:
        """Tell the players only that the session has ended: nothing can go on record any more."""
        self._end_unrecorded(Stop(reason))

    def _end_unrecorded(self, order: Stop | Interrupt) -> None:
        now_ms = self._clock.now_ms()
        effects = self._ask_core(self._core.receive_order, order, now_ms)
        self.carry_out([effect for effect in effects if not isinstance(effect, Record)], now_ms)
        self._session_over.set()

    def suspend(self) -> None:
        """Suspend the table: effects cannot be carried out for a while, and no time limits apply."""
        self.is_suspended = True
        self.take_order(Suspend())

    def end_suspension(self) -> None:
        """Continue after `suspend`; time limits do not count the suspension."""
        self.is_suspended = False
        late, self._late_timers = self._late_timers, []
        now_ms = self._clock.now_ms()
        effects = self._ask_core(self._core.receive_order, EndSuspension(), now_ms)
        self._submit(self, effects)
        begun_anew = {effect.name for effect in effects if isinstance(effect, StartTimer)}
        for name in late:
            if name not in begun_anew:
                self._call_core(self._core.receive_timer, name, now_ms)

    def _call_core(self, method: Callable[P, list[Effect]], *args: P.args, **kwargs: P.kwargs) -> None:
        """Call a method of the core, and hand its effects to the host."""
        self._submit(self, self._ask_core(method, *args, **kwargs))

    def _ask_core(self, method: Callable[P, list[Effect]], *args: P.args, **kwargs: P.kwargs) -> list[Effect]:
        """Call a method of the core, and return its effects. A bug in it ends this table and no other."""
        if self._is_broken:
            return []
        try:
            return method(*args, **kwargs)
        except Exception as error:  # noqa: BLE001
            self.break_off(error)
            return []

    def break_off(self, error: Exception) -> None:
        """End the table without calling the core again, after an unexpected error in the core or here."""
        table = self.job.table
        where = {"match": table.match, "room": table.room.value, "table": table.id}
        _LOGGER.error("the table has ended", exc_info=error, extra={"action": "table_broken", **where})
        self._is_broken = True
        self.reason = f"an error of ours: {error!r}"
        self._abort_connections()

    def _abort_connections(self) -> None:
        for connection in list(self._driver.links.values()):
            connection.abort("the table was closed")
        self._session_over.set()

    async def close(self) -> None:
        """Release everything that the table holds; its record stays."""
        self._is_closed = True
        self._stop_listening()
        for timer in self._timers.values():
            timer.cancel()
        for connection in list(self._driver.links.values()):
            connection.abort("the table was closed")
        await self._programs.close()
        if self._wire_log is not None:
            self._log_unlogged(self._clock.now_ms())
            self._wire_log.close()

    def _stop_listening(self) -> None:
        self._seats.remove_table(self)
        for server in self._servers:
            server.close()
        self._servers.clear()
        self._unauthenticated.close()
        self._own_ports.close()

    # Programs of teams

    async def _start_programs(self, ports: dict[Seat, int]) -> None:
        table = self.job.table
        bots: dict[Seat, SeatProgram] = {}
        for seat in SEATS:
            team = self.job.teams[seat.side]
            command = team.command_of(table.pair(seat.side))
            if command is None:
                continue
            if team.name in self._settings.labels:
                bots[seat] = AwaitedProgram(name_program(team.name, seat), self._settings.labels[team.name])
                self._awaited_since_ms[seat] = self._clock.now_ms()
                continue
            sandbox = Sandbox(self._settings.sandbox, team.name)
            port, serve = ports[seat], None
            if sandbox.has_own_network:
                serve = partial(serve_port, accept=self._accept_program(seat))
            else:
                try:
                    port = await self._own_port_of(seat, command, port)
                except LaunchError as error:
                    self.take_order(Stop(str(error)))
                    return
            spec = ProgramSpec(
                name=name_program(team.name, seat),
                command=command,
                values=CommandValues(
                    host=reachable(self._settings.host),
                    port=port,
                    seat=seat,
                    team=team.name,
                    login=self._settings.logins.get(team.name, team.name),
                    match=table.match,
                    room=table.room.value,
                    pair=table.pair(seat.side),
                ),
                started_in=Path(self._settings.sandbox.team_folders.get(team.name, self._settings.folder)),
                own=self._settings.program_folder(table) / seat.title.lower(),
                output=self._output_of(seat),
                sandbox=sandbox,
                serve=serve,
            )
            bots[seat] = spec.make()
        try:
            await self._programs.start(bots)
        except LaunchError as error:
            self.take_order(Stop(str(error)))

    def _is_stateful(self, seat: Seat) -> bool:
        """Return whether the program that we start for a seat speaks the stateful protocol."""
        return self.job.teams[seat.side].name in self._settings.stateful.teams

    def _accept_program(self, seat: Seat) -> Accept:
        """Return what admits connections at the port of a seat whose program we start; only that program has it."""
        is_stateful = self._is_stateful(seat)
        is_alone = is_stateful or self._settings.port_plan is PortPlan.PER_SEAT
        return self._accept(seat if is_alone else None, is_stateful=is_stateful, is_ours=True)

    async def _own_port_of(self, seat: Seat, command: str, table_port: int) -> int:
        """Open a port that nobody else knows for the program that we start for a seat, and return its number.

        So it comes in whatever happens at the table's port. In the stateful protocol a program does not say which
        seat it takes, and each of ours gets its own there (SS-37). A command without `{host}` reaches the table in
        another way, from another machine maybe, which only the table's port is open to.

        Raises:
            LaunchError: no port is available.
        """
        if not self._is_stateful(seat) and not uses_placeholder(command, "host"):
            return table_port
        accept = self._accept_program(seat)
        host, any_port = reachable(self._settings.host), PortRange(0, 0)
        (opened,) = await self._listen(host, any_port, 0, [accept])
        self._servers.append(opened.server)
        return opened.number

    def _output_of(self, seat: Seat) -> Path:
        """Return the file that receives the output of a seat's program."""
        return self._bot_folder / f"{seat.title.lower()}-{slug(self.job.teams[seat.side].name)}.log"

    def is_seated(self, seat: Seat) -> bool:
        return self._core.state.seats[seat].connection is not None

    @property
    def evictions(self) -> int:
        return self._core.state.evictions

    def awaits_outsider(self, seat: Seat) -> bool:
        """Return whether a seat is empty, and waits for a program that tourney does not start."""
        if self.is_seated(seat) or self._session_over.is_set():
            return False
        return self.job.teams[seat.side].command_of(self.job.table.pair(seat.side)) is None

    def _without_phrase(self, seat: Seat, text: str) -> str:
        """Return a text without the pass phrase of a seat's team: programs print the words they are started with."""
        name = self.job.teams[seat.side].name
        return text.replace(self._settings.logins.get(name, name), name)

    def program_ended(self, seat: Seat, how: str) -> None:
        how = self._without_phrase(seat, how)
        if how.startswith(EXCEEDED):
            self._excesses[seat] = f"{name_program(self.job.teams[seat.side].name, seat)} {how}"
        self.take_order(NoteExit(seat, how))
        self.log_remark(LogRemark(None, f"{seat.title}'s program {how}"))

    def program_waits(self, seat: Seat, reason: str) -> None:
        """Let the board wait: that this machine lacks something is no fault of the seat's team."""
        now_ms = self._clock.now_ms()
        if self._waits_since_ms is None or now_ms - self._waits_since_ms >= WAITS_LOG_MS:
            self._waits_since_ms = now_ms
            text = f"{self._without_phrase(seat, reason)}; the table waits, and nobody is judged for it"
            self.log_remark(LogRemark(None, text))
            table = self.job.table
            where = {"match": table.match, "room": table.room.value, "table": table.id}
            _LOGGER.warning(text, extra={"action": "program_waits", **where})
        since_ms = self._shortage_ms if now_ms - self._shortage_ms <= SHORTAGE_MS else now_ms
        self._shortage_ms = now_ms
        if not self._session_over.is_set():
            self.take_order(SkipTime(since_ms))

    def program_given_up(self, seat: Seat, reason: str) -> None:
        """End the table if no board has begun: the event file may be wrong. Later, let the core judge the side."""
        reason = self._without_phrase(seat, reason)
        self.log_remark(LogRemark(None, reason))
        if self._core.state.has_begun:
            self.take_order(GiveUp(seat, reason))
        else:
            folder, output = Path(self._settings.folder), self._output_of(seat)
            if self._settings.logs is LogPlace.RECORD:
                place = f"{output.relative_to(self._settings.results_folder)} of `tourney export --format logs`"
            else:
                place = str(output.relative_to(folder) if output.is_relative_to(folder) else output)
            self.take_order(Stop(f"{reason}; its output is in {place}"))

    # Orders of the director

    def plays(self, board: int) -> bool:
        """Return whether a board is in progress and its attempt has not ended on record."""
        return self._core.state.board_in_play == board

    def add_board(self, number: int) -> None:
        """Play a board of this table again, after the remaining ones."""
        board = next(board for board in self.job.all_boards if board.number == number)
        self.take_order(AddBoard(board))
        self.ledger.boards_left += 1

    def owed_ms(self, now_ms: int) -> dict[Seat, int]:
        """Return how long the players have owed the calls and cards that the table waits for."""
        table = self._core.state
        return {
            line.seat: now_ms - table.time.since_ms(line.since_ms, now_ms)
            for line in table.pending_lines()
            if line.acts
        }

    def doing(self, now_ms: int) -> TableActivity:
        """Return the table's status for displays."""
        doing = describe_activity(self._core.state, now_ms)
        log_problem = self._wire_log.problem if self._wire_log is not None else None
        shortages = [self._without_phrase(seat, why) for seat, why in self._programs.shortages.items()]
        more = [*([log_problem] if log_problem is not None else []), *self._excesses.values(), *shortages]
        more += self._describe_awaited(now_ms)
        if not more:
            return doing
        return replace(doing, problem="; ".join(filter(None, (doing.problem, *more))))

    def _describe_awaited(self, now_ms: int) -> Iterator[str]:
        """Describe the programs that no machine with their label has brought for a while."""
        for seat, since_ms in self._awaited_since_ms.items():
            if not self.is_seated(seat) and now_ms - since_ms >= AWAITED_LOG_MS:
                name = self.job.teams[seat.side].name
                yield f"{name_program(name, seat)} is awaited from a machine labelled {self._settings.labels[name]}"

    # Calls from connections

    def connection_opened(self, connection: TcpConnection | SeatLink) -> None:
        self._all_closed.clear()
        self._call_core(
            self._driver.open,
            connection,
            peer=connection.peer,
            port_seat=connection.port_seat,
            is_ours=connection.is_ours,
            wire=connection.wire,
        )
        if self._is_closed:
            connection.abort("the table was closed")

    def line_received(self, connection: TcpConnection | SeatLink, line: bytes | Overlong, now_ms: int) -> None:
        if self._wire_log is not None:
            player = connection.player
            seat = player.seat if player is not None else None
            if seat is not None or connection.is_ours or self._logs_unauthenticated(now_ms):
                text = line if isinstance(line, bytes) else f"(a line of more than {line.limit} bytes)"
                self._wire_log.entries.append((now_ms, seat, "in", text))
        # Like `_call_core`, without the extra call: this runs for every line.
        if self._is_broken:
            return
        try:
            effects = self._core.receive_line(connection.number, line, now_ms, connection.line_began_ms)
        except Exception as error:  # noqa: BLE001
            self.break_off(error)
        else:
            if effects:
                self._submit(self, effects)

    def line_sent(self, connection: TcpConnection, line: str, clock: int | None, now_ms: int) -> None:
        self._driver.note_written(connection, line, clock, now_ms)
        if self._wire_log is not None:
            self._wire_log.flush()

    def limit_passed(self, connection: TcpConnection, reason: str) -> None:
        self.take_order(Disconnect(connection.number, reason))

    def connection_closed(self, connection: TcpConnection | SeatLink, reason: str) -> None:
        del self._driver.links[connection.number]
        if isinstance(connection, TcpConnection):
            unauthenticated = self._own_ports if connection.is_ours else self._unauthenticated
            unauthenticated.remove(connection, is_over=self._session_over.is_set())
        if not self._driver.links:
            self._all_closed.set()
        now_ms = self._clock.now_ms()
        self._call_core(self._driver.close, connection, reason, now_ms, is_aborted=connection.is_aborted)

    def relieve(self, connection: SeatLink, reason: str) -> None:
        """Let a player go before the next board begins."""
        self.take_order(Relieve(connection.number, reason))

    # Effects of the core

    def carry_out(self, effects: list[Effect], now_ms: int) -> None:
        """Carry out effects in order; the records among them are already durable. A bug of ours ends one table."""
        try:
            self._driver.carry_out(effects, now_ms)
        except Exception as error:  # noqa: BLE001
            self.break_off(error)
        if self._wire_log is not None:
            self._wire_log.flush()

    def line_written(self, link: TcpConnection | SeatLink, line: str, now_ms: int) -> None:
        wire_log = self._wire_log
        if wire_log is not None:
            player = link.player
            seat = player.seat if player is not None else None
            if seat is not None or link.is_ours or self._logs_unauthenticated(now_ms):
                wire_log.entries.append((now_ms, seat, "out", line))

    def note_record(self, record: TableRecord, now_ms: int) -> None:  # noqa: ARG002 # see Shell
        match record:
            case SeatTaken():
                self._seats.note_taken(self, record.seat)
            case SeatLeft():
                self._seats.note_left(self, record.seat)
            case BoardBegan():
                self._programs.note_board()
                self._seats.note_board(self, record.board)
            case BoardEnded() if record.end.is_final:
                self._seats.note_board(self, None)
            case _:
                pass

    def end(self, reason: str | None) -> None:
        self.reason = reason
        self._programs.note_end()
        self._session_over.set()

    def restart_program(self, seat: Seat, now_ms: int) -> None:
        self._programs.restart_program(seat)
        if seat in self._awaited_since_ms:
            self._awaited_since_ms[seat] = now_ms

    def start_timer(self, name: str, at_ms: int, now_ms: int) -> None:
        running = self._timers.pop(name, None)
        if running is not None:
            running.cancel()
        delay_s = max(0, at_ms - now_ms) / 1000
        self._timers[name] = asyncio.get_running_loop().call_later(delay_s, self._timer_ran_out, name)

    def _timer_ran_out(self, name: str) -> None:
        del self._timers[name]
        if self.is_suspended:
            self._late_timers.append(name)
            return
        self._call_core(self._core.receive_timer, name, self._clock.now_ms())

    def log_remark(self, remark: LogRemark) -> None:
        if self._wire_log is not None:
            now_ms = self._clock.now_ms()
            seat = self._core.state.seat_of(remark.connection) if remark.connection is not None else None
            if remark.connection is None or seat is not None or self._logs_unauthenticated(now_ms):
                self._wire_log.write(now_ms, seat, "note", remark.text)

    def _logs_unauthenticated(self, now_ms: int) -> bool:
        """Return whether a line of a connection without a seat is logged: outsiders must not fill the disk."""
        if not self._unauthenticated_lines.take_one(now_ms):
            self._unlogged += 1
            return False
        self._log_unlogged(now_ms)
        return True

    def _log_unlogged(self, now_ms: int) -> None:
        if self._unlogged and self._wire_log is not None:
            text = f"{self._unlogged} lines of connections without a seat, or to them, are left out here"
            self._wire_log.write(now_ms, None, "note", text)
            self._unlogged = 0
