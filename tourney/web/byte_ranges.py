"""Parts of a file that a browser asks for, to go on with a download that was cut off (RFC 9110, section 14)."""

import re
from typing import Final

_RANGE: Final = re.compile(r"bytes=(?:([0-9]{1,18})-([0-9]{0,18})|-([0-9]{1,18}))", re.IGNORECASE)


class RangeNotSatisfiable(Exception):  # noqa: N818 # named as its status, 416
    """A part is asked for of which the file has nothing."""


def parse_range(header: str, length: int) -> range | None:
    """Return the positions of the bytes that are asked for; None for the whole file.

    The whole file is the answer to what cannot be read and to several parts at once, as the standard allows.

    Args:
        header: the value of `Range`, such as `bytes=500-`, `bytes=0-99`, `bytes=-20` for the last 20.
        length: the size of the file in bytes.

    Raises:
        RangeNotSatisfiable: it begins behind the end of the file, or is empty.
    """
    found = _RANGE.fullmatch(header.strip())
    if found is None:
        return None
    first, last, suffix = found.groups()
    if suffix is not None:
        wanted = range(max(0, length - int(suffix)), length)
    else:
        if last and int(last) < int(first):
            return None
        wanted = range(int(first), min(int(last) + 1, length) if last else length)
    if not wanted:
        raise RangeNotSatisfiable
    return wanted
