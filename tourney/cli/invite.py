"""`tourney invite`: what the author of a team's programs has to know."""

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tourney.cli._common import event_argument
from tourney.cli._output import Printer, json_option, print_json
from tourney.output.tables import TextTable

if TYPE_CHECKING:
    from tourney.event.file import EventFile
    from tourney.store.draw.objects import EventInfo


@click.command("invite")
@event_argument
@click.argument("team")
@json_option
def invite_command(event_path: Path, team: str, as_json: bool) -> None:
    """Print what to send to the author of a team's programs: address, ports, passphrase, log-on, profile.

    EVENT is the path of an event file, TEAM the name of a team in it. It lists the matches that the team has still to
    play with their rooms, seats and ports, as far as they are drawn. Before the draw it says what will be known
    later. Nothing is drawn or stored. What concerns only the organiser, such as the rule for the firewall in front of
    the tables, goes to standard error.

    The text has the team's passphrase: send it to nobody else.

    \b
    tourney invite club.toml Alpha > for-alpha.txt
    """  # noqa: D301 # Click knows a paragraph to be kept as it is by the character itself
    from tourney.event.file import load_event_to_play
    from tourney.report.invitation import Invitation, find_team

    event_file = load_event_to_play(event_path)
    invited = find_team(event_file, team)
    digest = _digest_of_client() if event_file.config.tables.connect_port is not None else None
    invitation = Invitation(event_file, invited, event_file.address, _load_draw(event_file), digest)
    if as_json:
        print_json(invitation.document())
        return
    printer = Printer()
    for part in invitation.text():
        # A command to be copied stays one line.
        printer.print(part, soft_wrap=not isinstance(part, TextTable) and part.startswith("  "))
    for notice in invitation.notices:
        click.echo(f"note: {notice}", err=True)


def _digest_of_client() -> str:
    """Return the SHA-256 of `connect.pyz` as this installation hands it out."""
    from tourney.connect.archive import archive_digest, build_archive

    return archive_digest(build_archive())


def _load_draw(event_file: "EventFile") -> "EventInfo | None":
    """Load the event as drawn; None before the draw."""
    from tourney.store.db.database import Database
    from tourney.store.db.schema import check, is_empty
    from tourney.store.draw.reader import load_event

    with closing(Database(event_file.database_url)) as database:
        if is_empty(database):
            return None
        check(database)
        return load_event(database, event_file.config.event.name)
