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


def test_the_reference_player_passes_every_step_at_every_seat(tmp_path: Path) -> None:
    transcript = tmp_path / "lines.jsonl"
    done = check("--transcript", str(transcript), "--", BOT)
    assert done.exit_code == 0, done.output
    rows = [line for line in done.stdout.splitlines() if line.strip()[:2].strip().isdigit()]
    assert len(rows) == len(STATEFUL.steps)
    assert all(row.count(" ok ") == 4 for row in rows), done.stdout
    assert "WEATHER fine 18" in transcript.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("fault", "step", "clause", "said", "advice"),
    [
        ("silent", 3, "SS-14", "nothing for 3 s", ""),
        (
            "unknown",
            11,
            "SS-29",
            "it closed the connection; the program ended with status 1: what is the weather?",
            "",
        ),
        ("hangs", 12, "SS-30", "", "Notice that the connection is closed, then end, or connect and log on again."),
    ],
)
def test_a_fault_is_found_at_its_step_with_the_clause(
    tmp_path: Path, fault: str, step: int, clause: str, said: str, advice: str
) -> None:
    program = tmp_path / "program.py"
    program.write_text(PROGRAM, encoding="utf-8")
    command = f"{sys.executable} {program} {{host}} {{port}} {fault}"
    done = check("--seat", "North", "--timeout-s", "3", "--json", "--step", str(step), "--", command)
    assert done.exit_code == 1, done.output
    found = {each["number"]: each["results"][0] for each in json.loads(done.stdout)["steps"]}[step]["failure"]
    assert found["clause"] == clause
    assert said in ("", found["said"])
    assert advice in ("", found["advice"])


def test_a_profile_is_for_the_other_language() -> None:
    refused = check("--profile", "ben", "--", BOT)
    assert refused.exit_code == 2
    assert "the stateful protocol has none" in refused.output
