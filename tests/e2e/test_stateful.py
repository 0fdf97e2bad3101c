"""Events in which programs speak the stateful-server protocol: with real processes and sockets at the event's port,
on simulated time where tourney starts them."""

import re
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.support import commands
from tests.support.conditions_text import conditions_text
from tests.support.events import STATEFUL_BOT, bot, environment, free_port, standings, write_event
from tests.support.simulated_run import run_simulated, simulated_runs


def event_with(
    folder: Path, stateful: dict[str, int], plain: dict[str, int], *, port: int | None = None, **more: Any
) -> Path:
    """A team event that tourney starts, by their seeds; the first speak the stateful protocol.

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
        head, said, rest = text.partition(f'name = "{name}"\n')
        assert "profile = 'tourney'\n" in rest, "the profile of Blue Chip is refused for such a team"
        text = head + said + 'protocol = "stateful"\n' + rest.replace("profile = 'tourney'\n", "", 1)
    path.write_text(text, encoding="utf-8")
    return path


FORMATS = ("pbn", "csv", "json", "html", "lin")
SEEDS = {"Alpha": 1, "Beta": 2, "Gamma": 3}
BLUE_CHIP = {"Beta": 2}
STATEFUL = {"Alpha": 1, "Gamma": 3}


@pytest.fixture(scope="module")
def on_one_wire(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """The standings of the event in which all teams speak Blue Chip."""
    event = event_with(tmp_path_factory.mktemp("plain"), {}, SEEDS)
    assert run_simulated(event).status == 0
    return standings(event)


@pytest.mark.clause("SS-37", "SS-34")
def test_a_round_robin_of_teams_on_both_wires_has_the_standings_of_the_same_event_on_one(
    tmp_path: Path, on_one_wire: list[dict[str, Any]]
) -> None:
    event = event_with(tmp_path, STATEFUL, BLUE_CHIP)
    done = run_simulated(event)
    assert done.status == 0, done.err
    assert standings(event) == on_one_wire
    commands.check_record(event)


@pytest.mark.clause("SS-38")
def test_pairs_play_minibridge_and_everything_that_shows_a_match_shows_it(tmp_path: Path) -> None:
    event = event_with(tmp_path, {"Alpha": 1, "Beta": 2}, {})
    text = (
        event.read_text(encoding="utf-8").replace("[[team]]", "[[pair]]").replace("--style random", "--style basic")
    )
    text = re.sub("^boards_per_match.*$", 'format = "minibridge"\ndeals = 3', text, flags=re.MULTILINE)
    event.write_text(text, encoding="utf-8")
    exports = "\n".join(f"$ export EVENT --format {kind} --out FOLDER/{kind}" for kind in FORMATS)
    with simulated_runs() as machine:
        machine.converse(f"~ run EVENT\nthe record is sound\n{exports}", EVENT=event, FOLDER=tmp_path)
    deals = [deal["contract"] for deal in commands.json_report("match", event, "1")["sheet"]["deals"]]
    assert len([deal for deal in deals if deal != "Pass"]) == 3
    assert {deal[0] for deal in deals} <= {*"1345P"}
    assert '[Competition "Minibridge"]' in (tmp_path / "pbn" / "all.pbn").read_text(encoding="utf-8")
    assert "3 deals of Minibridge" in conditions_text(event)
    with closing(sqlite3.connect(tmp_path / "results" / "event.db")) as database, database:
        database.execute(
            "UPDATE results SET declarer = CASE declarer WHEN 'N' THEN 'E' ELSE 'N' END WHERE declarer != ''"
        )
    told = commands.run("verify", event)
    assert told.exit_code == 1
    assert "the points of the four hands make " in told.stdout


def start_bot(port: int, team: str, seed: int, log: Path) -> "subprocess.Popen[bytes]":
    """A program that connects to the port of the event."""
    words = bot(seed, protocol="stateful").format(host="127.0.0.1", port=port, team=team).split()
    with log.open("ab") as output:
        return subprocess.Popen(words, stdout=output, stderr=output, env=environment())


@pytest.mark.campaign
@pytest.mark.clause("SS-35", "SS-36")
def test_programs_that_connect_once_are_seated_round_after_round_by_the_port_of_the_event(
    tmp_path: Path, on_one_wire: list[dict[str, Any]]
) -> None:
    port = free_port()
    event = event_with(tmp_path, STATEFUL, BLUE_CHIP, port=port)
    bots = [
        start_bot(port, team, seed, tmp_path / f"{team}{number}.log")
        for team, seed in STATEFUL.items()
        for number in range(4)
    ]
    try:
        done = commands.run("run", event, "--hosts", "2")
        assert done.exit_code == 0, done.stderr
        assert (
            f"Alpha as North and South, host 127.0.0.1, port {port} of the stateful protocol; waiting" in done.stdout
        )
        assert [program.wait(20) for program in bots] == [0] * 8
    finally:
        for program in bots:
            program.kill()
            program.wait()
    assert standings(event) == on_one_wire
    commands.check_record(event)
