"""A table as who watches it sees it: what is shown, what stays hidden, and that nothing is missed."""

from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.event_conversation import converse
from tests.support.examples import examples
from tests.support.live_event import put, take_up
from tests.support.played_event import BEGINS_AT_MS, OPEN, PlayedEvent, begun_at_random, draw_event
from tests.support.store_records import board_ended, made_call
from tourney.bridge import PASS, SEATS, SUITS_DOWN, Bid, Call, Seat, Strain, board_from_seed
from tourney.bridge.auction import auction_rows
from tourney.protocol.session.records import BoardBegan, BoardEnd, CallMade, CardPlayed
from tourney.store.record.live import LiveBoard
from tourney.times import find_zone, to_zone
from tourney.views.watch import TableFollower, describe_wait, transcript

NOW_MS = BEGINS_AT_MS + 100_000
TOKYO = find_zone("Asia/Tokyo")
ONE_NOTRUMP, TWO_CLUBS = Bid(1, Strain.NOTRUMP), Bid(2, Strain.CLUBS)


def board_of(seed: int) -> LiveBoard:
    """A whole board called and played at random, from the first bid to the result."""
    records, in_play = begun_at_random(board_from_seed(seed, "watch", 1), str(seed))
    result = in_play.result
    assert result is not None
    return LiveBoard(
        board=in_play.board,
        attempt=1,
        began_at_ms=NOW_MS,
        calls=tuple(each for each in records if isinstance(each, CallMade)),
        cards=tuple(each for each in records if isinstance(each, CardPlayed)),
        ended=BoardEnd.PASSED_OUT if result.contract is None else BoardEnd.PLAYED,
        reason="",
        tricks=None if result.contract is None else result.tricks,
        score_ns=result.score,
    )


def cut(board: LiveBoard, actions: int) -> LiveBoard:
    """The board as it was after so many calls and cards."""
    return replace(
        board,
        calls=board.calls[:actions],
        cards=board.cards[: max(0, actions - len(board.calls))],
        ended=None,
        tricks=None,
        score_ns=None,
    )


def played_board() -> LiveBoard:
    return next(board for seed in range(99) if (board := board_of(seed)).cards)


def hand_lines(lines: list[str], board: LiveBoard) -> list[Seat]:
    """Whose whole hand the lines show."""
    shown = []
    for seat in SEATS:
        suits = "  ".join(f"{suit.letter} {board.board.deal[seat].suit_letters(suit) or '-'}" for suit in SUITS_DOWN)
        shown += [seat for line in lines if suits in line]
    return shown


# Line by line


@given(st.integers(0, 10_000), st.integers(0, 80), st.booleans())
@examples(30)
def test_what_comes_later_only_adds_lines(seed: int, actions: int, is_director: bool) -> None:
    board = board_of(seed)
    before = transcript(cut(board, actions), is_director=is_director)
    after = transcript(cut(board, actions + 1), is_director=is_director)
    whole = transcript(board, is_director=is_director)
    assert after[: len(before)] == before
    assert whole[: len(after)] == after
    assert len(whole) > len(before)


def test_a_board_is_told_call_by_call_and_trick_by_trick() -> None:
    board = played_board()
    in_play = board.in_play()
    assert in_play.play is not None
    lines = transcript(board, is_director=False)
    tricks = [line for line in lines if line.startswith("  trick ")]
    assert len(tricks) == 13
    for number, (line, trick) in enumerate(zip(tricks, in_play.play.tricks, strict=True), 1):
        winner = trick.winner(in_play.play.contract.strain.trumps)
        assert line.startswith(f"  trick {number} to {winner.title}: North-South ")
    assert sum(" plays " in line for line in lines) == 52
    assert sum(line.endswith(" passes") or " bids " in line or "doubles" in line for line in lines) == len(
        board.calls
    )


def test_a_board_reads_as_people_write_it_down() -> None:
    board = board_from_seed(1, "watch", 7)
    calls: list[Call] = [PASS, ONE_NOTRUMP, PASS, TWO_CLUBS, PASS, PASS, PASS]
    live = LiveBoard(
        board=board,
        attempt=2,
        began_at_ms=NOW_MS,
        calls=tuple(
            made_call(seq, board.dealer.plus(seq), call, alerted=call is TWO_CLUBS) for seq, call in enumerate(calls)
        ),
        cards=(),
        ended=BoardEnd.STALL,
        reason="East fell silent",
        tricks=None,
        score_ns=None,
    )
    assert transcript(live, is_director=False) == [
        "Board 7, dealer South, vulnerable All, attempt 2",
        "South passes",
        "West bids 1NT",
        "North passes",
        "East bids 2C",
        "South passes",
        "West passes",
        "North passes",
        "    West   North  East   South",
        "                         Pass",
        "    1NT    Pass   2C     Pass",
        "    Pass   Pass",
        "2C by East, South leads",
        "Board 7 ended without a result, stall: East fell silent",
    ]


def test_of_the_hands_only_dummy_is_seen_and_only_after_the_lead() -> None:
    board = played_board()
    contract = board.in_play().contract
    assert contract is not None
    for actions in range(len(board.calls) + 1):
        assert hand_lines(transcript(cut(board, actions), is_director=False), board) == []
    for actions in range(len(board.calls) + 1, len(board.calls) + 53):
        assert hand_lines(transcript(cut(board, actions), is_director=False), board) == [contract.dummy]


def test_the_director_sees_all_hands_once_from_the_start() -> None:
    board = played_board()
    for actions in (0, len(board.calls), len(board.calls) + 20):
        assert hand_lines(transcript(cut(board, actions), is_director=True), board) == list(SEATS)


def test_alerts_are_for_the_director_alone() -> None:
    base = cut(played_board(), 0)
    seat = base.board.dealer
    live = replace(
        base,
        calls=(
            made_call(0, seat, ONE_NOTRUMP, alerted=True, alert="15 to 17 total points"),
            made_call(1, seat.next, alerted=True),
            made_call(2, seat.partner, alert="weak"),
        ),
    )
    seen, hidden = "\n".join(transcript(live, is_director=True)), "\n".join(transcript(live, is_director=False))
    for text in ("(alert: 15 to 17 total points)", "(alert)", "(not alerted: weak)"):
        assert text in seen
    assert "alert" not in hidden
    assert "weak" not in hidden


def test_what_the_table_did_in_a_players_place_is_said() -> None:
    board = played_board()
    call, card = replace(board.calls[0], substituted=True), replace(board.cards[0], substituted=True)
    lines = transcript(
        replace(board, calls=(call, *board.calls[1:]), cards=(card, *board.cards[1:])), is_director=False
    )
    assert sum(line.endswith("(the table made it)") for line in lines) == 1
    assert sum(line.endswith("(the table played it)") for line in lines) == 1


def test_a_board_ends_with_its_result_from_the_side_of_north_south() -> None:
    board = played_board()
    contract = board.in_play().contract
    assert contract is not None
    expected = f"Board 1: {contract} by {contract.declarer.title}, {board.tricks} tricks"
    assert transcript(board, is_director=False)[-1] == f"{expected}, {board.score_ns:+} for North-South"
    claimed = replace(cut(board, len(board.calls) + 9), ended=BoardEnd.CLAIMED, tricks=13, score_ns=-90)
    ending = f"{contract} by {contract.declarer.title}, 13 tricks by claim, -90 for North-South"
    assert transcript(claimed, is_director=False)[-1] == f"Board 1: {ending}"


@pytest.mark.parametrize("dealer", SEATS)
def test_an_auction_starts_in_the_column_of_the_dealer(dealer: Seat) -> None:
    rows = auction_rows(dealer, [ONE_NOTRUMP, PASS, TWO_CLUBS])
    assert rows[0].index(ONE_NOTRUMP) == "WNES".index(dealer.letter)
    assert [call for row in rows for call in row if call is not None] == [ONE_NOTRUMP, PASS, TWO_CLUBS]


# Following


@pytest.fixture
def played(tmp_path: Path) -> PlayedEvent:
    return draw_event(tmp_path)


def follow(played: PlayedEvent, *, from_start: bool = False) -> TableFollower:
    table = played.match(1).tables_at(0)[OPEN]
    return TableFollower(played.drawn, table, is_director=True, from_start=from_start)


def looked(follower: TableFollower) -> list[tuple[int, int, int, bool]]:
    """Board, attempt, how many calls, and whether it has ended, of what is new."""
    boards = follower.poll(NOW_MS, is_played=True).boards
    return [(b.board.number, b.attempt, len(b.calls), b.ended is not None) for b in boards]


def test_a_follower_begins_with_the_board_in_play_and_sees_each_board_to_its_end(played: PlayedEvent) -> None:
    table = take_up(played)
    played.record(1, OPEN, 1, "Pass")
    attempts: dict[int, int] = {}
    put(played, table, BoardBegan(2, NOW_MS), board_attempts=attempts)
    follower = follow(played)
    assert looked(follower) == [(2, 1, 0, False)]
    put(
        played,
        table,
        made_call(0, Seat.EAST, board=2),
        board_attempts=attempts,
    )
    assert looked(follower) == [(2, 1, 1, False)]
    assert looked(follower) == [(2, 1, 1, False)]
    end = board_ended(2, BoardEnd.ABANDONED, reason="stopped")
    put(played, table, end, board_attempts=attempts)
    assert looked(follower) == [(2, 1, 1, True)]
    assert looked(follower) == []


def test_a_follower_of_a_table_between_boards_begins_with_the_next(played: PlayedEvent) -> None:
    take_up(played)
    played.record(1, OPEN, 1, "Pass")
    follower = follow(played)
    assert looked(follower) == []
    played.begin(1, OPEN, 2, calls=1)
    assert looked(follower) == [(2, 1, 1, False)]


def test_a_board_whose_host_has_died_goes_on_when_another_takes_the_table(played: PlayedEvent) -> None:
    take_up(played)
    played.begin(1, OPEN, 1, calls=2)
    follower = follow(played)
    assert looked(follower) == [(1, 1, 2, False)]
    table = take_up(played)
    put(
        played,
        table,
        made_call(2, Seat.SOUTH),
        board_attempts={1: 1},
    )
    assert looked(follower) == [(1, 1, 3, False)]


def test_a_board_that_is_begun_again_is_another_one(played: PlayedEvent) -> None:
    take_up(played)
    played.begin(1, OPEN, 1, calls=2)
    follower = follow(played)
    assert looked(follower) == [(1, 1, 2, False)]
    table = take_up(played)
    void = board_ended(1, BoardEnd.VOID, reason="a player said otherwise")
    put(played, table, void, BoardBegan(1, NOW_MS), board_attempts={1: 1})
    assert looked(follower) == [(1, 1, 2, True), (1, 2, 0, False)]
    assert looked(follower) == [(1, 2, 0, False)]


# Why nothing moves


def wait_of(played: PlayedEvent) -> list[str]:
    status = follow(played).poll(NOW_MS, is_played=True).status
    return [describe_wait(status, NOW_MS, TOKYO, is_played=True)]


tell = partial(converse, waits=wait_of)


def test_a_player_who_owes_something_long_is_named_with_since_when(played: PlayedEvent) -> None:
    since = to_zone(BEGINS_AT_MS + 90_000, TOKYO)
    tell(
        played,
        f"""
        1-open opens
        N E S W sit at 1-open
        1-open says N owes ready for deal since 90 s
        waits -> waits for North since {since:%H:%M:%S}: ready for deal
        """,
    )


def test_a_table_that_waits_for_the_operator_says_which_call_he_is_asked_about(played: PlayedEvent) -> None:
    tell(
        played,
        """
        1-open opens
        1-open board 1: 1 call
        N E S W sit at 1-open
        1-open asks about call 0 of board 1
        waits -> waits for the operator: is North's Pass alertable?
        """,
    )


def test_a_table_says_why_it_does_not_play(played: PlayedEvent) -> None:
    status = follow(played).poll(NOW_MS, is_played=False).status
    assert describe_wait(status, NOW_MS, TOKYO, is_played=False) == "no run is in progress"
    tell(
        played,
        """
        waits -> waits for its turn
        1-open opens
        1-open is assigned
        waits -> is being opened
        1-open is open
        waits -> waits for North, East, South, West to sit down
        1-open says problem East is silent
        waits -> East is silent
        1-open says paused
        waits -> paused
        Ada: stop 1-open
        waits -> stopped
        1-open is finished
        """,
    )
    assert wait_of(played) == [""]
