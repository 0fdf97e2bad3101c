"""Rulings, incidents and what the operator said of alerts, on both kinds of database."""

from collections.abc import Callable
from threading import Thread
from typing import Any, TypeAlias

import pytest
from sqlalchemy import Connection, insert, update

from tests.support.store_events import NOW_MS, make_draw, save_event, take
from tourney.bridge import PASS, Seat
from tourney.movement.seating import Room
from tourney.protocol.session.records import (
    BoardBegan,
    BoardEnd,
    BoardEnded,
    CallMade,
    IncidentKind,
    RulingKind,
)
from tourney.scoring.match import MatchScore
from tourney.scoring.victory_points import VpHundredths
from tourney.store.db.database import Database
from tourney.store.draw.objects import EventInfo
from tourney.store.models import AlertQuestion, IncidentRow, RulingRow
from tourney.store.record.rulings import NewRuling, save_ruling
from tourney.store.record.writer import Recorder
from tourney.store.results.matches import (
    load_board_records,
    load_match_score,
    save_match_score,
)
from tourney.store.rulings import IncidentInfo, RulingInfo, load_incidents, load_match_rulings, load_rulings

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


def test_a_ruling_is_read_as_it_was_written(database: Database, event: EventInfo, save: Save) -> None:
    match = event.matches[0]
    table = match.tables_at(0)[Room.CLOSED]
    key = save(
        kind=RulingKind.PENALTY_IMPS,
        match_id=match.id,
        table_id=table.id,
        board=2,
        attempt=1,
        amount=3,
        author="Jane",
    )
    expected = RulingInfo(
        id=key,
        kind=RulingKind.PENALTY_IMPS,
        team=match.home,
        match=1,
        room=Room.CLOSED,
        board=2,
        attempt=1,
        ended=None,
        amount=3,
        reason="slow",
        law="BC-45",
        author="Jane",
        at_ms=NOW_MS,
    )
    assert load_rulings(database, event.id) == load_match_rulings(database, match) == [expected]
    assert expected.is_live
    assert load_match_rulings(database, event.matches[1]) == []


def test_a_ruling_knows_how_the_board_ended_that_it_is_on(database: Database, event: EventInfo, save: Save) -> None:
    match = event.matches[0]
    ledger = take(database, match.tables_at(0)[Room.OPEN])
    end = BoardEnded(
        board=1,
        end=BoardEnd.STALL,
        reason="East owed a call",
        result=None,
        ns_ms=0,
        ew_ms=0,
        at_ms=NOW_MS,
        fault=Seat.EAST,
    )
    Recorder(database).write([(ledger, BoardBegan(1, NOW_MS)), (ledger, end)])
    place = {"match_id": match.id, "table_id": ledger.table_id, "board": 1}
    save(kind=RulingKind.BOARD_FORFEIT, attempt=1, **place)
    save(kind=RulingKind.BOARD_FORFEIT, attempt=2, **place)
    assert [ruling.ended for ruling in load_rulings(database, event.id)] == [BoardEnd.STALL, None]


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


# Incidents


def _add_incident(database: Database, event: EventInfo, match: int, at_ms: int, seat: str | None = "E") -> None:
    with database.write() as connection:
        connection.execute(
            insert(IncidentRow).values(
                table_id=event.matches[match - 1].tables_at(0)[Room.CLOSED].id,
                board=2 if seat is not None else None,
                attempt=1 if seat is not None else None,
                kind=IncidentKind.ILLEGAL_CALL if seat is not None else IncidentKind.PAUSED,
                seat=seat,
                text="EAST bids 8C",
                at_ms=at_ms,
            )
        )


def test_an_incident_is_read_as_it_was_written(database: Database, event: EventInfo) -> None:
    _add_incident(database, event, 1, NOW_MS)
    match = event.matches[0]
    assert load_incidents(database, event.id) == [
        # Home sits East-West in the closed room.
        IncidentInfo(
            *(
                1,
                match.tables[1].id,
                1,
                Room.CLOSED,
                2,
                1,
                IncidentKind.ILLEGAL_CALL,
                Seat.EAST,
                match.home,
                "EAST bids 8C",
                NOW_MS,
            )
        )
    ]


# Boards that were forfeited, and scores that changed


def _call(seq: int, *, seat: Seat, alert: str = "", thinking_ms: int = 10) -> CallMade:
    return CallMade(
        board=1,
        seq=seq,
        seat=seat,
        call=PASS,
        alert=alert,
        alerted=bool(alert),
        thinking_ms=thinking_ms,
        at_ms=NOW_MS,
    )


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
    told = CallMade(
        board=1, seq=0, seat=Seat.NORTH, call=PASS, alert="natural", alerted=False, thinking_ms=10, at_ms=NOW_MS
    )
    end = BoardEnded(
        board=1, end=BoardEnd.STALL, reason="", result=None, ns_ms=0, ew_ms=0, at_ms=NOW_MS, fault=Seat.EAST
    )
    Recorder(database).write(
        (ledger, record) for record in (BoardBegan(1, NOW_MS), told, _call(1, seat=Seat.EAST), end)
    )
    _ask(database, ledger.table_id, attempt=1, answer=answer)
    (record,) = load_board_records(database, match)
    assert [(call.alerted, call.alert) for call in record.calls] == [(alerted, alert), (False, "")]


def test_a_score_can_be_replaced_taken_away_and_written_anew(database: Database, event: EventInfo) -> None:
    match = event.matches[0]
    score = MatchScore(2, 10, 3, VpHundredths(1300), VpHundredths(700))
    ruled = MatchScore(2, 7, 3, VpHundredths(1200), VpHundredths(-50))
    save_match_score(database, match, score, NOW_MS)
    save_match_score(database, match, ruled, NOW_MS + 1)
    assert load_match_score(database, match) == ruled
    save_match_score(database, match, None, NOW_MS + 2)
    assert load_match_score(database, match) is None
    save_match_score(database, match, score, NOW_MS + 3)
    assert load_match_score(database, match) == score
    assert load_match_score(database, event.matches[1]) is None
