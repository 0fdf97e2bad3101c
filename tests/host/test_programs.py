"""The programs of a table as real processes: minded, started again, and given up in the end."""

import asyncio
import errno
import subprocess
from collections.abc import AsyncIterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from tests.support.bot_processes import make_bot
from tourney.bridge import Seat
from tourney.errors import LaunchError
from tourney.host import programs
from tourney.host.programs import Programs, SharedPrograms
from tourney.launch import supervisor
from tourney.launch.bots import BotProcess
from tourney.launch.supervisor import STARTS_MAX
from tourney.runtime.clock import HostClock

NORTH, EAST = Seat.NORTH, Seat.EAST
DELAYS_S = tuple(delay_ms / 1000 for delay_ms in supervisor.RESTART_DELAYS_MS)


class Table:
    """The owner of the programs: who sits, and what it has been told."""

    def __init__(self) -> None:
        self.seated: set[Seat] = set()
        self.ends: list[tuple[Seat, str]] = []
        self.reasons: list[str] = []
        self.waits: list[str] = []
        self.evictions = 0
        self.was_asked = asyncio.Event()
        """Whether somebody sits."""
        self._news = asyncio.Event()

    def note_news(self) -> None:
        self._news.set()

    async def until(self, *, ends: int = 0, given_up: int = 0) -> None:
        """Wait until it has been told that much."""
        while len(self.ends) < ends or len(self.reasons) < given_up:
            self._news.clear()
            await self._news.wait()


@pytest.fixture
def slept(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The delays before starts, which take no time here."""
    slept: list[float] = []
    real_sleep = asyncio.sleep

    async def sleep(delay: float) -> None:
        if delay in DELAYS_S:
            slept.append(delay)
            delay = 0
        await real_sleep(delay)

    monkeypatch.setattr(asyncio, "sleep", sleep)
    return slept


@pytest.fixture
async def table() -> Table:
    return Table()


class ProgramsOfTable(Programs):
    """Programs whose table is asked and told nothing but what is counted."""

    def __init__(self, table: Table, connect_s: int) -> None:
        settings = SimpleNamespace(connect_s=connect_s, rules=SimpleNamespace(rejoins_max=0))
        super().__init__(cast(Any, None), cast(Any, settings), HostClock(), SharedPrograms(), "host")
        self.table = table

    def is_seated(self, seat: Seat) -> bool:
        self.table.was_asked.set()
        return seat in self.table.seated

    @property
    def evictions(self) -> int:
        return self.table.evictions

    @property
    def shortages(self) -> dict[Seat, str]:
        return {seat: member.shortage for seat, member in self._members.items() if member.shortage}

    def note_exit(self, seat: Seat, how: str) -> None:
        self.table.ends.append((seat, how))
        self.table.note_news()

    def note_shortage(self, seat: Seat, reason: str) -> None:
        self.table.waits.append(reason)
        self.table.note_news()

    def give_up(self, seat: Seat, reason: str) -> None:
        self.table.reasons.append(reason)
        self.table.note_news()


class Hired:
    """The programs of a table and the folder in which its programs leave traces."""

    def __init__(self, table: Table, folder: Path, connect_s: int = 20) -> None:
        self.programs = ProgramsOfTable(table, connect_s)
        self.folder = folder

    async def start(self, scripts: dict[Seat, str]) -> None:
        """Start a shell script at each seat."""
        await self.programs.start({seat: self.bot(seat, "sh", "-c", script) for seat, script in scripts.items()})

    def bot(self, seat: Seat, *words: str) -> BotProcess:
        return make_bot(f"Alpha's program for {seat.title}", [*words], self.folder, self.output(seat))

    def output(self, seat: Seat) -> Path:
        return self.folder / "bots" / f"{seat.title.lower()}.log"


@pytest.fixture
async def hired(table: Table, tmp_path: Path) -> AsyncIterator[Hired]:
    hired = Hired(table, tmp_path)
    yield hired
    await hired.programs.close()


async def until_printed(hired: Hired, seat: Seat, text: str, times: int = 1) -> None:
    """Look at the output of a program until it has a text."""
    while True:
        if hired.output(seat).read_text(encoding="utf-8").count(text) >= times:
            return
        await asyncio.sleep(0.005)


async def test_a_program_that_fails_twice_is_started_again_with_growing_delays(
    table: Table, hired: Hired, slept: list[float]
) -> None:
    # It counts its starts in a file; the third does not fail.
    await hired.start({NORTH: 'echo x >>starts; test $(wc -l <starts) -ge 3 || exit 7; echo "here I am"; sleep 60'})
    await until_printed(hired, NORTH, "here I am")
    assert table.ends == [(NORTH, "ended with status 7")] * 2
    assert slept == list(DELAYS_S[:2])
    assert slept[0] < slept[1]
    assert table.reasons == []


async def test_a_program_that_ends_after_the_session_is_not_started_again(table: Table, hired: Hired) -> None:
    waits = "echo begun; while [ ! -e {} ]; do sleep 0.01; done; exit {}"
    await hired.start({NORTH: waits.format("north", 0), EAST: waits.format("east", 3)})
    await until_printed(hired, NORTH, "begun")
    await until_printed(hired, EAST, "begun")
    hired.programs.note_end()
    (hired.folder / "north").touch()
    await table.until(ends=1)
    (hired.folder / "east").touch()
    await table.until(ends=2)
    await asyncio.wait(hired.programs._tasks)
    assert [hired.output(seat).read_text(encoding="utf-8").count("begun") for seat in (NORTH, EAST)] == [1, 1]
    assert table.reasons == []


async def test_a_program_that_always_fails_is_given_up_with_its_last_words(
    table: Table, hired: Hired, slept: list[float]
) -> None:
    await hired.start({NORTH: "echo x >>starts; echo no engine here >&2; exit 3"})
    await table.until(given_up=1)
    how = "ended with status 3: no engine here"
    assert table.reasons == [f"Alpha's program for North {how}, {STARTS_MAX} times in a row"]
    assert table.ends == [(NORTH, how)] * STARTS_MAX
    assert (hired.folder / "starts").read_text(encoding="ascii").count("x") == STARTS_MAX
    assert len(slept) == STARTS_MAX - 1


async def test_a_program_that_this_machine_cannot_start_waits_and_has_not_failed(
    table: Table, hired: Hired, monkeypatch: pytest.MonkeyPatch
) -> None:
    short = [OSError(errno.EMFILE, "Too many open files"), BlockingIOError(errno.EAGAIN, "No more processes")] * 3
    start = subprocess.Popen

    def start_if_possible(*words: Any, **settings: Any) -> "subprocess.Popen[bytes]":
        if short:
            raise short.pop(0)
        return start(*words, **settings)

    monkeypatch.setattr(supervisor, "SHORTAGE_RETRY_MS", 10)
    monkeypatch.setattr(subprocess, "Popen", start_if_possible)
    await hired.start({NORTH: "echo here; sleep 60"})
    assert list(hired.programs.shortages) == [NORTH], "the status of the table says so"
    await until_printed(hired, NORTH, "here")
    while hired.programs.shortages:  # noqa: ASYNC110 # it prints a moment before its start is noted
        await asyncio.sleep(0.005)
    assert (table.ends, table.reasons) == ([], [])
    assert table.waits[0] == "Alpha's program for North cannot be started: 'sh': Too many open files"
    assert len(table.waits) == 6


FAILING = (
    'echo x >>starts; n=$((0 + $(wc -l <starts))); echo "start $n."; until test -e $n; do sleep 0.01; done; exit 5'
)
"""Each start prints its number, and fails once there is a file of that name."""


async def test_a_program_that_was_sent_away_from_a_crowded_door_has_not_failed_to_start(
    table: Table, hired: Hired, slept: list[float]
) -> None:
    await hired.start({NORTH: FAILING})
    for number in range(1, 2 * STARTS_MAX):
        await until_printed(hired, NORTH, f"start {number}.")
        table.evictions += 1
        (hired.folder / str(number)).touch()
    await until_printed(hired, NORTH, f"start {2 * STARTS_MAX}.")
    assert table.reasons == []
    (hired.folder / str(2 * STARTS_MAX)).touch()
    for number in range(2 * STARTS_MAX + 1, 3 * STARTS_MAX):
        await until_printed(hired, NORTH, f"start {number}.")
        (hired.folder / str(number)).touch()
    await table.until(given_up=1)
    assert table.reasons[0].endswith(f"{STARTS_MAX} times in a row")


async def test_a_board_that_has_begun_makes_up_for_failures_before_it(
    table: Table, hired: Hired, slept: list[float]
) -> None:
    await hired.start({NORTH: FAILING})
    for number in range(1, STARTS_MAX + 2):
        await until_printed(hired, NORTH, f"start {number}.")
        hired.programs.note_board()
        (hired.folder / str(number)).touch()
    await until_printed(hired, NORTH, f"start {STARTS_MAX + 2}.")
    assert table.reasons == []
    assert slept == [DELAYS_S[0]] * (STARTS_MAX + 1)


async def test_a_program_that_is_sent_away_is_ended_and_another_started(
    table: Table, hired: Hired, slept: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(programs, "EXIT_WAIT_MS", 0)
    await hired.start({NORTH: "echo here; sleep 60"})
    await until_printed(hired, NORTH, "here")
    hired.programs.restart_program(NORTH)
    await until_printed(hired, NORTH, "here", times=2)
    assert (table.ends, table.reasons) == ([], [])


async def test_a_program_that_dies_as_it_is_sent_away_is_told_as_ended(
    table: Table, hired: Hired, slept: list[float]
) -> None:
    await hired.start({NORTH: "echo here; until test -e go; do sleep 0.01; done; exit 4"})
    await until_printed(hired, NORTH, "here")
    hired.programs.restart_program(NORTH)
    (hired.folder / "go").touch()
    await table.until(ends=1)
    assert table.ends[0] == (NORTH, "ended with status 4: here")


async def test_a_program_that_never_sits_down_is_ended_and_given_up_without_another_try(
    table: Table, tmp_path: Path, slept: list[float]
) -> None:
    hired = Hired(table, tmp_path, connect_s=0)
    await hired.start({NORTH: "sleep 60"})
    await table.until(given_up=1)
    assert table.reasons == ["Alpha's program for North has not sat down within 0 s"]
    assert slept == []
    await hired.programs.close()


async def test_a_program_that_sits_is_not_bound_to_the_time_for_sitting_down(
    table: Table, tmp_path: Path, slept: list[float]
) -> None:
    table.seated.add(NORTH)
    hired = Hired(table, tmp_path, connect_s=0)
    await hired.start({NORTH: "until test -e go; do sleep 0.01; done; exit 4"})
    await table.was_asked.wait()  # the time is over
    table.seated.clear()
    (tmp_path / "go").touch()
    await table.until(ends=1)
    assert table.ends == [(NORTH, "ended with status 4")]
    await hired.programs.close()


async def test_a_program_that_cannot_be_started_again_is_given_up(
    table: Table, hired: Hired, slept: list[float]
) -> None:
    program = hired.folder / "program"
    program.write_text('#!/bin/sh\nrm "$0"; exit 3\n', encoding="ascii")
    program.chmod(0o755)
    await hired.programs.start({NORTH: hired.bot(NORTH, str(program))})
    await table.until(given_up=1)
    (reason,) = table.reasons
    assert reason.startswith("Alpha's program for North cannot be started: ")


async def test_a_crew_of_which_one_cannot_be_started_is_refused(table: Table, hired: Hired) -> None:
    with pytest.raises(LaunchError, match="there is no program 'no-such-program'"):
        await hired.programs.start({NORTH: hired.bot(NORTH, "no-such-program")})
