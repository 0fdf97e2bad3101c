"""`bench start`: what short commands cost from a cold start, and what a host loads, beside the import of SQLAlchemy.

Processor time, not elapsed time, is measured: it is much the same whatever else the machine does.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Final

from bench.big_events import make_event
from bench.figures import Machine, this_machine
from tourney.errors import LaunchError

COMMANDS: Final[Mapping[str, Sequence[str]]] = {
    "help": ("--help",),
    "standings": ("standings", "EVENT"),
    "match": ("match", "EVENT", "1"),
    "crosstable": ("crosstable", "EVENT"),
    "status": ("status", "EVENT"),
    "host": ("-c", "import gc; gc.disable(); import tourney.host.host_process"),
}
"""What is measured: the words of a command, or what a table host loads."""

_YARDSTICK: Final = ("-c", "import sqlalchemy")


@dataclass(frozen=True, slots=True)
class CommandStart:
    """What a command costs; each figure is the median of the rounds."""

    cpu_ms: float
    """Processor time of the process, user and system, from its start to its end."""
    ratio: float
    """That time divided by the time of `python -c "import sqlalchemy"` in the same round."""


@dataclass(frozen=True, slots=True)
class StartFigures:
    """What short commands cost at an event of one size."""

    teams: int
    """0 for an event that was given."""
    boards: int
    rounds: int
    sqlalchemy_cpu_ms: float
    """Processor time of `python -c "import sqlalchemy"`."""
    commands: Mapping[str, CommandStart]
    machine: Machine


def measure_starts(teams: int, boards: int, rounds: int, event_path: Path | None = None) -> StartFigures:
    """Measures commands by turns with the import of SQLAlchemy, after one round that counts for nothing.

    Args:
        teams: the size of the double round robin that is made for it, all of it played.
        boards: boards per match.
        rounds: how often each command is measured.
        event_path: an event that is there, in place of one that is made.

    Raises:
        LaunchError: a command has failed.
        TourneyError: the event cannot be made.
    """
    yardstick: list[float] = []
    taken: dict[str, list[float]] = {name: [] for name in COMMANDS}
    with _event(teams, boards, event_path) as path:
        for round_ in range(rounds + 1):
            spent = {"": _cpu_ms(_YARDSTICK)}
            for name, words in COMMANDS.items():
                given = [str(path) if word == "EVENT" else word for word in words]
                spent[name] = _cpu_ms(given if words[0] == "-c" else ("-m", "tourney", *given))
            if round_:  # the first wrote bytecode, and read files from the disk
                yardstick.append(spent.pop(""))
                for name, cpu_ms in spent.items():
                    taken[name].append(cpu_ms)
    commands = {
        name: CommandStart(
            round(median(times), 1),
            round(median(own / other for own, other in zip(times, yardstick, strict=True)), 2),
        )
        for name, times in taken.items()
    }
    made = (0, 0) if event_path is not None else (teams, boards)
    return StartFigures(*made, rounds, round(median(yardstick), 1), commands, this_machine())


@contextmanager
def _event(teams: int, boards: int, given: Path | None) -> Iterator[Path]:
    if given is not None:
        yield given
        return
    with tempfile.TemporaryDirectory(prefix="tourney-bench-") as folder:
        yield make_event(Path(folder) / "event", teams, boards).path


def _cpu_ms(words: Sequence[str]) -> float:
    """Runs Python with these words, which finds its bytecode as an installed command does."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    with tempfile.TemporaryFile() as said:
        process = subprocess.Popen(  # noqa: S603 # ours
            [sys.executable, *words], env=environment, stdout=subprocess.DEVNULL, stderr=said
        )
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            said.seek(0)
            last = said.read().decode(errors="replace").strip().splitlines()[-1:]
            raise LaunchError(f"{' '.join(words)} ended with status {process.returncode}: {' '.join(last)}")
    return 1000 * (used.ru_utime + used.ru_stime)
