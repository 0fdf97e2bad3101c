"""Deals from a seed: the same seed gives the same boards on every platform, for ever.

The algorithm, which may never change (a new one gets a new name in `_DOMAIN`):

1. A stream of bytes: block `i` (0, 1, ...) is SHA-256 of the UTF-8 text
   ``tourney-deal-1|<seed>|<set>|<board>|<i>``, the numbers in decimal; the blocks follow each other.
   `<set>` names the boards that belong together, `<board>` is the board number.
2. The deck in the order spades, hearts, diamonds, clubs, each from the ace down to the two.
3. Fisher-Yates from the end: for `k` from 51 down to 1 draw `j` evenly from 0..k and swap cards `k` and `j`.
   A draw takes the next 4 bytes of the stream, big-endian, as `n`; when `n` is not less than the greatest
   multiple of `k + 1` that 2**32 holds, the 4 bytes are dropped and the next are taken; `j = n % (k + 1)`.
4. The first 13 cards are North's, the next East's, South's, West's.
"""

from collections.abc import Iterator
from typing import Final

from tourney.bridge.cards import DECK, Hand
from tourney.bridge.deal import Board, Deal

_DOMAIN: Final = "tourney-deal-1"


def deal_from_seed(seed: int | str, set_name: str, number: int) -> Deal:
    """The deal of board `number` in the set `set_name` of a seed; see the module for the algorithm."""
    words = _words(f"{_DOMAIN}|{seed}|{set_name}|{number}")
    deck = list(DECK)
    for k in range(51, 0, -1):
        j = _draw(words, k + 1)
        deck[k], deck[j] = deck[j], deck[k]
    return Deal(tuple(Hand.of(deck[i : i + 13]) for i in range(0, 52, 13)))


def board_from_seed(seed: int | str, set_name: str, number: int) -> Board:
    """The board of that deal, with dealer and vulnerability by its number."""
    return Board.numbered(number, deal_from_seed(seed, set_name, number))


def boards_from_seed(seed: int | str, set_name: str, count: int, first: int = 1) -> list[Board]:
    """So many boards of a set, numbered from `first`."""
    return [board_from_seed(seed, set_name, number) for number in range(first, first + count)]


def _words(key: str) -> Iterator[int]:
    import hashlib  # noqa: PLC0415 # it loads OpenSSL, and most users of this package never deal

    block = 0
    while True:
        digest = hashlib.sha256(f"{key}|{block}".encode()).digest()
        for i in range(0, 32, 4):
            yield int.from_bytes(digest[i : i + 4], "big")
        block += 1


def _draw(words: Iterator[int], limit: int) -> int:
    """Draw a number from 0..limit-1, each equally likely."""
    bound = 2**32 - 2**32 % limit
    return next(n for n in words if n < bound) % limit


def random_seed() -> int:
    """Return a seed that nobody can guess; it is an integer of TOML, which has 64 bits with its sign."""
    import secrets  # noqa: PLC0415 # few ask for one, and it loads hashlib

    return secrets.randbits(63)
