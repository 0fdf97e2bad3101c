"""A duel: two programs play boards in both rooms until it is known which is better.

A duel is an event like others, with a file that `format_duel` writes; so everything that reads events reads duels. It
is stopped from outside: whatever the record says after each board decides, and the same record decides again when a
duel that was cut off goes on.
"""

import json
import os
import re
import shlex
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise, zip_longest
from pathlib import Path
from typing import Final

from tourney.bots import STYLES
from tourney.bridge import Board
from tourney.config import CardPlay, TeamConfig
from tourney.config.command import names_player, own_client_command, seat_player
from tourney.config.toml import format_toml_text
from tourney.errors import ConfigError, UsageError
from tourney.event.file import load_event_to_play
from tourney.plurals import count
from tourney.protocol.wires import Language
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
    auctions: bool = False
    """Whether no cards are played: double-dummy tables say what contracts make."""
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
        """Return the boards of a file, match by match: each match takes every so many-th deal, numbered from 1.

        Boards that are left over, because the file does not have as many for each match, are left out. Those of one
        deal, with other dealers and vulnerabilities, keep the numbers that tell them apart.
        """
        of_each_deal = len(boards) // len({board.deal for board in boards})
        is_varied = of_each_deal > 1
        together = of_each_deal if self.boards_per_match % of_each_deal == 0 else 1
        chosen = (
            (place + 1, boards[(place // together * self.matches + match) * together + place % together])
            for match in range(self.matches)
            for place in range(self.boards_per_match)
        )
        return [board if is_varied else replace(board, number=number) for number, board in chosen]


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
    cards = f'\ncards = "{CardPlay.DOUBLE_DUMMY}"' if settings.auctions else ""
    sections.append(f"[deals]\n{source}{cards}")
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
    both = (
        [
            line
            for line in map(str.strip, text.splitlines())
            if line and line[0] != "#" and line.partition(" = ")[0] not in may_differ
        ]
        for text in (found, wanted)
    )
    for before, now in zip_longest(*both, fillvalue="nothing"):
        if before != now:
            raise ConfigError(
                f"{path} is a duel of other parameters: {before} there, got {now}; "
                "play the new one under another --name"
            )


_KEYS: Final = {"command", "processes", "profile", "protocol", "pass_phrase", "folder"}
"""What a duel takes over from the section of a team, beside `[team.wire]`."""

_INTERPRETER: Final = re.compile(r"(python|pypy|node|nodejs|java|mono|dotnet|ruby|perl|wine|wine64|bash|sh)[\d.]*")
"""Commands that run the program which a later word names."""


def name_teams(
    event_path: Path | None, programs: Sequence[str], names: str | None, profile: str | None
) -> Sequence[DuelTeam]:
    """Return the teams that programs make: those of an event file, or of commands, with their profiles if given.

    Args:
        event_path: the event file whose teams the programs are named by; None if they are commands.
        programs: the names or the commands.
        names: what the option `--names` says of commands.
        profile: what the option `--profile` says.

    Raises:
        ConfigError: something is wrong with the event file.
        UsageError: what options say does not fit together, or a program is not there or cannot be read.
    """
    teams = teams_of_event(event_path, programs) if event_path is not None else name_programs(programs, names)
    return with_profiles(teams, profile)


def name_programs(commands: Sequence[str], names: str | None) -> list[DuelTeam]:
    """Return what the commands start, named as the option `--names` says, else as their programs.

    A command may be the name of a player's class, `my_bot:MyBot`.

    Raises:
        UsageError: names and commands do not fit together, or a command cannot be read.
    """
    if names is not None:
        given = [part.strip() for part in names.split(",")]
        if len(given) != len(commands) or not all(given):
            raise UsageError(f"--names: {count(len(commands), 'name')} with a comma between them, got {names!r}")
    else:
        programs = [_program(command) for command in commands]
        folded = [program.casefold() for program in programs]
        given = [
            f"{program} {folded[: place + 1].count(folded[place])}" if folded.count(folded[place]) > 1 else program
            for place, program in enumerate(programs)
        ]
    for place, name in enumerate(given):
        if name.casefold() in (earlier.casefold() for earlier in given[:place]):
            raise UsageError(f"each program has a name of its own, got {name!r} twice")
    return [DuelTeam(name, {"command": _started(text)}) for name, text in zip(given, commands, strict=True)]


def _started(text: str) -> str:
    """Return the command that an argument stands for: a class, a style of tourney's own player, or a command."""
    if names_player(text):
        return seat_player(text, Language.BLUE_CHIP)
    return own_client_command(["--style", text], Language.BLUE_CHIP) if text in STYLES else text


def _program(command: str) -> str:
    """Return the name of the program in a command, without its folder and suffix: `bot` of `python3 ./bot.py`.

    Of a player's class it is the name of the class.
    """
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise UsageError(f"the command {command!r} cannot be split into words: {error}") from None
    if not words:
        raise UsageError("a command has at least one word, got an empty text")
    if names_player(command):
        return command.rpartition(":")[2].partition("@")[0]
    name = Path(words[0]).name
    if _INTERPRETER.fullmatch(name):
        for before, word in pairwise(words):
            if not word.startswith("-") and "{" not in word:
                return word.rpartition(".")[2] if before == "-m" else Path(word).stem
    return Path(name).stem or "program"


def teams_of_event(path: Path, names: Sequence[str]) -> list[DuelTeam]:
    """Return teams of an event file, with what their sections say of their programs.

    Raises:
        ConfigError: something is wrong with the event file.
        UsageError: there is no such team, or it has no command.
    """
    found = load_event_to_play(path)
    teams = []
    for name in names:
        team = next((team for team in found.config.team if team.name.casefold() == name.casefold()), None)
        if team is None:
            known = ", ".join(team.name for team in found.config.team)
            raise UsageError(f"teams of {path} are {known}, got {name!r}")
        if team.command is None:
            raise UsageError(f"team {team.name!r} of {path} has no command: a duel starts the programs itself")
        teams.append(duel_team(team))
    return teams


def duel_team(team: TeamConfig) -> DuelTeam:
    """Return a team with what its section of an event file says of its programs."""
    keys = team.model_dump(mode="json", include=_KEYS, exclude_none=True, exclude_unset=True)
    return DuelTeam(team.name, keys, team.wire.model_dump(mode="json", exclude_none=True))


def started_in(team: DuelTeam, folder: Path, event_folder: Path) -> DuelTeam:
    """Return a team whose programs are started in a folder, although its event file is in another one.

    Args:
        team: the team.
        folder: where its commands are meant to be run.
        event_folder: the folder of the event file, in which a run starts programs.
    """
    way = os.path.relpath(place_of(team, folder).resolve(), event_folder.resolve())
    return team if way == "." else replace(team, keys={**team.keys, "folder": way})


def with_profiles(teams: Sequence[DuelTeam], given: str | None) -> Sequence[DuelTeam]:
    """Return the teams with the wire profiles that the option `--profile` gives, if any: one for all, or for each.

    Raises:
        UsageError: there are as many as neither.
    """
    if given is None:
        return teams
    profiles = [part.strip() for part in given.split(",")]
    if len(profiles) not in (1, len(teams)) or not all(profiles):
        raise UsageError(
            f"--profile: one profile, or {count(len(teams), 'profile')} with a comma between them, got {given!r}"
        )
    profiles *= len(teams) if len(profiles) == 1 else 1
    return [
        replace(team, keys={**team.keys, "profile": profile}) for team, profile in zip(teams, profiles, strict=True)
    ]
