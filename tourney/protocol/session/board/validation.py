"""Whether a call or card from a player is accepted, and why not (BC-20, BC-21, BC-33, BC-34, BC-47)."""

from tourney.protocol.session.board.claims import Claims
from tourney.protocol.session.board.state import BoardState
from tourney.protocol.session.records import IncidentKind
from tourney.protocol.session.seat import SeatState
from tourney.protocol.session.wire import CallIntent, CardIntent, Refusal, RefusalAnswer


def why_no_call(board: BoardState, seat: SeatState, intent: CallIntent) -> Refusal | None:
    """Return why a call is refused; None if it is accepted."""
    auction = board.in_play.auction
    if not board.is_dealt:
        return Refusal("the cards are not dealt yet")
    if board.in_play.actor is not seat.seat or board.in_play.play is not None:
        why = "the auction is over" if auction.is_over else f"it is {auction.turn.title}'s turn to call"
        return _out_of_turn(seat, intent, IncidentKind.CALL_OUT_OF_TURN, why)
    assert seat.wire is not None
    why_too_early = seat.wire.why_too_early()
    if why_too_early is not None:
        return _out_of_turn(seat, intent, IncidentKind.CALL_OUT_OF_TURN, why_too_early)
    why_illegal = auction.why_illegal(intent.call)
    if board.choice is not None:
        why_illegal = board.choice.why_illegal(intent.call)
    if why_illegal is not None:
        return Refusal(why_illegal, RefusalAnswer.ILLEGAL_CALL, IncidentKind.ILLEGAL_CALL)
    return None


def why_no_card(board: BoardState, claims: Claims, seat: SeatState, intent: CardIntent) -> Refusal | None:
    """Return why a card is refused; None if it is accepted."""
    play = board.in_play.play
    if play is None:
        return Refusal("no card can be played before the auction has ended in a contract")
    if board.in_play.is_over or board.claimed is not None:
        return Refusal("the play is over")
    if claims.pending is not None:
        return Refusal(f"{claims.pending.seat.title}'s claim is to be answered first")
    assert seat.wire is not None
    hand = seat.wire.hand_of(intent)
    if hand is not play.turn or board.in_play.actor is not seat.seat:
        why = f"it is {play.turn.title}'s turn" if hand is not play.turn else "dummy's cards are played by declarer"
        return _out_of_turn(seat, intent, IncidentKind.CARD_OUT_OF_TURN, why, RefusalAnswer.ILLEGAL_CARD)
    why_too_early = seat.wire.why_too_early()
    if why_too_early is not None:
        return _out_of_turn(seat, intent, IncidentKind.CARD_OUT_OF_TURN, why_too_early)
    why_illegal = play.why_illegal(hand, intent.card)
    if why_illegal is not None:
        return Refusal(why_illegal, RefusalAnswer.ILLEGAL_CARD, IncidentKind.ILLEGAL_CARD)
    return None


def _out_of_turn(
    seat: SeatState,
    intent: CallIntent | CardIntent,
    incident: IncidentKind,
    why: str,
    answer: RefusalAnswer = RefusalAnswer.ERROR,
) -> Refusal:
    """Refuse a line at the wrong time; one that only repeats the player's last is no irregularity (BC-47)."""
    return Refusal(why, answer, None if intent == seat.last_intent else incident)
