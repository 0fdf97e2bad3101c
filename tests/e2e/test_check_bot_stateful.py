"""`tourney check-bot --protocol stateful` with real programs: the reference player passes, others are found out."""

import json
import sys
from pathlib import Path

import pytest
from click.testing import Result

from tests.support.commands import run
from tourney.compliance.stateful import STATEFUL

BOT = f"{sys.executable} -m tourney bot --protocol stateful --host {{host}} --port {{port}} --team {{team}}"

PROGRAM = """
import socket, sys
host, port, fault = sys.argv[1], int(sys.argv[2]), sys.argv[3]
table = socket.create_connection((host, port))
lines = table.makefile("rw", newline="", encoding="utf-8")

def say(line):
    lines.write(line + "\\r\\n")
    lines.flush()

if fault == "no-hello":
    say("JOIN-T")
elif fault == "no-join":
    say("HELLO Alpha")
else:
    say("HELLO Alpha")
    say("JOIN-T")
me = ""
for line in lines:
    word, _, rest = line.strip().partition(" ")
    arguments = rest.split(" ")
    if word == "JOINED" and len(arguments) == 2 and fault != "deaf":
        me = arguments[1]
    elif word == "AUCOPEN" and arguments[0] == me:
        if fault == "silent":
            continue
        say("BID 9NT" if fault == "wrong-bid" else "BID PASS")
    elif word == "WEATHER" and fault == "unknown":
        raise SystemExit("what is the weather?")
    elif word == "HAND" and not (fault == "old-hand" and "hand" in globals() and len(arguments[0].split(",")) < 13):
        hand = arguments[0].split(",")
    elif word == "TRICK" and arguments[0] == me:
        led = arguments[1].split(",")[0][-1]
        allowed = [card for card in hand if card[-1] == led] or hand
        say("PLAY " + allowed[0])
if fault == "hangs":
    import time
    time.sleep(60)
"""
"""A program that always passes, and never looks whether it is dummy; `fault` is what else it does wrong."""


def check(*words: str) -> Result:
    return run("check-bot", "--protocol", "stateful", *words)


def check_program(tmp_path: Path, fault: str, *words: str) -> dict[int, dict[str, object]]:
    """The results of the steps at North by number, for the program with a fault."""
    program = tmp_path / "program.py"
    program.write_text(PROGRAM, encoding="utf-8")
    command = f"{sys.executable} {program} {{host}} {{port}} {fault}"
    done = check("--seat", "North", "--timeout-s", "3", "--json", *words, "--", command)
    assert done.exit_code == 1, done.output
    return {step["number"]: step["results"][0] for step in json.loads(done.stdout)["steps"]}


def test_the_reference_player_passes_every_step_at_every_seat(tmp_path: Path) -> None:
    transcript = tmp_path / "lines.jsonl"
    done = check("--transcript", str(transcript), "--", BOT)
    assert done.exit_code == 0, done.output
    rows = [line for line in done.stdout.splitlines() if line.strip()[:2].strip().isdigit()]
    assert len(rows) == len(STATEFUL.steps)
    assert all(row.count(" ok ") == 4 for row in rows), done.stdout
    assert "WEATHER fine 18" in transcript.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("fault", "step", "clause", "said"),
    [
        ("no-hello", 1, "SS-05", "JOIN-T"),
        ("no-join", 2, "SS-07", "nothing for 3 s"),
        ("silent", 3, "SS-14", "nothing for 3 s"),
        ("deaf", 3, "SS-14", "nothing for 3 s"),
        ("wrong-bid", 3, "SS-02", "BID 9NT"),
        ("unknown", 11, "SS-29", "it closed the connection; the program ended with status 1: what is the weather?"),
    ],
)
def test_a_fault_is_found_at_its_step_with_the_clause(
    tmp_path: Path, fault: str, step: int, clause: str, said: str
) -> None:
    steps = () if step < 4 else ("--step", str(step))
    result = check_program(tmp_path, fault, *steps)[step]
    assert result["outcome"] == "failed"
    failure = result["failure"]
    assert isinstance(failure, dict)
    assert (failure["clause"], failure["said"]) == (clause, said)


def test_a_program_that_plays_as_dummy_is_found_out(tmp_path: Path) -> None:
    result = check_program(tmp_path, "none", "--step", "6")[6]
    failure = result["failure"]
    assert isinstance(failure, dict)
    assert failure["clause"] == "SS-18"
    assert failure["expected"] == "no NAK; the table said: dummy's cards are played by declarer"
    assert failure["advice"] == "Send nothing as dummy: you are dummy when HAND and DUMMY have the same cards."


def test_a_program_that_reads_no_hand_after_the_first_is_told_what_to_read(tmp_path: Path) -> None:
    failure = check_program(tmp_path, "old-hand", "--step", "7")[7]["failure"]
    assert isinstance(failure, dict)
    assert failure["clause"] == "SS-21"
    assert str(failure["expected"]).startswith("no NAK; the table said: North does not hold ")
    assert "the last HAND" in failure["advice"]


def test_a_program_that_does_not_come_back_is_told_that_it_should(tmp_path: Path) -> None:
    failure = check_program(tmp_path, "hangs", "--step", "12")[12]["failure"]
    assert isinstance(failure, dict)
    assert failure["clause"] == "SS-30"
    assert failure["advice"] == "Notice that the connection is closed, then end, or connect and log on again."


def test_a_profile_is_for_the_other_language() -> None:
    refused = check("--profile", "ben", "--", BOT)
    assert refused.exit_code == 2
    assert "the stateful protocol has none" in refused.output
