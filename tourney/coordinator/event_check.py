"""`tourney check`: everything about an event file that can be known before it is run.

Problems are what a run would refuse, or could not play. Warnings are what it would do, though hardly anybody wants
that.
"""

import asyncio
import os
import socket
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from tourney.bridge import Board, Seat, format_deal
from tourney.config import SandboxKind, TablesConfig
from tourney.config.command import CommandValues, is_own_player, reachable, reaches_service, split_command
from tourney.config.toml import EventFileError
from tourney.coordinator.draw import PlanEdit, boards_to_deal
from tourney.coordinator.engine import (
    StartedCommand,
    choose_event_sandbox,
    describe_sandbox,
    engine_problems,
    list_places,
    profile_warnings,
    started_commands,
)
from tourney.coordinator.stage_planner import stage_planners
from tourney.errors import ConfigError, LaunchError, StoreError
from tourney.event.file import EventFile, load_event_to_play
from tourney.event.place import find_path
from tourney.launch.bots import BotProcess, ProgramSpec
from tourney.launch.program import is_missing, why_not_found
from tourney.launch.sandbox import Sandbox, choose_kind
from tourney.launch.supervisor import before_end
from tourney.output.rows import Row
from tourney.plurals import count
from tourney.runtime.event_loop import wait_up_to
from tourney.runtime.open_files import connections_allowed, files_available, files_served
from tourney.store.db.database import Database
from tourney.store.db.schema import check, is_empty
from tourney.store.draw.objects import EventInfo
from tourney.store.draw.reader import is_begun, load_event
from tourney.store.results.secrecy import load_events_with_deals
from tourney.times import format_moment, from_datetime

CONNECT_S: Final = 20.0
"""How long a program may take to connect, in seconds."""

TRIALS_S: Final = 120.0
"""After this time no further program is tried, in seconds."""

_LATE_S: Final = 0.2
"""How long after the end of a program its first line may come, in seconds."""

_AT_ONCE: Final = 4
_OUTPUT_LINES: Final = 2

_SCRIPTS: Final = frozenset({".py", ".sh", ".pl", ".rb", ".js", ".mjs", ".jar", ".lua", ".php", ".exe", ".dll"})
"""Suffixes of files that an interpreter is given to run."""


class EventCheckDocument(Row):
    """What checking an event file found."""

    file: str
    """The path of the event file, as it was given."""
    fine: bool
    """Whether there are no problems."""
    problems: list[str]
    """What a run would refuse or could not play: a sentence each, with the place in the file."""
    warnings: list[str]
    """What a run would do, though it is hardly wanted: a sentence each, with the place in the file."""
    event: str | None = None
    """The name of the event; null, like what follows, if there is a problem with what the file says."""
    teams: int | None = None
    """The number of teams."""
    rounds: int | None = None
    """The number of rounds of all stages."""
    matches: int | None = None
    """The number of matches, if no team leaves the event."""
    results: str | None = None
    """The results folder."""
    database: str | None = None
    """The URL of the database, without its password."""
    sandbox: str | None = None
    """The sandbox of programs that tourney starts, on this machine: `bubblewrap`, `command` or `none`; null
    if it starts none, or the sandbox that the file asks for cannot be had."""


@dataclass(frozen=True)
class EventCheck:
    """What checking an event file found, with what was read."""

    found: EventCheckDocument
    event_file: EventFile | None = None
    """None if it cannot be read, or something that it says is wrong."""
    is_unusable: bool = True
    """Whether every command would refuse the event file, or a run of it would whatever the machine."""
    sandbox_text: str | None = None
    """The sandbox, described; None if it is around no program but our own player."""


def check_event_file(path: Path, now_ms: int, *, tries_programs: bool = True) -> EventCheck:
    """Check an event file, what it names, and whether the record would take it; nothing is drawn or stored.

    Programs that would have a sandbox are started in it, unless something else about programs is wrong already.

    Raises:
        ConfigError: the file cannot be read.
    """
    try:
        event_file = load_event_to_play(path)
    except EventFileError as error:
        return EventCheck(EventCheckDocument(str(path), fine=False, problems=error.problems, warnings=[]))
    config = event_file.config
    problems = [*_program_problems(event_file), *_host_problems(config.tables)]
    can_be_tried = tries_programs and not problems
    warnings = [
        *_script_warnings(event_file),
        *profile_warnings(config),
        *_setting_warnings(event_file),
    ]
    unusable: list[str] = []
    url = _check_record(event_file, now_ms, unusable, problems, warnings)
    sandbox = sandbox_text = None
    try:
        choice = choose_event_sandbox(event_file, choose_kind)
    except LaunchError as error:
        problems.append(str(error))
    else:
        if choice.notice:
            warnings.append(choice.notice)
        if can_be_tried:
            for is_problem, sentence in try_programs(event_file, choice.kind):
                (problems if is_problem else warnings).append(sentence)
        sandbox = choice.kind.value if any(team.is_started_here for team in config.team) else None
        sandbox_text = describe_sandbox(event_file, choice)
    planners = stage_planners(config)
    found = EventCheckDocument(
        file=str(path),
        fine=not (unusable or problems),
        problems=[*unusable, *problems],
        warnings=warnings,
        event=config.event.name,
        teams=len(config.team),
        rounds=sum(planner.rounds for planner in planners),
        matches=sum(sum(planner.most_matches) for planner in planners),
        results=str(event_file.results),
        database=url,
        sandbox=sandbox,
    )
    return EventCheck(found, event_file, bool(unusable), sandbox_text)


def _check_record(
    event_file: EventFile, now_ms: int, unusable: list[str], problems: list[str], warnings: list[str]
) -> str | None:
    """Check whether the record would take the event, adding to what was found; return the URL of the database.

    `unusable` gets what makes the event file itself unusable, however good the machine and the database are.
    """
    config = event_file.config
    boards: Sequence[Board] = ()
    try:
        boards = boards_to_deal(event_file)
    except ConfigError as error:
        unusable.append(f"deals, pbn: {error}")
    url: str | None = None
    event: EventInfo | None = None
    has_begun = is_elsewhere = False
    try:
        with closing(Database(event_file.database_url)) as database:
            url = str(database)
            is_elsewhere = not database.is_sqlite
            problems += engine_problems(event_file, database)
            is_there = not (database.has_no_bytes or is_empty(database))
            if is_there:
                check(database)
                event = load_event(database, config.event.name)
                if event is not None:
                    has_begun = is_begun(database, event.id)
                    refusal = PlanEdit(event_file, database, event).why_refused()
                    unusable += [refusal] if refusal is not None else []
                warnings += _deals_warnings(database, config.event.name, boards if event is None else ())
    except ConfigError:
        pass  # of the boards, which has been said
    except StoreError as error:
        # A server may be reached from where the event will be run, and not from here.
        (warnings if is_elsewhere else problems).append(f"event, database: {error}")
    warnings += _start_warnings(event_file, now_ms, event if has_begun else None)
    return url


# What the file names


def _program_problems(event_file: EventFile) -> Iterator[str]:
    """Yield a sentence for each program that cannot be started, with the teams that have it."""
    for (where, program), places in _by_word(event_file, slice(0, 1)).items():
        why = why_not_found(program, where)
        if why is not None:
            yield f"{list_places(places)}: the program {program!r} {why}"


def _script_warnings(event_file: EventFile) -> Iterator[str]:
    """Yield a sentence for each file that a program seems to be given to run, and that is not there."""
    for (where, word), places in _by_word(event_file, slice(1, None)).items():
        if Path(word).suffix.lower() in _SCRIPTS and is_missing(where / Path(word).expanduser()):
            yield f"{list_places(places)}: there is no file {word!r} in {where}, where the program is started"


def _by_word(event_file: EventFile, which: slice) -> dict[tuple[Path, str], list[str]]:
    """Return the words of commands without placeholders, with the folder of their program, and where they stand."""
    found: dict[tuple[Path, str], list[str]] = {}
    folder = event_file.folder
    for place, team, command in started_commands(event_file):
        where = folder if team.folder is None else find_path(folder, team.folder)
        for word in split_command(command)[which]:
            if "{" not in word:
                found.setdefault((where, word), []).append(place)
    return found


def _host_problems(tables: TablesConfig) -> Iterator[str]:
    """Yield why tables cannot listen on their host."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(tables.host, 0, type=socket.SOCK_STREAM)[0]
    except OSError as error:
        yield f"tables, host: {tables.host!r} is not a host that can be found: {error.strerror}"
        return
    try:
        with closing(socket.socket(family, kind, protocol)) as listener:
            listener.bind(address)
    except OSError as error:
        yield f"tables, host: no table can listen on {tables.host!r}: {error.strerror}"


def _setting_warnings(event_file: EventFile) -> Iterator[str]:
    """Yield what is hardly wanted of who comes in and what is kept, and what would keep browsers from live pages."""
    if event_file.open_teams and event_file.access_notice is not None:
        yield f"tables, host: {event_file.access_notice}; give each a pass_phrase or an allow list"
    if event_file.durability_notice is not None:
        yield f"record, durability: {event_file.durability_notice}"
    if event_file.login_notice is not None:
        yield f"team, command: {event_file.login_notice}"
    web, live = event_file.config.web, event_file.config.web.live
    if live.is_vugraph:
        yield f'web, live: "{live}" shows boards in play: a program that can read web pages would read its own board'
    wanted, files = files_served(web.watchers_max, web.console_reserve), files_available()
    if web.model_fields_set and files is not None and files < wanted:
        yield (
            f"web: {web.watchers_max} watchers take {wanted} open files, and a process may have "
            f"{files} here, enough for {connections_allowed(files, web.console_reserve)} connections: raise the "
            "limit (ulimit -n)"
        )


def _deals_warnings(database: Database, name: str, boards: Iterable[Board]) -> Iterator[str]:
    """Yield a sentence for each other event of the database that has deals of this one."""
    found = load_events_with_deals(database, name, (format_deal(board.deal) for board in boards))
    for other, number in found.items():
        yield (
            f"deals: event {other!r} in the same database has {count(number, 'deal')} of this one: pages and reports "
            f"of both hide them until both have played them, and a program that has played them there knows them here"
        )


def _start_warnings(event_file: EventFile, now_ms: int, begun: EventInfo | None) -> Iterator[str]:
    """Yield a sentence for each round that is to start in the past, or at a time that the clocks show twice.

    Those that are drawn may have been played.
    """
    drawn = {round_.number for round_ in begun.all_rounds if round_.is_drawn} if begun is not None else set()
    number = 0
    for planner in stage_planners(event_file.config):
        for start in planner.stage.starts or (None,) * planner.rounds:
            number += 1
            if start is None or number in drawn:
                continue
            starts_at_ms = from_datetime(start)
            place = f"stage {planner.plan.number}, starts"
            when, second = format_moment(starts_at_ms, event_file.config.event.zone), start.replace(fold=1)
            if start.utcoffset() != second.utcoffset():
                yield (
                    f"{place}: clocks in {start.tzinfo} show {start:%Y-%m-%d %H:%M} twice: round {number} starts at "
                    f"the first, {when}; the second is {second.isoformat()}"
                )
            if starts_at_ms < now_ms:
                yield f"{place}: {when} is past, so that round {number} starts as soon as it can"


# Trials


def try_programs(event_file: EventFile, kind: SandboxKind) -> list[tuple[bool, str]]:
    """Start each program that will have a sandbox, once for all teams that have it, and wait until it logs on.

    What a program says once it has connected is for `tourney check-bot`: here is seen whether it can be started at
    all where it will be.

    Returns:
        A sentence for each program that could not play, and for each of which that is not known; with whether it is
        a problem.
    """
    if kind is SandboxKind.NONE:
        return []
    sandbox = event_file.host_settings.sandbox
    trials: dict[tuple[str, Path], list[StartedCommand]] = {}
    for started in started_commands(event_file):
        if not is_own_player(started.command):  # which is known to work
            folder = Path(sandbox.team_folders.get(started.team.name, event_file.folder))
            trials.setdefault((started.command, folder), []).append(started)
    if not trials:
        return []
    return asyncio.run(_try_all(event_file, kind, [(folder, same) for (_, folder), same in trials.items()]))


async def _try_all(
    event_file: EventFile, kind: SandboxKind, trials: Iterable[tuple[Path, Sequence[StartedCommand]]]
) -> list[tuple[bool, str]]:
    """Try programs, a few at once; of each it is given where it is started, and for which teams."""
    turns = asyncio.Semaphore(min(_AT_ONCE, os.cpu_count() or 1))
    deadline = asyncio.get_running_loop().time() + TRIALS_S

    async def take_turn(started_in: Path, same: Sequence[StartedCommand]) -> tuple[bool, str]:
        where = list_places([started.place for started in same])
        async with turns:
            if asyncio.get_running_loop().time() > deadline:
                return False, f"{where}: not tried, as the others took {TRIALS_S:g} s already"
            try:
                is_problem, why = await _try_one(event_file, kind, same[0], started_in)
            except LaunchError as error:
                is_problem, why = True, str(error)
            return is_problem, why and f"{where}: tried in its sandbox, {why}"

    found = await asyncio.gather(*(take_turn(*trial) for trial in trials))
    return [(is_problem, sentence) for is_problem, sentence in found if sentence]


async def _try_one(
    event_file: EventFile, kind: SandboxKind, trial: StartedCommand, started_in: Path
) -> tuple[bool, str]:
    """Start a program; return whether it has ended without a connection, and what is wrong, empty if nothing is.

    Raises:
        LaunchError: it cannot be started.
    """
    has_come = asyncio.Event()

    async def note_line(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if await reader.read(1):
            has_come.set()
        writer.close()

    async def serve(listener: socket.socket) -> asyncio.Server:
        return await asyncio.start_server(note_line, sock=listener)

    settings = event_file.host_settings
    sandbox = Sandbox(
        replace(settings.sandbox, kind=kind),
        trial.team.name,
        shares_network=reaches_service(trial.command),
    )
    with tempfile.TemporaryDirectory(prefix="tourney-", ignore_cleanup_errors=True) as folder:
        results = Path(folder)
        server = await asyncio.start_server(note_line, reachable(settings.host), 0)
        async with server:
            port = settings.ports.first if sandbox.has_own_network else server.sockets[0].getsockname()[1]
            spec = ProgramSpec(
                name="the program",
                command=trial.command,
                values=CommandValues(
                    host=reachable(settings.host),
                    port=port,
                    seat=Seat.NORTH,
                    team=trial.team.name,
                    login=trial.team.name,
                ),
                started_in=started_in,
                own=results / "programs" / "trial" / "north",
                output=results / "bots" / "north.log",
                sandbox=sandbox,
                serve=serve,
            )
            program = BotProcess(spec)
            try:
                await program.start()
                await before_end(program, has_come.wait(), CONNECT_S)
                if program.is_over:
                    await wait_up_to(has_come, _LATE_S)  # what it said before it ended may come at the same time
                if has_come.is_set():
                    return False, ""
                if program.is_over:
                    why = f"it {program.how_it_ended()}"
                else:
                    said = " | ".join(program.last_lines(_OUTPUT_LINES))
                    why = f"it has not logged on within {CONNECT_S:g} s" + (f"; it printed: {said}" if said else "")
                unseen = (sentence for sentence in program.unseen() if sentence not in why)
                return program.is_over, "; ".join([why, *unseen])
            finally:
                await program.end()
