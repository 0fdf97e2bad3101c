"""Lines on their way when a board is left in the middle: no verdict is based on them (BC-48)."""

from dataclasses import replace
from typing import Any

import pytest

from tests.support.table_rig import TableRig
from tests.support.wire_tables import (
    EAST,
    WEST,
    after_the_lead,
    board,
    errors,
    in_auction,
    in_play,
)
from tourney.bridge import SEATS, Side
from tourney.config.programs import PROFILES
from tourney.protocol.session.rules import RemedyName, TableRules, TimeLimit, TimeRules

pytestmark = pytest.mark.clause("BC-48")

TOURNEY = dict.fromkeys(Side, PROFILES["tourney"])
"""Programs that begin again on `Start of board`."""

NOTE = "on its way when the board before was left, swallowed"


def begun_again(rig: TableRig) -> TableRig:
    """North, who has bid, comes back and bids something else: all have been sent another `Start of board`."""
    rig.converse("""
        N hangs up
        wait 1000
        N comes back
        N: bids 7NT
        ended -> ... -> 1 abandoned N
        clear
    """)
    return rig


def in_the_auction(**settings: Any) -> TableRig:
    """North has bid 1C and East thinks when the board is begun again."""
    rig = in_auction([board(1), board(2)], profiles=TOURNEY, **settings)
    rig.converse("all hear N: bids 1C")
    return begun_again(rig)


DEAL = "all: ready for deal\nall: ready for cards"


@pytest.mark.parametrize(
    "line", ["bids 1H", "bids 2C Alert. 5 to 9 points", "passes", "plays 7C", "plays 7C Infos. x"]
)
def test_a_call_or_card_of_the_attempt_before_is_swallowed_and_noted(line: str) -> None:
    rig = in_the_auction()
    rig.converse(f"""
        E: East {line} -> nothing
        noted -> ... -> {NOTE}
        {DEAL}
        all hear N: bids 7NT
        all hear E: passes
        calls -> N 1C -> N 7NT -> E Pass
        incidents -> ... -> restarted N
    """)
    assert [each for seat in SEATS for each in errors(rig.sent(seat))] == []


def test_a_request_of_the_attempt_before_is_not_answered_in_the_new_one() -> None:
    rig = after_the_lead(boards=[board(1), board(2)], profiles=TOURNEY)
    begun_again(rig)
    rig.converse(f"""
        W: ready for dummy -> nothing
        W: ready for South's card to trick 1 -> nothing
        W: ready for cards -> nothing
        noted -> ... -> {NOTE} -> {NOTE} -> {NOTE}
        {DEAL}
        all hear N: bids 1NT
        all hear E S W: passes
        W hears
        E: plays TS
        # it asks for the lead first, and then for dummy
        W hears -> nothing
        W: ready for East's card to trick 1 -> East plays TS
    """)


def test_a_claim_of_the_attempt_before_is_swallowed() -> None:
    rig = in_play([board(1), board(2)], profiles=TOURNEY, rules=TableRules(claims=True))
    rig.converse("all hear E: plays TS")
    begun_again(rig)
    rig.converse(f"""
        W: claims -> nothing
        S: accepts West's claim -> nothing
        noted -> ... -> {NOTE} -> {NOTE}
    """)


def test_once_its_program_is_ready_for_the_deal_a_line_is_judged_as_always() -> None:
    in_the_auction().converse(f"""
        E: ready for deal
        E: bids 1H -> Error: the cards are not dealt yet
        {DEAL}
        E: bids 1H
        incidents -> ... -> call-out-of-turn E
    """)


def test_a_program_that_has_come_since_has_nothing_on_its_way() -> None:
    in_the_auction().converse("""
        E hangs up
        wait 1000
        E rejoins
        E: bids 1H -> Error: ...
    """)


def test_a_call_before_the_deal_of_a_board_that_is_begun_for_the_first_time_is_refused() -> None:
    in_auction([board(1), board(2)], profiles=TOURNEY).converse("""
        all hear N E S W: passes
        begun -> 1 -> 2
        clear
        E: bids 1H -> Error: the cards are not dealt yet
    """)


def test_a_line_is_swallowed_while_the_table_waits_for_programs_that_cannot_begin_a_board_again() -> None:
    mixed = {Side.NS: PROFILES["default"], Side.EW: PROFILES["tourney"]}
    rig = in_auction([board(1), board(2)], profiles=mixed, ours=frozenset({Side.NS}))
    rig.converse("all hear N: bids 1C")
    begun_again(rig)
    rig.converse(f"""
        # North and South were sent away and have to come back
        begun -> 1
        E: bids 1H -> nothing
        noted -> ... -> {NOTE}
        N S rejoin
        begun -> 1 -> 1
        W: bids 1H -> Start of board
        {DEAL}
        all hear N: bids 7NT
    """)
    assert errors(rig.sent(EAST)) == errors(rig.sent(WEST)) == []


@pytest.mark.clause("BC-41")
def test_a_card_on_its_way_when_a_claim_is_accepted_is_swallowed_in_the_next_board() -> None:
    in_play([board(1), board(2)], rules=TableRules(claims=True)).converse(f"""
        N: claims
        E W: accepts North's claim
        begun -> 1 -> 2
        E hears
        E: plays TS -> nothing
        noted -> ... -> {NOTE}
    """)


@pytest.mark.clause("BC-46")
def test_a_call_on_its_way_when_the_table_has_made_the_last_one_is_swallowed_in_the_next_board() -> None:
    rules = TableRules(time=replace(TimeRules(), call=TimeLimit(5000, RemedyName.SUBSTITUTE)))
    in_auction([board(1), board(2)], rules=rules).converse(f"""
        all hear N E S: passes
        wait 5000
        N E S: ready for West's bid
        begun -> 1 -> 2
        W hears
        W: bids 1C -> nothing
        noted -> ... -> {NOTE}
    """)


def test_a_late_line_of_a_program_that_may_stay_after_its_forfeit_is_swallowed_in_the_next_board() -> None:
    rules = TableRules(time=replace(TimeRules(), call=TimeLimit(5000, RemedyName.FORFEIT_BOARD)))
    in_auction([board(1), board(2)], rules=rules, profiles=TOURNEY).converse(f"""
        all hear N E S: passes
        wait 5000
        ended -> 1 time W
        N E S: ready for West's bid
        begun -> 1 -> 2
        W hears
        W: bids 1C -> nothing
        noted -> ... -> {NOTE}
    """)
