"""What a program needs on the wire beyond the text of the protocol."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class WireProfile:
    """Settings of one team's wire."""

    line_gap_ms: int = 20
    """Least time between two lines to a player that has not spoken in between (BC-50)."""


DEFAULT: Final = WireProfile()

PROFILES: Final = {
    "default": DEFAULT,
    "tourney": WireProfile(line_gap_ms=0),  # our own bots read every line that a packet brings
}
"""Profiles that an event file may name."""
