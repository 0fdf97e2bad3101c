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
    """The datum of a board, with which `tourney butler` compares scores: the `"mean"` or the `"median"` of
    North-South's scores at all tables that played it."""
    butler_trim: Annotated[int | Decimal, BeforeValidator(_trim)] = 0
    """How many of the best and as many of the worst results of a board are left out of its datum: a whole number
    from 0 to 100, or a share of the results from 0.0 to below 0.5."""
