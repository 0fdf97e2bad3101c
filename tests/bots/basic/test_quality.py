"""The basic player's results over a few hundred deals."""

from collections.abc import Sequence

import pytest

from tests.support.bots_table import BoardPlayed, play_board, replay, score_for
from tourney.bots.basic import BasicStrategy
from tourney.bots.basic.evaluation import Evaluation
from tourney.bots.basic.situation import is_game
from tourney.bots.random_style import RandomStrategy
from tourney.bridge import SEATS, Bid, Board, Contract, Side, board_from_seed
from tourney.scoring.imps import imps

_BOARDS = 200


def side_points(board: Board, side: Side) -> int:
    return sum(Evaluation.of(board.deal[seat]).hcp for seat in SEATS if seat.side is side)


@pytest.fixture(scope="module")
def played() -> Sequence[BoardPlayed]:
    player = BasicStrategy(1)
    return [play_board(board_from_seed("quality", "a", n), [player] * 4) for n in range(1, _BOARDS + 1)]


def contracts(played: Sequence[BoardPlayed]) -> list[tuple[BoardPlayed, Contract]]:
    return [(board, board.outcome.contract) for board in played if board.outcome.contract is not None]


def is_game_contract(contract: Contract) -> bool:
    return is_game(Bid(contract.level, contract.strain))


def test_most_contracts_are_made(played: Sequence[BoardPlayed]) -> None:
    made = [board.outcome.tricks >= contract.tricks_needed for board, contract in contracts(played)]
    assert 0.52 <= sum(made) / len(made) <= 0.75


def test_game_is_reached_on_26_points(played: Sequence[BoardPlayed]) -> None:
    strong = [(b, side) for b in played for side in Side if side_points(b.board, side) >= 26]
    reached = [
        b.outcome.contract is not None
        and is_game_contract(b.outcome.contract)
        and b.outcome.contract.declarer.side is side
        for b, side in strong
    ]
    assert len(strong) >= 40
    assert sum(reached) / len(reached) >= 0.85


def test_disasters_are_rare(played: Sequence[BoardPlayed]) -> None:
    lost = [b for b, c in contracts(played) if score_for(b.outcome, c.declarer.side) < -800]
    assert len(lost) <= _BOARDS * 0.01


def test_basic_beats_random_by_far_over_a_hundred_boards_in_two_rooms() -> None:
    total = 0
    for number in range(1, 101):
        home, away = replay(board_from_seed("quality", "b", number), BasicStrategy(1), RandomStrategy(1))
        total += imps(home.score - away.score)
    assert total >= 600


def test_two_teams_with_one_seed_tie_every_board() -> None:
    for number in range(1, 31):
        first, second = replay(board_from_seed("quality", "c", number), BasicStrategy(5), BasicStrategy(5))
        assert first == second
