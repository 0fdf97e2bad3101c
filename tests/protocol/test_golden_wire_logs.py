"""Whole tables write, byte for byte, what their golden files say (`tests/golden/wire/README.md`)."""

from pathlib import Path

import pytest

from tests.support.wire_logs.__main__ import differences, played_log
from tests.support.wire_logs.scenario import scenario_files, split_file


@pytest.mark.parametrize("path", scenario_files(), ids=lambda path: path.stem)
def test_a_table_writes_what_its_golden_log_says(path: Path) -> None:
    head, recorded = split_file(path)

    played = played_log(head)

    assert played == recorded, "\n".join(("", *differences(path.stem, recorded, played)))


def test_there_is_a_golden_log_of_each_kind() -> None:
    assert len(scenario_files()) >= 60
