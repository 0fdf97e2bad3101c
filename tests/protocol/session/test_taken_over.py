"""A table that another host takes up from the record decides as the one that lived on (BC-49)."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any
from weakref import WeakKeyDictionary

import pytest

from tests.protocol.session.test_rejoin import TOURNEY
from tests.support.stateful_tables import seat_stateful
from tests.support.table_rig import TableRig
from tests.support.wire_tables import (
    EAST,
    NORTH,
    board,
    in_auction,
    table,
)
from tourney.bridge import SEATS, Side
from tourney.protocol.session.orders import Interrupt
from tourney.protocol.session.records import (
    AttemptRecord,
    BoardBegan,
    BoardEnd,
    BoardEnded,
    BoardSnapshot,
    Incident,
    IncidentKind,
    TableRecord,
)
from tourney.protocol.session.rules import (
    RemedyName,
    TableRules,
    TimeLimit,
    TimeRules,
    UndoRule,
)
from tourney.protocol.session.state import SessionState
from tourney.protocol.session.table import TableSettings

pytestmark = pytest.mark.clause("BC-49")

WARN = RemedyName.WARN

EARLIER: WeakKeyDictionary[TableRig, list[TableRecord]] = WeakKeyDictionary()
"""What hosts before have put on record."""


def settings_after(settings: TableSettings, records: list[TableRecord]) -> TableSettings:
    """Return what the next host is given after some records of a table that had these settings."""
    history = [each for each in records if isinstance(each, BoardBegan | BoardEnded | Incident)]
    ends = [each for each in history if isinstance(each, BoardEnded)]
    began = max((at for at, each in enumerate(records) if isinstance(each, BoardBegan)), default=None)
    under_way = None
    if began is not None and not any(isinstance(each, BoardEnded) for each in records[began:]):
        (first, *rest) = records[began:]
        assert isinstance(first, BoardBegan)
        under_way = BoardSnapshot(first.board, tuple(each for each in rest if isinstance(each, AttemptRecord)))
    done = {each.board for each in ends if each.end.is_final}
    final = [each for each in ends if each.end.is_final]
    return replace(
        settings,
        boards=tuple(each for each in settings.boards if each.number not in done),
        history=tuple(history),
        under_way=under_way,
        spent_ms={Side.NS: sum(each.ns_ms for each in final), Side.EW: sum(each.ew_ms for each in final)},
    )


def taken_over(rig: TableRig) -> TableRig:
    """Return the table at the next host; nobody has connected."""
    earlier = [*EARLIER.get(rig, ()), *rig.records]
    again = TableRig(settings_after(rig.core.state.settings, earlier))
    EARLIER[again] = earlier
    again.now_ms = rig.now_ms + 5000
    return again


def lead_through(rig: TableRig) -> None:
    """Have four programs that know no more than their cards log on, and go through the board as far as it is."""
    rig.seat_all()
    rig.start_board()
    session = rig.core.state.board
    assert session is not None
    for at, entry in enumerate(list(session.state.history)):
        kind = f"card to trick {entry.trick}" if entry.trick else "bid"
        if entry.actor is not entry.hand and at:
            rig.send_line(entry.actor, f"{entry.actor.title} ready for dummy")
        said = f"plays {entry.made}" if entry.trick else f"bids {entry.made}"
        said = "passes" if str(entry.made) == "Pass" else said
        rig.send_line(entry.actor, f"{entry.hand.title} {said}")
        for seat in SEATS:
            if seat is not entry.actor:
                rig.send_line(seat, f"{seat.title} ready for {entry.hand.title}'s {kind}")


def decided(state: SessionState) -> list[Any]:
    """Return what the law of a table goes by."""
    counts = {name: value for name, value in vars(state.counts).items() if not name.startswith("_")}
    if state.board is None or state.board.state.ended is not None:
        return [counts]
    board = state.board.state
    offers = [board.offers, board.in_play.claim, board.in_play.undo, board.rejected_claims, board.rejected_undos]
    return [
        counts,
        offers,
        board.asked,
        board.explained,
        board.questions,
        [entry.held for entry in board.history],
        board.clock.spent_ms,
    ]


def check_at(rig: TableRig, seat_all: Callable[[TableRig], None]) -> None:
    again = taken_over(rig)
    if again.core.state.under_way is not None:
        seat_all(again)
    assert decided(again.core.state) == decided(rig.core.state)


BLUE_CHIP_EVENTS = """
    E: passes

    wait 11_000

    all hear N: bids 1NT

    all hear E: passes

    all hear S: passes

    all hear W: passes

    E: plays AH

    all hear E: plays TS

    W hangs up

    wait 1000

    W rejoins
    W: ready for deal
    W: ready for cards
    W: ready for North's bid
    W: ready for East's bid
    W: ready for South's bid
    W: passes
    W: ready for East's card to trick 1

    N: claims

    W: accepts North's claim

    W: accepts North's claim

    E: rejects North's claim

    N: ready for dummy
    all hear S: plays 7S

    W: claims

    N: accepts West's claim
"""
"""Irregularities, losses, limits, claims and answers."""

STATEFUL_EVENTS = """
    N: BID 1NT
    N: X-UNDO
    E: X-REJECT 1
    E: BID 2C
    N: BID PASS
    S: X-ASK 2
    N: X-ASK 2
    E: X-TELL 2 clubs
    S: X-ASK 2
    E: X-UNDO
    N: X-ACCEPT 2
    S: X-ACCEPT 2
    E: BID PASS
    S: BID PASS
    N: PLAY AS
    W: BID PASS
    E: PLAY 10S
    N: PLAY 5S
    N: X-UNDO
    W: X-CLAIM
    S: X-ACCEPT 9
    N: X-REJECT 4
    W: PLAY 4S
    N: X-CLAIM
    E: X-ACCEPT 5
    E: X-ACCEPT 5
    W: X-ACCEPT 5
"""
"""Wishes to take something back, claims, questions about calls, and answers to all of them."""


RULES = TableRules(
    time=TimeRules(call=TimeLimit(10_000, WARN), board=TimeLimit(10_500, WARN), match=TimeLimit(10_700, WARN)),
    irregularity_remedy=WARN,
    claims=True,
    undo=UndoRule.ALL,
)


def test_whenever_its_host_is_lost_a_table_of_the_first_wire_goes_by_what_the_one_that_lived_on_goes_by() -> None:
    rig = in_auction([board(1), board(2)], rules=RULES, trick_pause_ms=0)
    for event in BLUE_CHIP_EVENTS.split("\n\n"):
        rig.converse(event)
        check_at(rig, lead_through)
    assert [each.end for each in rig.of_kind(BoardEnded)] == [BoardEnd.CLAIMED]
    kinds = {each.kind for each in rig.of_kind(Incident)}
    assert {IncidentKind.CONSENT, IncidentKind.DISCONNECT, IncidentKind.OVER_TIME} <= kinds


def test_whenever_its_host_is_lost_a_table_of_the_second_wire_goes_by_what_the_one_that_lived_on_goes_by() -> None:
    rig = table([board(1), board(2)], rules=RULES, trick_pause_ms=0)
    seat_stateful(rig, "UNDO,CLAIM,ASK")
    for event in STATEFUL_EVENTS.strip().splitlines():
        rig.converse(event)
        check_at(rig, lambda again: seat_stateful(again, "UNDO,CLAIM,ASK"))
    assert [each.end for each in rig.of_kind(BoardEnded)] == [BoardEnd.RETRACTED, BoardEnd.CLAIMED]


# What it decides


def test_a_loss_that_a_host_in_order_left_unjudged_counts_too() -> None:
    rig = in_auction([board(1), board(2)], rules=TableRules(rejoins_max=1))
    rig.hang_up(EAST)
    rig.order(Interrupt("the host ends"))
    assert taken_over(rig).core.state.counts.losses[EAST] == 1


def test_a_board_that_was_begun_again_because_of_a_side_is_forfeited_by_it_at_the_next_host() -> None:
    rig = in_auction([board(1), board(2)], rules=TableRules(restarts_max=1), **TOURNEY)

    def diverge(at: TableRig) -> None:
        at.converse("""
            all hear N: bids 1C
            N hangs up
            wait 1000
            N rejoins
            N: ready for deal
            N: ready for cards
            N: passes
        """)

    diverge(rig)
    assert [(each.end, each.fault) for each in rig.of_kind(BoardEnded)] == [(BoardEnd.ABANDONED, NORTH)]
    again = taken_over(rig)
    again.seat_all()
    again.start_board()
    # The table's own fault is nobody's, so the board has to be begun by this host.
    session = again.core.state.board
    assert session is not None
    session.was_resumed = False
    diverge(again)
    assert [(each.end, each.fault) for each in again.of_kind(BoardEnded)] == [(BoardEnd.DISCONNECT, NORTH)]
