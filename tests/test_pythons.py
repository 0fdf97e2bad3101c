"""The Pythons that tourney runs on: what is found on a machine, and that every place says the same about them."""

import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads(ROOT.joinpath("pyproject.toml").read_text("utf-8"))["project"]


def put_python(folder: Path, name: str, version: str | None, level: str = "final") -> Path:
    """Make an interpreter that says it has this version, or None for one that does not start."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    if version is None:
        path.write_text("#!/bin/sh\necho 'command not found' >&2\nexit 127\n")
    else:
        major, minor = version.split(".")
        given = (
            f"import sys\nsys.version_info = type('V', (tuple,), {{'releaselevel': '{level}'}})(({major}, {minor}))"
        )
        path.write_text(f'#!/bin/sh\nexec {sys.executable} -c "$(printf \'%s\\n%s\' "{given}" "$2")"\n')
    path.chmod(0o755)
    return path


def found(default: Path, *folders: Path, home: Path) -> list[Path]:
    environment = {"PATH": ":".join(map(str, [*folders, "/usr/bin", "/bin"])), "HOME": str(home)}
    words = ["/bin/sh", str(ROOT / "tools" / "find-pythons"), str(default)]
    done = subprocess.run(words, env=environment, capture_output=True, text=True, check=True)
    system = ("/usr/bin/", "/bin/")  # whatever this machine has
    return [Path(line) for line in done.stdout.splitlines() if not line.startswith(system)]


def test_every_python_is_found_once_a_version_the_default_first_then_the_newest(tmp_path: Path) -> None:
    own, shims, pyenv = tmp_path / "own", tmp_path / "shims", tmp_path / ".pyenv" / "versions"
    default = put_python(own, "python3", "3.91")
    put_python(own, "python3.91", "3.91")
    newest = put_python(own, "python3.99", "3.99")
    put_python(shims, "python3.99", "3.99")
    put_python(shims, "python3.98", None)  # pyenv's stand-in for a version that is not chosen
    behind = put_python(pyenv / "3.98.1" / "bin", "python3.98", "3.98")
    assert found(default, own, shims, home=tmp_path) == [default, newest, behind]


def test_a_python_that_is_too_old_or_not_released_is_left_alone(tmp_path: Path) -> None:
    default = put_python(tmp_path, "python3", "3.91")
    put_python(tmp_path, "python3.10", "3.10")
    put_python(tmp_path, "python3.99", "3.99", level="beta")
    assert found(default, tmp_path, home=tmp_path) == [default]


def test_no_python_is_too_new_to_install_it_on() -> None:
    assert PROJECT["requires-python"] == ">=3.11"


def test_the_readme_names_every_python_that_the_package_does() -> None:
    prefix = "Programming Language :: Python :: "
    named = [words.removeprefix(prefix) for words in PROJECT["classifiers"] if words.startswith(prefix)]
    readme = ROOT.joinpath("README.md").read_text("utf-8")
    assert named == ["3.11", "3.12", "3.13", "3.14"]
    assert all(f"{version}." in readme for version in named)  # such as 3.11.7: the release that was run
