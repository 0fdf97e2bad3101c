"""What each program in use breaks on, and that its profile keeps it from that.

The first test takes one setting of a program's profile away and sees the program die or wait for ever, as the real
one does; the pairings show that with its profile it plays.
"""

from dataclasses import replace
from typing import Any

import pytest

from tests.support.dialect_tables import any_board, dialect_table, passed_out, played_on, redoubled, to_be_played
from tests.support.dialects import DIALECTS, Ben, DialectPlayer, QPlus, RoboBridge
from tests.support.simulated_table import SimulatedTable
from tourney.bots.random_style import RandomStrategy
from tourney.bridge import SEATS
from tourney.config.programs import PROFILES
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
