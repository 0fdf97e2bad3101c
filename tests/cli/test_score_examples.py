"""Worked examples of the source documents by command, figure by figure: games, and a match of teams."""

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from tests.support.commands import document_of, json_report, run
from tests.support.golden_figures import golden_example
from tests.support.money_games import further_games, money_games
from tests.support.score_texts import game

GAMES = money_games()
FURTHER = further_games()


def scored(folder: Path, name: str, lines: list[str], *words: str) -> Any:
    """The document of a list of deals."""
    path = folder / "deals.txt"
    path.write_text("\n".join(lines), encoding="utf-8")
    return document_of(run("score", "--game", name, path, *words, "--json"))


def line_of(deal: dict[str, Any]) -> str:
    return "pass" if deal["contract"] == "Pass" else f"{deal['by']} {deal['contract']} {deal['tricks']}"


@pytest.mark.parametrize("example", GAMES["chicago_duplicate"], ids=lambda each: each["kind"])
def test_a_chicago_at_duplicate_has_the_score_of_each_hand(tmp_path: Path, example: dict[str, Any]) -> None:
    order = ["--agreed", "dealer"] if example["vulnerability"] == "dealer" else []
    document = scored(tmp_path, "chicago-duplicate", [line_of(deal) for deal in example["deals"]], *order)
    assert document["totals"] == example["totals"]
    running = {"NS": 0, "EW": 0}
    for deal, row in zip(document["deals"], example["deals"], strict=True):
        side = "NS" if row["by"][0] in "NS" else "EW"
        running[side if row["score_for_declarer"] > 0 else {"NS": "EW", "EW": "NS"}[side]] += abs(
            row["score_for_declarer"]
        )
        assert deal["totals"] == running


@pytest.mark.parametrize("row", FURTHER["older_laws"]["duplicate"], ids=str)
def test_a_deal_of_before_1987_has_the_score_of_the_page(tmp_path: Path, row: dict[str, Any]) -> None:
    line = f"N {row['contract']} {row['tricks']} vul {'NS' if row['vul'] else 'None'}"
    totals = scored(tmp_path, "chicago-duplicate", [line], "--older-laws")["totals"]
    assert totals["NS"] - totals["EW"] == row["score"]


@pytest.mark.parametrize("example", FURTHER["older_laws"]["rubbers"], ids=lambda each: each["note"])
def test_a_rubber_of_before_1993_has_the_figures_of_the_example(tmp_path: Path, example: dict[str, Any]) -> None:
    document = scored(tmp_path, "rubber", example["deals"], "--older-laws")
    assert (document["totals"], document["if_stopped"]) == (example["totals"], example["if_stopped"])


def test_estonian_scoring_has_the_imps_of_the_published_match(tmp_path: Path) -> None:
    example = FURTHER["estonian"]
    document = scored(tmp_path, "estonian", example["lines"])
    totals = [{"NS": 0, "EW": 0}, *(deal["totals"] for deal in document["deals"])]
    nets = [after["NS"] - after["EW"] for after in totals]
    assert [after - before for before, after in pairwise(nets)] == example["imps_ns"]
    assert nets[-1] == example["total_ns"]


def test_the_match_of_four_boards_is_won_by_15_imps_and_13_to_7(tmp_path: Path) -> None:
    example = golden_example("team_match_4_boards")
    home_sits = (("Open", "north_card_table1"), ("Closed", "east_card_table2"))
    records = [
        game(
            room,
            Board=str(row["board"]),
            HomeTeam="Ants",
            VisitTeam="Bees",
            Vulnerable=("None", "NS", "EW", "All")[row["board"] - 1],
            Contract=row["contract"],
            Declarer=row["by"],
            Result=str(row["tricks"]),
        )
        for room, card in home_sits
        for row in example[card]
    ]
    path = tmp_path / "match.pbn"
    path.write_text("\n".join(records), encoding="utf-8")
    (match,) = json_report("score", path)["matches"]
    assert [board["imps"] for board in match["boards"]] == example["imps"]
    assert match["imps_home"] - match["imps_away"] == example["total_imps"]
    margin = run("vp", "--boards", "24", "--vp-scale", "seed-24", "--margin", str(example["total_imps"]))
    winner, loser = example["vp_seed_24_board_table"]
    assert margin.stdout == f"15 IMPs over 24 boards, seed-24: {winner}.00 - {loser}.00\n"
