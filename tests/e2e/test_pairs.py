"""Events of pairs: killed in the middle and resumed, on simulated time, they end as undisturbed.

Programs of others play one over sockets.
"""

import json
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.support import commands
from tests.support.events import FOREIGN, bot, rest_of, start_tourney, until, write_event
from tests.support.programs_elsewhere import programs_at
from tests.support.simulated_run import run_simulated, simulated_runs

PAIRS = ("Alpha", "Beta", "Gamma", "Delta")


HOWELL = 'format = "howell"\nboards_per_round = 1\n'
"""Three rounds of one board for four pairs."""


def write_pairs(folder: Path, tables: str = "", stage: str = HOWELL) -> Path:
    teams = [(name, bot(seed)) for seed, name in enumerate(PAIRS, 1)]
    return write_event(folder, teams, boards=None, stage=stage, tables=f"lease_s = 2\n{tables}", entrant="pair")


def ranked(event: Path) -> list[tuple[int, str, str]]:
    rows = commands.json_report("standings", event)["standings"]
    return [(row["rank"], row["team"], f"{row['percentage']:.2f}") for row in rows]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The event that nobody kills."""
    event = write_pairs(tmp_path_factory.mktemp("undisturbed") / "whole")
    done = run_simulated(event)
    assert done.status == 0, done.out + done.err
    return event


def test_an_event_of_pairs_that_is_killed_in_every_phase_ends_as_one_that_is_not(tmp_path: Path, whole: Path) -> None:
    killed = write_pairs(tmp_path / "killed")

    with simulated_runs() as machine:
        # In the first round, where the run starts another; with the run, between two rounds; in the second of them.
        machine.converse(
            """
            once there are 1 results => kill hosts
            once there are 2 results => kill all
            ~ run EVENT -> (the run was killed) -> status -9 -> ...
            once there are 3 results => kill all
            ~ run EVENT -> (the run was killed) -> status -9 -> ...
            ~ run EVENT
            """,
            EVENT=killed,
        )
    assert ranked(killed) == ranked(whole)
    for event in (whole, killed):
        commands.check_record(event)


def test_pairs_play_two_sessions_and_a_final_with_carry_over(tmp_path: Path) -> None:
    final = (
        f"{HOWELL}sessions = 2\n[[stage]]\nname = 'Final'\n{HOWELL}teams = 4\n"
        "[stage.carry_over]\nwon = 0.5\nby_boards = true\n"
    )
    path = write_pairs(tmp_path, stage=final)
    done = run_simulated(path)
    assert done.status == 0, done.out + done.err
    fields = commands.json_report("standings", path)["fields"]
    before, last = ({row["pair"]: row for row in field["standings"]} for field in fields)
    assert set(before) == set(last) == {*PAIRS}
    assert {row["boards"] for row in before.values()} == {6}
    assert {row["boards"] for row in last.values()} == {3}
    for pair, row in last.items():
        # A board of the qualifying counts half of one of the final: there are twice as many.
        assert row["carry_over"] == pytest.approx(before[pair]["percentage"], abs=0.02)
        assert row["result"] == pytest.approx(row["percentage"] + row["carry_over"], abs=0.02)
    assert "Carried over" in commands.run("standings", path).stdout
    commands.check_record(path)


def write_foreign_pairs(folder: Path) -> Path:
    """The same event for programs that tourney does not start: each pair has a port."""
    path = write_pairs(folder, 'team_ports = "5101-5104"')
    lines = path.read_text(encoding="utf-8").splitlines()
    text = "\n".join(line for line in lines if not line.startswith(("command", "profile")))
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.campaign
def test_foreign_programs_play_a_movement_through_one_port_a_pair(tmp_path: Path) -> None:
    event = write_foreign_pairs(tmp_path / "foreign")
    assert commands.run("schedule", event).exit_code == 0
    ports = {name: set(commands.json_report("invite", event, name)["tables"][0]["ports"].values()) for name in PAIRS}
    with ExitStack() as programs:
        run = start_tourney("run", event, "--hosts", "1")
        listed = event.parent / "results" / "connections.json"
        until(lambda: listed.exists() and len(json.loads(listed.read_bytes())) == 8, "both tables are open")
        found = {(row["pair"], row["port"]) for row in json.loads(listed.read_bytes())}
        assert found == {(name, *ports[name]) for name in PAIRS}
        for name, (port,) in ports.items():
            programs.enter_context(programs_at(port, name, FOREIGN))
        done = rest_of(run)
    assert done.status == 0
    assert "round 1, table 2 (match 2): 1 of 1 board" in done.out
    commands.check_record(event)
    rows = commands.json_report("standings", event)["standings"]
    assert [row["boards"] for row in rows] == [3, 3, 3, 3]
