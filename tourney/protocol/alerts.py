"""Alert information: from its text to its meaning (BC-22, BC-23, BC-24).

The text is what follows the word `Alert.` on the wire. A Table Manager relays any text; this module parses
its meaning and reports what the protocol does not allow as findings for the director. No text makes it raise.

The elements of a meaning and their limits come first, then how they are parsed, and kept as JSON text.
"""

import enum
import json
import re
from typing import Final, NamedTuple, TypeAlias

from tourney.bridge import SUITS_DOWN, Suit
from tourney.plurals import shorten

ALTERNATIVES_MAX: Final = 3
"""Alternative meanings of one call; the protocol expects conditions of contest to forbid more (Alerts, item 4)."""

FINDINGS_MAX: Final = 8
"""Findings listed for one alert, so that a page of prose does not flood the director's list."""

# The elements of a meaning


class Measure(enum.StrEnum):
    """What an `Amount` counts."""

    CARDS = "cards"
    TOTAL_POINTS = "total points"
    SUIT_POINTS = "suit points"
    ACES = "total aces"
    KINGS = "total kings"

    @property
    def limit(self) -> int:
        """The maximum number (BC-24; a deck has four aces and four kings)."""
        return _LIMITS[self]


_LIMITS: Final = {
    Measure.CARDS: 13,
    Measure.TOTAL_POINTS: 50,
    Measure.SUIT_POINTS: 15,
    Measure.ACES: 4,
    Measure.KINGS: 4,
}


class Amount(NamedTuple):
    """A number of something: `low` to `high` inclusive; with `either`, one of the two and nothing between.

    0 <= low <= high <= `measure.limit`; only cards and points in a suit have a `suit`. With `either`, low < high.
    """

    measure: Measure
    low: int
    high: int
    suit: Suit | None = None
    either: bool = False


class Honour(enum.StrEnum):
    """The two ranks of which a single card can be shown."""

    ACE = "ace"
    KING = "king"


class HeldCard(NamedTuple):
    """One card that the hand has: `ace of spades`."""

    honour: Honour
    suit: Suit


class LeadRequest(NamedTuple):
    """The suit that partner is asked to lead or, when not `wanted`, to avoid."""

    suit: Suit
    wanted: bool


class Phrase(enum.StrEnum):
    """A request or promise in a set phrase; the value is its text in lower case."""

    ASKS_ACES = "asking for aces"
    ASKS_KINGS = "asking for kings"
    ASKS_MAJOR = "asking for a major suit"
    ASKS_FOUR_CARD_MAJOR = "asking for a four-card major suit"
    ASKS_FIVE_CARD_MAJOR = "asking for a five-card major suit"
    ASKS_MINOR = "asking for a minor suit"
    ASKS_FOUR_CARD_SUIT = "asking for a four-card suit"
    ASKS_SUPPORT = "asking for support"
    FORCING_ONE_ROUND = "forcing for one round"
    FORCING_TO_GAME = "forcing until game"
    PROMISES_REBID = "promises a rebid"


Element: TypeAlias = Amount | HeldCard | LeadRequest | Phrase


class AlertMeaning(NamedTuple):
    """The information of one alert.

    `alternatives` are the possible meanings of the call, each a tuple of elements that hold together. A meaning of
    which nothing could be parsed is empty, so that the others do not appear certain. `findings` are sentences for
    the director about what breaks the grammar; the text they refer to is not in `alternatives`.
    """

    alternatives: tuple[tuple[Element, ...], ...]
    findings: tuple[str, ...] = ()


# Text to meaning

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
    for statement in filter(None, map(str.strip, _STOP.split(plain))):
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
    if (bound or link == "to") and measure in (Measure.ACES, Measure.KINGS):
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
    return f'"{shorten(text)}"'


# Meaning to JSON


def meaning_to_json(meaning: AlertMeaning) -> str:
    """Format a meaning as compact ASCII JSON, for a column of the record beside the raw text (BC-22).

    The text is stable: the same meaning always gives the same bytes. Keys: `alternatives`, a list of lists of
    elements, and `findings`, a list of sentences. An element has `kind` and, by kind:

        cards, suit points                      low, high, suit (S H D C); either: true if exactly one of the two
        total points, total aces, total kings   low, high; either
        ace, king                               suit
        lead in, lead not in                    suit
        asking for aces, promises a rebid ...   no other keys: the phrase of the protocol in lower case
    """
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
