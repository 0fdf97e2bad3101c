"""The basic player: natural bidding and plain sense in the play. Deterministic by its seed and what it sees."""

from tourney.bots.basic.bidding.bidder import decide_call
from tourney.bots.basic.play.player import decide_card
from tourney.bots.strategy import Decision
from tourney.bots.temperament import Temper
from tourney.bridge import Card, PlayerView, Seat


class BasicStrategy:
    """A player that bids a natural system and plays without looking far ahead.

    The seed colours its judgement a little, so that teams with different seeds differ; with the same seed they play
    alike.
    """

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def choose_call(self, view: PlayerView) -> Decision:
        """What the system or the player's judgement says."""
        return decide_call(view, Temper(self.seed, view.number))

    def choose_card(self, view: PlayerView, hand: Seat) -> Card:
        """What plain sense says."""
        return decide_card(view, hand, Temper(self.seed, view.number))
