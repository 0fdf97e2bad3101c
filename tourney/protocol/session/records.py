"""What a table puts on record, in the order in which it happened.

Times named `at_ms` are milliseconds since 1970-01-01 UTC; `thinking_ms` is what the player took, from the moment
the line that let it act was written to the moment its own line arrived.
"""

from dataclasses import dataclass
from typing import TypeAlias

from tourney.bridge import Call, Card, Result, Seat, Side
from tourney.protocol.session.record_words import BoardEnd, IncidentKind, RulingKind

__all__ = [
    "AlertAnswered",
    "AlertAsked",
    "BoardBegan",
    "BoardEnd",
    "BoardEnded",
    "CallMade",
    "CardPlayed",
    "Incident",
    "IncidentKind",
    "Ruled",
    "RulingKind",
    "SeatLeft",
    "SeatTaken",
    "TableRecord",
]


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
    substituted: bool = False
    """The table made it, in the player's place (BC-46)."""


@dataclass(frozen=True, slots=True)
class CardPlayed:
    """Card number `seq` (0..51) of the board, out of the hand of `seat` (dummy's cards under dummy's seat)."""

    board: int
    seq: int
    seat: Seat
    card: Card
    thinking_ms: int
    at_ms: int
    substituted: bool = False


@dataclass(frozen=True, slots=True)
class BoardEnded:
    """The attempt is over. `result` is None unless it ended by the rules of the game.

    `ns_ms` and `ew_ms` are the thinking times of the two sides on this attempt, `tm_ms` the table's own share: from
    a player's line to the line that let the next one act, pauses included. `fault` is the seat whose fault the end
    is; None when it is nobody's at the table.
    """

    board: int
    end: BoardEnd
    reason: str
    result: Result | None
    ns_ms: int
    ew_ms: int
    at_ms: int
    tm_ms: int = 0
    fault: Seat | None = None


@dataclass(frozen=True, slots=True)
class Incident:
    """Something for the director's eyes. `text` holds the offending line, or what happened, in a sentence."""

    kind: IncidentKind
    board: int | None
    seat: Seat | None
    text: str
    at_ms: int


@dataclass(frozen=True, slots=True)
class Ruled:
    """A ruling by rule against a side (BC-45, BC-46). `amount` is in IMPs, or in hundredths of a victory point."""

    kind: RulingKind
    side: Side
    board: int | None
    amount: int
    reason: str
    clause: str
    at_ms: int


@dataclass(frozen=True, slots=True)
class AlertAsked:
    """The table waits for the operator: is call number `seq` of the board alertable (BC-25)?"""

    board: int
    seq: int
    seat: Seat
    at_ms: int


@dataclass(frozen=True, slots=True)
class AlertAnswered:
    """The operator's answer, or the default after the time limit. `text` is empty for "not alertable"."""

    board: int
    seq: int
    text: str
    author: str
    at_ms: int


TableRecord: TypeAlias = (
    SeatTaken
    | SeatLeft
    | BoardBegan
    | CallMade
    | CardPlayed
    | BoardEnded
    | Incident
    | Ruled
    | AlertAsked
    | AlertAnswered
)
