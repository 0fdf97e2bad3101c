"""Verdicts as they are on record, free of SQL: rulings, which count, and incidents, which a director may look at."""

from dataclasses import dataclass
from typing import Final

from tourney.bridge import Seat
from tourney.movement.seating import Room
from tourney.protocol.session.record_words import BoardEnd, IncidentKind, RulingKind
from tourney.scoring.assigned import AssignedResult

RULE_AUTHOR: Final = "rule"
"""The author of rulings that nobody gave, which fall with the board they hang on, and of orders that follow."""


@dataclass(frozen=True, slots=True)
class RulingInfo:
    """A ruling. `match` is None for one on the whole event, `room` and `board` for one on a match.

    `amount` is in IMPs for `penalty-imps` and `adjusted-score`, in hundredths of a victory point for `penalty-vp`,
    else 0.
    """

    id: int
    kind: RulingKind
    team: str
    """Whom it is against, or whose score it makes; empty for one on a board that is the same for both."""
    match: int | None
    room: Room | None
    board: int | None
    attempt: int | None
    ended: BoardEnd | None
    """How that attempt ended; None when the ruling is not on one."""
    amount: int
    reason: str
    law: str
    """A law, or a clause of the protocol."""
    author: str
    """Whose ruling it is: `RULE_AUTHOR` where a rule gave it."""
    at_ms: int
    withdrawn_at_ms: int | None = None
    withdrawn_by: str | None = None
    withdrawn_reason: str | None = None
    assigned: tuple[AssignedResult, ...] = ()
    """Of an `assigned-score`: the results of which it is made, with their weights."""

    @property
    def is_live(self) -> bool:
        """Whether it stands: one that was withdrawn does not count."""
        return self.withdrawn_at_ms is None

    @property
    def is_automatic(self) -> bool:
        """Whether a rule gave it, and no director."""
        return self.author == RULE_AUTHOR

    @property
    def changes_score(self) -> bool:
        """Whether it changes a score: it stands, and is no mere warning or order."""
        return self.is_live and self.kind not in (RulingKind.WARNING, RulingKind.BOARD_REPLAY)


@dataclass(frozen=True, slots=True)
class IncidentInfo:
    """Something for the director's eyes, no call and no card; `text` has the offending line or a sentence."""

    id: int
    match: int
    room: Room
    board: int | None
    attempt: int | None
    kind: IncidentKind
    seat: Seat | None
    team: str | None
    """That of the seat."""
    text: str
    at_ms: int
