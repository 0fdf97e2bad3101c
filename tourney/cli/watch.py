"""`tourney watch`: follow a table as it plays."""

from pathlib import Path
from time import sleep
from typing import TYPE_CHECKING, Final

import click

from tourney.cli._common import EXIT_INTERRUPTED, event_argument, flag_option, open_event
from tourney.cli._output import director_option
from tourney.errors import LaunchError
from tourney.runtime import clock

if TYPE_CHECKING:
    from tourney.event.drawn import DrawnEvent
    from tourney.movement.seating import TableInfo
    from tourney.views.watch import WatchMoment

EVERY_S: Final = 0.2
"""How often the record is read for the director, in seconds: faster than an eye follows, and only a few rows."""

WATCHERS_EVERY_S: Final = 1.0
"""The same for everybody else; which boards are free takes a look at all tables."""


@click.command("watch")
@event_argument
@click.argument("place", metavar="MATCH-ROOM")
@director_option("every call and card at once, all four hands and the alerts")
@flag_option("--from-start", help="Begin with the first board, not with the one in play.")
def watch_command(event_path: Path, place: str, is_director: bool, from_start: bool) -> None:
    """Follow a table, board by board.

    EVENT is the path of an event file, MATCH-ROOM a table, such as 3-open. A board is shown once no table has it to
    play any more, with the hands hidden except dummy's; `live` in `[web]` of the event file can show more. With
    --director every call and card is shown as it is recorded. The command ends when the table has finished, or with
    Ctrl-C.

    Exit status: 0 when the table has finished, 1 when it cannot continue, 130 after Ctrl-C.
    """
    with open_event(event_path) as drawn:
        table = drawn.table_at(place)
        try:
            _follow(drawn, table, is_director=is_director, from_start=from_start)
        except KeyboardInterrupt:
            raise SystemExit(EXIT_INTERRUPTED) from None


def _follow(drawn: "DrawnEvent", table: "TableInfo", *, is_director: bool, from_start: bool) -> None:
    from tourney.coordinator.run_lease import load_activity
    from tourney.movement.seating import TableState
    from tourney.views.schedule import format_ranges
    from tourney.views.watch import TableFollower, describe_wait

    follower = TableFollower(drawn, table, is_director=is_director, from_start=from_start)
    view = _Transcript(is_director=is_director)
    click.echo(f"{table.place}: {table.ns_team} North-South, {table.ew_team} East-West")
    while True:
        now_ms = clock.wall_ms()
        is_played = load_activity(drawn.file, *drawn.record, now_ms).is_played
        moment = follower.poll(now_ms, is_played=is_played)
        view.show(moment, describe_wait(moment.status, now_ms, drawn.zone, is_played=is_played))
        state = moment.status.table.state
        if state in (TableState.FINISHED, TableState.FAILED):
            break
        sleep(EVERY_S if is_director else WATCHERS_EVERY_S)
    if state is TableState.FAILED:
        raise LaunchError(f"{table.place} cannot go on: {moment.status.table.reason}")
    click.echo(f"{table.place} is over")
    if moment.hidden:
        boards = format_ranges(sorted(moment.hidden))
        click.echo(f"not shown, as other tables still have them to play: {boards}")


class _Transcript:
    """Prints a line for each thing that is recorded."""

    def __init__(self, *, is_director: bool) -> None:
        self._is_director = is_director
        self._lines: dict[tuple[int, int], int] = {}
        """The number of lines printed of each attempt, by board and number."""
        self._wait = ""

    def show(self, moment: "WatchMoment", wait: str) -> None:
        from tourney.views.watch import transcript

        for board in moment.boards:
            attempt = (board.board.number, board.attempt)
            lines = transcript(board, is_director=self._is_director)
            for line in lines[self._lines.get(attempt, 0) :]:
                click.echo(line)
            self._lines[attempt] = len(lines)
        for note in moment.notes:
            click.echo(f"-- {note}")
        if wait != self._wait:
            click.echo(f"-- {wait or 'goes on'}")
            self._wait = wait
