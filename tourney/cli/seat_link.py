"""`tourney seat-link`: a link by which one person sits down for a team in a browser, without its passphrase."""

from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from tourney.bridge import Seat
from tourney.cli._common import event_argument, open_event
from tourney.cli._ranges import IntRange
from tourney.errors import UsageError
from tourney.runtime import clock

if TYPE_CHECKING:
    from tourney.event.drawn import DrawnEvent
    from tourney.store.models import LinkPurpose

HOURS_MAX: Final = 31 * 24
_MS_PER_HOUR: Final = 3_600_000

hours_option: Final = click.option(
    "--hours", type=IntRange(1, HOURS_MAX), default=24, show_default=True, help="How long the link can be used."
)


@click.command("seat-link")
@event_argument
@click.argument("team")
@click.option(
    "--room", type=click.Choice(["open", "closed"]), help="Room of the seat; by default the person chooses."
)
@click.option("--seat", type=click.Choice("NESW"), help="Seat; by default the person chooses.")
@hours_option
def seat_link_command(event_path: Path, team: str, room: str | None, seat: str | None, hours: int) -> None:
    """Print a link by which one person sits down for a team in a browser, once and without the team's passphrase.

    EVENT is the path of an event file with `seats = true` in `[web]`, TEAM the name of a team in it. Send each link
    to one person: the first who uses it has the seat, in that browser. It is on record as a hash, so it is printed
    this once. Where its team sits the other way, a link for North leads to East, and one for South to West.

    \b
    tourney seat-link club.toml Alpha
    tourney seat-link club.toml Alpha --room closed --seat S
    """  # noqa: D301 # Click knows a paragraph to be kept as it is by the character itself
    from tourney.event.file import SEATS
    from tourney.store.models import LinkPurpose

    with open_event(event_path) as drawn:
        web = drawn.file.config.web
        if not web.seats:
            raise UsageError(f"nobody plays {drawn.event.name!r} in a browser: set seats = true in [web]")
        if room is not None and not any(stage.contest.has_rooms for stage in drawn.event.stages):
            raise UsageError(f"--room: a match of {drawn.event.name!r} has one table")
        if seat is not None and any(stage.format.changes_partners for stage in drawn.event.stages):
            raise UsageError(f"--seat: players of {drawn.event.name!r} change seats from round to round")
        chosen = next((each for each in Seat if each.letter == seat), None)
        token = add_link(drawn, team, LinkPurpose.SEAT, hours, chosen, room or "")
        print_address(drawn, SEATS, f"seat/link/{token}")


def print_address(drawn: "DrawnEvent", kind: str, page: str) -> None:
    """Print the address of a page of a kind that `tourney serve` has, and whether it is served now."""
    address, is_served = drawn.file.served_address(kind)
    click.echo(f"{address}{page}")
    if not is_served:
        click.echo(f"Nobody serves it now: it can be opened while `tourney serve {drawn.path}` runs.", err=True)


def add_link(
    drawn: "DrawnEvent", team: str, purpose: "LinkPurpose", hours: int, seat: Seat | None = None, room: str = ""
) -> str:
    """Put a link of a team on record that can be used for so many hours; return its token, which is nowhere else.

    Raises:
        UsageError: there is no such team.
        StoreError: the database cannot be used.
    """
    from tourney.store.team_access import add_team_link

    name = drawn.team_named(team)
    team_id = next(each.id for each in drawn.event.teams if each.name == name)
    lifetime_ms = hours * _MS_PER_HOUR
    return add_team_link(drawn.database, drawn.event.id, team_id, purpose, clock.wall_ms(), lifetime_ms, seat, room)
