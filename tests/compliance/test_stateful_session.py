"""A session of the stateful-server protocol by itself: its timers, and what a bug of ours does."""

import asyncio

import pytest

from tourney.bridge import Seat
from tourney.compliance.patience import Patience
from tourney.compliance.scenarios import make_scenario
from tourney.compliance.session import SeatCheckSettings
from tourney.compliance.stateful_check import StatefulSession
from tourney.compliance.steps import StepKind
from tourney.compliance.waiting import WaitNotice
from tourney.protocol.session.effects import StartTimer
from tourney.table.clock import HostClock


class Connection:
    """A connection on which nothing comes."""

    def attach(self, receiver: object, gap_ms: int) -> None:
        pass

    def send(self, line: str, clock: int | None) -> None:
        pass

    def abort(self) -> None:
        pass


def new_session() -> StatefulSession:
    settings = SeatCheckSettings(seat=Seat.NORTH, team="Alpha", other_team="Beta", timeout_s=5, slow_s=0)
    scenario = make_scenario(StepKind.PASSED_OUT, Seat.NORTH, 0)
    notice, clock = WaitNotice(lambda _: None), HostClock()
    return StatefulSession(settings, [StepKind.PASSED_OUT], [scenario], clock, notice, Patience(5), None)


async def test_a_timer_that_was_replaced_does_not_fire(monkeypatch: pytest.MonkeyPatch) -> None:
    session = new_session()
    fired: list[str] = []
    both = asyncio.Event()

    def receive_timer(name: str, now_ms: int) -> list[object]:  # what the table takes
        fired.append(name)
        if name == "last":
            both.set()
        return []

    monkeypatch.setattr(session._core, "receive_timer", receive_timer)
    now_ms = HostClock().now_ms()
    session._carry_out([StartTimer("pause", now_ms), StartTimer("pause", now_ms + 1), StartTimer("last", now_ms + 2)])
    await both.wait()
    assert fired == ["pause", "last"]


@pytest.mark.parametrize("where", ["receive_timer", "receive_line"])
async def test_a_bug_of_ours_ends_the_check_and_is_not_blamed_on_the_program(
    where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = new_session()

    def fail(*_: object) -> list[object]:
        raise LookupError("a bug of ours")

    if where == "receive_timer":
        monkeypatch.setattr(session._core, "receive_timer", fail)
        session._carry_out([StartTimer("pause", 0)])
    else:
        # asyncio closes a connection on which reading has raised, and says why.
        asyncio.get_running_loop().call_soon(session.receive_close, LookupError("a bug of ours"))
    with pytest.raises(LookupError, match="a bug of ours"):
        await session.run(Connection(), None)  # type: ignore[arg-type]
