"""Rows of what real programs send and need: connecting, teams, start of board, deal. Each test names its program."""

from dataclasses import replace

import pytest

from tests.support.dialect_tables import (
    PROGRAMS,
    any_board,
    dialect_table,
    lines_to,
    passed_out,
    played_on,
    redoubled,
    settings_for,
    strategies_for,
    to_be_played,
)
from tests.support.dialects import DIALECTS, Ben, Ben2022, BridgeEnv, RoboBridge, WBridge5
from tests.support.protocol_players import Script
from tests.support.simulated_table import SimulatedTable
from tests.support.wire_tables import EAST, NORTH, WEST, at_start_of_board, clear, seated, sent
from tourney.bridge import PASS, SEATS, Board, Side, board_from_seed
from tourney.config.programs import PROFILES
from tourney.protocol.session.records import BoardEnded
from tourney.protocol.wires import ReadyForCards, SeatedForm, TeamsLineForm, WireProfile


def test_bridge_env_and_robobridge_find_their_own_names_announced_as_they_sent_them() -> None:
    scripts = (passed_out(), redoubled())
    strategies = strategies_for(scripts)
    profiles = {Side.NS: PROFILES["bridge-env"], Side.EW: PROFILES["robobridge"]}
    players = [
        (BridgeEnv, RoboBridge)[seat % 2](seat, ("ALPHA", "beta")[seat % 2], strategies[seat]) for seat in SEATS
    ]
    at_table = SimulatedTable(settings_for(scripts, profiles), players)
    at_table.play()
    assert at_table.died == {}
    assert 'Teams : N/S : "ALPHA" E/W : "Beta"' in lines_to(at_table, NORTH)
    assert 'Teams : N/S : "Alpha" E/W : "beta"' in lines_to(at_table, EAST)


@pytest.mark.parametrize(
    ("form", "line"),
    [
        (TeamsLineForm.PLAIN, 'Teams : N/S : "Alpha" E/W : "Beta"'),
        (TeamsLineForm.V18, 'Teams : N/S : "Alpha". E/W : "Beta"'),
        (TeamsLineForm.PLAYING, 'Teams : N/S : "Alpha" E/W : "Beta". Playing IMP'),
    ],
)
def test_the_teams_line_is_each_sides_own_form_and_is_sent_once(form: TeamsLineForm, line: str) -> None:
    rig = at_start_of_board(profiles={Side.NS: WireProfile(teams_line=form)})
    rig.all_say("ready for teams")
    plain = 'Teams : N/S : "Alpha" E/W : "Beta"'
    told = [[text for text in sent(rig, seat) if text.startswith("Teams")] for seat in SEATS]
    assert told == [[line], [plain], [line], [plain]]


def test_seated_is_each_sides_own_form() -> None:
    rig = seated(profiles={Side.EW: WireProfile(seated=SeatedForm.PLAIN)})
    assert [sent(rig, seat)[0] for seat in SEATS] == [
        'North ("Alpha") seated',
        "East Beta seated",
        'South ("Alpha") seated',
        "West Beta seated",
    ]


def test_ben_of_2022_ends_its_lines_with_lf_and_its_ready_lines_with_a_full_stop() -> None:
    player = Ben2022(NORTH, "Alpha", strategies_for(())[NORTH])
    (log_on,) = player.connect(0)
    assert log_on.data == b'Connecting "Alpha" as North using protocol version 18.\n'
    (ready,) = player.receive(b'North ("Alpha") seated\r\n', 0)
    assert ready.data == b"North ready for teams.\n"


def test_a_stray_ready_to_start_of_ben_is_swallowed() -> None:
    rig = at_start_of_board()
    clear(rig)
    for seat in SEATS:
        assert rig.send_line(seat, f"{seat.title} ready to start") == []
    assert rig.send_line(NORTH, "North ready for deal") == ["Board number 1. Dealer North. Neither vulnerable."]
    assert rig.send_line(NORTH, "North ready to start") == []
    assert rig.peers[rig.seats[NORTH].number].closed == ""


def test_ben_says_ready_for_deal_twice_once_a_board_was_begun_again_and_is_told_it_once() -> None:
    player = Ben(NORTH, "Alpha", strategies_for((any_board(3),))[NORTH])
    player.connect(0)
    for line in ('North ("Alpha") seated', 'Teams : N/S : "Alpha" E/W : "Beta"'):
        player.receive(line.encode() + b"\r\n", 0)
    said = player.receive(b"Start of board\r\n", 0)
    assert [segment.data for segment in said] == [b"North ready for deal\r\n"]
    said = player.receive(b"Start of board\r\n", 0)
    assert [segment.data for segment in said] == [b"North ready for deal\r\n"] * 2
    rig = at_start_of_board()
    told = [line for segment in said for line in rig.send_line(NORTH, segment.data.rstrip())]
    assert [line for line in told if line.startswith("Board")] == [
        "Board number 1. Dealer North. Neither vulnerable."
    ]


def test_the_cards_follow_the_board_line_of_ben_of_2022_after_a_wait_and_not_before() -> None:
    profile = WireProfile(ready_for_cards=ReadyForCards.ASSUMED)
    rig = at_start_of_board(profiles={Side.NS: profile})
    rig.all_say("ready for deal")
    rig.all_say("ready for cards", seats=(EAST, WEST))
    assert not any("cards" in line for seat in SEATS for line in sent(rig, seat))
    rig.wait(1000)
    assert all("'s cards : " in sent(rig, seat)[-1] for seat in SEATS)


@pytest.mark.clause("BC-51")
def test_wbridge5_takes_seven_seconds_to_be_ready_for_a_deal_and_is_not_charged_for_them() -> None:
    scripts = (redoubled(), any_board(4))
    at_table = dialect_table(WBridge5, Ben, scripts)
    at_table.play()
    assert played_on(at_table) == to_be_played(scripts)
    assert [ended.ns_ms < 1000 for ended in at_table.of_kind(BoardEnded)] == [True, True]


@pytest.mark.parametrize("program", PROGRAMS)
def test_every_program_reads_every_dealer_and_vulnerability_and_a_board_number_of_three_digits(program: str) -> None:
    numbers = (*range(1, 17), 128)
    scripts = tuple(Script(board_from_seed(1, "dialects", number), (PASS,) * 4, (), ("",) * 4) for number in numbers)
    at_table = dialect_table(DIALECTS[program], DIALECTS[program], scripts)
    at_table.play()
    assert (at_table.died, at_table.ended) == ({}, [None])
    assert [player.boards_played for player in at_table.players] == [17] * 4


def test_the_v18_form_of_board_and_hand_is_sent_exactly_to_all_profiles() -> None:
    board = Board.numbered(2, redoubled().board.deal)
    for name, profile in PROFILES.items():
        quick = replace(profile, ready_for_cards=ReadyForCards.ASKED)
        rig = seated([board], profiles={Side.NS: quick, Side.EW: quick})
        rig.start_board()
        lines = sent(rig, NORTH)
        assert "Board number 2. Dealer East. N/S vulnerable." in lines, name
        assert "North's cards : S A K 7. H Q J. D -. C T 9 8 7 6 5 4 3." in lines, name
