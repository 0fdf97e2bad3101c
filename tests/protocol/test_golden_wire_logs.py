"""Whole tables write, byte for byte, what their golden files say (`tests/golden/wire/README.md`)."""

from pathlib import Path

import pytest

from tests.support.wire_logs.__main__ import differences, played_log
from tests.support.wire_logs.scenario import scenario_files, split_file


@pytest.mark.parametrize("path", scenario_files(), ids=lambda path: path.stem)
def test_what_is_written_is_what_the_golden_log_says(path: Path) -> None:
    _, recorded = split_file(path)

    played = played_log(path)

    assert played == recorded, "\n".join(("", *differences(path.stem, recorded, played)))


def test_no_golden_log_is_missed() -> None:
    assert len(scenario_files()) == 62
