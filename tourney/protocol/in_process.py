"""The wire of a player in the process of its table: no words, but what it knows of the board as a `PlayerView`.

Nothing is parsed and nothing is put into words. What the player wants comes as an intent
(`TableCore.receive_line`). What it may know is brought up to date when it is asked; the table then sends it an
empty line, by which it is on the clock.
"""

from collections.abc import Callable, Sequence
from typing import Final

from tourney.bridge import PlayerView, Seat
from tourney.protocol.session.intents import Intent, LogOnIntent
from tourney.protocol.session.memory_table import MemoryLink
from tourney.protocol.session.notices import BoardFinished, Notice, Scores
from tourney.protocol.session.seat_view import SeatView
from tourney.protocol.session.wire import Lines, Mark, Wire

_ASKED: Final = ("", Mark.ASKS)


def log_on(team: str, seat: Seat) -> LogOnIntent:
    """Return the intent of a player that takes a seat."""
    return LogOnIntent(team=team, seat=seat, any_seat=False, seat_word="", version=0, system="in process")


class InProcessWire(Wire):
    """The wire of one player."""

    has_requests = False
    answers_claims = False
    plays_minibridge = True
    restarts_board = True

    def __init__(self) -> None:
        self.known: PlayerView | None = None
        """What the player knew of the board when it was asked last, and once it is over, all of it."""

    def parse(self, line: bytes, seat: Seat | None) -> Intent | None:  # noqa: ARG002 # it has no lines
        return None

    def render(self, view: SeatView) -> tuple[Lines, int | None]:
        """Show everything at once, and ask the player when it is to act."""
        if not view.cards_shown:
            return [], None
        board = view.board
        made = len(board.history)
        if made and board.history[-1].held:  # it waits for the operator (BC-25)
            view.shown = made - 1
            return [], None
        view.shown = made
        if board.actor is not view.seat or view.prompted == made or board.claim or board.claimed:
            return [], None
        if board.is_lead and board.time.now_ms < board.leads_from_ms:
            return [], board.leads_from_ms
        view.prompted = made
        self.known = view.known()
        return [_ASKED], None

    def format_notice(self, notice: Notice, view: SeatView | None) -> Sequence[str]:
        """Tell nothing; a player may look at all of a board once it is over."""
        if isinstance(notice, BoardFinished) and view is not None:
            self.known = view.known()
        return ()

    def show_cards(self, view: SeatView, scores: Scores | None) -> Lines:  # noqa: ARG002
        view.has_joined = True
        return []

    def explain_too_early(self, view: SeatView) -> str:  # noqa: ARG002
        return "wait until you are asked"


class InProcessLink(MemoryLink):
    """The connection of a player in the process of its table."""

    wire: InProcessWire

    def __init__(self, number: int, seat: Seat, ask: "Callable[[InProcessLink], None]") -> None:
        """Make a connection; `ask` is called when the player is to call or play, while the table is still at work."""
        super().__init__(number)
        self.seat = seat
        self.wire = InProcessWire()
        self._ask = ask

    def send(self, line: str, clock: int | None, now_ms: int) -> bool:  # noqa: ARG002 # see Link
        if clock is not None:
            self._ask(self)
        return True
