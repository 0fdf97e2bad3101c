"""What a wire is given has no hand that its player may not see, nor what that player's partner has explained."""

import enum
import gc
import types
from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest

from tests.support.protocol_players import ScriptedPlayer, made, on_record, rig_for, script_from_seed
from tests.support.stateful_tables import blue_chip_player, connect_stateful, forgetful_player
from tests.support.table_rig import TablePlayer, play_to_end
from tourney.bridge import SEATS, Board, Card, Hand, Seat, board_from_seed
from tourney.protocol.session.board.state import Explanation
from tourney.protocol.session.seat_view import SeatView

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
        rig.seats[seat] = rig.connect() if is_plain else connect_stateful(rig, seat)
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
