"""Whole events whose programs run in a sandbox."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support import commands
from tests.support.bot_processes import needs_bubblewrap
from tests.support.events import FOREIGN_PLAYER, bot, read_until, rest_of, start_tourney, write_event
from tourney.launch.sandbox import KIND_VARIABLE


@pytest.fixture
def folder() -> Iterator[Path]:
    """Not in pytest's own folder, which is closed to other users by itself."""
    with tempfile.TemporaryDirectory(prefix="tourney-walls-", dir="/tmp") as name:
        Path(name).chmod(0o755)
        yield Path(name)


@needs_bubblewrap
def test_an_event_is_played_within_the_default_walls_and_each_program_keeps_what_it_wrote(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Alpha's programs look around; Beta's are those of a virtual environment, started by a script."""
    monkeypatch.delenv(KIND_VARIABLE)
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder / "v"], check=True, timeout=60)
    (packages,) = folder.glob("v/lib/python3*/site-packages")
    (packages / "cards.py").write_text("", encoding="utf-8")
    text = FOREIGN_PLAYER.read_text(encoding="utf-8")
    (folder / "player.py").write_text(text, encoding="utf-8")
    (folder / "own.py").write_text(text.replace("import re\n", "import cards\nimport re\n", 1), encoding="utf-8")
    (folder / "start.sh").write_text('exec "$@"\n', encoding="utf-8")
    words = "{host} {port} {seat} {team}"
    script = "cd {folder}; id -u >seen; ls / >>seen; cat /proc/[0-9]*/cmdline >>seen; echo $TOURNEY_LOGIN >>seen"
    looks = f"sh -c '{script}; exec {sys.executable} {folder}/player.py {words}' {folder}/player.py"
    teams = [("Alpha", looks), ("Beta", f"sh start.sh v/bin/python own.py {words}")]
    event = write_event(folder, teams, boards=1, record=False)
    done = commands.run("run", event, "--hosts", "1")
    assert done.exit_code == 0, done.stdout + done.stderr
    seen = [path.read_text(encoding="utf-8", errors="replace") for path in (folder / "results").rglob("seen")]
    assert len(seen) == 4
    for text in seen:
        first, *_, last = text.splitlines()
        assert last.endswith("Alpha")
        assert first == ("65534" if os.geteuid() == 0 else str(os.geteuid()))
        assert "tourney.host" not in text, "it sees processes outside"
    assert commands.json_report("check", event)["sandbox"] == "bubblewrap"


@pytest.mark.campaign
def test_a_shared_run_keeps_what_shows_the_hands_to_itself_until_every_board_is_public(folder: Path) -> None:
    teams = [("Alpha", bot(1, think_ms=20)), ("Beta", bot(2, think_ms=20))]
    event = write_event(folder, teams, boards=1, record=False)
    results = folder / "results"

    def may_others_read(path: Path) -> bool:
        """Whether a user who runs programs of a team, and is in no group of the organiser's, can read a file."""
        below = path.relative_to(folder).parents
        modes = [(folder / place).stat().st_mode for place in below]
        return bool(path.stat().st_mode & 0o004) and all(mode & 0o001 for mode in modes)

    with start_tourney("run", event, "--hosts", "1", "--share") as run:
        try:
            read_until(run, "closed room: ")
            logs = {*results.glob("wire/*.jsonl"), *results.glob("bots/*/*.log")}
            while not (logs and {path.parts[-3] for path in logs} & {"bots"}):
                logs = {*results.glob("wire/*.jsonl"), *results.glob("bots/*/*.log")}
            assert run.poll() is None
            assert not [path for path in logs if may_others_read(path)]
            assert may_others_read(results / "connections.json")
            done = rest_of(run)
        finally:
            run.kill()
    assert done.status == 0, done.out
    left = [path for name in ("wire/*", "bots/*/*.log", "hosts/*.log") for path in results.glob(name)]
    assert len(left) >= 11
    assert all(map(may_others_read, left))
    assert not may_others_read(results / "event.db")
