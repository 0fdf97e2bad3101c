"""`tourney.views.duel`: the boards of a duel in the order of their deals, and what they say."""

from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest

from tests.support.commands import select
from tests.support.event_conversation import converse
from tests.support.played_event import CLOSED, OPEN, PlayedEvent, draw_event, event_text
from tourney.bridge import DoubleDummyTable, Seat, Strain
from tourney.errors import UsageError
from tourney.output.tables import TextTable
from tourney.protocol.session.records import IncidentKind
from tourney.scoring.double_dummy import BoardWorth
from tourney.scoring.strength.sequential import SequentialTest, Verdict
from tourney.store.results.matches import save_board_worth
from tourney.views.duel import load
from tourney.views.sequential_test import run_test


def duel(folder: Path, *, sprt: bool = True, boards: int = 3) -> PlayedEvent:
    stage = 'format = "duel"\nmatches = 2' + ('\nsprt = "0,0.5"' if sprt else "")
    return draw_event(folder, event_text("New", "Old", boards=boards, stage=stage))


def play(played: PlayedEvent, match: int, board: int, *, tricks_closed: int = 10) -> None:
    """Play a board of a match by its place: New makes a game in the open room, Old some tricks in the closed one."""
    number = played.boards(match)[board - 1].number
    played.record(match, OPEN, number, "4S N", 10, ns_ms=2000, ew_ms=500)
    played.record(match, CLOSED, number, "4S N", tricks_closed)


def test_boards_count_in_the_order_of_the_deals_up_to_the_first_that_is_unfinished(tmp_path: Path) -> None:
    played = duel(tmp_path)
    play(played, 2, 1, tricks_closed=9)
    play(played, 2, 2)
    report = load(played.drawn)
    assert (report.result.tally.boards, report.in_play) == (0, 2)  # the first board of match 1 is missing
    play(played, 1, 1)
    report = load(played.drawn)
    assert report.result.swings[0] == 0
    assert (report.result.tally.boards, report.in_play) == (2, 1)
    assert report.result.swings[1] > 0
    played.record(1, OPEN, 3, "Pass")
    assert load(played.drawn).result.tally.boards == 2


def test_a_forfeited_board_counts_and_is_told_beside_the_verdict(tmp_path: Path) -> None:
    played = duel(tmp_path)
    converse(played, "match 1 board 1: E forfeits, Pass")
    report = load(played.drawn)
    assert report.result.swings == (3,)
    text = [part for part in report.text() if not isinstance(part, TextTable)]
    assert "Old lost 1 board by faults of its programs, 100 % of all: that is in the verdict" in text
    assert [program["forfeited"] for program in report.document()["programs"]] == [0, 1]


@pytest.mark.parametrize(
    ("test", "swing", "sentence", "outcome"),
    [
        (SequentialTest(d0=-0.5, d1=0.0), -1, "New is worse than Old: H0 accepted after", "worse"),
        (SequentialTest(d0=-0.5, d1=0.0), 1, "New is not worse than Old by 0.5 IMPs a board: H1", "not worse"),
        (SequentialTest(), 1, "New is better than Old: H1 accepted after", "better"),
        (SequentialTest(is_two_sided=True), -1, "Old is better than New: H2 accepted after", "worse"),
        (SequentialTest(), 0, "New is not better than Old by 0.5 IMPs a board: H0", "not better"),
        (SequentialTest(is_two_sided=True), 0, "Neither is better than the other by 0.5", "no difference"),
    ],
)
def test_a_verdict_says_what_the_hypotheses_allow(
    tmp_path: Path, test: SequentialTest, swing: int, sentence: str, outcome: str
) -> None:
    swings = [swing + noise for noise in (4, -4, 3, -3, 1, -1) * 300]
    played = duel(tmp_path)  # its database is closed with it
    report = replace(load(played.drawn), result=run_test("Duel", test, swings))
    assert report.verdict_text.startswith(sentence)
    assert report.outcome == outcome


def test_a_duel_without_a_test_counts_all_boards_and_is_over_with_the_last(tmp_path: Path) -> None:
    played = duel(tmp_path, sprt=False, boards=20)
    for match in (1, 2):
        for board in range(1, 21):
            assert load(played.drawn).verdict is Verdict.CONTINUE if board % 7 == 0 else True
            play(played, match, board, tricks_closed=9)
    report = load(played.drawn)
    assert (report.verdict, report.result.tally.boards) == (Verdict.UNDECIDED, 40)
    lines = [str(part) for part in report.text() if not isinstance(part, TextTable)]
    assert lines[1] == "All 40 boards are played"
    assert not any("LLR" in line for line in lines)


def test_what_programs_have_done_is_counted_for_each_of_them(tmp_path: Path) -> None:
    played = duel(tmp_path)
    for kind, seat in (
        (IncidentKind.CRASH, Seat.EAST),
        (IncidentKind.OVER_TIME, Seat.NORTH),
        (IncidentKind.ILLEGAL_CARD, Seat.NORTH),
        (IncidentKind.CALL_OUT_OF_TURN, Seat.SOUTH),
        (IncidentKind.REJOINED, Seat.EAST),
    ):
        played.incident(1, OPEN, 1, kind, seat, "")
    play(played, 1, 1)  # the open room takes 2.5 s
    report = load(played.drawn)
    assert select(report.document(), "programs: team crashes over_time irregular thinking_ms") == [
        "New 0 1 2 2000",
        "Old 1 0 0 500",
    ]
    assert report.document()["playing_ms"] == 2500
    assert "played for 0:02.5, 1440 boards an hour" in list(report.text())


def test_solved_boards_are_divided_into_what_was_won_in_the_auction_and_in_the_play(tmp_path: Path) -> None:
    played = duel(tmp_path)
    assert load(played.drawn).document()["bidding_and_play"] is None
    # New makes what can be made, one trick more than Old; then Old stops in a part score that makes as many tricks.
    play(played, 1, 1, tricks_closed=9)
    converse(played, "match 2 board 2: 4S N 10, 2S N 10")
    for match in (1, 2):
        solve(played, match, 1, tricks=10)
    report = load(played.drawn)
    found = report.bidding_and_play
    assert found is not None
    by_play, by_bidding = report.result.swings
    assert (found.boards, found.bidding.imps, found.play.imps) == (2, by_bidding, by_play)
    assert by_play > 0
    assert by_bidding > 0
    assert found.content().boards == 2
    assert any("bidding +" in str(line) and "on 2 solved" in str(line) for line in report.text())


def solve(played: PlayedEvent, match: int, board: int, *, tricks: int) -> None:
    """Put it on record that every declarer makes so many tricks in every strain."""
    table = DoubleDummyTable(dict.fromkeys(product(Seat, Strain), tricks))
    number = played.boards(match)[board - 1].number
    save_board_worth(played.database, played.match(match).board_set_id, number, BoardWorth(table, 0, ()))


def test_an_event_that_is_no_duel_is_refused_in_one_sentence(tmp_path: Path) -> None:
    played = draw_event(tmp_path)
    with pytest.raises(UsageError, match="'Test Cup' is not a duel: its first stage is a round-robin"):
        load(played.drawn)


def test_every_board_of_a_fixed_number_has_a_row_also_after_a_test_would_have_been_decided() -> None:
    test = SequentialTest(d1=0.5, boards_max=40)
    assert run_test("Duel", test, [10] * 40).tally.boards < 40
    rows = list(run_test("Duel", replace(test, is_fixed=True), [10] * 40).csv().rows)
    assert [row["decision"] for row in rows] == ["continue"] * 39 + [Verdict.UNDECIDED.value]
