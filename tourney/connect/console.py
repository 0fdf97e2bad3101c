"""What is written to the author's terminal: whole lines, in which nothing acts on the terminal."""

import sys
from collections.abc import Callable

Say = Callable[[str], None]
"""Writes one line for the author."""


def print_line(text: str) -> None:
    """Write a line; characters that a terminal would act on are shown as Python writes them."""
    sys.stdout.write(show_characters(text) + "\n")
    sys.stdout.flush()


def show_characters(text: str) -> str:
    """Return a text in which every character that is not printable is escaped."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode("ascii") for char in text)
