"""Whole events as a user runs them: real processes, real sockets, a real database."""

import json
import os
import re
import signal
import socket
import sys
from pathlib import Path

import pytest

from tests.support import commands
from tests.support.events import (
    bot,
    port_range,
    read_until,
    rest_of,
    standings,
    start_tourney,
    tourney,
    write_event,
)
from tests.support.simulated_run import query, run_simulated, simulated_runs
from tests.support.wire_entries import read_entries
from tourney.host.wire_log import packed_path


def processes_with(text: str) -> list[str]:
    """Command lines of running processes that hold a text."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            command = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode()
        except OSError:
            continue
        if text in command and "pytest" not in command:
            found.append(command)
    return found


def test_a_match_is_played_at_the_free_ports_to_standings_that_add_up_and_logs_that_agree_with_the_record(
    tmp_path: Path,
) -> None:
    """The run makes the database, its round should have begun years ago, and another program has the first port."""
    # They think, so that no table has played its one board before the run says which port it has.
    teams = [("Alpha", bot(1, "random", think_ms=20)), ("Beta Team", bot(2, "basic", think_ms=20))]
    first = int((ports := port_range()).split("-")[0])
    past = "starts = [2020-01-01T00:00:00Z]"
    event = write_event(tmp_path, teams, boards=1, ports=ports, stage=past, record=False)
    with socket.create_server(("127.0.0.1", first)):
        done = tourney("run", event)
    assert done.status == 0, done.out + done.err
    assert [f"127.0.0.1:{first + number}\n" in done.out for number in (0, 1)] == [False, True]
    rows = standings(event)
    assert [row["played"] for row in rows] == [1, 1]
    assert sum(row["imps_for"] for row in rows) == sum(row["imps_against"] for row in rows)
    assert sum(int(row["vp"].replace(".", "")) for row in rows) == 2000
    card = commands.json_report("match", event, "1")
    imps = [board["imps"] for board in card["boards"]]
    assert card["imps_home"] == sum(i for i in imps if i > 0)
    assert card["imps_away"] == -sum(i for i in imps if i < 0)

    wire = event.parent / "results" / "wire"
    logs = [wire / f"match-001-{room}.jsonl" for room in ("closed", "open")]
    assert sorted(wire.iterdir()) == [packed_path(log) for log in logs], "all tables have finished"
    calls = plays = 0
    for log in logs:
        entries = [json.loads(line) for line in read_entries(log)]
        assert all(set(entry) == {"t_ms", "seat", "dir", "line"} for entry in entries)
        assert [entry["t_ms"] for entry in entries] == sorted(entry["t_ms"] for entry in entries)
        said = [entry["line"].split()[1] for entry in entries if entry["dir"] == "in"]
        calls += sum(word in ("bids", "passes", "doubles", "redoubles") for word in said)
        plays += said.count("plays")
    assert query(event, "SELECT count(*) FROM calls") == [(calls,)]
    assert query(event, "SELECT count(*) FROM cards") == [(plays,)]

    before = query(event, "SELECT * FROM results")
    commands.converse(tmp_path, "$ run FOLDER/event.toml --hosts 1 -> ...0 of 1 match to play... -> ...")
    assert query(event, "SELECT * FROM results") == before, "a finished event is not played again"


SLOW_TEAMS = [("Alpha", bot(1, think_ms=10)), ("Beta", bot(2, "basic", think_ms=10))]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_run_that_is_stopped_by_a_signal_goes_on_where_it_was(tmp_path: Path, number: signal.Signals) -> None:
    whole, event = (write_event(tmp_path / name, SLOW_TEAMS, boards=2) for name in ("whole", "stopped"))
    assert run_simulated(whole).status == 0
    results = "SELECT table_id, board, attempt, at_ms FROM results"
    with simulated_runs() as machine:
        stop = (machine.has_told("of 2 boards"), lambda: machine.send_signal(number))
        stopped = machine.tourney("run", event, steps=[stop])
        assert (stopped.status, "run again to go on" in stopped.out) == (130, True)
        finished = query(event, results)
        assert 0 < len(finished) < 4
        assert ("waiting",) in query(event, "SELECT state FROM tables WHERE state <> 'finished'")
        machine.converse("~ run EVENT\nSELECT count(*) FROM board_attempts WHERE ended IS NULL -> 0", EVENT=event)
    assert standings(event) == standings(whole)
    assert set(finished) <= set(query(event, results)), "a finished board was played again"


def test_while_an_event_is_run_a_second_run_and_a_new_draw_are_refused(tmp_path: Path) -> None:
    event = write_event(tmp_path, [("Alpha", None), ("Beta", None)])
    run = start_tourney("run", event, "--hosts", "1")
    read_until(run, "waiting for it")
    second = commands.run("run", event, "--hosts", "1")
    assert second.exit_code == 1
    assert second.stderr == f"Error: this event is being run already, by process {run.pid}\n"
    assert commands.run("schedule", event).exit_code == 0
    event.write_text(event.read_text().replace("boards_per_match = 2", "boards_per_match = 3"))
    redrawn = commands.run("schedule", event)
    assert (redrawn.exit_code, redrawn.stderr) == (second.exit_code, second.stderr)
    os.kill(run.pid, signal.SIGINT)
    assert rest_of(run).status == 130


def test_rounds_with_a_time_start_at_that_time(tmp_path: Path) -> None:
    later = write_event(
        tmp_path, [("Alpha", bot(1)), ("Beta", bot(2))], boards=1, stage="starts = [2999-01-01T00:00:00Z]"
    )
    with simulated_runs() as machine:
        stop = (machine.has_told("round 1 starts at 2999-01-01"), machine.interrupt)
        stopped = machine.tourney("run", later, steps=[stop])
    assert ("match 1" in stopped.out, stopped.status) == (False, 130)


def test_programs_that_cannot_be_started_or_end_at_once_are_named_and_the_other_tables_go_on(tmp_path: Path) -> None:
    ends_at_once = f'{sys.executable} -c "import sys; print(42, sys.argv[1]); sys.exit(3)" {{login}}'
    teams = [("Alpha", bot(1)), ("Beta", bot(2)), ("Gamma", ends_at_once), ("Delta", "no-such-program --seat {seat}")]
    all_against_alpha = 'format = "gauntlet"\nagainst_all = "Alpha"\nrounds = 1'
    event = write_event(tmp_path, teams, boards=1, stage=all_against_alpha)
    event.write_text(event.read_text().replace('name = "Gamma"\n', 'name = "Gamma"\npass_phrase = "open sesame"\n'))
    done = commands.run("run", event, "--hosts", "1")
    assert done.exit_code == 1
    assert "sesame" not in done.stdout + done.stderr
    assert (
        "match 3, open room (Alpha - Delta) cannot go on: Delta's program for East cannot be started: "
        "there is no program 'no-such-program'\n" in done.stdout
    )
    assert re.search(
        r"Gamma's program for (\w+) ended with status 3: 42 Gamma, 3 times in a row; "
        r"its output is in results/bots/match-002-\w+/\w+-gamma\.log\n"
        rf"to try the program of Gamma: cd {re.escape(str(tmp_path))} && "
        r"tourney check-bot --team Gamma --profile tourney -- ",
        done.stdout,
    )
    assert done.stdout.count("to try the program of") == 1
    assert done.stderr == "2 matches left; run again to go on\n"
    played = {row["team"]: row["played"] for row in standings(event)}
    assert played == {"Alpha": 1, "Beta": 1, "Gamma": 0, "Delta": 0}, "the other tables did not go on"


@pytest.mark.campaign
def test_programs_connect_with_nothing_but_their_invitation(tmp_path: Path) -> None:
    event = write_event(tmp_path, [("Alpha", None), ("Beta", bot(2))], boards=1, tables='host = "0.0.0.0"')
    secret = event.read_text().replace('name = "Alpha"', 'name = "Alpha"\npass_phrase = "open sesame"', 1)
    event.write_text(secret)
    run = start_tourney("run", event, "--hosts", "1")
    read_until(run, "closed room: Alpha as")
    rows = json.loads((tmp_path / "results" / "connections.json").read_text())
    assert {(row["team"], row["started_by_tourney"]) for row in rows} == {("Alpha", False), ("Beta", True)}

    sent = commands.json_report("invite", event, "Alpha")
    assert {row["host"] for row in rows} == {sent["host"]}
    assert sent["host"] not in ("0.0.0.0", "::")
    team = f"{sent['team']}#{sent['pass_phrase']}"
    assert sent["log_on"].startswith(f'Connecting "{team}" as North')
    assert all(table["open"] for table in sent["tables"])
    seats = [seat for table in sent["tables"] for seat in table["ports"].items()]
    assert len(seats) == 4
    players = [
        start_tourney("bot", "--host", sent["host"], "--port", str(port), "--seat", seat, "--team", team)
        for seat, port in seats
    ]
    assert rest_of(run).status == 0
    assert [rest_of(player).status for player in players] == [0] * 4


def test_when_no_port_is_free_the_table_says_which_it_tried(tmp_path: Path) -> None:
    first = int(port_range(2).split("-")[0])
    with socket.socket() as one, socket.socket() as other:
        for listener, port in ((one, first), (other, first + 1)):
            listener.bind(("127.0.0.1", port))
            listener.listen()
        teams = [(name, bot(seed)) for seed, name in enumerate(("Alpha", "Beta", "Gamma"), 1)]
        event = write_event(tmp_path, teams, boards=1, ports=f"{first}-{first + 1}")
        done = commands.run("run", event, "--hosts", "1")
    assert done.exit_code == 1
    assert "\nno table of round 1 could play a board, so later rounds are not begun\n" in done.stdout
    assert "round 2" not in done.stdout
    assert (
        f"cannot go on: no port is free on 127.0.0.1 in {first}-{first + 1}: other programs have them\n"
        in done.stdout
    )


def test_no_more_matches_are_side_by_side_than_the_event_file_allows(tmp_path: Path) -> None:
    teams = [("Alpha", None), ("Beta", None), ("Gamma", None), ("Delta", None)]
    event = write_event(tmp_path, teams, tables="at_once = 1")
    with simulated_runs() as machine:
        machine.converse(
            "once it tells closed room: Alpha => interrupt\n~ run EVENT -> ... -> status 130 -> ...", EVENT=event
        )
    places = json.loads((tmp_path / "results" / "connections.json").read_text())
    assert {place["match"] for place in places} == {1}
