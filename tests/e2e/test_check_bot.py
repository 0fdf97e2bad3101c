"""`tourney check-bot` with real programs: the reference player passes, and each kind of fault is recognised."""

import asyncio
import json
import shlex
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.support.bot_processes import needs_bubblewrap
from tests.support.commands import converse, run
from tests.support.events import BOT, FOREIGN, STATEFUL_BOT
from tests.support.refusals import refused_commands
from tourney.compliance.bluechip import BLUE_CHIP
from tourney.compliance.check import find_profile
from tourney.compliance.findings import StepKind
from tourney.compliance.stateful import STATEFUL
from tourney.config.programs import PROFILES


def check(folder: Path, script: str, command: str) -> None:
    """Check the program `PLAYER`, a real one, by commands in this process."""
    converse(folder, script, PLAYER=shlex.quote(command))


def found(command: str, *words: str) -> Any:  # what json.loads gives
    """The JSON document on a program that passes."""
    done = run("check-bot", *words, "--json", "--", command)
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


@needs_bubblewrap
def test_a_program_is_tried_within_the_walls_of_a_run(tmp_path: Path) -> None:
    secret, given = tmp_path / "others" / "secret.txt", tmp_path / "shared" / "given.txt"
    script = tmp_path / "own" / "player.py"
    for file in (secret, given, script):
        file.parent.mkdir()
        file.write_text("12345", encoding="ascii")
    script.write_text(
        "import sys\n"
        f"print(open({str(given)!r}).read())\n"
        "try:\n"
        f"    open({str(secret)!r})\n"
        "except OSError:\n"
        "    from tourney.__main__ import main\n"
        "    sys.argv[0] = 'tourney'\n"
        "    main()\n"
    )
    check(
        tmp_path,
        """
        $ check-bot --seat North --step 1 --sandbox --readable FOLDER/shared/given.txt -- PLAYER -> ... -> passed
        # It plays only where it cannot read.
        $ check-bot --seat North --step 1 --timeout-s 2 -- PLAYER -> ... -> status 1 -> ...
        """,
        BOT.replace("-m tourney", str(script)),
    )


def test_the_reference_player_passes_every_step_and_the_table_of_results_says_so(tmp_path: Path) -> None:
    check(
        tmp_path,
        f"""
        $ check-bot --seat North --transcript FOLDER/lines.jsonl -- PLAYER
            -> ...
            -> passed: {len(BLUE_CHIP.steps) - 1} steps, 1 not seen, profile tourney
            -> ...
            -> 14 a call explained with Infos. (version 19) not seen BC-17
            -> ...
            -> profile that suits: profile = "tourney"...
            -> ...
            -> thinking, ...
            -> passed
        """,
        BOT,
    )
    lines = [json.loads(line) for line in (tmp_path / "lines.jsonl").read_text().splitlines()]
    said, told = ([line["line"] for line in lines if line["dir"] == way] for way in ("in", "out"))
    assert said[0].startswith('Connecting "Alpha" as North using protocol version 18')
    assert told[0] == 'North ("Alpha") seated'
    assert "Error: North is taken by 'Alpha'" in told


def test_a_program_that_shares_no_code_with_us_passes_as_one_json_document() -> None:
    kinds = (StepKind.PASSED_OUT, StepKind.END, StepKind.TAKEN)
    numbers = [step.number for step in BLUE_CHIP.steps if step.kind in kinds]
    words = [word for number in numbers for word in ("--step", str(number))]
    document = found(FOREIGN, "--seat", "west", *words)
    steps, thinking = document.pop("steps"), document.pop("thinking")
    assert document == {"passed": True, "mistakes": [], "remarks": [], "profile": "default", "wire": []}
    assert [step["number"] for step in steps] == numbers
    result = {"seat": "West", "outcome": "ok", "note": "", "failure": None}
    assert [step["results"] for step in steps] == [[result]] * len(numbers)
    assert thinking["calls"]["count"] == 1


def dialect(name: str) -> str:
    """The command of a scripted program that stands for one that exists; it does not pause."""
    return f"{sys.executable} -m tests.support.dialects {name} {{host}} {{port}} {{seat}} {{team}} 0"


def test_a_program_that_speaks_as_ben_did_in_2022_is_given_its_profile_despite_a_failed_step() -> None:
    steps = [word for number in (3, 4, 9, 13, 19, 21) for word in ("--step", str(number))]
    document = found(dialect("'BEN 2022'"), "--seat", "west", *steps, "--timeout-s", "4")
    assert document["profile"] == "ben-2022"
    notes = {step["number"]: step["results"][0]["note"] for step in document["steps"]}
    assert (notes[4], notes[13]) == ("plays with timing = false", "plays with alerts = false")
    remarks = {remark["clause"]: remark["text"] for remark in document["remarks"]}
    assert " plays " in remarks["BC-33"].partition("version 18 has")[2]  # it plays dummy's cards under its own name


def test_the_profile_of_a_program_is_found_in_a_short_form_by_itself() -> None:
    found = asyncio.run(find_profile(dialect("'BEN 2023'")))
    assert (found.name, found.wire, found.problem) == ("ben-2023", {}, "")
    assert found.profile == PROFILES["ben-2023"]
    ours = asyncio.run(find_profile(BOT))
    assert (ours.name, ours.profile) == ("tourney", PROFILES["tourney"])
    broken = asyncio.run(find_profile("false"))
    assert broken.profile is None
    expected = "in step 1 (connects), expected: a connection; got the program ended with status 1"
    assert broken.problem.startswith(expected)


def test_a_search_that_takes_too_long_ends_with_the_program_and_says_so(tmp_path: Path) -> None:
    pid = tmp_path / "pid"
    waits = f"import os, pathlib, time; pathlib.Path({str(pid)!r}).write_text(str(os.getpid())); time.sleep(100)"
    found = asyncio.run(find_profile(f"{sys.executable} -c {shlex.quote(waits)}", limit_s=3))
    assert found.problem == "not all settings could be tried within 3 s"
    assert not Path("/proc", pid.read_text()).exists()


def test_a_program_that_crashes_is_reported_with_its_status_and_last_words_and_status_1(tmp_path: Path) -> None:
    check(
        tmp_path,
        """
        $ check-bot --seat South --step 9 -- PLAYER
            -> ...
            -> status 1
            -> ...
            -> FAILED step 9 at South...
            -> ...
            -> ...the program ended with status 1: expected ...
            -> to change Stay connected until `End of session`...
            -> ...
            -> 1 step failed
        """,
        FOREIGN,  # which knows no bid but 1C
    )


@pytest.mark.parametrize(("words", "status", "sentence"), refused_commands("commands/check_bot"))
def test_words_that_cannot_be_used_get_a_sentence(
    words: list[str], status: int, sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mybot.py").write_text("print()\n", encoding="ascii")
    done = run("check-bot", *words)
    assert done.exit_code == status, done.output
    assert sentence in done.stderr
    assert isinstance(done.exception, SystemExit)


def test_a_player_whose_lines_end_in_lf_alone_passes_with_a_remark() -> None:
    (dummy,) = (step.number for step in BLUE_CHIP.steps if step.kind is StepKind.DUMMY)
    document = found(dialect("GIB"), "--seat", "East", "--step", str(dummy))
    assert "BC-01" in {remark["clause"] for remark in document["remarks"]}


# `tourney check-bot --protocol stateful` with real programs: the reference player passes, others are found out


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


@pytest.mark.campaign
def test_the_reference_player_passes_every_step_at_every_seat(tmp_path: Path) -> None:
    transcript = tmp_path / "lines.jsonl"
    document = found(STATEFUL_BOT, "--protocol", "stateful", "--transcript", str(transcript))
    results = [result["outcome"] for step in document["steps"] for result in step["results"]]
    assert results == ["ok"] * 4 * len(STATEFUL.steps)
    assert "WEATHER fine 18" in transcript.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("fault", "step", "failure"),
    [
        ("silent", 3, "SS-14 nothing for 3 s ..."),
        ("unknown", 11, "SS-29 it closed the connection; the program ended with status 1: what is the weather? ..."),
        ("hangs", 12, "SS-30 ... Notice that the connection is closed, then end, or connect and log on again."),
    ],
)
def test_a_fault_is_found_at_its_step_with_the_clause(tmp_path: Path, fault: str, step: int, failure: str) -> None:
    program = tmp_path / "program.py"
    program.write_text(PROGRAM, encoding="utf-8")
    words = f"check-bot --protocol stateful --seat North --timeout-s 3 --json --step {step} -- PLAYER"
    check(
        tmp_path,
        f"$ {words} | steps[number={step}].results.failure: clause said advice -> ... -> {failure}",
        f"{sys.executable} {program} {{host}} {{port}} {fault}",
    )
