"""What one player is told about a board, and about the game that it is part of, as messages."""

from collections.abc import Mapping

from tourney.bridge import Card, Seat, Side
from tourney.protocol.session.board.state import BoardState
from tourney.protocol.session.boards import LineScore
from tourney.protocol.stateful.messages import (
    DummyMessage,
    HandMessage,
    PointsMessage,
    ScoreMessage,
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


def points_messages(board: BoardState) -> list[PointsMessage]:
    """Return what is announced at Minibridge, the dealer's points first (SS-38); nothing at bridge."""
    if board.choice is None:
        return []
    return [PointsMessage(seat, points) for seat, points in board.choice.announcements]


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


def score_message(scores: Mapping[Side, LineScore]) -> ScoreMessage:
    """Return the score of a game that is played over several deals (SS-28)."""
    ns, ew = scores[Side.NS], scores[Side.EW]
    return ScoreMessage(ns.above, ns.below, ns.is_vulnerable, ew.above, ew.below, ew.is_vulnerable)
