"""Work for processes that share it: they import it by name, which they cannot do with a module of tests."""

import os
from collections.abc import Iterator, Sequence

from tourney.errors import StoreError


def squares(numbers: Sequence[int]) -> Iterator[int]:
    for number in numbers:
        yield number * number


def squares_up_to(most: int, numbers: Sequence[int]) -> Iterator[int]:
    """Squares; of a number above the most it is an error."""
    for number in numbers:
        if number > most:
            raise StoreError(f"numbers are at most {most}, got {number}")
        yield number * number


def die(numbers: Sequence[int]) -> Iterator[int]:
    """The process ends with number 2, as one that is killed."""
    for number in numbers:
        if number == 2:
            os._exit(9)
        yield number


def large(numbers: Sequence[int]) -> Iterator[str]:
    """Texts that no pipe takes at once."""
    for number in numbers:
        yield f"{number} " * 100_000


def wrong(numbers: Sequence[int]) -> Iterator[float]:
    """A mistake of ours."""
    for number in numbers:
        yield 1 / (number - 3)
