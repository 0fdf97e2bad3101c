"""Events in which programs speak the stateful-server protocol, with real processes and sockets."""

import os
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.support.events import bot, port_range, printed, standings, tourney, write_event

STATEFUL_BOT = f"{sys.executable} -m tourney bot --protocol stateful --host {{host}} --port {{port}} --team {{team}}"


def event_with(
    folder: Path, stateful: dict[str, int], plain: dict[str, int], *, port: int | None = None, **more: Any
) -> Path:
    """An event of teams that tourney starts, by their seeds; the first speak the stateful protocol.

    With a `port` these connect by themselves to the port of the event.
    """
    commands: list[tuple[str, str | None]] = [
        (name, None if port else f"{STATEFUL_BOT} --style random --seed {seed}") for name, seed in stateful.items()
    ]
    commands += [(name, bot(seed)) for name, seed in plain.items()]
    commands.sort()
    extra = f"[stateful]\nport = {port}\n" if port else ""
    path = write_event(folder, commands, boards=2, extra=extra, **more)
    text = path.read_text(encoding="utf-8")
    for name in stateful:
        text = text.replace(f'name = "{name}"\n', f'name = "{name}"\nprotocol = "stateful"\n')
    path.write_text(text, encoding="utf-8")
    return path


SEEDS = {"Alpha": 1, "Beta": 2, "Gamma": 3, "Delta": 4}
BLUE_CHIP = {"Beta": 2, "Delta": 4}
STATEFUL = {"Alpha": 1, "Gamma": 3}


@pytest.fixture(scope="module")
def on_one_wire(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """The standings of the event in which all teams speak Blue Chip."""
    event = event_with(tmp_path_factory.mktemp("plain"), {}, SEEDS)
    assert tourney("run", event).status == 0
    return standings(event)


@pytest.mark.clause("SS-37")
@pytest.mark.clause("SS-34")
def test_a_round_robin_with_two_teams_on_each_wire_has_the_standings_of_the_same_event_on_one(
    tmp_path: Path, on_one_wire: list[dict[str, Any]]
) -> None:
    event = event_with(tmp_path, STATEFUL, BLUE_CHIP)
    done = tourney("run", event)
    assert done.status == 0, done.err
    assert standings(event) == on_one_wire
    assert printed("verify", event).status == 0


def start_bots(port: int, teams: dict[str, int], folder: Path) -> "list[subprocess.Popen[bytes]]":
    """Four programs for each team, which keep their connections all event long."""
    started = []
    for team, seed in teams.items():
        for number in range(4):
            words = STATEFUL_BOT.format(host="127.0.0.1", port=port, team=team).split()
            with (folder / f"{team}{number}.log").open("wb") as log:
                started.append(
                    subprocess.Popen(
                        [*words, "--style", "random", "--seed", str(seed)],
                        stdout=log,
                        stderr=log,
                        env=os.environ.copy(),
                    )
                )
    return started


@pytest.mark.clause("SS-35")
@pytest.mark.clause("SS-36")
def test_programs_that_connect_once_are_seated_round_after_round_by_the_port_of_the_event(
    tmp_path: Path, on_one_wire: list[dict[str, Any]]
) -> None:
    port = int(port_range(1).partition("-")[0])
    event = event_with(tmp_path, STATEFUL, BLUE_CHIP, port=port)
    bots = start_bots(port, STATEFUL, tmp_path)
    try:
        done = tourney("run", event, "--hosts", "2")
        assert done.status == 0, done.err
        assert [program.wait(20) for program in bots] == [0] * 8
    finally:
        for program in bots:
            program.kill()
            program.wait()
    assert standings(event) == on_one_wire
    assert printed("verify", event).status == 0


def test_a_run_says_that_another_program_has_the_port(tmp_path: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        done = tourney("run", event_with(tmp_path, STATEFUL, BLUE_CHIP, port=port))
    assert done.status == 1
    why = f"the port of [stateful], {port} on 127.0.0.1, cannot be opened: another program has it"
    assert why in done.err
