"""A table host on real loopback sockets and a real database, with its players on the same loop."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Callable, Collection
from contextlib import asynccontextmanager, closing, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from tests.support.events import port_range
from tests.support.played_event import open_database
from tests.support.waiting import until
from tourney.bots.random_style import RandomStrategy
from tourney.bridge import SEATS, Seat
from tourney.config import parse_event_file
from tourney.coordinator.draw import ensure_drawn
from tourney.errors import StoreUnavailable
from tourney.event.file import EventFile
from tourney.host.host import TableHost
from tourney.movement.seating import Room, TableInfo, TableState
from tourney.protocol.access import ConnectionLimits
from tourney.protocol.bluechip.player import PlayerCore
from tourney.protocol.lines import LineBuffer
from tourney.protocol.player import AskCall, AskCard, Leave, PlayerEffect, SendLine
from tourney.runtime.clock import HostClock
from tourney.store.control.host_settings import load_settings, save_settings
from tourney.store.control.hosts import add_host
from tourney.store.control.orders import give_orders, load_outcomes
from tourney.store.control.table_state import assign_table
from tourney.store.control.tables import load_progress
from tourney.store.db.connections import SQLITE_BUSY_MS
from tourney.store.db.database import Database
from tourney.store.draw.objects import EventInfo
from tourney.store.models import OrderKind

LOG_ON = 'Connecting "{}" as {} using protocol version 18\r\n'

CALL_WORDS = {"passes": "Pass", "doubles": "X", "redoubles": "XX"}


@dataclass
class Floor:
    """One host with the tables of a two-team event."""

    event: EventInfo
    database: Database
    host: TableHost
    folder: Path
    running: "asyncio.Task[None]"
    reader: Database | None = None
    """Where to read when it is not an SQLite file, and its connections are not to break."""

    @property
    def file(self) -> Path:
        assert self.database.file is not None
        return self.database.file

    def query(self, sql: str) -> list[tuple[Any, ...]]:
        """Read the database as another process would: only what is committed is seen."""
        if not self.database.is_sqlite:
            assert self.reader is not None
            return self._query_server(self.reader, sql)
        with closing(sqlite3.connect(self.file)) as connection:
            return connection.execute(sql).fetchall()

    @staticmethod
    def _query_server(reader: Database, sql: str) -> list[tuple[Any, ...]]:
        while True:
            try:
                with reader.read() as connection:
                    return [tuple(row) for row in connection.exec_driver_sql(sql)]
            except StoreUnavailable:
                continue  # the test has just broken the connection

    async def until(self, table: TableInfo, state: TableState) -> TableInfo:
        """The table once it is in a state."""
        while True:
            now = load_progress(self.database, [table.id])[table.id].table
            if now.state is state:
                return now
            await asyncio.sleep(0.01)

    async def opened(self, room: Room = Room.OPEN) -> TableInfo:
        """The table of a room once it is open."""
        return await self.until(self.table(room), TableState.OPEN)

    async def until_called(self, count: int = 1) -> None:
        """Wait for so many calls."""
        await until(lambda: self.query("SELECT count(*) FROM calls")[0][0] >= count)

    def table(self, room: Room) -> TableInfo:
        return self.event.matches[0].tables_at(0)[room]

    def ends(self, room: Room = Room.OPEN) -> list[str | None]:
        """How the attempts at boards have ended at a table."""
        rows = self.query(
            f"SELECT a.ended FROM board_attempts a JOIN tables t ON t.id = a.table_id WHERE t.room = '{room.value}'"
        )
        return [ended for (ended,) in rows]

    def is_played_out(self, room: Room = Room.OPEN) -> bool:
        """Whether the last attempt at a board has ended by the rules of the game."""
        return self.ends(room)[-1] in ("played", "passed-out")

    async def order(self, table: TableInfo, kind: OrderKind, **body: Any) -> str:
        """Give an order, and return what came of it."""
        (order,) = give_orders(self.database, [table.id], kind, author="Ada", now_ms=0, **body)
        await until(lambda: load_outcomes(self.database, [order]))
        return load_outcomes(self.database, [order])[order]

    def next_host(self) -> TableHost:
        """Another host for the same tables."""
        add_host(self.database, self.event.id, "next", 0)
        return TableHost(self.database, "next", partial(load_settings, self.database, self.event.id))


@asynccontextmanager
async def floor(
    folder: Path,
    rooms: tuple[Room, ...] = (Room.OPEN,),
    *,
    boards: int = 1,
    profile: str = "tourney",
    tables: str = "",
    alpha: str = "",
    beta: str = "",
    budget: ConnectionLimits | None = None,
    url: str | None = None,
    busy_ms: int = SQLITE_BUSY_MS,
    clock: HostClock | None = None,
    relay_key: str | None = None,
) -> AsyncIterator[Floor]:
    """A running host that has been given the tables of these rooms.

    `tables` are lines of `[tables]` and after it, `alpha` and `beta` those of the teams.
    """
    text = (
        f'[event]\nname = "Shell"\n[[team]]\nname = "Alpha"\nprofile = "{profile}"\n{alpha}\n'
        f'[[team]]\nname = "Beta"\nprofile = "{profile}"\n{beta}\n'
        f"[[stage]]\nboards_per_match = {boards}\n[deals]\nseed = 3\n"
        f'[tables]\ntrick_pause_ms = 0\nports = "{port_range()}"\n{tables}\n'
    )
    event_file = EventFile(folder / "event.toml", parse_event_file(text, "event.toml"))
    if url is None:
        open_database(event_file).close()
    database = Database(url or event_file.database_url, busy_ms=busy_ms)
    event = ensure_drawn(event_file, database, 0)
    settings = replace(event_file.host_settings, relay_key=relay_key)
    save_settings(database, event.id, replace(settings, limits=budget) if budget is not None else settings)
    add_host(database, event.id, "host", 0)
    host = TableHost(database, "host", partial(load_settings, database, event.id), clock=clock)
    ports = event_file.config.tables.ports
    for index, room in enumerate(rooms):
        assign_table(
            database, event.matches[0].tables_at(0)[room].id, "host", dict.fromkeys(SEATS, ports.first + index), 0
        )
    running = asyncio.create_task(host.run())
    try:
        yield Floor(event, database, host, event_file.results, running)
    finally:
        host.stop()
        try:
            await running
        finally:
            database.close()


@dataclass
class Player(asyncio.Protocol):
    """A player core on a socket of its own. `chunks` are the bytes of each read."""

    core: PlayerCore
    on_line: Callable[[Seat, str], None] = lambda seat, line: None
    delay_call_s: float = 0.0
    chunks: list[bytes] = field(default_factory=list)
    left: "asyncio.Future[str | None]" = field(default_factory=lambda: asyncio.get_running_loop().create_future())
    lines: LineBuffer = field(default_factory=LineBuffer)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        self.strategy = RandomStrategy(self.core.seat)
        self.react(self.core.start())

    def data_received(self, data: bytes) -> None:
        self.chunks.append(data)
        for line in self.lines.feed(data):
            assert isinstance(line, bytes)
            self.on_line(self.core.seat, line.decode())
            self.react(self.core.receive_line(line))

    def connection_lost(self, exc: Exception | None) -> None:
        if not self.left.done():
            self.left.set_result("the connection was lost")

    def react(self, effects: list[PlayerEffect]) -> None:
        for effect in effects:
            match effect:
                case SendLine():
                    self.transport.write(effect.line.encode() + b"\r\n")
                case AskCall() if self.delay_call_s:
                    asyncio.get_running_loop().call_later(self.delay_call_s, self.answer_call, effect)
                case AskCall():
                    self.answer_call(effect)
                case AskCard():
                    card = self.strategy.choose_card(effect.view, effect.hand)
                    self.react(self.core.make_card(effect.hand, card))
                case Leave():
                    self.left.set_result(effect.reason)

    def answer_call(self, asked: AskCall) -> None:
        decision = self.strategy.choose_call(asked.view)
        self.react(self.core.make_call(decision.call, decision.alert))


async def sit(
    table: TableInfo,
    *seats: Seat,
    make: Callable[..., Player] = Player,
    ports: Collection[int] = (),
    team: str = "",
    **settings: Any,
) -> list[Player]:
    """Players at these seats, all four if none is named, each made with the settings.

    Args:
        table: theirs.
        seats: theirs.
        make: what makes a player of its core.
        ports: those of the two sides, if not the table's.
        team: what those of Alpha log on as, if not so.
        settings: of each player.
    """
    players = []
    for seat in seats or SEATS:
        name = table.team(seat.side)
        player = make(PlayerCore(seat, team if team and name == "Alpha" else name), **settings)
        port = [*ports][seat % 2] if ports else table.ports[seat]
        await asyncio.get_running_loop().create_connection(lambda p=player: p, "127.0.0.1", port)  # type: ignore[misc]
        players.append(player)
    return players


async def all_leave(players: Collection[Any], why: str | None = None) -> None:
    """Wait until these players have left, each for this reason; none after the end of the session."""
    assert [await player.left for player in players] == [why] * len(players)


def told(players: Collection[Player]) -> str:
    """Everything that players were told."""
    return b"".join(b"".join(player.chunks) for player in players).decode()


class Raw:
    """A connection that sends what it likes."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer
        self._sending: asyncio.Task[None] | None = None

    def keep_sending(self, data: bytes, pause_s: float = 0.0) -> None:
        """Send the same again and again, until the connection is gone."""

        async def send() -> None:
            with suppress(ConnectionError):
                while True:
                    self.writer.write(data)
                    await self.writer.drain()
                    await asyncio.sleep(pause_s)

        self._sending = asyncio.create_task(send())

    async def last_line(self) -> str:
        """Wait for the end of the connection; the last line before it."""
        lines = (await self.reader.read()).decode().splitlines()
        return lines[-1] if lines else ""

    async def close(self) -> None:
        if self._sending is not None:
            self._sending.cancel()
            await asyncio.gather(self._sending, return_exceptions=True)
        self.writer.close()
        with suppress(ConnectionError):
            await self.writer.wait_closed()


async def connect(at: TableInfo | int, first: bytes = b"") -> Raw:
    """Open a connection to a port, or to North's of a table, that says something at once."""
    port = at if isinstance(at, int) else at.ports[Seat.NORTH]
    connection = Raw(*await asyncio.open_connection("127.0.0.1", port))
    connection.writer.write(first)
    return connection


@asynccontextmanager
async def raw(at: TableInfo | int, first: bytes = b"") -> AsyncIterator[Raw]:
    """A connection that is closed in the end."""
    connection = await connect(at, first)
    try:
        yield connection
    finally:
        await connection.close()


class JumpingClock(HostClock):
    """A clock that can be put forward."""

    def __init__(self) -> None:
        super().__init__()
        self.ahead_ms = 0

    def now_ms(self) -> int:
        return super().now_ms() + self.ahead_ms


class Witness:
    """Notes the calls and cards that players hear, and what was not on record when they heard it."""

    def __init__(self, place: Floor) -> None:
        self.place = place
        self.heard: dict[Seat, list[str]] = {seat: [] for seat in SEATS}
        self.unseen: list[str] = []

    def listen(self, to: Seat, line: str) -> None:
        words = line.split()
        if words[1] in ("bids", *CALL_WORDS):
            what = f"{words[0][0]} {CALL_WORDS.get(words[1]) or words[2]}"
            found = self.place.query(f"SELECT count(*) FROM calls WHERE seat || ' ' || call = '{what}'")
        elif words[1] == "plays":
            what = words[2]
            found = self.place.query(f"SELECT count(*) FROM cards WHERE card = '{what}'")
        else:
            return
        self.heard[to].append(what)
        if found == [(0,)]:
            self.unseen.append(line)

    def check(self) -> None:
        """Each has heard every call of the others once, in order, and no card twice; all was on record before."""
        assert self.unseen == []
        calls = [f"{seat} {call}" for seat, call in self.place.query("SELECT seat, call FROM calls ORDER BY seq")]
        for seat, heard in self.heard.items():
            assert [what for what in heard if " " in what] == [call for call in calls if call[0] != seat.letter]
            cards = [what for what in heard if " " not in what]
            assert len(set(cards)) == len(cards)
        assert self.place.query("SELECT count(DISTINCT card), count(*) FROM cards") in ([(52, 52)], [(0, 0)])
