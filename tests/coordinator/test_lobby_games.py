"""A game of a lobby goes on record whole, once, and with a host at its table: on both kinds of database."""

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path

import pytest

from tests.support.killed_statements import decided_rows, kill_after_each_statement, unheard_commit
from tourney.bridge import Seat
from tourney.coordinator.draw import ensure_drawn
from tourney.coordinator.lobby_run import LobbyRun
from tourney.coordinator.lobby_tournaments import LobbySettings, TournamentRuns
from tourney.errors import StoreUnavailable
from tourney.event.file import load_event_file
from tourney.host.lobby import StartGame
from tourney.host.seat_links import HostSeats
from tourney.runtime.clock import HostClock, wall_ms
from tourney.store.db.database import Database
from tourney.store.db.schema import prepare
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


async def test_a_tournament_that_waits_for_the_database_does_not_hold_up_the_lobby(tmp_path: Path) -> None:
    path, record = tmp_path / "lobby.toml", tmp_path / "record.db"
    path.write_text(f'[event]\nname = "Lobby"\ndatabase = "sqlite:///{record}"\n[lobby]\n', encoding="utf-8")
    said: asyncio.Queue[str] = asyncio.Queue()
    loop = asyncio.get_running_loop()

    def notify(sentence: str) -> None:
        loop.call_soon_threadsafe(said.put_nowait, sentence)

    with closing(Database(f"sqlite:///{record}")) as database:
        prepare(database)
        runs = TournamentRuns(
            load_event_file(path),
            database,
            LobbySettings(host="127.0.0.1", port=2000),
            HostClock(),
            notify,
            lambda number: None,
        )
        runs.begin(1, ["Ann and Ben", "Cat and Dan", "Eve and Fay", "Gus and Hal"])
        with closing(sqlite3.connect(record)) as other:
            other.execute("BEGIN IMMEDIATE")
            runs.play(1, HostSeats())
            other.rollback()  # reached while the tournament cannot be drawn
        assert await said.get() == "t1, round 1: 2 tables"
        await runs.stop()
