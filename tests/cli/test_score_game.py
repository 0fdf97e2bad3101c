"""The command `tourney score --game`: deals of one table, scored as rubber bridge, Chicago or Minibridge."""

import json
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.support import commands
from tests.support.commands import converse, printed
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
    write(tmp_path, list_of(SEED["deals"]))
    converse(
        tmp_path,
        """
        $ score --game rubber FOLDER/deals.txt
            -> ...
            -> Rubber 1, won by EW
            -> Line NS EW
            -> above 500 slam (6)
            -> above 50 insult (6)
            -> above 100 overtricks (6)
            -> above 200 penalty (5) 500 rubber (9)
            -> above 300 penalty (2) 30 overtricks (7)
            -> above 60 overtricks (1) 30 overtricks (3)
            -> game 1 60 tricks (1) 100 tricks (3)
            -> game 2 360 tricks (6) 90 tricks (4)
            -> game 3 60 tricks (8) 40 tricks (7)
            -> game 3 90 tricks (9)
            -> total 1690 880
            -> ...
            -> 9 deals, finished: NS 1690, EW 880, NS by 810 points.
        """,
    )


@pytest.mark.parametrize(
    ("name", "deals", "told"),
    [
        (
            "rubber",
            "N 3NT 9\nE 2S 8\n",
            "-> ... -> 2 deals, not finished: NS 100, EW 60, NS by 40 points. If play stopped here, with premiums: "
            "NS 400, EW 160.",
        ),
        (
            "rubber",
            "N 4S 9 vul NS\n",
            "-> ... -> 1 deal, not finished: NS 0, EW 100, EW by 100 points. "
            "-> deal 1 was played with NS vulnerable; by the score it should be None",
        ),
        (
            "russian --json",
            "EW 3H 10 hcp EW 24 vul EW\nN 4S 10 hcp NS 18 vul None\npass hcp NS 23 vul NS # 0 - 110\n",
            "| deals: number by contract tricks below.NS below.EW above.NS above.EW totals.NS totals.EW "
            "-> 1 EW 3H 10 0 90 0 80 3 0 -> 2 N 4S 10 120 0 300 0 13 0 -> 3 - Pass - 0 0 0 0 13 3",
        ),
        (
            "minibridge --json",
            "N part NT 10\nE game H 7\nS 4H 11\n",
            "| : deals.0.contract deals.1.contract deals.2.contract totals.NS totals.EW "
            "-> part NT game H game H 780 0",
        ),
    ],
    ids=["if play stopped", "another vulnerability", "points and vulnerability from the list", "by word or by bid"],
)
def test_a_list_of_deals_is_scored_by_the_rules_of_its_game(tmp_path: Path, name: str, deals: str, told: str) -> None:
    write(tmp_path, deals)
    converse(tmp_path, f"$ score FOLDER/deals.txt --game {name} {told}")


def test_pbn_of_a_rubber_brings_its_honours(tmp_path: Path) -> None:
    deal = "N:5432.AKQJ.5432.5 AKQJ.5432.A.6432 T987.T987.KQJT.A 6.6.9876.KQJT987"
    write(tmp_path, game(None, Deal=deal, Contract="2H", Declarer="N", Result="8", Vulnerable="None"), "rubber.pbn")
    above = "FOLDER/rubber.pbn --json | deals.0.above: NS EW"
    converse(
        tmp_path,
        f"""
        $ score --game rubber {above} -> 100 0
        $ score --game rubber --agreed no-honours {above} -> 0 0
        $ score --game chicago {above} -> 0 0
        $ score --game chicago --agreed honours {above} -> 100 0
        """,
    )


@pytest.mark.parametrize(("name", "text", "sentences"), refusals("scored_games"))
def test_what_cannot_be_scored_is_refused_with_its_line(
    tmp_path: Path, name: str, text: str, sentences: list[str]
) -> None:
    result = run(name, write(tmp_path, text))
    assert result.exit_code == 1
    assert sentences[0] in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_a_game_is_scored_from_one_file_and_is_no_field(tmp_path: Path) -> None:
    write(tmp_path, "N 4S 10")
    converse(
        tmp_path,
        """
        $ score --game rubber FOLDER/deals.txt --pairs stated
            -> refused 2: a file is scored as a field of pairs or as a game: give --pairs or --game, got both
        $ score --game rubber FOLDER/deals.txt FOLDER/deals.txt -> refused 2: --game takes one file, got 2
        """,
    )


def test_a_match_of_before_1987_agrees_with_the_scores_of_its_time(tmp_path: Path) -> None:
    room = {"Contract": "4SX", "Result": "6", "Score": "NS -700", "HomeTeam": "A", "VisitTeam": "B"}
    write(tmp_path, game("Open", **room) + game("Closed", **room), "old.pbn")
    converse(
        tmp_path,
        """
        $ score FOLDER/old.pbn --older-laws --json | matches: boards.0.open.score findings -> -700 none
        $ score FOLDER/old.pbn --json | matches: boards.0.open.score -> -800
        $ score FOLDER/old.pbn --json | matches.findings: room -> open -> closed
        """,
    )
