"""Reads the published figures in `tests/golden/`."""

import csv
import json
from functools import cache
from pathlib import Path
from typing import Any

from tourney.movement.pairs.movement import MovementRow

GOLDEN = Path(__file__).parents[1] / "golden"


def golden_rows(name: str) -> list[dict[str, str]]:
    """Rows of a CSV file by its name without the suffix; a file without rows is a broken checkout."""
    with (GOLDEN / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert rows, f"{name}.csv has no rows"
    return rows


@cache
def golden_json(name: str) -> Any:  # JSON: its shape is the business of the test that asks
    """A JSON file by its name without the suffix."""
    return json.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8"))


def golden_example(key: str) -> Any:  # JSON: its shape is the business of the test that asks
    """One of the worked examples."""
    return golden_json("seed_examples")[key]


def golden_movement(name: str) -> dict[str, list[MovementRow]]:
    """Rows of the movements in a file, by variant, in their order."""
    variants: dict[str, list[MovementRow]] = {}
    for row in golden_rows(name):
        ns, ew = (row.get(side) or row.get(f"{side}_team") for side in ("ns", "ew"))
        variants.setdefault(row["variant"], []).append(
            MovementRow(int(row["round"]), int(row["table"]), _number(ns), _number(ew), _number(row["set"]))
        )
    return variants


def _number(text: str | None) -> int | None:
    return int(text) if text else None


def golden_pairs_example(key: str) -> Any:  # JSON: its shape is the business of the test that asks
    """One of the worked examples of pairs."""
    return golden_json("pairs_examples")[key]
