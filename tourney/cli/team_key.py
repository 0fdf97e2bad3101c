"""`tourney team-key`: keys by which programs of a team come across the internet."""

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tourney.cli._common import event_argument, flag_option, open_event, print_note
from tourney.cli._output import Printer
from tourney.output.content import Instant
from tourney.output.rows import NOTHING, Cell

if TYPE_CHECKING:
    from tourney.event.drawn import DrawnEvent


@click.command("team-key")
@event_argument
@click.argument("team", required=False)
@flag_option("--list", "lists", help="List the keys of TEAM, or of all teams, but not what they are.")
@flag_option("--revoke", "revokes", help="Revoke all keys of TEAM, and end what is connected by them.")
def team_key_command(event_path: Path, team: str | None, lists: bool, revokes: bool) -> None:
    """Make a key with which the programs of a team come across the internet, and print it once.

    EVENT is the path of an event file that has been drawn, TEAM the name of a team in it. The author of the team's
    programs gives the key to `tourney connect`. The record has only a hash of it: a key that is lost is replaced by a
    new one. A team may have several keys that are valid.

    \b
    tourney team-key club.toml Alpha > alpha.key
    """  # noqa: D301 # Click knows a paragraph to be kept as it is by the character itself
    if lists and revokes:
        raise click.UsageError("--list and --revoke exclude each other")
    with open_event(event_path) as drawn:
        name = drawn.team_named(team) if team is not None else None
        if lists:
            _print_keys(drawn, name)
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

    key = add_team_key(*drawn.record, drawn.team_id(name), wall_ms())
    click.echo(key)
    again = shlex.join(["tourney", "team-key", str(event_path), name, "--revoke"])
    print_note(
        f"This key of {name} is shown now and never again. Send it to the author of its programs and to nobody else, "
        "apart from the invitation: whoever has it plays for the team. "
        f"If it gets into other hands: {again}",
    )


def _revoke_keys(drawn: "DrawnEvent", name: str) -> None:
    from tourney.errors import UsageError
    from tourney.plurals import count
    from tourney.runtime.clock import wall_ms
    from tourney.store.team_access import revoke_team_keys

    revoked = revoke_team_keys(*drawn.record, drawn.team_id(name), wall_ms())
    if not revoked:
        raise UsageError(f"{name} has no valid key")
    click.echo(f"{name}: {count(revoked, 'key')} revoked")


def _print_keys(drawn: "DrawnEvent", name: str | None) -> None:
    from tourney.output.tables import make_table
    from tourney.store.team_access import load_team_keys

    keys = [each for each in load_team_keys(*drawn.record) if name in (None, each.team)]
    if not keys:
        click.echo("no keys: `tourney team-key EVENT TEAM` makes one")
        return
    columns = [
        Cell("Team", lambda key: key.team),
        Cell("Since", lambda key: Instant(key.created_at_ms, drawn.zone)),
        Cell("Revoked", lambda key: Instant(key.revoked_at_ms, drawn.zone) if key.revoked_at_ms else NOTHING),
    ]
    Printer().print(make_table(columns, keys))
