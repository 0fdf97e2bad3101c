"""A table host on real loopback sockets and a real SQLite file, its players on the same loop."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Callable, Collection, Iterator
from contextlib import asynccontextmanager, closing, contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.support.events import port_range
from tests.support.played_event import open_database
from tests.support.wire_entries import read_entries
from tourney.bots.random_style import RandomStrategy
from tourney.bots.strategy import Strategy
from tourney.bridge import SEATS, Seat
from tourney.config import parse_event_file
from tourney.coordinator.draw import draw_event
from tourney.errors import StoreUnavailable
from tourney.event.file import EventFile
from tourney.host.host import TableHost
from tourney.host.wire_log import WireLog
from tourney.movement.seating import Room, TableInfo, TableState
from tourney.protocol.access import ConnectionLimits
from tourney.protocol.bluechip.player import PlayerCore
from tourney.protocol.lines import LineBuffer
from tourney.protocol.player import AskCall, AskCard, Leave, PlayerEffect, SendLine
from tourney.protocol.session.effects import Effect
from tourney.protocol.session.records import TableRecord
from tourney.runtime.clock import HostClock
from tourney.store.control.host_settings import load_settings, save_settings
from tourney.store.control.hosts import add_host
from tourney.store.control.orders import give_orders, load_outcomes
from tourney.store.control.table_state import assign_table
from tourney.store.control.tables import load_progress
from tourney.store.db.connections import SQLITE_BUSY_MS
from tourney.store.db.database import Database
from tourney.store.draw.objects import EventInfo
from tourney.store.draw.reader import load_event
from tourney.store.draw.writer import save_draw
from tourney.store.models import OrderKind


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

    def table(self, room: Room) -> TableInfo:
        return self.event.matches[0].tables_at(0)[room]


@asynccontextmanager
async def floor(
    folder: Path,
    rooms: tuple[Room, ...] = (Room.OPEN,),
    *,
    boards: int = 1,
    profile: str = "tourney",
    tables: str = "",
    alpha: str = "",
    budget: ConnectionLimits | None = None,
    url: str | None = None,
    busy_ms: int = SQLITE_BUSY_MS,
    clock: HostClock | None = None,
    relay_key: str | None = None,
) -> AsyncIterator[Floor]:
    """A running host that has been given the tables of these rooms.

    `tables` are lines of `[tables]` and after it, `alpha` those of team Alpha.
    """
    text = (
        f'[event]\nname = "Shell"\n[[team]]\nname = "Alpha"\nprofile = "{profile}"\n{alpha}\n'
        f'[[team]]\nname = "Beta"\nprofile = "{profile}"\n[[stage]]\nboards_per_match = {boards}\n[deals]\nseed = 3\n'
        f'[tables]\ntrick_pause_ms = 0\nports = "{port_range()}"\n{tables}\n'
    )
    event_file = EventFile(folder / "event.toml", parse_event_file(text, "event.toml"))
    if url is None:
        open_database(event_file).close()
    database = Database(url or event_file.database_url, busy_ms=busy_ms)
    save_draw(database, draw_event(event_file.config, None, ""), 0)
    event = load_event(database, "Shell")
    assert event is not None
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
    strategy: Strategy
    on_line: Callable[[str], None] = lambda line: None
    delay_call_s: float = 0.0
    delay_ready_s: float = 0.0
    chunks: list[bytes] = field(default_factory=list)
    left: "asyncio.Future[str | None]" = field(default_factory=lambda: asyncio.get_running_loop().create_future())
    lines: LineBuffer = field(default_factory=LineBuffer)
    transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        self.react(self.core.start())

    def data_received(self, data: bytes) -> None:
        self.chunks.append(data)
        for line in self.lines.feed(data):
            assert isinstance(line, bytes)
            self.on_line(line.decode())
            self.react(self.core.receive_line(line))

    def connection_lost(self, exc: Exception | None) -> None:
        if not self.left.done():
            self.left.set_result("the connection was lost")

    def react(self, effects: list[PlayerEffect]) -> None:
        for effect in effects:
            match effect:
                case SendLine():
                    delay_s = self.delay_ready_s if "ready for" in effect.line and "bid" in effect.line else 0
                    self.later(delay_s, partial(self.send_line, effect.line))
                case AskCall():
                    self.later(self.delay_call_s, partial(self.answer_call, effect))
                case AskCard():
                    card = self.strategy.choose_card(effect.view, effect.hand)
                    self.react(self.core.make_card(effect.hand, card))
                case Leave():
                    self.left.set_result(effect.reason)

    def later(self, delay_s: float, action: Callable[[], None]) -> None:
        if delay_s:
            asyncio.get_running_loop().call_later(delay_s, action)
        else:
            action()

    def answer_call(self, asked: AskCall) -> None:
        decision = self.strategy.choose_call(asked.view)
        self.react(self.core.make_call(decision.call, decision.alert))

    def send_line(self, line: str) -> None:
        assert self.transport is not None
        self.transport.write(line.encode() + b"\r\n")


async def sit(table: TableInfo, seat: Seat, **settings: Any) -> Player:
    player = Player(PlayerCore(seat, table.team(seat.side)), RandomStrategy(seat), **settings)
    await asyncio.get_running_loop().create_connection(lambda: player, "127.0.0.1", table.ports[seat])
    return player


async def all_leave(players: Collection[Any], why: str | None = None) -> None:
    """Wait until these players have left, each for this reason; none after the end of the session."""
    assert [await player.left for player in players] == [why] * len(players)


async def test_what_a_player_is_told_is_committed_before(tmp_path: Path) -> None:
    async with floor(tmp_path) as place:
        table = await place.opened()
        unseen: list[str] = []
        checked = 0

        def check(line: str) -> None:
            nonlocal checked
            words = line.split()
            if words[1] in ("bids", "passes", "doubles", "redoubles"):
                call = {"passes": "Pass", "doubles": "X", "redoubles": "XX"}.get(words[1]) or words[2]
                found = place.query(f"SELECT count(*) FROM calls WHERE seat = '{words[0][0]}' AND call = '{call}'")
            elif words[1] == "plays":
                found = place.query(f"SELECT count(*) FROM cards WHERE card = '{words[2]}'")
            else:
                return
            checked += 1
            if found == [(0,)]:
                unseen.append(line)

        players = [await sit(table, seat, on_line=check) for seat in SEATS]
        await all_leave(players)
        assert unseen == []
        assert checked > 3 * 4
        assert place.query("SELECT state FROM tables WHERE room = 'open'") == [("finished",)]


@pytest.mark.clause("BC-50")
async def test_two_lines_never_reach_a_silent_player_in_one_read(tmp_path: Path) -> None:
    # Players share the table's loop here, and cannot read while it waits for the disk or the processor: the gap is
    # long enough for both.
    unsynced, gap = '[record]\ndurability = "process"', "wire = { line_gap_ms = 400 }"
    async with floor(tmp_path, alpha=gap, tables=unsynced) as place:
        table = await place.opened()
        players = [await sit(table, seat) for seat in SEATS]
        await all_leave(players)
        of_alpha = [player for player in players if table.team(player.core.seat.side) == "Alpha"]
        assert len(of_alpha) == 2
        assert all(chunk.count(b"\n") == 1 for player in of_alpha for chunk in player.chunks)


@pytest.mark.clause("BC-02")
async def test_with_a_port_a_seat_each_port_takes_its_own_seat_only(tmp_path: Path) -> None:
    async with floor(tmp_path, tables='port_plan = "per-seat"') as place:
        table = await place.opened()
        assert len(set(table.ports.values())) == 4
        reader, writer = await asyncio.open_connection("127.0.0.1", table.ports[Seat.EAST])
        writer.write(b'Connecting "Alpha" as North using protocol version 18\r\n')
        assert await reader.readline() == b"Error: this port is East's, not North's\r\n"
        assert await reader.read() == b""
        writer.close()
        players = [await sit(table, seat) for seat in SEATS]
        await all_leave(players)


@pytest.mark.clause("BC-03")
async def test_garbage_on_a_port_disturbs_nobody(tmp_path: Path) -> None:
    async with floor(tmp_path) as place:
        table = await place.opened()
        garbage = []
        for data in (
            b"\x00\xff" * 5000 + b"\n",
            b"GET / HTTP/1.1\r\n\r\n",
            b"x" * 100_000,
            b"North plays QD\r\n" * 50,
        ):
            reader, writer = await asyncio.open_connection("127.0.0.1", table.ports[Seat.NORTH])
            writer.write(data)
            garbage.append((reader, writer))
        players = [await sit(table, seat) for seat in SEATS]
        await all_leave(players)
        for (reader, writer), refused in zip(garbage, (b"Error: ", b"", b"Error: ", b"Error: "), strict=True):
            assert (await reader.readline())[:7] == refused, "a request for a web page gets no answer"
            writer.close()


async def test_the_wire_log_of_a_table_that_is_over_is_packed_by_its_host_or_by_the_next_if_it_was_killed(
    tmp_path: Path,
) -> None:
    async with floor(tmp_path, (Room.OPEN, Room.CLOSED)) as place:
        table = await place.opened()
        players = [await sit(table, seat) for seat in SEATS]
        await all_leave(players)
    wire = place.folder / "wire"
    log = wire / "match-001-open.jsonl"
    assert {path.name for path in wire.iterdir()} == {f"{log.name}.gz", "match-001-closed.jsonl"}, "one is over"
    before = read_entries(log)

    host_killed = WireLog(log)
    host_killed.write(1, None, "note", "left by a host that was killed")
    host_killed.close()
    add_host(place.database, place.event.id, "next", 0)
    host = TableHost(place.database, "next", partial(load_settings, place.database, place.event.id))
    host.stop()
    await host.run()
    place.database.close()
    assert {path.name for path in wire.iterdir()} == {f"{log.name}.gz", "match-001-closed.jsonl"}
    assert read_entries(log) == [
        *before,
        '{"t_ms": 1, "seat": null, "dir": "note", "line": "left by a host that was killed"}\n',
    ]


async def test_a_host_that_is_stopped_leaves_the_board_to_the_next_which_goes_on_at_the_same_card(
    tmp_path: Path,
) -> None:
    async with floor(tmp_path) as place:
        table = await place.opened()
        seen: list[str] = []
        leads = asyncio.Event()

        def hear(line: str) -> None:
            seen.append(line)
            if line.endswith(" to lead"):
                leads.set()

        players = [await sit(table, seat, on_line=hear) for seat in SEATS]
        await leads.wait()
        place.host.stop()
        await all_leave(players, "the connection was lost")
        await place.until(table, TableState.WAITING)
        await place.running
        assert "End of session" not in seen
        played = "SELECT seat, call FROM calls UNION ALL SELECT seat, card FROM cards"
        before = place.query(played)
        assert place.query("SELECT attempt, ended FROM board_attempts") == [(1, None)]
        assert place.query("SELECT DISTINCT reason FROM connections") == [("the run was stopped",)]

        add_host(place.database, place.event.id, "next", 0)
        assign_table(place.database, table.id, "next", table.ports, 0)
        following = TableHost(place.database, "next", partial(load_settings, place.database, place.event.id))
        running = asyncio.create_task(following.run())
        table = await place.opened()
        players = [await sit(table, seat, on_line=seen.append) for seat in SEATS]
        await all_leave(players)
        await place.until(table, TableState.FINISHED)
        following.stop()
        await running
        assert set(before) <= set(place.query(played))
        assert place.query("SELECT attempt, ended FROM board_attempts") == [(1, "played")]
        assert seen.count("End of session") == 4


async def kicked(place: Floor, table: TableInfo, **body: Any) -> str:
    """Order that East be sent away, and return what came of it."""
    (order,) = give_orders(place.database, [table.id], OrderKind.KICK, author="Ada", now_ms=0, seat=Seat.EAST, **body)
    return await acted_on(place, order)


async def acted_on(place: Floor, order: int) -> str:
    """Return what came of an order, once its host has acted on it."""
    while True:
        outcomes = load_outcomes(place.database, [order])
        if outcomes:
            return outcomes[order]
        await asyncio.sleep(0.01)


async def test_no_moment_has_the_effect_of_an_order_on_record_and_not_its_outcome(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A host killed between the two would leave an order that the next host carries out again."""
    write, moments = Database.write, list[tuple[Any, ...]]()

    async with floor(tmp_path, boards=2) as place:

        @contextmanager
        def watched(database: Database, *, synced: bool = True) -> Iterator[Any]:
            with write(database, synced=synced) as connection:
                yield connection
            moments.append(
                place.query(
                    "SELECT (SELECT count(*) FROM rulings) + "
                    "(SELECT count(*) FROM board_attempts WHERE ended = 'void'), count(acted_at_ms) FROM orders"
                )[0]
            )

        table = await place.opened()
        players = [await sit(table, seat, delay_call_s=30.0) for seat in SEATS]
        await place.until(table, TableState.PLAYING)
        monkeypatch.setattr(Database, "write", watched)
        await kicked(place, table, board=1)
        (order,) = give_orders(place.database, [table.id], OrderKind.REPLAY, author="Ada", now_ms=0, board=1)
        await acted_on(place, order)
        assert len(players) == 4
        monkeypatch.undo()
    assert set(moments) == {(0, 0), (1, 1), (2, 2)}


@pytest.mark.parametrize("where", ["the shell", "the core", "an order"])
async def test_a_failure_of_ours_at_one_table_leaves_its_neighbour_playing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, where: str
) -> None:
    from tourney.host.manager import TableManager
    from tourney.protocol.session.table import TableCore

    note_record = TableManager.note_record
    receive_line, receive_order = TableCore.receive_line, TableCore.receive_order

    def broken(manager: TableManager, record: TableRecord, now_ms: int) -> None:
        if manager.state.settings.ns_team == "Alpha":
            raise RuntimeError("a bug")
        note_record(manager, record, now_ms)

    def deaf(core: TableCore, *args: Any) -> list[Effect]:
        if core.state.settings.ns_team == "Alpha":
            raise RuntimeError("a bug")
        return receive_line(core, *args)

    def unruly(core: TableCore, *args: Any) -> list[Effect]:
        if core.state.settings.ns_team == "Alpha":
            raise RuntimeError("a bug")
        return receive_order(core, *args)

    if where == "the shell":
        monkeypatch.setattr(TableManager, "note_record", broken)
    elif where == "an order":
        monkeypatch.setattr(TableCore, "receive_order", unruly)
    else:
        monkeypatch.setattr(TableCore, "receive_line", deaf)
    async with floor(tmp_path, (Room.OPEN, Room.CLOSED)) as place:
        broken_table = await place.opened()
        sound = await place.opened(Room.CLOSED)
        victim = await sit(broken_table, Seat.NORTH)
        orders = []
        if where == "an order":
            orders = give_orders(place.database, [broken_table.id], OrderKind.PAUSE, author="Ada", now_ms=0)
        players = [await sit(sound, seat) for seat in SEATS]
        await all_leave(players)
        assert await victim.left is not None
        failed = await place.until(broken_table, TableState.FAILED)
        assert failed.reason == "an error of ours: RuntimeError('a bug')"
        assert list(load_outcomes(place.database, orders).values()) == ["the table is over"] * len(orders)
    assert "RuntimeError: a bug" in caplog.text
    assert {vars(record)["action"] for record in caplog.records} == {"table_broken"}


async def test_when_the_record_cannot_be_written_nothing_is_relayed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tourney.errors import StoreError
    from tourney.store.record.writer import Recorder

    write = Recorder.write

    def failing(recorder: Recorder, batch: list[tuple[object, object]]) -> None:
        if any(type(record).__name__ == "CallMade" for _, record in batch):
            raise StoreError("the disk is full")
        write(recorder, batch)  # type: ignore[arg-type]

    monkeypatch.setattr(Recorder, "write", failing)
    heard: list[str] = []
    with pytest.raises(StoreError, match="the disk is full"):  # noqa: PT012 # the host raises when its floor is left
        async with floor(tmp_path) as place:
            table = await place.opened()
            players = [await sit(table, seat, on_line=heard.append) for seat in SEATS]
            for player in players:
                await player.left
    assert not [line for line in heard if line.split()[1] in ("bids", "passes", "doubles")]
