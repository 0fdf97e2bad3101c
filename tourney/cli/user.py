"""`tourney user`: who may use the director's console of an event, and as what."""

from datetime import tzinfo
from pathlib import Path
from typing import Annotated

import click

from tourney.cli._common import event_argument, open_event
from tourney.cli._output import Printer, form_options, print_csv, print_json
from tourney.output.rows import TEXT_ONLY, Cell, Row
from tourney.output.units import Moment
from tourney.times import format_moment


class ConsoleUserDocument(Row):
    """A user of the director's console."""

    name: Annotated[str, Cell("User")]
    """The name that the user logs in with."""
    role: Annotated[str, Cell("Role")]
    """`organiser`, `director` or `operator`."""
    team: Annotated[str | None, Cell("Team")]
    """The team that the user belongs to."""
    created: Annotated[Moment, Cell("Since", lambda row: format_moment(row.created, row.zone))]
    """When the user was added."""
    zone: Annotated[tzinfo | None, TEXT_ONLY]
    """The time zone in which people read times; None for that of this machine."""


class ConsoleUsersDocument(Row):
    """The users of the director's console of an event."""

    event: str
    """The name of the event."""
    users: list[ConsoleUserDocument]
    """The users by name."""


@click.command("list")
@event_argument
@form_options
def list_command(event_path: Path, as_json: bool, as_csv: bool) -> None:
    """List the users of the console, with their roles.

    EVENT is the path of an event file.
    """
    from tourney.output.tables import csv_table, text_table
    from tourney.store.users import load_users

    with open_event(event_path) as drawn:
        users = [
            ConsoleUserDocument(user.name, user.role, user.team, user.created_at_ms, drawn.zone)
            for user in load_users(drawn.database, drawn.event.id)
        ]
    if as_json:
        print_json(ConsoleUsersDocument(drawn.event.name, users))
    elif as_csv:
        print_csv(csv_table(ConsoleUserDocument, users))
    elif not users:
        click.echo("no users: `tourney user add` makes one, and with it the console")
    else:
        Printer().print(text_table(ConsoleUserDocument, users))
