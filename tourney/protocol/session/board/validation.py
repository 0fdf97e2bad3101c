"""Whether a call or card that a player sends is taken, and why not (BC-20, BC-21, BC-33, BC-34, BC-47)."""

from dataclasses import dataclass

from tourney.bridge import BoardInPlay, Seat
from tourney.protocol.bluechip.wire import server_format
from tourney.protocol.bluechip.wire.player_lines import CallLine, CardLine
from tourney.protocol.session.board.claims import ClaimDesk
from tourney.protocol.session.board.relay import Relay
from tourney.protocol.session.records import IncidentKind


@dataclass(frozen=True, slots=True)
class Refusal:
    """A call or card that is not taken. `kind` is None when it breaks the order of lines, but no rule of the game."""

    line: str
    """What its sender is told; empty for nothing."""
    why: str
    kind: IncidentKind | None = None


class Scrutiny:
    """Looks at the calls and cards of one board before they are made."""

    def __init__(self, in_play: BoardInPlay, relay: Relay, claims: ClaimDesk) -> None:
        self._in_play = in_play
        self._relay = relay
        self._claims = claims
        self._said: dict[Seat, CallLine | CardLine] = {}
        self._excused: set[Seat] = set()

    def note_said(self, seat: Seat, message: CallLine | CardLine) -> None:
        """A player's line was taken: the same again is no irregularity."""
        self._said[seat] = message

    def excuse(self, seat: Seat) -> None:
        """The table has acted for a player, whose own line may be on its way."""
        self._excused.add(seat)

    def forget(self, seat: Seat) -> None:
        """Another program has the seat."""
        self._said.pop(seat, None)
        self._excused.discard(seat)

    def is_excused(self, seat: Seat, refusal: Refusal | None) -> bool:
        """Whether a refused line is that of a player for whom the table has just acted: the two have crossed."""
        if seat not in self._excused:
            return False
        self._excused.discard(seat)
        return refusal is not None

    def why_no_call(self, seat: Seat, message: CallLine) -> Refusal | None:
        """Why a call is not taken."""
        auction = self._in_play.auction
        if not self._relay.is_dealt:
            return _out_of_order("the cards are not dealt yet")
        if auction.is_over or auction.turn is not seat:
            why = "the auction is over" if auction.is_over else f"it is {auction.turn.title}'s turn to call"
            return self._out_of_turn(seat, message, IncidentKind.CALL_OUT_OF_TURN, why)
        if not self._relay.knows_all(seat):
            why = f"ask for {auction.turn.previous.title}'s bid first"
            return self._out_of_turn(seat, message, IncidentKind.CALL_OUT_OF_TURN, why)
        why_illegal = auction.why_illegal(message.call)
        if why_illegal is not None:
            return Refusal(server_format.ILLEGAL_BID, why_illegal, IncidentKind.ILLEGAL_CALL)
        return None

    def why_no_card(self, seat: Seat, message: CardLine) -> Refusal | None:
        """Why a card is not taken."""
        play, contract = self._in_play.play, self._in_play.contract
        if play is None or contract is None:
            return _out_of_order("no card can be played before the auction has ended in a contract")
        if play.is_over or self._claims.accepted is not None:
            return _out_of_order("the play is over")
        if self._claims.pending is not None:
            return _out_of_order(f"{self._claims.pending.seat.title}'s claim is to be answered first")
        hand = self._hand_meant(seat, message.seat)
        if hand is not play.turn or self._in_play.actor is not seat:
            why = (
                f"it is {play.turn.title}'s turn" if hand is not play.turn else "dummy's cards are played by declarer"
            )
            repeated = message == self._said.get(seat)
            return Refusal(server_format.ILLEGAL_CARD, why, None if repeated else IncidentKind.CARD_OUT_OF_TURN)
        if not play.current.cards and self._relay.places[seat].prompted != len(self._relay.actions):
            why = "a lead waits for the line that asks for it"
            return self._out_of_turn(seat, message, IncidentKind.CARD_OUT_OF_TURN, why)
        if not self._relay.knows_all(seat):
            why = f"ask for {play.turn.previous.title}'s card first"
            return self._out_of_turn(seat, message, IncidentKind.CARD_OUT_OF_TURN, why)
        why_illegal = play.why_illegal(hand, message.card)
        if why_illegal is not None:
            return Refusal(server_format.ILLEGAL_CARD, why_illegal, IncidentKind.ILLEGAL_CARD)
        return None

    def why_not_again(self, seat: Seat, message: CallLine | CardLine) -> Refusal | None:
        """Why a call or card is not what a program that is led through the board must say now (BC-48)."""
        action, place = self._relay.owes_again(seat), self._relay.places[seat]
        if action is None:
            return _out_of_order("this board is told again from its beginning: ask for the next call or card first")
        said = message.call if isinstance(message, CallLine) else message.card
        if (action.trick == 0) is not isinstance(message, CallLine):
            return _out_of_order(f"a {'call' if action.trick == 0 else 'card'} is to be said again now")
        if action.is_lead and place.prompted != place.told:
            return _out_of_order("a lead waits for the line that asks for it")
        if said == action.made:
            return None
        why = f"{seat.title} came back and said {said} where it had said {action.made}"
        return Refusal("", why, IncidentKind.DIVERGED)

    def _out_of_turn(self, seat: Seat, message: CallLine | CardLine, kind: IncidentKind, why: str) -> Refusal:
        """A line at the wrong time; one that only repeats the player's last is no irregularity (BC-47)."""
        return Refusal(server_format.format_error(why), why, None if message == self._said.get(seat) else kind)

    def _hand_meant(self, seat: Seat, named: Seat | None) -> Seat:
        """Whose card a line plays: "Dummy" is dummy, and so is declarer's own name in dummy's turn."""
        contract, turn = self._in_play.contract, self._in_play.turn
        assert contract is not None
        if named is None or (named is seat is contract.declarer and turn is contract.dummy):
            return contract.dummy
        return named


def _out_of_order(why: str) -> Refusal:
    return Refusal(server_format.format_error(why), why)
