"""A lobby in this process: what waits for the database holds up nobody in it."""

import asyncio
import sqlite3
from contextlib import closing
from functools import partial
from pathlib import Path
from unittest.mock import patch

from tests.support.events import free_port, until
from tourney.bridge import SEATS
from tourney.coordinator.draw import ensure_drawn
from tourney.coordinator.lobby_run import LobbyRun, LobbySettings
from tourney.coordinator.seated_runs import SeatedRuns
from tourney.event.file import load_event_file
from tourney.host.lobby import BreakOff, StartGame, StartTournament
from tourney.runtime.clock import wall_ms
from tourney.store.db.database import Database
from tourney.store.draw.open_stage import add_match


async def test_what_waits_for_the_database_does_not_hold_up_the_lobby(tmp_path: Path) -> None:
    path, record = tmp_path / "lobby.toml", tmp_path / "record.db"
    path.write_text(
        f'[event]\nname = "Lobby"\nresults = "."\ndatabase = "sqlite:///{record}"\n[lobby]\n', encoding="utf-8"
    )
    said: asyncio.Queue[str] = asyncio.Queue()
    loop, file, port = asyncio.get_running_loop(), load_event_file(path), free_port()

    def notify(sentence: str) -> None:
        loop.call_soon_threadsafe(said.put_nowait, sentence)

    with (
        closing(Database(f"sqlite:///{record}")) as database,
        patch("tourney.coordinator.open_stage.add_match", wraps=add_match) as drawing,
    ):
        event = ensure_drawn(file, database, wall_ms())
        settings, make_runs = LobbySettings(host="127.0.0.1", port=port), partial(SeatedRuns, database)
        lobby = LobbyRun(file, database, event, settings, notify, make_runs=make_runs)
        running = asyncio.create_task(lobby.run())
        assert await said.get() == f"Lobby is open on 127.0.0.1 port {port}"
        with closing(sqlite3.connect(record)) as other:
            other.execute("BEGIN IMMEDIATE")
            lobby.record(StartTournament(1, ("Ann and Ben", "Cat and Dan", "Eve and Fay", "Gus and Hal")))
            assert await said.get() == "t1 begins with 4 pairs"
            for number in (1, 2, 3):
                lobby.record(StartGame(number, "rubber", {seat: f"{seat.letter}{number}" for seat in SEATS}))
                assert (await said.get()).startswith(f"g{number}, rubber: ")
            lobby.record(BreakOff(2, "S2 has left, and nobody is left"))  # the first waits to be drawn, so this does
            other.rollback()  # reached while nothing can be drawn
        while await said.get() != "t1, round 1: 2 tables":
            pass

        def drawn() -> set[int]:
            return {call.args[2].number for call in drawing.call_args_list}

        await asyncio.to_thread(until, lambda: 3 in drawn(), "the last game is drawn")
        assert drawn() == {1, 3}, "a game that was left before it could be drawn never comes on record"
        lobby.stop()
        await running
