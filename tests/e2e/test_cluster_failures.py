"""An event on a cluster of real workers, of which everything is killed in turn: it is played to its end, once.

PostgreSQL, a scheduler and two workers over TLS; teams that tourney starts and one that plays from elsewhere.
"""

import os
import signal
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import psutil
import pytest
from sqlalchemy import create_engine, text

from tests.support.cluster import RealCluster, processes_in, real_cluster, until
from tests.support.events import bot, printed, read_until, rest_of, standings, start_tourney, write_event

LEASE_S = 2
TABLES = f"lease_s = {LEASE_S}\norphan_s = 60\noutage_s = 20\n"
BOARDS = 6


class Played:
    """An event on a cluster, and its record."""

    def __init__(self, folder: Path, cluster: RealCluster, url: str) -> None:
        launch = f'engine = "dask"\nscheduler = "{cluster.address}"\nkey_file = "{cluster.key_file}"\n'
        seeds = [os.getpid() * 10 + number for number in (1, 2)]
        self.seeds = set(map(str, seeds))
        teams = [("Alpha", bot(seeds[0], "basic", think_ms=40)), ("Beta", bot(seeds[1], think_ms=40))]
        self.event = write_event(
            folder, teams, boards=BOARDS, extra=f"[launch]\n{launch}", tables=TABLES, record=False
        )
        head = self.event.read_text().replace('results = "results"\n', f'results = "results"\ndatabase = "{url}"\n')
        self.event.write_text(head)
        self.cluster = cluster
        self._engine = create_engine(
            url.replace("postgresql://", "postgresql+psycopg://"), isolation_level="AUTOCOMMIT"
        )

    def query(self, sql: str) -> list[tuple[Any, ...]]:
        with self._engine.connect() as connection:
            return [tuple(row) for row in connection.execute(text(sql))]

    def count(self, sql: str) -> int:
        return int(self.query(f"SELECT count(*) FROM {sql}")[0][0])

    def until_calls(self, more: int = 8) -> None:
        """Wait until so many more calls and cards have been made: tables play."""
        goal = self.count("calls") + self.count("cards") + more
        until(lambda: self.count("calls") + self.count("cards") >= goal, f"{goal} calls and cards")

    def tables(self) -> dict[str, tuple[str, int, int]]:
        """The host of each table that is played, its process and the attempt, by room."""
        rows = self.query(
            "SELECT t.room, h.name, h.pid, t.attempt FROM tables t JOIN hosts h ON h.name = t.host "
            "WHERE t.state IN ('open', 'playing') AND h.ended_at_ms IS NULL"
        )
        return {room: (name, pid, attempt) for room, name, pid, attempt in rows}

    def until_both_play(self) -> None:
        until(lambda: len(self.tables()) == 2, "both tables are played")

    def programs(self) -> list[psutil.Process]:
        """The programs of this event's teams that run, by their seeds, which nobody else has."""
        words = [(process, process.cmdline()) for process in processes_in(Path("--style"))]
        return [
            process
            for process, each in words
            if "bwrap" not in each[0] and "--seed" in each and each[each.index("--seed") + 1] in self.seeds
        ]

    def check_whole(self) -> None:
        """Each board is there once at each table with all its calls and cards, and nobody is at work any more."""
        assert [row["played"] for row in standings(self.event)] == [1, 1]
        assert self.query("SELECT DISTINCT state FROM tables") == [("finished",)]
        final = "SELECT count(*), count(DISTINCT table_id * 1000 + board) FROM board_attempts WHERE final"
        assert self.query(final) == [(2 * BOARDS, 2 * BOARDS)]
        assert self.count("board_attempts WHERE ended IS NULL") == 0
        for kind in ("calls", "cards"):
            gaps = f"SELECT 1 FROM {kind} GROUP BY table_id, board, attempt HAVING max(seq) + 1 <> count(*)"
            assert self.query(gaps) == []
        assert self.count("hosts WHERE ended_at_ms IS NULL") == 0
        assert self.query("SELECT run_holder FROM events") == [(None,)]
        verified = printed("verify", self.event)
        assert verified.status == 0, verified.out + verified.err
        until(lambda: not self.programs(), "no program runs")

    def close(self) -> None:
        self._engine.dispose()


@pytest.fixture
def played(tmp_path: Path, postgres_url: str) -> Iterator[Played]:
    with real_cluster(tmp_path / "cluster", "ONE", "TWO") as cluster:
        found = Played(tmp_path, cluster, postgres_url)
        try:
            yield found
        finally:
            found.close()


@pytest.mark.timeout(150)
def test_what_is_killed_in_a_cluster_costs_nothing_that_was_on_record(played: Played) -> None:
    cluster = played.cluster
    run = start_tourney("run", played.event)
    read_until(run, "closed room: Alpha")
    played.until_both_play()
    before = played.tables()
    assert {name.split("-")[1] for name, _, _ in before.values()} == {"ONE", "TWO"}, "the rooms are apart"
    until(lambda: len(played.programs()) == 8, "eight programs play")

    # The worker process, then its nanny with it, then the scheduler: hosts play on and are adopted.
    cluster.kill_dask_worker("ONE")
    played.until_calls()
    until(lambda: bool(cluster.dask_workers("ONE")), "the nanny has started its worker again")
    cluster.kill("TWO")
    played.until_calls()
    cluster.start_worker("TWO")
    cluster.kill("scheduler")
    read_until(run, "is gone")
    played.until_calls()
    cluster.start_scheduler(cluster.port)
    read_until(run, "answers again")
    played.until_calls()
    # The run: the next one finds the same hosts.
    os.kill(run.pid, signal.SIGKILL)
    run.communicate()
    played.until_calls()
    run = start_tourney("run", played.event)
    read_until(run, "has played on and is kept")
    played.until_calls()
    assert played.tables() == before, "nobody has lost a table"
    assert len(played.programs()) == 8, "no program was started twice"

    # A host: its supervisor tells at once. Another that stands still: its lease tells.
    _, pid, attempt = played.tables()["open"]
    os.kill(pid, signal.SIGKILL)
    until(lambda: played.tables().get("open", before["open"])[2] > attempt, "the open room has another host")
    _, frozen, attempt = played.tables()["closed"]
    os.kill(frozen, signal.SIGSTOP)
    until(lambda: played.tables().get("closed", before["closed"])[2] > attempt, "the closed room has another host")
    with suppress(ProcessLookupError):  # the run kills it where it can; otherwise it ends once it is thawed
        os.kill(frozen, signal.SIGCONT)
    until(lambda: not psutil.pid_exists(frozen) or psutil.Process(frozen).status() == "zombie", "the thawed one ends")
    played.until_both_play()
    until(lambda: len(played.programs()) == 8, "eight programs play")
    # A program.
    played.programs()[0].kill()
    ended = rest_of(run, 100)
    assert ended.status == 0, ended.out
    played.check_whole()
