"""Individuals: partners change, and each program is ranked by itself; on simulated time."""

import json
import re
import sqlite3
from contextlib import closing
from pathlib import Path

from tests.support.commands import run
from tests.support.events import bot, write_event
from tests.support.simulated_run import run_simulated

PLAYERS = ("Alpha", "Beta", "Gamma", "Delta", "Epsilon", "Zeta", "Eta", "Theta")


def test_eight_programs_play_an_individual_and_are_ranked_one_by_one(tmp_path: Path) -> None:
    players = [(name, bot(seed)) for seed, name in enumerate(PLAYERS, 1)]
    stage = 'format = "individual"\nboards_per_round = 1'
    event = write_event(tmp_path, players, boards=None, stage=stage, entrant="player")
    done = run_simulated(event)
    assert done.status == 0, done.out + done.err
    ranked = json.loads(run("standings", event, "--json").stdout)["standings"]
    assert sorted(row["team"] for row in ranked) == sorted(PLAYERS)
    assert {row["boards"] for row in ranked} == {7}
    # Two results a board: both sides share 2 matchpoints, and each of them is two players'.
    assert sum(row["total"] for row in ranked) == 7 * 2 * 2 * 2
    with closing(sqlite3.connect(tmp_path / "results" / "event.db")) as connection:
        assert connection.execute("SELECT count(*) FROM rulings").fetchone() == (0,)
    assert run("verify", event).stdout.rstrip().endswith("0 findings")

    pbn = tmp_path / "pbn"
    run("export", event, "--format", "pbn", "--out", pbn)
    games = (pbn / "all.pbn").read_text(encoding="utf-8").split('[Event "')[1:]
    seated = [re.findall(r'\[(?:North|South) "(.*)"\]', game) for game in games]
    assert len(games) == 14
    assert seated[0] == ["Alpha", "Theta"]
    assert all('[Competition "Individuals"]' in game for game in games)
