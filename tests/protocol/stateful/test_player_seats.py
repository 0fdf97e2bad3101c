"""Tables whose seats a lobby gives to single players: any name is good there, and newcomers are announced."""

import pytest

from tests.support.table_rig import TableRig
from tourney.bridge import SEATS, Seat, board_from_seed
from tourney.protocol.session.records import SeatTaken
from tourney.protocol.session.table import TableSettings
from tourney.protocol.stateful.server import StatefulWire
from tourney.protocol.stateful.values import GameId

NAMES = dict(zip(SEATS, ("Ann", "Bob", "Cat", "Dan"), strict=True))


def seated_rig() -> TableRig:
    settings = TableSettings("Ann & Cat", "Bob & Dan", (board_from_seed(1, "1.1", 1),), seats_players=True)
    rig = TableRig(settings)
    for seat, name in NAMES.items():
        sit(rig, seat, name)
    return rig


def sit(rig: TableRig, seat: Seat, name: str) -> None:
    rig.seats[seat] = peer = rig.connect(seat, wire=StatefulWire(GameId("g1")))
    rig.send_line(peer, f"HELLO {name}")
    rig.send_line(peer, f"JOIN-M g1 {seat.letter}")


@pytest.mark.clause("SS-09", "SS-40")
def test_players_are_named_one_by_one_and_are_on_record_as_such() -> None:
    rig = seated_rig()
    assert [(taken.seat, taken.team) for taken in rig.of_kind(SeatTaken)] == list(NAMES.items())
    south = rig.take(Seat.SOUTH)
    assert [line for line in south if line.startswith("JOINED")][-4:] == [
        "JOINED g1 S",
        "JOINED g1 W Dan",
        "JOINED g1 N Ann",
        "JOINED g1 E Bob",
    ]


@pytest.mark.clause("SS-40", "SS-43")
def test_another_player_takes_over_a_hand_in_the_middle_and_the_others_are_told() -> None:
    rig = seated_rig()
    rig.converse("""
        N: BID 1NT
        S hears
        E hangs up
        wait 2000
    """)
    sit(rig, Seat.EAST, "Eve")
    rig.converse("""
        S hears -> JOINED g1 E Eve
        E: JOIN-M
        E: BID PASS
        S hears -> ... -> AUCOPEN S 1NT,PASS
    """)


def test_nobody_comes_to_such_a_table_but_by_the_link_to_a_seat() -> None:
    rig = seated_rig()
    rig.hang_up(Seat.EAST)
    stranger = rig.connect(wire=StatefulWire(GameId("g1")))
    rig.send_line(stranger, "HELLO Eve")
    assert rig.send_line(stranger, "JOIN-M g1 E")[0].startswith("NAK ")
    assert stranger.closed
