"""Programs on machines with a label, as real processes: an agent that is killed, and a run that is killed."""

import json
import os
import re
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import psutil
import psycopg
import pytest

from tests.support.cluster import real_cluster
from tests.support.events import bot, port_range, printed, read_until, rest_of, start_tourney, write_event
from tests.support.network import network_machine, without_incoming
from tourney.runtime.processes import MARK

Process = subprocess.Popen[str]
Starter = Callable[..., Process]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Starter]:
    """Start a command in the folder of a machine; whatever still runs afterwards is killed."""
    processes: list[Process] = []

    def start_in(machine: str, *words: str | Path) -> Process:
        (tmp_path / machine).mkdir(exist_ok=True)
        processes.append(start_tourney(*words, cwd=tmp_path / machine))
        return processes[-1]

    yield start_in
    for process in processes:
        kill(process)
        process.communicate()


def kill(process: Process) -> None:
    """Kill -9 a command and what it has started in its session, as a power cut would."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def start_scheduler(start: Starter, folder: Path) -> str:
    office = start("office", "cluster", "scheduler", "--host", "127.0.0.1", "--port", "0")
    found = re.search(r"--scheduler (\S+)", read_until(office, "Ctrl-C ends"))
    assert found is not None
    return found[1]


def start_member(start: Starter, folder: Path, address: str, *words: str) -> Process:
    kind, name, *more = words
    key = folder / "office" / "cluster.key"
    process = start(name, "cluster", kind, "--scheduler", address, "--key-file", key, "--name", name, *more)
    read_until(process, "in the cluster of")
    return process


def write_cup(folder: Path, address: str, database: str, *, boards: int, think_ms: int) -> Path:
    """Two teams; the programs of Alpha are on a machine labelled gpu."""
    event = write_event(
        folder / "cup",
        [("Alpha", bot(1, think_ms=think_ms)), ("Beta", bot(2, think_ms=think_ms))],
        boards=boards,
        ports=port_range(),
        extra=f'[launch]\nengine = "dask"\nscheduler = "{address}"\nkey_file = "../office/cluster.key"\n',
        record=False,
    )
    text = event.read_text(encoding="utf-8").replace(
        'results = "results"\n', f'results = "results"\ndatabase = "{database}"\n'
    )
    event.write_text(
        text.replace('name = "Alpha"\n', 'name = "Alpha"\non = "gpu"\n'),
        encoding="utf-8",
    )
    return event


def programs(folder: Path) -> dict[int, str]:
    """The folders in which programs that agents have started run, by process id."""
    found = {}
    for process in psutil.process_iter():
        with suppress(psutil.Error):
            if MARK in process.environ() and process.status() != psutil.STATUS_ZOMBIE:
                where = Path(process.cwd())
                if where.is_relative_to(folder) and where.name.startswith("LAPTOP"):
                    found[process.pid] = where.name
    return found


def wait_for(is_so: Callable[[], bool], run: Process | None = None) -> None:
    end = time.monotonic() + 60
    while not is_so():
        assert time.monotonic() < end
        assert run is None or run.poll() is None, rest_of(run)
        time.sleep(0.15)


def number(database: str, sql: str) -> int:
    """A number on record."""
    with psycopg.connect(database) as connection:
        row = connection.execute(sql.encode()).fetchone()
    assert row is not None
    return int(row[0])


def test_programs_on_agents_outlive_the_run_and_move_when_an_agent_is_killed(
    start: Starter, tmp_path: Path, postgres_url: str
) -> None:
    address = start_scheduler(start, tmp_path)
    start_member(start, tmp_path, address, "worker", "TOWER", "--tables", "4", "--address", "127.0.0.1")
    event = write_cup(tmp_path, address, postgres_url, boards=3, think_ms=20)
    run = start("cup", "run", event)
    read_until(run, "no worker or agent is labelled gpu, which the programs of Alpha wait for")
    first = start_member(start, tmp_path, address, "agent", "LAPTOP1", "--labels", "gpu")
    read_until(run, "a machine labelled gpu is there")
    wait_for(lambda: number(postgres_url, "SELECT count(*) FROM calls") > 20, run)
    assert printed("table", "pause", event).status == 0  # machines take as long as they take
    before = programs(tmp_path)
    assert sorted(before.values()) == ["LAPTOP1"] * 4

    # A run that is killed leaves them at work, and the next one takes them over.
    kill(run)
    assert programs(tmp_path) == before
    run = start("cup", "run", event)
    read_until(run, "has played on and is kept")
    start_member(start, tmp_path, address, "agent", "LAPTOP2", "--labels", "windows,gpu")
    assert programs(tmp_path) == before

    # An agent that is killed takes its programs with it; the other one has them, and they rejoin.
    assert printed("table", "resume", event).status == 0
    kill(first)
    wait_for(lambda: sorted(programs(tmp_path).values()) == ["LAPTOP2"] * 4, run)
    ended = rest_of(run)
    assert ended.status == 0, ended.out
    assert not programs(tmp_path)
    boards = "SELECT count(*) FROM board_attempts WHERE final"
    assert number(postgres_url, f"{boards} AND ended IN ('played', 'passed-out')") == 6
    assert number(postgres_url, "SELECT count(*) FROM rulings") == 0
    assert printed("verify", event).status == 0
    connections = json.loads((event.parent / "results/connections.json").read_text(encoding="utf-8"))
    assert {(each["team"], each["started_by_tourney"], each.get("on")) for each in connections} == {
        ("Alpha", True, "gpu"),
        ("Beta", True, None),
    }
    output = (event.parent / "results/bots/match-001-open/north-alpha.log").read_text(encoding="utf-8")
    assert "on LAPTOP1\n" in output
    assert "on LAPTOP2\n" in output


def test_an_agent_that_nobody_can_connect_to_plays_a_match_while_the_scheduler_is_started_again(
    tmp_path: Path, postgres_url: str
) -> None:
    with (
        network_machine("office") as machine,
        real_cluster(tmp_path / "cluster", "TOWER", host=machine.here("office")) as cluster,
    ):
        event = write_cup(tmp_path, cluster.address, postgres_url, boards=2, think_ms=20)
        text = event.read_text(encoding="utf-8").replace("../office/cluster.key", str(cluster.key_file))
        event.write_text(text, encoding="utf-8")
        ports = re.search(r'ports = "(\S+)"', text)
        assert ports is not None
        with without_incoming(machine, "office", str(cluster.port), ports[1]):
            words = (
                "cluster",
                "agent",
                "--scheduler",
                cluster.address,
                "--key-file",
                cluster.key_file,
                "--name",
                "LAPTOP1",
            )
            folder = tmp_path / "LAPTOP1"
            folder.mkdir()
            cluster.processes["LAPTOP1"] = start_tourney(
                *words, "--labels", "gpu", cwd=folder, output=tmp_path / "agent.out", on=machine.words
            )
            run = start_tourney("run", event)
            cluster.processes["run"] = run
            wait_for(lambda: sorted(programs(tmp_path).values()) == ["LAPTOP1"] * 4, run)
            read_until(run, "closed room: Alpha")
            wait_for(lambda: number(postgres_url, "SELECT count(*) FROM cards") > 0, run)
            with pytest.raises(OSError, match=r"No route|unreachable"):
                socket.create_connection((machine.there("office"), 1), 5)
            before = programs(tmp_path)
            cluster.kill("scheduler")
            read_until(run, "is gone")
            cluster.start_scheduler(cluster.port)
            read_until(run, "answers again")
            assert programs(tmp_path).keys() <= before.keys(), "none was started twice"
            ended = rest_of(run)
            assert ended.status == 0, ended.out
            wait_for(lambda: not programs(tmp_path))
            assert number(postgres_url, "SELECT count(*) FROM board_attempts WHERE final") == 4
            assert number(postgres_url, "SELECT count(*) FROM rulings") == 0
            assert printed("verify", event).status == 0
