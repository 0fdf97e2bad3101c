"""`tourney pause`, `resume`, `stop`, `kick` and `replay-board`: the director's orders to tables."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tourney.cli._common import event_argument, open_event
from tourney.cli.orders import ask_first, by_option, carry_out, grounds_of, no_wait_option, yes_option

if TYPE_CHECKING:
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
    from tourney.store.models import OrderKind

    _hold(event_path, place, OrderKind.STOP, author, no_wait=no_wait, after_board=after_board)


def _hold(
    event_path: Path,
    place: str | None,
    kind: "OrderKind",
    author: str | None,
    *,
    no_wait: bool,
    after_board: bool = False,
) -> None:
    from tourney.director.orders import Hold

    carry_out(event_path, Hold(kind, place, after_board, not no_wait), grounds_of(None, author))


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
    from tourney.director.orders import Kick
    from tourney.event.drawn import seat_named

    basis = grounds_of(reason, author)
    kick = Kick(place, seat_named(seat), no_forfeit)
    with open_event(event_path) as drawn:
        board = kick.board_in_play(drawn)
        preview = replace(kick, board=board).preview(drawn)
        if preview.cost:
            instead = "With --no-forfeit it is begun again instead."
            ask_first(f"{preview.cost} {instead}", preview.question, is_sure=is_sure)
        if not is_sure:
            # A board that was named is the one that is meant; by the time that the host acts, another may be in play.
            kick = replace(kick, board=board)
        for line in kick.carry_out(drawn, basis):
            click.echo(line)


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
    from tourney.director.orders import ReplayBoard

    basis = grounds_of(reason, author)
    replay = ReplayBoard(place, board, not no_wait)
    with open_event(event_path) as drawn:
        preview = replay.preview(drawn)
        if preview.cost:
            ask_first(preview.cost, preview.question, is_sure=is_sure)
        for line in replay.carry_out(drawn, basis):
            click.echo(line)
