"""`tourney duel`: which of two programs is better."""

import os
import shlex
import signal
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NoReturn

import click

from tourney.cli._common import (
    EXISTING_FILE,
    EXIT_INTERRUPTED,
    EXIT_UNFINISHED,
    FILE,
    Function,
    available_cores,
    flag_option,
    parse_source,
    print_note,
)
from tourney.cli._output import print_json, print_text
from tourney.cli._ranges import IntRange
from tourney.cli.strength import make_test
from tourney.errors import LaunchError, UsageError
from tourney.plurals import count
from tourney.scoring import BOARDS_MAX

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tourney.bridge import Board
    from tourney.config.suites import DealSource
    from tourney.coordinator.event_run import RunOutcome
    from tourney.lab.duel import DuelSettings, DuelTeam
    from tourney.lab.players import PlayerMaker
    from tourney.lab.shards import Shard
    from tourney.scoring.strength.sequential import RequiredVerdict, SequentialTest
    from tourney.views.duel import DuelReport

MATCHES_MAX: Final = 64
BOARDS: Final = 4000
"""The most boards of a duel by default."""
REQUIRED_VERDICTS: Final = ("better", "not-worse", "same")
"""Values of `RequiredVerdict`; repeated here so that `--help` need not load the test."""
NOT_WORSE_TEST: Final = "-0.5,0"
"""What the test asks where NEW is required to be no worse, unless `--sprt` says otherwise."""
NO_TEST: Final = "none"


# Options that leagues have as well

deals_option: Final = click.option(
    *("--deals", "--suite"),
    "deals_source",
    metavar="FILE",
    callback=parse_source,
    help="Play the boards of this PBN or LIN file, or data set. Those of a suite are named NAME, or NAME=FILE if it "
    "is not shipped; NAME@HASH=FILE has to have this hash.",
)
variants_option: Final = flag_option(
    "--variants",
    help="Play each deal of --deals or --seed 16 times, with every dealer and vulnerability. All boards of a deal are"
    " one observation (see tourney lab card), so there is no sequential test of them.",
)
in_process_option: Final = flag_option(
    "--in-process",
    help="Play without sockets. Programs are classes, such as my_bot:MyBot, or tourney's own: basic, random.",
)
auctions_option: Final = flag_option(
    "--auctions",
    help="Play no cards: each contract makes what the double-dummy table of the deal says. Tables that the file of "
    "--deals does not have are solved, which takes the extra dd.",
)
concurrency_option: Final = click.option(
    "--concurrency",
    "matches",
    type=IntRange(1, MATCHES_MAX),
    metavar="N",
    help="Matches side by side, of two tables each; by default half as many as there are cores. Without sockets and "
    "a test it is the largest number up to 64 that divides the deals.",
)
shard_option: Final = click.option(
    "--shard",
    "share",
    metavar="I/N",
    help="Play the I-th of N shares without sockets, into one file whose name ends in -I-of-N.db; `tourney merge` "
    "makes one record of them. It takes --deals or --seed, and --sprt none.",
)
json_at_end_option: Final = flag_option(
    "--json", "as_json", help="Print one JSON document at the end, and nothing else."
)


def event_option(text: str) -> Callable[[Function], Function]:
    """Add `--event`, the event file whose teams are the programs."""
    return click.option("--event", "event_path", metavar="EVENT", type=EXISTING_FILE, help=text)


@dataclass(frozen=True, slots=True, kw_only=True)
class DuelOptions:
    """What the command line says; None for an option that was not given."""

    first: str
    second: str
    event_path: Path | None
    names: str | None
    profile: str | None
    name: str | None
    sprt: str | None
    requirement: str | None
    boards: int | None
    again: bool
    matches: int | None
    in_process: bool
    seed: int | None
    deals_source: "DealSource | None"
    variants: bool
    auctions: bool
    as_json: bool
    junit_path: Path | None
    share: str | None

    def __post_init__(self) -> None:
        if self.deals_source is not None and self.seed is not None:
            raise UsageError("the boards come from one place: give --seed or --deals, got both")
        is_fixed = self.sprt == NO_TEST and (self.deals_source is not None or self.seed is not None)
        if self.variants and not is_fixed:
            raise UsageError(
                "all dealers and vulnerabilities (--variants) take --sprt none, and --seed, --deals or --suite"
            )
        if self.sprt == NO_TEST and self.requirement is not None:
            raise UsageError("--fail-unless needs the verdict of a test: leave out --sprt none")
        if self.share is not None and not is_fixed:
            raise UsageError("--shard takes --sprt none, and the boards of --deals or of a --seed")

    @property
    def folder(self) -> Path:
        """The folder in which the programs are started."""
        return self.event_path.parent if self.event_path is not None else Path()

    @property
    def required(self) -> "RequiredVerdict | None":
        """What the verdict has to be."""
        from tourney.scoring.strength.sequential import RequiredVerdict

        return RequiredVerdict(self.requirement) if self.requirement is not None else None

    def read_deals(self) -> "list[Board] | None":
        """Return the boards, if they are not dealt as those of an event are."""
        from tourney.bridge import boards_from_seed
        from tourney.config.suites import SET_NAME
        from tourney.lab.event_files import VARIANTS, read_boards, vary

        if self.variants and self.seed is not None:
            return vary(boards_from_seed(self.seed, SET_NAME, -(-(self.boards or BOARDS) // VARIANTS)))
        return read_boards(self.deals_source, self.boards, auctions=self.auctions, variants=self.variants)

    def test(self, boards: int) -> "SequentialTest | None":
        """Return the test of so many boards at most, such that it may say what is required."""
        if self.sprt == NO_TEST:
            return None
        is_not_worse = self.requirement == "not-worse" and self.sprt is None
        test = make_test(NOT_WORSE_TEST if is_not_worse else self.sprt, boards)
        if self.requirement == "better" and not test.can_tell_better:
            raise UsageError(
                f"--fail-unless better: a test whose D0 is below 0, got {test.d0:g}, says only that NEW is not worse"
            )
        return test

    def path(self, teams: "Sequence[DuelTeam]") -> Path:
        """Return the event file of the duel; without a name it is in the folder in which the programs are started."""
        versus = "-v-".join(team.name for team in teams)
        stem = self.name or str(self.folder / versus.replace(" ", "-").replace("/", "-"))
        if stem.endswith(".toml"):
            return Path(stem)
        if Path(stem).is_file():
            raise UsageError(f"--name: {stem} is there already, and is no event file of a duel")
        return Path(f"{stem}.toml")

    def show(self, text: str) -> None:
        """Show a sentence, unless nothing but a document is wanted."""
        if not self.as_json:
            print_note(text)


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
@click.option("--name", metavar="FILE", help="The name of the files of the duel, by default NEW-v-OLD.")
@click.option(
    "--sprt",
    metavar="TEST",
    help="The hypotheses of the test in IMPs a board, D0,D1, by default 0,0.5. After them ALPHA,BETA may say how "
    "often D1 and D0 may be accepted wrongly, by default 0.05 each. 'two-sided' at the end asks which is better, not "
    "only whether NEW is. 'none' plays all boards, whatever they say.",
)
@click.option(
    "--fail-unless",
    "requirement",
    type=click.Choice(REQUIRED_VERDICTS),
    help="Exit with status 1 unless the verdict says that NEW is better, is not worse, or plays the same. With "
    f"not-worse, --sprt is {NOT_WORSE_TEST} by default.",
)
@click.option(
    "--boards",
    type=IntRange(1, BOARDS_MAX),
    metavar="N",
    help=f"The most boards; {BOARDS} by default, or all of the --deals file. More than before extend it.",
)
@flag_option("--again", help="Begin the duel again; what was played stays under its number.")
@concurrency_option
@in_process_option
@shard_option
@click.option("--seed", type=int, metavar="SEED", help="Whole number to deal from; by default a random one.")
@deals_option
@variants_option
@auctions_option
@json_at_end_option
@click.option(
    "--junit-file",
    "junit_path",
    metavar="FILE",
    type=FILE,
    help="Write a JUnit report: a test case for the verdict, and for each kind of fault of each program.",
)
def duel_command(**given: Any) -> None:
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
    since; 130 after Ctrl-C. After SIGTERM it is 75: the same command goes on. With --fail-unless it is also 1 when
    the verdict is another.
    """  # noqa: D301 # Click knows a paragraph to be kept as it is by the character itself
    source = given["deals_source"]
    given["variants"] |= source is not None and source.is_varied
    _duel(DuelOptions(**given))


def _duel(options: DuelOptions) -> None:
    from tourney.bridge import random_seed
    from tourney.cli.displays import DuelPrinter, QuietDuel
    from tourney.config.suites import name_boards
    from tourney.lab.duel import DuelSettings, name_teams, started_in
    from tourney.lab.duel_run import check_extensible, play_duel
    from tourney.lab.event_files import (
        duel_on_disk,
        matches_by_default,
        numbered,
        results_of,
        times_met,
        write_event,
    )
    from tourney.lab.programs import RESULTS, changed_programs, find_profiles, note_programs
    from tourney.lab.shards import Shard
    from tourney.scoring.strength.estimate import describe_plan

    event_path, folder = options.event_path, options.folder
    teams = name_teams(event_path, (options.first, options.second), options.names, options.profile)
    if (teams[0].keys, teams[0].wire) == (teams[1].keys, teams[1].wire):
        raise UsageError("a duel has two programs, got one command for both: they would play alike")
    shard = Shard.parse(options.share)
    check_output("--junit-file", options.junit_path)
    number = max(1, times_met(base := options.path(teams)) + options.again)
    path = numbered(base, number)
    results = path.parent / f"{results_of(path)}{shard.suffix}"
    deals = options.read_deals()
    players = _players(options, teams, path)
    on_disk = duel_on_disk(path)
    before = on_disk.boards if deals is None else None
    boards = len(deals) if deals is not None else options.boards or before or BOARDS
    shared = len({board.deal for board in deals}) if deals is not None else boards
    # A test looks at the boards as they come: it has fewer at once.
    by_default = matches_by_default(shared if players is not None and options.sprt == NO_TEST else None)
    test = options.test(boards)
    if (
        options.profile is None
        and event_path is None
        and (not path.exists() or {*on_disk.teams} == {t.name for t in teams})
    ):
        teams = find_profiles(teams, folder, path.parent / RESULTS, on_disk.teams, options.show)
    first, second = (started_in(team, folder, path.parent) for team in teams)
    settings = DuelSettings(
        first=first,
        second=second,
        boards=boards,
        matches=min(options.matches or on_disk.matches or by_default, boards),
        test=test,
        seed=options.seed if options.seed is not None else random_seed(),
        deals=f"{path.stem}-{name_boards(options.deals_source)}.pbn" if deals is not None else None,
        auctions=options.auctions,
        results=results_of(path),
        number=number,
    )
    shard.check_share(settings.matches)
    changed = changed_programs(teams, folder, results)
    extends = before is not None and boards > before
    if extends:
        check_extensible(path, changed)
    if shared == boards and not path.exists() and not options.as_json:
        click.echo(describe_plan(test, boards))  # of boards that share deals it would be wrong
    event_file = write_event(settings, path, deals, has_seed=options.seed is not None, extends=extends)
    _warn(settings, options.deals_source, extends=extends)
    if not changed:
        note_programs(teams, folder, results)
    display = QuietDuel() if options.as_json else DuelPrinter()
    exit_on_term()
    file = shard.of_file(event_file, path.stem)
    jobs = min(2 * settings.matches, available_cores())
    report, outcome = play_duel(file, display, changed=changed, players=players, jobs=jobs, shard=shard)
    _finish(options, report, outcome, changed, path, results)
    if shard.suffix:
        tell_share(shard, path.with_suffix(""), path)


def _finish(
    options: DuelOptions,
    report: "DuelReport",
    outcome: "RunOutcome | None",
    changed: "Sequence[str]",
    path: Path,
    results: Path,
) -> None:
    """Write and print what a duel has come to; exit with its status unless it is over and nothing is required."""
    from tourney.lab.duel_run import describe_changed

    problem, required = describe_changed(changed) if outcome is None and changed else None, options.required
    if options.junit_path is not None:
        from tourney.export.files import write_file
        from tourney.lab.junit import format_junit

        write_file(options.junit_path, format_junit(report, required, problem))
    if options.as_json:
        print_json(report.document())
    else:
        _print_report(options, report, path, results)
    _end(report, outcome, problem)
    if required is not None:
        is_met = report.meets(required)
        word = "is met" if is_met else "is not met"
        print_note(f"--fail-unless {required} {word}: {report.verdict_text}")
        raise SystemExit(0 if is_met else 1)


def _warn(settings: "DuelSettings", source: "DealSource | None", *, extends: bool) -> None:
    if extends and settings.test is None:
        print_note(
            "without a test the interval does not allow for boards that are added after a look: it is too narrow",
        )
    if settings.boards_left_out:
        print_note(
            f"{source}: {count(settings.boards_left_out, 'board')} left out, so that {settings.matches} matches "
            "side by side have as many each; --concurrency 1 plays all",
        )


def _players(options: DuelOptions, teams: "Sequence[DuelTeam]", path: Path) -> "dict[str, PlayerMaker] | None":
    """Return what makes the players of both teams without sockets; None if they are programs."""
    if not (options.in_process or options.share):
        return None
    from tourney.lab.duel_in_process import check_players, players_of

    players = players_of(teams, options.folder)
    if not path.exists():
        check_players(players.values())
    return players


def _print_report(options: DuelOptions, report: "DuelReport", path: Path, results: Path) -> None:
    """Print the report, with what to do about a test that has not decided anything, and where the boards are."""
    from tourney.scoring.strength.estimate import boards_to_come
    from tourney.scoring.strength.sequential import Verdict

    print_text(report.text())
    tally = report.result.tally
    if report.verdict is Verdict.UNDECIDED and report.is_tested:
        more = ceil(boards_to_come(report.result.test, tally).as_measured)
        used_up = (
            f"all boards of {options.deals_source} are played: give others under another --name"
            if options.deals_source is not None
            else f"give the duel more boards: --boards {tally.boards + more}"
        )
        click.echo(f"a verdict takes about {count(more, 'more board')}; {used_up}")
    if tally.boards and options.share is None:
        click.echo(f"the boards as PBN or CSV: tourney export {path} --format pbn --out FOLDER, or --format csv")
    if not options.in_process and any(program.crashes or program.forfeited for program in report.programs):
        click.echo(f"what a program printed before it ended is in {results / 'bots'}")


def _end(report: "DuelReport", outcome: "RunOutcome | None", problem: str | None) -> None:
    """Tell what the report does not: whether it is of before, why a duel has stopped; exit with its status."""
    from tourney.lab.duel import STOPPED
    from tourney.lab.duel_run import describe_struck

    if problem is not None:
        raise LaunchError(problem)
    if report.is_over:
        if outcome is None:
            print_note("nothing was played just now: all boards are of before; --again plays the duel anew")
        return
    if outcome is not None and outcome.stopped:
        end_stopped(outcome)
    struck = describe_struck(report)
    failures = outcome.failures if outcome is not None else []
    for sentence in [*([struck] if struck is not None else []), *(each for each in failures if STOPPED not in each)]:
        print_note(sentence)
    raise SystemExit(1)


def exit_on_term() -> None:
    """Exit with the status of what is unfinished on SIGTERM, until what is played has an ear for it."""
    if threading.current_thread() is threading.main_thread():  # no other can
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(EXIT_UNFINISHED))


def end_stopped(outcome: "RunOutcome") -> NoReturn:
    """Exit after somebody has stopped what was played."""
    print_note(f"stopped; to go on: {shlex.join(['tourney', *sys.argv[1:]])}")
    raise SystemExit(EXIT_UNFINISHED if outcome.is_terminated else EXIT_INTERRUPTED)


def tell_share(shard: "Shard", stem: Path, merged: Path) -> None:
    """Print where a share is that is played, and what makes one record of all."""
    print_note(f"share {shard} is in {stem}{shard.suffix}.db; with all: tourney merge {merged} FILES")


def check_output(option: str, path: Path | None) -> None:
    """Check before anything is played that the file that an option names can be written at the end.

    Raises:
        UsageError: its folder is not there.
    """
    if path is not None and not os.access(path.parent, os.W_OK | os.X_OK):
        raise UsageError(f"{option}: {path} cannot be written, for {path.parent} is no folder to write into")
