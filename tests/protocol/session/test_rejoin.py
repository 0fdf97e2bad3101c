"""Players that leave in the middle of a board and come back (BC-48); tables taken up by another host (BC-49)."""

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.examples import examples
from tests.support.protocol_players import Script, made, on_record, players_for, rig_for, seeds, sessions
from tests.support.table_rig import TableRig
from tests.support.wire_tables import (
    EAST,
    NORTH,
    SOUTH,
    WEST,
    after_the_lead,
    at_start_of_board,
    board,
    in_auction,
    in_play,
    table,
)
from tourney.bots.strategy import Strategy
from tourney.bridge import SEATS, BoardInPlay, Seat, Side
from tourney.config.programs import PROFILES
from tourney.protocol.bluechip.player import PlayerCore
from tourney.protocol.player import AskCall, AskCard, PlayerEffect, SendLine
from tourney.protocol.session.records import (
    AlertAnswered,
    BoardBegan,
    BoardEnded,
    BoardSnapshot,
    CallMade,
    CardPlayed,
    SeatTaken,
)
from tourney.protocol.session.rules import Rejoin, TableRules, TimeRules

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


OTHERWISE = """
    E comes back
    E: ready for North's bid
    E: bids 1S
"""
"""East comes back, and calls otherwise than before."""


# Led through the board


def test_a_program_that_comes_back_is_led_through_the_board_and_the_others_notice_nothing() -> None:
    rig = lost_in_the_auction()
    rig.converse("ended -> nothing")
    before = {seat: rig.sent(seat) for seat in (NORTH, SOUTH, WEST)}
    rig.converse("""
        E rejoins
        E has heard -> East ("Beta") seated -> Teams : ... -> Start of board
        E: ready for deal -> Board number 1. Dealer North. Neither vulnerable.
        E: ready for cards -> East's cards : ...
        E: ready for North's bid -> North bids 1C
        E: bids 1H -> nothing
        incidents -> ... -> rejoined E
    """)
    assert {seat: rig.sent(seat) for seat in (NORTH, SOUTH, WEST)} == before
    rig.converse("""
        S: passes
        E: ready for South's bid -> South passes
        calls -> N 1C -> E 1H -> S Pass
    """)


def test_the_time_that_a_player_was_away_is_nobodys() -> None:
    in_auction([board(1)]).converse("""
        wait 4000
        N hangs up
        wait 20_000
        N comes back
        wait 3000
        N: passes
        thought -> 7000
    """)


def test_in_the_play_leads_are_asked_for_again_and_dummy_is_shown_again() -> None:
    rig = after_the_lead()
    rig.converse("""
        all hear S: plays 5S
        all hear W: plays 2S
        all hear N: plays AS
        E hangs up
        wait 1000
        N: plays KS
        E comes back
        E: ready for North's bid
        E: passes
        E: ready for South's bid
        E: ready for West's bid -> West passes -> East to lead
        E: plays TS -> nothing
        E: ready for dummy -> Dummy's cards : S 7 6 5. H 4 3 2. D A K Q J. C T 9 8.
        E: ready for South's card to trick 1 -> South plays 5S
        E: ready for West's card to trick 1 -> West plays 2S
        E: ready for North's card to trick 1 -> North plays AS
        E: ready for North's card to trick 2 -> North plays KS
        E: plays TS -> Illegal card
    """)
    assert [record.seq for record in rig.of_kind(CardPlayed)] == [0, 1, 2, 3, 4]


def test_what_the_table_said_for_a_player_is_told_to_it_again_in_its_turn_and_not_asked_for() -> None:
    in_auction([board(1)], rules=TableRules(irregularities_max=1)).converse("""
        N: doubles -> Illegal bid -> North passes
        N hangs up
        N rejoins
        N: ready for deal
        N: ready for cards -> North's cards... -> North passes
        # its own word on it may have crossed
        N: bids 7NT -> nothing
        N: bids 7NT -> Error: ... -> ...
        calls -> N Pass by the table
    """)


def test_a_lead_that_the_table_made_for_a_player_is_told_after_it_is_asked_for() -> None:
    in_play(rules=TableRules(irregularities_max=1)).converse("""
        E: plays AS -> Illegal card -> East plays JC
        E hangs up
        E comes back
        E: ready for North's bid
        E: passes
        E: ready for South's bid
        E: ready for West's bid -> West passes -> East to lead -> East plays JC
    """)


def test_dummys_card_that_the_table_played_for_declarer_is_told_after_dummy_is_shown() -> None:
    rig = after_the_lead(rules=TableRules(irregularities_max=1))
    rig.converse("""
        N: South plays AS -> Illegal card -> South plays 5S
        N hangs up
        N comes back
        N: bids 1NT
        N: ready for East's bid
        N: ready for South's bid
        N: ready for West's bid
        N: ready for East's card to trick 1 -> East plays TS
    """)
    assert rig.core.state.pending_lines()[0].what == "ready for dummy"
    rig.converse("N: ready for dummy -> Dummy's cards : S 7 6 5. H 4 3 2. D A K Q J. C T 9 8. -> South plays 5S")


def test_cards_are_not_dealt_to_a_program_that_has_not_joined_again() -> None:
    at_start_of_board().converse("""
        N: ready for deal
        N: ready for cards
        E: ready for deal
        E: ready for cards
        E hangs up
        E logs on
        S: ready for deal
        S: ready for cards
        W: ready for deal
        W: ready for cards
        E has heard -> East ("Beta") seated
        E: ready for teams
        E: ready to start
        E: ready for deal
        E: ready for cards -> East's cards... -> ...
        N has heard -> ... -> North's cards...
    """)


def test_cards_that_were_asked_for_during_a_pause_are_dealt_after_it() -> None:
    at_start_of_board().converse("""
        all: ready for deal
        N E S: ready for cards
        pause
        W: ready for cards
        resume
        N has heard -> ... -> North's cards...
        E has heard -> ... -> East's cards...
        S has heard -> ... -> South's cards...
        W has heard -> ... -> West's cards...
    """)


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


def test_nobody_takes_a_seat_without_logging_on_that_somebody_sits_in() -> None:
    rig = in_auction([board(1)])
    stranger = rig.connect()
    assert rig.send_line(stranger, "North bids 7NT") == ["Error: a connection begins with Connecting"]
    rig.converse("calls -> nothing")


# Those that do not come back, or come back as somebody else


def test_a_seat_may_be_left_only_so_often_in_one_board() -> None:
    rig = in_auction([board(1), board(2)], rules=TableRules(rejoins_max=2))
    crash = """
        ended -> nothing
        W hangs up
        W ends: ended with status 3
        wait 1000
    """
    rig.converse(f"""
        {crash}
        W rejoins
        {crash}
        W rejoins
        {crash}
        ended -> 1 crash W
        why -> West left: ended with status 3, 3 times on this board
        incidents -> crash W -> rejoined W -> crash W -> rejoined W -> crash W -> stand-in W
    """)


def test_a_program_that_calls_otherwise_has_the_board_begun_again_for_all_four() -> None:
    rig = lost_in_the_auction(**TOURNEY)
    rig.converse(f"""
        {OTHERWISE}
        ended -> 1 abandoned E
        why -> East came back and said 1S where it had said 1H
        incidents -> ... -> diverged E -> restarted E
        begun -> 1 -> 1
    """)
    assert [rig.sent(seat)[-1] for seat in SEATS] == ["Start of board"] * 4


def test_nobody_waits_for_a_program_that_calls_otherwise_when_the_board_is_over() -> None:
    in_auction([board(1), board(2)], **TOURNEY).converse("""
        all hear N E S: passes
        E hangs up
        E comes back
        E: ready for North's bid
        W: passes
        N S: ready for West's bid
        ended -> 1 passed-out
        begun -> 1
        E: bids 1S -> ... -> Start of board -> ...
        begun -> 1 -> 2
        ruled -> nothing
    """)


def test_a_board_is_begun_again_only_so_often_because_of_one_side() -> None:
    rig = in_auction([board(1), board(2)], rules=TableRules(restarts_max=1), **TOURNEY)
    for call in ("1H", "1S"):
        rig.converse(f"""
            all hear N: passes
            all hear E: bids {call}
            E hangs up
            wait 1000
            E comes back
            E: ready for North's bid
            E: bids 7NT
        """)
        if call == "1H":
            rig.start_board()
    rig.converse("ended -> 1 abandoned E -> 1 disconnect E")
    assert "begun again 1 time" in rig.of_kind(BoardEnded)[1].reason


def test_where_the_others_cannot_begin_a_board_again_it_is_taken_from_the_side_that_came_back_otherwise() -> None:
    lost_in_the_auction().converse(f"""
        {OTHERWISE}
        ended -> 1 disconnect E
        over -> nothing
    """)


def test_programs_that_we_start_ourselves_are_sent_away_to_begin_a_board_again() -> None:
    rig = lost_in_the_auction(ours=frozenset(Side))
    rig.converse(f"{OTHERWISE}\nended -> 1 abandoned E")
    assert [rig.sent(seat)[-1] for seat in SEATS] == ["End of session"] * 4
    assert set(rig.restarted[1:]) == set(SEATS)
    rig.converse("""
        N E S W rejoin
        begun -> 1 -> 1
    """)


def test_a_program_that_says_nothing_while_it_is_led_has_stalled() -> None:
    rig = in_auction([board(1), board(2)])
    rig.converse(f"""
        all hear N: bids 1C
        all hear E: passes
        all hear S: bids 1D
        all hear W: passes
        N hangs up
        N comes back
        wait {TimeRules().stall_ms}
        ended -> 1 stall N
    """)
    assert "North owed 'North bids 1C' again for 300 s" in rig.of_kind(BoardEnded)[0].reason


# Any session


class Restarted:
    """A program that is started again: another core on another connection, with the same strategy."""

    def __init__(self, seat: Seat, rig: TableRig, strategy: Strategy) -> None:
        self.seat, self._rig, self._strategy = seat, rig, strategy
        self.said: list[str] = []
        self.start()

    def start(self) -> None:
        self._core = PlayerCore(self.seat, self._rig.core.state.settings.team(self.seat.side))
        self._rig.seats[self.seat] = self._rig.connect()
        self.said = []
        self._react(self._core.start())

    def step(self) -> bool:
        """Say one line, after reading all there is."""
        for line in self._rig.take(self.seat):
            self._react(self._core.receive_line(line.encode()))
        if not self.said:
            return False
        line = self.said.pop(0)
        told = self._rig.send_line(self.seat, line)
        self._rig.seats[self.seat].lines += told
        return True

    def _react(self, effects: list[PlayerEffect]) -> None:
        for effect in effects:
            match effect:
                case SendLine():
                    self.said.append(effect.line)
                case AskCall():
                    decision = self._strategy.choose_call(effect.view)
                    self._react(self._core.make_call(decision.call, decision.alert, asked=effect))
                case AskCard():
                    card = self._strategy.choose_card(effect.view, effect.hand)
                    self._react(self._core.make_card(effect.hand, card, asked=effect))
                case _:
                    pass


def play_with_cuts(rig: TableRig, strategies: dict[Seat, Strategy], order: Random, cuts: int) -> None:
    """Play to the end; so many times a player's connection is lost at any moment, and it comes back anew.

    No player is lost more often than the rules bear in one board.
    """
    players = [Restarted(seat, rig, strategies[seat]) for seat in SEATS]
    left = [player for player in players for _ in range(TableRules().rejoins_max)]
    for _ in range(20_000):
        if rig.ended:
            return
        ready = [player for player in players if player.step()]
        if cuts and order.random() < 0.02:
            cuts -= 1
            victim = left.pop(order.randrange(len(left)))
            rig.hang_up(victim.seat)
            rig.wait(order.randrange(3000))
            victim.start()
        elif not ready:
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


@pytest.mark.clause("BC-49")
def test_a_board_that_is_taken_up_is_begun_again_when_a_program_calls_otherwise_and_is_nobodys_fault() -> None:
    made_before = tuple(record for record in lost_in_the_auction().records if isinstance(record, CallMade))
    rig = table([board(1), board(2)], under_way=BoardSnapshot(1, made_before), **TOURNEY)
    rig.seat_all()
    rig.start_board()
    rig.converse("""
        N: passes
        ended -> 1 void
        ruled -> nothing
    """)
    assert [began.board for began in rig.of_kind(BoardBegan)] == [1]
    assert [rig.sent(seat)[-1] for seat in SEATS] == ["Start of board"] * 4


@pytest.mark.clause("BC-49")
def test_without_replay_a_board_that_was_under_way_is_void_and_begun_again() -> None:
    made_before = tuple(record for record in lost_in_the_auction().records if isinstance(record, CallMade))
    rules = TableRules(rejoin=Rejoin.FORFEIT)
    rig = table([board(1), board(2)], under_way=BoardSnapshot(1, made_before), rules=rules)
    rig.seat_all()
    rig.start_board()
    rig.converse("""
        ended -> 1 void
        begun -> 1
    """)


@pytest.mark.clause("BC-49")
def test_what_the_operator_has_said_of_a_call_is_told_again() -> None:
    first = CallMade(
        board=1,
        seq=0,
        seat=NORTH,
        call=BoardInPlay(board(1)).auction.legal_calls()[1],
        alert="",
        alerted=False,
        thinking_ms=100,
        at_ms=0,
    )
    rig = table(
        [board(1)], under_way=BoardSnapshot(1, (first, AlertAnswered(1, 0, "16 to 18 total points.", "Ada", 0)))
    )
    rig.seat_all()
    rig.start_board()
    rig.converse(f"N: bids {first.call}")
    assert rig.send_line(EAST, "East ready for North's bid")[-1].endswith("Alert. 16 to 18 total points.")
    rig.converse(f"S: ready for North's bid -> North bids {first.call}")
