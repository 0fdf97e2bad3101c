"""How commands give orders to tables: in whose name, and what comes of them."""

import getpass
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
"""How long a command waits for hosts to act; they look once a second at least."""

POLL_S: Final = 0.1
AUTHOR_MAX: Final = 100
"""Characters, as the database has room for."""
TEXT_MAX: Final = 500
"""Characters of a reason: it is told to players and printed in lists."""

_Function = TypeVar("_Function", bound=Callable[..., Any])


def by_option(function: _Function) -> _Function:
    """`--by`, the author of the order."""
    return click.option("--by", "author", metavar="NAME", help="Who asks for it; by default your login name.")(
        function
    )


def no_wait_option(function: _Function) -> _Function:
    """`--no-wait`: do not wait for hosts."""
    return click.option("--no-wait", is_flag=True, help="Do not wait until the tables have acted on it.")(function)


def author_name(given: str | None) -> str:
    """The author of an order: as given, else the login name.

    Raises:
        UsageError: it is not to be had, or does not fit.
    """
    if given is None:
        try:
            given = getpass.getuser()
        except (KeyError, ImportError, OSError):
            raise UsageError("--by: this user has no login name, so give the name of who asks") from None
    return one_line(given, "--by", AUTHOR_MAX)


def one_line(text: str, what: str, limit: int = TEXT_MAX) -> str:
    """Words of a director, with single blanks.

    Raises:
        UsageError: there are none, too many, or characters that no line can hold.
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


def wait_for_outcomes(drawn: "DrawnEvent", order_ids: "Iterable[int]", wait_s: float) -> dict[int, str]:
    """What has come of orders, as soon as all have been acted on or the time is over, by the id of the order.

    A replay is done here when its table ends before its host has done it.
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
    """Why an order has not been acted on in time."""
    from tourney.coordinator.run_lease import load_activity

    if not load_activity(drawn.file, drawn.database, drawn.event.id, clock.wall_ms()).is_played:
        return "no run is in progress"
    return f"its host has not answered within {WAIT_S:g} s"


def now_or_never(drawn: "DrawnEvent", place: str, order_id: int) -> str:
    """What came of an order that makes sense now alone; it is withdrawn when no host acts on it in time.

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
