"""`[reports]`: how reports are worked out where organisers differ. The score of the event hangs on none of it."""

from decimal import Decimal
from typing import Annotated, Any

from pydantic import BeforeValidator

from tourney.config.sections import Section, member
from tourney.config.values import shown
from tourney.scoring.butler import TRIM_MAX, Datum, check_trim


def _trim(value: Any) -> Any:  # before pydantic has looked at the type
    if isinstance(value, int | Decimal) and not isinstance(value, bool):
        return check_trim(value)
    raise ValueError(
        f"a whole number of results from 0 to {TRIM_MAX}, or a part of them from 0.0 to below 0.5, is asked for, "
        f"got {shown(value)}"
    )


class ReportsConfig(Section):
    """`[reports]`."""

    butler_datum: Annotated[Datum, member(Datum)] = Datum.MEAN
    """What scores are compared with in the Butler ranking."""
    butler_trim: Annotated[int | Decimal, BeforeValidator(_trim)] = 0
    """How many of the best and of the worst results of a board are not in the datum, or which part of them."""
