"""Alert information: text to meaning and back (BC-22, BC-23, BC-24).

The text is what follows the word `Alert.` on the wire. A Table Manager relays any text; this module parses
its meaning and reports what the protocol does not allow as findings for the director. No text makes it raise.
"""

import re
from collections.abc import Iterator
from typing import Final

from tourney.bridge import SUITS_DOWN, Suit
from tourney.protocol.alert_elements import (
    AlertMeaning,
    Amount,
    Element,
    HeldCard,
    Honour,
    LeadRequest,
    Measure,
    Phrase,
    format_element,
)

__all__ = ["ALTERNATIVES_MAX", "FINDINGS_MAX", "AlertMeaning", "Element", "format_alert", "parse_alert"]

ALTERNATIVES_MAX: Final = 3
"""Alternative meanings of one call; the protocol expects conditions of contest to forbid more (Alerts, item 4)."""

FINDINGS_MAX: Final = 8
"""Findings listed for one alert, so that a page of prose does not flood the director's list."""

_QUOTE_MAX: Final = 60
"""Characters of the player's text that a finding quotes."""

_ALTERNATIVELY: Final = re.compile(r"alternatively\b ?(,?) ?", re.IGNORECASE)

# A full stop ends a statement, except as the decimal point of a number (which the protocol does not allow).
_STOP: Final = re.compile(r"\.(?!\d)")

_AMOUNT: Final = re.compile(
    r"(?P<bound>up to |at least )?(?P<low>\d{1,4})(?: (?P<link>to|or) (?P<high>\d{1,4}))?"
    r" (?:(?P<counted>total points?|total aces?|total kings?)|(?P<unit>cards?|points?) in (?P<suit>[a-z]+))",
    re.ASCII,
)
_HELD: Final = re.compile(r"(ace|king) of ([a-z]+)")
_LEAD: Final = re.compile(r"asks for lead (not )?in ([a-z]+)")
_OR: Final = re.compile(r"\bor\b")

_SUITS: Final = {
    word: suit for suit in SUITS_DOWN for word in (suit.name.lower(), suit.name.lower().removesuffix("s"))
}
_PHRASES: Final = {phrase.value: phrase for phrase in Phrase}
_COUNTED: Final = {
    measure.value.removesuffix("s"): measure for measure in (Measure.TOTAL_POINTS, Measure.ACES, Measure.KINGS)
}


class _GrammarError(Exception):
    """Why a text is not a valid element: a clause that continues the sentence after the quoted text."""


def parse_alert(text: str) -> AlertMeaning:
    """Parse alert information. Never raises; takes time proportional to the length of the text.

    Case, repeated blanks, the last full stop and the plural s are ignored. An element that breaks the grammar or a
    range is left out and reported as a finding; the rest of the alert keeps its meaning.
    """
    plain = " ".join(text.split())
    if not plain.strip(". "):
        return AlertMeaning((), ("the alert gives no information",))
    alternatives: list[list[Element]] = []
    findings: list[str] = []
    for statement in _statements(plain):
        body, starts_another = _strip_alternatively(statement, findings, has_earlier=bool(alternatives))
        if starts_another or not alternatives:
            alternatives.append([])
        for part in body.split(","):
            _add_element(part.strip(), alternatives, findings)
    if len(alternatives) > ALTERNATIVES_MAX:
        findings.append(f"the alert has {len(alternatives)} alternative meanings, {ALTERNATIVES_MAX} are foreseen")
    if len(findings) > FINDINGS_MAX:
        findings[FINDINGS_MAX - 1 :] = [f"{len(findings) - FINDINGS_MAX + 1} more findings are not listed"]
    return AlertMeaning(tuple(tuple(elements) for elements in alternatives), tuple(findings))


def format_alert(meaning: AlertMeaning) -> str:
    """Format a meaning as the protocol prints it: `8 to 14 total points. Alternatively, Asking for aces.`

    An alternative without elements is left out. For a meaning without findings, `parse_alert` reverses this.
    """
    statements = (", ".join(format_element(element) for element in elements) for elements in meaning.alternatives)
    return " Alternatively, ".join(f"{statement}." for statement in statements if statement)


def _statements(plain: str) -> Iterator[str]:
    for statement in _STOP.split(plain):
        if statement.strip():
            yield statement.strip()


def _strip_alternatively(statement: str, findings: list[str], *, has_earlier: bool) -> tuple[str, bool]:
    """Return the statement without its leading `Alternatively,`, and whether it had one."""
    match = _ALTERNATIVELY.match(statement)
    if match is None:
        if has_earlier:
            findings.append(f"{_quote(statement)} follows a full stop without Alternatively,")
        return statement, False
    if not has_earlier:
        findings.append("the alert starts with Alternatively, before there is a first meaning")
    elif not match[1]:
        findings.append(f"{_quote(statement)} has no comma after Alternatively")
    return statement[match.end() :], True


def _add_element(part: str, alternatives: list[list[Element]], findings: list[str]) -> None:
    if not part:
        findings.append("an element is missing between its commas or stops")
        return
    match = _ALTERNATIVELY.match(part)
    if match is not None:
        findings.append("Alternatively follows a comma, a full stop ends the meaning before it")
        alternatives.append([])
        part = part[match.end() :]
        if not part:  # the comma after the word has made it a separate part
            return
    try:
        alternatives[-1].append(_parse_element(part))
    except _GrammarError as error:
        findings.append(f"{_quote(part)}: {error}")


def _parse_element(part: str) -> Element:
    """Parse one element of BC-22; raises _GrammarError for anything else."""
    words = part.lower()
    if words in _PHRASES:
        return _PHRASES[words]
    if match := _AMOUNT.fullmatch(words):
        return _parse_amount(match)
    if match := _HELD.fullmatch(words):
        return HeldCard(Honour(match[1]), _suit(match[2]))
    if match := _LEAD.fullmatch(words):
        return LeadRequest(_suit(match[2]), wanted=match[1] is None)
    ors = len(_OR.findall(words))
    if ors > 1:
        raise _GrammarError(f"an element has at most one or, got {ors}")
    if ors:
        raise _GrammarError("or may stand only between two numbers")
    raise _GrammarError("it is no information element of the protocol")


def _parse_amount(match: re.Match[str]) -> Amount:
    bound, link = match["bound"], match["link"]
    low = int(match["low"])
    high = int(match["high"]) if link else low
    if match["counted"]:
        measure, suit = _COUNTED[match["counted"].removesuffix("s")], None
    else:
        measure = Measure.CARDS if match["unit"].startswith("card") else Measure.SUIT_POINTS
        suit = _suit(match["suit"])
    if bound and link:
        raise _GrammarError(f"{bound.strip()} takes one number, got two with {link}")
    if (bound or link == "to") and not measure.has_ranges:
        raise _GrammarError(f"{measure} are one number, or two with or between them")
    top = max(low, high)
    if top > measure.limit:
        raise _GrammarError(f"{measure} are 0 to {measure.limit}, got {top}")
    if link == "to" and low > high:
        raise _GrammarError(f"a range goes up, got {low} to {high}")
    if bound == "up to ":
        low = 0
    elif bound == "at least ":
        high = measure.limit
    return Amount(measure, min(low, high), max(low, high), suit, either=link == "or" and low != high)


def _suit(word: str) -> Suit:
    suit = _SUITS.get(word)
    if suit is None:
        raise _GrammarError(f"a suit is spades, hearts, diamonds or clubs, got {_quote(word)}")
    return suit


def _quote(text: str) -> str:
    cut = text if len(text) <= _QUOTE_MAX else f"{text[: _QUOTE_MAX - 3]}..."
    return f'"{cut}"'
