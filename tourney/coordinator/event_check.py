"""`tourney check`: everything about an event file that can be known before it is run.

Problems are what a run would refuse, or could not play. Warnings are what it would do, though hardly anybody wants
that.
"""

import socket
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from typing_extensions import TypedDict

from tourney.bridge import Board, format_deal
from tourney.config import SandboxKind, TablesConfig, TeamConfig
from tourney.config.command import split_command
from tourney.config.reader import salvage_sections
from tourney.config.toml import EventFileError
from tourney.config.values import LiveBoards
from tourney.config.web import WebConfig
from tourney.coordinator.draw.drawing import boards_to_deal, why_refused
from tourney.coordinator.draw.planning import stage_planners
from tourney.coordinator.engine import engine_problems
from tourney.coordinator.program_trials import (
    choose_event_sandbox,
    describe_sandbox,
    list_places,
    started_commands,
    try_programs,
)
from tourney.errors import ConfigError, LaunchError, StoreError
from tourney.event.file import EventFile, load_event_to_play
from tourney.event.place import find_path, read_event_text
from tourney.launch.program import is_missing, why_not_found
from tourney.launch.sandbox import choose_kind
from tourney.output.times import format_local
from tourney.plurals import count
from tourney.runtime.open_files import connections_allowed, files_available, files_served
from tourney.store.db.database import Database
from tourney.store.db.schema import check, is_empty
from tourney.store.draw.objects import EventInfo
from tourney.store.draw.reader import is_begun, load_event
from tourney.store.results.secrecy import load_events_with_deals

_SCRIPTS: Final = frozenset({".py", ".sh", ".pl", ".rb", ".js", ".mjs", ".jar", ".lua", ".php", ".exe", ".dll"})
"""Suffixes of files that an interpreter is given to run."""


class EventCheckDocument(TypedDict):
    """What checking an event file found."""

    file: str
    """The path of the event file, as it was given."""
    fine: bool
    """Whether there are no problems."""
    problems: list[str]
    """What a run would refuse or could not play: a sentence each, with the place in the file."""
    warnings: list[str]
    """What a run would do, though it is hardly wanted: a sentence each, with the place in the file."""
    event: str | None
    """The name of the event; null, like what follows, if there is a problem with what the file says."""
    teams: int | None
    """The number of teams."""
    rounds: int | None
    """The number of rounds of all stages."""
    matches: int | None
    """The number of matches, if no team leaves the event."""
    results: str | None
    """The results folder."""
    database: str | None
    """The URL of the database, without its password."""
    sandbox: str | None
    """The sandbox of programs that tourney starts, on this machine: `bubblewrap`, `user`, `command` or `none`; null
    if it starts none, or the sandbox that the file asks for cannot be had."""


@dataclass(frozen=True, slots=True)
class EventCheck:
    """An event file with what was found about it; the sentences do not name the file."""

    path: Path
    event_file: EventFile | None
    """None if it cannot be read, or something that it says is wrong."""
    problems: Sequence[str]
    warnings: Sequence[str]
    database: str | None
    """The URL of the database, without its password; None if it has no such form."""
    sandbox_text: str | None = None
    """The sandbox of programs that tourney starts, described; None if it starts none but its own player."""
    sandbox: SandboxKind | None = None
    """The kind of that sandbox."""


def check_event_file(path: Path, now_ms: int, *, tries_programs: bool = True) -> EventCheck:
    """Check an event file, what it names, and whether the record would take it; nothing is drawn or stored.

    Programs that would have a sandbox are started in it, unless something else about programs is wrong already.

    Raises:
        ConfigError: the file cannot be read.
    """
    text = read_event_text(path)
    try:
        event_file = load_event_to_play(path)
    except EventFileError as error:
        problems = list(error.problems)
        try:
            valid = salvage_sections(text, path.name)
        except EventFileError:  # no TOML at all
            valid = None
        if valid is not None:
            found = enumerate(valid.teams or (), 1)
            teams = [(number, team) for number, team in found if team is not None]
            problems += _program_problems(teams, path.resolve().parent)
            problems += _host_problems(valid.tables)
        return EventCheck(path, None, problems, [], None)
    return _check_outward(path, event_file, now_ms, tries_programs=tries_programs)


def _check_outward(path: Path, event_file: EventFile, now_ms: int, *, tries_programs: bool) -> EventCheck:
    """Check what a valid event file names."""
    config = event_file.config
    teams = list(enumerate(config.team, 1))
    problems = [*_program_problems(teams, event_file.folder), *_host_problems(config.tables)]
    can_be_tried = tries_programs and not problems
    boards: Sequence[Board] = ()
    warnings = [*_script_warnings(teams, event_file.folder), *_access_warnings(event_file)]
    if config.deals.pbn is not None:
        try:
            boards = boards_to_deal(event_file)
        except ConfigError as error:
            problems.append(f"deals, pbn: {error}")
    url: str | None = None
    event: EventInfo | None = None
    has_begun = is_elsewhere = False
    try:
        with closing(Database(event_file.database_url)) as database:
            url = str(database)
            is_elsewhere = not database.is_sqlite
            problems += engine_problems(event_file, database)
            event = _stored_event(database, config.event.name)
            if event is not None:
                has_begun = is_begun(database, event.id)
                refusal = why_refused(event_file, database, event)
                problems += [refusal] if refusal is not None else []
            if not (database.has_no_bytes or is_empty(database)):
                if event is None and config.deals.pbn is None:
                    boards = boards_to_deal(event_file)
                warnings += _deals_warnings(database, config.event.name, boards if event is None else ())
    except ConfigError:
        pass  # of the boards, which has been said
    except StoreError as error:
        # A server may be reached from where the event will be run, and not from here.
        (warnings if is_elsewhere else problems).append(f"event, database: {error}")
    warnings += _start_warnings(event_file, now_ms, event if has_begun else None)
    sandbox_text = None
    sandbox = None
    try:
        choice = choose_event_sandbox(event_file, choose_kind)
    except LaunchError as error:
        problems.append(str(error))
    else:
        sandbox_text = describe_sandbox(event_file, choice)
        sandbox = choice.kind if any(team.is_started_here for team in config.team) else None
        if choice.notice:
            warnings.append(choice.notice)
        if can_be_tried:
            tried = try_programs(event_file, choice.kind)
            problems += tried.problems
            warnings += tried.warnings
    return EventCheck(path, event_file, problems, warnings, url, sandbox_text, sandbox)


def _stored_event(database: Database, name: str) -> EventInfo | None:
    """Return the event as it was drawn; None if it is not there yet."""
    if database.has_no_bytes or is_empty(database):
        return None
    check(database)
    return load_event(database, name)


def check_document(found: EventCheck) -> EventCheckDocument:
    """Return what was found as a document."""
    document: EventCheckDocument = {
        "file": str(found.path),
        "fine": not found.problems,
        "problems": list(found.problems),
        "warnings": list(found.warnings),
        "event": None,
        "teams": None,
        "rounds": None,
        "matches": None,
        "results": None,
        "database": found.database,
        "sandbox": found.sandbox.value if found.sandbox is not None else None,
    }
    if found.event_file is None:
        return document
    config = found.event_file.config
    planners = stage_planners(config)
    document["event"] = config.event.name
    document["teams"] = len(config.team)
    document["rounds"] = sum(planner.rounds for planner in planners)
    document["matches"] = sum(sum(planner.most_matches) for planner in planners)
    document["results"] = str(found.event_file.results)
    return document


# What the file names


def _program_problems(teams: Iterable[tuple[int, TeamConfig]], folder: Path) -> Iterator[str]:
    """Yield a sentence for each program that cannot be started, with the teams that have it."""
    for (where, program), places in _by_word(teams, folder, slice(0, 1)).items():
        why = why_not_found(program, where)
        if why is not None:
            yield f"{list_places(places)}: the program {program!r} {why}"


def _script_warnings(teams: Iterable[tuple[int, TeamConfig]], folder: Path) -> Iterator[str]:
    """Yield a sentence for each file that a program seems to be given to run, and that is not there."""
    for (where, word), places in _by_word(teams, folder, slice(1, None)).items():
        if Path(word).suffix.lower() in _SCRIPTS and is_missing(where / Path(word).expanduser()):
            yield f"{list_places(places)}: there is no file {word!r} in {where}, where the program is started"


def _by_word(
    teams: Iterable[tuple[int, TeamConfig]], folder: Path, which: slice
) -> dict[tuple[Path, str], list[str]]:
    """Return the words of commands without placeholders, with the folder of their program, and where they stand."""
    found: dict[tuple[Path, str], list[str]] = {}
    for place, team, _, command in started_commands(teams):
        where = folder if team.folder is None else find_path(folder, team.folder)
        for word in split_command(command)[which]:
            if "{" not in word:
                found.setdefault((where, word), []).append(place)
    return found


def _host_problems(tables: TablesConfig | None) -> Iterator[str]:
    """Yield why tables cannot listen on their host."""
    if tables is None:
        return
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(tables.host, 0, type=socket.SOCK_STREAM)[0]
    except OSError as error:
        yield f"tables, host: {tables.host!r} is no host that can be found: {error.strerror}"
        return
    try:
        with closing(socket.socket(family, kind, protocol)) as listener:
            listener.bind(address)
    except OSError as error:
        yield f"tables, host: no table can listen on {tables.host!r}: {error.strerror}"


def _access_warnings(event_file: EventFile) -> Iterator[str]:
    if event_file.open_teams and event_file.access_notice is not None:
        yield f"tables, host: {event_file.access_notice}; give each a pass_phrase or an allow list"
    if event_file.login_notice is not None:
        yield f"team, command: {event_file.login_notice}"
    if event_file.config.web.live is LiveBoards.VUGRAPH:
        yield 'web, live: "vugraph" shows boards in play: a program that can read web pages would read its own board'
    yield from _web_warnings(event_file.config.web)


def _web_warnings(web: WebConfig) -> Iterator[str]:
    """Yield what would keep browsers from the live pages, if anything is said of them."""
    if web.behind_tls and not web.proxies:
        yield (
            "web, proxies: behind_tls has a server in front, whose address is not among proxies: all browsers count "
            f"as one, of which {web.streams_per_address} may watch"
        )
    if not web.model_fields_set:
        return
    wanted, files = files_served(web.watchers_max, web.desk_reserve), files_available()
    if files is not None and files < wanted:
        yield (
            f"web, watchers_max: {web.watchers_max} watchers take {wanted} open files, and a process may have "
            f"{files} here, enough for {connections_allowed(files, web.desk_reserve)} connections: raise the limit "
            "(ulimit -n)"
        )
    if web.streams_per_address > web.connections_per_address:
        yield (
            f"web, streams_per_address: {web.streams_per_address} of one address cannot watch, as it may have "
            f"{web.connections_per_address} connections"
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
    """Yield a sentence for each round that is to start in the past; those that are drawn may have been played."""
    drawn = {round_.number for round_ in begun.all_rounds if round_.is_drawn} if begun is not None else set()
    number = 0
    for planner in stage_planners(event_file.config):
        for starts_at_ms in planner.starts_at_ms():
            number += 1
            if starts_at_ms is not None and starts_at_ms < now_ms and number not in drawn:
                stage, when = planner.plan.number, format_local(starts_at_ms)
                yield f"stage {stage}, starts: {when} is past, so that round {number} starts as soon as it can"
