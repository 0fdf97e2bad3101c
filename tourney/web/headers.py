"""The headers of every answer: what a browser may do with it, and for how long it may keep it."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final, TypeAlias

Headers: TypeAlias = list[tuple[bytes, bytes]]
"""Names in lower case and values, as ASGI has them."""

_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors "
)

FOREVER: Final = "public, max-age=31536000, immutable"
"""For files whose address has a hash of what they hold."""
ASK_AGAIN: Final = "no-cache"
"""For pages: a browser keeps them, and asks each time whether they have changed."""


def page_headers(content_type: str, *, kept: str = ASK_AGAIN, framed_by: Sequence[str] = ()) -> Headers:
    """Return the headers of an answer that a browser shows.

    Args:
        content_type: what it is.
        kept: for how long it may be kept.
        framed_by: the sites that may show it in a frame; none by default.
    """
    return list(_encoded(content_type, kept, " ".join(framed_by) or "'none'"))


@lru_cache(maxsize=64)
def _encoded(content_type: str, kept: str, ancestors: str) -> tuple[tuple[bytes, bytes], ...]:
    """Return the headers; there are few, and every answer has them."""
    headers = [
        ("content-type", content_type),
        ("cache-control", kept),
        ("content-security-policy", _POLICY + ancestors),
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "no-referrer"),
        ("vary", "accept-encoding"),
    ]
    return tuple(encode(headers))


def encode(headers: Iterable[tuple[str, str]]) -> Headers:
    """Return headers as ASGI takes them."""
    return [(name.encode("ascii"), value.encode("latin-1", "replace")) for name, value in headers]
