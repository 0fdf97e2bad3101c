"""The files of `constraints/` have what pyproject.toml asks for, and one version of each for all of them."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
EXTRAS: dict[str, list[str]] = PROJECT["project"]["optional-dependencies"]


def asked_for(words: list[str]) -> Iterator[Requirement]:
    """The requirements of a list; our own extras are what they stand for."""
    for word in words:
        requirement = Requirement(word)
        if requirement.name == PROJECT["project"]["name"]:
            for extra in requirement.extras:
                yield from asked_for(EXTRAS[extra])
        else:
            yield requirement


def versions(name: str) -> dict[str, set[str]]:
    """The versions in a file, by the name of the package; there are several where systems or Pythons differ."""
    found: dict[str, set[str]] = {}
    for line in (ROOT / "constraints" / f"{name}.txt").read_text(encoding="utf-8").splitlines():
        if pinned := re.match(r"([a-z0-9-]+)==(\S+)", line):
            found.setdefault(pinned[1], set()).add(pinned[2])
        else:
            assert re.fullmatch(r"#.*|    --hash=sha256:[0-9a-f]{64}( \\)?", line), "no address, no other option"
    return found


BASE: list[str] = PROJECT["project"]["dependencies"]


@pytest.mark.parametrize(
    ("file", "words"),
    [
        ("development", [*BASE, *EXTRAS["dev"]]),
        ("server", [*BASE, *EXTRAS["alarms"], *EXTRAS["cluster"], *EXTRAS["web"]]),
        ("tools", PROJECT["dependency-groups"]["tools"]),
    ],
)
def test_a_file_has_a_version_that_satisfies_each_requirement(file: str, words: list[str]) -> None:
    pinned = versions(file)
    for requirement in asked_for(words):
        found = pinned.get(canonicalize_name(requirement.name), set())
        assert found, f"{requirement.name} is missing: `make constraints` writes it"
        assert all(version in requirement.specifier for version in found), (requirement, found)


def test_what_is_audited_has_the_versions_that_are_installed_on_a_server() -> None:
    development = versions("development")
    assert {name: found for name, found in versions("server").items() if development.get(name) != found} == {}
