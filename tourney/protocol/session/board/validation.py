"""Whether a call, card or claim from a player is accepted, and why not (BC-20, BC-21, BC-33, BC-34, BC-40, BC-47)."""

from collections.abc import Sequence
from typing import Final

from tourney.bridge import Seat
from tourney.protocol.session.board.state import BoardState
from tourney.protocol.session.intents import CallIntent, CardIntent, Refusal, RefusalAnswer
from tourney.protocol.session.records import IncidentKind
from tourney.protocol.session.rules import UndoRule
from tourney.protocol.session.seat import SeatState
from tourney.protocol.session.seat_view import SeatView
from tourney.protocol.session.state import SessionState
from tourney.protocol.session.wire import Wire

UNDOS_MAX: Final = 10
"""How often something is taken back on one board: each time its calls and cards are put on record again."""


def why_refused(seat: SeatState, intent: CallIntent | CardIntent, *, is_dealt: bool) -> Refusal | None:
    """Return why a call or card of a player that takes part in the board is refused; None if it is accepted."""
    player, view = seat.active, seat.view
    assert player is not None
    assert view is not None
    if seat.is_catching_up:
        return _why_not_repeated(view, player.wire, intent)
    if isinstance(intent, CallIntent):
        return _why_no_call(view, player.wire, intent, is_dealt=is_dealt)
    return _why_no_card(view, player.wire, intent)


def _why_no_call(view: SeatView, wire: Wire, intent: CallIntent, *, is_dealt: bool) -> Refusal | None:
    board, auction = view.board, view.board.auction
    if not is_dealt:
        return Refusal("the cards are not dealt yet")
    if board.actor is not view.seat or board.play is not None:
        why = "the auction is over" if auction.is_over else f"it is {auction.turn.title}'s turn to call"
        return _out_of_turn(view, intent, IncidentKind.CALL_OUT_OF_TURN, why)
    if view.is_too_early():
        return _out_of_turn(view, intent, IncidentKind.CALL_OUT_OF_TURN, wire.explain_too_early(view))
    why_illegal = auction.why_illegal(intent.call)
    if board.choice is not None:
        why_illegal = board.choice.why_illegal(intent.call)
    if why_illegal is not None:
        return Refusal(why_illegal, RefusalAnswer.ILLEGAL_CALL, IncidentKind.ILLEGAL_CALL)
    return None


def _why_no_card(view: SeatView, wire: Wire, intent: CardIntent) -> Refusal | None:
    board, play = view.board, view.board.play
    if play is None:
        return Refusal("no card can be played before the auction has ended in a contract")
    if board.is_over or board.claimed is not None:
        return Refusal("the play is over")
    if board.claim is not None:
        return Refusal(f"{board.claim.seat.title}'s claim is to be answered first")
    hand = play.turn if intent.seat is play.turn else wire.hand_of(intent, view)
    if hand is not play.turn or board.actor is not view.seat:
        why = f"it is {play.turn.title}'s turn" if hand is not play.turn else "dummy's cards are played by declarer"
        return _out_of_turn(view, intent, IncidentKind.CARD_OUT_OF_TURN, why, RefusalAnswer.ILLEGAL_CARD)
    if view.is_too_early():
        return _out_of_turn(view, intent, IncidentKind.CARD_OUT_OF_TURN, wire.explain_too_early(view))
    held = view.hand if hand is view.seat else board.dummy_hand
    assert held is not None
    why_illegal = play.why_illegal_from(held, hand, intent.card)
    if why_illegal is not None:
        return Refusal(why_illegal, RefusalAnswer.ILLEGAL_CARD, IncidentKind.ILLEGAL_CARD)
    return None


def _why_not_repeated(view: SeatView, wire: Wire, intent: CallIntent | CardIntent) -> Refusal | None:
    """Return why a call or card that a player catching up repeats is refused; None if it is accepted (BC-48)."""
    if not wire.has_requests:
        return Refusal("the table is paused: wait for your turn")  # it has caught up as soon as it is sent the state
    entry = view.entry_to_repeat()
    if entry is None:
        return Refusal("this board is told again from its beginning: ask for the next call or card first")
    if (entry.trick == 0) is not isinstance(intent, CallIntent):
        return Refusal(f"a {'call' if entry.trick == 0 else 'card'} is to be said again now")
    if entry.is_lead and view.prompted != view.shown:
        return Refusal("a lead waits for the line that asks for it")
    said = intent.call if isinstance(intent, CallIntent) else intent.card
    if said == entry.made:
        return None
    why = f"{view.seat.title} came back and said {said} where it had said {entry.made}"
    return Refusal(why, RefusalAnswer.NONE, IncidentKind.DIVERGED)


def _out_of_turn(
    view: SeatView,
    intent: CallIntent | CardIntent,
    incident: IncidentKind,
    why: str,
    answer: RefusalAnswer = RefusalAnswer.ERROR,
) -> Refusal:
    """Refuse a line at the wrong time, or of a player in turn that lacks a line.

    One that only repeats the player's last is no irregularity (BC-47).
    """
    return Refusal(why, answer, None if intent == view.last_intent else incident)


def _board_of(table: SessionState) -> BoardState:
    assert table.board is not None
    return table.board.state


def why_no_claim(table: SessionState, seat: Seat) -> str | None:
    """Return why a claim is refused; None if it is accepted (BC-40, BC-42)."""
    board = _board_of(table)
    if not table.settings.rules.claims:
        return "claims are not taken at this table: play on"
    play, dummy = board.in_play.play, board.in_play.dummy
    if board.ended is not None:
        return "this board is over, no claim is taken any more"
    if play is None or dummy is None or play.is_over:
        return "a claim is made during the play"
    if seat is dummy:
        return "dummy makes no claim"
    if board.in_play.claim is not None:
        return f"{board.in_play.claim.seat.title}'s claim is not settled yet"
    if (seat, len(play.tricks)) in board.rejected_claims:
        return "this claim has been rejected: play on to the next trick"
    for judge in board.judges_of(seat):
        player = table.seats[judge].active
        if player is not None and not player.wire.answers_claims:
            return f"{judge.title}'s program has no words to answer a claim: play on"
    return None


def why_no_question(table: SessionState, seat: Seat, number: int) -> str | None:
    """Return why a player may not ask what a call means, by its number from 1; None if it may (SS-53)."""
    board = _board_of(table)
    calls = [entry for entry in board.history if not entry.trick]
    if board.ended is not None or not 1 <= number <= len(calls):
        return f"the calls of this board are 1 to {len(calls)}, got {number}" if calls else "nobody has called yet"
    if board.choice is not None:
        return "at Minibridge nobody bids, and there is nothing to explain"
    caller = table.seats[calls[number - 1].actor]
    if caller.seat.side is seat.side:
        return "only opponents are asked what their calls mean"
    if calls[number - 1].record.substituted:
        return "the table has made this call, and it means nothing"
    if caller.active is None or caller.view is None or caller.view.shown < number:
        return f"{caller.seat.title} is not there: wait, and ask again"
    if not caller.active.wire.answers_questions:
        return f"{caller.seat.title}'s program has no words to explain a call"
    if seat in board.asked.get(number, ()):
        return f"you have asked about call {number}: wait for the answer"
    return None


def why_no_undo(table: SessionState, seat: Seat) -> str | None:
    """Return why a player may not ask to take its last call or card back; None if it may (SS-52)."""
    board, rule = _board_of(table), table.settings.rules.undo
    number = board.last_action_of(seat)
    if rule is UndoRule.NEVER:
        return "nothing is taken back at this table"
    if board.ended is not None:
        return "this board is over, nothing is taken back any more"
    if number is None:
        return "you have neither called nor played on this board"
    entry, since = board.history[number], board.history[number:]
    offer = board.in_play.claim or board.in_play.undo
    if offer is not None:
        what = "claim" if board.in_play.claim is not None else "wish to take something back"
        return f"{offer.seat.title}'s {what} is not settled yet"
    if entry.trick and rule is UndoRule.CALLS:
        return "calls are taken back at this table, cards are not"
    if entry.record.substituted or (board.choice is not None and not entry.trick):
        return "what the table has called or played, and the contract of Minibridge, stand"
    if any(each.actor is seat.partner for each in since):
        return f"{seat.partner.title} has gone on since: it stands"
    if any(each.is_lead and each.trick == 1 for each in since):
        return "it has opened dummy: it stands"
    if (seat, number) in board.rejected_undos:
        return "your opponents have not agreed to take this back"
    if table.counts.undos >= UNDOS_MAX:
        return f"{UNDOS_MAX} times something has been taken back on this board, and that is the most"
    return _why_none_can_agree(table.seats, seat)


def _why_none_can_agree(seats: Sequence[SeatState], seat: Seat) -> str | None:
    """Return which player keeps the table from going back, as it is not there or lacks the words for it."""
    for other in seats:
        player = other.active
        if player is None:
            return f"{other.seat.title} is not there: wait, and ask again"
        if not player.wire.shows_positions:
            return f"{other.seat.title}'s program cannot be shown an earlier position: it stands"
        if other.seat.side is not seat.side and not player.wire.answers_undo:
            return f"{other.seat.title}'s program has no words to agree: it stands"
    return None
