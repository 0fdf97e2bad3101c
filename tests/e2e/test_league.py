"""`tourney lab league` and `gauntlet` with real programs: cut off, gone on with, and grown."""

import json
import os
import signal
from pathlib import Path

from tests.support.events import BOT, start_tourney, tourney

PROGRAMS = {name: f"{BOT} --seed {seed} --style random" for seed, name in enumerate("ABCD", 1)}
OPTIONS = ("--profile", "tourney", "--seed", "5", "--boards", "4", "--concurrency", "1", "--folder", "games")


def league(*names: str) -> tuple[str, ...]:
    return ("lab", "league", *(PROGRAMS[name] for name in names), "--names", ",".join(names), *OPTIONS)


def test_a_league_that_was_killed_goes_on_and_grows_by_the_games_of_who_comes(tmp_path: Path) -> None:
    running = start_tourney(*league("A", "B", "C"), "--every", "1", cwd=tmp_path)
    assert running.stdout is not None
    for line in running.stdout:
        if line.startswith("A v C  boards"):
            break
    os.kill(running.pid, signal.SIGKILL)
    running.wait()
    running.stdout.close()
    done = tourney(*league("A", "B", "C"), "--json", cwd=tmp_path)
    assert done.status == 0, done.err
    found = json.loads(done.out)
    assert [pairing["boards"] for pairing in found["pairings"]] == [4, 4, 4]
    assert (found["strength"]["boards"], found["strength"]["deals"]) == (12, 4)

    old = {path: path.stat().st_mtime_ns for path in tmp_path.glob("games/results/*-v-?/event.db")}
    assert len(old) == 3
    words = ("lab", "gauntlet", PROGRAMS["D"], PROGRAMS["A"], PROGRAMS["B"], "--names", "D,A,B", *OPTIONS)
    grown = json.loads(tourney(*words, "--json", cwd=tmp_path).out)
    assert len(grown["pairings"]) == 5
    assert {path: path.stat().st_mtime_ns for path in old} == old
    (compared,) = grown["candidates"]
    assert (sorted((compared["team"], compared["opponent"])), compared["common"]) == (["C", "D"], ["A", "B"])
    assert (compared["boards"], grown["strength"]["deals"]) == (8, 4)
    assert tourney("verify", "games/d-v-a.toml", cwd=tmp_path).out.rstrip().endswith("0 findings")
