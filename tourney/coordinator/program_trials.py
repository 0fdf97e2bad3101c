"""Programs before the event: which sandbox they have on this machine, and that they can be started in it.

What a program says once it has connected is for `tourney check-bot`: here is seen whether it can be started at all
where it will be.
"""

import asyncio
import os
import socket
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, NamedTuple

from tourney.bridge import Seat
from tourney.config import SandboxKind, TeamConfig
from tourney.config.command import CommandValues, is_own_player, reachable
from tourney.errors import LaunchError
from tourney.event.file import EventFile
from tourney.launch.bots import BotProcess, ProgramSpec
from tourney.launch.sandbox import Sandbox, SandboxChoice, user_problems

CONNECT_S: Final = 20.0
"""How long a program may take to connect, in seconds."""

TRIALS_S: Final = 120.0
"""After this time no further program is tried, in seconds."""

_LATE_S: Final = 0.2
"""How long after the end of a program its first line may come, in seconds."""

_AT_ONCE: Final = 4
_PLACES_NAMED_MAX: Final = 5
_OUTPUT_LINES: Final = 2


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
    commands = [each.command for each in started_commands(enumerate(event_file.config.team, 1))]
    if not commands:
        return SandboxChoice(SandboxKind.NONE)
    choice = choose(event_file.wanted_sandbox)
    if choice.kind is SandboxKind.USER:
        problems = user_problems(event_file.host_settings.sandbox, event_file.folder)
        if problems:
            raise LaunchError("; ".join(problems))
    if all(map(is_own_player, commands)):
        return replace(choice, notice="")
    return choice


class StartedCommand(NamedTuple):
    """A command of a team whose programs tourney starts on this machine. `place` is where it stands in the file."""

    place: str
    team: TeamConfig
    pair: int
    command: str


def started_commands(teams: Iterable[tuple[int, TeamConfig]]) -> Iterator[StartedCommand]:
    """Yield the commands that tourney starts for these teams, with their numbers, on this machine."""
    for number, team in teams:
        commands = {"command": team.command, "second_command": team.second_command}
        for pair, (key, command) in enumerate(commands.items(), 1):
            if command is not None and team.is_started_here:
                yield StartedCommand(f"team {number}, {key}", team, pair, command)


def list_places(places: Sequence[str]) -> str:
    """List where programs stand in the event file, if there are not too many."""
    rest = len(places) - _PLACES_NAMED_MAX
    return "; ".join(places[:_PLACES_NAMED_MAX]) + (f" and {rest} more" if rest > 0 else "")


def describe_sandbox(event_file: EventFile, choice: SandboxChoice) -> str | None:
    """Describe the sandbox that programs have; None where tourney starts none but its own player."""
    if all(is_own_player(each.command) for each in started_commands(enumerate(event_file.config.team, 1))):
        return None
    match choice.kind:
        case SandboxKind.BUBBLEWRAP:
            return "within bubblewrap: each sees its own files and reaches its table, nothing else"
        case SandboxKind.USER:
            return "each team's run as a user of their own"
        case SandboxKind.COMMAND:
            return f"started by {event_file.config.sandbox.command}"
        case SandboxKind.NONE:
            return "without a sandbox, with all rights of the user who runs the event"


# Trials


@dataclass(frozen=True, slots=True)
class _Trial:
    """A program that is tried once for all teams that have it."""

    command: str
    folder: Path
    team: str
    """The first team that has it."""
    pair: int
    places: list[str]

    @property
    def where(self) -> str:
        return list_places(self.places)


@dataclass(frozen=True, slots=True)
class TrialResults:
    """What trying the programs of an event has shown, a sentence each."""

    problems: Sequence[str] = ()
    """Programs that could not play."""
    warnings: Sequence[str] = ()
    """Programs of which that is not known."""


def try_programs(event_file: EventFile, kind: SandboxKind) -> TrialResults:
    """Start each program that will have a sandbox, and wait until it logs on."""
    if kind is SandboxKind.NONE:
        return TrialResults()
    trials = _list_trials(event_file, kind)
    return asyncio.run(_try_all(event_file, kind, trials)) if trials else TrialResults()


def _list_trials(event_file: EventFile, kind: SandboxKind) -> list[_Trial]:
    sandbox = event_file.host_settings.sandbox
    found: dict[tuple[str, str, str | None], _Trial] = {}
    for place, team, pair, command in started_commands(enumerate(event_file.config.team, 1)):
        # Our own player is known to work, unless another user runs it.
        if not is_own_player(command) or kind is SandboxKind.USER:
            folder = sandbox.team_folders.get(team.name, str(event_file.folder))
            trial = _Trial(command, Path(folder), team.name, pair, [])
            found.setdefault((command, folder, sandbox.users.get(team.name)), trial).places.append(place)
    return list(found.values())


async def _try_all(event_file: EventFile, kind: SandboxKind, trials: Sequence[_Trial]) -> TrialResults:
    turns = asyncio.Semaphore(min(_AT_ONCE, os.cpu_count() or 1))
    deadline = asyncio.get_running_loop().time() + TRIALS_S

    async def take_turn(trial: _Trial) -> tuple[bool, str]:
        async with turns:
            if asyncio.get_running_loop().time() > deadline:
                return False, f"{trial.where}: not tried, as the others took {TRIALS_S:g} s already"
            try:
                ended, why = await _try_one(event_file, kind, trial)
            except LaunchError as error:
                ended, why = True, str(error)
            return ended, why and f"{trial.where}: tried in its sandbox, {why}"

    found = await asyncio.gather(*map(take_turn, trials))
    return TrialResults(
        problems=[why for ended, why in found if why and ended],
        warnings=[why for ended, why in found if why and not ended],
    )


async def _try_one(event_file: EventFile, kind: SandboxKind, trial: _Trial) -> tuple[bool, str]:
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
    sandbox = Sandbox(replace(settings.sandbox, kind=kind, folders=""), trial.team)
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
                    team=trial.team,
                    login=trial.team,
                    pair=trial.pair,
                ),
                started_in=trial.folder,
                own=results / "programs" / "trial" / "north",
                output=results / "bots" / "north.log",
                sandbox=sandbox,
                serve=serve,
            )
            program = BotProcess(spec)
            try:
                return await _until_connected(program, has_come)
            finally:
                await program.end()


async def _until_connected(program: BotProcess, has_come: asyncio.Event) -> tuple[bool, str]:
    await program.start()
    came, ended = asyncio.create_task(has_come.wait()), asyncio.create_task(program.wait())
    try:
        await asyncio.wait([came, ended], timeout=CONNECT_S, return_when=asyncio.FIRST_COMPLETED)
        if came.done():
            return False, ""
        if ended.done():
            # What it said before it ended may have come at the same time.
            is_there = has_come.is_set() or await _comes_soon(came)
            why = "" if is_there else f"it {program.how_it_ended(ended.result())}"
        else:
            said = " | ".join(program.last_lines(_OUTPUT_LINES))
            why = f"it has not logged on within {CONNECT_S:g} s" + (f"; it printed: {said}" if said else "")
        more = [sentence for sentence in program.unseen() if sentence not in why] if why else []
        return ended.done(), "; ".join(filter(None, [why, *more]))
    finally:
        came.cancel()
        ended.cancel()


async def _comes_soon(came: "asyncio.Task[bool]") -> bool:
    done, _ = await asyncio.wait([came], timeout=_LATE_S)
    return bool(done)
