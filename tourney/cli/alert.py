"""`tourney alert`: the operator's answers to whether a call is alertable (BC-25, BC-27)."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tourney.cli._common import event_argument, open_event
from tourney.cli._output import Printer, director_option
from tourney.cli.orders import by_option, carry_out, grounds_of
from tourney.errors import UsageError
from tourney.output.tables import TextTable
from tourney.runtime import clock

if TYPE_CHECKING:
    from tourney.event.drawn import DrawnEvent
    from tourney.store.draw.objects import TableInfo


@click.command("alert")
@event_argument
@click.argument("place", metavar="[PLACE]", required=False)
@click.argument("text", metavar="[TEXT]", required=False)
@click.option("--no", "not_alertable", is_flag=True, help="Answer that the call is not alertable.")
@click.option("--board", type=int, metavar="N", help="Answer a question of this board.")
@click.option("--seq", "number", type=int, metavar="N", help="Answer on this call, counted from 1 as in the list.")
@click.option("--force", is_flag=True, help="Send the text even if it does not follow the grammar of the protocol.")
@director_option("the calls that wait, with their auctions,")
@by_option
def alert_command(
    event_path: Path,
    place: str | None,
    text: str | None,
    not_alertable: bool,
    board: int | None,
    number: int | None,
    force: bool,
    is_director: bool,
    author: str | None,
) -> None:
    """List calls waiting for the operator, or answer one.

    EVENT is the path of an event file. Without TEXT and --no, the waiting calls are listed, at PLACE or everywhere.
    The calls themselves are listed with --director only, as other tables may have the board to play.
    With either, the oldest question at PLACE, a table such as 3-open, is answered: TEXT says what the call means.

    \b
        tourney alert club.toml --director
        tourney alert club.toml 3-open "12 to 14 total points"
        tourney alert club.toml 3-open --no

    The exit status is 1 if no host takes the answer at once; then nothing is answered.
    """  # noqa: D301 # Click knows a paragraph to be kept as it is by the character itself
    if text is not None and not_alertable:
        raise UsageError("an answer is either a TEXT or --no, got both")
    is_answer = text is not None or not_alertable
    if is_answer and place is None:
        raise UsageError("--no answers at a table: name it, as 3-open")
    if is_answer and place is not None:
        from tourney.director.orders import AnswerAlert

        carry_out(event_path, AnswerAlert(place, text, board, number, force), grounds_of(None, author))
        return
    with open_event(event_path) as drawn:
        if board is not None or number is not None or force:
            raise UsageError("--board, --seq and --force go with an answer: give a TEXT or --no")
        _list(drawn, drawn.tables_at(place), is_director=is_director)


def _list(drawn: "DrawnEvent", tables: "Sequence[TableInfo]", *, is_director: bool) -> None:
    from tourney.output.times import format_duration
    from tourney.store.record.live import load_questions

    places = {table.id: table.place for table in tables}
    waiting = [question for question in load_questions(drawn.database, drawn.event.id) if question.table_id in places]
    if not waiting:
        click.echo("no call waits for an answer")
        return
    if not is_director:
        for question in waiting:
            click.echo(f"{places[question.table_id]}, board {question.board}: a call waits for an answer")
        click.echo("which calls: `tourney alert --director`")
        return
    now = clock.wall_ms()
    rows = TextTable("Table", ">Board", ">Call", "By", "Auction", ">Waits")
    for question in waiting:
        rows.add_row(
            places[question.table_id],
            str(question.board),
            str(question.seq + 1),
            question.seat.title,
            f"{question.dealer.title}: {' '.join(map(str, question.calls))}",
            format_duration(max(0, now - question.asked_at_ms)),
        )
    Printer().print(rows)
