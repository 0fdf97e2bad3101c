"""Rows of an attempt as an audit reads them, faults in them, and findings, which say where a fault is."""

import enum
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from tourney.bridge import Seat
from tourney.movement.seating import Room
from tourney.output.rows import Row
from tourney.output.units import RoomName
from tourney.store.record.audit import Cells


class RowKind(enum.StrEnum):
    """The kind of row that a finding is about."""

    BOARD = "board"
    """A board as dealt, or whether it has been played."""
    ATTEMPT = "attempt"
    CALL = "call"
    CARD = "card"
    RESULT = "result"
    RULING = "ruling"
    SCORE = "score"
    """The score of a match."""


@dataclass(slots=True)
class AttemptRows:
    """All rows of an attempt, each kind in order."""

    room: Room
    table_id: int
    board: int
    number: int
    """Which attempt at the board it is."""
    rows: list[Cells] = field(default_factory=list)
    """The row of the attempt itself; empty where it is missing."""
    calls: list[Cells] = field(default_factory=list)
    cards: list[Cells] = field(default_factory=list)
    results: list[Cells] = field(default_factory=list)
    """At most one."""
    delays: list[Cells] = field(default_factory=list)
    """What the network took of calls and cards, where clients of tunnels said so."""

    @property
    def result(self) -> Cells | None:
        return self.results[0] if self.results else None

    @property
    def location(self) -> "Location":
        """Where in its match it is."""
        return Location(self.room, self.board, self.number)

    def fault(self, text: str) -> "LocatedFault":
        """Make a fault of it as a whole."""
        return self.location, attempt_fault(text)


@dataclass(frozen=True, slots=True)
class Fault:
    """Something wrong with a row of a known attempt or board. `number` counts calls and cards from 1."""

    kind: RowKind
    text: str
    """What is wrong, without the place."""
    number: int | None = None
    detail: str = ""
    """The call or card as its row has it: `West's 7D`; empty for other rows."""

    @classmethod
    def in_row(cls, kind: RowKind, cells: Cells, text: str) -> "Fault":
        """Make the fault of a call or a card."""
        seat, what = cells["seat"], cells[kind.value]
        detail = f"{seat_title(seat)}'s {what}"
        number = cells["seq"] + 1 if isinstance(cells["seq"], int) else None
        return cls(kind, text, number, detail)


@dataclass(frozen=True, slots=True)
class Location:
    """Where in a match a fault is; None where it is not in one room, on one board or in one attempt."""

    room: Room | None = None
    board: int | None = None
    attempt: int | None = None


LocatedFault: TypeAlias = tuple[Location, Fault]


class AuditFinding(Row, kw_only=True):
    """Something on record that does not fit."""

    match: int
    """The number of the match."""
    room: RoomName | None
    """The room; null where the finding is about the whole match or about a board as dealt."""
    board: int | None
    """The number of the board; null where the finding is about the whole match."""
    attempt: int | None
    """The number of the attempt at the board, from 1; null where the finding is about no single attempt."""
    record: RowKind
    """The kind of record that does not fit."""
    number: int | None
    """Which call or card of the attempt it is, from 1; null for other records."""
    text: str
    """One sentence that names the record and says what is wrong with it."""

    @classmethod
    def of(cls, match: int, location: Location, fault: Fault) -> "AuditFinding":
        """Make the finding of a fault at a place, such as `match 3, open room, board 5, call 17 (West's 7D)`."""
        words = [f"match {match}"]
        words += [f"{location.room.value} room"] if location.room is not None else []
        words += [f"board {location.board}"] if location.board is not None else []
        words += [f"attempt {location.attempt}"] if location.attempt is not None else []
        if fault.kind in (RowKind.CALL, RowKind.CARD):
            number = f" {fault.number}" if fault.number is not None else ""
            words.append(f"{fault.kind.value}{number} ({fault.detail})")
        elif fault.kind in (RowKind.RESULT, RowKind.RULING, RowKind.SCORE):
            words.append(fault.kind.value)
        return cls(
            match=match,
            room=location.room,
            board=location.board,
            attempt=location.attempt,
            record=fault.kind,
            number=fault.number,
            text=f"{', '.join(words)}: {fault.text}",
        )


def attempt_fault(text: str) -> Fault:
    """Make a fault of an attempt as a whole."""
    return Fault(RowKind.ATTEMPT, text)


def seat_title(letter: Any) -> str:  # whatever is in the column
    """Return `West` for `W`, and `seat Q` for a letter that is no seat's."""
    try:
        return Seat.from_letter(letter).title
    except KeyError:
        return f"seat {letter}"
