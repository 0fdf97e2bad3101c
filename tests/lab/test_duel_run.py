"""The record of a duel while it is played, and when its tables are stopped."""

from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from tests.support.event_conversation import converse
from tests.support.played_event import CLOSED, OPEN, PlayedEvent, draw_event, event_text
from tourney.bridge import Seat
from tourney.lab.duel_run import STRIKES, describe_struck, poll_duel, resume_tables
from tourney.scoring.strength.sequential import SequentialTest
from tourney.views.duel import DuelReport
from tourney.views.sequential_test import run_test

DUEL = 'format = "duel"\nmatches = 2\nsprt = "0,12"'


@pytest.fixture
def duel(tmp_path: Path) -> PlayedEvent:
    return draw_event(tmp_path, event_text("New", "Old", boards=40, stage=DUEL))


def look(duel: PlayedEvent) -> list[str]:
    """Look at the record once: what is shown, and whether that stops the tables, and because of whom."""
    (report,), is_stopped = shown(duel)
    told = f"{report.verdict.value} after {report.result.tally.boards} boards"
    return [told, *["stopped"] * is_stopped, *filter(None, [describe_struck(report)])]


def shown(duel: PlayedEvent) -> tuple[list[DuelReport], bool]:
    shown: list[DuelReport] = []
    is_stopped = poll_duel(duel.database, duel.event, duel.file.config.stage[0], shown.append)
    return shown, is_stopped


def wins(duel: PlayedEvent, match: str, first: str, last: str) -> None:
    """New wins the so-many-th boards of a match by a game."""
    for board in duel.boards(int(match))[int(first) - 1 : int(last)]:
        duel.record(int(match), OPEN, board.number, "4S N", 10)
        duel.record(int(match), CLOSED, board.number, "4S N", 9)


def test_each_look_is_shown_and_the_decision_stops_all_tables(duel: PlayedEvent) -> None:
    tell(
        duel,
        """
        wins 1 1 10
        wins 2 1 9
        look -> continue after 19 boards
        holds -> nothing
        wins 1 11 16
        wins 2 10 16
        look -> H1 after 32 boards -> stopped
        holds -> stop 1-open -> stop 1-closed -> stop 2-open -> stop 2-closed
        """,
    )


def loses(duel: PlayedEvent, first: str, last: str) -> None:
    """Old loses boards of the first match by faults of its programs."""
    for board in duel.boards(1)[int(first) - 1 : int(last)]:
        duel.forfeit(1, OPEN, board.number, Seat.EAST)
        duel.record(1, CLOSED, board.number, "Pass")


tell = partial(converse, look=look, wins=wins, loses=loses)


def test_a_side_that_loses_too_many_boards_by_faults_stops_the_duel(duel: PlayedEvent) -> None:
    tell(
        duel,
        f"""
        loses 1 {STRIKES - 1}
        look -> continue after 1 boards
        loses {STRIKES} {STRIKES}
        look -> ... -> stopped -> Old has lost 20 boards by faults of its programs: the duel stops
        """,
    )
    (standing,), _ = shown(duel)
    many = replace(standing, result=run_test("duel", SequentialTest(), [5, -5] * 101))
    assert describe_struck(many) is None  # of many boards


def test_a_board_that_is_forfeited_in_both_rooms_is_one_board(duel: PlayedEvent) -> None:
    converse(duel, "match 1 board 1: E forfeits, N forfeits")
    (report,), _ = shown(duel)
    assert [program.forfeited for program in report.programs] == [0, 1]


def test_a_duel_that_goes_on_resumes_the_tables_that_it_has_stopped_itself(duel: PlayedEvent) -> None:
    tell(duel, f"loses 1 {STRIKES}\nlook -> ... -> stopped -> ...\nJane: stop 2-open")
    resume_tables(duel.database, duel.event, 2)
    tell(duel, "holds -> stop 2-open")
