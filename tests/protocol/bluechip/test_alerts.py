"""Alert information: every phrase of the grammar, the protocol's examples, and every finding."""

import pytest

from tests.support.refusals import refused_texts
from tests.support.wire_tables import (
    EAST,
    NORTH,
    in_auction,
)
from tourney.bridge import Side, Suit
from tourney.protocol.alerts import (
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
from tourney.protocol.lines import LINE_BYTES_MAX, Charset
from tourney.protocol.session.records import CallMade
from tourney.protocol.wires import WireProfile

SUITS = [("clubs", Suit.CLUBS), ("diamonds", Suit.DIAMONDS), ("hearts", Suit.HEARTS), ("spades", Suit.SPADES)]
TOTAL = Measure.TOTAL_POINTS


def _one(text: str) -> Element:
    meaning = parse_alert(text)
    assert meaning.findings == ()
    ((element,),) = meaning.alternatives
    return element


def _findings(text: str) -> tuple[str, ...]:
    return parse_alert(text).findings


@pytest.mark.clause("BC-22")
@pytest.mark.parametrize(
    ("number", "low", "high"), [("5", 5, 5), ("up to 5", 0, 5), ("at least 5", 5, None), ("4 to 6", 4, 6)]
)
def test_lengths_and_strength(number: str, low: int, high: int | None) -> None:
    assert _one(f"{number} total points.") == Amount(TOTAL, low, high or 50)
    for word, suit in SUITS:
        assert _one(f"{number} cards in {word}.") == Amount(Measure.CARDS, low, high or 13, suit)
        assert _one(f"{number} points in {word}.") == Amount(Measure.SUIT_POINTS, low, high or 15, suit)


@pytest.mark.clause("BC-22")
def test_aces_and_kings_are_counted() -> None:
    assert _one("2 total aces.") == Amount(Measure.ACES, 2, 2)
    assert _one("0 total kings.") == Amount(Measure.KINGS, 0, 0)


@pytest.mark.clause("BC-22")
@pytest.mark.parametrize(("word", "suit"), SUITS)
def test_the_ace_or_king_of_a_suit_and_the_lead_asked_for(word: str, suit: Suit) -> None:
    assert _one(f"ace of {word}.") == HeldCard(Honour.ACE, suit)
    assert _one(f"king of {word}.") == HeldCard(Honour.KING, suit)
    assert _one(f"Asks for lead in {word}.") == LeadRequest(suit, wanted=True)
    assert _one(f"Asks for lead not in {word}.") == LeadRequest(suit, wanted=False)


@pytest.mark.clause("BC-22")
@pytest.mark.parametrize("phrase", Phrase)
def test_asking_and_forcing_phrases_and_their_casing(phrase: Phrase) -> None:
    assert _one(phrase.value.capitalize()) == phrase


@pytest.mark.clause("BC-23")
def test_the_example_of_alternatives_in_the_protocol() -> None:
    text = (
        "8 to 14 total points,  8 to 10 points in clubs, up to 6 cards in clubs.  "
        "Alternatively, 8 to 14 total points,  8 to 10 points in diamonds, up to 6 cards in diamonds."
    )
    expected = AlertMeaning(
        tuple(
            (Amount(TOTAL, 8, 14), Amount(Measure.SUIT_POINTS, 8, 10, suit), Amount(Measure.CARDS, 0, 6, suit))
            for suit in (Suit.CLUBS, Suit.DIAMONDS)
        )
    )
    assert parse_alert(text) == expected


@pytest.mark.clause("BC-23")
def test_the_example_of_or_in_the_protocol() -> None:
    assert _one("0 or 4 total aces") == Amount(Measure.ACES, 0, 4, either=True)


@pytest.mark.clause("BC-23")
def test_or_joins_two_numbers_of_any_measure_in_either_order() -> None:
    assert _one("6 or 4 cards in hearts.") == Amount(Measure.CARDS, 4, 6, Suit.HEARTS, either=True)
    assert _one("4 or 5 total points.") == Amount(TOTAL, 4, 5, either=True)
    assert _one("5 or 5 total points.") == Amount(TOTAL, 5, 5)


@pytest.mark.clause("BC-23")
def test_the_example_of_the_clauses_of_an_alerted_call() -> None:
    assert parse_alert("0 to 7 total points, 6 cards in hearts.") == AlertMeaning(
        ((Amount(TOTAL, 0, 7), Amount(Measure.CARDS, 6, 6, Suit.HEARTS)),)
    )


@pytest.mark.clause("BC-23", "BC-24")
@pytest.mark.parametrize(("text", "finding"), refused_texts("alerts"))
def test_what_is_no_element_is_found_and_left_out(text: str, finding: str) -> None:
    assert parse_alert(text) == AlertMeaning(((),), (finding,))


@pytest.mark.clause("BC-24")
@pytest.mark.parametrize("text", ["0 total points", "50 total points", "0 to 50 total points", "7 to 7 total points"])
def test_the_ends_of_a_range_are_in_it(text: str) -> None:
    assert _findings(text) == ()


@pytest.mark.clause("BC-24")
def test_the_elements_around_a_broken_one_keep_their_meaning() -> None:
    meaning = parse_alert("5 cards in hearts, weak, up to 9 total points. Alternatively, strong.")
    assert meaning.alternatives == ((Amount(Measure.CARDS, 5, 5, Suit.HEARTS), Amount(TOTAL, 0, 9)), ())
    assert len(meaning.findings) == 2


@pytest.mark.parametrize("text", ["", " ", ".", " . . "])
def test_no_information_is_found(text: str) -> None:
    assert parse_alert(text) == AlertMeaning((), ("the alert gives no information",))


@pytest.mark.clause("BC-23")
@pytest.mark.parametrize(
    ("text", "alternatives", "finding"),
    [
        ("2 total aces. 3 total kings.", 1, '"3 total kings" follows a full stop without Alternatively,'),
        ("Alternatively, 2 total aces.", 1, "the alert starts with Alternatively, before there is a first meaning"),
        (
            "2 total aces. Alternatively 3 total kings.",
            2,
            '"Alternatively 3 total kings" has no comma after Alternatively',
        ),
        (
            "2 total aces, Alternatively, 3 total kings.",
            2,
            "Alternatively follows a comma, a full stop ends the meaning before it",
        ),
        (
            "2 total aces, alternatively 3 total kings.",
            2,
            "Alternatively follows a comma, a full stop ends the meaning before it",
        ),
        ("2 total aces,, 3 total kings.", 1, "an element is missing between its commas or stops"),
        ("2 total aces, 3 total kings, .", 1, "an element is missing between its commas or stops"),
    ],
)
def test_statements_badly_joined_are_found_and_read(text: str, alternatives: int, finding: str) -> None:
    meaning = parse_alert(text)
    elements = [element for alternative in meaning.alternatives for element in alternative]
    assert elements[0] == Amount(Measure.ACES, 2, 2)
    assert elements[1:] in ([], [Amount(Measure.KINGS, 3, 3)])
    assert meaning.findings == (finding,)
    assert len(meaning.alternatives) == alternatives


@pytest.mark.clause("BC-23")
def test_more_than_three_meanings_are_found_and_read() -> None:
    text = "1 total aces. Alternatively, 2 total aces. Alternatively, 3 total aces."
    assert _findings(text) == ()
    meaning = parse_alert(f"{text} Alternatively, 4 total aces.")
    assert len(meaning.alternatives) == 4
    assert meaning.findings == ("the alert has 4 alternative meanings, 3 are foreseen",)


@pytest.mark.clause("BC-24")
def test_a_page_of_prose_has_a_few_findings_and_their_number() -> None:
    assert len(_findings("x," * (FINDINGS_MAX - 1) + "x")) == FINDINGS_MAX
    findings = _findings("x," * 4000 + "x")
    assert len(findings) == FINDINGS_MAX
    assert findings[-1] == f"{4001 - FINDINGS_MAX + 1} more findings are not listed"


# JSON


@pytest.mark.clause("BC-22")
def test_the_json_of_every_kind_of_element_stays_as_it_is() -> None:
    meaning = parse_alert(
        "4 or 6 cards in spades, up to 9 total points, 6 points in clubs, 2 total aces, king of hearts, "
        "Asks for lead not in diamonds, Asks for lead in spades. Alternatively, Promises a rebid, Gerber."
    )
    text = (
        '{"alternatives":[['
        '{"either":true,"high":6,"kind":"cards","low":4,"suit":"S"},'
        '{"high":9,"kind":"total points","low":0},'
        '{"high":6,"kind":"suit points","low":6,"suit":"C"},'
        '{"high":2,"kind":"total aces","low":2},'
        '{"kind":"king","suit":"H"},'
        '{"kind":"lead not in","suit":"D"},'
        '{"kind":"lead in","suit":"S"}],'
        '[{"kind":"promises a rebid"}]],'
        '"findings":["\\"Gerber\\": it is no information element of the protocol"]}'
    )
    assert meaning_to_json(meaning) == text


# At the table


@pytest.mark.clause("BC-03", "BC-17")
def test_an_alert_that_grows_in_utf_8_is_cut_at_the_limit_for_the_players_and_stored_whole() -> None:
    rig = in_auction(profiles=dict.fromkeys(Side, WireProfile(charset=Charset.UTF_8)))
    text = "é" * (LINE_BYTES_MAX - 21)
    rig.send_line(NORTH, f"North bids 2D Alert. {text}".encode("latin-1"))
    (told,) = rig.send_line(EAST, "East ready for North's bid")
    assert len(told.encode()) in (LINE_BYTES_MAX, LINE_BYTES_MAX - 1)
    assert told.endswith("é ...")
    (record,) = rig.of_kind(CallMade)
    assert record.alert == text


@pytest.mark.clause("BC-03")
def test_a_control_character_in_an_alert_is_refused_with_the_call() -> None:
    rig = in_auction()
    (told,) = rig.send_line(NORTH, "North bids 2D Alert. é \x1b[2J")
    assert told == "Error: byte 27 at column 24 is a control character"
    rig.converse("calls -> nothing")
