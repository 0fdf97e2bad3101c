"""A table host on real loopback sockets and a real SQLite file, its players on the same loop."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.support.table_host import LOG_ON, Witness, all_leave, connect, floor, raw, sit, told
from tests.support.wire_entries import read_entries
from tourney.bridge import Seat
from tourney.errors import StoreError
from tourney.host.manager import TableManager
from tourney.host.wire_log import WireLog
from tourney.movement.seating import Room, TableState
from tourney.protocol.session.table import TableCore
from tourney.store.control.orders import give_orders, load_outcomes
from tourney.store.control.table_state import assign_table
from tourney.store.db.database import Database
from tourney.store.models import OrderKind
from tourney.store.record.writer import Recorder


async def test_what_a_player_is_told_is_committed_before(tmp_path: Path) -> None:
    async with floor(tmp_path) as place:
        witness = Witness(place)
        players = await sit(await place.opened(), on_line=witness.listen)
        await all_leave(players)
        witness.check()
        assert sum(map(len, witness.heard.values())) > 3 * 4
        assert place.query("SELECT state FROM tables WHERE room = 'open'") == [("finished",)]


@pytest.mark.clause("BC-50")
async def test_two_lines_never_reach_a_silent_player_in_one_read(tmp_path: Path) -> None:
    # Players share the table's loop here, and cannot read while it waits for the disk or the processor: the gap is
    # long enough for both.
    unsynced, gap = '[record]\ndurability = "process"', "wire = { line_gap_ms = 400 }"
    async with floor(tmp_path, alpha=gap, tables=unsynced) as place:
        table = await place.opened()
        players = await sit(table)
        await all_leave(players)
        of_alpha = [player for player in players if table.team(player.core.seat.side) == "Alpha"]
        assert len(of_alpha) == 2
        assert all(chunk.count(b"\n") == 1 for player in of_alpha for chunk in player.chunks)


@pytest.mark.clause("BC-02")
async def test_with_a_port_a_seat_each_port_takes_its_own_seat_only(tmp_path: Path) -> None:
    async with floor(tmp_path, tables='port_plan = "per-seat"') as place:
        table = await place.opened()
        assert len(set(table.ports.values())) == 4
        async with raw(table.ports[Seat.EAST], LOG_ON.format("Alpha", "North").encode()) as stranger:
            assert await stranger.reader.read() == b"Error: this port is East's, not North's\r\n"
        await all_leave(await sit(table))


@pytest.mark.clause("BC-03")
async def test_garbage_on_a_port_disturbs_nobody(tmp_path: Path) -> None:
    async with floor(tmp_path) as place:
        table = await place.opened()
        lines = b"\x00\xff" * 5000 + b"\n", b"x" * 100_000, b"North plays QD\r\n" * 50
        *garbage, page = [await connect(table, data) for data in (*lines, b"GET / HTTP/1.1\r\n\r\n")]
        await all_leave(await sit(table))
        assert {(await each.reader.readline())[:7] for each in garbage} == {b"Error: "}
        assert await page.last_line() == "", "a request for a web page gets no answer"
        for each in (*garbage, page):
            await each.close()


async def test_the_wire_log_of_a_table_that_is_over_is_packed_by_its_host_or_by_the_next_if_it_was_killed(
    tmp_path: Path,
) -> None:
    async with floor(tmp_path, (Room.OPEN, Room.CLOSED)) as place:
        await all_leave(await sit(await place.opened()))
    wire = place.folder / "wire"
    log = wire / "match-001-open.jsonl"
    assert {path.name for path in wire.iterdir()} == {f"{log.name}.gz", "match-001-closed.jsonl"}, "one is over"
    before = read_entries(log)

    host_killed = WireLog(log)
    host_killed.write(1, None, "note", "left by a host that was killed")
    host_killed.close()
    host = place.next_host()
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
        leads = asyncio.Event()

        def hear(_: Seat, line: str) -> None:
            if line.endswith(" to lead"):
                leads.set()

        players = await sit(table, on_line=hear)
        await leads.wait()
        place.host.stop()
        await all_leave(players, "the connection was lost")
        await place.until(table, TableState.WAITING)
        await place.running
        assert "End of session" not in told(players)
        played = "SELECT seat, call FROM calls UNION ALL SELECT seat, card FROM cards"
        before = place.query(played)
        assert place.query("SELECT attempt, ended FROM board_attempts") == [(1, None)]
        assert place.query("SELECT DISTINCT reason FROM connections") == [("the run was stopped",)]

        following = place.next_host()
        assign_table(place.database, table.id, "next", table.ports, 0)
        running = asyncio.create_task(following.run())
        players = await sit(await place.opened())
        await all_leave(players)
        await place.until(table, TableState.FINISHED)
        following.stop()
        await running
        assert set(before) <= set(place.query(played))
        assert place.query("SELECT attempt, ended FROM board_attempts") == [(1, "played")]
        assert told(players).count("End of session") == 4


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
        players = await sit(table, delay_call_s=30.0)
        await place.until(table, TableState.PLAYING)
        monkeypatch.setattr(Database, "write", watched)
        await place.order(table, OrderKind.KICK, seat=Seat.EAST, board=1)
        await place.order(table, OrderKind.REPLAY, board=1)
        assert len(players) == 4
        monkeypatch.undo()
    assert set(moments) == {(0, 0), (1, 1), (2, 2)}


BROKEN = {
    "the shell": (TableManager, "note_record"),
    "the core": (TableCore, "receive_line"),
    "an order": (TableCore, "receive_order"),
}


@pytest.mark.parametrize("where", BROKEN)
async def test_a_failure_of_ours_at_one_table_leaves_its_neighbour_playing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, where: str
) -> None:
    owner, name = BROKEN[where]
    whole = getattr(owner, name)

    def broken(of: TableManager | TableCore, *args: Any) -> Any:
        if of.state.settings.ns_team == "Alpha":
            raise RuntimeError("a bug")
        return whole(of, *args)

    monkeypatch.setattr(owner, name, broken)
    async with floor(tmp_path, (Room.OPEN, Room.CLOSED)) as place:
        broken_table = await place.opened()
        sound = await place.opened(Room.CLOSED)
        (victim,) = await sit(broken_table, Seat.NORTH)
        orders = []
        if where == "an order":
            orders = give_orders(place.database, [broken_table.id], OrderKind.PAUSE, author="Ada", now_ms=0)
        await all_leave(await sit(sound))
        assert await victim.left is not None
        failed = await place.until(broken_table, TableState.FAILED)
        assert failed.reason == "an error of ours: RuntimeError('a bug')"
        assert list(load_outcomes(place.database, orders).values()) == ["the table is over"] * len(orders)
    assert "RuntimeError: a bug" in caplog.text
    assert {vars(record)["action"] for record in caplog.records} == {"table_broken"}


async def test_when_the_record_cannot_be_written_nothing_is_relayed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = Recorder.write

    def failing(recorder: Recorder, batch: list[tuple[object, object]]) -> None:
        if any(type(record).__name__ == "CallMade" for _, record in batch):
            raise StoreError("the disk is full")
        write(recorder, batch)  # type: ignore[arg-type]

    monkeypatch.setattr(Recorder, "write", failing)
    with pytest.raises(StoreError, match="the disk is full"):  # noqa: PT012 # the host raises when its floor is left
        async with floor(tmp_path) as place:
            players = await sit(await place.opened())
            for player in players:
                await player.left
    assert not {"bids", "passes", "doubles"} & {*told(players).split()}
