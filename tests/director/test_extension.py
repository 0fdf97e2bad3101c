"""A director extends the time of a board, a match or a round: what is told, refused, put on record and taken back."""

from dataclasses import replace
from pathlib import Path

import pytest

from tests.support.event_conversation import converse
from tests.support.played_event import PlayedEvent, draw_event, event_text
from tests.support.store_events import take
from tests.support.two_events import draw_next_round
from tourney.bridge import Seat, Side
from tourney.coordinator.director import RulingBasis
from tourney.director.extension import ExtendTables, parse_time
from tourney.errors import RuleError, UsageError
from tourney.movement.seating import Room
from tourney.output.rows import document_of
from tourney.protocol.session.records import TimeExtended
from tourney.store.control.orders import load_extensions, load_outcomes, pending_orders
from tourney.store.control.tables import load_job
from tourney.views.times_used import load

GROUNDS = RulingBasis("Ada", "a slow network", None, 7, "an order")
CLOCK = "[clock]\nboard_s = 120\nmatch_s = 3600\n"


@pytest.fixture(autouse=True)
def _author(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOURNEY_DIRECTOR", "Ada")
    monkeypatch.setattr("tourney.director.action.WAIT_S", 0)  # nobody acts on an order


def event(folder: Path, *teams: str, clock: str = CLOCK) -> PlayedEvent:
    folder.mkdir(exist_ok=True)
    return draw_event(folder, event_text(*teams, boards=2, more=clock))


def extend(played: PlayedEvent, action: ExtendTables, key: str = "") -> tuple[str, ...]:
    return action.carry_out(played.drawn, replace(GROUNDS, key=key))


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("90s", 90),
        ("5m", 300),
        ("1h30m", 5400),
        (" 1M 5s ", 65),
        ("-5m", -300),
        ("24h", 86_400),
    ],
)
def test_a_time_is_read(text: str, number: int) -> None:
    assert parse_time(text) == number


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("5", "expected a time such as 90s, 5m, 1h30m or -5m, got '5'"),
        ("five minutes", "expected a time such as 90s, 5m, 1h30m or -5m, got 'five minutes'"),
        ("", "expected a time such as 90s, 5m, 1h30m or -5m, got ''"),
        ("0s", "a time is from 1 second to 24 hours, got '0s'"),
        ("25h", "a time is from 1 second to 24 hours, got '25h'"),
    ],
)
def test_what_is_no_time_is_refused_with_what_is_one(text: str, why: str) -> None:
    with pytest.raises(UsageError) as refused:
        parse_time(text)
    assert refused.value.message == why


def test_what_each_side_will_have_is_told_and_then_done(tmp_path: Path) -> None:
    played = event(tmp_path)
    board, match = ExtendTables("1", 300, board=2), ExtendTables("1-open", 90, team="beta")
    assert board.preview(played.drawn).changes == (
        "1-open, 1-closed: 5 minutes more for both sides, for board 2 alone",
    )
    assert match.preview(played.drawn).changes == ("1-open: 1 minute 30 seconds more for beta, for the match alone",)
    assert load_extensions(played.database, played.event.id) == ()
    for action in (board, match):
        outcomes = extend(played, action)
        assert {outcome.partition(": ")[2] for outcome in outcomes} == {"it counts when the table is played"}
    open_room, closed_room, for_beta = load_extensions(played.database, played.event.id)
    assert (open_room.room, closed_room.room) == tuple(Room)
    assert (open_room.board, open_room.team, open_room.seconds) == (2, None, 300)
    assert (for_beta.board, for_beta.team, for_beta.seconds) == (None, "Beta", 90)
    assert (for_beta.author, for_beta.text, for_beta.created_at_ms) == ("Ada", "a slow network", 7)
    # Beta sits North-South in the closed room, and East-West in the open one.
    table = played.match(1).tables[0]
    assert load_job(played.database, table.id).extensions == (
        TimeExtended(open_room.id, 2, None, 300_000),
        TimeExtended(for_beta.id, None, Side.EW, 90_000),
    )
    report = load(played.drawn)
    assert list(report.text())[-3:] == [
        "",
        "1-open, 1-closed: 5 minutes more for both sides on board 2, by Ada: a slow network",
        "1-open: 1 minute 30 seconds more for Beta, by Ada: a slow network",
    ]
    assert document_of(report)["given"][2] == {
        "at": "1970-01-01T00:00:00.007Z",
        "match": 1,
        "room": "open",
        "board": None,
        "team": "Beta",
        "ms": 90_000,
        "author": "Ada",
        "reason": "a slow network",
    }
    assert "given" not in document_of(load(event(tmp_path / "another").drawn))


def test_the_command_does_it_refuses_it_and_asks_before_time_is_taken_back(tmp_path: Path) -> None:
    played = event(tmp_path)
    done = "-> 1-open: it counts when the table is played -> 1-closed: it counts when the table is played"
    less = "(With 5 minutes less, a side that has used more is late at once.)"
    extend = "$ table extend EVENT 1 --reason slow"
    converse(
        played,
        f"""
        {extend} --board 2 --time 5m {done}
        {extend} --time lots -> refused 2: expected a time such as 90s, 5m, 1h30m or -5m, got 'lots'
        {extend} -> refused 2: Missing option '--time'...
        {extend} --board 2 --time -5m -> ... -> refused 2: ...`--yes` confirms it
        {extend} --board 2 --time -5m --yes -> {less} {done}
        {extend} --board 2 --time -5m --yes
            -> refused: 1-open: Alpha was given 0 seconds for board 2, so that 5 minutes cannot be taken back
        """,
    )
    assert [each.seconds for each in load_extensions(played.database, played.event.id)] == [300, 300, -300, -300]


def test_a_table_without_a_host_needs_none_and_one_with_a_host_is_told_once(tmp_path: Path) -> None:
    played = event(tmp_path)
    with_host, without = played.match(1).tables
    take(played.database, with_host, "host-1")
    outcomes = extend(played, ExtendTables("1", 300, team="Alpha"), "a form")
    assert outcomes == extend(played, ExtendTables("1", 300, team="Alpha"), "a form")
    (pending,) = pending_orders(played.database, "host-1")
    assert (pending.table_id, pending.seat, pending.extension.side) == (with_host.id, Seat.NORTH, Side.NS)
    assert pending.extension in load_job(played.database, with_host.id).extensions
    ids = [each.id for each in load_extensions(played.database, played.event.id)]
    settled = load_outcomes(played.database, ids)
    assert list(settled.values()) == ["it counts when the table is played"]
    assert len(load_job(played.database, without.id).extensions) == 1


def test_all_tables_of_a_round_are_extended_and_no_others(tmp_path: Path) -> None:
    played = event(tmp_path, "Alpha", "Beta", "Gamma", "Delta")
    action = ExtendTables(None, 600, round=2)
    assert action.preview(played.drawn).changes[0] == (
        "3-open, 3-closed, 4-open, 4-closed: 10 minutes more for both sides, for the match alone"
    )
    assert action.subject(played.drawn) == "round 2"
    extend(played, action)
    assert {each.match for each in load_extensions(played.database, played.event.id)} == {3, 4}


def test_what_cannot_be_extended_is_refused_in_a_sentence(tmp_path: Path) -> None:
    extend = "$ table extend EVENT --reason slow --time 5m"
    one = "name a match or a table, such as 3 or 3-open, or a round: one of them"
    converse(
        event(tmp_path),
        f"""
        1-open board 1: 1NT N 7
        {extend} -> refused 2: {one}
        {extend} 1-open --round 1 -> refused 2: {one}
        {extend} 4 -> refused 2: matches of 'Test Cup' are 1..1, got 4
        {extend} --round 2 -> refused 2: rounds of 'Test Cup' are 1..1, got 2
        {extend} 1-open --board 3 -> refused 2: boards of 1-open are 1-2, got 3
        {extend} 1-open --team Gamma -> refused 2: teams of 1-open are Alpha, Beta, got 'Gamma'
        {extend} 1-open --board 1 -> refused: board 1 is finished at 1-open: there is no time to extend
        1-open board 2: 1NT N 7
        {extend} 1-open -> refused: 1-open is finished: there is no time to extend
        """,
    )


@pytest.mark.parametrize(
    ("clock", "more", "why"),
    [
        ("", "", "a match: `match_s` in [clock] is not set"),
        ("[clock]\nboard_s = 60\n", "", "a match: `match_s` in [clock] is not set; a board has one"),
        ("[clock]\nmatch_s = 60\n", "--board 1", "a board: `board_s` in [clock] is not set; a match has one"),
    ],
)
def test_where_no_limit_is_in_force_none_is_moved(tmp_path: Path, clock: str, more: str, why: str) -> None:
    played = event(tmp_path, clock=clock)
    told = f"refused: there is no limit on thinking time for {why}"
    converse(played, f"$ table extend EVENT 1 --reason slow --time 1m {more} -> {told}")
    assert ExtendTables.is_offered(played.drawn) == bool(clock)


def test_a_round_is_extended_once_it_is_drawn(tmp_path: Path) -> None:
    text = event_text("A", "B", "C", "D", stage='format = "swiss"\nrounds = 2', more=CLOCK)
    played = draw_event(tmp_path, text)
    action = ExtendTables(None, 600, round=2)
    with pytest.raises(RuleError, match="round 2 is not drawn yet: its time can be extended once it is"):
        action.preview(played.drawn)
    played.play_all()
    draw_next_round(played)
    drawn = played.drawn.at(played.reload())
    action.carry_out(drawn, replace(GROUNDS, key=""))
    table = drawn.table_at("3-open")
    assert load_job(played.database, table.id).extensions == (TimeExtended(1, None, None, 600_000),)
    assert load_job(played.database, drawn.table_at("1-open").id).extensions == ()
    # With a host there it is as if it had been given before.
    take(played.database, table, "host-1")
    outcomes = replace(action, time_s=60).carry_out(drawn, replace(GROUNDS, at_ms=8, key=""))
    assert outcomes[0] == "3-open: not acted on yet: no run is in progress"
    (pending, *_) = pending_orders(played.database, "host-1")[-1:]
    assert load_job(played.database, table.id).extensions[1:] == (pending.extension,)
    assert "10 minutes less" in replace(action, time_s=-600).preview(drawn).changes[0]
