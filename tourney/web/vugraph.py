"""Who may see the vugraph: the passphrase, and the cookie that stands for it."""

import hmac
from hashlib import sha256
from typing import Final

from tourney.config.web import WebConfig

COOKIE: Final = "tourney-vugraph"
BODY_BYTES_MAX: Final = 4096


class VugraphDoor:
    """Lets in those with the passphrase of the event file; another phrase there ends all cookies."""

    def token(self, config: WebConfig) -> str | None:
        """Return what the cookie holds; None if the event has no vugraph."""
        if not config.live.is_vugraph or config.vugraph_phrase is None:
            return None
        return hmac.new(config.vugraph_phrase.encode(), b"tourney vugraph", sha256).hexdigest()

    def is_in(self, config: WebConfig, cookie: str) -> bool:
        """Whether a cookie lets its browser in."""
        token = self.token(config)
        return token is not None and hmac.compare_digest(cookie.encode(), token.encode())

    def enter(self, config: WebConfig, phrase: str) -> str | None:
        """Return what the cookie holds for who has given a passphrase; None if it is wrong."""
        token = self.token(config)
        if token is None or config.vugraph_phrase is None:
            return None
        return token if hmac.compare_digest(phrase.encode(), config.vugraph_phrase.encode()) else None
