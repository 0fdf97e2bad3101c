"""A match that kills each host it comes to: it is played apart, then given up by a ruling, and all else is played."""

import asyncio
from pathlib import Path

import pytest

from tests.sim.loop import Process, SimulatedLoop
from tests.sim.machines import Machine, SimulatedClock, SimulatedScheduler
from tests.sim.recording_hosts import Floor, RecordingLauncher
from tests.support.played_event import BEGINS_AT_MS, PlayedEvent, draw_event, event_text
from tests.support.run_context import Reported
from tourney.audit.event import verify_event
from tourney.coordinator.event_run import EventRun, RunOutcome
from tourney.coordinator.host_pool import ATTEMPTS_MAX, HostLosses
from tourney.coordinator.run_context import Notice, RulingGiven
from tourney.errors import LaunchError
from tourney.movement.seating import Room, TableState
from tourney.protocol.session.records import RulingKind
from tourney.store.results.matches import load_match_scores
from tourney.store.rulings import load_rulings

HOUR_US = 3_600_000_000


class Hall:
    """An event that is run on a simulated machine, at which some tables kill their hosts."""

    def __init__(self, played: PlayedEvent, *deadly: int, board_s: float = 1.0) -> None:
        self.played = played
        self.loop = SimulatedLoop()  # type: ignore[abstract] # what it lacks, nothing here asks for
        self.floor = Floor(played.database, board_s=board_s, deadly=deadly)
        self.reported = Reported()
        process = Process(self.loop, "run")
        clock = SimulatedClock(self.loop)
        self.launcher = RecordingLauncher(Machine("home"), self.loop, process, self.floor)
        run = EventRun(
            played.file,
            played.database,
            played.event,
            self.reported.append,
            2,
            clock=clock,
            launcher=self.launcher,
            scheduler=SimulatedScheduler(self.loop, clock),
        )
        self.task: asyncio.Task[RunOutcome] = process.start(run.run())

    def play(self) -> RunOutcome:
        assert self.loop.run_until(self.task.done, HOUR_US)
        assert self.loop.errors == []
        return self.task.result()


def hall(tmp_path: Path, *deadly: tuple[int, Room], teams: int = 8, board_s: float = 1.0, stage: str = "") -> Hall:
    names = [f"Team {number}" for number in range(1, teams + 1)]
    stage = stage or 'format = "swiss"\nrounds = 2'
    played = draw_event(tmp_path, event_text(*names, stage=stage))
    tables = [played.match(number).tables_at(0)[room].id for number, room in deadly]
    return Hall(played, *tables, board_s=board_s)


def cancelled(played: PlayedEvent) -> list[tuple[int | None, int | None]]:
    rulings = load_rulings(played.database, played.event.id)
    return [(r.match, r.board) for r in rulings if r.kind is RulingKind.BOARD_CANCELLED]


def test_a_table_that_kills_every_host_is_given_up_by_a_ruling_and_all_else_is_played(tmp_path: Path) -> None:
    hall_ = hall(tmp_path, (2, Room.OPEN))
    outcome = hall_.play()
    played = hall_.played
    assert (outcome.matches_left, outcome.rounds_left, outcome.failures) == (0, 0, [])
    event = played.reload()
    scores = load_match_scores(played.database, event.id)
    assert scores.keys() == {match.number for match in event.matches}
    assert len(event.rounds) == 2
    assert cancelled(played) == [(2, 1), (2, 2)], "both boards of both rooms"
    assert [scores[number].boards for number in (1, 2, 3, 4)] == [2, 0, 2, 2]
    found = verify_event(played.database, event, event.matches, dict(played.file.scales), BEGINS_AT_MS).findings
    assert [f.text for f in found if "not played to an end" in f.text] == [], "nobody is to miss the boards"
    assert all(table.state is TableState.FINISHED for match in event.matches for table in match.tables)
    (given, _) = (event.ruling for event in hall_.reported if isinstance(event, RulingGiven))
    assert (given.author, given.law) == ("rule", "attempts")
    assert given.reason == "5 table hosts in a row have died at table 2-open, and none has finished a board there"
    failed = [event for event in hall_.reported if isinstance(event, Notice) and event.action == "host_failed"]
    assert len(failed) == ATTEMPTS_MAX
    assert hall_.floor.boards >= 2 * 2 * 7


def test_two_tables_that_kill_hosts_do_not_end_the_run(tmp_path: Path) -> None:
    hall_ = hall(tmp_path, (1, Room.OPEN), (4, Room.CLOSED))
    outcome = hall_.play()
    assert outcome.matches_left == 0
    assert {match for match, _ in cancelled(hall_.played)} == {1, 4}


def test_where_nothing_shows_that_hosts_can_play_here_the_run_gives_up_and_rules_on_nothing(tmp_path: Path) -> None:
    hall_ = hall(tmp_path, (1, Room.OPEN), (1, Room.CLOSED), teams=2, stage='format = "match"')
    with pytest.raises(
        LaunchError, match=r"^table hosts have died again and again at table 1-\w+, and no other table"
    ):
        hall_.play()
    assert cancelled(hall_.played) == []


def test_a_poisoned_match_waits_for_the_next_one_to_show_that_hosts_can_play(tmp_path: Path) -> None:
    """With one match at a time, it does not keep the next from starting."""
    played = draw_event(tmp_path, event_text("A", "B", "C", "D", stage="", more="[tables]\nat_once = 1\n"))
    hall_ = Hall(played, played.match(1).tables_at(0)[Room.OPEN].id)
    assert hall_.play().matches_left == 0
    assert {match for match, _ in cancelled(played)} == {1}


def test_hosts_that_never_begin_say_nothing_about_their_tables_and_end_the_run(tmp_path: Path) -> None:
    hall_ = hall(tmp_path)
    hall_.floor.never_begins = True
    with pytest.raises(LaunchError, match=r"^1[12] table hosts have died within 60 s, at most 10 may"):
        hall_.play()


def test_a_table_is_given_up_only_when_its_last_host_had_no_other_table_and_no_board_was_finished() -> None:
    losses = HostLosses()
    for _ in range(ATTEMPTS_MAX):
        losses.note_death([1, 2], 0, has_begun=True)
    assert not losses.is_given_up(1)
    losses.note_death([1], 0, has_begun=True)
    assert losses.is_given_up(1)
    assert not losses.is_given_up(2)
    losses.forget([1])
    assert not losses.is_given_up(1)
