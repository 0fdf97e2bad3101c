"""One process for many seats: it takes those that a table host offers it, and asks a class for all that wait at once.

Each seat is a client as any other: a connection, the player's side of a wire language, and a player object. What they
share is what the class has loaded. The process has one thread: it reads what has come on all connections, asks for
what has to be answered, and reads again.

A player that raises, or answers with what is no call or card, loses its own seat alone; an exception of `act` itself
ends all seats that were asked.
"""

import io
import selectors
import socket
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, BinaryIO, Final, TextIO

from tourney.bots.client import BotPlayer, BotSettings
from tourney.bots.seated_player import SeatedPlayer, answers_together, ask_players, load_model, make_player_of
from tourney.errors import LaunchError, PlayerError, ProtocolError
from tourney.player.player import Player, SeatAnswer
from tourney.player.view import View
from tourney.protocol.lines import LineBuffer
from tourney.protocol.player import AskCall, AskCard
from tourney.protocol.seat_handover import (
    HandedSeat,
    ProgramReady,
    SeatRecall,
    SeatReturn,
    format_seat_message,
    parse_seat_message,
)
from tourney.protocol.wires import Language

_READ_BYTES: Final = 65536
_CONNECTIONS_AT_ONCE: Final = 16
"""How many connections are taken from the host in one read."""


class SharedClient(BotPlayer):
    """One of the seats. What its player is to be asked is handed on instead of being answered at once."""

    def __init__(
        self,
        offer: HandedSeat,
        connection: socket.socket,
        settings: BotSettings,
        player: SeatedPlayer,
        notify: Callable[[str], None],
    ) -> None:
        super().__init__(connection, settings, player, notify)
        self.where = ""
        self.number = offer.number
        self.name = offer.name
        """What the output calls it."""
        self.player = player
        self.questions: list[AskCall | AskCard] = []
        """What the player has been asked since this was last looked at."""
        self._lines = LineBuffer()
        self._unsent: list[str] = []
        """Lines that go out together: the answer to a question, and the request that follows it."""

    def receive(self) -> None:
        """Read what has come, and answer what needs no player.

        Raises:
            ProtocolError: the table refused the player or sent what cannot be read, or the connection was lost.
        """
        try:
            data = self.connection.recv(_READ_BYTES)
        except OSError as error:
            raise self._broken(error) from None
        while data:
            for line in self._lines.feed(data):
                if not self.is_over:
                    self.hear(line)
            if self.is_over or not self.core.is_refused:
                return
            data = self.read(b"")
        self.perform(self.core.receive_close())

    def flush(self) -> None:
        """Send the lines that wait.

        Raises:
            ProtocolError: the connection is lost.
        """
        if self._unsent:
            data = "\r\n".join([*self._unsent, ""]).encode()
            self._unsent.clear()
            self.send(data)

    def send_line(self, line: str) -> None:
        self._unsent.append(line)

    def call(self, ask: AskCall) -> None:
        self.questions.append(ask)

    def card(self, ask: AskCard) -> None:
        if not self.try_claim(ask):
            self.questions.append(ask)


@dataclass(frozen=True, slots=True)
class _Question:
    """What a player is to be asked, and when that came, on the monotonic clock."""

    seat: SharedClient
    ask: AskCall | AskCard
    view: View
    came_s: float


class SharedProcess:
    """All seats of the process, from the first offer until the host closes its end."""

    def __init__(
        self, control: socket.socket, player_class: type[Player], settings: BotSettings, output: "NamedOutput"
    ) -> None:
        """Load what the class needs.

        Args:
            control: the socket of the table host.
            player_class: who plays.
            settings: those of all seats; what an offer says is filled in.
            output: is told whose player is asked.

        Raises:
            PlayerError: loading has failed.
        """
        self._control = control
        self._class = player_class
        self._model: Any = load_model(player_class)
        self._settings = settings
        self._output = output
        is_joint = answers_together(player_class)
        self._batch = max(1, player_class.batch) if is_joint else 1
        self._batch_s = player_class.batch_ms / 1000 if is_joint else 0.0
        self._seats: dict[int, SharedClient] = {}
        self._questions: dict[int, _Question] = {}
        """What waits for an answer, by the number of the seat, the oldest first."""
        self._selector = selectors.DefaultSelector()
        self._messages = LineBuffer(_READ_BYTES)
        self._connections: list[socket.socket] = []
        """Those that have come from the host and whose offers are still to be read."""
        self._is_over = False

    def run(self) -> None:
        """Play until the host closes its end.

        Raises:
            ProtocolError: it sends what cannot be read.
        """
        with self._control, self._selector:
            self._selector.register(self._control, selectors.EVENT_READ)
            self._send(ProgramReady())
            try:
                while not self._is_over:
                    self._turn()
            finally:
                for seat in self._seats.values():
                    seat.connection.close()

    def _turn(self) -> None:
        """Wait for whatever comes next, and do what it asks for."""
        for key, _ in self._selector.select(self._wait_s()):
            if isinstance(key.data, SharedClient):
                if key.data.number in self._seats:  # it may have been recalled a moment ago
                    self._serve(key.data, key.data.receive)
            else:
                self._hear_host()
        while self._is_due():
            self._ask()

    # Seats

    def _hear_host(self) -> None:
        try:
            data, descriptors, _, _ = socket.recv_fds(self._control, _READ_BYTES, _CONNECTIONS_AT_ONCE)
        except OSError:
            data, descriptors = b"", []  # the host is gone, before it has read all that we sent
        self._connections += [socket.socket(fileno=descriptor) for descriptor in descriptors]
        self._is_over = not data
        for line in self._messages.feed(data):
            if not isinstance(line, bytes):
                raise ProtocolError(f"the table host sent a line of more than {line.limit} bytes")
            match parse_seat_message(line):
                case HandedSeat() as offer:
                    self._take(offer, self._connections.pop(0))
                case SeatRecall(number):
                    if number in self._seats:
                        self._leave(self._seats[number], "was recalled")
                case _:
                    raise ProtocolError(f"a table host offers seats and recalls them, got {line!r:.100}")

    def _take(self, offer: HandedSeat, connection: socket.socket) -> None:
        self._output.names = (offer.name,)
        try:
            player = SeatedPlayer(make_player_of(self._class, self._model), offer.terms)
        except PlayerError as error:
            self._output.write(error.traceback)
            connection.close()
            self._send(SeatReturn(offer.number, str(error)))
            return
        is_placed = self._settings.protocol is Language.STATEFUL  # the connection is that of the seat
        settings = replace(
            self._settings, team=offer.login, seat=None if is_placed else offer.seat, claims=offer.terms.claims
        )
        seat = SharedClient(offer, connection, settings, player, self._output.print_line)
        self._seats[offer.number] = seat
        self._selector.register(connection, selectors.EVENT_READ, seat)
        self._serve(seat, lambda: seat.perform(seat.core.start()))

    def _serve(self, seat: SharedClient, do: Callable[[], None]) -> None:
        """Do something for a seat, and what follows from it: lines go out, and its player is asked.

        A seat is left whose player fails, or whose table does; the others play on.
        """
        self._output.names = (seat.name,)
        try:
            do()
            seat.flush()
            for ask in seat.questions:
                turn = ask.hand if isinstance(ask, AskCard) else ask.view.seat
                view = seat.player.begin_question(ask.view, turn)
                self._questions.pop(seat.number, None)  # one that is out of date, if the board has begun again
                self._questions[seat.number] = _Question(seat, ask, view, time.monotonic())
            seat.questions.clear()
            if seat.is_over:
                seat.player.end_board()
                self._leave(seat, "")
        except (PlayerError, ProtocolError) as error:
            if isinstance(error, PlayerError):
                self._output.write(error.traceback)
            self._leave(seat, str(error))

    def _leave(self, seat: SharedClient, why: str) -> None:
        if self._seats.pop(seat.number, None) is None:
            return
        self._questions.pop(seat.number, None)
        self._selector.unregister(seat.connection)
        if why:
            self._output.names = (seat.name,)
            self._output.print_line(f"left the seat: {why}")
        self._send(SeatReturn(seat.number, why))  # first, so that the table knows why it loses the connection
        seat.connection.close()

    def _send(self, message: ProgramReady | SeatReturn) -> None:
        try:
            self._control.sendall(format_seat_message(message))
        except OSError:
            self._is_over = True  # the host is gone, and with it whoever would want to know

    # Questions

    def _is_due(self) -> bool:
        return bool(self._questions) and (len(self._questions) >= self._batch or self._wait_s() == 0)

    def _wait_s(self) -> float | None:
        """Return how long the questions wait for others; None without any."""
        if not self._questions:
            return None
        if self._batch_s == 0:
            return 0.0
        oldest = next(iter(self._questions.values()))
        return max(0.0, oldest.came_s + self._batch_s - time.monotonic())

    def _ask(self) -> None:
        """Have the class answer the oldest questions, at most a batch."""
        asked = [self._questions.pop(number) for number in list(self._questions)[: self._batch]]
        for question in asked:
            question.seat.player.note_turn(question.view)
        self._output.names = [question.seat.name for question in asked]
        answers = ask_players([question.seat.player.player for question in asked], [each.view for each in asked])
        for question, answer in zip(asked, answers, strict=True):
            self._serve(question.seat, partial(self._answer, question, answer))

    def _answer(self, question: _Question, answer: SeatAnswer) -> None:
        """Pass on what a player has answered.

        Raises:
            PlayerError: it raised, or answered with what is no call or card.
        """
        seat = question.seat
        if isinstance(question.ask, AskCall):
            seat.answer_call(question.ask, seat.player.read_call(question.view, answer))
        else:
            seat.answer_card(question.ask, seat.player.read_card(answer))


# Output


class NamedOutput(io.TextIOBase):
    """Standard output and standard error of the process: before what a player prints, a line names its seat."""

    _NAMES_SHOWN: Final = 4

    def __init__(self, stream: TextIO) -> None:
        super().__init__()
        self._stream = stream
        self.names: Sequence[str] = ()
        """Whose players print what is written now."""
        self._printed_names: Sequence[str] = ()
        """Whose seats were named last."""
        self._is_at_start = True
        """Whether the last line has its end."""

    @property
    def encoding(self) -> str:  # type: ignore[override] # typeshed has an attribute that can be written
        """That of the stream behind it."""
        return self._stream.encoding

    @property
    def buffer(self) -> BinaryIO:
        """The stream behind it, for bytes."""
        return self._stream.buffer

    def print_line(self, text: str) -> None:
        """Print a line of ours."""
        self.write(f"{text}\n")

    def write(self, text: str) -> int:
        """Write what is printed, after the names of the seats if they have changed."""
        if text and self.names != self._printed_names:
            self._printed_names = self.names
            shown = "; ".join(self.names[: self._NAMES_SHOWN])
            rest = len(self.names) - self._NAMES_SHOWN
            more = f" and {rest} more" if rest > 0 else ""
            self._stream.write(f"{'' if self._is_at_start else chr(10)}==== {shown}{more} ====\n")
        if text:
            self._is_at_start = text.endswith("\n")
            self._stream.write(text)
            self._stream.flush()
        return len(text)

    def flush(self) -> None:
        self._stream.flush()

    def fileno(self) -> int:
        return self._stream.fileno()

    def writable(self) -> bool:
        return True


def run_shared(player_class: type[Player], settings: BotSettings) -> None:
    """Play the seats that a table host offers over standard input, until it closes its end.

    Raises:
        LaunchError: standard input is not what a table host gives.
        PlayerError: loading what the class needs has failed.
    """
    try:
        control = socket.socket(fileno=sys.stdin.fileno())
    except OSError:
        control = None
    if control is None or control.family != socket.AF_UNIX:
        raise LaunchError(
            "a program for many seats is started by a table host, which gives it a socket as its standard input; a "
            "command around it has to hand that on"
        )
    stdout, stderr = sys.stdout, sys.stderr
    output = NamedOutput(stderr)
    sys.stdout = sys.stderr = output  # both go to the same file
    try:
        SharedProcess(control, player_class, settings, output).run()
    finally:
        sys.stdout, sys.stderr = stdout, stderr
