"""The wire languages, and the settings of a team's wire: what the rest of tourney may know of them.

A team chooses the language of its programs by a profile, which other modules pass on unread. A further language is a
package beside `bluechip`, named here. Its settings are what its programs need in addition to, or instead of, the
text of the protocol.
"""

import enum
from dataclasses import dataclass
from typing import Final

from tourney.protocol.lines import Charset


class Language(enum.StrEnum):
    """The wire languages by the names that users give them."""

    BLUE_CHIP = "blue-chip"
    """The table manager protocol of Blue Chip Bridge, version 18."""
    STATEFUL = "stateful"
    """The stateful-server protocol."""


# The settings of Blue Chip

VERSIONS: Final = (18, 19)
"""Versions of the Blue Chip protocol that tables support; 19 only means that the player wants texts (BC-08)."""

LINE_GAP_MS_MAX: Final = 1000
LEAD_GAP_MS_MAX: Final = 10_000


class TeamsLineForm(enum.StrEnum):
    """How the line with both teams' names is printed (BC-07)."""

    PLAIN = "plain"
    """`Teams : N/S : "Alpha" E/W : "Beta"`: every program in use reads it; some crash on a full stop inside."""
    V18 = "v18"
    """With the full stop after the first name, as version 18 prints it."""
    PLAYING = "playing"
    """`plain` followed by `. Playing IMP`, which later servers add."""


class SeatedForm(enum.StrEnum):
    """How a program is told that it is seated (BC-06)."""

    V18 = "v18"
    """`North ("Alpha") seated`."""
    PLAIN = "plain"
    """`North Alpha seated`, the form of older servers."""


class ReadyForCards(enum.StrEnum):
    """When a player is sent its cards (BC-14)."""

    ASKED = "asked"
    """After it has asked for them."""
    ASSUMED = "assumed"
    """Shortly after the board line, for programs that read both lines in a row and never ask."""


@dataclass(frozen=True, slots=True)
class WireProfile:
    """Settings of one team's wire."""

    teams_line: TeamsLineForm = TeamsLineForm.PLAIN
    seated: SeatedForm = SeatedForm.V18
    timing: bool = True
    """Send the `Timing` line after every board (BC-37)."""
    alerts: bool = True
    """Relay alert texts (BC-17)."""
    infos: bool | None = None
    """Relay `Infos.` texts; None means only to players that logged on with version 19."""
    line_gap_ms: int = 20
    """Minimum time between two lines to a player that has not sent one in between (BC-50), 0..1000."""
    lead_gap_ms: int = 0
    """Minimum pause before `to lead`; the table's trick pause applies if it is longer."""
    board_restart: bool = False
    """Whether the program restarts a board on a second `Start of board`, whatever it was doing."""
    ready_for_cards: ReadyForCards = ReadyForCards.ASKED
    charset: Charset | None = None
    """How letters outside ASCII are sent, in alert texts and team names (BC-01). None means alert texts in ASCII, as
    version 18 says, and team names as UTF-8, so that a name is no matter of who else takes part."""

    def relays_infos(self, version: int) -> bool:
        """Return whether `Infos.` texts are relayed to a player that has logged on with a version."""
        return version == 19 if self.infos is None else self.infos


DEFAULT: Final = WireProfile()

OWN_PROFILE: Final = "tourney"
"""The profile of `tourney bot`: the players that come with tourney, and classes that authors have filled in."""
