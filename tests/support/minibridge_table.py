"""Plays a board of Minibridge with four players in one process, without a protocol."""

from collections.abc import Sequence

from tourney.bots import Strategy
from tourney.bridge import PASS, SEATS, Board, BoardInPlay, Call, PlayerView, Vulnerability
from tourney.bridge.minibridge import MinibridgeChoice


def play_minibridge(board: Board, strategies: Sequence[Strategy]) -> BoardInPlay:
    """Play a board with strategies indexed by seat, each of which sees its own view; a redeal is passed out."""
    choice, in_play = MinibridgeChoice(board), BoardInPlay(board)
    views = [PlayerView(seat, board.number, board.dealer, Vulnerability.NONE, board.deal[seat]) for seat in SEATS]
    if choice.dummy is not None:
        for view in views:
            view.show_dummy(board.deal[choice.dummy])

    def make(call: Call) -> None:
        in_play.add_call(call)
        for view in views:
            view.add_call(call)

    while in_play.in_auction:
        if choice.passes(in_play.auction):
            make(PASS)
            continue
        assert choice.declarer is not None
        view = views[choice.declarer]
        assert view.chooses_contract
        call = strategies[choice.declarer].choose_call(view).call
        assert choice.why_illegal(call) is None
        make(call)
    while not in_play.is_over:
        assert in_play.actor is not None
        assert in_play.turn is not None
        card = strategies[in_play.actor].choose_card(views[in_play.actor], in_play.turn)
        in_play.add_card(card)
        for view in views:
            view.add_card(card)
    return in_play
