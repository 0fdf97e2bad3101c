"""The status of a table, derived from its core for displays."""

from tourney.bridge import SEATS, Side
from tourney.protocol.session.table import Stage, TableCore
from tourney.store.control.table_status import TableActivity, Wait


def describe_activity(core: TableCore, now_ms: int) -> TableActivity:
    """Describe the table at this moment."""
    board = core.board if core.stage is Stage.BOARDS else None
    seats = {seat: core.seats.get(seat) for seat in SEATS}
    waits = [Wait(line.seat, line.what, core.waits_since_ms(line, now_ms)) for line in core.pending_lines()]
    problem = None
    if board is not None and core.substituted_seats:
        acting = ", ".join(seat.title for seat in core.substituted_seats)
        why = f" ({board.state.ended})" if board.state.ended is not None else ""
        problem = f"the table acts for {acting} on board {board.board.number}{why}"
    spent = {side: core.match_spent_ms(side) + (board.spent_ms[side] if board is not None else 0) for side in Side}
    return TableActivity(
        at_ms=now_ms,
        stage=core.stage.value,
        board=board.board.number if board is not None else None,
        boards_left=core.boards_left,
        paused=core.paused,
        seats=seats,
        waits=tuple(waits),
        last=board.state.last_entry if board is not None else "",
        problem=problem,
        spent_ms=spent,
    )
