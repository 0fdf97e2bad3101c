"""What one player is told about a board, and about the game that it is part of, as messages."""

from collections.abc import Mapping

from tourney.bridge import Card, Seat, Side
from tourney.protocol.session.board.state import BoardState
from tourney.protocol.session.boards import LineScore
from tourney.protocol.stateful.messages import (
    AlertMessage,
    AuccloseMessage,
    AucopenMessage,
    BoardMessage,
    DeclarerMessage,
    DummyMessage,
    HandMessage,
    PointsMessage,
    ScoreMessage,
    StatefulMessage,
    TrickMessage,
    TricksWonMessage,
    TurnMessage,
)


def hand_message(board: BoardState, seat: Seat) -> HandMessage:
    """Return what a player still holds (SS-21)."""
    return HandMessage(_held(board, seat))


def dummy_message(board: BoardState) -> DummyMessage:
    """Return what dummy, which is known, still holds (SS-19)."""
    assert board.dummy is not None
    return DummyMessage(_held(board, board.dummy))


def _held(board: BoardState, seat: Seat) -> tuple[Card, ...]:
    """Return the cards that a seat still holds, spades first, each suit from the highest down."""
    play = board.in_play.play
    if play is None:
        return board.in_play.hand(seat).cards
    return tuple(sorted(play.remaining[seat], reverse=True))


def tricks_won_message(board: BoardState, tricks: int) -> TricksWonMessage:
    """Return the winners of the first tricks of the play (SS-20)."""
    play = board.in_play.play
    assert play is not None
    trumps = play.contract.strain.trumps
    return TricksWonMessage(tuple(trick.winner(trumps) for trick in play.tricks[:tricks]))


def turn_message(board: BoardState, seat: Seat) -> TurnMessage:
    """Return all that the player in turn knows of the board (SS-26)."""
    in_play, about, dummy = board.in_play, board.board, board.dummy
    return TurnMessage(
        position=seat,
        number=about.number,
        dealer=about.dealer,
        vulnerability=about.vulnerability,
        hand=in_play.hand(seat).cards,
        calls=tuple(in_play.auction.calls),
        dummy=in_play.hand(dummy).cards if board.dummy_is_open and dummy is not None else (),
        cards=tuple(card for _, card in in_play.play.cards) if in_play.play is not None else (),
    )


def score_messages(scores: Mapping[Side, LineScore] | None) -> list[StatefulMessage]:
    """Return the score of a game that is played over several deals (SS-28); nothing without one."""
    if scores is None:
        return []
    ns, ew = scores[Side.NS], scores[Side.EW]
    return [ScoreMessage(ns.above, ns.below, ns.is_vulnerable, ew.above, ew.below, ew.is_vulnerable)]


def board_messages(board: BoardState, seat: Seat, shown: int) -> list[StatefulMessage]:
    """Return a board as a player is told it that has been shown so many calls and cards."""
    about, in_play = board.board, board.in_play
    messages: list[StatefulMessage] = [
        BoardMessage(about.number, about.dealer, about.vulnerability),
        hand_message(board, seat),
    ]
    if board.choice is not None:  # what is announced at Minibridge, the dealer's points first (SS-38)
        messages += [PointsMessage(other, points) for other, points in board.choice.announcements]
    if board.dummy_is_open and not in_play.dummy_is_open:
        messages.append(dummy_message(board))
    calls = in_play.auction.calls
    for number in range(1, min(shown, len(calls)) + 1):
        messages += _explanation(board, seat, number)
    if in_play.auction.is_over and shown >= len(calls):
        messages += _end_of_auction(board)
    if in_play.play is not None and in_play.play.cards:
        messages += [dummy_message(board), tricks_won_message(board, len(in_play.play.tricks))]
    return messages


def entry_messages(board: BoardState, seat: Seat, shown: int) -> list[StatefulMessage]:
    """Return what a player is told with the last of so many calls and cards.

    The auction itself is shown with the next turn, or its end.
    """
    auction, play = board.in_play.auction, board.in_play.play
    entry, number = board.history[shown - 1], shown - len(auction.calls)
    messages: list[StatefulMessage] = []
    if not entry.trick:
        messages += _explanation(board, seat, shown)
        return messages + _end_of_auction(board) if auction.is_over and number == 0 else messages
    assert play is not None
    cards = tuple(card for _, card in play.cards[(number - 1) // 4 * 4 : number])
    if number == 1:
        messages.append(dummy_message(board))
    if number % 4:
        return [*messages, TrickMessage(entry.hand.next, cards)]
    won = tricks_won_message(board, number // 4)
    return [TrickMessage(None, cards), won, hand_message(board, seat), dummy_message(board)]


def _end_of_auction(board: BoardState) -> list[StatefulMessage]:
    contract = board.in_play.contract
    closed: list[StatefulMessage] = [
        AucopenMessage(None, tuple(board.in_play.auction.calls)),
        AuccloseMessage.of_contract(contract),
    ]
    return [*closed, DeclarerMessage(contract.declarer)] if contract is not None else closed


def _explanation(board: BoardState, seat: Seat, number: int) -> list[StatefulMessage]:
    """Return the explanation of a call, from 1, to an opponent (BC-17)."""
    entry = board.history[number - 1]
    if not entry.alerted or entry.actor.side is seat.side:
        return []
    return [AlertMessage(entry.actor, entry.text, number)]
