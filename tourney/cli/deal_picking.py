"""`tourney deals pick`: boards for a duel, chosen from a file or from those on which a program lost."""

import os
from dataclasses import replace
from pathlib import Path

import click

from tourney.cli._common import EXISTING_FILE, FILE, open_event
from tourney.cli._output import show_solved
from tourney.cli._ranges import IntRange
from tourney.errors import UsageError
from tourney.plurals import count


@click.command("pick")
@click.argument("source", metavar="[FILE.pbn]", required=False, type=EXISTING_FILE)
@click.option(
    "--event",
    "event_path",
    metavar="EVENT",
    type=EXISTING_FILE,
    help="Take the boards of this event on which --team lost, the biggest losses first.",
)
@click.option("--team", metavar="NAME", help="The team that lost; by default the first team of the event.")
@click.option(
    "--min",
    "imps_min",
    type=IntRange(1),
    default=1,
    show_default=True,
    metavar="IMPS",
    help="With --event, only losses of at least this many IMPs.",
)
@click.option("--slams", is_flag=True, help="Boards on which a side has 33 high-card points or more.")
@click.option("--competitive", is_flag=True, help="Boards on which both sides have 17 to 23 high-card points.")
@click.option(
    "--hcp",
    "points",
    multiple=True,
    metavar="WHO:LOW-HIGH",
    help="Boards with high-card points in a range, of a hand, N:15-17, or of a side, NS:20-26; may be repeated.",
)
@click.option(
    "--makes",
    multiple=True,
    metavar="WHO:CONTRACT",
    help="Boards on which a side, NS:4S, a hand, E:3NT, or anybody, any:6, makes a contract double dummy, in any "
    "strain if none is named; may be repeated. Needs the extra dd, and half a second a board.",
)
@click.option("--exclude", is_flag=True, help="Leave these boards out, and take all others.")
@click.option(
    "--limit",
    type=IntRange(1),
    metavar="N",
    help="Take at most this many.",
)
@click.option("--out", type=FILE, required=True, help="The PBN file; it is replaced.")
def pick_command(
    source: Path | None,
    event_path: Path | None,
    team: str | None,
    imps_min: int,
    slams: bool,
    competitive: bool,
    points: tuple[str, ...],
    makes: tuple[str, ...],
    exclude: bool,
    limit: int | None,
    out: Path,
) -> None:
    """Pick boards for a duel.

    \b
    tourney deals pick all.pbn --slams --out slams.pbn
    tourney deals pick all.pbn --makes NS:3NT --makes NS:4S --out choices.pbn
    tourney deals pick --event new-v-old.toml --team new --min 5 --out lost.pbn
    tourney duel "./newer {port} {seat} {team}" "./old {port} {seat} {team}" --deals lost.pbn --no-sprt

    Boards are numbered again, and keep their dealer and vulnerability. Picked boards answer a question about such
    boards; they hardly lower the number of boards that it takes to tell two programs apart. On boards that were
    picked because a version lost, the next one does better by luck alone: look at the play there, and measure on
    others.
    """  # noqa: D301 # Click knows a paragraph to be kept as it is by the character itself
    from tourney import __version__
    from tourney.export.files import replace_file
    from tourney.formats.pbn import format_boards
    from tourney.lab.deal_picking import (
        Wanted,
        is_competitive,
        is_slam,
        iter_lost_boards,
        parse_makeable,
        parse_point_range,
    )
    from tourney.lab.event_files import read_boards

    if (source is None) == (event_path is None):
        raise UsageError(f"give FILE.pbn or --event EVENT, got {'neither' if source is None else 'both'}")
    if event_path is None and team is not None:
        raise UsageError("--team is for --event EVENT: a file does not say who lost")
    conditions = [parse_point_range(text).fits for text in points]
    conditions += [fits for fits, is_asked in ((is_slam, slams), (is_competitive, competitive)) if is_asked]
    wanted = Wanted(conditions=conditions, makeable=[parse_makeable(text) for text in makes], exclude=exclude)
    if exclude and not (conditions or makes):
        raise UsageError("--exclude leaves out what --slams, --competitive, --hcp or --makes says: give one of them")
    if event_path is not None:
        with open_event(event_path) as drawn:
            drawn.check_two_rooms("picked boards")
            name = drawn.team_named(team) if team is not None else drawn.event.teams[0].name
            boards = list(iter_lost_boards(drawn, name, imps_min))
            found = f"{name} lost {count(len(boards), 'board')} of {event_path}"
    else:
        boards = read_boards(source, 1, None) or []
        found = f"{source} has {count(len(boards), 'board')}"
    picked = wanted.pick(boards, os.cpu_count() or 1, show_solved)[:limit]
    if not picked:
        raise UsageError(f"{found}, none of which is wanted: nothing is written")
    with replace_file(out) as file:
        file.write(
            format_boards([replace(board, number=n) for n, board in enumerate(picked, 1)], f"tourney {__version__}")
        )
    click.echo(f"{found}; {count(len(picked), 'board')} picked: {out}")
