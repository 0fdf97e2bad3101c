"""What a run does beside its rounds: its files are there, backups are made, and trouble is told once."""

import asyncio
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from unittest.mock import create_autospec

import pytest

from tests.support.played_event import draw_event, event_text
from tests.support.run_context import Reported, run_context
from tourney.coordinator import watchdog
from tourney.coordinator.run_lease import RunLease
from tourney.coordinator.watchdog import Scheduler, Watchdog
from tourney.errors import LaunchError, RunLeaseLost, StoreError, StoreUnavailable
from tourney.launch.hosts import HostSecrets, LocalLauncher
from tourney.runtime.clock import wall_ms
from tourney.store.db.database import Database


class Run:
    """A drawn event with the run's lease on it."""

    def __init__(self, folder: Path, every_s: int = 600) -> None:
        text = event_text(more="[tables]\nlease_s = 2\n")
        text = text.replace("[event]\n", f"[event]\nbackup_every_s = {every_s}\n", 1)
        self.played = draw_event(folder, text)
        event_id, results = self.played.event.id, self.played.file.results
        launcher = LocalLauncher(event_id, HostSecrets(self.played.database.address), results)
        self.lease = RunLease(self.played.database, event_id, 2, launcher)
        self.lease.take(wall_ms())
        self.told = Reported()
        self.troubles = 0
        self.slow = 0
        self.watchdog = Watchdog(
            run_context(self.played, self.told.append),
            self.lease,
            on_failure=self.note_trouble,
            on_slow=self.note_slow,
        )

    def note_trouble(self) -> None:
        self.troubles += 1

    def note_slow(self) -> None:
        self.slow += 1


@pytest.fixture
def run(tmp_path: Path) -> Iterator[Run]:
    started = Run(tmp_path)
    with closing(started.played.database):
        yield started


def test_a_database_that_another_was_put_in_the_place_of_is_named(run: Run) -> None:
    file = run.played.database.file
    assert file is not None
    copy = file.with_suffix(".copy")
    copy.write_bytes(file.read_bytes())
    copy.replace(file)
    with pytest.raises(LaunchError, match=r"event\.db was put in the place of another while the event is run"):
        run.watchdog.check_files()


async def test_a_run_that_has_lost_its_hold_is_told_so_and_looks_after_nothing_more(run: Run) -> None:
    run.lease.release()
    await run.watchdog.run()
    assert run.troubles == 1
    assert run.lease.is_lost
    with pytest.raises(RunLeaseLost, match="for more than 2 s and the event is run by nobody now: it stops"):
        run.watchdog.check()


async def test_while_the_database_is_away_nobody_is_to_be_heard_of(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def away(now_ms: int) -> None:
        raise StoreUnavailable("the database is away")

    monkeypatch.setattr(run.lease, "renew", away)
    keeping = asyncio.create_task(run.watchdog.run())
    while run.slow < 2:  # noqa: ASYNC110 # it counts up by itself
        await asyncio.sleep(0.02)
    keeping.cancel()
    assert run.troubles == 0
    run.watchdog.check()


async def test_backups_are_made_into_the_results_folder_and_old_ones_dropped(run: Run) -> None:
    for _ in range(5):
        await run.watchdog._back_up()
    backups = list((run.played.file.results / "backups").iterdir())
    assert len(backups) == 3
    with closing(Database(f"sqlite:///{backups[0]}")) as copy, copy.read() as connection:
        assert connection.exec_driver_sql("SELECT count(*) FROM events").scalar() == 1
    assert run.told.notices == []


async def test_backups_that_fail_are_told_of_once_and_again_after_one_that_did_not(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise StoreError("there is no pg_dump here")

    for _ in range(2):
        with monkeypatch.context() as patch:
            patch.setattr(watchdog, "backup_database", fail)
            await run.watchdog._back_up()
            await run.watchdog._back_up()
        await run.watchdog._back_up()
    assert run.told.notices == ["no backup could be made: there is no pg_dump here"] * 2


@pytest.mark.parametrize(("every_s", "jobs"), [(0, []), (7, [(7, "backup")])])
def test_backups_are_due_as_often_as_the_event_file_says(
    tmp_path: Path, every_s: int, jobs: list[tuple[int, str]]
) -> None:
    run = Run(tmp_path, every_s)
    scheduler = create_autospec(Scheduler, instance=True)
    run.watchdog.schedule_backups(scheduler)
    assert [call.args[:2] for call in scheduler.call_every.call_args_list] == jobs
    run.played.database.close()
