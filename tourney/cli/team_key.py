"""`tourney team-key`: keys by which programs of a team come across the internet."""

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tourney.cli._common import event_argument, open_event
from tourney.cli._output import Printer, form_options, print_csv, print_json
from tourney.output.content import Instant
from tourney.output.rows import NOTHING, Cell, Row
from tourney.output.units import Moment

if TYPE_CHECKING:
    from tourney.event.drawn import DrawnEvent


class TeamKeyDocument(Row):
    """A key of a team; nobody can read from the record what it is."""

    team: str
    """The name of the team."""
    created: Moment
    """When the key was made."""
    revoked: Moment | None
    """When the key was revoked; null while it is valid."""


class TeamKeysDocument(Row):
    """The keys of the teams of an event."""

    event: str
    """The name of the event."""
    keys: list[TeamKeyDocument]
    """The keys in the order of the teams, those of a team as they were made."""


@click.command("team-key")
@event_argument
@click.argument("team", required=False)
@click.option("--list", "lists", is_flag=True, help="List the keys of TEAM, or of all teams, but not what they are.")
@click.option("--revoke", "revokes", is_flag=True, help="Revoke all keys of TEAM, and end what is connected by them.")
@form_options
def team_key_command(
    event_path: Path,
    team: str | None,
    lists: bool,
    revokes: bool,
    as_json: bool,
    as_csv: bool,
) -> None:
    """Make a key with which the programs of a team come across the internet, and print it once.

    EVENT is the path of an event file that has been drawn, TEAM the name of a team in it. The author of the team's
    programs gives the key to `tourney connect`. The record has only a hash of it: a key that is lost is replaced by a
    new one. A team may have several keys that are valid.

    \b
    tourney team-key club.toml Alpha > alpha.key
    """  # noqa: D301 # Click knows a paragraph to be kept as it is by the character itself
    if lists and revokes:
        raise click.UsageError("--list and --revoke exclude each other")
    if (as_json or as_csv) and not lists:
        raise click.UsageError("--json and --csv are for --list")
    with open_event(event_path) as drawn:
        name = drawn.team_named(team) if team is not None else None
        if lists:
            _print_keys(drawn, name, as_json=as_json, as_csv=as_csv)
        elif name is None:
            raise click.UsageError("TEAM is missing: the name of a team of the event")
        elif revokes:
            _revoke_keys(drawn, name)
        else:
            _make_key(drawn, name, event_path)


def _make_key(drawn: "DrawnEvent", name: str, event_path: Path) -> None:
    """Put a new key on record, and print it alone, so that it can be written into a file; the rest is for people."""
    from tourney.runtime.clock import wall_ms
    from tourney.store.team_access import add_team_key

    key = add_team_key(drawn.database, drawn.event.id, _team_id(drawn, name), wall_ms())
    click.echo(key)
    again = shlex.join(["tourney", "team-key", str(event_path), name, "--revoke"])
    click.echo(
        f"This key of {name} is shown now and never again. Send it to the author of its programs and to nobody else, "
        "apart from the invitation: whoever has it plays for the team. "
        f"If it gets into other hands: {again}",
        err=True,
    )


def _revoke_keys(drawn: "DrawnEvent", name: str) -> None:
    from tourney.errors import UsageError
    from tourney.plurals import count
    from tourney.runtime.clock import wall_ms
    from tourney.store.team_access import revoke_team_keys

    revoked = revoke_team_keys(drawn.database, drawn.event.id, _team_id(drawn, name), wall_ms())
    if not revoked:
        raise UsageError(f"{name} has no valid key")
    click.echo(f"{name}: {count(revoked, 'key')} revoked")


def _print_keys(drawn: "DrawnEvent", name: str | None, *, as_json: bool, as_csv: bool) -> None:
    from tourney.output.tables import csv_table, make_table
    from tourney.store.team_access import load_team_keys

    keys = [
        TeamKeyDocument(each.team, each.created_at_ms, each.revoked_at_ms)
        for each in load_team_keys(drawn.database, drawn.event.id)
        if name in (None, each.team)
    ]
    if as_json:
        print_json(TeamKeysDocument(drawn.event.name, keys))
    elif as_csv:
        print_csv(csv_table(TeamKeyDocument, keys))
    elif not keys:
        click.echo("no keys: `tourney team-key EVENT TEAM` makes one")
    else:
        columns = [
            Cell("Team", lambda key: key.team),
            Cell("Since", lambda key: Instant(key.created, drawn.zone)),
            Cell("Revoked", lambda key: Instant(key.revoked, drawn.zone) if key.revoked is not None else NOTHING),
        ]
        Printer().print(make_table(columns, keys))


def _team_id(drawn: "DrawnEvent", name: str) -> int:
    return next(each.id for each in drawn.event.teams if each.name == name)
