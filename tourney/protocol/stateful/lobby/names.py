"""The names of players: what one may be, and which are kept with a pass phrase (SS-39)."""

import hashlib
from collections.abc import Mapping
from typing import Final

from tourney.errors import FormatError
from tourney.protocol.passphrases import SEPARATOR, PhraseHash, RightPhrases, hash_phrase

NAME_CHARS_MAX: Final = 30
"""Longest name of a player: those of two, with ` & ` between them, are the name of a pair, of at most 64."""

PHRASE_CHARS_MIN: Final = 4

JOINER: Final = " & "
"""What stands between the names of the two players of a pair."""

_REFUSED: Final = '&"<>:/\\|?*'
"""Characters that part the names of a pair, or that no file name may have."""
_RESERVED: Final = "bot"
"""The first word of the names of our own players."""
_SALT_DIGITS: Final = 32


def bot_name(letter: str) -> str:
    """Return the name of our own player in a seat: `Bot N`."""
    return f"Bot {letter}"


def is_bot(name: str) -> bool:
    """Return whether a name is one of our own players'."""
    return name_key(name).partition(" ")[0] == _RESERVED


def name_key(name: str) -> str:
    """Return the form in which names are compared: blanks and case do not matter."""
    return " ".join(name.split()).casefold()


def pair_name(one: str, other: str) -> str:
    """Return the name of a pair, the same in whatever order its players are given: `Ann & Bob`."""
    return JOINER.join(sorted((one, other), key=str.casefold))


def split_pair(name: str) -> tuple[str, str]:
    """Return the names of the two players of a pair."""
    one, _, other = name.partition(JOINER)
    return one, other


def parse_player(said: str) -> tuple[str, str | None]:
    """Parse what a client says in `HELLO`: its name, and the pass phrase after a `#` if it has one.

    Raises:
        FormatError: no player may have this name.
    """
    name, separator, phrase = (part.strip() for part in said.partition(SEPARATOR))
    if not name:
        raise FormatError("a name has 1 to 30 characters, got none")
    chars = max(len(name), len(name.casefold()))  # a letter may become three when case is set aside
    if chars > NAME_CHARS_MAX:
        raise FormatError(f"a name has at most {NAME_CHARS_MAX} characters, this one has {chars}")
    wrong = next((char for char in name if char in _REFUSED or not char.isprintable()), None)
    if wrong is not None:
        raise FormatError(f"a name has letters, digits, blanks and such as ' - . ( ), got {wrong!r}")
    if not any(char.isalnum() for char in name) or name.endswith("."):
        raise FormatError(f"a name has a letter or digit, and no full stop at its end, got {name!r}")
    if is_bot(name):
        raise FormatError(f"names that begin with 'Bot' are those of this server's own players, got {name!r}")
    if separator and len(phrase) < PHRASE_CHARS_MIN:
        raise FormatError(f"a pass phrase has at least {PHRASE_CHARS_MIN} characters, this one has {len(phrase)}")
    return name, phrase if separator else None


class NameRegistry:
    """The names that are kept with a pass phrase: whoever uses one first with a phrase is who has it."""

    def __init__(self, lobby: str, most: int, kept: Mapping[str, PhraseHash]) -> None:
        """Prepare.

        Args:
            lobby: the name of the lobby, which salts the hashes.
            most: how many names may be kept.
            kept: those on record, by `name_key`.
        """
        self._lobby = lobby
        self._most = most
        self._kept = dict(kept)
        self._right = RightPhrases()

    def check(self, name: str, phrase: str | None) -> PhraseHash | None:
        """Check that somebody may use a name; return its hash if it is to be kept from now on.

        Raises:
            FormatError: it is another's, or no more names are kept.
        """
        key = name_key(name)
        known = self._kept.get(key)
        if known is not None:
            if phrase is None:
                raise FormatError(f"{name} is kept with a pass phrase: HELLO {name}#phrase, or take another name")
            if not self._right.fits(known, phrase):
                raise FormatError(f"{name} is kept with another pass phrase")
            return None
        if phrase is None:
            return None
        if len(self._kept) >= self._most:
            raise FormatError(f"this lobby keeps {self._most} names with pass phrases, and no more: leave yours out")
        salt = hashlib.sha256(f"{self._lobby}\n{key}".encode()).hexdigest()[:_SALT_DIGITS]
        self._kept[key] = hash_phrase(phrase, salt)
        return self._kept[key]

    def is_kept(self, name: str) -> bool:
        """Return whether a name is kept with a pass phrase."""
        return name_key(name) in self._kept
