"""Thinking times as tables: AuctionTimeTable and PlayTimeTable (PBN 2.1 sections 5.4 and 5.8).

A row a call or card, in the order of the words in the section before. The standard counts whole seconds only; the
column of milliseconds is one of our own, as section 5.2 allows.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from tourney.errors import FormatError
from tourney.formats.pbn.tables import column_names

AUCTION_TIMES: Final = "AuctionTimeTable"
PLAY_TIMES: Final = "PlayTimeTable"

COLUMNS: Final = "Time;Milliseconds"
"""What the columns are, as the value of the tag."""

_SECONDS, _MILLISECONDS = COLUMNS.split(";")
_CLOCK: Final = re.compile(r"(?:(?:(\d{1,4}):)?(\d{1,6}):)?(\d{1,9})", re.ASCII)
_WHOLE: Final = re.compile(r"\d{1,12}", re.ASCII)
_NOTHING: Final = "-"


def format_times(times_ms: Iterable[int | None]) -> Iterator[str]:
    """The rows: seconds, rounded, and milliseconds; `- -` for a card that was not played."""
    for ms in times_ms:
        yield f"{_NOTHING} {_NOTHING}" if ms is None else f"{(ms + 500) // 1000} {ms}"


def parse_times(columns: str, rows: Sequence[Sequence[str]]) -> tuple[int | None, ...]:
    """The thinking times of a table in milliseconds, a row each; None for a row that has none.

    Args:
        columns: the value of the tag.
        rows: the words of each line.

    Raises:
        FormatError: the table has no time, or a word is no time.
    """
    names = column_names(columns)
    wanted = _MILLISECONDS if _MILLISECONDS in names else _SECONDS
    if wanted not in names:
        raise FormatError(f"a table of times has the column {_SECONDS}, got the columns {columns!r}")
    index = names.index(wanted)
    times: list[int | None] = []
    for row in rows:
        if len(row) != len(names):
            raise FormatError(f"a row of times has {len(names)} words, got {' '.join(row)!r}")
        times.append(None if row[index] == _NOTHING else _parse_time(row[index], wanted))
    return tuple(times)


def _parse_time(word: str, column: str) -> int:
    if column == _MILLISECONDS:
        if _WHOLE.fullmatch(word):
            return int(word)
        raise FormatError(f"a time is a whole number of milliseconds, got {word!r}")
    match = _CLOCK.fullmatch(word)
    if match is None:
        raise FormatError(f"a time is SS, MM:SS or HH:MM:SS, got {word!r}")
    hours, minutes, seconds = (int(part or 0) for part in match.groups())
    return ((hours * 60 + minutes) * 60 + seconds) * 1000
