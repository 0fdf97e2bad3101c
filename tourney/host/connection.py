"""One TCP connection: received bytes become lines; each line is written by itself, with the gap it needs (BC-50).

Whatever the other end does, a connection holds no more than its limits allow: what arrives faster than it may be read
waits at the sender, and a program that does not read is disconnected. Neither delays anybody else.

Each connection has a limit of its own (`LineRateLimit`), but many of them together, each just below it, would leave
nothing to those that play. So the lines of all that have no place at a table are counted together (`LineTurns`), and
when there are too many they are read in turns, a line each, a few in one turn of the loop. Whoever is at a table is
read at once.
"""

import asyncio
import socket
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Final, NamedTuple, Protocol, cast

from tourney.bridge import Seat
from tourney.protocol.access import ConnectionLimits
from tourney.protocol.admission import IDLE_PER_S, LINE_BYTES, LineRateLimit, TokenBucket
from tourney.protocol.http_requests import WEB_PAGE, is_http_request
from tourney.protocol.lines import Charset, LineBuffer, Overlong, Pacer
from tourney.protocol.session.connection import PlayerConnection
from tourney.protocol.session.wire import Wire
from tourney.runtime.clock import HostClock

LINES_PER_S: Final = 1000
LINES_AT_ONCE: Final = 100
"""Lines that are read a second, and at once, of all connections without a place: a tenth of a process's time."""

TURN_LINES: Final = 8
"""How many of them are read in one turn of the loop."""

TURN_MS: Final = 2
"""The time from one such turn to the next, in which those who play are read."""


class LineTurns:
    """The connections that wait for their next line to be read, the one that has waited longest first."""

    def __init__(self, clock: HostClock) -> None:
        self._clock = clock
        self._bucket = TokenBucket(LINES_PER_S, LINES_AT_ONCE)
        self._waiting: deque[Callable[[], None]] = deque()
        self._is_due = False
        """Whether the next turn is on its way."""

    def take_one(self, now_ms: int) -> bool:
        """Count a line that may be read at once, as nobody waits; return whether it may."""
        return not self._waiting and self._bucket.take_one(now_ms)

    def wait(self, read_one: Callable[[], None]) -> None:
        """Have a line read when it is its turn."""
        self._waiting.append(read_one)
        if not self._is_due:
            self._is_due = True
            asyncio.get_running_loop().call_soon(self._read_some)

    def _read_some(self) -> None:
        now_ms = self._clock.now_ms()
        for _ in range(TURN_LINES):
            if not self._waiting or not self._bucket.take_one(now_ms):
                break
            self._waiting.popleft()()  # whoever has more to be read waits again
        self._is_due = bool(self._waiting)
        if self._is_due:
            wait_ms = max(TURN_MS, self._bucket.wait_ms(now_ms))
            asyncio.get_running_loop().call_later(wait_ms / 1000, self._read_some)


CLOSE_S: Final = 5.0
"""How long sending the last lines to a player may take, gaps included, before its connection is aborted."""

LINGER_S: Final = 1.0
"""How long a player may leave its end open after ours was closed. On some systems, ending the connection while the
player is still sending would lose our last line."""

UNAUTHENTICATED_BYTES: Final = 4096
UNAUTHENTICATED_PAUSE_S: Final = 0.1
"""How long one that has not logged on waits for its next read after it has sent more bytes than that at once: no
log-on is as long, and what is not read waits at the sender."""

LINE_MS: Final = 1000
"""How long before its last byte the first byte of a line counts: half a line does not stop a clock for good."""

LINES_A_TURN: Final = 64
"""Lines read from one connection before the others have their turn: a few milliseconds' work."""


HANDED_PEER: Final = "127.0.0.1:0"
"""What counts as the address of a program that was handed its end of the connection, without any port."""

PROBE_S: Final = 6.0
"""How long a connection is probed; one whose other end is gone is known to be lost before that."""

_PROBE: Final = tuple(
    (getattr(socket, name), value)
    for name, value in (
        ("TCP_KEEPIDLE", 1),
        ("TCP_KEEPINTVL", 1),
        ("TCP_KEEPCNT", 3),
        ("TCP_USER_TIMEOUT", 4000),  # for one on which lines wait that the other end has not acknowledged
    )
    if hasattr(socket, name)
)


class ConnectionOwner(Protocol):
    """The table that a connection belongs to."""

    def connection_opened(self, connection: "TcpConnection") -> None: ...

    def line_received(self, connection: "TcpConnection", line: bytes | Overlong, now_ms: int) -> None: ...

    def line_sent(self, connection: "TcpConnection", line: str, clock: int | None, now_ms: int) -> None:
        """Note that a line that had to wait has been written."""

    def limit_passed(self, connection: "TcpConnection", reason: str) -> None:
        """Tell the player which limit it has exceeded, and close the connection."""

    def connection_closed(self, connection: "TcpConnection", reason: str) -> None: ...


class _Waiting(NamedTuple):
    line: str
    data: bytes
    """The line as it goes over the wire, its end included."""
    clock: int | None


class TcpConnection(asyncio.Protocol):
    """The server's end of one TCP connection."""

    def __init__(
        self,
        owner: ConnectionOwner,
        clock: HostClock,
        number: int,
        port_seat: Seat | None,
        limits: ConnectionLimits,
    ) -> None:
        self.number = number
        self.port_seat = port_seat
        self.is_ours = False
        """Whether it came in by the port of a program that we have started; set by its owner."""
        self.peer = ""
        self.team_number: int | None = None
        """The number of the team that it is made for and has shown to belong to; None for any other."""
        self.is_admitted = False
        """Whether the player has logged on."""
        self.is_lost = False
        """Whether the connection has ended."""
        self.opened_at_ms = clock.now_ms()
        self.line_began_ms = 0
        """When the first byte of the line being passed to the owner arrived; `LINE_MS` before the last at most."""
        self.line_own_ms: int | None = None
        """How long its program took for that line, as the client says that has it in a tunnel, likewise."""
        self.player: PlayerConnection | None = None
        """The same connection as the session sees it; set by its owner."""
        self.wire: Wire | None = None
        """The wire of its port, set by its owner; None for that of tables in general."""
        self.turns: LineTurns | None = None
        """In which turns it is read; set by its owner while it has no place at a table, None to be read at once."""
        self._owner = owner
        self._clock = clock
        self._limits = limits
        self._lines = LineBuffer(limits.line_bytes)
        self._usual_bytes = min(LINE_BYTES - 1, limits.line_bytes + 1)
        """What is shorter than that is within every limit of a line."""
        self._meter = LineRateLimit(limits.lines_per_s, limits.flood_ms)
        self._held = b""
        """Bytes received but not yet read as lines, because the player exceeds its lines per second."""
        self._pacer: Pacer[_Waiting] = Pacer(0)
        self._encoding = Charset.UTF_8.value
        self._waiting_bytes = 0
        self._transport: asyncio.Transport | None = None
        self._wake: asyncio.TimerHandle | None = None
        self._read_on: asyncio.TimerHandle | None = None
        self._is_paused = False
        """Whether nothing is read from the socket until `_resume_reading`."""
        self._deadline: asyncio.TimerHandle | None = None
        """Expires when the player has not logged on in time, and later when the last lines could not be sent."""
        self._probing: asyncio.TimerHandle | None = None
        """Runs while the system finds out whether the other end is there."""
        self._is_on_hold = False
        """Whether it waits, read no further, until something about its last line is known."""
        self._closing = False
        self._has_said_all = False
        self._why_closed = ""

    @property
    def is_closing(self) -> bool:
        """Whether it ends once the last lines have been sent."""
        return self._closing and not self.is_lost

    @property
    def is_aborted(self) -> bool:
        """Whether we have ended the connection at once, by one of its limits."""
        return bool(self._why_closed)

    def admit(self, gap_ms: int, charset: Charset = Charset.UTF_8) -> None:
        """Note that the player has logged on.

        Args:
            gap_ms: the minimum gap between two lines while it is silent.
            charset: how letters outside ASCII are sent to it.
        """
        self.is_admitted = True
        self._set_deadline(None)
        self._encoding = charset.value
        self._pacer.gap_ms = gap_ms

    def charge_idle(self, now_ms: int) -> None:
        """Charge the line that was passed to the owner last: it has moved nothing."""
        self._meter.charge_idle(now_ms)

    def probe(self) -> None:
        """Have the system find out, for a while, whether the other end is there; if it is not, the connection ends.

        A program that has lost its connection without a farewell, as when a network fails, would be kept out by it.
        """
        if self._transport is None or self._probing is not None:
            return
        raw: socket.socket | None = self._transport.get_extra_info("socket")
        if raw is None or raw.family == socket.AF_UNIX:  # whose other end is never gone without a farewell
            return
        before = [(name, raw.getsockopt(socket.IPPROTO_TCP, name)) for name, _ in _PROBE]
        _set_options(raw, _PROBE)
        self._probing = asyncio.get_running_loop().call_later(PROBE_S, self._end_probe, raw, before)

    def _end_probe(self, raw: socket.socket, before: Iterable[tuple[int, int]]) -> None:
        self._probing = None
        _set_options(raw, before)

    # Calls from the transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)  # a stream server passes nothing else
        raw: socket.socket | None = transport.get_extra_info("socket")
        if raw is not None and raw.family != socket.AF_UNIX:
            raw.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        self.peer = self._find_peer(transport)
        self._await_log_on()
        self._owner.connection_opened(self)

    def _find_peer(self, transport: asyncio.BaseTransport) -> str:
        address = transport.get_extra_info("peername")
        raw: socket.socket | None = transport.get_extra_info("socket")
        if raw is not None and raw.family == socket.AF_UNIX:
            return HANDED_PEER
        return f"{address[0]}:{address[1]}" if address else ""

    def data_received(self, data: bytes, own_ms: int | None = None) -> None:
        """Handle bytes, for which their program took `own_ms` if the client of a tunnel says so."""
        if self._closing or self._why_closed:
            return  # read and dropped: unread bytes would reset the connection before our last lines arrive
        now_ms = self._clock.now_ms()  # before anything is parsed: a player is not charged for our work
        self._pacer.free_at_ms = 0  # as `note_received`, for every line
        # Usually it is one whole line, of one that has nothing to wait for.
        is_line = 0 <= data.find(b"\n") == len(data) - 1 < self._usual_bytes
        is_next = is_line and self._lines.pending == b"" and not self._held and not self._is_paused
        if is_next and (self.turns is None or self.turns.take_one(now_ms)) and self._meter.take_one(now_ms):
            line = data[:-1].removesuffix(b"\r")
            self._meter.behind_since_ms = None  # nothing is behind it
            self.line_began_ms, self.line_own_ms = now_ms, own_ms
            if self.is_admitted:  # like `_pass_on`, without the extra call
                self._owner.line_received(self, line, now_ms)
            else:
                self._pass_on(line, now_ms)
        else:
            self._held = self._held + data if self._held else data
            self._meter.note_backlog(self._held, now_ms)
            if not self._is_paused:  # else it waits with what came before it
                if self.turns is None:
                    self._read(now_ms, own_ms)
                if self._held and not self._is_on_hold:
                    self._pause(now_ms)
                elif not self.is_admitted and len(data) > UNAUTHENTICATED_BYTES and not self._is_paused:
                    self._rest(UNAUTHENTICATED_PAUSE_S)
        if self._pacer.waiting:
            self._pump()

    def connection_lost(self, exc: Exception | None) -> None:
        for timer in (self._wake, self._read_on, self._deadline, self._probing):
            if timer is not None:
                timer.cancel()
        self._transport = None
        self.is_lost = True
        self._held = b""
        reason = self._why_closed or ("the connection broke" if exc is not None else "the connection was closed")
        self._owner.connection_closed(self, reason)

    # Calls from the owner

    def send(self, line: str, clock: int | None, now_ms: int) -> bool:
        """Write a line as soon as the gap allows; return whether it has been written.

        The owner is told about one that is written later.
        """
        if self._closing:
            return False
        data = f"{line}\r\n".encode(self._encoding, "replace")
        transport, pacer = self._transport, self._pacer
        is_free = not pacer.waiting and now_ms >= pacer.free_at_ms
        if is_free and transport is not None and not transport.is_closing():
            pacer.free_at_ms = now_ms + pacer.gap_ms  # as `put` and `take`, at once
            transport.write(data)
            if transport.get_write_buffer_size() > self._limits.unread_bytes:  # no other line is queued
                self._abort_unread(transport)
            return True
        self._waiting_bytes += len(data)
        self._pacer.put(_Waiting(line, data, clock))
        self._pump()
        return False

    def close(self) -> None:
        """Close once everything sent before has been written."""
        if self._closing:
            return
        self._closing = True
        self._held = b""
        self._set_deadline(CLOSE_S)
        self._pump()

    def abort(self, reason: str) -> None:
        """Close now; unwritten lines are lost."""
        self._why_closed = self._why_closed or reason
        if self._transport is not None:
            self._transport.abort()

    def pass_limit(self, reason: str) -> None:
        """Have its owner tell the player which limit it has passed, and close it."""
        self._owner.limit_passed(self, reason)

    def hold(self) -> None:
        """Read no more lines until `end_hold`; the time to log on begins anew then."""
        self._is_on_hold = True
        if not self.is_admitted:
            self._set_deadline(None)
        if self._transport is not None and not self._is_paused:
            self._is_paused = True
            self._transport.pause_reading()

    def end_hold(self, then: Callable[[], None]) -> None:
        """Do something, and read on unless that has put the connection on hold again."""
        self._is_on_hold = False
        if not (self.is_admitted or self._closing or self.is_lost):
            self._await_log_on()
        then()
        self._resume_reading()

    # Reading

    def _pass_on(self, line: bytes | Overlong, now_ms: int) -> None:
        """Pass a line to the owner, unless it is a web page that sends it."""
        start, is_cut = (line.start, True) if isinstance(line, Overlong) else (line, False)
        if not self.is_admitted and is_http_request(start, is_cut=is_cut):
            self.abort(WEB_PAGE)
        else:
            self._owner.line_received(self, line, now_ms)

    def _read(self, now_ms: int, own_ms: int | None = None) -> None:
        """Pass to the owner as many lines as the limit allows; bytes already read wait here, others in the socket."""
        most = LINES_A_TURN if self.turns is None and self.is_admitted else 1
        end = self._meter.take_lines(self._held, now_ms, most)
        data, self._held = self._held[:end], self._held[end:]
        if not self._lines.pending:
            self.line_began_ms, self.line_own_ms = now_ms, own_ms
        else:
            self.line_began_ms = max(self.line_began_ms, now_ms - LINE_MS)
            if self.line_own_ms is not None and own_ms is not None:
                self.line_own_ms = max(self.line_own_ms, own_ms - LINE_MS)
        for line in self._lines.feed(data):
            self._pass_on(line, now_ms)
            self.line_began_ms, self.line_own_ms = now_ms, own_ms

    def _pause(self, now_ms: int) -> None:
        """Leave what has come until the limit of lines allows more, and until it is this connection's turn."""
        if self._meter.room(now_ms):
            self._rest(0)
            return
        if self._meter.is_flood(now_ms):
            limits = self._limits
            reason = (
                f"more than {limits.lines_per_s} lines a second, or {IDLE_PER_S} that move nothing, "
                f"for {limits.flood_ms // 1000} s"
            )
            self._owner.limit_passed(self, reason)
        self._rest(self._meter.pause_ms() / 1000)

    def _rest(self, seconds: float) -> None:
        """Read nothing from the socket for a while; one timer or turn is waited for at a time."""
        if self._transport is None:
            return
        if not self._is_paused:
            self._is_paused = True
            self._transport.pause_reading()
        if seconds or self.turns is None:
            self._read_on = asyncio.get_running_loop().call_later(seconds, self._await_turn)
        else:
            self._await_turn()

    def _await_turn(self) -> None:
        if self.turns is None or not self._held:
            self._resume_reading()
        else:
            self.turns.wait(self._resume_reading)

    def _resume_reading(self) -> None:
        transport = self._transport
        if transport is None or transport.is_closing():
            return
        now_ms = self._clock.now_ms()
        if self._held and not self._is_on_hold:
            self._read(now_ms)
        if self._held and not self._is_on_hold:
            self._pause(now_ms)
        elif not self._is_on_hold:
            self._is_paused = False
            transport.resume_reading()
        self._pump()

    # Limits

    def _await_log_on(self) -> None:
        seconds = self._limits.log_on_ms // 1000
        self._deadline = asyncio.get_running_loop().call_later(
            self._limits.log_on_ms / 1000, self.pass_limit, f"a connection logs on within {seconds} s"
        )

    def _set_deadline(self, seconds: float | None) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
        if seconds is not None:
            self._deadline = asyncio.get_running_loop().call_later(seconds, self.abort, "the connection was closed")

    # Writing

    def _pump(self) -> None:
        transport = self._transport
        if transport is None or transport.is_closing():
            return
        now_ms = self._clock.now_ms()
        while (waiting := self._pacer.take(now_ms)) is not None:
            self._waiting_bytes -= len(waiting.data)
            transport.write(waiting.data)
            self._owner.line_sent(self, waiting.line, waiting.clock, now_ms)
        if self._abort_unread(transport):
            return
        due_at_ms = self._pacer.due_at_ms
        if due_at_ms is None:
            if self._closing:
                self._end(transport)
        elif self._wake is None:
            delay_s = max(0, due_at_ms - now_ms) / 1000
            self._wake = asyncio.get_running_loop().call_later(delay_s, self._woken)

    def _abort_unread(self, transport: asyncio.Transport) -> bool:
        """Abort the connection if the player has left too much unread; return whether it was aborted."""
        if self._waiting_bytes + transport.get_write_buffer_size() <= self._limits.unread_bytes:
            return False
        self.abort(f"more than {self._limits.unread_bytes} bytes lay unread")
        return True

    def _end(self, transport: asyncio.Transport) -> None:
        """Close our end; the connection ends when the player closes its own."""
        if not self._has_said_all:
            self._has_said_all = True
            self._set_deadline(LINGER_S)
            try:
                transport.write_eof()
            except OSError as error:  # the other end is gone, which nobody has noticed while nothing was read
                self.abort(f"the connection broke: {error.strerror}")

    def _woken(self) -> None:
        self._wake = None
        self._pump()


def _set_options(raw: socket.socket, options: Iterable[tuple[int, int]]) -> None:
    """Set options of TCP; without effect on a socket that has been closed."""
    with suppress(OSError):
        for name, value in options:
            raw.setsockopt(socket.IPPROTO_TCP, name, value)
