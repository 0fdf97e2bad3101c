"""Two programs that may never have met, compared by what they won against the same opponents on the same deals."""

from collections import defaultdict
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from math import sqrt

from tourney.scoring.strength.estimate import QUANTILE_95, normal_cdf
from tourney.scoring.strength.ratings import PairedSwing


@dataclass(frozen=True, slots=True)
class CandidateDifference:
    """The difference between what two programs won against opponents that both have met."""

    first: str
    second: str
    opponents: tuple[str, ...]
    boards: int
    """Boards that both have played against the same opponent."""
    deals: int
    """Deals that those boards are of."""
    mean: float
    """IMPs a board to the first."""
    error: float
    """The standard error of that."""

    @property
    def half_width(self) -> float:
        """Half the width of the interval of 95 %."""
        return QUANTILE_95 * self.error

    @property
    def superiority(self) -> float:
        """The probability that the first is better."""
        if not self.error:
            return 0.5 if not self.mean else float(self.mean > 0)
        return normal_cdf(self.mean / self.error)


def compare_candidates(swings: Iterable[PairedSwing], first: str, second: str) -> CandidateDifference | None:
    """Compare two programs by the boards that both have played against the same opponents.

    What the opponent and the deal did to both alike cancels, which takes away nearly half of the variance. Errors are
    estimated from the sums by deal, as those of ratings.

    Returns:
        None if there is no such board.
    """
    won: defaultdict[tuple[Hashable, str], dict[str, float]] = defaultdict(dict)
    for swing in swings:
        for own, opponent, imps in (
            (swing.first, swing.second, float(swing.swing)),
            (swing.second, swing.first, -float(swing.swing)),
        ):
            if own in (first, second) and opponent not in (first, second):
                won[swing.deal, opponent][own] = imps
    differences = {key: both[first] - both[second] for key, both in won.items() if len(both) == 2}
    if not differences:
        return None
    mean = sum(differences.values()) / len(differences)
    by_deal: defaultdict[Hashable, float] = defaultdict(float)
    for (deal, _), difference in differences.items():
        by_deal[deal] += difference - mean
    deals = len(by_deal)
    squares = sum(total * total for total in by_deal.values())
    return CandidateDifference(
        first=first,
        second=second,
        opponents=tuple(sorted({opponent for _, opponent in differences})),
        boards=len(differences),
        deals=deals,
        mean=mean,
        error=sqrt(squares * deals / (deals - 1)) / len(differences) if deals > 1 else 0.0,
    )
