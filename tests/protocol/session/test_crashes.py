"""Which ends of programs are crashes, on which `strikes` stands: one rule, case by case."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from tests.support.table_rig import TableRig
from tests.support.wire_tables import EAST, NORTH, SOUTH, WEST, board, in_auction, in_play
from tourney.bridge import SEATS, Board, Seat, Side
from tourney.config.programs import PROFILES
from tourney.protocol.session.orders import FinishBoard, KickPlayer, NoteExit
from tourney.protocol.session.records import BoardEnd, BoardEnded, Incident, IncidentKind, SeatLeft
from tourney.protocol.session.rules import Rejoin, RemedyName, TableRules, TimeLimit, TimeRules
from tourney.protocol.session.state import LOST_WAIT_MS

TOURNEY = dict.fromkeys(Side, PROFILES["tourney"])
BOARDS = (board(1), board(2))

STATUS = "ended with status 3: list index out of range"


def auction(**settings: Any) -> TableRig:
    """North has bid 1C, and East thinks."""
    rig = in_auction(BOARDS, profiles=TOURNEY, trick_pause_ms=0, **settings)
    rig.call(NORTH, "bids 1C")
    return rig


def ends(rig: TableRig, seat: Seat, how: str = STATUS) -> None:
    """The program of a seat ends: its connection is closed first."""
    rig.hang_up(seat)
    rig.order(NoteExit(seat, how))


def comes_back(rig: TableRig, *seats: Seat) -> None:
    """Others are started in their place, and log on."""
    rig.rejoin(*seats)
    rig.all_say("ready for deal", "ready for cards", seats=seats)


def after_what_the_table_said(rig: TableRig, seat: Seat) -> None:
    """A program that was sent away ends, as most do, with a status of its own."""
    rig.order(NoteExit(seat, "ended with status 1: Error"))


def it_ends(rig: TableRig) -> None:
    ends(rig, EAST)


def it_is_killed(rig: TableRig) -> None:
    ends(rig, EAST, "was ended by signal 9")


def its_end_is_known_before_its_connection_closes(rig: TableRig) -> None:
    rig.order(NoteExit(EAST, STATUS))
    rig.hang_up(EAST)


def it_comes_back(rig: TableRig) -> None:
    ends(rig, EAST)
    rig.wait(500)
    comes_back(rig, EAST)


def its_replacement_says_something_else_within_a_second(rig: TableRig) -> None:
    ends(rig, NORTH)
    rig.wait(500)
    comes_back(rig, NORTH)
    rig.send_line(NORTH, "North bids 7NT")
    assert rig.of_kind(BoardEnded)[-1].end is BoardEnd.ABANDONED


def its_replacement_says_something_else_later(rig: TableRig) -> None:
    ends(rig, NORTH)
    rig.wait(2000)
    comes_back(rig, NORTH)
    rig.send_line(NORTH, "North bids 7NT")


def its_replacement_ends_before_it_has_joined(rig: TableRig) -> None:
    ends(rig, EAST)
    rig.log_on(EAST)
    rig.say(EAST, "ready for teams")
    ends(rig, EAST, "ended with status 4")


def it_ends_and_then_the_session_is_stopped(rig: TableRig) -> None:
    ends(rig, EAST)
    rig.stop("stopped by Jane")


def it_is_not_back_in_time_and_its_partner_ends_too(rig: TableRig) -> None:
    ends(rig, EAST)
    rig.wait(TimeRules().rejoin_ms + LOST_WAIT_MS)
    assert rig.of_kind(BoardEnded)[-1].end is BoardEnd.CRASH
    ends(rig, WEST)


def its_connection_is_lost(rig: TableRig) -> None:
    """Tourney ends what is left of it, and starts another."""
    rig.hang_up(EAST)
    rig.wait(2000)
    comes_back(rig, EAST)


def its_connection_is_lost_and_it_ends_long_after(rig: TableRig) -> None:
    rig.hang_up(EAST)
    rig.wait(2000)
    rig.order(NoteExit(EAST, STATUS))


def it_is_kicked(rig: TableRig) -> None:
    rig.order(KickPlayer(EAST, "by order of Jane"))
    after_what_the_table_said(rig, EAST)


def it_is_kicked_when_an_opponent_has_ended(rig: TableRig) -> None:
    ends(rig, SOUTH)
    it_is_kicked(rig)


def it_stalls(rig: TableRig) -> None:
    rig.wait(TimeRules().stall_ms)
    after_what_the_table_said(rig, EAST)


def it_takes_too_long(rig: TableRig) -> None:
    rig.wait(9000)
    assert rig.of_kind(BoardEnded)[-1].end is BoardEnd.TIME
    after_what_the_table_said(rig, EAST)


def it_floods(rig: TableRig) -> None:
    for _ in range(rig.core.state.settings.bad_lines_max):
        rig.send_line(EAST, "what?")
    assert rig.of_kind(SeatLeft)
    after_what_the_table_said(rig, EAST)


def it_does_not_read(rig: TableRig) -> None:
    why = "more than 65536 bytes lay unread"
    rig.carry_out(rig.core.close_connection(rig.seats[EAST].number, rig.now_ms, why, is_aborted=True))
    after_what_the_table_said(rig, EAST)


def the_session_is_stopped(rig: TableRig) -> None:
    rig.stop("stopped by Jane")
    for seat in SEATS:
        rig.hang_up(seat)
        after_what_the_table_said(rig, seat)


def the_board_is_begun_again_and_it_cannot(rig: TableRig) -> None:
    """East and West, who are no cause of it, are sent away and come back."""
    its_replacement_says_something_else_later(rig)
    for seat in (EAST, WEST):
        after_what_the_table_said(rig, seat)


def both_sides_end_at_once(rig: TableRig) -> None:
    ends(rig, EAST)
    rig.wait(900)
    ends(rig, SOUTH)


def its_partner_ends_at_once_too(rig: TableRig) -> None:
    ends(rig, EAST)
    ends(rig, WEST)


def it_ends_between_boards(rig: TableRig) -> None:
    rig.converse("""
        all hear E S W: passes
        play 52 cards
    """)
    assert rig.of_kind(BoardEnded)[-1].end is BoardEnd.PLAYED
    rig.order(FinishBoard("stopped by Jane"))
    for seat in SEATS:
        rig.hang_up(seat)
        after_what_the_table_said(rig, seat)


CASES: dict[Callable[[TableRig], None], list[Seat]] = {
    it_ends: [EAST],
    it_is_killed: [EAST],
    its_end_is_known_before_its_connection_closes: [EAST],
    it_comes_back: [EAST],
    its_replacement_says_something_else_within_a_second: [NORTH],
    its_replacement_says_something_else_later: [NORTH],
    its_replacement_ends_before_it_has_joined: [EAST],
    it_ends_and_then_the_session_is_stopped: [EAST],
    it_is_not_back_in_time_and_its_partner_ends_too: [EAST, WEST],
    its_partner_ends_at_once_too: [EAST, WEST],
    it_is_kicked_when_an_opponent_has_ended: [SOUTH],
    its_connection_is_lost: [],
    its_connection_is_lost_and_it_ends_long_after: [],
    it_is_kicked: [],
    it_stalls: [],
    it_takes_too_long: [],
    it_floods: [],
    it_does_not_read: [],
    the_session_is_stopped: [],
    both_sides_end_at_once: [],
    it_ends_between_boards: [],
}


def crashed(rig: TableRig) -> list[Seat | None]:
    return [incident.seat for incident in rig.of_kind(Incident) if incident.kind is IncidentKind.CRASH]


NEEDS_REPLAY = (
    its_replacement_says_something_else_within_a_second,
    its_replacement_says_something_else_later,
    it_is_not_back_in_time_and_its_partner_ends_too,
)
"""The cases in which a program comes back into its board, which it does not where that is forfeited."""


@pytest.mark.parametrize(
    ("case", "rejoin"),
    [
        (case, rejoin)
        for case in CASES
        for rejoin in (Rejoin.REPLAY, Rejoin.FORFEIT)
        if rejoin is Rejoin.REPLAY or case not in NEEDS_REPLAY
    ],
)
def test_a_program_that_ended_by_itself_in_a_board_has_crashed_and_no_other(
    case: Callable[[TableRig], None], rejoin: Rejoin
) -> None:
    rules = TableRules(rejoin=rejoin)
    if case is it_takes_too_long:
        rules = replace(rules, time=replace(TimeRules(), call=TimeLimit(8000, RemedyName.FORFEIT_BOARD)))
    rig = auction(rules=rules)
    case(rig)
    rig.wait(LOST_WAIT_MS)
    assert crashed(rig) == CASES[case]


def test_those_that_are_sent_away_because_a_board_is_begun_again_have_not_crashed() -> None:
    profiles = {Side.NS: PROFILES["tourney"], Side.EW: PROFILES["default"]}
    rig = in_auction(BOARDS, profiles=profiles, ours=frozenset(Side))
    rig.call(NORTH, "bids 1C")
    the_board_is_begun_again_and_it_cannot(rig)
    comes_back(rig, EAST, WEST)
    rig.wait(LOST_WAIT_MS)
    assert crashed(rig) == [NORTH]


def test_a_program_that_ends_after_the_last_card_of_a_board_has_not_crashed() -> None:
    """It has nothing to do in it any more: some leave when the last board is over, before the session ends."""
    rig = in_play(BOARDS, profiles=TOURNEY)
    rig.play_on(51)
    rig.play_on(1, relayed=False)
    assert rig.of_kind(BoardEnded)[-1].end is BoardEnd.PLAYED
    assert rig.core.state.board is not None
    assert not rig.core.state.board.is_served
    ends(rig, EAST)
    rig.wait(LOST_WAIT_MS)
    assert crashed(rig) == []


def test_a_crash_is_told_by_the_end_of_the_program_that_crashed_and_before_its_return() -> None:
    rig = auction()
    ends(rig, EAST, "was ended by signal 9")
    rig.wait(300)
    comes_back(rig, EAST)
    ends(rig, EAST, "ended with status 1: what is 'North bids 1C'?")
    rig.wait(300)
    comes_back(rig, EAST)
    rig.send_line(EAST, "East ready for North's bid")
    rig.wait(LOST_WAIT_MS)
    told = [(incident.kind, incident.text) for incident in rig.of_kind(Incident)]
    assert told == [
        (IncidentKind.CRASH, "East left: was ended by signal 9"),
        (IncidentKind.REJOINED, "East has been led to where the board is"),
    ]


def test_a_crash_within_the_last_second_of_an_attempt_is_on_record_before_the_next_begins() -> None:
    rig = auction()
    its_replacement_says_something_else_within_a_second(rig)
    kinds = [type(record).__name__ for record in rig.records]
    crash = next(n for n, record in enumerate(rig.records) if getattr(record, "kind", None) is IncidentKind.CRASH)
    assert kinds.index("BoardEnded") < crash < len(kinds) - 1 - kinds[::-1].index("BoardBegan")


@pytest.mark.parametrize("boards", [BOARDS, BOARDS[:1]], ids=["another follows", "the last"])
def test_a_crash_within_the_last_second_of_a_board_is_on_record_though_it_is_judged_after_that(
    boards: tuple[Board, ...],
) -> None:
    rig = in_auction(boards, profiles=TOURNEY, trick_pause_ms=0)
    ends(rig, EAST)
    rig.wait(300)
    comes_back(rig, EAST)
    rig.converse("""
        all hear N E S W: passes
    """)
    assert rig.of_kind(BoardEnded)[-1].end is BoardEnd.PASSED_OUT
    rig.wait(LOST_WAIT_MS)
    assert [incident.kind for incident in rig.of_kind(Incident)] == [IncidentKind.CRASH, IncidentKind.REJOINED]
