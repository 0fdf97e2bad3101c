"""Alert information: any meaning survives its JSON, and no text raises."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tourney.bridge import Suit
from tourney.protocol.alerts import (
    ALTERNATIVES_MAX,
    FINDINGS_MAX,
    AlertMeaning,
    Amount,
    Element,
    HeldCard,
    Honour,
    LeadRequest,
    Measure,
    Phrase,
    meaning_to_json,
    parse_alert,
)

suits = st.sampled_from(Suit)
IN_A_SUIT = (Measure.CARDS, Measure.SUIT_POINTS)


@st.composite
def amounts(draw: st.DrawFn) -> Amount:
    measure = draw(st.sampled_from(Measure))
    numbers = st.integers(0, measure.limit)
    low, high = sorted((draw(numbers), draw(numbers)))
    either = low != high and (not measure.has_ranges or draw(st.booleans()))
    return Amount(measure, low, high, draw(suits) if measure in IN_A_SUIT else None, either)


elements: st.SearchStrategy[Element] = st.one_of(
    amounts(),
    st.builds(HeldCard, st.sampled_from(Honour), suits),
    st.builds(LeadRequest, suits, wanted=st.booleans()),
    st.sampled_from(Phrase),
)


statement = st.lists(elements, max_size=5).map(tuple)
statements = st.lists(statement, min_size=1, max_size=ALTERNATIVES_MAX).map(tuple)
meanings = st.builds(AlertMeaning, statements, st.lists(st.text(), max_size=3).map(tuple))

WORDS = (
    *("alternatively", "Alternatively,", "up to", "at least", "or", "to", "cards", "points", "total", "aces", "king"),
    *("of", "in", "spades", "hearts", "asks for lead", "not", "Asking for", "a", "suit", "0", "7", "99", "4-card"),
    *(",", ".", ", ", ". ", " ", "\n", "\x00", "é"),
)
wordy = st.lists(st.sampled_from(WORDS), max_size=40).map(" ".join)


@pytest.mark.clause("BC-24")
@given(st.one_of(st.text(), wordy))
def test_no_text_raises_and_what_is_read_is_within_the_protocol(text: str) -> None:
    meaning = parse_alert(text)
    assert len(meaning.findings) <= FINDINGS_MAX
    assert all("\n" not in finding for finding in meaning.findings)
    said = [element for alternative in meaning.alternatives for element in alternative]
    assert said or meaning.findings
    for element in said:
        if isinstance(element, Amount):
            assert 0 <= element.low <= element.high <= element.measure.limit
            assert (element.suit is not None) == (element.measure in IN_A_SUIT)


def element_of(plain: dict[str, Any]) -> Element:
    """An element from its JSON, by the list of kinds and keys of `meaning_to_json`."""
    kind, suit = plain["kind"], Suit.from_letter(plain["suit"]) if "suit" in plain else None
    if "low" in plain:
        return Amount(Measure(kind), plain["low"], plain["high"], suit, plain.get("either", False))
    if suit is None:
        return Phrase(kind)
    if kind in ("ace", "king"):
        return HeldCard(Honour(kind), suit)
    return LeadRequest(suit, wanted={"lead in": True, "lead not in": False}[kind])


@pytest.mark.clause("BC-22")
@given(meanings)
def test_a_meaning_is_read_back_from_its_json(meaning: AlertMeaning) -> None:
    text = meaning_to_json(meaning)
    assert text.isascii()
    plain = json.loads(text)
    said = tuple(tuple(map(element_of, elements)) for elements in plain["alternatives"])
    assert AlertMeaning(said, tuple(plain["findings"])) == meaning


@pytest.mark.clause("BC-24")
@pytest.mark.parametrize(
    "part", ["1,", "or ", " ", ".", "alternatively ", "up to 1 or ", "9", "at least 5 cards in ", "a"]
)
def test_a_line_at_the_limit_is_read_in_full(part: str) -> None:
    text = (part * 8192)[:8192]
    meaning = parse_alert(f"5 cards in hearts. Alternatively, {text}")
    assert meaning.alternatives[0] == (Amount(Measure.CARDS, 5, 5, Suit.HEARTS),)
