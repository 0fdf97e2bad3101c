"""Plays whole events: a real run, real hosts and sockets of the simulation (`tests/sim`), programs of these logs.

What is held is what each connection read and wrote, in its order, and how each attempt at a board ended. Times and
the order between connections are not: they depend on how a host divides its work. A host is killed between a record
and the lines that follow it.
"""

import asyncio
import tomllib
from collections.abc import Mapping, Sequence
from contextvars import Context
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from tests.sim.loop import Process
from tests.sim.network import Conditions, End
from tests.sim.plan import SECOND_US, Plan, Shape
from tests.sim.simulation import _Simulation
from tests.sim.store import memory_store
from tests.support.wire_logs.decks import Deck
from tests.support.wire_logs.programs import BlueChipProgram, Manner, Said
from tourney.bridge import PASS, SEATS, Bid, Call, Card, Seat, Strain
from tourney.config import Durability, PortPlan
from tourney.protocol.lines import LineBuffer
from tourney.store.control.orders import give_orders
from tourney.store.draw.tables import TableInfo, load_boards
from tourney.store.models import OrderKind

RETRY_US: Final = 40_000
"""How often a program without a table looks for one."""

BIDS: Final = (Bid(1, Strain.NOTRUMP), PASS, PASS, PASS)
"""What is called on every board that is not passed out; its cards are the least legal ones."""


def play_event(head: str) -> list[str]:
    """Return the log of the event of a head."""
    read = tomllib.loads(head)
    return _Event(read).play_whole()


def _plan(read: Mapping[str, Any]) -> Plan:
    return Plan(
        seed=read["seed"],
        shape=Shape[read["shape"]],
        boards=read.get("boards", 1),
        hosts=read.get("hosts", 1),
        passing=True,
        profile=read.get("profile", "default"),
        network=Conditions(delay_us_max=0),
        deaths=(),
        freeze=None,
        outages=(),
        characters={},
        strangers_us=(),
        skews_ms=(0,),
        port_plan=PortPlan(read.get("port_plan", "per-table")),
        pauses_us=tuple((pause * 1000, resume * 1000) for pause, resume in read.get("pauses_ms", ())),
        kicks_us=(),
        stops_us=tuple(at_ms * 1000 for at_ms in read.get("stops_ms", ())),
        run_deaths=(),
        run_freeze=None,
        has_rival=False,
        moves=False,
        restart_us=0,
        run_skews_ms=(0,),
        durability=Durability(read.get("durability", "full")),
        sync_us=read.get("sync_us", 0),
    )


@dataclass(frozen=True)
class _Kill:
    """A host dies when so many calls and cards of a table are on record, before it writes a line of them."""

    table: int
    after: int


class _Event(_Simulation):
    def __init__(self, read: Mapping[str, Any]) -> None:
        super().__init__(_plan(read), memory_store())
        self.logs: dict[str, list[str]] = {}
        self.is_passing = read.get("passes", False)
        self._kills = [_Kill(*each) for each in read.get("kills", ())]
        self._kicks = [tuple(each) for each in read.get("kicks", ())]
        self._read_on = self._store.on_commit
        self._store.on_commit = self._note_commit

    def play_whole(self) -> list[str]:
        """Return what was read and written, connection by connection."""
        outcome = self.play()
        faults = [f"fault: {fault}" for fault in outcome.faults]
        lines = [f"{label} {line}" for label in sorted(self.logs) for line in self.logs[label]]
        return [*faults, *lines, *self._attempts()]

    def _attempts(self) -> list[str]:
        rows = self._store.query(
            "SELECT place, board, attempt, board_attempts.ended, board_attempts.reason, fault, final"
            " FROM board_attempts JOIN (SELECT id, row_number() OVER (ORDER BY id) AS place FROM tables) AS numbered"
            " ON numbered.id = table_id ORDER BY place, board, attempt"
        )
        return ["= " + " ".join(map(str, row)) for row in rows]

    def _note_commit(self, process: Process | None) -> None:
        self._read_on(process)
        for kill in list(self._kills):
            if process is not None and self._on_record(kill.table) >= kill.after:
                self._kills.remove(kill)
                process._dies_at = process.effects + 1
        for kick in list(self._kicks):
            number, after, seat = kick
            if self._on_record(number) >= after:
                self._kicks.remove(kick)
                self.loop.call_soon(self._kick, number, Seat.from_letter(seat), context=Context())

    def _on_record(self, number: int) -> int:
        """Return how many calls and cards of a table are on record."""
        if len(self._tables) < number:
            return 0
        table = self._tables[number - 1].id
        ((count,),) = self._store.query(
            "SELECT (SELECT count(*) FROM calls WHERE table_id = ?)"
            " + (SELECT count(*) FROM cards WHERE table_id = ?)",
            *(table, table),
        )
        assert isinstance(count, int)
        return count

    def _kick(self, number: int, seat: Seat) -> None:
        now_ms = self._clock.now_ms()
        table = self._tables[number - 1]
        give_orders(self._database, [table.id], OrderKind.KICK, author="the director", now_ms=now_ms, seat=seat)

    def _find_tables(self) -> None:
        """Programs are started for tables that have been drawn since the last look."""
        if self._organiser.is_closing:
            return
        self.loop.call_at_us(self.loop.now_us + SECOND_US // 20, self._find_tables)
        if self._store.query("SELECT count(*) FROM tables") == [(len(self._tables),)]:
            return
        tables = [table for match in self._load_event().matches for table in match.tables]
        for table in tables[len(self._tables) :]:
            self._tables.append(table)
            for seat in SEATS:
                _Owner(self, table, len(self._tables), seat).sit()


class _Owner:
    """Starts the programs of one seat, one after the other."""

    def __init__(self, event: _Event, table: TableInfo, number: int, seat: Seat) -> None:
        self.event = event
        self.table = table
        self.seat = seat
        self._number = number
        self._connections = 0
        ((set_,),) = event._store.query(
            "SELECT board_set_id FROM matches WHERE id = (SELECT match_id FROM tables WHERE id = ?)", table.id
        )
        assert isinstance(set_, int)
        with event._store.engine.connect() as connection:
            boards = load_boards(connection, set_)
        self.decks = {board.number: Deck(board, () if event.is_passing else BIDS, {}) for board in boards}

    def on_record(self) -> tuple[int, Sequence[Call | Card]]:
        return 0, ()

    def sit(self) -> None:
        """Connect to the table, as soon as it is open."""
        if self.event.is_finished(self.table) or self.event.seat(self.table, self.seat, self._program):  # type: ignore[arg-type]
            return
        self.sit_later()

    def sit_later(self) -> None:
        loop = self.event.loop
        loop.call_at_us(loop.now_us + RETRY_US + 1000 * int(self.seat), self.sit)

    def _program(self) -> "_Program":
        self._connections += 1
        log = self.event.logs[f"{self._number}{self.seat.letter}{self._connections}"] = []
        return _Program(self, log)


class _Program(asyncio.Protocol):
    """One program on one connection of the simulated network."""

    def __init__(self, owner: _Owner, log: list[str]) -> None:
        self._owner = owner
        self._log = log
        self._program = BlueChipProgram(owner.seat, Manner(team=owner.table.team(owner.seat.side)), owner)
        self._lines = LineBuffer()
        self._transport: End
        self._said_s = 0.0
        self._is_over = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, End)
        self._transport = transport
        self._say(self._program.start())

    def data_received(self, data: bytes) -> None:
        for line in self._lines.feed(data):
            assert isinstance(line, bytes)
            text = line.decode()
            self._log.append(f"< {text}")
            self._say(self._program.receive(text))

    def connection_lost(self, exc: Exception | None) -> None:
        self._is_over = True
        self._log.append("closed")
        self._owner.sit_later()

    def _say(self, lines: Sequence[Said]) -> None:
        loop = self._owner.event.loop
        for said in lines:
            self._said_s = max(self._said_s, loop.time()) + said.after_ms / 1000
            loop.call_at(self._said_s, partial(self._write, said.line))

    def _write(self, line: str) -> None:
        if not self._is_over:
            self._log.append(f"> {line}")
            self._transport.write(line.encode() + b"\r\n")
