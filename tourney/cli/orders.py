"""How commands ask for actions of the director: who asks and why, whether it is meant, and what came of it."""

import getpass
import secrets
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from tourney.cli._common import open_event
from tourney.errors import UsageError
from tourney.runtime import clock

if TYPE_CHECKING:
    from tourney.coordinator.director import RulingBasis
    from tourney.director.action import DirectorAction

_Function = TypeVar("_Function", bound=Callable[..., Any])


def by_option(function: _Function) -> _Function:
    """Add `--by`, the author of the order."""
    return click.option("--by", "author", metavar="NAME", help="Who gives the order; by default your login name.")(
        function
    )


def no_wait_option(function: _Function) -> _Function:
    """Add `--no-wait`: do not wait for hosts."""
    return click.option("--no-wait", is_flag=True, help="Do not wait until the tables have acted on it.")(function)


def author_name(given: str | None) -> str:
    """Return the author of an order: the name given, else the login name.

    Raises:
        UsageError: there is no login name, or the name is too long or cannot be printed.
    """
    if given is None:
        try:
            given = getpass.getuser()
        except (KeyError, ImportError, OSError):
            raise UsageError("--by: this user has no login name, so give the name of who asks") from None
    from tourney.director.action import one_line
    from tourney.director.parameters import AUTHOR_MAX

    return one_line(given, "--by", AUTHOR_MAX)


def grounds_of(reason: str | None, author: str | None, law: str | None = None) -> "RulingBasis":
    """Return the grounds of an action: its author, reason and law as options gave them, and the time.

    Raises:
        UsageError: one of them is empty, too long or cannot be printed.
    """
    from tourney.coordinator.director import RulingBasis
    from tourney.director.action import one_line
    from tourney.director.parameters import AUTHOR_MAX

    by_law = one_line(law, "--law", AUTHOR_MAX) if law is not None else None
    why = one_line(reason, "--reason") if reason is not None else ""
    return RulingBasis(author_name(author), why, by_law, clock.wall_ms(), secrets.token_hex(16))


def carry_out(event_path: Path, action: "DirectorAction", basis: "RulingBasis") -> None:
    """Carry out an action of the director, and print what came of it."""
    with open_event(event_path) as drawn:
        for line in action.carry_out(drawn, basis):
            click.echo(line)


def yes_option(function: _Function) -> _Function:
    """Add `--yes`: do not ask."""
    return click.option("--yes", "is_sure", is_flag=True, help="Do it without asking, as in a script.")(function)


def is_terminal() -> bool:
    """Return whether there is a terminal on which to ask."""
    return sys.stdin.isatty()


def ask_first(cost: str, question: str, *, is_sure: bool) -> None:
    """Say what an order costs, and ask on a terminal whether it is meant; with `is_sure` it is.

    Raises:
        UsageError: there is no terminal on which to ask.
        click.Abort: it is not meant.
    """
    click.echo(cost, err=True)
    if is_sure:
        return
    if not is_terminal():
        raise UsageError("nothing was done: without a terminal on which to ask, `--yes` says that this is meant")
    click.confirm(question, abort=True, err=True)
