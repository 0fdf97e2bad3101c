"""The meaning of an alert as JSON text, for a column of the record beside the raw text (BC-22).

The text is stable: the same meaning gives the same bytes, for ever. Keys: `alternatives`, a list of lists of
elements, and `findings`, a list of sentences. An element has `kind` and, by kind:

    cards, suit points                      low, high, suit (S H D C); either: true when one of the two numbers
    total points, total aces, total kings   low, high; either
    ace, king                               suit
    lead in, lead not in                    suit
    asking for aces, promises a rebid ...   nothing more: the phrase of the protocol in lower case
"""

import json
from typing import Final

from tourney.bridge import Suit
from tourney.errors import FormatError
from tourney.protocol.bluechip.alert_elements import (
    AlertMeaning,
    Amount,
    Element,
    HeldCard,
    Honour,
    LeadRequest,
    Measure,
    Phrase,
)

_LEADS: Final = {"lead in": True, "lead not in": False}


def meaning_to_json(meaning: AlertMeaning) -> str:
    """Compact JSON in ASCII."""
    value = {
        "alternatives": [[_to_plain(element) for element in elements] for elements in meaning.alternatives],
        "findings": list(meaning.findings),
    }
    return json.dumps(value, separators=(",", ":"), sort_keys=True)


def meaning_from_json(text: str) -> AlertMeaning:
    """The meaning that `meaning_to_json` wrote.

    Raises:
        FormatError: the text is not of that shape, or an amount is out of its range.
    """
    try:
        value = json.loads(text)
        match value:
            case {"alternatives": [*alternatives], "findings": [*findings]} if _are_texts(findings):
                return AlertMeaning(
                    tuple(tuple(_from_plain(plain) for plain in elements) for elements in alternatives),
                    tuple(findings),
                )
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise FormatError(f"a stored alert meaning cannot be read ({error}), got {text[:60]!r}") from error
    raise FormatError(f"a stored alert meaning has lists of alternatives and findings, got {text[:60]!r}")


def _to_plain(element: Element) -> dict[str, str | int | bool]:
    match element:
        case Amount(measure, low, high, suit, either):
            plain: dict[str, str | int | bool] = {"kind": measure.value, "low": low, "high": high}
            if suit is not None:
                plain["suit"] = suit.letter
            if either:
                plain["either"] = True
            return plain
        case HeldCard(honour, suit):
            return {"kind": honour.value, "suit": suit.letter}
        case LeadRequest(suit, wanted):
            return {"kind": "lead in" if wanted else "lead not in", "suit": suit.letter}
        case Phrase():
            return {"kind": element.value}


def _from_plain(plain: object) -> Element:
    match plain:
        case {"kind": ("ace" | "king") as kind, "suit": str(letter)}:
            return HeldCard(Honour(kind), Suit.from_letter(letter))
        case {"kind": ("lead in" | "lead not in") as kind, "suit": str(letter)}:
            return LeadRequest(Suit.from_letter(letter), wanted=_LEADS[kind])
        case {"kind": str(kind), "low": int(low), "high": int(high), **rest}:
            return _to_amount(Measure(kind), low, high, rest.get("suit"), either=rest.get("either") is True)
        case {"kind": str(kind)}:
            return Phrase(kind)
        case _:
            raise ValueError("an element has a kind")


def _to_amount(measure: Measure, low: int, high: int, letter: object, *, either: bool) -> Amount:
    if not 0 <= low <= high <= measure.limit or (either and low == high):
        raise ValueError(f"{measure} are 0 to {measure.limit}, low first")
    if not measure.has_suit:
        return Amount(measure, low, high, None, either)
    if not isinstance(letter, str):
        raise TypeError(f"{measure} have a suit")
    return Amount(measure, low, high, Suit.from_letter(letter), either)


def _are_texts(values: list[object]) -> bool:
    return all(isinstance(value, str) for value in values)
