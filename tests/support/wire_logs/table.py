"""Plays a scenario: programs, connections, a table core and its driver under one clock, and a log of what passed.

`_Host` is the one place that knows the face of a table core. A line travels for a millisecond; those to a program are
kept apart as its profile asks, like those of a table host. A host that dies takes its connections with it; the next
goes on with the board from what is on record.
"""

import heapq
from collections.abc import Callable, Sequence
from typing import Final

from tests.support.wire_logs.decks import load_decks
from tests.support.wire_logs.programs import BlueChipProgram, Program, Said, StatefulProgram
from tests.support.wire_logs.scenario import Boards, Event, Scenario, not_vulnerable, table_settings
from tourney.bridge import SEATS, Board, Call, Card, Seat, Side
from tourney.protocol.bluechip.server import BlueChipWire
from tourney.protocol.lines import Charset, Overlong
from tourney.protocol.session.driver import Link, Shell, TableDriver
from tourney.protocol.session.effects import Effect, LogRemark
from tourney.protocol.session.orders import (
    CancelFinish,
    Disconnect,
    EndSuspension,
    FinishBoard,
    GiveUp,
    Interrupt,
    KickPlayer,
    NoteExit,
    Order,
    Pause,
    RelayAnswer,
    Resume,
    SkipTime,
    Stop,
    Suspend,
    VoidBoard,
)
from tourney.protocol.session.records import (
    AlertAnswered,
    AlertAsked,
    BoardBegan,
    BoardEnded,
    BoardsDecided,
    BoardSnapshot,
    CallMade,
    CardPlayed,
    Incident,
    OrderActed,
    Ruled,
    SeatLeft,
    SeatTaken,
    TableRecord,
)
from tourney.protocol.session.table import TableCore
from tourney.protocol.session.wire import Wire
from tourney.protocol.stateful.server import StatefulWire
from tourney.protocol.stateful.values import GameId

START_MS: Final = 1_000_000
LATENCY_MS: Final = 1
LONG_LINE: Final = 8000
"""Characters from which on a line stands for one that a connection takes for too long."""
BACK_MS: Final = 300
"""After which the programs of a host that has died connect to the next, one after the other."""

_ORDERS: Final[dict[str, Callable[..., Order]]] = {
    "pause": Pause,
    "resume": Resume,
    "stop": Stop,
    "interrupt": Interrupt,
    "finish_board": FinishBoard,
    "play_on": CancelFinish,
}
_ORDERS_ABOUT_SEATS: Final[dict[str, Callable[..., Order]]] = {"exit": NoteExit, "give_up": GiveUp}
_ORDERS_ABOUT_CONNECTIONS: Final[dict[str, Callable[..., Order]]] = {"dismiss": Disconnect}


def play(scenario: Scenario) -> list[str]:
    """Return the log of a scenario, line by line."""
    return _World(scenario).play()


class _Line(Link):
    """A connection, from the table's end, and its program."""

    def __init__(self, world: "_World", host: "_Host", label: str, program: Program | None) -> None:
        self.number = len(host.driver.links) + 1 + host.closed
        self.label = label
        self.program = program
        self.host = host
        self.is_open = True
        self._world = world
        self._gap_ms = 0
        self._free_ms = 0
        self._waiting: list[tuple[str, int | None]] = []
        self._is_closing = ""
        self._said_ms = 0

    # What the driver asks of it

    def send(self, line: str, clock: int | None, now_ms: int) -> bool:
        if self._waiting or now_ms < self._free_ms:
            self._waiting.append((line, clock))
            self._world.at(max(now_ms, self._free_ms), self._pump)
            return False
        self._write(line, now_ms)
        return True

    def admit(self, gap_ms: int, charset: Charset) -> None:
        self._gap_ms = gap_ms
        self._world.log_remark(f"{self.label}: lines are {gap_ms} ms apart, {charset.value}")

    def close(self) -> None:
        assert self.player is not None
        self._is_closing = self.player.closing
        if not self._waiting:
            self._world.at(self._world.now_ms, self._end)

    def probe(self) -> None:
        self._world.log_remark(f"{self.label}: is it still there?")

    def _write(self, line: str, now_ms: int) -> None:
        self._free_ms = now_ms + self._gap_ms
        self._world.log_remark(f"{self.label}< {line}")
        self._world.at(now_ms + LATENCY_MS, lambda: self._arrive(line))

    def _pump(self) -> None:
        now_ms = self._world.now_ms
        if not self.is_open:
            return
        while self._waiting and now_ms >= self._free_ms:
            line, clock = self._waiting.pop(0)
            self._write(line, now_ms)
            self.host.driver.note_written(self, line, clock, now_ms)
        if self._waiting:
            self._world.at(self._free_ms, self._pump)
        elif self._is_closing:
            self._end()

    def _end(self) -> None:
        """The table closes it."""
        if self.is_open:
            self._world.log_remark(f"{self.label}: closed, {self._is_closing}")
            self.drop(self._is_closing)

    def drop(self, reason: str) -> None:
        """Tell the table that it has ended."""
        self.is_open = False
        self.host.closed += 1
        self.host.carry_out(self.host.driver.close(self, reason, self._world.now_ms))

    # The program's end

    def _arrive(self, line: str) -> None:
        if self.is_open and self.program is not None and not self.program.is_mute:
            self.send_line(self.program.receive(line))

    def send_line(self, lines: Sequence[Said]) -> None:
        """Have the program say something, after what it says already."""
        for said in lines:
            self._said_ms = max(self._said_ms, self._world.now_ms) + said.after_ms
            trickles = self.program is not None and said.after_ms > 0
            began_ms = self._said_ms + LATENCY_MS
            if trickles and self.program is not None:
                self._said_ms += self.program.manner.trickles_ms
            self._world.at(self._said_ms + LATENCY_MS, lambda line=said.line, at=began_ms: self._reach(line, at))  # type: ignore[misc]

    def _reach(self, line: str, began_ms: int) -> None:
        if not self.is_open:
            return
        self._world.log_remark(f"{self.label}> {line if len(line) < LONG_LINE else 'a line that is too long'}")
        self._free_ms = 0
        self.line_began_ms = began_ms
        data = line.encode() if len(line) < LONG_LINE else Overlong(4096)
        self.host.carry_out(self.host.core.receive_line(self.number, data, self._world.now_ms, self.line_began_ms))
        self._pump()


class _Host(Shell):
    """One table core with its driver, and everything that depends on how they are used."""

    def __init__(self, world: "_World", core: TableCore) -> None:
        self.core = core
        self.closed: int = 0
        """Connections that have ended."""
        self.driver: TableDriver[_Line] = TableDriver(core, self)
        self.is_dead = False
        self.is_over = False
        self._world = world
        self._timers: dict[str, int] = {}
        self._held: list[Effect] | None = None

    def carry_out(self, effects: list[Effect]) -> None:
        if self.is_dead:
            return
        if self._held is not None:
            self._held += effects
            return
        self.driver.carry_out(effects, self._world.now_ms)

    def open(self, line: _Line, port_seat: Seat | None, wire: Wire | None) -> None:
        line.peer, line.port_seat, line.wire = f"10.0.0.{line.number}:4000", port_seat, wire
        self.carry_out(self.driver.open(line))

    # What befalls a table

    def order(self, event: Event) -> None:
        """Have happen to the table what an event says."""
        core, now_ms, given, seat = self.core, self._world.now_ms, event.arguments, event.seat
        match event.what:
            case "suspend":
                self._order(Suspend())
                self._held = []
            case "end_suspension":
                held, self._held = self._held or [], None
                self.carry_out([*held, *core.receive_order(EndSuspension(), now_ms)])
            case "stand_still":
                self._world.standstills.append((now_ms - given["ms"], now_ms))
            case "skip_time":
                self._order(SkipTime(now_ms - given["ms"]))
            case "kick":
                assert seat is not None
                self._order(KickPlayer(seat, given["reason"], "the director", forfeits=given["forfeits"]), "kick")
            case "replay":
                self._order(VoidBoard(self._world.board(given["board"]), given["reason"], "the director"))
            case "answer":
                self._order(RelayAnswer(given["board"], given["seq"], given["text"], "the operator"), "answer")
            case what if what in _ORDERS:
                self._order(_ORDERS[what](**given))
            case what if what in _ORDERS_ABOUT_SEATS:
                self._order(_ORDERS_ABOUT_SEATS[what](seat, **given))
            case what if what in _ORDERS_ABOUT_CONNECTIONS and seat is not None:
                self._order(_ORDERS_ABOUT_CONNECTIONS[what](self._world.lines[seat].number, **given))
            case what:
                raise AssertionError(f"nothing is called {what}")

    def _order(self, order: Order, logged_as: str = "") -> None:
        """Give an order; with a name, what has come of it is logged under that."""
        *effects, outcome = self.core.receive_order(order, self._world.now_ms, order_id=0)
        if logged_as:
            assert isinstance(outcome, OrderActed)
            text = outcome.outcome
            is_taken = isinstance(order, RelayAnswer) and text in (f"alerted: {order.text}", "not alertable")
            self._world.log_remark(f"{logged_as}: {'taken' if is_taken else text}")
        self.carry_out(effects)

    # What the driver asks for

    def start_timer(self, name: str, at_ms: int, now_ms: int) -> None:
        self._timers[name] = at_ms
        self._world.at(max(at_ms, now_ms), lambda: self._expire(name, at_ms))

    def _expire(self, name: str, at_ms: int) -> None:
        if not self.is_dead and self._timers.get(name) == at_ms:
            del self._timers[name]
            self.carry_out(self.core.receive_timer(name, self._world.now_ms))

    def note_record(self, record: TableRecord, now_ms: int) -> None:
        self._world.record(record)

    def restart_program(self, seat: Seat) -> None:
        self._world.log_remark(f"another program is asked for {seat.title}")

    def log_remark(self, remark: LogRemark) -> None:
        """Remarks for people are no part of what programs see."""

    def end(self, reason: str | None) -> None:
        self.is_over = True
        self._world.log_remark(f"the table ends: {reason}")


class _World:
    """The table, its programs and what befalls them."""

    def __init__(self, scenario: Scenario) -> None:
        self.now_ms = START_MS
        self.decks = load_decks()
        self.lines: dict[Seat, _Line] = {}
        self.standstills: list[tuple[int, int]] = []
        self._scenario = scenario
        self._log: list[str] = []
        self._events: list[tuple[int, int, Callable[[], None]]] = []
        self._events_made = 0
        self._connections = dict.fromkeys(SEATS, 0)
        self._visitors = 0
        self._attempts: dict[int, int] = {}
        self._triggers = {_moment(event.at): event.at for event in scenario.events if isinstance(event.at, str)}
        # What is on record of the boards
        self._number = 0
        self._is_under_way = False
        self._made: list[CallMade | CardPlayed] = []
        self._history: list[BoardBegan | BoardEnded | Incident] = []
        self._of_board: list[CallMade | CardPlayed | AlertAsked | AlertAnswered | Incident] = []
        self._finished: list[BoardEnded] = []
        self._host = self._start_host(under_way=None)

    def board(self, number: int) -> Board:
        """Return a board as the table plays it."""
        board = self.decks[number].board
        return not_vulnerable(board) if self._scenario.is_minibridge else board

    def play(self) -> list[str]:
        """Play to the end, or for as long as the scenario says."""
        for seat in SEATS:
            self.at(START_MS + self._scenario.arrivals_ms[seat], lambda seat=seat: self._connect(seat))  # type: ignore[misc]
        for event in self._scenario.events:
            if isinstance(event.at, int):
                self._schedule(event, START_MS + event.at)
        end_ms = START_MS + self._scenario.lasts_ms
        while self._events and self._events[0][0] <= end_ms:
            at_ms, _, act = heapq.heappop(self._events)
            self.now_ms = max(self.now_ms, at_ms)
            act()
        return self._log

    def at(self, at_ms: int, act: Callable[[], None]) -> None:
        """Have something happen; what is to happen at one moment happens in the order in which it was set."""
        self._events_made += 1
        heapq.heappush(self._events, (at_ms, self._events_made, act))

    def log_remark(self, text: str) -> None:
        self._log.append(f"{self.now_ms - START_MS:>7} {text}")

    def on_record(self) -> tuple[int, Sequence[Call | Card]]:
        return self._number, [each.call if isinstance(each, CallMade) else each.card for each in self._made]

    # Hosts and connections

    def _start_host(self, under_way: BoardSnapshot | None) -> _Host:
        final = {end.board for end in self._finished if end.end.is_final}
        left = tuple(self.board(number) for number in self._scenario.boards if number not in final)
        spent_ms = {
            Side.NS: sum(end.ns_ms for end in self._finished if end.end.is_final),
            Side.EW: sum(end.ew_ms for end in self._finished if end.end.is_final),
        }
        source = None
        if self._scenario.is_minibridge or self._scenario.line_scores:
            source = Boards(left, self._scenario, len(final))
        settings = table_settings(
            self._scenario, left, under_way=under_way, history=tuple(self._history), spent_ms=spent_ms, source=source
        )
        return _Host(self, TableCore(settings, BlueChipWire, self.standstills))

    def _kill_host(self, after_ms: int) -> None:
        """The host dies; another takes over from the record."""
        self.log_remark("the host dies")
        self._host.is_dead = True
        for line in self.lines.values():
            line.is_open = False
        under_way = None
        if self._is_under_way:
            under_way = BoardSnapshot(self._number, tuple(self._of_board))
        self.at(self.now_ms + after_ms, lambda: self._take_over(under_way))

    def _take_over(self, under_way: BoardSnapshot | None) -> None:
        self.log_remark("another host takes over")
        self._host = self._start_host(under_way)
        for seat in SEATS:
            self.at(self.now_ms + BACK_MS + 10 * int(seat), lambda seat=seat: self._connect(seat))  # type: ignore[misc]

    def _connect(self, seat: Seat, program: Program | None = None) -> None:
        """Open a connection for a seat: a program that is new, or one that goes on."""
        resumes = program is not None
        manner = self._scenario.manners[seat]
        is_stateful = manner.language == "stateful"
        if program is None:
            program = (StatefulProgram if is_stateful else BlueChipProgram)(seat, manner, self)
        self._connections[seat] += 1
        count = self._connections[seat]
        label = seat.letter if count == 1 else f"{seat.letter}{count}"
        line = self.lines[seat] = _Line(self, self._host, label, program)
        self.log_remark(f"{label}: connects")
        wire = StatefulWire(GameId("g1", "Spring")) if is_stateful else None
        port_seat = seat if self._scenario.table.get("seat_ports") else None
        self._host.open(line, port_seat, wire)
        line.send_line(program.resume() if resumes else program.start())  # type: ignore[attr-defined]

    def _visit(self, lines: Sequence[str]) -> None:
        """Somebody connects who is no player, and says something."""
        self._visitors += 1
        line = _Line(self, self._host, f"visitor {self._visitors}", None)
        self.log_remark(f"{line.label}: connects")
        self._host.open(line, None, None)
        line.send_line([Said(each) for each in lines])

    # What befalls them

    def _schedule(self, event: Event, at_ms: int) -> None:
        self.at(at_ms + event.after_ms, lambda: self._befall(event))

    def _befall(self, event: Event) -> None:
        given, seat = event.arguments, event.seat
        if event.what not in ("say", "visit"):
            what = " ".join([event.what, *([seat.letter] if seat is not None else []), *map(str, given.values())])
            self.log_remark(f"* {what}")
        if event.what == "visit":
            self._visit(given["lines"])
        elif event.what == "kill":
            self._kill_host(given.get("back_ms", 100))
        elif seat is not None and event.what == "connect":
            self._connect(seat)
        elif seat is not None and event.what in ("say", "cut", "mute", "unmute"):
            self._befall_program(event, self.lines[seat])
        else:
            self._host.order(event)

    def _befall_program(self, event: Event, line: _Line) -> None:
        given, program = event.arguments, line.program
        assert program is not None
        if event.what == "say":
            line.send_line([Said(given["line"])])
        elif event.what == "cut":
            if line.is_open:
                line.drop("the connection was closed")
            if "back_ms" in given:
                again = program if given.get("remembers") else None
                self.at(self.now_ms + given["back_ms"], lambda: self._connect(program.seat, again))
        else:
            program.is_mute = event.what == "mute"

    # The record

    def record(self, record: TableRecord) -> None:
        """Note what is on record now."""
        text = _format(record)
        if text is not None:
            self.log_remark(f"= {text}")
        if isinstance(record, BoardBegan | BoardEnded | Incident):
            self._history.append(record)
        if isinstance(record, CallMade | CardPlayed | AlertAsked | AlertAnswered | Incident):
            self._of_board.append(record)
        match record:
            case BoardBegan():
                self._number, self._made, self._of_board = record.board, [], []
                self._is_under_way = True
                self._attempts[record.board] = self._attempts.get(record.board, 0) + 1
                self._trigger((record.board, 0))
            case CallMade() | CardPlayed():
                self._made.append(record)
                self._trigger((record.board, len(self._made)))
            case BoardEnded():
                self._is_under_way = False
                self._finished.append(record)
                self._trigger((record.board, "end"))
            case _:
                pass

    def _trigger(self, where: tuple[int, int | str]) -> None:
        moment = (*where, self._attempts.get(where[0], 1))
        if moment in self._triggers:
            wanted = self._triggers[moment]
            for event in self._scenario.events:
                if event.at == wanted:
                    self._schedule(event, self.now_ms)


def _moment(at: str) -> tuple[int, int | str, int]:
    """Return the board, the number of calls and cards and the attempt of `3:12`, `3:end`, `3:12/2`."""
    where, _, attempt = at.partition("/")
    board, _, made = where.partition(":")
    return int(board), int(made) if made.isdecimal() else made, int(attempt or "1")


def _format(record: TableRecord) -> str | None:
    """Return what is on record, as a golden file has it; None for what is no row of the database."""
    match record:
        case SeatTaken():
            return f"{record.seat.letter} taken by {record.team!r}, {record.version} {record.system!r}, {record.peer}"
        case SeatLeft():
            return f"{record.seat.letter} left: {record.reason}"
        case BoardBegan():
            return f"board {record.board} begins"
        case CallMade():
            alert = (
                f", {'alert' if record.alerted else 'info'} {record.alert!r}"
                if record.alerted or record.alert
                else ""
            )
            return f"{record.board}.{record.seq} {record.seat.letter} {record.call}{_after(record)}{alert}"
        case CardPlayed():
            return f"{record.board}.{record.seq} {record.seat.letter} {record.card}{_after(record)}"
        case BoardEnded():
            fault = f", fault {record.fault.letter}" if record.fault is not None else ""
            result = (
                f"{record.result.contract} {record.result.tricks} {record.result.score}" if record.result else "none"
            )
            times = f"{record.ns_ms} {record.ew_ms} {record.tm_ms} ms"
            return f"board {record.board} ends: {record.end.value} {record.reason!r}{fault}, {result}, {times}"
        case BoardsDecided():
            return f"decided after {record.boards} boards"
        case Incident():
            seat = f" {record.seat.letter}" if record.seat is not None else ""
            return f"incident {record.kind.value}, board {record.board}{seat}: {record.text}"
        case Ruled():
            what = f"{record.kind.value} {record.amount} against {record.side.value}, board {record.board}"
            return f"ruling {what}: {record.reason} ({record.clause}) {record.author}".rstrip()
        case AlertAsked():
            return f"alert {record.board}.{record.seq} {record.seat.letter} is asked for"
        case AlertAnswered():
            return f"alert {record.board}.{record.seq} is answered by {record.author}: {record.text!r}"
        case _:
            return None


def _after(record: CallMade | CardPlayed) -> str:
    return " by the table" if record.substituted else f" after {record.thinking_ms} ms"
