"""Pass phrases of teams: said in the team name's place of a log-on, `Connecting "Alpha#secret" as North ...` (BC-05).

The table knows salted hashes only, and nothing that it sends, records or notes has what was said after the `#`.
"""

import hashlib
import hmac
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

SEPARATOR: Final = "#"
"""Between a team's name and its phrase."""

HIDDEN: Final = "***"
"""Stands for a phrase where a line is shown."""

_SCRYPT_N: Final = 2**11
"""Two milliseconds and two megabytes a log-on: much for who tries a dictionary on a stolen database, little for a
table that waits meanwhile."""
_SCRYPT_R: Final = 8


@dataclass(frozen=True, slots=True)
class PhraseHash:
    """What is kept of a phrase: salt and digest as hexadecimal digits."""

    salt: str
    digest: str

    def fits(self, phrase: str) -> bool:
        """Whether this is the phrase; how long the answer takes tells nothing of how near it is."""
        return hmac.compare_digest(self.digest, hash_phrase(phrase, self.salt).digest)


def hash_phrase(phrase: str, salt: str) -> PhraseHash:
    """The hash to keep. `salt` is hexadecimal digits, others for each team of each event."""
    digest = hashlib.scrypt(phrase.encode(), salt=bytes.fromhex(salt), n=_SCRYPT_N, r=_SCRYPT_R, p=1, dklen=32)
    return PhraseHash(salt, digest.hex())


def split_login(said: str, names: Iterable[str]) -> tuple[str, str | None]:
    """The team name and the phrase of what a log-on has between its quotes; None when it has no phrase.

    `names` are those of the table's teams: a name may have a `#` of its own.
    """
    folded = said.casefold()
    for name in sorted(names, key=len, reverse=True):
        if folded == name.casefold():
            return said, None
        if folded.startswith(name.casefold() + SEPARATOR):
            return said[: len(name)], said[len(name) + len(SEPARATOR) :]
    name, separator, phrase = said.partition(SEPARATOR)
    return (name.rstrip(), phrase) if separator else (said, None)


def hide_phrase(line: str, names: Iterable[str]) -> str:
    """A line of or to a program that has not logged on, as it may be shown: without anything that may be a phrase."""
    at = line.find(SEPARATOR)
    if at < 0:
        return line
    before, _, rest = line.partition('"')
    said, closing, after = rest.partition('"')
    if not closing or SEPARATOR in before + after:
        return line[: at + 1] + HIDDEN
    name, phrase = split_login(" ".join(said.split()), names)
    return line if phrase is None else f'{before}"{name}{SEPARATOR}{HIDDEN}"{after}'
