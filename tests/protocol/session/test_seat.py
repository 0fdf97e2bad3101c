"""The phases of a seat: every phase can be reached and left, and events that make no sense are bugs of ours."""

import enum
import gc
import types
from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest

from tests.support.protocol_players import ScriptedPlayer, made, on_record, rig_for, script_from_seed
from tests.support.stateful_tables import blue_chip_player, forgetful_player
from tests.support.table_rig import TablePlayer, play_to_end
from tests.support.wire_tables import board
from tourney.bridge import SEATS, Board, Card, Hand, Seat, board_from_seed
from tourney.errors import ProtocolError
from tourney.protocol.session.board.state import Explanation
from tourney.protocol.session.clock import TableTime
from tourney.protocol.session.seat import TRANSITIONS, SeatEvent, SeatPhase, SeatState
from tourney.protocol.session.seat_view import SeatView
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


# What a wire is given has no hand that its player may not see, nor what that player's partner has explained


ENDS = (type, types.ModuleType, types.FunctionType, enum.Enum)
"""What leads to everything there is, and holds nothing of a board."""


def reached(start: object) -> Iterator[object]:
    """Yield all objects to which references lead from one."""
    waiting, seen = [start], {id(start)}
    while waiting:
        found = waiting.pop()
        yield found
        for each in gc.get_referents(found):
            if id(each) not in seen and not isinstance(each, ENDS):
                seen.add(id(each))
                waiting.append(each)


def check_view(view: SeatView, board: Board) -> None:
    seat, dummy = view.seat, view.board.dummy
    open_hands = {board.deal[seat]}
    if dummy is not None and view.board.play is not None and view.board.play.cards:
        open_hands.add(board.deal[dummy])
    played = view.board.play.played if view.board.play is not None else set()
    may_see = set(played).union(*(hand.cards for hand in open_hands))
    view.known()
    for found in reached(view):
        match found:
            case Hand():
                assert found in open_hands
            case Card():
                assert found in may_see
            case Explanation(text=text):
                assert text in [f"of {other.side}." for other in SEATS if other.side is not seat.side]
            case _:
                pass


@pytest.mark.parametrize("seed", range(4))
def test_no_reference_leads_from_what_a_wire_is_given_to_a_hidden_hand_or_a_partners_explanation(seed: int) -> None:
    board = board_from_seed(seed, "sight", 1)
    script = script_from_seed(board, seed)
    alerts = tuple(f"of {board.dealer.plus(number).side}." for number in range(len(script.calls)))
    script = replace(script, alerts=alerts)
    rig = rig_for([script])
    players: dict[Seat, TablePlayer] = {}
    for seat in SEATS:
        is_plain = seat.value % 2 == seed % 2
        rig.seats[seat] = rig.connect() if is_plain else rig.connect_stateful(seat)
        player = blue_chip_player if is_plain else forgetful_player
        players[seat] = player(rig, seat, ScriptedPlayer({1: script}))
    checked: list[SeatView] = []

    def check(_: Seat) -> None:
        for each in rig.core.state.seats:
            if each.view is not None:
                check_view(each.view, board)
                checked.append(each.view)

    play_to_end(rig, players, Random(seed), before_line=check)
    assert on_record(rig) == made([script])
    assert len(checked) > len(script.calls)
