"""A whole check: the wanted steps at the wanted seats, and the report on them; and its short form, for a profile."""

import asyncio
import contextlib
import statistics
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Final

from tourney.bridge import Seat
from tourney.compliance.context import CheckSettings, SeatContext
from tourney.compliance.findings import (
    CheckedStep,
    Mistake,
    Remark,
    StepKind,
    StepResult,
    mistakes_of,
)
from tourney.compliance.profiles import ProfileInUse, suitable_profile, team_settings, wire_lines
from tourney.compliance.program import Program, ProgramListener
from tourney.compliance.seat_check import SeatCheck, SeatFindings
from tourney.config.command import is_own_client, is_own_player
from tourney.config.programs import PROFILES, programs_of_command
from tourney.errors import UsageError
from tourney.host.wire_log import WireLog
from tourney.output.rows import Row, Unit
from tourney.output.units import Milliseconds
from tourney.protocol.wires import DEFAULT, OWN_PROFILE, WireProfile
from tourney.runtime.clock import HostClock

_NOT_IN_PLAY: Final = (StepKind.END, StepKind.CUT, StepKind.TAKEN)
"""The steps in which the settings of a profile do not show: the program only leaves, or comes back."""


class Thinking(Row):
    """Times that the program took over its calls or its cards; all 0 when there were none."""

    count: Annotated[int, Unit(minimum=0)]
    """How many calls or cards were timed."""
    median_ms: Milliseconds
    """The median time in milliseconds."""
    max_ms: Milliseconds
    """The longest time in milliseconds."""

    @classmethod
    def of(cls, times_ms: list[int]) -> "Thinking":
        """Sum up a list of times."""
        return cls(len(times_ms), int(statistics.median(times_ms)), max(times_ms)) if times_ms else cls(0, 0, 0)


class ThinkingTimesDocument(Row):
    """Thinking times of a program."""

    calls: Thinking
    """Times of its calls."""
    cards: Thinking
    """Times of its cards."""


class CheckDocument(Row, kw_only=True):
    """What a check of a program found."""

    passed: bool
    """Whether no step failed."""
    steps: list[CheckedStep]
    """The steps that were tried, by number; steps that were not asked for are left out."""
    mistakes: tuple[Mistake, ...]
    """The mistakes that the failed steps show, in the order in which they showed first."""
    remarks: tuple[Remark, ...]
    """What was accepted, and that other servers may not accept."""
    profile: str | None
    """The named profile that suits the program; null where none does, steps have failed in play, or the program has
    called nothing."""
    wire: list[str]
    """The lines of a `[team.wire]` table that suit the program: what differs from the default profile;
    empty where steps have failed in play, or the program has called nothing."""
    thinking: ThinkingTimesDocument
    """Thinking times of the program."""


@dataclass(frozen=True, kw_only=True)
class CheckReport:
    """What a check of a program found, with what was asked for."""

    settings: CheckSettings
    """What was checked, and how."""
    steps: list[CheckedStep]
    mistakes: tuple[Mistake, ...]
    remarks: tuple[Remark, ...]
    profile: str | None
    thinking: ThinkingTimesDocument
    found: WireProfile | None
    """The settings with which the program plays; None if it has called nothing, or has failed in play."""
    has_called: bool
    """Whether it has called at all."""

    @property
    def passed(self) -> bool:
        """Whether no step failed."""
        return not self.mistakes

    @property
    def wire(self) -> list[str]:
        """The lines of a `[team.wire]` table that suit the program."""
        return wire_lines(self.found) if self.found is not None else []

    @property
    def results(self) -> list[StepResult]:
        """All results, in the order of the steps, then of the seats."""
        return [result for step in self.steps for result in step.results]

    def step(self, number: int) -> CheckedStep:
        """Return the step with a number, which was tried."""
        return next(step for step in self.steps if step.number == number)

    def content(self) -> CheckDocument:
        """Return what `--json` prints."""
        return CheckDocument.from_attributes(self)


async def check_program(settings: CheckSettings, show: Callable[[str], None]) -> CheckReport:
    """Check the program; `show` informs its author of the progress.

    Raises:
        LaunchError: the port cannot be used, or the command cannot be started.
        UsageError: there is no such profile.
    """
    if settings.profile not in PROFILES:
        raise UsageError(f"a profile is one of {', '.join(PROFILES)}, got {settings.profile!r}")
    clock = HostClock()
    in_use = ProfileInUse(PROFILES[settings.profile])
    found: dict[Seat, SeatFindings] = {}
    async with contextlib.AsyncExitStack() as stack:
        listener = await _open_listener(settings, clock, stack)
        transcript = WireLog(settings.transcript) if settings.transcript is not None else None
        if transcript is not None:
            stack.callback(transcript.close)
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="tourney-check-")))
        turns = asyncio.Semaphore(len(settings.seats) if settings.are_side_by_side else 1)

        async def check_seat(seat: Seat) -> None:
            async with turns:
                # One after another they share a port; side by side, a connection would not say whose it is.
                own = await _open_listener(settings, clock, stack) if settings.are_side_by_side else listener
                context = SeatContext(settings, seat, clock, transcript, show)
                waits = f"a line may take {settings.timeout_s:g} s, and connecting {settings.connect_limit_s:g} s"
                context.show(f"begins; {waits}")
                found[seat] = await SeatCheck(context, in_use, Program(context, own, folder)).run()
                context.show("done")

        try:
            async with asyncio.TaskGroup() as group:
                for seat in settings.seats:
                    group.create_task(check_seat(seat))
        except BaseExceptionGroup as faults:
            raise faults.exceptions[0] from None  # seats fail alike, and one sentence is enough
    return _report(settings, [found[seat] for seat in sorted(settings.seats)], in_use.profile)


async def _open_listener(
    settings: CheckSettings, clock: HostClock, stack: contextlib.AsyncExitStack
) -> ProgramListener:
    listener = ProgramListener(clock)
    await listener.open(settings.host, settings.port)
    stack.push_async_callback(listener.close)
    return listener


def _report(settings: CheckSettings, by_seat: list[SeatFindings], profile: WireProfile) -> CheckReport:
    remarks: dict[tuple[str, str], Remark] = {}
    for findings in by_seat:
        for remark in findings.remarks.values():
            remarks.setdefault(remark.what, remark)
    gaps = [findings.gap_ms for findings in by_seat if findings.gap_ms is not None]
    restarts = [findings.board_restart for findings in by_seat if findings.board_restart is not None]
    profile = replace(
        profile,
        line_gap_ms=max(gaps, default=profile.line_gap_ms),
        board_restart=all(restarts) if restarts else profile.board_restart,
    )
    has_called = settings.vocabulary.has_profiles and any(findings.has_played for findings in by_seat)
    fails_in_play = any(
        result.failure is not None and kind not in _NOT_IN_PLAY
        for findings in by_seat
        for kind, result in findings.results.items()
    )
    plays = has_called and not fails_in_play
    sessions = [session for findings in by_seat for session in findings.sessions]
    system = next((findings.last_log_on.system for findings in by_seat if findings.last_log_on.system), "")
    steps = [
        CheckedStep(step.number, step.description, step.clauses, tried)
        for step in settings.vocabulary.steps
        if (tried := [findings.results[step.kind] for findings in by_seat if step.kind in findings.results])
    ]
    command = settings.command
    known = [program.name for program in programs_of_command(command)] if command is not None else []
    return CheckReport(
        settings=settings,
        steps=steps,
        mistakes=mistakes_of(steps),
        remarks=tuple(remarks.values()),
        profile=suitable_profile(profile, system, known=known, is_ours=is_own_client(command)) if plays else None,
        thinking=ThinkingTimesDocument(
            Thinking.of([ms for session in sessions for ms in session.call_ms]),
            Thinking.of([ms for session in sessions for ms in session.card_ms]),
        ),
        found=profile if plays else None,
        has_called=has_called,
    )


# The short form: which profile a program needs, found on a few boards at one seat


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


async def find_profile(command: str, *, team: str = "Alpha", limit_s: float = SEARCH_S) -> FoundProfile:
    """Find the profile of a program by letting it play a few boards as North; it is started anew for each session.

    Args:
        command: starts it, as in an event file; it is run in the current folder, without a sandbox.
        team: the name that it logs on with.
        limit_s: how long the search may take.

    Raises:
        LaunchError: the command cannot be started.
    """
    if is_own_player(command):
        return FoundProfile(PROFILES[OWN_PROFILE], OWN_PROFILE)
    settings = CheckSettings(command=command, seats=(Seat.NORTH,), kinds=SEARCH_STEPS, team=team)
    try:
        async with asyncio.timeout(limit_s):
            report = await check_program(settings, lambda _: None)
    except TimeoutError:
        return FoundProfile(DEFAULT, problem=f"not all settings could be tried within {limit_s:g} s")
    if report.found is None:
        return FoundProfile(None, problem=_problem(report))
    return FoundProfile(report.found, report.profile or "default", team_settings(report.found, report.profile))


def _problem(report: CheckReport) -> str:
    """Return one sentence on the first mistake of a program that does not play."""
    if not report.mistakes:
        return "it has called nothing"
    mistake = report.mistakes[0]
    failure, step = mistake.failure, report.step(mistake.steps[0])
    after = f" after `{failure.after}`" if failure.after else ""
    return f"in step {step.number} ({step.what}), expected{after}: {failure.expected}; got {failure.said}"
