"""Double dummy analysis by endplay, an extra, in separate processes: never in one that plays tables.

A solve takes about a quarter of a second of one core; results are stored and not computed again.
"""

import sys
from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

from tourney.bridge import SEATS, Strain
from tourney.errors import LaunchError
from tourney.extras import check_extra, has_extra, install_command
from tourney.scoring.double_dummy import BoardWorth, DoubleDummyTable

SOLVED_BEFORE: Final = (3, 14)
"""The first Python that endplay has no package for; the extra `dd` of pyproject.toml says so too."""

PART_MAX: Final = 4
"""How many solves a process is given at once: what it has not finished when it is interrupted is solved again."""

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


def solve_boards(boards: Sequence[tuple[str, str, str]]) -> Iterator[BoardWorth]:
    """Solve boards given by hands, dealer and vulnerability; see `solve_board`."""
    return (solve_board(*board) for board in boards)


def solve_plays(plays: Sequence[PlayToSolve]) -> Iterator[list[int]]:
    """Solve the plays of boards; see `solve_play`."""
    return map(solve_play, plays)
