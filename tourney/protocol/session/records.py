"""What a table puts on record, in the order in which it happened.

Times named `at_ms` are milliseconds since 1970-01-01 UTC; `thinking_ms` is what the player is charged, from when the
line that let it act was written to the moment its own line arrived, less what is allowed for its network.
"""

import enum
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias

from tourney.bridge import Call, Card, Result, Seat, Side, Vulnerability


class BoardEnd(enum.StrEnum):
    """How an attempt at a board ended; the explanatory sentence is separate."""

    PLAYED = "played"
    PASSED_OUT = "passed-out"
    CLAIMED = "claimed"
    TIME = "time"
    """A side exceeded a time limit whose remedy is to forfeit the board (BC-45)."""
    ILLEGAL = "illegal"
    """A side sent too many illegal or out-of-turn lines, and the remedy is to forfeit the board (BC-46)."""
    DISCONNECT = "disconnect"
    """A player's connection was lost, or the director ended it."""
    STALL = "stall"
    """A player that owed a line fell silent."""
    CRASH = "crash"
    """A player's program ended by itself."""
    ABANDONED = "abandoned"
    """The session was stopped by people, and the board is played when the session continues; or the board is begun
    again because of a program, whose fault it then is (BC-48)."""
    RETRACTED = "taken-back"
    """A player took a call or card back, and its opponents agreed: the next attempt goes on from before it."""
    VOID = "void"
    """The fault is nobody's at the table (host, network, power, the director's order): the board is played again."""

    @property
    def is_by_rules(self) -> bool:
        """Whether the board has a result under the rules of the game."""
        return self in _BY_RULES

    @property
    def is_forfeit(self) -> bool:
        """Whether one side lost the board by its own fault."""
        return self in _FORFEITS

    @property
    def may_have_fault(self) -> bool:
        """Whether the end may be a seat's fault; that of a forfeit always is."""
        return self.is_forfeit or self is BoardEnd.ABANDONED

    @property
    def is_final(self) -> bool:
        """Whether the board will not be played again at this table."""
        return self.is_by_rules or self.is_forfeit


_BY_RULES: Final = (BoardEnd.PLAYED, BoardEnd.PASSED_OUT, BoardEnd.CLAIMED)
_FORFEITS: Final = (BoardEnd.TIME, BoardEnd.ILLEGAL, BoardEnd.DISCONNECT, BoardEnd.STALL, BoardEnd.CRASH)


class IncidentKind(enum.StrEnum):
    """Events other than calls and cards that a director may want to know about."""

    ILLEGAL_CALL = "illegal-call"
    ILLEGAL_CARD = "illegal-card"
    CALL_OUT_OF_TURN = "call-out-of-turn"
    CARD_OUT_OF_TURN = "card-out-of-turn"
    OVER_TIME = "over-time"
    SUBSTITUTED = "substituted"
    """The table called or played in a player's place."""
    CLAIM = "claim"
    CLAIM_ACCEPTED = "claim-accepted"
    CLAIM_REJECTED = "claim-rejected"
    CONSENT = "consent"
    """One of two players agrees to a claim, or that something is taken back; the other has still to answer."""
    UNDO = "undo"
    """A player asks to take its last call or card back."""
    UNDO_ACCEPTED = "undo-accepted"
    UNDO_REJECTED = "undo-rejected"
    ASKED = "asked"
    """A player asks what a call of an opponent means (Law 20F)."""
    EXPLAINED = "explained"
    """A player has told the opponents who have asked what a call of its own means."""
    DIRECTOR_CALLED = "director-called"
    """A player, or the author at the other end of a tunnel, calls the director (Law 9B)."""
    AUTO_PLAY = "stand-in"
    """From here the table calls and plays for a seat, to the end of the board."""
    PAUSED = "paused"
    RESUMED = "resumed"
    KICKED = "kicked"
    CRASH = "crash"
    """A player's program ended by itself in the middle of a board."""
    DISCONNECT = "disconnect"
    """A player's connection was lost in the middle of a board."""
    OUTAGE = "outage"
    """Players of both sides are gone at once in the middle of a board, which is nobody's fault at the table."""
    REJOINED = "rejoined"
    """A player is back, and the board has been replayed to it up to the present (BC-48)."""
    DIVERGED = "diverged"
    """A player that came back called or played differently from before."""
    RESTARTED = "restarted"
    """The board is restarted for all four."""
    BOARD_RESUMED = "taken-up"
    """Another table host continues the board from its last call or card on record (BC-49)."""


IRREGULARITIES: Final = frozenset(
    {
        IncidentKind.ILLEGAL_CALL,
        IncidentKind.ILLEGAL_CARD,
        IncidentKind.CALL_OUT_OF_TURN,
        IncidentKind.CARD_OUT_OF_TURN,
    }
)
"""Calls and cards that were refused because they broke a rule of the game."""

DIRECTOR_GAP_MS: Final = 60_000
"""The least time between two calls for the director from one seat, or from one team through its tunnels."""

PLAYER_TEXT_CHARS_MAX: Final = 200
"""Longest text of a player's own that is relayed or goes on record: an explanation, why the director is called."""

RULE_AUTHOR: Final = "rule"
"""The author of automatic rulings, which are dropped with the board they are on, and of orders that follow."""

BREAKS_OFF: Final = 1
"""The amount of a ruling that cancels a board, where a game is broken off by that: it ends before that board."""


class RulingKind(enum.StrEnum):
    """What a ruling does."""

    WARNING = "warning"
    PENALTY_IMPS = "penalty-imps"
    PENALTY_VP = "penalty-vp"
    BOARD_FORFEIT = "board-forfeit"
    """Artificial adjusted score: average minus to the side, average plus to its opponents (Law 12C2)."""
    ADJUSTED_SCORE = "adjusted-score"
    """The team's IMPs on a board, regardless of play: an artificial adjusted score (Law 12C2)."""
    ASSIGNED_SCORE = "assigned-score"
    """The team's result of a board in one room, or a weighted mean of results (Law 12C1)."""
    BOARD_CANCELLED = "board-cancelled"
    """The board counts for nobody."""
    BOARD_REPLAY = "board-replay"
    """The board is played again in one room; what counts is the new result."""
    MATCH_FORFEIT = "match-forfeit"
    WITHDRAWAL = "withdrawal"
    """The team has left the event: every match it has not finished is forfeited."""

    @property
    def scores_board(self) -> bool:
        """Whether it replaces the played score of a board."""
        return self in _SCORE_BOARDS


_SCORE_BOARDS: Final = frozenset(
    {
        RulingKind.BOARD_FORFEIT,
        RulingKind.ADJUSTED_SCORE,
        RulingKind.ASSIGNED_SCORE,
        RulingKind.BOARD_CANCELLED,
    }
)


class Recorded:
    """The base of all that goes on record, which tells it from other effects: a union asks each of its classes."""

    __slots__ = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatTaken(Recorded):
    """A program has logged on and is seated. `system` is the text it sent after the version number."""

    connection: int
    seat: Seat
    team: str
    version: int
    system: str
    peer: str
    at_ms: int


@dataclass(frozen=True, slots=True)
class SeatLeft(Recorded):
    """A seated program's connection is gone."""

    connection: int
    seat: Seat
    reason: str
    at_ms: int


@dataclass(frozen=True, slots=True)
class BoardBegan(Recorded):
    """`Start of board` is about to be sent; a new attempt at this board."""

    board: int
    at_ms: int
    dealer: Seat | None = None
    vulnerability: Vulnerability | None = None
    """Dealer and vulnerability as the players are told. They go on record where they depend on results."""


class MeasuredDelay(NamedTuple):
    """What a call or card has lost on its way through a tunnel, in milliseconds, as far as its client says so.

    What the table measured is `thinking_ms + allowed_ms` of the record that it belongs to.
    """

    own_ms: int
    """What the program took by the clock of its client, which can say anything."""
    delay_ms: int
    """What the table measured beyond that; never below 0."""
    allowed_ms: int
    """How much of the delay the side is not charged."""


@dataclass(slots=True, kw_only=True, unsafe_hash=True)
class RecordedAction(Recorded):
    """A call or a card, as written to the record and read from it, with its number `seq` (0, 1, ...) on the board.

    Do not modify; it is not frozen only because a frozen class takes three times as long to create.
    """

    board: int
    seq: int
    seat: Seat
    """The hand that it is from: dummy's cards are under dummy's seat."""
    thinking_ms: int
    at_ms: int
    substituted: bool = False
    """Whether the table made it in the player's place (BC-46)."""
    delay: MeasuredDelay | None = None
    """What the network took; None where no client says so."""


@dataclass(slots=True, kw_only=True, unsafe_hash=True)
class CallMade(RecordedAction):
    """A call. `alert` is what the player sent with it or, when read back, the operator's answer in its place."""

    call: Call
    alert: str
    alerted: bool


@dataclass(slots=True, kw_only=True, unsafe_hash=True)
class CardPlayed(RecordedAction):
    """A card."""

    card: Card
    text: str = ""
    """What its player said with it, which is relayed to programs of version 19 and is no row."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardEnded(Recorded):
    """The attempt has ended. `result` is None unless it ended under the rules of the game.

    `ns_ms` and `ew_ms` are the thinking times of the two sides on this attempt, `tm_ms` the table's own share: from
    a player's line to the line that let the next one act, pauses included. `fault` is the seat whose fault the end
    is; None when it is nobody's at the table.
    """

    board: int
    end: BoardEnd
    reason: str
    result: Result | None = None
    ns_ms: int = 0
    ew_ms: int = 0
    at_ms: int
    tm_ms: int = 0
    fault: Seat | None = None


def describe_end(end: BoardEnd, reason: str, result: Result | None) -> str:
    """Describe what an attempt at a board came to: `4S by North, 10 tricks, +620 for North-South`."""
    if result is None:
        return f"{end.value}: {reason}"
    if result.contract is None:
        return "a board passed out"
    by = result.contract.declarer.title
    return f"{result.contract} by {by}, {result.tricks} tricks, {result.score:+} for North-South"


@dataclass(frozen=True, slots=True)
class BoardVoided(Recorded):
    """A board that had finished is void by a director's order, and played again after the others."""

    board: int
    reason: str
    author: str
    at_ms: int


@dataclass(frozen=True, slots=True)
class BoardsDecided(Recorded):
    """The results of this table's boards have decided its match: so many were played, and no other will be."""

    boards: int
    at_ms: int


@dataclass(frozen=True, slots=True)
class Incident(Recorded):
    """Something the director should see. `text` is the offending line, or a sentence about what happened."""

    kind: IncidentKind
    board: int | None
    seat: Seat | None
    text: str
    at_ms: int
    made: int = 0
    """How many calls and cards of the board were on record before it."""
    about: str = ""
    """What the law goes by beside the kind. It is the limit that was exceeded, `call`, `board` or `match`, with its
    milliseconds, such as `board 600000`; or the call that a question is about, by its number from 1: `call 3`."""

    @property
    def number(self) -> int:
        """The number in `about`."""
        return int(self.about.partition(" ")[2])

    @property
    def is_of_match(self) -> bool:
        """Whether a limit of the whole match was exceeded."""
        return self.about.startswith("match ")


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruled(Recorded):
    """A ruling at the table against a side (BC-45, BC-46). `amount` is in IMPs, or hundredths of a victory point."""

    kind: RulingKind
    side: Side
    board: int | None
    amount: int
    reason: str
    clause: str
    at_ms: int
    author: str = ""
    """The director whose order it follows; empty for a ruling by rule."""


@dataclass(frozen=True, slots=True)
class AlertAsked(Recorded):
    """The table waits for the operator: is call number `seq` of the board alertable (BC-25)?"""

    board: int
    seq: int
    seat: Seat
    at_ms: int


NO_ANSWER_AUTHOR: Final = "time limit"
"""The author of the default answer when no operator has answered in time."""


@dataclass(frozen=True, slots=True)
class AlertAnswered(Recorded):
    """The operator's answer, or the default after the time limit. `text` is empty for "not alertable"."""

    board: int
    seq: int
    text: str
    author: str
    at_ms: int


@dataclass(frozen=True, slots=True)
class TimeExtended(Recorded):
    """A director has moved a limit of thinking time. It is no row: the order is on record, and counts once.

    `order_id` is None where it was given for a round as a whole; `board` is the number of the board, None for the
    limit of the match; `side` is the side it is for, None for both; `ms` is below 0 where time is taken back.
    """

    order_id: int | None
    board: int | None
    side: Side | None
    ms: int


@dataclass(frozen=True, slots=True)
class OrderActed(Recorded):
    """A director's order has been carried out at the table; it is on record together with what came of it."""

    order_id: int
    outcome: str
    at_ms: int


TableRecord: TypeAlias = (
    SeatTaken
    | SeatLeft
    | BoardBegan
    | CallMade
    | CardPlayed
    | BoardEnded
    | BoardVoided
    | BoardsDecided
    | Incident
    | Ruled
    | AlertAsked
    | AlertAnswered
    | TimeExtended
    | OrderActed
)


AttemptRecord: TypeAlias = CallMade | CardPlayed | AlertAsked | AlertAnswered | Incident
"""What goes on record of an attempt at a board between its beginning and its end."""


class BoardSnapshot(NamedTuple):
    """A board that was in progress when its table host died, as recorded (BC-49).

    Every player may have been shown all of its calls and cards, unless the last waits for the operator.
    """

    number: int
    records: tuple[AttemptRecord, ...] = ()
    """What is on record of it, in order."""
    follows_undo: bool = False
    """Whether it is what is left after a call or card was taken back, rather than after the loss of a host."""
