"""Who may see the vugraph: the pass phrase, the cookie that stands for it, and how often it may be tried."""

import hmac
import time
from collections import deque
from hashlib import sha256
from typing import Final
from urllib.parse import parse_qsl

from tourney.config.values import LiveBoards
from tourney.config.web import WebConfig

COOKIE: Final = "tourney-vugraph"
BODY_BYTES_MAX: Final = 4096
TRIES_MAX: Final = 5
TRIES_S: Final = 900
"""So many wrong phrases from one address in so many seconds, and it has to wait."""
ADDRESSES_MAX: Final = 10_000
"""Addresses whose tries are remembered; with more, the oldest is forgotten that need not wait."""


class VugraphDoor:
    """Lets in those with the pass phrase of the event file; another phrase there ends all cookies."""

    def __init__(self) -> None:
        self._wrong: dict[str, deque[float]] = {}
        """When wrong phrases came from each address, the address with the oldest last one first."""

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

    def is_locked(self, address: str) -> bool:
        """Whether there were too many wrong phrases from an address."""
        tries = self._wrong.get(address)
        if tries is None:
            return False
        while tries and time.monotonic() - tries[0] > TRIES_S:
            tries.popleft()
        return len(tries) >= TRIES_MAX

    def enter(self, config: WebConfig, address: str, body: bytes) -> str | None:
        """Return the cookie for a form that was sent, as its header says it; None if the phrase is wrong."""
        token = self.token(config)
        given = dict(parse_qsl(body.decode("utf-8", "replace"))).get("phrase", "")
        if token is None or config.vugraph_phrase is None:
            return None
        if not hmac.compare_digest(given.encode(), config.vugraph_phrase.encode()):
            self._note_wrong(address)
            return None
        secure = "; Secure" if config.behind_tls else ""
        return f"{COOKIE}={token}; Path=/vugraph; HttpOnly; SameSite=Strict{secure}"

    def _note_wrong(self, address: str) -> None:
        tries = self._wrong.pop(address, deque())
        if len(self._wrong) >= ADDRESSES_MAX:
            # Those that have to wait are not freed by tries from many others, unless nobody else is left.
            free = next((each for each in self._wrong if not self.is_locked(each)), next(iter(self._wrong)))
            del self._wrong[free]
        tries.append(time.monotonic())
        self._wrong[address] = tries
