"""What starts the table hosts and the programs of an event, as its file says.

Hosts are started on this machine, or by a Dask cluster (`[launch]`); programs that tourney starts have a sandbox.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from sqlalchemy import make_url
from sqlalchemy.exc import ArgumentError

from tourney.config import EventConfig, PortPlan, SandboxKind, TeamConfig, slug
from tourney.config.command import is_own_player, reaches_service
from tourney.config.programs import KnownProgram, find_program, programs_of_command, programs_of_service
from tourney.errors import ConfigError
from tourney.event.file import EventFile
from tourney.event.place import find_path
from tourney.extras import has_extra, install_command
from tourney.launch.hosts import HostSecrets, Launcher, LocalLauncher
from tourney.launch.sandbox import SandboxChoice
from tourney.store.db.database import Database

_PLACES_NAMED_MAX: Final = 5


def make_launcher(event_file: EventFile, database: Database, event_id: int, log_level: str) -> Launcher:
    """Make what starts the hosts of an event.

    Raises:
        ConfigError: a cluster is asked for that cannot be used with this database, or without what is installed.
        LaunchError: the keys of the cluster cannot be read.
    """
    address, results, passphrases = database.address, event_file.results, event_file.passphrases
    launch = event_file.config.launch
    if launch.scheduler is None:
        return LocalLauncher(event_id, HostSecrets(address, passphrases), results, log_level=log_level)
    for problem in engine_problems(event_file, database):
        raise ConfigError(problem)
    # Loading Dask takes most of a second, which only those who use it should have to wait.
    from tourney.cluster.client import ClusterClient  # noqa: PLC0415
    from tourney.cluster.connection import load_security  # noqa: PLC0415
    from tourney.cluster.launcher import DaskLauncher  # noqa: PLC0415
    from tourney.cluster.worker import HostTask  # noqa: PLC0415

    security = load_security(find_path(event_file.folder, launch.keys) if launch.keys is not None else None)
    task = HostTask(
        event_id=event_id,
        folder=slug(event_file.config.event.name),
        secrets=HostSecrets(_url_of_workers(launch.database, address), passphrases),
        ports_per_table=event_file.config.tables.port_plan.ports_per_table,
        log_level=log_level,
    )
    return DaskLauncher(ClusterClient(launch.scheduler, security), task, results)


def engine_problems(event_file: EventFile, database: Database) -> list[str]:
    """Return why the hosts of an event cannot be started on a cluster, a sentence each."""
    launch, problems = event_file.config.launch, []
    if launch.scheduler is None:
        return []
    if not has_extra("cluster"):
        command = install_command("cluster")
        problems.append(f"launch, scheduler: a cluster needs packages that are not installed: {command}")
    if database.is_sqlite:
        problems.append(
            "launch, scheduler: a cluster needs the record in PostgreSQL, which hosts on other machines can reach: "
            f"set `database` in [event] or TOURNEY_DATABASE, got {database}"
        )
    if launch.database is not None:
        try:
            backend = make_url(launch.database).get_backend_name()
        except ArgumentError:
            backend = ""
        if backend != "postgresql":
            problems.append("launch, database: expected postgresql://user@host/database, got another kind of URL")
    return problems


def _url_of_workers(given: str | None, ours: str) -> str:
    """Return the database as workers reach it: with the user and password of the run's where it names none."""
    if given is None:
        return ours
    url, own = make_url(given), make_url(ours)
    url = url.set(drivername=own.drivername, username=url.username or own.username)
    if url.password is None:
        url = url.set(password=own.password)
    return url.render_as_string(hide_password=False)


# Programs and their sandbox


def choose_event_sandbox(
    event_file: EventFile, choose: Callable[[SandboxKind | None], SandboxChoice]
) -> SandboxChoice:
    """Choose the sandbox around the programs that tourney starts for an event; nothing is said where it starts none.

    Programs of a duel are the organiser's own, and have none unless the event file says so; nor is anything said
    where all of them are the player that comes with tourney.

    Args:
        event_file: the event.
        choose: finds out what works on the machine, as `choose_kind`.

    Raises:
        LaunchError: the sandbox that the file asks for cannot be had, or has a hole.
    """
    commands = [each.command for each in started_commands(event_file)]
    if not commands:
        return SandboxChoice(SandboxKind.NONE)
    choice = choose(event_file.wanted_sandbox)
    return replace(choice, notice="") if all(map(is_own_player, commands)) else choice


class StartedCommand(NamedTuple):
    """A command of a team whose programs tourney starts on this machine. `place` is where it stands in the file."""

    place: str
    team: TeamConfig
    command: str


def started_commands(event_file: EventFile) -> Iterator[StartedCommand]:
    """Yield the commands that tourney starts on this machine for the teams of a file."""
    for number, team in enumerate(event_file.config.team, 1):
        if team.command is not None:
            yield StartedCommand(f"team {number}, command", team, team.command)


def list_places(places: Sequence[str]) -> str:
    """List where programs stand in the event file, if there are not too many."""
    rest = len(places) - _PLACES_NAMED_MAX
    return "; ".join(places[:_PLACES_NAMED_MAX]) + (f" and {rest} more" if rest > 0 else "")


def describe_sandbox(event_file: EventFile, choice: SandboxChoice) -> str | None:
    """Describe the sandbox that programs have; None where tourney starts none but its own player."""
    commands = list(started_commands(event_file))
    if all(is_own_player(each.command) for each in commands):
        return None
    match choice.kind:
        case SandboxKind.BUBBLEWRAP:
            text = "within bubblewrap: each sees its own files and reaches its table, nothing else"
            asking = dict.fromkeys(each.team.name for each in commands if reaches_service(each.command))
            return f"{text}; what asks a service over HTTP has the network: {', '.join(asking)}" if asking else text
        case SandboxKind.COMMAND:
            return f"started by {event_file.config.sandbox.command}"
        case SandboxKind.NONE:
            return "without a sandbox, with all rights of the user who runs the event"


# Known programs, and what the settings of their teams lack


def known_programs(teams: Iterable[TeamConfig]) -> list[tuple[KnownProgram, list[str]]]:
    """Return the known programs that play, each with the names of its teams."""
    found: dict[str, list[str]] = {}
    for team in teams:
        for program in _programs_of_team(team):
            found.setdefault(program.name, []).append(team.name)
    return [(find_program(name), names) for name, names in found.items()]


def _programs_of_team(team: TeamConfig) -> Iterator[KnownProgram]:
    """Yield the known programs of a team; of several versions the one whose profile it has, or else the first."""
    if team.api is not None:
        for api in (team.api, team.play_api):
            if api is not None:
                yield from programs_of_service(api)
        return
    versions = programs_of_command(team.command) if team.command is not None else []
    suiting = [program for program in versions if program.profile == team.profile]
    yield from (suiting or versions)[:1]


def profile_warnings(config: EventConfig) -> Iterator[str]:
    """Yield a sentence for each team whose tables would not do what its program is known to need."""
    for number, team in enumerate(config.team, 1):
        versions = programs_of_command(team.command) if team.command is not None and team.api is None else []
        has_settings = any(
            program.profile == team.profile or program.wire in (None, team.wire_profile) for program in versions
        )
        if versions and not has_settings:
            names = " or ".join(f'"{program.profile}" for {program.title}' for program in versions)
            entrant = f"{config.entrant_section} {number}"
            yield f'{entrant}, profile: its program is known to need {names}, got "{team.profile}"'
        named = find_program(team.profile) if team.profile != "default" else None
        if named is not None and named.has_seat_ports and config.tables.port_plan is not PortPlan.PER_SEAT:
            yield f'tables, port_plan: {named.title} expects a port for each seat, which "per-seat" provides'
