"""What a table puts on record, in the order in which it happened.

Times named `at_ms` are milliseconds since 1970-01-01 UTC; `thinking_ms` is what the player took, from the moment
the line that let it act was written to the moment its own line arrived.
"""

import enum
from dataclasses import dataclass
from typing import TypeAlias

from tourney.bridge import Call, Card, Result, Seat


class BoardEnd(enum.StrEnum):
    """How an attempt at a board ended; the sentence for people is apart."""

    PLAYED = "played"
    PASSED_OUT = "passed-out"
    ABANDONED = "abandoned"


@dataclass(frozen=True, slots=True)
class SeatTaken:
    """A program has logged on and sits. `system` is what it said after the version number."""

    connection: int
    seat: Seat
    team: str
    version: int
    system: str
    peer: str
    at_ms: int


@dataclass(frozen=True, slots=True)
class SeatLeft:
    """A seated program's connection is gone."""

    connection: int
    seat: Seat
    reason: str
    at_ms: int


@dataclass(frozen=True, slots=True)
class BoardBegan:
    """`Start of board` is about to be sent; a new attempt at this board."""

    board: int
    at_ms: int


@dataclass(frozen=True, slots=True)
class CallMade:
    """Call number `seq` (0, 1, ...) of the board. `alert` is the information as the player sent it."""

    board: int
    seq: int
    seat: Seat
    call: Call
    alert: str
    alerted: bool
    thinking_ms: int
    at_ms: int


@dataclass(frozen=True, slots=True)
class CardPlayed:
    """Card number `seq` (0..51) of the board, out of the hand of `seat` (dummy's cards under dummy's seat)."""

    board: int
    seq: int
    seat: Seat
    card: Card
    thinking_ms: int
    at_ms: int


@dataclass(frozen=True, slots=True)
class BoardEnded:
    """The attempt is over. `result` is None unless it ended by the rules of the game.

    `ns_ms` and `ew_ms` are the thinking times of the two sides on this attempt.
    """

    board: int
    end: BoardEnd
    reason: str
    result: Result | None
    ns_ms: int
    ew_ms: int
    at_ms: int


TableRecord: TypeAlias = SeatTaken | SeatLeft | BoardBegan | CallMade | CardPlayed | BoardEnded
