"""Boards are solved while their event is run: by a process of the lowest priority that ends with the run."""

import os
import signal
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import psutil
import pytest

from tests.support.commands import printed, run
from tests.support.endplay_reader import needs_endplay
from tests.support.events import bot, read_until, rest_of, start_tourney, until, write_event
from tests.support.played_event import draw_event, event_text
from tourney.coordinator import run_process
from tourney.coordinator.event_run import RunOutcome
from tourney.event.drawn import open_event
from tourney.lab import analysing
from tourney.results.played import iter_played

LATER = "starts = [2020-01-01T00:00:00Z, 2999-01-01T00:00:00Z, 2999-01-02T00:00:00Z]"


def write(folder: Path, extra: str = "") -> Path:
    teams = [(name, bot(seed)) for seed, name in enumerate(("Ants", "Bees", "Cats"), 1)]
    return write_event(folder, teams, boards=1, stage=LATER, extra=extra)


def solved_plays(event: Path) -> int:
    with open_event(event, is_read_only=True) as drawn:
        matches = iter_played(drawn.database, drawn.event, drawn.event.matches[:1], drawn.scales)
        return sum(len(board.analysis.plays) for match in matches for board in match.boards if board.analysis)


def is_solver(process: psutil.Process) -> bool:
    try:
        return bool(process.nice() == 19)
    except psutil.NoSuchProcess:
        return False


def solvers(run: int) -> list[psutil.Process]:
    return list(filter(is_solver, psutil.Process(run).children()))


def solve_as_fast_as_can_be(path: Path, sender: Any) -> None:
    """Solve what is public once, without waiting for a free core: a machine that runs tests has none."""
    analysing.beside_tables = nullcontext  # type: ignore[assignment]
    with open_event(path, is_read_only=True) as drawn:
        analysing._solve_public(drawn, {}, sender)


@needs_endplay
async def test_what_a_process_solves_is_stored_beside_the_run_until_it_dies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(analysing, "LOOK_S", 0)
    monkeypatch.setattr(analysing, "_solve_as_played", solve_as_fast_as_can_be)
    played = draw_event(tmp_path, event_text("Ants", "Bees", "Cats", boards=1))
    played.play(1)
    played.score()
    await analysing.analyse_beside(played.path, played.database, played.event)
    assert solved_plays(played.path) == 2
    assert caplog.messages == ["boards are no longer solved beside the run: the solver has died"]
    printed(run("analyse", played.path))


def test_boards_are_solved_while_a_core_is_free_and_seldom(monkeypatch: pytest.MonkeyPatch) -> None:
    # Of two cores others use 1.96, 1.02, 1.0; the solve takes half a second.
    used, clock, rests = [98.0, 51.0, 50.0, 0.0], [10.0, 10.5], list[float]()
    monkeypatch.setattr(psutil, "cpu_count", lambda: 2)
    monkeypatch.setattr(psutil, "cpu_percent", lambda interval: used.pop(0))
    monkeypatch.setattr("time.monotonic", lambda: clock.pop(0))
    monkeypatch.setattr("time.sleep", rests.append)
    with analysing.beside_tables():
        assert used == [0.0]
    assert rests == [20.0]


@pytest.mark.campaign
@needs_endplay
def test_a_killed_run_leaves_no_process_that_solves(tmp_path: Path) -> None:
    playing = start_tourney("run", write(tmp_path))
    read_until(playing, "round 2 starts at")
    until(lambda: bool(solvers(playing.pid)), "a process solves beside the run")
    (solver,) = solvers(playing.pid)
    os.kill(playing.pid, signal.SIGKILL)
    rest_of(playing)
    until(lambda: not solver.is_running() or solver.status() == psutil.STATUS_ZOMBIE, "the solver has ended")


@pytest.mark.parametrize(("extra", "is_solving"), [("", True), ("[analysis]\nautomatic = false", False)])
@needs_endplay
def test_boards_are_solved_beside_a_run_unless_the_event_file_says_otherwise(
    extra: str, is_solving: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    beside = []

    def note(*_: object, **given: Any) -> RunOutcome:
        beside.append(given["beside"])
        return RunOutcome()

    monkeypatch.setattr(run_process, "run_event", note)
    assert run("run", write(tmp_path, extra)).exit_code == 0
    assert [each is not None for each in beside] == [is_solving]
