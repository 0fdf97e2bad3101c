"""`bench report`: how long reports of an event take from a cold start of the command, and how that grows with it."""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Final

from bench.big_events import make_event
from bench.figures import Machine, this_machine
from tourney.errors import LaunchError

TIMES: Final = 3
"""How often a quick command is measured; the median counts."""

COMMANDS: Final[Mapping[str, Sequence[str]]] = {
    "standings": ("standings", "EVENT"),
    "match": ("match", "EVENT", "1"),
    "crosstable": ("crosstable", "EVENT"),
}
"""What is measured at each size, `TIMES` times."""

SLOW_COMMANDS: Final[Mapping[str, Sequence[str]]] = {
    "verify": ("verify", "EVENT"),
    "export_pbn": ("export", "EVENT", "--format", "pbn", "--out", "OUT"),
}
"""Commands that read every call and card, measured once."""


@dataclass(frozen=True, slots=True)
class SizeFigures:
    """The figures of an event of one size. Seconds are from the start of the process to its end."""

    teams: int
    matches: int
    results: int
    """Board results: two per board of a match."""
    made_s: float
    """How long it took to make the event."""
    standings_s: float
    match_s: float
    crosstable_s: float
    verify_s: float | None
    """None when it was left out; the same for `export_pbn_s`."""
    export_pbn_s: float | None


@dataclass(frozen=True, slots=True)
class ReportFigures:
    """The figures by size of the event, smallest first."""

    boards: int
    help_s: float
    """`tourney --help`."""
    sizes: Sequence[SizeFigures]
    growth: Mapping[str, float]
    """The figure of the largest event divided by that of the smallest, by command, and for `results`; a command that
    was left out at either is missing."""
    machine: Machine


def measure_reports(sizes: Sequence[int], boards: int, whole: Sequence[int]) -> ReportFigures:
    """Makes an event of each size and measures the reports.

    Args:
        sizes: numbers of teams.
        boards: boards per match.
        whole: sizes at which the commands that read every call and card are measured too.

    Raises:
        LaunchError: a command has failed.
        TourneyError: an event cannot be made.
    """
    found = [_measure_size(teams, boards, reads_all=teams in whole) for teams in sorted(sizes)]
    return ReportFigures(boards, _seconds(("--help",), TIMES), found, growth_of(found), this_machine())


def _measure_size(teams: int, boards: int, *, reads_all: bool) -> SizeFigures:
    with tempfile.TemporaryDirectory(prefix="tourney-bench-") as folder:
        began = time.perf_counter()
        file = make_event(Path(folder) / "event", teams, boards)
        made_s = round(time.perf_counter() - began, 1)
        places = {"EVENT": str(file.path), "OUT": str(Path(folder) / "out.pbn")}
        quick = {name: _seconds([places.get(w, w) for w in words], TIMES) for name, words in COMMANDS.items()}
        slow = {
            name: _seconds([places.get(w, w) for w in words], 1) if reads_all else None
            for name, words in SLOW_COMMANDS.items()
        }
    matches = teams * (teams - 1)
    return SizeFigures(
        teams,
        matches,
        2 * matches * boards,
        made_s,
        quick["standings"],
        quick["match"],
        quick["crosstable"],
        slow["verify"],
        slow["export_pbn"],
    )


def _seconds(words: Sequence[str], times: int) -> float:
    return round(median(_run(words) for _ in range(times)), 3)


def _run(words: Sequence[str]) -> float:
    """Times a command in a new process, which finds its bytecode as an installed one does."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    began = time.perf_counter()
    done = subprocess.run(  # noqa: S603 # ours
        [sys.executable, "-m", "tourney", *words], env=environment, capture_output=True, text=True, check=False
    )
    seconds = time.perf_counter() - began
    if done.returncode:
        last = (done.stderr or done.stdout).strip().splitlines()[-1:]
        raise LaunchError(f"tourney {words[0]} ended with status {done.returncode}: {' '.join(last)}")
    return seconds


def growth_of(sizes: Sequence[SizeFigures]) -> dict[str, float]:
    """Divides the figures of the largest event by those of the smallest, where both were measured."""
    if len(sizes) < 2:
        return {}
    smallest, *_, largest = sizes
    growth = {}
    for name in ("results", *(f"{name}_s" for name in (*COMMANDS, *SLOW_COMMANDS))):
        few, many = getattr(smallest, name), getattr(largest, name)
        if few is not None and many is not None:
            growth[name.removesuffix("_s")] = round(many / few, 2)
    return growth
