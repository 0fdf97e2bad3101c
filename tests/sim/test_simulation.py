"""Whole events on a time of their own, with everything going wrong that a seed can bring."""

import asyncio
import gc
import math
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from functools import partial
from itertools import chain, islice
from pathlib import Path

import pytest

from tests.sim import simulation
from tests.sim.bounds import ENTRIES_MAX, board_limit_ms, step_limit_ms
from tests.sim.plan import SECOND_US, Plan, Shape, plan_of
from tests.sim.players import Flaw
from tests.sim.seeds import load_failed
from tests.sim.simulation import simulate
from tests.sim.store import Failure
from tourney.config import Durability
from tourney.host.connection import TcpConnection
from tourney.host.journal import Journal
from tourney.host.lease import HostLease
from tourney.host.manager import TableManager
from tourney.protocol.session.adjudication import Adjudicator
from tourney.protocol.session.records import CallMade, CardPlayed, TableRecord
from tourney.protocol.session.rules import TableRules
from tourney.store.record import writer
from tourney.store.record.writer import Recorder, TableLedger

SEEDS = range(120)
"""As many as bring every kind of fault; `make simulate` plays a thousand."""

PARTS = 8
SUITE_PARTS = 1
"""How many of them the suite plays; campaigns play the others."""

LEASE_US = 2 * SECOND_US
"""After such a silence a host, or a run, is taken for dead."""

Batch = Iterable[tuple[TableLedger, TableRecord]]


def faults(
    is_fit: Callable[[Plan], bool] = lambda _: True, among: int = 1000, most: int = 10, known: int = 0
) -> Iterator[str]:
    """The first fault of each seed that has one, among the first `most` of so many whose plans are fit.

    Seed `known` comes first: the first that had what a test looks for when it was written.
    """
    seeds = (seed for seed in chain([known], range(among)) if is_fit(plan_of(seed)))
    for seed in islice(seeds, most):
        yield from simulate(seed).faults[:1]


@pytest.fixture(autouse=True)
def _loop_of_what_is_left() -> Iterator[None]:
    """Close the loop that asyncio makes for the coroutines of an event that was given up at its first fault."""
    with closing(asyncio.new_event_loop()) as loop:
        asyncio.set_event_loop(loop)
        yield
        gc.collect()
        asyncio.set_event_loop(None)


def first_fault(is_fit: Callable[[Plan], bool] = lambda _: True) -> str:
    return next(faults(is_fit), "")


def plays_cards(plan: Plan) -> bool:
    return not plan.passing


@pytest.mark.parametrize(
    "part",
    [
        *range(SUITE_PARTS),
        *(pytest.param(part, marks=pytest.mark.campaign) for part in range(SUITE_PARTS, PARTS)),
    ],
)
def test_whatever_goes_wrong_the_event_finishes_and_nobody_is_told_what_is_not_on_record(part: int) -> None:
    for seed in SEEDS[part::PARTS]:
        outcome = simulate(seed)
        assert not outcome.faults, f"make simulate SEED={seed}: {outcome.faults[0]}"


def freezes_long(plan: Plan) -> bool:
    return plan.freeze is not None and plan.freeze.lasts_us > LEASE_US


def test_the_seeds_bring_every_kind_of_fault() -> None:
    plans = [plan_of(seed) for seed in SEEDS]
    flaws = {who.flaw for plan in plans for those in plan.characters.values() for who in those}
    assert flaws == set(Flaw)
    assert {outage.failure for plan in plans for outage in plan.outages} == set(Failure)
    assert {plan.shape for plan in plans} == set(Shape)
    assert {plan.durability for plan in plans} == set(Durability)
    assert {plan.durability for plan in plans if plan.power_cut is not None} == set(Durability)
    brought: list[Callable[[Plan], object]] = [
        lambda p: p.is_hopeless,
        lambda p: p.hosts == 2,
        freezes_long,
        lambda p: p.moves and freezes_long(p),
        lambda p: p.run_freeze is not None and p.has_rival,
        lambda p: any(p.run_deaths) and p.restart_us,
        lambda p: p.deaths and None not in p.deaths,
        lambda p: p.network.cut_share,
        lambda p: p.network.lost_share,
    ]
    for kind in brought:
        assert any(map(kind, plans))


@pytest.mark.campaign
@pytest.mark.parametrize("seed", load_failed())
def test_seeds_that_once_failed_hold(seed: int) -> None:
    assert not simulate(seed).faults


def test_a_board_that_stands_still_is_seen_before_the_event_has_had_its_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Adjudicator, "_patience_ms", lambda *_: 10**9)  # nobody has stalled
    monkeypatch.setattr(TcpConnection, "probe", lambda _: None)
    assert simulate(157).faults[0].startswith("nothing goes on at table 1 since ")


def test_the_longest_board_that_the_default_rules_allow_ends_some_day() -> None:
    rules = TableRules()
    assert step_limit_ms(rules, 0) < step_limit_ms(rules, ENTRIES_MAX) < board_limit_ms(rules)


def loses_power(plan: Plan) -> bool:
    return plan.durability is Durability.PROCESS and plan.power_cut is not None


@pytest.mark.campaign
def test_power_cuts_take_calls_that_were_told() -> None:
    seeds = (seed for seed in range(150) if loses_power(plan_of(seed)))
    assert any("power cut, calls or cards lost" in simulate(seed).happened for seed in seeds)


@pytest.mark.campaign
def test_a_seed_gives_the_same_record_and_the_same_lines_in_any_process() -> None:
    seeds = (10, 12)  # with deaths, orders of the director and programs that go wrong, and soon over
    digests = [simulate(seed).digest for seed in seeds]
    assert [simulate(seed).digest for seed in seeds] == digests
    assert len(set(digests)) == len(seeds)
    command = f"from tests.sim.simulation import simulate; print(*(simulate(seed).digest for seed in {seeds}))"
    other = subprocess.run(
        [sys.executable, "-c", command],
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[2],
        env=os.environ | {"PYTHONHASHSEED": "2" if os.environ.get("PYTHONHASHSEED") == "1" else "1"},
        check=True,
    )
    assert other.stdout.split() == digests


# What the simulation would see, if the program were wrong


def test_a_call_told_before_it_is_on_record_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    write, held = Recorder.write, list[tuple[TableLedger, TableRecord]]()

    def late(recorder: Recorder, batch: Batch) -> None:
        due, held[:] = list(held), list(batch)
        if not all(isinstance(record, CallMade | CardPlayed) for _, record in held):
            due, held[:] = [*due, *held], []
        write(recorder, due)

    monkeypatch.setattr(Recorder, "write", late)
    assert first_fault(plays_cards).endswith("it is not on record")


def test_a_call_told_while_the_thread_that_writes_it_waits_for_the_disk_is_seen(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def hasty(journal: Journal) -> None:
        journal._batch, journal._queue = journal._batch or journal._queue, []
        writing = journal._writer.do(partial(journal._write_patiently, journal._records()))
        journal._carry_out(journal._clock.now_ms())
        await writing

    monkeypatch.setattr(Journal, "_write_batch_in_thread", hasty)
    fault = first_fault(lambda plan: plays_cards(plan) and plan.sync_us > 0 and plan.durability is Durability.FULL)
    assert fault.endswith("on record")


ALERT = " Alert. 0 to 40 total points."


@pytest.mark.parametrize(
    ("told", "is_fit", "fault"),
    [
        (lambda line: [line + ALERT if line.endswith("passes") else line], None, f"with {ALERT!r} in place of ''"),
        (lambda line: [line.replace("North's cards", "East's cards")], None, "it holds \"North's cards"),
        (
            lambda line: [line, line.replace("North's", "Dummy's")] if "h's cards" in line else [line],
            None,
            "no lead is on record$",
        ),
        (
            lambda line: [line, line] if " plays " in line else [line],
            plays_cards,
            " plays .*(it is not on record|comes before)$",
        ),
        (lambda line: [] if line == "East passes" else [line], lambda plan: plan.passing, "^not finished within 1 s"),
    ],
    ids=["an alert for others", "another hand", "dummy before the lead", "a card twice", "a call left out"],
)
def test_a_wrong_line_to_a_player_is_seen(
    monkeypatch: pytest.MonkeyPatch,
    told: Callable[[str], list[str]],
    is_fit: Callable[[Plan], bool] | None,
    fault: str,
) -> None:
    send = TcpConnection.send

    def changed(link: TcpConnection, line: str, clock: int | None, now_ms: int) -> bool:
        return all(send(link, other, clock, now_ms) for other in told(line))

    monkeypatch.setattr(TcpConnection, "send", changed)
    if fault.endswith("1 s"):
        monkeypatch.setattr(simulation, "LIMIT_US", SECOND_US)
    assert re.search(fault, first_fault(is_fit or (lambda _: True)))


def test_a_host_that_writes_for_a_table_it_has_lost_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writer, "check_attempts", lambda connection, attempts: None)
    monkeypatch.setattr(writer, "count_batch", lambda connection, host, number, before: True)
    never = property(lambda _: math.inf, lambda _, at_ms: None)
    monkeypatch.setattr(HostLease, "held_until_ms", never, raising=False)
    monkeypatch.setattr(HostLease, "due_at_ms", never, raising=False)
    # Of such plans, one in eight has a host that is slow enough at the right moment.
    found = faults(lambda plan: plan.moves and not any(plan.deaths) and not plan.outages, 6000, 60, 1680)
    assert any("writes attempt" in fault for fault in found)


def test_a_table_that_waits_for_ever_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(TableManager, "start_timer", lambda manager, name, at_ms, now_ms: None)
    monkeypatch.setattr(simulation, "LIMIT_US", 5 * SECOND_US)
    fault = first_fault(lambda plan: any(c.flaw is Flaw.HANG for those in plan.characters.values() for c in those))
    assert fault.startswith("not finished within 5 s")


def test_a_finished_board_that_a_power_cut_takes_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writer, "_SETTLING", ())
    assert any("a power cut has taken that" in fault for fault in faults(loses_power, known=11))


def test_a_call_that_a_power_cut_takes_though_it_was_to_be_on_the_disk_is_seen(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Recorder, "has_to_be_synced", lambda recorder, records: False)
    found = faults(lambda plan: plan.durability is Durability.FULL and plan.power_cut is not None)
    assert any("were to be on the disk" in fault or "has taken that" in fault for fault in found)
