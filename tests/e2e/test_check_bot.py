"""`tourney check-bot` with real programs: the reference player passes, and each kind of fault is recognised."""

import asyncio
import json
import shlex
import sys
from pathlib import Path

import pytest
from click.testing import Result

from tests.support import commands, misbehaving
from tests.support.commands import run
from tests.support.events import BOT, tourney
from tourney.bridge import Seat
from tourney.compliance.bluechip import BLUE_CHIP
from tourney.compliance.check import check_program, find_profile
from tourney.compliance.context import CheckSettings
from tourney.compliance.findings import StepKind
from tourney.compliance.stateful import STATEFUL
from tourney.config.programs import PROFILES
from tourney.launch.sandbox import why_no_bubblewrap

TROUBLE = why_no_bubblewrap()
STEPS = BLUE_CHIP.steps
FOREIGN = Path(__file__).parents[1] / "support" / "foreign_player.py"


def check_bot(*words: str) -> Result:
    """Run the command in this process; the programs it starts are real."""
    return commands.run("check-bot", *words)


@pytest.mark.skipif(bool(TROUBLE), reason=f"needs bubblewrap, which {TROUBLE}")
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
    player = f"{sys.executable} {script} bot --host {{host}} --port {{port}} --seat {{seat}} --team {{team}}"
    walls = ("--sandbox", "--readable", str(given))
    done = check_bot("--seat", "North", "--step", "1", *walls, "--", player)
    assert done.exit_code == 0, done.output
    outside = check_bot("--seat", "North", "--step", "1", "--timeout-s", "2", "--", player)
    assert outside.exit_code == 1, "it plays only where it cannot read"


def test_the_reference_player_passes_every_step_and_the_table_of_results_says_so(tmp_path: Path) -> None:
    transcript = tmp_path / "lines.jsonl"
    done = tourney("check-bot", "--seat", "North", "--transcript", transcript, "--", *BOT.split(" "))
    assert done.status == 0, done.out + done.err
    rows = [line for line in done.out.splitlines() if line.strip()[:2].strip().isdigit()]
    assert len(rows) == len(STEPS)
    assert done.out.splitlines()[0] == f"passed: {len(STEPS) - 1} steps, 1 not seen, profile tourney"
    # Infos. goes to programs of version 19 only.
    assert [row for row in rows if " ok " not in row] == [row for row in rows if "version 19" in row]
    assert 'profile that suits: profile = "tourney"' in done.out
    assert "thinking, " in done.out
    assert done.out.endswith("passed\n")
    lines = [json.loads(line) for line in transcript.read_text().splitlines()]
    said = [line["line"] for line in lines if line["dir"] == "in"]
    told = [line["line"] for line in lines if line["dir"] == "out"]
    assert said[0].startswith('Connecting "Alpha" as North using protocol version 18')
    assert told[0] == 'North ("Alpha") seated'
    assert "Error: North is taken by 'Alpha'" in told


def test_a_program_that_shares_no_code_with_us_passes_as_one_json_document() -> None:
    kinds = (StepKind.PASSED_OUT, StepKind.END, StepKind.TAKEN)
    numbers = [step.number for step in STEPS if step.kind in kinds]
    words = [word for number in numbers for word in ("--step", str(number))]
    command = f"{sys.executable} {FOREIGN} {{host}} {{port}} {{seat}} {{team}}"
    done = check_bot("--seat", "west", *words, "--json", "--", command)
    assert done.exit_code == 0, done.output
    document = json.loads(done.stdout)
    assert list(document) == ["passed", "steps", "mistakes", "remarks", "profile", "wire", "thinking"]
    assert document["passed"] is True
    assert [step["number"] for step in document["steps"]] == numbers
    result = {"seat": "West", "outcome": "ok", "note": "", "failure": None}
    assert [step["results"] for step in document["steps"]] == [[result]] * len(numbers)
    assert (document["profile"], document["wire"], document["remarks"]) == ("default", [], [])
    assert document["mistakes"] == []
    assert document["thinking"]["calls"]["count"] == 1


def dialect(name: str) -> str:
    """The command of a scripted program that stands for one that exists; it does not pause."""
    return f"{sys.executable} -m tests.support.dialects {name} {{host}} {{port}} {{seat}} {{team}} 0"


def test_a_program_that_speaks_as_ben_did_in_2022_is_given_its_profile_despite_a_failed_step() -> None:
    steps = [word for number in (3, 4, 9, 13, 19, 21) for word in ("--step", str(number))]
    done = check_bot("--seat", "west", *steps, "--timeout-s", "4", "--json", "--", dialect("'BEN 2022'"))
    assert done.exit_code == 0, done.output
    document = json.loads(done.stdout)
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


def test_a_file_that_is_no_program_gets_a_hint_at_what_starts_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mybot.py").write_text("print()\n", encoding="ascii")
    done = check_bot("mybot.py")
    assert done.exit_code == 2
    assert "there is no program 'mybot.py' that could be started: the file of that name is not" in done.stderr
    assert check_bot("./mybot.py").exit_code == 2


def test_a_program_that_crashes_is_reported_with_its_status_and_last_words_and_status_1() -> None:
    command = BOT.replace("-m tourney bot", f"{misbehaving.__file__} crash --style basic")
    done = check_bot("--seat", "South", "--step", "9", "--", *command.split(" "))
    assert done.exit_code == 1, done.output
    assert "FAILED step 9 at South" in done.stdout
    assert "the program ended with status 3: South crashed after" in done.stdout
    assert "to change    Stay connected until `End of session`" in done.stdout
    assert done.stdout.endswith("1 step failed\n")


@pytest.mark.parametrize(
    ("words", "status", "sentence"),
    [
        (["--step", "99"], 2, f"steps are numbered 1 to {len(STEPS)}, got 99"),
        (["--profile", "nonsense"], 2, "got 'nonsense'"),
        (["--seat", "Up"], 2, "Up"),
        (["--", "bot", "{table}"], 2, "got {table}"),
        (["--", "no-such-program-anywhere"], 2, "there is no program 'no-such-program-anywhere'"),
        (["--sandbox"], 2, "--sandbox is for a program that check-bot starts: give its command after --"),
        (["--readable", ".", "--", "player"], 2, "--readable is for a program in a sandbox: give --sandbox too"),
        (["--host", "203.0.113.1"], 1, "cannot listen on 203.0.113.1 port 0"),
    ],
)
def test_words_that_cannot_be_used_get_a_sentence(words: list[str], status: int, sentence: str) -> None:
    done = check_bot(*words)
    assert done.exit_code == status, done.output
    assert sentence in done.stderr
    assert isinstance(done.exception, SystemExit)


async def test_a_player_whose_lines_end_in_lf_alone_passes_with_a_remark() -> None:
    command = BOT.replace("-m tourney bot", f"{misbehaving.__file__} lf-only --style basic")
    report = await check_program(
        CheckSettings(command=command, seats=(Seat.EAST,), kinds=frozenset({StepKind.DUMMY}), slow_s=0),
        lambda _: None,
    )
    assert report.passed
    assert "BC-01" in {remark.clause for remark in report.remarks}


# `tourney check-bot --protocol stateful` with real programs: the reference player passes, others are found out


STATEFUL_BOT = f"{sys.executable} -m tourney bot --protocol stateful --host {{host}} --port {{port}} --team {{team}}"

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


@pytest.mark.campaign
def test_the_reference_player_passes_every_step_at_every_seat(tmp_path: Path) -> None:
    transcript = tmp_path / "lines.jsonl"
    done = check("--transcript", str(transcript), "--", STATEFUL_BOT)
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
    refused = check("--profile", "ben", "--", STATEFUL_BOT)
    assert refused.exit_code == 2
    assert "the stateful protocol has none" in refused.output
