"""One-time links to a seat: what a page of the seats has to know of them, whoever keeps them."""

from dataclasses import dataclass
from typing import Protocol

from tourney.bridge import Seat


@dataclass(frozen=True, slots=True)
class LinkedSeat:
    """What a link leads to."""

    team: str
    team_number: int
    """The number of the team in the event."""
    room: str | None = None
    """The room that it is for; None where the person chooses."""
    seat: Seat | None = None
    """The seat that it is for; None where the person chooses."""


class SeatLinks(Protocol):
    """The links of an event. Either method may raise what a page answers where the record is away."""

    async def find_seat(self, token: str) -> LinkedSeat | None:
        """Return where a link leads that can still be used; None if it is not valid, or no longer."""

    async def use_seat(self, token: str) -> LinkedSeat | None:
        """The same, and the link can be used no more."""
