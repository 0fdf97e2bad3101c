"""The interface of a wire language: it parses the lines of one player, and puts into words what the player is shown.

The session keeps all state, and acts. A wire is `parse(line) -> intent` and `render(view, now_ms) -> lines,
wake_at_ms`; the rest is single lines. It keeps nothing but its profile: the settings of its side, and what its player
has said of itself and of the extensions that it reads. What has been shown is in the view, which `render` moves on
by what it shows.
"""

import enum
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol, TypeAlias

from tourney.bridge import Result, Seat, Side
from tourney.protocol.lines import Charset
from tourney.protocol.session.board.state import BoardState, Claim, Entry, Undo
from tourney.protocol.session.boards import LineScore
from tourney.protocol.session.intents import CardIntent, Intent, Refusal
from tourney.protocol.session.seat_view import SeatOptions, SeatView


class Mark(enum.Enum):
    """What a line is for."""

    NONE = "none"
    ASKS = "asks"
    """It lets its player act, who is charged from the moment when it has been written."""
    REMARK = "remark"
    """It is no line but a remark for the wire log."""


Lines: TypeAlias = list[tuple[str, Mark]]

Scores: TypeAlias = Mapping[Side, LineScore]


class TableFacts(Protocol):
    """What everybody at a table may know of it."""

    @property
    def now_ms(self) -> int:
        """When the event began that is being handled."""

    @property
    def is_over(self) -> bool:
        """Whether the session has ended."""

    @property
    def empty_seats(self) -> list[Seat]:
        """The seats without a program."""

    @property
    def line_scores(self) -> Scores | None:
        """The score of a game that is played over several deals; None for any others."""

    @property
    def last_result(self) -> Result | None:
        """The result of the last board; None if it was forfeited, or is void."""

    def turn_left_ms(self, seat: Seat) -> int | None:
        """Return how long the player in turn may still think, by the limit that comes first; None without limits."""

    def limit_ms(self, board: int | None, side: Side) -> int | None:
        """Return how long a side may think over a board, or with None over all boards; None without a limit."""

    def team(self, side: Side) -> str:
        """Return the name of a team."""

    def name_at(self, seat: Seat) -> str:
        """Return who sits there, under a name that nobody else has; empty if nobody is to be named."""


class Wire(ABC):
    """One player's wire. It never raises whatever a player sends."""

    line_gap_ms = 0
    """Minimum time between two lines to a player that sends none in between (BC-50)."""
    charset = Charset.UTF_8
    """How letters outside ASCII are sent to the player; known once it has been told its seat."""
    restarts_board = False
    """Whether the program can restart a board at any time when told to."""
    cards_wait_ms: int | None = None
    """How long after it is told the board a player is taken to be ready for its cards; None if it says so."""
    has_requests = True
    """Whether players ask for what they are sent, and know their own calls and cards; else all is sent unasked."""
    answers_claims = True
    """Whether the language has words for claims, and for answers to them."""
    shows_positions = False
    """Whether its player can be shown any position of a board, as after a call or card was taken back."""
    answers_questions = False
    """Whether the player can be asked what a call of its own means."""
    answers_undo = False
    """Whether the player is asked when an opponent wants to take a call or card back."""
    shows_options = False
    """Whether the player is told what it may ask for."""
    confirms_ready = False
    """Whether the player says, after a board, when it is ready for the next."""
    plays_minibridge = False
    """Whether the language has words for announced points, and for a dummy that lies open before the lead."""

    table: TableFacts
    """The table that it is at, set by the connection."""

    @abstractmethod
    def parse(self, line: bytes, seat: Seat | None) -> Intent | None:
        """Return the intent of a line, without its end, from a seat, if it has one; None if nothing is to be done."""

    @abstractmethod
    def render(self, view: SeatView) -> tuple[Lines, int | None]:
        """Return what can be shown now to a player that has its cards, and when there may be more without an event.

        The board has advanced, or the player has asked for something, or a pause has ended.
        """

    # The session

    @abstractmethod
    def format_seated(self, seat: Seat, team: str, profile: object, version: int) -> str:
        """Tell the player that it has a seat.

        Args:
            seat: the seat.
            team: the name of its team, as it gave it.
            profile: settings of its side's wire, defined by this language; None for the usual ones.
            version: the version of the language that the player named.
        """

    def format_teams(self, names: Mapping[Side, str]) -> Sequence[str]:  # noqa: ARG002 # they may come with the seats
        """Tell the names of the teams."""
        return []

    def format_newcomer(self, seat: Seat, name: str) -> Sequence[str]:  # noqa: ARG002 # most languages have no words for it
        """Tell that another has taken a seat, where seats are given to single players."""
        return []

    def format_error(self, text: str) -> str:
        """Tell what was wrong, in a sentence."""
        return text

    def format_note(self, text: str) -> Sequence[str]:  # noqa: ARG002 # most languages have no words for it
        """Tell the player something, in a sentence that refuses nothing."""
        return []

    def format_session_end(self) -> Sequence[str]:
        """Tell that the session has ended."""
        return []

    def format_interruption(self, reason: str) -> Sequence[str]:  # noqa: ARG002 # most languages have no words for it
        """Tell that the session stops, and goes on where it is later."""
        return []

    def format_chat(self, seat: Seat, text: str) -> Sequence[str]:  # noqa: ARG002 # most languages have no words for it
        """Tell what the player of a seat says."""
        return []

    def format_break(self, wait_ms: int) -> Sequence[str]:  # noqa: ARG002 # see `confirms_ready`
        """Tell that the next board waits for the player, for `wait_ms` at most."""
        return []

    # The board

    def format_start(self, view: SeatView, *, is_in_transit: bool) -> Sequence[str]:  # noqa: ARG002 # some need no words
        """Tell that a board begins; lines about the one before may be on their way if `is_in_transit`."""
        return []

    def format_board(self, board: BoardState) -> Sequence[str]:  # noqa: ARG002 # it may come with the cards
        """Tell which board it is, to a player that has asked for it."""
        return []

    @abstractmethod
    def format_cards(self, view: SeatView, scores: Scores | None) -> Lines:
        """Show the player its cards; `scores` are those of the game if it has not been shown them."""

    def format_state(self, seat: Seat, view: SeatView | None, scores: Scores | None) -> Sequence[str]:  # noqa: ARG002 # for a language with words to ask for it
        """Tell the player of a seat, who takes part in a board if there is a view, all that it may know."""
        return []

    @abstractmethod
    def explain_too_early(self, view: SeatView) -> str:
        """Return what a player in turn is told that acts too early."""

    def hand_of(self, intent: CardIntent, view: SeatView) -> Seat:
        """Return the hand that a card is played from."""
        return intent.seat if intent.seat is not None else view.hand_in_turn

    def format_refusal(self, refusal: Refusal, view: SeatView | None) -> Sequence[str]:  # noqa: ARG002 # as above
        """Tell that a call or card was refused."""
        return []

    def format_substituted(self, entry: Entry) -> Sequence[str]:  # noqa: ARG002 # it may be shown like every other
        """Tell what the table called or played in the player's name (BC-46)."""
        return []

    def format_claim(self, view: SeatView, claim: Claim) -> Sequence[str]:  # noqa: ARG002 # see `answers_claims`
        """Relay a claim to a player, if it may see that, with the claimant's cards (BC-40)."""
        return []

    def format_claim_verdict(self, view: SeatView, claim: Claim, *, accepted: bool) -> Sequence[str]:  # noqa: ARG002
        """Tell a player whether a claim was accepted, if that is told to it (BC-41)."""
        return []

    def format_question(self, view: SeatView, number: int) -> Sequence[str]:  # noqa: ARG002 # see `answers_questions`
        """Tell the player that an opponent asks what its call `number` means, from 1."""
        return []

    def format_answer(self, number: int, text: str) -> Sequence[str]:  # noqa: ARG002 # see `answers_questions`
        """Tell the player what call `number` of an opponent means."""
        return []

    def format_undo(self, undo: Undo) -> Sequence[str]:  # noqa: ARG002 # see `answers_undo`
        """Tell that somebody asks to take a call or card back."""
        return []

    def format_undo_verdict(self, undo: Undo, *, accepted: bool) -> Sequence[str]:  # noqa: ARG002 # see `answers_undo`
        """Tell whether a call or card is taken back."""
        return []

    def format_options(self, options: SeatOptions) -> Sequence[str]:  # noqa: ARG002 # see `shows_options`
        """Tell the player what it may ask for now."""
        return []

    @abstractmethod
    def format_board_end(
        self, spent_ms: Mapping[Side, int], total_ms: Mapping[Side, int], scores: Scores | None
    ) -> Sequence[str]:
        """Tell that the board has ended, with both sides' times on it and on all boards of the table."""


WireFactory: TypeAlias = Callable[[], Wire]
"""Makes the wire of a new connection."""
