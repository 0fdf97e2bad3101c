"""The hosts of a run: found, given tables, taken for dead, and not started for ever."""

import os
import signal
from pathlib import Path

import pytest

from tests.support.played_event import PlayedEvent, draw_event
from tests.support.run_context import run_context
from tourney.coordinator.host_pool import HOSTS_LOST_MAX, JOIN_MS, LOST_WITHIN_MS, SHUNNED_MS, HostPool
from tourney.errors import LaunchError, StoreError
from tourney.launch.hosts import HostHandle, HostProcess, HostSecrets, HostSlots, LocalLauncher, this_process
from tourney.runtime.clock import HostClock
from tourney.store.control.hosts import add_host, join_host, leave_host, load_hosts, renew_host_lease
from tourney.store.control.leases import ProcessIdentity

LEASE_S = 10
OUTAGE_S = 60
"""As event files have it by default."""

ELSEWHERE = ProcessIdentity("tower", 8, "b")


class Clock(HostClock):
    """Goes on when it is told to."""

    def __init__(self) -> None:
        super().__init__()
        self.at_ms = 1000

    def now_ms(self) -> int:
        return self.at_ms


class IdleHost(HostHandle):
    """A host that is no process, and ends when told so."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.ended = False
        self.suspended = False
        self.kills = 0

    @property
    def is_over(self) -> bool:
        return self.ended

    @property
    def is_suspended(self) -> bool:
        return self.suspended

    def how_it_ended(self) -> str:
        return f"table host {self.name} ended"

    def send_signal(self, number: signal.Signals) -> None:
        self.kills += number is signal.SIGKILL

    async def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


class IdleLauncher(LocalLauncher):
    """Starts hosts that do nothing."""

    def __init__(self, event_id: int, folder: Path) -> None:
        super().__init__(event_id, HostSecrets(""), folder)
        self.started: dict[str, IdleHost] = {}

    def start_host(self, name: str, place: HostSlots) -> HostHandle:
        self.started[name] = IdleHost(name)
        return self.started[name]


class Floor:
    """A pool for an event of one match; the hosts it starts are idle."""

    def __init__(self, folder: Path) -> None:
        self.played: PlayedEvent = draw_event(folder)
        self.database, self.event_id = self.played.database, self.played.event.id
        self.clock, self.launcher = Clock(), IdleLauncher(self.event_id, folder)
        self.pool = HostPool(run_context(self.played, clock=self.clock), self.launcher, size=2)

    def joined(self, name: str, process: ProcessIdentity) -> None:
        add_host(self.database, self.event_id, name, 0)
        join_host(self.database, name, process, 0)

    def place(self, table_id: int) -> str:
        name = self.pool.place(table_id)
        assert name is not None, "there is room on one's own machine"
        return name

    def begun(self, table_id: int) -> str:
        """Have a host started for a table on a worker, and begin there."""
        assert self.pool.place(table_id) is None
        name = list(self.launcher.started)[-1]
        join_host(self.database, name, ELSEWHERE, self.clock.wall_ms())
        assert self.dead() == []
        assert self.pool.place(table_id) == name
        return name

    def dead(self) -> list[str]:
        return list(self.pool.find_dead())


@pytest.fixture
def floor(tmp_path: Path) -> Floor:
    return Floor(tmp_path)


def test_tables_are_spread_over_as_many_hosts_as_there_may_be(floor: Floor) -> None:
    names = [floor.place(table) for table in range(5)]
    assert len(set(names)) == 2
    assert {names.count(name) for name in names} == {2, 3}
    floor.pool.leave(0)
    assert floor.place(9) in names
    assert [info.name for info in load_hosts(floor.database, floor.event_id)] == names[:2]


def test_tables_that_take_all_the_room_of_a_worker_are_placed_once_their_host_has_begun(
    floor: Floor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(IdleHost, "starts_later", True)
    monkeypatch.setattr(floor.launcher, "places", lambda _hosts: [HostSlots("LAPTOP2", 1, 2)])
    assert [floor.pool.place(table) for table in (1, 2, 3)] == [None, None, None]
    assert floor.pool.has_room([1, 2, 3])
    (name,) = floor.launcher.started
    join_host(floor.database, name, ELSEWHERE, 0)
    assert floor.dead() == []
    assert floor.pool.has_room([1, 2, 3])
    assert [floor.pool.place(table) for table in (1, 2, 3)] == [name, name, None]
    assert not floor.pool.has_room([3])
    monkeypatch.setattr(floor.launcher, "places", lambda _hosts: [HostSlots("LAPTOP2", 1, 2, is_draining=True)])
    assert floor.dead() == []
    (info,) = load_hosts(floor.database, floor.event_id)
    assert info.is_draining, "it is told to finish its boards and end"


async def test_a_table_for_which_no_worker_has_room_waits_until_another_worker_comes(
    floor: Floor, monkeypatch: pytest.MonkeyPatch
) -> None:
    places: list[HostSlots] = []
    monkeypatch.setattr(IdleHost, "starts_later", True)
    monkeypatch.setattr(floor.launcher, "places", lambda _hosts: places)
    assert floor.pool.place(1) is None
    assert not floor.pool.has_room([1])
    assert floor.pool.room == "no worker is there"
    places.append(HostSlots("FIRST", 1, 1))
    first = floor.begun(1)
    assert floor.pool.place(2) is None
    assert not floor.pool.has_room([2])
    assert floor.pool.room == "1 worker has room for 1 table"
    places.append(HostSlots("SECOND", 1, 1))
    second = floor.begun(2)
    assert [floor.pool._members[name].place for name in (first, second)] == ["FIRST", "SECOND"]
    # A worker that has gone gets no more tables. Its tables play on, and still count.
    del places[0]
    assert floor.pool.keep(1, first)
    assert floor.pool.place(3) is None
    assert floor.pool.room == "1 worker has room for 1 table"


async def test_a_worker_whose_host_failed_to_start_is_avoided_for_a_while(
    floor: Floor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(IdleHost, "starts_later", True)
    monkeypatch.setattr(floor.launcher, "places", lambda _hosts: [HostSlots("BROKEN", 1, 2)])
    assert floor.pool.place(1) is None
    (name,) = floor.launcher.started
    floor.launcher.started[name].ended = True
    assert floor.pool.find_dead() == {name: f"table host {name} ended"}
    await floor.pool.reap_dead()
    for _ in range(HOSTS_LOST_MAX + 2):
        assert floor.pool.place(1) is None, "nothing is started there, and nothing counts as a loss"
    assert list(floor.launcher.started) == [name]
    floor.clock.at_ms += SHUNNED_MS
    assert floor.pool.place(1) is None
    assert len(floor.launcher.started) == 2


async def test_a_run_that_stops_does_not_wait_for_hosts_that_have_not_begun(
    floor: Floor, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def stop(host: HostHandle) -> None:
        stopped.append(host.name)

    stopped: list[str] = []
    monkeypatch.setattr(IdleHost, "starts_later", True)
    monkeypatch.setattr(IdleHost, "stop", stop)
    monkeypatch.setattr(floor.launcher, "places", lambda _hosts: [HostSlots("NEAR", 1, 1), HostSlots("FAR", 1, 1)])
    begun = floor.begun(1)
    assert floor.pool.place(2) is None
    (coming,) = set(floor.launcher.started) - {begun}
    await floor.pool.stop()
    assert stopped == [begun]
    assert load_hosts(floor.database, floor.event_id) == []
    with pytest.raises(StoreError, match=f"has no table host '{coming}' that is to work"):
        join_host(floor.database, coming, ELSEWHERE, 0)


async def test_tables_of_a_worker_that_may_be_cut_off_go_to_other_workers_without_waiting_for_its_hosts(
    floor: Floor, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def wait_for_ever(host: HostHandle) -> None:
        pytest.fail(f"{host.name} cannot be reached")

    monkeypatch.setattr(IdleHost, "starts_later", True)
    monkeypatch.setattr(IdleHost, "kill", wait_for_ever)
    monkeypatch.setattr(floor.launcher, "places", lambda _hosts: [HostSlots("FAR", 1, 2), HostSlots("NEAR", 1, 2)])
    far, near = floor.begun(1), floor.begun(2)
    assert [floor.pool._members[name].place for name in (far, near)] == ["FAR", "NEAR"]
    floor.clock.at_ms += 1000 * LEASE_S + 1
    on_record = {info.name: info for info in load_hosts(floor.database, floor.event_id)}
    renew_host_lease(floor.database, on_record[near], {}, floor.clock.wall_ms() + 1)
    assert floor.dead() == [far]
    await floor.pool.reap_dead()
    assert floor.launcher.started[far].kills == 1
    assert floor.pool.place(1) == near, "although FAR has nothing to do"
    # Where nobody else has room, it is tried.
    assert floor.pool.place(3) is None
    assert [member.place for member in floor.pool._members.values()] == ["NEAR", "FAR"]


def test_living_hosts_and_those_of_other_machines_are_found_and_the_gone_are_declared_dead(
    floor: Floor,
) -> None:
    ours = this_process()
    floor.joined("here", ours)
    floor.joined("gone", ours._replace(pid_start="before"))
    floor.joined("there", ELSEWHERE)
    add_host(floor.database, floor.event_id, "never came", 0)
    assert floor.pool.find_living() == {"here": ours, "there": None}
    assert [info.name for info in load_hosts(floor.database, floor.event_id)] == ["here", "there"]
    assert floor.pool.keep(1, "here")
    assert floor.pool.keep(2, "there")
    assert not floor.pool.keep(3, "gone")
    assert not floor.pool.keep(3, None)
    assert "there" not in [floor.place(table) for table in range(4, 9)], "its ports are on another machine"


def test_a_host_is_dead_after_a_lease_of_silence_by_our_own_clock(floor: Floor) -> None:
    floor.joined("there", ELSEWHERE)
    floor.pool.find_living()
    (info,) = load_hosts(floor.database, floor.event_id)
    assert floor.dead() == []
    for beat_at_ms in (-5, 10**15, 7):  # whatever the clock there shows
        floor.clock.at_ms += 1000 * LEASE_S
        renew_host_lease(floor.database, info, {}, beat_at_ms)
        assert floor.dead() == []
    floor.clock.at_ms += 1000 * LEASE_S
    assert floor.dead() == []
    floor.clock.at_ms += 1
    assert floor.pool.find_dead() == {"there": "table host there has not been heard of for 10.0 s"}
    floor.pool.reset_heartbeats()
    assert floor.dead() == []


def test_a_host_that_another_run_has_started_is_watched_like_ones_own(floor: Floor) -> None:
    floor.pool.find_living()
    floor.joined("another run's", ELSEWHERE)
    assert floor.dead() == []
    assert floor.pool.keep(1, "another run's"), "its tables are not given to others"
    floor.clock.at_ms += 1000 * LEASE_S + 1
    assert floor.dead() == ["another run's"]


def test_silence_while_nobody_could_be_heard_counts_only_when_it_outlasts_any_outage(floor: Floor) -> None:
    floor.joined("there", ELSEWHERE)
    floor.pool.find_living()
    assert floor.dead() == []
    for _ in range((LEASE_S + OUTAGE_S) // 10):
        floor.clock.at_ms += 10_000
        floor.pool.reset_heartbeats()
        assert floor.dead() == []
    floor.clock.at_ms += 1
    assert floor.pool.find_dead() == {"there": "table host there has not been heard of for 70.0 s"}


def test_a_host_that_starts_has_more_time(floor: Floor) -> None:
    name = floor.place(1)
    assert floor.dead() == []
    floor.clock.at_ms += JOIN_MS
    assert floor.dead() == []
    floor.clock.at_ms += 1
    assert floor.dead() == [name]


def test_a_host_whose_process_ended_is_dead_at_once_and_one_that_leaves_gets_no_table(floor: Floor) -> None:
    first, second = floor.place(1), floor.place(2)
    info = next(info for info in load_hosts(floor.database, floor.event_id) if info.name == first)
    leave_host(floor.database, info, "", 0)
    assert floor.dead() == []
    assert not floor.pool.keep(1, first)
    assert floor.place(3) != first
    floor.launcher.started[second].ended = True
    assert floor.dead() == [second]


async def test_hosts_that_die_again_and_again_within_a_minute_end_the_run(floor: Floor) -> None:
    async def lose_one() -> None:
        floor.launcher.started[floor.place(1)].ended = True
        await floor.pool.reap_dead()

    for _ in range(2 * HOSTS_LOST_MAX):  # one now and then is borne
        await lose_one()
        floor.clock.at_ms += LOST_WITHIN_MS // HOSTS_LOST_MAX + 1
    floor.clock.at_ms += LOST_WITHIN_MS
    for _ in range(HOSTS_LOST_MAX + 1):
        await lose_one()
    with pytest.raises(
        LaunchError, match=r"^1[12] table hosts have died within 60 s, at most 10 may: look into hosts/ "
    ):
        floor.place(1)


def test_a_run_that_goes_leaves_no_process_of_its_own_to_be_warned_of(tmp_path: Path) -> None:
    host = HostProcess("1", 1, HostSecrets("sqlite:////dev/null/no-database"), tmp_path / "1.log")
    host.start()
    assert host._process is not None
    pid = host._process.pid
    host.leave()
    del host
    assert os.waitpid(pid, 0)[0] == pid


async def test_a_host_that_a_signal_has_stopped_is_killed_after_a_lease_although_nobody_can_write(
    floor: Floor,
) -> None:
    host = floor.launcher.started[floor.place(1)]
    host.suspended = True
    await floor.pool.kill_suspended()
    floor.clock.at_ms += 1000 * LEASE_S
    await floor.pool.kill_suspended()
    assert host.kills == 0
    host.suspended = False
    await floor.pool.kill_suspended()
    host.suspended = True
    floor.clock.at_ms += 1
    await floor.pool.kill_suspended()
    assert host.kills == 0, "it ran in between"
    floor.clock.at_ms += 1000 * LEASE_S + 1
    await floor.pool.kill_suspended()
    assert host.kills == 1
