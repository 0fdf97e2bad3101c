"""Programs in environments of their own, within bubblewrap: what they need is seen, and nothing else is."""

import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.support.bot_processes import end_of, make_bot, needs_bubblewrap
from tourney.config import SandboxKind
from tourney.launch.bots import BotProcess
from tourney.launch.sandbox import Sandbox
from tourney.store.control.host_settings import SandboxSettings

pytestmark = needs_bubblewrap

SECRET = "open sesame"
PLAYER = "import cards, sys; print(cards.NAME, sys.prefix, *sys.argv[1:])\n"


@dataclass
class HostSlots:
    """An event's folder, and software elsewhere on the machine."""

    event: Path
    elsewhere: Path

    def write(self, name: str, text: str, *, may_run: bool = False) -> Path:
        path = self.event / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        path.chmod(0o755 if may_run else 0o644)
        return path

    def program(
        self,
        team: str,
        command: str,
        commands: dict[str, str] | None = None,
        *,
        folder: str = "",
        readable: tuple[Path, ...] = (),
    ) -> BotProcess:
        results = self.event / "results"
        settings = SandboxSettings(
            kind=SandboxKind.BUBBLEWRAP,
            hidden=(str(self.event / "event.toml"), str(results)),
            commands={team: command} | (commands or {}),
            team_folders={team: str(self.event / folder)} if folder else {},
            readable=tuple(map(str, readable)),
        )
        own = results / "programs" / "match-001-open" / team
        output = results / "bots" / f"{team}.log"
        words = shlex.split(command)
        return make_bot(
            team, words, self.event / folder, output, own=own, login=team, sandbox=Sandbox(settings, team)
        )

    async def run(self, command: str, *, folder: str = "", readable: tuple[Path, ...] = ()) -> tuple[str, str]:
        """How a program of Alpha's ends, and what it printed last."""
        program = self.program("Alpha", command, folder=folder, readable=readable)
        how = await end_of(program)
        return how.partition(":")[0], "".join(program.last_lines(1))


def make_environment(root: Path, python: Path) -> None:
    """A virtual environment with a package of its own."""
    subprocess.run([python, "-m", "venv", "--without-pip", root], check=True, timeout=60)
    (packages,) = root.glob("lib/python3*/site-packages")
    (packages / "cards").mkdir()
    (packages / "cards" / "__init__.py").write_text("NAME = 'spades'\n", encoding="utf-8")


@pytest.fixture(scope="module")
def place() -> Iterator[HostSlots]:
    """A Python that is none of the system's, as uv has them: the folder of its version is a link."""
    with tempfile.TemporaryDirectory(prefix="tourney-event-") as event, tempfile.TemporaryDirectory() as elsewhere:
        place = HostSlots(Path(event).resolve(), Path(elsewhere).resolve())
        (place.elsewhere / "cpython").symlink_to(sys.base_prefix)
        (python,) = (place.elsewhere / "cpython" / "bin").glob(f"python3.{sys.version_info[1]}")
        make_environment(place.event / "v", python)
        place.write("event.toml", SECRET)
        place.write("results/wire/match-001-open.jsonl", SECRET)
        place.write("player.py", PLAYER)
        place.write("start.sh", '#!/bin/sh\nexec v/bin/python player.py "$@"\n')
        place.write("shebang", f"#!{place.event}/v/bin/python\n{PLAYER}", may_run=True)
        place.write("relative", f"#!/usr/bin/env -S v/bin/python -u\n{PLAYER}", may_run=True)
        place.write("bots/alpha/player.py", PLAYER)
        (place.event / "linked").symlink_to("shebang")
        yield place


async def test_what_a_script_starts_is_shown_by_the_folder_of_its_team_or_as_readable(place: HostSlots) -> None:
    make_environment(place.event / "own" / "v", Path(sys.executable))
    place.write("own/player.py", PLAYER)
    place.write("own/start.sh", "exec v/bin/python player.py x\n")
    v, python = place.event / "v", place.elsewhere / "cpython"
    unseen = "is there, but not within the sandbox: `readable"
    assert await place.run("sh start.sh", folder="own") == ("ended with status 0", f"spades {place.event}/own/v x")
    for readable, named in (((), "v/bin/python"), ((v,), f"{python}/bin/python3.{sys.version_info[1]}")):
        program = place.program("Alpha", "sh start.sh player.py x", readable=readable)
        assert (await end_of(program)).startswith(f"ended with status 127: {named} {unseen}")
    said = await place.run("sh start.sh player.py x", readable=(v, python))
    assert said == ("ended with status 0", f"spades {v} player.py x")


async def test_an_environment_as_of_conda_is_seen_with_all_that_belongs_to_it(place: HostSlots) -> None:
    root = place.elsewhere / "miniconda" / "envs" / "bridge"
    (root / "conda-meta").mkdir(parents=True)
    (root / "share").mkdir()
    (root / "share" / "name").write_text("conda", encoding="utf-8")
    (root / "bin").mkdir()
    python = root / "bin" / "python"
    python.write_text('#!/bin/sh\ncat "$(dirname "$0")/../share/name"\n', encoding="utf-8")
    python.chmod(0o755)
    assert await place.run(f"{python} player.py") == ("ended with status 0", "conda")


@pytest.mark.skipif(shutil.which("node") is None, reason="needs Node")
async def test_node_finds_modules_and_the_kind_of_its_package_on_the_way_up(place: HostSlots) -> None:
    place.write("bots/gamma/package.json", '{"type": "module"}')
    place.write("bots/gamma/node_modules/suits/package.json", '{"name": "suits", "main": "index.js"}')
    place.write("bots/gamma/node_modules/suits/index.js", "module.exports = 'hearts'\n")
    place.write("bots/gamma/src/main.js", "import suit from 'suits'; console.log(suit)\n")
    assert await place.run("node bots/gamma/src/main.js") == ("ended with status 0", "hearts")


async def test_a_players_class_is_found_within_the_walls_with_what_lies_beside_it(place: HostSlots) -> None:
    place.write("flock/__init__.py", "")
    place.write("flock/robin.py", "from flock.words import WORD\nprint(WORD)\n")
    place.write("flock/words.py", "WORD = 'tweet'\n")
    place.write("option.py", "import importlib, sys; importlib.import_module(sys.argv[2].split(':')[0])\n")
    assert await place.run("python3 option.py --player flock.robin:Robin") == ("ended with status 0", "tweet")


@pytest.mark.parametrize("command", ["sh tool.sh", "./tool-itself"])
async def test_a_file_that_is_there_and_not_seen_is_named_with_what_would_show_it(
    place: HostSlots, command: str
) -> None:
    tool = place.elsewhere / "tool"
    tool.write_text("#!/bin/sh\n", encoding="utf-8")
    tool.chmod(0o755)
    place.write("tool.sh", f"#!/bin/sh\nexec {tool}\n")
    place.write("tool-itself", f"#!{tool}\n", may_run=True)
    program = place.program("Alpha", command)
    assert await end_of(program) == (
        f"ended with status 127: {tool} is there, but not within the sandbox: "
        f'`readable = ["{tool}"]` in [sandbox] would show it'
    )


async def test_a_program_that_fails_and_names_a_file_that_it_does_not_see_is_told_what_would_show_it(
    place: HostSlots,
) -> None:
    net = place.write("nets/bidding.net", "")
    program = place.program("Alpha", f"sh -c 'echo error: no {net}; exit 3'")
    assert await end_of(program) == (
        f"ended with status 3: error: no {net}; nets/bidding.net is there, but not within the sandbox: "
        '`readable = ["nets/bidding.net"]` in [sandbox] would show it'
    )


READS = """
import json, os, sys
got = {}
for name in bytes.fromhex(sys.argv[1]).decode().split():
    try:
        got[name] = os.listdir(name) if os.path.isdir(name) else open(name).read()
    except OSError:
        pass
print(json.dumps(got))
"""


async def read_by(place: HostSlots, command: str, names: list[Path], commands: dict[str, str]) -> dict[str, object]:
    words = " ".join(map(str, names)).encode().hex()  # what a command names is shown
    program = place.program("Alpha", f"{command} {words}", commands)
    how = await end_of(program)
    assert how.startswith("ended with status 0"), program.last_lines()
    said = (place.event / "results" / "bots" / "Alpha.log").read_text(encoding="utf-8").splitlines()[-1]
    found: dict[str, object] = json.loads(said)
    return found


@pytest.mark.parametrize("is_home", [False, True])
async def test_an_environment_in_the_folder_of_the_event_or_in_a_home_opens_nothing_else_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_home: bool
) -> None:
    event = tmp_path / "event"
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    place = HostSlots(event, tmp_path)
    root = home if is_home else event
    make_environment(root, Path(sys.executable))
    secrets = [
        place.write("event.toml", SECRET),
        place.write("results/event.db", SECRET),
        place.write("bots/beta/notes.txt", SECRET),
        place.write("notes.txt", SECRET),
        home / "diary.txt",
        home / "share" / "letter.txt",
    ]
    for path in secrets[4:]:
        path.parent.mkdir(exist_ok=True)
        path.write_text(SECRET, encoding="utf-8")
    place.write("player.py", f"import cards\n{READS}")
    python = root / "bin" / "python"
    beta: dict[str, str] = {"Beta": "bots/beta/run"}
    assert await read_by(place, f"{python} player.py", [*secrets, home / "share"], beta) == {}


async def test_what_a_team_writes_into_its_files_opens_nothing_of_others(place: HostSlots, tmp_path: Path) -> None:
    """Scripts, links and environments of a team that has nothing else in mind."""
    private = tmp_path / "private"
    (private / "bin").mkdir(parents=True)
    for name in ("key", "tool.sh", "bin/python3"):
        (private / name).write_text(SECRET, encoding="utf-8")
        (private / name).chmod(0o755)
    rival = place.write("bots/delta/main.py", SECRET)
    rival_too = place.write("bots/epsilon/deep/main.py", SECRET)
    place.write("epsilon.sh", "#!/bin/sh\nexec python3 bots/epsilon/deep/main.py\n")
    theirs = place.event / "bots" / "rogue"
    place.write("bots/rogue/reads.py", READS)
    place.write("bots/rogue/e/pyvenv.cfg", f"home = {private}/bin\n")
    place.write("bots/rogue/e/bin/python", "")
    for name, target in (
        ("e/lib", private),
        ("node_modules", private),
        ("tool.sh", private / "tool.sh"),
        ("folder", private),
        ("results.sh", place.event / "results" / "wire" / "match-001-open.jsonl"),
        ("../wiretap", place.event / "results" / "wire"),
        ("../mimic", rival.parent),
    ):
        if not (theirs / name).is_symlink():
            (theirs / name).symlink_to(target)
    lines = [
        "#!/bin/sh",
        f"# {private}/tool.sh",
        f': {private}/key {private}/tool.sh "$0"/../../delta/main.py',
        "cd ../delta",
    ]
    lines += [": main.py ../epsilon/deep/main.py ../../event.toml e/bin/python folder/tool.sh tool.sh index.js"]
    lines += [": ../../results/wire/match-001-open.jsonl results.sh bots/delta/main.py bots/epsilon/deep/main.py"]
    lines += [f'exec {sys.executable} bots/rogue/reads.py "$3"']
    place.write("bots/rogue/index.js", "")
    place.write("bots/rogue/run.sh", "\n".join(lines), may_run=True)
    others: dict[str, str] = {"Delta": "python3 bots/delta/main.py", "Epsilon": "sh epsilon.sh"}
    wire = place.event / "results" / "wire"
    names = [private, private / "key", private / "tool.sh", rival, rival.parent, rival_too, rival_too.parent, wire]
    names += [wire / "match-001-open.jsonl", place.event / "event.toml", theirs / "e" / "lib", theirs / "tool.sh"]
    names += [theirs / "node_modules", theirs / "folder", theirs / "results.sh"]
    names += [place.event / "bots" / "mimic", place.event / "bots" / "wiretap"]
    links = "bots/mimic/main.py bots/wiretap/match-001-open.jsonl"  # folders until the team replaced them
    assert await read_by(place, f"bots/rogue/run.sh {links}", names, others) == {}


def test_paths_that_the_system_refuses_are_no_error() -> None:
    from tourney.launch.program_files import FileSearch

    words = ["/bin/sh", "x" * 5000, "a/" * 3000, "\0", "-c", "\0 y/" + "z" * 300, "-m", "os.path"]
    search = FileSearch(folder=Path("/nowhere"), path=os.defpath, shown=(Path("/bin"), Path("/usr")))
    assert search.follow_command(words) == []
