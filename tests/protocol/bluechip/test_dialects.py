"""What each program in use breaks on, and that its profile keeps it from that.

The first test takes one setting of a program's profile away and sees the program die or wait for ever, as the real
one does; the pairings show that with its profile it plays."""

from dataclasses import replace
from typing import Any

import pytest

from tests.support.dialect_tables import (
    PROGRAMS,
    any_board,
    dialect_table,
    passed_out,
    played_on,
    redoubled,
    settings_for,
    strategies_for,
    to_be_played,
)
from tests.support.dialects import DIALECTS, Ben, BridgeEnv, DialectPlayer, QPlus, RoboBridge
from tests.support.dialects.robobridge import TEXT_LENGTH
from tests.support.protocol_players import Script
from tests.support.simulated_table import SimulatedTable
from tests.support.table_invariants import check_session
from tests.support.wire_tables import (
    NORTH,
)
from tourney.bots.random_style import RandomStrategy
from tourney.bridge import PASS, SEATS, Side, board_from_seed
from tourney.config.programs import PROFILES
from tourney.protocol.bluechip.server_lines import parse_server_line
from tourney.protocol.session.intents import CardIntent
from tourney.protocol.session.records import BoardEnd, BoardEnded
from tourney.protocol.session.rules import RemedyName, TableRules, TimeLimit, TimeRules
from tourney.protocol.wires import ReadyForCards, SeatedForm, TeamsLineForm

SCRIPTS = (passed_out(), redoubled())


def table_of(program: str, changed: dict[str, Any]) -> SimulatedTable:
    """A program as North-South against Q-plus, its profile changed, a minute after they sat down.

    Two boards take some 20 s; what the table does when a player stalls comes after five minutes.
    """
    profile = replace(PROFILES[DIALECTS[program].profile], **changed)
    table = dialect_table(DIALECTS[program], DIALECTS["Q-plus"], SCRIPTS, profile=profile)
    table.play(for_ms=60_000)
    return table


@pytest.mark.clause("BC-17", "BC-37", "BC-50")
@pytest.mark.parametrize(
    ("program", "changed", "why"),
    [
        ("RoboBridge", {"line_gap_ms": 0}, ""),
        ("BEN", {"timing": False}, ""),
        ("BEN", {"teams_line": TeamsLineForm.V18}, 'Teams : N/S : "Alpha". E/W : "Beta"'),
        ("bridge-player", {"teams_line": TeamsLineForm.V18}, 'Teams : N/S : "Alpha". E/W : "Beta"'),
        ("bridge_env", {"timing": True}, "Timing - N/S"),
        ("bridge_env", {"alerts": True}, " Alert. "),
        ("Bridge Moniteur's age", {"alerts": True}, " Alert. "),
        ("Bridge Moniteur's age", {"seated": SeatedForm.V18}, 'North ("Alpha") seated'),
        ("BEN 2022", {"timing": True}, "in place of a board"),
        ("BEN 2023", {"timing": True}, "Board number 2"),
        ("BEN 2022", {"alerts": True}, " Alert. "),
        ("BEN 2022", {"ready_for_cards": ReadyForCards.ASKED}, ""),
        ("Q-plus", {"lead_gap_ms": 0}, ""),
        ("GIB", {"lead_gap_ms": 0}, ""),
    ],
)
def test_without_a_setting_of_its_profile_a_program_ends_or_waits_for_ever(
    program: str, changed: dict[str, Any], why: str
) -> None:
    table = table_of(program, changed)
    assert played_on(table) != to_be_played(SCRIPTS)
    if why:
        assert any(why in said for said in table.died.values()), table.died
    else:
        assert table.died == {}


@pytest.mark.parametrize(
    ("changed", "programs"),
    [
        ({"line_gap_ms": 5}, ("RoboBridge",)),
        ({"teams_line": TeamsLineForm.PLAYING}, ("WBridge5", "BEN", "BEN 2023", "RoboBridge", "Q-plus", "GIB")),
        ({"seated": SeatedForm.PLAIN}, ("WBridge5", "BEN", "BEN 2023", "RoboBridge", "bridge_env", "GIB")),
    ],
)
def test_what_a_profile_need_not_have_harms_nobody(changed: dict[str, Any], programs: tuple[str, ...]) -> None:
    for program in programs:
        assert played_on(table_of(program, changed)) == to_be_played(SCRIPTS), program


class Slow(DialectPlayer):
    """Takes 5 s for each of its calls and cards on board 18."""

    def _say(self, line: str, after_ms: int = 0) -> None:
        acts = self.view is not None and self.view.number == 18 and " ready " not in line
        super()._say(line, 5000 if acts else after_ms)


class SlowBen(Slow, Ben):
    pass


class SlowRoboBridge(Slow, RoboBridge):
    pass


@pytest.mark.parametrize(("kind", "stays"), [(SlowBen, True), (SlowRoboBridge, False)])
def test_a_program_that_lost_a_board_stays_for_the_next_one_if_it_can_begin_again(
    kind: type[DialectPlayer], stays: bool
) -> None:
    scripts = (any_board(1), any_board(2))
    assert [script.board.number for script in scripts] == [18, 19]
    limit = TimeLimit(1000, RemedyName.FORFEIT_BOARD)
    strategies = {seat: RandomStrategy(seat) for seat in SEATS}
    table = dialect_table(kind, QPlus, scripts, rules=TableRules(time=TimeRules(call=limit)), strategies=strategies)
    table.play()
    ends = [ended.end for ended in table.of_kind(BoardEnded)]
    assert ends[0] is BoardEnd.TIME
    assert (ends[1:] == [BoardEnd.PLAYED]) is stays
    assert (table.restarted == []) is stays


# Connecting, teams, start of board, deal: each test names its program


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


@pytest.mark.parametrize("program", PROGRAMS)
def test_every_program_reads_every_dealer_and_vulnerability_and_a_board_number_of_three_digits(program: str) -> None:
    numbers = (*range(1, 17), 128)
    scripts = tuple(Script(board_from_seed(1, "dialects", number), (PASS,) * 4, (), ("",) * 4) for number in numbers)
    at_table = dialect_table(DIALECTS[program], DIALECTS[program], scripts)
    at_table.play()
    assert (at_table.died, at_table.ended) == ({}, [None])
    assert [player.boards_played for player in at_table.players] == [17] * 4


# Auction, play, end of board and session


@pytest.mark.clause("BC-17")
def test_the_opponents_of_robobridge_read_1500_characters_when_they_want_them() -> None:
    at_table = dialect_table(RoboBridge, RoboBridge, (redoubled(),))
    at_table.play()
    texts = [line for line in at_table.sent(NORTH) if "Infos. " in line or "Alert. " in line]
    assert texts
    assert all(len(line) > TEXT_LENGTH - 40 for line in texts)
    assert {line.split()[0] for line in texts} == {"East", "West"}, "partner's texts are not for North"


@pytest.mark.clause("BC-30")
def test_a_card_with_a_text_is_read_as_the_card() -> None:
    told = "East plays TS. signal."
    heard, plain = parse_server_line(told), parse_server_line("East plays TS")
    assert isinstance(heard, CardIntent)
    assert isinstance(plain, CardIntent)
    assert (heard.seat, heard.card) == (plain.seat, plain.card)


# Every program in use against every other, each with its own profile


@pytest.mark.clause("BC-50", "BC-51")
@pytest.mark.parametrize("ew", PROGRAMS)
@pytest.mark.parametrize("ns", PROGRAMS)
def test_two_programs_play_every_board_to_its_end_as_they_mean_it(ns: str, ew: str) -> None:
    seed = PROGRAMS.index(ns) * len(PROGRAMS) + PROGRAMS.index(ew)
    scripts = (passed_out(), redoubled(), any_board(seed))
    table = dialect_table(DIALECTS[ns], DIALECTS[ew], scripts)
    table.play()
    assert table.died == {}
    assert table.waiting == set()
    assert table.ended == [None]
    assert played_on(table) == to_be_played(scripts)
    without_texts = {seat for seat in SEATS if not PROFILES[(DIALECTS[ns], DIALECTS[ew])[seat % 2].profile].alerts}
    untold = check_session(table.log, table.core.state.settings.boards, without_texts=without_texts)
    assert untold == dict.fromkeys(SEATS, 0)
