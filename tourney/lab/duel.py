"""A duel: two programs play boards in both rooms until it is known which is better.

A duel is an event like others, with a file that `format_duel` writes; so everything that reads events reads duels. It
is stopped from outside: whatever the record says after each board decides, and the same record decides again when a
duel that was cut off goes on.
"""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from pathlib import Path
from typing import Final

from tourney.bridge import Board
from tourney.config.toml import format_toml_text
from tourney.errors import ConfigError
from tourney.scoring.strength.sequential import SequentialTest

AUTHOR: Final = "the duel"
"""Who stops the tables once the duel is decided."""
STOPPED: Final = f"stopped by {AUTHOR}"
"""How the reason begins for which a table has then ended."""


@dataclass(frozen=True, slots=True)
class DuelTeam:
    """One side of a duel, with the keys that its section of the event file has."""

    name: str
    keys: Mapping[str, str]
    """`command`, and what else its programs need, such as `profile`, `protocol` or `processes`."""
    wire: Mapping[str, str | int | bool] = field(default_factory=dict)
    """Its section `[team.wire]`: settings in place of those of the profile."""


def place_of(team: DuelTeam, folder: Path) -> Path:
    """Return the folder in which the programs of a team are started, given that of its event file."""
    return folder / team.keys.get("folder", "")


@dataclass(frozen=True, slots=True, kw_only=True)
class DuelSettings:
    """What a duel is about."""

    first: DuelTeam
    second: DuelTeam
    boards: int
    """How many boards are played at most."""
    matches: int
    """How many matches are played side by side, at two tables each."""
    test: SequentialTest | None = None
    """The test that may end it earlier; None to play all boards."""
    seed: int | None = None
    """What the boards are dealt from, unless `deals` names a file."""
    deals: str | None = None
    """The PBN file with the boards, as the event file names it."""
    results: str | None = None
    """The folder of the record, as the event file names it; by default that of the name of the event."""
    number: int = 1
    """How many times the two have met, this one included."""

    @property
    def name(self) -> str:
        """The name of the event."""
        return f"{self.first.name} v {self.second.name}{f' ({self.number})' if self.number > 1 else ''}"

    @property
    def boards_per_match(self) -> int:
        """How many boards each match has, so that together they have at least `boards`."""
        return self.boards // self.matches if self.deals is not None else -(-self.boards // self.matches)

    @property
    def boards_left_out(self) -> int:
        """How many boards of a file are not played, because not every match would have one more."""
        return self.boards % self.matches if self.deals is not None else 0

    def divide(self, boards: Sequence[Board]) -> list[Board]:
        """Return the boards of a file, match by match: each match takes every so many-th, numbered from 1.

        Boards that are left over, because the file does not have as many for each match, are left out.
        """
        return [
            replace(boards[place * self.matches + match], number=place + 1)
            for match in range(self.matches)
            for place in range(self.boards_per_match)
        ]


def format_duel(settings: DuelSettings) -> str:
    """Return the event file of a duel."""
    results = f"\nresults = {format_toml_text(settings.results)}" if settings.results is not None else ""
    sections = [f"[event]\nname = {format_toml_text(settings.name)}{results}"]
    for team in (settings.first, settings.second):
        keys = "".join(f"\n{key} = {format_toml_text(value)}" for key, value in team.keys.items())
        sections.append(f"[[team]]\nname = {format_toml_text(team.name)}{keys}")
        if team.wire:
            wire = "".join(f"\n{key} = {json.dumps(value)}" for key, value in team.wire.items())
            sections.append(f"[team.wire]{wire}")
    test = f'\nsprt = "{settings.test}"' if settings.test is not None else ""
    boards = f"\nmatches = {settings.matches}\nboards_per_match = {settings.boards_per_match}"
    sections.append(f'[[stage]]\nformat = "duel"{boards}{test}')
    source = f"pbn = {format_toml_text(settings.deals)}" if settings.deals is not None else f"seed = {settings.seed}"
    sections.append(f"[deals]\n{source}")
    # A power cut may cost moments of boards in play, which are then played again.
    sections.append('[record]\ndurability = "process"')
    sections.append(f"[tables]\ntrick_pause_ms = 0\nat_once = {settings.matches}")
    return "\n\n".join(sections) + "\n"


BOARDS_KEY: Final = "boards_per_match"
SEED_KEY: Final = "seed"
PORTS_KEY: Final = "ports"
"""The keys of what may differ between two event files of one duel."""


def check_same_duel(found: str, wanted: str, path: str, may_differ: Collection[str] = ()) -> None:
    """Check that an event file on disk is that of the duel that was asked for.

    Args:
        found: the file on disk.
        wanted: the file that would have been written.
        path: what messages call the file.
        may_differ: keys that make no other duel of it.

    Raises:
        ConfigError: they differ; the sentence has the first line that does.
    """
    both = (_lines_of(found, may_differ), _lines_of(wanted, may_differ))
    for before, now in zip_longest(*both, fillvalue="nothing"):
        if before != now:
            raise ConfigError(
                f"{path} is a duel of other parameters: {before} there, got {now}; "
                "play the new one under another --name"
            )


def _lines_of(text: str, may_differ: Collection[str]) -> list[str]:
    """Return the lines of an event file that say something, but those of some keys."""
    lines = [line.strip() for line in text.splitlines()]
    return [line for line in lines if line and line[0] != "#" and line.partition(" = ")[0] not in may_differ]
