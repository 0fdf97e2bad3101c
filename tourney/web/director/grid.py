"""The tables of a round with their boards: to come, in play, slow, done or ruled on. No hands, no results."""

import enum
from dataclasses import dataclass
from statistics import median
from typing import Final

from tourney.movement.seating import TableState
from tourney.protocol.session.records import RulingKind
from tourney.store.db.database import Database
from tourney.store.draw.objects import EventInfo
from tourney.store.record.live import AttemptInfo, load_board_attempts
from tourney.store.results.matches import load_board_numbers
from tourney.store.rulings import load_rulings
from tourney.views.status import EventStatus, TableStatus

SLOW_TIMES: Final = 2
"""A board is slow when it takes more than so many times the median of its round."""

BOARDS_MIN: Final = 4
"""The median of fewer boards says nothing."""


class CellState(enum.StrEnum):
    """The state of a board at a table; its value is the class of its cell."""

    TO_COME = "to-come"
    IN_PLAY = "in-play"
    SLOW = "slow"
    DONE = "done"
    RULED = "ruled"


@dataclass(frozen=True, slots=True)
class GridCell:
    """Boards at a table that follow each other and are in the same state."""

    first: int
    last: int
    state: CellState


@dataclass(frozen=True, slots=True)
class GridRow:
    """A table with its boards in the order of play."""

    status: TableStatus
    cells: tuple[GridCell, ...]


@dataclass(frozen=True, slots=True)
class RoundGrid:
    """The tables of a round."""

    round: int
    rows: tuple[GridRow, ...]
    median_ms: int | None
    """How long a board of the round has taken; None while there are too few."""


def rounds_in_play(status: EventStatus) -> list[int]:
    """Return the rounds with a table that has begun and is not over; else the last that is over, else the first."""
    begun = {
        each.round
        for each in status.unfinished
        if each.is_live or each.boards_finished or each.table.state is not TableState.WAITING
    }
    over = {each.round for each in status.tables if each.table.is_over}
    return sorted(begun) or sorted(over)[-1:] or sorted({each.round for each in status.tables})[:1]


def load_grid(database: Database, event: EventInfo, status: EventStatus, round_: int) -> RoundGrid:
    """Load the grid of a round.

    Raises:
        StoreError: the database cannot be used.
    """
    tables = [each for each in status.tables if each.round == round_]
    matches = event.matches_by_number
    attempts = load_board_attempts(database, [each.table.id for each in tables])
    newest = {(each.table_id, each.board): each for each in attempts}
    sets = {matches[each.table.match].board_set_id for each in tables}
    numbers = load_board_numbers(database, event.id, sets)
    rulings = [ruling for ruling in load_rulings(database, event.id) if ruling.is_live]
    ruled = {(ruling.match, ruling.room, ruling.board) for ruling in rulings if ruling.board is not None}
    forfeited = {ruling.match for ruling in rulings if ruling.kind is RulingKind.MATCH_FORFEIT}
    taken = [
        each.ended_at_ms - each.began_at_ms
        for each in newest.values()
        if each.is_final and each.ended_at_ms is not None
    ]
    median_ms = round(median(taken)) if len(taken) >= BOARDS_MIN else None
    rows = []
    for each in tables:
        table = each.table
        boards = numbers[matches[table.match].board_set_id][table.span]
        if matches[table.match].ends_by_results:
            boards = [number for number in boards if (table.id, number) in newest]
        cells: list[GridCell] = []
        for number in boards:
            is_ruled = (
                (table.match, table.room, number) in ruled
                or (table.match, None, number) in ruled
                or (table.match in forfeited and (table.id, number) not in newest)
            )
            found = newest.get((table.id, number))
            state = CellState.RULED if is_ruled else _state(found, each, median_ms, status.at_ms)
            if cells and (cells[-1].state, cells[-1].last + 1) == (state, number):
                cells[-1] = GridCell(cells[-1].first, number, state)
            else:
                cells.append(GridCell(number, number, state))
        rows.append(GridRow(each, tuple(cells)))
    return RoundGrid(round_, tuple(rows), median_ms)


def _state(found: AttemptInfo | None, status: TableStatus, median_ms: int | None, now_ms: int) -> CellState:
    if found is None or (found.ended_at_ms is not None and not found.is_final):
        return CellState.TO_COME
    if found.is_final:
        return CellState.DONE
    if not status.is_live:
        return CellState.TO_COME
    if median_ms is not None and now_ms - found.began_at_ms > SLOW_TIMES * median_ms and not status.is_paused:
        return CellState.SLOW
    return CellState.IN_PLAY
