"""Scorecards: what is shown, what counts, and what it adds up to."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.support.event_director import EventDirector
from tests.support.played_event import CLOSED, OPEN, ROOMS, PlayedEvent, draw_event, draw_half_played, event_text
from tourney.bridge import Seat
from tourney.movement.seating import Room
from tourney.protocol.session.records import BoardEnd, RulingKind
from tourney.results.scorecard import FinishedCards, Scorecard, load_scorecard, make_scorecard
from tourney.scoring.assigned import parse_assigned
from tourney.scoring.match import MatchScore
from tourney.scoring.victory_points import VpHundredths, VpScale
from tourney.store.results.matches import load_board_results, save_match_score
from tourney.store.results.secrecy import load_hidden_boards
from tourney.views.match import MatchReport


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


def play_boards_2_to_4(played: PlayedEvent) -> None:
    """As above, without the first: 0 IMPs to 26."""
    played.record(1, OPEN, 2, "3NT W", 9)
    played.record(1, CLOSED, 2, "Pass")
    played.record(1, OPEN, 3, "Pass")
    played.record(1, CLOSED, 3, "Pass")
    played.record(1, OPEN, 4, "6HX S", 11)
    played.record(1, CLOSED, 4, "6H S", 12)


def _scale(played: PlayedEvent) -> VpScale:
    scale = played.file.scales[1]
    assert scale is not None
    return scale


def card_of(played: PlayedEvent) -> Scorecard:
    return load_scorecard(played.database, played.event, played.match(1), _scale(played))


def test_a_match_worked_out_by_hand(played: PlayedEvent) -> None:
    play_four_boards(played)
    card = card_of(played)
    assert [board.imps for board in card.boards] == [10, -9, 0, -17]
    assert (card.totals.home, card.totals.away, card.boards_finished) == (10, 26, 4)
    # 16 IMPs over 4 boards: 10 + 10 * (1 - t**1.6) / (1 - t**3) with t the golden ratio less one.
    assert card.score == MatchScore(4, 10, 26, VpHundredths(297), VpHundredths(1703))


def scorecard_document(played: PlayedEvent, card: Scorecard) -> Any:  # JSON
    return MatchReport(played.event, card, {}, has_times=False).document()


def test_imps_add_up_as_boards_come_in_and_victory_points_wait_for_the_last(played: PlayedEvent) -> None:
    played.record(1, OPEN, 1, "4S N", 10)
    played.record(1, CLOSED, 1, "4S N", 9)
    played.record(1, OPEN, 4, "Pass")
    card = card_of(played)
    assert (card.totals.home, card.totals.away, card.boards_finished, card.score) == (10, 0, 1, None)
    document = scorecard_document(played, card)
    assert (document["vp_home"], document["vp_away"]) == (None, None)


def test_the_home_team_is_scored_where_it_sits_not_where_it_sits_by_custom(played: PlayedEvent) -> None:
    play_four_boards(played)
    match = played.match(1)
    turned = tuple(replace(table, ns_team=table.ew_team, ew_team=table.ns_team) for table in match.tables)
    card = make_scorecard(
        replace(match, tables=turned),
        played.boards(1),
        load_board_results(played.database, match),
        [],
        _scale(played),
        None,
    )
    assert [board.imps for board in card.boards] == [-10, 9, 0, 17]
    assert (card.totals.home, card.totals.away) == (26, 10)


def test_a_stored_score_stands_whatever_the_scale_says_today(played: PlayedEvent) -> None:
    play_four_boards(played)
    stored = MatchScore(4, 10, 26, VpHundredths(500), VpHundredths(1500))
    save_match_score(played.database, played.match(1), stored, 0)
    assert card_of(played).score == stored


def test_without_a_scale_a_match_that_is_over_has_imps_and_no_score(played: PlayedEvent) -> None:
    play_four_boards(played)
    card = load_scorecard(played.database, played.event, played.match(1), None)
    assert (card.totals.home, card.totals.away, card.score) == (10, 26, None)


# Boards and matches that were not won at the table. Victory points: WBF continuous scale of 2013 for 4 boards, as
# published.


def test_a_board_forfeited_in_one_room_is_three_imps_whatever_the_other_room_made(played: PlayedEvent) -> None:
    played.forfeit(1, OPEN, 1, Seat.EAST)  # Beta sits East-West in the open room
    assert card_of(played).boards_finished == 0
    played.record(1, CLOSED, 1, "7NTXX N", 0)  # 7000 points to Alpha, were they counted
    card = card_of(played)
    assert (card.boards[0].imps, card.boards[0].imps_away) == (3, -3)
    assert (card.totals.home, card.totals.away, card.boards_finished) == (3, 0, 1)
    document = scorecard_document(played, card)
    (board, *_) = document["boards"]
    assert board["open"] is None
    assert board["closed"] is not None
    assert (board["closed"]["contract"], board["closed"]["score"]) == ("7NTXX", -7000)
    assert board["forfeits"] == [{"room": "open", "team": "Beta", "reason": "stall: East owed a call for 300 s"}]


def test_a_board_forfeited_while_the_other_room_plays_it_is_hidden_with_its_ruling(played: PlayedEvent) -> None:
    played.forfeit(1, OPEN, 1, Seat.EAST)
    played.begin(1, CLOSED, 1)
    document = scorecard_document(played, card_of(played))
    assert document["boards"][0]["forfeits"] == []
    assert document["rulings"] == []
    assert (document["imps_home"], document["imps_away"]) == (None, None)


@pytest.mark.parametrize("assigned", [("Alpha",), ("Alpha", "Beta")])
def test_a_board_forfeited_in_one_room_counts_when_both_teams_have_an_assigned_score_in_the_other(
    played: PlayedEvent, assigned: tuple[str, ...]
) -> None:
    played.rule(1, "Beta", RulingKind.BOARD_FORFEIT, room=OPEN, board=1)
    director = EventDirector(played)
    director.assign(played.table(1, CLOSED), 1, [parse_assigned("Pass")], assigned)
    assert [board.imps for board in card_of(played).boards[:1]] == ([3] if len(assigned) == 2 else [None])


@pytest.mark.parametrize("room", ROOMS)
def test_a_board_that_both_teams_have_forfeited_costs_each_three_imps(played: PlayedEvent, room: Room) -> None:
    played.forfeit(1, OPEN, 1, Seat.EAST)  # Beta
    if room is CLOSED:
        played.forfeit(1, CLOSED, 1, Seat.EAST, BoardEnd.CRASH, "East's program ended")  # Alpha
    else:
        played.rule(1, "Alpha", RulingKind.BOARD_FORFEIT, "North too", room=OPEN, board=1)
        played.record(1, CLOSED, 1, "4S N", 10)
    played.record(1, OPEN, 2, "4S N", 10)  # 620 to -100, both vulnerable North-South: 12 IMPs
    played.record(1, CLOSED, 2, "4S N", 9)
    card = card_of(played)
    assert [(board.imps, board.imps_away) for board in card.boards[:2]] == [(-3, -3), (12, -12)]
    assert (card.totals.home, card.totals.away, card.totals.margins) == (12, 0, (12 - 3, -12 - 3))


def test_a_finished_match_with_a_board_forfeited_by_both_is_worth_less_than_twenty(played: PlayedEvent) -> None:
    play_boards_2_to_4(played)
    played.forfeit(1, OPEN, 1, Seat.EAST)
    played.forfeit(1, CLOSED, 1, Seat.EAST)
    # Beta's margin is 26 - 3 = 23, which is worth 18.76; Alpha's, -9 and -17 and -3, leaves 0.15.
    assert card_of(played).score == MatchScore(4, 0, 26, VpHundredths(15), VpHundredths(1876), 3, 3)


def test_the_running_score_has_what_one_team_alone_is_given(played: PlayedEvent) -> None:
    play_four_boards(played)
    played.rule(1, "Alpha", RulingKind.ADJUSTED_SCORE, board=1, amount=3, law="Law 12C2")
    played.rule(1, "Beta", RulingKind.PENALTY_IMPS, amount=2)
    card = card_of(played)
    assert list(card.running_totals.values()) == [(300, 0), (300, 900), (300, 900), (300, 2600)]
    assert (card.totals.home, card.totals.away) == (3, 26 - 2)


def test_a_result_is_kept_beside_the_ruling_that_took_it_away(played: PlayedEvent) -> None:
    play_four_boards(played)
    played.rule(1, "Beta", RulingKind.BOARD_FORFEIT, "saw the hands", room=CLOSED, board=4, attempt=1, author="Jane")
    card = card_of(played)
    assert [board.imps for board in card.boards] == [10, -9, 0, 3]
    document = scorecard_document(played, card)
    board = document["boards"][3]
    assert board["closed"] is not None
    assert board["closed"]["score"] == 1430
    assert board["forfeits"] == [{"room": "closed", "team": "Beta", "reason": "saw the hands"}]
    # 13 to 9 IMPs: a margin of 4 is worth 12.29 to 7.71.
    assert card.score == MatchScore(4, 13, 9, VpHundredths(1229), VpHundredths(771))


def test_a_ruling_that_was_withdrawn_does_not_count(played: PlayedEvent) -> None:
    play_four_boards(played)
    before = card_of(played).score
    for kind, amount in ((RulingKind.PENALTY_IMPS, 5), (RulingKind.PENALTY_VP, 50), (RulingKind.MATCH_FORFEIT, 0)):
        ruling = played.rule(1, "Beta", kind, amount=amount)
        assert card_of(played).score != before
        played.withdraw(ruling)
        assert card_of(played).score == before
    assert scorecard_document(played, card_of(played))["rulings"] == []


def test_penalties_are_taken_off_one_team_and_a_warning_off_none(played: PlayedEvent) -> None:
    play_four_boards(played)
    played.rule(1, "Alpha", RulingKind.WARNING, "slow")
    played.rule(1, "Beta", RulingKind.PENALTY_IMPS, "slow", amount=2)
    played.rule(1, "Beta", RulingKind.PENALTY_IMPS, "slow again", amount=4)
    played.rule(1, "Beta", RulingKind.PENALTY_VP, "rude", amount=150)
    # 10 to 26: Beta's margin is 16 - 6 = 10 and worth 15.00, less 1.50; Alpha's loss by 16 stays at 2.97.
    card = card_of(played)
    assert card.score == MatchScore(4, 10, 20, VpHundredths(297), VpHundredths(1350), lost_away=6)
    assert (card.totals.home, card.totals.away) == (10, 20)
    assert [ruling["kind"] for ruling in scorecard_document(played, card)["rulings"]] == [
        *("warning", "penalty-imps", "penalty-imps", "penalty-vp")
    ]


def test_a_penalty_on_a_board_counts_from_when_the_board_does(played: PlayedEvent) -> None:
    played.record(1, OPEN, 1, "4S N", 10)
    played.rule(1, "Alpha", RulingKind.PENALTY_IMPS, "slow", room=OPEN, board=1, amount=2)
    assert (card_of(played).totals.home, card_of(played).rulings) == (0, ())
    played.record(1, CLOSED, 1, "4S N", 9)
    assert (card_of(played).totals.home, len(card_of(played).rulings)) == (10 - 2, 1)


def test_a_forfeited_match_is_over_at_once(played: PlayedEvent) -> None:
    played.record(1, OPEN, 1, "4S N", 10)
    played.record(1, CLOSED, 1, "4S N", 9)
    played.record(1, OPEN, 2, "4S N", 10)
    played.rule(1, "Beta", RulingKind.MATCH_FORFEIT, "never came")
    card = card_of(played)
    # One board of four is not half of them: 12 of 20, whatever it was.
    assert card.score == MatchScore(0, 0, 0, VpHundredths(1200), VpHundredths(0))
    assert (card.totals.home, card.totals.away) == (0, 0)
    assert [bool(board.results) for board in card.boards] == [True, False, False, False]


def test_a_match_forfeited_half_way_keeps_the_better_margin_of_the_other_team(played: PlayedEvent) -> None:
    played.record(1, OPEN, 1, "4S N", 10)
    played.record(1, CLOSED, 1, "4S N", 9)  # 10 IMPs to Alpha
    played.record(1, OPEN, 3, "1NT S", 7)
    played.record(1, CLOSED, 3, "1NT S", 7)
    played.rule(1, "Beta", RulingKind.MATCH_FORFEIT, "went home")
    assert card_of(played).score == MatchScore(2, 10, 0, VpHundredths(1500), VpHundredths(0))
    played.rule(1, "Alpha", RulingKind.MATCH_FORFEIT, "went home too")
    assert card_of(played).score == MatchScore(0, 0, 0, VpHundredths(0), VpHundredths(0))


def test_kept_cards_of_finished_matches_are_what_is_loaded_anew(tmp_path: Path) -> None:
    played = draw_half_played(tmp_path)
    kept = FinishedCards()
    seen = []
    steps: list[Callable[[], object]] = [
        lambda: None,
        lambda: played.play(2, boards=[2]),
        played.score,
        lambda: played.rule(1, played.match(1).home, RulingKind.PENALTY_IMPS, "late", amount=2),
        lambda: played.rule(2, "Ants", RulingKind.WARNING, "once", board=1),
    ]
    for step in steps:
        step()
        hidden = load_hidden_boards(played.database, played.event)
        cards = kept.load(played.database, played.event, played.drawn.scales, hidden)
        assert cards == FinishedCards().load(played.database, played.event, played.drawn.scales, hidden)
        seen.append(cards)
    assert seen[0][1] is seen[2][1]
    assert seen[2][2].score is not None
    assert [ruling.reason for ruling in seen[3][1].rulings] == ["late"]
