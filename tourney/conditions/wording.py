"""Filters of the templates: numbers, amounts and lists in words."""

import re
from fractions import Fraction
from typing import Final

from tourney.plurals import count, seconds
from tourney.scoring.victory_points import format_hundredths

_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f]")


def quoted(name: str) -> str:
    """Quote a name from an event file, without control characters, which the name of a scale may have."""
    return f'"{_CONTROL.sub("?", name)}"'


def times(number: int) -> str:
    """Format a number of times: `once`, `twice`, `7 times`."""
    return {1: "once", 2: "twice"}.get(number, f"{number} times")


def milliseconds(number: int) -> str:
    """Format milliseconds: `1 second`, `1500 milliseconds`."""
    return seconds(number // 1000) if number and number % 1000 == 0 else count(number, "millisecond", "milliseconds")


def ordinal(number: int) -> str:
    """Format an ordinal number: `3rd`, `11th`."""
    endings = {1: "st", 2: "nd", 3: "rd"}
    return f"{number}{'th' if number // 10 % 10 == 1 else endings.get(number % 10, 'th')}"


def decimal(value: Fraction) -> str:
    """Format a number with at most two decimals: `3`, `3.2`."""
    return format_hundredths(round(100 * value))
