"""Strikes, withdrawals and forfeited matches: what follows from the record, once."""

import asyncio
from collections.abc import Iterable
from pathlib import Path

import pytest

from tests.sim.loop import Process, SimulatedLoop
from tests.sim.machines import Machine, SimulatedClock, SimulatedScheduler
from tests.sim.recording_hosts import Floor, RecordingLauncher
from tests.support.event_director import EventDirector
from tests.support.live_event import HOST, set_state, take_up
from tests.support.played_event import BEGINS_AT_MS, PlayedEvent, draw_event, event_text
from tests.support.run_context import Reported, run_context
from tourney.audit.event import verify_event
from tourney.bridge import SEATS
from tourney.coordinator.event_run import EventRun, RunOutcome
from tourney.coordinator.forfeits import Forfeits
from tourney.coordinator.host_pool import ATTEMPTS_MAX, HostLosses
from tourney.coordinator.run_context import Notice, RulingGiven
from tourney.errors import LaunchError
from tourney.movement.seating import Room, TableState
from tourney.protocol.session.records import RULE_AUTHOR, BoardEnd, IncidentKind, RulingKind
from tourney.results.scorecard import work_out_scorecard
from tourney.store.control.orders import load_holds, pending_orders
from tourney.store.control.tables import load_progress
from tourney.store.models import OrderKind
from tourney.store.results.matches import load_match_boards, load_match_scores
from tourney.store.rulings import load_rulings

OPEN, CLOSED = Room.OPEN, Room.CLOSED
NOW_MS = BEGINS_AT_MS + 500_000


@pytest.fixture
def played(tmp_path: Path) -> PlayedEvent:
    """Six matches of four boards: four teams, each against each."""
    return draw_event(tmp_path, event_text("Alpha", "Beta", "Gamma", "Delta", boards=4))


def matches_of(played: PlayedEvent, team: str) -> list[int]:
    return [match.number for match in played.event.matches if team in (match.home, match.away)]


def crash(played: PlayedEvent, team: str, times: int, end: BoardEnd | None = BoardEnd.CRASH) -> None:
    """Have a team's program leave so many boards of its first match, open room; with no `end` it comes back."""
    number = matches_of(played, team)[0]
    side = played.match(number).tables_at(0)[OPEN].side_of(team)
    seat = next(seat for seat in SEATS if seat.side is side)
    for board in range(1, times + 1):
        left = IncidentKind.DISCONNECT if end not in (BoardEnd.CRASH, None) else IncidentKind.CRASH
        played.incident(number, OPEN, board, left, seat, "it ended with status 3")
        if end is not None:
            played.forfeit(number, OPEN, board, seat, end, "it ended with status 3")


def forfeits_of(played: PlayedEvent, strikes: int = 2, reported: Reported | None = None) -> Forfeits:
    return Forfeits(run_context(played, (reported if reported is not None else Reported()).append, strikes=strikes))


def poll(played: PlayedEvent, forfeits: Forfeits, numbers: Iterable[int] | None = None) -> frozenset[int]:
    """Look while the matches of these numbers are unfinished, by default all; return which are decided."""
    forfeits.poll(match for match in played.event.matches if numbers is None or match.number in numbers)
    return forfeits.decided


def given(played: PlayedEvent, *kinds: RulingKind) -> list[tuple[RulingKind, str, int | None]]:
    return [(r.kind, r.team, r.match) for r in load_rulings(played.database, played.event.id) if r.kind in kinds]


def test_a_team_that_has_had_its_strikes_is_withdrawn_and_forfeits_every_unfinished_match(
    played: PlayedEvent,
) -> None:
    reported = Reported()
    forfeits = forfeits_of(played, reported=reported)
    crash(played, "Beta", 2)
    first, *others = matches_of(played, "Beta")
    decided = poll(played, forfeits, [number for number in range(1, 7) if number != first])
    assert decided == frozenset(others)
    assert given(played, RulingKind.WITHDRAWAL, RulingKind.MATCH_FORFEIT) == [
        (RulingKind.WITHDRAWAL, "Beta", None),
        *((RulingKind.MATCH_FORFEIT, "Beta", number) for number in others),
    ]
    new = [event.ruling for event in reported if isinstance(event, RulingGiven)]
    (withdrawal,) = (ruling for ruling in new if ruling.kind is RulingKind.WITHDRAWAL)
    assert (withdrawal.author, withdrawal.law) == (RULE_AUTHOR, "strikes")
    assert withdrawal.reason == "2 crashes of its programs, 2 are borne"


def test_new_rulings_are_told_once_and_those_from_before_the_run_never(played: PlayedEvent) -> None:
    crash(played, "Beta", 1)
    reported = Reported()
    forfeits = forfeits_of(played, reported=reported)
    poll(played, forfeits)
    assert reported == []
    ruling = played.rule(1, played.match(1).home, RulingKind.WARNING)
    poll(played, forfeits)
    poll(played, forfeits)
    assert [event.ruling.id for event in reported if isinstance(event, RulingGiven)] == [ruling]


def test_one_crash_less_than_the_strikes_changes_nothing(played: PlayedEvent) -> None:
    crash(played, "Beta", 2)
    assert poll(played, forfeits_of(played, strikes=3)) == frozenset()
    assert given(played, RulingKind.WITHDRAWAL, RulingKind.MATCH_FORFEIT) == []


def test_a_crash_is_a_strike_although_the_program_came_back(played: PlayedEvent) -> None:
    crash(played, "Beta", 2, end=None)
    poll(played, forfeits_of(played))
    assert given(played, RulingKind.WITHDRAWAL) == [(RulingKind.WITHDRAWAL, "Beta", None)]


@pytest.mark.parametrize("end", [BoardEnd.STALL, BoardEnd.DISCONNECT, BoardEnd.TIME])
def test_boards_lost_otherwise_than_by_a_crash_are_no_strikes(played: PlayedEvent, end: BoardEnd) -> None:
    crash(played, "Beta", 4, end)
    assert poll(played, forfeits_of(played, strikes=1)) == frozenset()


def test_looking_again_gives_no_ruling_twice_in_this_run_or_the_next(played: PlayedEvent) -> None:
    crash(played, "Beta", 3)
    forfeits = forfeits_of(played)
    before = poll(played, forfeits)
    rulings = load_rulings(played.database, played.event.id)
    for again in (forfeits, forfeits_of(played)):
        assert poll(played, again) == before
    assert load_rulings(played.database, played.event.id) == rulings


def test_a_match_between_two_teams_that_have_withdrawn_is_forfeited_by_both(played: PlayedEvent) -> None:
    for team in ("Alpha", "Beta"):
        played.rule(None, team, RulingKind.WITHDRAWAL, "gone home", author="Jane")
    (number,) = set(matches_of(played, "Alpha")) & set(matches_of(played, "Beta"))
    assert poll(played, forfeits_of(played), [number]) == {number}
    assert sorted(team for _, team, _ in given(played, RulingKind.MATCH_FORFEIT)) == ["Alpha", "Beta"]


def test_a_team_that_the_director_withdraws_forfeits_as_well_with_no_strikes_set(played: PlayedEvent) -> None:
    played.rule(None, "Gamma", RulingKind.WITHDRAWAL, "gone home", author="Jane")
    assert poll(played, forfeits_of(played, strikes=0)) == frozenset(matches_of(played, "Gamma"))


def test_a_withdrawal_that_was_withdrawn_forfeits_nothing(played: PlayedEvent) -> None:
    played.withdraw(played.rule(None, "Gamma", RulingKind.WITHDRAWAL, "gone home", author="Jane"))
    assert poll(played, forfeits_of(played)) == frozenset()
    assert given(played, RulingKind.MATCH_FORFEIT) == []


def test_a_forfeit_that_was_withdrawn_decides_no_match(played: PlayedEvent) -> None:
    ruling = played.rule(2, played.match(2).home, RulingKind.MATCH_FORFEIT, "it never came")
    assert poll(played, forfeits_of(played)) == {2}
    played.withdraw(ruling)
    assert poll(played, forfeits_of(played)) == frozenset()


def test_strikes_that_the_director_has_forgiven_withdraw_nobody_again(played: PlayedEvent) -> None:
    crash(played, "Beta", 2)
    forfeits = forfeits_of(played)
    poll(played, forfeits, [])
    (withdrawal,) = (r for r in load_rulings(played.database, played.event.id) if r.kind is RulingKind.WITHDRAWAL)
    played.withdraw(withdrawal.id)
    assert poll(played, forfeits) == frozenset()
    assert len(given(played, RulingKind.WITHDRAWAL)) == 1


def test_tables_of_a_decided_match_are_told_to_stop_and_the_others_play_on(played: PlayedEvent) -> None:
    decided, other = take_up(played, 1, OPEN), take_up(played, 2, OPEN)
    forfeits_of(played).stop_tables(played.match(1))
    (order,) = pending_orders(played.database, HOST)
    assert (order.table_id, order.kind, order.author, order.text) == (
        decided.id,
        OrderKind.STOP,
        RULE_AUTHOR,
        "a ruling has ended the match",
    )
    assert other.id not in load_holds(played.database, [other.id])


def test_tables_of_a_decided_match_that_nobody_plays_at_are_finished_without_fault(played: PlayedEvent) -> None:
    set_state(played, take_up(played, 1, OPEN), TableState.FAILED, "stopped by rule: a ruling has ended the match")
    forfeits_of(played).finish_tables(played.match(1))
    played.reload()
    assert [(table.state, table.reason) for table in played.match(1).tables] == [
        (TableState.FINISHED, "a ruling has ended the match")
    ] * 2
    assert {table.state for table in played.match(2).tables} == {TableState.WAITING}


def test_a_table_of_a_decided_match_that_still_plays_is_left_alone(played: PlayedEvent) -> None:
    take_up(played, 1, OPEN)
    forfeits_of(played).finish_tables(played.match(1))
    played.reload()
    assert played.match(1).tables_at(0)[OPEN].state is TableState.OPEN


def test_a_match_is_played_after_all_when_its_forfeit_is_withdrawn_whether_its_tables_have_ended_or_not(
    tmp_path: Path,
) -> None:
    for folder, later_us in ((tmp_path / "ended", 2_000_000), (tmp_path / "ending", 100_000)):
        folder.mkdir()
        at_work = hall(folder, teams=4, board_s=5.0)
        played, loop = at_work.played, at_work.loop
        loop.run_until(lambda: False, 3_000_000)
        ruling = played.rule(1, played.match(1).home, RulingKind.MATCH_FORFEIT, "asleep", author="Jane")
        loop.run_until(lambda: False, loop.now_us + later_us)
        played.withdraw(ruling)
        assert at_work.play().matches_left == 0
        played.reload()
        left = [table.id for table in played.match(1).tables]
        progress = load_progress(played.database, left)
        assert [seen.boards_finished for seen in progress.values()] == [
            seen.table.boards for seen in progress.values()
        ]
        assert load_match_scores(played.database, played.event.id)[1].boards == played.match(1).boards


def test_a_ruling_scores_no_match_that_is_being_played_and_the_run_does_by_all_that_was_played(
    tmp_path: Path,
) -> None:
    at_work = hall(tmp_path, teams=4, board_s=5.0)
    played, loop = at_work.played, at_work.loop
    loop.run_until(lambda: False, 3_000_000)
    match = played.match(1)
    for board in load_match_boards(played.database, match):
        director = EventDirector(played)
        director.adjust(match, board.number, {match.home: 3, match.away: -3})
    assert 1 not in load_match_scores(played.database, played.event.id)
    assert at_work.play().matches_left == 0
    played.reload()
    stored = load_match_scores(played.database, played.event.id)[1]
    assert stored == work_out_scorecard(played.database, played.match(1), played.file.scales[1]).score
    assert stored.boards == match.boards


# A match that kills each host it comes to: it is played apart, then given up by a ruling, and all else is played


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
