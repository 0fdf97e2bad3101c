"""Draws: stored once and read back whole, dropped only while nothing has been played."""

from dataclasses import replace

import pytest
from sqlalchemy import func, select

from tests.formats.test_plain_json import SETTINGS
from tests.support.killed_statements import decided_rows, kill_after_each_statement
from tests.support.store_events import NOW_MS, draw_final, make_draw, reload, save_event, stages_draw, table_of, take
from tests.support.store_records import abandoned, made_call, seat_taken, write_records
from tourney.bridge import Seat, board_from_seed
from tourney.config import Durability
from tourney.contest.draw import MatchInfo
from tourney.errors import StoreError
from tourney.movement.seating import Room, TableInfo, seat_match
from tourney.protocol.session.records import BoardBegan, Incident, IncidentKind, RulingKind
from tourney.store.control.host_settings import (
    load_durability,
    load_settings,
    save_settings,
)
from tourney.store.control.orders import give_orders
from tourney.store.db.database import Database
from tourney.store.db.declaring import Model
from tourney.store.draw.objects import EventInfo
from tourney.store.draw.open_stage import add_match, discard_match
from tourney.store.draw.reader import load_event
from tourney.store.draw.writer import replace_draw, save_draw
from tourney.store.models import BoardAttempt, CallRow, ConnectionRow, DealRow, OrderKind, UserRole
from tourney.store.record.rulings import NewRuling, save_ruling
from tourney.store.results.matches import load_match_boards
from tourney.store.rulings import load_rulings
from tourney.store.users import add_user, load_users


def _row_counts(database: Database) -> dict[str, int]:
    with database.read() as connection:
        return {
            name: connection.scalar(select(func.count()).select_from(table)) or 0
            for name, table in Model.metadata.tables.items()
        }


@pytest.mark.parametrize("name", ["Spring Cup", "SPRING cup"])
def test_a_second_draw_of_the_same_name_is_refused(database: Database, name: str) -> None:
    event = save_event(database)
    before = _row_counts(database)
    with pytest.raises(StoreError) as caught:
        save_draw(database, make_draw(4, name=name), NOW_MS)
    assert str(caught.value) == f"event {name!r} has been drawn already"
    assert _row_counts(database) == before
    assert load_event(database, name) == event


def test_users_of_the_console_stay_when_an_event_is_drawn_anew_in_their_teams_if_these_are_still_there(
    database: Database,
) -> None:
    event = save_event(database, make_draw(4))
    for name, team in (("Ada", 0), ("Ben", 3)):
        add_user(database, event.id, name, UserRole.OPERATOR, event.teams[team].id, "x", NOW_MS)
    assert replace_draw(database, event.id, make_draw(2), NOW_MS) is True
    assert [(user.name, user.team) for user in load_users(database, event.id)] == [("Ada", "Team 1"), ("Ben", None)]


def test_a_draw_may_be_replaced_when_programs_have_sat_down_and_no_board_has_begun(database: Database) -> None:
    event = save_event(database)
    ledger = take(database, table_of(event))
    write_records(database, ledger, seat_taken(Seat.NORTH))
    assert _row_counts(database)["connections"] == 1
    assert replace_draw(database, event.id, make_draw(), NOW_MS) is True
    assert _row_counts(database)["connections"] == 0


def test_orders_incidents_and_rulings_go_with_a_replaced_draw_and_those_of_other_events_stay(
    database: Database,
) -> None:
    def give(event: EventInfo) -> None:
        table = table_of(event)
        give_orders(database, [table.id], OrderKind.PAUSE, author="Ada", now_ms=NOW_MS)
        incident = Incident(IncidentKind.KICKED, None, Seat.NORTH, "hello", NOW_MS)
        write_records(database, take(database, table), incident)
        save_ruling(
            database,
            NewRuling(
                event_id=event.id,
                team_id=event.teams[0].id,
                kind=RulingKind.WITHDRAWAL,
                reason="gone home",
                law="",
                now_ms=NOW_MS,
            ),
        )

    other = save_event(database, make_draw(name="Autumn Cup"))
    give(other)
    event = save_event(database)
    before = _row_counts(database)
    give(event)
    counts = _row_counts(database)
    assert [counts[name] - before[name] for name in ("orders", "incidents", "rulings")] == [1, 1, 1]
    assert replace_draw(database, event.id, make_draw(), NOW_MS) is True
    assert _row_counts(database) == before
    assert [ruling.reason for ruling in load_rulings(database, other.id)] == ["gone home"]


def test_the_durability_of_a_record_is_that_of_its_weakest_run(database: Database) -> None:
    event = save_event(database)
    assert load_durability(database, event.id) is None
    weak = replace(SETTINGS, durability=Durability.PROCESS)
    save_settings(database, event.id, weak)
    save_settings(database, event.id, SETTINGS)
    assert load_durability(database, event.id) == Durability.FULL, "nothing begun"
    save_settings(database, event.id, weak)
    write_records(database, take(database, table_of(event)), BoardBegan(1, NOW_MS))
    save_settings(database, event.id, SETTINGS)
    assert load_durability(database, event.id) == Durability.PROCESS
    assert load_settings(database, event.id) == SETTINGS


# What is drawn while an event goes on: later rounds, extra boards, late teams; and boards still to be played


@pytest.fixture
def event(database: Database) -> EventInfo:
    return save_event(database, stages_draw())


def test_a_round_that_is_drawn_later_is_read_back_with_who_plays_in_its_stage(
    database: Database, event: EventInfo
) -> None:
    drawn = draw_final(database, event)
    (match,) = drawn.rounds[3].matches
    assert (match.number, match.round, match.stage, match.home, match.away) == (7, 4, 2, "Team 1", "Team 3")
    assert (match.carry_home, match.carry_away, match.boards) == (250, 0, 2)
    assert [(e.team, e.rank, e.carry_vp) for e in drawn.stages[1].entries] == [
        *(("Team 1", 1, 50), ("Team 3", 2, 0)),
    ]
    # The extra boards are in the set, and not in the match.
    assert [board.number for board in load_match_boards(database, match)] == [1, 2]


# Matches of an open stage: added whole and once, deleted with all that belongs to them, on both databases


HOME, AWAY = "Ann & Bot N", "Bot E & Bot W"


def count(database: Database, model: type[Model]) -> int:
    with database.read() as connection:
        return connection.scalar(select(func.count()).select_from(model)) or 0


def test_a_match_is_added_whole_and_once_wherever_its_process_is_killed(database: Database) -> None:
    event = save_event(database, make_draw())
    boards = (board_from_seed("7", "1.1.9", 1),)
    match = MatchInfo(event.stages[0], HOME, AWAY, seat_match(HOME, AWAY, boards=1), board_set="1.1.9", number=9)

    def add() -> None:
        add_match(database, event.id, match, boards, NOW_MS)

    assert kill_after_each_statement(database, add, seen=lambda: decided_rows(database)) > 5
    added = decided_rows(database)
    add()
    assert decided_rows(database) == added
    (last,) = [each for each in reload(database).matches if each.number == 9]
    assert last.teams == (HOME, AWAY)
    assert [(table.room, table.ns_team) for table in last.tables] == [(Room.OPEN, HOME), (Room.CLOSED, AWAY)]


@pytest.mark.parametrize("caller", [Seat.NORTH, Seat.SOUTH])
def test_a_match_is_discarded_with_its_pairs_unless_one_of_its_players_has_called(
    database: Database, caller: Seat
) -> None:
    event = save_event(database, make_draw())
    deals = count(database, DealRow)
    boards = (board_from_seed("7", "1.1.2", 1),)
    tables = (TableInfo(Room.OPEN, HOME, AWAY, boards=1),)
    match = MatchInfo(event.stages[0], HOME, AWAY, tables, board_set="1.1.2", number=2)
    add_match(database, event.id, match, boards, NOW_MS)
    ledger = take(database, table_of(reload(database), 2), boards_left=1)
    sits, began, call = seat_taken(Seat.SOUTH), BoardBegan(1, NOW_MS), made_call(0, caller)
    write_records(database, ledger, sits, began, call, abandoned(boards[0]))

    is_kept = caller is Seat.SOUTH
    for _ in range(2):
        assert discard_match(database, event.id, 2, {Seat.SOUTH}) is not is_kept
    after = reload(database)
    assert [match.number for match in after.matches] == ([1, 2] if is_kept else [1])
    assert [team.name for team in after.teams] == ["Team 1", "Team 2", *([HOME, AWAY] if is_kept else [])]
    kept = [count(database, model) for model in (ConnectionRow, BoardAttempt, CallRow)]
    assert kept == [int(is_kept)] * 3
    assert count(database, DealRow) == deals + int(is_kept)
