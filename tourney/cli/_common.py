"""What commands share: the argument EVENT and how it is opened, common options, exit statuses."""

import os
import signal
import threading
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

if TYPE_CHECKING:
    from tourney.config.suites import DealSource
    from tourney.contest.draw import MatchInfo
    from tourney.event.drawn import DrawnEvent

EXIT_BUG: Final = 70
"""A bug in tourney, shown with its traceback."""

EXIT_UNFINISHED: Final = 75
"""Ended by SIGTERM, or at the time of --until, with a part left: EX_TEMPFAIL of sysexits.h, so try again."""

EXIT_INTERRUPTED: Final = 130
"""Stopped with Ctrl-C: 128 plus the number of the signal, as in shells."""

SEAT_NAMES: Final = ("North", "East", "South", "West")
"""Values of options that name a seat; repeated here so that `--help` need not load `tourney.bridge`."""

ONE_PROCESS_BOARDS_MAX: Final = 8000
"""The number of boards, counted per table, up to which one process is faster: starting more takes as long as reading
some 3,000 boards."""

PATH: Final = click.Path(path_type=Path)
FILE: Final = click.Path(dir_okay=False, path_type=Path)
EXISTING_FILE: Final = click.Path(exists=True, dir_okay=False, path_type=Path)
FOLDER: Final = click.Path(file_okay=False, path_type=Path)
"""Types of arguments and options that name a file or a folder."""


Function = TypeVar("Function", bound=Callable[..., Any])


def event_argument(function: Function) -> Function:
    """Add the argument EVENT, the path of an existing event file."""
    return click.argument("event_path", metavar="EVENT", type=EXISTING_FILE)(function)


def parse_source(_ctx: click.Context, _parameter: click.Parameter, value: str | None) -> "DealSource | None":
    """Return where boards come from: a file, or a suite by its name; the callback of an option or an argument."""
    from tourney.config.suites import DealSource

    return DealSource.parse(value) if value is not None else None


def flag_option(*names: str, **settings: Any) -> Callable[[Function], Function]:  # click's
    """Return an option that is given without a value."""
    return click.option(*names, is_flag=True, **settings)


def default_option(*names: str, **settings: Any) -> Callable[[Function], Function]:  # click's
    """Return an option whose help names its default."""
    return click.option(*names, show_default=True, **settings)


def match_option(help_: str) -> Callable[[Function], Function]:
    """Return the option `--match` (`number`), a match by its number in the schedule."""
    return click.option("--match", "number", type=int, metavar="N", help=help_)


def protocol_option(help_: str) -> Callable[[Function], Function]:
    """Return the option `--protocol`, the language of a program."""
    languages = click.Choice(["blue-chip", "stateful"])
    return default_option("--protocol", type=languages, default="blue-chip", help=help_)


def print_note(text: str) -> None:
    """Print what stands beside the output of a command: to standard error."""
    click.echo(text, err=True)


def open_event(
    path: Path, of_match: int | None = None, *, is_director: bool = False
) -> "AbstractContextManager[DrawnEvent]":
    """Open an event like `tourney.event.drawn.open_event`, which is imported only here to keep `--help` quick."""
    from tourney.event import drawn

    return drawn.open_event(path, of_match, is_director=is_director)


def terminate_at(moment: datetime) -> None:
    """Have this process receive SIGTERM at a local time."""
    wait_s = (moment - datetime.now()).total_seconds()  # noqa: DTZ005 # both are of this machine
    timer = threading.Timer(wait_s, os.kill, (os.getpid(), signal.SIGTERM))
    timer.daemon = True
    timer.start()


def available_cores() -> int:
    """Return how many cores this process may use: of a machine that is shared, those that it was given."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def processes_for(matches: "Iterable[MatchInfo]") -> int:
    """Return how many processes read the calls and cards of these matches fastest."""
    boards = sum(table.boards for match in matches for table in match.tables)
    return available_cores() if boards > ONE_PROCESS_BOARDS_MAX else 1
