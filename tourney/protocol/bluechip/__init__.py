"""The Blue Chip table manager protocol, version 18: the table's side (`table`) and the player's side (`player`).

Here is what players need; the table's side is not loaded with it, so that programs which only play start fast.
"""

from tourney.protocol.bluechip.player import AskCall, AskCard, Leave, PlayerCore, PlayerEffect, Say
from tourney.protocol.bluechip.profile import PROFILES, WireProfile

__all__ = [
    "PROFILES",
    "AskCall",
    "AskCard",
    "Leave",
    "PlayerCore",
    "PlayerEffect",
    "Say",
    "WireProfile",
]
