"""Alert information: every phrase of the grammar, the protocol's examples, and every finding."""

import pytest

from tests.support.refusals import golden_cases, refused_texts
from tests.support.wire_tables import (
    EAST,
    NORTH,
    in_auction,
)
from tourney.bridge import Side
from tourney.protocol.alerts import (
    FINDINGS_MAX,
    AlertMeaning,
    Phrase,
    meaning_to_json,
    parse_alert,
)
from tourney.protocol.lines import LINE_BYTES_MAX, Charset
from tourney.protocol.session.records import CallMade
from tourney.protocol.wires import WireProfile


def _findings(text: str) -> tuple[str, ...]:
    return parse_alert(text).findings


MEANINGS = [
    pytest.param(text, told, id=case.id, marks=pytest.mark.clause(clause))
    for case in golden_cases("alert_meanings")
    for clause, text, told in [case.values]
]


@pytest.mark.parametrize(("text", "told"), MEANINGS)
def test_an_alert_means_what_is_written_down_in_json(text: str, told: list[str]) -> None:
    assert [meaning_to_json(parse_alert(text))] == told


@pytest.mark.clause("BC-22")
@pytest.mark.parametrize("phrase", Phrase)
def test_asking_and_forcing_phrases_and_their_casing(phrase: Phrase) -> None:
    assert parse_alert(phrase.value.capitalize()) == AlertMeaning(((phrase,),))


@pytest.mark.clause("BC-23", "BC-24")
@pytest.mark.parametrize(("text", "finding"), refused_texts("alerts"))
def test_what_is_no_element_is_found_and_left_out(text: str, finding: str) -> None:
    assert parse_alert(text) == AlertMeaning(((),), (finding,))


@pytest.mark.parametrize("text", ["", " ", ".", " . . "])
def test_no_information_is_found(text: str) -> None:
    assert parse_alert(text) == AlertMeaning((), ("the alert gives no information",))


@pytest.mark.clause("BC-24")
def test_a_page_of_prose_has_a_few_findings_and_their_number() -> None:
    assert len(_findings("x," * (FINDINGS_MAX - 1) + "x")) == FINDINGS_MAX
    findings = _findings("x," * 4000 + "x")
    assert len(findings) == FINDINGS_MAX
    assert findings[-1] == f"{4001 - FINDINGS_MAX + 1} more findings are not listed"


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
