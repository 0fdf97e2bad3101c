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


DEFAULT: Final = WireProfile()

OWN_PROFILE: Final = "tourney"
"""The profile of `tourney bot`: the players that come with tourney, and classes that authors have filled in."""

PROFILES: Final = {
    "default": DEFAULT,
    # Reads one line of any kind after a board, so it needs Timing; accepts `Start of board` at any time as a new
    # beginning. Breaks on the full stop of the v18 Teams line. Takes line by line from a buffered stream.
    "ben": WireProfile(line_gap_ms=0, board_restart=True),
    # BEN of 2022, and what descends from it (Lia's client). It takes whatever it reads after a board for the start of
    # the next, and ends one line after a Timing line. It takes the last word of a relayed call for the call, so that
    # any text ends it; reads the board line and its cards in a row, sending nothing in between; restarts nothing.
    "ben-2022": WireProfile(timing=False, alerts=False, line_gap_ms=0, ready_for_cards=ReadyForCards.ASSUMED),
    # BEN of August 2023: likewise after a board, but it asks for its cards and reads past texts. It begins nothing
    # again: it looks for `Start of Board`, spelled so, and only before the board line.
    "ben-2023": WireProfile(timing=False, line_gap_ms=0),
    # Everything as in version 18; a bare `Alert.`, which stalls it, is never sent.
    "wbridge5": DEFAULT,
    # Takes one line per read and loses the second, so it depends on the gap.
    "robobridge": WireProfile(line_gap_ms=50),
    # Half a second before a lead was the longest delay found in use.
    "q-plus": WireProfile(line_gap_ms=50, lead_gap_ms=500),
    # 200 to 300 ms before a lead; takes a second `Start of board` as a new beginning.
    "gib": WireProfile(line_gap_ms=50, lead_gap_ms=300, board_restart=True),
    # Clients of that time read only the plain `seated`, and were written for a server that relays no texts.
    "bridge-moniteur-era": WireProfile(
        seated=SeatedForm.PLAIN, alerts=False, line_gap_ms=50, lead_gap_ms=300, charset=Charset.ASCII
    ),
    # Of that time too, and with nothing of its own to wait for: a stream of Node.js gives it line by line. It comes
    # back into a board after a crash, and begins again on `Start of board`.
    "bridge-player": WireProfile(
        seated=SeatedForm.PLAIN, alerts=False, line_gap_ms=0, board_restart=True, charset=Charset.ASCII
    ),
    # Raises on a Timing line, and on a text after a double. Takes byte by byte from the socket, up to CR LF.
    "bridge-env": WireProfile(timing=False, alerts=False, line_gap_ms=0),
    # Reads only the quoted `seated`; expects a port for each seat, which `port_plan = "per-seat"` provides. It is the
    # program that version 18 was written for, which knows ASCII only.
    "blue-chip": WireProfile(charset=Charset.ASCII),
    # Our own bots read every line of a packet, and restart a board when told to.
    OWN_PROFILE: WireProfile(line_gap_ms=0, board_restart=True, charset=Charset.UTF_8),
}
"""Profiles that an event file may name."""
