"""Matches of which more than half of the boards were cancelled or not played, in events of every format."""

from pathlib import Path

import pytest

from tests.support.played_event import PlayedEvent, draw_event, event_text
from tourney.coordinator.draw import draw_next
from tourney.movement.ranking import FinishedMatch
from tourney.movement.seating import Room
from tourney.protocol.session.records import RulingKind
from tourney.results.load import load_results
from tourney.results.scorecard import Scorecard, load_scorecard
from tourney.results.standings import load_standings
from tourney.scoring.match import MatchScore
from tourney.scoring.victory_points import vp_scale

SCALE = vp_scale("wbf-continuous", 8)


def draw(folder: Path, stage: str = "", *teams: str) -> PlayedEvent:
    return draw_event(folder, event_text(*teams, boards=8, stage=stage))


def card_of(played: PlayedEvent, number: int = 1) -> Scorecard:
    match = played.match(number)
    return load_scorecard(played.database, played.event, match, played.file.scales[match.stage])


def outcome_of(played: PlayedEvent) -> tuple[MatchScore, FinishedMatch]:
    card = card_of(played)
    assert card.score is not None
    assert card.finished is not None
    return card.score, card.finished


def cancel(played: PlayedEvent, boards: int, number: int = 1) -> None:
    for board in range(1, boards + 1):
        played.rule(number, "", RulingKind.BOARD_CANCELLED, "fouled", board=board, law="Law 87")


def win_by_ten(played: PlayedEvent, *boards: int, number: int = 1) -> None:
    """The home team wins 10 IMPs on each of these boards, or 11 or 12 when it is vulnerable."""
    for board in boards:
        played.record(number, Room.OPEN, board, "4S N", 10)
        played.record(number, Room.CLOSED, board, "4S N", 9)


@pytest.mark.parametrize("format_", ["round-robin", "swiss", "gauntlet", "knockout"])
def test_a_match_with_more_than_half_of_its_boards_cancelled_gives_both_average_plus_on_half(
    tmp_path: Path, format_: str
) -> None:
    played = draw(tmp_path, f'format = "{format_}"\n{"rounds = 1" if format_ == "swiss" else ""}')
    cancel(played, 5)
    win_by_ten(played, 6, 7, 8)
    score, finished = outcome_of(played)
    assert (score.boards, score.totals.margins) == (0, (12, 12))
    assert (score.vp_home, score.vp_away) == (SCALE.split(12)[0],) * 2
    assert (finished.is_void, finished.lead) == (True, 0)
    played.score()
    rows = load_standings(played.database, played.event, played.drawn.ranking_rules).rows
    assert [(row.played, row.won, row.lost, row.imps_for, row.imps_against) for row in rows] == [(1, 0, 0, 12, 0)] * 2


def test_half_of_the_boards_are_enough(tmp_path: Path) -> None:
    played = draw(tmp_path)
    cancel(played, 4)
    win_by_ten(played, 5, 6, 7, 8)
    score, finished = outcome_of(played)
    assert (score.boards, score.imps_away, finished.is_void) == (4, 0, False)
    assert score.imps_home >= 40


def test_who_kept_the_boards_from_being_played_gets_average_minus(tmp_path: Path) -> None:
    played = draw(tmp_path)
    for board in range(1, 7):
        played.rule(1, "Alpha", RulingKind.ADJUSTED_SCORE, board=board, amount=-3 if board < 4 else 0)
        played.rule(1, "Beta", RulingKind.ADJUSTED_SCORE, board=board, amount=3)
    win_by_ten(played, 7, 8)
    score, finished = outcome_of(played)
    assert (score.totals.margins, finished.is_void) == ((-12, 12), True)


def test_boards_that_were_played_or_forfeited_make_no_match_void_whatever_they_were_adjusted_to(
    tmp_path: Path,
) -> None:
    played = draw(tmp_path)
    win_by_ten(played, 1, 2, 3)
    for board in (1, 2, 3):
        for team in ("Alpha", "Beta"):
            played.rule(1, team, RulingKind.ADJUSTED_SCORE, board=board, amount=-3)
    for board in range(4, 9):
        for room in Room:
            played.rule(1, "Alpha", RulingKind.BOARD_FORFEIT, room=room, board=board)
    score, finished = outcome_of(played)
    assert (score.boards, score.totals.margins, finished.is_void) == (8, (-24, 6), False)


def test_a_match_that_has_boards_to_play_is_not_void(tmp_path: Path) -> None:
    played = draw(tmp_path)
    assert card_of(played).score is None
    cancel(played, 7)
    assert card_of(played).score is None


def test_a_forfeited_match_is_forfeited_and_not_void(tmp_path: Path) -> None:
    played = draw(tmp_path)
    cancel(played, 8)
    played.rule(1, "Beta", RulingKind.MATCH_FORFEIT)
    score, finished = outcome_of(played)
    assert (score.vp_home, score.vp_away, finished.is_void) == (1200, 0, False)


def test_as_played_counts_what_is_left(tmp_path: Path) -> None:
    played = draw(tmp_path, 'void_matches = "as-played"')
    cancel(played, 7)
    win_by_ten(played, 8)
    score, finished = outcome_of(played)
    assert (score.boards, finished.is_void) == (1, False)
    assert score.imps_home >= 10


def test_a_fine_is_deducted_from_the_averages(tmp_path: Path) -> None:
    played = draw(tmp_path)
    cancel(played, 8)
    played.rule(1, "Alpha", RulingKind.PENALTY_IMPS, amount=2)
    score, finished = outcome_of(played)
    assert (score.totals.margins, finished.lead) == ((10, 12), -200)


def test_a_void_match_of_a_knockout_is_level_and_the_team_at_fault_is_out(tmp_path: Path) -> None:
    played = draw(tmp_path, 'format = "knockout"\nextra_boards = 0', "Ants", "Bees", "Cats", "Dogs")
    cancel(played, 8, number=1)
    for board in range(1, 9):
        for team, amount in zip(played.match(2).teams, (-3, 3), strict=True):
            played.rule(2, team, RulingKind.ADJUSTED_SCORE, board=board, amount=amount)
    played.score()
    results = load_results(played.database, played.event, played.drawn.ranking_rules)
    assert [results.finished[number].winner for number in (1, 2)] == ["Ants", played.match(2).away]
    assert [results.finished[number].lead for number in (1, 2)] == [0, -1200]
    assert draw_next(played.file, played.database, played.event, 0) == [2]
