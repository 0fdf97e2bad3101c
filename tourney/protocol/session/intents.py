"""What players want and owe: the intents of their lines, refusals, and the lines that a table waits for.

A wire language parses a line to an intent; the session acts on it, the same for every language.
"""

import enum
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from tourney.bridge import Call, Card, Seat
from tourney.protocol.session.records import IncidentKind


@dataclass(frozen=True, slots=True, kw_only=True)
class LogOnIntent:
    """The player wants a seat. `seat` is None if the line names no seat that exists; `seat_word` is what it named.

    `team` may have a passphrase after the name.
    """

    team: str
    seat: Seat | None
    any_seat: bool
    seat_word: str
    version: int
    system: str
    why_not: str = ""
    """Why the language refuses the log-on; empty if it does not."""


class ReturnIntent(NamedTuple):
    """A connection that has not logged on sends lines of a seat: the program that left it may be back.

    `why_not` is the answer if it is not.
    """

    seat: Seat
    why_not: str


class ReadyFor(enum.Enum):
    """What a player is ready for."""

    TEAMS = "teams"
    START = "start"
    """To play: to take part in boards."""
    DEAL = "deal"
    CARDS = "cards"
    CALL = "call"
    CARD = "card"
    DUMMY = "dummy"


class Ready(NamedTuple):
    """A request. `whose` is the seat whose call or card is requested, None for "dummy"; `trick` is as sent."""

    seat: Seat
    what: ReadyFor
    whose: Seat | None = None
    trick: int | None = None


class StateIntent(NamedTuple):
    """The player asks for all that it may know."""


class NextBoardIntent(NamedTuple):
    """The player is ready for the next board, for which the table waits."""


class ChatIntent(NamedTuple):
    """The player says something to all four."""

    text: str


class DirectorIntent(NamedTuple):
    """The player calls the director, and says why, or not (SS-56)."""

    text: str


class ExplanationIntent(NamedTuple):
    """The player explains its next call."""

    text: str


class EchoIntent(NamedTuple):
    """The player has read everything up to the line with this token."""

    token: str


class CallIntent(NamedTuple):
    """The player calls. `alerted` if it says that the call is alertable; `text` is its explanation.

    `seat` is what the line names, here and below; None in a language whose lines name no seat.
    """

    seat: Seat | None
    call: Call
    alerted: bool = False
    text: str = ""


class CardIntent(NamedTuple):
    """The player plays a card, with a remark perhaps. `seat` is also None for the word "dummy"."""

    seat: Seat | None
    card: Card
    text: str = ""


class ClaimIntent(NamedTuple):
    """The player claims the rest of the tricks (BC-40)."""

    seat: Seat


class ClaimAnswerIntent(NamedTuple):
    """The player answers a claim (BC-41)."""

    seat: Seat
    claimant: Seat
    accepts: bool


class UndoIntent(NamedTuple):
    """The player asks to take its last call or card back (SS-52)."""


class QuestionIntent(NamedTuple):
    """The player asks what call `number` of the auction, from 1, means (SS-53)."""

    number: int


class AnswerIntent(NamedTuple):
    """The player tells what its own call `number` means to those who have asked."""

    number: int
    text: str


class OfferAnswerIntent(NamedTuple):
    """The player answers an offer by its number (SS-51)."""

    number: int
    accepts: bool


class BadLine(NamedTuple):
    """A line that cannot be used, and why. `is_log_on` if it was meant as a log-on: the connection is then closed."""

    reason: str
    is_log_on: bool = False


class Ignored(NamedTuple):
    """A line to which nothing is to be done, and why."""

    why: str


class Answered(NamedTuple):
    """A line that concerns nobody but its player and its wire, and the answers to it."""

    lines: tuple[str, ...]


Intent: TypeAlias = (
    LogOnIntent
    | ReturnIntent
    | Ready
    | StateIntent
    | NextBoardIntent
    | ChatIntent
    | DirectorIntent
    | ExplanationIntent
    | EchoIntent
    | CallIntent
    | CardIntent
    | ClaimIntent
    | ClaimAnswerIntent
    | UndoIntent
    | QuestionIntent
    | AnswerIntent
    | OfferAnswerIntent
    | BadLine
    | Ignored
    | Answered
)


class RefusalAnswer(enum.Enum):
    """How a player is told that its call or card was refused."""

    ERROR = "error"
    """An error line with a sentence."""
    ILLEGAL_CALL = "illegal call"
    ILLEGAL_CARD = "illegal card"
    NONE = "none"
    """Not at all."""


class Refusal(NamedTuple):
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
