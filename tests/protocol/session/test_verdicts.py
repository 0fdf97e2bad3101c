"""Players that are late, break rules, fall silent or are gone: each ends in a ruling, none stops the table."""

import pytest

from tests.support.table_rig import TableRig
from tests.support.wire_tables import EAST, NORTH, SOUTH, WEST, board, in_auction, in_play, seated
from tourney.bridge import SEATS, Side
from tourney.config.programs import PROFILES
from tourney.protocol.session.adjudication import PLAY_OUT_MS
from tourney.protocol.session.orders import KickPlayer
from tourney.protocol.session.records import (
    CallMade,
    Incident,
    IncidentKind,
    Ruled,
    RulingKind,
    SeatLeft,
)
from tourney.protocol.session.rules import Penalty, Rejoin, RemedyName, TableRules, TimeLimit, TimeRules

NO_LIMIT = TimeLimit(None, RemedyName.WARN)
NO_REJOIN = TableRules(rejoin=Rejoin.FORFEIT)


def limited(call: TimeLimit = NO_LIMIT, board: TimeLimit = NO_LIMIT, match: TimeLimit = NO_LIMIT) -> TableRules:
    return TableRules(time=TimeRules(call=call, board=board, match=match))


def incidents(rig: TableRig, kind: IncidentKind) -> list[Incident]:
    return [incident for incident in rig.of_kind(Incident) if incident.kind is kind]


def without(silent: str) -> str:
    """A conversation: those who are there call and ask until the auction of four passes is told."""
    here = [seat for seat in SEATS if seat.letter not in silent]
    steps = []
    for seat in SEATS:
        steps += [f"{seat.letter}: passes"] * (seat in here)
        others = " ".join(other.letter for other in here if other is not seat)
        steps.append(f"{others}: ready for {seat.title}'s bid")
    return "\n".join(steps)


# Connections


@pytest.mark.clause("BC-48")
def test_a_program_that_is_back_in_the_middle_of_a_board_joins_the_next_one() -> None:
    rig = in_auction([board(1), board(2)], rules=NO_REJOIN)
    rig.converse(f"""
        E hangs up
        wait 1000
        E rejoins
        E has heard -> ... -> Teams...
        {without("E")}
        E has heard -> ... -> Start of board
    """)
    assert not any(line.startswith("Timing") for line in rig.sent(EAST))


def test_when_both_sides_lose_their_connection_at_once_the_board_is_void_and_played_again() -> None:
    in_auction([board(1), board(2)], rules=NO_REJOIN).converse(f"""
        E hangs up
        wait 300
        S hangs up
        wait 700
        ended -> 1 void
        ruled -> nothing
        {without("ES")}
        E S rejoin
        begun -> 1 -> 1
    """)


def test_two_voids_in_a_row_stop_the_table_and_say_so() -> None:
    in_auction([board(1), board(2)], rules=NO_REJOIN).converse("""
        N E S W hang up
        wait 0
        N E S W rejoin
        N E S W hang up
        wait 0
        ended -> 1 void -> 1 void
        over -> board 1 was void 2 times in a row: look after the network
    """)


@pytest.mark.clause("BC-48")
def test_a_seat_that_stays_empty_between_boards_costs_its_side_the_match() -> None:
    in_auction([board(1), board(2)], rules=NO_REJOIN).converse(f"""
        E hangs up
        wait 1000
        {without("E")}
        wait {TimeRules().absence_ms - 1}
        over -> nothing
        wait 1
        ruled -> ... -> match-forfeit EW...
        over -> in order
        N has heard -> ... -> End of session
    """)


def test_a_program_that_comes_and_goes_between_boards_has_no_more_time_than_one_that_stays_away() -> None:
    rig = in_auction([board(1), board(2)], rules=NO_REJOIN)
    rig.converse(f"E hangs up\nwait 1000\n{without('E')}")
    time, visits = TimeRules(), 0
    while not rig.ended:
        rig.converse("""
            E logs on
            wait 10_000
            E hangs up
        """)
        visits += 1
        assert 10_000 * (visits - 1) <= time.absence_ms + time.ready_ms, "it goes on for ever"
    rig.converse("ruled -> ... -> match-forfeit EW...")


@pytest.mark.clause("BC-45")
def test_a_board_that_one_side_has_forfeited_ends_although_nobody_at_the_table_says_anything() -> None:
    in_auction([board(1)]).converse(f"""
        # the others are to ask for it
        N: passes
        wait 10_000
        # it owes its call from now on, ten seconds after the others' lines
        E: ready for North's bid
        wait {10 * TimeRules().stall_ms}
        ended -> 1 stall... -> ...
        over -> in order
    """)


@pytest.mark.clause("BC-45")
@pytest.mark.parametrize(("is_ours", "waited_ms"), [(True, PLAY_OUT_MS), (False, TimeRules().stall_ms)])
def test_on_a_board_that_its_side_has_forfeited_a_program_of_ours_is_not_waited_for_as_long_as_any(
    is_ours: bool, waited_ms: int
) -> None:
    rig = in_auction([board(1)])
    for seat in (NORTH, SOUTH):
        connection = rig.core.state.seats[seat].connection
        assert connection is not None
        connection.is_ours = is_ours
    rig.converse(f"""
        wait {TimeRules().stall_ms}
        ended -> 1 stall N
        E: ready for North's bid
        E: passes
        S: ready for North's bid
        # it owes its call from now on
        S: ready for East's bid
        wait {waited_ms - 1}
        S is connected
        wait 1
        S was closed -> South owed a call for {waited_ms // 1000} s
    """)


@pytest.mark.clause("BC-48")
def test_a_board_at_which_connections_of_both_sides_are_lost_again_and_again_is_void() -> None:
    again = "N E hang up\nwait 1000\nN E rejoin\n"
    in_auction([board(1)]).converse(f"""
        {again * TableRules().rejoins_max}
        ended -> nothing
        N E hang up
        wait 1000
        ended -> 1 void
    """)


@pytest.mark.clause("BC-08")
def test_the_connection_of_a_seat_that_its_own_team_asks_for_is_probed_and_that_of_another_is_not() -> None:
    rig = in_auction([board(1)])
    team = rig.core.state.settings.team(Side.NS)
    stranger = rig.connect()
    rig.send_line(stranger, 'Connecting "Strangers" as North using protocol version 18')
    assert rig.probed == []
    knocking = rig.connect()
    refused = rig.send_line(knocking, f'Connecting "{team}" as North using protocol version 18')
    assert refused == [f"Error: North is taken by '{team}'"]
    assert rig.probed == [rig.seats[NORTH].number]


def test_a_new_board_is_not_charged_with_a_player_that_left_after_the_last_one() -> None:
    in_auction([board(1), board(2)]).converse("""
        all hear N E S: passes
        W: passes
        E hangs up
        N S: ready for West's bid
        wait 500
        E rejoins
        wait 2000
        ended -> 1 passed-out
    """)


# Time


@pytest.mark.clause("BC-45")
def test_a_player_over_the_limit_of_a_call_is_judged_when_the_limit_ends() -> None:
    in_auction([board(1), board(2)], rules=limited(call=TimeLimit(10_000, RemedyName.FORFEIT_BOARD))).converse("""
        wait 9999
        ended -> nothing
        wait 1
        ended -> 1 time N
        ruled -> board-forfeit NS 1
        N is disconnected
    """)


@pytest.mark.clause("BC-45")
def test_a_program_that_can_begin_again_keeps_its_seat_after_a_matter_of_time() -> None:
    rules = limited(call=TimeLimit(10_000, RemedyName.FORFEIT_BOARD))
    in_auction([board(1), board(2)], rules=rules, profiles={Side.NS: PROFILES["ben"]}).converse(f"""
        wait 10_000
        N is connected
        N: passes
        calls -> N Pass by the table
        {without("N")}
        N has heard -> ... -> Start of board
    """)


@pytest.mark.clause("BC-45")
@pytest.mark.parametrize(
    ("remedy", "kind"), [(RemedyName.WARN, RulingKind.WARNING), (RemedyName.PENALTY, RulingKind.PENALTY_IMPS)]
)
def test_a_side_over_its_time_for_a_board_is_warned_or_fined_once_and_plays_on(
    remedy: RemedyName, kind: RulingKind
) -> None:
    in_auction([board(1), board(2)], rules=limited(board=TimeLimit(120_000, remedy))).converse(f"""
        wait 100_000
        all hear N: passes
        wait 50_000
        all hear E: passes
        wait 19_999
        ruled -> nothing
        wait 1
        ruled -> {kind.value} NS 1
        wait 60_000
        ruled -> {kind.value} NS 1
        S: passes -> nothing
        ended -> nothing
    """)


@pytest.mark.clause("BC-45", "BC-51")
def test_a_player_that_owes_a_ready_line_stalls_after_its_own_limit() -> None:
    in_auction([board(1), board(2)]).converse(f"""
        N: passes
        E S: ready for North's bid
        E: passes
        N S: ready for East's bid
        wait 10_000
        S: passes
        wait {TimeRules().ready_ms - 10000}
        ended -> 1 stall W
    """)


@pytest.mark.clause("BC-45")
def test_the_first_byte_of_an_answer_counts_unless_it_came_before_the_player_could_act() -> None:
    rig = in_auction([board(1)])
    north = rig.seats[NORTH].number
    start_ms = rig.now_ms
    rig.wait(5_000)
    rig.carry_out(rig.core.receive_line(north, b"North passes", rig.now_ms, start_ms + 2_000))
    rig.converse("""
        E: ready for North's bid
        wait 1_000
    """)
    east = rig.seats[EAST].number
    rig.carry_out(rig.core.receive_line(east, b"East passes", rig.now_ms, start_ms))
    assert [call.thinking_ms for call in rig.of_kind(CallMade)] == [2_000, 1_000]


# Irregularities


@pytest.mark.clause("BC-46")
def test_an_answer_that_crosses_the_tables_own_call_is_swallowed_once() -> None:
    in_auction([board(1)]).converse("""
        N: doubles
        N: doubles
        N: doubles
        N: bids 1C -> nothing
        N: bids 1C -> Error: ... -> ...
        calls -> N Pass by the table
    """)


@pytest.mark.clause("BC-46")
def test_irregularities_are_counted_by_side() -> None:
    in_auction([board(1)]).converse("""
        N: doubles
        S E: passes
        ruled -> nothing
        N: redoubles
        ruled -> warning NS 1
    """)


@pytest.mark.clause("BC-46")
def test_the_table_plays_the_lowest_card_of_the_suit_led_in_a_players_place() -> None:
    in_play([board(1)], rules=TableRules(irregularities_max=1)).converse("""
        all hear E: plays TS
        clear
        N: ready for dummy
        N: South plays AH
        cards -> East TS -> South 5S by the table
    """)


@pytest.mark.clause("BC-46")
@pytest.mark.parametrize(
    ("remedy", "kind", "ended"),
    [
        (RemedyName.WARN, RulingKind.WARNING, "nothing"),
        (RemedyName.PENALTY, RulingKind.PENALTY_VP, "nothing"),
        (RemedyName.FORFEIT_BOARD, RulingKind.BOARD_FORFEIT, "1 illegal N"),
        (RemedyName.FORFEIT_MATCH, RulingKind.MATCH_FORFEIT, "1 illegal N"),
    ],
)
def test_each_remedy_leaves_its_ruling(remedy: RemedyName, kind: RulingKind, ended: str) -> None:
    rules = TableRules(irregularities_max=1, irregularity_remedy=remedy, penalty=Penalty(RulingKind.PENALTY_VP, 50))
    rig = in_auction([board(1), board(2)], rules=rules)
    rig.converse(f"""
        N: doubles
        ruled -> {kind.value} NS 1
        ended -> {ended}
    """)
    assert rig.of_kind(Ruled)[0].amount == (50 if kind is RulingKind.PENALTY_VP else 0)


@pytest.mark.clause("BC-46", "BC-47")
def test_a_call_that_only_repeats_the_last_one_is_no_irregularity() -> None:
    in_auction([board(1)], rules=TableRules(irregularities_max=1)).converse("""
        all hear N: passes
        N: passes
        ruled -> nothing
    """)


@pytest.mark.clause("BC-46")
def test_a_player_that_never_stops_is_sent_away_whatever_the_remedy() -> None:
    rules = TableRules(irregularities_max=1, irregularity_remedy=RemedyName.WARN)
    rig = in_auction([board(1)], rules=rules)
    rig.converse("N: doubles\n" * 20 + "ended -> 1 illegal N")
    assert [left.seat for left in rig.of_kind(SeatLeft)] == [NORTH]


@pytest.mark.clause("BC-46")
def test_when_a_board_has_been_forfeited_the_table_calls_for_another_player_that_goes_on_breaking_rules() -> None:
    rig = in_auction([board(1), board(2)], rules=NO_REJOIN)
    rig.converse("""
        E hangs up
        wait 1000
        ended -> 1 disconnect E
    """)
    doubles = "S: doubles\n"
    rig.converse(f"""
        N: doubles -> Illegal bid
        N: doubles -> Illegal bid
        N: doubles -> Illegal bid -> North passes
        ruled -> board-forfeit EW 1
        calls -> N Pass by the table -> E Pass by the table
        # it has asked for nothing, so that the table cannot call for it
        {17 * doubles}
        # each player's lines are counted by themselves
        S is connected
        {3 * doubles}
        S is disconnected
        calls -> N... -> E... -> S...
    """)


# The director


def test_a_kick_says_what_it_has_cost_and_its_ruling_has_the_name_of_the_director() -> None:
    rig = in_auction([board(1), board(2)])
    outcome = rig.order(KickPlayer(WEST, "it hangs", author="Ada"))
    assert outcome == "West was sent away; board 1 is forfeited: average minus to Beta, average plus to Alpha"
    (ruled,) = rig.of_kind(Ruled)
    assert (ruled.author, ruled.clause, ruled.reason) == ("Ada", "Law 12C2", "West was sent away: it hangs")
    assert [incident.text for incident in incidents(rig, IncidentKind.KICKED)] == ["Ada: it hangs"]


def test_a_kick_between_boards_costs_nothing() -> None:
    rig = seated([board(1), board(2)])
    outcome = rig.order(KickPlayer(WEST, "it hangs", author="Ada"))
    assert outcome == "West was sent away; no board was in play, so that nothing is forfeited"
    rig.converse("""
        ended -> nothing
        ruled -> nothing
        kick W: it hangs -> nobody sits West
    """)


def test_a_kick_without_a_forfeit_leaves_a_board_that_was_lost_before_as_it_is() -> None:
    rig = in_auction([board(1), board(2)])
    rig.converse("kick E: it hangs")
    outcome = rig.order(KickPlayer(SOUTH, "it hangs too", forfeits=False))
    assert outcome == "South was sent away; no board was in play, so that there is none to begin again"
    rig.converse(f"""
        ended -> 1 disconnect E
        {without("ES")}
        E S rejoin
        begun -> 1 -> 2
    """)
