"""No program outlives its host: killed hosts, what a later run sweeps up, and what it leaves alone."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from tourney.launch.hosts import end_programs
from tourney.runtime import processes
from tourney.runtime.processes import (
    MARK,
    ProcessId,
    StartedProcess,
    _read_process,
    load_processes,
    own_process_id,
    record_process,
    sweep_processes,
)

HOST = """
import asyncio, sys
from pathlib import Path
import uvloop
from tests.support.bot_processes import make_bot

async def main(folder):
    program = make_bot("the bot", ["sh", "-c", "sleep 600 & echo $$ $!; wait"], folder, folder / "bots" / "out")
    await program.start()
    while not "".join(program.last_lines(1)):
        await asyncio.sleep(0.005)
    print("".join(program.last_lines(1)), flush=True)
    await asyncio.to_thread(sys.stdin.read)
    await program.end()

uvloop.run(main(Path(sys.argv[1])))
"""
"""A table host as far as its program goes: it prints the ids of the program and of what this has started."""

GONE = ProcessId(os.getpid(), "another start")
"""An owner that is no more, though its id is in use."""


def runs(pid: int) -> bool:
    seen = _read_process(pid)
    return seen is not None and not seen.is_over


def wait_until_ended(*pids: int) -> None:
    deadline = time.monotonic() + 10
    while any(map(runs, pids)):
        assert time.monotonic() < deadline, f"still running: {[pid for pid in pids if runs(pid)]}"
        time.sleep(0.005)


@contextmanager
def host(folder: Path) -> Iterator[tuple["subprocess.Popen[str]", int, int]]:
    """A running host, its program and the helper of that."""
    with subprocess.Popen(
        [sys.executable, "-c", HOST, folder], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        try:
            program, helper = map(int, process.stdout.readline().split())
            assert runs(program)
            assert runs(helper)
            yield process, program, helper
        finally:
            process.kill()


@contextmanager
def stray(script: str, mark: str = "") -> Iterator["subprocess.Popen[str]"]:
    """A shell that leads a group of its own; all of it is killed in the end."""
    process = subprocess.Popen(
        ["sh", "-c", script], stdout=subprocess.PIPE, text=True, start_new_session=True, env=os.environ | {MARK: mark}
    )
    assert process.stdout is not None
    try:
        yield process
    finally:
        process.stdout.close()
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def on_record(folder: Path, pid: int, *, start: str = "", owner: ProcessId = GONE, mark: str = "m") -> Path:
    """Put a process on record as the bot of an earlier run; `start` is its own if no other is given."""
    seen = _read_process(pid)
    start = start or (seen.start if seen is not None else "none")
    path = folder / "bots" / "processes.jsonl"
    path.parent.mkdir(exist_ok=True)
    record_process(path, StartedProcess("the bot", pid, start, owner.pid, owner.start, mark, grace_s=0.1))
    return path


def swept(pid: int) -> str:
    return f"the bot, process {pid}, was left by an earlier run and has been ended"


@pytest.mark.skipif(sys.platform != "linux", reason="the parent-death signal is of Linux")
@pytest.mark.parametrize("by", ["who watches the host", "the next run"])
def test_a_killed_host_takes_its_program_with_it_and_the_helper_of_that_is_ended(tmp_path: Path, by: str) -> None:
    with host(tmp_path) as (process, program, helper):
        process.kill()
        wait_until_ended(program)
        assert runs(helper)
        if by == "the next run":
            assert sweep_processes(tmp_path) == [swept(program)]
            assert sweep_processes(tmp_path) == []
        else:
            process.wait(10)
            end_programs(tmp_path)
        wait_until_ended(helper)


def test_a_host_that_ends_in_order_leaves_no_programs(tmp_path: Path) -> None:
    with host(tmp_path) as (process, program, helper):
        assert process.stdin is not None
        process.stdin.close()
        assert process.wait(20) == 0
        assert not runs(program)
        wait_until_ended(helper)
    assert sweep_processes(tmp_path) == []
    assert not (tmp_path / "bots" / "processes.jsonl").exists()


def test_while_its_owner_runs_a_program_is_left_alone(tmp_path: Path) -> None:
    with stray("sleep 600") as process:
        path = on_record(tmp_path, process.pid, owner=own_process_id())
        assert sweep_processes(tmp_path) == []
        assert process.poll() is None
        assert len(load_processes(path)) == 1


@pytest.mark.parametrize("has_proc", [True, False], ids=["proc", "ps"])
class TestSweep:
    """Runs a test with both ways of looking at processes."""

    @pytest.fixture(autouse=True)
    def poll(self, monkeypatch: pytest.MonkeyPatch, has_proc: bool) -> None:
        if has_proc and not Path("/proc/self/stat").exists():
            pytest.skip("no /proc here")
        monkeypatch.setattr(processes, "_HAS_PROC", has_proc)

    def test_a_program_that_was_left_behind_is_ended_with_its_helper_and_named(self, tmp_path: Path) -> None:
        with stray("sleep 600 & echo $!; wait") as process:
            assert process.stdout is not None
            helper = int(process.stdout.readline())
            path = on_record(tmp_path, process.pid)
            assert sweep_processes(tmp_path) == [swept(process.pid)]
            assert process.wait(10) == -signal.SIGTERM
            wait_until_ended(helper)
            assert not path.exists()

    def test_one_that_does_not_listen_is_killed(self, tmp_path: Path) -> None:
        with stray("trap '' TERM; echo; while :; do sleep 0.01; done") as process:
            assert process.stdout is not None
            process.stdout.readline()
            on_record(tmp_path, process.pid)
            assert sweep_processes(tmp_path) == [swept(process.pid)]
            assert process.wait(10) == -signal.SIGKILL

    def test_a_stranger_that_has_got_the_id_since_is_not_touched(self, tmp_path: Path) -> None:
        with stray("sleep 600") as process:
            path = on_record(tmp_path, process.pid, start="before it")
            assert sweep_processes(tmp_path) == []
            assert process.poll() is None
            assert not path.exists()

    def test_helpers_of_strangers_that_have_got_the_group_since_are_not_touched(self, tmp_path: Path) -> None:
        with stray("sleep 600 & echo $!; exec >&-", mark="theirs") as process:
            assert process.stdout is not None
            helper = int(process.stdout.readline())
            process.wait(10)
            on_record(tmp_path, process.pid, start="before it", mark="ours")
            assert sweep_processes(tmp_path) == []
            assert runs(helper)


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the environment of a process is not to be read")
def test_a_helper_whose_program_is_gone_is_known_by_its_mark(tmp_path: Path) -> None:
    with stray("sleep 600 & echo $!; exec >&-", mark="ours") as process:
        assert process.stdout is not None
        helper = int(process.stdout.readline())
        process.wait(10)
        on_record(tmp_path, process.pid, start="before it", mark="ours")
        assert sweep_processes(tmp_path) == [swept(process.pid)]
        wait_until_ended(helper)


def test_programs_of_a_host_that_was_left_behind_itself_are_ended_after_it(tmp_path: Path) -> None:
    with stray("sleep 600") as left_host, stray("sleep 600") as program:
        on_record(tmp_path, left_host.pid)
        seen = _read_process(left_host.pid)
        assert seen is not None
        on_record(tmp_path, program.pid, owner=ProcessId(left_host.pid, seen.start))
        assert sweep_processes(tmp_path) == [swept(left_host.pid), swept(program.pid)]


def test_a_host_that_is_spared_plays_on_with_its_programs(tmp_path: Path) -> None:
    with stray("sleep 600") as left_host, stray("sleep 600") as program, stray("sleep 600") as lost:
        on_record(tmp_path, left_host.pid)
        seen = _read_process(left_host.pid)
        assert seen is not None
        living = ProcessId(left_host.pid, seen.start)
        on_record(tmp_path, program.pid, owner=living)
        on_record(tmp_path, lost.pid)
        assert sweep_processes(tmp_path, spare=[living]) == [swept(lost.pid)]
        assert (left_host.poll(), program.poll()) == (None, None)


@pytest.mark.parametrize(
    "line",
    [
        b'{"name": "torn by a ki',
        b"\xff\xfe",
        b"[]",
        b"{}",
        b'{"name": "x", "pid": "many"}',
        json.dumps(
            {"name": "", "pid": 0, "start": "", "owner_pid": 1, "owner_start": "", "mark": "", "grace_s": 1}
        ).encode(),
    ],
)
def test_a_line_that_says_nothing_is_passed_over(tmp_path: Path, line: bytes) -> None:
    with stray("sleep 600") as process:
        path = on_record(tmp_path, process.pid)
        path.write_bytes(line + b"\n" + path.read_bytes() + line)
        assert sweep_processes(tmp_path) == [swept(process.pid)]
