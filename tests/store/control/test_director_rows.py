"""What a director puts on record, on both kinds of database: rulings, withdrawals of them, final results."""

from collections.abc import Callable
from typing import Any, TypeAlias

import pytest
from sqlalchemy import update

from tests.support.store_events import NOW_MS, make_draw, save_event
from tourney.errors import StoreError
from tourney.scoring.double_dummy import BoardWorth, DoubleDummyTable
from tourney.store.db.database import Database
from tourney.store.draw.objects import EventInfo
from tourney.store.models import BoardAnalysis
from tourney.store.record.rulings import NewRuling, save_ruling
from tourney.store.results.matches import load_board_worths, save_board_worth

Save: TypeAlias = Callable[..., int]


@pytest.fixture
def event(database: Database) -> EventInfo:
    return save_event(database, make_draw(2))


@pytest.fixture
def save(database: Database, event: EventInfo) -> Save:
    """`save_ruling` on board 2 of the only match."""
    match = event.matches[0]
    usual: dict[str, Any] = {
        "event_id": event.id,
        "match_id": match.id,
        "board": 2,
        "author": "Ada",
        "now_ms": NOW_MS,
    }

    def save(**given: Any) -> int:
        return save_ruling(database, NewRuling(reason="a fouled board", law="Law 12C", **(usual | given)))

    return save


def test_analyses_are_read_as_they_were_written_and_written_once(database: Database, event: EventInfo) -> None:
    match = event.matches[0]
    worth = BoardWorth(DoubleDummyTable.parse("89587895874365643656"), 140, ("1S N +2",))
    for _ in range(2):
        save_board_worth(database, match.board_set_id, 2, worth)
    assert load_board_worths(database, match.board_set_id) == {2: worth}
    with database.write() as connection:
        connection.execute(update(BoardAnalysis).values(tricks="z" * 20))
    with pytest.raises(StoreError, match="the analysis of board 2 cannot be read"):
        load_board_worths(database, match.board_set_id)
