"""The lines that a board waits for: who owes what, and since when (BC-45)."""

from dataclasses import dataclass

from tourney.bridge import BoardInPlay, Seat
from tourney.protocol.session.board.claims import ClaimDesk
from tourney.protocol.session.board.relay import Relay
from tourney.protocol.session.turn_clock import TurnClock


@dataclass(frozen=True, slots=True)
class Debt:
    """A line that the table waits for. `acts` when it is a call or card, whose player is on the clock."""

    seat: Seat
    what: str
    since_ms: int
    acts: bool = False
    logs_on: bool = False
    """The player is not part of a board yet."""
    again: bool = False
    """A call or card that a player which has come back is to say again."""


def debts_of_board(in_play: BoardInPlay, relay: Relay, claims: ClaimDesk, clock: TurnClock) -> list[Debt]:
    """What the players of a board owe now; those who are gone owe nothing."""
    debts = []
    for seat, place in relay.places.items():
        if seat in relay.absent or seat in relay.away:
            continue
        if not place.cards_told:
            if not place.board_told:
                debts.append(Debt(seat, "ready for deal", place.told_at_ms))
            elif not place.ready_for_cards:
                debts.append(Debt(seat, "ready for cards", place.told_at_ms))
        elif (what := relay.awaited(seat)) is not None:
            debts.append(Debt(seat, what, relay.awaited_since_ms(seat)))
        elif (action := relay.owes_again(seat)) is not None:
            debts.append(Debt(seat, f"{action.line!r} again", place.told_at_ms, again=True))
    return debts + _debts_of_action(in_play, relay, claims, clock)


def _debts_of_action(in_play: BoardInPlay, relay: Relay, claims: ClaimDesk, clock: TurnClock) -> list[Debt]:
    claim, contract, actor = claims.pending, in_play.contract, in_play.actor
    if claim is not None and contract is not None:
        judges = [seat for seat in claims.judges(contract) if seat not in claim.accepted_by]
        return [Debt(seat, "an answer to the claim", claim.at_ms) for seat in judges]
    if actor is None or actor in relay.absent | relay.away or not clock.is_running(len(relay.actions)):
        return []
    return [Debt(actor, "call" if in_play.in_auction else "card", clock.from_ms, acts=True)]
