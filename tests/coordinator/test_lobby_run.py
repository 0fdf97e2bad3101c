"""A lobby in this process: what waits for the database holds up nobody in it."""

import asyncio
import sqlite3
from contextlib import closing
from functools import partial
from pathlib import Path

from tests.support.events import port_range
from tourney.coordinator.draw import ensure_drawn
from tourney.coordinator.lobby_run import LobbyRun, LobbySettings
from tourney.coordinator.seated_runs import SeatedRuns
from tourney.event.file import load_event_file
from tourney.host.lobby import StartTournament
from tourney.runtime.clock import wall_ms
from tourney.store.db.database import Database


async def test_a_tournament_that_waits_for_the_database_does_not_hold_up_the_lobby(tmp_path: Path) -> None:
    path, record = tmp_path / "lobby.toml", tmp_path / "record.db"
    path.write_text(
        f'[event]\nname = "Lobby"\nresults = "."\ndatabase = "sqlite:///{record}"\n[lobby]\n', encoding="utf-8"
    )
    said: asyncio.Queue[str] = asyncio.Queue()
    loop, file, port = asyncio.get_running_loop(), load_event_file(path), int(port_range(1).partition("-")[0])

    def notify(sentence: str) -> None:
        loop.call_soon_threadsafe(said.put_nowait, sentence)

    with closing(Database(f"sqlite:///{record}")) as database:
        event = ensure_drawn(file, database, wall_ms())
        settings, make_runs = LobbySettings(host="127.0.0.1", port=port), partial(SeatedRuns, database)
        lobby = LobbyRun(file, database, event, settings, notify, make_runs=make_runs)
        running = asyncio.create_task(lobby.run())
        assert await said.get() == f"Lobby is open on 127.0.0.1 port {port}"
        with closing(sqlite3.connect(record)) as other:
            other.execute("BEGIN IMMEDIATE")
            lobby.record(StartTournament(1, ("Ann and Ben", "Cat and Dan", "Eve and Fay", "Gus and Hal")))
            assert await said.get() == "t1 begins with 4 pairs"
            other.rollback()  # reached while the tournament cannot be drawn
        assert await said.get() == "t1, round 1: 2 tables"
        lobby.stop()
        await running
