"""`tourney.lab.duel_watch`: the record of a duel while it is played, and when its tables are stopped."""

from dataclasses import replace
from pathlib import Path

import pytest

from tests.support.played_event import PlayedEvent, draw_event, event_text
from tourney.bridge import Seat
from tourney.lab.duel_watch import STRIKES, DuelWatch, describe_struck, resume_tables
from tourney.movement.seating import Room
from tourney.scoring.strength.sequential import SequentialTest, Verdict
from tourney.store.control.orders import give_orders, load_holds
from tourney.store.models import OrderKind
from tourney.views.duel import DuelReport
from tourney.views.sequential_test import run_test

DUEL = 'format = "duel"\nmatches = 2\nsprt = "0,12"'


@pytest.fixture
def duel(tmp_path: Path) -> PlayedEvent:
    return draw_event(tmp_path, event_text("New", "Old", boards=40, stage=DUEL))


def watch(duel: PlayedEvent) -> tuple[DuelWatch, list[DuelReport]]:
    shown: list[DuelReport] = []
    stage = duel.file.config.stage[0]
    watching = DuelWatch(duel.database, duel.event, stage, show=shown.append)
    return watching, shown


def win(duel: PlayedEvent, match: int, boards: range) -> None:
    """Let New win the so-many-th boards of a match by a game."""
    for board in boards:
        number = duel.boards(match)[board - 1].number
        duel.record(match, Room.OPEN, number, "4S N", 10)
        duel.record(match, Room.CLOSED, number, "4S N", 9)


def held(duel: PlayedEvent) -> set[OrderKind]:
    tables = [table.id for match in duel.event.matches for table in match.tables]
    return set(load_holds(duel.database, tables).values())


def test_each_look_is_shown_and_the_decision_stops_all_tables(duel: PlayedEvent) -> None:
    watching, shown = watch(duel)
    win(duel, 1, range(1, 11))
    win(duel, 2, range(1, 10))
    assert watching.poll().verdict is Verdict.CONTINUE
    assert held(duel) == set()
    win(duel, 1, range(11, 17))
    win(duel, 2, range(10, 17))
    assert watching.poll().verdict is Verdict.BETTER
    assert [report.result.tally.boards for report in shown] == [19, 32]
    assert watching.is_stopped
    assert held(duel) == {OrderKind.STOP}


def lose(duel: PlayedEvent, boards: int) -> None:
    """Let Old lose so many boards of the first match by faults of its programs."""
    for board in duel.boards(1)[:boards]:
        duel.forfeit(1, Room.OPEN, board.number, Seat.EAST)
        duel.record(1, Room.CLOSED, board.number, "Pass")


def test_a_side_that_loses_too_many_boards_by_faults_stops_the_duel(duel: PlayedEvent) -> None:
    watching, _ = watch(duel)
    lose(duel, STRIKES - 1)
    assert describe_struck(watching.poll()) is None
    last = duel.boards(1)[STRIKES - 1].number
    duel.forfeit(1, Room.OPEN, last, Seat.EAST)
    duel.record(1, Room.CLOSED, last, "Pass")
    standing = watching.poll()
    assert watching.is_stopped
    assert describe_struck(standing) == "Old has lost 20 boards by faults of its programs: the duel stops"
    many = replace(standing, result=run_test("duel", SequentialTest(), [5, -5] * 101))
    assert describe_struck(many) is None  # of many boards


def test_a_board_that_is_forfeited_in_both_rooms_is_one_board(duel: PlayedEvent) -> None:
    for room, seat in ((Room.OPEN, Seat.EAST), (Room.CLOSED, Seat.NORTH)):
        duel.forfeit(1, room, 1, seat)
    watching, _ = watch(duel)
    assert watching.poll().forfeited == {"New": 0, "Old": 1}


def test_a_duel_that_goes_on_resumes_the_tables_that_it_has_stopped_itself(duel: PlayedEvent) -> None:
    lose(duel, STRIKES)
    watching, _ = watch(duel)
    watching.poll()
    by_hand = duel.table(2, Room.OPEN).id
    give_orders(duel.database, [by_hand], OrderKind.STOP, author="Jane", now_ms=1)
    resume_tables(duel.database, duel.event, 2)
    tables = [table.id for match in duel.event.matches for table in match.tables]
    assert load_holds(duel.database, tables) == {by_hand: OrderKind.STOP}
