"""Recorded before relayed: whole events whose table hosts are killed again and again, at any moment (BC-49).

The players note for themselves what they are told. After each kill all of it must be on record, and at the end the
record must be that of the same event undisturbed. The suite does so with a file that is on the disk call by call;
other records are campaigns, and `make kills` kills whatever else an event has.
"""

import asyncio
import json
import os
import signal
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import pytest
import uvloop
from click.testing import CliRunner
from sqlalchemy import text

from tests.kills.players import Party
from tests.support.events import port_range
from tourney.bridge import SEATS
from tourney.cli.main import cli
from tourney.config import Durability, parse_event_file
from tourney.coordinator.draw import draw_event
from tourney.event.file import EventFile
from tourney.movement.seating import Room
from tourney.results.scorecard import load_scorecard
from tourney.store.control.host_settings import save_settings
from tourney.store.control.hosts import add_host, end_host
from tourney.store.control.table_state import assign_table
from tourney.store.control.tables import load_progress
from tourney.store.db.database import Database
from tourney.store.draw.objects import EventInfo
from tourney.store.draw.reader import load_event
from tourney.store.draw.tables import TableInfo
from tourney.store.draw.writer import save_draw
from tourney.store.models import TableState
from tourney.store.results.matches import save_match_score

STUCK_S = 10
"""A life that takes longer is no life."""

KILLS = {Durability.FULL: 16, Durability.PROCESS: 8}
"""On each kind of database, at least."""

MOMENTS = (
    "received",
    "before the transaction",
    "before the commit",
    "after the commit",
    "between two lines",
    "after a line",
)

SAID = {"Pass": "passes", "X": "doubles", "XX": "redoubles"}


@dataclass
class Figures:
    """What has been tried, and how it came out."""

    kills: dict[str, int] = field(default_factory=dict)
    boards: int = 0
    checked: int = 0
    """Calls and cards that players had seen, looked for on record."""
    lost: int = 0
    doubled: int = 0
    invented: int = 0

    def __str__(self) -> str:
        by_moment = ", ".join(f"{count} {moment}" for moment, count in sorted(self.kills.items()))
        return (
            f"{sum(self.kills.values())} kills ({by_moment}), {self.boards} boards, {self.checked} records checked, "
            f"{self.lost} lost, {self.doubled} doubled, {self.invented} invented"
        )


class Zygote:
    """The process that forks hosts."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    @classmethod
    async def start(cls) -> "Zygote":
        pipe = asyncio.subprocess.PIPE
        words = (sys.executable, "-m", "tests.kills.zygote")
        return cls(await asyncio.create_subprocess_exec(*words, stdin=pipe, stdout=pipe))

    async def fork(self, **order: Any) -> int:
        """Start a host; its process id."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(order).encode() + b"\n")
        return int((await self._answer())["pid"])

    async def ended(self) -> bool:
        """Wait for the end of the host; whether it was killed."""
        return bool((await self._answer())["killed"])

    async def _answer(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        answer: dict[str, Any] = json.loads(await self._process.stdout.readline())
        return answer

    async def end(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        await self._process.wait()


@dataclass
class Trial:
    """One event, drawn into a database that may hold others."""

    path: Path
    file: EventFile
    database: Database
    event: EventInfo

    @classmethod
    def draw(cls, folder: Path, name: str, database: Database, durability: Durability) -> "Trial":
        url = database.url.render_as_string(hide_password=False)
        source = (
            f'[event]\nname = "{name}"\nresults = "results"\ndatabase = "{url}"\n'
            '[[team]]\nname = "Alpha"\nprofile = "tourney"\n[[team]]\nname = "Beta"\nprofile = "tourney"\n'
            "[[stage]]\nboards_per_match = 2\n[deals]\nseed = 5\n"
            f'[tables]\ntrick_pause_ms = 0\nwire_log = false\nports = "{port_range(2)}"\n'
            f'[record]\ndurability = "{durability.value}"\n'
        )
        path = folder / f"{name.replace(' ', '-')}.toml"
        path.write_text(source)
        file = EventFile(path, parse_event_file(source, path.name))
        save_draw(database, draw_event(file.config, None, ""), 0)
        event = load_event(database, name)
        assert event is not None
        save_settings(database, event.id, file.host_settings)
        return cls(path, file, database, event)

    @property
    def tables(self) -> list[TableInfo]:
        return [self.event.matches[0].tables_at(0)[room] for room in Room]

    def is_finished(self, table: TableInfo) -> bool:
        return load_progress(self.database, [table.id])[table.id].table.state is TableState.FINISHED

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        """Rows of this event's tables, as another process would read them; `:tables` stands for their ids."""
        ids = ", ".join(str(table.id) for table in self.tables)
        with self.database.read() as connection:
            return [tuple(row) for row in connection.execute(text(sql.replace(":tables", ids)))]

    def record(self) -> list[tuple[Any, ...]]:
        """Every call, card and result, with everything that does not depend on the clock; tables by their place."""
        first = self.tables[0].id
        where = "WHERE table_id IN (:tables) ORDER BY table_id, board, attempt"
        calls = self.rows(
            f"SELECT table_id - {first}, board, attempt, seq, seat, call, alerted, alert FROM calls {where}, seq"
        )
        cards = self.rows(f"SELECT table_id - {first}, board, attempt, seq, seat, card FROM cards {where}, seq")
        results = self.rows(
            f"SELECT table_id - {first}, board, attempt, contract, declarer, tricks, score_ns FROM results {where}"
        )
        attempts = self.rows(f"SELECT table_id - {first}, board, attempt, ended FROM board_attempts {where}")
        return [*calls, *cards, *results, *attempts]

    def lines(self) -> dict[tuple[int, int], list[str]]:
        """The calls and cards on record as players are told about them, by table and board."""
        title = {seat.letter: seat.title for seat in SEATS}
        told: dict[tuple[int, int], list[str]] = {}
        where = "WHERE table_id IN (:tables) ORDER BY table_id, board, attempt, seq"
        for table_id, board, seat, call in self.rows(f"SELECT table_id, board, seat, call FROM calls {where}"):
            told.setdefault((table_id, board), []).append(f"{title[seat]} {SAID.get(call, f'bids {call}')}")
        for table_id, board, seat, card in self.rows(f"SELECT table_id, board, seat, card FROM cards {where}"):
            told.setdefault((table_id, board), []).append(f"{title[seat]} plays {card}")
        return told

    def standings(self) -> Any:
        match = self.event.matches[0]
        score = load_scorecard(self.database, self.event.seen_whole(), match, self.file.scales[match.stage]).score
        assert score is not None
        save_match_score(self.database, match, score, 0)
        printed = CliRunner().invoke(cli, ["standings", str(self.path), "--json"])
        assert printed.exit_code == 0, printed.output
        return json.loads(printed.stdout)["standings"]


def check_seen(trial: Trial, party: Party, figures: Figures) -> None:
    """Everything that a player was told is on record, in that order."""
    on_record = trial.lines()
    for notes in party.notes:
        for board, told in notes.actions():
            there = iter(on_record.get((notes.table_id, board), []))
            figures.checked += len(told)
            figures.lost += sum(line not in there for line in told)


async def play(trial: Trial, zygotes: Sequence[Zygote], chance: Random | None, figures: Figures) -> None:
    """Play an event to its end, each table on a host of its own, which is killed whenever `chance` says."""
    await asyncio.gather(
        *(play_table(trial, index, zygotes[index], chance, figures) for index in range(len(trial.tables)))
    )
    figures.boards += len(trial.tables) * trial.event.stages[0].boards_per_match


async def play_table(trial: Trial, index: int, zygote: Zygote, chance: Random | None, figures: Figures) -> None:
    table, port = trial.tables[index], trial.file.config.tables.ports.first + index
    party = Party(table, port)
    url = trial.database.url.render_as_string(hide_password=False)
    life = 0
    while not trial.is_finished(table):
        life += 1
        host = add_host(trial.database, trial.event.id, f"{table.id}-{life}", life)
        assign_table(trial.database, table.id, host.name, dict.fromkeys(SEATS, port), life)
        moment, count = "never", 0
        if chance is not None:
            by_clock = chance.random() < 0.15
            moment = "any" if by_clock else chance.choice(MOMENTS)
            count = chance.randrange(50, 300) if by_clock else chance.randrange(5, 80)
        pid = await zygote.fork(database=url, event=trial.event.id, host=host.name, moment=moment, count=count)
        ended, over = asyncio.create_task(zygote.ended()), asyncio.create_task(party.over())
        done, _ = await asyncio.wait([ended, over], timeout=STUCK_S, return_when=asyncio.FIRST_COMPLETED)
        assert done, f"life {life}, {moment} {count}: nothing moves any more: {party.last_words()}"
        if not ended.done():
            os.kill(pid, signal.SIGTERM)
        over.cancel()
        if await ended:
            figures.kills[moment] = figures.kills.get(moment, 0) + 1
        end_host(trial.database, host, "killed", life)
        check_seen(trial, party, figures)
    # A host that dies between its last record and the last line leaves players that nobody tells of the end.
    party.send_home()


async def trials(folder: Path, database: Database, durability: Durability, seed: int) -> Figures:
    figures = Figures()
    zygotes = [await Zygote.start() for _ in Room]
    try:
        undisturbed = Trial.draw(folder, "Undisturbed", database, durability)
        await play(undisturbed, zygotes, None, Figures())
        chance = Random(seed)
        number = 0
        while sum(figures.kills.values()) < KILLS[durability] or set(figures.kills) != {*MOMENTS, "any"}:
            number += 1
            trial = Trial.draw(folder, f"Kills {number}", database, durability)
            await play(trial, zygotes, chance, figures)
            expected, there = undisturbed.record(), trial.record()
            figures.doubled += len(there) - len(set(there))
            figures.invented += len(set(there) - set(expected))
            figures.lost += len(set(expected) - set(there))
            assert trial.standings() == undisturbed.standings()
    finally:
        for zygote in zygotes:
            await zygote.end()
    return figures


@pytest.mark.clause("BC-49")
@pytest.mark.parametrize(
    ("database_fixture", "durability"),
    [
        ("sqlite_database", Durability.FULL),
        pytest.param("sqlite_database", Durability.PROCESS, marks=pytest.mark.campaign),
        pytest.param("postgres_database", Durability.FULL, marks=pytest.mark.campaign),
    ],
)
def test_whatever_a_player_saw_is_on_record_whenever_the_host_is_killed(
    request: pytest.FixtureRequest,
    tmp_path: Path,
    database_fixture: str,
    durability: Durability,
    record_property: Callable[[str, str], None],
) -> None:
    database = request.getfixturevalue(database_fixture)
    figures = uvloop.run(trials(tmp_path, database, durability, seed=49))
    record_property("figures", f"kills, {database_fixture.partition('_')[0]}, {durability.value}: {figures}")
    assert (figures.lost, figures.doubled, figures.invented) == (0, 0, 0)
    assert sum(figures.kills.values()) >= KILLS[durability]
    assert set(figures.kills) == {*MOMENTS, "any"}
