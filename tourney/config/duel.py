"""`[stage.sprt]`: the sequential test that decides a duel."""

from decimal import Decimal
from typing import Annotated, Any

from pydantic import BeforeValidator, model_validator

from tourney.config.base import Section
from tourney.config.values import shown
from tourney.errors import ConfigError
from tourney.scoring.strength.sequential import SequentialTest


def _parse_number(value: Any) -> float:  # before pydantic has looked at the type
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        raise ValueError(f"expected a number, got {shown(value)}")  # noqa: TRY004 # pydantic's way
    return float(value)


_Number = Annotated[float, BeforeValidator(_parse_number)]


class SequentialTestConfig(Section):
    """`[stage.sprt]`. By default H0 is no difference, and H1 half an IMP a board."""

    d0: _Number = 0.0
    """The difference of hypothesis H0, in IMPs a board; the first team is the better one where it is above 0."""
    d1: _Number = 0.5
    """The difference of hypothesis H1, above `d0`."""
    alpha: _Number = 0.05
    """How often H1 may be accepted although H0 is true, above 0 and below 1."""
    beta: _Number = 0.05
    """How often H0 may be accepted although H1 is true; `alpha` and `beta` add up to less than 1."""
    two_sided: bool = False
    """Whether either team may turn out to be the better one."""

    @model_validator(mode="after")
    def _makes_a_test(self) -> "SequentialTestConfig":
        try:
            self.test_of(1)
        except ConfigError as error:
            raise ValueError(str(error)) from error
        return self

    def test_of(self, boards: int) -> SequentialTest:
        """Returns the test of a duel with at most so many boards."""
        return SequentialTest(
            d0=self.d0,
            d1=self.d1,
            alpha=self.alpha,
            beta=self.beta,
            boards_max=boards,
            is_two_sided=self.two_sided,
        )

    def to_plain(self) -> str:
        """Returns the figures as they are stored with the draw."""
        return f"{self.d0:g} {self.d1:g} {self.alpha:g} {self.beta:g}{' two-sided' if self.two_sided else ''}"
