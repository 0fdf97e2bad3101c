"""The Butler ranking of pairs, from boards on record."""

from pathlib import Path

import pytest

from tests.support.played_event import CLOSED, OPEN, PlayedEvent, draw_event, draw_four_tables, event_text
from tourney.bridge import Seat, Side
from tourney.protocol.session.records import RulingKind
from tourney.views.butler import ButlerRanking, load


def rank(played: PlayedEvent, round_number: int | None = None) -> ButlerRanking:
    return load(played.drawn, round_number=round_number)


def imps(ranking: ButlerRanking) -> dict[str, int]:
    return {row.pair: row.imps for row in ranking.pairs}


@pytest.fixture
def played(tmp_path: Path) -> PlayedEvent:
    return draw_four_tables(tmp_path)


def test_pairs_are_ranked_by_imps_a_board_against_the_mean_of_all_tables_of_the_deal(played: PlayedEvent) -> None:
    ranking = rank(played)  # the mean is 295, the datum 300
    assert [(row.rank, row.pair, row.boards, row.imps) for row in ranking.pairs] == [
        (1, "Alpha E-W", 1, 8),
        (2, "Beta N-S", 1, 4),
        (3, "Alpha N-S", 1, 3),
        (3, "Gamma N-S", 1, 3),
        (5, "Beta E-W", 1, -3),
        (5, "Delta E-W", 1, -3),
        (7, "Gamma E-W", 1, -4),
        (8, "Delta N-S", 1, -8),
    ]
    assert (ranking.boards, ranking.results, ranking.adjusted) == (1, 4, 0)


def test_a_pair_is_a_team_in_one_direction_whichever_room_it_sits_in(tmp_path: Path) -> None:
    played = draw_event(tmp_path, event_text(stage='format = "double-round-robin"', boards=1))
    for match in (1, 2):
        home, away = (OPEN, CLOSED) if played.match(match).home == "Alpha" else (CLOSED, OPEN)
        played.record(match, home, 1, "4S N", 10)
        played.record(match, away, 1, "4S N", 9)
    assert {played.match(1).home, played.match(2).home} == {"Alpha", "Beta"}
    # 420 and -50: the datum is 190, an exact 185 going away from zero.
    assert [(row.team, row.side, row.boards, row.imps) for row in rank(played).pairs] == [
        ("Alpha", Side.NS, 2, 12),
        ("Alpha", Side.EW, 2, 12),
        ("Beta", Side.NS, 2, -12),
        ("Beta", Side.EW, 2, -12),
    ]


def test_a_board_that_a_ruling_has_changed_counts_for_nobody_and_is_in_no_datum(played: PlayedEvent) -> None:
    played.leave_aside(2)
    played.record(1, CLOSED, 2, "4S N", 10)
    played.forfeit(1, OPEN, 2, Seat.EAST)
    ruling = played.rule(2, "Beta", RulingKind.BOARD_FORFEIT, room=OPEN, board=1, attempt=1)
    ranking = rank(played)  # 400 and -50: the datum is 180
    assert (ranking.boards, ranking.results, ranking.adjusted) == (1, 2, 2)
    assert imps(ranking) == {"Alpha N-S": 6, "Delta E-W": -6, "Delta N-S": -6, "Alpha E-W": 6}
    played.withdraw(ruling)
    assert (rank(played).results, rank(played).adjusted) == (4, 1)
