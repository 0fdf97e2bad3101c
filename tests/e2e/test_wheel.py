"""The wheel is complete: migrations and example files travel inside."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_a_wheel_that_is_unpacked_elsewhere_makes_a_schema_and_an_example(tmp_path: Path) -> None:
    build = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(tmp_path)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    site, empty = tmp_path / "site", tmp_path / "empty"
    empty.mkdir()
    with zipfile.ZipFile(next(tmp_path.glob("*.whl"))) as wheel:
        wheel.extractall(site)

    def run(*words: str) -> str:
        environment = os.environ | {"PYTHONPATH": str(site)}
        done = subprocess.run(
            [sys.executable, *words], cwd=empty, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert str(site) in run("-c", "import tourney; print(tourney.__file__)")
    run("-m", "tourney", "init", "event.toml")
    assert "is fine" in run("-m", "tourney", "check", "event.toml")
    assert "Round 3" in run("-m", "tourney", "schedule", "event.toml")
    assert (empty / "results" / "my-event" / "event.db").is_file()
