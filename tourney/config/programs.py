"""The known bridge programs: what tables do for each, how it is started, and what is known of it.

From their table, `config/known-programs.toml`, come the profiles of event files, `tourney init --team`, the advice of
`tourney check` and of `check-bot`, and the manual's page on known programs. Each fact stands in a source of its
program, or was seen here: `Tried` says which.
"""

import enum
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Final

from tourney.config.api import Service
from tourney.config.command import split_command
from tourney.config.values import one_of
from tourney.formats.plain_json import make_of_plain
from tourney.protocol.wires import DEFAULT, WireProfile
from tourney.resources import known_programs_text


class Tried(enum.StrEnum):
    """How a program is known."""

    HERE = "tried with tourney"
    """The developers of tourney have run it at their tables."""
    OTHERS = "tried by others"
    """Others have published logs or reports of its play at tables."""
    DOCUMENTS = "from documents only"
    """Only documents, or its source, have been read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownProgram:
    """A bridge program, and what is known of it."""

    name: str
    """What `tourney init --team` calls it; with a `wire` also the name of its profile."""
    title: str
    """What its makers call it."""
    versions: str = ""
    """The versions that this is about."""
    tried: Tried
    tried_how: str = ""
    """How, goes on from `tried`."""
    wire: WireProfile | None = None
    """What tables do for it; None where it is not known to need anything, or is asked over HTTP."""
    because: str = ""
    """Why they do, goes on from "because the program"."""
    team: dict[str, str] = field(default_factory=dict)
    """The keys of a team in an event file that start it, or say where it answers; empty if it connects by itself."""
    started: str = ""
    """What else has to be done to start it."""
    needs: tuple[str, ...] = ()
    """What it needs: an operating system, a display, a licence."""
    watch: tuple[str, ...] = ()
    """What an organiser should know of it, a sentence each."""
    marks: tuple[str, ...] = ()
    """Names of files and programs in a command by which it is known, in small letters."""
    has_seat_ports: bool = False
    """Whether it expects a port for each seat of a table."""
    sources: tuple[str, ...] = ()
    """The addresses that the facts come from."""

    @property
    def profile(self) -> str | None:
        """The profile of its teams; None for a service, whose teams have the profile of the client that asks it."""
        if "api" in self.team:
            return None
        return self.name if self.wire is not None else "default"

    def describe(self) -> list[str]:
        """Return what an organiser has to know of it, a sentence or two in each text."""
        versions = f" {self.versions}" if self.versions else ""
        how = f", {self.tried_how}" if self.tried_how else ""
        texts = [f"{self.title}{versions}: {self.tried}{how}.", self.started]
        if self.needs:
            texts.append(f"It needs {'; '.join(self.needs)}.")
        return [text for text in (*texts, *self.watch) if text]


PROGRAMS: Final = tuple(
    make_of_plain(KnownProgram, program) for program in tomllib.loads(known_programs_text())["program"]
)
"""The known programs: those with a profile of their own, services over HTTP, and the others."""

PROFILES: Final[Mapping[str, WireProfile]] = {
    "default": DEFAULT,
    **{program.name: program.wire for program in PROGRAMS if program.wire is not None},
}
"""Profiles that an event file may name."""

_BY_NAME: Final = {program.name: program for program in PROGRAMS}


def find_program(name: str) -> KnownProgram:
    """Return a known program by its name, in any case, with hyphens or underscores.

    Raises:
        ValueError: there is none; one sentence with those that are.
    """
    folded = name.casefold().replace("_", "-")
    if folded not in _BY_NAME:
        raise ValueError(one_of(_BY_NAME, name))
    return _BY_NAME[folded]


def programs_of_command(command: str) -> list[KnownProgram]:
    """Return the known programs that a checked command may start: none, one, or versions of the same."""
    names = [PurePath(word.replace("\\", "/")).name.casefold() for word in split_command(command)]
    return [program for program in PROGRAMS if any(name.startswith(program.marks) for name in names)]


def programs_of_service(api: str) -> list[KnownProgram]:
    """Return the known services that are asked as that of a team is."""
    dialect = Service.parse(api).dialect
    return [each for each in PROGRAMS if "api" in each.team and Service.parse(each.team["api"]).dialect is dialect]
