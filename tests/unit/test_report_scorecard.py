"""Scorecards: what is shown, what counts, and what it adds up to."""

from dataclasses import replace
from pathlib import Path

import pytest

from tests.played_event import PlayedEvent, draw_event, event_text
from tourney.bridge import Side
from tourney.movement.seating import Room
from tourney.report.documents import scorecard_document
from tourney.report.scorecard import Scorecard, load_scorecard, make_scorecard
from tourney.scoring.victory_points import VpHundredths
from tourney.store.objects import StoredMatchScore
from tourney.store.results import load_board_results, save_match_score

OPEN, CLOSED = Room.OPEN, Room.CLOSED


@pytest.fixture
def played(tmp_path: Path) -> PlayedEvent:
    """Alpha, at home, sits North-South in the open room; boards 1 to 4: vulnerable none, NS, EW, all."""
    return draw_event(tmp_path, event_text("Alpha", "Beta", boards=4))


def play_four_boards(played: PlayedEvent) -> None:
    """Worked out by hand: differences of 470, -400, 0 and -1630 points are 10, -9, 0 and -17 IMPs."""
    played.record(1, OPEN, 1, "4S N", 10, ns_ms=100, ew_ms=20)  # 420
    played.record(1, CLOSED, 1, "4S N", 9, ns_ms=3, ew_ms=4)  # -50
    played.record(1, OPEN, 2, "3NT W", 9, ns_ms=1000, ew_ms=200)  # -400
    played.record(1, CLOSED, 2, "Pass")
    played.record(1, OPEN, 3, "1NT S", 7)  # 90
    played.record(1, CLOSED, 3, "1NT S", 7)
    played.record(1, OPEN, 4, "6HX S", 11)  # -200
    played.record(1, CLOSED, 4, "6H S", 12)  # 1430


def card_of(played: PlayedEvent) -> Scorecard:
    return load_scorecard(played.database, played.event, played.match(1), played.file.scale)


def test_a_match_worked_out_by_hand(played: PlayedEvent) -> None:
    play_four_boards(played)
    card = card_of(played)
    assert [board.imps for board in card.boards] == [10, -9, 0, -17]
    assert (card.imps_home, card.imps_away, card.boards_finished) == (10, 26, 4)
    # 16 IMPs over 4 boards: 10 + 10 * (1 - t**1.6) / (1 - t**3) with t the golden ratio less one.
    assert card.score == StoredMatchScore(1, 4, 10, 26, VpHundredths(297), VpHundredths(1703))


def test_the_document_of_a_match_that_is_over(played: PlayedEvent) -> None:
    play_four_boards(played)
    document = scorecard_document(card_of(played))
    boards = document.pop("boards")
    assert document == {
        "match": 1,
        "home": "Alpha",
        "away": "Beta",
        "imps_home": 10,
        "imps_away": 26,
        "vp_home": "2.97",
        "vp_away": "17.03",
    }
    assert boards[1] == {
        "board": 2,
        "open": {"contract": "3NT", "declarer": "W", "tricks": 9, "score": -400},
        "closed": {"contract": "Pass", "declarer": None, "tricks": None, "score": 0},
        "imps": -9,
    }
    assert boards[3]["open"] == {"contract": "6HX", "declarer": "S", "tricks": 11, "score": -200}
    assert [board["board"] for board in boards] == [1, 2, 3, 4]


def test_a_board_is_hidden_until_both_rooms_have_finished_it(played: PlayedEvent) -> None:
    played.record(1, OPEN, 1, "4S N", 10)
    played.begin(1, CLOSED, 1)
    played.record(1, CLOSED, 2, "3NT W", 9)
    document = scorecard_document(card_of(played))
    assert document["boards"] == [
        {"board": number, "open": None, "closed": None, "imps": None} for number in (1, 2, 3, 4)
    ]
    assert (document["imps_home"], document["imps_away"]) == (0, 0)


def test_imps_add_up_as_boards_come_in_and_victory_points_wait_for_the_last(played: PlayedEvent) -> None:
    played.record(1, OPEN, 1, "4S N", 10)
    played.record(1, CLOSED, 1, "4S N", 9)
    played.record(1, OPEN, 4, "Pass")
    card = card_of(played)
    assert (card.imps_home, card.imps_away, card.boards_finished, card.score) == (10, 0, 1, None)
    document = scorecard_document(card)
    assert (document["vp_home"], document["vp_away"]) == (None, None)


def test_the_home_team_is_scored_where_it_sits_not_where_it_sits_by_custom(played: PlayedEvent) -> None:
    play_four_boards(played)
    match = played.match(1)
    turned = {
        room: replace(table, ns_team=table.ew_team, ew_team=table.ns_team) for room, table in match.tables.items()
    }
    card = make_scorecard(
        "Test Cup",
        replace(match, tables=turned),
        played.boards(1),
        load_board_results(played.database, match),
        played.file.scale,
        None,
    )
    assert [board.imps for board in card.boards] == [-10, 9, 0, 17]
    assert (card.imps_home, card.imps_away) == (26, 10)


def test_a_stored_score_stands_whatever_the_scale_says_today(played: PlayedEvent) -> None:
    play_four_boards(played)
    stored = StoredMatchScore(1, 4, 10, 26, VpHundredths(500), VpHundredths(1500))
    save_match_score(played.database, played.match(1), stored, 0)
    assert card_of(played).score == stored


def test_without_a_scale_a_match_that_is_over_has_imps_and_no_score(played: PlayedEvent) -> None:
    play_four_boards(played)
    card = load_scorecard(played.database, played.event, played.match(1), None)
    assert (card.imps_home, card.imps_away, card.score) == (10, 26, None)


def test_thinking_time_is_that_of_the_boards_shown(played: PlayedEvent) -> None:
    played.record(1, OPEN, 1, "4S N", 10, ns_ms=100, ew_ms=20)
    played.record(1, CLOSED, 1, "4S N", 9, ns_ms=3, ew_ms=4)
    played.record(1, OPEN, 2, "Pass", ns_ms=5000, ew_ms=7000)
    card = card_of(played)
    assert [card.thinking_ms(room, side) for room in Room for side in Side] == [100, 20, 3, 4]


def test_an_attempt_that_was_broken_off_leaves_no_trace(played: PlayedEvent) -> None:
    played.begin(1, OPEN, 1)
    play_four_boards(played)
    card = card_of(played)
    assert (card.imps_home, card.imps_away) == (10, 26)
