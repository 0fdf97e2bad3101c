"""What happens at the table in sentences, one for each thing that is new: for pipes and screen readers."""

from collections.abc import Iterator

from tourney.bridge import SEATS, Seat, Side
from tourney.bridge.cards import Hand
from tourney.bridge.minibridge import count_hcp
from tourney.client.game_view import GameView
from tourney.client.wording import (
    card_name,
    clean,
    contract_words,
    describe_cards,
    describe_seat_call,
    result_words,
)
from tourney.protocol.stateful.messages import ScoreMessage
from tourney.protocol.stateful.values import VULNERABILITY


def narrate(before: GameView, after: GameView) -> list[str]:
    """Return what one message of the server has changed."""
    return [*_seating(before, after), *_board(before, after), *_auction(before, after), *_play(before, after)]


def _seating(before: GameView, after: GameView) -> Iterator[str]:
    if after.seat is not None and (after.game, after.seat) != (before.game, before.seat):
        yield f"you are {after.seat.title} in game {after.game}"
    if len(after.names) == 3 and after.names != before.names:
        others = ", ".join(f"{seat.title} {clean(after.names[seat])}" for seat in SEATS if seat in after.names)
        yield f"at the table: {others}"


def _board(before: GameView, after: GameView) -> Iterator[str]:
    if after.result is not None and after.result is not before.result:
        yield f"result of {_board_name(after.result.number)}: {result_words(after.result.result)}"
    if after.score is not None and after.score != before.score:
        yield f"score: {score_in_words(after.score)}"
    board = after.board
    if board is not None and board != before.board:
        vulnerable = VULNERABILITY.format(board.vulnerability).lower()
        yield f"{_board_name(board.number)}: dealer {board.dealer.title}, vulnerable {vulnerable}"
    for seat, points in after.points.items():
        if seat not in before.points:
            yield f"{seat.title} has {points} points"
    if after.hand and not before.hand:
        yield f"your hand, {count_hcp(Hand.of(after.hand))} points: {describe_cards(after.hand)}"


def _board_name(number: int) -> str:
    return f"board {number}" if number else "the board"


def score_in_words(score: ScoreMessage) -> str:
    """`NS 120 above, 60 below; EW 0 above, 40 below, vulnerable`."""
    sides = (
        (Side.NS, score.ns_above, score.ns_below, score.ns_vulnerable),
        (Side.EW, score.ew_above, score.ew_below, score.ew_vulnerable),
    )
    return "; ".join(
        f"{side} {above} above, {below} below{', vulnerable' if is_vulnerable else ''}"
        for side, above, below, is_vulnerable in sides
    )


def _auction(before: GameView, after: GameView) -> Iterator[str]:
    for number, call in enumerate(after.calls[len(before.calls) :], len(before.calls) + 1):
        if after.is_minibridge:
            break  # the contract says it all; the passes are the table's
        text = after.alerts.get(number)
        alerted = f" (alert: {clean(text)})" if text is not None else ""
        yield f"{describe_seat_call(after.caller(number), call)}{alerted}"
    if after.is_passed_out and not before.is_passed_out:
        yield "the board is passed out"
    if after.contract is not None and before.contract is None:
        yield f"the contract is {contract_words(after.contract, is_minibridge=after.is_minibridge)}"


def _play(before: GameView, after: GameView) -> Iterator[str]:
    if after.dummy_hand is not None and before.dummy_hand is None:
        whose = f", {after.dummy.title}" if after.dummy is not None else ""
        yield f"dummy{whose}: {describe_cards(after.dummy_hand)}"
    trick, known = after.trick, before.trick
    if trick is not None:
        same = known is not None and trick.cards[: len(known.cards)] == known.cards and not known.is_complete
        first = len(known.cards) if same and known is not None else 0
        for place, card in enumerate(trick.cards[first:], first):
            if known is not None and trick == known:
                break
            yield f"{trick.leader.plus(place).title} plays {card_name(card)}"
    if len(after.winners) > len(before.winners):
        yield f"{after.winners[-1].title} wins the trick: {tricks_in_words(after)}"


def tricks_in_words(view: GameView) -> str:
    """`NS 3, EW 1`: the tricks that each side has won."""
    return ", ".join(f"{side} {view.tricks_won(side)}" for side in Side)


def whose_hand(view: GameView, seat: Seat) -> str:
    """`your`, `dummy's`: whose hand is to play."""
    return "your" if seat is view.seat else "dummy's"
