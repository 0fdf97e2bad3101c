"""The interface of a wire language: one `Wire` formats the lines to one player and parses the player's lines.

The session keeps the history of the board and the state of every seat, and calls a wire when something has happened.
The wire decides, by its own order of requests and answers, which line is sent and when. It returns the intent of a
player's line, and answers by itself what it can, such as a request for the next call.

A wire keeps only what its language needs, such as how much it has sent. It reads the state of the table from its
connection, `connection.table` and `board`.
"""

import enum
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from tourney.bridge import Call, Card, Seat, Side
from tourney.protocol.lines import Charset
from tourney.protocol.session.records import IncidentKind

if TYPE_CHECKING:
    from tourney.protocol.session.board.state import BoardState, Entry
    from tourney.protocol.session.connection import PlayerConnection


# Intents: the requests of players' lines


@dataclass(frozen=True, slots=True, kw_only=True)
class LogOnIntent:
    """The player wants a seat. `seat` is None if the line names no seat that exists; `seat_word` is what it named.

    `team` may have a pass phrase after the name.
    """

    team: str
    seat: Seat | None
    any_seat: bool
    seat_word: str
    version: int
    system: str
    why_not: str = ""
    """Why the language refuses the log-on; empty if it does not."""


@dataclass(frozen=True, slots=True)
class ReturnIntent:
    """A connection that has not logged on sends lines of a seat: the program that left it may be back.

    `why_not` is the answer if it is not.
    """

    seat: Seat
    why_not: str


@dataclass(frozen=True, slots=True)
class TeamsIntent:
    """The player asks for the names of the teams."""


@dataclass(frozen=True, slots=True)
class JoinIntent:
    """The player is ready to play."""


@dataclass(frozen=True, slots=True)
class CardsIntent:
    """The player is ready for its cards."""


@dataclass(frozen=True, slots=True)
class CallIntent:
    """The player calls. `alerted` if it says that the call is alertable; `text` is its explanation."""

    call: Call
    alerted: bool = False
    text: str = ""


@dataclass(frozen=True, slots=True)
class CardIntent:
    """The player plays a card. `named` is the seat that the line names, None for the word "dummy"."""

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
    """A line that cannot be used, and why. `is_log_on` if it was meant as a log-on: the connection is then closed."""

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


# Data between the session and a wire


class RefusalAnswer(enum.Enum):
    """How a player is told that its call or card was refused."""

    ERROR = "error"
    """An error line with a sentence."""
    ILLEGAL_CALL = "illegal call"
    ILLEGAL_CARD = "illegal card"
    NONE = "none"
    """Not at all."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """The refusal of a call or card."""

    why: str
    answer: RefusalAnswer = RefusalAnswer.ERROR
    incident: IncidentKind | None = None
    """None if it breaks the order of lines but no rule of the game."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PendingLine:
    """A line that the table waits for. `acts` if it is a call or card, whose player is on the clock."""

    seat: Seat
    what: str
    since_ms: int
    acts: bool = False
    logs_on: bool = False
    """Whether the player is not part of a board yet."""
    again: bool = False
    """Whether it is a call or card that a player that came back is to repeat."""


class Wire(ABC):
    """One player's wire. It sends lines with `connection.send`, and never raises whatever a player sends."""

    line_gap_ms = 0
    """Minimum time between two lines to a player that sends none in between (BC-50)."""
    charset = Charset.UTF_8
    """How letters outside ASCII are sent to the player; known once it has been told its seat."""
    restarts_board = False
    """Whether the program can restart a board at any time when told to."""
    joins_when_seated = False
    """Whether a player is ready to play as soon as it has its seat, without a line that says so."""
    answers_claims = True
    """Whether the language has words for claims, and for answers to them."""
    plays_minibridge = False
    """Whether the language has words for announced points, and for a dummy that lies open before the lead."""

    def __init__(self) -> None:
        self.connection: PlayerConnection
        """Set by the connection; replaced when the program continues on another connection."""
        self.board: BoardState | None = None
        """The board that the player takes part in."""

    @abstractmethod
    def receive_line(self, line: bytes, now_ms: int) -> Intent | None:
        """Parse a line, without its end; return the player's intent, None if the wire has dealt with the line."""

    # The session

    @abstractmethod
    def send_seated(self, profile: object, version: int, now_ms: int) -> None:
        """Tell the player that it has `connection.seat`.

        Args:
            profile: settings of its side's wire, defined by this language; None for the usual ones.
            version: the version of the language that the player named.
            now_ms: the time.
        """

    @property
    @abstractmethod
    def wants_teams(self) -> bool:
        """Whether the player may be sent the names of the teams, or has been: all four get them at once."""

    @abstractmethod
    def send_teams(self, names: Mapping[Side, str], now_ms: int) -> None:
        """Send the names of the teams, unless they have been sent."""

    def send_newcomer(self, seat: Seat, name: str) -> None:  # noqa: B027 # most languages have no words for it
        """Tell the player that another has taken a seat, where seats are given to single players."""

    @abstractmethod
    def send_error(self, text: str) -> None:
        """Tell the player what was wrong, in a sentence."""

    @abstractmethod
    def send_session_end(self) -> None:
        """Tell the player that the session has ended."""

    def send_interruption(self, reason: str) -> None:  # noqa: B027 # most languages have no words for it
        """Tell the player that the session stops, and goes on where it is later."""

    @abstractmethod
    def pending(self) -> PendingLine | None:
        """Return the request that the player owes; the board handles calls and cards."""

    # The board

    @abstractmethod
    def begin_board(self, board: "BoardState", now_ms: int, *, replay: bool) -> None:
        """Begin a board; with `replay`, the player is to be sent every call and card so far (BC-48)."""

    @property
    @abstractmethod
    def has_joined_board(self) -> bool:
        """Whether the player has answered that the board begins: what it says from now on is about this board.

        After a board that was left in the middle, its lines may have been on their way before that (`swallow_line`).
        """

    @property
    @abstractmethod
    def wants_cards(self) -> bool:
        """Whether the player is ready for its cards, or has them: all four get them at once (BC-14)."""

    @abstractmethod
    def send_cards(self, now_ms: int) -> None:
        """Send the player its cards, unless they have been sent."""

    @abstractmethod
    def advance(self, now_ms: int) -> None:
        """Send what can be sent now: the board has advanced, or a pause has ended."""

    @abstractmethod
    def note_own_entry(self, now_ms: int) -> None:
        """Note that the last call or card of the history is the player's own, or was made in its name."""

    @abstractmethod
    def why_too_early(self) -> str | None:
        """Return why the player in turn may not act yet: it has not been sent, or not requested, enough."""

    @abstractmethod
    def hand_of(self, intent: CardIntent) -> Seat:
        """Return the hand that a card is played from."""

    @property
    def is_caught_up(self) -> bool:
        """Whether a player to which a board is being replayed has caught up."""
        return True

    def repeat(self, intent: CallIntent | CardIntent, now_ms: int) -> Refusal | None:  # noqa: ARG002
        """Accept a call or card that a player catching up repeats; return why not if it is refused (BC-48)."""
        raise AssertionError("a player that is told everything at once has nothing to repeat")

    @abstractmethod
    def has_been_told_all(self) -> bool:
        """Whether the player knows every call and card."""

    @abstractmethod
    def send_refusal(self, refusal: Refusal) -> None:
        """Tell the player that its call or card was refused."""

    @abstractmethod
    def send_substituted(self, entry: "Entry") -> None:
        """Tell the player what the table called or played in its name (BC-46)."""

    @abstractmethod
    def send_claim(self, claimant: Seat) -> None:
        """Relay a claim, with the claimant's cards (BC-40)."""

    @abstractmethod
    def send_claim_verdict(self, claimant: Seat, *, accepted: bool) -> None:
        """Tell the player whether a claim was accepted (BC-41)."""

    @abstractmethod
    def receive_timer(self) -> None:
        """Handle the end of a pause that this wire requested with `board.arm_cards_timer`."""

    @abstractmethod
    def send_board_end(self, spent_ms: Mapping[Side, int], total_ms: Mapping[Side, int]) -> None:
        """Tell the player that the board has ended, with both sides' times on it and on all boards of the table."""


WireFactory: TypeAlias = Callable[[], Wire]
"""Makes the wire of a new connection."""
