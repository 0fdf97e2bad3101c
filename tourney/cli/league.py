"""`tourney lab league` and `gauntlet`: many programs on the same deals, with ratings."""

from collections.abc import Callable, Sequence
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

from tourney.cli._common import EXIT_INTERRUPTED, FILE
from tourney.cli._output import print_report
from tourney.cli._ranges import IntRange
from tourney.cli.duel import (
    check_outputs,
    concurrency_option,
    deals_option,
    event_option,
    every_option,
    json_at_end_option,
    same_command,
    seed_option,
    strikes_option,
    tell_nobody,
)
from tourney.errors import LaunchError, UsageError

if TYPE_CHECKING:
    from tourney.event.file import EventFile
    from tourney.lab.duel import DuelTeam
    from tourney.lab.league import League
    from tourney.report.league import LeagueReport

PROGRAMS_MAX: Final = 64

_Function = TypeVar("_Function", bound=Callable[..., Any])


def _options(folder: str) -> Callable[[_Function], _Function]:
    """Add the options that both commands have; `folder` is the default of `--folder`."""
    options = (
        event_option("Programs are named as teams of this event file, instead of by commands."),
        click.option("--names", metavar="A,B,C", help="What the programs are called; by default as they are."),
        click.option(
            "--profile",
            metavar="PROFILE[,...]",
            help="The wire profile of all programs, or one for each with commas between them. By default each "
            "is tried on a few boards until it is found.",
        ),
        click.option(
            "--folder",
            "name",
            metavar="FOLDER",
            default=folder,
            show_default=True,
            help="The folder of the games.",
        ),
        click.option(
            "--boards",
            type=IntRange(1),
            metavar="N",
            help="Boards that each two programs play; 400 by default, or all of the --deals file.",
        ),
        concurrency_option,
        seed_option,
        deals_option,
        click.option("--anchor", metavar="NAME", help="Program whose rating is 0; by default the mean is 0."),
        every_option,
        strikes_option("Stop two programs once one has lost so many boards by faults of its own; 0 for never."),
        json_at_end_option,
        click.option("--csv", "as_csv", is_flag=True, help="Print the ratings as CSV at the end, and nothing else."),
        click.option(
            "--html-file",
            "html_path",
            metavar="FILE",
            type=FILE,
            help="Write a page with the ratings and their intervals, after each two programs and at the end.",
        ),
    )

    def add(function: _Function) -> _Function:
        for option in reversed(options):
            function = option(function)
        return function

    return add


@click.command("league")
@click.argument("programs", metavar="PROGRAM...", nargs=-1, required=True)
@_options("league")
def league_command(programs: tuple[str, ...], **options: Any) -> None:
    """Rate programs that all play each other on the same deals.

    \b
    tourney lab league "./a {port} {seat} {team}" "./b {port} {seat} {team}" "./c {port} {seat} {team}"

    Each two programs play a duel of --boards boards, both rooms, everything on record, with an event file of its own
    in --folder. The same command goes on with a league that was cut off. With one program more it plays the games of
    that program only. Ratings are in IMPs a board, their errors by deal; they cover all games in the folder.

    Exit status: 0 when all boards are played, 1 when some could not be, 130 after Ctrl-C.
    """  # noqa: D301 # Click knows a paragraph to be kept as it is by the character itself
    _play(programs, lambda names: list(combinations(names, 2)), **options)


@click.command("gauntlet")
@click.argument("programs", metavar="NEW OLD...", nargs=-1, required=True)
@_options("gauntlet")
def gauntlet_command(programs: tuple[str, ...], **options: Any) -> None:
    """Rate a program by its games against several others on the same deals.

    \b
    tourney lab gauntlet "./new {port} {seat} {team}" "./old1 {port} {seat} {team}" "./old2 {port} {seat} {team}"
    tourney lab gauntlet "./other {port} {seat} {team}" "./old1 {port} {seat} {team}" "./old2 {port} {seat} {team}"

    NEW plays a duel of --boards boards against each OLD; the others do not meet. A second candidate that plays in the
    same folder (--folder) has the same deals. The two are compared by what each won against the same opponents, which
    takes nearly half as many boards as with other deals.

    Exit status: 0 when all boards are played, 1 when some could not be, 130 after Ctrl-C.
    """  # noqa: D301 # Click knows a paragraph to be kept as it is by the character itself
    _play(programs, lambda names: [(names[0], old) for old in names[1:]], **options)


def _play(
    programs: Sequence[str],
    pairings: "Callable[[Sequence[DuelTeam]], list[tuple[DuelTeam, DuelTeam]]]",
    *,
    event_path: Path | None,
    names: str | None,
    profile: str | None,
    name: str,
    boards: int | None,
    matches: int | None,
    seed: int | None,
    deals_path: Path | None,
    anchor: str | None,
    every: int,
    strikes: int,
    as_json: bool,
    as_csv: bool,
    html_path: Path | None,
) -> None:
    from tourney.cli.displays import duel_display
    from tourney.lab.duel_run import play_duel
    from tourney.lab.duel_watch import describe_struck
    from tourney.lab.event_files import read_boards, teams_on_disk
    from tourney.lab.league import League, LeagueSettings, load_league
    from tourney.lab.programs import RESULTS, find_profiles

    check_outputs({"--html-file": html_path})
    if deals_path is not None and seed is not None:
        raise UsageError("the boards come from one place: give --seed or --deals, got both")
    teams = _teams_of(event_path, programs, names, profile)
    if anchor is not None and anchor not in {team.name for team in teams}:
        raise UsageError(f"--anchor: programs are {', '.join(team.name for team in teams)}, got {anchor!r}")
    folder = event_path.parent if event_path is not None else Path()
    is_quiet = as_json or as_csv
    settings = LeagueSettings(
        folder=Path(name), boards=boards, matches=matches, seed=seed, deals=read_boards(deals_path, 1, boards)
    )
    league = League(settings)
    if profile is None and event_path is None:
        show = tell_nobody if is_quiet else partial(click.echo, err=True)
        teams = find_profiles(teams, Path(), Path(name) / RESULTS, teams_on_disk(Path(name).glob("*.toml")), show)
    # All files first: what cannot be played is said before anything is.
    files = [_write_duel(league, pair, folder, Path(name)) for pair in pairings(teams)]
    outcome = None
    for file in files:
        found, outcome = play_duel(file, partial(duel_display, is_quiet=is_quiet), every=every, strikes=strikes)
        struck = describe_struck(found, strikes)
        if struck is not None:
            click.echo(f"{found.event}: {struck}", err=True)
        if html_path is not None:
            _write_page(load_league(Path(name), anchor=anchor), html_path)
        if outcome is not None and outcome.stopped:
            break
    report = load_league(Path(name), anchor=anchor)
    print_report(report, as_json=as_json, as_csv=as_csv)
    if outcome is not None and outcome.stopped and not report.is_over:
        click.echo(f"stopped; to go on: {same_command()}", err=True)
        raise SystemExit(EXIT_INTERRUPTED)
    if not report.is_over:
        raise SystemExit(1)


def _teams_of(
    event_path: Path | None, programs: Sequence[str], names: str | None, profile: str | None
) -> "list[DuelTeam]":
    from tourney.lab.duel_teams import name_teams

    if not 2 <= len(programs) <= PROGRAMS_MAX:
        raise UsageError(f"programs are compared: give 2 to {PROGRAMS_MAX}, got {len(programs)}")
    teams = name_teams(event_path, programs, names, profile)
    for one, other in combinations(teams, 2):
        if (one.keys, one.wire) == (other.keys, other.wire):
            raise UsageError(f"{one.name} and {other.name} have one command: they would play alike")
    return teams


def _write_duel(
    league: "League", pair: "tuple[DuelTeam, DuelTeam]", folder: Path, league_folder: Path
) -> "EventFile":
    """Write the event file of two programs, which are started in a folder."""
    from tourney.lab.duel_run import describe_changed
    from tourney.lab.duel_teams import started_in
    from tourney.lab.programs import changed_programs, note_programs

    first, second = (started_in(team, folder, league_folder) for team in pair)
    file = league.write(first, second)
    if changed := changed_programs(pair, folder, file.results):
        raise LaunchError(describe_changed(changed, "play it under another name (--names)"))
    note_programs(pair, folder, file.results)
    return file


def _write_page(report: "LeagueReport", path: Path) -> None:
    from tourney.export.files import PROGRAM, replace_file
    from tourney.runtime import clock
    from tourney.site.rendering import render_league

    with replace_file(path) as file:
        file.write(render_league(report, PROGRAM, clock.wall_ms()).decode())
