"""Total points and boards won by match, for the tie-breaks that ask for them."""

from pathlib import Path

import pytest

from tests.support.played_event import PlayedEvent, draw_event, event_text
from tourney.movement.ranking import NO_BOARDS, BoardTotals, RankingRules
from tourney.movement.tie_breaks import TieBreak
from tourney.protocol.session.records import RulingKind
from tourney.results.load import load_results
from tourney.scoring.match import MatchScore
from tourney.scoring.victory_points import VpHundredths
from tourney.store.results.matches import save_match_score

BOARDS = (
    ("4S N", 10, "4S N", 9),  # 420 and 50 for the home team
    ("3NT W", 9, "Pass", 0),  # 400 for the away team
    ("1NT S", 7, "1NT S", 7),
    ("Pass", 0, "Pass", 0),
)
TOTALS = BoardTotals(470 + 90, 400 + 90, 4, 4)
"""Each team has won one board and half of two others."""


@pytest.fixture
def played(tmp_path: Path) -> PlayedEvent:
    played = draw_event(tmp_path, event_text("Ants", "Bees", boards=4))
    played.compare(1, *BOARDS)
    return played


def totals(played: PlayedEvent) -> BoardTotals:
    rules = {1: RankingRules(tie_breaks=[TieBreak.BOARDS_WON])}
    return load_results(played.database, played.event.seen_whole(), rules).finished[1].totals


def test_totals_are_each_teams_points_at_both_tables_and_its_boards(played: PlayedEvent) -> None:
    assert totals(played) == TOTALS


def test_a_match_without_boards_in_its_score_has_no_totals(played: PlayedEvent) -> None:
    save_match_score(played.database, played.match(1), MatchScore(0, 0, 0, *map(VpHundredths, (1000, 1000))))
    assert totals(played) == NO_BOARDS


@pytest.mark.parametrize("kind", [kind for kind in RulingKind if kind.scores_board])
def test_a_board_whose_score_a_ruling_has_changed_counts_for_nobody_while_it_stands(
    played: PlayedEvent, kind: RulingKind
) -> None:
    ruling = played.rule(1, "Ants", kind, board=4)
    assert totals(played) == BoardTotals(TOTALS.points_home, TOTALS.points_away, 3, 3)
    played.withdraw(ruling)
    assert totals(played) == TOTALS
