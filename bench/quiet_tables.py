"""Quiet tables beside an attack: players that think for a while, and how long it takes until others are told."""

import asyncio
import contextlib
from time import perf_counter_ns
from typing import Final, cast

from sqlalchemy import text

from bench.load_players import QuickStrategy
from tourney.bridge import Call, Card, Seat
from tourney.errors import StoreError
from tourney.movement.seating import TableInfo, TableState
from tourney.protocol.bluechip.player import PlayerCore
from tourney.protocol.lines import LineBuffer
from tourney.protocol.player import AskCall, AskCard, Leave, PlayerEffect, SendLine
from tourney.store.control.tables import load_progress
from tourney.store.db.database import Database
from tourney.store.draw.reader import load_event

THINK_S: Final = 0.005
"""What a player of a quiet table thinks about each call and card: short, so that there are many."""

START_S: Final = 30.0
"""How long a run may take to open its tables, and to seat everybody."""


class Turns:
    """The time from a call or card at one quiet table until another of its players knows of it."""

    def __init__(self, times_ns: list[int]) -> None:
        self._times_ns = times_ns
        self.longest_thought_ns = 0
        """The longest that one of its players has thought, since this was last set to 0."""
        self._said_by: QuietPlayer | None = None
        self._said_at_ns = 0

    def note_said(self, player: "QuietPlayer") -> None:
        """Note that a player has said a call or card."""
        self._said_by, self._said_at_ns = player, perf_counter_ns()

    def note_thought(self, since_ns: int) -> None:
        """Note that a player has been asked at a time, and answers now."""
        self.longest_thought_ns = max(self.longest_thought_ns, perf_counter_ns() - since_ns)

    def note_heard(self, player: "QuietPlayer") -> None:
        """Note that a player has been told something."""
        if self._said_by is not None and self._said_by is not player:
            self._times_ns.append(perf_counter_ns() - self._said_at_ns)
            self._said_by = None


class QuietPlayer(asyncio.Protocol):
    """A player that thinks for a while about each call and card."""

    def __init__(self, core: PlayerCore, turns: Turns) -> None:
        self._core = core
        self._turns = turns
        self._strategy = QuickStrategy()
        self._buffer = LineBuffer()
        self._transport: asyncio.Transport | None = None
        self._heard_at_ns = 0
        self.is_lost = False
        """Whether its connection has ended."""

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 # asyncio's
        self.is_lost = True

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        self._carry_out(self._core.start())

    def data_received(self, data: bytes) -> None:
        self._turns.note_heard(self)
        self._heard_at_ns = perf_counter_ns()
        for line in self._buffer.feed(data):
            self._carry_out(self._core.receive_line(line))

    def _carry_out(self, effects: list[PlayerEffect]) -> None:
        assert self._transport is not None
        later = asyncio.get_running_loop().call_later
        for effect in effects:
            match effect:
                case SendLine(line=line):
                    self._transport.write(line.encode() + b"\r\n")
                case AskCall():
                    later(THINK_S, self._make_call, self._strategy.choose_call(effect.view).call)
                case AskCard():
                    later(THINK_S, self._make_card, effect.hand, self._strategy.choose_card(effect.view, effect.hand))
                case Leave():
                    self._transport.close()

    def _make_call(self, call: Call) -> None:
        self._turns.note_thought(self._heard_at_ns)
        self._turns.note_said(self)
        self._carry_out(self._core.make_call(call))

    def _make_card(self, hand: Seat, card: Card) -> None:
        self._turns.note_thought(self._heard_at_ns)
        self._turns.note_said(self)
        self._carry_out(self._core.make_card(hand, card))


async def load_opened_tables(database: Database, event_name: str, count: int = 4) -> list[TableInfo]:
    """Wait until so many tables of an event are open, and load them.

    Raises:
        TimeoutError: that takes too long.
    """
    async with asyncio.timeout(START_S):
        assert database.file is not None
        while not database.file.exists():  # noqa: ASYNC110 # the run makes it
            await asyncio.sleep(0.1)
        await asyncio.sleep(1)  # it is made in steps
        while True:
            with contextlib.suppress(StoreError):
                event = load_event(database, event_name)
                tables = [table for match in event.matches for table in match.tables] if event is not None else []
                progress = load_progress(database, [table.id for table in tables])
                opened = [
                    each.table
                    for each in progress.values()
                    if each.table.state in (TableState.OPEN, TableState.PLAYING)
                ]
                if len(opened) == count and all(table.ports for table in opened):
                    return opened
            await asyncio.sleep(0.1)


def count_ends(database: Database) -> tuple[int, int]:
    """Count the boards that were not played to their end, and those that were."""
    with database.read() as connection:
        ends = [row[0] for row in connection.execute(text("SELECT ended FROM board_attempts"))]
    lost = [end for end in ends if end not in (None, "played", "passed-out", "claimed", "restarted", "void")]
    return len(lost), sum(end in ("played", "passed-out") for end in ends)
