"""The known programs of an event: which play, and what their teams' settings lack."""

from collections.abc import Iterable, Iterator, Sequence

from tourney.config import PortPlan, TablesConfig, TeamConfig
from tourney.config.programs import KnownProgram, find_program, programs_of_command, programs_of_service


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
    for command in (team.command, team.second_command):
        versions = programs_of_command(command) if command is not None else []
        suiting = [program for program in versions if program.profile == team.profile]
        yield from (suiting or versions)[:1]


def profile_warnings(teams: Sequence[TeamConfig], tables: TablesConfig, entrant: str) -> Iterator[str]:
    """Yield a sentence for each team whose tables would not do what its program is known to need.

    Args:
        teams: the teams of the event.
        tables: its tables.
        entrant: what the sections of its teams are called.
    """
    for number, team in enumerate(teams, 1):
        versions = programs_of_command(team.command) if team.command is not None and team.api is None else []
        has_settings = any(
            program.profile == team.profile or program.wire in (None, team.wire_profile) for program in versions
        )
        if versions and not has_settings:
            names = " or ".join(f'"{program.profile}" for {program.title}' for program in versions)
            yield f'{entrant} {number}, profile: its program is known to need {names}, got "{team.profile}"'
        named = find_program(team.profile) if team.profile != "default" else None
        if named is not None and named.has_seat_ports and tables.port_plan is not PortPlan.PER_SEAT:
            yield f'tables, port_plan: {named.title} expects a port for each seat, which "per-seat" provides'
