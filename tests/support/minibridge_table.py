"""Plays a board of Minibridge with four players in one process, without a protocol."""

from collections.abc import Sequence

from tourney.bots import Strategy
from tourney.bots.basic.minibridge import choose_minibridge_contract
from tourney.bots.strategy import Variation
from tourney.bridge import SEATS, Board, PlayerView, Vulnerability
from tourney.bridge.minibridge import MinibridgeInPlay, MinibridgePhase, minibridge_view


def play_minibridge(board: Board, strategies: Sequence[Strategy], seed: int = 0) -> MinibridgeInPlay:
    """Play a board with strategies indexed by seat, each of which sees its own view; a redeal is left as it is."""
    game = MinibridgeInPlay(board)
    if game.declarer is None or game.dummy is None:
        return game
    chooser = PlayerView(game.declarer, board.number, board.dealer, Vulnerability.NONE, board.deal[game.declarer])
    chooser.show_dummy(board.deal[game.dummy])
    contract = choose_minibridge_contract(chooser, Variation(seed, board.number))
    game.choose(game.declarer, contract)
    views = [minibridge_view(seat, board, contract) for seat in SEATS]
    while game.phase is MinibridgePhase.PLAY:
        actor = game.actor
        assert actor is not None
        assert game.play is not None
        card = strategies[actor].choose_card(views[actor], game.play.turn)
        game.add_card(card)
        for view in views:
            view.add_card(card)
    return game
