"""Numbers of options that have limits, which a refusal and the help name in words: `1 to 64`, `1 or more`."""

import click


def describe_range(range_: click.IntRange | click.FloatRange) -> str:
    """Return the values that an option may have, in words; both limits are among them."""
    if range_.min is None:
        return f"{range_.max} or less"
    if range_.max is None:
        return f"{range_.min} or more"
    return f"{range_.min} to {range_.max}"


class IntRange(click.IntRange):
    """A whole number within limits."""

    _describe_range = describe_range


class FloatRange(click.FloatRange):
    """A number within limits."""

    _describe_range = describe_range
