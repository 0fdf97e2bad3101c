"""The command `tourney watch`."""

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from tests.support import commands
from tests.support.commands import lines_of
from tests.support.live_event import put, say_doing, set_state, take_up
from tests.support.played_event import BEGINS_AT_MS, CLOSED, OPEN, PlayedEvent, draw_event, event_text
from tests.support.store_records import board_ended, made_call
from tourney.bridge import Board, Seat
from tourney.cli._output import DIRECTOR_NOTE
from tourney.coordinator.run_lease import hold_run_lock
from tourney.movement.seating import TableInfo, TableState
from tourney.protocol.session.records import BoardBegan, BoardEnd
from tourney.views.watch import TableFollower

Step = Callable[[], None]
NOTE = f"for the director only: {DIRECTOR_NOTE}\n"


def run(played: PlayedEvent, *words: str) -> Result:
    return commands.run("watch", played.path, *words)


@pytest.fixture
def played(tmp_path: Path) -> PlayedEvent:
    return draw_event(tmp_path)


@pytest.fixture
def steps(monkeypatch: pytest.MonkeyPatch) -> list[Step]:
    """What happens at the table each time the command sleeps, first things first."""
    steps: list[Step] = []
    monkeypatch.setattr("tourney.cli.watch.sleep", lambda _seconds: steps.pop(0)())
    return steps


def interrupt() -> None:
    raise KeyboardInterrupt


def passing(played: PlayedEvent, table: TableInfo, seq: int) -> Step:
    seat = Seat(seq)
    return lambda: put(
        played,
        table,
        made_call(seq, seat),
        board_attempts={1: 1},
    )


def finishing(played: PlayedEvent, table: TableInfo) -> Step:
    return lambda: set_state(played, table, TableState.FINISHED)


def passed_out(played: PlayedEvent, table: TableInfo) -> Step:
    def end() -> None:
        board: Board = played.boards(1)[0]
        follower = TableFollower(played.drawn, table, is_director=True, from_start=True)
        found = follower.poll(BEGINS_AT_MS, is_played=True).boards[-1].in_play().result
        put(
            played,
            table,
            board_ended(board.number, BoardEnd.PASSED_OUT, found),
            board_attempts={1: 1},
        )

    return end


def test_each_call_is_printed_as_it_comes_and_the_result_at_the_end(played: PlayedEvent, steps: list[Step]) -> None:
    table = take_up(played)
    say_doing(played, table)
    put(played, table, BoardBegan(1, BEGINS_AT_MS))
    steps += [passing(played, table, seq) for seq in range(4)]
    steps += [passed_out(played, table), finishing(played, table)]
    with hold_run_lock(played.file.results):
        lines = lines_of(run(played, "1-open", "--director"), NOTE)
    hands = lines[2:6]
    assert all(" S " in hand and "  C " in hand for hand in hands)
    assert lines[:2] + lines[6:] == [
        "1-open: Alpha North-South, Beta East-West",
        "Board 1, dealer North, vulnerable None",
        "North passes",
        "East passes",
        "South passes",
        "West passes",
        "    West   North  East   South",
        "           Pass   Pass   Pass",
        "    Pass",
        "passed out",
        "Board 1: passed out, 0",
        "1-open is over",
    ]
    assert steps == []


def test_from_the_start_shows_everything_and_without_only_what_is_in_play(played: PlayedEvent) -> None:
    table = take_up(played)
    played.play(1, [OPEN])
    set_state(played, table, TableState.FINISHED)
    whole = lines_of(run(played, "1-open", "--from-start", "--director"), NOTE)
    assert [line.partition(",")[0] for line in whole if line.startswith("Board") and "dealer" in line] == [
        "Board 1",
        "Board 2",
    ]
    assert lines_of(run(played, "1-open", "--director"), NOTE) == [whole[0], "1-open is over"]


def test_a_board_is_shown_when_no_table_has_it_to_play_any_more(tmp_path: Path, steps: list[Step]) -> None:
    played = draw_event(tmp_path, event_text(boards=3))
    table = take_up(played)
    played.play(1, [OPEN], [1, 2])
    steps += [
        lambda: None,
        lambda: played.play(1, [CLOSED], [2]),
        lambda: set_state(played, table, TableState.FINISHED),
    ]
    lines = lines_of(run(played, "1-open", "--from-start"))
    assert lines[:4] == [
        "1-open: Alpha North-South, Beta East-West",
        "-- Board 1 has ended here; others have it to play",
        "-- Board 2 has ended here; others have it to play",
        "-- no run is in progress",
    ]
    assert lines[4] == "Board 2, dealer East, vulnerable NS"
    assert any(line.startswith("Board 2: ") for line in lines)
    assert lines[-2:] == ["1-open is over", "not shown, as other tables still have them to play: 1"]
    assert not any(line.startswith("Board 1") for line in lines)


@pytest.mark.parametrize(("live", "shows"), [("finished", False), ("last-table", True)])
def test_the_last_table_of_a_board_is_shown_as_it_plays_where_the_event_file_says_so(
    tmp_path: Path, steps: list[Step], live: str, shows: bool
) -> None:
    played = draw_event(tmp_path, event_text(more=f'[web]\nlive = "{live}"'))
    set_state(played, take_up(played), TableState.PLAYING)
    played.play(1, [CLOSED], [1])
    played.begin(1, OPEN, 1, calls=2)
    steps += [interrupt]
    shown = run(played, "1-open").stdout
    assert ("North passes" in shown) == shows
    assert ("-- Board 1 is in play" in shown) != shows


def test_a_table_that_is_paused_or_waits_says_so_once_and_when_it_goes_on(
    played: PlayedEvent, steps: list[Step]
) -> None:
    table = take_up(played)
    steps += [
        lambda: None,
        lambda: say_doing(played, table, paused=True),
        lambda: None,
        lambda: say_doing(played, table),
        finishing(played, table),
    ]
    with hold_run_lock(played.file.results):
        lines = lines_of(run(played, "1-open"))
    assert lines[1:] == [
        "-- waits for North, East, South, West to sit down",
        "-- paused",
        "-- goes on",
        "1-open is over",
    ]


def test_a_table_that_cannot_go_on_ends_with_1_and_why(played: PlayedEvent) -> None:
    set_state(played, take_up(played), TableState.FAILED, "port 2000 is taken")
    result = run(played, "1-open")
    assert (result.exit_code, result.stderr) == (1, "Error: 1-open cannot go on: port 2000 is taken\n")


def test_watching_ends_with_130_when_it_is_interrupted(played: PlayedEvent, steps: list[Step]) -> None:
    steps += [interrupt]
    assert run(played, "1-open").exit_code == 130
