"""Orders to tables, and answers about alerts, from the desk."""

from collections.abc import Mapping
from typing import Final

from tourney.bridge import SEATS
from tourney.director.orders import ANSWER_MAX, AnswerAlert, Hold, Kick, ReplayBoard
from tourney.event.drawn import seat_named
from tourney.store.models import OrderKind
from tourney.web.director.access import Right
from tourney.web.director.actions import Choices, DeskAction, Errand, FieldKind, FormField, Reason
from tourney.web.director.offers import BOARD, PLACE, number, offer

_ANYWHERE: Final = FormField(
    PLACE.name, "Table or match", is_required=False, help="3-open, 3, or empty for the whole event"
)
_COSTS: Final = FormField("costs", "Board that it may cost", FieldKind.HIDDEN, is_required=False)
_CALL: Final = FormField(
    "call", "Call", FieldKind.NUMBER, is_required=False, help="counted from 1; empty: the oldest that waits"
)


def _seats(errand: Errand) -> Choices:  # noqa: ARG001 # as all choices
    return [(seat.letter, seat.title) for seat in SEATS]


def _where(errand: Errand) -> str:
    return errand[PLACE.name] or "the whole event"


def _hold(errand: Errand, kind: OrderKind) -> Hold:
    return Hold(kind, errand[PLACE.name] or None, after_board=bool(errand["after-board"]))


def _kick(errand: Errand) -> Kick:
    board = int(errand[_COSTS.name]) if errand[_COSTS.name] else None
    return Kick(errand[PLACE.name], seat_named(errand["seat"]), bool(errand["no-forfeit"]), board)


def _board_meant(errand: Errand, kick: Kick) -> Mapping[str, str]:
    board = kick.board_in_play(errand.drawn) if kick.board is None else kick.board
    return {_COSTS.name: str(board)}


def _answer(errand: Errand) -> AnswerAlert:
    return AnswerAlert(
        errand[PLACE.name],
        errand["text"] or None,
        int(errand[BOARD.name]) if errand[BOARD.name] else None,
        int(errand[_CALL.name]) if errand[_CALL.name] else None,
        is_forced=bool(errand["force"]),
    )


def _call_meant(errand: Errand, answer: AnswerAlert) -> Mapping[str, str]:
    question = answer.question(errand.drawn)
    return {BOARD.name: str(question.board), _CALL.name: str(question.seq + 1)}


PAUSE: Final = offer(
    "pause",
    "Pause",
    "No play takes place until the table is resumed; a call or card under way is finished first.",
    lambda errand: _hold(errand, OrderKind.PAUSE),
    _where,
    right=Right.HOLD,
    whole_title="Pause the whole event",
    fields=(_ANYWHERE,),
    reason=Reason.DESK,
)
RESUME: Final = offer(
    "resume",
    "Resume",
    "Paused tables go on; stopped ones are played again by the run.",
    lambda errand: _hold(errand, OrderKind.RESUME),
    _where,
    right=Right.HOLD,
    whole_title="Resume the whole event",
    fields=(_ANYWHERE,),
    reason=Reason.DESK,
)
STOP: Final = offer(
    "stop",
    "Stop",
    "The session at the table ends, and is not started again until it is resumed. Finished boards count; the board "
    "in play is played again, unless it may be finished first.",
    lambda errand: _hold(errand, OrderKind.STOP),
    _where,
    fields=(
        _ANYWHERE,
        FormField("after-board", "Let the board in play be finished first", FieldKind.TICK, is_required=False),
    ),
    reason=Reason.DESK,
)
KICK: Final = offer(
    "kick",
    "Send away",
    "The connection of a player is ended; in the middle of a board its side forfeits that. It may come back.",
    _kick,
    lambda errand: f"{errand[PLACE.name]} {seat_named(errand['seat']).title}",
    fields=(
        PLACE,
        FormField("seat", "Seat", FieldKind.CHOICE, choices=_seats),
        FormField("no-forfeit", "Begin the board in play again, at nobody's cost", FieldKind.TICK, is_required=False),
        _COSTS,
    ),
    fill=_board_meant,
)
REPLAY: Final = offer(
    "replay",
    "Replay a board",
    "A board is played again in one room; its result there stays on record as void.",
    lambda errand: ReplayBoard(errand[PLACE.name], number(errand, BOARD)),
    lambda errand: f"{errand[PLACE.name]}, board {errand[BOARD.name]}",
    fields=(PLACE, BOARD),
)
ALERT: Final = offer(
    "alert",
    "Answer",
    "The oldest call at the table about which its player has to be told is answered: what it means, or that it needs "
    "no alert.",
    _answer,
    lambda errand: errand[PLACE.name],
    right=Right.ANSWER,
    fields=(
        PLACE,
        FormField(
            "text",
            "Meaning",
            is_required=False,
            help="12 to 14 total points; empty: not alertable",
            chars_max=ANSWER_MAX,
        ),
        FormField(BOARD.name, "Board", FieldKind.NUMBER, is_required=False, help="the oldest if it is left empty"),
        _CALL,
        FormField("force", "Send it in these words, whatever they are", FieldKind.TICK, is_required=False),
    ),
    reason=Reason.NONE,
    fill=_call_meant,
)

ORDERS: Final[tuple[DeskAction, ...]] = (PAUSE, RESUME, STOP, KICK, REPLAY, ALERT)
