"""The meaning of an alert as JSON text, for a column of the record beside the raw text (BC-22).

The text is stable: the same meaning always gives the same bytes. Keys: `alternatives`, a list of lists of
elements, and `findings`, a list of sentences. An element has `kind` and, by kind:

    cards, suit points                      low, high, suit (S H D C); either: true if exactly one of the two
    total points, total aces, total kings   low, high; either
    ace, king                               suit
    lead in, lead not in                    suit
    asking for aces, promises a rebid ...   no other keys: the phrase of the protocol in lower case
"""

import json

from tourney.protocol.alert_elements import (
    AlertMeaning,
    Amount,
    Element,
    HeldCard,
    LeadRequest,
    Phrase,
)


def meaning_to_json(meaning: AlertMeaning) -> str:
    """Format a meaning as compact ASCII JSON."""
    value = {
        "alternatives": [[_to_plain(element) for element in elements] for elements in meaning.alternatives],
        "findings": list(meaning.findings),
    }
    return json.dumps(value, separators=(",", ":"), sort_keys=True)


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
