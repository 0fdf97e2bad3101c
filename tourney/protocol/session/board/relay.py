"""Who has been told of which call and card of a board, and who has asked for what.

Every player has a place in the sequence of calls and cards, and a list of requests it has made. A call or card is
told to a player once it is made, the player has been told all before it, and has asked for it (BC-16, BC-31); each
as soon as it can be, never all together. Requests may come early, late or twice (BC-51).

A program that comes back is led through the board: its place begins at the first call again, and what its seat called
and played before it says again, in its turn (BC-48).
"""

from dataclasses import dataclass, field
from typing import Final

from tourney.bridge import SEATS, BoardInPlay, Call, Card, Seat
from tourney.protocol.bluechip.wire import server_format
from tourney.protocol.bluechip.wire.player_lines import Ready, ReadyFor
from tourney.protocol.session.outbox import Desk
from tourney.protocol.session.turn_clock import TurnClock

REQUESTS_MAX: Final = 8
"""Unanswered requests kept for one player; a program in step has one, at most two."""


@dataclass(slots=True)
class Action:
    """A call or card made. `hand` is where it belongs, `actor` the player who made it (declarer for dummy)."""

    hand: Seat
    actor: Seat
    made: Call | Card
    line: str
    trick: int  # 0 for a call, else 1..13
    at_ms: int
    is_lead: bool = False
    substituted: bool = False
    """The table made it, in the player's place."""
    alerted: bool = False
    text: str = ""
    held: bool = False
    """It waits for the operator's word (BC-25) and is told to nobody yet."""


@dataclass(slots=True)
class Place:
    """How far one player has got."""

    told: int = 0  # calls and cards this player knows of, its own included
    told_at_ms: int = 0
    again: int = 0
    """Calls and cards made before this program sat down: its own among them it has to say again."""
    prompted: int = -1
    """The number of the card for which it was last asked with "to lead"."""
    requests: list[Ready] = field(default_factory=list)
    answered: Ready | None = None
    board_told: bool = False
    ready_for_cards: bool = False
    cards_told: bool = False
    dummy_told: bool = False


class Relay:
    """Tells the players of one board what has been called and played, as they ask for it."""

    def __init__(self, in_play: BoardInPlay, desk: Desk, clock: TurnClock, now_ms: int) -> None:
        self.actions: list[Action] = []
        self.places = {seat: Place(told_at_ms=now_ms) for seat in SEATS}
        self.absent: set[Seat] = set()
        """Seats for which the table acts itself: nobody is told there."""
        self.away: set[Seat] = set()
        """Seats whose players are waited for: nobody is told there until they are back."""
        self.is_dealt = False
        """The players have been given their cards, all that were there."""
        self._in_play = in_play
        self._desk = desk
        self._clock = clock

    @property
    def all_told(self) -> bool:
        """Everybody knows of every call and card."""
        made = len(self.actions)
        return all(place.told == made for seat, place in self.places.items() if seat not in self.absent)

    def knows_all(self, seat: Seat) -> bool:
        """Whether a player has been told of every call and card.

        Without that its own can only be a repeated line, or one that would go uncharged (BC-47).
        """
        return seat in self.absent or self.places[seat].told == len(self.actions)

    def start_clock(self, seat: Seat, now_ms: int) -> int | None:
        """The number of the clock that starts when a player has been told enough to act; None while it has not.

        It starts anew when dummy is told after the lead.
        """
        number = len(self.actions)
        if self._in_play.actor is not seat or self.places[seat].told < number:
            return None
        play = self._in_play.play
        if play is not None and not play.current.cards:
            return None  # a leader's clock starts with "to lead"
        return self._clock.start(number, now_ms)

    # A program that is led through the board

    def lead_through(self, seat: Seat, now_ms: int) -> None:
        """A program knows nothing of this board: it begins at its first line."""
        self.away.discard(seat)
        self.places[seat] = Place(told_at_ms=now_ms, again=len(self.actions))

    def is_led(self, seat: Seat) -> bool:
        """Whether a program has not come to where the board was when it sat down."""
        place = self.places[seat]
        return place.told < place.again and seat not in self.absent

    def owes_again(self, seat: Seat) -> Action | None:
        """The call or card that a program which is led is to say again now."""
        place = self.places[seat]
        if not self.is_led(seat) or not place.cards_told:
            return None
        action = self.actions[place.told]
        return action if action.actor is seat else None

    def take_again(self, seat: Seat, now_ms: int) -> None:
        """It has said it, or knows that the table said it."""
        place = self.places[seat]
        place.told += 1
        place.told_at_ms = now_ms

    # What is told

    def send(self, seat: Seat, line: str, clock: int | None = None) -> None:
        """Send to a player of this board; a program that has taken the seat since, and has not joined, is none."""
        if seat not in self.absent and seat not in self.away:
            self._desk.send(seat, line, clock)

    def awaited(self, seat: Seat) -> str | None:
        """What a player must ask for to get the next call or card, which is there; None when it owes no request."""
        place = self.places[seat]
        if seat in self.absent or seat in self.away or place.told == len(self.actions):
            return None
        action = self.actions[place.told]
        if action.held or action.actor is seat or any(self._fits(seat, place, r) for r in place.requests):
            return None
        if action.trick == 0:
            return f"ready for {action.hand.title}'s bid"
        contract = self._in_play.contract
        whose = "dummy" if contract is not None and action.hand is contract.dummy else action.hand.title
        return f"ready for {whose}'s card to trick {action.trick}"

    def awaited_since_ms(self, seat: Seat) -> int:
        """Since when the request of `awaited` could have been made and answered."""
        place = self.places[seat]
        return max(place.told_at_ms, self.actions[place.told].at_ms)

    def take_request(self, seat: Seat, request: Ready) -> None:
        """Keep a request until it can be answered."""
        place = self.places[seat]
        if request in place.requests:
            return
        if self._is_stale(seat, place, request):
            self._desk.note_seat(seat, "asked for again, swallowed")
            return
        if len(place.requests) == REQUESTS_MAX:
            # What the player waits for stays, or it would wait for ever.
            useless = (r for r in place.requests if r.what is not ReadyFor.DUMMY and not self._fits(seat, place, r))
            place.requests.remove(next(useless, place.requests[0]))
        place.requests.append(request)

    def answer(self, now_ms: int) -> None:
        """Answer every request that can be answered."""
        for seat in SEATS:
            self.answer_seat(seat, now_ms)

    def answer_seat(self, seat: Seat, now_ms: int) -> None:
        """Answer the requests of one player that can be answered."""
        if seat in self.absent or seat in self.away:
            return
        place = self.places[seat]
        while self._answer_one(seat, place, now_ms):
            pass

    def _is_stale(self, seat: Seat, place: Place, request: Ready) -> bool:
        """Whether a request repeats what was answered last, and is not for the next of the same hand.

        The number of the trick does not tell the two apart: a program in use says "trick 1" all the way.
        """
        answered = place.answered
        if answered is None or request.what is not answered.what or request.whose is not answered.whose:
            return False
        if request.what is ReadyFor.DUMMY:
            return True
        if place.told and request.trick is not None and request.trick > self.actions[place.told - 1].trick:
            return False
        return not self._fits(seat, place, request)

    def _fits(self, seat: Seat, place: Place, request: Ready) -> bool:
        """Whether a request asks for the first call or card that its player has not been told of, made or not."""
        hand, is_card = self._in_play.turn, self._in_play.play is not None
        if place.told < len(self.actions):
            action = self.actions[place.told]
            hand, is_card = action.hand, action.trick > 0
        what = ReadyFor.CARD if is_card else ReadyFor.CALL
        return hand is not None and request.what is what and self._names(seat, request, hand)

    def _names(self, seat: Seat, request: Ready, hand: Seat) -> bool:
        """Whether a request asks for a call or card of `hand`: dummy goes by "dummy" and by its seat.

        From dummy's own chair "dummy's card" stands for everybody's, by one reading of version 18.
        """
        if request.whose is not None:
            return request.whose is hand
        contract = self._in_play.contract
        return contract is not None and contract.dummy in (hand, seat)

    def _answer_one(self, seat: Seat, place: Place, now_ms: int) -> bool:
        made = len(self.actions)
        while place.told < made and place.again <= place.told and self.actions[place.told].actor is seat:
            place.told += 1
        for request in place.requests:
            if request.what is ReadyFor.DUMMY:
                # Nor before the player knows the auction, and with it whose hand dummy's is.
                if not self._in_play.dummy_is_open or place.told < len(self._in_play.auction.calls):
                    continue
                self._tell_dummy(seat, place, now_ms)
            else:
                if place.told == made or not self._fits(seat, place, request):
                    continue
                action = self.actions[place.told]
                if action.held or action.actor is seat:
                    continue
                self._tell_action(seat, place, action, now_ms)
            place.requests.remove(request)
            place.answered = request
            return True
        return False

    def _tell_action(self, seat: Seat, place: Place, action: Action, now_ms: int) -> None:
        place.told += 1
        place.told_at_ms = now_ms
        line = action.line
        if action.text and seat.side is not action.actor.side:
            line += self._explanation(seat, action)
        self.send(seat, line, self.start_clock(seat, now_ms))

    def _explanation(self, seat: Seat, action: Action) -> str:
        """What an opponent is told of a call or card besides, as far as it takes it."""
        guest = self._desk.seated.get(seat)
        if guest is None or not guest.profile.alerts:
            return ""
        if action.trick:
            return server_format.format_signal(action.text) if guest.wants_infos else ""
        if action.alerted:
            return server_format.format_alert(action.text)
        return server_format.format_infos(action.text) if guest.wants_infos else ""

    def _tell_dummy(self, seat: Seat, place: Place, now_ms: int) -> None:
        contract = self._in_play.contract
        assert contract is not None
        if seat is contract.dummy or place.dummy_told:
            self._desk.note_seat(seat, "needs no dummy, swallowed")
            return
        place.dummy_told = True
        place.told_at_ms = now_ms
        line = server_format.format_dummy(self._in_play.hand(contract.dummy))
        self.send(seat, line, self.start_clock(seat, now_ms))
