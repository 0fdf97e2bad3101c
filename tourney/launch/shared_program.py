"""One process that plays many seats of a team: what a table host has of it, and of each of its seats.

To its supervisor (`tourney.host.programs`) a `SharedSeat` is a program like any other: it is started, awaited and
ended, and the same law says when it is started again. Behind it is a `SharedProgram`, the process: the first seat
that is started starts it, and it is kept when seats end, so that what it has loaded serves the next tables. When the
process ends, each of its seats has ended; whichever is started again first starts another.

What the two say to each other is in `tourney.protocol.seat_handover`.
"""

import asyncio
import contextlib
import itertools
import logging
import socket
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from tourney.bridge import Seat
from tourney.errors import ProtocolError
from tourney.launch.bots import BotProcess, ProgramSpec
from tourney.launch.program import Start, launch_error
from tourney.protocol.lines import LineBuffer
from tourney.protocol.seat_handover import (
    HandedSeat,
    ProgramReady,
    SeatRecall,
    SeatReturn,
    TableTerms,
    format_seat_message,
    parse_seat_message,
)
from tourney.runtime.processes import KILL, signal_group

_LOGGER: Final = logging.getLogger(__name__)

RECALL_S: Final = 10.0
"""How long the process may take to leave a seat that was recalled, before it counts as hung and is ended, with all
its seats: longer than a player that shares its thread with others should think."""

_READ_BYTES: Final = 65536


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedSeatSpec:
    """A seat that a process is to play, among others."""

    name: str
    """What messages call it: `Alpha's program for North`."""
    place: str
    """What the output of the process calls it: `match 1, open room, North`."""
    seat: Seat
    login: str
    find_terms: Callable[[], TableTerms]
    connect: Callable[[socket.socket], None]
    """Serves the table's end of a connection, as if the program had connected."""


class SharedProgram(BotProcess):
    """A process that plays all seats which are started with it."""

    def __init__(self, spec: ProgramSpec) -> None:
        """Prepare it without starting it."""
        super().__init__(spec)
        self._starting = asyncio.Lock()
        self._numbers = itertools.count(1)
        self._control: socket.socket | None = None
        """Our end of its standard input since its start."""
        self._given: socket.socket | None = None
        """Its own end, while it is being started."""
        self._lines = LineBuffer(_READ_BYTES)
        self._is_ready = False
        self._seats: dict[int, SharedSeat] = {}
        """The seats of the current start that have not ended, by number."""
        self._watching_end: asyncio.Task[None] | None = None

    async def add(self, seat: "SharedSeat") -> int:
        """Have a seat taken as soon as the process is ready, and return its number; start the process if need be.

        Raises:
            ResourcesShort: this machine lacks something at the moment.
            LaunchError: it cannot be started.
        """
        async with self._starting:
            if self.is_over:
                await self.start()
        number = next(self._numbers)
        self._seats[number] = seat
        if self._is_ready:
            self._offer(number, seat)
        return number

    async def start(self) -> None:
        try:
            control, self._given = socket.socketpair()
        except OSError as error:
            raise launch_error(error, f"{self.name} cannot be started") from None
        with contextlib.ExitStack() as opened:
            opened.callback(control.close)
            with self._given:
                await super().start()
            opened.pop_all()
        control.setblocking(False)  # noqa: FBT003 # the standard library's signature
        asyncio.get_running_loop().add_reader(control.fileno(), self._hear)
        self._control, self._lines, self._is_ready, self._seats = control, LineBuffer(_READ_BYTES), False, {}
        self._watching_end = asyncio.create_task(self._note_end(self._seats))

    def _plan(self, words: list[str], variables: dict[str, str], channel: int) -> Start:
        assert self._given is not None
        return super()._plan(words, variables, channel)._replace(stdin=self._given.fileno())

    async def _note_end(self, seats: "dict[int, SharedSeat]") -> None:
        """End the seats of a start with the process."""
        status = await self.wait()
        how = self.how_it_ended()
        while seats:
            _, seat = seats.popitem()
            seat.note_end(status, how)

    def _forget_start(self) -> None:
        """Close our end of what the last start was told by."""
        if self._control is not None:
            asyncio.get_running_loop().remove_reader(self._control.fileno())
            self._control.close()
            self._control = None

    async def end(self) -> None:
        self._forget_start()
        await super().end()
        if self._watching_end is not None:
            await self._watching_end

    # What is said and heard

    def _offer(self, number: int, seat: "SharedSeat") -> None:
        spec = seat.spec
        offer = HandedSeat(number=number, name=spec.place, seat=spec.seat, login=spec.login, terms=spec.find_terms())
        try:
            ours, theirs = socket.socketpair()
        except OSError as error:
            self._return_seat(number, f"could not be given a connection: {error.strerror}")
            return
        ours.setblocking(False)  # noqa: FBT003 # the standard library's signature
        with theirs:
            is_sent = self._send(format_seat_message(offer), theirs)
        if is_sent:
            spec.connect(ours)
        else:
            ours.close()

    def recall(self, number: int) -> None:
        """Have a seat left."""
        if self._is_ready:
            self._send(format_seat_message(SeatRecall(number)))
        else:
            self._return_seat(number, "was recalled")

    def _send(self, line: bytes, connection: socket.socket | None = None) -> bool:
        """Send a line; return whether it went out. A process that leaves so many unread hangs, and is killed."""
        if self._control is None:
            return False
        try:
            if connection is None:
                sent = self._control.send(line)
            else:
                sent = socket.send_fds(self._control, [line], [connection.fileno()])
        except BlockingIOError:
            sent = 0
        except OSError:
            return False  # it has ended, which is noticed
        if sent < len(line):
            self.kill("reads nothing of its table host")
            return False
        return True

    def _hear(self) -> None:
        assert self._control is not None
        try:
            data = self._control.recv(_READ_BYTES)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:  # its end is noticed
            self._forget_start()
            return
        try:
            for line in self._lines.feed(data):
                if isinstance(line, bytes):
                    self._note_message(line)
        except ProtocolError:
            self.kill("told its table host what no program does")

    def _note_message(self, line: bytes) -> None:
        match parse_seat_message(line):
            case ProgramReady():
                self._is_ready = True
                for number, seat in list(self._seats.items()):
                    self._offer(number, seat)
            case SeatReturn(number, why):
                self._return_seat(number, why)
            case _:
                raise ProtocolError(f"{self.name} offers seats, which only its table host does")

    def _return_seat(self, number: int, why: str) -> None:
        seat = self._seats.pop(number, None)
        if seat is not None:
            seat.note_end(1 if why else 0, f"left its seat: {why}" if why else "left its seat at the end")

    def kill(self, why: str) -> None:
        """End the process at once, and each of its seats with it; `why` follows `it`."""
        self._excess = why
        text = f"{self.name} is ended: it {why}"
        _LOGGER.warning(text, extra={"action": "shared_program_killed"})
        with contextlib.suppress(OSError):
            self._output.append(f"==== {text} ====\n".encode())
        if self._started is not None and not self.is_over:
            signal_group(self._started.pid, KILL)


class SharedSeat:
    """A seat that a `SharedProgram` plays; it is started, awaited and ended like a program of its own."""

    def __init__(self, program: SharedProgram, spec: SharedSeatSpec) -> None:
        self.spec = spec
        self.name = spec.name
        self._program = program
        self._number: int | None = None
        self._ended: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        """Has the status with which the current start has ended."""
        self._how = ""

    async def start(self) -> None:
        """Have the seat taken.

        Raises:
            ResourcesShort: this machine lacks something at the moment.
            LaunchError: the process cannot be started.
        """
        self._ended = asyncio.get_running_loop().create_future()
        self._number = await self._program.add(self)

    @property
    def is_over(self) -> bool:
        """Whether the seat was not taken, or has been left."""
        return self._number is None or self._ended.done()

    async def wait(self) -> int:
        """Wait until the seat has been left; return the status of the process, or 0 or 1 if that goes on."""
        return await asyncio.shield(self._ended)

    def how_it_ended(self) -> str:
        """Describe how the seat was left: `left its seat: MyBot.call() raised ...`, or how the process ended."""
        return self._how

    def note_end(self, status: int, how: str) -> None:
        """Note that the seat has been left."""
        if not self._ended.done():
            self._how = how
            self._ended.set_result(status)

    async def end(self) -> None:
        """Have the seat left; a process that does not do so in time hangs, and is killed."""
        if self._number is None or self.is_over:
            return
        self._program.recall(self._number)
        await asyncio.wait([self._ended], timeout=RECALL_S)
        if not self._ended.done():
            self._program.kill(f"has not left the seat of {self.name} within {RECALL_S:g} s")
            await asyncio.wait([self._ended])

    async def release(self) -> None:
        """Have the seat left, as its table has ended: the process may be thinking for another."""
        if self._number is not None and not self.is_over:
            self._program.recall(self._number)
