"""Who may see the vugraph: the passphrase, and the cookie that stands for it.

Another passphrase in the event file ends all cookies.
"""

import hmac
from hashlib import sha256
from typing import Final

from tourney.config.web import WebConfig

COOKIE: Final = "tourney-vugraph"
BODY_BYTES_MAX: Final = 4096


def vugraph_token(config: WebConfig) -> str | None:
    """Return what the cookie holds; None if the event has no vugraph."""
    if not config.live.is_vugraph or config.vugraph_phrase is None:
        return None
    return hmac.new(config.vugraph_phrase.encode(), b"tourney vugraph", sha256).hexdigest()


def sees_vugraph(config: WebConfig, cookie: str) -> bool:
    """Whether a cookie lets its browser in."""
    token = vugraph_token(config)
    return token is not None and hmac.compare_digest(cookie.encode(), token.encode())
