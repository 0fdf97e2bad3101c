"""The interface of a wire language: it parses the lines of one player, and puts into words what the player is shown.

The session keeps all state, and acts. A wire is `parse(line) -> intent`, `render(view) -> lines, wake_at_ms` for
calls and cards, and `format_notice(notice, view) -> lines` for everything else. It keeps nothing but its profile: the
settings of its side, and what its player has said of itself and of the extensions that it reads. What has been shown
is in the view, which `render` moves on by what it shows.
"""

import enum
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Protocol, TypeAlias

from tourney.bridge import Seat, Side
from tourney.protocol.lines import Charset
from tourney.protocol.session.intents import CardIntent, Intent
from tourney.protocol.session.notices import Notice, Scores
from tourney.protocol.session.seat_view import SeatView


class Mark(enum.Enum):
    """What a line is for."""

    NONE = "none"
    ASKS = "asks"
    """It lets its player act, who is charged from the moment when it has been written."""
    REMARK = "remark"
    """It is no line but a remark for the wire log."""


Lines: TypeAlias = list[tuple[str, Mark]]


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

    usual: dict[tuple[Seat | None, bytes], Intent] = {}  # noqa: RUF012 # shared by all wires of a language
    """Lines that have been parsed, by seat: those that recur on every board, and mean the same on each."""

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

    @abstractmethod
    def format_notice(self, notice: Notice, view: SeatView | None) -> Sequence[str]:
        """Return the lines that tell a player something beside calls and cards; most languages lack words for some.

        Args:
            notice: what it is told.
            view: the board as the player sees it; None if it takes part in none.
        """

    @abstractmethod
    def show_cards(self, view: SeatView, scores: Scores | None) -> Lines:
        """Show the player its cards; `scores` are those of the game if it has not been shown them."""

    @abstractmethod
    def explain_too_early(self, view: SeatView) -> str:
        """Return what a player in turn is told that acts too early."""

    def hand_of(self, intent: CardIntent, view: SeatView) -> Seat:
        """Return the hand that a card is played from; a card of declarer's that names none is dummy's in its turn."""
        if intent.seat is not None:
            return intent.seat
        contract, turn = view.board.contract, view.board.turn
        if contract is not None and contract.declarer is view.seat and turn is contract.dummy:
            return turn
        return view.seat


WireFactory: TypeAlias = Callable[[], Wire]
"""Makes the wire of a new connection."""
