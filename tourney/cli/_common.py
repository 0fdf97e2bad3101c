"""What commands share: the argument EVENT and what it opens, options that mean the same everywhere, exit statuses."""

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

if TYPE_CHECKING:
    from tourney.event.drawn import DrawnEvent
    from tourney.store.draw.objects import MatchInfo

EXIT_BUG: Final = 70
"""A bug of ours, shown with its traceback."""

EXIT_INTERRUPTED: Final = 130
"""Stopped with Ctrl-C: 128 and the number of the signal, as shells have it."""

SEAT_NAMES: Final = ("North", "East", "South", "West")
"""What options that name a seat take; `tourney.bridge` would have to be loaded for its own."""

ONE_PROCESS_BOARDS_MAX: Final = 8000
"""Boards at tables up to which one process is faster: starting others takes as long as some 3,000 boards."""

PROCESSES_MAX: Final = 64

_Function = TypeVar("_Function", bound=Callable[..., Any])


def event_argument(function: _Function) -> _Function:
    """EVENT, the path of an event file that is there."""
    path = click.Path(exists=True, dir_okay=False, path_type=Path)
    return click.argument("event_path", metavar="EVENT", type=path)(function)


@contextmanager
def open_event(path: Path, of_match: int | None = None) -> "Iterator[DrawnEvent]":
    """As `tourney.event.drawn.open_event`, which is loaded once a command runs: the help of commands stays quick."""
    from tourney.event import drawn

    with drawn.open_event(path, of_match) as opened:
        yield opened


def jobs_option(of: str = "") -> Callable[[_Function], _Function]:
    """`--jobs`, None unless it is given; `of` names the part of the work that is shared, where not all of it is."""
    text = f"Processes that share the work{of}; by default one per core for a big event, else one."
    return click.option("--jobs", type=click.IntRange(1, PROCESSES_MAX), metavar="N", help=text)


def processes_for(matches: "Iterable[MatchInfo]") -> int:
    """How many processes go through the calls and cards of these matches in the shortest time."""
    boards = sum(table.boards for match in matches for table in match.tables)
    return (os.cpu_count() or 1) if boards > ONE_PROCESS_BOARDS_MAX else 1
