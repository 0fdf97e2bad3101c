"""Minibridge as a game: announcements, the choice of the contract with dummy in sight, the play."""

import pytest

from tests.support.minibridge_table import play_minibridge
from tourney.bots.basic.style import BasicStrategy
from tourney.bots.random_style import RandomStrategy
from tourney.bridge import SEATS, Board, Seat, Strain, Vulnerability, board_from_seed, parse_card, parse_deal
from tourney.bridge.minibridge import (
    LOWEST_GAMES,
    MinibridgeContract,
    MinibridgeInPlay,
    MinibridgePhase,
    minibridge_view,
)
from tourney.errors import RuleError

DEAL = parse_deal("N:A32.A32.A32.A432 KQJT.KQJ.654.765 987.T98.KQJT.KQJ 654.7654.987.T98")
"""North has 16 points, East 12, South 12, West 0."""

LEVEL = parse_deal("N:4.K7643.86.QJ643 KJ.QT5.AJ73.8752 A98752.9.KT.AKT9 QT63.AJ82.Q9542.")
"""20 points on both sides."""

BOARD = Board(1, Seat.EAST, Vulnerability.ALL, DEAL)


def test_points_are_announced_from_the_dealer_clockwise() -> None:
    game = MinibridgeInPlay(BOARD)
    assert game.announcements == [(Seat.EAST, 12), (Seat.SOUTH, 12), (Seat.WEST, 0), (Seat.NORTH, 16)]
    assert (game.declarer, game.dummy, game.actor) == (Seat.NORTH, Seat.SOUTH, Seat.NORTH)


def test_a_board_with_twenty_points_on_both_sides_is_redealt() -> None:
    game = MinibridgeInPlay(Board(1, Seat.NORTH, Vulnerability.NONE, LEVEL))
    assert game.phase is MinibridgePhase.REDEAL
    assert (game.declarer, game.dummy, game.actor) == (None, None, None)
    with pytest.raises(RuleError, match="North cannot choose a contract: there is none to choose"):
        game.choose(Seat.NORTH, MinibridgeContract(Strain.SPADES, False, Seat.NORTH))


def test_only_declarer_chooses_the_contract_and_only_once() -> None:
    game = MinibridgeInPlay(BOARD)
    with pytest.raises(RuleError, match="North chooses the contract as declarer, got one from South"):
        game.choose(Seat.SOUTH, MinibridgeContract(Strain.NOTRUMP, True, Seat.NORTH))
    with pytest.raises(RuleError, match="cannot be played: there is no contract"):
        game.add_card(parse_card("AS"))
    game.choose(Seat.NORTH, MinibridgeContract(Strain.NOTRUMP, True, Seat.NORTH))
    assert game.phase is MinibridgePhase.PLAY
    assert game.actor is Seat.EAST
    with pytest.raises(RuleError, match="there is none to choose"):
        game.choose(Seat.NORTH, MinibridgeContract(Strain.NOTRUMP, False, Seat.NORTH))


def test_every_player_sees_dummy_before_the_opening_lead_and_no_other_hand() -> None:
    contract = MinibridgeContract(Strain.NOTRUMP, True, Seat.NORTH)
    for seat in SEATS:
        view = minibridge_view(seat, BOARD, contract)
        assert view.dummy_hand == DEAL[Seat.SOUTH]
        assert view.turn is Seat.EAST
        hidden = [other for other in SEATS if other not in (seat, Seat.SOUTH)]
        for other in hidden:
            with pytest.raises(KeyError):
                view.held(other)


@pytest.mark.parametrize("strategy", [BasicStrategy(3), RandomStrategy(3)])
def test_four_players_play_boards_to_the_end_by_what_each_of_them_sees(
    strategy: BasicStrategy | RandomStrategy,
) -> None:
    phases = set()
    for number in range(1, 41):
        game = play_minibridge(board_from_seed(11, "minibridge", number), [strategy] * 4)
        phases.add(game.phase)
        if game.phase is MinibridgePhase.OVER:
            assert game.play is not None
            assert len(game.play.cards) == 52
            assert game.declarer is not None
            own, other = game.declarer.side, game.declarer.side.other
            points = {side: sum(game.points[seat] for seat in SEATS if seat.side is side) for side in (own, other)}
            assert points[own] > points[other]
    assert phases <= {MinibridgePhase.OVER, MinibridgePhase.REDEAL}
    assert MinibridgePhase.OVER in phases


def test_the_contract_that_is_played_needs_the_tricks_of_its_bid() -> None:
    for strain, level in LOWEST_GAMES.items():
        game = MinibridgeContract(strain, True, Seat.WEST)
        assert (game.tricks_needed, game.bridge_contract.level) == (level + 6, level)
        part = MinibridgeContract(strain, False, Seat.WEST)
        assert (part.tricks_needed, part.bridge_contract.level) == (7, 1)
