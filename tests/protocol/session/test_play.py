"""The lead, the cards and their relay (BC-29 to BC-31, BC-35, BC-36, BC-51)."""

import pytest

from tests.support.wire_tables import (
    DUMMY,
    EAST,
    NORTH,
    SOUTH,
    WEST,
    after_the_lead,
    in_auction,
    in_play,
)
from tourney.bridge import SEATS, Seat
from tourney.protocol.session.records import BoardEnded, CardPlayed


@pytest.mark.clause("BC-29")
def test_the_leader_is_asked_when_it_has_been_told_the_whole_auction() -> None:
    in_auction().converse("""
        all hear N: bids 1NT
        all hear E S: passes
        W: passes
        clear
        E: plays TS -> Error: a lead waits for the line that asks for it
        E: ready for West's bid -> West passes -> East to lead
        E: plays TS -> nothing
    """)


@pytest.mark.clause("BC-29")
def test_a_lead_before_the_line_that_asks_for_it_is_not_accepted() -> None:
    in_play(trick_pause_ms=1000).converse("""
        play 4 cards
        clear
        N: plays KS -> Error: a lead waits for the line that asks for it
        cards -> East TS -> South... -> West... -> North...
        wait 1000
        N hears -> North to lead
        N: plays KS -> nothing
        cards -> ... -> North KS
    """)


@pytest.mark.clause("BC-29")
def test_declarer_is_asked_when_dummy_is_on_lead() -> None:
    rig = after_the_lead()
    rig.converse("""
        all hear S: plays 7S
        all hear W: plays 4S
        all hear N: plays AS
        all hear N: plays 2C
        all hear E: plays JC
        all hear S: plays 8C
        all hear W: plays 5C
        all hear E: plays 4D
        all hear S: plays AD
        all hear W: plays 8D
        N: plays 5D -> Dummy to lead
        E S W: ready for North's card to trick 3
    """)
    assert not any("Dummy to lead" in line for seat in (EAST, SOUTH, WEST) for line in rig.sent(seat))
    rig.converse("""
        N: South plays KD -> nothing
        cards -> ... -> South KD
    """)


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
    rig.converse("""
        W: ready for East's card to trick 1 -> East plays TS
        cards -> East TS
    """)


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
    after_the_lead().converse("""
        all hear S: plays 7S
        all hear W: plays 4S
        all hear N: plays AS
        W has heard -> ... -> North plays AS
        W: ready for North's card to trick 1
        N: plays KS
        W hears -> North plays KS
    """)


@pytest.mark.clause("BC-31")
def test_dummy_is_told_the_cards_it_holds_too() -> None:
    after_the_lead().converse("""
        N: South plays 7S
        S: ready for dummy's card to trick 1 -> South plays 7S
    """)


@pytest.mark.clause("BC-31")
def test_a_request_before_the_card_is_answered_when_the_card_is_played() -> None:
    after_the_lead().converse("""
        W: ready for dummy's card to trick 1
        N: South plays 7S
        W hears -> South plays 7S
    """)


@pytest.mark.clause("BC-51")
def test_a_request_repeated_after_its_answer_does_not_stand_for_the_next_card_of_that_hand() -> None:
    after_the_lead().converse("""
        all hear S: plays 7S
        all hear W: plays 4S
        all hear N: plays AS
        all hear N: plays 2C
        W has heard -> ... -> North plays 2C
        W: ready for North's card to trick 2 -> nothing
        all hear E: plays JC
        all hear S: plays 8C
        all hear W: plays 5C
        all hear E: plays AC
        all hear S: plays 9C
        all hear W: plays 6C
        N: plays 3C
        W hears -> nothing
        W: ready for North's card to trick 3 -> North plays 3C
    """)


@pytest.mark.clause("BC-31")
def test_a_request_for_a_card_of_a_later_trick_is_kept_until_then() -> None:
    in_play().converse("""
        all hear E: plays TS
        N E W: ready for dummy
        S: ready for East's card to trick 2
        all hear S: plays 7S
        all hear W: plays 4S
        all hear N: plays AS
        all hear N: plays 2C
        clear
        E: plays JC
        S hears -> East plays JC
    """)


@pytest.mark.clause("BC-36")
def test_one_second_passes_after_a_trick_before_the_next_lead_is_asked_for() -> None:
    rig = in_auction()
    rig.converse("""
        all hear N: bids 1NT
        all hear E S W: passes
        E has heard -> ... -> East to lead
        play 4 cards
        wait 999
    """)
    assert rig.sent(NORTH)[-1] != "North to lead"
    rig.converse("""
        wait 1
        N has heard -> ... -> North to lead
    """)


@pytest.mark.clause("BC-36")
def test_no_pause_follows_the_last_trick() -> None:
    rig = in_play(trick_pause_ms=1000)
    for _ in range(13):
        assert "lead" not in rig.timers
        rig.play_on(4)
        if rig.of_kind(BoardEnded):
            break
        rig.wait(1000)
    assert len(rig.on_record("cards")) == 52
    assert "lead" not in rig.timers


@pytest.mark.clause("BC-36")
def test_without_a_pause_the_lead_is_asked_for_as_soon_as_its_player_knows_the_trick() -> None:
    in_play(trick_pause_ms=0).converse("""
        play 3 cards
        N: plays AS -> North to lead
    """)


@pytest.mark.clause("BC-36")
def test_a_leader_that_has_not_asked_for_the_last_card_is_asked_to_lead_once_it_has() -> None:
    after_the_lead(trick_pause_ms=1000).converse("""
        all hear S: plays 7S
        all hear W: plays 4S
        all hear N: plays AS
        wait 1000
        all hear N: plays 2C
        all hear E: plays AC
        all hear S: plays 8C
        W: plays 5C
        wait 5000
        E has heard -> ... -> South plays 8C
        E: ready for West's card to trick 2 -> West plays 5C -> East to lead
    """)


@pytest.mark.clause("BC-36")
def test_no_lead_is_asked_for_after_the_session_was_stopped_in_the_pause() -> None:
    rig = in_play(trick_pause_ms=1000)
    rig.converse("""
        play 4 cards
        stop: the director stops the table
        clear
        wait 2000
    """)
    assert not any("to lead" in line for seat in SEATS for line in rig.take(seat))


# Dummy, whose cards declarer plays, and cards that are not taken (BC-32 to BC-34, BC-43, BC-47)


@pytest.mark.clause("BC-32")
def test_after_the_lead_the_three_others_are_shown_dummy_when_they_ask() -> None:
    in_play().converse(f"""
        E: plays TS
        E: ready for dummy -> {DUMMY}
        N: ready for East's card to trick 1 -> East plays TS
        N: ready for dummy -> {DUMMY}
        W: ready for East's card to trick 1 -> East plays TS
        W: ready for dummy -> {DUMMY}
    """)


@pytest.mark.clause("BC-32")
def test_dummy_is_never_shown_dummy() -> None:
    in_play().converse("""
        S: ready for dummy -> nothing
        E: plays TS
        S hears -> nothing
        S: ready for dummy -> nothing
        S: ready for East's card to trick 1 -> East plays TS
    """)


@pytest.mark.clause("BC-32", "BC-51")
def test_a_player_that_asks_for_dummy_before_the_lead_is_shown_it_after_the_lead() -> None:
    # bridge-player asks for dummy first and for the lead when it has seen dummy.
    in_play().converse(f"""
        W: ready for dummy -> nothing
        E: plays TS
        W hears -> {DUMMY}
        W: received dummy -> nothing
        W: ready for East's card to trick 1 -> East plays TS
    """)


@pytest.mark.clause("BC-32")
def test_a_player_that_has_not_been_told_the_end_of_the_auction_is_not_shown_dummy() -> None:
    in_auction().converse(f"""
        all hear N: bids 1NT
        all hear E S: passes
        W: passes
        E: ready for West's bid
        E: plays TS
        N: ready for dummy -> nothing
        N: ready for West's bid -> West passes -> {DUMMY}
    """)


@pytest.mark.clause("BC-32")
def test_dummy_is_shown_once_to_a_player() -> None:
    in_play().converse(f"""
        E: plays TS
        W: ready for dummy -> {DUMMY}
        W: ready for dummy -> nothing
        W: ready for East's card to trick 1
        W: ready for dummy -> nothing
    """)


@pytest.mark.clause("BC-33")
@pytest.mark.parametrize(
    "said",
    [
        "South plays 7S",
        "North plays 7S",  # BEN of 2022 and Lia use declarer's own name
        "Dummy plays 7S",
        "DUMMY plays s7",
    ],
)
def test_declarer_plays_dummys_card_by_three_names_and_it_is_relayed_under_dummys_seat(said: str) -> None:
    rig = after_the_lead()
    assert rig.send_line(NORTH, said) == []
    rig.converse("""
        W: ready for dummy's card to trick 1 -> South plays 7S
        cards -> East TS -> South 7S
    """)


@pytest.mark.clause("BC-33")
@pytest.mark.parametrize(
    ("seat", "said"), [(SOUTH, "South plays 7S"), (WEST, "South plays 7S"), (EAST, "Dummy plays 7S")]
)
def test_a_card_of_dummys_from_anybody_but_declarer_is_refused(seat: Seat, said: str) -> None:
    after_the_lead().converse(f"""
        S: ready for East's card to trick 1
        clear
        {seat.letter}: {said} -> Illegal card
        cards -> East TS
        noted -> ... -> refused: dummy's cards are played by declarer
    """)


@pytest.mark.clause("BC-33")
def test_declarer_may_not_play_a_card_of_its_own_hand_in_dummys_turn() -> None:
    after_the_lead().converse("""
        N: plays AS -> Illegal card
        cards -> East TS
    """)


@pytest.mark.clause("BC-11")
def test_a_card_of_a_third_seat_is_ignored_without_a_word() -> None:
    after_the_lead().converse("""
        N: West plays 4S -> nothing
        W: North plays AS -> nothing
        cards -> East TS
    """)


@pytest.mark.clause("BC-34")
@pytest.mark.parametrize(("seat", "card"), [(NORTH, "AS"), (WEST, "4S"), (EAST, "9S")])
def test_a_card_out_of_turn_is_ignored(seat: Seat, card: str) -> None:
    rig = after_the_lead()
    if seat is not WEST:
        rig.converse("all hear S: plays 7S")
    before = " -> ".join(rig.on_record("cards"))
    rig.converse(f"{seat.letter}: plays {card} -> Illegal card\ncards -> {before}")


@pytest.mark.clause("BC-34")
def test_a_card_in_the_auction_and_a_call_in_the_play_are_errors() -> None:
    in_auction().converse("""
        N: plays AS -> Error: ...
        all hear N: bids 1NT
        all hear E S W: passes
        E: passes -> Error: the auction is over
        cards -> nothing
    """)


@pytest.mark.clause("BC-43", "BC-47")
def test_a_card_is_never_taken_back_and_a_repeated_one_changes_nothing() -> None:
    after_the_lead().converse("""
        E: plays TS -> Illegal card
        E: plays 9S -> Illegal card
        cards -> East TS
    """)


@pytest.mark.clause("BC-47")
def test_a_card_from_a_player_that_was_not_told_the_card_before_it_is_refused() -> None:
    after_the_lead().converse("""
        N: South plays 7S
        W: plays 4S -> Error: ask for South's card first
        W: ready for dummy's card to trick 1
        W: plays 4S -> nothing
        cards -> ... -> West 4S
    """)
