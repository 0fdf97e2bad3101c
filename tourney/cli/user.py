"""`tourney user`: who may use the director's desk of an event, and as what."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import click

from tourney.cli._common import SuggestingGroup, event_argument, open_event
from tourney.cli._output import Printer, form_options, print_csv, print_json
from tourney.errors import UsageError
from tourney.output.rows import Cell, Row
from tourney.output.units import Time
from tourney.runtime import clock

if TYPE_CHECKING:
    from tourney.event.drawn import DrawnEvent

ROLES: Final = ("organiser", "director", "operator")
"""Values of `--role`; repeated here so that `--help` need not load the store."""

LINE_CHARS_MAX: Final = 10_000
"""More is not read where a pass phrase is piped in."""


class DeskUserDocument(Row):
    """A user of the director's desk."""

    name: Annotated[str, Cell("User")]
    """The name that the user logs in with."""
    role: Annotated[str, Cell("Role")]
    """`organiser`, `director` or `operator`."""
    team: Annotated[str | None, Cell("Team")]
    """The team that the user belongs to."""
    created: Annotated[Time, Cell("Since")]
    """When the user was added."""


class DeskUsersDocument(Row):
    """The users of the director's desk of an event."""

    event: str
    """The name of the event."""
    users: list[DeskUserDocument]
    """The users by name."""


_name_argument = click.argument("name", metavar="NAME")
_team_option = click.option(
    "--team", metavar="TEAM", help="Team that the user belongs to, on which they cannot rule."
)


@click.group("user", cls=SuggestingGroup)
def user_group() -> None:
    """Say who may use the director's desk of `tourney serve`, and as what.

    The desk is there once it has a user. A pass phrase is asked for at a terminal, or read from the first line of
    standard input; never give one on a command line, which every program of the machine can read.
    """


@user_group.command("add")
@event_argument
@_name_argument
@click.option("--role", type=click.Choice(ROLES), default="director", show_default=True, help="What the user may do.")
@_team_option
def add_command(event_path: Path, name: str, role: str, team: str | None) -> None:
    """Add a user, and ask for the pass phrase.

    EVENT is the path of an event file, NAME what the user logs in with: letters, digits, `.`, `_`, `-`, in either
    case. An operator answers alerts, pauses and resumes, and sees no hands; a director gives every order and ruling;
    an organiser also makes results final and manages users. Who belongs to a team neither rules on its matches nor
    sees the hands of boards that it still has to play.
    """
    from tourney.store.models import UserRole
    from tourney.store.users import add_user, has_users, hash_user_phrase, load_phrase_hash, parse_user_name

    login = parse_user_name(name)
    with open_event(event_path) as drawn:
        team_id = _team_id(drawn, team)
        if load_phrase_hash(drawn.database, drawn.event.id, login) is None:
            hashed = hash_user_phrase(_ask_phrase(login))
        else:
            hashed = ""  # refused below, before a phrase is asked for
        is_first = not has_users(drawn.database, drawn.event.id)
        add_user(drawn.database, drawn.event.id, login, UserRole(role), team_id, hashed, clock.wall_ms())
    click.echo(f"{login}: {role}{_of_team(team)}")
    if is_first:
        click.echo("`tourney serve` has a desk from now on, at /desk")


@user_group.command("list")
@event_argument
@form_options
def list_command(event_path: Path, as_json: bool, as_csv: bool) -> None:
    """List the users of the desk, with their roles.

    EVENT is the path of an event file.
    """
    from tourney.output.tables import csv_table, text_table
    from tourney.output.times import format_utc
    from tourney.store.users import load_users

    with open_event(event_path) as drawn:
        users = [
            DeskUserDocument(user.name, user.role, user.team, format_utc(user.created_at_ms))
            for user in load_users(drawn.database, drawn.event.id)
        ]
    if as_json:
        print_json(DeskUsersDocument(drawn.event.name, users))
    elif as_csv:
        print_csv(csv_table(DeskUserDocument, users))
    elif not users:
        click.echo("no users: `tourney user add` makes one, and with it the desk")
    else:
        Printer().print(text_table(DeskUserDocument, users))


@user_group.command("remove")
@event_argument
@_name_argument
def remove_command(event_path: Path, name: str) -> None:
    """Remove a user, whose sessions end at once.

    EVENT is the path of an event file. Orders, rulings and the log of the desk keep the name.
    """
    from tourney.store.users import parse_user_name, remove_user

    login = parse_user_name(name)
    with open_event(event_path) as drawn:
        remove_user(drawn.database, drawn.event.id, login)
    click.echo(f"{login}: removed")


@user_group.command("passwd")
@event_argument
@_name_argument
def passwd_command(event_path: Path, name: str) -> None:
    """Give a user another pass phrase; the sessions with the old one end.

    EVENT is the path of an event file.
    """
    from tourney.errors import RuleError
    from tourney.store.users import change_phrase, hash_user_phrase, load_phrase_hash, parse_user_name

    login = parse_user_name(name)
    with open_event(event_path) as drawn:
        if load_phrase_hash(drawn.database, drawn.event.id, login) is None:
            raise RuleError(f"there is no user {login!r}", remedy="`tourney user list` names them")
        hashed = hash_user_phrase(_ask_phrase(login))
        change_phrase(drawn.database, drawn.event.id, login, hashed, clock.wall_ms())
    click.echo(f"{login}: new pass phrase")


@user_group.command("role")
@event_argument
@_name_argument
@click.argument("role", type=click.Choice(ROLES))
@_team_option
def role_command(event_path: Path, name: str, role: str, team: str | None) -> None:
    """Give a user another role, and the team of --team or none; their sessions end.

    EVENT is the path of an event file.
    """
    from tourney.store.models import UserRole
    from tourney.store.users import change_role, parse_user_name

    login = parse_user_name(name)
    with open_event(event_path) as drawn:
        change_role(drawn.database, drawn.event.id, login, UserRole(role), _team_id(drawn, team), clock.wall_ms())
    click.echo(f"{login}: {role}{_of_team(team)}")


@user_group.command("log-out")
@event_argument
@_name_argument
def log_out_command(event_path: Path, name: str) -> None:
    """End all sessions of a user, who can log in again.

    EVENT is the path of an event file.
    """
    from tourney.errors import RuleError
    from tourney.store.users import end_all_sessions, load_phrase_hash, parse_user_name

    login = parse_user_name(name)
    with open_event(event_path) as drawn:
        found = load_phrase_hash(drawn.database, drawn.event.id, login)
        if found is None:
            raise RuleError(f"there is no user {login!r}", remedy="`tourney user list` names them")
        end_all_sessions(drawn.database, found[0], clock.wall_ms())
    click.echo(f"{login}: logged out everywhere")


def _team_id(drawn: "DrawnEvent", team: str | None) -> int | None:
    if team is None:
        return None
    name = drawn.team_named(team)
    return next(each.id for each in drawn.event.teams if each.name == name)


def _of_team(team: str | None) -> str:
    return f" of {team}" if team is not None else ""


def _ask_phrase(login: str) -> str:
    """Ask for a pass phrase twice at a terminal; elsewhere read a line."""
    from tourney.store.users import check_phrase

    if sys.stdin.isatty():
        phrase = click.prompt(f"Pass phrase of {login}", hide_input=True, confirmation_prompt="Once more", err=True)
    else:
        phrase = sys.stdin.readline(LINE_CHARS_MAX).rstrip("\r\n")
        if not phrase:
            raise UsageError("there is no terminal to ask for the pass phrase, and no line on standard input")
    return check_phrase(phrase, login)
