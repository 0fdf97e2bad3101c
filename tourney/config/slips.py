"""Common slips of people who write TOML, each with the sentence that mends it, and the lines of settings."""

import re
from collections.abc import Iterator
from typing import Final

REPEATED_SECTIONS: Final = ("team", "pair", "player", "stage")
"""The sections of which there may be several, each in double brackets."""

_SINGLE: Final = re.compile(rf"^[ \t]*\[[ \t]*({'|'.join(REPEATED_SECTIONS)})[ \t]*\]", re.MULTILINE)
_LINE: Final = re.compile(r"\(at line (\d+), column \d+\)$")
"""Where a message of `tomllib` says that it could not read on."""
_STRING: Final = re.compile(r'"(?:[^"\\]|\\.)*"|\'[^\']*\'')
_COMMENT: Final = re.compile(r"#.*")
_HEADING: Final = re.compile(r"^[ \t]*(\[\[?)[ \t]*([\w.-]+)[ \t]*\]")
_LIST: Final = re.compile(r"^\s*[\w-]+\s*=\s*\[")
_DRIVE: Final = re.compile(r'^[^#"\']*=\s*"(?:[^"\\]|\\\\)*?\b[A-Za-z]:\\(?!\\)')
"""A text in double quotes with the beginning of a path on Windows, whose backslash is not written twice."""

_PATH: Final = (
    r"a backslash in double quotes begins an escape: put the text in single quotes, as in 'C:\bots\run.exe'"
)
_MOMENT: Final = "a time has its date, seconds and zone, such as 2026-11-21T14:00:00Z"
_QUOTES: Final = "text stands in quotes"

_SLIPS: Final = (
    (r"[\u2018-\u201f\u00ab\u00bb\u2039\u203a]", 'quotes are straight, as in "Cup", not typographic'),
    (r"[\u00a0\u2000-\u200b\u202f\u3000\ufeff]", "it has a blank that no keyboard has: type its blanks again"),
    (r"^\s*(//|/\*|;|--)|\s//", "a comment begins with #"),
    (r"=\s*(?i:true|yes|on)\s*$", "write true, in small letters and without quotes"),
    (r"=\s*(?i:false|no|off)\s*$", "write false, in small letters and without quotes"),
    (r"=\s*(?i:none|null|nil)\s*$", "a setting without a value is left out: put a # before it"),
    (r"\d{1,2}[./]\d{1,2}[./]\d{4}|\d{4}-\d\d?-\d\d?[T ]\d\d?:\d\d(?!:?\d)", _MOMENT),
    (r"=\s*[-+]?\d+,\d+\s*$", "a number has no comma, as in 0.5 and 1000"),
    (r"=\s*[-+]?0\d+\s*$", "a number does not begin with 0"),
    (r"=\s*[-+]?[\d.]+\s*[%a-zA-Z]+\s*$", "a number has no unit, and text stands in quotes"),
    (r"[,;]\s*$", "nothing follows a value: leave out the {last} at the end of the line"),
    (r"^\s*[\w-]+\s*(==|:=|=>)", "between key and value stands one ="),
    (r"^\s*\w+( +\w+)+\s*=", "a key has no blanks, as in boards_per_match"),
    (r"^\s*\w+\s*:?\s*$", "a heading stands in brackets, as in [event] and [[team]], and a setting has a value"),
    (r"^\s*[\w-]+\s*:", "between key and value stands =, not a colon"),
    (r"^\s*[\w-]+\s+[^=\s]", "between key and value stands ="),
    (r"=\s*$", "the value is missing"),
)
"""What a line may have, besides complete texts and comments, and the mend; the first that fits is meant."""

_OF_MESSAGES: Final = (
    ("Unclosed array", "a list has a comma between two values, and ends with ]"),
    ("Illegal character '\\n'", "a text ends with the same quote that it began with"),
    ("Unterminated string", "a text ends with the same quote that it began with"),
    ("Expected ']", "a heading has as many brackets at its end as at its beginning"),
    ("Cannot overwrite", "a setting stands once in a section"),
    ("Cannot declare", "a section in single brackets stands once: put its settings together"),
    ("Invalid value", _QUOTES),
)
"""How messages of `tomllib` begin, and the mend where the line itself shows none."""


def find_mend(text: str, error: str) -> str:
    """Return how a slip is mended that `tomllib` has found; empty for one that is not common.

    Args:
        text: the whole file.
        error: the message.
    """
    single = _SINGLE.search(text)
    if error.startswith(("Cannot declare", "Cannot overwrite")) and single is not None:
        section, line = single[1], text.count("\n", 0, single.start(1)) + 1
        return f"each {section} is a section [[{section}]], in double brackets, line {line} has [{section}]"
    lines = text.split("\n")
    place = _LINE.search(error)
    number = int(place[1]) if place is not None else len(lines)
    if "hex value" in error or "Unescaped" in error:
        return _PATH
    if error.startswith("Unclosed array"):
        number = next((n for n in range(number, 0, -1) if _LIST.match(lines[n - 1])), number)
    if not error.startswith("Cannot"):
        bare = _COMMENT.sub("", _STRING.sub('""', lines[number - 1]))
        for pattern, mend in _SLIPS:
            if re.search(pattern, bare):
                return mend.format(last=bare.rstrip()[-1:])
    return next((mend for beginning, mend in _OF_MESSAGES if error.startswith(beginning)), "")


def hidden_slips(text: str) -> Iterator[str]:
    """Yield sentences on what is TOML, but cannot be meant: paths on Windows with single backslashes."""
    for number, line in enumerate(text.split("\n"), 1):
        if _DRIVE.search(line):
            yield f"line {number}: {_PATH}"


def find_line(text: str, place: tuple[int | str, ...]) -> int | None:
    """Return the line of a setting or heading, given its keys and numbers from 0; None if it is written otherwise."""
    *section, key = place
    at: tuple[int | str, ...] = ()
    seen: dict[str, int] = {}
    setting = re.compile(rf"^\s*[\"']?{re.escape(str(key))}[\"']?\s*=")
    for number, line in enumerate(text.split("\n"), 1):
        heading = _HEADING.match(line)
        if heading is not None:
            first, *below = heading[2].split(".")
            if heading[1] == "[[":
                seen[first] = seen.get(first, -1) + 1
            at = (first, *((seen[first],) if first in seen else ()), *below)
            if at == place or (heading[1] == "[[" and at[:1] == place):
                return number
        elif at == tuple(section) and setting.match(line):
            return number
    return None
