"""What the author of a bridge program fills in: a `Player` that calls and plays, and the `View` it decides from.

    from tourney.player import Player, View

    class MyBot(Player):
        def call(self, view: View) -> str:
            return "pass"

        def play(self, view: View) -> Card:
            return view.legal_cards[-1]

`tourney bot --player my_bot:MyBot` seats it at a table. The names listed here are stable: within version 1 they only
grow.
"""

from tourney.bridge import (
    BIDS,
    CALLS,
    DECK,
    DOUBLE,
    PASS,
    REDOUBLE,
    SEATS,
    Action,
    Bid,
    Call,
    Card,
    Contract,
    Hand,
    Seat,
    Side,
    Strain,
    Suit,
    Trick,
    Vulnerability,
)
from tourney.player.answers import Answer
from tourney.player.loading import load_player
from tourney.player.player import Player, is_certain_claim
from tourney.player.view import AuctionCall, View

__all__ = [
    "BIDS",
    "CALLS",
    "DECK",
    "DOUBLE",
    "PASS",
    "REDOUBLE",
    "SEATS",
    "Action",
    "Answer",
    "AuctionCall",
    "Bid",
    "Call",
    "Card",
    "Contract",
    "Hand",
    "Player",
    "Seat",
    "Side",
    "Strain",
    "Suit",
    "Trick",
    "View",
    "Vulnerability",
    "is_certain_claim",
    "load_player",
]
