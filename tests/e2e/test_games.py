"""Chicago in a Swiss and rubber bridge in a knockout, played by pairs on simulated time."""

import json
from pathlib import Path

from tests.support.commands import run
from tests.support.events import bot, write_event
from tests.support.simulated_run import run_simulated

PAIRS = ("Alpha", "Beta", "Gamma", "Delta")


GAMES = """\
name = "Chicagos"
format = "swiss"
game = "chicago"
rounds = 2

[[stage]]
name = "Rubbers"
format = "knockout"
game = "rubber"
teams = 4
"""


def test_pairs_play_chicagos_in_a_swiss_and_rubbers_in_a_knockout(tmp_path: Path) -> None:
    teams = [(name, bot(seed, "basic")) for seed, name in enumerate(PAIRS, 1)]
    event = write_event(tmp_path, teams, boards=None, stage=GAMES, entrant="pair")
    done = run_simulated(event)
    assert done.status == 0, done.out + done.err
    assert not {"IMPs", "VP"} & set(done.out.split())
    verified = run("verify", event)
    assert (verified.exit_code, ", 0 findings" in verified.stdout) == (0, True), verified.stdout
    rounds = json.loads(run("rounds", event, "--json").stdout)["rounds"]
    lines = {line["match"]: line for each in rounds for line in each["matches"]}
    assert [len(each["matches"]) for each in rounds] == [2, 2, 2, 1]
    totals = {number: (int(line["points_home"]), int(line["points_away"])) for number, line in lines.items()}
    for number, line in lines.items():
        sheet = json.loads(run("match", event, str(number), "--json").stdout)["sheet"]
        game = "chicago" if line["round"] <= 2 else "rubber"
        assert (sheet["game"], sheet["finished"], tuple(sheet["totals"].values())) == (game, True, totals[number])
    net = dict.fromkeys(PAIRS, 0)
    for line in lines.values():
        if line["round"] <= 2:
            home, away = totals[line["match"]]
            net[line["home"]] += home - away
            net[line["away"]] += away - home
    swiss, knockout = json.loads(run("standings", event, "--json").stdout)["fields"]
    assert {row["team"]: float(row["ranking_score"]) for row in swiss["standings"]} == net
    final = lines[max(lines)]
    winner = "home" if int(final["points_home"]) > int(final["points_away"]) else "away"
    assert knockout["standings"][0]["team"] == final[winner]
    assert run("export", event, "--format", "conditions", "--out", tmp_path / "conditions").exit_code == 0
    heading = run("standings", event).stdout.splitlines()[3].split()
    assert heading[:2] == ["Rank", "Pair"]
