"""`tourney pause`, `resume`, `stop`, `kick` and `replay-board`: the director's orders to tables."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from tourney.cli._common import event_argument, open_event
from tourney.cli.orders import (
    WAIT_S,
    author_name,
    by_option,
    no_wait_option,
    now_or_never,
    one_line,
    wait_for_outcomes,
    why_not_acted,
)
from tourney.errors import RuleError, UsageError
from tourney.table import clock

if TYPE_CHECKING:
    from tourney.event.drawn import DrawnEvent
    from tourney.store.models import OrderKind

_place_argument = click.argument("place", metavar="[PLACE]", required=False)
_table_argument = click.argument("place", metavar="MATCH-ROOM")
_reason_option = click.option("--reason", required=True, metavar="TEXT", help="Why, in one sentence; kept on record.")


@click.command("pause")
@event_argument
@_place_argument
@by_option
@no_wait_option
def pause_command(event_path: Path, place: str | None, author: str | None, no_wait: bool) -> None:
    """Pause tables: no play takes place there until `tourney resume`.

    EVENT is the path of an event file. PLACE is a match, such as 3, or one of its rooms, such as 3-open; without it
    the whole event pauses, including tables that have not begun.
    """
    from tourney.store.models import OrderKind

    _hold(event_path, place, OrderKind.PAUSE, author, no_wait=no_wait)


@click.command("resume")
@event_argument
@_place_argument
@by_option
@no_wait_option
def resume_command(event_path: Path, place: str | None, author: str | None, no_wait: bool) -> None:
    """Resume paused tables, and let stopped ones be played again.

    EVENT is the path of an event file. PLACE is a match, such as 3, or one of its rooms, such as 3-open; without it
    the whole event resumes. A stopped table is started by the next `tourney run`.
    """
    from tourney.store.models import OrderKind

    _hold(event_path, place, OrderKind.RESUME, author, no_wait=no_wait)


@click.command("stop")
@event_argument
@_place_argument
@by_option
@no_wait_option
def stop_command(event_path: Path, place: str | None, author: str | None, no_wait: bool) -> None:
    """Stop tables: their sessions end, and they are not started again until `tourney resume`.

    EVENT is the path of an event file. PLACE is a match, such as 3, or one of its rooms, such as 3-open; without it
    the whole event stops. The current board stays unfinished and is played again; finished boards count.
    """
    from tourney.store.models import OrderKind

    _hold(event_path, place, OrderKind.STOP, author, no_wait=no_wait)


def _hold(event_path: Path, place: str | None, kind: "OrderKind", author: str | None, *, no_wait: bool) -> None:
    from tourney.store.control.orders import give_orders
    from tourney.store.models import TableState

    by = author_name(author)
    with open_event(event_path) as drawn:
        tables = [table for table in drawn.tables_at(place) if table.state is not TableState.FINISHED]
        if not tables:
            what = "every table of the event is" if place is None else f"{place} is"
            raise RuleError(f"{what} over: there is nothing to {kind.value}")
        ids = give_orders(drawn.database, [table.id for table in tables], kind, author=by, now_ms=clock.wall_ms())
        outcomes = wait_for_outcomes(drawn, ids, 0 if no_wait else WAIT_S)
        if len(outcomes) < len(ids):
            pending = "ordered" if no_wait else f"not acted on yet: {why_not_acted(drawn)}"
        else:
            pending = ""
    for table, order_id in zip(tables, ids, strict=True):
        click.echo(f"{table.place}: {outcomes.get(order_id, pending)}")


@click.command("kick")
@event_argument
@_table_argument
@click.argument("seat", metavar="SEAT")
@_reason_option
@by_option
def kick_command(event_path: Path, place: str, seat: str, reason: str, author: str | None) -> None:
    """End the connection of a player.

    EVENT is the path of an event file, MATCH-ROOM a table, such as 3-open, SEAT North, East, South or West. If no
    host acts on it at once, nothing is done and the exit status is 1.
    """
    from tourney.event.drawn import seat_named
    from tourney.store.control.orders import give_orders
    from tourney.store.models import OrderKind, TableState

    by, why, chair = author_name(author), one_line(reason, "--reason"), seat_named(seat)
    with open_event(event_path) as drawn:
        table = drawn.table_at(place)
        if table.state is TableState.FINISHED:
            raise RuleError(f"{table.place} is over: nobody sits there")
        if table.state not in (TableState.OPEN, TableState.PLAYING):
            raise RuleError(f"{table.place} is not open ({table.state.value}): nobody sits there")
        (order_id,) = give_orders(
            drawn.database, [table.id], OrderKind.KICK, author=by, now_ms=clock.wall_ms(), seat=chair, text=why
        )
        outcome = now_or_never(drawn, table.place, order_id)
    click.echo(f"{table.place}: {outcome}")


@click.command("replay-board")
@event_argument
@_table_argument
@click.argument("board", metavar="BOARD", type=int)
@_reason_option
@by_option
@no_wait_option
def replay_board_command(
    event_path: Path, place: str, board: int, reason: str, author: str | None, no_wait: bool
) -> None:
    """Have a board played again in one room; its previous result stays on record as void.

    EVENT is the path of an event file, MATCH-ROOM a table, such as 3-open, BOARD the number of a board that has been
    begun there. The result, the score of the match and rulings by rule on the board are cancelled. If the table has
    finished, the next `tourney run` plays the board.
    """
    from tourney.coordinator.director import check_open
    from tourney.store.control.orders import give_replay, load_holds
    from tourney.store.control.tables import load_progress
    from tourney.store.models import TableState

    by, why = author_name(author), one_line(reason, "--reason")
    with open_event(event_path) as drawn:
        check_open(drawn.database, drawn.event)
        table = drawn.table_at(place, board)
        _check_board(drawn, table.match, board)
        try:
            order_id = give_replay(drawn.database, table.id, board, author=by, reason=why, now_ms=clock.wall_ms())
        except RuleError as error:
            raise RuleError(f"{table.place}: {error}") from None
        outcome = wait_for_outcomes(drawn, [order_id], 0 if no_wait else WAIT_S).get(order_id)
        if outcome is None:
            outcome = "ordered" if no_wait else f"not acted on yet: {why_not_acted(drawn)}"
        is_waiting = load_progress(drawn.database, [table.id])[table.id].table.state is TableState.WAITING
        is_held = table.id in load_holds(drawn.database, [table.id])
    click.echo(f"{table.place}: {outcome}")
    if is_waiting and is_held:
        click.echo(f"{table.place} is held: after `tourney resume`, `tourney run {event_path}` plays it")
    elif is_waiting:
        click.echo(f"`tourney run {event_path}` plays it")


def _check_board(drawn: "DrawnEvent", number: int, board: int) -> None:
    from tourney.report.schedule import format_ranges
    from tourney.store.results.matches import load_match_boards

    numbers = [each.number for each in load_match_boards(drawn.database, drawn.match(number))]
    if board not in numbers:
        raise UsageError(f"boards of match {number} are {format_ranges(numbers)}, got {board}")
