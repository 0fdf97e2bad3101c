"""The status of a table, derived from its core for displays."""

from tourney.bridge import SEATS, Side
from tourney.protocol.session.table import TableCore
from tourney.store.control.table_status import TableActivity, Wait


def describe_activity(core: TableCore, now_ms: int) -> TableActivity:
    """Describe the table at this moment."""
    table = core.state
    board = table.board if table.is_playing else None
    seated = table.seated
    waits = [Wait(line.seat, line.what, table.time.since_ms(line.since_ms, now_ms)) for line in table.pending_lines()]
    problem = None
    acting = ", ".join(each.seat.title for each in table.seats if each.is_substituted)
    if board is not None and acting:
        why = f" ({board.state.ended})" if board.state.ended is not None else ""
        problem = f"the table acts for {acting} on board {board.board.number}{why}"
    spent = {side: table.total_ms[side] + (board.spent_ms[side] if board is not None else 0) for side in Side}
    return TableActivity(
        at_ms=now_ms,
        stage=table.stage.value,
        board=board.board.number if board is not None else None,
        boards_left=len(table.queue),
        paused=table.time.is_paused,
        seats={seat: seated.get(seat) for seat in SEATS},
        waits=tuple(waits),
        last=board.state.last_entry if board is not None else "",
        problem=problem,
        spent_ms=spent,
    )
