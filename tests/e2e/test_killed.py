"""Runs whose hosts, coordinator, database or folder are taken away: the event is played to its end, once."""

import os
import re
import shutil
import signal
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from tests.e2e.test_run import processes_with
from tests.support import commands
from tests.support.events import bot, check_played_once, read_until, rest_of, start_tourney, until, write_event
from tests.support.simulated_run import query, simulated_runs

LEASE_S = 3
TABLES = f"lease_s = {LEASE_S}\norphan_s = 60\noutage_s = 20\n"
TEAMS = [("Alpha", bot(1, "basic", think_ms=25)), ("Beta", bot(2, think_ms=25))]


def until_number(event: Path, sql: str, is_so: Callable[[int], bool]) -> None:
    """Wait for a number on record."""
    until(lambda: is_so(int(query(event, sql)[0][0])), sql)


def until_called(event: Path, count: int = 10) -> None:
    until_number(event, "SELECT count(*) FROM calls", lambda calls: calls >= count)


def check_whole(event: Path, boards: int) -> None:
    """All is played once, nobody was judged, and nothing runs any more."""
    check_played_once(event, boards, partial(query, event))
    assert query(event, "SELECT kind, reason FROM rulings") == []
    assert processes_with(str(event.parent)) == []


def host_of(event: Path, room: str) -> tuple[str, int]:
    ((name, pid),) = query(
        event, f"SELECT h.name, h.pid FROM hosts h JOIN tables t ON t.host = h.name WHERE t.room = '{room}'"
    )
    return str(name), int(pid)


@pytest.mark.campaign
def test_tables_of_a_host_that_is_killed_or_stands_still_are_taken_up_by_another(tmp_path: Path) -> None:
    event = write_event(tmp_path, TEAMS, boards=3, tables=TABLES)
    run = start_tourney("run", event, "--hosts", "2")
    read_until(run, "closed room: Alpha")
    until_called(event)
    killed, frozen = host_of(event, "open"), host_of(event, "closed")
    assert killed != frozen
    signal_until_taken_up(event, "open", killed, signal.SIGKILL)
    signal_until_taken_up(event, "closed", frozen, signal.SIGSTOP)
    done = rest_of(run)
    assert done.status == 0, done.out
    for name, _ in (killed, frozen):
        assert re.search(rf"table host {name} .*; (1 table goes|2 tables go) to another\n", done.out), done.out
    check_whole(event, 3)


def signal_until_taken_up(event: Path, room: str, host: tuple[str, int], number: signal.Signals) -> None:
    """Kill or halt the host of a room, and wait until another has its table, on the same port."""
    port = f"SELECT port_north FROM tables WHERE room = '{room}'"
    attempt = f"SELECT attempt FROM tables WHERE room = '{room}' AND state IN ('open', 'playing')"
    ((where,),) = query(event, port)
    began_s = time.monotonic()
    os.kill(host[1], number)
    until_number(event, f"SELECT count(*) FROM ({attempt} AND attempt > 1)", lambda tables: tables == 1)
    print(f"{number.name}: up again after {time.monotonic() - began_s:.1f} s of {2 * LEASE_S}")  # noqa: T201 # a figure
    assert query(event, port) == [(where,)], "players find it where it was"


def test_when_the_run_is_killed_its_tables_play_on_and_the_next_run_finds_them(tmp_path: Path) -> None:
    event = write_event(tmp_path, TEAMS, boards=2, extra="[record]\n", tables=TABLES)
    run = start_tourney("run", event, "--hosts", "1")
    read_until(run, "closed room: Alpha")
    until_called(event, 2)
    name, pid = host_of(event, "open")
    run.kill()
    rest_of(run)
    calls = query(event, "SELECT count(*) FROM calls")[0][0]
    until_called(event, calls + 5)
    status = commands.run("status", event).stdout
    assert "; no run is in progress, 1 table host plays on: `tourney run` takes them over\n" in status
    shown = commands.json_report("status", event)
    assert (shown["run"], shown["hosts"]) == (False, 1)
    assert all(set(table["seats"]) == set("NESW") for table in shown["tables"])
    event.write_text(event.read_text() + "wire_log = false\n")
    again = commands.run("run", event, "--hosts", "1")
    assert again.exit_code == 0, again.stdout + again.stderr
    assert f"table host {name}, process {pid}, has played on and is kept\n" in again.stdout
    assert (
        "the event file has changed since these hosts were started: tables that are being played keep to"
        in again.stdout
    )
    assert query(event, "SELECT DISTINCT attempt FROM tables") == [(1,)], "a table was taken from its living host"
    assert query(event, "SELECT DISTINCT attempt FROM board_attempts") == [(1,)]
    assert query(event, "SELECT name FROM hosts") == [(name,)]
    check_whole(event, 2)


def test_a_results_folder_that_is_removed_ends_the_run_with_a_sentence(tmp_path: Path) -> None:
    event = write_event(tmp_path, TEAMS, boards=8)
    results = tmp_path / "results"
    with simulated_runs() as machine:
        remove = (machine.has_rows(event, 10, "calls"), lambda: shutil.rmtree(results))
        done = machine.tourney("run", event, steps=[remove])
    sentence = f"Error: results folder {results} is gone while the event is run: the run is stopped\n"
    assert (done.status, done.err) == (1, sentence)


def test_a_database_that_is_overwritten_in_play_stops_the_run_and_is_neither_played_in_nor_verified(
    tmp_path: Path,
) -> None:
    other = write_event(tmp_path / "other", [("Gamma", bot(3)), ("Delta", bot(4))], boards=1)
    other.write_text(other.read_text(encoding="utf-8").replace("Test", "Other"), encoding="utf-8")
    assert commands.run("schedule", other).exit_code == 0
    stranger = (tmp_path / "other" / "results" / "event.db").read_bytes()
    event = write_event(tmp_path, TEAMS, boards=8)
    database = tmp_path / "results" / "event.db"
    with simulated_runs() as machine:
        overwrite = (machine.has_rows(event, 10, "calls"), lambda: database.write_bytes(stranger))
        ended = machine.tourney("run", event, steps=[overwrite])
    assert ended.status == 1
    assert f"database sqlite:///{database} was overwritten while it was in use" in ended.err
    left = query(event, "SELECT name, created_at_ms FROM events")
    for command in ("run", "verify"):
        refused = commands.run(command, event)
        assert refused.exit_code == 1
        assert f"database sqlite:///{database}" in refused.stderr
        assert "put a backup in its place" in refused.stderr
    assert query(event, "SELECT name, created_at_ms FROM events") == left
