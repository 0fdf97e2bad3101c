"""The command `tourney user`: who may use the director's console of an event, and as what."""

from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from tourney.cli._common import event_argument, open_event
from tourney.cli._output import Printer, form_options, print_csv, print_json
from tourney.errors import UsageError
from tourney.output.content import Instant
from tourney.output.rows import NOTHING, Cell, Row
from tourney.output.units import Moment

if TYPE_CHECKING:
    from tourney.director.action import DirectorAction

USER_ROLES: Final = ("organiser", "director", "operator")
"""Values of `--role`; repeated here so that `--help` need not load the store."""


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


@click.command("user")
@event_argument
@click.argument("name", required=False)
@click.option("--add", "adds", is_flag=True, help="Add the user, and ask for the passphrase.")
@click.option("--role", type=click.Choice(USER_ROLES), help="What the user may do; by default a new one is director.")
@click.option("--team", metavar="TEAM", help="With --add or --role: the team that the user belongs to.")
@click.option("--log-out", "what", flag_value="log-out", help="End all sessions of the user, who can log in again.")
@click.option(
    "--remove", "what", flag_value="remove", help="Remove the user; orders, rulings and the log keep the name."
)
@form_options
def user_command(
    event_path: Path,
    name: str | None,
    adds: bool,
    role: str | None,
    team: str | None,
    what: str | None,
    as_json: bool,
    as_csv: bool,
) -> None:
    """List the users of the director's console, or add, change or remove one.

    EVENT is the path of an event file. Without NAME the users are listed. NAME is what a user logs in with: letters,
    digits, `.`, `_`, `-`, in either case. With NAME alone the user gets another passphrase. Whatever is changed, the
    sessions of the user end. `tourney serve` has a console once it has a user.

    An operator answers alerts, pauses and resumes, and sees no hands; a director gives every order and ruling; an
    organiser also makes results final and manages users. A user who belongs to a team neither rules on its matches
    nor sees the hands of boards that it still has to play.

    A passphrase is asked for at a terminal, or read from the first line of standard input. Never give one on a
    command line: every program of the machine can read it.

    \b
        tourney user club.toml
        tourney user club.toml ben --add --role operator
        tourney user club.toml ben
    """  # noqa: D301 # Click knows a paragraph to be kept as it is by the character itself
    first = "--add" if adds else "--role" if role is not None else None
    if what is not None and first is not None:
        raise UsageError(f"{first} and --{what}: give one of them")
    if team is not None and first is None:
        raise UsageError("--team goes with --add or --role")
    if name is None:
        if first is not None or what is not None:
            raise UsageError(f"{first or f'--{what}'} needs the NAME of a user")
        _print_users(event_path, as_json=as_json, as_csv=as_csv)
        return
    if as_json or as_csv:
        raise UsageError("--json and --csv are for the list of users: leave out NAME")
    from tourney.cli.director import act, basis_of
    from tourney.director.users import AddUser, ChangePhrase, ChangeRole, LogOutUser, RemoveUser
    from tourney.store.models import UserRole
    from tourney.store.users import parse_user_name

    login = parse_user_name(name)
    action: DirectorAction
    if adds:
        action = AddUser(login, UserRole(role or UserRole.DIRECTOR), team)
    elif role is not None:
        action = ChangeRole(login, UserRole(role), team)
    elif what is not None:
        action = LogOutUser(login) if what == "log-out" else RemoveUser(login)
    else:
        action = ChangePhrase(login)
    act(event_path, action, basis_of(None))


def _print_users(event_path: Path, *, as_json: bool, as_csv: bool) -> None:
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
        click.echo("no users: `tourney user EVENT NAME --add` makes one, and with it the console")
    else:
        columns = [
            Cell("User", lambda user: user.name),
            Cell("Role", lambda user: user.role),
            Cell("Team", lambda user: user.team or NOTHING),
            Cell("Since", lambda user: Instant(user.created, drawn.zone)),
        ]
        Printer().print(make_table(columns, users))
