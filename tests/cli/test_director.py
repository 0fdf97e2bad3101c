"""The orders to tables: `tourney table pause`, `resume`, `stop`, `kick` and `replay`."""

import getpass
from pathlib import Path

import pytest
from click.testing import Result

from tests.support import commands
from tests.support.commands import lines_of, printed, refusal
from tests.support.live_event import acting_host, set_state, take_up
from tests.support.played_event import BEGINS_AT_MS, CLOSED, OPEN, PlayedEvent, draw_event, event_text, once
from tests.support.refusals import refused_commands
from tests.support.store_records import load_attempts
from tourney.bridge import Seat
from tourney.coordinator.draw import draw_next
from tourney.coordinator.run_lease import EventActivity, hold_run_lock
from tourney.movement.seating import Room, TableState
from tourney.protocol.session.records import BoardEnd
from tourney.store.control.orders import NO_BOARD, OrderInfo, load_holds, pending_orders
from tourney.store.models import OrderKind
from tourney.store.results.matches import load_match_score

HOLDS = ("pause", "resume", "stop")


@pytest.fixture(autouse=True)
def _author(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOURNEY_DIRECTOR", "Ada")


def run(played: PlayedEvent, command: str, *words: str) -> Result:
    return commands.run("table", command, played.path, *words)


@pytest.fixture
@once
def played(tmp_path: Path) -> PlayedEvent:
    """Two matches of two boards between Alpha and Beta; 1-open is with a host."""
    played = draw_event(tmp_path, event_text(stage='format = "double-round-robin"'))
    take_up(played)
    return played


@pytest.fixture
def acted(played: PlayedEvent, monkeypatch: pytest.MonkeyPatch) -> list[OrderInfo]:
    """The orders that a host has acted on while commands wait."""
    act, acted = acting_host(played)
    monkeypatch.setattr("tourney.director.action.sleep", act)
    return acted


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """No command waits."""
    monkeypatch.setattr("tourney.director.action.WAIT_S", 0)


# pause, resume, stop


@pytest.mark.parametrize("command", HOLDS)
def test_a_table_says_what_came_of_an_order(played: PlayedEvent, acted: list[OrderInfo], command: str) -> None:
    assert printed(run(played, command, "1-open")) == "1-open: done\n"
    (order,) = acted
    assert (order.kind, order.table_id) == (OrderKind(command), played.match(1).tables_at(0)[OPEN].id)
    assert (order.author, order.text, order.seat) == ("Ada", "", None)


@pytest.mark.parametrize(
    ("command", "outcome"),
    [
        ("pause", "it starts paused"),
        ("resume", "it will be played in its turn"),
        ("stop", "it will not start until it is resumed"),
    ],
)
def test_an_order_for_the_whole_event_goes_to_every_table_that_is_not_over(
    played: PlayedEvent, acted: list[OrderInfo], command: str, outcome: str
) -> None:
    set_state(played, take_up(played, 2, CLOSED), TableState.FINISHED)
    assert lines_of(run(played, command)) == ["1-open: done", f"1-closed: {outcome}", f"2-open: {outcome}"]
    assert len(acted) == 1


def test_an_order_for_a_match_goes_to_both_rooms_of_it(played: PlayedEvent, acted: list[OrderInfo]) -> None:
    result = run(played, "pause", "1")
    assert result.stdout.splitlines() == ["1-open: done", "1-closed: it starts paused"]
    tables = played.match(1).tables
    ids = [table.id for match in (1, 2) for table in played.match(match).tables]
    assert load_holds(played.database, ids) == {table.id: OrderKind.PAUSE for table in tables}


def test_who_asks_is_the_login_name_unless_said(
    played: PlayedEvent, acted: list[OrderInfo], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("TOURNEY_DIRECTOR")
    monkeypatch.setattr(getpass, "getuser", lambda: "grace")
    run(played, "pause", "1-open")
    assert [order.author for order in acted] == ["grace"]


def test_without_a_login_name_a_name_must_be_given(played: PlayedEvent, monkeypatch: pytest.MonkeyPatch) -> None:
    def nobody() -> str:
        raise OSError("No username set in the environment")

    monkeypatch.delenv("TOURNEY_DIRECTOR")
    monkeypatch.setattr(getpass, "getuser", nobody)
    assert refusal(run(played, "pause"), 2) == (
        "this user has no login name: set TOURNEY_DIRECTOR to the name of who asks"
    )


@pytest.mark.usefixtures("impatient")
def test_without_a_run_an_order_stays_and_its_command_says_so(played: PlayedEvent) -> None:
    assert printed(run(played, "stop", "1-open")) == "1-open: not acted on yet: no run is in progress\n"
    assert [order.kind for order in pending_orders(played.database, "host-1")] == [OrderKind.STOP]


@pytest.mark.usefixtures("impatient")
def test_a_host_that_does_not_answer_in_time_is_told_of(played: PlayedEvent) -> None:
    with hold_run_lock(played.file.results):
        result = run(played, "pause", "1-open")
    assert result.stdout == "1-open: not acted on yet: its host has not answered within 0 s\n"


@pytest.mark.parametrize("command", HOLDS)
def test_an_order_for_a_table_that_is_over_is_refused(played: PlayedEvent, command: str) -> None:
    set_state(played, played.match(1).tables_at(0)[OPEN], TableState.FINISHED)
    assert refusal(run(played, command, "1-open")) == f"1-open is over: there is nothing to {command}"
    assert pending_orders(played.database, "host-1") == []


# kick


@pytest.mark.parametrize("seat", ["East", "east", "E", "e"])
def test_a_player_is_kicked_and_the_order_says_why(played: PlayedEvent, acted: list[OrderInfo], seat: str) -> None:
    assert printed(run(played, "kick", "1-open", seat, "--reason", " it  hangs ")) == "1-open: done\n"
    (order,) = acted
    assert (order.kind, order.seat, order.text, order.author) == (OrderKind.KICK, Seat.EAST, "it hangs", "Ada")


COST = (
    "1-open: board 1 is in play. If East is sent away, Beta forfeits it: average minus to Beta, average plus to "
    "Alpha. With --no-forfeit it is begun again instead.\n"
)


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """There is somebody to ask."""
    monkeypatch.setattr("tourney.cli.director.is_terminal", lambda: True)


def kick(played: PlayedEvent, *words: str, answer: str = "") -> Result:
    words = ("table", "kick", str(played.path), "1-open", "East", "--reason", "it hangs", *words)
    return commands.run(*words, given=answer)


def test_a_kick_that_costs_a_board_says_so_and_is_not_done_unasked(
    played: PlayedEvent, acted: list[OrderInfo]
) -> None:
    played.begin(1, OPEN, 1)
    result = kick(played)
    assert (result.exit_code, result.stdout, acted) == (2, "", [])
    assert result.stderr.startswith(COST)
    assert "nothing was done: there is no terminal on which to ask; `--yes` confirms it" in result.stderr


def test_a_script_says_yes_and_means_the_board_in_play_whichever_it_is(
    played: PlayedEvent, acted: list[OrderInfo]
) -> None:
    played.begin(1, OPEN, 1)
    result = kick(played, "--yes")
    assert (result.exit_code, result.stderr, result.stdout) == (0, COST, "1-open: done\n")
    assert [(order.board, order.no_forfeit) for order in acted] == [(None, False)]


@pytest.mark.usefixtures("terminal")
@pytest.mark.parametrize(("answer", "status", "boards"), [("y\n", 0, [1]), ("n\n", 1, []), ("\n", 1, [])])
def test_on_a_terminal_a_kick_is_asked_about_and_means_the_board_that_was_named(
    played: PlayedEvent, acted: list[OrderInfo], answer: str, status: int, boards: list[int]
) -> None:
    played.begin(1, OPEN, 1)
    result = kick(played, answer=answer)
    assert result.exit_code == status
    assert result.stderr.startswith(f"{COST}Disconnect East? [y/N]: ")
    assert [order.board for order in acted] == boards


def test_a_kick_without_a_forfeit_costs_nothing_and_needs_no_question(
    played: PlayedEvent, acted: list[OrderInfo]
) -> None:
    played.begin(1, OPEN, 1)
    assert printed(kick(played, "--no-forfeit")) == "1-open: done\n"
    assert [order.no_forfeit for order in acted] == [True]


def test_a_kick_between_boards_costs_no_board_that_begins_meanwhile(
    played: PlayedEvent, acted: list[OrderInfo]
) -> None:
    assert kick(played).exit_code == 0
    assert [(order.board, order.no_forfeit) for order in acted] == [(NO_BOARD, False)]


@pytest.mark.usefixtures("impatient")
def test_a_kick_that_nobody_acts_on_is_withdrawn(played: PlayedEvent) -> None:
    result = run(played, "kick", "1-open", "East", "--reason", "it hangs")
    assert refusal(result) == "1-open: not done and withdrawn, no run is in progress"
    assert pending_orders(played.database, "host-1") == []


def test_a_kick_that_is_acted_on_as_it_is_withdrawn_counts(
    played: PlayedEvent, impatient: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    act, _ = acting_host(played, "kicked")

    def late(*_where: object) -> EventActivity:
        act(0)
        return EventActivity(is_run=True, hosts=1)

    monkeypatch.setattr("tourney.director.action.load_activity", late)
    assert printed(run(played, "kick", "1-open", "East", "--reason", "it hangs")) == "1-open: kicked\n"


@pytest.mark.parametrize(
    ("words", "status", "what"),
    [
        *refused_commands("commands/kick"),
        (["1-open", "East", "--reason", "x" * 501], 2, "--reason has at most 500 characters, got 501"),
    ],
)
def test_a_kick_that_makes_no_sense_is_refused(played: PlayedEvent, words: list[str], status: int, what: str) -> None:
    assert refusal(run(played, "kick", *words), status) == what


def test_nobody_is_kicked_from_a_table_that_is_over(played: PlayedEvent) -> None:
    set_state(played, played.match(1).tables_at(0)[OPEN], TableState.FINISHED)
    result = run(played, "kick", "1-open", "East", "--reason", "x")
    assert refusal(result) == "1-open is over: nobody sits there"


# replay


def replay(played: PlayedEvent, *words: str) -> Result:
    return run(played, "replay", *words, "--reason", "a wrong deal")


def finish(played: PlayedEvent, room: Room) -> None:
    take_up(played, 1, room)
    for board in (1, 2):
        played.record(1, room, board, "1NT N", 7)
    set_state(played, played.reload().matches[0].tables_at(0)[room], TableState.FINISHED)


def test_a_board_at_a_table_that_plays_is_for_its_host(played: PlayedEvent, acted: list[OrderInfo]) -> None:
    played.record(1, OPEN, 1, "1NT N", 7)
    assert printed(replay(played, "1-open", "1")) == "1-open: done\n"
    (order,) = acted
    assert (order.kind, order.board, order.text, order.author) == (OrderKind.REPLAY, 1, "a wrong deal", "Ada")


def assert_void(played: PlayedEvent, result: Result, room: Room, board: int) -> list[BoardEnd | None]:
    """A command says that a board is void and played again; how the attempts of the table have ended."""
    assert lines_of(result) == [
        f"1-{room.value}: board {board} is void, it had come to 1NT by North, 7 tricks, +90 for North-South",
        f"`tourney run {played.path}` plays it",
    ]
    table = played.reload().matches[0].tables_at(0)[room]
    assert table.state is TableState.WAITING
    return [attempt.ended for attempt in load_attempts(played.database, table.id)]


def test_a_board_at_a_table_that_is_over_is_void_at_once(played: PlayedEvent) -> None:
    finish(played, CLOSED)
    ended = assert_void(played, replay(played, "1-closed", "2"), CLOSED, 2)
    assert ended == [BoardEnd.PLAYED, BoardEnd.VOID]


def test_a_table_that_is_held_says_that_it_must_be_resumed_before_it_plays_the_board(played: PlayedEvent) -> None:
    run(played, "stop", "1-closed")
    finish(played, CLOSED)
    assert replay(played, "1-closed", "2").stdout.splitlines()[1] == (
        f"1-closed is held: after `tourney table resume`, `tourney run {played.path}` plays it"
    )


def test_a_replay_that_reaches_its_table_as_it_ends_is_done_by_the_command(
    played: PlayedEvent, monkeypatch: pytest.MonkeyPatch
) -> None:
    played.record(1, OPEN, 1, "1NT N", 7)

    def end_table(_seconds: float) -> None:
        played.record(1, OPEN, 2, "Pass")

    monkeypatch.setattr("tourney.director.action.sleep", end_table)
    ended = assert_void(played, replay(played, "1-open", "1"), OPEN, 1)
    assert ended == [BoardEnd.VOID, BoardEnd.PASSED_OUT]


def test_while_a_run_is_in_progress_it_is_the_one_that_plays_the_board(played: PlayedEvent) -> None:
    finish(played, CLOSED)
    with hold_run_lock(played.file.results):
        result = replay(played, "1-closed", "2")
    assert result.stdout.splitlines()[1] == "the run in progress plays it"


@pytest.fixture
@once
def swiss(tmp_path: Path) -> PlayedEvent:
    """Round 1 of a Swiss of two rounds has been played, and round 2 drawn from it."""
    teams = ("Alpha", "Beta", "Gamma", "Delta")
    swiss = draw_event(tmp_path, event_text(*teams, stage='format = "swiss"\nrounds = 2'))
    for number in (1, 2):
        swiss.play(number)
    swiss.score()
    assert draw_next(swiss.file, swiss.database, swiss.event, BEGINS_AT_MS) == [2]
    swiss.reload()
    return swiss


DRAWN = "1-open: round 2 was drawn from the result of match 1 and "


def test_a_replay_that_a_later_round_was_drawn_from_warns_and_is_not_done_unasked(swiss: PlayedEvent) -> None:
    result = replay(swiss, "1-open", "1")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"{DRAWN}is drawn again if the result is in by then\n")
    assert load_match_score(swiss.database, swiss.match(1)) is not None


def test_a_replay_says_that_a_round_that_has_begun_stays_as_it_is(swiss: PlayedEvent) -> None:
    take_up(swiss, 3)
    result = replay(swiss, "1-open", "1", "--yes")
    assert (result.exit_code, result.stderr) == (0, f"{DRAWN}stays as it is: it has begun\n")
    assert result.stdout.startswith("1-open: board 1 is void, it had come to ")


@pytest.mark.parametrize(("words", "status", "what"), refused_commands("commands/replay"))
def test_a_replay_of_a_board_that_cannot_be_is_refused(
    played: PlayedEvent, words: list[str], status: int, what: str
) -> None:
    played.begin(1, OPEN, 1)
    assert refusal(replay(played, *words), status) == what


def test_a_board_that_was_broken_off_is_played_anyway(played: PlayedEvent) -> None:
    played.begin(1, OPEN, 1)
    set_state(played, played.match(1).tables_at(0)[OPEN], TableState.WAITING)
    expected = "1-open: board 1 has not been finished there: it is played anyway"
    assert refusal(replay(played, "1-open", "1")) == expected
