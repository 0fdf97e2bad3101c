"""Double dummy figures: the value of a board when everybody sees all cards, and the cost of each card played.

Nothing is solved here: the figures come from a solver.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tourney.bridge import Contract, DoubleDummyTable, Vulnerability, score_ns


@dataclass(frozen=True, slots=True)
class BoardWorth:
    """A board's double dummy figures. `par_ns` is North-South's score if both sides bid and play perfectly."""

    table: DoubleDummyTable
    par_ns: int
    par_contracts: tuple[str, ...]
    """The contracts that achieve par, such as `4S E =`, in any order; empty if nobody can make anything."""


def double_dummy_score(table: DoubleDummyTable, contract: Contract | None, vulnerability: Vulnerability) -> int:
    """Return North-South's score if a contract is played double dummy; None stands for a board that is passed out."""
    tricks = table.tricks[contract.declarer, contract.strain] if contract is not None else 0
    return score_ns(contract, tricks, vulnerability)


def card_costs(tricks: Sequence[int], by_declarer: Sequence[bool]) -> Iterator[tuple[int, int]]:
    """Yield the numbers of the cards that have cost their side tricks, from 1, each with how many.

    Args:
        tricks: declarer's tricks before the first card and after each, one more than there are cards.
        by_declarer: for each card, whether declarer's side played it.
    """
    for number, (before, after, is_declarers) in enumerate(
        zip(tricks, tricks[1:], by_declarer, strict=False), start=1
    ):
        lost = before - after if is_declarers else after - before
        if lost > 0:
            yield number, lost
