"""Rows of what real programs send and need: auction, play, end of board and session. Each test names its program."""

import pytest

from tests.support.dialect_tables import (
    dialect_table,
    redoubled,
)
from tests.support.dialects import RoboBridge
from tests.support.dialects.robobridge import TEXT_LENGTH
from tests.support.wire_tables import (
    EAST,
    NORTH,
    SOUTH,
    WEST,
    after_the_lead,
    auction_of,
    bid_1nt,
    errors,
    in_auction,
    told_to,
)
from tourney.bridge import DOUBLE, PASS, REDOUBLE, Bid, Call, Seat, Side, Strain
from tourney.protocol.bluechip.server_lines import parse_server_line
from tourney.protocol.session.intents import CardIntent
from tourney.protocol.wires import WireProfile

MONITEUR_TEXT = "C=0-8,D=4-8,H=0-5,S=0-5,HCP=17-19,Total=19-21."
ONE_HEART = Bid(1, Strain.HEARTS)


@pytest.mark.clause("BC-15")
@pytest.mark.parametrize(
    ("program", "line", "call"),
    [
        ("WBridge5", "NORTH PASSES", PASS),
        ("WBridge5", "NORTH bids 1NT", Bid(1, Strain.NOTRUMP)),
        ("Bridge Moniteur", "North passes.", PASS),
        ("a server that says bids for all", "North bids Pass", PASS),
        ("Lia's client", "North bids 1N", Bid(1, Strain.NOTRUMP)),
        ("some", "North  bids  1H", ONE_HEART),
        ("some", "North bids 1H.", ONE_HEART),
        ("some", "North pass", PASS),
        ("BEN", "North bids 1H Alert. 5 cards", ONE_HEART),
        ("BEN --sendinfo", "North bids 1H Infos. 5 cards", ONE_HEART),
        ("RoboBridge", f"North bids 1H Infos.{'(!(ps0911*pa0012' * 90}", ONE_HEART),
        ("Bridge Moniteur's age", f"North bids 1H Alert.{MONITEUR_TEXT}", ONE_HEART),
        ("Bridge Moniteur's age", f"North bids 1H.Infos.{MONITEUR_TEXT}", ONE_HEART),
        ("Bridge Moniteur's age", f"North passes.Infos.{MONITEUR_TEXT}", PASS),
    ],
)
def test_a_call_is_taken_as_the_program_says_it_and_relayed_in_the_words_of_version_18(
    program: str, line: str, call: Call
) -> None:
    rig = in_auction()
    assert errors(rig.send_line(NORTH, line)) == [], program
    assert auction_of(rig).calls == [call]
    word = "passes" if call is PASS else f"bids {call}"
    assert rig.send_line(SOUTH, "South ready for North's bid") == [f"North {word}"]


@pytest.mark.parametrize("form", ["doubles", "DOUBLES", "doubles.", "X", "bids X"])
def test_doubles_and_redoubles_are_taken_in_every_form_seen(form: str) -> None:
    rig = in_auction()
    rig.call(NORTH, "bids 1H")
    rig.call(EAST, form)
    rig.call(SOUTH, form.replace("doubles", "redoubles").replace("DOUBLES", "REDOUBLES").replace("X", "XX"))
    assert auction_of(rig).calls == [ONE_HEART, DOUBLE, REDOUBLE]
    assert rig.sent(WEST)[-2:] == ["East doubles", "South redoubles"]


@pytest.mark.clause("BC-17")
def test_the_opponents_of_robobridge_read_1500_characters_when_they_want_them() -> None:
    at_table = dialect_table(RoboBridge, RoboBridge, (redoubled(),))
    at_table.play()
    texts = [line for line in at_table.sent(NORTH) if "Infos. " in line or "Alert. " in line]
    assert texts
    assert all(len(line) > TEXT_LENGTH - 40 for line in texts)
    assert {line.split()[0] for line in texts} == {"East", "West"}, "partner's texts are not for North"


@pytest.mark.clause("BC-17")
@pytest.mark.parametrize(("infos", "text"), [(True, " Infos. 12 HCP."), (False, ""), (None, "")])
def test_infos_may_be_had_by_profile_whatever_the_version(infos: bool | None, text: str) -> None:
    rig = in_auction(profiles={Side.EW: WireProfile(infos=infos)})
    assert told_to(rig, EAST, "North bids 1H Infos. 12 HCP") == f"North bids 1H{text}"


@pytest.mark.clause("BC-17")
def test_without_alerts_by_profile_the_bare_call_is_told() -> None:
    rig = in_auction(profiles={Side.EW: WireProfile(alerts=False)})
    assert told_to(rig, EAST, "North bids 1H Alert. 5 cards") == "North bids 1H"


@pytest.mark.clause("BC-16")
@pytest.mark.parametrize(
    ("program", "request_line"),
    [
        ("WBridge5", "EAST ready for NORTH's bid"),
        ("WBridge5 as it writes EAST and WEST", "EAST ready for  NORTH's bid"),
        ("BEN of 2022", "East ready for North's bid."),
    ],
)
def test_a_request_for_a_call_is_read_as_the_program_writes_it(program: str, request_line: str) -> None:
    rig = in_auction()
    rig.send_line(NORTH, "North passes")
    assert rig.send_line(EAST, request_line) == ["North passes"], program


@pytest.mark.clause("BC-36")
@pytest.mark.parametrize(
    ("program", "lead_gap_ms", "trick_pause_ms", "asked_after_ms"),
    [("default", 0, 0, 0), ("GIB", 300, 0, 300), ("Q-plus", 500, 0, 500), ("Q-plus", 500, 1000, 1000)],
)
def test_the_line_that_asks_for_a_lead_keeps_the_longer_of_both_pauses(
    program: str, lead_gap_ms: int, trick_pause_ms: int, asked_after_ms: int
) -> None:
    profile = WireProfile(lead_gap_ms=lead_gap_ms)
    rig = after_the_lead(profiles={Side.NS: profile}, trick_pause_ms=trick_pause_ms)
    rig.converse("""
        all hear S: plays 7S
        all hear W: plays 4S
        all hear N: plays AS
    """)
    if asked_after_ms:
        rig.wait(asked_after_ms - 1)
        assert "North to lead" not in rig.sent(NORTH), program
        rig.wait(1)
    assert "North to lead" in rig.sent(NORTH), program


@pytest.mark.parametrize(
    ("program", "seat", "words"),
    [
        ("BEN", NORTH, "dummy's"),
        ("WBridge5", WEST, "Dummy's"),
        ("RoboBridge from dummy's chair", SOUTH, "dummy's"),
        ("RoboBridge from another", WEST, "South's"),
        ("BEN of 2022 from dummy's chair", SOUTH, "South's"),
    ],
)
@pytest.mark.clause("BC-31")
def test_dummys_card_is_asked_for_by_the_name_that_the_program_uses(program: str, seat: Seat, words: str) -> None:
    rig = after_the_lead()
    if seat is NORTH:  # declarer asks for no card of dummy's: it has read the lead and plays
        assert rig.send_line(NORTH, f"North ready for {words} card to trick 1") == [], program
        return
    rig.send_line(NORTH, "South plays 7S")
    assert "South plays 7S" in rig.send_line(seat, f"{seat.title} ready for {words} card to trick 1"), program


@pytest.mark.clause("BC-31")
def test_lias_client_asks_for_the_opening_lead_as_a_card_to_trick_0() -> None:
    rig = in_auction(trick_pause_ms=0)
    bid_1nt(rig)
    rig.converse("""
        clear
        E: plays TS
        W: ready for East's card to trick 0 -> East plays TS
    """)


@pytest.mark.clause("BC-30")
def test_the_text_of_a_card_goes_to_opponents_that_speak_version_19() -> None:
    rig = in_auction(version={NORTH: 19, WEST: 19}, trick_pause_ms=0)
    bid_1nt(rig)
    rig.converse("""
        clear
        E: plays TS. signal
        W S: ready for East's card to trick 1 -> East plays TS
    """)
    (told,) = rig.send_line(NORTH, "North ready for East's card to trick 1")
    assert told == "East plays TS. signal."
    heard, plain = parse_server_line(told), parse_server_line("East plays TS")
    assert isinstance(heard, CardIntent)
    assert isinstance(plain, CardIntent)
    assert (heard.seat, heard.card) == (plain.seat, plain.card)
