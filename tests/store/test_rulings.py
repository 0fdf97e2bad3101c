"""Rulings, incidents and what the operator said of alerts, on both kinds of database."""

from collections.abc import Callable
from threading import Thread
from typing import Any, TypeAlias

import pytest
from sqlalchemy import Connection, insert, update

from tests.support.store_events import NOW_MS, make_draw, save_event, take
from tests.support.store_records import board_ended, made_call, write_records
from tourney.bridge import Seat
from tourney.movement.seating import Room
from tourney.protocol.session.records import (
    BoardBegan,
    BoardEnd,
    RulingKind,
)
from tourney.store.db.database import Database
from tourney.store.draw.objects import EventInfo
from tourney.store.models import AlertQuestion, RulingRow
from tourney.store.record.rulings import NewRuling, save_ruling
from tourney.store.results.matches import (
    load_board_records,
)
from tourney.store.rulings import load_rulings

Save: TypeAlias = Callable[..., int]


@pytest.fixture
def event(database: Database) -> EventInfo:
    """Three teams, three matches of two boards."""
    return save_event(database, make_draw(3))


@pytest.fixture
def save(database: Database, event: EventInfo) -> Save:
    """`save_ruling` against the home team of the first match."""
    team = next(team for team in event.teams if team.name == event.matches[0].home)
    usual: dict[str, Any] = {
        "event_id": event.id,
        "team_id": team.id,
        "reason": "slow",
        "law": "BC-45",
        "now_ms": NOW_MS,
    }

    def save(store: Database | Connection = database, **given: Any) -> int:
        return save_ruling(store, NewRuling(**(usual | given)))

    return save


def _withdraw(database: Database, ruling: int) -> None:
    with database.write() as connection:
        connection.execute(
            update(RulingRow)
            .where(RulingRow.id == ruling)
            .values(withdrawn_at_ms=NOW_MS + 1, withdrawn_by="Jane", withdrawn_reason="heard again")
        )


def _once(event: EventInfo) -> list[dict[str, Any]]:
    return [
        {"kind": RulingKind.WITHDRAWAL},
        {"kind": RulingKind.MATCH_FORFEIT, "match_id": event.matches[0].id},
        {"kind": RulingKind.MATCH_FORFEIT, "match_id": event.matches[1].id},
    ]


def test_a_team_withdraws_and_forfeits_a_match_once(database: Database, event: EventInfo, save: Save) -> None:
    first = [save(**ruling) for ruling in _once(event)]
    again = [save(**ruling, reason="as before", now_ms=NOW_MS + 5) for ruling in _once(event)]
    assert first == again
    assert len(set(first)) == 3
    assert {ruling.reason for ruling in load_rulings(database, event.id)} == {"slow"}


def test_the_other_team_may_forfeit_the_same_match(event: EventInfo, save: Save) -> None:
    match = event.matches[0]
    other = next(team.id for team in event.teams if team.name == match.away)
    ruling = {"kind": RulingKind.MATCH_FORFEIT, "match_id": match.id}
    assert save(**ruling) != save(**ruling, team_id=other)


def test_a_forfeit_that_was_withdrawn_may_be_given_again(database: Database, event: EventInfo, save: Save) -> None:
    for ruling in _once(event):
        key = save(**ruling)
        _withdraw(database, key)
        assert save(**ruling) != key


def test_the_same_withdrawal_given_while_another_is_being_written_is_one(
    database: Database, event: EventInfo, save: Save
) -> None:
    keys: list[int] = []
    second = Thread(target=lambda: keys.append(save(kind=RulingKind.WITHDRAWAL)))
    with database.write() as connection:
        first = save(connection, kind=RulingKind.WITHDRAWAL)
        second.start()
        second.join(timeout=0.2)
        assert second.is_alive()  # it waits for this transaction to end
    second.join()
    assert keys == [first]
    assert len(load_rulings(database, event.id)) == 1


# Boards that were forfeited, and scores that changed


def _ask(database: Database, table_id: int, *, attempt: int, answer: str | None) -> None:
    """The operator is asked about the first call of board 1, North's; None is no answer yet."""
    question = {"table_id": table_id, "board": 1, "attempt": attempt, "seq": 0, "seat": "N", "asked_at_ms": NOW_MS}
    with database.write() as connection:
        connection.execute(insert(AlertQuestion).values(question | {"answer": answer}))


@pytest.mark.parametrize(
    ("answer", "alerted", "alert"),
    [("12 to 14 HCP", True, "12 to 14 HCP"), ("", False, "natural"), (None, False, "natural")],
)
def test_an_alert_that_the_operator_gave_is_the_call_s(
    database: Database, event: EventInfo, answer: str | None, alerted: bool, alert: str
) -> None:
    match = event.matches[0]
    ledger = take(database, match.tables_at(0)[Room.OPEN])
    told = made_call(0, Seat.NORTH, alert="natural")
    end = board_ended(1, BoardEnd.STALL, fault=Seat.EAST)
    write_records(database, ledger, BoardBegan(1, NOW_MS), told, made_call(1, Seat.EAST), end)
    _ask(database, ledger.table_id, attempt=1, answer=answer)
    (record,) = load_board_records(database, match)
    assert [(call.alerted, call.alert) for call in record.calls] == [(alerted, alert), (False, "")]
