"""Victory points as exact numbers: whole hundredths, and their text."""

import re
from decimal import Decimal
from typing import Final, NewType

from tourney.errors import FormatError

VpHundredths = NewType("VpHundredths", int)
"""Hundredths of a victory point: 13.34 VP is 1334. Sums and differences are exact."""

_TEXT: Final = re.compile(r"([+-]?)([0-9]{1,4})(?:\.([0-9]{1,2}))?")


def format_vp(hundredths: int) -> str:
    """`1334` as `13.34`: always two decimals, a minus sign below zero."""
    sign = "-" if hundredths < 0 else ""
    whole, rest = divmod(abs(hundredths), 100)
    return f"{sign}{whole}.{rest:02}"


def parse_vp(value: str | int | Decimal) -> VpHundredths:
    """Hundredths of a figure in victory points: `"13.34"`, `Decimal("13.34")` and `13` (whole VPs, so 1300).

    A binary float is refused by its type: 13.34 has no exact one.

    Raises:
        FormatError: no number, more than two decimals, or more than four digits before the point.
    """
    if isinstance(value, bool) or not isinstance(value, str | int | Decimal):
        raise FormatError(f"victory points are a number with at most two decimals, got {value!r}")
    text = format(value, "f") if isinstance(value, Decimal) else str(value)
    found = _TEXT.fullmatch(text.strip())
    if found is None:
        raise FormatError(f"victory points are -9999.99..9999.99 with at most two decimals, got {value!r}")
    sign, whole, rest = found.groups(default="")
    hundredths = int(whole) * 100 + int(rest.ljust(2, "0"))
    return VpHundredths(-hundredths if sign == "-" else hundredths)
