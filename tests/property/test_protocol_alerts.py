"""Alert information: no text raises."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tourney.bridge import Suit
from tourney.protocol.alerts import (
    FINDINGS_MAX,
    Amount,
    Measure,
    parse_alert,
)

IN_A_SUIT = (Measure.CARDS, Measure.SUIT_POINTS)


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


@pytest.mark.clause("BC-24")
@pytest.mark.parametrize(
    "part", ["1,", "or ", " ", ".", "alternatively ", "up to 1 or ", "9", "at least 5 cards in ", "a"]
)
def test_a_line_at_the_limit_is_read_in_full(part: str) -> None:
    text = (part * 8192)[:8192]
    meaning = parse_alert(f"5 cards in hearts. Alternatively, {text}")
    assert meaning.alternatives[0] == (Amount(Measure.CARDS, 5, 5, Suit.HEARTS),)
