"""A game of a lobby goes on record whole, once, and with a host at its table: on both kinds of database."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from tests.support.killed_statements import decided_rows, kill_after_each_statement, unheard_commit
from tourney.bridge import Seat
from tourney.coordinator.draw import ensure_drawn
from tourney.coordinator.lobby_run import LobbyRun
from tourney.coordinator.lobby_tournaments import LobbySettings
from tourney.errors import StoreUnavailable
from tourney.event.file import load_event_file
from tourney.host.lobby import StartGame
from tourney.runtime.clock import wall_ms
from tourney.store.db.database import Database
from tourney.store.draw.reader import load_event
from tourney.store.models import TableState

PLAYERS = {Seat.NORTH: "Ann", Seat.EAST: "Cat", Seat.SOUTH: "Ben", Seat.WEST: "Dan"}


@pytest.fixture
def lobby(database: Database, tmp_path: Path) -> LobbyRun:
    path = tmp_path / "lobby.toml"
    path.write_text(f'[event]\nname = "Lobby"\ndatabase = "{database.address}"\n[lobby]\n', encoding="utf-8")
    file = load_event_file(path)
    event = ensure_drawn(file, database, 1)
    run = LobbyRun(file, database, event, LobbySettings(host="127.0.0.1", port=2000), lambda _: None)
    run._host_name = "1-abc"
    run._lease.take(wall_ms())
    return run


def start(run: LobbyRun) -> None:
    run.record(StartGame(1, "chicago", PLAYERS))
    do(run._work.popleft())


def do(work: Callable[[], Awaitable[None]]) -> None:
    async def to_its_end() -> None:
        await work()

    asyncio.run(to_its_end())


def tables_of(run: LobbyRun, database: Database) -> list[tuple[int, TableState, str | None]]:
    event = load_event(database, "Lobby")
    assert event is not None
    return [(match.number, table.state, table.host) for match in event.matches for table in match.tables]


def test_a_game_whose_start_is_killed_after_any_statement_has_not_begun(lobby: LobbyRun, database: Database) -> None:
    assert kill_after_each_statement(lobby._database, lambda: start(lobby), seen=lambda: decided_rows(database)) > 5
    assert tables_of(lobby, database) == [(1, TableState.ASSIGNED, "1-abc")]


def test_a_game_whose_start_was_not_heard_of_is_not_begun_twice(
    lobby: LobbyRun, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As the lobby does it: what failed for want of the database is done again."""
    lobby.record(StartGame(1, "chicago", PLAYERS))
    with unheard_commit(lobby._database, monkeypatch), pytest.raises(StoreUnavailable):
        do(lobby._work[0])
    before = decided_rows(database)
    do(lobby._work[0])
    assert decided_rows(database) == before
    assert tables_of(lobby, database) == [(1, TableState.ASSIGNED, "1-abc")]
    assert lobby._games.keys() == {1}
