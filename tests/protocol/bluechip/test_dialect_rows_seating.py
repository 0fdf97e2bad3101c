"""Rows of what real programs send and need: connecting, teams, start of board, deal. Each test names its program."""

import pytest

from tests.support.dialect_tables import (
    PROGRAMS,
    dialect_table,
    passed_out,
    redoubled,
    settings_for,
    strategies_for,
)
from tests.support.dialects import DIALECTS, BridgeEnv, RoboBridge
from tests.support.protocol_players import Script
from tests.support.simulated_table import SimulatedTable
from tests.support.wire_tables import EAST, WEST, at_start_of_board, seated
from tourney.bridge import PASS, SEATS, Side, board_from_seed
from tourney.config.programs import PROFILES
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
    at_table.converse("""
        N has heard -> ... -> Teams : N/S : "ALPHA" E/W : "Beta" -> ...
        E has heard -> ... -> Teams : N/S : "Alpha" E/W : "beta" -> ...
    """)


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
    told = [[text for text in rig.sent(seat) if text.startswith("Teams")] for seat in SEATS]
    assert told == [[line], [plain], [line], [plain]]


def test_seated_is_each_sides_own_form() -> None:
    rig = seated(profiles={Side.EW: WireProfile(seated=SeatedForm.PLAIN)})
    assert [rig.sent(seat)[0] for seat in SEATS] == [
        'North ("Alpha") seated',
        "East Beta seated",
        'South ("Alpha") seated',
        "West Beta seated",
    ]


def test_the_cards_follow_the_board_line_of_ben_of_2022_after_a_wait_and_not_before() -> None:
    profile = WireProfile(ready_for_cards=ReadyForCards.ASSUMED)
    rig = at_start_of_board(profiles={Side.NS: profile})
    rig.all_say("ready for deal")
    rig.all_say("ready for cards", seats=(EAST, WEST))
    assert not any("cards" in line for seat in SEATS for line in rig.sent(seat))
    rig.wait(1000)
    assert all("'s cards : " in rig.sent(seat)[-1] for seat in SEATS)


@pytest.mark.parametrize("program", PROGRAMS)
def test_every_program_reads_every_dealer_and_vulnerability_and_a_board_number_of_three_digits(program: str) -> None:
    numbers = (*range(1, 17), 128)
    scripts = tuple(Script(board_from_seed(1, "dialects", number), (PASS,) * 4, (), ("",) * 4) for number in numbers)
    at_table = dialect_table(DIALECTS[program], DIALECTS[program], scripts)
    at_table.play()
    assert (at_table.died, at_table.ended) == ({}, [None])
    assert [player.boards_played for player in at_table.players] == [17] * 4
