"""Which ends of programs are crashes, on which `strikes` stands: one rule, case by case."""

from dataclasses import replace
from typing import Any

import pytest

from tests.support.table_rig import TableRig
from tests.support.wire_tables import EAST, NORTH, SOUTH, WEST, board, in_auction, in_play
from tourney.bridge import Board, Seat, Side
from tourney.config.programs import PROFILES
from tourney.protocol.session.records import Incident, IncidentKind
from tourney.protocol.session.rules import Rejoin, RemedyName, TableRules, TimeLimit, TimeRules
from tourney.protocol.session.state import LOST_WAIT_MS

TOURNEY = dict.fromkeys(Side, PROFILES["tourney"])
BOARDS = (board(1), board(2))

TIMES = TimeRules()

ENDS = "E hangs up\nE ends: ended with status 3: list index out of range\n"
"""The program of East ends: its connection is closed first."""

SENT_AWAY = "E ends: ended with status 1: Error\n"
"""A program that was sent away ends, as most do, with a status of its own."""

OTHERWISE = """
    N hangs up
    N ends: ended with status 3
    wait {}
    N comes back
    N: bids 7NT
"""
"""The replacement of North's program says something else, so many milliseconds later."""

STOPPED = "N E S W hang up\n" + "".join(f"{seat} ends: ended with status 1: Error\n" for seat in "NESW")

CASES: dict[str, tuple[str, list[Seat]]] = {
    "it ends": (ENDS, [EAST]),
    "it is killed": ("E hangs up\nE ends: was ended by signal 9", [EAST]),
    "its end is known before its connection closes": ("E ends: ended with status 3\nE hangs up", [EAST]),
    "it comes back": (f"{ENDS}wait 500\nE comes back", [EAST]),
    "its replacement says something else within a second": (
        f"{OTHERWISE.format(500)}\nended -> ... -> 1 abandoned N",
        [NORTH],
    ),
    "its replacement says something else later": (OTHERWISE.format(2000), [NORTH]),
    "its replacement ends before it has joined": (
        f"{ENDS}E logs on\nE: ready for teams\nE hangs up\nE ends: ended with status 4",
        [EAST],
    ),
    "it ends, and then the session is stopped": (f"{ENDS}stop: stopped by Jane", [EAST]),
    "it is not back in time and its partner ends too": (
        f"""{ENDS}
            wait {TIMES.rejoin_ms + LOST_WAIT_MS}
            ended -> ... -> 1 crash E
            W hangs up
            W ends: ended with status 3
        """,
        [EAST, WEST],
    ),
    "its partner ends at once too": (f"{ENDS}W hangs up\nW ends: ended with status 3", [EAST, WEST]),
    "it is kicked when an opponent has ended": (
        f"S hangs up\nS ends: ended with status 3\nkick E: by order of Jane\n{SENT_AWAY}",
        [SOUTH],
    ),
    "its connection is lost, and tourney starts another": ("E hangs up\nwait 2000\nE comes back", []),
    "its connection is lost and it ends long after": ("E hangs up\nwait 2000\nE ends: ended with status 3", []),
    "it is kicked": (f"kick E: by order of Jane\n{SENT_AWAY}", []),
    "it stalls": (f"wait {TIMES.stall_ms}\n{SENT_AWAY}", []),
    "it takes too long": (f"wait 9000\nended -> ... -> 1 time E\n{SENT_AWAY}", []),
    "it floods": ("E: what?\n" * 20 + f"E is disconnected\n{SENT_AWAY}", []),
    "the session is stopped": (f"stop: stopped by Jane\n{STOPPED}", []),
    "both sides end at once": (f"{ENDS}wait 900\nS hangs up\nS ends: ended with status 3", []),
    "it ends between boards": (
        f"all hear E S W: passes\nplay 52 cards\nended -> 1 played\nfinish\n{STOPPED}",
        [],
    ),
}


def auction(**settings: Any) -> TableRig:
    """North has bid 1C, and East thinks."""
    rig = in_auction(BOARDS, profiles=TOURNEY, trick_pause_ms=0, **settings)
    rig.converse("all hear N: bids 1C")
    return rig


def crashed(rig: TableRig) -> list[Seat | None]:
    return [incident.seat for incident in rig.of_kind(Incident) if incident.kind is IncidentKind.CRASH]


NEEDS_REPLAY = (
    "its replacement says something else within a second",
    "its replacement says something else later",
    "it is not back in time and its partner ends too",
)
"""The cases in which a program comes back into its board, which it does not where that is forfeited."""


@pytest.mark.parametrize(
    ("case", "rejoin"),
    [(case, Rejoin.REPLAY) for case in CASES]
    + [(case, Rejoin.FORFEIT) for case in CASES if case not in NEEDS_REPLAY],
)
def test_a_program_that_ended_by_itself_in_a_board_has_crashed_and_no_other(case: str, rejoin: Rejoin) -> None:
    time = replace(TIMES, call=TimeLimit(8000, RemedyName.FORFEIT_BOARD)) if case == "it takes too long" else TIMES
    rig = auction(rules=TableRules(rejoin=rejoin, time=time))
    script, expected = CASES[case]
    rig.converse(script)
    rig.wait(LOST_WAIT_MS)
    assert crashed(rig) == expected


def test_a_program_that_does_not_read_and_is_sent_away_has_not_crashed() -> None:
    rig = auction()
    why = "more than 65536 bytes lay unread"
    rig.carry_out(rig.core.close_connection(rig.seats[EAST].number, rig.now_ms, why, is_aborted=True))
    rig.converse(f"{SENT_AWAY}wait {LOST_WAIT_MS}")
    assert crashed(rig) == []


def test_those_that_are_sent_away_because_a_board_is_begun_again_have_not_crashed() -> None:
    profiles = {Side.NS: PROFILES["tourney"], Side.EW: PROFILES["default"]}
    rig = in_auction(BOARDS, profiles=profiles, ours=frozenset(Side))
    rig.converse(f"""
        all hear N: bids 1C
        # East and West, who are no cause of it, are sent away and come back.
        {OTHERWISE.format(2000)}
        {SENT_AWAY}
        W ends: ended with status 1: Error
        E W come back
        wait {LOST_WAIT_MS}
    """)
    assert crashed(rig) == [NORTH]


def test_a_program_that_ends_after_the_last_card_of_a_board_has_not_crashed() -> None:
    """It has nothing to do in it any more: some leave when the last board is over, before the session ends."""
    rig = in_play(BOARDS, profiles=TOURNEY)
    rig.play_on(51)
    rig.play_on(1, relayed=False)
    rig.converse("ended -> 1 played")
    assert rig.core.state.board is not None
    assert not rig.core.state.board.is_served
    rig.converse(f"{ENDS}wait {LOST_WAIT_MS}")
    assert crashed(rig) == []


def test_a_crash_is_told_by_the_end_of_the_program_that_crashed_and_before_its_return() -> None:
    rig = auction()
    rig.converse(f"""
        E hangs up
        E ends: was ended by signal 9
        wait 300
        E comes back
        E hangs up
        E ends: ended with status 1: what is 'North bids 1C'?
        wait 300
        E comes back
        E: ready for North's bid
        wait {LOST_WAIT_MS}
        incidents -> crash E -> rejoined E
    """)
    assert [incident.text for incident in rig.of_kind(Incident)] == [
        "East left: was ended by signal 9",
        "East has been led to where the board is",
    ]


def test_a_crash_within_the_last_second_of_an_attempt_is_on_record_before_the_next_begins() -> None:
    rig = auction()
    rig.converse(OTHERWISE.format(500))
    kinds = [type(record).__name__ for record in rig.records]
    crash = next(n for n, record in enumerate(rig.records) if getattr(record, "kind", None) is IncidentKind.CRASH)
    assert kinds.index("BoardEnded") < crash < len(kinds) - 1 - kinds[::-1].index("BoardBegan")


@pytest.mark.parametrize("boards", [BOARDS, BOARDS[:1]], ids=["another follows", "the last"])
def test_a_crash_within_the_last_second_of_a_board_is_on_record_though_it_is_judged_after_that(
    boards: tuple[Board, ...],
) -> None:
    in_auction(boards, profiles=TOURNEY, trick_pause_ms=0).converse(f"""
        {ENDS}
        wait 300
        E comes back
        all hear N E S W: passes
        ended -> 1 passed-out
        wait {LOST_WAIT_MS}
        incidents -> crash E -> rejoined E
    """)
