"""A game of a person against a program: an event for itself, at one table, which counts for nothing."""

import json
import os
from pathlib import Path
from typing import Final

from tourney.config.toml import format_toml_text
from tourney.errors import LaunchError
from tourney.lab.duel import DuelTeam

PERSON: Final = "You"
"""The pair of the person and its partner, which is a bot."""

EVENT_FILE: Final = "event.toml"
_MOVEMENT: Final = "round,table,ns,ew,set\n1,1,1,2,1\n"
_MOVEMENT_FILE: Final = "movement.csv"

PATIENCE_S: Final = 86_400
"""How long a person may think, and be away."""


def write_own_game(program: DuelTeam, boards: int, seed: int | None, port: int, phrase: str, folder: Path) -> Path:
    """Write the event file of a game, and what it needs; return its path.

    Args:
        program: the other side, whose command is run in this folder.
        boards: how many boards are played.
        seed: what they are dealt from; None for chance.
        port: where the person and its partner connect.
        phrase: the passphrase of the page that shows all four hands.
        folder: where the event is kept.

    Raises:
        LaunchError: the folder cannot be written.
    """
    name = program.name
    if name.casefold() == PERSON.casefold():
        name = f"{name} (program)"
    given = {**program.keys, "folder": os.path.relpath(Path.cwd(), folder.resolve())}
    keys = "".join(f"\n{key} = {format_toml_text(value)}" for key, value in given.items())
    sections = [
        f"[event]\nname = {format_toml_text(f'{PERSON} against {name}')}",
        f"[stateful]\nport = {port}",
        f'[[stage]]\nformat = "movement"\nmovement = "{_MOVEMENT_FILE}"\nboards_per_round = {boards}',
        f'[[pair]]\nname = "{PERSON}"\nprotocol = "stateful"',
        f"[[pair]]\nname = {format_toml_text(name)}{keys}",
        f"[clock]\nstall_s = {PATIENCE_S}\nready_s = {PATIENCE_S}\nabsence_s = {PATIENCE_S}\nrejoin_s = {PATIENCE_S}",
        "[rules]\nirregularities = 1000\nrejoins = 100",
        f'[web]\nlive = "vugraph-hands"\nvugraph_phrase = {json.dumps(phrase)}\nseats = true',
    ]
    if seed is not None:
        sections.append(f"[deals]\nseed = {seed}")
    path = folder / EVENT_FILE
    try:
        (folder / _MOVEMENT_FILE).write_text(_MOVEMENT, encoding="utf-8")
        path.write_text("\n\n".join(sections) + "\n", encoding="utf-8")
    except OSError as error:
        raise LaunchError(f"folder {folder} cannot be written: {error.strerror}") from None
    return path
