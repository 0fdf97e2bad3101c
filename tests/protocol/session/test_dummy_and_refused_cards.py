"""Dummy, whose cards declarer plays, and cards that are not taken (BC-32 to BC-34, BC-43, BC-47)."""

import pytest

from tests.support.wire_tables import (
    DUMMY,
    EAST,
    NORTH,
    SOUTH,
    WEST,
    after_the_lead,
    bid_1nt,
    errors,
    in_auction,
    in_play,
)
from tourney.bridge import Seat


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
    rig = after_the_lead()
    rig.send_line(SOUTH, "South ready for East's card to trick 1")
    rig.clear()
    assert rig.send_line(seat, said) == ["Illegal card"]
    assert rig.on_record("cards") == ["East TS"]
    assert rig.notes[-1] == "refused: dummy's cards are played by declarer"


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
        rig.play_card(SOUTH, "7S")
    before = rig.on_record("cards")
    assert rig.send_line(seat, f"{seat.title} plays {card}") == ["Illegal card"]
    assert rig.on_record("cards") == before


@pytest.mark.clause("BC-34")
def test_a_card_in_the_auction_and_a_call_in_the_play_are_errors() -> None:
    rig = in_auction()
    assert errors(rig.send_line(NORTH, "North plays AS"))
    bid_1nt(rig)
    rig.converse("""
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
