"""`tourney pause`, `resume`, `stop`, `kick` and `replay-board`: the director's orders to tables."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from tourney.cli._common import event_argument, open_event
from tourney.cli.orders import (
    WAIT_S,
    ask_first,
    author_name,
    by_option,
    no_wait_option,
    now_or_never,
    one_line,
    wait_for_outcomes,
    why_not_acted,
    yes_option,
)
from tourney.errors import RuleError, UsageError
from tourney.table import clock

if TYPE_CHECKING:
    from tourney.event.drawn import DrawnEvent
    from tourney.store.draw.objects import MatchInfo
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
@click.option("--after-board", is_flag=True, help="Let the board in play be finished, and stop before the next.")
@by_option
@no_wait_option
def stop_command(event_path: Path, place: str | None, after_board: bool, author: str | None, no_wait: bool) -> None:
    """Stop tables: their sessions end, and they are not started again until `tourney resume`.

    EVENT is the path of an event file. PLACE is a match, such as 3, or one of its rooms, such as 3-open; without it
    the whole event stops. The current board stays unfinished and is played again, unless --after-board is given;
    finished boards count.
    """
    from tourney.store.control.orders import AFTER_BOARD
    from tourney.store.models import OrderKind

    _hold(event_path, place, OrderKind.STOP, author, no_wait=no_wait, seq=AFTER_BOARD if after_board else None)


def _hold(
    event_path: Path,
    place: str | None,
    kind: "OrderKind",
    author: str | None,
    *,
    no_wait: bool,
    seq: int | None = None,
) -> None:
    from tourney.store.control.orders import give_orders
    from tourney.store.models import TableState

    by = author_name(author)
    with open_event(event_path) as drawn:
        tables = [table for table in drawn.tables_at(place) if table.state is not TableState.FINISHED]
        if not tables:
            what = "every table of the event is" if place is None else f"{place} is"
            raise RuleError(f"{what} over: there is nothing to {kind.value}")
        now_ms = clock.wall_ms()
        ids = give_orders(drawn.database, [table.id for table in tables], kind, author=by, now_ms=now_ms, seq=seq)
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
@click.option("--no-forfeit", is_flag=True, help="Have the board in play begun again, at nobody's cost.")
@yes_option
@by_option
def kick_command(
    event_path: Path, place: str, seat: str, reason: str, author: str | None, *, no_forfeit: bool, is_sure: bool
) -> None:
    """End the connection of a player; in the middle of a board its side forfeits that.

    EVENT is the path of an event file, MATCH-ROOM a table, such as 3-open, SEAT North, East, South or West. What it
    costs is said first, and asked about on a terminal. If no host acts on it at once, nothing is done and the exit
    status is 1.
    """
    from tourney.event.drawn import seat_named
    from tourney.store.control.orders import NO_BOARD, NO_FORFEIT, give_orders
    from tourney.store.models import OrderKind, TableState
    from tourney.store.record.in_progress import load_board_in_play

    by, why, chair = author_name(author), one_line(reason, "--reason"), seat_named(seat)
    with open_event(event_path) as drawn:
        table = drawn.table_at(place)
        if table.state is TableState.FINISHED:
            raise RuleError(f"{table.place} is over: nobody sits there")
        if table.state not in (TableState.OPEN, TableState.PLAYING):
            raise RuleError(f"{table.place} is not open ({table.state.value}): nobody sits there")
        board = load_board_in_play(drawn.database, table.id)
        if board is not None and not no_forfeit:
            ours, theirs = table.team(chair.side), table.team(chair.side.other)
            cost = (
                f"{table.place}: board {board} is in play. If {chair.title} is sent away, {ours} forfeits it: "
                f"average minus to {ours}, average plus to {theirs}. With --no-forfeit it is begun again instead."
            )
            ask_first(cost, f"Send {chair.title} away?", is_sure=is_sure)
        # A board that was named is the one that is meant; by the time that the host acts, another may be in play.
        meant = None if is_sure or no_forfeit else board if board is not None else NO_BOARD
        (order_id,) = give_orders(
            drawn.database,
            [table.id],
            OrderKind.KICK,
            author=by,
            now_ms=clock.wall_ms(),
            seat=chair,
            board=meant,
            seq=NO_FORFEIT if no_forfeit else None,
            text=why,
        )
        outcome = now_or_never(drawn, table.place, order_id)
    click.echo(f"{table.place}: {outcome}")


@click.command("replay-board")
@event_argument
@_table_argument
@click.argument("board", metavar="BOARD", type=int)
@_reason_option
@yes_option
@by_option
@no_wait_option
def replay_board_command(
    event_path: Path, place: str, board: int, reason: str, author: str | None, *, no_wait: bool, is_sure: bool
) -> None:
    """Have a board played again in one room; its previous result stays on record as void.

    EVENT is the path of an event file, MATCH-ROOM a table, such as 3-open, BOARD the number of a board that has been
    begun there. The result, the score of the match and rulings by rule on the board are cancelled. If the table has
    finished, the run in progress comes back to it, or else the next `tourney run`. Where a later round was drawn from
    the result of the match, that is said first, and asked about on a terminal.
    """
    from tourney.coordinator.director import check_open
    from tourney.coordinator.run_lease import load_activity
    from tourney.store.control.orders import give_replay, load_holds
    from tourney.store.control.tables import load_progress
    from tourney.store.models import TableState

    by, why = author_name(author), one_line(reason, "--reason")
    with open_event(event_path) as drawn:
        check_open(drawn.database, drawn.event)
        table = drawn.table_at(place, board)
        _check_board(drawn, table.match, board)
        cost = _say_what_was_drawn(drawn, drawn.match(table.match))
        if cost:
            ask_first(f"{table.place}: {cost}", f"Play board {board} again?", is_sure=is_sure)
        try:
            order_id = give_replay(drawn.database, table.id, board, author=by, reason=why, now_ms=clock.wall_ms())
        except RuleError as error:
            raise RuleError(f"{table.place}: {error}") from None
        outcome = wait_for_outcomes(drawn, [order_id], 0 if no_wait else WAIT_S).get(order_id)
        if outcome is None:
            outcome = "ordered" if no_wait else f"not acted on yet: {why_not_acted(drawn)}"
        is_waiting = load_progress(drawn.database, [table.id])[table.id].table.state is TableState.WAITING
        is_held = table.id in load_holds(drawn.database, [table.id])
        is_run = load_activity(drawn.file, drawn.database, drawn.event.id, clock.wall_ms()).is_run
    click.echo(f"{table.place}: {outcome}")
    who = "the run in progress" if is_run else f"`tourney run {event_path}`"
    if is_waiting and is_held:
        click.echo(f"{table.place} is held: after `tourney resume`, {who} plays it")
    elif is_waiting:
        click.echo(f"{who} plays it")


def _say_what_was_drawn(drawn: "DrawnEvent", match: "MatchInfo") -> str:
    """Return what becomes of the rounds that were drawn from the result of a match; empty if there are none."""
    from tourney.coordinator.draw.next_rounds import has_begun, rounds_drawn_from

    rounds = rounds_drawn_from(drawn.event, match)
    begun = [each for each in rounds if has_begun(drawn.database, drawn.event.stages[each.stage - 1], each)]
    of = f"drawn from the result of match {match.number}"
    sentences = []
    for each in rounds:
        becomes = "stays as it is: it has begun" if each in begun else "is drawn again if the result is in by then"
        sentences.append(f"round {each.number} was {of} and {becomes}")
    return "; ".join(sentences)


def _check_board(drawn: "DrawnEvent", number: int, board: int) -> None:
    from tourney.report.schedule import format_ranges
    from tourney.store.results.matches import load_match_boards

    numbers = [each.number for each in load_match_boards(drawn.database, drawn.match(number))]
    if board not in numbers:
        raise UsageError(f"boards of match {number} are {format_ranges(numbers)}, got {board}")
