"""The hosts of a run: found, given tables, taken for dead, and not started for ever."""

import asyncio
import os
import signal
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.support.conversation import steps_of
from tests.support.played_event import draw_event
from tests.support.run_context import run_context
from tourney.coordinator.host_pool import HostPool
from tourney.errors import LaunchError, StoreError
from tourney.launch.hosts import HostHandle, HostProcess, HostSecrets, HostSlots, LocalLauncher, this_process
from tourney.runtime.clock import HostClock
from tourney.store.control.hosts import HostInfo, add_host, join_host, leave_host, load_hosts, renew_host_lease
from tourney.store.control.leases import ProcessIdentity

PROCESSES = {
    "elsewhere": ProcessIdentity("tower", 8, "b"),
    "here": this_process(),
    "before": this_process()._replace(pid_start="before"),
}
"""Where a host may have begun: this machine before it was restarted is one of the places."""


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
        self.fate = "at work"

    @property
    def is_over(self) -> bool:
        return self.fate == "ended"

    @property
    def is_suspended(self) -> bool:
        return self.fate == "suspended"

    def how_it_ended(self) -> str:
        return "it ended"

    def send_signal(self, number: signal.Signals) -> None:
        assert number is signal.SIGKILL
        self.fate = "killed"

    async def kill(self) -> None:
        assert not self.starts_later, "it cannot be reached, and is not waited for"
        self.send_signal(signal.SIGKILL)

    async def stop(self) -> None:
        self.fate = "stopped"


class FarHost(IdleHost):
    """One of a worker: it has begun only when it says so."""

    starts_later = True


class IdleLauncher(LocalLauncher):
    """Starts hosts that do nothing: here, or at the workers that there are."""

    def __init__(self, event_id: int, folder: Path) -> None:
        super().__init__(event_id, HostSecrets(""), folder)
        self.started: dict[str, IdleHost] = {}
        self.slots: list[HostSlots] | None = None

    def places(self, size: int) -> Sequence[HostSlots]:
        return super().places(size) if self.slots is None else self.slots

    def new_name(self, number: int, place: HostSlots) -> str:
        return f"{place.name or 'host'}-{number}"

    def start_host(self, name: str, place: HostSlots) -> HostHandle:
        self.started[name] = (FarHost if place.name else IdleHost)(name)
        return self.started[name]


class Floor:
    """A pool for an event of one match; the hosts it starts are idle, and what they do is a conversation."""

    def __init__(self, folder: Path) -> None:
        played = draw_event(folder)
        self.database, self.event_id = played.database, played.event.id
        self.clock, self.launcher = Clock(), IdleLauncher(self.event_id, folder)
        self.pool = HostPool(run_context(played, clock=self.clock), self.launcher, size=2)

    def converse(self, script: str) -> None:
        """Check what a pool tells; the steps, where a name is that of a host, and a number that of a table:

        workers FAR 2, NEAR 1 draining   there are these workers, with room for so many tables
        place 1 2 -> FAR-1 -> -          where tables are placed, `-` if nowhere yet; leave 1
        keep 1 there -> no               it is counted for the host that plays it
        room for 1 2 -> yes              whether it makes sense to place one of them; room -> in words
        there begins elsewhere           a host has a process, maybe one that nobody has started
        there beats at 7                 by its own clock; there leaves, there ends, there is suspended, is at work
        10.5 s later                     nobody could be heard: nobody was; the suspended are killed
        living -> here here -> there ?   the hosts of an earlier run, and where their processes are
        dead -> there: it ended          those found; the dead are removed
        hosts -> FAR-1 draining          those on record; started -> FAR-1 at work, all that were, and what they do
        the run stops
        """
        for step in steps_of(script):
            told = self._take(*step.what.split())
            step.check(told if isinstance(told, list) else [])

    def _take(self, *words: str) -> object:  # noqa: PLR0912 # a case for each step
        match words:
            case ["workers", *_]:
                slots = [each.split() for each in " ".join(words[1:]).split(",") if each]
                self.launcher.slots = [
                    HostSlots(name, 1, int(tables), is_draining=bool(more)) for name, tables, *more in slots
                ]
            case ["place", *tables]:
                return [self.pool.place(int(table)) or "-" for table in tables]
            case ["leave", table]:
                self.pool.leave(int(table))
            case ["keep", table, *name]:
                return [_yes(self.pool.keep(int(table), name[0] if name else None))]
            case ["room", "for", *tables]:
                return [_yes(self.pool.has_room([int(table) for table in tables]))]
            case ["room"]:
                return [self.pool.room]
            case [name, "begins", where]:
                if name not in self.launcher.started:
                    add_host(self.database, self.event_id, name, 0)
                join_host(self.database, name, PROCESSES[where], self.clock.wall_ms())
            case [name, "beats", "at", beat]:
                renew_host_lease(self.database, self._info(name), {}, int(beat))
            case [name, "leaves"]:
                leave_host(self.database, self._info(name), "", 0)
            case [name, "ends"]:
                self.launcher.started[name].fate = "ended"
            case [name, "is", *fate]:
                self.launcher.started[name].fate = " ".join(fate)
            case [seconds, "s", "later"]:
                self.clock.at_ms += int(1000 * float(seconds))
            case ["nobody", *_]:
                self.pool.reset_heartbeats()
            case ["the", "suspended", *_]:
                asyncio.run(self.pool.kill_suspended())
            case ["living"]:
                names = {process: place for place, process in PROCESSES.items()}
                return [f"{name} {names[at] if at else '?'}" for name, at in self.pool.find_living().items()]
            case ["dead"]:
                return [f"{name}: {reason}" for name, reason in self.pool.find_dead().items()]
            case ["the", "dead", *_]:
                asyncio.run(self.pool.reap_dead())
            case ["hosts"]:
                found = load_hosts(self.database, self.event_id)
                return [f"{info.name}{' draining' if info.is_draining else ''}" for info in found]
            case ["started"]:
                return [f"{name} {host.fate}" for name, host in self.launcher.started.items()]
            case ["the", "run", "stops"]:
                asyncio.run(self.pool.stop())
            case _:
                raise AssertionError(words)
        return None

    def _info(self, name: str) -> HostInfo:
        return next(info for info in load_hosts(self.database, self.event_id) if info.name == name)


def _yes(is_so: bool) -> str:
    return "yes" if is_so else "no"


@pytest.fixture
def floor(tmp_path: Path) -> Floor:
    return Floor(tmp_path)


def test_tables_are_spread_over_as_many_hosts_as_there_may_be(floor: Floor) -> None:
    floor.converse("""
        place 0 1 2 3 4 -> host-1 -> host-2 -> host-1 -> host-2 -> host-1
        leave 0
        place 9 -> ...
        hosts -> host-1 -> host-2
    """)


def test_tables_that_take_all_the_room_of_a_worker_are_placed_once_their_host_has_begun(floor: Floor) -> None:
    floor.converse("""
        workers LAPTOP 2
        place 1 2 3 -> - -> - -> -
        room for 1 2 3 -> yes
        started -> LAPTOP-1 at work
        LAPTOP-1 begins elsewhere
        dead -> nothing
        room for 1 2 3 -> yes
        place 1 2 3 -> LAPTOP-1 -> LAPTOP-1 -> -
        room for 3 -> no
        # It is told to finish its boards and end.
        workers LAPTOP 2 draining
        dead -> nothing
        hosts -> LAPTOP-1 draining
        room -> no worker is there
    """)


def test_a_table_for_which_no_worker_has_room_waits_until_another_worker_comes(floor: Floor) -> None:
    floor.converse("""
        workers
        place 1 -> -
        room for 1 -> no
        room -> no worker is there
        workers FIRST 1
        place 1 -> -
        FIRST-1 begins elsewhere
        dead -> nothing
        place 1 2 -> FIRST-1 -> -
        room for 2 -> no
        room -> 1 worker has room for 1 table
        workers FIRST 1, SECOND 1
        place 2 -> -
        SECOND-2 begins elsewhere
        dead -> nothing
        place 2 -> SECOND-2
        # A worker that has gone gets no more tables. Its tables play on, and still count.
        workers SECOND 1
        keep 1 FIRST-1 -> yes
        place 3 -> -
        room -> 1 worker has room for 1 table
    """)


def test_a_worker_whose_host_failed_to_start_is_avoided_for_a_while(floor: Floor) -> None:
    again = "place 1 -> -\n" * 12
    floor.converse(f"""
        workers BROKEN 2
        place 1 -> -
        BROKEN-1 ends
        dead -> BROKEN-1: it ended
        the dead are removed
        # Nothing is started there, and nothing counts as a loss.
        {again}
        started -> BROKEN-1 ended
        29.999 s later
        place 1 -> -
        started -> BROKEN-1 ended
        0.001 s later
        place 1 -> -
        started -> BROKEN-1 ended -> BROKEN-2 at work
    """)


def test_a_run_that_stops_does_not_wait_for_hosts_that_have_not_begun(floor: Floor) -> None:
    floor.converse("""
        workers NEAR 1, FAR 1
        place 1 2 -> - -> -
        NEAR-1 begins elsewhere
        dead -> nothing
        place 1 2 -> NEAR-1 -> -
        the run stops
        started -> NEAR-1 stopped -> FAR-2 at work
        hosts -> nothing
    """)
    with pytest.raises(StoreError, match="has no table host 'FAR-2' that is to work"):
        floor.converse("FAR-2 begins elsewhere")


def test_tables_of_a_worker_that_may_be_cut_off_go_to_other_workers_without_waiting_for_its_hosts(
    floor: Floor,
) -> None:
    floor.converse("""
        workers FAR 2, NEAR 2
        place 1 2 -> - -> -
        FAR-1 begins elsewhere
        NEAR-2 begins elsewhere
        dead -> nothing
        place 1 2 -> FAR-1 -> NEAR-2
        10.001 s later
        NEAR-2 beats at 1
        dead -> FAR-1: ...
        the dead are removed
        started -> FAR-1 killed -> NEAR-2 at work
        # Although FAR has nothing to do. Where nobody else has room, it is tried.
        place 1 3 -> NEAR-2 -> -
        started -> FAR-1 killed -> NEAR-2 at work -> FAR-3 at work
    """)


def test_living_hosts_and_those_of_other_machines_are_found_and_the_gone_are_declared_dead(floor: Floor) -> None:
    add_host(floor.database, floor.event_id, "never came", 0)
    floor.converse("""
        here begins here
        gone begins before
        there begins elsewhere
        living -> here here -> there ?
        hosts -> here -> there
        keep 1 here -> yes
        keep 2 there -> yes
        keep 3 gone -> no
        keep 3 -> no
        # The ports of `there` are on another machine.
        place 4 5 6 7 -> host-5 -> here -> host-5 -> here
    """)


def test_a_host_is_dead_after_a_lease_of_silence_by_our_own_clock(floor: Floor) -> None:
    floor.converse("""
        there begins elsewhere
        living -> ...
        dead -> nothing
        # Whatever the clock there shows.
        10 s later
        there beats at -5
        dead -> nothing
        10 s later
        there beats at 1000000000000000
        dead -> nothing
        10 s later
        there beats at 7
        dead -> nothing
        10 s later
        dead -> nothing
        0.001 s later
        dead -> there: table host there has not been heard of for 10.0 s
        nobody could be heard
        dead -> nothing
    """)


def test_a_host_that_another_run_has_started_is_watched_like_ones_own(floor: Floor) -> None:
    floor.converse("""
        living -> nothing
        another's begins elsewhere
        dead -> nothing
        keep 1 another's -> yes
        10.001 s later
        dead -> another's: ...
    """)


def test_silence_while_nobody_could_be_heard_counts_only_when_it_outlasts_any_outage(floor: Floor) -> None:
    unheard = "10 s later\nnobody could be heard\ndead -> nothing\n" * 7
    floor.converse(f"""
        there begins elsewhere
        living -> ...
        dead -> nothing
        {unheard}
        0.001 s later
        dead -> there: table host there has not been heard of for 70.0 s
    """)


def test_a_host_that_starts_has_more_time(floor: Floor) -> None:
    floor.converse("""
        place 1 -> host-1
        dead -> nothing
        30 s later
        dead -> nothing
        0.001 s later
        dead -> host-1: ...
    """)


def test_a_host_whose_process_ended_is_dead_at_once_and_one_that_leaves_gets_no_table(floor: Floor) -> None:
    floor.converse("""
        place 1 2 -> host-1 -> host-2
        host-1 leaves
        dead -> nothing
        keep 1 host-1 -> no
        place 3 -> host-3
        host-2 ends
        dead -> host-2: it ended
    """)


def test_hosts_that_die_again_and_again_within_a_minute_end_the_run(floor: Floor) -> None:
    def lose(number: int) -> None:
        floor.converse(f"place 1 -> host-{number}\nhost-{number} ends\nthe dead are removed")

    for number in range(1, 21):  # one now and then is borne
        lose(number)
        floor.converse("6.001 s later")
    floor.converse("60 s later")
    for number in range(21, 32):
        lose(number)
    with pytest.raises(
        LaunchError, match=r"^1[12] table hosts have died within 60 s, at most 10 may: look into hosts/ "
    ):
        floor.pool.place(1)


def test_a_run_that_goes_leaves_no_process_of_its_own_to_be_warned_of(tmp_path: Path) -> None:
    host = HostProcess("1", 1, HostSecrets("sqlite:////dev/null/no-database"), tmp_path / "1.log")
    host.start()
    assert host._process is not None
    pid = host._process.pid
    host.leave()
    del host
    assert os.waitpid(pid, 0)[0] == pid


def test_a_host_that_a_signal_has_stopped_is_killed_after_a_lease_although_nobody_can_write(floor: Floor) -> None:
    floor.converse("""
        place 1 -> host-1
        host-1 is suspended
        the suspended are killed
        10 s later
        the suspended are killed
        started -> host-1 suspended
        host-1 is at work
        the suspended are killed
        host-1 is suspended
        0.001 s later
        the suspended are killed
        # It ran in between.
        started -> host-1 suspended
        10.001 s later
        the suspended are killed
        started -> host-1 killed
    """)
