"""The teams of duels, of the commands or the event file that name their programs."""

import os
import re
import shlex
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Final

from tourney.config import TeamConfig
from tourney.config.command import names_player, seat_player
from tourney.errors import UsageError
from tourney.event.file import load_event_to_play
from tourney.lab.duel import DuelTeam, place_of
from tourney.plurals import count
from tourney.protocol.wires import Language

_KEYS: Final = {"command", "second_command", "processes", "profile", "protocol", "pass_phrase", "folder"}
"""What a duel takes over from the section of a team, beside `[team.wire]`."""

_INTERPRETER: Final = re.compile(r"(python|pypy|node|nodejs|java|mono|dotnet|ruby|perl|wine|wine64|bash|sh)[\d.]*")
"""Commands that run the program which a later word names."""


def name_teams(
    event_path: Path | None, programs: Sequence[str], names: str | None, profile: str | None
) -> list[DuelTeam]:
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
    return teams if profile is None else with_profiles(teams, profile)


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
    started = [seat_player(text, Language.BLUE_CHIP) if names_player(text) else text for text in commands]
    return [DuelTeam(name, {"command": command}) for name, command in zip(given, started, strict=True)]


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
        return command.rpartition(":")[2]
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


def with_profiles(teams: Sequence[DuelTeam], given: str) -> list[DuelTeam]:
    """Return the teams with the wire profiles that the option `--profile` gives: one for all, or one for each.

    Raises:
        UsageError: there are as many as neither.
    """
    profiles = [part.strip() for part in given.split(",")]
    if len(profiles) not in (1, len(teams)) or not all(profiles):
        raise UsageError(
            f"--profile: one profile, or {count(len(teams), 'profile')} with a comma between them, got {given!r}"
        )
    profiles *= len(teams) if len(profiles) == 1 else 1
    return [
        replace(team, keys={**team.keys, "profile": profile}) for team, profile in zip(teams, profiles, strict=True)
    ]
