"""The short form of a check: which profile a program needs, found on a few boards at one seat."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from tourney.bridge import Seat
from tourney.compliance.check import CheckReport, check_program
from tourney.compliance.context import CheckSettings
from tourney.compliance.profiles import OWN_PROFILE, ProfileInUse, suitable_profile, team_settings
from tourney.compliance.steps import StepKind
from tourney.config.command import is_own_player
from tourney.protocol.bluechip import PROFILES, WireProfile
from tourney.store.control.host_settings import SandboxSettings

SEARCH_S: Final = 90.0
"""How long a search may take; a program that calls and plays at once takes some five seconds."""

SEARCH_STEPS: Final = frozenset(
    {
        StepKind.CONNECT,
        StepKind.GREET,
        StepKind.PASSED_OUT,
        StepKind.AFTER_PASSED_OUT,
        StepKind.LEADER,
        StepKind.AFTER_PLAYED,
        StepKind.ALERT,
        StepKind.RESTART,
        StepKind.PACKET,
    }
)
"""The steps that tell one profile from another."""


@dataclass(frozen=True, slots=True)
class FoundProfile:
    """What was found out about a program."""

    profile: WireProfile | None
    """The settings with which it plays; None if none were found."""
    name: str = "default"
    """The profile that a team of its programs names in an event file."""
    wire: dict[str, bool | int | str] = field(default_factory=dict)
    """What its `[team.wire]` has besides; empty where the profile has it all."""
    problem: str = ""
    """Why there is no profile, or why it may lack a setting; one sentence, empty for a search that found all."""


async def find_profile(
    command: str,
    *,
    team: str = "Alpha",
    seat: Seat = Seat.NORTH,
    profile: str = "default",
    walls: SandboxSettings | None = None,
    limit_s: float = SEARCH_S,
    tell: Callable[[str], None] = lambda _: None,
) -> FoundProfile:
    """Find the profile of a program by letting it play a few boards; it is started anew for each session.

    Args:
        command: starts it, as in an event file; it is run in the current folder.
        team: the name that it logs on with.
        seat: the seat at which it is tried.
        profile: the named profile to begin with.
        walls: the walls around it; none by default.
        limit_s: how long the search may take. Of a program that thinks for longer, what was found so far is returned.
        tell: informs a person of the progress.

    Raises:
        LaunchError: the command cannot be started.
        UsageError: there is no such profile.
    """
    if is_own_player(command):
        return FoundProfile(PROFILES[OWN_PROFILE], OWN_PROFILE)
    settings = CheckSettings(
        command=command,
        seats=(seat,),
        kinds=SEARCH_STEPS,
        team=team,
        profile=profile,
        walls=walls if walls is not None else SandboxSettings(),
    )
    in_use = ProfileInUse(PROFILES.get(profile, PROFILES["default"]))
    try:
        async with asyncio.timeout(limit_s):
            report = await check_program(settings, tell, in_use)
    except TimeoutError:
        problem = f"not all settings could be tried within {limit_s:g} s"
        return _found(in_use.profile, suitable_profile(in_use.profile), problem)
    if report.profile is None:
        return FoundProfile(None, problem=_problem(report))
    return _found(report.profile, report.suitable)


def _found(profile: WireProfile, suitable: str | None, problem: str = "") -> FoundProfile:
    name = suitable if suitable is not None else "default"
    return FoundProfile(profile, name, team_settings(profile, suitable), problem)


def _problem(report: CheckReport) -> str:
    """Return one sentence on the first mistake of a program that does not play."""
    if not report.mistakes:
        return "it has called nothing"
    mistake = report.mistakes[0]
    failure, step = mistake.failure, mistake.first
    after = f" after `{failure.after}`" if failure.after else ""
    return f"in step {step.number} ({step.description}), expected{after}: {failure.expected}; got {failure.said}"
