"""The command `tourney watch`."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from tests.support.commands import lines_of, run
from tests.support.event_conversation import converse
from tests.support.live_event import put
from tests.support.played_event import BEGINS_AT_MS, OPEN, PlayedEvent, draw_event, event_text
from tests.support.store_records import board_ended, made_call, result_of
from tourney.bridge import Seat
from tourney.coordinator.run_lease import hold_run_lock
from tourney.protocol.session.records import BoardBegan, BoardEnd

Step = Callable[[], None]
WATCH = "$ watch EVENT 1-open"


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


def happens(played: PlayedEvent, *scripts: str) -> list[Step]:
    return [partial(converse, played, script) for script in scripts]


SITTING_DOWN = "N E S W sit at 1-open\n1-open says nothing"


def test_each_call_is_printed_as_it_comes_and_the_result_at_the_end(played: PlayedEvent, steps: list[Step]) -> None:
    converse(played, f"1-open opens\n{SITTING_DOWN}")
    table = played.match(1).tables_at(0)[OPEN]
    attempts: dict[int, int] = {}
    note = partial(put, played, table, board_attempts=attempts)
    note(BoardBegan(1, BEGINS_AT_MS))
    steps += [partial(note, made_call(seq, Seat(seq))) for seq in range(4)]
    ended = board_ended(1, BoardEnd.PASSED_OUT, result_of(played.boards(1)[0], None))
    steps += [partial(note, ended), *happens(played, "1-open is finished")]
    with hold_run_lock(played.file.results):
        converse(
            played,
            f"""
            {WATCH} --director
                -> 1-open: Alpha North-South, Beta East-West
                -> Board 1, dealer North, vulnerable None
                -> ... S ... C ... -> ... S ... C ... -> ... S ... C ... -> ... S ... C ...
                -> North passes -> East passes -> South passes -> West passes
                -> West North East South -> Pass Pass Pass -> Pass
                -> passed out
                -> Board 1: passed out, 0
                -> 1-open is over
            """,
        )
    assert steps == []


def test_from_the_start_shows_everything_and_without_only_what_is_in_play(played: PlayedEvent) -> None:
    converse(
        played,
        f"""
        1-open opens
        1-open is played
        1-open is finished
        {WATCH} --from-start --director
            -> 1-open: Alpha North-South, Beta East-West
            -> Board 1, dealer ... -> ... -> Board 2, dealer ... -> ... -> 1-open is over
        {WATCH} --director -> 1-open: Alpha North-South, Beta East-West -> 1-open is over
        """,
    )


def test_a_board_is_shown_when_no_table_has_it_to_play_any_more(tmp_path: Path, steps: list[Step]) -> None:
    played = draw_event(tmp_path, event_text(boards=3))
    steps += [lambda: None, *happens(played, "1-closed board 2 is played", "1-open is finished")]
    converse(played, "1-open opens\n1-open boards 1 2 are played")
    shown = lines_of(run("watch", played.path, "1-open", "--from-start"))
    assert shown[:5] == [
        "1-open: Alpha North-South, Beta East-West",
        "-- Board 1 has ended here; others have it to play",
        "-- Board 2 has ended here; others have it to play",
        "-- no run is in progress",
        "Board 2, dealer East, vulnerable NS",
    ]
    assert any(line.startswith("Board 2: ") for line in shown)
    assert shown[-2:] == ["1-open is over", "not shown, as other tables still have them to play: 1"]
    assert not any(line.startswith("Board 1") for line in shown)


@pytest.mark.parametrize(("live", "shows"), [("finished", False), ("last-table", True)])
def test_the_last_table_of_a_board_is_shown_as_it_plays_where_the_event_file_says_so(
    tmp_path: Path, steps: list[Step], live: str, shows: bool
) -> None:
    played = draw_event(tmp_path, event_text(more=f'[web]\nlive = "{live}"'))
    converse(played, "1-open opens\n1-open is playing\n1-closed board 1 is played\n1-open board 1: 2 calls")
    steps += [interrupt]
    shown = run("watch", played.path, "1-open").stdout
    assert ("North passes" in shown) == shows
    assert ("-- Board 1 is in play" in shown) != shows


def test_a_table_that_is_paused_or_waits_says_so_once_and_when_it_goes_on(
    played: PlayedEvent, steps: list[Step]
) -> None:
    paused, goes_on, over = happens(played, "1-open says paused", SITTING_DOWN, "1-open is finished")
    steps += [lambda: None, paused, lambda: None, goes_on, over]
    with hold_run_lock(played.file.results):
        converse(
            played,
            f"""
            1-open opens
            {WATCH}
                -> ...
                -> -- waits for North, East, South, West to sit down
                -> -- paused
                -> -- goes on
                -> 1-open is over
            """,
        )


def test_a_table_that_cannot_go_on_ends_with_1_and_why(played: PlayedEvent) -> None:
    converse(
        played,
        f"""
        1-open opens
        1-open is failed: port 2000 is taken
        {WATCH} -> refused: 1-open cannot go on: port 2000 is taken -> ...
        """,
    )


def test_watching_ends_with_130_when_it_is_interrupted(played: PlayedEvent, steps: list[Step]) -> None:
    steps += [interrupt]
    converse(played, f"{WATCH} -> status 130 -> ...")
