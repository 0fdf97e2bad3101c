"""`bench solver`: whether tables answer later while a process beside them solves deals as a run does."""

import multiprocessing
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from statistics import median
from time import sleep
from typing import Final

from bench.events import draw_tables
from bench.figures import Machine, Turnround, this_machine, turnround_of
from bench.playing import play_tables
from bench.tables import bench
from tourney.bridge import board_from_seed, format_deal
from tourney.lab.analysing import beside_tables
from tourney.runtime.parallel import set_up_process, take_lowest_priority
from tourney.runtime.solver import check_solver, solve_board

STARTS_S: Final = 2.0
"""Given to the process that solves for its start."""


@dataclass(frozen=True, slots=True)
class SolverFigures:
    """Turn-rounds with and without the solver: the median of the rounds each."""

    tables: int
    boards: int
    rounds: int
    thinking_ms: int
    alone: Turnround
    beside: Turnround
    machine: Machine


def measure_solver(tables: int, boards: int, rounds: int, thinking_ms: int) -> SolverFigures:
    """Plays boards at tables, in turns alone and beside the solver.

    Raises:
        TourneyError: the solver is not installed, or the tables cannot be played.
    """
    check_solver()
    found: dict[bool, list[Turnround]] = {True: [], False: []}
    with bench(tables, boards, None) as made:
        for number in range(rounds):
            # Who comes first changes with the round.
            for is_beside in (number % 2 == 0, number % 2 == 1):
                name = f"bench {number} {'beside' if is_beside else 'alone'}"
                drawn = draw_tables(made.folder, made.database, name, tables, boards, wire_log=True)
                with _solving(is_beside):
                    session = play_tables(made.database, drawn, made.script, thinking_ms=thinking_ms)
                    found[is_beside].append(turnround_of([made.runner.run(session)]))
    alone, beside = (_median(found[is_beside]) for is_beside in (False, True))
    return SolverFigures(tables, boards, rounds, thinking_ms, alone, beside, this_machine())


def _median(rounds: list[Turnround]) -> Turnround:
    return Turnround(*(median(getattr(each, name) for each in rounds) for name in ("p50", "p99", "max")))


@contextmanager
def _solving(is_wanted: bool) -> Iterator[None]:
    """Have a process solve deals until the end, if it is wanted."""
    if not is_wanted:
        yield
        return
    solver = multiprocessing.get_context("spawn").Process(target=_solve, daemon=True)
    solver.start()
    try:
        sleep(STARTS_S)
        yield
    finally:
        solver.kill()
        solver.join()


def _solve() -> None:
    set_up_process()
    take_lowest_priority()
    for number in count(1):
        board = board_from_seed(1, "solver", number)
        with beside_tables():
            solve_board(format_deal(board.deal), board.dealer.letter, board.vulnerability.value)
