"""The sandbox of programs, tried by a program that attacks whatever it can think of."""

import asyncio
import json
import os
import re
import resource
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.support.bot_processes import end_of, make_bot, needs_bubblewrap, started
from tests.support.ordinary_user import NOBODY
from tourney.config import SandboxKind
from tourney.launch import bots
from tourney.launch.bots import BotProcess
from tourney.launch.sandbox import Sandbox
from tourney.runtime.open_files import FILES_AT_START
from tourney.store.control.host_settings import ProgramLimits, SandboxSettings

ROOT = Path(__file__).parents[2]
ATTACKER = ROOT / "tests" / "support" / "attacker.py"
SYSTEM_PYTHON = Path("/usr/bin/python3")
SECRET = f"open sesame {os.getpid()}"  # of this worker: programs of other tests say theirs in their command lines

needs_root = pytest.mark.skipif(
    os.geteuid() != 0 or not SYSTEM_PYTHON.exists(),
    reason="needs root, to become other users, and the system's Python",
)


@dataclass
class Ground:
    """An event's folder as it is while the event is played, with a host at work."""

    folder: Path
    targets: dict[str, Any] = field(default_factory=dict)

    @property
    def results(self) -> Path:
        return self.folder / "results"

    def contents(self) -> dict[Path, bytes]:
        """What is in each file, but for the programs themselves and the list of processes, which grows."""
        files = [path for path in self.folder.rglob("*") if path.is_file()]
        return {path: path.read_bytes() for path in files if path.name not in ("attacker.py", "processes.jsonl")}

    def settings(self, kind: SandboxKind, **more: Any) -> SandboxSettings:
        hidden = (self.folder / "event.toml", self.results, self.results / "event.db")
        return SandboxSettings(kind=kind, hidden=tuple(map(str, hidden)), **more)

    def program(
        self,
        settings: SandboxSettings,
        team: str,
        *words: str,
        place: str = "north",
        shares_network: bool = False,
        table: Callable[[], asyncio.Protocol] = asyncio.Protocol,
    ) -> BotProcess:
        own = self.results / "programs" / "match-001-open" / place
        output = self.results / "bots" / f"{place}.log"
        return make_bot(
            f"{team}'s program",
            [*words],
            self.folder,
            output,
            own=own,
            login=f"{team}#{SECRET} {team}",
            sandbox=Sandbox(settings, team, shares_network=shares_network),
            serve=partial(serve, table),
        )


@contextmanager
def event_ground() -> Iterator[Ground]:
    """Not in pytest's own folder, which is closed to other users by itself."""
    with tempfile.TemporaryDirectory(prefix="tourney-walls-", dir="/tmp") as name:
        folder = Path(name)
        folder.chmod(0o755)
        ground = Ground(folder)
        for path, mode in (
            ("event.toml", 0o640),
            ("results/event.db", 0o640),
            ("results/event.db-wal", 0o640),
            ("results/seal.json", 0o600),
            ("results/connections.json", 0o640),
            ("results/wire/match-001-open.jsonl", 0o640),
            ("results/bots/south.log", 0o640),
            ("results/hosts/1.log", 0o640),
        ):
            file = folder / path
            file.parent.mkdir(mode=0o750, parents=True, exist_ok=True)
            file.write_text(SECRET, encoding="utf-8")
            file.chmod(mode)
        (folder / "bots" / "alpha").mkdir(parents=True)
        shutil.copy(ATTACKER, folder / "bots" / "alpha" / "attacker.py")
        yield ground


@pytest.fixture
def ground() -> Iterator[Ground]:
    with event_ground() as ground:
        yield ground


@asynccontextmanager
async def host_at_work(ground: Ground) -> AsyncIterator[int]:
    """A private process with secrets in its memory and environment."""
    code = (
        "import sys; from tourney.runtime.privacy import forbid_tracing\n"
        "forbid_tracing(); print('up', flush=True); sys.stdin.read()"
    )
    environment = os.environ | {"TOURNEY_TEST_SECRET": SECRET}
    host = await asyncio.create_subprocess_exec(
        sys.executable, "-c", code, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment
    )
    assert host.stdin is not None
    assert host.stdout is not None
    assert await host.stdout.readline() == b"up\n"
    try:
        yield host.pid
    finally:
        host.stdin.close()
        await host.wait()


async def serve(accept: Callable[[], asyncio.Protocol], listener: socket.socket) -> asyncio.Server:
    return await asyncio.get_running_loop().create_server(accept, sock=listener)


async def printed(program: BotProcess, text: str) -> None:
    """Wait until a program has printed a line."""
    while True:
        if program.last_lines(1) == [text]:
            return
        await asyncio.sleep(0.005)


def runs(word: str) -> bool:
    """Whether any process has a word on its command line."""
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            if word.encode() in path.read_bytes().split(b"\0"):
                return True
    return False


@needs_bubblewrap
async def test_a_program_that_attacks_everything_gets_nothing(ground: Ground) -> None:
    await attack(ground)


AS_ORDINARY_USER = f"""
import asyncio, os, sys
from tests.launch.test_sandbox import attack, event_ground
from tourney.launch.sandbox import why_no_bubblewrap
def attack_once():
    with event_ground() as ground:
        asyncio.run(attack(ground))
attack_once()  # as root, which imports everything: the folder of this Python may be closed to others
os.setgroups([])
os.setgid({NOBODY})
os.setuid({NOBODY})
sys.executable, sys.prefix, sys.base_prefix = "{SYSTEM_PYTHON}", "/usr", "/usr"
trouble = why_no_bubblewrap()
if not trouble:
    attack_once()
print(trouble or "nothing got")
"""


@needs_bubblewrap
@needs_root
def test_bubblewrap_holds_where_an_ordinary_user_runs_the_event() -> None:
    """Root has it in the tests above; where they are not root's, these are an ordinary user's already."""
    words = [sys.executable, "-c", AS_ORDINARY_USER]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, timeout=50, check=False)
    assert done.returncode == 0, done.stderr
    if done.stdout != "nothing got\n":
        pytest.skip(f"needs bubblewrap for an ordinary user, which {done.stdout.strip()}")


async def attack(ground: Ground) -> None:
    """Have the attacker try everything in an event's folder, beside a rival's program and a host."""
    settings = ground.settings(SandboxKind.BUBBLEWRAP)
    rival = ground.program(settings, "Beta", "sleep", "60", place="south")
    await rival.start()
    assert rival._started is not None
    stranger = socket.create_server(("127.0.0.1", 0))  # such as a database, or another table
    async with host_at_work(ground) as host:
        before = ground.contents()
        files = [*map(str, before)]
        files.append(str(ground.results / "programs" / "match-001-open" / "south" / "secret"))
        targets = {
            "files": files,
            "folders": [str(path) for path in ground.results.rglob("*") if path.is_dir()] + [str(ground.results)],
            "processes": {"host": host, "run": os.getpid(), "rival": rival._started.process.pid},
            "ports": [stranger.getsockname()[1]],
        }
        words = [sys.executable, "bots/alpha/attacker.py", json.dumps(targets)]
        program = ground.program(settings, "Alpha", *words)
        await program.start()
        status = await program.wait()
        said = (ground.results / "bots" / "north.log").read_text(encoding="utf-8").partition("====\n")[2]
        assert status == 0, said
        found = json.loads(said)
        await program.end()
    assert not rival.is_over, "the rival has been ended"
    await rival.end()
    stranger.close()
    # What it takes for the event's folder is its own.
    found["got"].pop(f"write {ground.folder / 'event.toml'}", None)
    assert found["got"] == {}
    after = ground.contents()
    assert {path: after[path] for path in before} == before, "it has changed a file"
    assert SECRET not in found["ps"]
    assert found["own"], "it cannot write into its own folder"
    assert found["login"] == f"Alpha#{SECRET} Alpha"
    assert "TOURNEY_TEST_SECRET" not in found["variables"]
    assert (ground.results / "programs/match-001-open/north/notes").read_text() == "?", "its folder is not kept"
    assert "sleep" not in found["ps"], "it sees other processes"


async def test_without_walls_the_same_program_gets_much(ground: Ground) -> None:
    settings = ground.settings(SandboxKind.NONE)
    files = [str(ground.folder / "event.toml"), str(ground.results / "event.db")]
    targets = {"files": files, "folders": [], "processes": {"run": os.getppid()}, "ports": []}
    words = [sys.executable, "bots/alpha/attacker.py", json.dumps(targets)]
    assert (await end_of(ground.program(settings, "Alpha", *words))).startswith("ended with status 0")
    said = (ground.results / "bots" / "north.log").read_text(encoding="utf-8").partition("====\n")[2]
    assert json.loads(said)["got"][f"read {files[0]}"] == SECRET, "the attacks of these tests do nothing"


@needs_bubblewrap
async def test_a_program_within_walls_reaches_its_table_and_no_other_address(ground: Ground) -> None:
    arrived: asyncio.Queue[asyncio.Transport] = asyncio.Queue()

    class Table(asyncio.Protocol):
        def connection_made(self, transport: asyncio.BaseTransport) -> None:
            assert isinstance(transport, asyncio.Transport)
            transport.write(b"welcome\r\n")
            arrived.put_nowait(transport)

    code = (
        "import socket, time\n"
        "table = socket.create_connection(('127.0.0.1', 2000), 5)\n"
        "print(table.makefile().readline().strip(), flush=True)\n"
        "table.recv(1)\n"
    )
    settings = ground.settings(SandboxKind.BUBBLEWRAP)
    program = ground.program(settings, "Alpha", sys.executable, "-c", code, table=Table)
    for _ in range(2):  # started again, it opens another port of the same number
        await program.start()
        table = await arrived.get()
        await printed(program, "welcome")
        table.close()
        assert await program.wait() == 0
    await program.end()


@needs_bubblewrap
async def test_what_asks_a_service_has_the_network_and_no_other_files_than_before(ground: Ground) -> None:
    async def answer(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"a service\n")
        writer.close()

    service = await asyncio.start_server(answer, "127.0.0.1", 0)
    async with service:
        port = service.sockets[0].getsockname()[1]
        code = (
            "import os, socket\n"
            f"print(socket.create_connection(('127.0.0.1', {port}), 5).makefile().readline().strip())\n"
            f"print(os.path.exists({str(ground.folder / 'event.toml')!r}), flush=True)\n"
        )
        settings = ground.settings(SandboxKind.BUBBLEWRAP)
        program = ground.program(settings, "Alpha", sys.executable, "-c", code, shares_network=True)
        assert (await end_of(program)).startswith("ended with status 0")
        assert program.last_lines(2) == ["a service", "False"]


@needs_bubblewrap
async def test_a_program_within_walls_is_asked_to_end_and_takes_what_it_started_with_it(ground: Ground) -> None:
    script = "trap 'echo farewell; exit 0' TERM; setsid sleep 87654 & echo up; while :; do sleep 0.01; done"
    program = ground.program(ground.settings(SandboxKind.BUBBLEWRAP), "Alpha", "sh", "-c", script)
    async with started(program):
        await printed(program, "up")
    assert program.last_lines(1) == ["farewell"]
    # the kernel ends it once its first process has ended
    while True:
        if not runs("87654"):
            break
        await asyncio.sleep(0.005)


@needs_bubblewrap
@pytest.mark.parametrize(
    ("script", "how"),
    [
        ("exit 3", "ended with status 3"),
        ("kill -9 $$", "was ended by signal 9"),
        ("echo no; exit 1", "ended with status 1: no"),
    ],
)
async def test_how_a_program_within_walls_ended_is_told_as_without(ground: Ground, script: str, how: str) -> None:
    program = ground.program(ground.settings(SandboxKind.BUBBLEWRAP), "Alpha", "sh", "-c", script)
    assert await end_of(program) == how


# Limits

HOG = "blocks = []\nwhile True:\n    blocks.append(bytearray(b'x' * 4_000_000))\n"

WRITES = "[open(f'{part}', 'wb').write(b'x' * 1_000_000) for part in range(9)]\nimport time; time.sleep(60)"
WRITES_TO_TMP = WRITES.replace("f'{part}'", "f'/tmp/{part}'").replace("range(9)", "range(99)")

# Whoever notices first: the system when it asks for more, or we when it has more.
MEMORY = r"ended with status 1: MemoryError|was ended because it took \d+ MB of memory, memory_mb = 64 are allowed"
DISK = r"was ended because it took more than 4 MB in its own folder, disk_mb = 4 are allowed"
FILES_IN_MEMORY = r"was ended because it took \d+ MB of memory, memory_mb = 64 are allowed"


@pytest.mark.parametrize(
    ("limits", "code", "how"),
    [
        (ProgramLimits(memory_mb=64), HOG, MEMORY),
        (ProgramLimits(disk_mb=4), WRITES, DISK),
        (ProgramLimits(memory_mb=64), WRITES_TO_TMP, FILES_IN_MEMORY),
    ],
    ids=["memory", "disk", "files in memory"],
)
@needs_bubblewrap
async def test_a_program_that_takes_more_than_it_may_is_ended_and_told_why(
    ground: Ground, limits: ProgramLimits, code: str, how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bots, "USAGE_POLL_S", 0.05)
    program = ground.program(
        ground.settings(SandboxKind.BUBBLEWRAP, limits=limits), "Alpha", sys.executable, "-c", code
    )
    assert re.match(how, await end_of(program))


async def test_memory_is_that_of_all_processes_of_a_program_together(
    ground: Ground, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bots, "USAGE_POLL_S", 0.05)
    code = "import os, time\nif os.fork():\n    os.fork()\nkept = bytearray(b'x') * 40_000_000\ntime.sleep(60)\n"
    settings = ground.settings(SandboxKind.NONE, limits=ProgramLimits(memory_mb=100))
    program = ground.program(settings, "Alpha", sys.executable, "-c", code)
    how = await end_of(program)
    assert re.fullmatch(r"was ended because it took 1\d\d MB of memory, memory_mb = 100 are allowed", how)


async def test_a_program_may_open_as_many_files_as_the_host_might_when_it_began(ground: Ground) -> None:
    now = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (FILES_AT_START - 24, now[1]))
    try:
        program = ground.program(ground.settings(SandboxKind.NONE), "Alpha", "sh", "-c", "ulimit -n")
        await end_of(program)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, now)
    assert program.last_lines() == [str(FILES_AT_START)]
