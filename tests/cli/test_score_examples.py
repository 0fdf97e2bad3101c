"""The worked examples of the source documents by command, figure by figure: games, team match, victory points."""

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from tests.support.events import printed
from tests.support.golden_figures import golden_example, golden_rows
from tests.support.money_games import further_games, money_games
from tests.support.score_texts import game
from tourney.scoring.changing_partners import seat_four

GAMES = money_games()
FURTHER = further_games()


def scored(folder: Path, name: str, lines: list[str], *words: str) -> Any:
    """The document of a list of deals."""
    path = folder / "deals.txt"
    path.write_text("\n".join(lines), encoding="utf-8")
    done = printed("score", "--game", name, path, *words, "--json")
    assert done.status == 0, done.err
    return json.loads(done.out)


def line_of(deal: dict[str, Any]) -> str:
    return "pass" if deal["contract"] == "Pass" else f"{deal['by']} {deal['contract']} {deal['tricks']}"


def sides(points: dict[str, int]) -> dict[str, int]:
    return {"NS": 0, "EW": 0} | points


@pytest.mark.parametrize(
    "example", [GAMES["chicago_seed"], *GAMES["chicago_computed"]], ids=lambda each: each.get("id", "seed")
)
def test_a_chicago_has_the_figures_of_each_hand(tmp_path: Path, example: dict[str, Any]) -> None:
    order = ["--agreed", "dealer"] if example.get("vulnerability") == "dealer" else []
    document = scored(tmp_path, "chicago", [line_of(deal) for deal in example["deals"]], *order)
    running = {"NS": 0, "EW": 0}
    for deal, entry in zip(document["deals"], example["ledger"], strict=True):
        running = entry.get("running", running)  # a hand that is dealt again has no figures
        assert (deal["below"], deal["totals"]) == (sides(entry.get("below", {})), running)
    assert document["totals"] == example["totals"]


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


@pytest.mark.parametrize(
    "row", GAMES["russian"], ids=lambda row: row.get("id", f"{row.get('ns_hcp')} points {row['contract']}")
)
def test_russian_scoring_has_the_imps_of_each_hand(tmp_path: Path, row: dict[str, Any]) -> None:
    side, points = row.get("side", "NS"), row["side_hcp"] if "side_hcp" in row else row["ns_hcp"]
    vulnerable = row.get("vul") or (side if row["side_vul"] else "None")
    document = scored(tmp_path, "russian", [f"{line_of(row)} hcp {side} {points} vul {vulnerable}"])
    imps = row["imps_for_side"] if "imps_for_side" in row else row["imps_ns"]
    totals = document["totals"]
    assert totals[side] - totals["EW" if side == "NS" else "NS"] == imps


@pytest.mark.parametrize("row", GAMES["minibridge_scores"], ids=str)
def test_minibridge_has_the_score_of_each_deal(tmp_path: Path, row: dict[str, Any]) -> None:
    line = f"E {row['contract']} {row['strain']} {row['tricks']}"
    totals = scored(tmp_path, "minibridge", [line])["totals"]
    assert totals["EW"] - totals["NS"] == row["score_for_declarer"]


def test_the_published_rubber_ends_at_930_to_120(tmp_path: Path) -> None:
    (example,) = GAMES["rubber_published"]
    lines = ["N 3NT 9", "E 2S 10", "N 1D 8", "N 1S 7", "N 1C 7", "N 1NT 7"]
    document = scored(tmp_path, "rubber", lines)
    assert (document["finished"], document["totals"]) == (True, example["totals"])


@pytest.mark.parametrize("row", golden_example("duplicate_examples"), ids=str)
def test_a_duplicate_score_is_that_of_the_page(tmp_path: Path, row: dict[str, Any]) -> None:
    vulnerable = "NS" if row["vul"] else "None"
    document = scored(tmp_path, "chicago-duplicate", [f"N {row['contract']} {row['tricks']} vul {vulnerable}"])
    assert document["totals"] == {"NS": row["score"], "EW": 0}


@pytest.mark.parametrize("row", FURTHER["older_laws"]["duplicate"], ids=str)
def test_a_duplicate_score_of_before_1987_is_that_of_the_laws_of_its_time(
    tmp_path: Path, row: dict[str, Any]
) -> None:
    vulnerable = "NS" if row["vul"] else "None"
    line = f"N {row['contract']} {row['tricks']} vul {vulnerable}"
    totals = scored(tmp_path, "chicago-duplicate", [line], "--laws", "before-1987")["totals"]
    assert totals["NS"] - totals["EW"] == row["score"]


@pytest.mark.parametrize("example", FURTHER["older_laws"]["rubbers"], ids=lambda each: each["note"])
def test_a_rubber_of_before_1993_has_the_figures_of_the_example(tmp_path: Path, example: dict[str, Any]) -> None:
    document = scored(tmp_path, "rubber", example["deals"], "--laws", "before-1993")
    assert (document["totals"], document["if_stopped"]) == (example["totals"], example["if_stopped"])


def test_estonian_scoring_has_the_imps_of_the_published_match(tmp_path: Path) -> None:
    example = FURTHER["estonian"]
    document = scored(tmp_path, "estonian", example["lines"])
    totals = [{"NS": 0, "EW": 0}, *(deal["totals"] for deal in document["deals"])]
    nets = [after["NS"] - after["EW"] for after in totals]
    assert [after - before for before, after in pairwise(nets)] == example["imps_ns"]
    assert nets[-1] == example["total_ns"]


@pytest.mark.parametrize("row", FURTHER["minibridge_overcalls"]["deals"], ids=lambda row: row["calls"])
def test_minibridge_with_overcalls_has_the_score_of_each_deal(tmp_path: Path, row: dict[str, Any]) -> None:
    line = f"{row['declarer']} {row['contract']} {row['tricks']} calls {row['calls']}"
    totals = scored(tmp_path, "minibridge-overcalls", [line])["totals"]
    side, other = ("NS", "EW") if row["declarer"] in "NS" else ("EW", "NS")
    assert totals[side] - totals[other] == row["score_for_declarer"]


def test_players_of_chicago_with_changing_partners_score_with_each_partner(tmp_path: Path) -> None:
    example = FURTHER["chicago_partners"]
    chicagos = {"chicago_seed": GAMES["chicago_seed"], **{each["id"]: each for each in GAMES["chicago_computed"]}}
    lines = [line_of(deal) for name in example["chicagos"] for deal in chicagos[name]["deals"]]
    document = scored(tmp_path, "chicago", lines, "--players", "A, B, C, D")
    assert document["players"] == example["players"]
    assert [seat_four(number) for number in range(3)] == [
        tuple("ABCD".index(name) for name in seats) for seats in example["seats"]
    ]


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
    done = printed("score", path, "--json")
    assert done.status == 0, done.err
    (match,) = json.loads(done.out)["matches"]
    assert [board["imps"] for board in match["boards"]] == example["imps"]
    assert match["imps_home"] - match["imps_away"] == example["total_imps"]
    margin = printed("vp", "--boards", "24", "--vp-scale", "seed-24", "--margin", str(example["total_imps"]))
    winner, loser = example["vp_seed_24_board_table"]
    assert margin.out == f"15 IMPs over 24 boards, seed-24: {winner}.00 - {loser}.00\n"


def test_victory_points_are_those_of_the_page_step_by_step() -> None:
    for row in golden_rows("seed_vp24"):
        for imps in {row["imp_min"], row["imp_max"] or row["imp_min"]}:
            told = printed("vp", "--boards", "24", "--vp-scale", "seed-24", "--margin", imps).out
            assert told.endswith(f" boards, seed-24: {row['winner_vp']}.00 - {row['loser_vp']}.00\n"), (row, told)
