"""Carry-over from the stage before: IMPs into a match, victory points into a round robin or Swiss.

Customary in the conditions of contest of team events: half the margin of the match in the stage before when the team
that was ranked higher won it, a third when the other one did, up to a cap. Fractions of an IMP are kept, to the
hundredth.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Final, NewType

from tourney.errors import ConfigError
from tourney.scoring.assigned import round_half_away
from tourney.scoring.victory_points import format_hundredths

ImpHundredths = NewType("ImpHundredths", int)
"""Hundredths of an IMP: 2.5 IMPs are 250. Sums and differences are exact."""

_NOTHING: Final = ImpHundredths(0)


@dataclass(frozen=True, slots=True)
class CarryOver:
    """The carry-over rules: a fraction of what was won, or a figure for each rank.

    Raises:
        ConfigError: a fraction outside 0..1, or a cap below zero.
    """

    won: Fraction
    """The fraction of the margin carried over when the higher-ranked team won, or of the victory points."""
    lost: Fraction
    """The fraction of the margin carried over when the lower-ranked team won."""
    cap: ImpHundredths | None
    """The most that is carried over, in hundredths of IMPs or of victory points; None for no limit."""
    by_rank: tuple[int, ...] = ()
    """Hundredths by rank in the stage before, best first, instead of the fractions; further ranks get 0."""
    by_boards: bool = False
    """In pairs events: whether the fraction is of the weight of a board, and not of the percentage."""

    def __post_init__(self) -> None:
        for fraction in (self.won, self.lost):
            if not 0 <= fraction <= 1:
                raise ConfigError(f"the part that is carried over is 0..1, got {fraction}")
        if self.cap is not None and self.cap < 0:
            raise ConfigError(f"the most that is carried over is at least 0, got {format_hundredths(self.cap)}")


def carry_match(
    rules: CarryOver, margin_higher: int | Fraction, rank_higher: int, rank_lower: int
) -> tuple[ImpHundredths, ImpHundredths]:
    """Return the IMPs the teams ranked higher and lower in the previous stage start with; one of the two is 0.

    Halves of a hundredth are rounded up before the cap is applied.

    Args:
        rules: with `by_rank`, the difference of the two ranks' figures counts, whatever the margin.
        margin_higher: IMPs by which the higher-ranked team beat the other in their matches of the stage before,
            below 0 when it lost; 0 when they did not meet. Halves come from scores that do not balance.
        rank_higher: its rank in the stage before, 1 the best.
        rank_lower: the rank of the other team.
    """
    if rules.by_rank:
        hundredths = _of_rank(rules, rank_higher) - _of_rank(rules, rank_lower)
    else:
        part = rules.won if margin_higher > 0 else rules.lost
        hundredths = round_half_away(100 * part * margin_higher)
    taken = ImpHundredths(abs(_capped(rules, hundredths)))
    return (taken, _NOTHING) if hundredths > 0 else (_NOTHING, taken)


def carry_vp(rules: CarryOver, vp: int, rank: int) -> int:
    """Return the carry-over with which a team starts a stage, in hundredths of victory points.

    Halves of a hundredth are rounded away from zero before the cap is applied.

    Args:
        rules: `by_rank`, or `won` of the victory points.
        vp: its victory points in the stage before, in hundredths.
        rank: its rank there, 1 the best.
    """
    return _capped(rules, _of_rank(rules, rank) if rules.by_rank else round_half_away(rules.won * vp))


def _of_rank(rules: CarryOver, rank: int) -> int:
    return rules.by_rank[rank - 1] if rank <= len(rules.by_rank) else 0


def _capped(rules: CarryOver, hundredths: int) -> int:
    return hundredths if rules.cap is None else max(-rules.cap, min(rules.cap, hundredths))
