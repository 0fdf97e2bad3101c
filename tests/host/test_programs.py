"""The programs of a table as real processes: minded, started again, and given up in the end."""

import asyncio
import errno
import subprocess
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from tests.support.bot_processes import make_bot
from tests.support.conversation import steps_of
from tests.support.waiting import until
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


FAILING = (
    'echo x >>starts; n=$((0 + $(wc -l <starts))); echo "start $n."; until test -e $n; do sleep 0.01; done; exit 5'
)
"""Each start prints its number, and fails once there is a file of that name."""


class Hired:
    """The programs of a table and the folder in which its programs leave traces."""

    def __init__(self, table: Table, folder: Path, slept: list[float], connect_s: int = 20) -> None:
        self.programs = ProgramsOfTable(table, connect_s)
        self.folder = folder
        self._table, self._slept = table, slept

    async def start(self, scripts: dict[Seat, str]) -> None:
        """Start a shell script at each seat."""
        await self.programs.start({seat: self.bot(seat, "sh", "-c", script) for seat, script in scripts.items()})

    def bot(self, seat: Seat, *words: str) -> BotProcess:
        return make_bot(f"Alpha's program for {seat.title}", [*words], self.folder, self.output(seat))

    def output(self, seat: Seat) -> Path:
        return self.folder / "bots" / f"{seat.title.lower()}.log"

    async def converse(self, script: str) -> None:
        """Say what North's program does, and check what the table is told; the steps:

        it runs: exit 7        a shell script; `FAILING` is one
        it prints here         at least once, `twice` if so
        3 exists               a file
        evicted, board begins, sent away    of the program
        2 ends; ended -> ended with status 7    waits for so many; all
        given up -> ...        waits for that; `not given up`
        delays -> 1 -> 2       by their places among `RESTART_DELAYS_MS`
        """
        for step in steps_of(script):
            what, _, more = step.what.partition(": ")
            step.check(await self._take(what.split(), more) or [])

    async def _take(self, words: Sequence[str], more: str) -> Sequence[str] | None:
        table = self._table
        match words:
            case ["it", "runs"]:
                await self.start({NORTH: more.replace("FAILING", FAILING)})
            case ["it", "prints", *text]:
                await until_printed(self, NORTH, " ".join(text).removesuffix(" twice"), 1 + (text[-1] == "twice"))
            case [name, "exists"]:
                (self.folder / name).touch()
            case ["evicted"]:
                table.evictions += 1
            case ["board", "begins"]:
                self.programs.note_board()
            case ["sent", "away"]:
                self.programs.restart_program(NORTH)
            case [number, "ends"]:
                await table.until(ends=int(number))
            case ["ended"]:
                return [how for _, how in table.ends]
            case ["given", "up"]:
                await table.until(given_up=1)
                return table.reasons
            case ["not", "given", "up"]:
                assert table.reasons == []
            case ["delays"]:
                return [str(1 + DELAYS_S.index(delay)) for delay in self._slept]
            case _:
                raise AssertionError(words)
        return None


@pytest.fixture
async def hired(table: Table, tmp_path: Path, slept: list[float]) -> AsyncIterator[Hired]:
    hired = Hired(table, tmp_path, slept)
    yield hired
    await hired.programs.close()


@pytest.fixture
async def hasty(table: Table, tmp_path: Path, slept: list[float]) -> AsyncIterator[Hired]:
    """Programs that are to sit down at once."""
    hasty = Hired(table, tmp_path, slept, connect_s=0)
    yield hasty
    await hasty.programs.close()


async def until_printed(hired: Hired, seat: Seat, text: str, times: int = 1) -> None:
    """Look at the output of a program until it has a text."""
    await until(lambda: hired.output(seat).read_text(encoding="utf-8").count(text) >= times)


async def test_a_program_that_fails_twice_is_started_again_with_growing_delays(hired: Hired) -> None:
    await hired.converse("""
        # It counts its starts in a file; the third does not fail.
        it runs: echo x >>starts; test $(wc -l <starts) -ge 3 || exit 7; echo "here I am"; sleep 60
        it prints here I am
        ended -> ended with status 7 -> ended with status 7
        delays -> 1 -> 2
        not given up
    """)
    assert list(DELAYS_S) == sorted(set(DELAYS_S))


async def test_a_program_that_ends_after_the_session_is_not_started_again(table: Table, hired: Hired) -> None:
    waits = "echo begun; while [ ! -e {} ]; do sleep 0.01; done; exit {}"
    await hired.start({NORTH: waits.format("north", 0), EAST: waits.format("east", 3)})
    await until_printed(hired, NORTH, "begun")
    await until_printed(hired, EAST, "begun")
    hired.programs.note_end()
    await hired.converse("north exists\n1 ends\neast exists\n2 ends")
    await asyncio.wait(hired.programs._tasks)
    assert [hired.output(seat).read_text(encoding="utf-8").count("begun") for seat in (NORTH, EAST)] == [1, 1]
    assert table.reasons == []


async def test_a_program_that_always_fails_is_given_up_with_its_last_words(hired: Hired) -> None:
    how = "ended with status 3: no engine here"
    await hired.converse(f"""
        it runs: echo x >>starts; echo no engine here >&2; exit 3
        given up -> Alpha's program for North {how}, {STARTS_MAX} times in a row
        ended {f"-> {how} " * STARTS_MAX}
        delays -> {" -> ".join(map(str, range(1, STARTS_MAX)))}
    """)
    assert (hired.folder / "starts").read_text(encoding="ascii").count("x") == STARTS_MAX


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
    await hired.converse("it runs: echo here; sleep 60")
    assert list(hired.programs.shortages) == [NORTH], "the status of the table says so"
    await hired.converse("it prints here\nended -> nothing\nnot given up")
    await until(lambda: not hired.programs.shortages)  # it prints a moment before its start is noted
    assert table.waits[0] == "Alpha's program for North cannot be started: 'sh': Too many open files"
    assert len(table.waits) == 6


async def test_a_program_that_was_sent_away_from_a_crowded_door_has_not_failed_to_start(hired: Hired) -> None:
    evicted = "".join(f"it prints start {n}.\nevicted\n{n} exists\n" for n in range(1, 2 * STARTS_MAX))
    failing = "".join(f"it prints start {n}.\n{n} exists\n" for n in range(2 * STARTS_MAX, 3 * STARTS_MAX))
    await hired.converse(f"it runs: FAILING\n{evicted}it prints start {2 * STARTS_MAX}.\nnot given up")
    await hired.converse(f"{failing}given up -> ...{STARTS_MAX} times in a row")


async def test_a_board_that_has_begun_makes_up_for_failures_before_it(hired: Hired) -> None:
    failing = "".join(f"it prints start {n}.\nboard begins\n{n} exists\n" for n in range(1, STARTS_MAX + 2))
    await hired.converse(f"it runs: FAILING\n{failing}it prints start {STARTS_MAX + 2}.\nnot given up")
    await hired.converse(f"delays {'-> 1 ' * (STARTS_MAX + 1)}")


async def test_a_program_that_is_sent_away_is_ended_and_another_started(
    hired: Hired, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(programs, "EXIT_WAIT_MS", 0)
    await hired.converse("""
        it runs: echo here; sleep 60
        it prints here
        sent away
        it prints here twice
        ended -> nothing
        not given up
    """)


async def test_a_program_that_dies_as_it_is_sent_away_is_told_as_ended(hired: Hired) -> None:
    await hired.converse("""
        it runs: echo here; until test -e go; do sleep 0.01; done; exit 4
        it prints here
        sent away
        go exists
        1 ends
        ended -> ended with status 4: here -> ...
    """)


async def test_a_program_that_never_sits_down_is_ended_and_given_up_without_another_try(hasty: Hired) -> None:
    await hasty.converse("""
        it runs: sleep 60
        given up -> Alpha's program for North has not sat down within 0 s
        delays -> nothing
    """)


async def test_a_program_that_sits_is_not_bound_to_the_time_for_sitting_down(table: Table, hasty: Hired) -> None:
    table.seated.add(NORTH)
    await hasty.converse("it runs: until test -e go; do sleep 0.01; done; exit 4")
    await table.was_asked.wait()  # the time is over
    table.seated.clear()
    await hasty.converse("go exists\n1 ends\nended -> ended with status 4")


async def test_a_program_that_cannot_be_started_again_is_given_up(hired: Hired) -> None:
    program = hired.folder / "program"
    program.write_text('#!/bin/sh\nrm "$0"; exit 3\n', encoding="ascii")
    program.chmod(0o755)
    await hired.programs.start({NORTH: hired.bot(NORTH, str(program))})
    await hired.converse("given up -> Alpha's program for North cannot be started: ...")


async def test_a_crew_of_which_one_cannot_be_started_is_refused(hired: Hired) -> None:
    with pytest.raises(LaunchError, match="there is no program 'no-such-program'"):
        await hired.programs.start({NORTH: hired.bot(NORTH, "no-such-program")})
