"""Travellers of a pairs stage, loaded from the record."""

from pathlib import Path

from tests.contest.test_pairs import draw_pairs
from tests.support.pairs_events import play_by_chance
from tests.support.played_event import PlayedEvent
from tourney.coordinator.director import RulingBasis
from tourney.director.rulings import Adjust
from tourney.movement.pairs.howell import plan_howell
from tourney.results.travellers import StageTravellers, load_travellers


def load(played: PlayedEvent) -> StageTravellers:
    played.reload()
    (stage,) = load_travellers(played.drawn)
    return stage


def test_tables_have_their_numbers_in_the_movement(tmp_path: Path) -> None:
    played = draw_pairs(tmp_path, 7, 'format = "howell"\nphantom = true\nboards_per_round = 1')
    play_by_chance(played)
    names = {number: chr(64 + number) for number in range(1, 8)}
    movement = plan_howell(7, has_phantom=True)
    wanted = {
        (row.round, names[row.ns], names[row.ew]): row.table
        for row in movement.rows
        if row.is_played and row.ns is not None and row.ew is not None
    }
    found = {(line.match.round, line.ns, line.ew): line.table for t in load(played).travellers for line in t.lines}
    assert found == wanted


def test_a_board_that_counts_for_one_side_alone_at_a_table_has_unequal_results(tmp_path: Path) -> None:
    played = draw_pairs(tmp_path, 6, 'format = "mitchell"\nboards_per_round = 1')
    play_by_chance(played)
    board = played.boards(1)[0].number
    others = [
        match for match in played.event.matches if board in [each.number for each in played.boards(match.number)]
    ]
    both, home_alone = (
        Adjust(match.number, board, tuple(f"{team}=avg+" for team in teams))
        for match, teams in zip(others, (others[0].teams, others[1].teams[:1]), strict=False)
    )
    for ruling in (both, home_alone):
        ruling.carry_out(played.drawn, RulingBasis("Ada", "a fouled board", None, 1))
    (found,) = (traveller for traveller in load(played).travellers if traveller.board.number == board)
    assert (found.is_unequal, found.results) == (True, 1)
