"""Individuals: partners change, and each program is ranked by itself; four as processes, eight on simulated time."""

import json
import re
import sqlite3
from contextlib import closing
from pathlib import Path

from tests.support.events import bot, port_range, printed
from tests.support.simulated_run import run_simulated

PLAYERS = ("Alpha", "Beta", "Gamma", "Delta", "Epsilon", "Zeta", "Eta", "Theta")


def write_individual(
    folder: Path, stage: str = "boards_per_round = 1", number: int = len(PLAYERS), *, has_phrases: bool = True
) -> Path:
    players = ""
    for seed, name in enumerate(PLAYERS[:number], 1):
        command = bot(seed).replace("{team}", "{login}")
        phrase = f"pass_phrase = 'the phrase of {name}'\n" if has_phrases else ""
        players += (
            f"[[player]]\nname = {json.dumps(name)}\nprofile = 'tourney'\ncommand = {json.dumps(command)}\n{phrase}"
        )
    path = folder / "event.toml"
    path.write_text(
        f'[event]\nname = "Individual"\nresults = "results"\n{players}[[stage]]\nformat = "individual"\n'
        f'{stage}\n[deals]\nseed = 5\n[tables]\ntrick_pause_ms = 0\nports = "{port_range()}"\n',
        encoding="utf-8",
    )
    return path


def test_eight_programs_play_an_individual_and_are_ranked_one_by_one(tmp_path: Path) -> None:
    event = write_individual(tmp_path, has_phrases=False)
    done = run_simulated(event)
    assert done.status == 0, done.out + done.err
    ranked = json.loads(printed("standings", event, "--json").out)["standings"]
    assert sorted(row["team"] for row in ranked) == sorted(PLAYERS)
    assert {row["boards"] for row in ranked} == {7}
    # Two results a board: both sides share 2 matchpoints, and each of them is two players'.
    assert sum(row["total"] for row in ranked) == 7 * 2 * 2 * 2
    with closing(sqlite3.connect(tmp_path / "results" / "event.db")) as connection:
        assert connection.execute("SELECT count(*) FROM rulings").fetchone() == (0,)
    assert printed("verify", event).out.rstrip().endswith("0 findings")

    pbn = tmp_path / "pbn"
    printed("export", event, "--format", "pbn", "--out", pbn)
    games = (pbn / "all.pbn").read_text(encoding="utf-8").split('[Event "')[1:]
    seated = [re.findall(r'\[(?:North|South) "(.*)"\]', game) for game in games]
    assert len(games) == 14
    assert seated[0] == ["Alpha", "Theta"]
    assert all('[Competition "Individuals"]' in game for game in games)

    pages = tmp_path / "pages"
    printed("export", event, "--format", "html", "--out", pages)
    front, card = ((pages / name).read_text(encoding="utf-8") for name in ("index.html", "entrant-001.html"))
    assert all(name in front for name in PLAYERS)
    assert "Beta</bdi></a> and <a" in card
