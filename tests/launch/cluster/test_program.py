"""A program on a machine with a label: what it is given, and that nothing of it is left."""

import asyncio
import contextlib
import re
import subprocess
import sys
import textwrap
import time
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from tourney.bridge import Seat
from tourney.config.command import TERMS_VARIABLE, CommandValues
from tourney.errors import LaunchError
from tourney.launch.cluster.programs import BEHIND_BYTES_MAX, AgentProgram
from tourney.launch.program import ProgramOrder
from tourney.protocol.seat_handover import TableTerms
from tourney.runtime.privacy import CLUSTER_KEY_VARIABLE
from tourney.runtime.processes import MARK, RECORD_NAME, end_left_behind, load_processes

PYTHON = f"'{sys.executable}' -c "


def order(script: str, more: str = "", *, command: str | None = None, started_in: str | None = None) -> ProgramOrder:
    """An order to run a Python script, with further words."""
    return ProgramOrder(
        scope="cup-1",
        place="17-2-N",
        number=1,
        name="Alpha's program for North",
        label="gpu",
        command=command if command is not None else f'{PYTHON}"{script}" {more}',
        values=CommandValues(host="192.0.2.7", port=2000, seat=Seat.NORTH, team="Alpha", login="Alpha#open sesame"),
        table="match-001-open",
        started_in=started_in,
    )


async def printed(program: AgentProgram, text: str) -> str:
    """What it has printed up to and with a text."""
    found = ""
    async with asyncio.timeout(20):
        while text not in found:
            found += program.take_output()
            await asyncio.sleep(0.01)
    return found


async def test_it_has_its_own_folder_its_log_on_and_the_address_of_its_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(CLUSTER_KEY_VARIABLE, "the-key")
    script = (
        "import os,sys; print(*sys.argv[1:], open(sys.argv[1]).read(), os.environ['TOURNEY_LOGIN'], os.getcwd(), "
        "'KEY' if 'TOURNEY_CLUSTER_KEY' in os.environ else 'none', flush=True)"
    )
    (tmp_path / "theirs").mkdir()
    words = "{login_file} {folder} {host}:{port} {seat_letter} {{x}}"
    program = AgentProgram(order(script, words, started_in=str(tmp_path / "theirs")), tmp_path / "worker")
    await program.start()
    try:
        said = await printed(program, "none\n")
        assert (program.own / "login").stat().st_mode & 0o777 == 0o600
    finally:
        await program.end()
    own = tmp_path / "worker/programs/cup-1/match-001-open/north"
    assert said.split() == [
        *(str(own / "login"), str(own), "192.0.2.7:2000", "N", "{x}"),
        *("Alpha#open", "sesame", "Alpha#open", "sesame", str(tmp_path / "theirs"), "none"),
    ]
    assert not (own / "login").exists(), "its passphrase is left on the disk"


async def test_its_environment_says_how_its_table_is_scored_and_how_long_it_may_think(tmp_path: Path) -> None:
    terms = TableTerms(scoring="matchpoints", call_ms=7000)
    script = f"import os; print(os.environ['{TERMS_VARIABLE}'], flush=True)"
    program = AgentProgram(replace(order(script), terms=terms), tmp_path)
    await program.start()
    try:
        assert TableTerms.parse(await printed(program, "}")) == terms
    finally:
        await program.end()


async def test_its_end_is_told_by_the_line_that_says_why_and_without_its_pass_phrase(tmp_path: Path) -> None:
    program = AgentProgram(order("import sys; sys.exit('Error: no net for Alpha#open sesame')"), tmp_path)
    await program.start()
    async with asyncio.timeout(20):
        await program.wait()
    await program.end()
    assert program.how_it_ended(await program.wait()) == "ended with status 1: Error: no net for Alpha"


async def test_helpers_that_have_left_its_group_end_with_it_and_so_does_what_ignores_being_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tourney.launch.program.END_GRACE_S", 0.2)
    script = (
        "import signal,subprocess,sys,time; signal.signal(signal.SIGTERM, signal.SIG_IGN); "
        "each = [subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'], start_new_session=own)"
        " for own in (True, False)]; print(each[0].pid, each[1].pid, 'go', flush=True); time.sleep(60)"
    )
    program = AgentProgram(order(script), tmp_path)
    await program.start()
    helpers = [psutil.Process(int(pid)) for pid in (await printed(program, "go")).split()[:2]]
    await program.end()
    assert program.is_over
    psutil.wait_procs(helpers, timeout=10)
    assert not any(helper.is_running() and helper.status() != psutil.STATUS_ZOMBIE for helper in helpers)


WORKER = """
import asyncio, sys
from pathlib import Path
from tests.launch.cluster.test_program import order
from tourney.launch.cluster.programs import AgentProgram

async def main() -> None:
    await AgentProgram(order("import subprocess, sys; subprocess.run([sys.executable, '-c', "
        "'import time; time.sleep(60)'], start_new_session=True)"), Path(sys.argv[1])).start()
    print("up", flush=True)
    await asyncio.sleep(60)

asyncio.run(main())
"""


def test_what_a_killed_worker_has_left_behind_is_ended_and_what_works_for_another_is_not(tmp_path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", WORKER, tmp_path], stdout=subprocess.PIPE) as worker:
        try:
            assert worker.stdout is not None
            assert worker.stdout.readline() == b"up\n"
            marks = {line.mark for path in tmp_path.rglob(RECORD_NAME) for line in load_processes(path)}
            while len(marked(marks)) < 2:
                time.sleep(0.01)  # its helper
            assert end_left_behind(tmp_path) == []
            assert len(marked(marks)) == 2
        finally:
            worker.kill()
    assert len(end_left_behind(tmp_path)) == 1
    assert marked(marks) == []


def marked(marks: set[str]) -> list[psutil.Process]:
    """The processes that carry one of these marks."""
    found = []
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error):
            if process.environ().get(MARK) in marks and process.status() != psutil.STATUS_ZOMBIE:
                found.append(process)
    return found


async def test_output_comes_in_parts_and_what_is_too_much_is_left_out(tmp_path: Path) -> None:
    script = f"import sys; sys.stdout.write('x' * {2 * BEHIND_BYTES_MAX} + 'the end'); sys.exit(1)"
    program = AgentProgram(order(script), tmp_path)
    await program.start()
    async with asyncio.timeout(20):
        await program.wait()
    await program.end()
    said = await printed(program, "the end")
    left_out = re.search(r"\n==== (\d+) bytes are left out here ====\n", said)
    assert left_out is not None
    assert int(left_out[1]) + len(said) - len(left_out[0]) == 2 * BEHIND_BYTES_MAX + len("the end")
    assert len(said) < BEHIND_BYTES_MAX


@pytest.mark.parametrize("command", ["no-such-bot {seat}", "./no/such/bot"])
async def test_a_program_that_is_not_there_is_named(tmp_path: Path, command: str) -> None:
    program = AgentProgram(order("", command=command, started_in=str(tmp_path)), tmp_path)
    with pytest.raises(LaunchError, match=r"^Alpha's program for North cannot be started: .*(such-bot|no/such/bot)"):
        await program.start()


WITHOUT_POSIX = """
    import os, signal, sys
    import click, cryptography.x509, distributed, psutil, pydantic, sqlalchemy  # theirs is their own affair

    for name in ("fcntl", "grp", "pwd", "resource", "termios", "uvloop"):
        sys.modules[name] = None
    for module, names in {
        os: ("fork", "getuid", "geteuid", "killpg", "setsid", "chown", "getpgid", "openpty"),
        signal: ("SIGKILL", "SIGHUP", "SIGXCPU", "SIGUSR1", "SIGSTOP"),
    }.items():
        for name in names:
            delattr(module, name)
    import tourney.cli.main, tourney.cli.cluster
    import tourney.launch.cluster.programs, tourney.launch.cluster.worker, tourney.launch.cluster.key
    assert not {"tourney.launch.sandbox", "tourney.host.host"} & set(sys.modules)
    tourney.cli.cluster.agent_command(["--help"])
"""


def test_an_agent_needs_nothing_that_only_posix_has() -> None:
    words = [sys.executable, "-c", textwrap.dedent(WITHOUT_POSIX)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "--labels" in done.stdout
