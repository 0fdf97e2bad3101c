"""`bench console`: what the director's console costs while a round is in play, and how long a page is."""

import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from statistics import median
from typing import Final

from sqlalchemy import insert, update
from starlette.requests import Request

from bench.console_watcher import add_director
from bench.events import bench_database, describe, teams_text
from bench.figures import Machine, this_machine
from tourney.bridge import SEATS
from tourney.config import Durability, parse_event_file
from tourney.config.consistency import TEAMS_MAX
from tourney.coordinator.draw import ensure_drawn
from tourney.event.drawn import DrawnEvent
from tourney.event.file import EventFile
from tourney.formats.plain_json import format_plain
from tourney.movement.seating import TableInfo, TableState
from tourney.protocol.session.records import BoardEnd
from tourney.runtime.clock import wall_ms
from tourney.store.control.hosts import add_host
from tourney.store.control.tables import TableActivity, Wait
from tourney.store.db.database import Database
from tourney.store.draw.reader import load_event
from tourney.store.models import BoardAttempt, Host, TableRow
from tourney.store.users import begin_session, load_users
from tourney.web.director.request import COOKIE
from tourney.web.director.service import ConsoleService
from tourney.web.doors import CONSOLE

_NAME: Final = "bench console"
_TOKEN: Final = "a session of the bench"
_BOARD_MS: Final = 60_000


@dataclass(frozen=True, slots=True)
class ConsoleFigures:
    """The figures of a console that somebody watches; times are processor time, the median of the looks."""

    tables: int
    """Tables in play; up to 256 are of one round."""
    boards: int
    """Boards at each table: of half of them there is a result, and the next is in play."""
    looks: int
    database: str
    unchanged_ms: float
    """For a look when nothing has been written."""
    heartbeat_ms: float
    """For a look when hosts have said that they are alive, and no more."""
    changed_ms: float
    """For a look when a card has been played."""
    page_bytes: int
    """The length of the first page."""
    page_ms: float
    """For making it."""
    machine: Machine


class _Record:
    """An event with all tables in play, written from outside as hosts do."""

    def __init__(self, database: Database, event_id: int, tables: list[TableInfo], boards: int) -> None:
        self._database = database
        self._now_ms = wall_ms()
        self._cards = 0
        add_director(database, event_id)
        (user,) = load_users(database, event_id)
        begin_session(database, user.id, _TOKEN, "127.0.0.1", self._now_ms)
        host = add_host(database, event_id, f"{_NAME} host", self._now_ms)
        self._host_id = host.id
        self._table = tables[0]
        ids = [table.id for table in tables]
        with database.write() as connection:
            playing = {"state": TableState.PLAYING, "host": host.name, "attempt": 1}
            connection.execute(update(TableRow).where(TableRow.id.in_(ids)).values(playing))
            connection.execute(insert(BoardAttempt), [row for each in ids for row in self._attempts(each, boards)])
            for table in tables:
                connection.execute(update(TableRow).where(TableRow.id == table.id).values(doing=self._doing()))

    def _attempts(self, table_id: int, boards: int) -> list[dict[str, object]]:
        done = boards // 2
        return [
            {
                "table_id": table_id,
                "board": number,
                "attempt": 1,
                "table_attempt": 1,
                "began_at_ms": self._now_ms - (done + 1 - number) * _BOARD_MS,
                "ended_at_ms": self._now_ms - (done - number) * _BOARD_MS if number <= done else None,
                "ended": BoardEnd.PLAYED if number <= done else None,
                "reason": "",
                "final": number <= done,
            }
            for number in range(1, done + 2)
        ]

    def _doing(self) -> str:
        return format_plain(
            TableActivity(
                at_ms=wall_ms(),
                paused=False,
                waits=(Wait(SEATS[0], "card", wall_ms()),),
                last=f"card {self._cards}",
                problem=None,
            )
        )

    def beat(self) -> None:
        """Have the host say that it is alive."""
        with self._database.write() as connection:
            connection.execute(update(Host).where(Host.id == self._host_id).values(beat_at_ms=wall_ms()))

    def play(self) -> None:
        """Have a card played at the first table."""
        self._cards += 1
        with self._database.write() as connection:
            connection.execute(update(Host).where(Host.id == self._host_id).values(written=Host.written + 1))
            at_table = TableRow.id == self._table.id
            connection.execute(update(TableRow).where(at_table).values(doing=self._doing()))


def measure_console(tables: int, boards: int, looks: int, database_url: str | None = None) -> ConsoleFigures:
    """Looks at a round in play, as the server does for a director who watches.

    Raises:
        TourneyError: the database cannot be used.
    """
    with tempfile.TemporaryDirectory() as folder, bench_database(database_url) as database:
        if tables <= TEAMS_MAX:  # in one round
            teams, stage = max(2, tables), 'format = "swiss"\nrounds = 1\n'
        else:
            teams, stage = next(teams for teams in count(2) if teams * (teams - 1) >= tables), ""
        text = (
            f"[event]\nname = \"{_NAME}\"\ndatabase = '{database.address}'\n{teams_text(teams)}"
            f"[[stage]]\n{stage}boards_per_match = {boards}\n[deals]\nseed = 1\n"
        )
        path = Path(folder) / "event.toml"
        path.write_text(text, encoding="utf-8")
        file = EventFile(path, parse_event_file(text, path.name))
        event = ensure_drawn(file, database, wall_ms())
        all_tables = [table for match in event.matches for table in match.tables][:tables]
        record = _Record(database, event.id, all_tables, boards)
        drawn_event = load_event(database, _NAME)
        assert drawn_event is not None
        drawn = DrawnEvent(path, file.place, database, drawn_event)
        drawn.__dict__["file"] = file
        with closing(ConsoleService(drawn, wall_ms)) as service:
            session = service.session(_TOKEN, is_used=True)
            assert session is not None
            record.beat()
            service.poll({session.id})

            def timed(before: Callable[[], object], work: Callable[[], object]) -> float:
                times = []
                for _ in range(looks):
                    before()
                    began = time.thread_time()
                    work()
                    times.append(1000 * (time.thread_time() - began))
                return round(median(times), 2)

            def poll() -> object:
                return service.poll({session.id})

            cookie = f"{COOKIE}={_TOKEN}".encode()
            scope = {"type": "http", "path": CONSOLE, "query_string": b"", "headers": [(b"cookie", cookie)]}

            def page() -> bytes:
                return bytes(service.answer(service.pages[""], Request(scope), session, {}).body)

            return ConsoleFigures(
                tables=tables,
                boards=boards,
                looks=looks,
                database=describe(database, Durability.FULL),
                unchanged_ms=timed(lambda: None, poll),
                heartbeat_ms=timed(record.beat, poll),
                changed_ms=timed(record.play, poll),
                page_bytes=len(page()),
                page_ms=timed(lambda: None, page),
                machine=this_machine(),
            )
