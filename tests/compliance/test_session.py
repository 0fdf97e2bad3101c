"""A session by itself: its timers, and what a bug of ours does, in either language."""

import asyncio

import pytest

from tourney.bridge import Seat
from tourney.compliance.context import CheckSettings, SeatContext
from tourney.compliance.findings import StepKind
from tourney.compliance.scenarios import Scenario
from tourney.compliance.session import CheckSession
from tourney.protocol.session.effects import StartTimer
from tourney.protocol.wires import DEFAULT, Language
from tourney.runtime.clock import HostClock

LANGUAGES = pytest.mark.parametrize("language", list(Language))


class Connection:
    """A connection on which nothing comes."""

    in_packets = False

    def attach(self, receiver: object) -> None:
        pass

    def send(self, line: str, clock: int | None) -> None:
        pass

    def abort(self) -> None:
        pass


def new_session(language: Language) -> CheckSession:
    settings = CheckSettings(protocol=language, timeout_s=5, slow_s=0)
    context = SeatContext(settings, Seat.NORTH, HostClock(), None, lambda _: None)
    return CheckSession(context, DEFAULT, [Scenario(StepKind.PASSED_OUT, Seat.NORTH)])


async def begun_session(language: Language) -> "tuple[CheckSession, asyncio.Task[object]]":
    session = new_session(language)
    running = asyncio.create_task(session.run(Connection(), None))  # type: ignore[arg-type]
    await asyncio.sleep(0)
    return session, running


@LANGUAGES
async def test_a_timer_that_was_replaced_does_not_fire(language: Language, monkeypatch: pytest.MonkeyPatch) -> None:
    session, running = await begun_session(language)
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
    running.cancel()
    session.release()
    assert fired == ["pause", "last"]


@LANGUAGES
@pytest.mark.parametrize("where", ["receive_timer", "receive_line"])
async def test_a_bug_of_ours_ends_the_check_and_is_not_blamed_on_the_program(
    where: str, language: Language, monkeypatch: pytest.MonkeyPatch
) -> None:
    session, running = await begun_session(language)

    def fail(*_: object) -> list[object]:
        raise LookupError("a bug of ours")

    if where == "receive_timer":
        monkeypatch.setattr(session._core, "receive_timer", fail)
        session._carry_out([StartTimer("pause", 0)])
    else:
        # asyncio closes a connection on which reading has raised, and says why.
        asyncio.get_running_loop().call_soon(session.receive_close, LookupError("a bug of ours"))
    with pytest.raises(LookupError, match="a bug of ours"):
        await running
    session.release()
