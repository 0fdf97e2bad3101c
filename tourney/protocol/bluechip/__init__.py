"""The Blue Chip table manager protocol, version 18: the table's side and the player's side."""

from tourney.protocol.bluechip.logging_on import same_name
from tourney.protocol.bluechip.player import AskCall, AskCard, Leave, PlayerCore, PlayerEffect, Say
from tourney.protocol.bluechip.profile import PROFILES, WireProfile
from tourney.protocol.bluechip.table import Stage, TableCore, TableSettings

__all__ = [
    "PROFILES",
    "AskCall",
    "AskCard",
    "Leave",
    "PlayerCore",
    "PlayerEffect",
    "Say",
    "Stage",
    "TableCore",
    "TableSettings",
    "WireProfile",
    "same_name",
]
