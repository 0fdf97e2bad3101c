"""Draws: stored once and read back whole, dropped only while nothing has been played."""

from dataclasses import replace
from ipaddress import ip_network

import pytest
from sqlalchemy import func, select

from tests.support.store_events import NOW_MS, make_draw, reload, save_event, table_of, take
from tests.support.store_records import abandoned
from tourney.bridge import Seat
from tourney.config import Durability, PortPlan, PortRange
from tourney.config.programs import PROFILES
from tourney.errors import StoreError
from tourney.protocol.access import ConnectionLimits, TeamAccess, hash_phrase
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
from tourney.store.draw.tables import PlannedTeam
from tourney.store.draw.writer import replace_draw, save_draw, update_starts, update_teams
from tourney.store.models import Event, Model, OrderKind, UserRole
from tourney.store.record.rulings import NewRuling, save_ruling
from tourney.store.record.writer import Recorder
from tourney.store.results.matches import load_match_boards
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


def test_a_database_holds_several_events_apart(database: Database) -> None:
    spring, autumn = save_event(database), save_event(database, make_draw(4, name="Autumn Cup"))
    assert reload(database, "Spring Cup") == spring
    assert reload(database, "Autumn Cup") == autumn
    assert replace_draw(database, spring.id, make_draw(6), NOW_MS)
    assert len(reload(database, "Spring Cup").teams) == 6
    assert reload(database, "Autumn Cup") == autumn


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


@pytest.mark.parametrize("over", [False, True])
def test_a_draw_stays_once_a_board_has_begun_even_if_it_was_abandoned(database: Database, over: bool) -> None:
    event = save_event(database)
    ledger = take(database, table_of(event))
    board = load_match_boards(database, event.matches[0])[0]
    Recorder(database).write([(ledger, BoardBegan(board.number, NOW_MS))])
    if over:
        Recorder(database).write([(ledger, abandoned(board))])
    before = _row_counts(database)
    assert replace_draw(database, event.id, make_draw(3), NOW_MS) is False
    assert _row_counts(database) == before


def test_teams_may_change_their_command_and_wire_settings(database: Database) -> None:
    event = save_event(database)
    own = replace(PROFILES["ben"], timing=False)
    update_teams(
        database, event, [PlannedTeam("Team 1", "bot --seed 1", "default"), PlannedTeam("Team 2", None, "ben", own)]
    )
    changed = reload(database)
    assert [(t.command, t.profile, t.wire) for t in changed.teams] == [
        ("bot --seed 1", "default", PROFILES["default"]),
        (None, "ben", own),
    ]
    update_teams(database, changed, [PlannedTeam(f"Team {n}", None, "default") for n in (1, 2)])
    assert reload(database) == event


def test_rounds_may_change_their_times_in_their_own_event_only(database: Database) -> None:
    other = save_event(database, make_draw(3, name="Autumn Cup"))
    event = save_event(database, make_draw(3))
    update_starts(database, event, (NOW_MS, None, NOW_MS + 5))
    assert [round_.starts_at_ms for round_ in reload(database).rounds] == [NOW_MS, None, NOW_MS + 5]
    update_starts(database, reload(database), (None, None, None))
    assert reload(database) == event
    assert reload(database, "Autumn Cup") == other


def test_settings_of_hosts_are_read_back_as_they_were_saved_last(database: Database) -> None:
    event = save_event(database)
    for settings in (SETTINGS, replace(SETTINGS, wire_log=True, port_plan=PortPlan.PER_TABLE)):
        save_settings(database, event.id, settings)
        assert load_settings(database, event.id) == settings
    assert reload(database) == event


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


def test_of_a_pass_phrase_the_hash_is_stored_and_what_has_it_in_clear_is_not(database: Database) -> None:
    event = save_event(database)
    networks = (ip_network("10.0.0.7"), ip_network("2001:db8::/32"))
    phrase = hash_phrase("open sesame", "5a17")
    guarded = replace(
        SETTINGS,
        limits=ConnectionLimits(lines_per_s=77),
        entrances={"Team 1": TeamAccess(phrase, networks), "Team 2": TeamAccess(None, networks)},
    )
    save_settings(database, event.id, replace(guarded, passphrases={"Team 1": "open sesame"}))
    assert load_settings(database, event.id) == guarded
    with database.read() as connection:
        assert "sesame" not in str(connection.scalar(select(Event.settings)))
