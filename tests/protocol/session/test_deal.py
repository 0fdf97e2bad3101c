"""From `Start of board` to the cards (BC-04, BC-12 to BC-14, BC-51)."""

import pytest

from tests.support.wire_tables import (
    NORTH,
    SOUTH,
    STRIPES,
    VOIDS,
    at_start_of_board,
    in_auction,
    seated,
)
from tourney.bridge import SEATS, Board, Vulnerability


@pytest.mark.clause("BC-12")
def test_ready_for_deal_before_start_of_board_does_not_count() -> None:
    seated().converse("""
        N: ready for deal -> nothing
        all: ready for teams
        all: ready to start
        clear
        all: ready for cards
        N hears -> nothing
        N: ready for deal -> Board number 1. Dealer North. Neither vulnerable.
    """)


@pytest.mark.clause("BC-13")
@pytest.mark.parametrize(
    ("vulnerability", "words"),
    [
        (Vulnerability.NONE, "Neither vulnerable"),
        (Vulnerability.NS, "N/S vulnerable"),
        (Vulnerability.EW, "E/W vulnerable"),
        (Vulnerability.ALL, "Both vulnerable"),
    ],
)
def test_the_board_line_has_the_casing_and_stops_that_programs_match(
    vulnerability: Vulnerability, words: str
) -> None:
    at_start_of_board([Board(7, SOUTH, vulnerability, STRIPES)]).converse(f"""
        clear
        N: ready for deal -> Board number 7. Dealer South. {words}.
    """)


@pytest.mark.clause("BC-04")
def test_board_numbers_need_not_start_at_one_nor_follow_each_other() -> None:
    in_auction([Board.numbered(17, STRIPES), Board.numbered(3, STRIPES)]).converse("""
        all hear N E S W: passes
        clear
        E: ready for deal -> Board number 3. Dealer South. E/W vulnerable.
        begun -> 17 -> 3
    """)


@pytest.mark.clause("BC-14")
def test_the_cards_come_when_all_four_are_ready_each_its_own_hand() -> None:
    at_start_of_board([Board.numbered(1, VOIDS)]).converse("""
        all: ready for deal
        clear
        N E W: ready for cards -> nothing
        S: ready for cards -> South's cards : S 9 8 6 5 2. H 9 8 7 6. D J T 9 8. C -.
        N hears -> North's cards : S A K 7. H Q J. D -. C T 9 8 7 6 5 4 3.
        E hears -> East's cards : S Q J T. H A K T. D A K Q. C A K Q J.
        W hears -> West's cards : S 4 3. H 5 4 3 2. D 7 6 5 4 3 2. C 2.
    """)


@pytest.mark.clause("BC-14")
def test_no_cards_are_dealt_while_one_player_has_not_asked_for_the_board() -> None:
    at_start_of_board().converse("""
        N E S: ready for deal
        clear
        all: ready for cards
        any hears -> nothing
    """)


@pytest.mark.clause("BC-14")
def test_no_call_is_taken_before_the_cards_are_dealt() -> None:
    at_start_of_board().converse("""
        clear
        N: passes -> Error: the cards are not dealt yet
        calls -> nothing
    """)


@pytest.mark.parametrize(
    "line",
    [
        *(f"North ready {what}" for what in ("for teams", "to start", "for deal", "for cards", "for North's bid")),
        "East plays 2C",
        "East passes",
        'Connecting "Alpha" as North using protocol version 18',
        "nonsense",
    ],
)
def test_a_line_that_moves_nothing_is_marked_for_its_connection_to_be_charged(line: str) -> None:
    rig = in_auction()
    connection = rig.core.state.seats[NORTH].connection
    assert connection is not None
    rig.send_line(NORTH, line)
    connection.was_idle = False
    rig.send_line(NORTH, line)
    assert connection.was_idle


def test_no_line_of_players_in_step_is_charged_as_one_that_moves_nothing() -> None:
    rig = in_auction()
    for seat in SEATS:
        connection = rig.core.state.seats[seat].connection
        assert connection is not None
        connection.was_idle = False
    rig.converse("""
        # with the requests of the others for it
        all hear N: bids 1NT
    """)
    assert not any(seat.connection is None or seat.connection.was_idle for seat in rig.core.state.seats)


@pytest.mark.clause("BC-51")
def test_ready_for_cards_that_comes_before_ready_for_deal_counts() -> None:
    at_start_of_board().converse("""
        W: ready for cards
        all: ready for deal
        clear
        N E: ready for cards
        S: ready for cards -> South's cards : ...
    """)
