"""Who is charged for which time at a real host, on real sockets: only who is in turn, and nobody for a pause."""

import asyncio
import time
from collections.abc import Collection
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

import pytest

from tests.support.table_host import Floor, JumpingClock, Player, all_leave, floor, sit
from tests.support.waiting import until
from tourney.bridge import PASS, Seat
from tourney.movement.seating import TableInfo
from tourney.protocol.player import AskCall, SendLine
from tourney.store.models import OrderKind

pytestmark = pytest.mark.clause("BC-45")

CLOCK = "[clock]\ncall_s = 1\n"


@dataclass
class HandPlayer(Player):
    """A player that passes whenever it is asked, unless a test makes its calls."""

    by_hand: Collection[Seat] = ()
    asked: "asyncio.Queue[AskCall]" = field(default_factory=asyncio.Queue)

    def answer_call(self, asked: AskCall) -> None:
        if self.core.seat in self.by_hand:
            self.asked.put_nowait(asked)
        else:
            self.pass_now()

    def pass_now(self) -> None:
        self.react(self.core.make_call(PASS))


async def sit_by_hand(table: TableInfo, *by_hand: Seat, **settings: Any) -> list[HandPlayer]:
    """Four players; those of `by_hand` call when the test has them call."""
    return cast(list[HandPlayer], await sit(table, make=HandPlayer, by_hand=by_hand, **settings))


def thinking(place: Floor) -> dict[str, int]:
    """What each seat was charged for its calls, in milliseconds."""
    return dict(place.query("SELECT seat, sum(thinking_ms) FROM calls GROUP BY seat"))


async def test_a_board_in_play_whose_time_is_extended_is_judged_by_the_new_limit(tmp_path: Path) -> None:
    clock, limits = JumpingClock(), "orphan_s = 86400\n[clock]\nboard_s = 8\n"
    async with floor(tmp_path, tables=limits, clock=clock) as place:
        table = await place.opened()
        players = await sit_by_hand(table, Seat.NORTH, Seat.SOUTH)
        await players[Seat.NORTH].asked.get()
        clock.ahead_ms += 100_000
        outcome = await place.order(table, OrderKind.EXTEND, board=1, seconds=180)
        assert outcome == "each side has 3 minutes 8 seconds for board 1"
        players[Seat.NORTH].pass_now()
        await players[Seat.SOUTH].asked.get()
        assert place.query("SELECT kind FROM rulings") == []
        clock.ahead_ms += 101_000
        outcome = await place.order(table, OrderKind.EXTEND, board=1, seconds=-1)
        assert outcome == "each side has 3 minutes 7 seconds for board 1"
        await until(lambda: bool(place.query("SELECT kind FROM rulings")))
        players[Seat.SOUTH].pass_now()
        await all_leave(players)
        assert place.query("SELECT kind, reason FROM rulings") == [
            ("penalty-imps", "NS took longer than 187 s on board 1")
        ]
        ((on_board,),) = place.query("SELECT ns_ms FROM results")
        assert 201_000 <= on_board < 230_000


async def test_the_time_in_which_the_process_stood_still_is_charged_to_nobody(tmp_path: Path) -> None:
    def freeze(to: Seat, line: str) -> None:
        if line.startswith("North's cards"):
            time.sleep(2.5)  # the players share the host's loop, which this holds up

    async with floor(tmp_path, tables=CLOCK) as place:
        table = await place.opened()
        players = await sit_by_hand(table, on_line=freeze)
        await all_leave(players)
        assert thinking(place)["N"] < 1000
        assert place.ends() == ["passed-out"]


async def test_half_a_line_does_not_stop_a_players_clock(tmp_path: Path) -> None:
    clock = JumpingClock()
    async with floor(tmp_path, tables="orphan_s = 86400", clock=clock) as place:
        table = await place.opened()
        players = await sit_by_hand(table, Seat.NORTH)
        north = players[Seat.NORTH]
        await north.asked.get()
        said, *more = north.core.make_call(PASS)
        assert isinstance(said, SendLine)
        north.transport.write(said.line[:3].encode())
        await asyncio.sleep(0.1)  # for the table to have read that
        clock.ahead_ms += 60_000
        north.transport.write(said.line[3:].encode() + b"\r\n")
        north.react(more)
        await all_leave(players)
        assert thinking(place)["N"] >= 59_000
