"""`tourney duel`: which of two programs is better."""

import os
import secrets
import shlex
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NoReturn, TypeVar

import click

from tourney.cli._common import EXISTING_FILE, EXIT_INTERRUPTED, FILE
from tourney.cli._output import print_json, print_text
from tourney.cli._ranges import IntRange
from tourney.cli.strength import make_test, sprt_options
from tourney.errors import LaunchError, UsageError
from tourney.plurals import count

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tourney.coordinator.event_run import RunOutcome
    from tourney.event.file import EventFile
    from tourney.lab.duel import DuelSettings, DuelTeam
    from tourney.lab.players import PlayerMaker
    from tourney.report.duel import DuelReport
    from tourney.scoring.strength.sequential import RequiredVerdict, SequentialTest

SEED_BITS: Final = 63
MATCHES_MAX: Final = 64
REQUIRED_VERDICTS: Final = ("better", "not-worse", "same")
"""Values of `RequiredVerdict`; repeated here so that `--help` need not load the test."""
NOT_WORSE_HYPOTHESES: Final = "-0.5,0"
"""What the test asks where NEW is required to be no worse, unless `--sprt` says otherwise."""

_Function = TypeVar("_Function", bound=Callable[..., Any])

# Options that leagues have as well

seed_option: Final = click.option(
    "--seed", type=int, metavar="SEED", help="Whole number to deal from; by default a random one."
)
deals_option: Final = click.option(
    "--deals", "deals_path", metavar="FILE.pbn", type=EXISTING_FILE, help="Play the boards of this file."
)
concurrency_option: Final = click.option(
    "--concurrency",
    "matches",
    type=IntRange(1, MATCHES_MAX),
    metavar="N",
    help="Matches side by side, of two tables each; by default half as many as there are cores.",
)
every_option: Final = click.option(
    "--every", type=IntRange(1), default=16, show_default=True, help="Show progress after so many boards."
)
json_at_end_option: Final = click.option(
    "--json", "as_json", is_flag=True, help="Print one JSON document at the end, and nothing else."
)


def event_option(text: str) -> Callable[[_Function], _Function]:
    """Add `--event`, the event file whose teams are the programs."""
    return click.option("--event", "event_path", metavar="EVENT", type=EXISTING_FILE, help=text)


def strikes_option(text: str) -> Callable[[_Function], _Function]:
    """Add `--strikes`, the number of boards lost by faults of programs that ends a duel."""
    return click.option("--strikes", type=IntRange(0), default=20, show_default=True, help=text)


@click.command("duel")
@click.argument("first", metavar="NEW")
@click.argument("second", metavar="OLD")
@event_option("NEW and OLD are the names of two teams of this event file, instead of commands.")
@click.option("--names", metavar="NEW,OLD", help="What the two are called; by default the names of their programs.")
@click.option(
    "--profile",
    metavar="PROFILE[,OLD]",
    help="The wire profile of both programs, or one for each with a comma between them. By default each program is "
    "tried on a few boards until it is found.",
)
@click.option(
    "--processes",
    type=click.Choice(["seat", "room", "team"]),
    help="What a process of a player's class plays: one seat, a team's two at a table, or by default all of a host.",
)
@click.option("--name", metavar="FILE", help="The name of the files of the duel, by default NEW-v-OLD.")
@sprt_options
@click.option("--two-sided", "is_two_sided", is_flag=True, help="Ask which is better, not only whether NEW is.")
@click.option("--no-sprt", is_flag=True, help="Play all boards, whatever they say.")
@click.option(
    "--fail-unless",
    "requirement",
    type=click.Choice(REQUIRED_VERDICTS),
    help="Exit with status 1 unless the verdict says that NEW is better, is not worse, or plays the same. With "
    f"not-worse, --sprt is {NOT_WORSE_HYPOTHESES} by default.",
)
@click.option("--boards", type=int, metavar="N", help="The most boards; 4000 by default, or all of the --deals file.")
@click.option("--extend", type=IntRange(1), metavar="N", help="Give the duel so many more boards, and play them.")
@click.option("--again", is_flag=True, help="Begin the duel again; what was played stays under its number.")
@concurrency_option
@click.option(
    "--in-process",
    is_flag=True,
    help="Play without sockets: NEW and OLD are classes, such as my_bot:MyBot.",
)
@click.option(
    "--jobs",
    type=IntRange(1, MATCHES_MAX),
    metavar="N",
    help="Processes that play with --in-process; by default as many as there are cores.",
)
@seed_option
@click.option(
    "--ports",
    metavar="RANGE",
    help="Ports of the tables, such as 6000-6099; by default those of EVENT, or 2000-4999.",
)
@deals_option
@click.option(
    "--first",
    "start",
    type=IntRange(1),
    default=1,
    show_default=True,
    metavar="N",
    help="Number of the first board of the file that is played.",
)
@every_option
@strikes_option("Stop once a side has lost so many boards by faults of its programs; 0 for never.")
@json_at_end_option
@click.option(
    "--csv-file",
    "csv_path",
    metavar="FILE",
    type=FILE,
    help="Write a CSV table with a row for each board: the test after it, and what was played in both rooms. Once "
    "`tourney analyse` has solved the board, it has the IMPs won in the auction and in the play.",
)
@click.option(
    "--pbn-file",
    "pbn_path",
    metavar="FILE",
    type=FILE,
    help="Write the boards of both rooms as PBN, as `tourney export` does.",
)
@click.option(
    "--junit-file",
    "junit_path",
    metavar="FILE",
    type=FILE,
    help="Write a JUnit report: a test case for the verdict, and for each kind of fault of each program.",
)
def duel_command(
    first: str,
    second: str,
    event_path: Path | None,
    names: str | None,
    profile: str | None,
    processes: str | None,
    name: str | None,
    hypotheses: str | None,
    alpha: float | None,
    beta: float | None,
    is_two_sided: bool,
    no_sprt: bool,
    requirement: str | None,
    boards: int | None,
    extend: int | None,
    again: bool,
    matches: int | None,
    in_process: bool,
    jobs: int | None,
    seed: int | None,
    ports: str | None,
    deals_path: Path | None,
    start: int,
    every: int,
    strikes: int,
    as_json: bool,
    csv_path: Path | None,
    pbn_path: Path | None,
    junit_path: Path | None,
) -> None:
    """Find out whether the program NEW is better than OLD.

    \b
    tourney duel "./new {port} {seat} {team}" "./old {port} {seat} {team}"
    tourney duel --event club.toml Alpha Beta --sprt 0,0.25 --boards 8000
    tourney duel my_bot:New my_bot:Old --in-process

    NEW and OLD are commands with the placeholders of an event file. Both play the same boards in both rooms, at many
    tables at once, everything on record, until the sequential test knows (see `tourney lab strength`) or the most
    boards are played. The event file of the duel is written into this folder, or beside EVENT, whose teams play with
    all that it says of their programs. All commands that read events read it too.

    The same command goes on with a duel that was cut off, and prints the result of one that is decided. If a program
    has changed since, nothing is played: with --again the two meet again, under the next number (NEW-v-OLD-2), and
    the same command then speaks of that duel. With the same --seed the boards are the same, whatever --concurrency
    says.

    Exit status: 0 when it is decided or all boards are played, 1 when it stopped before, or a program has changed
    since; 130 after Ctrl-C. With --fail-unless it is also 1 when the verdict is another.
    """  # noqa: D301 # Click knows a paragraph to be kept as it is by the character itself
    from tourney.cli.displays import duel_display
    from tourney.lab.duel import DuelSettings
    from tourney.lab.duel_run import describe_changed, play_duel
    from tourney.lab.duel_teams import name_teams, started_in, with_processes
    from tourney.lab.event_files import (
        matches_by_default,
        matches_on_disk,
        numbered,
        ports_of_event,
        read_boards,
        results_of,
        teams_on_disk,
        times_met,
        write_event,
    )
    from tourney.lab.programs import RESULTS, changed_programs, find_profiles, note_programs
    from tourney.scoring.strength.sequential import RequiredVerdict

    required = RequiredVerdict(requirement) if requirement is not None else None
    if no_sprt:
        _check_without_test(required, given=bool(hypotheses or alpha or beta or is_two_sided))
    _check_boards_options(boards, extend, seed, deals_path, start, again=again)
    one, other = with_processes(name_teams(event_path, (first, second), names, profile), processes)
    players = _players_in_process((one, other), event_path, jobs, is_wanted=in_process)
    if (one.keys, one.wire) == (other.keys, other.wire):
        raise UsageError("a duel has two programs, got one command for both: they would play alike")
    check_outputs({"--csv-file": csv_path, "--pbn-file": pbn_path, "--junit-file": junit_path})
    folder = event_path.parent if event_path is not None else Path()
    base = _file_of(name, one, other, folder)
    number = max(1, times_met(base) + again)
    path = numbered(base, number)
    boards = boards if extend is None else _boards_before(path) + extend
    given_boards = read_boards(deals_path, start, boards)
    most = len(given_boards) if given_boards is not None else boards
    test = _make_test(hypotheses, alpha, beta, most, required, is_two_sided=is_two_sided)
    played = teams_on_disk([path])
    if profile is None and event_path is None and (not path.exists() or played.keys() == {one.name, other.name}):
        show = tell_nobody if as_json else partial(click.echo, err=True)
        one, other = find_profiles((one, other), folder, path.parent / RESULTS, played, show)
    programs_played = (one, other)
    one, other = (started_in(team, folder, path.parent) for team in programs_played)
    settings = DuelSettings(
        first=one,
        second=other,
        boards=test.boards_max,
        matches=min(matches or matches_on_disk(path) or matches_by_default(jobs), test.boards_max),
        test=None if no_sprt else test,
        seed=seed if seed is not None else secrets.randbits(SEED_BITS),
        deals=f"{path.stem}-boards.pbn" if given_boards is not None else None,
        results=results_of(path),
        ports=ports or (ports_of_event(event_path) if event_path is not None else None),
        number=number,
    )
    changed = changed_programs(programs_played, folder, path.parent / results_of(path))
    if extend is not None:
        _check_extension(path, changed, is_tested=not no_sprt)
    event_file = write_event(settings, path, given_boards, has_seed=seed is not None, extends=extend is not None)
    _tell_left_out(settings, deals_path)
    if not changed:
        note_programs(programs_played, folder, event_file.results)
    report, outcome = play_duel(
        event_file,
        partial(duel_display, is_quiet=as_json),
        every=every,
        strikes=strikes,
        changed=changed,
        players=players,
        jobs=jobs or os.cpu_count() or 1,
    )
    problem = describe_changed(changed) if outcome is None and changed else None
    _write_boards(event_file, csv_path, pbn_path)
    if junit_path is not None:
        _write_junit(report, required, problem, junit_path)
    _print_report(report, path, deals_path, as_json=as_json)
    if not (in_process or as_json) and any(program.crashes or program.forfeited for program in report.programs):
        click.echo(f"what a program printed before it ended is in {path.parent / results_of(path) / 'bots'}")
    _end(report, outcome, problem, strikes)
    if required is not None:
        _end_as_required(report, required)


def _make_test(
    hypotheses: str | None,
    alpha: float | None,
    beta: float | None,
    most: int | None,
    required: "RequiredVerdict | None",
    *,
    is_two_sided: bool,
) -> "SequentialTest":
    """Make the test of what the options say, such that it may say what is required."""
    from tourney.scoring.strength.sequential import RequiredVerdict

    if required is RequiredVerdict.NOT_WORSE and hypotheses is None and not is_two_sided:
        hypotheses = NOT_WORSE_HYPOTHESES
    test = make_test(hypotheses, alpha, beta, most, is_two_sided=is_two_sided)
    if required is RequiredVerdict.BETTER and not test.can_tell_better:
        raise UsageError(
            f"--fail-unless better: a test whose D0 is below 0, got {test.d0:g}, says only that NEW is not worse"
        )
    return test


def _end_as_required(report: "DuelReport", required: "RequiredVerdict") -> NoReturn:
    """Exit with the status that a verdict has which somebody requires."""
    is_met = report.meets(required)
    word = "is met" if is_met else "is not met"
    click.echo(f"--fail-unless {required} {word}: {report.verdict_text}", err=True)
    raise SystemExit(0 if is_met else 1)


def _players_in_process(
    teams: "Sequence[DuelTeam]", event_path: Path | None, jobs: int | None, *, is_wanted: bool
) -> "dict[str, PlayerMaker] | None":
    """Return what makes the players of both teams without sockets; None if they are programs."""
    if not is_wanted:
        if jobs is not None:
            raise UsageError("--jobs is for --in-process: --concurrency says how many matches are played at once")
        return None
    from tourney.lab.duel_in_process import players_of

    return players_of(teams, event_path.parent if event_path is not None else Path())


def _end(report: "DuelReport", outcome: "RunOutcome | None", problem: str | None, strikes: int) -> None:
    """Tell what the report does not: whether it is of before, why a duel has stopped; exit with its status."""
    if problem is not None:
        raise LaunchError(problem)
    if outcome is None and report.is_over:
        click.echo("nothing was played just now: all boards are of before; --again plays the duel anew", err=True)
    if outcome is not None and outcome.stopped and not report.is_over:
        click.echo(f"stopped; to go on: {same_command()}", err=True)
        raise SystemExit(EXIT_INTERRUPTED)
    if not report.is_over:
        _tell_failures(report, outcome.failures if outcome is not None else [], strikes)
        raise SystemExit(1)


def _check_boards_options(
    boards: int | None, extend: int | None, seed: int | None, deals_path: Path | None, start: int, *, again: bool
) -> None:
    if extend is not None and (again or boards is not None or deals_path is not None):
        odd = "--again" if again else "--boards" if boards is not None else "--deals"
        raise UsageError(f"--extend goes on with the duel that was played: leave out {odd}")
    if deals_path is not None and seed is not None:
        raise UsageError("the boards come from one place: give --seed or --deals, got both")
    if deals_path is None and start != 1:
        raise UsageError(f"--first {start} is for a file of boards: give --deals as well")


def _check_extension(path: Path, changed: "Sequence[str]", *, is_tested: bool) -> None:
    """Check that a duel can be given more boards, and tell what they do to one without a test.

    The bounds of a test hold for any number of boards.
    """
    from tourney.lab.duel_run import check_extensible

    check_extensible(path, changed)
    if not is_tested:
        click.echo(
            "without a test the interval does not allow for boards that are added after a look: it is too narrow",
            err=True,
        )


def _check_without_test(required: "RequiredVerdict | None", *, given: bool) -> None:
    """Check that nothing is asked of the test of a duel that has none; `given` is whether its figures are."""
    if given:
        raise UsageError("--no-sprt plays all boards: leave out what the test takes")
    if required is not None:
        raise UsageError("--fail-unless needs the verdict of a test: leave out --no-sprt")


def _boards_before(path: Path) -> int:
    from tourney.lab.event_files import boards_on_disk

    boards = boards_on_disk(path)
    if boards is None:
        raise UsageError(f"--extend: there is no duel {path} whose boards are dealt from a seed")
    return boards


def tell_nobody(_text: str) -> None:
    """Tell nothing: with --json nothing but the document is printed."""


def same_command() -> str:
    """Return the command that was given, as it is typed in a shell."""
    return shlex.join(["tourney", *sys.argv[1:]])


def _tell_left_out(settings: "DuelSettings", deals_path: Path | None) -> None:
    if settings.boards_left_out:
        click.echo(
            f"{deals_path}: {count(settings.boards_left_out, 'board')} left out, so that {settings.matches} matches "
            "side by side have as many each; --concurrency 1 plays all",
            err=True,
        )


def _print_report(report: "DuelReport", path: Path, deals_path: Path | None, *, as_json: bool) -> None:
    """Print the report, as text with what to do about a test that has not decided anything."""
    from tourney.scoring.strength.sequential import Verdict

    if as_json:
        print_json(report.document())
        return
    print_text(report.text())
    if report.verdict is Verdict.UNDECIDED and report.is_tested:
        used_up = (
            f"all boards of {deals_path} are played: give more under another --name"
            if deals_path
            else "--extend it by more boards"
        )
        click.echo(f"for a verdict {used_up}; tourney lab plan --event {path} says how many")


def _tell_failures(report: "DuelReport", failures: "Iterable[str]", strikes: int) -> None:
    """Tell why a duel has stopped before it is decided."""
    from tourney.lab.duel_watch import STOPPED, describe_struck

    struck = describe_struck(report, strikes)
    if struck is not None:
        click.echo(struck, err=True)
    for failure in failures:
        if STOPPED not in failure:
            click.echo(failure, err=True)


# Files


def check_outputs(paths: dict[str, Path | None]) -> None:
    """Check before anything is played that what is wanted at the end can be written.

    Raises:
        UsageError: the folder of a file, which is given by its option, is not there.
    """
    for option, path in paths.items():
        if path is not None and not os.access(path.parent, os.W_OK | os.X_OK):
            raise UsageError(f"{option}: {path} cannot be written, for {path.parent} is no folder to write into")


def _file_of(name: str | None, first: "DuelTeam", second: "DuelTeam", folder: Path) -> Path:
    """Return the event file of a duel; without a name it is in a folder, where the commands are run."""
    stem = name or str(folder / f"{first.name}-v-{second.name}".replace(" ", "-").replace("/", "-"))
    if not stem.endswith(".toml") and Path(stem).is_file():
        raise UsageError(f"--name: {stem} is there already, and is no event file of a duel")
    return Path(stem if stem.endswith(".toml") else f"{stem}.toml")


def _write_boards(event_file: "EventFile", csv_path: Path | None, pbn_path: Path | None) -> None:
    """Write the files of the boards that are wanted."""
    if csv_path is not None:
        _write_csv(event_file, csv_path)
    if pbn_path is not None:
        _write_pbn(event_file, pbn_path)


def _write_pbn(event_file: "EventFile", path: Path) -> None:
    from tourney.cli._common import open_event
    from tourney.export.pbn import write_pbn
    from tourney.export.registry import ExportRequest
    from tourney.runtime import clock

    with open_event(event_file.path) as drawn:
        write_pbn(ExportRequest(drawn=drawn, match=None, folder=path.parent, written_at_ms=clock.wall_ms()), path)


def _write_junit(report: "DuelReport", required: "RequiredVerdict | None", problem: str | None, path: Path) -> None:
    from tourney.export.files import replace_file
    from tourney.lab.junit import format_junit

    with replace_file(path) as file:
        file.write(format_junit(report, required, problem))


def _write_csv(event_file: "EventFile", path: Path) -> None:
    from tourney.formats.spreadsheet import CsvWriter
    from tourney.lab.duel_run import load_record

    report = load_record(event_file, with_leads=True)
    assert report is not None
    table = report.csv()
    try:
        with path.open("w", encoding="utf-8", newline="") as file:
            writer = CsvWriter(file, table.columns, strict=False)
            for row in table.rows:
                writer.writerow(dict(row))
    except OSError as error:
        raise LaunchError(f"{path} cannot be written: {error.strerror}") from None
