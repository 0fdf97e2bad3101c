"""The words for people at a table: the state in one line, the break after a board, and what each leads to."""

import pytest

from tests.protocol.stateful.test_board import begun, forget, in_1nt, say_all
from tests.protocol.stateful.test_coming_back import reconnect
from tests.support.wire_tables import EAST, NORTH, SOUTH, WEST, board
from tourney.bridge import SEATS
from tourney.protocol.session.records import BoardBegan
from tourney.protocol.session.rules import TableRules
from tourney.testing.table_rig import TableRig

NORTH_CARDS = "AS,KS,QS,JS,10H,9H,8H,7D,6D,5D,4C,3C,2C"
SOUTH_CARDS = "7S,6S,5S,4H,3H,2H,AD,KD,QD,JD,10C,9C,8C"


# The state in one line


@pytest.mark.clause("SS-48")
def test_the_state_has_all_that_the_player_knows_the_last_trick_too() -> None:
    rig = in_1nt()
    say_all(rig, (EAST, "PLAY 10S"), (NORTH, "PLAY 5S"), (WEST, "PLAY 2S"), (NORTH, "PLAY JS"))
    lines = reconnect(rig, WEST, "STATE")
    assert lines[-2:] == [
        f"X-STATE W 1 N NONE 4S,3S,2S,AH,KH,QH,JH,10D,9D,8D,7C,6C,5C 1NT,PASS,PASS,PASS {SOUTH_CARDS} 10S,5S,2S,JS",
        "TRICK N -",
    ]
    assert rig.send_line(WEST, "JOIN-T")[-2:] == lines[-2:]


@pytest.mark.clause("SS-48")
def test_a_board_that_begins_needs_no_state_and_in_the_auction_dummy_is_nobody() -> None:
    rig = begun("STATE")
    assert not [line for line in rig.take(EAST) if line.startswith("X-STATE")]
    rig.send_line(NORTH, "BID 1NT")
    assert f"X-STATE N 1 N NONE {NORTH_CARDS} 1NT - -" in rig.send_line(NORTH, "JOIN-T")


# The break after a board


def passed_out(extensions: dict[str, str], break_ms: int = 30_000) -> TableRig:
    """Two boards, the first of them passed out; each seat asks for its own extensions, by its letter."""
    rig = begun(boards=(board(1), board(2)), rules=TableRules(board_break_ms=break_ms))
    for seat in SEATS:
        rig.send_line(seat, f"X-HELLO {extensions.get(seat.letter, '-')}")
    for seat in SEATS:
        rig.send_line(seat, "BID PASS")
    return rig


def boards_begun(rig: TableRig) -> int:
    return len(rig.of_kind(BoardBegan))


@pytest.mark.clause("SS-49")
def test_the_next_board_begins_as_soon_as_all_who_say_it_are_ready() -> None:
    rig = passed_out({"N": "READY", "S": "READY"})
    assert rig.take(NORTH)[-1] == "X-READY 30000"
    assert "X-READY" not in " ".join(rig.take(EAST))
    rig.send_line(SOUTH, "X-READY")
    rig.wait(29_999)
    assert boards_begun(rig) == 1
    rig.send_line(NORTH, "X-READY")
    assert boards_begun(rig) == 2


@pytest.mark.clause("SS-49")
def test_the_next_board_begins_when_the_break_is_over_whoever_is_ready() -> None:
    rig = passed_out({"N": "READY"})
    rig.wait(29_999)
    assert boards_begun(rig) == 1
    rig.wait(1)
    assert boards_begun(rig) == 2


@pytest.mark.clause("SS-49")
def test_nobody_waits_for_a_player_that_has_gone_or_has_not_asked_or_where_there_is_no_break() -> None:
    assert boards_begun(passed_out({})) == 2
    assert boards_begun(passed_out({"N": "READY"}, break_ms=0)) == 2
    rig = passed_out({"N": "READY"})
    reconnect(rig, NORTH, "READY")
    assert boards_begun(rig) == 2


@pytest.mark.clause("SS-49")
def test_who_is_ready_when_nothing_waits_for_it_is_refused_in_a_sentence() -> None:
    refused = ['NAK "no board waits for you: say that you are ready after one has ended"']
    rig = begun("READY")
    forget(rig)
    assert rig.send_line(WEST, "X-READY") == refused
    rig = passed_out({"N": "READY", "S": "READY"})
    forget(rig)
    rig.send_line(NORTH, "X-READY")
    assert rig.send_line(NORTH, "X-READY") == refused
    assert rig.send_line(EAST, "X-READY") == refused
