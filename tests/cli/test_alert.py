"""The command `tourney table alert`: what waits for the operator, and his answers."""

from pathlib import Path

import pytest

from tests.support.commands import refusal, run
from tests.support.event_conversation import converse
from tests.support.live_event import acting_host, ask, put, take_up
from tests.support.played_event import BEGINS_AT_MS, CLOSED, OPEN, PlayedEvent, draw_event
from tests.support.refusals import refused_commands
from tests.support.store_records import made_call
from tourney.bridge import PASS, Bid, Call, Seat, Strain
from tourney.movement.seating import Room
from tourney.protocol.session.records import BoardBegan
from tourney.store.control.orders import OrderInfo
from tourney.store.models import OrderKind
from tourney.store.record.live import load_questions
from tourney.views.status import format_question

CALLS: list[Call] = [Bid(1, Strain.NOTRUMP), PASS, Bid(2, Strain.CLUBS), PASS]


@pytest.fixture(autouse=True)
def _author(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOURNEY_DIRECTOR", "Ada")


ALERT = "$ table alert EVENT 1-open"


def begin(played: PlayedEvent, room: Room, *asked: int, at_ms: int = BEGINS_AT_MS) -> None:
    """Board 1 after four calls, with questions on some of them."""
    table = take_up(played, 1, room)
    calls = [made_call(seq, Seat(seq), call) for seq, call in enumerate(CALLS)]
    put(played, table, BoardBegan(1, BEGINS_AT_MS), *calls)
    for seq in asked:
        ask(played, table, 1, seq, Seat(seq), at_ms=at_ms + seq)


@pytest.fixture
def played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> PlayedEvent:
    """North's 1NT and South's 2C wait in the open room, North's 1NT in the closed one, for longer."""
    played = draw_event(tmp_path)
    begin(played, OPEN, 2, 0)
    begin(played, CLOSED, 0, at_ms=BEGINS_AT_MS - 1_000)
    monkeypatch.setattr("tourney.runtime.clock.wall_ms", lambda: BEGINS_AT_MS + 60_000)
    return played


@pytest.fixture
def acted(played: PlayedEvent, monkeypatch: pytest.MonkeyPatch) -> list[OrderInfo]:
    """The orders that a host has acted on while commands wait."""
    act, acted = acting_host(played, "told")
    monkeypatch.setattr("tourney.director.action.sleep", act)
    return acted


def test_a_question_is_described_with_the_auction_up_to_the_call(played: PlayedEvent) -> None:
    waiting = load_questions(played.database, played.event.id)
    assert [format_question(each) for each in waiting] == [
        "is North's 1NT alertable?",
        "is North's 1NT alertable?",
        "is South's 2C alertable after 1NT Pass from North on?",
    ]


@pytest.mark.clause("BC-27")
def test_an_answer_goes_to_the_oldest_question_of_the_table(played: PlayedEvent, acted: list[OrderInfo]) -> None:
    converse(played, f"{ALERT} ' 12 to 14  total points' -> 1-open, board 1, North's 1NT: told")
    (order,) = acted
    assert (order.kind, order.table_id) == (OrderKind.ALERT, played.match(1).tables_at(0)[OPEN].id)
    assert (order.board, order.call, order.seat) == (1, 0, Seat.NORTH)
    assert (order.text, order.author) == ("12 to 14 total points", "Ada")


@pytest.mark.clause("BC-27")
@pytest.mark.parametrize(
    ("words", "told", "answer"),
    [
        ("--no", "North's 1NT", (0, "")),
        ("--no --board 1 --call 3", "South's 2C", (2, "")),
        ("Stayman --force", "North's 1NT", (0, "Stayman")),
    ],
    ids=["not alertable", "another question, by board and call", "a text outside the grammar, when it is forced"],
)
def test_an_answer_is_sent(
    played: PlayedEvent, acted: list[OrderInfo], words: str, told: str, answer: tuple[int, str]
) -> None:
    converse(played, f"{ALERT} {words} -> 1-open, board 1, {told}: told")
    assert [(order.call, order.text) for order in acted] == [answer]


@pytest.mark.clause("BC-27")
def test_a_text_outside_the_grammar_is_refused_with_its_findings(played: PlayedEvent) -> None:
    found = '"Stayman": it is no information element of the protocol...a range goes up, got 5 to 3'
    converse(
        played,
        f"""
        {ALERT} 'Stayman, 12 to 14 total points, 5 to 3 cards in hearts'
            -> refused 2: the answer is not in the words of the protocol: ...{found}...
        orders -> nothing
        """,
    )


@pytest.mark.parametrize(
    ("words", "status", "what"),
    [
        *refused_commands("commands/alert"),
        (["1-open", "x" * 1501], 2, "the answer has at most 1500 characters, got 1501"),
        (["1-open", "5\x07", "--force"], 2, "the answer has a character that cannot be printed: '\\x07'"),
    ],
)
def test_an_answer_that_makes_no_sense_is_refused(
    played: PlayedEvent, words: list[str], status: int, what: str
) -> None:
    assert refusal(run("table", "alert", played.path, *words), status) == what


def test_an_answer_at_a_table_where_nothing_waits_is_refused(tmp_path: Path) -> None:
    played = draw_event(tmp_path)
    begin(played, OPEN)
    converse(played, f"{ALERT} --no -> refused: 1-open: no call waits for an answer")
