"""What a wire language has to supply: one `Wire` speaks to one player in its words, and reads what the player says.

The session keeps the history of the board and the state of every seat. It calls a wire when something has happened;
the wire decides, in its own order of requests and answers, which line goes out and when. What a line of the player
asks for it returns as an intent; what it can answer by itself, as a request for the next call, it answers.

A wire keeps only what its language needs, such as how much it has said. What it wants to know of the table it reads
from its connection, `connection.table` and `board`.
"""

import enum
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from tourney.bridge import Call, Card, Seat, Side
from tourney.protocol.session.records import IncidentKind

if TYPE_CHECKING:
    from tourney.protocol.session.board.state import BoardState, Entry
    from tourney.protocol.session.connection import PlayerConnection


# Intents: what a player's line asks for


@dataclass(frozen=True, slots=True, kw_only=True)
class LogOnIntent:
    """The player wants a seat. `seat` is None when the line names none that exists; `seat_word` is what it named.

    `team` may have a pass phrase behind the name.
    """

    team: str
    seat: Seat | None
    any_seat: bool
    seat_word: str
    version: int
    system: str
    why_not: str = ""
    """Why the language refuses it, whatever it asks for; empty when it does not."""


@dataclass(frozen=True, slots=True)
class ReturnIntent:
    """A connection that has not logged on speaks for a seat: the program that left it may be back.

    `why_not` is what it is told when it is not.
    """

    seat: Seat
    why_not: str


@dataclass(frozen=True, slots=True)
class TeamsIntent:
    """The player wants to know who plays."""


@dataclass(frozen=True, slots=True)
class JoinIntent:
    """The player is ready to play."""


@dataclass(frozen=True, slots=True)
class CardsIntent:
    """The player is ready for its cards."""


@dataclass(frozen=True, slots=True)
class CallIntent:
    """The player calls. `alerted` when it says that the call is alertable; `text` is its information."""

    call: Call
    alerted: bool = False
    text: str = ""


@dataclass(frozen=True, slots=True)
class CardIntent:
    """The player plays a card. `named` is the seat that the line names, None for dummy by that word."""

    named: Seat | None
    card: Card
    text: str = ""


@dataclass(frozen=True, slots=True)
class ClaimIntent:
    """The player claims the rest of the tricks."""


@dataclass(frozen=True, slots=True)
class ClaimAnswerIntent:
    """The player answers a claim."""

    claimant: Seat
    accepts: bool


@dataclass(frozen=True, slots=True)
class BadLine:
    """The line cannot be used, and why. `is_log_on` when it was meant as one: then the connection is closed."""

    reason: str
    is_log_on: bool = False


Intent: TypeAlias = (
    LogOnIntent
    | ReturnIntent
    | TeamsIntent
    | JoinIntent
    | CardsIntent
    | CallIntent
    | CardIntent
    | ClaimIntent
    | ClaimAnswerIntent
    | BadLine
)


# What a wire is told, and what it tells


class RefusalAnswer(enum.Enum):
    """How a player is told that its call or card was not taken."""

    ERROR = "error"
    """In a sentence."""
    ILLEGAL_CALL = "illegal call"
    ILLEGAL_CARD = "illegal card"
    NONE = "none"
    """Not at all."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """A call or card that is not taken."""

    why: str
    answer: RefusalAnswer = RefusalAnswer.ERROR
    incident: IncidentKind | None = None
    """None when it breaks the order of lines, but no rule of the game."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PendingLine:
    """A line that the table waits for. `acts` when it is a call or card, whose player is on the clock."""

    seat: Seat
    what: str
    since_ms: int
    acts: bool = False
    logs_on: bool = False
    """The player is not part of a board yet."""
    again: bool = False
    """A call or card that a player which has come back is to repeat."""


class Wire(ABC):
    """One player's wire. Lines are sent with `connection.send`; nothing here raises, whatever a player says."""

    line_gap_ms = 0
    """Minimum time between two lines to a player that has not spoken in between (BC-50)."""
    restarts_board = False
    """The program begins a board again when it is told to, whatever it was doing."""

    def __init__(self) -> None:
        self.connection: PlayerConnection
        """Set by the connection; another one when the program comes back on it and goes on where it was."""
        self.board: BoardState | None = None
        """The board that the player takes part in."""

    @abstractmethod
    def receive_line(self, line: bytes, now_ms: int) -> Intent | None:
        """Read a line, without its end; what the player wants of the session, None when nothing is left to do."""

    # The session

    @abstractmethod
    def send_seated(self, profile: object, version: int, now_ms: int) -> None:
        """The player has `connection.seat`.

        Args:
            profile: settings of its side's wire, as this language knows them; None for the usual ones.
            version: of the language, as the player said.
            now_ms: the time.
        """

    @property
    @abstractmethod
    def wants_teams(self) -> bool:
        """Whether the player may be told the names of the teams, or has been: the table tells all four at once."""

    @abstractmethod
    def send_teams(self, names: Mapping[Side, str], now_ms: int) -> None:
        """Tell the names of the teams, unless that was done."""

    @abstractmethod
    def send_error(self, text: str) -> None:
        """Tell the player what was wrong, in a sentence."""

    @abstractmethod
    def send_session_end(self) -> None:
        """The session is over."""

    @abstractmethod
    def pending(self) -> PendingLine | None:
        """The request that the player owes; a call or card is the board's to ask for."""

    # The board

    @abstractmethod
    def begin_board(self, board: "BoardState", now_ms: int, *, replay: bool) -> None:
        """A board begins; with `replay` the player is to be told what has been called and played so far (BC-48)."""

    @property
    @abstractmethod
    def wants_cards(self) -> bool:
        """Whether the player is ready for its cards, or has them: the table deals to all four at once (BC-14)."""

    @abstractmethod
    def send_cards(self, now_ms: int) -> None:
        """Deal the player its cards, unless that was done."""

    @abstractmethod
    def advance(self, now_ms: int) -> None:
        """The board has moved, or a pause is over: say what can be said now."""

    @abstractmethod
    def note_own_entry(self, now_ms: int) -> None:
        """The last call or card of the history is the player's own, or was made in its name."""

    @abstractmethod
    def why_too_early(self) -> str | None:
        """Why the player, whose turn it is, may not call or play yet: it has not been told, or asked for, enough."""

    @abstractmethod
    def hand_of(self, intent: CardIntent) -> Seat:
        """The hand that a card is played from."""

    @property
    def is_caught_up(self) -> bool:
        """Whether a player that was to be told a board from its beginning knows where it is."""
        return True

    def repeat(self, intent: CallIntent | CardIntent, now_ms: int) -> Refusal | None:  # noqa: ARG002
        """Take a call or card that a player which is not caught up repeats; why not when it may not (BC-48)."""
        raise AssertionError("a player that is told everything at once has nothing to repeat")

    @abstractmethod
    def has_been_told_all(self) -> bool:
        """Whether the player knows of every call and card."""

    @abstractmethod
    def send_refusal(self, refusal: Refusal) -> None:
        """A call or card of the player was not taken."""

    @abstractmethod
    def send_substituted(self, entry: "Entry") -> None:
        """The table has called or played in the player's name (BC-46)."""

    @abstractmethod
    def send_claim(self, claimant: Seat) -> None:
        """A player has claimed; its cards are shown (BC-40)."""

    @abstractmethod
    def send_claim_verdict(self, claimant: Seat, *, accepted: bool) -> None:
        """A claim was accepted or rejected (BC-41)."""

    @abstractmethod
    def receive_timer(self) -> None:
        """A pause that this wire has asked for with `board.arm_cards_timer` is over."""

    @abstractmethod
    def send_board_end(self, spent_ms: Mapping[Side, int], total_ms: Mapping[Side, int]) -> None:
        """The board is over; thinking time of both sides on it, and on all boards of the table."""


WireFactory: TypeAlias = Callable[[], Wire]
"""Makes the wire of a connection that has come in."""
