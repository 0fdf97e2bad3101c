"""Existing programs: scripted players that are strict where the real program is strict."""

from typing import Final

from tests.support.dialects.base import DialectError, DialectPlayer, Segment
from tests.support.dialects.ben import Ben, Ben2022, Ben2023
from tests.support.dialects.bridge_env import BridgeEnv
from tests.support.dialects.bridge_player import BridgePlayer
from tests.support.dialects.moniteur_era import MoniteurEra
from tests.support.dialects.on_socket import play_on_socket
from tests.support.dialects.robobridge import RoboBridge
from tests.support.dialects.slow_leaders import Gib, QPlus
from tests.support.dialects.wbridge5 import WBridge5

DIALECTS: Final[dict[str, type[DialectPlayer]]] = {
    "WBridge5": WBridge5,
    "BEN": Ben,
    "BEN 2022": Ben2022,
    "BEN 2023": Ben2023,
    "RoboBridge": RoboBridge,
    "bridge_env": BridgeEnv,
    "Q-plus": QPlus,
    "GIB": Gib,
    "Bridge Moniteur's age": MoniteurEra,
    "bridge-player": BridgePlayer,
}
"""The scripted players, by the program they imitate."""

__all__ = [
    "DIALECTS",
    "Ben",
    "Ben2022",
    "Ben2023",
    "BridgeEnv",
    "BridgePlayer",
    "DialectError",
    "DialectPlayer",
    "Gib",
    "MoniteurEra",
    "QPlus",
    "RoboBridge",
    "Segment",
    "WBridge5",
    "play_on_socket",
]
