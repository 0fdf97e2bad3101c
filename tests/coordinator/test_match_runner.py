"""Matches that are started, and those that are over: scored, or given extra boards when a knockout needs a winner."""

import json
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import Mock, create_autospec

import pytest

from tests.support.event_conversation import converse
from tests.support.played_event import BEGINS_AT_MS, PlayedEvent, draw_event, event_text
from tests.support.run_context import Reported, run_context
from tourney.bridge import SEATS, Side
from tourney.config import SandboxKind
from tourney.coordinator import match_runner
from tourney.coordinator.host_pool import HostLosses, HostPool
from tourney.coordinator.match_runner import MatchRunner
from tourney.coordinator.run_context import MatchHeld, Notice, RunEvent, TableProgressed, TablesOpened
from tourney.errors import StoreUnavailable
from tourney.movement.knockout import EXTRA_TIMES
from tourney.movement.seating import Room, TableState
from tourney.store.control.hosts import add_host, join_host
from tourney.store.control.leases import ProcessIdentity
from tourney.store.control.orders import give_orders
from tourney.store.control.table_state import assign_table, set_table_ports, take_table
from tourney.store.control.tables import ProgressWatch, TableProgress
from tourney.store.models import OrderKind
from tourney.store.results.matches import load_match_scores
from tourney.views.schedule import load_schedule


def playing(played: PlayedEvent) -> MatchRunner:
    return MatchRunner(run_context(played), Mock(HostPool))


def reporting(played: PlayedEvent, *hosts: str, sandbox: SandboxKind | None = None) -> tuple[MatchRunner, Reported]:
    """A run that places its tables at these hosts in turn, and what it reports."""
    reported, pool = Reported(), create_autospec(HostPool, instance=True, losses=HostLosses())
    pool.place.side_effect = hosts
    return MatchRunner(run_context(played, reported.append), pool, *([sandbox] if sandbox else [])), reported


def finished(played: PlayedEvent) -> list[str]:
    """What a run makes of match 1, of which all tables have finished: a score, or extra boards."""
    at_work, match = playing(played), played.reload().matches[0]
    score = at_work.score(match)
    if score is None:
        at_work.give_extra_boards(match)
    (match,) = played.reload().matches
    boards = load_schedule(played.database, played.event).boards_of(match)
    if score is None:
        return [f"boards {' '.join(map(str, boards))} in {len(match.segments)} segments"]
    return [f"{score.imps_home} - {score.imps_away} in {score.boards} boards"]


tell = partial(converse, finished=finished)


@pytest.fixture
def knockout(tmp_path: Path) -> PlayedEvent:
    """A match of two boards, with two extra ones when it is level."""
    return draw_event(tmp_path, event_text("Ants", "Bees", stage='format = "match"\nextra_boards = 2'))


DECIDED_BY_EXTRA_BOARDS = """
    match 1 boards 1-2: 1NT N 7, 1NT N 7
    finished -> boards 1 2 3 4 in 2 segments
    match 1 board 3: 1NT N 7, 1NT N 7
    match 1 board 4: 4S N 10, 4S N 9
"""


def test_a_level_match_gets_extra_boards_that_are_numbered_on_once_however_often_it_is_looked_at(
    knockout: PlayedEvent,
) -> None:
    tell(
        knockout,
        """
        match 1 boards 1-2: 1NT N 7, 1NT N 7
        finished -> boards 1 2 3 4 in 2 segments
        finished -> boards 1 2 3 4 in 2 segments
        """,
    )
    assert load_match_scores(knockout.database, knockout.event.id) == {}


def test_extra_boards_decide_the_match(knockout: PlayedEvent) -> None:
    tell(knockout, f"{DECIDED_BY_EXTRA_BOARDS}\nfinished -> 12 - 0 in 4 boards")


def test_a_match_with_extra_boards_has_no_victory_points(knockout: PlayedEvent) -> None:
    """The scale is for the boards that it was drawn with."""
    tell(
        knockout,
        f"""
        {DECIDED_BY_EXTRA_BOARDS}
        scored
        $ rounds EVENT --json | rounds.matches: state boards_over imps_home vp_home vp_away -> over 4 12 - -
        $ match EVENT 1 --json | : imps_home vp_home vp_away -> 12 - -
        """,
    )


def test_a_match_that_stays_level_is_scored_after_the_last_extra_boards(knockout: PlayedEvent) -> None:
    for times in range(EXTRA_TIMES):
        tell(
            knockout,
            f"""
            match 1 boards {2 * times + 1}-{2 * times + 2}: 1NT N 7, 1NT N 7
            finished -> boards ... in {times + 2} segments
            """,
        )
    last = 2 + 2 * EXTRA_TIMES
    tell(knockout, f"match 1 boards {last - 1}-{last}: 1NT N 7, 1NT N 7\nfinished -> 0 - 0 in {last} boards")


def test_a_match_that_carry_over_or_a_forfeit_decides_gets_no_extra_boards(knockout: PlayedEvent) -> None:
    tell(
        knockout,
        """
        match 1 boards 1-2: 1NT N 7, 1NT N 7
        rule 1 match-forfeit Ants
        finished -> 0 - 0 in ... boards
        """,
    )


def test_seats_go_on_to_change_through_the_extra_boards(tmp_path: Path) -> None:
    stage = 'format = "match"\nextra_boards = 1\nsegments = 2\nseats = "alternate"'
    played = draw_event(tmp_path, event_text("Ants", "Bees", stage=stage))
    tell(played, "match 1 boards 1-2: 1NT N 7, 1NT N 7\nfinished")
    (match,) = played.reload().matches
    opened = [segment.tables[Room.OPEN].side_of("Ants") for segment in match.segments]
    assert opened == [Side.NS, Side.EW, Side.NS]


def test_extra_boards_are_dealt_from_the_seed_where_the_others_come_from_a_file(tmp_path: Path) -> None:
    board = '[Board "{0}"]\n[Dealer "N"]\n[Vulnerable "None"]\n[Deal "N:{1}"]\n\n'
    hands = "AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"
    (tmp_path / "boards.pbn").write_text(board.format(7, hands) + board.format(9, hands), encoding="ascii")
    stage = 'format = "match"\nextra_boards = 1'
    played = draw_event(tmp_path, event_text("Ants", "Bees", stage=stage, deals='pbn = "boards.pbn"'))
    tell(played, "match 1 boards 7 9: 1NT N 7, 1NT N 7\nfinished -> boards 7 9 10 in 2 segments")


@pytest.mark.parametrize("refused", [1, 2])
def test_a_match_whose_start_the_database_refuses_half_way_is_started_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, refused: int
) -> None:
    played = draw_event(tmp_path)
    calls = 0

    def assign(*arguments: Any, **named: Any) -> None:
        nonlocal calls
        calls += 1
        if calls == refused:
            raise StoreUnavailable("the database is down")
        assign_table(*arguments, **named)

    monkeypatch.setattr(match_runner, "assign_table", assign)
    pool = create_autospec(HostPool, instance=True)
    pool.place.return_value = "host-1"
    pool.keep.return_value = True
    at_work = MatchRunner(run_context(played), pool)
    with pytest.raises(StoreUnavailable):
        at_work.start_or_leave(played.event.rounds[0].assignments[0])
    assert at_work.matches == []
    at_work.start_or_leave(played.event.rounds[0].assignments[0])
    assert [match.number for match in at_work.matches] == [1]
    assert {table.state for table in played.reload().matches[0].tables} == {TableState.ASSIGNED}


def test_the_progress_of_a_table_is_told_after_its_announcement_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    played = draw_event(tmp_path)
    at_work, reported = reporting(played, "host-1", "host-1")
    at_work.start_or_leave(played.event.rounds[0].assignments[0])
    quick, slow = (replace(table, ports=dict.fromkeys(SEATS, 2000)) for table in at_work.matches[0].tables)

    def poll(slow_state: TableState) -> list[type[RunEvent]]:
        progress = {
            quick.id: TableProgress(replace(quick, state=TableState.PLAYING), 2),
            slow.id: TableProgress(replace(slow, state=slow_state), 0),
        }
        monkeypatch.setattr(ProgressWatch, "poll", lambda *_: progress)
        reported.clear()
        at_work.poll_tables()
        return [type(event) for event in reported if not isinstance(event, Notice)]

    assert poll(TableState.ASSIGNED) == []
    assert poll(TableState.OPEN) == [TablesOpened, TableProgressed]


def test_players_are_told_the_address_of_the_machine_where_their_table_is_and_where_it_moves(tmp_path: Path) -> None:
    played = draw_event(tmp_path)
    database, event = played.database, played.event
    at_work, reported = reporting(played, "near", "far")
    for name, address in (("near", None), ("far", "192.0.2.7"), ("farther", "192.0.2.8")):
        add_host(database, event.id, name, 0)
        join_host(database, name, ProcessIdentity(name, 1, ""), 0, address)
    at_work.start_or_leave(event.rounds[0].assignments[0])
    tables = at_work.matches[0].tables

    def told(hosts: dict[str, int]) -> dict[str, str]:
        """The addresses of each room, as programs read them, after these hosts have opened their tables by number."""
        for name, index in hosts.items():
            attempt = take_table(database, tables[index].id, name, 0)
            assert attempt is not None
            set_table_ports(database, tables[index].id, attempt, dict.fromkeys(SEATS, 2000), 0)
        reported.clear()
        at_work.poll_tables()
        places = json.loads((played.file.results / "connections.json").read_text(encoding="utf-8"))
        (announced,) = [event.places for event in reported if isinstance(event, TablesOpened)]
        assert {place.host for place in announced} <= {place["host"] for place in places}
        return {place["room"]: place["host"] for place in places}

    own = played.file.address.host
    assert told({"near": 0, "far": 1}) == {tables[0].room.value: own, tables[1].room.value: "192.0.2.7"}
    assert not [notice for notice in reported.notices if "taken by table" in notice], "ports of two machines"
    assign_table(database, tables[1].id, "farther", dict.fromkeys(SEATS, 2000), 0)
    assert told({"farther": 1}) == {tables[0].room.value: own, tables[1].room.value: "192.0.2.8"}


def test_who_fails_within_walls_is_to_be_tried_within_the_same_walls(tmp_path: Path) -> None:
    (tmp_path / "alpha").mkdir()
    text = event_text(more='[sandbox]\nreadable = ["nets"]').replace(
        'name = "Alpha"\n', 'name = "Alpha"\nfolder = "alpha"\ncommand = "v/bin/python bot.py {port}"\n'
    )
    played = draw_event(tmp_path, text)
    at_work, reported = reporting(played, sandbox=SandboxKind.BUBBLEWRAP)
    table = played.event.rounds[0].assignments[0].match.tables[0]
    reason = "Alpha's program for North ended with status 1, 3 times in a row"
    for seat in ("North", "East"):
        at_work._point_to_check(replace(table, reason=reason.replace("North", seat)))
    assert reported.notices == [
        f"to try the program of Alpha: cd {tmp_path}/alpha && tourney check-bot --team Alpha --sandbox "
        f"--readable {tmp_path}/nets --readable . -- v/bin/python bot.py {{port}}"
    ]


def test_what_a_run_has_to_leave_is_not_begun_again_before_it_had_a_score_and_lost_it(tmp_path: Path) -> None:
    """The director stops a match before it begins; later its boards are put on record, and one is played again."""
    played = draw_event(tmp_path, event_text("Alpha", "Beta", "Gamma", "Delta", stage='format = "round-robin"'))
    at_work, reported = reporting(played)
    round_ = played.event.rounds[0]
    stopped, other = round_.assignments
    left = {match.number for match in played.event.matches}
    tables = [table.id for table in stopped.tables]
    give_orders(played.database, tables, OrderKind.STOP, author="Ada", now_ms=BEGINS_AT_MS)
    assert at_work.find_due(round_, left) == [stopped, other]
    at_work.start_or_leave(stopped)
    assert reported == [MatchHeld(stopped.match)]
    assert at_work.failures == [f"match {stopped.match.number}: the director has stopped it"]
    assert at_work.find_due(round_, left) == [other]
    converse(played, "match 1 boards 1-2: 1NT N 7, 1NT N 7")
    assert at_work.score(stopped.match) is not None
    assert at_work.find_due(round_, left) == [stopped, other]
