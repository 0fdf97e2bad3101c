"""`bench play`: boards a second of `tourney.lab.play` with random players, beside the relay in the same run."""

import os
from dataclasses import dataclass
from statistics import median
from time import perf_counter, process_time

from bench.figures import Machine, this_machine
from bench.tables import measure_wire
from tourney.lab import play

_RELAY_TABLES = 16
_RELAY_BOARDS = 16


@dataclass(frozen=True, slots=True)
class PlayFigures:
    """The figures of boards without sockets; each is the median of the rounds."""

    boards: int
    """Boards of a round."""
    rounds: int
    boards_per_s: float
    """The speed of one process, players included."""
    cpu_ms_per_board: float
    """Processor time of that process: less than the rest of the time where others use the core."""
    relay_boards_per_s: float
    """Boards a second of the relay, which knows no bridge, at 16 tables."""
    relay_cpu_ms_per_board: float
    ratio_to_relay: float
    """The median of the rounds."""
    jobs: int
    """Processes of the next figure: one for each core."""
    jobs_boards_per_s: float
    """Boards a second of that many processes, their start included."""
    machine: Machine


def measure_play(boards: int, rounds: int) -> PlayFigures:
    """Measure boards without sockets: in each round the relay, one process, and as many as there are cores.

    Raises:
        TourneyError: a process cannot be started.
    """
    jobs = os.cpu_count() or 1
    play(8, {"NS": "random", "EW": "random"})  # what is made once is not measured
    relays, speeds, cpu_ms, shared = [], [], [], []
    for seed in range(1, rounds + 1):
        relays.append(measure_wire(_RELAY_TABLES, _RELAY_BOARDS, 1))
        began_s, began_cpu_s = perf_counter(), process_time()
        play(boards, {"NS": "random", "EW": "random"}, seed=seed)
        cpu_ms.append(1000 * (process_time() - began_cpu_s) / boards)
        speeds.append(boards / (perf_counter() - began_s))
        began_s = perf_counter()
        play(boards * jobs, {"NS": "random", "EW": "random"}, seed=seed, jobs=jobs)
        shared.append(boards * jobs / (perf_counter() - began_s))
    ratios = [speed / relay.boards_per_s for speed, relay in zip(speeds, relays, strict=True)]
    return PlayFigures(
        boards=boards,
        rounds=rounds,
        boards_per_s=round(median(speeds), 1),
        cpu_ms_per_board=round(median(cpu_ms), 2),
        relay_boards_per_s=round(median(relay.boards_per_s for relay in relays), 1),
        relay_cpu_ms_per_board=round(median(relay.cpu_ms_per_board for relay in relays), 2),
        ratio_to_relay=round(median(ratios), 3),
        jobs=jobs,
        jobs_boards_per_s=round(median(shared), 1),
        machine=this_machine(),
    )
