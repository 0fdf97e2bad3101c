"""Counted nouns in sentences."""


def count(number: int, one: str, many: str = "") -> str:
    """`1 match`, `2 matches`; a plural that is not given is the singular with an `s`: `2 boards`."""
    return f"{number} {plural(number, one, many)}"


def plural(number: int, one: str, many: str = "") -> str:
    """The noun alone: `match` of 1, `matches` of any other number."""
    return one if number == 1 else many or f"{one}s"
