"""The double dummy solver: endplay, an extra, in processes beside those that play tables.

A solve takes about a quarter of a second of one core.
"""

import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from itertools import starmap
from typing import Any, Final

from tourney.bridge import SEATS, Board, Deal, DoubleDummyTable, Strain, format_deal
from tourney.errors import LaunchError
from tourney.extras import check_extra, has_extra, install_command
from tourney.runtime.parallel import side_by_side
from tourney.scoring.double_dummy import BoardWorth

SOLVED_BEFORE: Final = (3, 14)
"""The first Python that endplay has no package for; the extra `dd` of pyproject.toml says so too."""

PART_MAX: Final = 4
"""How many solves a process is given at once: what it has not finished when it is interrupted is solved again."""

_DENOMS: Final = (Strain.SPADES, Strain.HEARTS, Strain.DIAMONDS, Strain.CLUBS, Strain.NOTRUMP)
"""Denominations in endplay's order."""


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


def solve_board(hands: str, dealer: str, vulnerability: str, makes: str = "") -> BoardWorth:
    """Find the par of a board, which is solved for every declarer and strain unless it is known what they make."""
    from endplay._dds import ddTableResults  # noqa: PLC0415 # takes a second, and an extra
    from endplay.dds import calc_dd_table, par  # noqa: PLC0415
    from endplay.dds.ddtable import DDTable  # noqa: PLC0415
    from endplay.types import Deal, Player, Vul  # noqa: PLC0415

    if makes:
        tricks, results = DoubleDummyTable.parse(makes).tricks, ddTableResults()
        for (seat, strain), made in tricks.items():
            results.resTable[_DENOMS.index(strain)][seat] = made
        table = DDTable(results)
    else:
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


def solve_play(hands: str, strain: str, leader: str, cards: Sequence[str]) -> list[int]:
    """Return declarer's tricks before the first card and after each card.

    Args:
        hands: the deal as a PBN Deal tag from North.
        strain: its letters.
        leader: the letter of the seat that leads.
        cards: as `SA`, in the order of play.
    """
    from endplay.dds import analyse_play  # noqa: PLC0415 # as above
    from endplay.types import Deal, Denom, Player  # noqa: PLC0415

    deal = Deal(hands)
    deal.trump = list(Denom)[[each.letters for each in _DENOMS].index(strain)]
    deal.first = list(Player)["NESW".index(leader)]
    return list(analyse_play(deal, cards))


def with_tables(boards: Sequence[Board], on_progress: Callable[[int, int], None] | None = None) -> list[Board]:
    """Return boards with the double-dummy tables of their deals; those without one are solved, with all cores.

    Args:
        boards: the boards.
        on_progress: called with how many deals have been solved, and how many there are to solve.

    Raises:
        LaunchError: there is something to solve and no solver, or its processes have died.
    """
    unsolved = {board.deal: board for board in boards if board.makes is None}
    if not unsolved:
        return list(boards)
    check_solver()
    keys = [(format_deal(deal), board.dealer.letter, board.vulnerability.value) for deal, board in unsolved.items()]
    tables: dict[Deal, DoubleDummyTable] = {}
    for deal, worth in zip(
        unsolved, side_by_side(partial(starmap, solve_board), keys, os.cpu_count() or 1), strict=True
    ):
        tables[deal] = worth.table
        if on_progress is not None:
            on_progress(len(tables), len(keys))
    return [replace(board, makes=board.makes or tables[board.deal]) for board in boards]
