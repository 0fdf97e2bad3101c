"""Players of duels that call by what they hold, without playing a card."""

PLAYERS = '''
from tourney.player import Player

class Bold(Player):
    """Opens what its highest card and the vulnerability say."""

    def call(self, view):
        bid = f"{1 + view.hand.cards[4].rank % 3 + view.is_vulnerable}NT"
        return bid if all(str(made.call) == "Pass" for made in view.calls) else "pass"

class Calm(Player):
    def call(self, view):
        return "1NT" if not view.calls else "pass"
'''
