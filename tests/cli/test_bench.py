"""`tourney bench`, each bench at its smallest. What is fast is no affair of tests: that it counts right is."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from tourney.benchmarks import holding, reports
from tourney.cli.main import cli

LINES_PER_BOARD = (400, 500)
"""Of one board with its log-ons: 4 calls and 52 cards, each heard by three players that have said they are ready."""


def bench(*words: str, status: int = 0) -> Any:
    done = CliRunner().invoke(cli, ["bench", *words, "--json"])
    assert done.exit_code == status, done.output
    return json.loads(done.stdout)


def refusal(*words: str) -> str:
    done = CliRunner().invoke(cli, ["bench", *words])
    assert done.exit_code == 2
    assert done.stdout == ""
    return done.stderr


def test_wire_counts_boards_and_lines_of_the_relay() -> None:
    found = bench("wire", "--tables", "2", "--boards", "1", "--rounds", "1")
    assert (found["tables"], found["boards"], found["rounds"]) == (2, 1, 1)
    least, most = LINES_PER_BOARD
    assert least < found["lines_per_board"] < most
    assert found["lines_per_s"] == pytest.approx(found["boards_per_s"] * found["lines_per_board"], rel=0.05)
    assert found["cpu_ms_per_board"] > 0
    assert set(found["machine"]) == {"python", "loop", "cores", "system"}


def test_table_sets_the_real_thing_beside_the_relay() -> None:
    found = bench("table", "--tables", "2", "--boards", "1", "--rounds", "1")
    assert set(found) == {
        *("tables", "boards", "rounds", "database", "boards_per_s", "lines_per_s", "cpu_ms_per_board"),
        *("turnround_ms", "kb_per_table", "floor_boards_per_s", "floor_cpu_ms_per_board"),
        *("commit_ms", "commits_per_board", "ratio_to_floor", "without_wire_log", "machine"),
    }
    assert found["database"] == "SQLite, WAL, synchronous=FULL"
    assert found["ratio_to_floor"] == pytest.approx(found["boards_per_s"] / found["floor_boards_per_s"], rel=0.1)
    least, most = LINES_PER_BOARD
    assert least < found["lines_per_s"] / found["boards_per_s"] < most
    turnround = found["turnround_ms"]
    assert 0 < turnround["p50"] <= turnround["p99"] <= turnround["max"]
    assert found["without_wire_log"]["boards_per_s"] > 0
    # Two tables side by side: 56 calls and cards of a board share some transactions, never more than two to one.
    assert 28 < found["commits_per_board"] < 90


def test_hold_holds_tables_and_finds_everything_on_record(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(holding, "TRICK_PAUSE_MS", 10)
    monkeypatch.setattr(holding, "THINKING_MS", 5)
    found = bench("hold", "--tables", "2", "--boards", "1")
    assert (found["tables"], found["connections"], found["lost"]) == (2, 8, 0)
    assert found["seconds"] > 13 * 0.01, "a pause before each lead but the first, and before the end"
    assert found["cpu_share"] > 0
    assert found["commit_ms"] > 0
    assert found["turnround_ms"]["p99"] > 0


def test_report_measures_every_report_of_an_event_that_it_has_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reports, "TIMES", 1)
    found = bench("report", "--teams", "2", "--boards", "2")
    (size,) = found["sizes"]
    assert (size["teams"], size["matches"], size["results"]) == (2, 2, 8)
    names = ("made_s", "standings_s", "match_s", "crosstable_s", "verify_s", "export_pbn_s")
    assert all(size[name] > 0 for name in names)
    assert found["help_s"] > 0
    assert found["growth"] == {}, "there is one size"


@pytest.mark.parametrize(
    "words",
    [
        ("wire", "--tables", "0"),
        ("table", "--tables", "1001"),
        ("hold", "--boards", "65"),
        ("table", "--rounds", "0"),
        ("report", "--teams", "1"),
        ("report", "--teams", "257"),
    ],
)
def test_figure_out_of_its_range_is_refused_with_the_range(words: tuple[str, ...]) -> None:
    assert f"{words[2]} is not in the range" in refusal(*words)


def test_database_file_that_exists_is_refused_and_stays(tmp_path: Path) -> None:
    file = tmp_path / "club.db"
    file.write_bytes(b"precious")
    said = refusal("table", "--tables", "1", "--database", f"sqlite:///{file}")
    assert said == f"Error: --database is a file of its own, removed afterwards; {file} exists\n"
    assert file.read_bytes() == b"precious"


def test_database_that_is_none_is_refused() -> None:
    done = CliRunner().invoke(cli, ["bench", "table", "--database", "nonsense"])
    assert done.exit_code == 1
    assert "a database is given as sqlite:///FILE or postgresql://" in done.stderr
