"""Ports of teams over real processes: programs keep to one port while the run, its hosts and the ports' own end."""

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from tests.e2e.test_killed import check_whole, host_of, until_called
from tests.support import commands
from tests.support.events import (
    bot,
    environment,
    port_range,
    read_until,
    rest_of,
    start_tourney,
    tourney,
    until,
    write_event,
)
from tests.support.network import way_to
from tests.support.programs_elsewhere import programs_at
from tests.support.simulated_run import query
from tourney.coordinator.team_ports import find_servers
from tourney.host.relay import KEY_FILE

TABLES = 'team_ports = "{}"\nlease_s = 3\n'


@pytest.mark.campaign
def test_a_team_plays_through_one_port_while_run_host_and_the_ports_process_are_killed(tmp_path: Path) -> None:
    ports = port_range(2)
    first = int(ports.partition("-")[0])
    teams: list[tuple[str, str | None]] = [("Alpha", bot(1, "basic", think_ms=25)), ("Beta", None)]
    event = write_event(tmp_path, teams, boards=6, tables=TABLES.format(ports))
    results = event.parent / "results"

    def server() -> int:
        return next((process.pid for process in find_servers(results).values()), 0)

    with programs_at(first + 1, "Beta"):  # they are early, and try until the port is open
        run = start_tourney("run", event, "--hosts", "2")
        told = read_until(run, "closed room: Alpha")
        assert f"Beta as East and West, host 127.0.0.1, port {first + 1}; waiting for it" in told
        rows = json.loads((results / "connections.json").read_text(encoding="utf-8"))
        assert {row["port"] for row in rows if row["team"] == "Beta"} == {first + 1}
        assert {row["table_port"] for row in rows if row["team"] == "Beta"} == {
            row["port"] for row in rows if row["team"] == "Alpha"
        }
        until_called(event)
        before = server()
        run.kill()
        rest_of(run)
        run = start_tourney("run", event, "--hosts", "2")
        assert "has played on and is kept" in read_until(run, "closed room: Alpha")
        assert server() == before, "the next run has found the ports open"
        assert query(event, "SELECT count(*) FROM connections WHERE left_at_ms IS NOT NULL") == [(0,)]

        os.kill(host_of(event, "open")[1], signal.SIGKILL)
        read_until(run, "goes to another")
        until_called(event, query(event, "SELECT count(*) FROM calls")[0][0] + 5)
        os.kill(before, signal.SIGKILL)
        told = read_until(run, "server team-ports")
        ended_by_kill = f"server team-ports {ports} at 127.0.0.1, process {before}, has ended; programs that played"
        assert ended_by_kill in told
        until(lambda: server() not in (0, before), "the ports are open again")
        ended = rest_of(run)
        assert ended.status == 0, ended.out
    check_whole(event, 6)
    assert server() == 0
    assert (results / KEY_FILE).stat().st_mode & 0o777 == 0o600


def test_a_port_that_another_program_has_is_named_and_nothing_is_left_behind(tmp_path: Path) -> None:
    ports = port_range(2)
    taken = int(ports.partition("-")[2])
    event = write_event(tmp_path, [("Alpha", None), ("Beta", None)], tables=TABLES.format(ports))
    with socket.create_server(("127.0.0.1", taken)):
        done = commands.run("run", event)
    assert (done.exit_code, done.stderr) == (
        1,
        f"Error: port {taken} of team_ports cannot be opened on 127.0.0.1: another program has it\n",
    )
    assert query(event, "SELECT run_holder FROM events") == [(None,)]


# Programs of two teams that play from elsewhere: `tourney connect`, a bad network, the tables


@contextmanager
def client(url: str, key_file: Path, team: str, port: int, program: str) -> Iterator[None]:
    """`tourney connect` for a team, with its four programs; all are killed at the end."""
    words = ["connect", url, "--team", team, "--key-file", str(key_file), "--port", str(port), "--run", program]
    process = subprocess.Popen([sys.executable, "-m", "tourney", *words], env=environment(), start_new_session=True)
    try:
        yield
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


@pytest.mark.campaign
def test_what_is_played_through_tunnels_that_are_cut_and_killed_is_what_is_played_without(tmp_path: Path) -> None:
    direct, remote = tmp_path / "direct", tmp_path / "remote"
    programs = {"Alpha": bot(1, think_ms=15), "Beta": bot(2, think_ms=15)}
    rules = "[rules]\nrejoins = 100\nrestarts = 100\n"
    there = write_event(direct, list(programs.items()), boards=1, extra=rules)
    assert commands.run("run", there).exit_code == 0
    door, *local = range((first := int(port_range(3).partition("-")[0])), first + 3)
    tables = f"connect_port = {door}\nlease_s = 2\n"
    event = write_event(remote, [(team, None) for team in programs], boards=1, extra=rules, tables=tables)
    assert commands.run("schedule", event).exit_code == 0
    with way_to(door, delay_s=0.1, cut_s=4.0) as far, ExitStack() as clients:
        played = {}
        for (team, program), port in zip(programs.items(), local, strict=True):
            key_file = remote / f"{team}.key"
            key_file.write_text(tourney("team-key", event, team).out)
            key_file.chmod(0o600)
            played[team] = (f"http://127.0.0.1:{far.port}/", key_file, team, port, program.replace("{team}", team))
        run = start_tourney("run", event)
        read_until(run, "closed room: Alpha")
        clients.enter_context(client(*played["Beta"]))
        with client(*played["Alpha"]):
            until_called(event, 3)
        clients.enter_context(client(*played["Alpha"]))
        until_called(event, 9)
        (server,) = find_servers(remote / "results").values()
        os.kill(server.pid, signal.SIGKILL)
        ended = rest_of(run)
        assert ended.status == 0, ended.out
    check_whole(event, 1)
    commands.check_record(event)
    resumes = query(event, "SELECT t.name, sum(n.resumes) FROM tunnels n JOIN teams t ON t.id = n.team_id GROUP BY 1")
    assert [(team, count > 0) for team, count in sorted(resumes)] == [("Alpha", True), ("Beta", True)]
    for columns, table in (("seq, seat, call", "calls"), ("seq, seat, card", "cards")):
        made = (
            f"SELECT DISTINCT t.room, a.board, {columns} FROM {table} a JOIN tables t ON t.id = a.table_id"
            " JOIN board_attempts b USING (table_id, board, attempt) WHERE b.final ORDER BY 1, 2, 3"
        )
        assert query(event, made) == query(there, made)
