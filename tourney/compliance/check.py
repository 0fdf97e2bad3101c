"""A whole check: the wanted steps at the wanted seats, and the report on them."""

import statistics
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

from typing_extensions import TypedDict

from tourney.bridge import SEATS, Seat
from tourney.compliance.findings import Remark, StepOutcome, StepResult
from tourney.compliance.profiles import suitable_profile, wire_lines
from tourney.compliance.program import Program, ProgramLauncher, ProgramListener
from tourney.compliance.seat_check import SeatCheck, SeatFindings
from tourney.compliance.session import SeatCheckSettings
from tourney.compliance.steps import STEPS, StepKind, steps_numbered
from tourney.config.command import reachable
from tourney.errors import UsageError
from tourney.protocol.bluechip import PROFILES, WireProfile
from tourney.protocol.session.logon import same_name
from tourney.report.values import Constraint, Milliseconds
from tourney.table.clock import HostClock
from tourney.table.wire_log import WireLog

OTHER_TEAMS = ("Beta", "Alpha")
"""Names for the opponents: the first that is not the name of the program's own team is used."""


@dataclass(frozen=True, slots=True)
class CheckSettings:
    """Says what is checked, and how.

    `command` is as in an event file, or None for a program that a person starts. `port` 0 takes any free one.
    `profile` is a name of `PROFILES`: how the table talks to the program at first.
    """

    command: str | None = None
    host: str = "127.0.0.1"
    port: int = 0
    seats: tuple[Seat, ...] = SEATS
    kinds: frozenset[StepKind] = steps_numbered(())
    team: str = "Alpha"
    profile: str = "default"
    timeout_s: float = 20.0
    """How long a line of the program may take."""
    connect_s: float = 120.0
    """How long the program may take to connect."""
    slow_s: float = 1.0
    """How long a slow partner thinks."""
    transcript: Path | None = None


@dataclass(frozen=True, slots=True)
class ThinkingTimes:
    """The program's thinking times for its calls, or for its cards; both figures are 0 if there were none."""

    count: int
    median_ms: int
    max_ms: int

    @classmethod
    def of(cls, times_ms: list[int]) -> "ThinkingTimes":
        """Sum up a list of times."""
        return cls(len(times_ms), int(statistics.median(times_ms)), max(times_ms)) if times_ms else cls(0, 0, 0)


class FailureDocument(TypedDict):
    """What a program did wrong."""

    clause: str
    """The clause of the protocol that it breaks, such as BC-31."""
    said: str
    """The line of the program, or what happened instead of one."""
    expected: str
    """What should have come."""
    after: str
    """The last line that the program was sent; empty before the first."""
    advice: str
    """One sentence for its author."""
    output: list[str]
    """The last lines that its process printed, oldest first; empty where it has not ended or was not started here."""


class StepResultDocument(TypedDict):
    """The result of a step at one seat."""

    seat: Annotated[str, Constraint(enum=[seat.title for seat in SEATS])]
    """The seat at which the program was tried."""
    outcome: Annotated[str, Constraint(enum=[outcome.value for outcome in StepOutcome])]
    """Whether it passed, passed with a remark, was not seen because the situation did not arise, or failed."""
    note: str
    """What was found, or why the step was not seen; may be empty."""
    failure: FailureDocument | None
    """What went wrong; null unless the step failed."""


class CheckStepDocument(TypedDict):
    """A step of a check."""

    number: int
    """The number of the step, from 1, as `--step` takes it."""
    what: str
    """What the program does in it."""
    clauses: list[str]
    """The clauses of the protocol that it tries, such as BC-05."""
    results: list[StepResultDocument]
    """The result at each seat that was tried."""


class RemarkDocument(TypedDict):
    """Something that was accepted, and that other servers may not accept."""

    clause: str
    """The clause of the protocol that it is about, such as BC-31."""
    text: str
    """One sentence for the author of the program."""


class ThinkingDocument(TypedDict):
    """Times that the program took over its calls or its cards; all 0 when there were none."""

    count: Annotated[int, Constraint(minimum=0)]
    """How many calls or cards were timed."""
    median_ms: Milliseconds
    """The median time in milliseconds."""
    max_ms: Milliseconds
    """The longest time in milliseconds."""


class ThinkingTimesDocument(TypedDict):
    """Thinking times of a program."""

    calls: ThinkingDocument
    """Times of its calls."""
    cards: ThinkingDocument
    """Times of its cards."""


class CheckDocument(TypedDict):
    """What a check of a program found."""

    passed: bool
    """Whether no step failed."""
    steps: list[CheckStepDocument]
    """The steps that were tried, by number; steps that were not asked for are left out."""
    remarks: list[RemarkDocument]
    """What was accepted, and that other servers may not accept."""
    profile: str | None
    """The named profile that suits the program; null where none does or the program never played."""
    wire: list[str]
    """The lines of a `[team.wire]` table that suit the program: what differs from the default profile;
    empty where the program never played."""
    thinking: ThinkingTimesDocument
    """Thinking times of the program."""


@dataclass(frozen=True, slots=True)
class CheckReport:
    """The report on a check. `results` are in the order of the steps, then of the seats."""

    seats: tuple[Seat, ...]
    results: tuple[StepResult, ...]
    remarks: tuple[Remark, ...]
    profile: WireProfile | None
    """The settings with which the program plays; None if it never played."""
    calls: ThinkingTimes
    cards: ThinkingTimes

    @property
    def passed(self) -> bool:
        """Whether no step failed."""
        return all(result.outcome is not StepOutcome.FAILED for result in self.results)

    def document(self) -> CheckDocument:
        """Make the JSON document of `tourney check-bot`."""
        steps: list[CheckStepDocument] = []
        for step in STEPS:
            results = [_result_document(result) for result in self.results if result.number == step.number]
            if results:
                steps.append(
                    {
                        "number": step.number,
                        "what": step.description,
                        "clauses": list(step.clauses),
                        "results": results,
                    }
                )
        return {
            "passed": self.passed,
            "steps": steps,
            "remarks": [{"clause": remark.clause, "text": remark.text} for remark in self.remarks],
            "profile": suitable_profile(self.profile) if self.profile is not None else None,
            "wire": wire_lines(self.profile) if self.profile is not None else [],
            "thinking": {"calls": _times_document(self.calls), "cards": _times_document(self.cards)},
        }


def _result_document(result: StepResult) -> StepResultDocument:
    failure = result.failure
    return {
        "seat": result.seat.title,
        "outcome": result.outcome.value,
        "note": result.note,
        "failure": None
        if failure is None
        else {
            "clause": failure.clause,
            "said": failure.said,
            "expected": failure.expected,
            "after": failure.after,
            "advice": failure.advice,
            "output": list(failure.output),
        },
    }


def _times_document(times: ThinkingTimes) -> ThinkingDocument:
    return {"count": times.count, "median_ms": times.median_ms, "max_ms": times.max_ms}


async def check_program(settings: CheckSettings, tell: Callable[[str], None]) -> CheckReport:
    """Check the program; `tell` informs its author of the progress.

    Raises:
        LaunchError: the port cannot be used, or the command cannot be started.
        UsageError: there is no such profile.
    """
    if settings.profile not in PROFILES:
        raise UsageError(f"a profile is one of {', '.join(PROFILES)}, got {settings.profile!r}")
    clock = HostClock()
    listener = ProgramListener(clock)
    transcript = WireLog(settings.transcript) if settings.transcript is not None else None
    profile = PROFILES[settings.profile]
    found: dict[Seat, SeatFindings] = {}
    await listener.open(settings.host, settings.port)
    try:
        with tempfile.TemporaryDirectory(prefix="tourney-check-") as folder:
            for seat in settings.seats:
                tell(f"{seat.title}:")
                seat_check = _seat_check(settings, seat, profile, listener, clock, Path(folder), transcript, tell)
                found[seat] = await seat_check.run()
                profile = seat_check.profile
    finally:
        await listener.close()
        if transcript is not None:
            transcript.close()
    return _report(settings.seats, found, profile)


def _seat_check(
    settings: CheckSettings,
    seat: Seat,
    profile: WireProfile,
    listener: ProgramListener,
    clock: HostClock,
    folder: Path,
    transcript: WireLog | None,
    tell: Callable[[str], None],
) -> SeatCheck:
    other = next(name for name in OTHER_TEAMS if not same_name(name, settings.team))
    host = reachable(settings.host)
    program = Program(
        settings.command, host=host, port=listener.port, seat=seat, team=settings.team, folder=folder, tell=tell
    )
    sessions = SeatCheckSettings(
        seat=seat, team=settings.team, other_team=other, timeout_s=settings.timeout_s, slow_s=settings.slow_s
    )
    launcher = ProgramLauncher(
        program, listener, connect_s=settings.connect_s, timeout_s=settings.timeout_s, tell=tell
    )
    return SeatCheck(sessions, profile, launcher, clock, kinds=settings.kinds, transcript=transcript, tell=tell)


def _report(seats: tuple[Seat, ...], found: dict[Seat, SeatFindings], profile: WireProfile) -> CheckReport:
    results = [result for findings in found.values() for result in findings.results.values()]
    results.sort(key=lambda result: (result.number, result.seat))
    remarks: dict[tuple[str, str], Remark] = {}
    for findings in found.values():
        for remark in findings.remarks:
            remarks.setdefault((remark.clause, remark.text.partition("`")[0]), remark)
    gaps = [findings.gap_ms for findings in found.values() if findings.gap_ms is not None]
    restarts = [findings.board_restart for findings in found.values() if findings.board_restart is not None]
    profile = replace(
        profile,
        line_gap_ms=max(gaps) if gaps else profile.line_gap_ms,
        board_restart=all(restarts) if restarts else profile.board_restart,
    )
    has_played = any(findings.has_played for findings in found.values())
    return CheckReport(
        seats,
        tuple(results),
        tuple(remarks.values()),
        profile if has_played else None,
        ThinkingTimes.of([ms for findings in found.values() for ms in findings.call_ms]),
        ThinkingTimes.of([ms for findings in found.values() for ms in findings.card_ms]),
    )
