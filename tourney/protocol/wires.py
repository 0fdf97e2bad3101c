"""The available wire languages: what the rest of tourney may use of them.

A team chooses the language of its programs by a profile: wire settings, which other modules pass on unread. A further
language is a package beside `bluechip`, with its profiles and wires listed here.
"""

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
    "ReadyForCards",
    "SeatedForm",
    "TeamsLineForm",
    "WireProfile",
]
