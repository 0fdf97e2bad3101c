"""Draws: stored once and read back whole, dropped only while nothing has been played."""

from dataclasses import replace

import pytest
from sqlalchemy import func, select

from tests.support.store_events import NOW_MS, make_draw, save_event, table_of, take
from tourney.bridge import Seat
from tourney.config import Durability, PortPlan, PortRange
from tourney.errors import StoreError
from tourney.protocol.session.records import BoardBegan, Incident, IncidentKind, RulingKind, SeatTaken
from tourney.protocol.session.rules import (
    AlertMode,
    PairMethods,
    Penalty,
    RemedyName,
    TableRules,
    TimeLimit,
    TimeRules,
)
from tourney.store.control.host_settings import (
    HostSettings,
    load_durability,
    load_settings,
    save_settings,
)
from tourney.store.control.orders import give_orders
from tourney.store.db.database import Database
from tourney.store.draw.objects import EventInfo
from tourney.store.draw.reader import load_event
from tourney.store.draw.writer import replace_draw, save_draw
from tourney.store.models import Model, OrderKind, UserRole
from tourney.store.record.rulings import NewRuling, save_ruling
from tourney.store.record.writer import Recorder
from tourney.store.rulings import load_rulings
from tourney.store.users import add_user, load_users

SETTINGS = HostSettings(
    folder="/cups/Übung",
    results_folder="/cups/Übung/results",
    host="0.0.0.0",
    ports=PortRange(3000, 3999),
    port_plan=PortPlan.PER_SEAT,
    trick_pause_ms=250,
    wire_log=False,
    connect_s=30,
    rules=TableRules(
        time=TimeRules(board=TimeLimit(120_000, RemedyName.FORFEIT_BOARD), stall_ms=60_000),
        penalty=Penalty(RulingKind.PENALTY_VP, 50),
        alerting=AlertMode.KEYWORD,
    ),
    methods={"Team 1": PairMethods(inverted_minors=True)},
)


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
    Recorder(database).write(
        [
            (
                ledger,
                SeatTaken(
                    connection=1,
                    seat=Seat.NORTH,
                    team="Team 1",
                    version=18,
                    system="",
                    peer="127.0.0.1:5",
                    at_ms=NOW_MS,
                ),
            )
        ]
    )
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
        Recorder(database).write([(take(database, table), incident)])
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
    Recorder(database).write([(take(database, table_of(event)), BoardBegan(1, NOW_MS))])
    for settings in (SETTINGS, SETTINGS):
        save_settings(database, event.id, settings)
        assert load_durability(database, event.id) == Durability.PROCESS
        assert load_settings(database, event.id) == settings
