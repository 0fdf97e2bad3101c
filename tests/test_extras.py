"""How the extras are installed: the command that a message gives works where it is read."""

import json
import os
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tourney import extras
from tourney.errors import LaunchError
from tourney.extras import DISTRIBUTION, check_extra, has_extra, install_command

ROOT = Path(__file__).parents[1]


def installed(folder: Path, origin: object) -> str:
    """The command of a tourney that was installed from `origin`, direct_url.json of PEP 610; None: from an index."""
    metadata = folder / f"{DISTRIBUTION.replace('-', '_')}-1.0.dist-info"
    metadata.mkdir(parents=True)
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {DISTRIBUTION}\nVersion: 1.0\n")
    if origin is not None:
        (metadata / "direct_url.json").write_text(json.dumps(origin))
    (folder / "tourney").mkdir()
    for name in ("__init__.py", "errors.py", "extras.py"):
        (folder / "tourney" / name).write_bytes((ROOT / "tourney" / name).read_bytes())
    # In a process of its own without the packages of this one, which has tourney as well.
    words = [sys.executable, "-S", "-c", "from tourney.extras import install_command; print(install_command('web'))"]
    environment = os.environ | {"PYTHONPATH": str(folder)}
    return subprocess.run(
        words, cwd=folder, env=environment, capture_output=True, text=True, check=True
    ).stdout.strip()


def test_from_a_source_folder_the_command_names_it(tmp_path: Path) -> None:
    source = tmp_path / "my sources"
    source.mkdir()
    url = {"url": source.as_uri(), "dir_info": {}}
    assert shlex.split(installed(tmp_path / "site", url)) == ["pip", "install", f"{source}[web]"]


@pytest.mark.parametrize("url", [None, {"url": "file:///nonexistent/tourney.whl"}, {"url": "https://e.org/t.whl"}, 1])
def test_from_elsewhere_the_command_has_the_name_of_the_distribution(tmp_path: Path, url: object) -> None:
    assert installed(tmp_path, url) == "pip install 'tourney-bridge[web]'"


def test_a_checkout_is_installed_from_itself() -> None:
    assert shlex.split(install_command("dd")) == ["pip", "install", f"{ROOT}[dd]"]


@pytest.mark.parametrize(
    ("file", "command"), [("uv-receipt.toml", "uv tool install"), ("pipx_metadata.json", "pipx install --force")]
)
def test_in_an_environment_of_uv_or_pipx_they_install(
    file: str, command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / file).touch()
    monkeypatch.setattr("sys.prefix", str(tmp_path))
    assert shlex.split(install_command("dd")) == [*command.split(), f"{ROOT}[dd]"]


def test_the_distribution_and_its_extras_are_those_that_are_built() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["name"] == DISTRIBUTION
    assert set(extras._MODULES) <= set(project["optional-dependencies"])


@pytest.mark.parametrize("extra", extras._MODULES)
def test_without_an_extra_the_sentence_says_how_to_get_it(extra: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tourney.extras.find_spec", lambda _name: None)
    assert not has_extra(extra)
    with pytest.raises(LaunchError) as refused:
        check_extra(extra, "this")
    assert str(refused.value) == f"this needs packages that are not installed: {install_command(extra)}"
