"""Boards whose cards are not played: they end with the auction, and the double-dummy table says what was made."""

from dataclasses import replace

import pytest

from tests.support.table_rig import TableRig
from tests.support.wire_tables import board, in_auction
from tourney.bridge import DECLARERS, SEATS, STRAINS, DoubleDummyTable, Seat, Strain
from tourney.protocol.session.records import BoardBegan, BoardEnded, CardPlayed, Incident

MAKES = DoubleDummyTable(
    {(seat, strain): seat + strain for seat in DECLARERS for strain in STRAINS} | {(Seat.NORTH, Strain.NOTRUMP): 10}
)


def at_the_table() -> TableRig:
    return in_auction([replace(board(number), makes=MAKES) for number in (1, 2)])


def bid_1nt(rig: TableRig) -> None:
    rig.converse("""
        all hear N: bids 1NT
        all hear E: passes
        all hear S: passes
        all hear W: passes
    """)


def test_a_board_ends_with_its_last_pass_and_makes_what_its_table_says() -> None:
    rig = at_the_table()
    bid_1nt(rig)
    (ended,) = rig.of_kind(BoardEnded)
    assert ended.result is not None
    assert (str(ended.result.contract), ended.result.tricks, ended.result.score) == ("1NT", 10, 180)
    assert rig.of_kind(CardPlayed) == []
    assert [began.board for began in rig.of_kind(BoardBegan)] == [1, 2]


@pytest.mark.parametrize("early", [True, False])
def test_programs_that_wait_for_the_lead_or_for_dummy_go_on_with_the_next_board(early: bool) -> None:
    rig = at_the_table()
    bid_1nt(rig)
    asked = ("ready for East's card to trick 1", "ready for dummy")
    for seat in SEATS:
        rig.say(seat, *(asked if early else ()), "ready for deal", "ready for cards", *(() if early else asked))
    rig.converse("""
        all hear E: passes
        all hear S: passes
        all hear W: passes
        all hear N: passes
        ended -> 1 played -> 2 passed-out
    """)
    assert rig.of_kind(Incident) == []


def test_nobody_can_lead_or_claim_after_the_auction() -> None:
    rig = at_the_table()
    rig.converse("""
        all hear N: bids 1NT
        all hear E: passes
        all hear S: passes
        W: passes
        E: plays TS
        N: claims
    """)
    rig.converse("ended -> 1 played")
    assert rig.of_kind(CardPlayed) == []
