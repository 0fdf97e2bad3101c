"""The wheel of `dist/`, installed into an empty environment: `make test-dist` runs these tests after `make dist`.

Nothing of the source folder can be reached by what runs here. The environment is made by `uv tool install`, with the versions and hashes of `constraints/server.txt`.
"""

import os
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Callable
from pathlib import Path

import pytest

from tourney import __version__

ROOT = Path(__file__).parents[2]
UV = ROOT / ".venv-tools" / "bin" / "uv"

Tourney = Callable[..., str]


@pytest.fixture(scope="module")
def wheel() -> Path:
    (found,) = (ROOT / "dist").glob("tourney_bridge-*.whl")
    return found


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory, wheel: Path) -> Path:
    """The home folder of a user who has installed the wheel, and nothing else of Python."""
    folder = tmp_path_factory.mktemp("home")
    words: list[str | Path] = [UV, "tool", "install", "--quiet", "--no-config", "--no-python-downloads"]
    words += ["--python", sys.executable]
    words += ["--constraints", ROOT / "constraints" / "server.txt", f"tourney-bridge[cluster,web] @ {wheel.as_uri()}"]
    places = {"UV_TOOL_DIR": str(folder / "tools"), "UV_TOOL_BIN_DIR": str(folder / "bin")}
    subprocess.run(words, env=environment(folder) | places, check=True, timeout=600)
    return folder


def environment(home: Path) -> dict[str, str]:
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "TOURNEY", "VIRTUAL"))}
    return kept | {"HOME": str(home), "PATH": f"{home / 'bin'}:/usr/bin:/bin"}


@pytest.fixture
def tourney(home: Path, tmp_path: Path) -> Tourney:
    """Run a command in an empty folder, and return what it prints."""

    def run(*words: str | Path) -> str:
        command = [home / "bin" / "tourney", *words]
        done = subprocess.run(
            command, cwd=tmp_path, env=environment(home), capture_output=True, text=True, timeout=300, check=False
        )
        assert done.returncode == 0, (words, done.stdout, done.stderr)
        return done.stdout

    return run


def test_the_source_distribution_and_the_source_folder_build_the_same_wheel(wheel: Path, tmp_path: Path) -> None:
    date = subprocess.run(["git", "log", "-1", "--format=%ct"], cwd=ROOT, capture_output=True, text=True, check=True)
    words: list[str | Path] = [ROOT / ".venv-tools" / "bin" / "python", "-m", "hatchling", "build"]
    words += ["--target", "wheel", "--directory", tmp_path]
    subprocess.run(words, cwd=ROOT, env=os.environ | {"SOURCE_DATE_EPOCH": date.stdout.strip()}, check=True)
    assert (tmp_path / wheel.name).read_bytes() == wheel.read_bytes()


def test_it_says_its_version_and_writes_event_files(tourney: Tourney) -> None:
    assert tourney("--version") == f"tourney, version {__version__}\n"
    tourney("init", "club.toml")
    assert "is fine" in tourney("check", "club.toml")
    tourney("init", "pairs.toml", "--example", "pairs")


def test_it_plays_an_event_and_serves_its_pages(tourney: Tourney, home: Path, tmp_path: Path) -> None:
    assert "every match is finished" in tourney("demo", "--boards", "1")
    event = tmp_path / "tourney-demo" / "event.toml"
    words: list[str | Path] = [home / "bin" / "tourney", "serve", event, "--port", "0"]
    with subprocess.Popen(words, env=environment(home), cwd=tmp_path, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            address = next(word for word in server.stdout.readline().split() if word.startswith("http://"))
            for page, words_of_it in {"/": b"Alpha", "/standings.json": b'"standings"'}.items():
                with urllib.request.urlopen(address.rstrip("/") + page, timeout=60) as answer:
                    assert (answer.status, words_of_it in answer.read()) == (200, True)
        finally:
            server.send_signal(signal.SIGINT)
    assert server.returncode == 130
