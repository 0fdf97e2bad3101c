"""`tourney check` starts programs in their sandboxes: what could not play there is named before the event."""

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.bot_processes import needs_bubblewrap
from tests.support.commands import converse, run
from tests.support.events import write_event
from tourney.coordinator import event_check

LOGS_ON = (
    "import {module}, socket, sys, time\n"
    "table = socket.create_connection((sys.argv[1], int(sys.argv[2])))\n"
    "table.sendall(b'Connecting \"Alpha\" as North using protocol version 18\\r\\n')\n"
    "time.sleep(60)\n"
)


@pytest.fixture
def folder() -> Iterator[Path]:
    """Not in pytest's own folder, which is closed to other users by itself."""
    with tempfile.TemporaryDirectory(prefix="tourney-trials-", dir="/tmp") as name:
        Path(name).chmod(0o755)
        yield Path(name)


def make_environment(root: Path) -> None:
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", root], check=True, timeout=60)
    (packages,) = root.glob("lib/python3*/site-packages")
    (packages / "cards.py").write_text("", encoding="utf-8")


@needs_bubblewrap
def test_programs_that_could_not_play_within_bubblewrap_are_problems_and_all_others_none(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(event_check, "CONNECT_S", 3.0)
    make_environment(folder / "v")
    net = tmp_path / "net.bin"
    net.write_text("weights", encoding="utf-8")
    (folder / "good.py").write_text(LOGS_ON.format(module="cards"), encoding="utf-8")
    (folder / "start.sh").write_text('exec "$@"\n', encoding="utf-8")
    (folder / "poor.py").write_text(LOGS_ON.format(module="numbers_of_theirs"), encoding="utf-8")
    (folder / "net.py").write_text(f"open('{net}')\n", encoding="utf-8")
    words = "{host} {port}"
    teams = {
        "Alpha": f"v/bin/python good.py {words}",
        "Beta": f"sh start.sh v/bin/python good.py {words}",
        "Gamma": f"v/bin/python poor.py {words}",
        "Delta": f"v/bin/python net.py {words}",
        "Epsilon": f"sh -c 'sleep 60' {words}",
        "Zeta": f"v/bin/python poor.py {words}",
    }
    write_event(folder, list(teams.items()), extra='[sandbox]\nkind = "bubblewrap"', record=False)
    tried = "tried in its sandbox, it"
    converse(
        folder,
        f"""
        $ check FOLDER/event.toml
            -> refused: event.toml: team 3, command; team 6, command: {tried} ended with ...numbers_of_...
            -> event.toml: team 4, command: {tried} ended with status 1: File... '{net}'; {net} is there...
            -> event.toml: warning: team 5, command: {tried} has not logged on within 3 s
        $ check FOLDER/event.toml --no-try -> event.toml is fine -> ...
        """,
    )
    assert sorted(path.name for path in folder.iterdir()) == [
        *("event.toml", "good.py", "net.py", "poor.py", "start.sh", "v"),
    ]


def test_programs_without_walls_are_not_started(tmp_path: Path) -> None:
    event = write_event(tmp_path, [("Alpha", f"touch {tmp_path}/started"), ("Beta", None)], record=False)
    assert run("check", event).exit_code == 0
    assert not (tmp_path / "started").exists()
