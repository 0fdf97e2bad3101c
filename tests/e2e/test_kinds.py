"""Events of several stages, of several teams, of individuals and of games, run on simulated time."""

import re
from fractions import Fraction
from pathlib import Path

import pytest

from tests.support.board_a_match_standings import recompute_points
from tests.support.commands import json_report
from tests.support.events import bot, write_event
from tests.support.simulated_run import simulated_runs

STAGES = """\
name = "Groups"
groups = 2

[[stage]]
name = "Final"
format = "match"
teams = 2
boards_per_match = 2
segments = 2
seats = "alternate"
[stage.carry_over]
won = 0.5
"""


def test_groups_and_a_final_in_segments_are_played_through_and_ruled_on(tmp_path: Path) -> None:
    teams = [(name, bot(seed)) for seed, name in enumerate(("Ants", "Bees", "Cats", "Dogs"), 1)]
    event = write_event(tmp_path, teams, boards=1, stage=STAGES)
    with simulated_runs() as machine:
        machine.converse(
            """
            ~ run EVENT
                -> ...
                -> round 2 is drawn: 3 ...
                -> ...
                -> match 3 goes on: segment 2 of 2, 1 board
                -> ...
            $ standings EVENT --explain --json | fields: stage -> Groups -> Groups -> Final
            """,
            EVENT=event,
        )
        (final,) = json_report("schedule", event)["rounds"][1]["matches"]
        first, second = (segment["rooms"]["open"] for segment in final["segments"])
        assert (first["ns"], first["ew"]) == (second["ew"], second["ns"]) == (final["home"], final["away"])
        assert (first["ew_pair"], second["ns_pair"]) == (1, 2)
        assert [board["imps"] is not None for board in json_report("match", event, "3")["boards"]] == [True, True]
        champion = json_report("standings", event)["standings"][0]["team"]
        other = ({final["home"], final["away"]} - {champion}).pop()
        machine.converse(
            f"""
            $ rule penalty EVENT 3 {champion} 99 --reason "it came late"
            $ standings EVENT --json | standings.0: team -> {other}
            the record is sound
            """,
            EVENT=event,
        )
    wire = {path.name for path in (tmp_path / "results" / "wire").glob("match-003*")}
    assert wire == {f"match-003{part}-{room}.jsonl.gz" for part in ("", ".2") for room in ("open", "closed")}


# A whole field of teams on simulated time, a board of which is played again


TEAMS = ("Ants", "Bees", "Cats")


@pytest.fixture(autouse=True)
def _author(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOURNEY_DIRECTOR", "Ada")


def points(event: Path) -> dict[str, Fraction]:
    rows = json_report("standings", event)["standings"]
    return {row["team"]: Fraction(row["ranking_score"]) for row in rows}


def test_a_board_of_a_first_half_is_played_again_before_its_match_is_scored(tmp_path: Path) -> None:
    teams = [(name, bot(seed, "basic", think_ms=40)) for seed, name in enumerate(TEAMS, 1)]
    # Two rounds of one board at three tables.
    event = write_event(tmp_path, teams, boards=None, stage='format = "american-whist"\nboards_per_round = 1')
    with simulated_runs() as machine:
        machine.converse(
            """
            once it tells round 2: => $ table replay EVENT 3-open 3 --reason "a misdeal"
            ~ run EVENT -> ... -> round 2: ... -> ... -> round 1: 3 ... -> ... -> match 3: ... -> ...
            the record is sound
            """,
            EVENT=event,
        )
        assert machine.out.getvalue().count("round 2: ") == 1, "the second halves are played once"
        assert machine.out.getvalue().count("match 3: ") == 1
    assert recompute_points(event.parent / "results" / "event.db") == points(event)


# Individuals: partners change, and each program is ranked by itself; on simulated time


PLAYERS = ("Alpha", "Beta", "Gamma", "Delta", "Epsilon", "Zeta", "Eta", "Theta")


def test_eight_programs_play_an_individual_and_are_ranked_one_by_one(tmp_path: Path) -> None:
    players = [(name, bot(seed)) for seed, name in enumerate(PLAYERS, 1)]
    stage = 'format = "individual"\nboards_per_round = 1'
    event = write_event(tmp_path, players, boards=None, stage=stage, entrant="player")
    with simulated_runs() as machine:
        machine.converse(
            """
            ~ run EVENT
            SELECT count(*) FROM rulings -> 0
            the record is sound
            $ export EVENT --format pbn --out FOLDER
            """,
            EVENT=event,
            FOLDER=tmp_path / "pbn",
        )
    ranked = json_report("standings", event)["standings"]
    assert sorted(row["team"] for row in ranked) == sorted(PLAYERS)
    assert {row["boards"] for row in ranked} == {7}
    # Two results a board: both sides share 2 matchpoints, and each of them is two players'.
    assert sum(row["total"] for row in ranked) == 7 * 2 * 2 * 2
    games = (tmp_path / "pbn" / "all.pbn").read_text(encoding="utf-8").split('[Event "')[1:]
    assert len(games) == 14
    assert re.findall(r'\[(?:North|South) "(.*)"\]', games[0]) == ["Alpha", "Theta"]
    assert all('[Competition "Individuals"]' in game for game in games)


# Chicago in a Swiss and rubber bridge in a knockout, played by pairs on simulated time


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


@pytest.mark.campaign
def test_pairs_play_chicagos_in_a_swiss_and_rubbers_in_a_knockout(tmp_path: Path) -> None:
    teams = [(name, bot(seed, "basic")) for seed, name in enumerate(PAIRS, 1)]
    event = write_event(tmp_path, teams, boards=None, stage=GAMES, entrant="pair")
    with simulated_runs() as machine:
        machine.converse(
            """
            ~ run EVENT
            the record is sound
            $ export EVENT --format conditions --out FOLDER
            $ standings EVENT -> ... -> ... -> Rank Pair ... -> ...
            """,
            EVENT=event,
            FOLDER=tmp_path / "conditions",
        )
        assert not {"IMPs", "VP"} & set(machine.out.getvalue().split())
    rounds = json_report("rounds", event)["rounds"]
    lines = {line["match"]: line for each in rounds for line in each["matches"]}
    assert [len(each["matches"]) for each in rounds] == [2, 2, 2, 1]
    totals = {number: (int(line["points_home"]), int(line["points_away"])) for number, line in lines.items()}
    for number, line in lines.items():
        sheet = json_report("match", event, str(number))["sheet"]
        game = "chicago" if line["round"] <= 2 else "rubber"
        assert (sheet["game"], sheet["finished"], tuple(sheet["totals"].values())) == (game, True, totals[number])
    net = dict.fromkeys(PAIRS, 0)
    for line in lines.values():
        if line["round"] <= 2:
            home, away = totals[line["match"]]
            net[line["home"]] += home - away
            net[line["away"]] += away - home
    swiss, knockout = json_report("standings", event)["fields"]
    assert {row["team"]: float(row["ranking_score"]) for row in swiss["standings"]} == net
    final = lines[max(lines)]
    winner = "home" if int(final["points_home"]) > int(final["points_away"]) else "away"
    assert knockout["standings"][0]["team"] == final[winner]
