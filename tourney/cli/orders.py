"""How commands give orders to tables: the author of an order and its outcome."""

import getpass
import sys
from collections.abc import Callable
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

from tourney.errors import LaunchError, UsageError
from tourney.table import clock

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tourney.event.drawn import DrawnEvent

WAIT_S: Final = 3.0
"""How long a command waits for hosts to act; they look for orders at least once a second."""

POLL_S: Final = 0.1
AUTHOR_MAX: Final = 100
"""Maximum length of a name in characters: the width of the database column."""
TEXT_MAX: Final = 500
"""Maximum length of a reason in characters: it is shown to players and printed in lists."""

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
    return one_line(given, "--by", AUTHOR_MAX)


def one_line(text: str, what: str, limit: int = TEXT_MAX) -> str:
    """Return a director's text on one line, with single blanks.

    Raises:
        UsageError: the text is empty, too long, or has characters that cannot be printed.
    """
    line = " ".join(text.split())
    if not line:
        raise UsageError(f"{what} is empty")
    if len(line) > limit:
        raise UsageError(f"{what} has at most {limit} characters, got {len(line)}")
    if not line.isprintable():
        bad = next(character for character in line if not character.isprintable())
        raise UsageError(f"{what} has a character that cannot be printed: {bad!r}")
    return line


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


def wait_for_outcomes(drawn: "DrawnEvent", order_ids: "Iterable[int]", wait_s: float) -> dict[int, str]:
    """Wait until orders have been acted on, for at most `wait_s`; return the outcomes by the id of the order.

    A replay is carried out here if its table ends before its host has done it.
    """
    from tourney.store.control.orders import load_outcomes, settle_replays

    ids = list(order_ids)
    until = monotonic() + wait_s
    while True:
        settle_replays(drawn.database, drawn.event.id, clock.wall_ms())
        outcomes = load_outcomes(drawn.database, ids)
        if len(outcomes) == len(ids) or monotonic() >= until:
            return outcomes
        sleep(POLL_S)


def why_not_acted(drawn: "DrawnEvent") -> str:
    """Return why an order has not been acted on in time."""
    from tourney.coordinator.run_lease import load_activity

    if not load_activity(drawn.file, drawn.database, drawn.event.id, clock.wall_ms()).is_played:
        return "no run is in progress"
    return f"its host has not answered within {WAIT_S:g} s"


def now_or_never(drawn: "DrawnEvent", place: str, order_id: int) -> str:
    """Return the outcome of an order that only makes sense now; it is withdrawn if no host acts on it in time.

    Raises:
        LaunchError: it was withdrawn.
    """
    from tourney.store.control.orders import load_outcomes, mark_acted

    outcomes = wait_for_outcomes(drawn, [order_id], WAIT_S)
    if not outcomes:
        why = why_not_acted(drawn)
        if mark_acted(drawn.database, order_id, f"withdrawn: {why}", clock.wall_ms()):
            raise LaunchError(f"{place}: not done and withdrawn, {why}")
        outcomes = load_outcomes(drawn.database, [order_id])
    return outcomes[order_id]
