"""The game of contract bridge: pure rules over plain data. Imports nothing from tourney but its errors."""

from tourney.bridge.auction import Auction, Contract, describe_call
from tourney.bridge.board import BoardInPlay, OpenBoard, Result
from tourney.bridge.calls import BIDS, CALLS, DOUBLE, PASS, REDOUBLE, Action, Bid, Call, parse_call
from tourney.bridge.cards import DECK, RANKS, SUITS_DOWN, Card, Hand, Strain, Suit, parse_card, parse_cards
from tourney.bridge.deal import Board, Deal, format_deal, parse_deal, parse_hand
from tourney.bridge.dealing import board_from_seed, boards_from_seed, deal_from_seed, random_seed
from tourney.bridge.double_dummy import DECLARERS, STRAINS, DoubleDummyTable
from tourney.bridge.play import OpenPlay, Play, Trick, describe_card
from tourney.bridge.score import deal_points, declarer_score, score_ns
from tourney.bridge.seats import SEATS, SIDES, Seat, Side, Vulnerability, board_dealer, board_vulnerability
from tourney.bridge.view import PlayerView

__all__ = [
    "BIDS",
    "CALLS",
    "DECK",
    "DECLARERS",
    "DOUBLE",
    "PASS",
    "RANKS",
    "REDOUBLE",
    "SEATS",
    "SIDES",
    "STRAINS",
    "SUITS_DOWN",
    "Action",
    "Auction",
    "Bid",
    "Board",
    "BoardInPlay",
    "Call",
    "Card",
    "Contract",
    "Deal",
    "DoubleDummyTable",
    "Hand",
    "OpenBoard",
    "OpenPlay",
    "Play",
    "PlayerView",
    "Result",
    "Seat",
    "Side",
    "Strain",
    "Suit",
    "Trick",
    "Vulnerability",
    "board_dealer",
    "board_from_seed",
    "board_vulnerability",
    "boards_from_seed",
    "deal_from_seed",
    "deal_points",
    "declarer_score",
    "describe_call",
    "describe_card",
    "format_deal",
    "parse_call",
    "parse_card",
    "parse_cards",
    "parse_deal",
    "parse_hand",
    "random_seed",
    "score_ns",
]
