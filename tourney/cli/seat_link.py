"""`tourney seat-link`: a link by which one person sits down for a team in a browser, without its passphrase."""

from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

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
@hours_option
def seat_link_command(event_path: Path, team: str, hours: int) -> None:
    """Print a link by which one person sits down for a team in a browser, once and without the team's passphrase.

    EVENT is the path of an event file with `seats = true` in `[web]`, TEAM the name of a team in it. Send each link
    to one person: the first who uses it has the seat, in that browser. It is on record as a hash, so it is printed
    this once.

    \b
    tourney seat-link club.toml Alpha
    """  # noqa: D301 # Click knows a paragraph to be kept as it is by the character itself
    from tourney.store.models import LinkPurpose

    with open_event(event_path) as drawn:
        web = drawn.file.config.web
        if not web.seats:
            raise UsageError(f"nobody plays {drawn.event.name!r} in a browser: set seats = true in [web]")
        click.echo(f"{drawn.file.pages_address}seat/link/{add_link(drawn, team, LinkPurpose.SEAT, hours)}")


def add_link(drawn: "DrawnEvent", team: str, purpose: "LinkPurpose", hours: int) -> str:
    """Put a link of a team on record that can be used for so many hours; return its token, which is nowhere else.

    Raises:
        UsageError: there is no such team.
        StoreError: the database cannot be used.
    """
    from tourney.store.team_access import add_team_link

    name = drawn.team_named(team)
    team_id = next(each.id for each in drawn.event.teams if each.name == name)
    return add_team_link(drawn.database, drawn.event.id, team_id, purpose, clock.wall_ms(), hours * _MS_PER_HOUR)
