"""Shares of a duel that are played apart, and the one record that is made of them."""

import json
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.support.commands import check_record, refusal, run
from tests.support.duel_players import PLAYERS
from tourney.bridge import DoubleDummyTable, board_from_seed
from tourney.cli._common import terminate_at
from tourney.errors import UsageError
from tourney.formats.boards import format_boards
from tourney.lab import shards
from tourney.lab.duel import DuelSettings, DuelTeam
from tourney.lab.duel_in_process import InProcessRun
from tourney.lab.event_files import matches_by_default, vary
from tourney.lab.shards import Shard

FRAIL = """
class Frail(Calm):
    def call(self, view):
        if view.number == 7 and view.calls:
            raise RuntimeError("not on board 7")
        return super().call(view)

class Third(Bold):
    pass
"""
TABLES = ("789a6" * 4, "a9768" * 4, "56784" * 4, "11111" * 4)
DEALS = [
    replace(board_from_seed(5, "1.1", number), makes=DoubleDummyTable.parse(table))
    for number, table in enumerate(TABLES, 1)
]
PLAYED = ("--deals", "boards.pbn", "--auctions", "--variants", "--sprt", "none")
DUEL = ("duel", "players:Bold", "players:Frail", *PLAYED)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return enter(tmp_path, monkeypatch)


def enter(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Go to a folder that has the players and the boards."""
    folder.mkdir(exist_ok=True)
    monkeypatch.chdir(folder)
    (folder / "players.py").write_text(PLAYERS + FRAIL, encoding="utf-8")
    (folder / "boards.pbn").write_text(format_boards(DEALS, "test"), encoding="ascii", newline="")
    return folder


def play(share: str, *more: str) -> None:
    done = run(*DUEL, "--name", "d", "--shard", share, *more)
    assert done.exit_code == 0, done.stderr


def terminate_after_a_table(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have what plays in this process receive SIGTERM as soon as a table has played its first boards."""
    store = InProcessRun._store

    def store_and_end(self: InProcessRun, *what: Any) -> None:
        store(self, *what)
        os.kill(os.getpid(), signal.SIGTERM)

    monkeypatch.setattr(InProcessRun, "_store", store_and_end)


def test_shares_of_which_one_was_interrupted_make_the_bytes_and_the_card_of_one_run(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.MonkeyPatch.context() as patched:
        terminate_after_a_table(patched)
        stopped = run(*DUEL, "--name", "d", "--shard", "1/2")
    assert stopped.exit_code == 75
    assert "stopped; to go on: tourney" in stopped.stderr
    assert refusal(run("merge", "d.toml", "d-1-of-2.db")).startswith("the shares of a duel are 1/N to N/N, each once")
    play("2/2")
    unfinished = refusal(run("merge", "d.toml", "d-1-of-2.db", "d-2-of-2.db"))
    left = r"d-1-of-2\.db: [12] of 2 matches are left to play, with which the same command goes on"
    assert re.fullmatch(left, unfinished), "the signal is heard between two tables"
    play("1/2")
    assert run("merge", "d.toml", "d-2-of-2.db", "d-1-of-2.db").stdout == "d.toml: 2 shares merged\n"
    check_record("d.toml")
    merged, card = Path("results/d/event.db").read_bytes(), run("lab", "card", "d.toml").stdout
    enter(folder / "one", monkeypatch)
    play("1/1")
    assert run("merge", "d.toml", "d-1-of-1.db").exit_code == 0
    assert Path("results/d/event.db").read_bytes() == merged
    assert run("lab", "card", "d.toml").stdout == card
    assert "| boards | 64, of 4 deals;" in card
    enter(folder / "usual", monkeypatch)
    assert run(*DUEL, "--name", "d", "--concurrency", "4", "--in-process").exit_code == 0
    assert run("lab", "card", "d.toml").stdout == card


SLOW = """
import time
from players import Bold

class Slow(Bold):
    @classmethod
    def load(cls):
        with open("begun", "w") as pipe:
            pipe.write("begun")

    def call(self, view):
        time.sleep(0.02)
        return super().call(view)
"""


def test_sigterm_to_all_processes_of_a_share_is_no_fault_of_a_player(folder: Path) -> None:
    (folder / "slow.py").write_text(SLOW, encoding="utf-8")
    os.mkfifo(folder / "begun")
    words = [word.replace("players:Frail", "slow:Slow") for word in (*DUEL, "--name", "d", "--shard", "1/2")]
    command = [sys.executable, "-m", "tourney", *words]
    with (
        subprocess.Popen(command, start_new_session=True, stdout=subprocess.DEVNULL) as running,
        (folder / "begun").open() as pipe,
    ):
        assert pipe.read(1)
        os.killpg(running.pid, signal.SIGTERM)
        assert running.wait(60) == 75
    with closing(sqlite3.connect("d-1-of-2.db")) as connection:
        assert connection.execute("SELECT count(*) FROM incidents").fetchone() == (0,)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    with pytest.MonkeyPatch.context() as patched:
        folder = enter(tmp_path_factory.mktemp("shares"), patched)
        for share in ("1/2", "2/2", "1/1"):
            play(share)
    return folder


def execute(file: str, statement: str) -> None:
    with sqlite3.connect(file) as connection:
        connection.execute(statement)
    connection.close()


def of_another(key: str, value: object) -> Callable[[], None]:
    """Change what the first share has on record of its origin."""

    def change() -> None:
        text = json.dumps({"shard": [1, 2], "version": "1.0.0", "programs": {}} | {key: value})
        execute("d-1-of-2.db", f"UPDATE events SET settings = json('{{\"origin\": {text}}}')")

    return change


def record_already() -> None:
    Path("results/d").mkdir()
    Path("results/d/event.db").touch()


BOTH = ("d-1-of-2.db", "d-2-of-2.db")


@pytest.mark.parametrize(
    ("spoil", "files", "why"),
    [
        (None, BOTH[:1], "each once, got 1/2 in d-1-of-2.db"),
        (None, (*BOTH, BOTH[0]), "each once, got 1/2 in d-1-of-2.db, 1/2 in d-1-of-2.db, 2/2 in d-2-of-2.db"),
        (None, ("d-1-of-2.db", "d-1-of-1.db"), "each once, got 1/1 in d-1-of-1.db, 1/2 in d-1-of-2.db"),
        (None, ("players.py", BOTH[1]), "players.py: file is not a database"),
        (of_another("version", "0.9"), BOTH, "d-1-of-2.db and d-2-of-2.db were played by other programs or versions"),
        (of_another("programs", {"Bold": "1"}), BOTH, "were played by other programs or versions of tourney"),
        (lambda: execute(BOTH[0], "UPDATE events SET settings = '{}'"), BOTH, "d-1-of-2.db has no share of"),
        (lambda: execute(BOTH[0], "UPDATE events SET name_key = 'a v b'"), BOTH, "has no share of 'Bold v Frail'"),
        (lambda: execute(BOTH[0], "UPDATE events SET plan = replace(plan, 'Bold', 'Bolt')"), BOTH, "d-1-of-2.db: "),
        (lambda: execute(BOTH[1], "UPDATE calls SET call = '2NT' WHERE seq = 0 AND board = 17"), BOTH, "was changed"),
        (record_already, BOTH, "d.toml has a record already"),
    ],
)
def test_files_that_are_not_all_shares_of_one_duel_are_refused_in_a_sentence_and_nothing_is_written(
    played: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    spoil: Callable[[], None] | None,
    files: tuple[str, ...],
    why: str,
) -> None:
    shutil.copytree(played, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    if spoil is not None:
        spoil()
    before = {path for path in tmp_path.rglob("*") if not path.name.endswith(("-wal", "-shm"))}
    assert why in refusal(run("merge", "d.toml", *files))
    assert {path for path in tmp_path.rglob("*") if not path.name.endswith(("-wal", "-shm"))} == before


def test_a_share_does_not_go_on_with_another_version(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.MonkeyPatch.context() as patched:
        terminate_after_a_table(patched)
        run(*DUEL, "--name", "d", "--shard", "1/2")
    monkeypatch.setattr(shards, "__version__", "1.0.1")
    why = refusal(run(*DUEL, "--name", "d", "--shard", "1/2"))
    assert why == f"{folder}/d-1-of-2.db was begun by another version or other programs: tourney 1.0.0"


@pytest.mark.campaign
def test_a_league_is_played_in_shares_of_all_its_duels(folder: Path) -> None:
    words = ("players:Bold", "players:Frail", "players:Third", "--gauntlet", "--deals", "boards.pbn", "--auctions")
    for share in ("1/2", "2/2"):
        done = run("lab", "league", *words, "--shard", share)
        assert done.exit_code == 0, done.stderr
    assert sorted(path.name for path in (folder / "league").glob("*.db")) == [
        "league-1-of-2.db",
        "league-2-of-2.db",
    ]
    assert run("merge", "league", "league/league-1-of-2.db", "league/league-2-of-2.db").exit_code == 0
    for name in ("bold-v-frail", "bold-v-third"):
        check_record(f"league/{name}.toml")
    again = run("lab", "league", *words, "--in-process", "--json")
    pairings = json.loads(again.stdout)["pairings"]
    assert (again.exit_code, [each["boards"] for each in pairings]) == (0, [4, 4])
    refused = run("lab", "league", "players:Bold", "players:Frail", "--shard", "1/2")
    assert "--shard takes the boards of --deals" in refused.stderr


def test_deals_are_divided_with_all_their_boards_and_so_that_none_is_left_over() -> None:
    assert [matches_by_default(deals) for deals in (1000, 48, 67, 1)] == [50, 48, 1, 1]
    settings = DuelSettings(first=DuelTeam("A", {}), second=DuelTeam("B", {}), boards=64, matches=2, deals="b.pbn")
    divided = settings.divide(vary(DEALS))
    assert [divided.index(board) for board in vary(DEALS)[:16]] == [*range(16)]
    assert [board.deal for board in divided[::16]] == [DEALS[place].deal for place in (0, 2, 1, 3)]
    assert (settings.boards_per_match, settings.boards_left_out) == (32, 0)


@pytest.mark.parametrize("text", ["0/4", "5/4", "1/65", "1", "1/", "a/b", "1/4/4", "-1/4", "१/4"])
def test_what_is_no_share_is_refused(text: str) -> None:
    assert Shard.parse("3/4")[:2] == (3, 4)
    with pytest.raises(UsageError, match=r"a share is 1/N to N/N, such as 2/4, N at most 64, got "):
        Shard.parse(text)


def test_a_command_ends_at_a_time_as_by_sigterm() -> None:
    is_ended = threading.Event()
    before = signal.signal(signal.SIGTERM, lambda *_: is_ended.set())
    try:
        terminate_at(datetime.now() - timedelta(minutes=1))  # noqa: DTZ005 # as the option has it
        assert is_ended.wait(60)
    finally:
        signal.signal(signal.SIGTERM, before)
