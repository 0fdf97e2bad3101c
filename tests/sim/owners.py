"""Owners of programs: each starts one for its seat at a table, and another when that is gone."""

import asyncio
from collections.abc import Callable
from random import Random
from typing import Protocol

from tests.sim.loop import SimulatedLoop
from tests.sim.players import BlueChipWords, Character, Program, StatefulWords, Words
from tourney.bots import Strategy
from tourney.bridge import Seat
from tourney.movement.seating import TableInfo

_BEGIN_US_MAX = 100_000
_RESTART_US = (10_000, 500_000)
_RETRY_US = (20_000, 200_000)
_REOPENED_US = (200_000, 500_000)

_UNDESERVED = (
    "the table sent",
    "the table said 'Illegal",
    "the table said 'Error: the cards are not dealt yet",
    "the table said 'Error: no card can be played before",
    "the table said 'Error: no board has been started",
)
"""Reasons to leave that no program without a flaw may be given."""


class Tables(Protocol):
    """Where programs connect."""

    loop: SimulatedLoop
    may_reopen: bool
    """Whether a table that has finished may be played at again: a director has a board replayed, or takes back the
    ruling that ended the match."""

    def seat(self, table: TableInfo, seat: Seat, make: Callable[[], Program]) -> bool:
        """Connect a program to its table; False when it is not open."""

    def is_finished(self, table: TableInfo) -> bool: ...

    def speaks_stateful(self, team: str) -> bool:
        """Whether the programs of a team speak the stateful-server protocol."""

    def note(self, event: str) -> None:
        """One of the faults of the plan has come to pass."""

    def complain(self, fault: str) -> None:
        """Something has happened that ought not to."""


class Owner:
    """Owns the programs of one seat at one table."""

    def __init__(
        self,
        tables: Tables,
        table: TableInfo,
        seat: Seat,
        characters: tuple[Character, ...],
        usual: Character,
        strategy: Strategy,
        chance: Random,
    ) -> None:
        """Prepare; the first programs are like `characters`, those after the last like `usual`."""
        self._tables = tables
        self._table = table
        self._seat = seat
        self._characters = list(characters)
        self._usual = usual
        self._strategy = strategy
        self._chance = chance

    def begin(self) -> None:
        self._later((0, _BEGIN_US_MAX), self._sit)

    def _later(self, bounds_us: tuple[int, int], action: Callable[[], None]) -> None:
        loop = self._tables.loop
        loop.call_at_us(loop.now_us + self._chance.randint(*bounds_us), action)

    def _sit(self) -> None:
        tables, table = self._tables, self._table
        if tables.is_finished(table):
            if tables.may_reopen:
                self._later(_REOPENED_US, self._sit)
        elif not tables.seat(table, self._seat, self._program):
            self._later(_RETRY_US, self._sit)

    def _program(self) -> Program:
        character = self._characters.pop(0) if self._characters else self._usual
        team = self._table.team(self._seat.side)
        words: Words = StatefulWords(team) if self._tables.speaks_stateful(team) else BlueChipWords(self._seat, team)
        return Program(self._tables.loop, words, self._strategy, character, self._chance, self._ended)

    def _ended(self, program: Program, reason: str | None) -> None:
        if program.character.flaw is not None:
            self._tables.note(program.character.flaw.value)
        elif reason is not None and reason.startswith(_UNDESERVED):
            self._tables.complain(f"{self._seat.title} at {self._table.place}, without a flaw: {reason}")
        self._later(_RESTART_US, self._sit)


class Stranger(asyncio.Protocol):
    """Sends bytes of any kind, and goes."""

    def __init__(self, chance: Random) -> None:
        self._chance = chance

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        transport.write(self._chance.randbytes(self._chance.choice((1, 50, 9000))) + b"\r\n" * 3)
        if self._chance.random() < 0.5:
            transport.close()
