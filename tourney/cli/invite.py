"""`tourney invite`: what the author of a team's programs has to know, and links for the people of a team."""

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from tourney.bridge import Seat
from tourney.cli._common import default_option, event_argument, open_event, print_note
from tourney.cli._output import Printer, json_option, print_json
from tourney.cli._ranges import IntRange
from tourney.errors import UsageError
from tourney.runtime import clock

if TYPE_CHECKING:
    from tourney.event.drawn import DrawnEvent
    from tourney.event.file import EventFile
    from tourney.store.draw.objects import EventInfo
    from tourney.store.models import LinkPurpose


HOURS_MAX: Final = 31 * 24
_MS_PER_HOUR: Final = 3_600_000


@click.command("invite")
@event_argument
@click.argument("team")
@json_option
@click.option(
    "--link",
    type=click.Choice(["key", "seat"]),
    help="Print a link instead, for the key of the team or for a seat in a browser; it can be used once.",
)
@click.option(
    "--room", type=click.Choice(["open", "closed"]), help="Room of the seat; by default the person chooses."
)
@click.option("--seat", type=click.Choice("NESW"), help="Seat; by default the person chooses.")
@default_option("--hours", type=IntRange(1, HOURS_MAX), default=24, help="How long the link can be used.")
def invite_command(
    event_path: Path, team: str, as_json: bool, link: str | None, room: str | None, seat: str | None, hours: int
) -> None:
    """Print what to send to the author of a team's programs: address, ports, passphrase, log-on, profile.

    EVENT is the path of an event file, TEAM the name of a team in it. It lists the matches that the team has still to
    play with their rooms, seats and ports, as far as they are drawn. Before the draw it says what will be known
    later. Nothing is drawn or stored. What concerns only the organiser, such as the rule for the firewall in front of
    the tables, goes to standard error. The text has the team's passphrase: send it to nobody else.

    With --link key it prints the address of a page of `tourney serve` where the team makes its key itself, at the
    press of a button. With --link seat, in an event with `seats = true` in `[web]`, it prints one by which one person
    sits down for the team in a browser, without its passphrase. Send each link to one person: the first who uses it
    has the seat, in that browser. Where the team sits the other way, a link for North leads to East, and one for
    South to West. Links are on record as a hash, so they are printed this once.

    \b
    tourney invite club.toml Alpha > for-alpha.txt
    tourney invite club.toml Alpha --link seat --room closed --seat S
    """  # noqa: D301 # Click knows a paragraph to be kept as it is by the character itself
    if link is not None and as_json:
        raise UsageError("--json and --link: give one of them")
    if link != "seat" and (room or seat):
        raise UsageError("--room and --seat go with --link seat")
    if link is not None:
        with open_event(event_path) as drawn:
            _print_link(drawn, team, hours, seat, room, is_for_seat=link == "seat")
        return
    from tourney.connect.archive import archive_digest, build_archive
    from tourney.event.file import load_event_to_play
    from tourney.views.invitation import Invitation, find_team

    event_file = load_event_to_play(event_path)
    invited = find_team(event_file, team)
    digest = archive_digest(build_archive()) if event_file.config.tables.connect_port is not None else None
    invitation = Invitation(event_file, invited, event_file.address, _load_draw(event_file), digest)
    if as_json:
        print_json(invitation.document())
        return
    printer = Printer()
    for part in invitation.text():
        # A command to be copied stays one line.
        printer.print(part, soft_wrap=isinstance(part, str) and part.startswith("  "))
    for notice in invitation.notices:
        print_note(f"note: {notice}")


def _print_link(
    drawn: "DrawnEvent", team: str, hours: int, seat: str | None, room: str | None, *, is_for_seat: bool
) -> None:
    from tourney.event.file import PAGES, SEATS
    from tourney.store.models import LinkPurpose

    if not is_for_seat:
        _print_address(drawn, PAGES, f"team-key/{_add_link(drawn, team, LinkPurpose.KEY, hours)}")
        return
    if not drawn.config.web.seats:
        raise UsageError(f"nobody plays {drawn.event.name!r} in a browser: set seats = true in [web]")
    choices = drawn.event.seat_choices
    if room is not None and "room" not in choices:
        raise UsageError(f"--room: a match of {drawn.event.name!r} has one table")
    if seat is not None and "seat" not in choices:
        raise UsageError(f"--seat: players of {drawn.event.name!r} change seats from round to round")
    chosen = next((each for each in Seat if each.letter == seat), None)
    token = _add_link(drawn, team, LinkPurpose.SEAT, hours, chosen, room or "")
    _print_address(drawn, SEATS, f"seat/link/{token}")


def _print_address(drawn: "DrawnEvent", kind: str, page: str) -> None:
    """Print the address of a page of a kind that `tourney serve` has, and whether it is served now."""
    address, is_served = drawn.file.served_address(kind)
    click.echo(f"{address}{page}")
    if not is_served:
        print_note(f"Nobody serves it now: it can be opened while `tourney serve {drawn.path}` runs.")


def _add_link(
    drawn: "DrawnEvent", team: str, purpose: "LinkPurpose", hours: int, seat: Seat | None = None, room: str = ""
) -> str:
    """Put a link of a team on record that can be used for so many hours; return its token, which is nowhere else.

    Raises:
        UsageError: there is no such team.
        StoreError: the database cannot be used.
    """
    from tourney.store.team_access import add_team_link

    lifetime_ms = hours * _MS_PER_HOUR
    return add_team_link(*drawn.record, drawn.team_id(team), purpose, clock.wall_ms(), lifetime_ms, seat, room)


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
