"""Hosts that lose tables, stand still, lose their run or their database: nothing is on record twice."""

import asyncio
import sqlite3
import time
from contextlib import closing
from pathlib import Path

import pytest

from tests.support.table_host import Floor, JumpingClock, Player, Witness, all_leave, floor, sit, told
from tests.support.waiting import until
from tourney.bridge import SEATS
from tourney.errors import LeaseLost, StoreError
from tourney.host.host_process import BUSY_MS
from tourney.movement.seating import Room, TableState
from tourney.store.control.hosts import drain_host, end_host, load_hosts
from tourney.store.control.table_state import assign_table


def hold(file: Path) -> sqlite3.Connection:
    """Keep everybody else from writing to an SQLite file."""
    holder = sqlite3.connect(file, isolation_level=None, timeout=10)
    holder.execute("BEGIN IMMEDIATE")
    return holder


# Leases


async def test_a_table_that_is_anothers_is_let_go_without_a_word_and_its_neighbour_plays_on(tmp_path: Path) -> None:
    async with floor(tmp_path, (Room.OPEN, Room.CLOSED)) as place:
        mine, lost = place.table(Room.CLOSED), place.table(Room.OPEN)
        losers = await sit(await place.opened(), delay_call_s=0.05)
        await place.until_called(2)
        assign_table(place.database, lost.id, "another", dict.fromkeys(SEATS, 1), 0)
        before = place.query(f"SELECT * FROM calls WHERE table_id = {lost.id}")
        keepers = await sit(await place.opened(Room.CLOSED))
        await all_leave(losers, "the connection was lost")
        await all_leave(keepers)
        assert place.query(f"SELECT * FROM calls WHERE table_id = {lost.id}") == before
        assert place.query(f"SELECT ended FROM board_attempts WHERE table_id = {lost.id}") == [(None,)]
        assert place.query(f"SELECT state FROM tables WHERE id = {mine.id}") == [("finished",)]
        assert place.query(f"SELECT state, host FROM tables WHERE id = {lost.id}") == [("assigned", "another")]


async def test_a_host_that_was_declared_dead_lets_everything_go_and_ends(tmp_path: Path) -> None:
    sentence = "^table host host was not heard from for too long, lease_s = 2, and has been"
    with pytest.raises(LeaseLost, match=sentence):  # noqa: PT012 # the host raises when its floor is left
        async with floor(tmp_path, tables="lease_s = 2") as place:
            players = await sit(await place.opened(), delay_call_s=5.0)
            await place.until(place.table(Room.OPEN), TableState.PLAYING)
            (info,) = load_hosts(place.database, place.event.id)
            assert end_host(place.database, info, "silent", 0) == [place.table(Room.OPEN).id]
            await all_leave(players, "the connection was lost")
            await asyncio.wait([place.running])
            assert place.query("SELECT ended FROM board_attempts") == [(None,)]
            assert place.query("SELECT state, host, attempt FROM tables WHERE room = 'open'") == [
                ("waiting", None, 2)
            ]


async def test_a_heartbeat_that_waits_for_the_lock_of_the_file_holds_nobody_up_and_is_no_outage(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with floor(tmp_path, tables="lease_s = 4") as place:
        table = await place.opened()
        await until(lambda: place.query(f"SELECT doing FROM tables WHERE id = {table.id}") != [(None,)])
        with closing(hold(place.file)) as writer:
            beat = place.query("SELECT beat_at_ms FROM hosts")  # with the lock, before which another may come
            # A heartbeat is due after one second. One that held up this loop, which has the lock, would wait in vain
            # until it took the database for lost.
            await asyncio.sleep(1.8)
            assert place.query("SELECT beat_at_ms FROM hosts") == beat
            writer.execute("COMMIT")
        await until(lambda: place.query("SELECT beat_at_ms FROM hosts") != beat)
    assert "outage_began" not in {getattr(record, "action", "") for record in caplog.records}


# Runs that die


async def check_left(place: Floor, players: list[Player], why: str) -> None:
    """The board in hand was finished, the table released, and the host has ended."""
    await all_leave(players)
    await place.running
    assert place.query("SELECT board FROM board_attempts") == [(1,)]
    assert place.is_played_out()
    assert place.query("SELECT state, reason FROM tables WHERE room = 'open'") == [("waiting", why)]
    assert place.query("SELECT reason FROM hosts WHERE ended_at_ms IS NOT NULL") == [(why,)]


async def test_without_a_run_a_host_ends_the_board_in_hand_begins_no_other_and_ends(tmp_path: Path) -> None:
    clock = JumpingClock()
    async with floor(tmp_path, boards=3, tables="orphan_s = 5", clock=clock) as place:
        players = await sit(await place.opened(), delay_call_s=0.3)
        await place.until_called()
        await asyncio.sleep(0.3)  # for the host to have looked for a run once
        clock.ahead_ms = 3000
        await asyncio.sleep(0.3)
        clock.ahead_ms = 9000
        await check_left(place, players, "nobody has run the event for 5 s")


async def test_a_host_that_is_drained_finishes_the_board_in_hand_releases_its_table_and_ends(tmp_path: Path) -> None:
    async with floor(tmp_path, boards=3, tables="lease_s = 2") as place:
        players = await sit(await place.opened(), delay_call_s=0.2)
        await place.until_called()
        (info,) = load_hosts(place.database, place.event.id)
        drain_host(place.database, info)
        await check_left(place, players, "table host host is drained: it finishes its boards and ends")


# Outages


LIMITS = "[clock]\ncall_s = 1\n"


async def test_while_the_database_is_away_tables_wait_then_go_on_and_nobody_is_judged(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with floor(tmp_path, busy_ms=50, tables=LIMITS) as place:
        witness = Witness(place)
        players = await sit(await place.opened(), delay_call_s=0.01, on_line=witness.listen)
        await place.until_called(2)
        with closing(hold(place.file)) as holder:
            await asyncio.sleep(0.3)  # for what was on its way
            # Too short to be noted as a standstill: the limit of those who have called runs out late, when the next
            # to call has not been told for longer than a call may take.
            time.sleep(0.9)  # noqa: ASYNC251
            before = (str(witness.heard), place.query("SELECT count(*) FROM calls"))
            await asyncio.sleep(2.0)  # longer than a call may take
            assert (str(witness.heard), place.query("SELECT count(*) FROM calls")) == before
            await until(lambda: "the tables wait" in caplog.text)  # a thread waits for the lock before that
            holder.rollback()
        await all_leave(players)
        assert place.query("SELECT text FROM incidents") == []
        assert place.query("SELECT kind FROM rulings") == []
        witness.check()
        assert place.query("SELECT state FROM tables WHERE room = 'open'") == [("finished",)]
    told = [record.getMessage() for record in caplog.records]
    assert len([line for line in told if line.endswith("the tables wait")]) == 1
    assert len([line for line in told if line.endswith("the tables go on")]) == 1


async def test_while_others_have_the_lock_for_a_moment_the_loop_goes_on_and_no_table_is_suspended(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with floor(tmp_path, busy_ms=BUSY_MS) as place:
        players = await sit(await place.opened(), delay_call_s=0.01)
        await place.until_called(2)
        loop = asyncio.get_running_loop()
        with closing(hold(place.file)) as holder:
            turns_of_loop = 0
            until_s = loop.time() + 3
            while loop.time() < until_s:
                await asyncio.sleep(0.01)
                turns_of_loop += 1
            holder.rollback()
        await all_leave(players)
    assert turns_of_loop > 50, "a write that waits in the loop leaves three turns in three seconds"
    assert "the tables wait" not in caplog.text


async def test_a_database_that_stays_away_ends_the_host_with_a_sentence_and_the_board_can_go_on(
    tmp_path: Path,
) -> None:
    sentence = r"^the database was away for \d s, outage_s = 1: database .* is locked"
    with pytest.raises(StoreError, match=sentence):  # noqa: PT012 # the host raises when its floor is left
        async with floor(tmp_path, busy_ms=50, tables="outage_s = 1") as place:
            players = await sit(await place.opened(), delay_call_s=0.05)
            await place.until_called()
            with closing(hold(place.file)):
                await all_leave(players)
                await asyncio.wait([place.running])
            assert told(players).count("End of session") == 4
            assert place.query("SELECT ended FROM board_attempts") == [(None,)]
            assert place.query("SELECT state FROM tables WHERE room = 'open'") == [("playing",)]
