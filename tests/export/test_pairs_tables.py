"""CSV and JSON of pairs events: travellers that are scored again, and no IMPs within a match."""

import json
import random
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from tests.support.exports import table_of
from tests.support.golden_documents import closed_schema
from tests.support.pairs_events import draw_pairs_event, export_pairs, pairs_standings, play_by_chance, rule_by_chance
from tests.support.played_event import PlayedEvent, once
from tourney.export.json import EventDocument
from tourney.output.json_schema import derive_schema
from tourney.scorefile.pairs import score_pairs
from tourney.scorefile.records import read_files

HOWELL = 'format = "howell"\nboards_per_round = 2'


@once
def ruled(folder: Path) -> PlayedEvent:
    played = draw_pairs_event(folder, 8, HOWELL)
    play_by_chance(played)
    rule_by_chance(played, random.Random(3))
    return played


def exported(played: PlayedEvent, path: Path) -> Any:  # what json.loads gives
    (file,) = export_pairs(played, "json", path)
    return json.loads(file.read_text(encoding="utf-8"))


def test_the_travellers_are_scored_again_to_the_same_figures_before_penalties(tmp_path: Path) -> None:
    played = draw_pairs_event(tmp_path, 8, HOWELL)
    play_by_chance(played)
    for folder, is_ruled in (("out", False), ("ruled", True)):
        if is_ruled:
            rule_by_chance(played, random.Random(3))
        path = next(path for path in export_pairs(played, "csv", tmp_path / folder) if path.name == "travellers.csv")
        assert path.read_text(encoding="utf-8").startswith("board,ns,ew,score,")
        scored = score_pairs(read_files([(path.name, path.read_bytes())]))
        fined = {ruling.team for ruling in pairs_standings(played).rulings if ruling.kind.value.startswith("penalty")}
        rows = {row.team: row.pairs for row in pairs_standings(played).rows}
        assert len(fined) == 2 * is_ruled
        for pair, total in scored.field.totals.items():
            figures = rows[pair]
            assert figures is not None
            assert (pair in fined) is (total.level != figures.level)


def test_csv_has_no_imps_within_a_match(tmp_path: Path) -> None:
    tables = {path.stem: table_of(path) for path in export_pairs(ruled(tmp_path), "csv", tmp_path / "out")}
    for row in tables["matches"]:
        assert {row[name] for name in ("imps_home", "imps_away", "vp_home", "margin_home", "lead")} == {""}
    assert {row["imps_home"] for row in tables["boards"]} == {""}
    assert len(tables["travellers"]) == 55  # one is cancelled
    assert {row["adjusted_ns"] for row in tables["travellers"]} >= {"A+", ""}


def test_json_keeps_to_its_schema_and_has_travellers_and_percentages(tmp_path: Path) -> None:
    played = ruled(tmp_path)
    document = exported(played, tmp_path / "out")
    validator = Draft202012Validator(closed_schema(derive_schema(EventDocument, "event.json")))
    assert [f"{error.json_path}: {error.message}" for error in validator.iter_errors(document)] == []
    (stage,) = document["travellers"]
    assert (stage["scoring"], stage["results_expected"], len(stage["boards"])) == ("matchpoints", 4, 14)
    assert all(
        line["ns_percentage"] is not None or line["cancelled"]
        for board in stage["boards"]
        for line in board["results"]
    )
    assert {match["imps_home"] for match in document["matches"]} == {None}
    assert {board["imps"] for match in document["matches"] for board in match["boards"]} == {None}
    assert [row["pair"] for row in document["standings"]] == [row.team for row in pairs_standings(played).rows]
