"""The lines that a board waits for: who owes which line, and since when (BC-45)."""

from tourney.protocol.session.board.claims import Claims
from tourney.protocol.session.board.state import BoardState
from tourney.protocol.session.wire import PendingLine


def pending_on_board(board: BoardState, claims: Claims) -> list[PendingLine]:
    """Return what the players of a board owe now; those who are gone owe nothing."""
    owed = (seat.active_wire.pending() for seat in board.seats if seat.active_wire is not None)
    return [line for line in owed if line is not None] + _pending_actions(board, claims)


def _pending_actions(board: BoardState, claims: Claims) -> list[PendingLine]:
    """Return the answers to a claim, else the call or card of the player on the clock."""
    claim = claims.pending
    if claim is not None:
        judges = [seat for seat in claims.judges if seat not in claim.accepted_by]
        return [PendingLine(seat=seat, what="an answer to the claim", since_ms=claim.at_ms) for seat in judges]
    actor = board.in_play.actor
    since_ms = board.clock.running_since_ms(len(board.history))
    if actor is None or since_ms is None or not board.seats[actor].takes_part:
        return []
    what = "call" if board.in_play.in_auction else "card"
    return [PendingLine(seat=actor, what=what, since_ms=since_ms, acts=True)]
