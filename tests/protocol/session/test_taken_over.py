"""A table that another host takes up from the record decides as the one that lived on (BC-49)."""

from collections.abc import Callable, Iterator
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
    SOUTH,
    WEST,
    board,
    in_auction,
    in_play,
    table,
)
from tourney.bridge import SEATS, Side
from tourney.protocol.session.orders import Interrupt
from tourney.protocol.session.records import (
    AlertAsked,
    AttemptRecord,
    BoardBegan,
    BoardEnd,
    BoardEnded,
    BoardSnapshot,
    CardPlayed,
    Incident,
    IncidentKind,
    TableRecord,
)
from tourney.protocol.session.rules import (
    AlertMode,
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


def blue_chip_events(rig: TableRig) -> Iterator[None]:
    """Irregularities, losses, limits, claims and answers."""
    rig.converse("E: passes")
    yield
    rig.wait(11_000)
    yield
    rig.converse("all hear N: bids 1NT")
    yield
    for seat in (EAST, SOUTH, WEST):
        rig.call(seat, "passes")
        yield
    rig.converse("E: plays AH")
    yield
    rig.converse("all hear E: plays TS")
    yield
    rig.hang_up(WEST)
    yield
    rig.wait(1000)
    yield
    rig.converse("""
        W rejoins
        W: ready for deal
        W: ready for cards
        W: ready for North's bid
        W: ready for East's bid
        W: ready for South's bid
        W: passes
        W: ready for East's card to trick 1
    """)
    yield
    rig.converse("N: claims")
    yield
    rig.converse("W: accepts North's claim")
    yield
    rig.converse("W: accepts North's claim")
    yield
    rig.converse("E: rejects North's claim")
    yield
    rig.converse("""
        N: ready for dummy
        all hear S: plays 7S
    """)
    yield
    rig.converse("W: claims")
    yield
    rig.converse("N: accepts West's claim")
    yield


def stateful_events(rig: TableRig) -> Iterator[None]:
    """Wishes to take something back, claims, questions about calls, and answers to all of them."""
    for seat, line in (
        *((NORTH, "BID 1NT"), (NORTH, "X-UNDO"), (EAST, "X-REJECT 1"), (EAST, "BID 2C"), (NORTH, "BID PASS")),
        *((SOUTH, "X-ASK 2"), (NORTH, "X-ASK 2"), (EAST, "X-TELL 2 clubs"), (SOUTH, "X-ASK 2")),
        *((EAST, "X-UNDO"), (NORTH, "X-ACCEPT 2"), (SOUTH, "X-ACCEPT 2"), (EAST, "BID PASS"), (SOUTH, "BID PASS")),
        *((NORTH, "PLAY AS"), (WEST, "BID PASS"), (EAST, "PLAY 10S"), (NORTH, "PLAY 5S"), (NORTH, "X-UNDO")),
        *((WEST, "X-CLAIM"), (SOUTH, "X-ACCEPT 9"), (NORTH, "X-REJECT 4"), (WEST, "PLAY 4S"), (NORTH, "X-CLAIM")),
        *((EAST, "X-ACCEPT 5"), (EAST, "X-ACCEPT 5"), (WEST, "X-ACCEPT 5")),
    ):
        rig.send_line(seat, line)
        yield


RULES = TableRules(
    time=TimeRules(call=TimeLimit(10_000, WARN), board=TimeLimit(10_500, WARN), match=TimeLimit(10_700, WARN)),
    irregularity_remedy=WARN,
    claims=True,
    undo=UndoRule.ALL,
)


def test_whenever_its_host_is_lost_a_table_of_the_first_wire_goes_by_what_the_one_that_lived_on_goes_by() -> None:
    rig = in_auction([board(1), board(2)], rules=RULES, trick_pause_ms=0)
    for _ in blue_chip_events(rig):
        check_at(rig, lead_through)
    assert [each.end for each in rig.of_kind(BoardEnded)] == [BoardEnd.CLAIMED]
    kinds = {each.kind for each in rig.of_kind(Incident)}
    assert {IncidentKind.CONSENT, IncidentKind.DISCONNECT, IncidentKind.OVER_TIME} <= kinds


def test_whenever_its_host_is_lost_a_table_of_the_second_wire_goes_by_what_the_one_that_lived_on_goes_by() -> None:
    rig = table([board(1), board(2)], rules=RULES, trick_pause_ms=0)
    seat_stateful(rig, "UNDO,CLAIM,ASK")
    for _ in stateful_events(rig):
        check_at(rig, lambda again: seat_stateful(again, "UNDO,CLAIM,ASK"))
    assert [each.end for each in rig.of_kind(BoardEnded)] == [BoardEnd.RETRACTED, BoardEnd.CLAIMED]


# What it decides


def test_a_loss_that_a_host_in_order_left_unjudged_counts_too() -> None:
    rig = in_auction([board(1), board(2)], rules=TableRules(rejoins_max=1))
    rig.hang_up(EAST)
    rig.order(Interrupt("the host ends"))
    assert taken_over(rig).core.state.counts.losses[EAST] == 1


def test_a_board_is_begun_again_no_more_often_and_void_no_more_often_for_the_loss_of_a_host() -> None:
    rig = in_auction([board(1), board(2)], rules=TableRules(rejoins_max=0, restarts_max=1), **TOURNEY)
    rig.converse("""
        E S hang up
        wait 1000
    """)
    assert [each.end for each in rig.of_kind(BoardEnded)] == [BoardEnd.VOID]
    again = taken_over(rig)
    again.seat_all()
    again.start_board()
    again.converse("""
        E S hang up
        wait 1000
        N W: passes
        E S rejoin
    """)
    assert again.core.state.counts.voids == 2


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


def test_a_claim_that_waits_for_answers_is_told_again_and_one_answer_given_before_counts() -> None:
    rig = in_play([board(1), board(2)], rules=TableRules(claims=True))
    rig.converse("""
        all hear E: plays TS
        N: claims
        W: accepts North's claim
    """)
    again = taken_over(rig)
    lead_through(again)
    again.converse("""
        E has heard -> ... -> North claims -> North's cards : S A K Q J. H T 9 8. D 7 6 5. C 4 3 2.
        S has heard -> ... -> North claims -> North's cards : S A K Q J. H T 9 8. D 7 6 5. C 4 3 2.
        W has heard -> ... -> North claims -> North's cards : S A K Q J. H T 9 8. D 7 6 5. C 4 3 2.
        N: South plays 7S -> Error: ...
        wait 1000
        E: accepts North's claim
    """)
    (ended,) = again.of_kind(BoardEnded)
    assert (ended.end, ended.ns_ms) == (BoardEnd.CLAIMED, 0), "nobody is charged while a claim is answered"


def test_a_program_without_words_for_claims_that_has_taken_the_seat_since_rejects_a_claim() -> None:
    rig = table(rules=RULES, trick_pause_ms=0)
    seat_stateful(rig, "CLAIM")
    rig.converse("""
        N: BID 1NT
        E S W: BID PASS
        N: X-CLAIM
    """)
    again = taken_over(rig)
    seat_stateful(again)
    assert IncidentKind.CLAIM_REJECTED in [each.kind for each in again.of_kind(Incident)]
    again.converse("E: PLAY 10S")
    assert len(again.of_kind(CardPlayed)) == 1


def test_a_wish_to_take_something_back_is_told_again_and_granted() -> None:
    rig = table(rules=TableRules(undo=UndoRule.ALL))
    seat_stateful(rig, "UNDO")
    rig.converse("""
        N: BID 1NT
        N: X-UNDO
        E: X-ACCEPT 1
    """)
    again = taken_over(rig)
    seat_stateful(again, "UNDO")
    assert ["X-UNDO 1 N" in again.sent(seat) for seat in SEATS] == [True, True, False, True]
    again.converse("W: X-ACCEPT 1")
    assert [each.end for each in again.of_kind(BoardEnded)] == [BoardEnd.RETRACTED]


def test_a_question_about_a_call_is_put_again_and_an_answer_given_again_at_the_next_host() -> None:
    rig = table()
    seat_stateful(rig, "ASK")
    rig.converse("""
        N: BID 1NT
        E: BID 2C
        S: X-ASK 2
    """)
    again = taken_over(rig)
    seat_stateful(again, "ASK")
    assert ["X-ASKED 2" in again.sent(seat) for seat in SEATS] == [False, True, False, False]
    again.converse("""
        E: X-TELL 2 "both majors"
    """)
    once_more = taken_over(again)
    seat_stateful(once_more, "ASK")
    told = ['X-TELL 2 "both majors"' in once_more.sent(seat) for seat in SEATS]
    assert told == [False, False, True, False]
    assert not any(line.startswith("X-ASKED") for seat in SEATS for line in once_more.sent(seat))


def asked_about_2c() -> TableRig:
    rules = TableRules(alerting=AlertMode.KEYWORD, alert_wait_ms=60_000)
    rig = in_auction(rules=rules)
    rig.converse("all hear N: bids 2C Alert.")
    assert [asked.seq for asked in rig.of_kind(AlertAsked)] == [0]
    return rig


def test_an_operator_who_is_absent_stops_the_next_host_no_longer_than_the_first() -> None:
    again = taken_over(asked_about_2c())
    lead_through(again)
    again.converse("""
        clear
        wait 60_000
        E hears -> North bids 2C
    """)


def test_a_player_calls_the_director_at_two_hosts_as_seldom_as_at_one() -> None:
    rig = table()
    seat_stateful(rig, "NOTE")
    rig.send_line(NORTH, "X-DIRECTOR ")
    again = taken_over(rig)
    seat_stateful(again, "NOTE")
    assert again.send_line(NORTH, "X-DIRECTOR ")[-1].startswith('NAK "you have called the director')
