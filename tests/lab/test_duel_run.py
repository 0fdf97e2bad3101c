"""The record of a duel while it is played, and when its tables are stopped."""

from dataclasses import replace
from pathlib import Path

import pytest

from tests.support.played_event import CLOSED, OPEN, PlayedEvent, draw_event, event_text
from tourney.bridge import Seat
from tourney.lab.duel_run import STRIKES, describe_struck, poll_duel, resume_tables
from tourney.scoring.strength.sequential import SequentialTest, Verdict
from tourney.store.control.orders import give_orders, load_holds
from tourney.store.models import OrderKind
from tourney.views.duel import DuelReport
from tourney.views.sequential_test import run_test

DUEL = 'format = "duel"\nmatches = 2\nsprt = "0,12"'


@pytest.fixture
def duel(tmp_path: Path) -> PlayedEvent:
    return draw_event(tmp_path, event_text("New", "Old", boards=40, stage=DUEL))


def look(duel: PlayedEvent) -> tuple[DuelReport, bool]:
    """Look at the record once; return what is shown, and whether that stops the tables."""
    shown: list[DuelReport] = []
    is_stopped = poll_duel(duel.database, duel.event, duel.file.config.stage[0], shown.append)
    return shown[0], is_stopped


def win(duel: PlayedEvent, match: int, boards: range) -> None:
    """Let New win the so-many-th boards of a match by a game."""
    for board in boards:
        number = duel.boards(match)[board - 1].number
        duel.record(match, OPEN, number, "4S N", 10)
        duel.record(match, CLOSED, number, "4S N", 9)


def held(duel: PlayedEvent) -> set[OrderKind]:
    tables = [table.id for match in duel.event.matches for table in match.tables]
    return set(load_holds(duel.database, tables).values())


def test_each_look_is_shown_and_the_decision_stops_all_tables(duel: PlayedEvent) -> None:
    win(duel, 1, range(1, 11))
    win(duel, 2, range(1, 10))
    standing, is_stopped = look(duel)
    assert (standing.verdict, standing.result.tally.boards, is_stopped) == (Verdict.CONTINUE, 19, False)
    assert held(duel) == set()
    win(duel, 1, range(11, 17))
    win(duel, 2, range(10, 17))
    standing, is_stopped = look(duel)
    assert (standing.verdict, standing.result.tally.boards, is_stopped) == (Verdict.BETTER, 32, True)
    assert held(duel) == {OrderKind.STOP}


def lose(duel: PlayedEvent, boards: int) -> None:
    """Let Old lose so many boards of the first match by faults of its programs."""
    for board in duel.boards(1)[:boards]:
        duel.forfeit(1, OPEN, board.number, Seat.EAST)
        duel.record(1, CLOSED, board.number, "Pass")


def test_a_side_that_loses_too_many_boards_by_faults_stops_the_duel(duel: PlayedEvent) -> None:
    lose(duel, STRIKES - 1)
    assert describe_struck(look(duel)[0]) is None
    last = duel.boards(1)[STRIKES - 1].number
    duel.forfeit(1, OPEN, last, Seat.EAST)
    duel.record(1, CLOSED, last, "Pass")
    standing, is_stopped = look(duel)
    assert is_stopped
    assert describe_struck(standing) == "Old has lost 20 boards by faults of its programs: the duel stops"
    many = replace(standing, result=run_test("duel", SequentialTest(), [5, -5] * 101))
    assert describe_struck(many) is None  # of many boards


def test_a_board_that_is_forfeited_in_both_rooms_is_one_board(duel: PlayedEvent) -> None:
    for room, seat in ((OPEN, Seat.EAST), (CLOSED, Seat.NORTH)):
        duel.forfeit(1, room, 1, seat)
    assert [program.forfeited for program in look(duel)[0].programs] == [0, 1]


def test_a_duel_that_goes_on_resumes_the_tables_that_it_has_stopped_itself(duel: PlayedEvent) -> None:
    lose(duel, STRIKES)
    look(duel)
    by_hand = duel.table(2, OPEN).id
    give_orders(duel.database, [by_hand], OrderKind.STOP, author="Jane", now_ms=1)
    resume_tables(duel.database, duel.event, 2)
    tables = [table.id for match in duel.event.matches for table in match.tables]
    assert load_holds(duel.database, tables) == {by_hand: OrderKind.STOP}
