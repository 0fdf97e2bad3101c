"""Calls, cards, contracts and sides in all the spellings that archives have for them.

Every reader gives None for a text that is none; each text is one word.
"""

import re
from decimal import Decimal
from typing import Final

from tourney.bridge import BIDS, DECK, DOUBLE, PASS, REDOUBLE, Bid, Call, Card, Seat, Side
from tourney.formats.pbn.deals import DEALERS
from tourney.formats.stated import TEXT_LENGTH_MAX

_MARKS: Final = re.compile(r"(?:[!?]|=[0-9]*=|\$[0-9]+)*\Z")
"""What may hang on a call or a card: a judgement, an alert, a note, a glyph (PBN 2.1 sections 3.5 and 3.6)."""

_CALLS: Final[dict[str, Call]] = {
    **dict.fromkeys(("PASS", "P", "-P-"), PASS),
    **dict.fromkeys(("X", "D", "DBL", "DOUBLE"), DOUBLE),
    **dict.fromkeys(("XX", "R", "RDBL", "REDBL", "REDOUBLE"), REDOUBLE),
    **{str(bid): bid for bid in BIDS},
    **{str(bid).removesuffix("T"): bid for bid in BIDS},
}

_CARDS: Final = {
    **{card.pbn: card for card in DECK},
    **{str(card): card for card in DECK},
    **{card.pbn.replace("T", "10"): card for card in DECK},
}

_CONTRACT: Final = re.compile(r"([1-7])\s*(NT|[NSHDC])\s*(X{1,2}|\*{1,2})?")
_PASSED_OUT: Final = frozenset(("PASS", "PASSED", "PASSED OUT", "ALL PASS", "AP", "P"))

_SIDED: Final = re.compile(r"(?:(NS|EW|N/S|E/W|N-S|E-W)\s*)?([+-]?[0-9]{1,6}(?:\.[0-9]{1,4})?)")


def bare(word: str) -> str:
    """The word in capitals without what hangs on it; empty for a word that is nothing else."""
    text = word[:TEXT_LENGTH_MAX].upper()
    found = _MARKS.search(text)
    assert found is not None, "_MARKS takes the empty end"
    return text[: found.start()]


def read_call(word: str) -> Call | None:
    """A bare word as a call."""
    return _CALLS.get(word)


def read_card(word: str) -> Card | None:
    """A bare word as a card: suit and rank, or rank and suit."""
    return _CARDS.get(word)


def read_seat(text: str) -> Seat | None:
    """A seat by its letter or name, a `^` of an irregularity in front of it left out."""
    return DEALERS.get(_without_caret(text))


def is_passed_out_word(text: str) -> bool:
    """Whether the value of a Contract says that the board was passed out."""
    return _without_caret(text) in _PASSED_OUT


def read_contract(text: str) -> tuple[Bid, int] | None:
    """The bid of a contract, and 0, 1 or 2 for its doubling."""
    found = _CONTRACT.fullmatch(_without_caret(text))
    if found is None:
        return None
    level, strain, doubled = found.groups(default="")
    bid = _CALLS[level + strain]
    assert isinstance(bid, Bid)
    return bid, len(doubled)


def read_sided(text: str) -> list[tuple[Side | None, Decimal]] | None:
    """Figures with the side of each, None for declarer's: `NS 50`, `-50`, `EW 50 NS -50` (PBN 2.1 chapter 4)."""
    rest = _without_caret(text)
    figures: list[tuple[Side | None, Decimal]] = []
    while rest:
        found = _SIDED.match(rest)
        if found is None or len(figures) == 2:
            return None
        side = found[1]
        figures.append((Side(side[0] + side[-1]) if side is not None else None, Decimal(found[2])))
        rest = rest[found.end() :].strip()
    return figures or None


def _without_caret(text: str) -> str:
    return text[:TEXT_LENGTH_MAX].upper().strip().removeprefix("^").strip()
