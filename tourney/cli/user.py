"""The command `tourney user list`: who may use the director's console of an event, and as what."""

from pathlib import Path

import click

from tourney.cli._common import event_argument, open_event
from tourney.cli._output import Printer, form_options, print_csv, print_json
from tourney.output.content import Instant
from tourney.output.rows import NOTHING, Cell, Row
from tourney.output.units import Moment


class ConsoleUserDocument(Row):
    """A user of the director's console."""

    name: str
    """The name that the user logs in with."""
    role: str
    """`organiser`, `director` or `operator`."""
    team: str | None
    """The team that the user belongs to."""
    created: Moment
    """When the user was added."""


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
    """List the users of the director's console.

    EVENT is the path of an event file.
    """
    from tourney.output.tables import csv_table, make_table
    from tourney.store.users import load_users

    with open_event(event_path) as drawn:
        users = [
            ConsoleUserDocument(user.name, user.role, user.team, user.created_at_ms)
            for user in load_users(drawn.database, drawn.event.id)
        ]
    if as_json:
        print_json(ConsoleUsersDocument(drawn.event.name, users))
    elif as_csv:
        print_csv(csv_table(ConsoleUserDocument, users))
    elif not users:
        click.echo("no users: `tourney user add EVENT NAME ROLE` makes one, and with it the console")
    else:
        columns = [
            Cell("User", lambda user: user.name),
            Cell("Role", lambda user: user.role),
            Cell("Team", lambda user: user.team or NOTHING),
            Cell("Since", lambda user: Instant(user.created, drawn.zone)),
        ]
        Printer().print(make_table(columns, users))
