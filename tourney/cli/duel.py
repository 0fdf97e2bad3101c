"""`tourney duel`: which of two programs is better."""

import os
import secrets
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from tourney.cli._common import EXIT_INTERRUPTED
from tourney.cli._output import print_json, print_text
from tourney.cli.run_display import PlainDisplay
from tourney.cli.strength import make_test
from tourney.errors import ConfigError, FormatError, LaunchError, UsageError

if TYPE_CHECKING:
    from tourney.bridge import Board
    from tourney.coordinator.event_run import RunOutcome
    from tourney.coordinator.listener import SeatPlace
    from tourney.event.file import EventFile
    from tourney.lab.duel import DuelSettings, DuelTeam
    from tourney.report.duel import DuelReport
    from tourney.scoring.match import MatchScore
    from tourney.store.db.database import Database
    from tourney.store.draw.objects import EventInfo, MatchInfo, RoundInfo, Sitting, TableInfo

_SEED_BITS: Final = 63
EVERY: Final = 16
STRIKES: Final = 20
MATCHES_MAX: Final = 64


@click.command("duel")
@click.argument("first", metavar="NEW")
@click.argument("second", metavar="OLD")
@click.option(
    "--event",
    "event_path",
    metavar="EVENT",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="NEW and OLD are the names of two teams of this event file, instead of commands.",
)
@click.option("--names", metavar="NEW,OLD", help="What the two are called; by default the names of their programs.")
@click.option("--profile", help="The wire profile of both programs, as in an event file.")
@click.option("--name", metavar="FILE", help="The name of the files of the duel, by default NEW-v-OLD.")
@click.option(
    "--sprt", "hypotheses", metavar="D0,D1", help="Hypotheses of the test in IMPs a board; 0,0.5 by default."
)
@click.option("--alpha", type=float, metavar="P", help="How often D1 may be accepted wrongly; 0.05 by default.")
@click.option("--beta", type=float, metavar="P", help="How often D0 may be accepted wrongly; 0.05 by default.")
@click.option("--two-sided", "is_two_sided", is_flag=True, help="Ask which is better, not only whether NEW is.")
@click.option("--no-sprt", is_flag=True, help="Play all boards, whatever they say.")
@click.option("--boards", type=int, metavar="N", help="The most boards; 4000 by default, or all of the --deals file.")
@click.option(
    "--matches",
    type=click.IntRange(1, MATCHES_MAX),
    metavar="N",
    help="Matches side by side, of two tables each; by default half as many as there are cores.",
)
@click.option("--seed", type=int, metavar="SEED", help="Whole number to deal from; by default a random one.")
@click.option(
    "--deals",
    "deals_path",
    metavar="FILE.pbn",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Play the boards of this file.",
)
@click.option("--start", type=click.IntRange(1), default=1, show_default=True, help="The first board of the file.")
@click.option(
    "--every", type=click.IntRange(1), default=EVERY, show_default=True, help="Show progress after so many boards."
)
@click.option(
    "--strikes",
    type=click.IntRange(0),
    default=STRIKES,
    show_default=True,
    help="Stop once a side has lost so many boards by faults of its programs; 0 for never.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document at the end, and nothing else.")
@click.option("--csv", "csv_path", type=click.Path(dir_okay=False, path_type=Path), help="Write a row a board.")
def duel_command(
    first: str,
    second: str,
    event_path: Path | None,
    names: str | None,
    profile: str | None,
    name: str | None,
    hypotheses: str | None,
    alpha: float | None,
    beta: float | None,
    is_two_sided: bool,
    no_sprt: bool,
    boards: int | None,
    matches: int | None,
    seed: int | None,
    deals_path: Path | None,
    start: int,
    every: int,
    strikes: int,
    as_json: bool,
    csv_path: Path | None,
) -> None:
    """Find out whether the program NEW is better than OLD.

    \b
    tourney duel "./new {port} {seat} {team}" "./old {port} {seat} {team}"
    tourney duel --event club.toml Alpha Beta --sprt 0,0.25 --boards 8000

    NEW and OLD are commands with the placeholders of an event file. Both play the same boards in both rooms, at many
    tables at once, everything on record, until the sequential test knows (see `tourney strength`) or the most boards
    are played. The event file of the duel is written into this folder; all commands that read events read it too. The
    same command goes on with a duel that was cut off, and prints the result of one that is decided.

    Exit status: 0 when it is decided or all boards are played, 1 when it stopped before, 130 after Ctrl-C.
    """  # noqa: D301 # Click knows a paragraph to be kept as it is by the character itself
    from tourney.lab.duel import DuelSettings

    if no_sprt and (hypotheses or alpha or beta or is_two_sided):
        raise UsageError("--no-sprt plays all boards: leave out what the test takes")
    if deals_path is not None and seed is not None:
        raise UsageError("the boards come from one place: give --seed or --deals, got both")
    if deals_path is None and start != 1:
        raise UsageError(f"--start {start} is for a file of boards: give --deals as well")
    teams = _teams_of_event(event_path, first, second) if event_path is not None else _teams(first, second, names)
    if profile is not None:
        teams = [_with_profile(team, profile) for team in teams]
    one, other = teams
    if one.keys == other.keys:
        raise UsageError("a duel has two programs, got one command for both: they would play alike")
    path, given_boards = _file_of(name, one, other), _boards_of(deals_path, start, boards)
    most = len(given_boards) if given_boards is not None else boards
    test = make_test(hypotheses, alpha, beta, most, is_two_sided=is_two_sided)
    settings = DuelSettings(
        first=one,
        second=other,
        boards=test.boards_max,
        matches=min(matches or max(1, (os.cpu_count() or 1) // 2), test.boards_max),
        test=None if no_sprt else test,
        seed=seed if seed is not None else secrets.randbits(_SEED_BITS),
        deals=f"{path.stem}-boards.pbn" if given_boards is not None else None,
    )
    event_file = _write_event(settings, path, given_boards, has_seed=seed is not None)
    report, outcome = _play(event_file, every=every, strikes=strikes, is_quiet=as_json)
    if csv_path is not None:
        _write_csv(report, csv_path)
    if as_json:
        print_json(report.document())
    else:
        print_text(report.text())
    if outcome is not None and outcome.stopped and not report.is_over:
        click.echo("stopped: the same command goes on", err=True)
        raise SystemExit(EXIT_INTERRUPTED)
    if not report.is_over:
        for failure in outcome.failures if outcome is not None else []:
            click.echo(failure, err=True)
        raise SystemExit(1)


# What is asked for


def _teams(first: str, second: str, names: str | None) -> "list[DuelTeam]":
    from tourney.lab.duel import DuelTeam

    if names is not None:
        one, comma, other = (part.strip() for part in names.partition(","))
        if not (comma and one and other):
            raise UsageError(f"--names: two names with a comma between them, got {names!r}")
    else:
        one, other = _program(first), _program(second)
        if one.casefold() == other.casefold():
            one, other = f"{one} 1", f"{other} 2"
    return [DuelTeam(one, {"command": first}), DuelTeam(other, {"command": second})]


def _program(command: str) -> str:
    """Return the name of the program in a command, without its folder and suffix."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise UsageError(f"the command {command!r} cannot be split into words: {error}") from None
    if not words:
        raise UsageError("a command has at least one word, got an empty text")
    return Path(words[0]).stem or "program"


def _teams_of_event(path: Path, *names: str) -> "list[DuelTeam]":
    """Return two teams of an event file, with what their sections say of their programs."""
    from tourney.event.file import load_event_file
    from tourney.lab.duel import DuelTeam

    found = load_event_file(path)
    teams = []
    for name in names:
        team = next((team for team in found.config.team if team.name.casefold() == name.casefold()), None)
        if team is None:
            known = ", ".join(team.name for team in found.config.team)
            raise UsageError(f"teams of {path} are {known}, got {name!r}")
        if team.command is None:
            raise UsageError(f"team {team.name!r} of {path} has no command: a duel starts the programs itself")
        keys = {"command": team.command, "second_command": team.second_command, "profile": team.profile}
        teams.append(DuelTeam(team.name, {key: value for key, value in keys.items() if value is not None}))
    return teams


def _with_profile(team: "DuelTeam", profile: str) -> "DuelTeam":
    from tourney.lab.duel import DuelTeam

    return DuelTeam(team.name, {**team.keys, "profile": profile})


def _file_of(name: str | None, first: "DuelTeam", second: "DuelTeam") -> Path:
    stem = name or f"{first.name}-v-{second.name}".replace(" ", "-").replace("/", "-")
    return Path(stem if stem.endswith(".toml") else f"{stem}.toml")


def _boards_of(path: Path | None, start: int, most: int | None) -> "list[Board] | None":
    """Read the boards of a file, from number `start` of its order on; None without a file."""
    if path is None:
        return None
    from tourney.formats.pbn import decode_pbn, parse_boards
    from tourney.scoring import BOARDS_MAX

    last = start - 1 + most if most is not None else None
    try:
        boards = parse_boards(decode_pbn(path.read_bytes()), path.name, boards_max=BOARDS_MAX, only_first=last)
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}") from None
    if len(boards) < start:
        raise FormatError(f"{path} has {len(boards)} boards, --start {start} is asked for")
    return boards[start - 1 :]


# The event file


def _write_event(
    settings: "DuelSettings", path: Path, boards: "list[Board] | None", *, has_seed: bool
) -> "EventFile":
    """Write the event file of the duel and its boards, unless they are there: then they must be the same.

    Raises:
        ConfigError: another duel has the file, or it cannot be written or used.
    """
    import tomllib

    from tourney import __version__
    from tourney.event.file import load_event_file
    from tourney.formats.pbn import format_boards
    from tourney.lab.duel import check_same_duel, format_duel

    text = format_duel(settings)
    texts = {path: text}
    if boards is not None:
        assert settings.deals is not None
        texts[Path(settings.deals)] = format_boards(settings.divide(boards), f"tourney {__version__}")
    try:
        if path.exists():
            found = tomllib.loads(path.read_text(encoding="utf-8"))
            check_same_duel(found, tomllib.loads(text), str(path), has_seed=has_seed)
            for deals, wanted in list(texts.items())[1:]:
                if deals.read_bytes() != wanted.encode():
                    raise ConfigError(
                        f"{deals} has other boards than this duel began with: play it under another --name"
                    )
        else:
            for file, wanted in reversed(texts.items()):
                file.write_text(wanted, encoding="utf-8", newline="")
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{path} is there already and is no event file: {error}") from None
    except UnicodeDecodeError:
        raise ConfigError(f"{path} is there already and is no event file: it is not text in UTF-8") from None
    except OSError as error:
        raise LaunchError(f"{error.filename or path} cannot be read or written: {error.strerror}") from None
    return load_event_file(path)


# Playing it


def _play(
    event_file: "EventFile", *, every: int, strikes: int, is_quiet: bool
) -> "tuple[DuelReport, RunOutcome | None]":
    """Play what is left of a duel; without an outcome if it is decided already."""
    from tourney.cli.run import run_event
    from tourney.lab.duel import DuelWatch

    stage = event_file.config.stage[0]
    found = _load_record(event_file)
    if found is not None and (found.is_over or any(0 < strikes <= lost for lost in found.forfeited.values())):
        return found, None
    display = _display(is_quiet=is_quiet)

    async def watch(database: "Database", event: "EventInfo") -> None:
        watch = DuelWatch(database, event, stage, every=every, strikes=strikes, show=display.show, say=display.say)
        await watch.watch()

    outcome = run_event(event_file, display=display, beside=watch)
    report = _load_record(event_file)
    assert report is not None
    return report, outcome


def _load_record(event_file: "EventFile") -> "DuelReport | None":
    """Load what the record says so far; None before anything is on record."""
    from contextlib import closing

    from tourney.report.duel import load_duel
    from tourney.store.db.database import Database
    from tourney.store.draw.reader import load_event

    with closing(Database(event_file.database_url)) as database:
        event = None if database.is_missing else load_event(database, event_file.config.event.name)
        return load_duel(database, event, event_file.config.stage[0]) if event is not None else None


class DuelDisplay(PlainDisplay):
    """Prints how the duel stands, and what goes wrong; not what every table does."""

    def show(self, report: "DuelReport") -> None:
        """Show how the duel stands."""
        for line in report.progress():
            self.say(line)

    def run_started(self, event: "EventInfo", matches_left: int) -> None:
        """Say nothing: what is played is known."""

    def round_started(self, round_: "RoundInfo", sittings: "list[Sitting]") -> None:
        """Say nothing, as at `run_started`."""

    def tables_opened(self, places: "list[SeatPlace]") -> None:
        """Say nothing: all programs are started here."""

    def table_progressed(self, match: "MatchInfo", table: "TableInfo", boards_finished: int) -> None:
        """Say nothing: boards count in the order of their deals, not of the tables."""

    def match_finished(self, match: "MatchInfo", score: "MatchScore") -> None:
        """Say nothing: a match is a part of the duel."""


class _QuietDisplay(DuelDisplay):
    """Prints nothing."""

    def say(self, text: str) -> None:
        pass


def _display(*, is_quiet: bool) -> DuelDisplay:
    if is_quiet:
        return _QuietDisplay()
    return DuelDisplay()


def _write_csv(report: "DuelReport", path: Path) -> None:
    from tourney.formats.spreadsheet import CsvWriter

    table = report.csv()
    try:
        with path.open("w", encoding="utf-8", newline="") as file:
            writer = CsvWriter(file, table.columns, exact=True, strict=False)
            for row in table.rows:
                writer.writerow(dict(row))
    except OSError as error:
        raise LaunchError(f"{path} cannot be written: {error.strerror}") from None
