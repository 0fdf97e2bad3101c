"""What a run and its hosts keep to themselves: their memory, their secrets, their files."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.ordinary_user import NOBODY
from tourney.bridge import Seat
from tourney.config.command import LOGIN_VARIABLE, CommandValues
from tourney.launch.bots import BotProcess, ProgramSpec
from tourney.launch.hosts import HostProcess, HostSecrets
from tourney.launch.sandbox import Sandbox
from tourney.runtime.privacy import private_process
from tourney.store.control.host_settings import SandboxSettings

SECRET = "postgresql://me:sesame@db.example/cup"

needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="needs root, to become another user")
needs_proc = pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="needs /proc")


@needs_proc
def test_a_host_has_its_secrets_from_a_pipe_and_not_in_its_environment_or_command_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOURNEY_DATABASE", SECRET)
    module = tmp_path / "telling_host.py"
    module.write_text(
        "import json, os, sys\n"
        "told = sys.stdin.read()\n"
        "print(json.dumps([told, dict(os.environ), sys.argv, open('/proc/self/environ').read()]))\n",
        encoding="utf-8",
    )
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    host_secrets = HostSecrets(SECRET, {"Alpha": "open sesame"})
    host = HostProcess("1", 1, host_secrets, tmp_path / "1.log", module="telling_host")
    host.start()
    assert host._process is not None
    assert host._process.wait(20) == 0
    told, *seen = json.loads((tmp_path / "1.log").read_text(encoding="utf-8"))
    assert json.loads(told) == {"database": SECRET, "passphrases": {"Alpha": "open sesame"}}
    assert "sesame" not in json.dumps(seen)


async def test_a_program_has_its_log_on_in_its_environment_and_no_word_of_the_database(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOURNEY_DATABASE", SECRET)
    monkeypatch.setenv("PGPASSWORD", "sesame too")
    own = tmp_path / "own"
    script = f'echo "${LOGIN_VARIABLE}"; env'
    program = BotProcess(
        ProgramSpec(
            name="Alpha's program",
            command=f"sh -c '{script}'",
            values=CommandValues(host="127.0.0.1", port=2000, seat=Seat.NORTH, team="Alpha", login="Alpha#phrase"),
            started_in=tmp_path,
            own=own,
            output=tmp_path / "north.log",
            sandbox=Sandbox(SandboxSettings(), "Alpha"),
        )
    )
    for _ in range(2):
        await program.start()
        assert await program.wait() == 0
    await program.end()
    lines = program.last_lines(1000)
    assert lines[0] == "Alpha#phrase"
    assert "sesame" not in "\n".join(lines)
    assert oct(own.stat().st_mode & 0o777) == "0o700"
    assert list(own.iterdir()) == [], "its passphrase is left on the disk"


@needs_root
@needs_proc
def test_no_process_of_the_same_user_reads_the_environment_or_memory_of_a_private_one() -> None:
    script = (
        "import os, subprocess, sys\n"
        "from tourney.runtime.privacy import forbid_tracing\n"
        f"os.setgid({NOBODY}); os.setuid({NOBODY})\n"
        "os.environ['PATH'] = '/usr/bin:/bin'\n"
        "def look(): return subprocess.run(\n"
        "    ['/bin/sh', '-c', 'cd /proc/$PPID; cat environ; ls fd; cat maps'],\n"
        "    capture_output=True, text=True)\n"
        "forbid_tracing(forbidden=False)\n"
        "before = look()\n"
        "forbid_tracing()\n"
        "after = look()\n"
        "print(before.returncode, len(before.stdout) > 500, after.returncode, repr(after.stdout))\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd="/")
    assert done.stdout == "0 True 1 ''\n", done.stderr


@pytest.mark.parametrize(("share", "modes"), [(False, (0o640, 0o750)), (True, (0o644, 0o755))])
def test_a_private_process_closes_its_files_to_others_unless_they_are_shared(
    tmp_path: Path, share: bool, modes: tuple[int, int]
) -> None:
    before = os.umask(0o022)
    try:
        with private_process(share=share):
            (tmp_path / "file").touch()
            (tmp_path / "folder").mkdir()
        assert os.umask(0o022) == 0o022
    finally:
        os.umask(before)
    assert tuple((tmp_path / name).stat().st_mode & 0o777 for name in ("file", "folder")) == modes
