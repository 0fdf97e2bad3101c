"""Programs of teams as real processes: their output, their end, and that of what they have started."""

import asyncio
import errno
import fcntl
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.support.bot_processes import end_of, make_bot, started
from tests.support.waiting import until
from tourney.errors import LaunchError
from tourney.launch import bots as program_module
from tourney.launch.bots import BotProcess
from tourney.launch.hosts import HostProcess, HostSecrets
from tourney.launch.output import OutputFile
from tourney.runtime.processes import _read_process, is_running, load_processes, own_process_id

needs_proc = pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="needs /proc")


def bot(folder: Path, script: str) -> BotProcess:
    """A program that is a shell script."""
    return make_bot("Alpha's program for North", ["sh", "-c", script], folder, folder / "table" / "north.log")


def runs(pid: int) -> bool:
    seen = _read_process(pid)
    return seen is not None and not seen.is_over


async def ended(pid: int) -> None:
    """Wait until a process that is no child of ours has ended."""
    await until(lambda: not runs(pid))


async def printed(program: BotProcess) -> str:
    """What a program prints first."""
    await until(lambda: bool("".join(program.last_lines(1))))
    return "".join(program.last_lines(1))


@pytest.mark.parametrize(
    ("script", "how", "lines"),
    [
        ("echo one; echo two >&2; echo; exit 3", "ended with status 3: two", ["one", "two"]),
        ("kill -KILL $$", "was ended by signal 9", []),
    ],
)
async def test_how_a_program_ended_is_told_with_its_last_line(
    tmp_path: Path, script: str, how: str, lines: list[str]
) -> None:
    program = bot(tmp_path, script)
    assert await end_of(program) == how
    assert program.last_lines() == lines


@pytest.mark.parametrize(
    ("trap", "status", "farewell"),
    [("echo farewell; exit 0", 0, "farewell"), ("", -signal.SIGKILL, "up")],
    ids=["it listens", "it does not"],
)
async def test_a_program_is_asked_to_end_before_it_is_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, trap: str, status: int, farewell: str
) -> None:
    if not trap:
        monkeypatch.setattr(program_module, "END_GRACE_S", 0.1)
    async with started(bot(tmp_path, f"trap '{trap}' TERM; echo up; while :; do sleep 0.01; done")) as program:
        await printed(program)
    assert await program.wait() == status
    assert program.last_lines(1) == [farewell]


def test_a_program_that_nobody_has_ended_is_killed_when_the_event_loop_ends(tmp_path: Path) -> None:
    program = bot(tmp_path, "exec sleep 600")
    asyncio.run(program.start())
    assert program._started is not None
    assert not runs(program._started.process.pid)


@pytest.mark.parametrize(
    ("script", "by_itself"),
    [
        ("trap '' TERM; (trap '' TERM; while :; do sleep 0.01; done) & echo $!; trap - TERM; wait", False),
        ("sleep 600 & echo $!", True),
        # Those that have left its group.
        pytest.param("setsid sleep 600 & echo $!; sleep 600", False, marks=needs_proc),
        pytest.param("setsid sleep 600 & echo $!", True, marks=needs_proc),
    ],
)
async def test_what_a_program_has_started_ends_with_it(tmp_path: Path, script: str, by_itself: bool) -> None:
    async with started(bot(tmp_path, script)) as program:
        helper = int(await printed(program))
        if by_itself:
            await program.wait()
        if "setsid" in script:
            await until(lambda: b"sleep" in Path(f"/proc/{helper}/cmdline").read_bytes())
        assert runs(helper)
    await ended(helper)


async def test_a_program_cannot_change_what_it_has_printed(tmp_path: Path) -> None:
    """It has a pipe, and no file that it could truncate, or extend without printing."""
    code = (
        "import os; print('one', flush=True)\nfor change in (os.ftruncate, os.posix_fallocate):\n"
        "    try: change(1, *((0,) if change is os.ftruncate else (0, 1 << 30)))\n"
        "    except OSError: print('refused', flush=True)"
    )
    program = make_bot("it", [sys.executable, "-c", code], tmp_path, tmp_path / "o")
    assert (await end_of(program)).startswith("ended with status 0")
    assert program.last_lines() == ["one", "refused", "refused"]


async def test_what_a_program_printed_last_is_known_when_it_has_ended_though_its_helper_goes_on(
    tmp_path: Path,
) -> None:
    script = "(trap '' TERM; while :; do sleep 0.01; done) & seq 3000; echo the end; exit 3"
    for _ in range(5):
        assert await end_of(bot(tmp_path, script)) == "ended with status 3: the end"


async def test_a_program_goes_on_when_the_disk_has_no_room_for_what_it_prints(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_room(file: OutputFile, data: bytes) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(OutputFile, "append", no_room)
    assert await end_of(bot(tmp_path, "seq 100000; exit 4")) == "ended with status 4"


async def test_a_running_program_is_on_record_with_who_started_it(tmp_path: Path) -> None:
    async with started(bot(tmp_path, "sleep 600")):
        (line,) = load_processes(tmp_path / "table" / "processes.jsonl")
        assert line.name == "Alpha's program for North"
        assert line.owner == own_process_id()
        assert is_running(line.process)
    assert not is_running(line.process)


async def test_a_program_that_cannot_be_started_is_named_with_the_reason(tmp_path: Path) -> None:
    for program, folder, why in (
        ("no-such-program", "", "there is no program 'no-such-program'"),
        ("/dev/null", "", "'/dev/null': Permission denied"),
        ("sh", "nowhere", "'sh': No such file or directory"),
    ):
        with pytest.raises(LaunchError, match=f"^It cannot be started: {why}$"):
            await make_bot("It", [program], tmp_path / folder, tmp_path / "north.log").start()


async def test_a_program_whose_output_cannot_be_written_is_not_started(tmp_path: Path) -> None:
    (tmp_path / "table").write_text("a file")
    with pytest.raises(
        LaunchError, match=r"^output of Alpha's program for North cannot be written to .*: File exists$"
    ):
        await bot(tmp_path, "exit 0").start()


async def test_a_program_that_cannot_be_put_on_record_is_ended_again(tmp_path: Path) -> None:
    (tmp_path / "table" / "processes.jsonl").mkdir(parents=True)
    program = bot(tmp_path, "sleep 600")
    with pytest.raises(
        LaunchError, match=r"^Alpha's program for North cannot be put on record in .*: Is a directory$"
    ):
        await program.start()
    assert await program.wait() == -signal.SIGTERM


async def test_a_host_is_on_record_and_its_end_is_told_with_its_last_line(tmp_path: Path) -> None:
    output_file = tmp_path / "hosts" / "1.log"
    host = HostProcess("1", 1, HostSecrets("sqlite:////dev/null/no-database"), output_file)
    host.start()
    assert host.status is None
    (line,) = load_processes(tmp_path / "hosts" / "processes.jsonl")
    assert (line.name, line.owner) == ("table host 1", own_process_id())
    await until(lambda: host.status is not None)
    assert host.how_it_ended() == f"table host 1 ended with status 1: {output_file.read_text().splitlines()[-1]}"
    await host.stop()


async def test_a_host_starts_with_many_secrets_where_the_system_gives_it_no_large_pipe(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    popen = subprocess.Popen

    def popen_small(*words: Any, **settings: Any) -> Any:
        if settings.get("pipesize", -1) > 0:
            raise PermissionError(errno.EPERM, "Operation not permitted")  # as fcntl(2) says of F_SETPIPE_SZ
        process = popen(*words, **settings)
        assert process.stdin is not None
        fcntl.fcntl(process.stdin, fcntl.F_SETPIPE_SZ, 4096)
        return process

    monkeypatch.setattr(subprocess, "Popen", popen_small)
    (tmp_path / "slow_host.py").write_text("import sys; print(len(sys.stdin.read()))", encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    passphrases = {f"Team {number}": "x" * 1000 for number in range(200)}
    host = HostProcess("1", 1, HostSecrets("sqlite:////nowhere", passphrases), tmp_path / "1.log", module="slow_host")
    host.start()
    await until(lambda: host.status is not None)
    assert int((tmp_path / "1.log").read_text()) > 200_000


async def test_a_host_that_cannot_be_put_on_record_is_not_left_running(tmp_path: Path) -> None:
    (tmp_path / "hosts" / "processes.jsonl").mkdir(parents=True)
    host = HostProcess("1", 1, HostSecrets("sqlite:////dev/null/no-database"), tmp_path / "hosts" / "1.log")
    with pytest.raises(LaunchError, match=r"^table host 1 cannot be started: .*Is a directory"):
        host.start()
    await until(lambda: host.status == -signal.SIGKILL)
