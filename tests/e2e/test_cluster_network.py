"""A cluster whose network fails: a worker is in a network namespace, with a cable for each of what it reaches.

By default the cuts are as short as they can be and mean the same; `TOURNEY_CUTS=real` makes them 5 and 60 seconds.
"""

import os
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.support.cluster import ClusterEvent, has_ended, real_cluster
from tests.support.events import read_until, rest_of, start_tourney, until
from tests.support.network import NetworkMachine, network_machine, postgres_at

IS_REAL = os.environ.get("TOURNEY_CUTS") == "real"
LEASE_S, SHORT_S, LONG_S = (10, 5, 60) if IS_REAL else (3, 1, 0)
"""The lease of a host; how long the cut is that it outlives, and at least the one that it does not."""

BOARDS = 50 if IS_REAL else 5

TABLES = f"lease_s = {LEASE_S}\norphan_s = 120\noutage_s = 90\n"


class CutEvent(ClusterEvent):
    """An event of which one room is played on a machine that can be cut off."""

    machine: NetworkMachine

    def far_table(self) -> tuple[str, str, int, int]:
        """The room, the host, its process and the attempt of the table on that machine."""
        ((room, found),) = [(room, each) for room, each in self.tables().items() if "FAR" in each[0]]
        return room, *found

    def said(self, room: str) -> int:
        """How many calls and cards of a room are on record."""
        there = f"JOIN tables t ON t.id = table_id WHERE t.room = '{room}'"
        return self.count(f"calls {there}") + self.count(f"cards {there}")

    def until_said(self, room: str) -> None:
        goal = self.said(room) + 4
        until(lambda: self.said(room) >= goal, f"{goal} calls and cards in the {room} room")


@pytest.fixture
def event(tmp_path: Path, postgres_url: str) -> Iterator[CutEvent]:
    with ExitStack() as stack:
        machine = stack.enter_context(network_machine("scheduler", "database"))
        workers_url = stack.enter_context(postgres_at(postgres_url, machine.here("database")))
        cluster = stack.enter_context(real_cluster(tmp_path / "cluster", "NEAR", host=machine.here("scheduler")))
        cluster.start_worker("FAR", on=machine.words)
        cluster.read_until("FAR", "in the cluster of")
        found = CutEvent(tmp_path, cluster, postgres_url, TABLES, BOARDS, workers_url)
        found.machine = machine
        stack.callback(found.close)
        yield found


@pytest.mark.campaign
def test_a_machine_that_is_cut_off_plays_on_or_its_tables_do_elsewhere(event: CutEvent) -> None:
    machine = event.machine
    run = start_tourney("run", event.event)
    read_until(run, "closed room: Alpha")
    event.until_both_play()
    until(lambda: len(event.programs()) == 8, "eight programs play")
    before = room, host, pid, attempt = event.far_table()
    event.until_said(room)

    # Without the scheduler tables have all that they need.
    machine.pull("scheduler")
    event.until_said(room)
    machine.plug("scheduler")

    # Without the database they wait, for less than the lease; nobody takes them over.
    machine.pull("database")
    time.sleep(SHORT_S)  # the cut is so long
    machine.plug("database")
    event.until_said(room)
    assert event.far_table() == before, "it has gone on where it was"

    # For longer: the table goes on at the other worker. The host that has lost it ends by itself, with its programs.
    pulled_at = time.monotonic()
    machine.pull("database")
    machine.pull("scheduler")
    until(lambda: event.tables().get(room, before[1:])[2] > attempt, "the table has another host")
    assert "NEAR" in event.tables()[room][0]
    event.until_said(room)
    time.sleep(max(0.0, LONG_S - (time.monotonic() - pulled_at)))  # the cut is so long
    machine.plug("database")
    machine.plug("scheduler")
    until(lambda: has_ended(pid), f"host {host} has ended")

    ended = rest_of(run)
    assert ended.status == 0, ended.out
    event.check_whole()
