"""Which walls the programs of an event have on this machine, and what the organiser is told about them."""

from collections.abc import Callable, Iterator
from dataclasses import replace

from tourney.config import SandboxKind
from tourney.config.command import is_own_player
from tourney.errors import LaunchError
from tourney.event.file import EventFile
from tourney.launch.sandbox import SandboxChoice, user_problems


def choose_walls(event_file: EventFile, choose: Callable[[SandboxKind | None], SandboxChoice]) -> SandboxChoice:
    """Choose the walls around the programs that tourney starts for an event; nothing is said where it starts none.

    Programs of a duel are the organiser's own, and have none unless the event file says so; nor is anything said
    where all of them are the player that comes with tourney.

    Args:
        event_file: the event.
        choose: finds out what works on the machine, as `choose_kind`.

    Raises:
        LaunchError: the walls that the file asks for cannot be had, or have a hole.
    """
    commands = list(_commands(event_file))
    if not commands:
        return SandboxChoice(SandboxKind.NONE)
    choice = choose(event_file.wanted_walls)
    if choice.kind is SandboxKind.USER:
        problems = user_problems(event_file.host_settings.sandbox, event_file.folder)
        if problems:
            raise LaunchError("; ".join(problems))
    if all(map(is_own_player, commands)):
        return replace(choice, notice="")
    return choice


def _commands(event_file: EventFile) -> Iterator[str]:
    for team in (team for team in event_file.config.team if team.is_started_here):
        yield from (command for command in (team.command, team.second_command) if command is not None)


def describe_walls(event_file: EventFile, choice: SandboxChoice) -> str | None:
    """Describe the walls that programs have; None where tourney starts none but its own player."""
    if all(map(is_own_player, _commands(event_file))):
        return None
    match choice.kind:
        case SandboxKind.BUBBLEWRAP:
            return "within bubblewrap: each sees its own files and reaches its table, nothing else"
        case SandboxKind.USER:
            return "each team's run as a user of their own"
        case SandboxKind.COMMAND:
            return f"started by {event_file.config.sandbox.command}"
        case SandboxKind.NONE:
            return "without walls, with all rights of the user who runs the event"
