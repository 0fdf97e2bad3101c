"""Double dummy analysis by endplay, an extra, in separate processes: never in one that plays tables.

A solve takes about a quarter of a second of one core; results are stored and not computed again.
"""

import multiprocessing
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from itertools import islice
from typing import Any, Final, NamedTuple

from tourney.bridge import SEATS, Strain
from tourney.errors import LaunchError
from tourney.extras import check_extra, has_extra, install_command
from tourney.scoring.double_dummy import BoardWorth, DoubleDummyTable

SOLVED_BEFORE: Final = (3, 14)
"""The first Python that endplay has no package for; the extra `dd` of pyproject.toml says so too."""

_AHEAD: Final = 4
"""Tasks per process that wait in its queue; with a whole event queued, results would pile up."""

_DENOMS: Final = (Strain.SPADES, Strain.HEARTS, Strain.DIAMONDS, Strain.CLUBS, Strain.NOTRUMP)
"""Denominations in endplay's order."""


class PlayToSolve(NamedTuple):
    """The play of a board: the deal as a PBN Deal tag from North, the cards as `SA`."""

    hands: str
    strain: str
    leader: str
    cards: tuple[str, ...]


def check_solver() -> None:
    """Check that the solver is installed.

    Raises:
        LaunchError: endplay is not installed.
    """
    if has_extra("dd") or sys.version_info[:2] < SOLVED_BEFORE:
        check_extra("dd", "double dummy analysis")
        return
    python, before = ".".join(map(str, sys.version_info[:2])), ".".join(map(str, SOLVED_BEFORE))
    raise LaunchError(
        f"double dummy analysis needs endplay, which has no package for Python {python}: analyse the event with a "
        f"Python before {before} and {install_command('dd')}"
    )


def solve_board(hands: str, dealer: str, vulnerability: str) -> BoardWorth:
    """Solve a board for every declarer and strain, and find its par."""
    from endplay.dds import calc_dd_table, par  # noqa: PLC0415 # takes a second, and an extra
    from endplay.types import Deal, Player, Vul  # noqa: PLC0415

    table = calc_dd_table(Deal(hands))
    rows = table.to_list()
    tricks = {(seat, strain): rows[_DENOMS.index(strain)][seat] for seat in SEATS for strain in Strain}
    vul = {"None": Vul.none, "NS": Vul.ns, "EW": Vul.ew, "All": Vul.both}[vulnerability]
    best = par(table, vul, list(Player)["NESW".index(dealer)])
    contracts = tuple(sorted(_contract(contract) for contract in best))
    return BoardWorth(DoubleDummyTable(tricks), best.score, contracts)


def _contract(contract: Any) -> str:  # endplay's
    over = contract.result
    strain = _DENOMS[int(contract.denom)].letters
    doubles = "X" * (int(contract.penalty.value) // 2)
    return f"{contract.level}{strain}{doubles} {contract.declarer.abbr} {f'{over:+}' if over else '='}"


def solve_play(play: PlayToSolve) -> list[int]:
    """Return declarer's tricks before the first card and after each card."""
    from endplay.dds import analyse_play  # noqa: PLC0415 # as above
    from endplay.types import Deal, Denom, Player  # noqa: PLC0415

    deal = Deal(play.hands)
    deal.trump = list(Denom)[_DENOMS.index(next(strain for strain in Strain if strain.letters == play.strain))]
    deal.first = list(Player)["NESW".index(play.leader)]
    return list(analyse_play(deal, play.cards))


class Solver:
    """A pool of solver processes."""

    def __init__(self, pool: ProcessPoolExecutor, jobs: int) -> None:
        self._pool = pool
        self._jobs = jobs

    @classmethod
    @contextmanager
    def start(cls, jobs: int) -> "Iterator[Solver]":
        """Start a pool of `jobs` processes.

        Raises:
            LaunchError: the solver is not installed.
        """
        check_solver()
        # Forked children of a process with threads may hang.
        context = multiprocessing.get_context("spawn")
        with ProcessPoolExecutor(jobs, mp_context=context) as pool:
            try:
                yield cls(pool, jobs)
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise

    def solve(
        self, task: Callable[..., Any], arguments: Sequence[tuple[Any, ...]]
    ) -> Iterator[tuple[tuple[Any, ...], Any]]:
        """Yield each of the arguments with its result, in the order of completion.

        Raises:
            LaunchError: the processes have died.
        """
        left = iter(arguments)
        running: dict[Future[Any], tuple[Any, ...]] = {}
        try:
            for some in islice(left, _AHEAD * self._jobs):
                running[self._pool.submit(task, *some)] = some
            while running:
                done, _ = wait(running, return_when=FIRST_COMPLETED)
                for future in done:
                    yield running.pop(future), future.result()
                    for some in islice(left, 1):
                        running[self._pool.submit(task, *some)] = some
        except BrokenProcessPool as error:
            raise LaunchError(f"a process that solves double dummy has died: {error}") from None
