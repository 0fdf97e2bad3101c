"""Counted nouns in sentences."""


def count(number: int, one: str, many: str = "") -> str:
    """`1 match`, `2 matches`; the default plural is the singular with an `s`: `2 boards`."""
    return f"{number} {plural(number, one, many)}"


def plural(number: int, one: str, many: str = "") -> str:
    """The noun alone: `match` for 1, `matches` for any other number."""
    return one if number == 1 else many or f"{one}s"
