"""Travellers of a pairs stage, loaded from the record."""

from fractions import Fraction
from pathlib import Path

from tests.contest.test_pairs import draw_pairs
from tests.support.pairs_events import play_by_chance
from tests.support.played_event import PlayedEvent
from tourney.bridge import Side
from tourney.coordinator.director import RulingBasis
from tourney.director.rulings import Adjust
from tourney.movement.pairs.howell import plan_howell
from tourney.movement.seating import Room
from tourney.protocol.session.records import RulingKind
from tourney.report.pair_figures import PairsUnit, describe_unequal
from tourney.report.travellers import describe_board
from tourney.results.travellers import StageTravellers, load_travellers
from tourney.scoring.pairs.matchpoints import MatchpointScale
from tourney.scoring.pairs.traveller import Average


def load(played: PlayedEvent, last: int | None = None) -> StageTravellers:
    drawn = played.drawn
    (stage,) = load_travellers(played.database, played.reload(), drawn.ranking_rules, drawn.movements, last)
    return stage


def test_every_table_of_a_board_is_on_its_traveller_with_its_points(tmp_path: Path) -> None:
    played = draw_pairs(tmp_path, 8, 'format = "howell"\nboards_per_round = 2')
    play_by_chance(played)
    stage = load(played)
    assert [found.board.number for found in stage.travellers] == list(range(1, 15))
    for found in stage.travellers:
        assert (found.top, found.results, found.unequal, len(found.lines)) == (6, 4, (), 4)
        assert all(line.result is not None for line in found.lines)
        points = [line.scored.points(side) for line in found.lines if line.scored is not None for side in Side]
        assert sum(filter(None, points)) == 4 * 6
    for pair, total in stage.totals.items():
        lines = [line for _, line in stage.lines_of[pair]]
        assert [line.match.round for line in lines] == sorted(line.match.round for line in lines)
        assert stage.add_up(pair, lines).level == total.level
    assert stage.hidden == 0
    assert not stage.fines


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


def test_a_board_is_on_no_traveller_before_its_last_table_has_finished_its_round(tmp_path: Path) -> None:
    played = draw_pairs(tmp_path, 8, 'format = "howell"')
    play_by_chance(played, last=4)
    movement = plan_howell(8)
    closed = [number for number, rows in movement.by_set.items() if max(row.round for row in rows) <= 4]
    stage = load(played)
    assert [found.board.number for found in stage.travellers] == [
        number for board_set in closed for number in (2 * board_set - 1, 2 * board_set)
    ]
    assert stage.hidden == 14 - len(stage.travellers)


def test_a_forfeited_board_has_artificial_scores_and_a_penalty_is_none_of_a_board(tmp_path: Path) -> None:
    played = draw_pairs(tmp_path, 8, 'format = "howell"\nboards_per_round = 1')
    play_by_chance(played)
    match = played.match(1)
    board = played.boards(1)[0].number
    played.rule(1, match.home, RulingKind.BOARD_FORFEIT, room=Room.OPEN, board=board)
    played.rule(2, played.match(2).home, RulingKind.PENALTY_VP, amount=2500)
    stage = load(played)
    (found,) = (traveller for traveller in stage.travellers if traveller.board.number == board)
    (line,) = (line for line in found.lines if line.match.number == 1)
    assert [line.counts(side) for side in Side] == [Average.MINUS, Average.PLUS]
    assert (found.results, found.unequal) == (3, ((3, 4, None),))
    assert stage.fines == {played.match(2).home: Fraction(3, 2)}


def test_a_board_that_counts_for_one_side_alone_at_a_table_says_the_results_of_each_side(tmp_path: Path) -> None:
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
    assert found.unequal == ((1, 3, Side.NS), (2, 3, Side.EW))
    assert describe_unequal(found) == (
        "North-South 1 of 3 results, with nothing to compare it with; East-West 2 of 3 results, by Neuberg's formula"
    )


def test_sections_of_different_size_that_are_compared_apart_have_a_top_each(tmp_path: Path) -> None:
    played = draw_pairs(tmp_path, 18, 'format = "mitchell"\nrounds = 2\nsections = 2\ncompare_within = "section"')
    play_by_chance(played)
    travellers = load(played).travellers
    found = next(each for each in travellers if each.board.number == 5)
    assert (found.tops, found.top, found.unequal) == ({"A": 2, "B": 4}, None, ((1, 3, None),))
    told = describe_board(found, PairsUnit(is_matchpoints=True, scale=MatchpointScale.TWO))
    assert told.endswith("; top 2 in section A, 4 in section B, 1 of 3 results, with nothing to compare it with")
    assert [each.top for each in travellers if each.tops.keys() == {"A"}] == [2, 2]


def test_a_board_that_was_cancelled_at_a_table_has_nothing_that_counts_there(tmp_path: Path) -> None:
    played = draw_pairs(tmp_path, 4, 'format = "howell"\nboards_per_round = 1')
    play_by_chance(played)
    board = played.boards(1)[0].number
    played.rule(1, "", RulingKind.BOARD_CANCELLED, board=board)
    (found,) = (traveller for traveller in load(played).travellers if traveller.board.number == board)
    (line,) = (line for line in found.lines if line.match.number == 1)
    assert line.is_cancelled
    assert line.scored is None
