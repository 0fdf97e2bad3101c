"""The lead, the cards and their relay (BC-29 to BC-31, BC-35, BC-36, BC-51)."""

import pytest

from tests.support.wire_tables import (
    EAST,
    NORTH,
    SOUTH,
    WEST,
    after_the_lead,
    bid_1nt,
    cards_of,
    clear,
    in_auction,
    in_play,
    play,
    play_on,
    sent,
)
from tourney.bridge import SEATS
from tourney.protocol.session.records import BoardEnded, CardPlayed


@pytest.mark.clause("BC-29")
def test_the_leader_is_asked_when_it_has_been_told_the_whole_auction() -> None:
    rig = in_auction()
    rig.call(NORTH, "bids 1NT")
    rig.call(EAST, "passes")
    rig.call(SOUTH, "passes")
    rig.send_line(WEST, "West passes")
    clear(rig)
    assert rig.send_line(EAST, "East plays TS") == ["Error: a lead waits for the line that asks for it"]
    assert rig.send_line(EAST, "East ready for West's bid") == ["West passes", "East to lead"]
    assert rig.send_line(EAST, "East plays TS") == []


@pytest.mark.clause("BC-29")
def test_a_lead_before_the_line_that_asks_for_it_is_not_accepted() -> None:
    rig = in_play(trick_pause_ms=1000)
    play_on(rig, 4)
    clear(rig)
    assert rig.send_line(NORTH, "North plays KS") == ["Error: a lead waits for the line that asks for it"]
    assert len(cards_of(rig)) == 4
    rig.wait(1000)
    assert rig.take(NORTH) == ["North to lead"]
    assert rig.send_line(NORTH, "North plays KS") == []
    assert cards_of(rig)[-1] == "North KS"


@pytest.mark.clause("BC-29")
def test_declarer_is_asked_when_dummy_is_on_lead() -> None:
    rig = after_the_lead()
    for hand, card in ((SOUTH, "7S"), (WEST, "4S"), (NORTH, "AS"), (NORTH, "2C"), (EAST, "JC")):
        play(rig, hand, card)
    play(rig, SOUTH, "8C")
    play(rig, WEST, "5C")
    for hand, card in ((EAST, "4D"), (SOUTH, "AD"), (WEST, "8D")):
        play(rig, hand, card)
    assert rig.send_line(NORTH, "North plays 5D") == ["Dummy to lead"]
    rig.ask_all(NORTH, "for North's card to trick 3")
    assert not any("Dummy to lead" in line for seat in (EAST, SOUTH, WEST) for line in sent(rig, seat))
    assert rig.send_line(NORTH, "South plays KD") == []
    assert cards_of(rig)[-1] == "South KD"


@pytest.mark.clause("BC-30")
@pytest.mark.parametrize(
    "said",
    [
        "East plays TS",
        "EAST plays ts",  # WBridge5 writes cards small
        "East plays ST",  # suit first
        "east PLAYS st",
        "East plays 10S",
        "East plays S10",
        "East  plays  TS .",
        "East plays TS.",
        "East plays TS. stub",  # BEN with --sendcardinfo
        "East plays TS. signal",  # RoboBridge
        "East plays TS.signal",
        "East plays TS signal",
    ],
)
def test_a_card_is_read_in_either_order_and_case_with_text_after_it_and_relayed_bare(said: str) -> None:
    rig = in_play()
    assert rig.send_line(EAST, said) == []
    assert rig.send_line(WEST, "West ready for East's card to trick 1") == ["East plays TS"]
    assert cards_of(rig) == ["East TS"]


@pytest.mark.clause("BC-31")
def test_dummy_may_ask_for_everybodys_card_as_dummys_card_to_trick_1() -> None:
    # bridge-player: its dummy says one and the same line for each of the 52 cards.
    rig = in_play()
    request = "South ready for dummy's card to trick 1"
    rig.send_line(SOUTH, request)
    session = rig.core.state.board
    assert session is not None
    seen = []
    for _ in range(52):
        cards = session.state.in_play.play
        assert cards is not None
        hand, card = cards.turn, session.state.legal_cards()[0]
        actor = session.state.in_play.actor
        assert actor is not None
        rig.send_line(actor, f"{hand.title} plays {card}")
        seen += rig.take(SOUTH)
        seen += rig.send_line(SOUTH, request)
        for seat in SEATS:
            if seat is not SOUTH:
                rig.send_line(seat, f"{seat.title} ready for {hand.title}'s card to trick 1")
                rig.send_line(seat, f"{seat.title} ready for dummy")
    seen += rig.take(SOUTH)
    assert seen[:52] == [f"{record.seat.title} plays {record.card}" for record in rig.of_kind(CardPlayed)]
    assert [line.split(" -")[0] for line in seen[52:]] == ["Timing", "End of session"]


@pytest.mark.clause("BC-31")
def test_a_player_that_says_trick_1_for_every_trick_is_told_every_card() -> None:
    # bridge-player counts no tricks. North wins trick 1 as fourth hand and leads to trick 2.
    rig = after_the_lead()
    for hand, card in ((SOUTH, "7S"), (WEST, "4S"), (NORTH, "AS")):
        play(rig, hand, card)
    assert sent(rig, WEST)[-1] == "North plays AS"
    rig.send_line(WEST, "West ready for North's card to trick 1")
    rig.send_line(NORTH, "North plays KS")
    assert rig.take(WEST) == ["North plays KS"]


@pytest.mark.clause("BC-31")
def test_dummy_is_told_the_cards_it_holds_too() -> None:
    rig = after_the_lead()
    rig.send_line(NORTH, "South plays 7S")
    assert rig.send_line(SOUTH, "South ready for dummy's card to trick 1") == ["South plays 7S"]


@pytest.mark.clause("BC-31")
def test_a_request_before_the_card_is_answered_when_the_card_is_played() -> None:
    rig = after_the_lead()
    rig.send_line(WEST, "West ready for dummy's card to trick 1")
    rig.send_line(NORTH, "South plays 7S")
    assert rig.take(WEST) == ["South plays 7S"]


@pytest.mark.clause("BC-51")
def test_a_request_repeated_after_its_answer_does_not_stand_for_the_next_card_of_that_hand() -> None:
    rig = after_the_lead()
    for hand, card in ((SOUTH, "7S"), (WEST, "4S"), (NORTH, "AS"), (NORTH, "2C")):
        play(rig, hand, card)
    assert sent(rig, WEST)[-1] == "North plays 2C"
    assert rig.send_line(WEST, "West ready for North's card to trick 2") == []
    for hand, card in ((EAST, "JC"), (SOUTH, "8C"), (WEST, "5C"), (EAST, "AC"), (SOUTH, "9C"), (WEST, "6C")):
        play(rig, hand, card)
    rig.send_line(NORTH, "North plays 3C")
    assert rig.take(WEST) == []
    assert rig.send_line(WEST, "West ready for North's card to trick 3") == ["North plays 3C"]


@pytest.mark.clause("BC-31")
def test_a_request_for_a_card_of_a_later_trick_is_kept_until_then() -> None:
    rig = in_play()
    play(rig, EAST, "TS")
    rig.all_say("ready for dummy", seats=(NORTH, EAST, WEST))
    rig.send_line(SOUTH, "South ready for East's card to trick 2")
    for hand, card in ((SOUTH, "7S"), (WEST, "4S"), (NORTH, "AS"), (NORTH, "2C")):
        play(rig, hand, card)
    clear(rig)
    rig.send_line(EAST, "East plays JC")
    assert rig.take(SOUTH) == ["East plays JC"]


@pytest.mark.clause("BC-36")
def test_one_second_passes_after_a_trick_before_the_next_lead_is_asked_for() -> None:
    rig = in_auction()
    bid_1nt(rig)
    assert sent(rig, EAST)[-1] == "East to lead"
    play_on(rig, 4)
    rig.wait(999)
    assert sent(rig, NORTH)[-1] != "North to lead"
    rig.wait(1)
    assert sent(rig, NORTH)[-1] == "North to lead"


@pytest.mark.clause("BC-36")
def test_no_pause_follows_the_last_trick() -> None:
    rig = in_play(trick_pause_ms=1000)
    for _ in range(13):
        assert "lead" not in rig.timers
        play_on(rig, 4)
        if rig.of_kind(BoardEnded):
            break
        rig.wait(1000)
    assert len(cards_of(rig)) == 52
    assert "lead" not in rig.timers


@pytest.mark.clause("BC-36")
def test_without_a_pause_the_lead_is_asked_for_as_soon_as_its_player_knows_the_trick() -> None:
    rig = in_play(trick_pause_ms=0)
    play_on(rig, 3)
    assert rig.send_line(NORTH, "North plays AS") == ["North to lead"]


@pytest.mark.clause("BC-36")
def test_a_leader_that_has_not_asked_for_the_last_card_is_asked_to_lead_once_it_has() -> None:
    rig = after_the_lead(trick_pause_ms=1000)
    play(rig, SOUTH, "7S")
    play(rig, WEST, "4S")
    play(rig, NORTH, "AS")
    rig.wait(1000)
    play(rig, NORTH, "2C")
    for hand, card in ((EAST, "AC"), (SOUTH, "8C")):
        play(rig, hand, card)
    rig.send_line(WEST, "West plays 5C")
    rig.wait(5000)
    assert sent(rig, EAST)[-1] == "South plays 8C"
    assert rig.send_line(EAST, "East ready for West's card to trick 2") == ["West plays 5C", "East to lead"]


@pytest.mark.clause("BC-36")
def test_no_lead_is_asked_for_after_the_session_was_stopped_in_the_pause() -> None:
    rig = in_play(trick_pause_ms=1000)
    play_on(rig, 4)
    rig.stop("the director stops the table")
    clear(rig)
    rig.wait(2000)
    assert not any("to lead" in line for seat in SEATS for line in rig.take(seat))
