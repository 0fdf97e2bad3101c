"""What the pages show is so: fragments of event files can be used, and paths that are named exist."""

import re
import tomllib

import pytest

from tests.support.manual import DOCS, PAGES, ROOT, blocks
from tourney.config import parse_event_file

TEAMS = 10
"""As many as the fragments of the manual speak of."""

PLAYERS = 8
"""The fewest that have an individual movement."""


def whole_event(fragment: str) -> str:
    """An event file around a fragment: more teams, and the sections that it lacks."""
    given = tomllib.loads(fragment)
    needed = {"event": '[event]\nname = "Test"\n', "stage": "[[stage]]\n"}
    entrant = next((word for word in ("player", "pair") if word in given), "team")
    size = PLAYERS if entrant == "player" else TEAMS
    more = size - len(given.get(entrant, ())) * (entrant != "team") if len(given.get(entrant, ())) < 2 else 0
    teams = "".join(f'\n[[{entrant}]]\nname = "Team {number}"\n' for number in range(1, more + 1))
    return "".join(text for name, text in needed.items() if name not in given) + fragment + teams


def test_every_fragment_of_an_event_file_can_be_used() -> None:
    fragments = [(page, block) for page in PAGES for block in blocks(page) if block.info.split(" ")[-1] == "toml"]
    assert len(fragments) > 10
    for page, block in fragments:
        parse_event_file(whole_event(block.text), f"{page.name}:{block.line}")


def labels(page: str) -> set[str]:
    return set(re.findall(r"^\(([\w-]+)\)=$", page, re.MULTILINE))


def headings(page: str) -> set[str]:
    """The headings of a page as MyST names them in addresses, and as Sphinx does."""
    found = [heading.lower() for heading in re.findall(r"^#+ (.+)$", page, re.MULTILINE)]
    by_myst = {re.sub(r"[^\w -]", "", heading).replace(" ", "-") for heading in found}
    return by_myst | {re.sub(r"[^a-z0-9]+", "-", heading).strip("-") for heading in found}


def test_every_link_within_the_manual_leads_to_a_page_and_a_place_on_it() -> None:
    """`make docs`, which `.ci/run` runs, would find these too, and takes ten seconds."""
    pages = {path.name: path.read_text(encoding="utf-8") for path in PAGES if path.parent == DOCS}
    all_labels = {label for page in pages.values() for label in labels(page)}
    broken = []
    for name, page in pages.items():
        for target in re.findall(r"\]\(([^)\s]+)\)", page):
            path, _, place = target.partition("#")
            if re.match("https?://", target):
                continue
            if path == "":  # a label is found from every page
                is_there = place in all_labels | headings(page)
            elif path in pages:
                is_there = place in {"", *labels(pages[path]), *headings(pages[path])}
            else:
                is_there = (DOCS / path).is_file()
            if not is_there:
                broken.append(f"{name}: {target}")
    assert broken == []


def test_every_package_is_on_the_architecture_page() -> None:
    text = (DOCS / "architecture.md").read_text(encoding="utf-8")
    packages = [path.parent.relative_to(ROOT) for path in (ROOT / "tourney").glob("*/__init__.py")]
    assert [str(package) for package in packages if f"`{package}/`" not in text] == []


def test_every_path_that_the_architecture_page_names_exists() -> None:
    text = (DOCS / "architecture.md").read_text(encoding="utf-8")
    paths = re.findall(r"`((?:tourney|tests|bench|docs|migrations|config|results)/[\w./-]*)`", text)
    assert len(paths) > 20
    assert [path for path in paths if not (ROOT / path).exists()] == []


UNITS = {path.name: path.read_text(encoding="utf-8") for path in (ROOT / "config" / "systemd").glob("*.service")}
OF_AN_EVENT = [name for name in UNITS if "@" in name]


@pytest.mark.parametrize(
    ("key", "names"),
    [
        *(
            (key, list(UNITS))
            for key in ("User", "Group", "StateDirectory", "StateDirectoryMode", "WorkingDirectory")
        ),
        *((key, OF_AN_EVENT) for key in ("EnvironmentFile", "RestartPreventExitStatus")),
    ],
)
def test_the_services_agree(key: str, names: list[str]) -> None:
    """The record is readable by its owner only: services of two users could not both open it."""
    assert len(names) >= 2
    values = {name: re.findall(rf"^{key}=(.+)$", UNITS[name], re.MULTILINE) for name in names}
    assert [len(found) for found in values.values()] == [1] * len(names)
    assert len({found[0] for found in values.values()}) == 1, values
