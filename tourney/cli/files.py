"""`tourney init` and `tourney check`: write an example event file, and check one."""

import shlex
from contextlib import suppress
from itertools import islice
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from tourney.cli._common import EXISTING_FILE, PATH, event_argument, flag_option
from tourney.cli._output import Printer, json_option, print_json
from tourney.cli._ranges import IntRange
from tourney.errors import ConfigError, LaunchError, TourneyError, UsageError
from tourney.output.rows import Cell
from tourney.output.tables import make_table
from tourney.plurals import count
from tourney.runtime import clock

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tourney.config.entries import EventEntry
    from tourney.contest import Contest
    from tourney.coordinator.stage_planner import StagePlanner
    from tourney.event.file import EventFile


_TEAMS: Final = {
    "event": "four teams of our own bots",
    "stages": "ten teams of our own bots",
    "pairs": "eight pairs of our own bots",
    "individual": "eight of our own bots, each a player by itself",
    "board-a-match": "five teams of our own bots",
    "rubber": "four pairs of our own bots",
    "world-championship": "two teams whose programs connect by themselves",
}


_USUAL_ENTRIES: Final = (8, 5, 2)
"""How many enter where a format is asked for and no number: the first that the format can have."""

_LIST_BYTES_MAX: Final = 1_000_000


def _list_programs(ctx: click.Context, _: click.Parameter, is_asked: bool) -> None:
    """Print the known programs and end the command, if that is asked."""
    if not is_asked or ctx.resilient_parsing:
        return
    from tourney.config.programs import PROGRAMS

    columns = [
        Cell("name", lambda program: program.name),
        Cell("program", lambda program: program.title),
        Cell("versions", lambda program: program.versions),
        Cell("profile", lambda program: program.profile or ""),
        Cell(
            "connects",
            lambda program: (
                "is asked over HTTP" if "api" in program.team else "is started" if program.team else "by itself"
            ),
        ),
        Cell("known", lambda program: program.tried.value),
    ]
    Printer().print(make_table(columns, PROGRAMS))
    ctx.exit()


@click.command("init")
@click.argument("path", type=PATH)
@click.option(
    "--example",
    type=click.Choice(list(_TEAMS)),
    help="A ready example in place of the options below: groups and a knockout, pairs, an individual, teams at "
    "board-a-match, rubber bridge, or a world championship of programs.",
)
@click.option(
    "--format",
    "format_name",
    metavar="FORMAT",
    help="round-robin (the default), swiss, knockout, howell, mitchell, individual, or another format of a stage.",
)
@click.option(
    "--teams",
    type=IntRange(2, 256),
    metavar="N",
    help="How many teams, pairs or players of our own bots enter.",
)
@click.option(
    "--entries",
    "list_path",
    type=EXISTING_FILE,
    metavar="CSV",
    help="Who enters: a CSV file with the columns name, members, contact and command; only the name is needed.",
)
@click.option(
    "--team",
    "given_teams",
    metavar="NAME=PROGRAM",
    multiple=True,
    help="A team, pair or player, and which known program plays for it: Alpha=ben. May be repeated; our own bots "
    "fill up to --teams.",
)
@flag_option(
    "--programs",
    is_eager=True,
    expose_value=False,
    callback=_list_programs,
    help="List the known programs and exit.",
)
def init_command(
    path: Path,
    example: str | None,
    format_name: str | None,
    teams: int | None,
    list_path: Path | None,
    given_teams: tuple[str, ...],
) -> None:
    """Write an event file with the usual settings, ready to run with the bots that ship with tourney.

    PATH is the new file; an existing file is never overwritten. The page of the manual on the event file has all
    other settings. Members and contacts of a list of entries are comments in the file. Our own bots play for entries
    without a command.

    \b
    tourney init my-event.toml
    tourney init --teams 8 --format swiss my-event.toml
    tourney init --entries entries.csv my-event.toml
    tourney init --team Alpha=ben --team Beta=wbridge5 my-event.toml
    """  # noqa: D301 # Click knows a paragraph to be kept as it is by the character itself
    from tourney.resources import example_event_text

    if given_teams and list_path is not None:
        raise UsageError("--entries has all who enter: leave --team out")
    if format_name is None and teams is None and list_path is None and not given_teams:
        text, who = example_event_text(example or "event"), _TEAMS[example or "event"]
    elif example is not None:
        raise UsageError("--example has its own entries and formats: give it alone")
    else:
        text, who = _new_event(format_name or "round-robin", teams, list_path, given_teams)
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise LaunchError(f"{path} exists already: give the name of a new file") from None
    except FileNotFoundError:
        raise LaunchError(f"folder {path.parent} does not exist: make it first") from None
    except OSError as error:
        raise LaunchError(f"event file {path} cannot be written: {error.strerror}") from None
    word = shlex.quote(str(path))
    click.echo(
        f"Wrote {path}: {who}. Change what you like, then\n"
        f"  tourney check {word}      says what is wrong with it\n"
        f"  tourney schedule {word}   shows who meets whom\n"
        f"  tourney run {word}        plays it"
    )


def _new_event(
    format_name: str, teams: int | None, list_path: Path | None, given_teams: "Sequence[str]"
) -> tuple[str, str]:
    """Return the text of an event file and who enters.

    Raises:
        ConfigError: there is no such format, or it cannot have these entries.
        UsageError: there is no such program, or the numbers do not fit.
    """
    from tourney.config.entries import parse_entries
    from tourney.config.new_event import find_new_format, make_event_text
    from tourney.event.place import read_bytes
    from tourney.protocol.wires import Language
    from tourney.resources import example_event_text

    played = find_new_format(format_name)
    entrant = played.entrant
    if list_path is not None:
        entries = parse_entries(read_bytes(list_path, "list of entries", _LIST_BYTES_MAX), list_path.name)
        if teams not in (None, len(entries)):
            raise UsageError(
                f"{list_path.name} has {count(len(entries), 'entry', 'entries')}, got {teams}", option="--teams"
            )
        text = make_event_text(example_event_text(), played, entrant, entries, list_path.name)
    elif given_teams:
        if Language.BLUE_CHIP not in played.languages:
            raise UsageError(f"no known program plays {played.title}", option="--team")
        entries = _known_entries(given_teams, teams, entrant)
        text = make_event_text(example_event_text(), played, entrant, entries, "--team")
    else:
        text, entries = _event_of_bots(played, entrant, teams)
    with_program = sum(bool(entry.command or entry.program) for entry in entries)
    who = count(len(entries), entrant)
    if not with_program:
        return text, f"{who}, all our own bots"
    others = len(entries) - with_program
    return text, f"{who}, each with its own program" if not others else f"{who}, our own bots for {others} of them"


def _known_entries(given_teams: "Sequence[str]", teams: int | None, entrant: str) -> "list[EventEntry]":
    """Return the entries that are given with their programs, then our own bots up to a number of entries.

    Raises:
        UsageError: there is no such program, or more are given than are to enter.
    """
    from tourney.config.entries import EventEntry, named_entries
    from tourney.config.programs import find_program

    entries = []
    for text in given_teams:
        name, equals, program = text.rpartition("=")
        if not equals or not name.strip():
            raise UsageError(f"a {entrant} is given with its program, as in Alpha=ben, got {text!r}", option="--team")
        try:
            entries.append(EventEntry(name.strip(), program=find_program(program.strip())))
        except ValueError as error:
            raise UsageError(str(error), option="--team") from None
    wanted = max(len(entries), 2) if teams is None else teams
    if len(entries) > wanted:
        raise UsageError(f"{count(len(entries), entrant)} are given with --team, got {wanted}", option="--teams")
    taken = {entry.name.casefold() for entry in entries}
    free = (entry for entry in named_entries(wanted + len(entries), entrant) if entry.name.casefold() not in taken)
    return [*entries, *islice(free, wanted - len(entries))]


def _event_of_bots(played: "Contest", entrant: str, teams: int | None) -> "tuple[str, list[EventEntry]]":
    """Return the text of an event of so many of our own bots, and who they are.

    Raises:
        ConfigError: the format cannot have so many.
    """
    from tourney.config.entries import named_entries
    from tourney.config.new_event import make_event_text
    from tourney.resources import example_event_text

    def make(number: int) -> "tuple[str, list[EventEntry]]":
        entries = named_entries(number, entrant)
        source = f"--teams {number} --format {played}"
        return make_event_text(example_event_text(), played, entrant, entries, source), entries

    *others, last = (teams,) if teams is not None else _USUAL_ENTRIES
    for number in others:
        with suppress(ConfigError):
            return make(number)
    return make(last)


@click.command("check")
@event_argument
@flag_option(
    "--no-try",
    "is_not_tried",
    help="Do not start the programs of teams. By default those that run in a sandbox are started in it, each "
    "once, until it logs on, for 20 seconds at most.",
)
@flag_option("--database", "is_of_database", help="Check that the database is sound instead, and count its rows.")
@flag_option("--alarms", "tests_alarms", help="Send a test message to each address for alarms instead.")
@json_option
@click.pass_context
def check_command(
    ctx: click.Context,
    event_path: Path,
    is_not_tried: bool,
    is_of_database: bool,
    tests_alarms: bool,
    as_json: bool,
) -> None:
    """Check an event file: list what is wrong with it, or summarise it.

    EVENT is the path of an event file. What it names is checked too: programs, the host, boards, and the record,
    which may hold another draw. Each program that will run in a sandbox is started in it, to see whether it can log
    on there. Nothing is drawn or stored. Problems are what a run would refuse or could not play. The exit status is
    then 2 if the event file itself cannot be used, as with any command, and 1 if something else is in the way.
    Warnings are what a run would do, such as start a round whose time is past.

    With --database, every page and every reference of an SQLite file is checked; in any database the schema must be
    the one that this program knows. The event may be running, and nothing is changed.
    """
    if is_of_database:
        from tourney.cli.db import print_soundness

        print_soundness(event_path, as_json=as_json)
        return
    if tests_alarms:
        from tourney.cli.alarms import send_test

        send_test(event_path)
        return
    from tourney.coordinator.event_check import check_event_file

    check = check_event_file(event_path, clock.wall_ms(), tries_programs=not is_not_tried)
    found = check.found
    if as_json:
        print_json(found)
        ctx.exit(2 if check.is_unusable else 0 if found.fine else 1)
    warnings = [f"{event_path.name}: warning: {warning}" for warning in found.warnings]
    if found.problems or check.event_file is None:
        raise (ConfigError if check.is_unusable else TourneyError)(
            "\n".join([*(f"{event_path.name}: {problem}" for problem in found.problems), *warnings])
        )
    _print_summary(check.event_file, str(found.database), check.sandbox_text, warnings)


def _print_summary(event_file: "EventFile", database: str, sandbox_text: str | None, warnings: list[str]) -> None:
    from tourney.coordinator.engine import known_programs
    from tourney.coordinator.stage_planner import stage_planners

    config = event_file.config
    planners = stage_planners(config)
    matches = sum(sum(planner.most_matches) for planner in planners)
    tables = sum(
        len(planner.contest.rooms) * planner.stage.segments * sum(planner.most_matches) for planner in planners
    )
    at_once = max(
        planner.stage.format.tables_per_match * min(config.tables.at_once, planner.most_at_once)
        for planner in planners
    )
    started = sum(team.command is not None for team in config.team)
    at_most = min(planner.contest.at_most for planner in planners)
    boards = " or ".join(map(str, sorted({stage.boards_per_match for stage in config.stage})))
    one = boards == "1"
    if config.deals.pbn is not None:
        deals = f"from {config.deals.pbn}"
    else:
        deals = "from a random seed" if config.deals.seed is None else f"from seed {config.deals.seed}"
    shared = " or ".join(
        dict.fromkeys(stage.format.describe_deals(stage, config.deals.shared) for stage in config.stage)
    )
    timed = sum(stage.starts is not None for stage in config.stage)
    starts = "as soon as the previous round has finished" if not timed else "at the times given"
    if 0 < timed < len(config.stage):
        starts += " where there are any"
    facts = (
        ("Event", config.event.name),
        (
            "Players" if config.player else "Pairs" if config.pair else "Teams",
            f"{len(config.team)}; {_describe_starts(started, len(config.team))}",
        ),
        *(("Stage", _describe_stage(planner)) for planner in planners),
        ("Rounds", f"{sum(planner.rounds for planner in planners)}, {starts}"),
        ("Matches", f"{matches} of {at_most}{boards} {'board' if one else 'boards'}"),
        ("Tables", f"{tables}, at most {at_once} at once, on {config.tables.host}"),
        *((("Programs", sandbox_text),) if sandbox_text is not None else ()),
        ("Ports", f"{config.tables.ports}, {config.tables.port_plan.value}"),
        ("Deals", f"{deals}, {shared}"),
        ("Results", str(event_file.results)),
        ("Database", database),
    )
    console = Printer()
    console.print(f"{event_file.path.name} is fine")
    for warning in warnings:
        console.print(warning)
    table = make_table([Cell("", itemgetter(0)), Cell("", itemgetter(1))], facts)
    console.print(table, soft_wrap=True)  # paths are copied whole
    for program, teams in known_programs(config.team):
        first, *others = program.describe()
        console.print(f"\n{', '.join(teams)}: {first}")
        for text in others:
            console.print(f"  {text}")


def _describe_starts(started: int, entrants: int) -> str:
    """Say whose programs tourney starts: `tourney starts their programs`, `tourney starts the programs of 3 ...`."""
    if started == entrants:
        return "tourney starts their programs"
    if not started:
        return "tourney waits for their programs"
    return f"tourney starts the programs of {started} and waits for those of the others"


def _describe_stage(planner: "StagePlanner") -> str:
    stage = planner.stage
    is_named_so = stage.name.casefold() == stage.format.name
    words = [stage.name] if is_named_so else [stage.name, stage.format.name]
    if planner.plan.number > 1:
        words.append(f"{planner.plan.size} {planner.contest.entrant}s")
    if stage.groups > 1:
        words.append(f"{stage.groups} groups")
    if stage.segments > 1:
        words.append(f"{stage.segments} segments")
    return ", ".join(filter(None, (*words, planner.contest.describe_scoring(stage))))
