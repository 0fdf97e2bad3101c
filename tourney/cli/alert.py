"""`tourney alert`: the operator's answers to whether a call is alertable (BC-25, BC-27)."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from tourney.cli._common import event_argument, open_event
from tourney.cli._output import Printer, director_option
from tourney.cli.orders import author_name, by_option, now_or_never, one_line
from tourney.errors import FormatError, RuleError, UsageError
from tourney.report.report import TextTable
from tourney.table import clock

if TYPE_CHECKING:
    from tourney.event.drawn import DrawnEvent
    from tourney.store.draw.objects import TableInfo
    from tourney.store.record.live import QuestionInfo

ANSWER_MAX: Final = 1500
"""Maximum length of an answer in characters: that of the longest alerts that programs in use send each other."""


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
    with open_event(event_path) as drawn:
        if is_answer and place is not None:
            answer = _checked(text, force=force) if text is not None else ""
            _answer(drawn, drawn.table_at(place, board), answer, author, board=board, number=number)
        elif board is not None or number is not None or force:
            raise UsageError("--board, --seq and --force go with an answer: give a TEXT or --no")
        else:
            _list(drawn, drawn.tables_at(place), is_director=is_director)


def _list(drawn: "DrawnEvent", tables: "Sequence[TableInfo]", *, is_director: bool) -> None:
    from tourney.report.times import format_duration
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


def _checked(text: str, *, force: bool) -> str:
    """Return the answer on one line, checked against the grammar of the protocol (BC-22) unless forced."""
    from tourney.protocol.alerts import parse_alert

    line = one_line(text, "the answer", ANSWER_MAX)
    findings = parse_alert(line).findings
    if findings and not force:
        raise FormatError(f"the answer is not in the words of the protocol (--force sends it): {'; '.join(findings)}")
    return line


def _answer(
    drawn: "DrawnEvent",
    table: "TableInfo",
    answer: str,
    author: str | None,
    *,
    board: int | None,
    number: int | None,
) -> None:
    from tourney.store.control.orders import give_orders
    from tourney.store.models import OrderKind

    by = author_name(author)
    question = _chosen(drawn, table, board, number)
    (order_id,) = give_orders(
        drawn.database,
        [table.id],
        OrderKind.ALERT,
        author=by,
        now_ms=clock.wall_ms(),
        seat=question.seat,
        board=question.board,
        seq=question.seq,
        text=answer,
    )
    outcome = now_or_never(drawn, table.place, order_id)
    call = f"{question.seat.title}'s {question.calls[-1]}"
    click.echo(f"{table.place}, board {question.board}, {call}: {outcome}")


def _chosen(drawn: "DrawnEvent", table: "TableInfo", board: int | None, number: int | None) -> "QuestionInfo":
    """Return the oldest waiting question of a table that matches the options."""
    from tourney.store.record.live import load_questions

    for question in load_questions(drawn.database, drawn.event.id):
        is_asked_for = board in (None, question.board) and number in (None, question.seq + 1)
        if question.table_id == table.id and is_asked_for:
            return question
    of_board = f" of board {board}" if board is not None else ""
    what = "no call" if number is None else f"call {number}"
    waits = "does not wait" if number is not None else "waits"
    raise RuleError(f"{table.place}: {what}{of_board} {waits} for an answer")
