"""A bridge player. Fill in `call` and `play`; what a view has is in the manual's page "A player of your own"."""

from tourney.player import PASS, Bid, Call, Card, Player, Strain, Suit, View


class MyBot(Player):
    """Opens its longest suit with twelve points, passes otherwise, and wins tricks as cheaply as it can."""

    def call(self, view: View) -> Call:
        points = sum(max(0, card.rank - 10) for card in view.hand.cards)  # ace 4, king 3, queen 2, jack 1
        nobody_has_bid = all(made.call is PASS for made in view.calls)
        if points < 12 or not nobody_has_bid:
            return PASS
        longest = max(Suit, key=lambda suit: len(view.hand.suit(suit)))
        return Bid(1, Strain(longest))

    def play(self, view: View) -> Card:
        assert view.contract is not None
        assert view.current is not None
        trumps = view.contract.strain.trumps
        cheapest_first = sorted(view.legal_cards, key=lambda card: (card.suit is trumps, card.rank))
        for card in cheapest_first:
            if view.current.plus(card).winner(trumps) is view.turn:
                return card
        return cheapest_first[0]
