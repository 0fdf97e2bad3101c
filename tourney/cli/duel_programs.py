"""The programs and boards of duels, as the command line names them."""

import shlex
from collections.abc import Sequence
from pathlib import Path

from tourney.bridge import Board
from tourney.errors import ConfigError, FormatError, UsageError
from tourney.event.file import load_event_to_play
from tourney.formats.pbn import decode_pbn, parse_boards
from tourney.lab.duel import DuelTeam
from tourney.plurals import count
from tourney.scoring import BOARDS_MAX


def name_programs(commands: Sequence[str], names: str | None) -> list[DuelTeam]:
    """Return what the commands start, named as the option `--names` says, else as their programs.

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
    return [DuelTeam(name, {"command": command}) for name, command in zip(given, commands, strict=True)]


def _program(command: str) -> str:
    """Return the name of the program in a command, without its folder and suffix."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise UsageError(f"the command {command!r} cannot be split into words: {error}") from None
    if not words:
        raise UsageError("a command has at least one word, got an empty text")
    return Path(words[0]).stem or "program"


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
        keys = {"command": team.command, "second_command": team.second_command, "profile": team.profile}
        teams.append(DuelTeam(team.name, {key: value for key, value in keys.items() if value is not None}))
    return teams


def with_profile(team: DuelTeam, profile: str) -> DuelTeam:
    """Return a team whose programs use a wire profile."""
    return DuelTeam(team.name, {**team.keys, "profile": profile})


def read_boards(path: Path | None, start: int, most: int | None) -> list[Board] | None:
    """Read at most so many boards of a file, from number `start` of its order on; None without a file.

    Raises:
        ConfigError: it cannot be read.
        FormatError: it is no PBN file, or has no such board.
    """
    if path is None:
        return None
    last = start - 1 + most if most is not None else None
    try:
        boards = parse_boards(decode_pbn(path.read_bytes()), path.name, boards_max=BOARDS_MAX, only_first=last)
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}") from None
    if len(boards) < start:
        raise FormatError(f"{path} has {len(boards)} boards, --start {start} is asked for")
    return boards[start - 1 :]
