"""What goes on at tables, for those who watch, and what the director asks of them."""

from dataclasses import dataclass

from tourney.bridge import Board, BoardInPlay, Call, Seat
from tourney.protocol.records import BoardEnd
from tourney.store.models import OrderKind
from tourney.store.objects.draw import TableInfo
from tourney.store.objects.play import CallRecord, CardRecord


@dataclass(frozen=True, slots=True)
class OrderInfo:
    """What a director asks of one table. `text` is the reason, or the answer to a question (empty: not alertable)."""

    id: int
    table_id: int
    kind: OrderKind
    seat: Seat | None
    board: int | None
    seq: int | None
    text: str
    author: str
    created_at_ms: int


@dataclass(frozen=True, slots=True)
class QuestionInfo:
    """Whether a call is alertable, waiting for the operator's answer (BC-25)."""

    table_id: int
    board: int
    seq: int
    seat: Seat
    asked_at_ms: int
    dealer: Seat
    calls: tuple[Call, ...]
    """The auction up to the call that is asked about, which is the last."""


@dataclass(frozen=True, slots=True)
class LiveTable:
    """One table of an event at this moment, as far as the record knows."""

    table: TableInfo
    boards_finished: int
    """Boards that are not played again here."""
    changed_at_ms: int
    """When its state last changed."""
    doing: str | None
    """The host's word on what goes on, of any age (`store/doing.py`)."""
    seated: dict[Seat, str]
    """Under which team name a program sits, as logged on with the newest host."""


@dataclass(frozen=True, slots=True)
class AttemptKey:
    """A try at a board of one table, and whether it is over."""

    board: int
    attempt: int
    is_over: bool


@dataclass(frozen=True, slots=True)
class LiveBoard:
    """A try at a board as far as it is on record: under way, left by a host that died, or over.

    `tricks` (declarer's side) and `score_ns` are None without a result; `ended` is None while it is not over.
    """

    board: Board
    attempt: int
    began_at_ms: int
    calls: tuple[CallRecord, ...]
    cards: tuple[CardRecord, ...]
    ended: BoardEnd | None
    reason: str
    tricks: int | None
    score_ns: int | None

    def in_play(self) -> BoardInPlay:
        """The board as these calls and cards make it.

        Raises:
            RuleError: the record holds a call or card that the rules do not allow.
        """
        in_play = BoardInPlay(self.board)
        for call in self.calls:
            in_play.add_call(call.call)
        for card in self.cards:
            in_play.add_card(card.card)
        return in_play
