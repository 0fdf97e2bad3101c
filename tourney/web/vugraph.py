"""Who may see the vugraph: the pass phrase, and the cookie that stands for it."""

import hmac
from hashlib import sha256
from typing import Final
from urllib.parse import parse_qsl

from tourney.config.values import LiveBoards
from tourney.config.web import WebConfig

COOKIE: Final = "tourney-vugraph"
BODY_BYTES_MAX: Final = 4096


class VugraphDoor:
    """Lets in those with the pass phrase of the event file; another phrase there ends all cookies."""

    def token(self, config: WebConfig) -> str | None:
        """Return what the cookie holds; None if the event has no vugraph."""
        if config.live is not LiveBoards.VUGRAPH or config.vugraph_phrase is None:
            return None
        return hmac.new(config.vugraph_phrase.encode(), b"tourney vugraph", sha256).hexdigest()

    def is_in(self, config: WebConfig, cookies: bytes) -> bool:
        """Whether the cookies of a request (its header) let it in."""
        token = self.token(config)
        if token is None:
            return False
        for part in cookies.decode("latin-1").split(";"):
            name, _, value = part.strip().partition("=")
            if name == COOKIE and hmac.compare_digest(value.encode(), token.encode()):
                return True
        return False

    def enter(self, config: WebConfig, body: bytes) -> str | None:
        """Return the cookie for a form that was sent, as its header says it; None if the phrase is wrong."""
        token = self.token(config)
        given = dict(parse_qsl(body.decode("utf-8", "replace"))).get("phrase", "")
        if token is None or config.vugraph_phrase is None:
            return None
        if not hmac.compare_digest(given.encode(), config.vugraph_phrase.encode()):
            return None
        secure = "; Secure" if config.behind_tls else ""
        return f"{COOKIE}={token}; Path=/vugraph; HttpOnly; SameSite=Strict{secure}"
