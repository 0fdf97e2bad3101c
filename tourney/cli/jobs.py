"""How many processes share the work of a command that goes through every call and card of an event."""

import os
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

if TYPE_CHECKING:
    from tourney.store.draw.objects import MatchInfo

_Function = TypeVar("_Function", bound=Callable[..., Any])

ALONE_MAX: Final = 8000
"""Boards at tables up to which one process is done sooner: to start others takes as long as some 3,000 boards."""

JOBS_MAX: Final = 64


def jobs_option(of: str = "") -> Callable[[_Function], _Function]:
    """`--jobs`, None unless it is given; `of` says what has such work, where not all of the command does."""
    text = f"Processes that share the work{of}; by default one a core for a big event, else one."
    return click.option("--jobs", type=click.IntRange(1, JOBS_MAX), metavar="N", help=text)


def jobs_for(matches: "Iterable[MatchInfo]") -> int:
    """How many processes go through these matches in the shortest time."""
    boards = sum(table.boards for match in matches for table in match.tables)
    return (os.cpu_count() or 1) if boards > ALONE_MAX else 1
