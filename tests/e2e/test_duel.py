"""`tourney duel` as an author uses it: with real programs, to its verdict, cut off and gone on with."""

import json
import os
import re
import shlex
import signal
from pathlib import Path

from tests.support.events import BOT, start_tourney, tourney

NEW, OLD = f"{BOT} --seed 1 --style random", f"{BOT} --seed 2 --style random"
OPTIONS = ("--names", "New,Old", "--profile", "tourney", "--seed", "5", "--matches", "2")


def test_a_duel_that_was_killed_goes_on_to_the_result_of_one_that_was_not(tmp_path: Path) -> None:
    whole, cut = tmp_path / "whole", tmp_path / "cut"
    whole.mkdir()
    cut.mkdir()
    words = ("duel", NEW, OLD, *OPTIONS, "--no-sprt", "--boards", "4", "--every", "1")
    done = tourney(*words, cwd=whole)
    assert done.status == 0, done.err
    assert "All 4 boards are played" in done.out

    running = start_tourney(*words, cwd=cut)
    assert running.stdout is not None
    for line in running.stdout:
        if line.startswith("New v Old  boards"):
            break
    os.kill(running.pid, signal.SIGKILL)
    running.wait()
    running.stdout.close()
    again = tourney(*words, "--json", cwd=cut)
    assert again.status == 0, again.err
    document = json.loads(again.out)
    undisturbed = json.loads(tourney(*words, "--json", cwd=whole).out)
    assert document["test"] == undisturbed["test"]
    assert document["test"]["boards"] == 4
    assert tourney("verify", "New-v-Old.toml", cwd=cut).out.rstrip().endswith("0 findings")

    other = tourney("duel", NEW, OLD, *OPTIONS, "--boards", "4", cwd=cut)
    assert other.status == 1
    assert "New-v-Old.toml is a duel of other parameters, stage 1.sprt is None there" in other.err


def test_ctrl_c_ends_a_duel_with_how_it_stands_and_the_command_that_goes_on(tmp_path: Path) -> None:
    words = ("duel", NEW, OLD, *OPTIONS, "--no-sprt", "--boards", "400", "--every", "2", "--pbn", "played.pbn")
    running = start_tourney(*words, cwd=tmp_path)
    assert running.stdout is not None
    for line in running.stdout:
        if line.startswith("New v Old  boards"):
            break
    os.kill(running.pid, signal.SIGINT)
    rest = running.stdout.read()
    running.stdout.close()
    assert running.wait() == 130
    assert "Not decided yet after" in rest
    assert rest.rstrip().endswith(f"stopped; to go on: {shlex.join(['tourney', *words])}")
    rooms = re.findall(r'\[Room "(\w+)"]', (tmp_path / "played.pbn").read_text())
    assert len(rooms) >= 4
    assert rooms.count("Open") == rooms.count("Closed")


def test_the_same_programs_play_another_duel_under_another_name(tmp_path: Path) -> None:
    words = ("duel", NEW, OLD, *OPTIONS, "--no-sprt")
    assert tourney(*words, "--boards", "1", cwd=tmp_path).status == 0
    refused = tourney(*words, "--boards", "2", cwd=tmp_path)
    assert refused.err.rstrip().endswith("play the new one under another --name")
    other = tourney(*words, "--boards", "2", "--name", "second", cwd=tmp_path)
    assert (other.status, "All 2 boards are played" in other.out) == (0, True), other.err


def test_a_duel_of_boards_from_a_file_plays_all_of_them_and_says_so(tmp_path: Path) -> None:
    assert tourney("deal", "--boards", "5", "--seed", "3", "--out", "boards.pbn", cwd=tmp_path).status == 0
    words = ("duel", NEW, OLD, *OPTIONS[:4], "--deals", "boards.pbn", "--start", "2", "--matches", "2", "--no-sprt")
    done = tourney(*words, "--csv", "boards.csv", cwd=tmp_path)
    assert done.status == 0, done.err
    assert "All 4 boards are played" in done.out
    assert len((tmp_path / "boards.csv").read_text().splitlines()) == 5


def test_a_duel_whose_program_cannot_be_started_ends_with_what_happened(tmp_path: Path) -> None:
    done = tourney("duel", "./not-there {port}", OLD, "--names", "New,Old", "--matches", "1", cwd=tmp_path)
    assert done.status == 1
    assert "not-there" in done.out + done.err
    assert "Not decided yet after 0 boards" in done.out
