"""The Pythons that tourney runs on: every place says the same about them."""

import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads(ROOT.joinpath("pyproject.toml").read_text("utf-8"))["project"]


def test_the_readme_names_every_python_that_the_package_does() -> None:
    prefix = "Programming Language :: Python :: "
    named = [words.removeprefix(prefix) for words in PROJECT["classifiers"] if words.startswith(prefix)]
    readme = ROOT.joinpath("README.md").read_text("utf-8")
    assert named == ["3.11", "3.12", "3.13", "3.14"]
    assert all(f"{version}." in readme for version in named)  # such as 3.11.7: the release that was run
