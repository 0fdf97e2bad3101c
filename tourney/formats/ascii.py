"""Converts text in any language to values that every PBN and LIN reader accepts: ASCII, one line, no delimiters."""

import unicodedata
from functools import lru_cache
from typing import Final

_DASHES: Final = "\N{HYPHEN}\N{NON-BREAKING HYPHEN}\N{EN DASH}\N{EM DASH}\N{MINUS SIGN}"
_QUOTES: Final = (
    "\N{LEFT SINGLE QUOTATION MARK}\N{RIGHT SINGLE QUOTATION MARK}\N{PRIME}"
    "\N{LEFT DOUBLE QUOTATION MARK}\N{RIGHT DOUBLE QUOTATION MARK}«»"
)
_LETTERS: Final = str.maketrans(
    {
        **dict(zip("ØøĐđÐðŁłĦħ♠♥♦♣", "OoDdDdLlHhSHDC", strict=True)),
        **dict(zip("ÆæŒœßẞÞþ≤≥", ("AE", "ae", "OE", "oe", "ss", "SS", "Th", "th", "<=", ">="), strict=True)),
        "\N{LATIN SMALL LETTER DOTLESS I}": "i",
        "\N{MULTIPLICATION SIGN}": "x",
        "\N{FRACTION SLASH}": "/",
        **dict.fromkeys(_DASHES, "-"),
        **dict.fromkeys(_QUOTES, "'"),
    }
)
"""Letters and signs that Unicode does not decompose into an ASCII letter and its marks."""

_DELIMITERS: Final = str.maketrans({'"': "'", "\\": "/", "[": "(", "]": ")", "{": "(", "}": ")"})
"""The delimiters of PBN. The standard escapes `"` and `\\`, but readers in use drop the one and double the other,
and end a tag at any bracket, so a value has neither."""


def printable(text: str) -> str:
    """Returns a text with blanks in place of what is not printed."""
    return "".join(c if c.isprintable() else " " for c in text)


def to_ascii(text: str) -> str:
    """Converts a text to ASCII: letters without their marks, well-known signs by their nearest, others as `?`.

    PBN 2.1 section 2.2 requires a question mark for a character that cannot be shown.
    """
    if text.isascii():
        return text
    plain = unicodedata.normalize("NFKD", text.translate(_LETTERS)).translate(_LETTERS)
    return "".join(c for c in plain if not unicodedata.combining(c)).encode("ascii", "replace").decode("ascii")


@lru_cache(maxsize=4096)  # tag values are much the same from game to game
def plain_text(text: str) -> str:
    """Converts a text to ASCII without delimiters of PBN, control characters and double blanks."""
    return " ".join(printable(to_ascii(text).translate(_DELIMITERS)).split())


def cut_at_word(text: str, length_max: int) -> str:
    """Returns the text, or as many whole words as leave room for ` ...` in `length_max` characters."""
    if len(text) <= length_max:
        return text
    head = text[: length_max - 3]  # one more than fits, which may be the blank
    words, blank, _ = head.rpartition(" ")
    return f"{words if blank else head[:-1]} ..."
