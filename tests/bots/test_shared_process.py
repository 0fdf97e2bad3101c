"""One process for many seats, run in a thread here: what its players do wrong costs their own seats."""

import io
import socket
import threading
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from tourney.bots.client import BotSettings
from tourney.bots.shared_process import NamedOutput, SharedProcess, run_shared
from tourney.bridge import Seat
from tourney.errors import LaunchError
from tourney.player import Player, View
from tourney.protocol.seat_handover import (
    HandedSeat,
    ProgramReady,
    SeatMessage,
    SeatRecall,
    SeatReturn,
    TableTerms,
    format_seat_message,
    parse_seat_message,
)

CARDS = "S A K Q J. H T 9 8. D 7 6 5. C 4 3 2."
TO_THE_FIRST_CALL = (
    '{seat} ("Alpha") seated',
    'Teams : N/S : "Alpha" E/W : "Beta"',
    "Start of board",
    "Board number 1. Dealer {seat}. Neither vulnerable.",
    "{seat}'s cards : " + CARDS,
)


class Passing(Player):
    """Passes; a South does what its class is about."""

    def call(self, view: View) -> Any:
        return self.south(view) if view.seat is Seat.SOUTH else "pass"

    def south(self, view: View) -> Any:
        raise NotImplementedError


class Raising(Passing):
    def south(self, view: View) -> Any:
        raise ValueError("no idea")


class Mumbling(Passing):
    def south(self, view: View) -> Any:
        return 7


class Picky(Passing):
    made = 0

    def __init__(self, model: Any) -> None:
        super().__init__(model)
        Picky.made += 1
        if Picky.made == 2:
            raise OSError("no weights")


class Sloppy(Passing):
    @classmethod
    def act(cls, model: Any, players: Sequence[Player], views: Sequence[View]) -> Any:
        return ["pass" for view in views if view.seat is not Seat.SOUTH]


class Broken(Passing):
    @classmethod
    def act(cls, model: Any, players: Sequence[Player], views: Sequence[View]) -> Any:
        if any(view.seat is Seat.SOUTH for view in views):
            raise ZeroDivisionError
        return ["pass"] * len(views)


class Process:
    """The host's side of a process, and the tables' sides of its seats."""

    def __init__(self, player: type[Player]) -> None:
        self.control, theirs = socket.socketpair()
        self.control.settimeout(10)
        self.printed = io.StringIO()
        settings = BotSettings("", 0, None, "Alpha")
        process = SharedProcess(theirs, player, settings, NamedOutput(self.printed))
        self.thread = threading.Thread(target=process.run)
        self.thread.start()
        self._received = b""
        assert self.read() == ProgramReady()

    def read(self) -> SeatMessage:
        while b"\n" not in self._received:
            data = self.control.recv(65536)
            assert data
            self._received += data
        line, _, self._received = self._received.partition(b"\n")
        return parse_seat_message(line)

    def offer(self, number: int, seat: Seat) -> socket.socket:
        ours, theirs = socket.socketpair()
        offer = HandedSeat(
            number=number, name=f"match 1, open room, {seat.title}", seat=seat, login="Alpha", terms=TableTerms()
        )
        with theirs:
            socket.send_fds(self.control, [format_seat_message(offer)], [theirs.fileno()])
        ours.settimeout(10)
        return ours

    def close(self) -> None:
        self.control.close()
        self.thread.join(10)
        assert not self.thread.is_alive()


@pytest.fixture
def process(request: pytest.FixtureRequest) -> Iterator[Process]:
    process = Process(request.param)
    yield process
    process.close()


def ask_for_a_call(table: socket.socket, seat: Seat) -> None:
    table.sendall("".join(f"{line.format(seat=seat.title)}\r\n" for line in TO_THE_FIRST_CALL).encode())


def read_until(table: socket.socket, text: bytes) -> bytes:
    read = b""
    while text not in read:
        data = table.recv(65536)
        assert data, read
        read += data
    return read


@pytest.mark.parametrize(
    ("process", "why"),
    [
        (Raising, "Raising.call() raised ValueError: no idea"),
        (Mumbling, "call() returns a call such as 'pass', '1NT' or Bid(1, Strain.NOTRUMP), got 7"),
        (Picky, "Picky() raised OSError: no weights"),
        (Sloppy, "Sloppy.act() returns an answer for each view, got 0 for 1"),
        (Broken, "Broken.act() raised ZeroDivisionError"),
    ],
    indirect=["process"],
)
def test_what_a_player_does_wrong_costs_its_own_seat_and_is_named(process: Process, why: str) -> None:
    with process.offer(1, Seat.NORTH) as north, process.offer(2, Seat.SOUTH) as south:
        if "Picky()" not in why:
            assert read_until(south, b"\n") == b'Connecting "Alpha" as South using protocol version 18\r\n'
            ask_for_a_call(south, Seat.SOUTH)
        assert process.read() == SeatReturn(2, why)
        if "ValueError" in why:
            head, *printed = process.printed.getvalue().splitlines()
            assert head == "==== match 1, open room, South ===="
            assert printed[-1] == f"left the seat: {why}"
        while south.recv(65536):
            pass  # the table sees the end of the connection
        ask_for_a_call(north, Seat.NORTH)
        assert b"North passes\r\nNorth ready for East's bid\r\n" in read_until(north, b"East's bid\r\n")


@pytest.mark.parametrize("process", [Raising], indirect=True)
def test_a_seat_that_is_recalled_is_left_and_one_whose_session_has_ended_too(process: Process) -> None:
    with process.offer(1, Seat.NORTH) as north, process.offer(2, Seat.EAST) as east:
        process.control.sendall(format_seat_message(SeatRecall(1)))
        assert process.read() == SeatReturn(1, "was recalled")
        assert read_until(north, b"\n")
        east.sendall(b"End of session\r\n")
        assert process.read() == SeatReturn(2, "")


def test_a_program_for_many_seats_that_no_host_has_started_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    with open("/dev/null", encoding="utf-8") as nothing:  # noqa: PTH123 # what programs have otherwise
        monkeypatch.setattr("sys.stdin", nothing)
        with pytest.raises(LaunchError, match="is started by a table host"):
            run_shared(Passing, BotSettings("", 0, None, "Alpha"))
