"""The orders to tables: `tourney table pause`, `resume`, `stop`, `kick` and `replay`."""

import getpass
from pathlib import Path

import pytest

from tests.support.commands import refusal, run
from tests.support.event_conversation import converse
from tests.support.live_event import acting_host, take_up
from tests.support.played_event import OPEN, PlayedEvent, draw_event, event_text, once
from tests.support.refusals import refused_commands
from tests.support.store_records import load_attempts
from tourney.bridge import Seat
from tourney.coordinator.run_lease import EventActivity, hold_run_lock
from tourney.protocol.session.records import BoardEnd
from tourney.store.control.orders import NO_BOARD, OrderInfo, load_holds
from tourney.store.models import OrderKind
from tourney.store.results.matches import load_match_score

HOLDS = ("pause", "resume", "stop")


@pytest.fixture(autouse=True)
def _author(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOURNEY_DIRECTOR", "Ada")


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
    converse(played, f"$ table {command} EVENT 1-open -> 1-open: done")
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
    converse(
        played,
        f"""
        2-closed opens
        2-closed is finished
        $ table {command} EVENT -> 1-open: done -> 1-closed: {outcome} -> 2-open: {outcome}
        """,
    )
    assert len(acted) == 1


@pytest.mark.usefixtures("acted")
def test_an_order_for_a_match_goes_to_both_rooms_of_it(played: PlayedEvent) -> None:
    converse(played, "$ table pause EVENT 1 -> 1-open: done -> 1-closed: it starts paused")
    ids = [table.id for match in (1, 2) for table in played.match(match).tables]
    assert load_holds(played.database, ids) == {table.id: OrderKind.PAUSE for table in played.match(1).tables}


def test_who_asks_is_the_login_name_unless_said(
    played: PlayedEvent, acted: list[OrderInfo], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("TOURNEY_DIRECTOR")
    monkeypatch.setattr(getpass, "getuser", lambda: "grace")
    converse(played, "$ table pause EVENT 1-open")
    assert [order.author for order in acted] == ["grace"]


def test_without_a_login_name_a_name_must_be_given(played: PlayedEvent, monkeypatch: pytest.MonkeyPatch) -> None:
    def nobody() -> str:
        raise OSError("No username set in the environment")

    monkeypatch.delenv("TOURNEY_DIRECTOR")
    monkeypatch.setattr(getpass, "getuser", nobody)
    no_name = "this user has no login name: set TOURNEY_DIRECTOR to the name of who asks"
    converse(played, f"$ table pause EVENT -> refused 2: {no_name}")


@pytest.mark.usefixtures("impatient")
def test_without_a_run_an_order_stays_and_its_command_says_so(played: PlayedEvent) -> None:
    converse(
        played,
        """
        $ table stop EVENT 1-open -> 1-open: not acted on yet: no run is in progress
        orders -> stop 1-open by Ada
        """,
    )


@pytest.mark.usefixtures("impatient")
def test_a_host_that_does_not_answer_in_time_is_told_of(played: PlayedEvent) -> None:
    with hold_run_lock(played.file.results):
        converse(
            played,
            "$ table pause EVENT 1-open -> 1-open: not acted on yet: its host has not answered within 0 s",
        )


@pytest.mark.parametrize(
    ("command", "why"),
    [
        *((command, f"there is nothing to {command}") for command in HOLDS),
        ("kick", "nobody sits there"),
    ],
)
def test_an_order_for_a_table_that_is_over_is_refused(played: PlayedEvent, command: str, why: str) -> None:
    more = " East --reason x" if command == "kick" else ""
    converse(
        played,
        f"""
        1-open is finished
        $ table {command} EVENT 1-open{more} -> refused: 1-open is over: {why}
        orders -> nothing
        """,
    )


# kick

KICK = "$ table kick EVENT 1-open East --reason 'it hangs'"


@pytest.mark.parametrize("seat", ["East", "east", "E", "e"])
def test_a_player_is_kicked_and_the_order_says_why(played: PlayedEvent, acted: list[OrderInfo], seat: str) -> None:
    converse(played, f"$ table kick EVENT 1-open {seat} --reason ' it  hangs ' -> 1-open: done")
    (order,) = acted
    assert (order.kind, order.seat, order.text, order.author) == (OrderKind.KICK, Seat.EAST, "it hangs", "Ada")


COST = (
    "(1-open: board 1 is in play. If East is sent away, Beta forfeits it: average minus to Beta, average plus to "
    "Alpha. With --no-forfeit it is begun again instead.)"
)


@pytest.mark.parametrize(
    ("words", "told", "named", "is_terminal"),
    [
        (
            "",
            f"{COST} -> refused 2: nothing was done: there is no terminal on which to ask; `--yes` confirms it",
            [],
            False,
        ),
        (" --yes", f"{COST} -> 1-open: done", [(None, False)], False),
        (" << y", f"{COST} -> (Disconnect East? [y/N]: y) -> 1-open: done", [(1, False)], True),
        (" << n", f"{COST} -> (Disconnect East? [y/N]: n) -> (Aborted!) -> status 1", [], True),
        (" <<", f"{COST} -> (Disconnect East? [y/N]: ) -> (Aborted!) -> status 1", [], True),
        (" --no-forfeit", "1-open: done", [(None, True)], False),
    ],
    ids=["nobody to ask", "a script says yes", "yes", "no", "neither", "no forfeit"],
)
def test_a_kick_that_costs_a_board_says_so_is_asked_about_and_means_the_board_that_was_named(
    played: PlayedEvent,
    acted: list[OrderInfo],
    monkeypatch: pytest.MonkeyPatch,
    words: str,
    told: str,
    named: list[tuple[int | None, bool]],
    is_terminal: bool,
) -> None:
    monkeypatch.setattr("tourney.cli.director.is_terminal", lambda: is_terminal)
    converse(played, f"1-open board 1: 2 calls\n{KICK}{words} -> {told}")
    assert [(order.board, order.no_forfeit) for order in acted] == named


def test_a_kick_between_boards_costs_no_board_that_begins_meanwhile(
    played: PlayedEvent, acted: list[OrderInfo]
) -> None:
    converse(played, KICK)
    assert [(order.board, order.no_forfeit) for order in acted] == [(NO_BOARD, False)]


@pytest.mark.usefixtures("impatient")
def test_a_kick_that_nobody_acts_on_is_withdrawn(played: PlayedEvent) -> None:
    converse(
        played,
        f"""
        {KICK} -> refused: 1-open: not done and withdrawn, no run is in progress
        orders -> nothing
        """,
    )


def test_a_kick_that_is_acted_on_as_it_is_withdrawn_counts(
    played: PlayedEvent, impatient: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    act, _ = acting_host(played, "kicked")

    def late(*_where: object) -> EventActivity:
        act(0)
        return EventActivity(is_run=True, hosts=1)

    monkeypatch.setattr("tourney.director.action.load_activity", late)
    converse(played, f"{KICK} -> 1-open: kicked")


@pytest.mark.parametrize(
    ("words", "status", "what"),
    [
        *refused_commands("commands/kick"),
        (["1-open", "East", "--reason", "x" * 501], 2, "--reason has at most 500 characters, got 501"),
    ],
)
def test_a_kick_that_makes_no_sense_is_refused(played: PlayedEvent, words: list[str], status: int, what: str) -> None:
    assert refusal(run("table", "kick", played.path, *words), status) == what


# replay

REPLAY = "$ table replay EVENT {} --reason 'a wrong deal'"
CLOSED_IS_OVER = """
    1-closed opens
    match 1 board 1: 1NT N 7, 1NT N 7
    1-closed board 2: 1NT N 7
    1-closed is finished
"""
VOID = "it had come to 1NT by North, 7 tricks, +90 for North-South"


def test_a_board_at_a_table_that_plays_is_for_its_host(played: PlayedEvent, acted: list[OrderInfo]) -> None:
    converse(played, f"1-open board 1: 1NT N 7\n{REPLAY.format('1-open 1')} -> 1-open: done")
    (order,) = acted
    assert (order.kind, order.board, order.text, order.author) == (OrderKind.REPLAY, 1, "a wrong deal", "Ada")


def ends_at(played: PlayedEvent, room: str) -> list[BoardEnd | None]:
    """How the attempts of a table of match 1 have ended, which waits to be played."""
    (table,) = (table for table in played.reload().matches[0].tables if table.room == room)
    assert table.state.value == "waiting"
    return [attempt.ended for attempt in load_attempts(played.database, table.id)]


def test_a_board_at_a_table_that_is_over_is_void_at_once(played: PlayedEvent) -> None:
    converse(
        played,
        f"""
        {CLOSED_IS_OVER}
        {REPLAY.format("1-closed 2")} -> 1-closed: board 2 is void, {VOID} -> `tourney run EVENT` plays it
        """,
    )
    assert ends_at(played, "closed") == [BoardEnd.PLAYED, BoardEnd.VOID]


def test_a_table_that_is_held_says_that_it_must_be_resumed_before_it_plays_the_board(played: PlayedEvent) -> None:
    converse(
        played,
        f"""
        $ table stop EVENT 1-closed
        {CLOSED_IS_OVER}
        {REPLAY.format("1-closed 2")}
            -> 1-closed: board 2 is void, {VOID}
            -> 1-closed is held: after `tourney table resume`, `tourney run EVENT` plays it
        """,
    )


def test_a_replay_that_reaches_its_table_as_it_ends_is_done_by_the_command(
    played: PlayedEvent, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tourney.director.action.sleep", lambda _: converse(played, "1-open board 2: Pass"))
    converse(
        played,
        f"""
        1-open board 1: 1NT N 7
        {REPLAY.format("1-open 1")} -> 1-open: board 1 is void, {VOID} -> `tourney run EVENT` plays it
        """,
    )
    assert ends_at(played, "open") == [BoardEnd.VOID, BoardEnd.PASSED_OUT]


def test_while_a_run_is_in_progress_it_is_the_one_that_plays_the_board(played: PlayedEvent) -> None:
    converse(played, CLOSED_IS_OVER)
    with hold_run_lock(played.file.results):
        converse(played, f"{REPLAY.format('1-closed 2')} -> ... -> the run in progress plays it")


@pytest.fixture
@once
def swiss(tmp_path: Path) -> PlayedEvent:
    """Round 1 of a Swiss of two rounds has been played, and round 2 drawn from it."""
    text = event_text("Alpha", "Beta", "Gamma", "Delta", stage='format = "swiss"\nrounds = 2')
    swiss = draw_event(tmp_path, text)
    converse(
        swiss,
        """
        match 1 is played
        match 2 is played
        scored
        drawn -> 2
        """,
    )
    return swiss


DRAWN = "(1-open: round 2 was drawn from the result of match 1 and "


def test_a_replay_that_a_later_round_was_drawn_from_warns_and_is_not_done_unasked(swiss: PlayedEvent) -> None:
    converse(
        swiss,
        f"{REPLAY.format('1-open 1')} -> {DRAWN}is drawn again if the result is in by then) -> refused 2: ...",
    )
    assert load_match_score(swiss.database, swiss.match(1)) is not None


def test_a_replay_says_that_a_round_that_has_begun_stays_as_it_is(swiss: PlayedEvent) -> None:
    converse(
        swiss,
        f"""
        3-open opens
        {REPLAY.format("1-open 1 --yes")}
            -> {DRAWN}stays as it is: it has begun)
            -> 1-open: board 1 is void, it had come to ...
            -> ...
        """,
    )


@pytest.mark.parametrize(("words", "status", "what"), refused_commands("commands/replay"))
def test_a_replay_of_a_board_that_cannot_be_is_refused(
    played: PlayedEvent, words: list[str], status: int, what: str
) -> None:
    converse(played, "1-open board 1: 2 calls")
    assert refusal(run("table", "replay", played.path, *words, "--reason", "a wrong deal"), status) == what


def test_a_board_that_was_broken_off_is_played_anyway(played: PlayedEvent) -> None:
    converse(
        played,
        f"""
        1-open board 1: 2 calls
        1-open is waiting
        {REPLAY.format("1-open 1")} -> refused: 1-open: board 1 has not been finished there: it is played anyway
        """,
    )
