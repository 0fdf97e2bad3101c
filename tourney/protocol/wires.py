"""The available wire languages: what the rest of tourney may use of them.

A team chooses the language of its programs by a profile: wire settings, which other modules pass on unread. A further
language is a package beside `bluechip`, with its profiles and wires listed here.
"""

import enum

from tourney.protocol.bluechip.profile import (
    DEFAULT,
    LEAD_GAP_MS_MAX,
    LINE_GAP_MS_MAX,
    PROFILES,
    VERSIONS,
    ReadyForCards,
    SeatedForm,
    TeamsLineForm,
    WireProfile,
)
from tourney.protocol.lines import Charset

__all__ = [
    "DEFAULT",
    "LEAD_GAP_MS_MAX",
    "LINE_GAP_MS_MAX",
    "PROFILES",
    "VERSIONS",
    "Charset",
    "Language",
    "ReadyForCards",
    "SeatedForm",
    "TeamsLineForm",
    "WireProfile",
]


class Language(enum.StrEnum):
    """The wire languages by the names that users give them."""

    BLUE_CHIP = "blue-chip"
    """The table manager protocol of Blue Chip Bridge, version 18."""
    STATEFUL = "stateful"
    """The stateful-server protocol."""
