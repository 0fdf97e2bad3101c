"""Alerts at the table: who is told what (BC-01, BC-17, BC-22 to BC-24, BC-28)."""

import pytest

from tests.support.wire_tables import (
    EAST,
    NORTH,
    SOUTH,
    WEST,
    in_auction,
    told_to,
)
from tourney.bridge import Side
from tourney.protocol.lines import LINE_BYTES_MAX, Charset
from tourney.protocol.session.records import CallMade
from tourney.protocol.wires import WireProfile

UTF_8 = dict.fromkeys(Side, WireProfile(charset=Charset.UTF_8))


@pytest.mark.clause("BC-17")
def test_an_alerted_call_goes_to_the_opponents_with_its_information_and_to_partner_without() -> None:
    rig = in_auction()
    rig.send_line(NORTH, "North bids 2D Alert. 0 to 7 total points, 6 cards in hearts.")
    rig.ask_all(NORTH, "for North's bid")
    alerted = "North bids 2D Alert. 0 to 7 total points, 6 cards in hearts."
    assert rig.sent(EAST)[-1] == rig.sent(WEST)[-1] == alerted
    assert rig.sent(SOUTH)[-1] == "North bids 2D"
    (record,) = rig.of_kind(CallMade)
    assert (record.alerted, record.alert) == (True, "0 to 7 total points, 6 cards in hearts.")


@pytest.mark.clause("BC-17")
@pytest.mark.parametrize("call", ["passes", "bids 2D"])
def test_the_rescue_remark_of_ben_goes_with_the_text(call: str) -> None:
    rig = in_auction(version={EAST: 19})
    assert told_to(rig, EAST, f"North {call} Infos. Rescue.") == f"North {call} Infos. Rescue."


@pytest.mark.clause("BC-01", "BC-17")
@pytest.mark.parametrize(
    ("charset", "told"),
    [
        (None, "H a cinq"),
        (Charset.ASCII, "H a cinq"),
        (Charset.LATIN_1, "H à cinq"),
        (Charset.UTF_8, "♥ à cinq"),
    ],
)
def test_an_opponent_gets_the_letters_of_a_text_that_its_profile_has(charset: Charset | None, told: str) -> None:
    rig = in_auction(profiles={Side.EW: WireProfile(charset=charset)})
    rig.send_line(NORTH, "North bids 2♦ Alert. x")
    assert rig.of_kind(CallMade) == []  # only the text of an alert may have such letters
    assert told_to(rig, EAST, "North bids 2D Alert. ♥ à cinq") == f"North bids 2D Alert. {told}."
    assert rig.of_kind(CallMade)[0].alert == "♥ à cinq"


@pytest.mark.clause("BC-03", "BC-17")
def test_an_alert_that_grows_in_utf_8_is_cut_at_the_limit_for_the_players_and_stored_whole() -> None:
    rig = in_auction(profiles=UTF_8)
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
    assert rig.of_kind(CallMade) == []


@pytest.mark.clause("BC-01")
def test_a_relayed_text_has_single_blanks_and_the_record_has_it_as_it_came() -> None:
    rig = in_auction()
    said = "North bids 3NT Alert.  8 to 14 total points,  up to 6 cards in clubs."
    assert told_to(rig, EAST, said) == "North bids 3NT Alert. 8 to 14 total points, up to 6 cards in clubs."
    assert rig.of_kind(CallMade)[0].alert == "8 to 14 total points,  up to 6 cards in clubs."


@pytest.mark.clause("BC-22", "BC-23", "BC-24")
@pytest.mark.parametrize(
    "text",
    [
        "9 to 7 total points.",
        "70 total points.",
        "15 cards in spades.",
        "Multi, weak or strong!",
        "Infos. of a kind. Alert. again.",
        "Alternatively, nothing.",
    ],
)
def test_a_text_that_breaks_the_grammar_is_relayed_as_it_is(text: str) -> None:
    rig = in_auction()
    closed = text if text.endswith(".") else text + "."
    assert told_to(rig, EAST, f"North bids 2D Alert. {text}") == f"North bids 2D Alert. {closed}"
    assert rig.of_kind(CallMade)[0].alert == text
