"""The figures of a measurement, as `--json` prints them."""

import os
import platform
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median

from bench.playing import Session
from bench.script import Script
from tourney.runtime.event_loop import loop_factory


@dataclass(frozen=True, slots=True)
class Turnround:
    """Milliseconds from a player's writing a line until the table has relayed or answered it."""

    p50: float
    p99: float
    max: float


@dataclass(frozen=True, slots=True)
class Machine:
    """The machine and the interpreter a measurement ran on."""

    python: str
    loop: str
    """`uvloop` or `asyncio`."""
    cores: int
    system: str


def this_machine() -> Machine:
    """Describes this process and its machine."""
    python = f"{platform.python_implementation()} {platform.python_version()}"
    return Machine(
        python,
        loop_factory().__module__.partition(".")[0],
        os.cpu_count() or 1,
        f"{platform.system()} {platform.machine()}",
    )


@dataclass(frozen=True, slots=True)
class Speed:
    """The speed of tables or of the relay; each figure is the median of the rounds."""

    boards_per_s: float
    lines_per_s: int
    cpu_ms_per_board: float
    """Processor time of the host's or the relay's process."""


def speed_of(sessions: Sequence[Session], script: Script, tables: int) -> Speed:
    """Computes the speed of sessions at that many tables."""
    boards, lines = tables * script.boards, tables * script.lines
    return Speed(
        boards_per_s=round(median(boards / session.seconds for session in sessions), 1),
        lines_per_s=round(median(lines / session.seconds for session in sessions)),
        cpu_ms_per_board=round(median(1000 * session.cpu_s / boards for session in sessions), 2),
    )


def turnround_of(sessions: Sequence[Session]) -> Turnround:
    """Computes the turn-round over all lines of the sessions."""
    return turnround(time for session in sessions for time in session.turnround_ns)


def requests_of(sessions: Sequence[Session]) -> Turnround:
    """Computes the turn-round of requests for what was on record already."""
    return turnround(time for session in sessions for time in session.requests_ns)


def turnround(times_ns: Iterable[int]) -> Turnround:
    """Computes the turn-round of these times."""
    ordered = sorted(times_ns)
    p50, p99, most = (percentile(ordered, share) / 1_000_000 for share in (0.5, 0.99, 1.0))
    return Turnround(round(p50, 3), round(p99, 3), round(most, 3))


def percentile(ordered: Sequence[int], share: float) -> int:
    """Returns the smallest of the ascending numbers that `share` of them do not exceed; 0 if there are none."""
    return ordered[max(0, -int(-share * len(ordered) // 1) - 1)] if ordered else 0
