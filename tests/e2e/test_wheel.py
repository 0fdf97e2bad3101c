"""The wheel is complete; `make test-dist` installs it, and tries what is in it."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

PLACES = {"tourney": "tourney", "config": "tourney/_data/config", "migrations": "tourney/_data/migrations"}
"""Where the folders of the repository are in a wheel."""


def files_of(folder: str) -> set[str]:
    """The files of a folder of the repository, by their names in a wheel."""
    found = (path for path in (ROOT / folder).rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    return {f"{PLACES[folder]}/{path.relative_to(ROOT / folder).as_posix()}" for path in found}


@pytest.mark.campaign
def test_a_wheel_has_all_files_and_makes_a_schema_where_it_is_unpacked(tmp_path: Path) -> None:
    build = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(tmp_path)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    site, empty = tmp_path / "site", tmp_path / "empty"
    empty.mkdir()
    with zipfile.ZipFile(next(tmp_path.glob("*.whl"))) as wheel:
        packed = {name for name in wheel.namelist() if ".dist-info/" not in name}
        wheel.extractall(site)
    assert packed == set().union(*map(files_of, PLACES))

    def run(*words: str) -> str:
        environment = os.environ | {"PYTHONPATH": str(site)}
        done = subprocess.run(
            [sys.executable, *words], cwd=empty, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert str(site) in run("-c", "import tourney; print(tourney.__file__)")
    run("-m", "tourney", "init", "event.toml")
    assert "Round 3" in run("-m", "tourney", "schedule", "event.toml")
    assert (empty / "results" / "my-event" / "event.db").is_file()
