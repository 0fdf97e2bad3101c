"""`tourney.views.duel`: the boards of a duel in the order of their deals, and what they say."""

from dataclasses import replace
from functools import partial
from itertools import product
from pathlib import Path

import pytest

from tests.support.commands import select
from tests.support.event_conversation import converse
from tests.support.played_event import OPEN, PlayedEvent, draw_event, event_text
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


def report(played: PlayedEvent, *asked: str) -> list[str]:
    return select(load(played.drawn).document(), " ".join(asked))


def says(played: PlayedEvent) -> list[str]:
    return [str(part) for part in load(played.drawn).text() if not isinstance(part, TextTable)]


tell = partial(converse, report=report, says=says)


def test_boards_count_in_the_order_of_the_deals_up_to_the_first_that_is_unfinished(tmp_path: Path) -> None:
    tell(
        duel(tmp_path),
        """
        match 2 board 2: 4S N 10, 4S N 9
        match 2 board 4: 4S N 10, 4S N 10
        # The first board of match 1 is missing.
        report : test.boards in_play -> 0 2
        match 1 board 1: 4S N 10, 4S N 10
        report : test.boards in_play test.won test.level -> 2 1 1 1
        1-open board 3: Pass
        report test.boards -> 2
        """,
    )


def test_a_forfeited_board_counts_and_is_told_beside_the_verdict(tmp_path: Path) -> None:
    tell(
        duel(tmp_path),
        """
        match 1 board 1: E forfeits, Pass
        report : test.boards test.imps -> 1 3.0
        says -> ... -> Old lost 1 board by faults of its programs, 100 % of all: that is in the verdict -> ...
        report programs: forfeited -> 0 -> 1
        """,
    )


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
    for number in range(1, 41):
        if number % 7 == 0:
            tell(played, "report test.verdict -> continue")
        tell(played, f"match {2 - number % 2} board {number}: 4S N 10, 4S N 9")
    tell(played, "report : test.verdict test.boards -> undecided 40\nsays -> ... -> All 40 boards are played -> ...")
    assert "LLR" not in " ".join(says(played))


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
    tell(
        played,
        """
        1-open board 1: 4S N 10 in 2000 500 ms
        1-closed board 1: 4S N 10
        report programs: team crashes over_time irregular thinking_ms -> New 0 1 2 2000 -> Old 1 0 0 500
        report playing_ms -> 2500
        says -> ... -> played for 0:02.5, 1440 boards an hour
        """,
    )


def test_solved_boards_are_divided_into_what_was_won_in_the_auction_and_in_the_play(tmp_path: Path) -> None:
    played = duel(tmp_path)
    # New makes what can be made, a trick more than Old; then Old stops in a part score, with as many tricks.
    tell(
        played,
        """
        report bidding_and_play -> -
        match 1 board 1: 4S N 10, 4S N 9
        match 2 board 2: 4SX N 10, 2S N 10
        """,
    )
    for match in (1, 2):
        solve(played, match, 1, tricks=10)
    tell(
        played,
        """
        report bidding_and_play: boards play.imps bidding.imps -> 2 10.0 12.0
        says -> ... -> ...bidding +...on 2 solved... -> ...
        """,
    )


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
