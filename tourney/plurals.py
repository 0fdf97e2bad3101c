"""Counted nouns, lists and times in sentences."""

from collections.abc import Sequence


def count(number: int, one: str, many: str = "") -> str:
    """`1 match`, `2 matches`; the default plural is the singular with an `s`: `2 boards`."""
    return f"{number} {plural(number, one, many)}"


def plural(number: int, one: str, many: str = "") -> str:
    """The noun alone: `match` for 1, `matches` for any other number."""
    return one if number == 1 else many or f"{one}s"


def listed(items: Sequence[object], last: str = "and") -> str:
    """Format a list: `A`, `A and B`, `A, B and C`."""
    names = list(map(str, items))
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} {last} {names[-1]}"


def seconds(number: int) -> str:
    """Format seconds as `1 minute 30 seconds`: exact, so that two settings never read alike."""
    minutes, second = divmod(number, 60)
    hours, minute = divmod(minutes, 60)
    parts = [(hours, "hour"), (minute, "minute"), (second, "second")]
    return " ".join(count(n, unit) for n, unit in parts if n) or "0 seconds"


def shorten(text: str, most: int = 60) -> str:
    """Return a text of at most so many characters, with three dots where it was longer."""
    return text if len(text) <= most else text[: most - 3] + "..."
