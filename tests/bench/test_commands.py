"""`python -m bench`, each bench at its smallest. Speed is no concern of tests; counting correctly is.

Those that start many processes are campaigns (`make campaigns`): the suite has the relay's, which plays tables too.
"""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from bench import duels, holding, reports, soak, starts, tables
from bench.__main__ import bench_group
from bench.big_events import make_event
from bench.figures import Speed, Turnround, this_machine
from tests.support.events import is_free

LINES_PER_BOARD = (400, 500)
"""Lines of one board with its log-ons: 4 calls and 52 cards, each sent to three players that have asked for it."""


def bench(*words: str, status: int = 0) -> Any:
    done = CliRunner().invoke(bench_group, [*words, "--json"])
    assert done.exit_code == status, done.output
    return json.loads(done.stdout)


def refusal(*words: str) -> str:
    done = CliRunner().invoke(bench_group, [*words])
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


def test_console_looks_at_a_round_in_play_and_measures_its_page() -> None:
    found = bench("console", "--tables", "4", "--boards", "2", "--looks", "2")
    assert (found["tables"], found["boards"], found["looks"]) == (4, 2, 2)
    assert min(found["unchanged_ms"], found["heartbeat_ms"], found["changed_ms"], found["page_ms"]) > 0
    assert found["page_bytes"] > 1000


@pytest.mark.campaign
def test_table_sets_the_real_thing_beside_the_relay() -> None:
    found = bench("table", "--hosts", "2", "--tables", "2", "--boards", "1", "--rounds", "1")
    assert set(found) == {
        *(
            "hosts",
            "tables",
            "boards",
            "rounds",
            "database",
            "sync_delay_ms",
            "boards_per_s",
            "lines_per_s",
            "cpu_ms_per_board",
        ),
        *("turnround_ms", "requests_ms", "kb_per_table", "floor_boards_per_s", "floor_cpu_ms_per_board"),
        *("commit_ms", "commits_per_board", "ratio_to_floor", "without_wire_log", "machine"),
    }
    assert found["database"] == "SQLite, WAL, synchronous=FULL"
    assert found["ratio_to_floor"] == pytest.approx(found["boards_per_s"] / found["floor_boards_per_s"], rel=0.1)
    least, most = LINES_PER_BOARD
    assert least < found["lines_per_s"] / found["boards_per_s"] < most
    turnround = found["turnround_ms"]
    assert 0 < turnround["p50"] <= turnround["p99"] <= turnround["max"]
    assert 0 < found["requests_ms"]["p50"] <= found["requests_ms"]["max"] <= turnround["max"]
    assert found["without_wire_log"]["boards_per_s"] > 0
    # Two tables of two hosts: 56 calls and cards of a board, one after the other.
    assert 28 < found["commits_per_board"] < 90


@pytest.mark.campaign
def test_table_measures_a_record_that_does_not_wait_for_a_slow_disk_but_at_the_end_of_a_board() -> None:
    words = ("table", "--tables", "1", "--boards", "2", "--rounds", "1", "--sync-delay-ms", "50")
    found = bench(*words, "--durability", "process")
    assert found["database"] == "SQLite, WAL, synchronous=NORMAL"
    assert found["sync_delay_ms"] == 50
    assert found["commit_ms"] > 50
    assert found["turnround_ms"]["max"] >= 50, "the end of a board waits"


def test_line_times_a_call_or_card_and_what_of_it_is_ours() -> None:
    found = bench("line", "--boards", "1")
    assert min(found[name] for name in ("line_ms", "transaction_ms", "python_ms", "sqlite_ms")) > 0
    assert found["cpu_ms_per_board"] > 0
    assert 200 < found["lines_per_board"] < 300


@pytest.mark.campaign
def test_hold_holds_tables_and_finds_everything_on_record(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(holding, "TRICK_PAUSE_MS", 10)
    monkeypatch.setattr(holding, "THINKING_MS", 5)
    found = bench("hold", "--tables", "2", "--boards", "1")
    assert (found["tables"], found["connections"], found["lost"]) == (2, 8, 0)
    assert found["seconds"] > 13 * 0.01, "a pause before each lead but the first, and before the end"
    assert found["cpu_share"] > 0
    assert found["commit_ms"] > 0
    assert found["turnround_ms"]["p99"] > 0


@pytest.mark.campaign
def test_hold_holds_clients_of_the_stateful_protocol_at_the_one_port_of_an_event(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(holding, "TRICK_PAUSE_MS", 0)
    monkeypatch.setattr(holding, "THINKING_MS", 1)
    # Below the ports of the bench's tables.
    monkeypatch.setattr(holding, "STATEFUL_PORT", next(filter(is_free, range(holding.STATEFUL_PORT, 19000, -1))))
    found = bench("hold", "--protocol", "stateful", "--tables", "2", "--boards", "1")
    assert (found["protocol"], found["tables"], found["connections"], found["lost"]) == ("stateful", 2, 8, 0)
    assert found["turnround_ms"]["p99"] > 0
    assert "275 tables of clients from one address, got 276" in refusal(
        "hold", "--protocol", "stateful", "--tables", "276"
    )


@pytest.mark.campaign
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
    done = CliRunner().invoke(bench_group, ["table", "--database", "nonsense"])
    assert done.exit_code == 1
    assert "a database is given as sqlite:///FILE or postgresql://" in done.stderr


TURNROUND = Turnround(1.5, 2.5, 9.0)


def printed(*words: str, status: int = 0) -> str:
    done = CliRunner().invoke(bench_group, [*words])
    assert done.exit_code == status, done.output
    return " ".join(done.stdout.split())


def test_record_that_is_not_whole_is_told_with_exit_status_1(monkeypatch: pytest.MonkeyPatch) -> None:
    found = holding.HoldFigures(
        *(2, 1, 8, "SQLite", 20.0, 0.1, 44, 12.0, 0.43, TURNROUND, 120.0),
        protocol="blue-chip",
        commit_ms=0.4,
        lost=3,
        machine=this_machine(),
    )
    monkeypatch.setattr(holding, "measure_hold", lambda *_: found)
    said = printed("hold", status=1)
    assert "8 connections, SQLite: 43 % of a core" in said
    assert "turn-round 1.5/2.5/9.0 ms (p50/p99/max), 120.0 kB a table" in said
    assert said.endswith("lost: 3")


def test_figures_of_tables_are_printed_beside_those_of_the_relay(monkeypatch: pytest.MonkeyPatch) -> None:
    found = tables.TableFigures(
        *(1, 1, 16, 3, "SQLite", 0.0, 40.0, 17_000, 20.5, TURNROUND, TURNROUND, None, 80.0, 3.5, 56.5, 0.4, 0.5),
        without_wire_log=Speed(50.0, 21_000, 18.5),
        machine=this_machine(),
    )
    monkeypatch.setattr(tables, "measure_tables", lambda *_: found)
    said = printed("table")
    assert "40.0 boards/s, 0.5 of the relay's 80.0; 17000 lines/s" in said
    assert "56.5 transactions a board, of which one of one row takes 0.4 ms" in said
    assert said.endswith("without wire log: 50.0 boards/s, 18.5 ms of processor time a board")
    assert "kB" not in said, "there is no second table"


def test_times_of_reports_are_a_table_with_a_row_a_size(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes = [
        reports.SizeFigures(8, 56, 3584, 3.0, 0.61, 0.52, 0.53, 4.0, 5.0),
        reports.SizeFigures(64, 4032, 258_048, 90.0, 0.92, 0.55, 0.83, None, None),
    ]
    found = reports.ReportFigures(32, 0.21, sizes, {}, this_machine())
    monkeypatch.setattr(reports, "measure_reports", lambda *_: found)
    said = printed("report")
    assert "8 3584 0.61 0.52 0.53 4.00 5.00 64 258048 0.92 0.55 0.83 - -" in said
    assert said.endswith("tourney --help: 0.21 s")


@pytest.mark.campaign
def test_start_sets_short_commands_beside_the_import_of_sqlalchemy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(starts, "COMMANDS", {"help": ("--help",), "match": ("match", "EVENT", "1")})
    event = make_event(tmp_path / "event", 2, 2)
    found = bench("start", "--rounds", "1", "--event", str(event.path))
    assert (found["teams"], found["rounds"]) == (0, 1), "the event was given"
    assert list(found["commands"]) == ["help", "match"]
    for measured in found["commands"].values():
        assert measured["ratio"] == pytest.approx(measured["cpu_ms"] / found["sqlalchemy_cpu_ms"], abs=0.01)
    assert 0 < found["commands"]["help"]["ratio"] < found["commands"]["match"]["ratio"]


@pytest.mark.campaign
def test_soak_watches_the_memory_of_a_host_that_plays_one_table_after_another(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(soak, "BOARDS", 1)
    monkeypatch.setattr(soak, "THINKING_MS", 1)
    monkeypatch.setattr(soak, "GROWTH_MAX", 1.0)  # in six seconds caches are still filling
    found = bench("soak", "--tables", "2", "--minutes", "0.1")
    assert found["tables_played"] > 2, "tables came after others"
    assert found["boards_played"] == found["tables_played"]
    assert (found["lost"], found["wire_logs_left"]) == (0, 0)
    assert found["settled_kb"] > 0
    assert found["growth"] == pytest.approx(found["last_kb"] / found["settled_kb"] - 1, abs=0.001)


@pytest.mark.campaign
def test_hosts_play_the_same_tables_alone_and_together(postgres_url: str) -> None:
    words = ("hosts", "--hosts", "2", "--tables", "2", "--boards", "1", "--rounds", "1")
    found = bench(*words, "--database", postgres_url)
    assert (found["one"]["hosts"], found["several"]["hosts"], found["lost"]) == (1, 2, 0)
    assert found["ratio"] == pytest.approx(found["several"]["boards_per_s"] / found["one"]["boards_per_s"], rel=0.1)
    assert 28 < found["several"]["commits_per_board"] < 90, "56 calls and cards of a board, one after the other"
    for speed in (found["one"], found["several"]):
        assert speed["host_cpu_ms_per_board"] > 0
        assert speed["server_cpu_ms_per_board"] is None or speed["server_cpu_ms_per_board"] >= 0
    assert "Lock" not in found["waits"], "no host waits for another"


@pytest.mark.campaign
def test_calls_are_counted_alike_each_time() -> None:
    bench("calls", "--boards", "2")  # what a process keeps for later is made by whoever asks first
    # A few calls in SQLAlchemy depend on the order of a set, when it prepares a statement: eight boards share them.
    found = bench("calls", "--boards", "8")
    assert set(found) == {"calls_per_board", "boards", "lines_per_board"}
    least, most = LINES_PER_BOARD
    assert least / 2 < found["lines_per_board"] < most, "about half of all lines are the players'"
    assert found["calls_per_board"] > 10 * found["lines_per_board"]
    again = bench("calls", "--boards", "8")
    assert again == found | {"calls_per_board": pytest.approx(found["calls_per_board"], abs=1)}


def test_calls_are_told_in_a_line() -> None:
    assert printed("calls", "--boards", "1").endswith("lines of players")


@pytest.mark.campaign
def test_a_duel_is_measured_beside_tables() -> None:
    found = bench("duel", "--matches", "1", "--boards", "1", "--rounds", "1")
    assert (found["matches"], found["boards"], found["rounds"]) == (1, 1, 1)
    assert 0 < found["start_s"] < found["seconds"]
    assert found["ratio_to_programs"] == pytest.approx(
        found["boards_per_s"] / found["programs_boards_per_s"], rel=0.05
    )
    assert found["ratio_to_table"] == pytest.approx(found["boards_per_s"] / found["table_boards_per_s"], rel=0.05)


@pytest.mark.campaign
def test_boards_without_sockets_are_measured_beside_the_relay() -> None:
    found = bench("play", "--boards", "8", "--rounds", "1")
    assert found["cpu_ms_per_board"] > 0
    assert found["ratio_to_relay"] == pytest.approx(found["boards_per_s"] / found["relay_boards_per_s"], rel=0.05)
    assert found["jobs_boards_per_s"] > 0


def test_the_speed_of_a_duel_is_printed_beside_that_of_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    figures = duels.DuelFigures(
        matches=2,
        boards=32,
        rounds=1,
        boards_per_s=18.7,
        seconds=13.4,
        start_s=6.6,
        cpu_ms_per_board=82.4,
        programs_boards_per_s=20.1,
        ratio_to_programs=0.93,
        table_boards_per_s=41.5,
        table_cpu_ms_per_board=15.2,
        ratio_to_table=0.451,
        players_boards_per_s=61.2,
        players_cpu_ms_per_board=31.0,
        ratio_to_seat_processes=1.6,
        machine=this_machine(),
    )
    monkeypatch.setattr(duels, "measure_duels", lambda *_: figures)
    said = printed("duel")
    assert (
        "18.7 boards/s, 0.93 of the 20.1 of the same programs at plain tables, 0.451 of the 41.5 of tables alone"
        in said
    )
    assert "a process for all seats of each: 61.2 boards/s, 1.6 of a process for each seat; 31.0 ms" in said
