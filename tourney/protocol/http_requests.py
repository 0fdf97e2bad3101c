"""Requests for web pages where lines of players are due: every port closes a connection that begins with one.

A page that somebody has open in a browser can have requests sent to any port of the machine and its network, with a
body of its choice, whose lines would be read as those of a program.
"""

import re
from typing import Final

WEB_PAGE: Final = "it sends a request for a web page"
"""Why a connection is closed that begins with one."""

_REQUEST: Final = re.compile(rb"[!#$%&'*+.^_`|~0-9A-Za-z-]+ \S+ HTTP/\d")


def is_http_request(line: bytes, *, is_cut: bool = False) -> bool:
    """Return whether a first line is that of a request (RFC 9112), as far as one tells that was cut in its path."""
    return _REQUEST.match(line + b" HTTP/1" if is_cut else line) is not None
