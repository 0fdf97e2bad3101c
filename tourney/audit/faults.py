"""What checking a record takes and gives: the rows of an attempt, and what is wrong with one of them."""

import enum
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from tourney.bridge import Seat
from tourney.store.record.audit import Cells, Values, call_cells, card_cells


class RowKind(enum.StrEnum):
    """What a finding is about."""

    BOARD = "board"
    """A board as it was dealt, or whether it has been played."""
    ATTEMPT = "attempt"
    CALL = "call"
    CARD = "card"
    RESULT = "result"
    RULING = "ruling"
    SCORE = "score"
    """The score of a match."""


class AttemptKey(NamedTuple):
    """What the rows of an attempt have in common."""

    table_id: int
    board: int
    attempt: int


@dataclass(slots=True)
class AttemptRows:
    """All rows of an attempt, each kind in order.

    Calls and cards are as they were read: most attempts are found whole without their values being named.
    """

    key: AttemptKey
    rows: list[Cells] = field(default_factory=list)
    """The one of the attempt itself, if it is there."""
    calls: list[Values] = field(default_factory=list)
    cards: list[Values] = field(default_factory=list)
    results: list[Cells] = field(default_factory=list)
    """One, or none."""

    @property
    def call_cells(self) -> list[Cells]:
        return call_cells(self.calls)

    @property
    def card_cells(self) -> list[Cells]:
        return card_cells(self.cards)

    @property
    def result(self) -> Cells | None:
        return self.results[0] if self.results else None


@dataclass(frozen=True, slots=True)
class Fault:
    """Something wrong with a row of a known attempt or board. `number` counts calls and cards from 1."""

    kind: RowKind
    number: int | None
    detail: str
    """What the row says it is: `West's 7D`."""
    words: str

    @classmethod
    def of(cls, kind: RowKind, cells: Cells, words: str) -> "Fault":
        """On a call or a card."""
        seat, what = cells["seat"], cells[kind.value]
        detail = f"{seat_title(seat)}'s {what}"
        number = cells["seq"] + 1 if isinstance(cells["seq"], int) else None
        return cls(kind, number, detail, words)


def seat_title(letter: Any) -> str:  # whatever is in the column
    """`West` for `W`; `seat Q` for what is none."""
    try:
        return Seat.from_letter(letter).title
    except KeyError:
        return f"seat {letter}"
