"""What each program in use breaks on, and that its profile keeps it from that.

Every test takes one setting of a program's profile away and sees the program die or wait for ever, as the real one
does; the pairings show that with its profile it plays.
"""

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
    strategies_for,
    to_be_played,
)
from tests.support.dialects import (
    DIALECTS,
    Ben,
    DialectError,
    DialectPlayer,
    MoniteurEra,
    QPlus,
    RoboBridge,
    WBridge5,
)
from tests.support.protocol_players import Script
from tests.support.simulated_table import SimulatedTable
from tests.support.wire_tables import NORTH, SOUTH, WEST
from tourney.bots.random_style import RandomStrategy
from tourney.bridge import SEATS
from tourney.config.programs import PROFILES
from tourney.protocol.session.records import BoardEnd, BoardEnded
from tourney.protocol.session.rules import RemedyName, TableRules, TimeLimit, TimeRules
from tourney.protocol.wires import ReadyForCards, SeatedForm, TeamsLineForm

SCRIPTS = (passed_out(), redoubled())


def table_of(program: str, scripts: tuple[Script, ...] = SCRIPTS, **changed: object) -> SimulatedTable:
    """A program as North-South against Q-plus, its profile changed, a minute after they sat down.

    Two boards take some 20 s; what the table does when a player stalls comes after five minutes.
    """
    profile = replace(PROFILES[DIALECTS[program].profile], **changed)  # type: ignore[arg-type]
    table = dialect_table(DIALECTS[program], DIALECTS["Q-plus"], scripts, profile=profile)
    table.play(for_ms=60_000)
    return table


def joined_reads(table: SimulatedTable) -> int:
    """How many reads of North and South brought more than one line."""
    connections = {table.seats[seat].number for seat in (NORTH, SOUTH)}
    return sum(read.count(b"\n") > 1 for connection in connections for read in table.reads[connection])


@pytest.mark.clause("BC-50")
def test_robobridge_loses_lines_without_the_gap_and_the_board_is_never_finished() -> None:
    table = table_of("RoboBridge", line_gap_ms=0)
    assert joined_reads(table) > 0
    assert (table.died, table.ended) == ({}, [])
    assert table.waiting == set(SEATS)


@pytest.mark.clause("BC-50")
@pytest.mark.parametrize("gap_ms", [5, 20, PROFILES["robobridge"].line_gap_ms])
def test_robobridge_reads_one_line_at_a_time_and_plays_when_lines_keep_the_gap(gap_ms: int) -> None:
    table = table_of("RoboBridge", line_gap_ms=gap_ms)
    assert joined_reads(table) == 0
    assert played_on(table) == to_be_played(SCRIPTS)


BY_LINE = [name for name, kind in DIALECTS.items() if PROFILES[kind.profile].line_gap_ms == 0]
"""The programs that take their lines one by one from what they have received."""


def test_the_programs_that_are_known_to_read_line_by_line_get_their_lines_without_a_gap() -> None:
    assert BY_LINE == ["BEN", "BEN 2022", "BEN 2023", "bridge_env", "bridge-player"]


@pytest.mark.clause("BC-50")
@pytest.mark.parametrize("program", BY_LINE)
def test_programs_that_read_line_by_line_play_with_several_lines_in_one_packet(program: str) -> None:
    table = table_of(program)
    # After a board, bridge_env and the older BENs get a single line: they cannot be sent the times.
    assert joined_reads(table) > 0
    assert (table.died, table.waiting) == ({}, set())
    assert played_on(table) == to_be_played(SCRIPTS)


def test_ben_swallows_the_start_of_the_next_board_without_a_line_of_times() -> None:
    table = table_of("BEN", timing=False)
    assert played_on(table) == to_be_played(SCRIPTS[:1])
    assert (table.died, table.waiting) == ({}, set(SEATS))


@pytest.mark.parametrize("program", ["BEN", "bridge-player"])
def test_the_full_stop_between_the_teams_kills_ben_and_bridge_player(program: str) -> None:
    table = table_of(program, teams_line=TeamsLineForm.V18)
    assert 'Teams : N/S : "Alpha". E/W : "Beta"' in table.died[NORTH]


@pytest.mark.parametrize("program", ["WBridge5", "BEN", "BEN 2022", "BEN 2023", "RoboBridge", "Q-plus", "GIB"])
def test_the_tail_of_robotm_after_the_teams_harms_none_of_those_that_read_the_names_only(program: str) -> None:
    assert played_on(table_of(program, teams_line=TeamsLineForm.PLAYING)) == to_be_played(SCRIPTS)


def test_the_line_of_times_kills_bridge_env() -> None:
    assert "Timing - N/S" in table_of("bridge_env", SCRIPTS[:1], timing=True).died[NORTH]


def test_a_text_after_a_double_kills_bridge_env() -> None:
    died = table_of("bridge_env", alerts=True).died
    assert any("doubles Alert. " in why or "passes Alert. " in why for why in died.values())


def test_a_text_after_a_call_kills_a_client_of_bridge_moniteurs_age() -> None:
    assert " Alert. " in table_of("Bridge Moniteur's age", alerts=True).died[SOUTH]


def test_the_quoted_seated_kills_a_client_of_bridge_moniteurs_age() -> None:
    assert 'North ("Alpha") seated' in table_of("Bridge Moniteur's age", seated=SeatedForm.V18).died[NORTH]


@pytest.mark.parametrize(
    "program", ["WBridge5", "BEN", "BEN 2022", "BEN 2023", "RoboBridge", "bridge_env", "Q-plus", "GIB"]
)
def test_all_others_read_the_plain_seated_too(program: str) -> None:
    assert played_on(table_of(program, seated=SeatedForm.PLAIN)) == to_be_played(SCRIPTS)


OLD_BENS = ["BEN 2022", "BEN 2023"]


@pytest.mark.clause("BC-37")
@pytest.mark.parametrize("program", OLD_BENS)
@pytest.mark.parametrize("scripts", [SCRIPTS, SCRIPTS[::-1]], ids=["passed-out", "played"])
def test_the_line_of_times_kills_the_older_bens_at_the_board_after(program: str, scripts: tuple[Script, ...]) -> None:
    table = table_of(program, scripts, timing=True)
    assert set(table.died) >= {NORTH, SOUTH}
    assert played_on(table) == to_be_played(scripts[:1])


@pytest.mark.clause("BC-17")
def test_a_text_after_a_call_kills_ben_of_2022_and_not_that_of_2023() -> None:
    assert " Alert. " in table_of("BEN 2022", alerts=True).died[SOUTH]
    assert played_on(table_of("BEN 2023")) == to_be_played(SCRIPTS)
    assert PROFILES["ben-2023"].alerts


def test_ben_of_2022_is_never_dealt_cards_that_it_must_ask_for() -> None:
    table = table_of("BEN 2022", ready_for_cards=ReadyForCards.ASKED)
    assert not [line for seat in SEATS for line in lines_to(table, seat) if "'s cards" in line]
    assert (table.died, table.waiting) == ({}, set(SEATS))


@pytest.mark.parametrize("program", ["Q-plus", "GIB"])
def test_a_lead_asked_for_at_once_is_lost_on_q_plus_and_gib(program: str) -> None:
    table = table_of(program, lead_gap_ms=0)
    assert (table.died, table.waiting) == ({}, set(SEATS))
    assert played_on(table_of(program)) == to_be_played(SCRIPTS)


def test_wbridge5_would_sit_for_293_seconds_on_a_bare_alert_and_is_sent_none() -> None:
    scripts = (passed_out(), redoubled(), any_board(7))
    table = dialect_table(WBridge5, WBridge5, scripts)
    table.play()
    assert not [line for seat in SEATS for line in lines_to(table, seat) if "Alert" in line]
    assert sum(ended.ns_ms + ended.ew_ms for ended in table.of_kind(BoardEnded)) < 10_000
    player = in_auction(WBridge5)
    (answer,) = player.receive(b"West passes Alert.\r\n", 0)[:1]
    assert (answer.data.split()[0], answer.after_ms) == (b"NORTH", 293_000)


@pytest.mark.parametrize("program", PROGRAMS)
def test_the_profile_says_who_begins_a_board_again(program: str) -> None:
    kind = DIALECTS[program]
    player = in_auction(kind)
    if PROFILES[kind.profile].board_restart:
        said = [segment.data for segment in player.receive(b"Start of board\r\n", 0)]
        assert said[0].split()[:4] == [b"North", b"ready", b"for", b"deal"]
    else:
        with pytest.raises(DialectError):
            player.receive(b"Start of board\r\n", 0)


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


@pytest.mark.parametrize("program", ["bridge_env", "RoboBridge"])
def test_lf_alone_ends_no_line_for_bridge_env_and_robobridge(program: str) -> None:
    player = DIALECTS[program](NORTH, "Alpha", strategies_for(SCRIPTS)[NORTH])
    player.connect(0)
    assert player.receive(b'North ("Alpha") seated\n', 0) == []


def in_auction(kind: type[DialectPlayer]) -> DialectPlayer:
    """A program at North that waits for West's call; West deals."""
    script = any_board(3)
    player = kind(NORTH, "Alpha", strategies_for((script,))[NORTH])
    player.connect(0)
    seated = "North Alpha seated" if issubclass(kind, MoniteurEra) else 'North ("Alpha") seated'
    for line in (seated, 'Teams : N/S : "Alpha" E/W : "Beta"', "Start of board"):
        player.receive(line.encode() + b"\r\n", 0)
    player.receive(b"Board number 20. Dealer West. Both vulnerable.\r\n", 0)
    player.receive(b"North's cards : S A K Q. H A K Q. D A K Q. C A K Q J.\r\n", 0)
    assert script.board.dealer is WEST
    return player
