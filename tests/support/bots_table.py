"""Plays a board with four strategies in one process, without a protocol."""

from dataclasses import dataclass, field

from tourney.bots import Decision, Strategy
from tourney.bots.basic import BasicStrategy
from tourney.bridge import (
    SEATS,
    Board,
    BoardInPlay,
    Card,
    Hand,
    PlayerView,
    Result,
    Seat,
    Vulnerability,
    parse_call,
    parse_card,
    parse_hand,
)


@dataclass(slots=True)
class BoardPlayed:
    """A board that was played: every decision, and every card with its hand."""

    board: Board
    decisions: list[Decision] = field(default_factory=list)
    cards: list[tuple[Seat, Card]] = field(default_factory=list)
    result: Result | None = None


def views_of(board: Board) -> list[PlayerView]:
    """Return what each seat knows before the first call, indexed by seat."""
    return [PlayerView(seat, board.number, board.dealer, board.vulnerability, board.deal[seat]) for seat in SEATS]


def play_auction(board: Board, strategies: list[Strategy]) -> tuple[BoardInPlay, list[PlayerView], BoardPlayed]:
    """Play the auction of a board; strategies are indexed by seat. Raises RuleError at an illegal call."""
    in_play, views, played = BoardInPlay(board), views_of(board), BoardPlayed(board)
    while in_play.in_auction:
        caller = in_play.auction.turn
        decision = strategies[caller].choose_call(views[caller])
        in_play.add_call(decision.call)
        played.decisions.append(decision)
        for view in views:
            # the caller's partner is not told about an alert
            told = decision.alert if view.seat.side is not caller.side else ""
            view.add_call(decision.call, told)
    return in_play, views, played


def play_board(board: Board, strategies: list[Strategy]) -> BoardPlayed:
    """Play a whole board; strategies are indexed by seat. Raises RuleError at an illegal call or card."""
    in_play, views, played = play_auction(board, strategies)
    while not in_play.is_over:
        hand, actor = in_play.turn, in_play.actor
        assert hand is not None
        assert actor is not None
        card = strategies[actor].choose_card(views[actor], hand)
        in_play.add_card(card)
        played.cards.append((hand, card))
        opening_lead = len(played.cards) == 1
        for view in views:
            view.add_card(card)
            if opening_lead and in_play.contract is not None and view.seat is not in_play.contract.dummy:
                view.show_dummy(board.deal[in_play.contract.dummy])
    played.result = in_play.result
    return played


def hand_of(text: str) -> Hand:
    """Parse a hand of 13 cards: spades, hearts, diamonds, clubs."""
    hand = parse_hand(text, Seat.NORTH)
    assert len(hand.cards) == 13, text
    return hand


def view_after(hand: str, calls: str = "", *, vulnerability: Vulnerability = Vulnerability.NONE) -> PlayerView:
    """Return the view of the seat in turn after calls such as `1NT Pass`; after the auction, that of the leader.

    North deals.
    """
    made = [parse_call(text) for text in calls.split()]
    view = PlayerView(Seat.NORTH.plus(len(made)), 1, Seat.NORTH, vulnerability, hand_of(hand))
    for call in made:
        view.add_call(call)
    if view.contract is not None:
        view.seat = view.contract.leader
    return view


def card_to(seat: Seat, hand: str, dummy: str, calls: str, cards: str, *, plays_dummy: bool = False) -> str:
    """Return the card that the basic player in `seat` plays. North deals.

    Args:
        seat: the player, no dummy.
        hand: the 13 cards dealt to the player.
        dummy: the 13 cards dealt to dummy.
        calls: the auction, ended by three passes.
        cards: the cards played so far, in order.
        plays_dummy: the card is to come from dummy, of which the player is declarer.
    """
    view = view_after(hand, calls)
    view.seat = seat
    for text in cards.split():
        view.add_card(parse_card(text))
        if view.dummy_hand is None:
            view.show_dummy(hand_of(dummy))
    assert view.contract is not None
    played = view.contract.dummy if plays_dummy else seat
    assert view.turn is played, f"it is {view.turn}'s turn"
    return str(PLAIN.choose_card(view, played))


PLAIN = BasicStrategy(0)
"""The player whose decisions are tested; none of them depends on its seed."""
