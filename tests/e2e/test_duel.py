"""`tourney duel` as an author uses it, to its verdict: cut off and gone on with; on simulated time."""

import json
import shlex
from contextlib import closing
from itertools import chain
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.support.commands import run
from tests.support.events import bot
from tests.support.simulated_run import KILLED, simulated_runs
from tourney.bridge import board_from_seed
from tourney.event.file import load_event_file
from tourney.formats.boards import format_boards
from tourney.lab import play
from tourney.lab.duel import DuelSettings, DuelTeam
from tourney.lab.event_files import write_event
from tourney.scoring.strength.sequential import SequentialTest
from tourney.store.db.database import Database
from tourney.store.draw.reader import load_event
from tourney.store.results.matches import load_match_boards
from tourney.views.sequential_test import run_test

NEW, OLD = bot(2), bot(3)
THINKING = bot(2, think_ms=20), bot(3, think_ms=20)
OPTIONS = ("--names", "New,Old", "--profile", "tourney", "--seed", "5", "--concurrency", "1")


def test_a_duel_that_was_killed_goes_on_to_the_llr_the_verdict_and_the_boards_of_one_that_was_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    # Lest it be decided before it has been killed.
    words = ("duel", *THINKING, *OPTIONS, "--sprt=-1,1,0.001,0.001", "--boards", "12")
    with simulated_runs() as machine:
        killed = machine.tourney(*words, steps=[(machine.has_told("New v Old  boards"), machine.kill_all)])
        assert killed.err == KILLED
        machine.wait(60)
        done = machine.tourney(*words, "--json")
    assert done.status == 0, done.err
    found = json.loads(done.out)["test"]
    undisturbed = run_test(
        "duel", SequentialTest(d0=-1, d1=1, alpha=0.001, beta=0.001, boards_max=12), play_in_process(tmp_path)
    )
    assert found == undisturbed.document()
    assert run("verify", tmp_path / "New-v-Old.toml").stdout.rstrip().endswith("0 findings")


def play_in_process(folder: Path) -> list[int]:
    """The IMPs of all boards of the duel in the order of their deals, played by the same bots without sockets."""
    file = load_event_file(folder / "New-v-Old.toml")
    with closing(Database(file.database_url)) as database:
        event = load_event(database, "New v Old")
        assert event is not None
        boards = [load_match_boards(database, match) for match in event.matches]
    deals = list(chain.from_iterable(zip(*boards, strict=True)))
    return play(deals, {"NS": "random", "EW": "random"}, rooms=2, seed=1).imps


def test_ctrl_c_ends_a_duel_with_how_it_stands_and_the_command_that_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    words = ("duel", *THINKING, *OPTIONS, "--sprt", "none", "--boards", "400")
    with simulated_runs() as machine:
        stopped = machine.tourney(*words, steps=[(machine.has_told("New v Old  boards"), machine.interrupt)])
    assert stopped.status == 130
    assert "Not decided yet after" in stopped.out
    assert stopped.err.rstrip().endswith(f"stopped; to go on: {shlex.join(['tourney', *words])}")


def test_a_second_duel_of_the_same_programs_needs_a_name_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    settings = DuelSettings(
        first=DuelTeam("New", {"command": NEW}), second=DuelTeam("Old", {"command": OLD}), boards=9, matches=1, seed=5
    )
    write_event(settings, tmp_path / "New-v-Old.toml", None, has_seed=True)
    boards = [board_from_seed(3, "1.1", number) for number in range(1, 4)]
    (tmp_path / "boards.pbn").write_text(format_boards(boards, "test"), encoding="ascii", newline="")
    words = ("duel", NEW, OLD, *OPTIONS[:4], "--deals", "boards.pbn", "--boards", "2", "--concurrency", "1")
    refused = run(*words)
    assert refused.exit_code == 2
    assert refused.stderr.rstrip().endswith("play the new one under another --name")
    with simulated_runs() as machine:
        done = machine.tourney(*words, "--name", "second")
    assert done.status == 0, done.err
    assert "Undecided after 2 boards, which is the most that were allowed" in done.out
    assert "all boards of boards.pbn are played: give others under another --name" in done.out
    assert "the boards as PBN or CSV: tourney export second.toml --format pbn --out FOLDER" in done.out
    assert run("export", "second.toml", "--format", "csv", "--out", "boards").exit_code == 0
    assert len((tmp_path / "boards" / "boards.csv").read_text().splitlines()) == 1 + 2 * 2


def test_a_changed_program_does_not_get_the_verdict_of_another_and_again_plays_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    program = tmp_path / "new.sh"
    started, _, words = NEW.partition(" --")
    program.write_text(f'#!/bin/sh\nexec {started} "$@"\n')
    program.chmod(0o755)
    duel = ("duel", f"./new.sh --{words}", OLD, *OPTIONS, "--sprt", "none", "--boards", "2")
    with simulated_runs() as machine:
        first = machine.tourney(*duel)
    assert (first.status, "All 2 boards are played" in first.out) == (0, True), first.err
    same = run(*duel)
    assert (same.exit_code, same.stdout) == (0, first.out.partition("\n")[2])
    assert "nothing was played just now: all boards are of before" in same.stderr
    program.write_text(program.read_text() + "# better\n")
    changed = run(*duel)
    assert (changed.exit_code, changed.stdout) == (1, same.stdout)
    assert "New has changed since this duel was played: --again plays it anew" in changed.stderr
    with simulated_runs() as machine:
        again = machine.tourney(*duel, "--again")
    assert again.status == 0, again.err
    assert "nothing was played" not in again.err
    assert "All 2 boards are played" in again.out
    assert {path.name for path in tmp_path.glob("*.toml")} == {"New-v-Old.toml", "New-v-Old-2.toml"}
    with simulated_runs() as machine:
        extended = machine.tourney(*duel[:-1], "4")
    assert extended.status == 0, extended.err
    assert "All 4 boards are played" in extended.out
    assert "the interval does not allow for boards that are added after a look" in extended.err


def test_a_required_verdict_decides_the_exit_status_and_the_junit_report(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    # The same player twice; a difference of 24 IMPs a board is ruled out by three boards without a swing.
    words = ("duel", bot(1), bot(1, think_ms=1), *OPTIONS, "--sprt", "0,24", "--boards", "8", "--junit-file", "d.xml")
    with simulated_runs() as machine:
        met = machine.tourney(*words, "--fail-unless", "same")
    verdict = "New and Old play alike: no swing after 3 boards"
    assert (met.status, met.err) == (0, f"--fail-unless same is met: {verdict}\n"), met.out
    assert ElementTree.parse("d.xml").getroot().attrib["failures"] == "0"
    unmet = run(*words, "--fail-unless", "better", "--json")
    assert unmet.exit_code == 1
    assert unmet.stderr.endswith(f"--fail-unless better is not met: {verdict}\n")
    (failure,) = ElementTree.parse("d.xml").getroot().iter("failure")
    assert failure.attrib["message"] == verdict
    extended = run(*words, "--boards", "12")
    assert extended.exit_code == 1
    assert "New v Old is decided after 3 boards: more boards would not change the verdict" in extended.stderr
