"""One Table Manager: a protocol core with its ports, connections, timers, wire log and programs.

The manager decides nothing about bridge. The effects that the core asks for go to the host, which makes the records
durable and then hands the effects back to be carried out.
"""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, Final

from tourney.bridge import SEATS, Seat, Side
from tourney.config import PortPlan, PortRange
from tourney.config.command import reachable
from tourney.host.connection import TcpConnection
from tourney.host.ports import (
    HostAdmission,
    Listen,
    PortAdmission,
    UnauthenticatedConnections,
)
from tourney.host.programs import Programs, SharedPrograms
from tourney.host.relay import RelayedConnection
from tourney.host.seat_links import HostSeats, SeatLink
from tourney.host.wire_log import WireLog
from tourney.protocol.access import PhrasePending
from tourney.protocol.bluechip.server import BlueChipWire
from tourney.protocol.lines import Overlong
from tourney.protocol.session.boards import BoardQueue
from tourney.protocol.session.driver import TableDriver
from tourney.protocol.session.effects import Effect, LogRemark
from tourney.protocol.session.orders import (
    CancelFinish,
    Disconnect,
    EndSuspension,
    FinishBoard,
    Interrupt,
    MakeRoom,
    Order,
    Stop,
)
from tourney.protocol.session.records import BoardBegan, BoardEnded, Recorded, SeatLeft, SeatTaken, TableRecord
from tourney.protocol.session.state import SessionState
from tourney.protocol.session.table import TableCore, TableSettings
from tourney.protocol.session.wire import Wire
from tourney.protocol.stateful.values import GameId, game_id
from tourney.runtime.clock import HostClock
from tourney.runtime.event_loop import wait_up_to
from tourney.store.control.host_settings import HostSettings
from tourney.store.control.tables import TableActivity, TableJob, TimeLeft, Wait
from tourney.store.record.writer import TableLedger

_LOGGER: Final = logging.getLogger(__name__)

CONNECTIONS_END_S: Final = 3.0
"""How long connections may stay open after the session: the pause of BC-39 and some time for slow readers."""

LOG_ENTRIES: Final = 100
"""How many entries of the wire log wait at most until they are written: those of a fifth of a board."""

Submit = Callable[["TableManager", list[Effect], int], None]
"""Hands the effects of a manager to its host, with the time of what led to them."""


class TableManager:
    """Plays one table, from opening its ports to the last connection closed."""

    def __init__(
        self,
        job: TableJob,
        ledger: TableLedger,
        settings: HostSettings,
        clock: HostClock,
        submit: Submit,
        listen: Listen,
        seats: HostSeats,
        budget: HostAdmission,
        shared: SharedPrograms,
        host: str,
    ) -> None:
        self.job = job
        self.ledger = ledger
        self.reason: str | None = None
        """Why the table ended before all its boards; None while it plays, and when it has finished."""
        self.is_lost = False
        """Whether another host has the table: nothing is written or relayed here any more."""
        self.reported: TableActivity | None = None
        """The status last written for displays, with `at_ms` set to 0 for comparison."""
        self.queued = 0
        """How many lists of its effects wait at the host for the record."""
        self._is_broken = self._is_closed = False
        self.late_timers: list[str] = []
        """Timers that have run out while what they judge by had not been sent, or no time limits applied."""
        self._settings = settings
        self._clock = clock
        self._submit = submit
        self._listen = listen
        self._seats = seats
        table, tournament = job.table, settings.stateful.tournament
        segment = f"s{table.segment}" if table.segment > 1 else ""
        in_event = f"match{table.match:03}{segment}{table.room.value}"
        self.place = GameId(in_event if tournament is not None else game_id(table.match), tournament)
        """What players of the stateful protocol are told about where they are: `match001open`, in a later segment
        `match001s2open`; `g1` in a lobby."""
        names = {side: team.name for side, team in job.teams.items()}
        entrants = {seat: job.teams[seat.side].at(seat).name for seat in SEATS}
        methods = {seat: settings.methods[name] for seat, name in entrants.items() if name in settings.methods}
        self._core = TableCore(
            TableSettings(
                ns_team=names[Side.NS],
                ew_team=names[Side.EW],
                boards=job.boards,
                trick_pause_ms=settings.trick_pause_ms,
                spent_ms=job.spent_ms,
                profiles={side: team.wire for side, team in job.teams.items()},
                under_way=job.under_way,
                history=job.history,
                extensions=job.extensions,
                seats_players=settings.stateful.seats_players,
                source=_game_boards(job),
                ours=frozenset(
                    side
                    for side, team in job.teams.items()
                    if all(team.at(seat).command is not None for seat in SEATS if seat.side is side)
                ),
                access=settings.access_of(entrants, {seat: job.teams[seat.side].at(seat).number for seat in SEATS}),
                rules=replace(settings.rules, methods=methods),
            ),
            BlueChipWire,
            clock.standstills,
            budget.phrases,
        )
        self.wire_log_path = settings.wire_log_path(job.table)
        self._wire_log = WireLog(self.wire_log_path, names.values()) if settings.wire_log else None
        log = self._wire_log.entries if self._wire_log is not None else None
        self.driver: TableDriver[TcpConnection | SeatLink] = TableDriver(self._core, self, log)
        """Carries out the effects of the table, once the records among them are durable."""
        self._connections = 0
        self._phrases = budget.phrases
        self._unauthenticated = UnauthenticatedConnections(budget, partial(self.take_order, MakeRoom()))
        self._own_ports = UnauthenticatedConnections(
            budget, partial(self.take_order, MakeRoom(are_ours=True)), is_public=False
        )
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._close_ports: list[Callable[[], None]] = []
        self._programs = Programs(self, settings, clock, shared, host)
        self._is_stop_ordered = False
        """Whether the director has ordered a stop after the board in play."""
        self._session_over = asyncio.Event()
        self._all_closed = asyncio.Event()
        self._all_closed.set()

    @property
    def table_id(self) -> int:
        return self.ledger.table_id

    @property
    def state(self) -> SessionState:
        """The state of its session, which only its core changes."""
        return self._core.state

    @property
    def where(self) -> dict[str, Any]:
        """Which table it is, for the log."""
        table = self.job.table
        return {"match": table.match, "room": table.room.value, "table": table.id}

    # From start to end

    async def open(self) -> dict[Seat, int]:
        """Open the ports and return the port of each seat.

        Raises:
            LaunchError: no ports are available.
        """
        settings = self._settings
        wished = self.job.table.ports.get(Seat.NORTH, settings.ports.first)
        per_seat = settings.port_plan is PortPlan.PER_SEAT
        accepts = [self._accept(seat) for seat in SEATS] if per_seat else [self._accept(None)]
        opened = await self._listen(settings.host, settings.ports, wished, accepts)
        self._close_ports += [port.close for port in opened]
        return {seat: opened[seat if per_seat else 0].number for seat in SEATS}

    def _accept(self, port_seat: Seat | None, *, is_stateful: bool = False, is_ours: bool = False) -> PortAdmission:
        relay_key = self._settings.relay_key if not is_ours else None

        def accept() -> TcpConnection:
            self._connections += 1
            given = self, self._clock, self._connections, port_seat, self._settings.limits
            connection = TcpConnection(*given) if relay_key is None else RelayedConnection(*given, relay_key)
            connection.wire = self._new_stateful_wire() if is_stateful else None
            connection.is_ours = is_ours
            return connection

        return PortAdmission(accept, self._own_ports if is_ours else self._unauthenticated)

    def _new_stateful_wire(self) -> Wire:
        from tourney.protocol.stateful.server import StatefulWire  # noqa: PLC0415 # few tables need its messages

        return StatefulWire(self.place)

    def open_link(self, seat: Seat, peer: str, team_number: int | None) -> SeatLink:
        """Return a link to a seat for a client of the event's port, as if it had connected here."""
        self._connections += 1
        wire = self._new_stateful_wire()
        return SeatLink(self, self._clock, self._connections, seat, peer, team_number, wire, self._seats)

    async def play(self, ports: dict[Seat, int]) -> None:
        """Start the programs of teams that have a command, and play until the session has ended and all have left."""
        try:
            self._seats.add_table(self.table_id, self)
            for seat in SEATS:
                self._offer_seat(seat)
            await self._programs.start_all(ports)
            await self._session_over.wait()
            self._stop_listening()
            if not await wait_up_to(self._all_closed, CONNECTIONS_END_S):
                self._abort_connections("the session is over")
        finally:
            await self.close()

    def take_order(self, order: Order, order_id: int | None = None) -> bool:
        """Carry out an order; with an id, what has come of it goes on record. Return whether the table still can."""
        self._is_stop_ordered = self._is_stop_ordered or isinstance(order, Stop)
        # A session that ends is over once that is on record: in an outage later than now.
        self._call_core(partial(self._core.receive_order, order, self._clock.now_ms(), order_id))
        return not self._is_broken

    def interrupt(self, reason: str) -> None:
        """Leave the board in play to another host: players lose their connections, as if this process had died."""
        self.take_order(Interrupt(reason))
        self._end_session()

    def finish_board(self, reason: str) -> None:
        """End when the current board has finished; at once if there is none, or if the table is paused.

        A paused board is left to another host.
        """
        self.take_order(FinishBoard(reason))
        if self.state.time.is_paused:
            self.interrupt(reason)

    def cancel_finish(self) -> None:
        """Cancel `finish_board`: play all boards, unless the director has ordered otherwise."""
        if not self._is_stop_ordered:
            self.take_order(CancelFinish())

    def revoke(self) -> None:
        """Close the connections without a message: another host has the table."""
        self.is_lost = True
        self._abort_connections()
        self._end_session()

    def end_unrecorded(self, order: Stop | Interrupt) -> None:
        """End without what should go on record of it: nothing can."""
        now_ms = self._clock.now_ms()
        effects = self._ask_core(partial(self._core.receive_order, order, now_ms))
        self.driver.carry_out([effect for effect in effects if not isinstance(effect, Recorded)], now_ms)
        self._end_session()

    def _end_session(self) -> None:
        self._programs.note_end()
        self._session_over.set()

    def end_suspension(self) -> None:
        """Continue after `Suspend`; time limits do not count the suspension."""
        self.take_order(EndSuspension())
        self.run_late_timers()

    def _call_core(self, act: Callable[[], list[Effect]]) -> None:
        """Call a method of the core, and hand its effects to the host."""
        self._submit(self, self._ask_core(act), self._clock.now_ms())

    def _ask_core(self, act: Callable[[], list[Effect]]) -> list[Effect]:
        """Call a method of the core, and return its effects. A bug in it ends this table and no other."""
        if self._is_broken:
            return []
        try:
            return act()
        except PhrasePending:
            raise
        except Exception as error:  # noqa: BLE001
            self.break_off(error)
            return []

    def break_off(self, error: Exception) -> None:
        """End the table without calling the core again, after an unexpected error in the core or here."""
        _LOGGER.error("the table has ended", exc_info=error, extra={"action": "table_broken", **self.where})
        self._is_broken = True
        self.reason = f"an error of ours: {error!r}"
        self._abort_connections()
        self._end_session()

    def _abort_connections(self, why: str = "the table was closed") -> None:
        for connection in list(self.driver.links.values()):
            connection.abort(why)

    async def close(self) -> None:
        """Release everything that the table holds; its record stays."""
        self._is_closed = True
        self._stop_listening()
        for timer in self._timers.values():
            timer.cancel()
        self._abort_connections()
        await self._programs.close()
        if self._wire_log is not None:
            self._wire_log.close()

    def flush_log(self) -> None:
        """Write what waits for the wire log."""
        if self._wire_log is not None:
            self._wire_log.flush()

    def _stop_listening(self) -> None:
        self._seats.remove_table(self.table_id)
        for close in self._close_ports:
            close()
        self._close_ports.clear()
        self._unauthenticated.close()
        self._own_ports.close()

    # Seats and programs

    def _offer_seat(self, seat: Seat) -> None:
        """Offer a seat to clients of the event's port if it is empty, and no program of ours is to take it."""
        team = self.job.teams[seat.side]
        if self.state.seats[seat].connection is not None or self._session_over.is_set():
            return
        if team.at(seat).command is None:
            self._seats.offer(self.table_id, seat, team.name, self.place.game)

    def accept_program(self, seat: Seat) -> PortAdmission:
        """Return what admits connections at the port of a seat whose program we start; only that program has it."""
        is_stateful = self.job.teams[seat.side].at(seat).name in self._settings.stateful.teams
        is_alone = is_stateful or self._settings.port_plan is PortPlan.PER_SEAT
        return self._accept(seat if is_alone else None, is_stateful=is_stateful, is_ours=True)

    async def open_program_port(self, seat: Seat) -> int:
        """Open such a port, and return its number.

        Raises:
            LaunchError: no port is available.
        """
        accept = self.accept_program(seat)
        (opened,) = await self._listen(reachable(self._settings.host), PortRange(0, 0), 0, [accept])
        self._close_ports.append(opened.close)
        return opened.number

    # Orders of the director

    def owed_ms(self, now_ms: int) -> dict[Seat, int]:
        """Return how long the players have owed the calls and cards that the table waits for."""
        table = self.state
        return {
            line.seat: now_ms - table.time.since_ms(line.since_ms, now_ms)
            for line in table.pending_lines()
            if line.acts
        }

    def doing(self, now_ms: int) -> TableActivity:
        """Return the table's status for displays."""
        doing = describe_activity(self.state, now_ms)
        log_problem = self._wire_log.problem if self._wire_log is not None else None
        problems = [each for each in (doing.problem, log_problem, *self._programs.problems()) if each]
        return replace(doing, problem="; ".join(problems) or None)

    # Calls from connections

    def connection_opened(self, connection: TcpConnection | SeatLink) -> None:
        self._all_closed.clear()
        self._call_core(partial(self.driver.open, connection))
        if self._is_closed:
            connection.abort("the table was closed")

    def line_received(self, connection: TcpConnection | SeatLink, line: bytes | Overlong, now_ms: int) -> None:
        if self._wire_log is not None:
            player, entries = connection.player, self._wire_log.entries
            seat = player.seat if player is not None else None
            text = line if isinstance(line, bytes) else f"(a line of more than {line.limit} bytes)"
            entries.append((now_ms, seat, connection.is_ours, "in", text))
            if len(entries) >= LOG_ENTRIES:
                self._wire_log.flush()
        # Like `_call_core`, without the extra call: this runs for every line.
        if self._is_broken:
            return
        try:
            began_ms, own_ms = connection.line_began_ms, connection.line_own_ms
            effects = self._core.receive_line(connection.number, line, now_ms, began_ms, own_ms)
        except PhrasePending as pending:
            self._hash_first(pending, connection, line)
        except Exception as error:  # noqa: BLE001
            self.break_off(error)
        else:
            if (player := connection.player) is not None and player.was_idle:
                player.was_idle = False
                connection.charge_idle(now_ms)
            if effects:
                self._submit(self, effects, now_ms)

    def _hash_first(
        self, pending: PhrasePending, connection: TcpConnection | SeatLink, line: bytes | Overlong
    ) -> None:
        """Have a passphrase hashed, and then the line passed on that it is in."""
        assert isinstance(connection, TcpConnection)  # whose phrase came by another port has shown it there

        def repeat() -> None:
            now_ms = self._clock.now_ms()
            try:
                effects = self._ask_core(partial(self._core.receive_line, connection.number, line, now_ms, now_ms))
            except PhrasePending as another:
                self._hash_first(another, connection, line)
            else:
                self._submit(self, effects, now_ms)

        self._phrases.check(pending, connection, repeat)

    def line_sent(self, connection: TcpConnection, line: str, clock: int | None, now_ms: int) -> None:
        self.driver.note_written(connection, line, clock, now_ms)

    def limit_passed(self, connection: TcpConnection, reason: str) -> None:
        self.take_order(Disconnect(connection.number, reason))

    def connection_closed(self, connection: TcpConnection | SeatLink, reason: str) -> None:
        del self.driver.links[connection.number]
        if isinstance(connection, TcpConnection):
            unauthenticated = self._own_ports if connection.is_ours else self._unauthenticated
            unauthenticated.remove(connection)
        if not self.driver.links:
            self._all_closed.set()
        now_ms = self._clock.now_ms()
        self._call_core(partial(self.driver.close, connection, reason, now_ms, is_aborted=connection.is_aborted))

    # Effects of the core

    def note_record(self, record: TableRecord, now_ms: int) -> None:  # noqa: ARG002 # see Shell
        match record:
            case SeatTaken():
                self._seats.withdraw(self.table_id, record.seat)
            case SeatLeft():
                self._offer_seat(record.seat)
            case BoardBegan():
                self._programs.note_board()
                self._seats.send(["board", self.place.game, record.board])
            case BoardEnded() if record.end.is_final:
                self._seats.send(["board", self.place.game, 0])
            case _:
                pass

    def end(self, reason: str | None) -> None:
        self.reason = reason
        self._end_session()

    def restart_program(self, seat: Seat) -> None:
        self._programs.restart_program(seat)

    def start_timer(self, name: str, at_ms: int, now_ms: int) -> None:
        running = self._timers.pop(name, None)
        if running is not None:
            running.cancel()
        elif name in self.late_timers:
            self.late_timers.remove(name)
        delay_s = max(0, at_ms - now_ms) / 1000
        self._timers[name] = asyncio.get_running_loop().call_later(delay_s, self._timer_ran_out, name)

    def _timer_ran_out(self, name: str) -> None:
        del self._timers[name]
        self.late_timers.append(name)
        self.run_late_timers()

    def run_late_timers(self) -> None:
        """Tell the core of timers that have run out, unless effects wait: a player may not know yet that it acts."""
        while self.late_timers and not self.queued and not self.state.time.is_out:
            name = self.late_timers.pop(0)
            self._call_core(partial(self._core.receive_timer, name, self._clock.now_ms()))

    def log_remark(self, remark: LogRemark) -> None:
        if self._wire_log is not None:
            seat = self.state.seat_of(remark.connection) if remark.connection is not None else None
            is_of_table = remark.connection is None
            self._wire_log.entries.append((self._clock.now_ms(), seat, is_of_table, "note", remark.text))


def _game_boards(job: TableJob) -> BoardQueue | None:
    """Return the boards of a game, each of which follows from those before; None for any other match."""
    if job.game is None:
        return None
    from tourney.contest.games import GameBoards  # noqa: PLC0415 # few tables play games

    return GameBoards(job.game, job.all_boards, job.finished)


def describe_activity(table: SessionState, now_ms: int) -> TableActivity:
    """Return the status of a table for displays, as its state is at this moment."""
    board = table.board if table.is_playing else None
    problem = None
    substituted = ", ".join(seat.seat.title for seat in table.seats if seat.is_substituted)
    if board is not None and substituted:
        why = f" ({board.state.ended})" if board.state.ended is not None else ""
        problem = f"the table acts for {substituted} on board {board.board.number}{why}"
    numbers = {"match": None} if board is None else {"board": board.board.number, "match": None}
    return TableActivity(
        at_ms=now_ms,
        paused=table.time.is_paused,
        waits=tuple(
            Wait(line.seat, line.what, table.time.since_ms(line.since_ms, now_ms)) for line in table.pending_lines()
        ),
        last=board.state.last_entry if board is not None else "",
        problem=problem,
        left=tuple(
            TimeLeft(side, number, limit_ms - used_ms)
            for what, number in numbers.items()
            for side in Side
            for name, limit_ms, used_ms in table.time_limits(side, 0)
            if name == what
        ),
    )
