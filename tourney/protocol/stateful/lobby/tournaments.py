"""A tournament of the players' own making: who comes, who wants to play with whom, and the pairs that come of it."""

from typing import Final

from tourney.errors import FormatError
from tourney.protocol.stateful.lobby.names import name_key

PAIRS_MIN: Final = 4
"""Pairs that a tournament has at least (SS-46)."""

PAIRS_MAX: Final = 100
"""Pairs that a tournament has at most."""


class Roster:
    """The players of a tournament before it begins, and their wishes for partners."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}
        """The names of the players by their keys, in the order in which they came."""
        self._wishes: dict[str, str] = {}
        """The key of the wished partner, by that of the player."""
        self._wished: dict[str, str] = {}
        """The names of wished partners as they were given, by their keys."""

    def __contains__(self, name: str) -> bool:
        return name_key(name) in self._names

    def __len__(self) -> int:
        return len(self._names)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self._names.values())

    def add(self, name: str, partner: str | None) -> list[tuple[str, str]]:
        """Add a player, or replace its wish; return whose wishes cannot be met any more, each with the reason.

        Raises:
            FormatError: its own wish cannot be met, or there are too many players.
        """
        key, wish = name_key(name), name_key(partner) if partner is not None else None
        if key not in self._names and len(self._names) >= 2 * PAIRS_MAX:
            raise FormatError(f"a tournament has at most {PAIRS_MAX} pairs, and this one has them")
        if wish == key:
            raise FormatError("a partner is somebody else")
        if wish is not None:
            theirs = self._wishes.get(wish)
            if wish in self._names and theirs not in (None, key):
                raise FormatError(f"{self._names[wish]} wants to play with {self._shown(theirs or '')}")
            rival = next((each for each, wished in self._wishes.items() if wished == wish and each != key), None)
            if rival is not None and theirs != key:
                raise FormatError(f"{self._names[rival]} has asked for {partner} before")
        self._names.setdefault(key, name)
        self._wishes.pop(key, None)
        if wish is None:
            return []
        self._wishes[key] = wish
        self._wished[wish] = " ".join((partner or "").split())
        lost = [each for each, wished in self._wishes.items() if wished == key and each != wish]
        for each in lost:
            del self._wishes[each]
        return [(self._names[each], f"{name} plays with {self._shown(wish)}") for each in lost]

    def remove(self, name: str) -> None:
        """Remove a player that has left."""
        self._names.pop(name_key(name), None)
        self._wishes.pop(name_key(name), None)

    def make_pairs(self) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
        """Pair the players: those that wish for each other, then the others in the order in which they came.

        Return the pairs, and whose wishes are not met because the partner has not come, each with the reason.

        Raises:
            FormatError: they make no pairs, or too few.
        """
        count = len(self._names)
        if count < 2 * PAIRS_MIN or count % 2:
            raise FormatError(
                f"a tournament has at least {PAIRS_MIN} pairs and an even number of players, there are {count}"
            )
        pairs, paired, unmet = [], set[str](), []
        for key, wish in self._wishes.items():
            if wish not in self._names:
                unmet.append((self._names[key], f"{self._shown(wish)} has not come"))
            elif key not in paired and wish not in paired:
                pairs.append((self._names[key], self._names[wish]))
                paired |= {key, wish}
        left = [name for key, name in self._names.items() if key not in paired]
        pairs += zip(left[::2], left[1::2], strict=True)
        return pairs, unmet

    def _shown(self, key: str) -> str:
        return self._names.get(key) or self._wished.get(key, key)
