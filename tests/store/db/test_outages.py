"""A PostgreSQL server that goes away in the middle of a board, as tables and players see it."""

import asyncio
import json
import time
from pathlib import Path

import pytest

from tests.host.test_leases import LIMITS
from tests.support.databases import PostgresServer
from tests.support.events import bot, read_until, rest_of, start_tourney, write_event
from tests.support.table_host import Witness, all_leave, floor, sit
from tourney.store.db.database import Database
from tourney.store.db.schema import prepare


def end_connections(server: PostgresServer, name: str) -> None:
    server.run(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'")


async def test_connections_that_break_again_and_again_cost_no_call_and_double_none(
    tmp_path: Path, postgres_server: PostgresServer, postgres_url: str
) -> None:
    database = Database(postgres_url)
    prepare(database)
    name = database.url.database
    assert name is not None
    async with floor(tmp_path, url=postgres_url, tables=LIMITS) as place:
        place.reader = database
        witness = Witness(place)
        players = await sit(await place.opened(), delay_call_s=0.02, on_line=witness.listen)
        await place.until_called()
        for _ in range(4):
            end_connections(postgres_server, name)
            await asyncio.sleep(0.7)  # tables try again after half a second
        await all_leave(players)
        witness.check()
        assert place.query("SELECT state FROM tables WHERE room = 'open'") == [("finished",)]
        assert place.query("SELECT count(*) FROM rulings") == [(0,)]
    database.close()


@pytest.mark.campaign
def test_a_run_whose_server_lets_nobody_in_for_a_while_tells_it_once_and_ends_well(
    tmp_path: Path, postgres_server: PostgresServer, postgres_url: str
) -> None:
    database = Database(postgres_url)
    name = database.url.database
    assert name is not None
    event = write_event(tmp_path, [("Alpha", bot(1, think_ms=20)), ("Beta", bot(2, think_ms=20))], boards=1)
    event.write_text(event.read_text().replace("[event]\n", f"[event]\ndatabase = {json.dumps(postgres_url)}\n"))
    run = start_tourney("run", event, "--hosts", "1")
    read_until(run, "closed room: Alpha")
    postgres_server.run(f"ALTER DATABASE {name} WITH ALLOW_CONNECTIONS false")
    end_connections(postgres_server, name)
    read_until(run, "; the tables wait for it")
    time.sleep(1.5)  # of an outage
    postgres_server.run(f"ALTER DATABASE {name} WITH ALLOW_CONNECTIONS true")
    done = rest_of(run)
    assert done.status == 0, done.out
    assert "the tables wait for it" not in done.out
    assert done.out.count("the database can be used again after ") == 1
    with database.read() as connection:
        states = connection.exec_driver_sql("SELECT DISTINCT state, attempt FROM tables").all()
        assert [tuple(row) for row in states] == [("finished", 1)]
        assert connection.exec_driver_sql("SELECT count(*) FROM rulings").scalar() == 0
    database.close()
