"""Players that leave in the middle of a board and come back (BC-48); tables taken up by another host (BC-49)."""

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.examples import examples
from tests.support.protocol_players import Script, made, on_record, players_for, rig_for, seeds, sessions
from tests.support.stateful_tables import blue_chip_player
from tests.support.table_rig import TablePlayer, TableRig
from tests.support.wire_tables import NORTH, board, in_auction, table
from tourney.bots.strategy import Strategy
from tourney.bridge import SEATS, Seat, Side
from tourney.config.programs import PROFILES
from tourney.protocol.session.records import AlertAnswered, AttemptRecord, BoardSnapshot, CallMade, SeatTaken
from tourney.protocol.session.rules import Rejoin, TableRules

pytestmark = pytest.mark.clause("BC-48")

TOURNEY: dict[str, Any] = {"profiles": dict.fromkeys(Side, PROFILES["tourney"])}
"""Programs that begin again on `Start of board`."""


def lost_in_the_auction(**options: Any) -> TableRig:
    """North has bid 1C, East 1H; East's connection was lost, and judged."""
    rig = in_auction([board(1), board(2)], **options)
    rig.converse("""
        all hear N: bids 1C
        all hear E: bids 1H
        E hangs up
        wait 1000
    """)
    return rig


def test_a_program_that_goes_on_without_logging_on_is_on_record_with_what_it_said_when_it_did() -> None:
    rig = table([board(1)])
    for seat in SEATS:
        rig.seats[seat] = rig.connect()
        team = rig.core.state.settings.team(seat.side)
        rig.send_line(seat, f'Connecting "{team}" as {seat.title} using protocol version 19 Robo{seat.letter} 2.1')
    rig.start_board()
    for _ in range(2):
        rig.hang_up(NORTH)
        rig.seats[NORTH] = rig.connect()
        rig.converse("N: passes")
    said = {(taken.version, taken.system) for taken in rig.of_kind(SeatTaken) if taken.seat is NORTH}
    assert len(rig.of_kind(SeatTaken)) == 6
    assert said == {(19, "RoboN 2.1")}


# Any session


def play_with_cuts(rig: TableRig, strategies: dict[Seat, Strategy], order: Random, cuts: int) -> None:
    """Play to the end; so many times a player's connection is lost at any moment, and it comes back anew.

    No player is lost more often than the rules bear in one board.
    """
    players: dict[Seat, TablePlayer] = {}
    to_say: dict[Seat, list[str]] = {}

    def join(seat: Seat) -> None:
        rig.seats[seat], players[seat] = rig.connect(), blue_chip_player(rig, seat, strategies[seat])
        to_say[seat] = players[seat].start()

    def speak(seat: Seat) -> bool:
        """Say one line, after reading all there is."""
        to_say[seat] += [said for line in rig.take(seat) for said in players[seat].receive(line)]
        if not to_say[seat]:
            return False
        told = rig.send_line(seat, to_say[seat].pop(0))
        rig.seats[seat].lines += told
        return True

    for seat in SEATS:
        join(seat)
    left = [seat for seat in SEATS for _ in range(TableRules().rejoins_max)]
    for _ in range(20_000):
        if rig.ended:
            return
        spoke = [seat for seat in SEATS if speak(seat)]
        if cuts and order.random() < 0.02:
            cuts -= 1
            victim = left.pop(order.randrange(len(left)))
            rig.hang_up(victim)
            rig.wait(order.randrange(3000))
            join(victim)
        elif not spoke:
            rig.wait(1000)
    raise AssertionError("the session never ends")


@given(scripts=sessions(), order=seeds, cuts=st.integers(1, 5))
@examples(20)
def test_a_session_with_players_that_leave_and_come_back_is_recorded_as_if_nobody_had(
    scripts: list[Script], order: int, cuts: int
) -> None:
    rig = rig_for(scripts)
    play_with_cuts(rig, players_for(scripts), Random(order), cuts)
    assert on_record(rig) == made(scripts)
    assert rig.ended == [None]
    rig.converse("ruled -> nothing")


# Another host


def taken_up(made_before: Sequence[AttemptRecord], **options: Any) -> TableRig:
    """A table whose board another host has begun: four have joined again."""
    rig = table([board(1), board(2)], under_way=BoardSnapshot(1, tuple(made_before)), **options)
    rig.seat_all()
    rig.start_board()
    return rig


@pytest.mark.clause("BC-49")
def test_a_board_that_is_taken_up_is_begun_again_when_a_program_calls_otherwise_and_is_nobodys_fault() -> None:
    taken_up(lost_in_the_auction().of_kind(CallMade), **TOURNEY).converse("""
        N: passes
        ended -> 1 void
        ruled -> nothing
        begun -> 1
        N has heard -> ... -> Start of board
        E has heard -> ... -> Start of board
        S has heard -> ... -> Start of board
        W has heard -> ... -> Start of board
    """)


@pytest.mark.clause("BC-49")
def test_without_replay_a_board_that_was_under_way_is_void_and_begun_again() -> None:
    rules = TableRules(rejoin=Rejoin.FORFEIT)
    taken_up(lost_in_the_auction().of_kind(CallMade), rules=rules).converse("""
        ended -> 1 void
        begun -> 1
    """)


@pytest.mark.clause("BC-49")
def test_what_the_operator_has_said_of_a_call_is_told_again() -> None:
    before = in_auction()
    before.converse("N: bids 1C")
    answered = AlertAnswered(1, 0, "16 to 18 total points.", "Ada", 0)
    taken_up([*before.of_kind(CallMade), answered]).converse("""
        N: bids 1C
        E: ready for North's bid -> ... -> North bids 1C Alert. 16 to 18 total points.
        S: ready for North's bid -> ... -> North bids 1C
    """)
