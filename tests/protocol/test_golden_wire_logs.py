"""Whole tables write, byte for byte, what their golden files say (`tests/golden/wire/README.md`)."""

import difflib
import os
from itertools import islice
from pathlib import Path

import pytest

from tests.support.wire_logs.scenario import DIVIDER, parse_scenario, scenario_files, split_file
from tests.support.wire_logs.table import play

DIFFERENCES_SHOWN = 40


@pytest.mark.parametrize("path", scenario_files(), ids=lambda path: path.stem)
def test_what_is_written_is_what_the_golden_log_says(path: Path) -> None:
    head, recorded = split_file(path)
    played = "".join(f"{line}\n" for line in play(parse_scenario(head)))
    if os.environ.get("UPDATE_GOLDEN"):
        path.write_text(head + DIVIDER + played, encoding="utf-8")
        return
    logs = (recorded.splitlines(), played.splitlines())
    different = difflib.unified_diff(*logs, "recorded", "played", lineterm="", n=2)
    assert played == recorded, "\n".join(("", *islice(different, DIFFERENCES_SHOWN)))


def test_no_golden_log_is_missed() -> None:
    assert len(scenario_files()) == 62
