"""The Blue Chip table manager protocol, version 18: the table's side (`table`) and the player's side (`player`).

This package exports what players need. Neither side is loaded before it is used, so that programs that only play
start quickly and those that only read the record load neither.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from tourney.protocol.bluechip.profile import PROFILES, WireProfile

if TYPE_CHECKING:
    from tourney.protocol.bluechip.player import PlayerCore
    from tourney.protocol.player import AskCall, AskCard, Leave, PlayerEffect, SendLine

_OF_PLAYER: Final = ("AskCall", "AskCard", "Leave", "PlayerCore", "PlayerEffect", "SendLine")

__all__ = [
    "PROFILES",
    "AskCall",
    "AskCard",
    "Leave",
    "PlayerCore",
    "PlayerEffect",
    "SendLine",
    "WireProfile",
]


def __getattr__(name: str) -> Any:  # PEP 562; type checkers read the imports above
    if name not in _OF_PLAYER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.player"), name)
