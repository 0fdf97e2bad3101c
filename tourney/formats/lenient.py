"""Reads seats, contracts and scores in every spelling found in archives.

Each function returns None for a text that is none of these. They are called as `lenient.parse_seat(...)`, beside the
strict functions of `tourney.bridge`.
"""

import re
from decimal import Decimal
from typing import Final

from tourney.bridge import SEATS, Bid, Seat, Side, Vulnerability
from tourney.formats.unchecked import TEXT_LENGTH_MAX
from tourney.player.answers import find_call

SEATS_BY_WORD: Final = {text: seat for seat in SEATS for text in (seat.letter, seat.title.upper())}
"""The seat by its letter or its name, in capitals."""

_VULNERABILITIES: Final = {
    **dict.fromkeys(("NONE", "LOVE", "-"), Vulnerability.NONE),
    **dict.fromkeys(("NS", "N/S", "N-S"), Vulnerability.NS),
    **dict.fromkeys(("EW", "E/W", "E-W"), Vulnerability.EW),
    **dict.fromkeys(("ALL", "BOTH"), Vulnerability.ALL),
}
"""The vulnerability by every word found in archives, in capitals (PBN 2.1 section 3.4.10)."""

_ANNOTATIONS: Final = re.compile(r"(?:[!?]|=[0-9]*=|\$[0-9]+)*\Z")
"""What may follow a call or a card: a judgement, an alert, a note, a glyph (PBN 2.1 sections 3.5 and 3.6)."""

_CONTRACT: Final = re.compile(r"([1-7])\s*(NT|[NSHDC])\s*(X{1,2}|\*{1,2})?")
_PASSED_OUT: Final = frozenset(("PASS", "PASSED", "PASSED OUT", "ALL PASS", "AP", "P"))

_SCORE: Final = re.compile(r"(?:(NS|EW|N/S|E/W|N-S|E-W)\s*)?([+-]?[0-9]{1,6}(?:\.[0-9]{1,4})?)")


def strip_annotations(word: str) -> str:
    """Returns the word in capitals without its annotations; empty for a word that is nothing else."""
    text = word[:TEXT_LENGTH_MAX].upper()
    found = _ANNOTATIONS.search(text)
    assert found is not None, "_ANNOTATIONS takes the empty end"
    return text[: found.start()]


def parse_vulnerability(text: str) -> Vulnerability | None:
    """Reads a vulnerability by any word for it."""
    return _VULNERABILITIES.get(text.strip().upper())


def parse_seat(text: str) -> Seat | None:
    """Reads a seat by its letter or name; a `^` in front of it, which marks an irregularity, is ignored."""
    return SEATS_BY_WORD.get(_without_caret(text))


def is_passed_out(text: str) -> bool:
    """Whether the value of a Contract says that the board was passed out."""
    return _without_caret(text) in _PASSED_OUT


def parse_contract(text: str) -> tuple[Bid, int] | None:
    """Reads a contract without its declarer: the bid, and 0, 1 or 2 for its doubling."""
    found = _CONTRACT.fullmatch(_without_caret(text))
    if found is None:
        return None
    level, strain, doubled = found.groups(default="")
    bid = find_call(level + strain)
    assert isinstance(bid, Bid)
    return bid, len(doubled)


def parse_scores(text: str) -> list[tuple[Side | None, Decimal]] | None:
    """Reads scores, or tricks, with the side of each: `NS 50`, `EW 50 NS -50`, `-50` (PBN 2.1 chapter 4).

    The side is None for declarer's.
    """
    rest = _without_caret(text)
    scores: list[tuple[Side | None, Decimal]] = []
    while rest:
        found = _SCORE.match(rest)
        if found is None or len(scores) == 2:
            return None
        side = found[1]
        scores.append((Side(side[0] + side[-1]) if side is not None else None, Decimal(found[2])))
        rest = rest[found.end() :].strip()
    return scores or None


def _without_caret(text: str) -> str:
    return text[:TEXT_LENGTH_MAX].upper().strip().removeprefix("^").strip()
