"""The status of a table, derived from its state for displays."""

from tourney.bridge import Side
from tourney.protocol.session.state import SessionState
from tourney.store.control.tables import TableActivity, Wait


def describe_activity(table: SessionState, now_ms: int) -> TableActivity:
    """Describe the table at this moment."""
    board = table.board if table.is_playing else None
    waits = [Wait(line.seat, line.what, table.time.since_ms(line.since_ms, now_ms)) for line in table.pending_lines()]
    problem = None
    substituted = ", ".join(seat.seat.title for seat in table.seats if seat.is_substituted)
    if board is not None and substituted:
        why = f" ({board.state.ended})" if board.state.ended is not None else ""
        problem = f"the table acts for {substituted} on board {board.board.number}{why}"
    spent = {side: table.total_ms[side] + (board.spent_ms[side] if board is not None else 0) for side in Side}
    return TableActivity(
        at_ms=now_ms,
        stage=table.stage.value,
        board=board.board.number if board is not None else None,
        boards_left=len(table.queue),
        paused=table.time.is_paused,
        seats={seat.seat: seat.connection.team if seat.connection is not None else None for seat in table.seats},
        waits=tuple(waits),
        last=board.state.last_entry if board is not None else "",
        problem=problem,
        spent_ms=spent,
    )
