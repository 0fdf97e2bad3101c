"""A victory point scale as steps: from which margin in IMPs each split holds. Steps come from elsewhere."""

import bisect
from dataclasses import dataclass
from typing import Final, NamedTuple

from tourney.errors import ConfigError
from tourney.scoring.imps import IMPS_MAX
from tourney.scoring.scale_names import BOARDS_MAX
from tourney.scoring.vp_units import VpHundredths, format_vp

MARGIN_MAX: Final = IMPS_MAX * BOARDS_MAX
"""No match is won by more IMPs than this."""


class VpStep(NamedTuple):
    """From `least_margin` IMPs on (to the next step) the winner gets `winner`, the loser `loser`."""

    least_margin: int
    winner: VpHundredths
    loser: VpHundredths


class VpRow(NamedTuple):
    """One row of a printed table: what a margin of exactly `imps` is worth."""

    imps: int
    winner: VpHundredths
    loser: VpHundredths


@dataclass(frozen=True, slots=True)
class UserTable:
    """A scale of the organiser's own, checked when it is made.

    The steps start at margin 0 with a draw; margins rise, the winner's figure never falls, the loser's never rises.
    The two figures need not have a constant sum: in the old 25 - 0 scales they have not.

    Raises:
        ConfigError: one sentence on the first step that is wrong.
    """

    steps: tuple[VpStep, ...]

    def __post_init__(self) -> None:
        if not self.steps:
            raise ConfigError("a VP table has at least one step, got none")
        first = self.steps[0]
        if first.least_margin != 0:
            raise ConfigError(f"a VP table starts at margin 0, got {first.least_margin}")
        if first.winner != first.loser:
            raise ConfigError(
                f"at margin 0 both sides of a VP table get the same, "
                f"got {format_vp(first.winner)} and {format_vp(first.loser)}"
            )
        for number, step in enumerate(self.steps[1:], start=2):
            why = _why_no_step(self.steps[number - 2], step)
            if why is not None:
                raise ConfigError(f"step {number} of a VP table: {why}")


def _why_no_step(before: VpStep, step: VpStep) -> str | None:
    if step.least_margin <= before.least_margin:
        return f"its margin is above {before.least_margin}, got {step.least_margin}"
    if step.least_margin > MARGIN_MAX:
        return f"its margin is at most {MARGIN_MAX} IMPs, got {step.least_margin}"
    if step.winner < before.winner:
        return f"the winner gets at least {format_vp(before.winner)}, got {format_vp(step.winner)}"
    if step.loser > before.loser:
        return f"the loser gets at most {format_vp(before.loser)}, got {format_vp(step.loser)}"
    return None


@dataclass(frozen=True, slots=True)
class VpScale:
    """A scale for matches of one length. `steps` start at margin 0, margins rising."""

    name: str
    boards: int
    steps: tuple[VpStep, ...]

    def split(self, margin: int) -> tuple[VpHundredths, VpHundredths]:
        """Victory points of the side that won by `margin` IMPs, and of the other; a negative margin is a loss."""
        index = bisect.bisect_right(self.steps, abs(margin), key=lambda step: step.least_margin) - 1
        step = self.steps[index]
        return (step.winner, step.loser) if margin >= 0 else (step.loser, step.winner)

    def table(self) -> list[VpRow]:
        """A row for each margin, from 0 to the first that no greater one betters."""
        last = next(step for step in self.steps if step[1:] == self.steps[-1][1:])
        return [VpRow(margin, *self.split(margin)) for margin in range(last.least_margin + 1)]
