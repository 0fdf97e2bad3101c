"""The programs of duels: whether their files have changed, and which profile each of them needs.

A program is known by the hash of its files: those that its command names, and for a script the others of its language
and the weights of networks in its folder. What was found out about it is kept beside the records of duels, so that it
is tried once.
"""

import asyncio
import hashlib
import json
import os
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

from tourney.compliance.check import find_profile
from tourney.config.command import PLAYER_OPTION, check_command, is_own_client, split_command
from tourney.errors import ConfigError, LaunchError, UsageError
from tourney.export.files import write_file
from tourney.lab.duel import DuelTeam, place_of
from tourney.protocol.wires import OWN_PROFILE
from tourney.store.db.database import FOLDER_MODE

FILES_MAX: Final = 2_000
"""How many files of a program's folder are looked at: a program of more is known by these."""

_SCRIPTS: Final = frozenset({".js", ".mjs", ".cjs", ".ts", ".lua", ".pl", ".py", ".rb", ".sh", ".tcl"})
"""Suffixes of programs that load others of their folder when they run."""

_WEIGHTS: Final = (".h5", ".keras", ".npz", ".onnx", ".pkl", ".pt", ".pth", ".safetensors", ".tflite")
"""Suffixes of what networks have learnt; not `.npy`, which deals come in."""

_SKIPPED: Final = frozenset({"__pycache__", "node_modules", "results", "site-packages"})

PROGRAMS_FILE: Final = "programs.json"
"""In the results folder of a duel: the hash of each program by its name."""

RESULTS: Final = "results"
"""The folder with the results of all duels, beside their event files."""

PROFILES_FILE: Final = "profiles.json"
"""In the folder of all results: the profile that was found for a program, by its hash."""


def fingerprint(command: str, folder: Path) -> str:
    """Return the hash of a program: of its command and of the files that belong to it.

    Args:
        command: starts it, as in an event file.
        folder: where it is started.
    """
    found = hashlib.sha256(command.encode())
    for file in _files_of(command, folder):
        found.update(b"\0" + file.name.encode(errors="surrogateescape") + b"\0")
        try:
            with file.open("rb") as content:
                found.update(hashlib.file_digest(content, "sha256").digest())
        except OSError:
            continue  # one that is gone differs from one that is there
    return found.hexdigest()


def _files_of(command: str, folder: Path) -> Iterator[Path]:
    words = split_command(command)
    program = shutil.which(words[0])
    named = [Path(program)] if program is not None else []
    named += [folder / word for word in words if "{" not in word and not word.startswith("-")]
    named += [_module_of(player, folder) for option, player in pairwise(words) if option == PLAYER_OPTION]
    for file in named:
        if not file.is_file():
            continue
        yield file
        if file.suffix in _SCRIPTS:
            yield from (other for other in _files_beside(file) if other != file)


def _module_of(player: str, folder: Path) -> Path:
    """Return the file of the module in which a player's class is, where programs are started."""
    path = folder.joinpath(*player.partition(":")[0].split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


def _files_beside(script: Path) -> list[Path]:
    """Return scripts of its language and weights in its folder and below, in order; not what it has installed."""
    found: list[Path] = []
    for place, folders, names in os.walk(script.parent):
        path = Path(place)
        folders[:] = sorted(
            name
            for name in folders
            if not name.startswith(".") and name not in _SKIPPED and not (path / name / "pyvenv.cfg").exists()
        )
        found += [path / name for name in sorted(names) if name.endswith((script.suffix, *_WEIGHTS))]
        if len(found) >= FILES_MAX:
            break
    return found[:FILES_MAX]


# What is known of the programs of a duel


def changed_programs(teams: Sequence[DuelTeam], folder: Path, results: Path) -> list[str]:
    """Return the names of those whose files are not those that have played; none of a duel that has not been noted.

    Args:
        teams: the sides of a duel.
        folder: where their programs are started.
        results: the results folder of the duel.
    """
    noted = _load(results / PROGRAMS_FILE)
    return [team.name for team in teams if noted.get(team.name) not in (None, _fingerprint_team(team, folder))]


def noted_programs(results: Path) -> dict[str, str]:
    """Return the hash of each program that plays a duel, by its name; none of a duel that has not been noted."""
    return {name: mark for name, mark in _load(results / PROGRAMS_FILE).items() if isinstance(mark, str)}


def note_programs(teams: Sequence[DuelTeam], folder: Path, results: Path) -> None:
    """Note which programs play a duel, for `changed_programs`.

    Raises:
        LaunchError: the file cannot be written.
    """
    save_document(results / PROGRAMS_FILE, {team.name: _fingerprint_team(team, folder) for team in teams})


def _fingerprint_team(team: DuelTeam, folder: Path) -> str:
    return fingerprint(team.keys["command"], place_of(team, folder)) if "command" in team.keys else ""


# Profiles


def find_profiles(
    teams: Sequence[DuelTeam],
    folder: Path,
    results: Path,
    played: Mapping[str, DuelTeam],
    show: Callable[[str], None],
) -> list[DuelTeam]:
    """Return the teams with the profiles that their programs need, each tried on a few boards unless it is known.

    Args:
        teams: have commands alone.
        folder: where the commands are run.
        results: the folder of all results, in which what is found is kept.
        played: the teams that have played already, by name: they go on with their profiles.
        show: shows what is done, in a sentence.

    Raises:
        ConfigError: a command is none of an event file.
        LaunchError: a program cannot be started.
        UsageError: a program does not play with any settings.
    """
    for team in teams:
        try:
            check_command(team.keys["command"])
        except ValueError as error:
            raise ConfigError(f"{team.name}: {error}") from None
    known = _load(results / PROFILES_FILE)
    found: list[DuelTeam] = []
    for team in teams:
        command = team.keys["command"]
        if (before := played.get(team.name)) is not None:
            profile, wire = before.keys.get("profile"), before.wire
        elif is_own_client(command):
            profile, wire = OWN_PROFILE, team.wire
        else:
            mark = fingerprint(command, folder)
            if mark not in known:
                show(f"{team.name}: trying which profile it needs")
                known[mark] = _search(team.name, command, show)
                save_document(results / PROFILES_FILE, known)
            profile, wire = known[mark]["profile"], known[mark]["wire"]
        keys = team.keys if profile is None else {**team.keys, "profile": profile}
        found.append(replace(team, keys=keys, wire=wire))
    return found


def _search(name: str, command: str, show: Callable[[str], None]) -> dict[str, Any]:
    search = asyncio.run(find_profile(command, team=name))
    if search.profile is None:
        raise UsageError(
            f"{name} plays with no profile that was tried: {search.problem}",
            remedy="`tourney check-bot` says more; with --profile nothing is tried",
        )
    settings = "".join(f", {key} = {json.dumps(value)}" for key, value in search.wire.items())
    show(f"{name}: profile {search.name!r}{settings}{f'; {search.problem}' if search.problem else ''}")
    return {"profile": search.name, "wire": search.wire}


# Files


def _load(path: Path) -> dict[str, Any]:
    """Return what is in a file of ours; nothing if it cannot be read, for it can all be found out again."""
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    return document if isinstance(document, dict) else {}


def save_document(path: Path, document: Mapping[str, Any]) -> None:
    """Write a file of ours.

    Raises:
        LaunchError: it cannot be written.
    """
    with LaunchError.of_system(f"folder {path.parent} cannot be made"):
        path.parent.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
    write_file(path, json.dumps(document, indent=1))
