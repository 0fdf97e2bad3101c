"""The choice of wire languages: what the rest of tourney may know of them.

A team names the language of its programs by a profile: settings of the wire, which everybody else hands on unread.
Another language is another package beside `bluechip`, and its profiles and wires are listed here.
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

__all__ = [
    "DEFAULT",
    "LEAD_GAP_MS_MAX",
    "LINE_GAP_MS_MAX",
    "PROFILES",
    "VERSIONS",
    "ReadyForCards",
    "SeatedForm",
    "TeamsLineForm",
    "WireProfile",
]
