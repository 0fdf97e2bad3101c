"""Strikes, withdrawals and forfeited matches: what follows from the record, once."""

import asyncio
from pathlib import Path

import pytest

from tests.sim.loop import Process, SimulatedLoop
from tests.sim.machines import Machine, SimulatedClock, SimulatedScheduler
from tests.sim.recording_hosts import Floor, RecordingLauncher
from tests.support.event_conversation import converse
from tests.support.event_director import EventDirector
from tests.support.live_event import HOST
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
from tourney.store.control.orders import pending_orders
from tourney.store.control.tables import load_progress
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


def crash(played: PlayedEvent, times: int, end: BoardEnd | None = BoardEnd.CRASH) -> None:
    """Have a program of Beta leave so many boards of its first match, open room; with no `end` it comes back."""
    number = matches_of(played, "Beta")[0]
    side = played.match(number).tables_at(0)[OPEN].side_of("Beta")
    seat = next(seat for seat in SEATS if seat.side is side)
    for board in range(1, times + 1):
        left = IncidentKind.DISCONNECT if end not in (BoardEnd.CRASH, None) else IncidentKind.CRASH
        played.incident(number, OPEN, board, left, seat, "it ended with status 3")
        if end is not None:
            played.forfeit(number, OPEN, board, seat, end, "it ended with status 3")


class Looking:
    """A run that looks for forfeits: what follows from the record is told in a conversation, see `tell`."""

    def __init__(self, played: PlayedEvent, strikes: int = 2) -> None:
        self.played = played
        self.reported = Reported()
        self.forfeits = Forfeits(run_context(played, self.reported.append, strikes=strikes))

    def tell(self, script: str) -> None:
        """`decided 2 3 -> 2`: those of matches 2 and 3, of all without a number, that are; `given -> ...` rulings."""
        converse(self.played, script, decided=self._decided, given=self._given, told=self._told)

    def _decided(self, played: PlayedEvent, *numbers: str) -> list[str]:
        self.forfeits.poll(match for match in played.event.matches if not numbers or str(match.number) in numbers)
        return sorted(map(str, self.forfeits.decided))

    @staticmethod
    def _given(played: PlayedEvent) -> list[str]:
        kinds = (RulingKind.WITHDRAWAL, RulingKind.MATCH_FORFEIT)
        rulings = [each for each in load_rulings(played.database, played.event.id) if each.kind in kinds]
        return [f"{each.kind.value} {each.team} {each.match or ''}".rstrip() for each in rulings]

    def _told(self, _: PlayedEvent) -> list[str]:
        rulings = [event.ruling for event in self.reported if isinstance(event, RulingGiven)]
        return [f"{each.kind.value} by {each.author} ({each.law}): {each.reason}" for each in rulings]


def test_a_team_that_has_had_its_strikes_is_withdrawn_and_forfeits_every_unfinished_match(
    played: PlayedEvent,
) -> None:
    crash(played, 2)
    first, *others = matches_of(played, "Beta")
    unfinished = " ".join(str(number) for number in range(1, 7) if number != first)
    Looking(played).tell(f"""
        decided {unfinished} -> {" -> ".join(map(str, others))}
        given -> withdrawal Beta -> {" -> ".join(f"match-forfeit Beta {number}" for number in others)}
        told -> withdrawal by {RULE_AUTHOR} (strikes): 2 crashes of its programs, 2 are borne -> ...
    """)


def test_new_rulings_are_told_once_and_those_from_before_the_run_never(played: PlayedEvent) -> None:
    crash(played, 1)
    Looking(played).tell(f"""
        decided
        told -> nothing
        rule 1 warning {played.match(1).home}
        decided
        decided
        told -> warning by rule (BC-45): ...
    """)


@pytest.mark.parametrize(
    ("end", "times", "strikes", "given"),
    [
        (BoardEnd.CRASH, 2, 3, "nothing"),
        (None, 2, 2, "withdrawal Beta -> ..."),
        (BoardEnd.STALL, 4, 1, "nothing"),
        (BoardEnd.DISCONNECT, 4, 1, "nothing"),
        (BoardEnd.TIME, 4, 1, "nothing"),
    ],
    ids=["one crash less", "the program came back", "a stall", "a disconnect", "late"],
)
def test_crashes_are_strikes_though_the_program_came_back_and_boards_lost_otherwise_are_none(
    played: PlayedEvent, end: BoardEnd | None, times: int, strikes: int, given: str
) -> None:
    crash(played, times, end)
    Looking(played, strikes).tell(f"decided\ngiven -> {given}")


def test_looking_again_gives_no_ruling_twice_in_this_run_or_the_next(played: PlayedEvent) -> None:
    crash(played, 3)
    looking = Looking(played)
    looking.tell("decided")
    rulings = load_rulings(played.database, played.event.id)
    for again in (looking, Looking(played)):
        again.tell(f"decided -> {' -> '.join(map(str, sorted(looking.forfeits.decided)))}")
    assert load_rulings(played.database, played.event.id) == rulings


def test_a_match_between_two_teams_that_have_withdrawn_is_forfeited_by_both(played: PlayedEvent) -> None:
    (number,) = set(matches_of(played, "Alpha")) & set(matches_of(played, "Beta"))
    Looking(played).tell(f"""
        Jane rules withdrawal Alpha: gone home
        Jane rules withdrawal Beta: gone home
        decided {number} -> {number}
    """)
    forfeits = Looking._given(played)[2:]
    assert sorted(forfeits) == [f"match-forfeit Alpha {number}", f"match-forfeit Beta {number}"]


def test_a_team_that_the_director_withdraws_forfeits_as_well_with_no_strikes_set(played: PlayedEvent) -> None:
    matches = " -> ".join(map(str, matches_of(played, "Gamma")))
    Looking(played, strikes=0).tell(f"Jane rules withdrawal Gamma: gone home\ndecided -> {matches}")


def test_a_withdrawal_or_a_forfeit_that_was_withdrawn_decides_nothing(played: PlayedEvent) -> None:
    Looking(played).tell(f"""
        Jane rules withdrawal Gamma: gone home
        ruling 1 is withdrawn
        decided -> nothing
        rule 2 match-forfeit {played.match(2).home}: it never came
        decided -> 2
        ruling 2 is withdrawn
        decided -> nothing
    """)


def test_strikes_that_the_director_has_forgiven_withdraw_nobody_again(played: PlayedEvent) -> None:
    crash(played, 2)
    looking = Looking(played)
    looking.tell("decided 0")
    (withdrawal,) = (r for r in load_rulings(played.database, played.event.id) if r.kind is RulingKind.WITHDRAWAL)
    looking.tell(f"ruling {withdrawal.id} is withdrawn\ndecided -> nothing\ngiven -> withdrawal Beta")


def test_tables_of_a_decided_match_are_told_to_stop_and_the_others_play_on(played: PlayedEvent) -> None:
    looking = Looking(played)
    looking.tell("1-open opens\n2-open opens")
    looking.forfeits.stop_tables(played.match(1))
    looking.tell(f"orders -> stop 1-open by {RULE_AUTHOR}\nholds -> stop 1-open -> stop 1-closed")
    assert {order.text for order in pending_orders(played.database, HOST)} == {"a ruling has ended the match"}


def test_tables_of_a_decided_match_that_nobody_plays_at_are_finished_without_fault(played: PlayedEvent) -> None:
    looking = Looking(played)
    looking.tell("1-open opens\n1-open is failed: stopped by rule: a ruling has ended the match\n2-open opens")
    for number in (1, 2):
        looking.forfeits.finish_tables(played.match(number))
    states = [(table.state, table.reason) for match in played.reload().matches[:2] for table in match.tables]
    assert states[:2] == [(TableState.FINISHED, "a ruling has ended the match")] * 2
    assert states[2][0] is TableState.OPEN, "it still plays"


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
