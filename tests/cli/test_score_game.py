"""The command `tourney score --game`: deals of one table, scored as rubber bridge, Chicago or Minibridge."""

import json
import re
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.support import commands
from tests.support.commands import document_of, printed
from tests.support.money_games import money_games
from tests.support.refusals import refusals
from tests.support.score_texts import game

run = partial(commands.run, "score", "--game")


def write(folder: Path, text: str, name: str = "deals.txt") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def list_of(deals: list[dict[str, Any]]) -> str:
    lines = []
    for deal in deals:
        if deal["contract"] == "Pass":
            lines.append("pass")
            continue
        line = f"{deal['by']} {deal['contract']} {deal['tricks']}"
        if "honours" in deal:
            line += f" honours {deal['honours']['side']} {deal['honours']['points']}"
        lines.append(line)
    return "\n".join(lines)


def both(points: dict[str, int]) -> dict[str, int]:
    return {"NS": 0, "EW": 0} | points


SEED = money_games()["rubber_seed"]


@pytest.mark.parametrize("example", [SEED, *money_games()["rubber_computed"]], ids=lambda e: e.get("id", "seed"))
def test_the_document_of_a_rubber_has_every_figure_of_the_example(tmp_path: Path, example: dict[str, Any]) -> None:
    result = printed(run("rubber", write(tmp_path, list_of(example["deals"])), "--json"))
    document = json.loads(result)
    assert document == {
        "game": "rubber",
        "finished": "rubber_bonus" in example["ledger"][-1],
        "deals": [
            {
                "number": number,
                "by": deal["by"],
                "contract": deal["contract"],
                "tricks": deal["tricks"],
                "below": both(entry["below"]),
                "above": both(
                    {
                        side: entry["above"].get(side, 0) + entry.get("rubber_bonus", {}).get(side, 0)
                        for side in ("NS", "EW")
                    }
                ),
                "totals": entry["total_if_stopped_here"],
            }
            for number, (deal, entry) in enumerate(zip(example["deals"], example["ledger"], strict=True), 1)
        ],
        "totals": example["totals"],
        "if_stopped": example["ledger"][-1]["total_if_stopped_here"],
    }


def test_the_sheet_of_a_rubber_is_written_as_on_paper(tmp_path: Path) -> None:
    result = printed(run("rubber", write(tmp_path, list_of(SEED["deals"]))))
    sheet = result.splitlines()[2:15]
    assert [re.split(r" {2,}", line.strip()) for line in sheet] == [
        ["Rubber 1, won by EW"],
        ["Line", "NS", "EW"],
        ["above", "500 slam (6)"],
        ["above", "50 insult (6)"],
        ["above", "100 overtricks (6)"],
        ["above", "200 penalty (5)", "500 rubber (9)"],
        ["above", "300 penalty (2)", "30 overtricks (7)"],
        ["above", "60 overtricks (1)", "30 overtricks (3)"],
        ["game 1", "60 tricks (1)", "100 tricks (3)"],
        ["game 2", "360 tricks (6)", "90 tricks (4)"],
        ["game 3", "60 tricks (8)", "40 tricks (7)"],
        ["game 3", "90 tricks (9)"],
        ["total", "1690", "880"],
    ]
    assert result.splitlines()[-1] == "9 deals, finished: NS 1690, EW 880, NS by 810 points."


def test_a_rubber_that_is_not_finished_shows_what_it_would_be_worth_if_play_stopped(tmp_path: Path) -> None:
    result = run("rubber", write(tmp_path, "N 3NT 9\nE 2S 8\n"))
    assert result.stdout.splitlines()[-1] == (
        "2 deals, not finished: NS 100, EW 60, NS by 40 points. If play stopped here, with premiums: NS 400, EW 160."
    )


def test_russian_scoring_takes_points_and_vulnerability_from_the_list(tmp_path: Path) -> None:
    path = write(tmp_path, "EW 3H 10 hcp EW 24 vul EW\nN 4S 10 hcp NS 18 vul None\npass hcp NS 23 vul NS # 0 - 110\n")
    document = document_of(run("russian", path, "--json"))
    assert [deal["totals"] for deal in document["deals"]] == [
        {"NS": 3, "EW": 0},
        {"NS": 13, "EW": 0},
        {"NS": 13, "EW": 3},
    ]
    assert document["deals"][2] | {"totals": None} == {
        "number": 3,
        "by": None,
        "contract": "Pass",
        "tricks": None,
        "below": {"NS": 0, "EW": 0},
        "above": {"NS": 0, "EW": 0},
        "totals": None,
    }


def test_minibridge_takes_part_score_and_game_by_word_or_by_bid(tmp_path: Path) -> None:
    document = document_of(run("minibridge", write(tmp_path, "N part NT 10\nE game H 7\nS 4H 11\n"), "--json"))
    assert [deal["contract"] for deal in document["deals"]] == ["part NT", "game H", "game H"]
    assert document["totals"] == {"NS": 180 + 150 + 450, "EW": 0}


def test_pbn_of_a_rubber_brings_its_honours(tmp_path: Path) -> None:
    deal = "N:5432.AKQJ.5432.5 AKQJ.5432.A.6432 T987.T987.KQJT.A 6.6.9876.KQJT987"
    text = game(None, Deal=deal, Contract="2H", Declarer="N", Result="8", Vulnerable="None")
    path = write(tmp_path, text, "rubber.pbn")
    with_honours = document_of(run("rubber", path, "--json"))
    assert with_honours["deals"][0]["above"] == {"NS": 100, "EW": 0}
    for name, words, above in (
        ("rubber", ["--agreed", "no-honours"], 0),
        ("chicago", [], 0),
        ("chicago", ["--agreed", "honours"], 100),
    ):
        document = document_of(run(name, path, *words, "--json"))
        assert document["deals"][0]["above"] == {"NS": above, "EW": 0}, (name, words)


@pytest.mark.parametrize(("name", "text", "sentences"), refusals("scored_games"))
def test_what_cannot_be_scored_is_refused_with_its_line(
    tmp_path: Path, name: str, text: str, sentences: list[str]
) -> None:
    result = run(name, write(tmp_path, text))
    assert result.exit_code == 1
    assert sentences[0] in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_a_file_is_scored_as_a_game_or_as_a_field(tmp_path: Path) -> None:
    result = run("rubber", write(tmp_path, "N 4S 10"), "--pairs", "stated")
    said = "a file is scored as a field of pairs or as a game: give --pairs or --game, got both"
    assert (result.exit_code, result.stderr) == (2, f"Error: {said}\n")


def test_a_match_of_before_1987_agrees_with_the_scores_of_its_time(tmp_path: Path) -> None:
    room = {"Contract": "4SX", "Result": "6", "Score": "NS -700", "HomeTeam": "A", "VisitTeam": "B"}
    path = write(tmp_path, game("Open", **room) + game("Closed", **room), "old.pbn")
    for laws, score, findings in ((["--older-laws"], -700, 0), ([], -800, 2)):
        result = commands.run("score", path, *laws, "--json")
        (match,) = json.loads(result.stdout)["matches"]
        assert (match["boards"][0]["open"]["score"], len(match["findings"])) == (score, findings)


def test_a_game_is_scored_from_one_file(tmp_path: Path) -> None:
    path = write(tmp_path, "N 4S 10")
    result = run("rubber", path, str(path))
    assert (result.exit_code, result.stderr) == (2, "Error: --game takes one file, got 2\n")


def test_a_rubber_played_at_another_vulnerability_is_scored_as_it_was_played_and_said(tmp_path: Path) -> None:
    result = run("rubber", write(tmp_path, "N 4S 9 vul NS\n"))
    assert "deal 1 was played with NS vulnerable; by the score it should be None" in result.stdout
    assert "1 deal, not finished: NS 0, EW 100, EW by 100 points." in result.stdout
