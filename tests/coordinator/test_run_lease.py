"""One run at a time, on all machines: who holds an event, who may take it over, and who has lost it."""

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.exc import OperationalError

from tests.support.conversation import steps_of
from tests.support.played_event import draw_event
from tests.support.store_events import NOW_MS, save_event
from tourney.coordinator.run_lease import RunLease, hold_run_lock, is_run_locked
from tourney.errors import LaunchError, RunLeaseLost
from tourney.launch.hosts import HostSecrets, LocalLauncher, this_process
from tourney.scoring.match import MatchScore
from tourney.scoring.victory_points import VpHundredths
from tourney.store.control.host_settings import save_settings
from tourney.store.control.hosts import add_host, end_host, load_hosts
from tourney.store.control.leases import ProcessIdentity, RunOnRecord, load_run
from tourney.store.control.table_state import assign_table, release_tables
from tourney.store.control.tables import load_tables
from tourney.store.db.database import Database
from tourney.store.results.matches import save_match_score

NOON_MS = 1_795_262_400_000
"""2026-11-21 12:00:00 UTC."""

LEASE_S = 10
OURS, BOX = this_process(), ProcessIdentity("box", 7, "a")
PROCESSES = {
    "box": BOX,
    "tower": ProcessIdentity("tower", 8, "b"),
    "ours": OURS,
    "gone": ProcessIdentity(OURS.machine, os.getpid(), "another start"),
    "beside": OURS._replace(pid=OURS.pid + 1),
}


class Held:
    """An event, and the holds that processes try to have on it."""

    def __init__(self, folder: Path) -> None:
        self.played = played = draw_event(folder)
        self.database: Database = played.database
        self.event_id = played.event.id
        self.results = played.file.results
        self.leases: dict[str, RunLease] = {}

    def converse(self, script: str) -> None:
        """`box takes 2.5 -> nothing`, so many seconds after noon, and what it is told; it `renews` and `releases`."""
        for step in steps_of(script):
            name, act, *at = step.what.split()
            now_ms = NOON_MS + int(1000 * float(*at or ["0"]))
            told = []
            try:
                if act == "takes":
                    launcher = LocalLauncher(self.event_id, HostSecrets(self.database.address), self.results)
                    launcher.process = PROCESSES[name]
                    lease = RunLease(self.database, self.event_id, LEASE_S, launcher)
                    lease.take(now_ms)
                    self.leases[name] = lease
                elif act == "renews":
                    self.leases[name].renew(now_ms)
                else:
                    self.leases[name].release()
            except (LaunchError, RunLeaseLost) as error:
                told.append(str(error))
            step.check(told)


def dump(database: Database) -> list[str]:
    """All rows of an SQLite file."""
    assert database.file is not None
    with closing(sqlite3.connect(database.file)) as connection:
        return list(connection.iterdump())


@pytest.fixture
def held(tmp_path: Path) -> Iterator[Held]:
    held = Held(tmp_path)
    yield held
    held.database.close()


RUN_BY_BOX = "this event is being run already, by process 7 on box since 2026-11-21 12:00 UTC"


def test_a_second_run_on_another_machine_is_told_who_has_the_event(held: Held) -> None:
    held.converse(f"""
        box takes -> nothing
        tower takes 9.999 -> {RUN_BY_BOX}
        tower takes {LEASE_S} -> {RUN_BY_BOX}
    """)


def test_a_run_that_keeps_its_hold_keeps_it_for_as_long_as_it_likes(held: Held) -> None:
    held.converse("box takes")
    for second in range(0, 60, 2):
        held.converse(f"box renews {second} -> nothing\ntower takes {second + 1.999} -> {RUN_BY_BOX}")


def test_a_silent_one_is_taken_over_and_finds_out(held: Held) -> None:
    held.converse("""
        box takes -> nothing
        tower takes 10.001 -> nothing
        box renews 20
            -> this run was not heard of for more than 10 s and the event is run by process 8 on tower...: it...
        box releases
        # It has not given away what it had not.
        box takes 12 -> ...process 8 on tower...
    """)


def test_a_run_that_was_taken_over_writes_nothing_more(held: Held) -> None:
    held.converse("box takes")
    frozen = held.leases["box"]
    add_host(frozen.database, held.event_id, "1-box", NOW_MS)
    held.converse("tower takes 10.001 -> nothing")
    before = dump(held.database)
    table = load_tables(held.database, held.event_id).popitem()[1]
    (host,) = load_hosts(held.database, held.event_id)
    match = held.played.event.matches[0]
    writes: list[Callable[[Database], object]] = [
        lambda database: add_host(database, held.event_id, "2-box", NOW_MS),
        lambda database: assign_table(database, table.id, "1-box", table.ports, NOW_MS),
        lambda database: end_host(database, host, "silent", NOW_MS),
        lambda database: release_tables(database, held.event_id, NOW_MS),
        lambda database: save_match_score(
            database, match, MatchScore(1, 0, 0, VpHundredths(1000), VpHundredths(1000))
        ),
        lambda database: save_settings(database, held.event_id, held.played.file.host_settings),
    ]
    for write in writes:
        with pytest.raises(RunLeaseLost, match="the event is run by process 8 on tower"):
            write(frozen.database)
    assert dump(held.database) == before
    assert frozen.is_lost


def test_on_postgresql_nobody_takes_an_event_over_while_its_run_writes(postgres_database: Database) -> None:
    event = save_event(postgres_database)
    launcher = LocalLauncher(event.id, HostSecrets(postgres_database.address), Path())
    launcher.process = BOX
    lease = RunLease(postgres_database, event.id, LEASE_S, launcher)
    lease.take(NOON_MS)
    with lease.database.write() as writing:
        writing.execute(text("SELECT 1"))
        with postgres_database.read() as other:
            other.execute(text("SET LOCAL lock_timeout = '50ms'"))
            with pytest.raises(OperationalError, match="lock timeout"):
                other.execute(text("UPDATE events SET run_holder = 'tower'"))
            other.rollback()


def test_a_hold_that_was_given_back_is_free_at_once(held: Held) -> None:
    held.converse("box takes -> nothing\nbox releases")
    assert load_run(held.database, held.event_id) == RunOnRecord(None, None)
    held.converse("tower takes 0.001 -> nothing")


def test_a_process_of_this_machine_that_is_gone_holds_nothing(held: Held) -> None:
    held.converse("gone takes -> nothing\nours takes 0.001 -> nothing")
    holder = load_run(held.database, held.event_id).holder
    assert holder is not None
    assert holder.process == OURS


def test_a_process_of_this_machine_that_runs_holds_the_event(held: Held) -> None:
    held.converse(f"""
        ours takes -> nothing
        beside takes 0.001 -> ...by process {os.getpid()} on {OURS.machine} since...
    """)


def test_a_sign_of_life_from_the_future_is_refused_with_both_times(held: Held) -> None:
    held.converse(f"""
        box takes 3600 -> nothing
        tower takes 0
            -> this event was last heard of at 2026-11-21 13:00:00 UTC by process 7 on box since 2026-11-21 13:00...
        tower takes 0 -> ..., and here it is 2026-11-21 12:00:00 UTC: the clock of one of the machines is wrong
        # Less than a lease ahead is no fault.
        tower takes 3595 -> {RUN_BY_BOX.replace("12:00", "13:00")}
    """)


def test_of_two_that_take_over_at_the_same_time_one_gets_it(held: Held, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = load_run(held.database, held.event_id)
    held.converse("box takes")
    with monkeypatch.context() as patch:
        patch.setattr("tourney.coordinator.run_lease.load_run", lambda *_: seen)
        held.converse("tower takes -> this event is being run already, by ...")
    held.converse(f"tower takes -> {RUN_BY_BOX}")


def test_a_holder_that_is_none_of_ours_is_quoted(held: Held) -> None:
    assert held.database.file is not None
    with sqlite3.connect(held.database.file) as connection:
        connection.execute("UPDATE events SET run_holder = 'somebody', run_beat_at_ms = ?", (NOON_MS,))
    connection.close()
    held.converse("box takes -> this event is being run already, by 'somebody'")


# The lock of the results folder, seen from outside


def test_a_run_is_going_on_while_its_lock_is_held_and_a_look_leaves_it_free(tmp_path: Path) -> None:
    assert not is_run_locked(tmp_path)
    assert list(tmp_path.iterdir()) == []
    for _ in range(2):
        with hold_run_lock(tmp_path):
            assert is_run_locked(tmp_path)
        assert not is_run_locked(tmp_path)


def test_a_lock_that_cannot_be_read_is_told_of_in_one_sentence(tmp_path: Path) -> None:
    loop = tmp_path / "run.lock"
    loop.symlink_to(loop)
    with pytest.raises(LaunchError, match=r"run\.lock cannot be read: "):
        is_run_locked(tmp_path)
