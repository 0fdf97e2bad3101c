"""The phases of a seat: every phase can be reached and left, and events that make no sense are bugs of ours."""

import pytest

from tests.support.wire_tables import board
from tourney.bridge import Seat
from tourney.errors import ProtocolError
from tourney.protocol.session.clock import TableTime
from tourney.protocol.session.seat import TRANSITIONS, SeatEvent, SeatPhase, SeatState
from tourney.protocol.session.state import SessionState, Stage, TableSettings


def test_every_phase_has_its_events() -> None:
    assert set(TRANSITIONS) == set(SeatPhase)
    assert {event for events in TRANSITIONS.values() for event in events} == set(SeatEvent)


def test_every_phase_is_reached_from_an_empty_seat_and_led_back_to_it() -> None:
    reached, found = {SeatPhase.EMPTY}, {SeatPhase.EMPTY}
    while found:
        found = {phase for each in found for phase in TRANSITIONS[each].values()} - reached
        reached |= found
    assert reached == set(SeatPhase)
    led_back = {SeatPhase.EMPTY}
    while more := {phase for phase, events in TRANSITIONS.items() if led_back & set(events.values())} - led_back:
        led_back |= more
    assert led_back == set(SeatPhase)


def test_board_in_hand_can_end_from_every_phase_that_has_a_part_in_it() -> None:
    before_boards = {SeatPhase.EMPTY, SeatPhase.SEATED, SeatPhase.READY}
    assert {phase for phase, events in TRANSITIONS.items() if SeatEvent.END_BOARD not in events} == before_boards


def test_table_acts_for_a_seat_to_the_end_of_the_board() -> None:
    events = TRANSITIONS[SeatPhase.SUBSTITUTED]
    assert {event for event, phase in events.items() if phase is not SeatPhase.SUBSTITUTED} == {SeatEvent.END_BOARD}


def test_event_that_a_phase_does_not_know_is_a_bug() -> None:
    with pytest.raises(ProtocolError, match=r"catch up cannot happen.* empty"):
        SeatState(Seat.NORTH).catch_up()


def test_stage_that_cannot_follow_is_a_bug() -> None:
    table = SessionState(TableSettings("Alpha", "Beta", (board(),)), TableTime())
    table.end_session("enough")
    with pytest.raises(ProtocolError, match="a table whose stage is over cannot enter boards"):
        table.enter(Stage.BOARDS)
