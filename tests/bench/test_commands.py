"""`python -m bench`, each bench at its smallest. Speed is no concern of tests; counting correctly is.

Those that start many processes are campaigns (`make campaigns`): the suite has the relay's, which plays tables too.
"""

import json
import sys
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from functools import reduce
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from bench import holding, reports, soak, solving, starts, suite
from bench.__main__ import bench_group
from bench.figures import Turnround, this_machine
from tests.support.events import is_free, only_user_of_the_usual_ports

LINES_PER_BOARD = (400, 500)
"""Lines of one board with its log-ons: 4 calls and 52 cards, each sent to three players that have asked for it."""


@dataclass(frozen=True)
class Case:
    """A bench with what is known of its figures."""

    words: str
    equal: Mapping[str, Any] = field(default_factory=dict)
    positive: str = ""
    """Figures that are more than nothing; `a.b` is the figure b of a."""
    within: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    ratio: Sequence[str] = ()
    """A figure, and the two of which it is the ratio."""
    patches: Sequence[tuple[object, str, object]] = ()


FREE_PORT = next(filter(is_free, range(holding.STATEFUL_PORT, 19000, -1)))
"""Below the ports of the bench's tables."""

IN_THE_SUITE = (
    Case(
        "wire --tables 2 --boards 1 --rounds 1",
        {"tables": 2, "boards": 1, "rounds": 1},
        "boards_per_s lines_per_s cpu_ms_per_board",
        {"lines_per_board": LINES_PER_BOARD},
        ("lines_per_board", "lines_per_s", "boards_per_s"),
    ),
    Case(
        "console --tables 4 --boards 2 --looks 2",
        {"tables": 4, "boards": 2, "looks": 2},
        "unchanged_ms heartbeat_ms changed_ms page_ms",
        {"page_bytes": (1000, 1e6)},
    ),
    Case(
        "line --boards 1",
        {},
        "line_ms transaction_ms python_ms sqlite_ms cpu_ms_per_board",
        {"lines_per_board": (200, 300)},
    ),
    Case("calls --boards 1", {}, "calls_per_board", {"lines_per_board": (200, 500)}),
)
CAMPAIGNS = (
    Case(
        "table --hosts 2 --tables 2 --boards 1 --rounds 1",
        {"database": "SQLite, WAL, synchronous=FULL"},
        "turnround_ms.p50 requests_ms.p50 without_wire_log.boards_per_s",
        # Two tables of two hosts: 56 calls and cards of a board, one after the other.
        {"commits_per_board": (28, 90)},
        ("ratio_to_floor", "boards_per_s", "floor_boards_per_s"),
    ),
    Case(
        "hold --tables 2 --boards 1",
        {"tables": 2, "connections": 8, "lost": 0},
        "cpu_share commit_ms turnround_ms.p99",
        {"seconds": (13 * 0.01, 1e6)},  # a pause before each lead but the first, and before the end
        (),
        ((holding, "TRICK_PAUSE_MS", 10), (holding, "THINKING_MS", 5)),
    ),
    Case(
        "hold --protocol stateful --tables 2 --boards 1",
        {"protocol": "stateful", "tables": 2, "connections": 8, "lost": 0},
        "turnround_ms.p99",
        {},
        (),
        ((holding, "TRICK_PAUSE_MS", 0), (holding, "THINKING_MS", 1), (holding, "STATEFUL_PORT", FREE_PORT)),
    ),
    Case(
        "auctions --boards 16 --rounds 1",
        {"boards": 16, "rounds": 1},
        "network_us_per_call agent_us_per_call table_us_per_call",
        {"batch": (1, 64), "outside_network": (0, 1), "outside_agents": (0, 1)},
    ),
    Case(
        "solver --tables 1 --boards 1 --rounds 1 --thinking-ms 1",
        {"tables": 1, "thinking_ms": 1},
        "alone.p99 beside.p99",
        patches=((solving, "STARTS_S", 0.0),),
    ),
    Case("report --teams 2 --boards 2", {"growth": {}}, "help_s", patches=((reports, "TIMES", 1),)),
    Case(
        "start --rounds 1",
        {"rounds": 1},
        "sqlalchemy_cpu_ms",
        {},
        ("commands.help.ratio", "commands.help.cpu_ms", "sqlalchemy_cpu_ms"),
        ((starts, "COMMANDS", {"help": ("--help",)}),),
    ),
    Case(
        "soak --tables 2 --minutes 0.1",
        {"lost": 0, "wire_logs_left": 0},
        "settled_kb",
        {"tables_played": (3, 1e6)},  # tables came after others
        (),
        # In six seconds caches are still filling.
        ((soak, "BOARDS", 1), (soak, "THINKING_MS", 1), (soak, "GROWTH_MAX", 1.0)),
    ),
    Case(
        "hosts --hosts 2 --tables 2 --boards 1 --rounds 1 --database POSTGRES",
        {"one.hosts": 1, "several.hosts": 2, "lost": 0},
        "one.host_cpu_ms_per_board several.host_cpu_ms_per_board",
        {"several.commits_per_board": (28, 90)},
        ("ratio", "several.boards_per_s", "one.boards_per_s"),
    ),
    Case(
        "duel --matches 1 --boards 1 --rounds 1",
        {"matches": 1, "boards": 1, "rounds": 1},
        "start_s seconds",
        {},
        ("ratio_to_table", "boards_per_s", "table_boards_per_s"),
    ),
    Case(
        "play --boards 8 --rounds 1",
        {},
        "cpu_ms_per_board jobs_boards_per_s",
        {},
        ("ratio_to_relay", "boards_per_s", "relay_boards_per_s"),
    ),
    Case(
        "serve --tables 2 --boards 2 --watchers 2 --rounds 1",
        {"failed": 0},
        "boards_per_s end_s public_changes public_told_p50_ms desk_changes desk_max_ms",
        {"peak_mb": (10, 1e6)},
    ),
)


@pytest.mark.parametrize(
    "case",
    [*IN_THE_SUITE, *(pytest.param(case, marks=pytest.mark.campaign) for case in CAMPAIGNS)],
    ids=lambda case: case.words,
)
def test_the_figures_of_a_bench_are_counted_correctly(
    case: Case, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    if case.words.startswith("serve") and not sys.platform.startswith("linux"):
        pytest.skip("processor time is read from /proc")
    for owner, name, value in case.patches:
        monkeypatch.setattr(owner, name, value)
    words = case.words
    if "POSTGRES" in words:
        words = words.replace("POSTGRES", request.getfixturevalue("postgres_url"))
    with only_user_of_the_usual_ports() if words.startswith("duel") else nullcontext():
        done = CliRunner().invoke(bench_group, [*words.split(), "--json"])
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)

    def figure(name: str) -> Any:
        return reduce(lambda figures, key: figures[key], name.split("."), found)

    assert {name: figure(name) for name in case.equal} == case.equal
    assert {name: figure(name) for name in case.positive.split() if not figure(name) > 0} == {}
    assert {name: figure(name) for name, (low, high) in case.within.items() if not low <= figure(name) <= high} == {}
    if case.ratio:
        ratio, one, other = map(figure, case.ratio)
        assert ratio == pytest.approx(one / other, rel=0.1)


def refusal(*words: str) -> str:
    done = CliRunner().invoke(bench_group, [*words])
    assert done.exit_code == 2
    assert done.stdout == ""
    return done.stderr


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("wire --tables 0", "0 is not in the range"),
        ("table --tables 1001", "1001 is not in the range"),
        ("report --teams 257", "257 is not in the range"),
        ("hold --protocol stateful --tables 276", "275 tables of clients from one address, got 276"),
        ("cluster --tables 3", "a match has two tables: --tables is an even number, got 3"),
        ("cluster --placed 5", "a match has two tables: --placed is an even number, got 5"),
    ],
)
def test_a_number_that_cannot_be_is_refused_with_those_that_can(words: str, why: str) -> None:
    assert why in refusal(*words.split())


def test_a_database_file_that_exists_is_refused_and_kept(tmp_path: Path) -> None:
    file = tmp_path / "club.db"
    file.write_bytes(b"precious")
    said = refusal("table", "--tables", "1", "--database", f"sqlite:///{file}")
    assert said == f"Error: --database is a file of its own, removed afterwards; {file} exists\n"
    assert file.read_bytes() == b"precious"


def test_an_incomplete_record_is_reported_with_exit_status_1(monkeypatch: pytest.MonkeyPatch) -> None:
    found = holding.HoldFigures(
        *(2, 1, 8, "SQLite", 20.0, 0.1, 44, 12.0, 0.43, Turnround(1.5, 2.5, 9.0), 120.0),
        protocol="blue-chip",
        commit_ms=0.4,
        lost=3,
        machine=this_machine(),
    )
    monkeypatch.setattr(holding, "measure_hold", lambda *_: found)
    done = CliRunner().invoke(bench_group, ["hold"])
    assert done.exit_code == 1
    assert done.stdout.rstrip().endswith("lost: 3")


def test_the_page_of_results_has_what_each_bench_has_printed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(suite, "COMMANDS", {"calls of functions": "calls --boards 1"})
    monkeypatch.setattr(suite, "PAGE", tmp_path / "README.md")
    monkeypatch.setattr(suite, "postgres", lambda: nullcontext(None))
    suite.main()
    page = (tmp_path / "README.md").read_text(encoding="utf-8")
    assert "## calls of functions\n\n`python -m bench calls --boards 1` (" in page
    assert " Python calls a board, " in page
