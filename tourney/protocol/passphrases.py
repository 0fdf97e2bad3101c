"""Pass phrases of teams, given with the team name in a log-on: `Connecting "Alpha#secret" as North ...` (BC-05).

The table knows only salted hashes, and nothing that it sends, records or logs contains the text after the `#`.
"""

import hashlib
import hmac
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

SEPARATOR: Final = "#"
"""Separates a team's name from its phrase."""

HIDDEN: Final = "***"
"""Replaces a phrase where a line is shown."""

_SCRYPT_N: Final = 2**11
"""Two milliseconds and two megabytes per log-on: expensive for a dictionary attack on a stolen database, cheap for a
table that has to wait for it."""
_SCRYPT_R: Final = 8


@dataclass(frozen=True, slots=True)
class PhraseHash:
    """The stored form of a phrase: salt and digest as hexadecimal digits."""

    salt: str
    digest: str

    def fits(self, phrase: str) -> bool:
        """Return whether this is the phrase; compares in constant time."""
        return hmac.compare_digest(self.digest, hash_phrase(phrase, self.salt).digest)


class RightPhrases:
    """Remembers which phrases were right, so that each costs its slow hash only once.

    From then on a wrong one costs a microsecond, and a flood of them keeps nobody from its seat.
    """

    def __init__(self) -> None:
        self._quick: dict[PhraseHash, bytes] = {}
        """A fast digest of the right phrase; in the memory of this process only."""

    def fits(self, stored: PhraseHash, phrase: str) -> bool:
        """Return whether this is the phrase."""
        quick = hashlib.blake2b(phrase.encode(), key=bytes.fromhex(stored.digest)).digest()
        known = self._quick.get(stored)
        if known is not None:
            return hmac.compare_digest(known, quick)
        if not stored.fits(phrase):
            return False
        self._quick[stored] = quick
        return True


def hash_phrase(phrase: str, salt: str) -> PhraseHash:
    """Hash a phrase. `salt` is hexadecimal digits, different for each team of each event."""
    digest = hashlib.scrypt(phrase.encode(), salt=bytes.fromhex(salt), n=_SCRYPT_N, r=_SCRYPT_R, p=1, dklen=32)
    return PhraseHash(salt, digest.hex())


def split_login(said: str, names: Iterable[str]) -> tuple[str, str | None]:
    """Split the quoted part of a log-on into team name and phrase; the phrase is None if it has none.

    `names` are the names of the table's teams, which may themselves contain a `#`.
    """
    known = {name.casefold() for name in names}
    if said.casefold() in known:
        return said, None
    # The longest name first. Folding may make a name longer, never shorter.
    for at in reversed(range(min(len(said), max(map(len, known), default=0) + 1))):
        if said[at] == SEPARATOR and said[:at].casefold() in known:
            return said[:at], said[at + 1 :]
    name, separator, phrase = said.partition(SEPARATOR)
    return (name.rstrip(), phrase) if separator else (said, None)


def hide_phrase(line: str, names: Iterable[str]) -> str:
    """Mask anything that may be a phrase in a line from or to a program that has not logged on."""
    at = line.find(SEPARATOR)
    if at < 0:
        return line
    before, _, rest = line.partition('"')
    said, closing, after = rest.partition('"')
    if not closing or SEPARATOR in before + after:
        return line[: at + 1] + HIDDEN
    name, phrase = split_login(" ".join(said.split()), names)
    return line if phrase is None else f'{before}"{name}{SEPARATOR}{HIDDEN}"{after}'
