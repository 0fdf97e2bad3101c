"""Who is charged for which time at a real host, on real sockets: only who is in turn, and nobody for a pause."""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tests.host.test_host import Floor, Player, all_leave, floor
from tests.host.test_leases import JumpingClock
from tests.support.waiting import until
from tourney.bots.random_style import RandomStrategy
from tourney.bridge import PASS, SEATS, Call, Seat
from tourney.movement.seating import TableInfo
from tourney.protocol.bluechip.player import PlayerCore
from tourney.protocol.player import AskCall, SendLine
from tourney.store.control.orders import give_orders, load_outcomes
from tourney.store.models import OrderKind

pytestmark = pytest.mark.clause("BC-45")

CLOCK = "[clock]\ncall_s = 1\n"


@dataclass
class HandPlayer(Player):
    """A player whose calls a test makes, or that passes whenever it is asked."""

    passes: bool = True
    asked: "asyncio.Queue[AskCall]" = field(default_factory=asyncio.Queue)

    def answer_call(self, asked: AskCall) -> None:
        if self.passes:
            self.call(PASS)
        else:
            self.asked.put_nowait(asked)

    def call(self, call: Call) -> None:
        self.react(self.core.make_call(call))


async def sit_by_hand(
    table: TableInfo,
    by_hand: set[Seat],
    on_line: Callable[[str], None] = lambda _: None,
    east_asks_after_s: float = 0,
) -> dict[Seat, HandPlayer]:
    """Four players; those of `by_hand` call when the test has them call, the others pass. North hears `on_line`."""
    players = {seat: HandPlayer(PlayerCore(seat, table.team(seat.side)), RandomStrategy(seat)) for seat in SEATS}
    players[Seat.NORTH].on_line = on_line
    players[Seat.EAST].delay_ready_s = east_asks_after_s
    for seat, player in players.items():
        player.passes = seat not in by_hand
        await asyncio.get_running_loop().create_connection(
            lambda p=player: p,  # type: ignore[misc]
            "127.0.0.1",
            table.ports[seat],
        )
    return players


async def ordered(place: Floor, table: TableInfo, kind: OrderKind, **body: Any) -> str:
    """Give an order, and return what came of it."""
    (order,) = give_orders(place.database, [table.id], kind, author="Ada", now_ms=0, **body)
    await until(lambda: order in load_outcomes(place.database, [order]))
    return load_outcomes(place.database, [order])[order]


def thinking(place: Floor) -> dict[str, int]:
    """What each seat was charged for its calls, in milliseconds."""
    return dict(place.query("SELECT seat, sum(thinking_ms) FROM calls GROUP BY seat"))


async def test_a_board_in_play_whose_time_is_extended_is_judged_by_the_new_limit(tmp_path: Path) -> None:
    clock, limits = JumpingClock(), "orphan_s = 86400\n[clock]\nboard_s = 8\n"
    async with floor(tmp_path, tables=limits, clock=clock) as place:
        table = await place.opened()
        players = await sit_by_hand(table, {Seat.NORTH, Seat.SOUTH})
        await players[Seat.NORTH].asked.get()
        clock.ahead_ms += 100_000
        outcome = await ordered(place, table, OrderKind.EXTEND, board=1, seconds=180)
        assert outcome == "each side has 3 minutes 8 seconds for board 1"
        players[Seat.NORTH].call(PASS)
        await players[Seat.SOUTH].asked.get()
        assert place.query("SELECT kind FROM rulings") == []
        clock.ahead_ms += 101_000
        outcome = await ordered(place, table, OrderKind.EXTEND, board=1, seconds=-1)
        assert outcome == "each side has 3 minutes 7 seconds for board 1"
        await until(lambda: bool(place.query("SELECT kind FROM rulings")))
        players[Seat.SOUTH].call(PASS)
        await all_leave(players.values())
        assert place.query("SELECT kind, reason FROM rulings") == [
            ("penalty-imps", "NS took longer than 187 s on board 1")
        ]
        ((on_board,),) = place.query("SELECT ns_ms FROM results")
        assert 201_000 <= on_board < 230_000


async def test_the_time_in_which_the_process_stood_still_is_charged_to_nobody(tmp_path: Path) -> None:
    def freeze(line: str) -> None:
        if line.startswith("North's cards"):
            time.sleep(2.5)  # the players share the host's loop, which this holds up

    async with floor(tmp_path, tables=CLOCK) as place:
        table = await place.opened()
        players = await sit_by_hand(table, set(), freeze)
        await all_leave(players.values())
        assert thinking(place)["N"] < 1000
        assert place.query("SELECT ended FROM board_attempts") == [("passed-out",)]


async def test_half_a_line_does_not_stop_a_players_clock(tmp_path: Path) -> None:
    clock = JumpingClock()
    async with floor(tmp_path, tables="orphan_s = 86400", clock=clock) as place:
        table = await place.opened()
        players = await sit_by_hand(table, {Seat.NORTH})
        north = players[Seat.NORTH]
        await north.asked.get()
        assert north.transport is not None
        said, *more = north.core.make_call(PASS)
        assert isinstance(said, SendLine)
        north.transport.write(said.line[:3].encode())
        await asyncio.sleep(0.1)  # for the table to have read that
        clock.ahead_ms += 60_000
        north.transport.write(said.line[3:].encode() + b"\r\n")
        north.react(more)
        await all_leave(players.values())
        assert thinking(place)["N"] >= 59_000
