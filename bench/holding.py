"""`bench hold`: many tables at once at a human pace, and a check that nothing is lost."""

from dataclasses import dataclass
from typing import Final

from bench.events import Tables, describe, draw_tables, time_commit
from bench.figures import Machine, Turnround, this_machine, turnround_of
from bench.made_events import count_record
from bench.playing import play_stateful_tables, play_tables
from bench.tables import bench
from tourney.errors import UsageError
from tourney.movement.seating import TableState
from tourney.protocol.stateful.gateway import CLIENTS_PER_ADDRESS_MAX
from tourney.protocol.wires import Language
from tourney.store.control.tables import load_progress
from tourney.store.db.database import Database

TRICK_PAUSE_MS: Final = 1000
THINKING_MS: Final = 200
"""Longest thinking time for a call or card."""

STATEFUL_PORT: Final = 19999
"""The event's port for clients of the stateful-server protocol; tables have those after it."""

LOG_ON_GAP_S: Final = 0.03
"""Pause between the log-ons at two tables: programs do not all start at the same moment."""


@dataclass(frozen=True, slots=True)
class HoldFigures:
    """The figures of one host's tables with wire log, trick pause 1 s, thinking time 0 to 200 ms."""

    tables: int
    boards: int
    """Boards at each table."""
    connections: int
    database: str
    seconds: float
    boards_per_s: float
    lines_per_s: int
    cpu_ms_per_board: float
    cpu_share: float
    """The host's share of one core."""
    turnround_ms: Turnround
    kb_per_table: float | None
    """The host's memory per table beyond the first; None with one table."""
    protocol: str
    """The language of the players. Those of the stateful-server protocol are all at the event's one port, and their
    turn-round counts until the player itself is told; with Blue Chip it counts until the host has written."""
    commit_ms: float
    """Median time of a one-row transaction, which every line of a loop iteration waits for."""
    lost: int
    """Unfinished tables, plus boards, calls and cards that were made and are not on record."""
    machine: Machine


def measure_hold(
    tables: int, boards: int, database_url: str | None, protocol: Language = Language.BLUE_CHIP
) -> HoldFigures:
    """Plays all boards at a human pace.

    Raises:
        UsageError: the event's port does not take so many clients.
        TourneyError: the host cannot be started, the database cannot be used, or a table stalls.
    """
    is_stateful = protocol is Language.STATEFUL
    if is_stateful and 4 * tables > CLIENTS_PER_ADDRESS_MAX:
        most = CLIENTS_PER_ADDRESS_MAX // 4
        raise UsageError(f"--tables: an event's port takes {most} tables of clients from one address, got {tables}")
    with bench(tables, boards, database_url) as made:
        script, database = made.script, made.database
        drawn = draw_tables(
            *(made.folder, database, "bench hold", tables, boards),
            wire_log=True,
            trick_pause_ms=TRICK_PAUSE_MS,
            stateful_port=STATEFUL_PORT if is_stateful else None,
        )
        played = tables * boards
        if is_stateful:
            playing = play_stateful_tables(database, drawn, thinking_ms=THINKING_MS, gap_s=LOG_ON_GAP_S)
            session, actions, lines = made.runner.run(playing)
        else:
            session = made.runner.run(
                play_tables(database, drawn, script, thinking_ms=THINKING_MS, gap_s=LOG_ON_GAP_S)
            )
            actions, lines = tables * script.actions, tables * script.lines
        return HoldFigures(
            tables=tables,
            boards=boards,
            connections=4 * tables,
            database=describe(database),
            seconds=round(session.seconds, 1),
            boards_per_s=round(played / session.seconds, 1),
            lines_per_s=round(lines / session.seconds),
            cpu_ms_per_board=round(1000 * session.cpu_s / played, 2),
            cpu_share=round(session.cpu_s / session.seconds, 3),
            turnround_ms=turnround_of([session]),
            kb_per_table=round((session.peak_kb - made.alone.peak_kb) / (tables - 1), 1) if tables > 1 else None,
            commit_ms=round(1000 * time_commit(database), 3),
            lost=count_lost(database, drawn, actions),
            protocol=protocol.value,
            machine=this_machine(),
        )


def count_lost(database: Database, drawn: Tables, said: int) -> int:
    """Counts what the record lacks of all boards and of the `said` calls and cards that were made at them."""
    table_ids = [table.id for table in drawn.tables]
    states = [progress.table.state for progress in load_progress(database, table_ids).values()]
    unfinished = sum(state is not TableState.FINISHED for state in states)
    results, actions = count_record(database, drawn.event.id)
    return unfinished + len(table_ids) * drawn.boards - results + said - actions
